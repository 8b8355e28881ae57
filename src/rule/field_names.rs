//! Namedtuple's own rules for typename and field names (CPython 3.8 to 3.13, `Lib/collections/__init__.py`).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use unicode_normalization::UnicodeNormalization;

use super::parameter::NameRule;
use crate::python::constant::Value;

/// The keywords of every CPython from 3.8 to 3.13 (`Lib/keyword.py`); soft keywords are names.
static KEYWORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    FxHashSet::from_iter([
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
        "try", "while", "with", "yield",
    ])
});

/// Whether `name` is a keyword.
#[must_use]
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(name)
}

/// Whether `str.isidentifier()` holds (Language Reference, 2.3 "Identifiers and keywords").
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first))
        && chars.all(unicode_ident::is_xid_continue)
}

/// `str()` of a value, or `None` when it is not known. What is certainly no identifier may come
/// back as another text that is none.
pub(super) fn text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Str(text) => text.clone(),
        Value::None => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Ellipsis => "Ellipsis".to_owned(),
        Value::Float(bits) => match f64::from_bits(*bits) {
            infinite if infinite.is_infinite() && infinite > 0.0 => "inf".to_owned(),
            number if number.is_nan() => "nan".to_owned(),
            number => format!("{number:?}."),
        },
        Value::Complex(..)
        | Value::Bytes(_)
        | Value::Tuple(_)
        | Value::List(_)
        | Value::Set(_)
        | Value::Dict(_) => format!("({})", value.type_name()),
        Value::Opaque(_) => return None,
    })
}

/// Whether a class can certainly be made with this typename by a factory that takes any text.
pub(super) fn is_plain_text(typename: &str) -> bool {
    !typename.contains(['\0', '.']) && typename.nfkc().eq(typename.chars())
}

/// Whether what the factory makes of the valid names `fields` is certain.
pub(super) fn are_understood(fields: &[String], rule: NameRule) -> bool {
    let mut seen = BTreeSet::new();
    fields.iter().all(|name| match rule {
        // Python compares names in this form, and a generated function mixes both.
        NameRule::Identifier => !name.starts_with("__") && name.nfkc().eq(name.chars()),
        NameRule::Plain => {
            let is_new = seen.insert(name);
            let is_plain = !name.starts_with('_') && name != "self" && check_name(name).is_ok();
            is_new && is_plain && name.nfkc().eq(name.chars())
        }
        // An Enum treats such names in its own way.
        NameRule::Member => {
            !name.starts_with('_') && !["", "name", "value"].contains(&name.as_str())
        }
        NameRule::Namedtuple | NameRule::Text => true,
    })
}

/// The fields as `rename=True` leaves them.
pub(super) fn renamed(fields: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    fields
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let repeated = !seen.insert(name);
            if repeated || name.starts_with('_') || check_name(name).is_err() {
                format!("_{at}")
            } else {
                name.clone()
            }
        })
        .collect()
}

/// Whether `name` may be a typename or field name; else the clause that says why not.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    if !is_identifier(name) {
        return Err(format!("{name:?} is no identifier"));
    }
    if is_keyword(name) {
        return Err(format!("{name:?} is a keyword"));
    }
    Ok(())
}

/// Whether a class without `rename` may have these fields or members; else the clause that says why
/// not.
pub(super) fn check_fields(fields: &[String], rule: NameRule) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in fields {
        match rule {
            NameRule::Text | NameRule::Plain => {}
            NameRule::Member if name == "mro" => {
                return Err("no member can be named `mro`".to_owned());
            }
            NameRule::Member => {}
            NameRule::Identifier => check_name(name)?,
            NameRule::Namedtuple => {
                check_name(name)?;
                if name.starts_with('_') {
                    return Err(format!("the field {name:?} starts with an underscore"));
                }
            }
        }
        // Fields are parameters of a generated function, where Python compares them in this form.
        let compared = match rule {
            NameRule::Identifier | NameRule::Namedtuple if !name.is_ascii() => {
                Cow::Owned(name.nfkc().collect())
            }
            _ => Cow::Borrowed(name.as_str()),
        };
        if !seen.insert(compared) && !matches!(rule, NameRule::Text | NameRule::Plain) {
            return Err(format!("the field {name:?} is given twice"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_those_of_str_isidentifier() {
        for name in ["a", "_", "_1", "é", "名", "match", "ℼ"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "1", "a b", "a-b", "·", "\u{fffd}"] {
            assert!(!is_identifier(name), "{name}");
        }
    }

    #[test]
    fn rename_replaces_exactly_what_is_not_allowed() {
        let fields = ["id", "class", "id", "_x", "1", "ok"].map(str::to_owned);
        assert_eq!(renamed(&fields), ["id", "_1", "_2", "_3", "_4", "ok"]);
    }
}
