//! Type expressions as constants: dotted names, subscripts and unions of standard types.

use rustpython_ast::{Expr, Operator, Stmt};

use super::evaluator::{Evaluated, Evaluator, Stop, dotted};
use super::type_names::{TypeForm, form, is_known_module};
use super::value::Value;
use crate::python::parse::parse;

const NO_TYPE: &str = "it is not known to be a type";

impl Evaluator<'_> {
    /// The value of a type expression, when types are constants and `expr` is one that is more than
    /// a plain name.
    ///
    /// It raises on no CPython that has its syntax (CPython 3.8 to 3.13, `Lib/typing.py`).
    pub(super) fn type_value(&self, expr: &Expr) -> Evaluated<Option<Value>> {
        if !self.takes_types {
            return Ok(None);
        }
        match expr {
            Expr::Name(_) | Expr::Attribute(_) => self.named_type(expr),
            Expr::Subscript(subscript) => {
                let Some(form) = self.form(&subscript.value) else {
                    return Ok(None);
                };
                let arguments = self.type_arguments(form, &subscript.slice)?;
                let Some(arguments) = arguments else {
                    return Err(Stop::dynamic(expr, NO_TYPE));
                };
                let generic = self.spelling(&subscript.value)?;
                let symbol = format!("{generic}[{arguments:?}]");
                Ok(Some(Value::Opaque(symbol)))
            }
            Expr::BinOp(union) if union.op == Operator::BitOr => {
                let are_types = self.is_type(&union.left) && self.is_type(&union.right);
                if !are_types
                    || (union.left.is_none_literal_expr() && union.right.is_none_literal_expr())
                {
                    return Ok(None);
                }
                let (left, right) = (self.value(&union.left)?, self.value(&union.right)?);
                Ok(Some(Value::Opaque(format!("{left:?} | {right:?}"))))
            }
            _ => Ok(None),
        }
    }

    fn form(&self, expr: &Expr) -> Option<TypeForm> {
        form(&self.names.standard_name(expr)?)
    }

    /// A name or dotted name: of a standard type, or of something else that is no business of types.
    fn named_type(&self, expr: &Expr) -> Evaluated<Option<Value>> {
        let Some(qualified) = self.names.standard_name(expr) else {
            return Ok(None);
        };
        match (form(&qualified), expr) {
            (Some(form), Expr::Attribute(attribute)) if form.is_plain() => {
                Ok(dotted(attribute).map(Value::Opaque))
            }
            (Some(form), _) if form.is_plain() => Ok(None),
            _ if is_known_module(&qualified) => Err(Stop::dynamic(expr, NO_TYPE)),
            _ => Ok(None),
        }
    }

    /// What names the type whose brackets are read; `Union` alone is none.
    fn spelling(&self, expr: &Expr) -> Evaluated<String> {
        match expr {
            Expr::Attribute(attribute) => dotted(attribute),
            Expr::Name(name) => Some(name.id.to_string()),
            _ => None,
        }
        .ok_or_else(|| Stop::dynamic(expr, NO_TYPE))
    }

    /// The values between the brackets; `None` when they are not what the form takes.
    fn type_arguments(&self, form: TypeForm, slice: &Expr) -> Evaluated<Option<Vec<Value>>> {
        let arguments = match slice {
            Expr::Tuple(tuple) => tuple.elts.as_slice(),
            only => std::slice::from_ref(only),
        };
        let fits = match form {
            TypeForm::Plain => false,
            TypeForm::Generic(count) => arguments.len() == count,
            // A comma makes a tuple, which `Optional` takes for no type.
            TypeForm::OfOne => !slice.is_tuple_expr(),
            TypeForm::Builtin | TypeForm::Union => !arguments.is_empty(),
            TypeForm::Tuple => {
                return match arguments {
                    [only, Expr::EllipsisLiteral(_)] => {
                        self.types(std::slice::from_ref(only), true)
                    }
                    all => self.types(all, false),
                };
            }
            TypeForm::Callable => return self.callable(arguments),
            TypeForm::Literal => return self.literals(arguments),
        };
        if !fits {
            return Ok(None);
        }
        self.types(arguments, false)
    }

    /// The values of several types, and an ellipsis behind them.
    fn types(&self, exprs: &[Expr], ellipsis: bool) -> Evaluated<Option<Vec<Value>>> {
        let mut values = vec![];
        for expr in exprs {
            let value = self.value(expr)?;
            if !is_type_value(&value) {
                return Ok(None);
            }
            values.push(value);
        }
        values.extend(ellipsis.then_some(Value::Ellipsis));
        Ok(Some(values))
    }

    fn callable(&self, arguments: &[Expr]) -> Evaluated<Option<Vec<Value>>> {
        let [parameters, result] = arguments else {
            return Ok(None);
        };
        let parameters = match parameters {
            Expr::EllipsisLiteral(_) => Some(Value::Ellipsis),
            Expr::List(list) => self.types(&list.elts, false)?.map(Value::List),
            _ => None,
        };
        let result = self.types(std::slice::from_ref(result), false)?;
        Ok(parameters
            .zip(result)
            .map(|(parameters, result)| std::iter::once(parameters).chain(result).collect()))
    }

    fn literals(&self, arguments: &[Expr]) -> Evaluated<Option<Vec<Value>>> {
        let values = arguments.iter().map(|argument| self.value(argument));
        let values = values.collect::<Evaluated<Vec<_>>>()?;
        let is_literal = |value: &Value| {
            matches!(
                value,
                Value::None | Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Bytes(_)
            )
        };
        let fits = !values.is_empty() && values.iter().all(is_literal);
        Ok(fits.then_some(values))
    }

    /// Whether `|` joins the expression to another type.
    fn is_type(&self, expr: &Expr) -> bool {
        match expr {
            Expr::NoneLiteral(_) => true,
            Expr::Subscript(subscript) => self.form(&subscript.value).is_some(),
            Expr::BinOp(union) => {
                union.op == Operator::BitOr
                    && self.is_type(&union.left)
                    && self.is_type(&union.right)
            }
            _ => self.form(expr).is_some_and(TypeForm::is_plain),
        }
    }
}

/// Whether `typing` takes the value for a type: `None`, a text that it can compile, or an object that is
/// not known, but no number and no other builtin constant.
#[must_use]
pub fn is_type_value(value: &Value) -> bool {
    match value {
        Value::None => true,
        Value::Str(text) => is_type_text(text),
        Value::Opaque(symbol) => {
            !symbol.starts_with(|first: char| first.is_ascii_digit())
                && !["Ellipsis", "NotImplemented", "__debug__"].contains(&symbol.as_str())
        }
        _ => false,
    }
}

/// Whether the text is a type expression that every CPython compiles (`typing.ForwardRef`).
fn is_type_text(text: &str) -> bool {
    let is_plain =
        !text.contains(['\n', '\r', '\0', '\x0c', '#', '\\']) && !text.starts_with([' ', '\t']);
    let parsed = parse(text);
    is_plain
        && parsed.is_ok_and(|parsed| match parsed.syntax().body.as_slice() {
            [Stmt::Expr(only)] => is_type_syntax(&only.value),
            _ => false,
        })
}

fn is_type_syntax(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_)
        | Expr::StringLiteral(_)
        | Expr::NumberLiteral(_)
        | Expr::BooleanLiteral(_) => true,
        Expr::Attribute(attribute) => is_type_syntax(&attribute.value),
        Expr::Subscript(subscript) => {
            is_type_syntax(&subscript.value) && is_type_syntax(&subscript.slice)
        }
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_type_syntax),
        Expr::List(list) => list.elts.iter().all(is_type_syntax),
        Expr::BinOp(union) => {
            union.op == Operator::BitOr
                && is_type_syntax(&union.left)
                && is_type_syntax(&union.right)
        }
        _ => false,
    }
}
