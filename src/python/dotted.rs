//! Dotted names as they are written, whatever they mean.

use rustpython_ast::Expr;

/// The last segment of a dotted name, or of the callee when it is called.
#[must_use]
pub fn last_segment(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        Expr::Call(call) => last_segment(&call.func),
        _ => None,
    }
}
