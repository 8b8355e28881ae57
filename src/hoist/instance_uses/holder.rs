//! The names that may hold a class or an instance while only code that is followed can read them.

use rustpython_ast::AnyNodeRef;

use super::InstanceUses;
use crate::python::NodeId;
use crate::python::semantic::{Binding, ScopeKind};

impl<'a> InstanceUses<'_, 'a> {
    /// Whether the name that the node binds belongs to the function or comprehension that binds it, no
    /// other code binds it too, and none reads the names of that function as data.
    pub(super) fn is_local(&self, name: NodeId) -> bool {
        let Some(binding) = self.binding(name) else {
            return false;
        };
        let model = self.module.model;
        let kind = model.scope(binding.scope).kind;
        let mut all = model.bindings_of(binding.scope, &binding.name).iter();
        matches!(kind, ScopeKind::Function | ScopeKind::Comprehension)
            && all.all(|id| model.binding(*id).bound_in == binding.scope)
            && !self
                .facts
                .reflection
                .observes_locals(self.module, binding.scope)
    }

    /// Whether the class may be kept under that name: a local of a function, bound once, by an
    /// assignment to it alone.
    pub(super) fn holds_class(&self, name: NodeId) -> bool {
        let is_target = matches!(
            self.module.parent(name).1,
            AnyNodeRef::StmtAssign(_) | AnyNodeRef::StmtAnnAssign(_)
        );
        let is_single = |binding: &Binding| {
            let model = self.module.model;
            let all = model.bindings_of(binding.scope, &binding.name).iter();
            let values = all.filter(|id| !model.binding(**id).kind.is_empty());
            model.scope(binding.scope).kind == ScopeKind::Function && values.count() == 1
        };
        is_target && self.binding(name).is_some_and(is_single) && self.is_local(name)
    }

    pub(super) fn binding(&self, name: NodeId) -> Option<&'a Binding> {
        let model = self.module.model;
        model.binding_at(name).map(|id| model.binding(id))
    }
}
