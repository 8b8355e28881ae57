//! What a module does with the results of a function that returns the class.

use rustpython_ast::{AnyNodeRef, Expr};

use super::Tracker;
use crate::hoist::decorators;
use crate::hoist::method::is_decorated;
use crate::hoist::usage::{self, Use};
use crate::python::NodeId;
use crate::python::semantic::ScopeKind;
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
            self.escape.returned_from.push(function);
            if self.functions.insert(function) {
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
            let result = match self.module.parent(callee) {
                (call, AnyNodeRef::ExprCall(_)) => call,
                _ if is_decorated(self.module, function, &["property", "cached_property"]) => {
                    callee
                }
                // Only the function itself is looked at.
                (_, AnyNodeRef::ExprAttribute(_) | AnyNodeRef::StmtExpr(_)) => continue,
                _ => {
                    self.escape.refuse(SkipReason::ClassReturned);
                    continue;
                }
            };
            let result = match self.module.parent(result) {
                (awaited, AnyNodeRef::ExprAwait(_)) => awaited,
                _ => result,
            };
            let before = (self.escape.refusal, self.escape.written);
            self.escape.refusal = None;
            self.escape.written = false;
            match self.iterated(result) {
                Some(target) => self.target(target),
                None => self.expression(result),
            }
            let bad = self.escape.refusal.is_some() || self.escape.written;
            (self.escape.refusal, self.escape.written) = before;
            if bad {
                self.escape.refuse(SkipReason::ClassReturned);
            }
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

    /// The expressions that name the function: references to it, and attributes for a method.
    fn loads_of(&self, function: NodeId) -> Vec<NodeId> {
        let model = self.module.model;
        let bound = match self.module.nodes.get(function) {
            AnyNodeRef::ExprLambda(_) => match usage::classify(self.module, function) {
                Use::BoundTo(name) => model.binding_at(name),
                _ => None,
            },
            _ => model.binding_at(function),
        };
        let Some(binding) = bound.map(|id| model.binding(id)) else {
            return vec![];
        };
        let references = model.references_to(binding.scope, &binding.name).iter();
        let mut loads: Vec<_> = references.map(|id| model.reference(*id).node).collect();
        if model.scope(binding.scope).kind == ScopeKind::Class {
            // Attributes keep their source spelling, bindings are mangled.
            let spelled = match self.module.nodes.get(function) {
                AnyNodeRef::StmtFunctionDef(function) => function.name.as_str(),
                _ => binding.name.as_str(),
            };
            loads.extend_from_slice(self.facts.attributes(spelled));
        }
        loads
    }
}
