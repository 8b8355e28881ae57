//! Selectors of rules: from `--select`, `--ignore` and their keys to codes.

use std::collections::BTreeSet;

use super::fault::{Fault, quoted};
use super::per_file;
use super::table::{Table, Text};
use crate::rule::{Code, Registry};
use crate::text::suggest::did_you_mean;

/// The codes that are on where none are selected.
pub(super) fn defaults(registry: &'static Registry) -> BTreeSet<&'static str> {
    matching(registry, |code| registry.is_default(&code.code))
}

/// The codes that `select` takes and `ignore` leaves.
///
/// A rule goes by the longest selector that matches it: a code or a name is longest, `ALL`
/// shortest; between equals `ignore` wins. A rule that is off by default is on when a selector
/// matches it, however short.
pub(super) fn codes(
    registry: &'static Registry,
    select: &[String],
    ignore: &[String],
) -> BTreeSet<&'static str> {
    let is_wanted = |code: &Code| longest(select, code) > longest(ignore, code);
    matching(registry, is_wanted)
}

/// The codes that any of `selectors` matches.
pub(super) fn matched(registry: &'static Registry, selectors: &[String]) -> BTreeSet<&'static str> {
    matching(registry, |code| longest(selectors, code).is_some())
}

/// Checks that each selector in `table` matches a rule of `registry`.
///
/// # Errors
/// The first that does not.
pub(super) fn check(table: &Table, registry: &Registry) -> Result<(), Fault> {
    let ignores = table.per_file_ignores.iter().flatten();
    let ignores = ignores.map(|(_, rules)| (per_file::KEY, Some(rules)));
    let lists = [
        ("select", table.select.as_ref()),
        ("ignore", table.ignore.as_ref()),
    ];
    for (key, rules) in lists.into_iter().chain(ignores) {
        for selector in rules.map(Vec::as_slice).unwrap_or_default() {
            check_known(selector, registry).map_err(|fault| fault.in_key(key))?;
        }
    }
    Ok(())
}

fn check_known(text: &Text, registry: &Registry) -> Result<(), Fault> {
    let selector = text.get_ref();
    let matches = |code: &Code| match_length(selector, code).is_some();
    if registry.codes().iter().any(|(_, code)| matches(code)) {
        return Ok(());
    }
    let message = format!(
        "{} Use one of {}, the start of a code, or ALL.",
        unknown(selector, registry),
        known(registry)
    );
    Err(Fault::at(text.span(), message))
}

/// The sentence that there is no rule `selector`, and which one may be meant.
pub(crate) fn unknown(selector: &str, registry: &Registry) -> String {
    let selector = quoted(selector);
    let codes = registry.codes();
    let words = codes
        .iter()
        .flat_map(|(_, code)| [code.code.as_str(), code.name.as_str()]);
    let hint = did_you_mean(&selector, words.chain(["ALL"]));
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

fn matching(
    registry: &'static Registry,
    is_wanted: impl Fn(&Code) -> bool,
) -> BTreeSet<&'static str> {
    let all = registry.codes().into_iter();
    all.filter(|(_, code)| is_wanted(code))
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
    use crate::cli::config::table::text;
    use crate::rule::registry;

    fn owned(list: &[&str]) -> Vec<String> {
        list.iter().map(|item| (*item).to_owned()).collect()
    }

    fn rules() -> &'static Registry {
        registry().unwrap()
    }

    fn chosen(select: &[&str], ignore: &[&str]) -> Vec<&'static str> {
        let found = codes(rules(), &owned(select), &owned(ignore));
        found.into_iter().collect()
    }

    #[test]
    fn the_longest_matching_selector_wins_and_ignore_wins_a_draw() {
        let all = rules().codes();
        assert_eq!(chosen(&["ALL"], &[]).len(), all.len());
        assert!(!chosen(&["ALL"], &["HNT1"]).contains(&"HNT101"));
        assert_eq!(chosen(&["HNT101"], &["HNT1"]), ["HNT101"]);
        assert!(!chosen(&["HNT"], &["per-call-namedtuple"]).contains(&"HNT001"));
        assert_eq!(chosen(&["HNT00"], &["HNT005", "HNT007"]).len(), 6);
        assert_eq!(chosen(&["dynamic-namedtuple"], &["ALL"]), ["HNT101"]);
        assert!(chosen(&["HNT001"], &["HNT001"]).is_empty());
        assert!(chosen(&["ALL"], &["ALL"]).is_empty());
        assert!(chosen(&[], &[]).is_empty());
    }

    #[test]
    fn a_rule_that_is_off_by_default_is_on_when_a_selector_matches_it() {
        assert!(!defaults(rules()).contains("HNT006"));
        assert!(defaults(rules()).contains("HNT001"));
        for selector in ["HNT006", "per-call-type", "HNT", "HNT00", "ALL"] {
            assert!(chosen(&[selector], &[]).contains(&"HNT006"), "{selector}");
        }
    }

    #[test]
    fn what_is_ignored_for_a_file_is_all_that_a_selector_matches() {
        let found = matched(rules(), &owned(&["HNT0", "dynamic-namedtuple"]));
        assert!(found.contains("HNT001") && found.contains("HNT101"));
        assert!(matched(rules(), &[]).is_empty());
    }

    #[test]
    fn an_unknown_selector_is_named_with_what_may_be_meant() {
        let check_known = |selector: &str| {
            let checked = super::check_known(&text(selector), rules());
            checked.map_err(|fault| fault.message)
        };
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
