//! Walking an expression to its value.

use rustpython_ast::{self as ast, Expr, Number};
use rustpython_text_size::{Ranged, TextRange};

use super::operator::{self, Outcome};
use super::value::{Elements, Value};
use super::{Meaning, Names};

/// Why an expression has no value.
pub(super) enum Stop {
    Dynamic { range: TextRange, why: String },
    Raises(String),
}

impl Stop {
    pub(super) fn dynamic(node: &impl Ranged, why: impl Into<String>) -> Self {
        Stop::Dynamic {
            range: node.range(),
            why: why.into(),
        }
    }
}

pub(super) type Evaluated<T = Value> = Result<T, Stop>;

/// Evaluates expressions where `names` hold.
pub(super) struct Evaluator<'a> {
    pub(super) names: &'a dyn Names,
    /// Whether type expressions are constants.
    pub(super) takes_types: bool,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(names: &'a dyn Names) -> Self {
        Self {
            names,
            takes_types: false,
        }
    }

    pub(super) fn of_types(names: &'a dyn Names) -> Self {
        Self {
            names,
            takes_types: true,
        }
    }

    pub(super) fn value(&self, expr: &Expr) -> Evaluated {
        let value = match self.type_value(expr)? {
            Some(value) => value,
            None => self.unbounded_value(expr)?,
        };
        if value.is_too_large() {
            return Err(Stop::dynamic(expr, "it is too large to be computed"));
        }
        Ok(value)
    }

    fn unbounded_value(&self, expr: &Expr) -> Evaluated {
        match expr {
            Expr::NoneLiteral(_) => Ok(Value::None),
            Expr::BooleanLiteral(literal) => Ok(Value::Bool(literal.value)),
            Expr::EllipsisLiteral(_) => Ok(Value::Ellipsis),
            Expr::NumberLiteral(literal) => Ok(number(&literal.value)),
            Expr::BytesLiteral(literal) => Ok(Value::Bytes(literal.value.bytes().collect())),
            Expr::StringLiteral(literal) => Ok(string(literal.value.to_str(), expr)),
            Expr::FString(literal) => fixed_f_string(literal),
            Expr::Tuple(tuple) => self.sequence(&tuple.elts).map(Value::Tuple),
            Expr::List(list) => self.sequence(&list.elts).map(Value::List),
            Expr::Set(set) => self.set(set),
            Expr::Dict(dict) => self.dict(dict),
            Expr::UnaryOp(unary) => {
                let operand = self.value(&unary.operand)?;
                finish(expr, operator::unary(unary.op, &operand))
            }
            Expr::BinOp(binary) => {
                let left = self.value(&binary.left)?;
                let right = self.value(&binary.right)?;
                finish(expr, operator::binary(&left, binary.op, &right))
            }
            Expr::BoolOp(bool_op) => self.bool_op(bool_op),
            Expr::Call(call) => self.call(call),
            Expr::Name(name) => meaning(name, name.id.as_str(), self.names.meaning(name)),
            Expr::Attribute(attribute) => match dotted(attribute) {
                Some(symbol) => meaning(attribute, &symbol, self.names.attribute(attribute)),
                None => Err(Stop::dynamic(attribute, "an attribute is read at run time")),
            },
            other => Err(Stop::dynamic(other, why_not_constant(other))),
        }
    }

    fn sequence(&self, elements: &[Expr]) -> Evaluated<Vec<Value>> {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Expr::Starred(starred) => values.extend(self.unpacked(&starred.value)?),
                other => values.push(self.value(other)?),
            }
        }
        Ok(values)
    }

    fn unpacked(&self, expr: &Expr) -> Evaluated<Vec<Value>> {
        let value = self.value(expr)?;
        match value.elements() {
            Elements::Known(elements) => Ok(elements),
            Elements::Unordered | Elements::Unknown => {
                Err(Stop::dynamic(expr, "what it unpacks to is not known"))
            }
            Elements::NotIterable => Err(Stop::Raises(format!(
                "a value of type {} cannot be unpacked",
                value.type_name()
            ))),
        }
    }

    fn set(&self, set: &ast::ExprSet) -> Evaluated {
        let elements = self.sequence(&set.elts)?;
        elements.iter().try_for_each(hashable)?;
        Ok(Value::Set(elements))
    }

    fn dict(&self, dict: &ast::ExprDict) -> Evaluated {
        let mut items = Vec::with_capacity(dict.items.len());
        for item in &dict.items {
            let value = self.value(&item.value)?;
            match (&item.key, value) {
                (Some(key), value) => {
                    let key = self.value(key)?;
                    hashable(&key)?;
                    items.push((key, value));
                }
                (None, Value::Dict(unpacked)) => items.extend(unpacked),
                (None, _) => {
                    return Err(Stop::dynamic(
                        &item.value,
                        "what it unpacks to is not known",
                    ));
                }
            }
        }
        Ok(Value::Dict(items))
    }

    /// `and` and `or`, which stop at the first operand that decides.
    fn bool_op(&self, bool_op: &ast::ExprBoolOp) -> Evaluated {
        let decides = bool_op.op == ast::BoolOp::Or;
        let mut last = Value::None;
        for (at, operand) in bool_op.values.iter().enumerate() {
            last = self.value(operand)?;
            if at + 1 == bool_op.values.len() {
                break;
            }
            match last.truth() {
                Some(truth) if truth == decides => break,
                Some(_) => {}
                None => return Err(Stop::dynamic(operand, "whether it is true is not known")),
            }
        }
        Ok(last)
    }
}

pub(super) fn text_value(text: &str) -> Value {
    Value::Str(text.to_owned())
}

fn finish(expr: &Expr, outcome: Outcome) -> Evaluated {
    match outcome {
        Outcome::Value(value) => Ok(value),
        Outcome::Raises(why) => Err(Stop::Raises(why)),
        Outcome::Unknown => Err(Stop::dynamic(expr, "the operator's value is not known")),
    }
}

fn meaning(node: &impl Ranged, symbol: &str, meaning: Meaning) -> Evaluated {
    match meaning {
        Meaning::Value(value) => Ok(value),
        Meaning::Opaque => Ok(Value::Opaque(symbol.to_owned())),
        Meaning::Dynamic(why) => Err(Stop::dynamic(node, why)),
    }
}

fn number(number: &Number) -> Value {
    match number {
        Number::Int(int) => int.as_u64().map_or_else(
            || Value::Opaque(int.to_string()),
            |int| Value::Int(i128::from(int)),
        ),
        Number::Float(float) => Value::float(*float),
        Number::Complex { real, imag } => Value::Complex(real.to_bits(), imag.to_bits()),
    }
}

/// The parser turns lone surrogates into U+FFFD, so a string with that character is known only by
/// its place.
fn string(text: &str, place: &impl Ranged) -> Value {
    if text.contains(char::REPLACEMENT_CHARACTER) {
        return Value::Opaque(format!("{:?}", place.range()));
    }
    Value::Str(text.to_owned())
}

/// The value of an f-string without replacement fields.
fn fixed_f_string(literal: &ast::ExprFString) -> Evaluated {
    let mut text = String::new();
    for part in literal.value.iter() {
        match part {
            ast::FStringPart::Literal(part) => text.push_str(&part.value),
            ast::FStringPart::FString(part) => {
                for element in &part.elements {
                    match element {
                        ast::InterpolatedStringElement::Literal(part) => text.push_str(&part.value),
                        ast::InterpolatedStringElement::Interpolation(field) => {
                            return Err(Stop::dynamic(field, "an f-string is filled at run time"));
                        }
                    }
                }
            }
        }
    }
    Ok(string(&text, literal))
}

fn hashable(value: &Value) -> Evaluated<()> {
    if value.is_unhashable() {
        return Err(Stop::Raises(format!(
            "a value of type {} has no hash",
            value.type_name()
        )));
    }
    Ok(())
}

/// `a.b.c`, or `None` when the attribute is not one of a plain name.
pub(super) fn dotted(attribute: &ast::ExprAttribute) -> Option<String> {
    let mut segments = vec![attribute.attr.as_str()];
    let mut at = &*attribute.value;
    while let Expr::Attribute(inner) = at {
        segments.push(inner.attr.as_str());
        at = &inner.value;
    }
    segments.push(at.as_name_expr()?.id.as_str());
    segments.reverse();
    Some(segments.join("."))
}

fn why_not_constant(expr: &Expr) -> &'static str {
    match expr {
        Expr::Lambda(_) => "a lambda is made at run time",
        Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
            "a comprehension is run at run time"
        }
        Expr::If(_) => "a condition decides at run time",
        Expr::Named(_) => "it assigns a name",
        Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) => "it waits for a value",
        Expr::Subscript(_) => "a subscript is read at run time",
        _ => "it is computed at run time",
    }
}
