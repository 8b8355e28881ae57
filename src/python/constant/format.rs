//! `str % value` for formats that hold no more than `%s` and `%%`.

use super::operator::Outcome;
use super::value::Value;

/// What `format % value` gives (Standard Library, "printf-style String Formatting").
pub(super) fn fill(format: &str, value: &Value) -> Outcome {
    let values = match value {
        Value::Tuple(values) => values.as_slice(),
        Value::Str(_) | Value::Int(_) | Value::Bool(_) | Value::None => std::slice::from_ref(value),
        // A value with `__getitem__` may be left over.
        _ => return Outcome::Unknown,
    };
    let Some(pieces) = pieces(format) else {
        return Outcome::Unknown;
    };
    if pieces.len() != values.len() + 1 {
        return Outcome::Raises("the format takes another number of values".to_owned());
    }
    let mut out = String::new();
    let mut values = values.iter();
    for piece in pieces {
        out.push_str(&piece);
        match values.next().map(shown) {
            Some(Some(text)) => out.push_str(&text),
            Some(None) => return Outcome::Unknown,
            None => {}
        }
    }
    Outcome::Value(Value::Str(out))
}

/// The text around each `%s`; `None` when there is another conversion.
fn pieces(format: &str) -> Option<Vec<String>> {
    let mut pieces = vec![];
    let mut piece = String::new();
    let mut chars = format.chars();
    while let Some(char) = chars.next() {
        match char {
            '%' => match chars.next()? {
                's' => pieces.push(std::mem::take(&mut piece)),
                '%' => piece.push('%'),
                _ => return None,
            },
            other => piece.push(other),
        }
    }
    pieces.push(piece);
    Some(pieces)
}

/// `str(value)`, when it is known.
fn shown(value: &Value) -> Option<String> {
    Some(match value {
        Value::Str(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::None => "None".to_owned(),
        _ => return None,
    })
}
