//! Type expressions as constants: dotted names, subscripts and unions of standard types.

use rustpython_ast::{Expr, Operator};

use super::evaluator::{Evaluated, Evaluator, dotted};
use super::value::Value;

impl Evaluator<'_> {
    /// The value of a type expression, when types are constants and `expr` is one that is more than
    /// a plain name.
    pub(super) fn type_value(&self, expr: &Expr) -> Evaluated<Option<Value>> {
        if !self.takes_types {
            return Ok(None);
        }
        match expr {
            Expr::Attribute(attribute) if self.names.is_standard_type(expr) => {
                Ok(dotted(attribute).map(Value::Opaque))
            }
            Expr::Subscript(subscript) if self.names.is_standard_type(&subscript.value) => {
                let generic = self.value(&subscript.value)?;
                let arguments = self.value(&subscript.slice)?;
                Ok(Some(Value::Opaque(format!("{generic:?}[{arguments:?}]"))))
            }
            Expr::BinOp(union) if union.op == Operator::BitOr => {
                if !self.is_type(&union.left) || !self.is_type(&union.right) {
                    return Ok(None);
                }
                let (left, right) = (self.value(&union.left)?, self.value(&union.right)?);
                Ok(Some(Value::Opaque(format!("{left:?} | {right:?}"))))
            }
            _ => Ok(None),
        }
    }

    /// Whether `|` joins the expression to another type.
    fn is_type(&self, expr: &Expr) -> bool {
        match expr {
            Expr::NoneLiteral(_) => true,
            Expr::Subscript(subscript) => self.names.is_standard_type(&subscript.value),
            Expr::BinOp(union) => {
                union.op == Operator::BitOr
                    && self.is_type(&union.left)
                    && self.is_type(&union.right)
            }
            _ => self.names.is_standard_type(expr),
        }
    }
}
