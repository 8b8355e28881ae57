//! Where the instances of a class may come: values followed by name, without regard to order.

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, Expr, UnaryOp, name::Name};

use super::factory::assigned_value;
use super::facts::Facts;
use super::method::is_first_parameter;
use super::module::Module;
use super::outside::{is_foreign, is_made_here, is_open_name};
use super::special_methods::{CALCULATING, COMPARING, LEAVING, SUBSCRIBING};
use crate::python::NodeId;
use crate::python::semantic::{BindingKind, ReferenceContext, Resolution, ScopeId, ScopeKind};

/// How near a value is to the instance that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Grain {
    /// It is the instance: its fields and items are something else.
    Itself,
    /// It may be the instance or hold it at any depth.
    Within,
}

use Grain::{Itself, Within};

/// Follows values forward: through assignments, loops, containers, attributes, results, arguments.
///
/// An unknown callee may hand its argument to any function of the module, and an operator to the
/// special methods of its classes; then all their parameters are followed. A value that leaves the
/// module may come back in any parameter that callers outside fill.
#[derive(Debug)]
pub struct InstanceFlow<'m, 'a> {
    pub(super) module: &'m Module<'a>,
    pub(super) facts: &'m Facts<'a>,
    values: FxHashSet<(NodeId, Grain)>,
    open: Vec<(NodeId, Grain)>,
    /// The last segments of the callees whose parameters are followed already.
    pub(super) called: FxHashSet<String>,
    /// The names of which what they hold has got a value already.
    filled: FxHashSet<(ScopeId, Name)>,
    /// Whether the parameters of all functions are followed already.
    pub(super) is_wild: bool,
    /// The classes of which objects hold a value.
    pub(super) holders: FxHashSet<NodeId>,
    /// Whether the value is a builtin, and no object is looked into for it.
    pub(super) is_builtin: bool,
    /// Whether a value has left the module.
    pub(super) has_left: bool,
    /// Whether nothing more is asked of a value that leaves.
    pub(super) ends_outside: bool,
}

impl<'m, 'a> InstanceFlow<'m, 'a> {
    /// The nodes that may hold a value that one of the expressions `made` gives.
    #[must_use]
    pub fn follow(
        module: &'m Module<'a>,
        facts: &'m Facts<'a>,
        made: &[NodeId],
    ) -> FxHashSet<NodeId> {
        Self::new(module, facts).run(made)
    }

    /// The same, unless a value leaves the module: then `None`.
    #[must_use]
    pub fn follow_inside(
        module: &'m Module<'a>,
        facts: &'m Facts<'a>,
        made: &[NodeId],
    ) -> Option<FxHashSet<NodeId>> {
        let mut flow = Self::new(module, facts);
        flow.ends_outside = true;
        flow.start(made);
        while let Some((node, grain)) = flow.open.pop() {
            flow.visit(node, grain);
            if flow.has_left {
                return None;
            }
        }
        Some(flow.nodes())
    }

    /// The nodes that may hold a value that has left the module.
    #[must_use]
    pub fn follow_outside(module: &'m Module<'a>, facts: &'m Facts<'a>) -> FxHashSet<NodeId> {
        let mut flow = Self::new(module, facts);
        flow.leave();
        flow.run(&[])
    }

    /// The nodes that may hold a builtin that one of the expressions `made` names: callers outside
    /// need no object of the module to have it.
    #[must_use]
    pub fn follow_builtin(
        module: &'m Module<'a>,
        facts: &'m Facts<'a>,
        made: &[NodeId],
    ) -> FxHashSet<NodeId> {
        let mut flow = Self::new(module, facts);
        flow.has_left = true;
        flow.is_builtin = true;
        flow.run(made)
    }

    fn new(module: &'m Module<'a>, facts: &'m Facts<'a>) -> Self {
        InstanceFlow {
            module,
            facts,
            values: FxHashSet::default(),
            open: vec![],
            called: FxHashSet::default(),
            filled: FxHashSet::default(),
            is_wild: false,
            holders: FxHashSet::default(),
            is_builtin: false,
            has_left: false,
            ends_outside: false,
        }
    }

    fn run(mut self, made: &[NodeId]) -> FxHashSet<NodeId> {
        self.start(made);
        while let Some((node, grain)) = self.open.pop() {
            self.visit(node, grain);
        }
        self.nodes()
    }

    fn start(&mut self, made: &[NodeId]) {
        for node in made.iter().copied() {
            self.push(node, self.grain_made(node));
        }
    }

    fn visit(&mut self, node: NodeId, grain: Grain) {
        if self.values.insert((node, grain)) {
            self.step(node, grain);
        }
    }

    fn nodes(self) -> FxHashSet<NodeId> {
        self.values.into_iter().map(|(node, _)| node).collect()
    }

    /// `Row(…)` and `Row._make` give an instance, `map(Row, …)` several.
    fn grain_made(&self, node: NodeId) -> Grain {
        match self.module.nodes.get(node) {
            AnyNodeRef::ExprCall(call) if !is_foreign(self.module, &call.func) => Itself,
            AnyNodeRef::ExprAttribute(_) => Itself,
            _ => Within,
        }
    }

    pub(super) fn push(&mut self, node: NodeId, grain: Grain) {
        self.open.push((node, grain));
    }

    pub(super) fn push_all(&mut self, nodes: &[NodeId], grain: Grain) {
        self.open.extend(nodes.iter().map(|node| (*node, grain)));
    }

    /// Where the value of `node` goes next.
    fn step(&mut self, node: NodeId, grain: Grain) {
        let (parent, parent_node) = self.module.parent(node);
        match parent_node {
            AnyNodeRef::StmtAssign(assign) => {
                assign.targets.iter().for_each(|to| self.store(to, grain));
            }
            AnyNodeRef::StmtAnnAssign(assign) => self.store(&assign.target, grain),
            AnyNodeRef::StmtAugAssign(assign) => {
                self.special_methods(&CALCULATING);
                self.store(&assign.target, Within);
            }
            AnyNodeRef::ExprNamed(named) => {
                self.store(&named.target, grain);
                self.push(parent, grain);
            }
            AnyNodeRef::WithItem(item) => {
                let targets = item.optional_vars.iter();
                targets.for_each(|to| self.store(to, Within));
            }
            AnyNodeRef::StmtReturn(_)
            | AnyNodeRef::ExprYield(_)
            | AnyNodeRef::ExprYieldFrom(_)
            | AnyNodeRef::ExprLambda(_) => self.function_result(node, grain),
            AnyNodeRef::Arguments(_) => self.argument(node, parent),
            AnyNodeRef::ParameterWithDefault(with) => {
                self.binding(self.module.nodes.id(&with.parameter), grain);
            }
            AnyNodeRef::StmtMatch(_) => self.captures_below(parent),
            AnyNodeRef::StmtRaise(_) => {
                let open = self.facts.followed.open(self.module, self.facts);
                for handler in &open.handlers {
                    self.binding(*handler, Within);
                }
                self.special_methods(&LEAVING);
                self.leave();
            }
            AnyNodeRef::ExprCompare(_) => self.special_methods(&COMPARING),
            AnyNodeRef::ExprBinOp(operation) => {
                self.special_methods(&CALCULATING);
                if !operation.left.is_string_literal_expr() {
                    self.push(parent, Within);
                }
            }
            _ => self.part(node, grain),
        }
    }

    /// Where the value goes that the expression around `node` takes apart or hands on.
    fn part(&mut self, node: NodeId, grain: Grain) {
        let (parent, parent_node) = self.module.parent(node);
        match parent_node {
            AnyNodeRef::StmtFor(statement) if grain == Within => {
                self.store(&statement.target, Within);
            }
            AnyNodeRef::Comprehension(clause) if grain == Within => {
                self.store(&clause.target, Within);
            }
            AnyNodeRef::ExprStarred(_) if grain == Within => self.push(parent, Within),
            AnyNodeRef::Comprehension(_)
            | AnyNodeRef::ExprStarred(_)
            | AnyNodeRef::InterpolatedElement(_) => {}
            AnyNodeRef::ExprUnaryOp(operation) if operation.op == UnaryOp::Not => {}
            AnyNodeRef::ExprIf(branch) if self.module.nodes.id(branch.test.as_ref()) == node => {}
            AnyNodeRef::ExprSubscript(subscript) => {
                let is_item_of = self.module.nodes.id(subscript.value.as_ref()) == node;
                if grain == Within || !is_item_of {
                    self.special_methods(&SUBSCRIBING);
                    self.push(parent, Within);
                }
            }
            AnyNodeRef::ExprAttribute(attribute) if grain == Itself => {
                match attribute.attr.as_str() {
                    "_asdict" | "_fields" => {}
                    "_replace" => self.push(parent, Itself),
                    name if name.starts_with('_') => self.push(parent, Within),
                    _ => {}
                }
            }
            AnyNodeRef::ExprCall(call) => {
                if grain == Within {
                    self.handed_functions(self.module.nodes.id(&call.arguments));
                }
                self.push(parent, grain);
            }
            AnyNodeRef::ExprAwait(_) | AnyNodeRef::ExprBoolOp(_) | AnyNodeRef::ExprIf(_) => {
                self.push(parent, grain)
            }
            node if node.is_statement() => {}
            _ => self.push(parent, Within),
        }
    }

    /// An operator hands its operands to the special methods of the module's classes.
    pub(super) fn special_methods(&mut self, names: &[&str]) {
        names.iter().for_each(|name| self.callee(name));
    }

    fn store(&mut self, target: &Expr, grain: Grain) {
        let mut open = vec![target];
        while let Some(target) = open.pop() {
            match target {
                Expr::Name(_) => self.name(target, grain),
                Expr::Tuple(_) | Expr::List(_) if grain == Itself => {}
                Expr::Tuple(tuple) => open.extend(&tuple.elts),
                Expr::List(list) => open.extend(&list.elts),
                Expr::Starred(starred) => open.push(&starred.value),
                Expr::Attribute(attribute) => self.attribute(attribute, grain),
                Expr::Subscript(subscript) => {
                    self.special_methods(&SUBSCRIBING);
                    self.root(&subscript.value);
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, target: &Expr, grain: Grain) {
        let node = self.module.nodes.id(target);
        let binding = self.module.model.binding_at(node);
        if let Some(binding) = binding.map(|id| self.module.model.binding(id)) {
            self.loads(binding.scope, &binding.name, grain);
            let kind = self.module.model.scope(binding.scope).kind;
            if matches!(kind, ScopeKind::Module | ScopeKind::Class) && is_open_name(&binding.name) {
                self.leave();
            }
            if kind == ScopeKind::Class {
                self.attribute_reads(&binding.name, grain);
            }
        }
    }

    pub(super) fn binding(&mut self, node: NodeId, grain: Grain) {
        if let Some(binding) = self.module.model.binding_at(node) {
            let binding = self.module.model.binding(binding);
            self.loads(binding.scope, &binding.name, grain);
        }
    }

    fn loads(&mut self, scope: ScopeId, name: &Name, grain: Grain) {
        for reference in self.module.model.references_to(scope, name) {
            let reference = self.module.model.reference(*reference);
            if reference.context != ReferenceContext::Delete {
                self.push(reference.node, grain);
            }
        }
    }

    /// The container that a value is put into.
    pub(super) fn root(&mut self, base: &Expr) {
        let mut base = base;
        loop {
            match base {
                Expr::Subscript(subscript) => base = &subscript.value,
                Expr::Call(call) if self.module.builtin(&call.func) == Some("vars") => {
                    return call
                        .arguments
                        .args
                        .iter()
                        .for_each(|of| self.any_attribute(of));
                }
                Expr::Call(call)
                    if self
                        .facts
                        .followed
                        .is_unknown_callee(self.module, &call.func) =>
                {
                    return self.leave();
                }
                Expr::Call(call) => base = &call.func,
                Expr::Attribute(attribute) if attribute.attr.as_str() == "__dict__" => {
                    return self.any_attribute(&attribute.value);
                }
                Expr::Attribute(attribute) => return self.attribute(attribute, Within),
                Expr::Name(_) => return self.root_name(base),
                _ => return,
            }
        }
    }

    /// What a name holds gets a value, under its other names too; callers may know it unless it is
    /// made in the function.
    fn root_name(&mut self, name: &Expr) {
        if is_foreign(self.module, name) {
            return self.leave();
        }
        let id = self.module.nodes.id(name);
        let Some(reference) = self.module.model.reference_at(id) else {
            return;
        };
        let reference = self.module.model.reference(reference);
        let Resolution::Scope(scope) = reference.resolution else {
            return;
        };
        if !self.filled.insert((scope, Name::clone(&reference.name))) {
            return;
        }
        self.loads(scope, &reference.name, Within);
        if is_made_here(self.module, name) {
            return;
        }
        let bindings = self.module.model.bindings_of(scope, &reference.name);
        if bindings
            .iter()
            .any(|id| is_first_parameter(self.module, scope, *id))
        {
            self.own_object(scope);
        }
        for value in bindings
            .iter()
            .filter_map(|id| assigned_value(self.module, *id))
        {
            self.root(value);
        }
        if scope != ScopeId::MODULE || is_open_name(&reference.name) {
            self.leave();
        }
    }

    /// The names that patterns below `node` bind.
    fn captures_below(&mut self, node: NodeId) {
        for id in self.module.nodes.subtree(node) {
            let bound = self.module.model.binding_at(id);
            let kind = bound.map(|bound| &self.module.model.binding(bound).kind);
            if kind == Some(&BindingKind::MatchCapture) {
                self.binding(id, Within);
            }
        }
    }
}
