//! Callees of which nothing is known.

use rustpython_ast::{AnyNodeRef, Expr};

use super::factory::{assigned_value, resolve_any};
use super::module::Module;
use crate::python::semantic::{BindingId, BindingKind};

/// Whether the callee is a value of which nothing is known: a parameter, a variable, an item.
#[must_use]
pub fn is_unknown_callee(module: &Module<'_>, callee: &Expr) -> bool {
    match callee {
        Expr::Name(_) => {}
        Expr::Attribute(_) => return false,
        _ => return !is_factory_call(module, callee),
    }
    let Some((_, bindings)) = module.bindings_at(module.nodes.id(callee)) else {
        return false;
    };
    let is_known = |id: &BindingId| {
        matches!(
            module.model.binding(*id).kind,
            BindingKind::Import(_)
                | BindingKind::FromImport(_)
                | BindingKind::FunctionDefinition
                | BindingKind::ClassDefinition
        ) || is_made_by_factory(module, *id)
    };
    !bindings.iter().all(is_known)
}

/// Whether the binding is a plain assignment of a class that a factory makes.
fn is_made_by_factory(module: &Module<'_>, binding: BindingId) -> bool {
    assigned_value(module, binding).is_some_and(|value| is_factory_call(module, value))
}

/// Whether the expression is a call of a factory: a class whose instances are all that it makes.
fn is_factory_call(module: &Module<'_>, expr: &Expr) -> bool {
    // Looked up by id, since the tree's own reference lives as long as the module.
    let AnyNodeRef::ExprCall(call) = module.nodes.get(module.nodes.id(expr)) else {
        return false;
    };
    resolve_any(module, &call.func).is_some()
}
