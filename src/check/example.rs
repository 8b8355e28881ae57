//! Examples of rules as tests: what a check makes of one, held against what it says.

use super::{CheckResult, FileContext, Settings, check};
use crate::rule::{Applicability, Diagnostic, Invalid, Registry, Rule, Valid};

/// How an example differs from what a check makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// In a way that a sentence tells: what is so, and what to do.
    Told(String),
    /// The text that `--fix` leaves is another one.
    Fixed {
        /// The text that the example shows.
        expected: String,
        /// The text that it really is.
        found: String,
    },
}

/// Runs the examples of one rule, with its codes alone, as a file that stands by itself.
#[derive(Debug, Clone)]
pub struct Examples {
    settings: Settings,
    /// Whether a finding of no matter which code counts.
    is_of_comments: bool,
}

impl Examples {
    /// For the examples of `rule`, one of `registry`; of the code about comments without one, which
    /// needs the default codes around it.
    #[must_use]
    pub fn new(registry: &'static Registry, rule: Option<&'static Rule>) -> Self {
        let codes = match rule {
            Some(rule) => rule.codes().map(|code| code.code.as_str()).into(),
            None => {
                let codes = registry.codes().into_iter();
                let codes = codes.map(|(_, code)| code.code.as_str());
                codes.filter(|code| registry.is_default(code)).collect()
            }
        };
        Self {
            settings: Settings {
                registry,
                codes,
                ..Settings::default()
            },
            is_of_comments: rule.is_none(),
        }
    }

    /// How a module that should have no finding differs from that; `None` when it does not.
    #[must_use]
    pub fn valid(&self, example: &Valid) -> Option<Difference> {
        let result = match self.check(&example.source) {
            Ok(result) => result,
            Err(difference) => return Some(difference),
        };
        let first = result.diagnostics.first()?;
        Some(told(format!(
            "it has a finding of {}, and should have none: {}. Correct the source, or make it an \
             `[[invalid]]` example.",
            first.code, first.message
        )))
    }

    /// How a module with findings differs from what it says of them; `None` when it does not.
    #[must_use]
    pub fn invalid(&self, example: &Invalid) -> Option<Difference> {
        let result = match self.check(&example.source) {
            Ok(result) => result,
            Err(difference) => return Some(difference),
        };
        findings(&result.diagnostics, example)
            .or_else(|| self.outcome(&result, example))
            .or_else(|| self.instead(example))
    }

    fn check(&self, source: &str) -> Result<CheckResult, Difference> {
        let result = check(source, &FileContext::default(), &self.settings);
        result.map_err(|error| told(format!("it is no Python module ({error}). Correct it.")))
    }

    /// What `--fix` makes of it.
    fn outcome(&self, result: &CheckResult, example: &Invalid) -> Option<Difference> {
        let first = result.diagnostics.first()?;
        match (&example.fixed, &result.patched) {
            (Some(expected), Some(found)) if expected == found => None,
            (Some(expected), Some(found)) => Some(Difference::Fixed {
                expected: expected.clone(),
                found: found.clone(),
            }),
            (Some(_), None) => Some(not_fixed(first)),
            (None, Some(_)) => Some(told(
                "`--fix` changes it, and it shows no `fixed` text. Give it one, or correct the source."
                    .to_owned(),
            )),
            (None, None) => skipped(first, example.skip_reason.as_deref()),
        }
    }

    /// What to write by hand has no finding itself.
    fn instead(&self, example: &Invalid) -> Option<Difference> {
        let instead = example.instead()?;
        let result = match self.check(instead) {
            Ok(result) => result,
            Err(difference) => return Some(difference),
        };
        let mut left = result.diagnostics.iter();
        let left = left.find(|found| self.is_of_comments || found.code == example.code)?;
        Some(told(format!(
            "what it shows to write instead has a finding of {} itself: {}. Correct that text.",
            left.code, left.message
        )))
    }
}

fn told(sentence: String) -> Difference {
    Difference::Told(sentence)
}

/// The findings are there, and of the right code.
fn findings(found: &[Diagnostic], example: &Invalid) -> Option<Difference> {
    let wanted = &example.code;
    let other = found.iter().find(|found| found.code != wanted);
    match (found, other) {
        ([], _) => Some(told(format!(
            "it has no finding, and should have one of {wanted}. Correct the source or the rule, or \
             make it a `[[valid]]` example."
        ))),
        (_, Some(other)) => Some(told(format!(
            "it has a finding of {}, and should have those of {wanted} only: {}. Correct the source \
             or the code.",
            other.code, other.message
        ))),
        _ => None,
    }
}

/// There is no fix for the reason that is given.
fn skipped(first: &Diagnostic, wanted: Option<&str>) -> Option<Difference> {
    let found = first.skip_reason.map(|reason| reason.code());
    match (found, wanted) {
        (None, None) => None,
        (Some(found), Some(wanted)) if found == wanted => None,
        (Some(found), _) => Some(told(format!(
            "it is not fixed because of `{found}`. Give it that `skip-reason`, or correct the source."
        ))),
        (None, Some(wanted)) => Some(told(format!(
            "it is not refused because of `{wanted}`. Leave the `skip-reason` out, or correct the \
             source."
        ))),
    }
}

fn not_fixed(first: &Diagnostic) -> Difference {
    let fix = first.fix.as_ref().map(|fix| fix.applicability());
    told(match (fix, first.skip_reason) {
        (Some(Applicability::Unsafe), _) => {
            "its fix is unsafe, and an example shows safe ones. Correct the source.".to_owned()
        }
        (_, Some(reason)) => format!(
            "it is not fixed, because {}. Give it `skip-reason = \"{}\"` in place of `fixed`, or \
             correct the source.",
            reason.sentence(),
            reason.code()
        ),
        (_, None) => "it is not fixed. Correct the source.".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::registry;

    const SOURCE: &str =
        "from collections import namedtuple\n\n\ndef f(a):\n    return namedtuple('P', 'x')(a)\n";
    const FIXED: &str = "from collections import namedtuple\n\nP = namedtuple('P', 'x')\n\n\ndef f(a):\n    return P(a)\n";

    fn examples() -> Examples {
        let registry = registry().unwrap();
        Examples::new(registry, registry.by_factory("collections.namedtuple"))
    }

    fn example(source: &str, fixed: Option<&str>, reason: Option<&str>) -> Invalid {
        Invalid {
            code: "HNT001".to_owned(),
            title: String::new(),
            source: source.to_owned(),
            fixed: fixed.map(str::to_owned),
            skip_reason: reason.map(str::to_owned),
            instead: None,
        }
    }

    /// What is told of an example, or the text that was found instead.
    fn difference(example: &Invalid) -> String {
        match examples().invalid(example) {
            None => String::new(),
            Some(Difference::Told(sentence)) => sentence,
            Some(Difference::Fixed { found, .. }) => found,
        }
    }

    #[test]
    fn an_example_that_is_right_does_not_differ() {
        assert_eq!(difference(&example(SOURCE, Some(FIXED), None)), "");
        let valid = |source: &str| Valid {
            title: String::new(),
            source: source.to_owned(),
        };
        assert_eq!(examples().valid(&valid(FIXED)), None);
        assert!(examples().valid(&valid(SOURCE)).is_some());
    }

    #[test]
    fn each_way_to_differ_is_told() {
        let written = SOURCE.replace("(a)\n", "(a).__class__\n");
        let returned = SOURCE.replace("(a)\n", "\n").replace("f(a)", "f()");
        let mut of_other_code = example(SOURCE, None, None);
        of_other_code.code = "HNT101".to_owned();
        for (example, words) in [
            (example("x = 1\n", Some("x = 1\n"), None), "no finding"),
            (of_other_code, "of HNT101 only"),
            (
                example(SOURCE, None, Some("class-written")),
                "`--fix` changes it",
            ),
            (example(&written, Some(FIXED), None), "skip-reason = \""),
            (example(&returned, Some(FIXED), None), "its fix is unsafe"),
            (
                example(&written, None, Some("class-written")),
                "not fixed because of `",
            ),
            (example("def (", None, None), "no Python module"),
        ] {
            let told = difference(&example);
            assert!(told.contains(words), "{words}: {told}");
        }
        let other = FIXED.replace("P = ", "Q = ");
        assert_eq!(difference(&example(SOURCE, Some(&other), None)), FIXED);
    }

    #[test]
    fn what_to_write_instead_has_no_finding() {
        let mut example = example(&SOURCE.replace("'x'", "a"), None, None);
        example.code = "HNT101".to_owned();
        example.instead = Some(example.source.clone());
        let told = difference(&example);
        assert!(told.starts_with("what it shows to write instead"), "{told}");
    }
}
