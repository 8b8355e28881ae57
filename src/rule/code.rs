//! A code: what is said about a finding, and its documentation.

use serde::Deserialize;

use super::field_names::is_identifier;
use super::message::Template;
use super::rule::Contradiction;

/// One code of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Code {
    /// The code, such as `HNT001`.
    pub code: String,
    /// The name, such as `per-call-namedtuple`.
    pub name: String,
    /// What a finding means, in a few words.
    pub summary: String,
    /// The message of a finding.
    pub message: Template,
    /// The documentation.
    pub documentation: Documentation,
}

/// The documentation of a code in whole sentences; its examples are the rule's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Documentation {
    /// What is found.
    pub what_it_does: String,
    /// What it costs.
    pub why_is_this_bad: String,
    /// What the fix promises.
    pub fix_safety: String,
    /// Where more is to be read: web addresses.
    pub references: Vec<String>,
}

impl Code {
    /// What it starts with, such as `HNT`: all but its digits.
    #[must_use]
    pub fn letters(&self) -> &str {
        letters(&self.code)
    }

    /// Checks how the code and its name are written; `key` is the table that holds them.
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub(super) fn validate(&self, key: &str) -> Result<(), Contradiction> {
        if !is_code(&self.code) {
            return Err(Contradiction {
                key: format!("{key}.code"),
                message: format!(
                    "`{}` is no code. Write capital letters and three digits, such as `ABC001`.",
                    self.code
                ),
            });
        }
        self.validate_name(&format!("{key}.name"))?;
        says_something(&self.summary, format!("{key}.summary"))?;
        match self.message.is_blank() {
            true => Err(empty(format!("{key}.message"))),
            false => Ok(()),
        }
    }

    fn validate_name(&self, key: &str) -> Result<(), Contradiction> {
        let is_word = |word: &str| {
            is_identifier(word)
                && !word.contains(|char: char| char.is_uppercase() || !char.is_ascii())
        };
        // A selector could mean either.
        let is_selector = self.name == "all" || is_code(&self.name.to_ascii_uppercase());
        if !self.name.split('-').all(is_word) || is_selector {
            return Err(Contradiction {
                key: key.to_owned(),
                message: format!(
                    "`{}` is no name of a rule. Write small letters and hyphens, such as `per-call-record`.",
                    self.name
                ),
            });
        }
        Ok(())
    }
}

fn letters(code: &str) -> &str {
    code.trim_end_matches(|char: char| char.is_ascii_digit())
}

/// Whether `word` is capital letters and three digits.
fn is_code(word: &str) -> bool {
    let letters = letters(word);
    let are_capitals = letters.chars().all(|char| char.is_ascii_uppercase());
    !letters.is_empty() && are_capitals && word.len() == letters.len() + 3
}

/// Checks that the `text` at `key` says something.
///
/// # Errors
/// When it does not.
pub(super) fn says_something(text: &str, key: String) -> Result<(), Contradiction> {
    match text.trim() {
        "" => Err(empty(key)),
        _ => Ok(()),
    }
}

fn empty(key: String) -> Contradiction {
    Contradiction {
        key,
        message: "it is empty. Write a few words.".to_owned(),
    }
}
