//! Whether the program can see the names of a scope or of the module as data.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, CmpOp, Expr, ExprCall, ExprSubscript};

use super::VerificationFailure;
use super::dropped::dropped_bindings;
use super::evidence::{Evidence, Side};
use super::merged::qualified;
use super::observers::fail;
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::{Resolution, ScopeId, ScopeKind};
use crate::text::TextSize;

type Verdict = Result<(), VerificationFailure>;

/// The builtin that the call calls, by its name: one that the module does not bind, or that it has
/// from `builtins`.
pub(super) fn builtin<'a>(side: &Side<'_>, call: &'a ExprCall) -> Option<Cow<'a, str>> {
    let name = call.func.as_name_expr();
    let reference = name.and_then(|name| side.model.reference_at(side.nodes.id(name)));
    let is_bound = |id| side.model.reference(id).resolution != Resolution::Unresolved;
    match (name, reference) {
        (Some(name), Some(id)) if !is_bound(id) => Some(Cow::Borrowed(name.id.as_str())),
        _ => {
            let imported = qualified(side, &call.func)?;
            let name = imported.strip_prefix("builtins.")?;
            Some(Cow::Owned(name.to_owned()))
        }
    }
}

/// Checks that no dropped name can be seen: not by `locals()` and its like in its function, and
/// not from outside as the attribute of a class or module. `watched` are the scopes of the original
/// that these can see.
///
/// # Errors
/// Returns the first dropped name that can be seen.
pub(super) fn dropped_names(evidence: &Evidence<'_>, watched: &FxHashSet<ScopeId>) -> Verdict {
    let side = &evidence.original;
    for dropped in dropped_bindings(evidence) {
        let binding = dropped.binding;
        let definition = dropped.definition(evidence);
        let visible = match side.model.scope(binding.scope).kind {
            ScopeKind::Module => {
                definition.is_none_or(|definition| *binding.name != *definition.name)
            }
            ScopeKind::Class => true,
            _ => watched.contains(&binding.scope),
        };
        if visible {
            let message = format!("the dropped name `{}` can be seen", binding.name);
            return Err(fail(message, TextSize::default()));
        }
    }
    Ok(())
}

/// The scopes whose names some call of `locals()`, `vars()`, `dir()`, `eval` or `exec` can see.
pub(super) fn watched_scopes(side: &Side<'_>) -> FxHashSet<ScopeId> {
    let mut found = FxHashSet::default();
    for id in side.nodes.ids() {
        let AnyNodeRef::ExprCall(call) = side.nodes.get(id) else {
            continue;
        };
        let sees = match builtin(side, call).as_deref() {
            Some("locals" | "eval" | "exec") => true,
            Some("vars" | "dir") => call.arguments.is_empty(),
            _ => false,
        };
        if sees {
            found.extend(side.model.enclosing_scopes(side.model.scope_of(id)));
        }
    }
    found
}

/// Checks that no name put in at module level can be seen by code that lists the module.
///
/// # Errors
/// Returns the first place that may see one.
pub(super) fn new_names(evidence: &Evidence<'_>) -> Verdict {
    let new = &evidence.index.new_names;
    if new.is_empty() {
        return Ok(());
    }
    let side = &evidence.patched;
    if let Some(id) = side
        .model
        .bindings_of(ScopeId::MODULE, "__getattr__")
        .first()
    {
        let message = "a module `__getattr__` may serve the new name".to_owned();
        return Err(fail(message, side.model.binding(*id).range.start()));
    }
    for id in side.nodes.ids() {
        let lists = match side.nodes.get(id) {
            AnyNodeRef::ExprCall(call) => lists_the_module(side, id, call, new),
            AnyNodeRef::ExprSubscript(subscript) => exposes_the_module(side, id, subscript, new),
            _ => false,
        };
        if lists {
            let message = "the module lists its own names here".to_owned();
            return Err(fail(message, side.nodes.range(id).start()));
        }
    }
    Ok(())
}

fn lists_the_module(side: &Side<'_>, id: NodeId, call: &ExprCall, new: &FxHashSet<&str>) -> bool {
    match builtin(side, call).as_deref() {
        Some("globals") => !reads_another_name(side, id, new) && !lists_nothing(side, id),
        Some("vars" | "dir" | "locals") => {
            let mut scopes = side.model.enclosing_scopes(side.model.scope_of(id));
            let outer =
                scopes.find(|scope| side.model.scope(*scope).kind != ScopeKind::Comprehension);
            call.arguments.is_empty() && outer == Some(ScopeId::MODULE)
        }
        _ => false,
    }
}

/// Whether `globals()` is only asked for one name given as a string, and that is not a new one.
fn reads_another_name(side: &Side<'_>, call: NodeId, new: &FxHashSet<&str>) -> bool {
    let nodes = &side.nodes;
    let mut around = nodes.ancestors(call).map(|id| nodes.get(id));
    let key = match around.next() {
        Some(AnyNodeRef::ExprSubscript(subscript)) => Some(subscript.slice.as_ref()),
        Some(AnyNodeRef::ExprAttribute(method)) if method.attr.as_str() == "get" => {
            match around.next() {
                Some(AnyNodeRef::ExprCall(call)) => call.arguments.args.first(),
                _ => None,
            }
        }
        Some(AnyNodeRef::ExprCompare(compare)) => {
            let is_test = matches!(compare.ops.as_ref(), [CmpOp::In | CmpOp::NotIn]);
            is_test.then_some(compare.left.as_ref())
        }
        _ => None,
    };
    let name = key.and_then(Expr::as_string_literal_expr);
    name.is_some_and(|name| !new.contains(name.value.to_str()))
}

/// Whether the dictionary is compared by identity, or becomes the globals of a function.
fn lists_nothing(side: &Side<'_>, namespace: NodeId) -> bool {
    let mut around = side.nodes.ancestors(namespace).map(|id| side.nodes.get(id));
    match (around.next(), around.next()) {
        (Some(AnyNodeRef::ExprCompare(compare)), _) => {
            let mut operators = compare.ops.iter();
            operators.all(|operator| matches!(operator, CmpOp::Is | CmpOp::IsNot))
        }
        (Some(AnyNodeRef::Arguments(_)), Some(AnyNodeRef::ExprCall(call))) => {
            last_segment(&call.func) == Some("FunctionType")
        }
        _ => false,
    }
}

/// Whether the call is `getattr` or `hasattr` with the name of another attribute than a new one.
fn asks_for_another(side: &Side<'_>, call: &ExprCall, new: &FxHashSet<&str>) -> bool {
    let name = call.arguments.args.get(1);
    let name = name.and_then(Expr::as_string_literal_expr);
    matches!(builtin(side, call).as_deref(), Some("getattr" | "hasattr"))
        && name.is_some_and(|name| !new.contains(name.value.to_str()))
}

/// Whether the subscript is `….modules[__name__]`, handed to a call or asked for its `__dict__`.
fn exposes_the_module(
    side: &Side<'_>,
    id: NodeId,
    subscript: &ExprSubscript,
    new: &FxHashSet<&str>,
) -> bool {
    let own = subscript
        .slice
        .as_name_expr()
        .is_some_and(|name| name.id == "__name__");
    let modules = match subscript.value.as_ref() {
        Expr::Attribute(attribute) => attribute.attr.as_str() == "modules",
        Expr::Name(name) => name.id == "modules",
        _ => false,
    };
    let mut around = side.nodes.ancestors(id).map(|outer| side.nodes.get(outer));
    own && modules
        && match around.next() {
            Some(AnyNodeRef::Arguments(_)) => match around.next() {
                Some(AnyNodeRef::ExprCall(call)) => !asks_for_another(side, call, new),
                _ => true,
            },
            Some(AnyNodeRef::ExprAttribute(attribute)) => attribute.attr.as_str() == "__dict__",
            _ => false,
        }
}
