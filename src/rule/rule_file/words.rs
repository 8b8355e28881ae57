//! What is wrong with the shape of a rule file, in words of its format.
//!
//! The reader of TOML tells it in words of the program's types; each of its forms (serde's
//! `de::Error`) is said anew.

use crate::text::suggest::{choice, did_you_mean};

/// What is said of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words<'e> {
    /// The key that is missing in the table at the place of the fault.
    pub(super) missing: Option<&'e str>,
    /// What is wrong and what to do, as sentences.
    pub(super) message: String,
}

/// `error` in words of the format.
pub(super) fn words(error: &str) -> Words<'_> {
    let told = |message: String| Words {
        missing: None,
        message,
    };
    if let Some(key) = quoted(error, "missing field ") {
        return Words {
            missing: Some(key),
            message: "it is missing. Add it.".to_owned(),
        };
    }
    if let Some(key) = quoted(error, "unknown field ") {
        let words = format!("there is no key `{key}`");
        return told(with_choice(&words, key, error));
    }
    if let Some(word) = quoted(error, "unknown variant ") {
        let words = format!("`{word}` is no value of it");
        return told(with_choice(&words, word, error));
    }
    let parts = error.split_once(", expected ");
    let given = parts.and_then(|(given, wanted)| {
        let mut forms = ["invalid type: ", "invalid value: "].into_iter();
        let value = forms.find_map(|form| given.strip_prefix(form))?;
        Some(format!(
            "it is {}, and must be {}",
            found(value),
            expected(wanted)
        ))
    });
    let length = || {
        let (given, wanted) = parts?;
        let length = given.strip_prefix("invalid length ")?;
        Some(format!(
            "it has the length {length}, and must be {}",
            expected(wanted)
        ))
    };
    let kind = || {
        Some(format!(
            "it must be {}",
            expected(error.strip_prefix("wanted ")?)
        ))
    };
    let message = given.or_else(length).or_else(kind);
    told(format!(
        "{}. Correct it.",
        message.as_deref().unwrap_or(error)
    ))
}

/// The first word in backticks behind `start`.
fn quoted<'e>(error: &'e str, start: &str) -> Option<&'e str> {
    error.strip_prefix(start)?.split('`').nth(1)
}

/// `words` as a sentence, and what `error` says may be written in place of `word`.
fn with_choice(words: &str, word: &str, error: &str) -> String {
    let allowed = error.split_once(", expected ").map_or("", |(_, list)| list);
    let allowed: Vec<&str> = allowed.split('`').skip(1).step_by(2).collect();
    let hint = did_you_mean(word, allowed.iter().copied());
    format!("{words}.{hint} Use {}.", choice(&allowed))
}

fn found(value: &str) -> String {
    match value {
        "sequence" => return "a list".to_owned(),
        "map" => return "a table".to_owned(),
        _ => {}
    }
    // The type that the reader took a large number for.
    let value = value.strip_suffix(" as i128").unwrap_or(value);
    let forms = [
        ("string ", "the text "),
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("boolean ", ""),
    ];
    let mut told = forms
        .iter()
        .filter_map(|(form, word)| Some(format!("{word}{}", value.strip_prefix(form)?)));
    told.next().unwrap_or_else(|| value.to_owned())
}

fn expected(wanted: &str) -> &str {
    match wanted {
        "a boolean" => "`true` or `false`",
        "a string" => "a text in quotes",
        "a sequence" => "a list",
        "a map" => "a table",
        "u8" => "a whole number from 0 to 255",
        "u32" => "a whole number from 0 to 4294967295",
        "an array of length 2" => "a list of two numbers",
        // An enumeration is written as one of its words.
        _ if wanted.starts_with("string") || wanted.starts_with("enum ") => "a text in quotes",
        _ if wanted.starts_with("struct ") => "a table",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_key_is_named_apart() {
        let words = words("missing field `cost`");
        assert_eq!(words.missing, Some("cost"));
    }

    #[test]
    fn each_form_is_said_in_words_of_the_format() {
        for (error, expected) in [
            (
                "unknown field `nam`, expected `name` or `role`",
                "there is no key `nam`. Did you mean `name`? Use `name` or `role`.",
            ),
            (
                "unknown variant `x`, expected one of `a1`, `b2`, `c3`",
                "`x` is no value of it. Use `a1`, `b2` or `c3`.",
            ),
            (
                "invalid type: string \"yes\", expected a boolean",
                "it is the text \"yes\", and must be `true` or `false`. Correct it.",
            ),
            (
                "invalid type: sequence, expected struct Cost",
                "it is a list, and must be a table. Correct it.",
            ),
            (
                "invalid value: integer `-1`, expected u32",
                "it is the number `-1`, and must be a whole number from 0 to 4294967295. Correct it.",
            ),
            (
                "invalid length 1, expected an array of length 2",
                "it has the length 1, and must be a list of two numbers. Correct it.",
            ),
            (
                "wanted string or table",
                "it must be a text in quotes. Correct it.",
            ),
            ("anything else", "anything else. Correct it."),
        ] {
            assert_eq!(words(error).message, expected);
        }
    }
}
