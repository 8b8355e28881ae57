//! Examples of a rule: modules with findings and without, which are its tests and its documentation.

use serde::Deserialize;

use super::code::says_something;
use super::rule::{Contradiction, Rule};
use super::skip_reason::SkipReason;
use crate::python::parse::parse;
use crate::text::suggest::did_you_mean;

/// A module without a finding of the rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Valid {
    /// What it shows, in a few words.
    pub title: String,
    /// The module.
    pub source: String,
}

/// A module with a finding of the rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Invalid {
    /// The code of its findings.
    pub code: String,
    /// What it shows, in a few words.
    pub title: String,
    /// The module.
    pub source: String,
    /// The module as `--fix` leaves it.
    pub fixed: Option<String>,
    /// Why there is no fix, when the class could be made once.
    pub skip_reason: Option<String>,
    /// What to write by hand where there is no fix: a module without a finding.
    pub instead: Option<String>,
}

impl Valid {
    pub(super) fn validate(&self, key: &str) -> Result<(), Contradiction> {
        says_something(&self.title, format!("{key}.title"))?;
        is_python(&self.source, &format!("{key}.source"))
    }
}

impl Invalid {
    /// What to write instead, when the example shows it.
    #[must_use]
    pub fn instead(&self) -> Option<&str> {
        self.fixed.as_deref().or(self.instead.as_deref())
    }

    pub(super) fn validate(&self, key: &str, rule: &Rule) -> Result<(), Contradiction> {
        let fault = |part: &str, message: &str| {
            Err(Contradiction {
                key: format!("{key}.{part}"),
                message: message.to_owned(),
            })
        };
        says_something(&self.title, format!("{key}.title"))?;
        let is_constant = self.code == rule.constant.code;
        if !is_constant && self.code != rule.dynamic.code {
            let known = format!("{} or {}", rule.constant.code, rule.dynamic.code);
            let message = format!("`{}` is no code of this rule. Use {known}.", self.code);
            return fault("code", &message);
        }
        match (&self.fixed, &self.skip_reason) {
            (Some(_), Some(_)) => {
                let message = "an example with `fixed` has no `skip-reason`. Remove one of them.";
                return fault("skip-reason", message);
            }
            (Some(_), None) if !is_constant => {
                let message = "a class of run-time values cannot be hoisted. Use `instead`.";
                return fault("fixed", message);
            }
            (None, None) if is_constant => {
                let message = "it must say what `--fix` makes of it. Add `fixed` or `skip-reason`.";
                return fault("code", message);
            }
            (None, Some(reason)) if SkipReason::from_code(reason).is_none() || !is_constant => {
                return fault("skip-reason", &no_reason(reason));
            }
            _ => {}
        }
        let texts = [
            ("source", Some(&self.source)),
            ("fixed", self.fixed.as_ref()),
            ("instead", self.instead.as_ref()),
        ];
        for (part, text) in texts {
            text.map_or(Ok(()), |text| is_python(text, &format!("{key}.{part}")))?;
        }
        Ok(())
    }
}

/// What is said of a word that is no reason for the code.
fn no_reason(word: &str) -> String {
    let hint = match SkipReason::from_code(word) {
        Some(_) => String::new(),
        None => did_you_mean(word, SkipReason::ALL.iter().map(|reason| reason.code())),
    };
    format!("`{word}` is no reason for this code.{hint} The README lists them.")
}

fn is_python(text: &str, key: &str) -> Result<(), Contradiction> {
    parse(text).map(|_| ()).map_err(|error| Contradiction {
        key: key.to_owned(),
        message: format!("it is no Python module ({error}). Correct it."),
    })
}
