//! Where values go through calls: arguments, parameters and results.

use rustpython_ast::{self as ast, AnyNodeRef, Expr};

use super::followed::is_field;
use super::instance_flow::Grain::{self, Within};
use super::instance_flow::InstanceFlow;
use super::instances::LOGGING;
use super::method::{is_first_parameter, is_method, is_own_attribute};
use super::module::Module;
use super::outside::{self, is_foreign};
use super::special_methods::{CLASS_TESTING, COMPARING, gives_result};
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::BindingKind;

/// Builtins whose results are texts, numbers or truth values.
const TEXT_OR_NUMBER: [&str; 16] = [
    "print",
    "len",
    "str",
    "repr",
    "ascii",
    "format",
    "bool",
    "int",
    "float",
    "hash",
    "id",
    "ord",
    "isinstance",
    "issubclass",
    "hasattr",
    "callable",
];

/// Methods of containers, queues and the like that keep their argument.
const FILLING: [&str; 14] = [
    "append",
    "appendleft",
    "add",
    "insert",
    "extend",
    "extendleft",
    "push",
    "put",
    "put_nowait",
    "send",
    "set_result",
    "setdefault",
    "update",
    "__setitem__",
];

impl InstanceFlow<'_, '_> {
    /// An argument may come back as the result, land in the object whose method is called, and be
    /// a parameter of the callee and of every function that is an argument beside it.
    pub(super) fn argument(&mut self, node: NodeId, arguments: NodeId) {
        let (call, AnyNodeRef::ExprCall(expr)) = self.module.parent(arguments) else {
            return self.class_head(node, arguments);
        };
        if !self.gives_text_or_number(&expr.func) {
            self.push(call, Within);
        }
        self.handed_functions(arguments);
        match last_segment(&expr.func) {
            Some(name) if !self.is_unknown(&expr.func) => self.callee(name),
            _ => self.go_wild(),
        }
        match last_segment(&expr.func) {
            Some("setattr") => self.set_by_name(node, expr),
            Some("isinstance" | "issubclass") => self.special_methods(&CLASS_TESTING),
            Some("send") => self.push_all(&self.facts.yields, Within),
            Some(name) if name.starts_with("assert") => {
                return self.special_methods(&COMPARING);
            }
            Some(name) if LOGGING.contains(&name) => return,
            _ => {}
        }
        self.receiver(&expr.func);
        if let Some(first) = expr.arguments.args.first()
            && self.is_foreign_function(&expr.func)
            && self.module.nodes.id(first) != node
        {
            self.root(first);
        }
    }

    /// The parameters of the functions that are named or written in the arguments.
    pub(super) fn handed_functions(&mut self, arguments: NodeId) {
        for id in self.module.nodes.subtree(arguments) {
            match self.module.nodes.get(id) {
                AnyNodeRef::ExprName(name) => self.callee(name.id.as_str()),
                AnyNodeRef::ExprAttribute(attribute) => {
                    self.callee(attribute.attr.as_str());
                    self.handed_method(id, attribute);
                }
                // `methodcaller("name", value)`
                AnyNodeRef::ExprStringLiteral(text) => self.callee(text.value.to_str()),
                AnyNodeRef::ExprLambda(_) => self.parameters(id),
                _ => {}
            }
        }
    }

    /// `seen.append` as a value: whoever has it may put what comes to it into the object.
    fn handed_method(&mut self, id: NodeId, method: &ast::ExprAttribute) {
        let is_called = matches!(self.module.parent(id).1, AnyNodeRef::ExprCall(_));
        if !is_called && FILLING.contains(&method.attr.as_str()) {
            self.root(&method.value);
        }
    }

    /// Whether the callee is a value of which nothing is known, or an attribute that the module
    /// itself stores.
    fn is_unknown(&self, callee: &Expr) -> bool {
        match callee {
            Expr::Attribute(method) => self.facts.replaces_attribute(&method.attr),
            _ => self.facts.followed.is_unknown_callee(self.module, callee),
        }
    }

    /// Whether the callee is a builtin or a method of a text whose result holds no argument.
    fn gives_text_or_number(&self, callee: &Expr) -> bool {
        match callee {
            Expr::Attribute(method) if method.value.is_string_literal_expr() => true,
            _ => {
                let builtin = self.module.builtin(callee);
                builtin.is_some_and(|name| TEXT_OR_NUMBER.contains(&name))
            }
        }
    }

    /// Whether the callee is a function of another module, or a method of a builtin class, which
    /// may put a value into its first argument: `heapq.heappush`, `list.append`.
    fn is_foreign_function(&self, callee: &Expr) -> bool {
        is_foreign(self.module, callee) && self.module.builtin(callee).is_none()
    }

    /// The object whose method gets the value, or the function of another module.
    fn receiver(&mut self, callee: &Expr) {
        match callee {
            Expr::Attribute(method) if !is_own_attribute(self.module, &method.value) => {
                self.root(&method.value);
            }
            Expr::Attribute(method) if outside::defines(self.module, &method.attr) => {}
            Expr::Attribute(_) => self.leave(),
            _ if self.is_foreign_function(callee) => self.leave(),
            _ => {}
        }
    }

    /// `setattr(x, "name", value)`.
    fn set_by_name(&mut self, node: NodeId, call: &ast::ExprCall) {
        match call.arguments.args.as_ref() {
            [_, Expr::StringLiteral(name), ..] => {
                self.attribute_reads(name.value.to_str(), Within);
                self.leave();
            }
            [object, _, value, ..] if self.module.nodes.id(value) == node => {
                self.any_attribute(object);
                self.leave();
            }
            _ => {}
        }
    }

    /// The value is where callers outside get it, who may hand it to any function that they reach.
    pub(super) fn leave(&mut self) {
        if self.has_left || self.is_wild {
            return;
        }
        self.has_left = true;
        if self.ends_outside {
            return;
        }
        let open = self.facts.followed.open(self.module, self.facts);
        for function in &open.functions {
            self.parameters(*function);
        }
        for field in &open.fields {
            self.attribute_reads(&self.module.model.binding(*field).name, Within);
        }
    }

    /// The parameters of the functions of that name, and of all methods of the classes.
    pub(super) fn callee(&mut self, name: &str) {
        if self.is_wild || self.called.contains(name) {
            return;
        }
        self.called.insert(name.to_owned());
        let Module { nodes, model, .. } = *self.module;
        for id in model.definitions_of(name) {
            let binding = model.binding(*id);
            if binding.kind == BindingKind::FunctionDefinition {
                self.parameters(binding.node);
            } else {
                nodes
                    .subtree(binding.node)
                    .for_each(|id| self.parameters(id));
                self.fields(binding.node);
                self.bases(binding.node);
            }
        }
    }

    /// The annotated names of a class, which a generated `__init__` fills.
    fn fields(&mut self, class: NodeId) {
        let model = self.module.model;
        let Some(scope) = model.scope_opened_by(class) else {
            return;
        };
        for name in model.names_of(scope) {
            let mut bindings = model.bindings_of(scope, name).iter();
            if bindings.any(|id| is_field(&model.binding(*id).kind)) {
                self.attribute_reads(name, Within);
            }
        }
    }

    fn go_wild(&mut self) {
        if !self.is_wild {
            self.is_wild = true;
            for method in self.facts.all_attributes() {
                if let AnyNodeRef::ExprAttribute(attribute) = self.module.nodes.get(method) {
                    self.handed_method(method, attribute);
                }
            }
            for function in self.facts.functions.iter().copied() {
                self.parameters(function);
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
                self.binding(node, Within);
            }
        }
    }

    /// The calls of the function that returns the value.
    pub(super) fn function_result(&mut self, node: NodeId, grain: Grain) {
        let nodes = self.module.nodes;
        let function = nodes.ancestors(node).find(|id| {
            let node = nodes.get(*id);
            matches!(
                node,
                AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_)
            )
        });
        let is_returned = matches!(self.module.parent(node).1, AnyNodeRef::StmtReturn(_));
        match function.map(|id| (id, nodes.get(id))) {
            Some((id, AnyNodeRef::StmtFunctionDef(function))) => {
                let is_plain = is_returned && function.decorator_list.is_empty();
                let grain = if is_plain { grain } else { Within };
                self.binding(id, grain);
                // A decorator gets the function, and what it returns, from a call of its parameter.
                for decorator in &function.decorator_list {
                    if let Some(name) = last_segment(&decorator.expression) {
                        self.decorator(name);
                    }
                }
                if is_method(self.module, id) {
                    self.attribute_reads(function.name.as_str(), grain);
                    if gives_result(function.name.as_str()) {
                        self.special_result(id);
                    }
                }
                if outside::is_reachable(self.module, self.facts, id) {
                    self.leave();
                }
            }
            // The lambda itself goes where its results may come out.
            Some((id, _)) => self.push(id, Within),
            None => {}
        }
    }

    /// The calls of the parameters of the module's function or class of that name.
    fn decorator(&mut self, name: &str) {
        let Module { nodes, model, .. } = *self.module;
        for id in model.definitions_of(name) {
            let binding = model.binding(*id);
            let inside = |arguments: &&NodeId| nodes.contains(binding.node, **arguments);
            let calls = self.facts.unknown_calls.iter().filter(inside);
            for call in calls.filter_map(|arguments| nodes.parent(*arguments)) {
                self.push(call, Within);
            }
        }
    }
}
