//! What a name or dotted name certainly means: a builtin, or what a single import brings.

use rustpython_ast::{AnyNodeRef, Expr, ExprAttribute, Operator};

use crate::hoist::module::Module;
use crate::python::NodeId;
use crate::python::constant::type_since_minor;
use crate::python::semantic::{BindingKind, QualifiedName, ScopeId};

/// The qualified name of a builtin, or of what one import at module level brings.
pub(super) fn standard_name(module: &Module<'_>, expr: &Expr) -> Option<String> {
    if let Some(name) = module.builtin(expr) {
        return Some(format!("builtins.{name}"));
    }
    qualified(module, expr).map(|name| name.as_str().to_owned())
}

/// Whether a type at or below the node is written as only newer Pythons take it: `int | None`,
/// `list[int]`.
#[must_use]
pub fn has_newer_type(module: &Module<'_>, node: NodeId) -> bool {
    let mut below = module.nodes.subtree(node);
    below.any(|id| match module.nodes.get(id) {
        AnyNodeRef::ExprBinOp(operation) => operation.op == Operator::BitOr,
        AnyNodeRef::ExprSubscript(_) => true,
        _ => false,
    })
}

/// The minor number of the first Python 3 that takes the type expression at `node`: PEP 585, PEP 604,
/// and names that came to a module later. One that the module imports itself fails the import already.
#[must_use]
pub fn newest_type(module: &Module<'_>, node: NodeId) -> u8 {
    let minor = |id| match module.nodes.get(id) {
        AnyNodeRef::ExprBinOp(operation) if operation.op == Operator::BitOr => 10,
        AnyNodeRef::ExprSubscript(subscript) => {
            let generic = qualified(module, &subscript.value);
            let is_typing = generic.is_some_and(|name| name.as_str().starts_with("typing"));
            if is_typing { 8 } else { 9 }
        }
        AnyNodeRef::ExprAttribute(attribute) => {
            let name = qualified_attribute(module, attribute);
            name.map_or(8, |name| type_since_minor(name.as_str()))
        }
        _ => 8,
    };
    module.nodes.subtree(node).map(minor).max().unwrap_or(8)
}

/// What the name or dotted name means, when a single import at the top level binds its root.
fn qualified(module: &Module<'_>, expr: &Expr) -> Option<QualifiedName> {
    match expr {
        Expr::Attribute(attribute) => qualified_attribute(module, attribute),
        Expr::Name(_) => {
            let AnyNodeRef::ExprName(name) = module.nodes.get(module.nodes.id(expr)) else {
                return None;
            };
            let (ScopeId::MODULE, [only]) = module.bindings(name)? else {
                return None;
            };
            match &module.model.binding(*only).kind {
                BindingKind::Import(name) | BindingKind::FromImport(name) => Some(name.clone()),
                _ => None,
            }
        }
        _ => None,
    }
}

fn qualified_attribute(module: &Module<'_>, attribute: &ExprAttribute) -> Option<QualifiedName> {
    let base = qualified(module, &attribute.value)?;
    Some(base.attribute(attribute.attr.as_str()))
}
