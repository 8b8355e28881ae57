//! What a module does with the results of a function that returns the class.

use rustpython_ast::{AnyNodeRef, Expr};

use super::Tracker;
use super::shared::{Given, Place};
use crate::hoist::decorators;
use crate::hoist::method::is_decorated;
use crate::hoist::module::Module;
use crate::hoist::usage::{self, Use};
use crate::python::NodeId;
use crate::python::semantic::{Binding, ScopeKind};
use crate::rule::SkipReason;

impl<'a> Tracker<'_, 'a> {
    pub(super) fn returned(&mut self, node: NodeId) {
        let function = self.module.nodes.ancestors(node).find(|id| {
            let node = self.module.nodes.get(*id);
            matches!(
                node,
                AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_)
            )
        });
        if let Some(function) = function {
            self.escape.fate.is_returned = true;
            self.escape.returned_from.push(function);
            if self.visited.function(function) {
                self.results_of(function);
            }
        }
    }

    /// Looks at what the module does with the results of a function that returns the class.
    fn results_of(&mut self, function: NodeId) {
        if !self.is_called_by_name(function) {
            self.escape.refuse(SkipReason::ClassReturned);
            return;
        }
        for callee in self.loads_of(function) {
            self.result(callee, is_property(self.module, function));
        }
        let Some(name) = self.method_name(function) else {
            return;
        };
        let given = match is_property(self.module, function) {
            true => Given::ByLoad,
            false => Given::ByCall,
        };
        if !self.shared(Place::Results(name, given)) {
            self.attribute_results(name, given);
        }
    }

    /// Looks at what the module does with the results of the methods of that name.
    pub(super) fn attribute_results(&mut self, name: &str, given: Given) {
        for callee in self.facts.attributes(name) {
            self.result(*callee, given == Given::ByLoad);
        }
    }

    /// Looks at what the module does with the result of a function that returns the class, and that the
    /// expression `callee` names.
    fn result(&mut self, callee: NodeId, is_property: bool) {
        let result = match self.module.parent(callee) {
            (call, AnyNodeRef::ExprCall(_)) => call,
            _ if is_property => callee,
            // Only the function itself is looked at.
            (_, AnyNodeRef::ExprAttribute(_) | AnyNodeRef::StmtExpr(_)) => return,
            _ => return self.escape.refuse(SkipReason::ClassReturned),
        };
        let result = match self.module.parent(result) {
            (awaited, AnyNodeRef::ExprAwait(_)) => awaited,
            _ => result,
        };
        let before = (self.escape.fate.refusal, self.escape.fate.written);
        self.escape.fate.refusal = None;
        self.escape.fate.written = false;
        match self.iterated(result) {
            Some(target) => self.target(target),
            None => self.expression(result),
        }
        let bad = self.escape.fate.refusal.is_some() || self.escape.fate.written;
        (self.escape.fate.refusal, self.escape.fate.written) = before;
        if bad {
            self.escape.refuse(SkipReason::ClassReturned);
        }
    }

    /// Whether the function has a name under which the module calls it, if it does.
    fn is_called_by_name(&self, function: NodeId) -> bool {
        match self.module.nodes.get(function) {
            AnyNodeRef::StmtFunctionDef(definition) => {
                let name = definition.name.as_str();
                // Syntax calls special methods, as a subscript does `__getitem__`.
                let is_special = name.starts_with("__") && name.ends_with("__");
                !is_special
                    && !self.facts.spells_attribute(name)
                    && decorators::are_harmless(definition)
            }
            _ => matches!(usage::classify(self.module, function), Use::BoundTo(_)),
        }
    }

    /// The target that the values of a generator's call are bound to one by one.
    fn iterated(&self, result: NodeId) -> Option<&'a Expr> {
        let is = |expr: &Expr| self.module.nodes.id(expr) == result;
        match self.module.parent(result).1 {
            AnyNodeRef::StmtFor(statement) if is(&statement.iter) => Some(&statement.target),
            AnyNodeRef::Comprehension(clause) if is(&clause.iter) => Some(&clause.target),
            AnyNodeRef::WithItem(item) => item.optional_vars.as_deref(),
            _ => None,
        }
    }

    /// The references to the function by its name.
    fn loads_of(&self, function: NodeId) -> Vec<NodeId> {
        let model = self.module.model;
        let Some(binding) = self.binding_of(function) else {
            return vec![];
        };
        let references = model.references_to(binding.scope, &binding.name).iter();
        references.map(|id| model.reference(*id).node).collect()
    }

    /// The name by which objects have the function as a method.
    fn method_name(&self, function: NodeId) -> Option<&'a str> {
        let model = self.module.model;
        let binding = self.binding_of(function)?;
        let is_method = model.scope(binding.scope).kind == ScopeKind::Class;
        is_method.then(|| match self.module.nodes.get(function) {
            // Attributes keep their source spelling, bindings are mangled.
            AnyNodeRef::StmtFunctionDef(function) => function.name.as_str(),
            _ => binding.name.as_str(),
        })
    }

    fn binding_of(&self, function: NodeId) -> Option<&'a Binding> {
        let model = self.module.model;
        let bound = match self.module.nodes.get(function) {
            AnyNodeRef::ExprLambda(_) => match usage::classify(self.module, function) {
                Use::BoundTo(name) => model.binding_at(name),
                _ => None,
            },
            _ => model.binding_at(function),
        };
        bound.map(|id| model.binding(id))
    }
}

/// Whether reading the method gives its result.
fn is_property(module: &Module<'_>, function: NodeId) -> bool {
    is_decorated(module, function, &["property", "cached_property"])
}
