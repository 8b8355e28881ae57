//! Selectors of rules: from `--select`, `--ignore` and their keys to codes.

use std::collections::BTreeSet;

use super::suggest::did_you_mean;
use crate::rule::{Code, Registry, registry};

/// All codes.
pub(crate) fn all() -> BTreeSet<&'static str> {
    matching(|_| true)
}

/// The codes that `select` takes and `ignore` leaves.
///
/// A rule goes by the longest selector that matches it: a code or a name is longest, `ALL`
/// shortest; between equals `ignore` wins.
pub(crate) fn codes(select: &[String], ignore: &[String]) -> BTreeSet<&'static str> {
    let is_wanted = |code: &Code| longest(select, code) > longest(ignore, code);
    matching(is_wanted)
}

/// The codes that any of `selectors` matches.
pub(crate) fn matched(selectors: &[String]) -> BTreeSet<&'static str> {
    matching(|code| longest(selectors, code).is_some())
}

/// Checks that `selector` matches a rule.
///
/// # Errors
/// A sentence that tells what is known, or that a built-in rule cannot be used.
pub(crate) fn check_known(selector: &str) -> Result<(), String> {
    let registry = registry().map_err(ToString::to_string)?;
    let matches = |code: &Code| match_length(selector, code).is_some();
    if registry.codes().iter().any(|(_, code)| matches(code)) {
        return Ok(());
    }
    Err(format!(
        "{} Use one of {}, the start of a code, or ALL.",
        unknown(selector, registry),
        known(registry)
    ))
}

/// The sentence that there is no rule `selector`, and which one may be meant.
pub(crate) fn unknown(selector: &str, registry: &Registry) -> String {
    let codes = registry.codes();
    let words = codes
        .iter()
        .flat_map(|(_, code)| [code.code.as_str(), code.name.as_str()]);
    let hint = did_you_mean(selector, words.chain(["ALL"]));
    format!("there is no rule `{selector}`.{hint}")
}

/// All codes with their names, as a list in a sentence.
pub(crate) fn known(registry: &Registry) -> String {
    let rules: Vec<String> = registry
        .codes()
        .iter()
        .map(|(_, code)| format!("{} ({})", code.code, code.name))
        .collect();
    rules.join(", ")
}

fn matching(is_wanted: impl Fn(&Code) -> bool) -> BTreeSet<&'static str> {
    // A test proves that the built-in rules can be used.
    let all = registry().map(Registry::codes).unwrap_or_default();
    all.into_iter()
        .filter(|(_, code)| is_wanted(code))
        .map(|(_, code)| code.code.as_str())
        .collect()
}

fn longest(selectors: &[String], code: &Code) -> Option<usize> {
    selectors
        .iter()
        .filter_map(|selector| match_length(selector, code))
        .max()
}

fn match_length(selector: &str, code: &Code) -> Option<usize> {
    match selector {
        "ALL" => Some(0),
        "" => None,
        _ if selector == code.name => Some(code.code.len()),
        _ => code.code.starts_with(selector).then_some(selector.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(list: &[&str]) -> Vec<String> {
        list.iter().map(|item| (*item).to_owned()).collect()
    }

    fn chosen(select: &[&str], ignore: &[&str]) -> Vec<&'static str> {
        let found = codes(&owned(select), &owned(ignore));
        found.into_iter().collect()
    }

    #[test]
    fn the_longest_matching_selector_wins_and_ignore_wins_a_draw() {
        assert!(chosen(&["ALL"], &[]).into_iter().eq(all()));
        assert!(!chosen(&["ALL"], &["HNT1"]).contains(&"HNT101"));
        assert_eq!(chosen(&["HNT101"], &["HNT1"]), ["HNT101"]);
        assert!(!chosen(&["HNT"], &["per-call-namedtuple"]).contains(&"HNT001"));
        assert_eq!(chosen(&["HNT0"], &[]), ["HNT001"]);
        assert_eq!(chosen(&["dynamic-namedtuple"], &["ALL"]), ["HNT101"]);
        assert!(chosen(&["HNT001"], &["HNT001"]).is_empty());
        assert!(chosen(&["ALL"], &["ALL"]).is_empty());
        assert!(chosen(&[], &[]).is_empty());
    }

    #[test]
    fn what_is_ignored_for_a_file_is_all_that_a_selector_matches() {
        let found = matched(&owned(&["HNT0", "dynamic-namedtuple"]));
        assert!(found.contains("HNT001") && found.contains("HNT101"));
        assert!(matched(&[]).is_empty());
    }

    #[test]
    fn an_unknown_selector_is_named_with_what_may_be_meant() {
        for unknown in ["E501", "HNT9999", "HNT0011", "", "hnt001"] {
            let error = check_known(unknown).unwrap_err();
            assert!(error.contains(&format!("`{unknown}`")), "{error}");
        }
        let error = check_known("HNT01").unwrap_err();
        assert!(error.contains("Did you mean `HNT001`?"), "{error}");
        let error = check_known("per-call-namedtuples").unwrap_err();
        assert!(error.contains("`per-call-namedtuple`?"), "{error}");
        assert_eq!(check_known("HNT"), Ok(()));
    }
}
