//! What callers outside the module can reach of it, and what of the outside it calls.

use rustpython_ast::{AnyNodeRef, Expr};

use super::factory::assigned_value;
use super::facts::Facts;
use super::module::Module;
use super::usage::{self, Use};
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::{BindingId, BindingKind, ScopeId, ScopeKind};

/// Whether a module or an object shows the name to others: no single leading underscore.
#[must_use]
pub fn is_open_name(name: &str) -> bool {
    !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
}

/// Whether callers outside may call the function: it is a function or method with an open name,
/// or one that the module hands out or does not call itself.
///
/// A test function is called by its runner, which makes its arguments, and the methods beside it
/// by the tests of its class.
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
    if name.starts_with("test_") {
        return false;
    }
    let is_open = match kind {
        ScopeKind::Module => true,
        ScopeKind::Class => !holds_tests(module, binding.scope),
        _ => false,
    };
    if is_open && is_open_name(name) {
        return true;
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

/// Whether the class has tests among its methods, or is made for classes of tests.
fn holds_tests(module: &Module<'_>, class: ScopeId) -> bool {
    let mut names = module.model.names_of(class);
    match module.nodes.get(module.model.scope(class).node) {
        AnyNodeRef::StmtClassDef(class) if class.name.contains("Test") => true,
        _ => names.any(|name| name.starts_with("test_")),
    }
}

/// Whether the name is a variable of a function that only ever holds objects made for it there: a
/// display, a comprehension or a new instance of a class with a name in CapWords.
#[must_use]
pub fn is_made_here(module: &Module<'_>, name: &Expr) -> bool {
    if !name.is_name_expr() {
        return false;
    }
    let Some((scope, bindings)) = module.bindings_at(module.nodes.id(name)) else {
        return false;
    };
    let is_new = |id: &BindingId| assigned_value(module, *id).is_some_and(|it| is_new(module, it));
    module.model.scope(scope).kind == ScopeKind::Function && bindings.iter().all(is_new)
}

/// The builtin containers, and those of `collections` with names in lower case.
const CONTAINERS: [&str; 8] = [
    "list",
    "dict",
    "set",
    "deque",
    "defaultdict",
    "bytearray",
    "tuple",
    "frozenset",
];

/// Whether the expression makes a new object that holds nothing but new objects.
fn is_new(module: &Module<'_>, value: &Expr) -> bool {
    let all_new = |values: &[Expr]| values.iter().all(|value| is_new(module, value));
    match value {
        Expr::List(list) => all_new(&list.elts),
        Expr::Set(set) => all_new(&set.elts),
        Expr::Tuple(tuple) => all_new(&tuple.elts),
        Expr::Dict(dict) => dict.iter_values().all(|value| is_new(module, value)),
        Expr::ListComp(comprehension) => is_new(module, &comprehension.elt),
        Expr::Call(call) => {
            let makes_new = last_segment(&call.func).is_some_and(|name| {
                let is_class = name.starts_with(char::is_uppercase) && !defines(module, name);
                is_class || (CONTAINERS.contains(&name) && is_foreign(module, &call.func))
            });
            let mut keywords = call.arguments.keywords.iter();
            makes_new
                && all_new(&call.arguments.args)
                && keywords.all(|keyword| is_new(module, &keyword.value))
        }
        _ => value.is_literal_expr() || module.builtin(value).is_some(),
    }
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
    !module.model.definitions_of(name).is_empty()
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
        let kind = &module.model.binding(*id).kind;
        matches!(kind, BindingKind::Import(_) | BindingKind::FromImport(_))
            || assigned_value(module, *id).is_some_and(is_import_call)
    })
}

/// `importlib.import_module("ctypes")`, `pytest.importorskip("numpy")`.
fn is_import_call(value: &Expr) -> bool {
    value.as_call_expr().is_some_and(|call| {
        let name = last_segment(&call.func);
        name.is_some_and(|name| name == "__import__" || name.starts_with("import"))
    })
}
