//! Methods: functions of a class body, and their first parameter.

use rustpython_ast::{AnyNodeRef, Expr};

use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::{BindingId, BindingKind, ScopeId, ScopeKind};

/// Whether `base` is the first parameter of a method, or a class of the module.
#[must_use]
pub fn is_own_attribute(module: &Module<'_>, base: &Expr) -> bool {
    let Some((scope, [only])) = module.bindings_at(module.nodes.id(base)) else {
        return false;
    };
    module.model.binding(*only).kind == BindingKind::ClassDefinition
        || is_first_parameter(module, scope, *only)
}

/// Whether the function is defined in a class body.
#[must_use]
pub fn is_method(module: &Module<'_>, function: NodeId) -> bool {
    let around = module.model.scope_of(function);
    module
        .model
        .enclosing_scopes(around)
        .find(|scope| module.model.scope(*scope).kind != ScopeKind::TypeParameters)
        .is_some_and(|scope| module.model.scope(scope).kind == ScopeKind::Class)
}

/// Whether the binding in `scope` is the first parameter of a method that is not static.
#[must_use]
pub fn is_first_parameter(module: &Module<'_>, scope: ScopeId, binding: BindingId) -> bool {
    let binding = module.model.binding(binding);
    let opened = module.model.scope(scope);
    let AnyNodeRef::StmtFunctionDef(function) = module.nodes.get(opened.node) else {
        return false;
    };
    let first = function.parameters.iter_non_variadic_params().next();
    binding.kind == BindingKind::Parameter
        && first.is_some_and(|first| module.nodes.id(&first.parameter) == binding.node)
        && is_method(module, opened.node)
        && !is_decorated(module, opened.node, &["staticmethod"])
}

/// Whether the function carries a decorator whose last segment is one of `names`.
#[must_use]
pub fn is_decorated(module: &Module<'_>, function: NodeId, names: &[&str]) -> bool {
    let AnyNodeRef::StmtFunctionDef(function) = module.nodes.get(function) else {
        return false;
    };
    let mut decorators = function.decorator_list.iter();
    decorators.any(|decorator| {
        last_segment(&decorator.expression).is_some_and(|name| names.contains(&name))
    })
}
