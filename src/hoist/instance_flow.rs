//! Where the instances of a class may come: values followed by name, without regard to order.

use rustc_hash::FxHashSet;
use rustpython_ast::{self as ast, AnyNodeRef, Expr, name::Name};

use super::facts::{Facts, is_unknown_callee};
use super::method::{is_first_parameter, is_own_attribute};
use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::{BindingKind, ReferenceContext, Resolution, ScopeId};

/// The special methods that get the other operand of a comparison.
const COMPARING: [&str; 7] = [
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__contains__",
];

/// The special methods that get the other operand of `+` and its like.
const CALCULATING: [&str; 8] = [
    "__add__", "__radd__", "__iadd__", "__sub__", "__mul__", "__or__", "__and__", "__mod__",
];

/// The special methods that get a key or an item.
const SUBSCRIBING: [&str; 5] = [
    "__class_getitem__",
    "__getitem__",
    "__setitem__",
    "__delitem__",
    "__missing__",
];

/// Follows values forward: through assignments, loops, containers, attributes, results, arguments.
///
/// An unknown callee may hand its argument to any function of the module, and an operator to the
/// special methods of its classes; then all their parameters are followed.
#[derive(Debug)]
pub struct InstanceFlow<'m, 'a> {
    module: &'m Module<'a>,
    facts: &'m Facts<'a>,
    values: FxHashSet<NodeId>,
    open: Vec<NodeId>,
    /// The last segments of the callees whose parameters are followed already.
    called: FxHashSet<String>,
    /// Whether the parameters of all functions are followed already.
    is_wild: bool,
}

impl<'m, 'a> InstanceFlow<'m, 'a> {
    /// The nodes that may hold a value that one of the expressions `made` gives.
    #[must_use]
    pub fn follow(
        module: &'m Module<'a>,
        facts: &'m Facts<'a>,
        made: &[NodeId],
    ) -> FxHashSet<NodeId> {
        let mut flow = InstanceFlow {
            module,
            facts,
            values: FxHashSet::default(),
            open: made.to_vec(),
            called: FxHashSet::default(),
            is_wild: false,
        };
        while let Some(node) = flow.open.pop() {
            if flow.values.insert(node) {
                flow.step(node);
            }
        }
        flow.values
    }

    /// Where the value of `node` goes next.
    fn step(&mut self, node: NodeId) {
        let (parent, parent_node) = self.module.parent(node);
        match parent_node {
            AnyNodeRef::StmtAssign(assign) => assign.targets.iter().for_each(|to| self.store(to)),
            AnyNodeRef::StmtAnnAssign(assign) => self.store(&assign.target),
            AnyNodeRef::StmtAugAssign(assign) => {
                self.special_methods(&CALCULATING);
                self.store(&assign.target);
            }
            AnyNodeRef::ExprNamed(named) => {
                self.store(&named.target);
                self.open.push(parent);
            }
            AnyNodeRef::StmtFor(statement) => self.store(&statement.target),
            AnyNodeRef::Comprehension(clause) => self.store(&clause.target),
            AnyNodeRef::WithItem(item) => {
                item.optional_vars.iter().for_each(|to| self.store(to));
            }
            AnyNodeRef::StmtReturn(_) | AnyNodeRef::ExprYield(_) | AnyNodeRef::ExprLambda(_) => {
                self.function_result(node);
            }
            AnyNodeRef::Arguments(_) => self.argument(parent),
            AnyNodeRef::ParameterWithDefault(with) => {
                self.binding(self.module.nodes.id(&with.parameter));
            }
            AnyNodeRef::StmtMatch(_) => self.bindings_below(parent, &BindingKind::MatchCapture),
            AnyNodeRef::StmtRaise(_) => {
                self.bindings_below(NodeId::MODULE, &BindingKind::ExceptHandler);
            }
            AnyNodeRef::ExprCompare(_) => self.special_methods(&COMPARING),
            AnyNodeRef::ExprBinOp(_) => {
                self.special_methods(&CALCULATING);
                self.open.push(parent);
            }
            AnyNodeRef::ExprSubscript(_) => {
                self.special_methods(&SUBSCRIBING);
                self.open.push(parent);
            }
            node if node.is_statement() => {}
            _ => self.open.push(parent),
        }
    }

    /// An operator hands its operands to the special methods of the module's classes.
    fn special_methods(&mut self, names: &[&str]) {
        names.iter().for_each(|name| self.callee(name));
    }

    fn store(&mut self, target: &Expr) {
        let mut open = vec![target];
        while let Some(target) = open.pop() {
            match target {
                Expr::Name(_) => self.binding(self.module.nodes.id(target)),
                Expr::Tuple(tuple) => open.extend(&tuple.elts),
                Expr::List(list) => open.extend(&list.elts),
                Expr::Starred(starred) => open.push(&starred.value),
                Expr::Attribute(attribute) => self.attribute(attribute),
                Expr::Subscript(subscript) => {
                    self.special_methods(&SUBSCRIBING);
                    self.root(&subscript.value);
                }
                _ => {}
            }
        }
    }

    fn binding(&mut self, node: NodeId) {
        if let Some(binding) = self.module.model.binding_at(node) {
            let binding = self.module.model.binding(binding);
            self.loads(binding.scope, &binding.name);
        }
    }

    fn loads(&mut self, scope: ScopeId, name: &Name) {
        for reference in self.module.model.references_to(scope, name) {
            let reference = self.module.model.reference(*reference);
            if reference.context != ReferenceContext::Delete {
                self.open.push(reference.node);
            }
        }
    }

    /// The attribute wherever it is read, and the parameters of a property's setter.
    fn attribute(&mut self, attribute: &ast::ExprAttribute) {
        let name = attribute.attr.as_str();
        self.open.extend_from_slice(self.facts.attributes(name));
        self.special_methods(&["__set__", "__setattr__"]);
        self.callee(name);
    }

    /// The container that a value is put into.
    fn root(&mut self, base: &Expr) {
        let mut base = base;
        loop {
            match base {
                Expr::Subscript(subscript) => base = &subscript.value,
                Expr::Call(call) => base = &call.func,
                Expr::Attribute(attribute) => return self.attribute(attribute),
                Expr::Name(_) => {
                    let id = self.module.nodes.id(base);
                    let Some(reference) = self.module.model.reference_at(id) else {
                        return;
                    };
                    let reference = self.module.model.reference(reference);
                    if let Resolution::Scope(scope) = reference.resolution
                        && !is_import(self.module, scope, &reference.name)
                    {
                        self.loads(scope, &reference.name);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// An argument may come back as the result, land in the object whose method is called, and be
    /// a parameter of the callee and of every function that is an argument beside it.
    fn argument(&mut self, arguments: NodeId) {
        let (call, AnyNodeRef::ExprCall(expr)) = self.module.parent(arguments) else {
            return;
        };
        self.open.push(call);
        if let Expr::Attribute(method) = expr.func.as_ref()
            && !is_own_attribute(self.module, &method.value)
        {
            self.root(&method.value);
        }
        for id in self.module.nodes.subtree(arguments) {
            match self.module.nodes.get(id) {
                AnyNodeRef::ExprName(name) => self.callee(name.id.as_str()),
                AnyNodeRef::ExprAttribute(attribute) => self.callee(attribute.attr.as_str()),
                AnyNodeRef::ExprLambda(_) => self.parameters(id),
                _ => {}
            }
        }
        match last_segment(&expr.func) {
            Some(name) if !is_unknown_callee(self.module, &expr.func) => self.callee(name),
            _ => self.go_wild(),
        }
        match last_segment(&expr.func) {
            Some("setattr") => {
                if let Some(Expr::StringLiteral(name)) = expr.arguments.args.get(1) {
                    self.open
                        .extend_from_slice(self.facts.attributes(name.value.to_str()));
                }
            }
            Some("send") => self.open.extend_from_slice(&self.facts.yields),
            Some(name) if name.starts_with("assert") => self.special_methods(&COMPARING),
            _ => {}
        }
    }

    /// The parameters of the functions of that name, and of all methods of the classes.
    fn callee(&mut self, name: &str) {
        if self.is_wild || !self.called.insert(name.to_owned()) {
            return;
        }
        for (_, binding) in self.module.model.bindings() {
            if binding.name.as_str() != name {
                continue;
            }
            match binding.kind {
                BindingKind::FunctionDefinition => self.parameters(binding.node),
                BindingKind::ClassDefinition => {
                    let nodes = self.module.nodes;
                    nodes
                        .subtree(binding.node)
                        .for_each(|id| self.parameters(id));
                    self.fields(binding.node);
                }
                _ => {}
            }
        }
    }

    /// The annotated names of a class, which a generated `__init__` fills.
    fn fields(&mut self, class: NodeId) {
        let Some(scope) = self.module.model.scope_opened_by(class) else {
            return;
        };
        for (_, binding) in self.module.model.bindings() {
            let is_field = matches!(
                binding.kind,
                BindingKind::Annotation | BindingKind::AnnotatedAssignment
            );
            if is_field && binding.scope == scope {
                self.open
                    .extend_from_slice(self.facts.attributes(&binding.name));
            }
        }
    }

    fn go_wild(&mut self) {
        if !self.is_wild {
            self.is_wild = true;
            self.parameters_of(&|_| true);
        }
    }

    /// The parameters of every function whose name `wanted` accepts; a lambda's name is empty.
    fn parameters_of(&mut self, wanted: &dyn Fn(&str) -> bool) {
        for id in self.facts.functions.iter().copied() {
            let is_wanted = match self.module.nodes.get(id) {
                AnyNodeRef::StmtFunctionDef(function) => wanted(function.name.as_str()),
                AnyNodeRef::ExprLambda(_) => wanted(""),
                _ => false,
            };
            if is_wanted {
                self.parameters(id);
            }
        }
    }

    /// The parameters of the function, but for the first of a method.
    fn parameters(&mut self, function: NodeId) {
        let parameters = match self.module.nodes.get(function) {
            AnyNodeRef::StmtFunctionDef(function) => Some(function.parameters.as_ref()),
            AnyNodeRef::ExprLambda(lambda) => lambda.parameters.as_deref(),
            _ => None,
        };
        for parameter in parameters.into_iter().flatten() {
            let node = self.module.nodes.id(parameter.as_parameter());
            let Some(binding) = self.module.model.binding_at(node) else {
                continue;
            };
            let scope = self.module.model.binding(binding).scope;
            if !is_first_parameter(self.module, scope, binding) {
                self.binding(node);
            }
        }
    }

    /// The calls of the function that returns the value.
    fn function_result(&mut self, node: NodeId) {
        let nodes = self.module.nodes;
        let function = nodes.ancestors(node).find(|id| {
            let node = nodes.get(*id);
            matches!(
                node,
                AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_)
            )
        });
        match function.map(|id| (id, nodes.get(id))) {
            Some((id, AnyNodeRef::StmtFunctionDef(function))) => {
                self.binding(id);
                // A decorator gets the function, and what it returns, from a call of its parameter.
                for decorator in &function.decorator_list {
                    if let Some(name) = last_segment(&decorator.expression) {
                        self.decorator(name);
                    }
                }
                self.open
                    .extend_from_slice(self.facts.attributes(function.name.as_str()));
            }
            // The lambda itself goes where its results may come out.
            Some((id, _)) => self.open.push(id),
            None => {}
        }
    }

    /// The calls of the parameters of the module's function or class of that name.
    fn decorator(&mut self, name: &str) {
        let definitions = self.module.model.bindings().filter(|(_, binding)| {
            let kinds = [
                BindingKind::FunctionDefinition,
                BindingKind::ClassDefinition,
            ];
            binding.name.as_str() == name && kinds.contains(&binding.kind)
        });
        let nodes = self.module.nodes;
        for (_, binding) in definitions {
            let inside = |arguments: &&NodeId| nodes.contains(binding.node, **arguments);
            let calls = self.facts.unknown_calls.iter().filter(inside);
            self.open
                .extend(calls.filter_map(|arguments| nodes.parent(*arguments)));
        }
    }

    /// The names that bindings of that kind below `node` bind.
    fn bindings_below(&mut self, node: NodeId, kind: &BindingKind) {
        for id in self.module.nodes.subtree(node) {
            let bound = self.module.model.binding_at(id);
            if bound.is_some_and(|bound| self.module.model.binding(bound).kind == *kind) {
                self.binding(id);
            }
        }
    }
}

/// Whether only imports bind the name: a module keeps nothing that is passed to its functions.
fn is_import(module: &Module<'_>, scope: ScopeId, name: &Name) -> bool {
    module.model.bindings_of(scope, name).iter().all(|id| {
        matches!(
            module.model.binding(*id).kind,
            BindingKind::Import(_) | BindingKind::FromImport(_)
        )
    })
}
