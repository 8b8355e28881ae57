//! What callers outside the module can reach of it, and what of the outside it calls.

use rustpython_ast::{AnyNodeRef, Expr};

use super::facts::Facts;
use super::module::Module;
use super::usage::{self, Use};
use crate::python::NodeId;
use crate::python::semantic::{BindingKind, ScopeKind};

/// Whether a module or an object shows the name to others: no single leading underscore.
#[must_use]
pub fn is_open_name(name: &str) -> bool {
    !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
}

/// Whether callers outside may call the function: it is a function or method with an open name,
/// or one that the module hands out or does not call itself.
///
/// A test function is called by its runner, which makes its arguments.
#[must_use]
pub fn is_reachable(module: &Module<'_>, facts: &Facts<'_>, function: NodeId) -> bool {
    let AnyNodeRef::StmtFunctionDef(definition) = module.nodes.get(function) else {
        return is_handed_out(module, function, 0);
    };
    let name = definition.name.as_str();
    let Some(binding) = module.model.binding_at(function) else {
        return true;
    };
    let binding = module.model.binding(binding);
    let kind = module.model.scope(binding.scope).kind;
    if matches!(kind, ScopeKind::Module | ScopeKind::Class) && is_open_name(name) {
        return !name.starts_with("test_");
    }
    let references = module.model.references_to(binding.scope, &binding.name);
    let mut loads: Vec<NodeId> = references
        .iter()
        .map(|id| module.model.reference(*id).node)
        .collect();
    if kind == ScopeKind::Class {
        loads.extend_from_slice(facts.attributes(name));
    }
    let is_called = !loads.is_empty() && !loads.iter().any(|load| is_handed_out(module, *load, 0));
    !is_called || (kind == ScopeKind::Function && !definition.decorator_list.is_empty())
}

/// How many names a function is followed through.
const MAX_NAMES: usize = 4;

/// Whether the expression, which gives a function, is used otherwise than to call it here.
fn is_handed_out(module: &Module<'_>, function: NodeId, depth: usize) -> bool {
    match usage::classify(module, function) {
        Use::Called | Use::Deleted | Use::Harmless | Use::Written(_) => false,
        Use::BoundTo(name) if depth < MAX_NAMES => {
            let binding = module
                .model
                .binding_at(name)
                .map(|id| module.model.binding(id));
            let is_local = binding
                .is_none_or(|bound| module.model.scope(bound.scope).kind == ScopeKind::Function);
            let mut loads = module.references_to_binding(name);
            !is_local || loads.any(|load| is_handed_out(module, load, depth + 1))
        }
        _ => !is_argument_here(module, function),
    }
}

/// Whether the expression is an argument of a builtin or of a function of the module, to whose
/// parameters values are followed.
fn is_argument_here(module: &Module<'_>, argument: NodeId) -> bool {
    let (mut parent, mut parent_node) = module.parent(argument);
    if let AnyNodeRef::Keyword(_) = parent_node {
        (parent, parent_node) = module.parent(parent);
    }
    let (AnyNodeRef::Arguments(_), AnyNodeRef::ExprCall(call)) =
        (parent_node, module.parent(parent).1)
    else {
        return false;
    };
    match call.func.as_ref() {
        callee if module.builtin(callee).is_some() => true,
        Expr::Name(name) => !is_foreign(module, &call.func) && defines(module, &name.id),
        Expr::Attribute(method) => defines(module, &method.attr),
        _ => false,
    }
}

/// Whether the module defines a function or class of that name anywhere.
#[must_use]
pub fn defines(module: &Module<'_>, name: &str) -> bool {
    module.model.bindings().any(|(_, binding)| {
        let is_definition = matches!(
            binding.kind,
            BindingKind::FunctionDefinition | BindingKind::ClassDefinition
        );
        is_definition && binding.name.as_str() == name
    })
}

/// Whether the expression is a builtin or import, or something of one: `heapq.heappush`.
#[must_use]
pub fn is_foreign(module: &Module<'_>, expr: &Expr) -> bool {
    let mut root = expr;
    while let Expr::Attribute(attribute) = root {
        root = &attribute.value;
    }
    if !root.is_name_expr() {
        return false;
    }
    let Some((_, bindings)) = module.bindings_at(module.nodes.id(root)) else {
        return true;
    };
    bindings.iter().all(|id| {
        matches!(
            module.model.binding(*id).kind,
            BindingKind::Import(_) | BindingKind::FromImport(_)
        )
    })
}
