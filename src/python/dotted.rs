//! Dotted names as they are written, whatever they mean.

use rustpython_ast::Expr;

/// How many calls of one name are looked behind: `f()()()`. Code that asks at every call of a
/// longer row would walk all of it each time.
const MAX_CALLS: usize = 64;

/// The last segment of a dotted name, or of the callee when it is called.
#[must_use]
pub fn last_segment(expr: &Expr) -> Option<&str> {
    let mut callee = expr;
    for _ in 0..=MAX_CALLS {
        match callee {
            Expr::Name(name) => return Some(name.id.as_str()),
            Expr::Attribute(attribute) => return Some(attribute.attr.as_str()),
            Expr::Call(call) => callee = &call.func,
            _ => return None,
        }
    }
    None
}
