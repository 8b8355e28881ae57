//! Python's operators on known values.

use rustpython_ast::{Operator, UnaryOp};

use super::format::fill;
use super::value::Value;

/// The most elements that a repetition makes; nested repetitions multiply, so it is far below the
/// largest value.
const MOST_REPEATED: usize = 10_000;

/// What an operator gives.
pub(super) enum Outcome {
    /// A value.
    Value(Value),
    /// It always raises; the clause says why.
    Raises(String),
    /// It is not computed here.
    Unknown,
}

impl From<Option<Value>> for Outcome {
    fn from(value: Option<Value>) -> Self {
        value.map_or(Outcome::Unknown, Outcome::Value)
    }
}

/// `op operand`.
pub(super) fn unary(op: UnaryOp, operand: &Value) -> Outcome {
    if op == UnaryOp::Not {
        return operand.truth().map(|truth| Value::Bool(!truth)).into();
    }
    if let (Value::Float(bits), UnaryOp::USub | UnaryOp::UAdd) = (operand, op) {
        let value = f64::from_bits(*bits);
        return Outcome::Value(Value::float(if op == UnaryOp::USub {
            -value
        } else {
            value
        }));
    }
    if let Some(value) = integer(operand) {
        return match op {
            UnaryOp::USub => value.checked_neg(),
            UnaryOp::Invert => Some(!value),
            _ => Some(value),
        }
        .map(Value::Int)
        .into();
    }
    if matches!(operand, Value::Opaque(_) | Value::Complex(..)) {
        return Outcome::Unknown;
    }
    Outcome::Raises(format!(
        "`{op}` does not take a value of type {}",
        operand.type_name()
    ))
}

/// `left op right`.
pub(super) fn binary(left: &Value, op: Operator, right: &Value) -> Outcome {
    if matches!(left, Value::Opaque(_)) || matches!(right, Value::Opaque(_)) {
        return Outcome::Unknown;
    }
    if let (Some(left_number), Some(right_number)) = (integer(left), integer(right)) {
        if let (Value::Bool(left), Value::Bool(right)) = (left, right)
            && let Some(value) = logical(*left, op, *right)
        {
            return Outcome::Value(Value::Bool(value));
        }
        return integers(left_number, op, right_number);
    }
    if is_number(left) && is_number(right) {
        return floats(left, op, right);
    }
    match (op, left) {
        (Operator::Add, _) => concatenate(left, right),
        (Operator::Mult, _) => repeat(left, right),
        (Operator::Mod, Value::Str(format)) => fill(format, right),
        _ => Outcome::Unknown,
    }
}

/// The number of an `int` or `bool`.
fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(*value),
        Value::Bool(value) => Some(i128::from(*value)),
        _ => None,
    }
}

fn is_number(value: &Value) -> bool {
    integer(value).is_some() || matches!(value, Value::Float(_) | Value::Complex(..))
}

/// `&`, `|` and `^` of two truth values, which give a truth value.
fn logical(left: bool, op: Operator, right: bool) -> Option<bool> {
    match op {
        Operator::BitAnd => Some(left & right),
        Operator::BitOr => Some(left | right),
        Operator::BitXor => Some(left ^ right),
        _ => None,
    }
}

fn integers(left: i128, op: Operator, right: i128) -> Outcome {
    let divides = matches!(op, Operator::Div | Operator::FloorDiv | Operator::Mod);
    if divides && right == 0 {
        return Outcome::Raises("it divides by zero".to_owned());
    }
    match op {
        Operator::Add => left.checked_add(right),
        Operator::Sub => left.checked_sub(right),
        Operator::Mult => left.checked_mul(right),
        Operator::FloorDiv => floor_divide(left, right).map(|(quotient, _)| quotient),
        Operator::Mod => floor_divide(left, right).map(|(_, remainder)| remainder),
        Operator::Pow => u32::try_from(right)
            .ok()
            .and_then(|right| left.checked_pow(right)),
        Operator::LShift => u32::try_from(right)
            .ok()
            .and_then(|right| 2_i128.checked_pow(right))
            .and_then(|factor| left.checked_mul(factor)),
        Operator::RShift => u32::try_from(right)
            .ok()
            .map(|right| left >> right.min(127)),
        Operator::BitAnd => Some(left & right),
        Operator::BitOr => Some(left | right),
        Operator::BitXor => Some(left ^ right),
        Operator::Div => {
            return exact_float(left)
                .zip(exact_float(right))
                .map_or(Outcome::Unknown, |(left, right)| {
                    Outcome::Value(Value::float(left / right))
                });
        }
        Operator::MatMult => None,
    }
    .map(Value::Int)
    .into()
}

/// Quotient rounded down and remainder with the divisor's sign, as Python has them.
fn floor_divide(left: i128, right: i128) -> Option<(i128, i128)> {
    let quotient = left.checked_div(right)?;
    let remainder = left.checked_rem(right)?;
    if remainder != 0 && (remainder < 0) != (right < 0) {
        return Some((quotient - 1, remainder + right));
    }
    Some((quotient, remainder))
}

/// The integer as a float, if no digit is lost.
fn exact_float(value: i128) -> Option<f64> {
    const LARGEST_EXACT: u64 = 1 << 53;
    let magnitude = u64::try_from(value.unsigned_abs())
        .ok()
        .filter(|magnitude| *magnitude <= LARGEST_EXACT)?;
    let high = u32::try_from(magnitude >> 32).ok()?;
    let low = u32::try_from(magnitude & u64::from(u32::MAX)).ok()?;
    let float = f64::from(high) * 4_294_967_296.0 + f64::from(low);
    Some(if value < 0 { -float } else { float })
}

fn floats(left: &Value, op: Operator, right: &Value) -> Outcome {
    let (Some(left), Some(right)) = (float(left), float(right)) else {
        return Outcome::Unknown;
    };
    if op == Operator::Div && right == 0.0 {
        return Outcome::Raises("it divides by zero".to_owned());
    }
    match op {
        Operator::Add => Some(left + right),
        Operator::Sub => Some(left - right),
        Operator::Mult => Some(left * right),
        Operator::Div => Some(left / right),
        _ => None,
    }
    .map(Value::float)
    .into()
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(bits) => Some(f64::from_bits(*bits)),
        other => integer(other).and_then(exact_float),
    }
}

fn concatenate(left: &Value, right: &Value) -> Outcome {
    Outcome::Value(match (left, right) {
        (Value::Str(left), Value::Str(right)) => Value::Str(format!("{left}{right}")),
        (Value::Bytes(left), Value::Bytes(right)) => {
            Value::Bytes([left.as_slice(), right].concat())
        }
        (Value::Tuple(left), Value::Tuple(right)) => {
            Value::Tuple([left.as_slice(), right].concat())
        }
        (Value::List(left), Value::List(right)) => Value::List([left.as_slice(), right].concat()),
        _ => {
            return Outcome::Raises(format!(
                "a value of type {} cannot be added to one of type {}",
                right.type_name(),
                left.type_name()
            ));
        }
    })
}

/// A sequence times a number, or a number times a sequence.
fn repeat(left: &Value, right: &Value) -> Outcome {
    let (sequence, times) = match (integer(left), integer(right)) {
        (None, Some(times)) => (left, times),
        (Some(times), None) => (right, times),
        _ => return Outcome::Unknown,
    };
    let Ok(times) = usize::try_from(times.max(0)) else {
        return Outcome::Unknown;
    };
    let fits = sequence.length().is_some_and(|length| {
        length
            .checked_mul(times)
            .is_some_and(|total| total <= MOST_REPEATED)
    });
    if !fits {
        return Outcome::Unknown;
    }
    match sequence {
        Value::Str(text) => Some(Value::Str(text.repeat(times))),
        Value::Bytes(bytes) => Some(Value::Bytes(bytes.repeat(times))),
        Value::Tuple(elements) => Some(Value::Tuple(repeated(elements, times))),
        Value::List(elements) => Some(Value::List(repeated(elements, times))),
        _ => None,
    }
    .into()
}

fn repeated(elements: &[Value], times: usize) -> Vec<Value> {
    std::iter::repeat_n(elements, times)
        .flatten()
        .cloned()
        .collect()
}
