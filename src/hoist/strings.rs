//! The names that strings spell.

use rustpython_ast::{self as ast, AnyNodeRef, Expr};

use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;

/// Whether the string is the first argument of `typing.cast`.
#[must_use]
pub fn is_cast(module: &Module<'_>, string: NodeId) -> bool {
    let arguments = module.parent(string).0;
    match module.parent(arguments).1 {
        AnyNodeRef::ExprCall(call) => last_segment(&call.func) == Some("cast"),
        _ => false,
    }
}

/// Whether the character is no part of a name.
#[must_use]
pub fn is_boundary(char: char) -> bool {
    !char.is_alphanumeric() && char != '_'
}

/// The literal texts that a string is put together from: `__name__ + ".x"`, `f"{__name__}.x"`,
/// `"%s.x" % __name__`, `"{}.x".format(__name__)`.
pub fn texts_in<'a>(expr: &'a Expr, texts: &mut Vec<&'a str>) {
    match expr {
        Expr::StringLiteral(literal) => texts.push(literal.value.to_str()),
        Expr::FString(literal) => {
            for element in literal.value.elements() {
                if let ast::InterpolatedStringElement::Literal(part) = element {
                    texts.push(&part.value);
                }
            }
        }
        Expr::BinOp(operation) => {
            texts_in(&operation.left, texts);
            texts_in(&operation.right, texts);
        }
        Expr::Call(call) => {
            if let Expr::Attribute(method) = call.func.as_ref() {
                texts_in(&method.value, texts);
            }
        }
        _ => {}
    }
}
