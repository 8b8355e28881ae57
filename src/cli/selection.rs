//! `--select` and `--ignore`: from selectors to the codes that are reported.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::rule::{Code, Registry, registry};

/// The codes that `select` takes and `ignore` leaves.
///
/// A rule goes by the longest selector that matches it: a code or a name is longest, `ALL`
/// shortest; between equals `ignore` wins. Nothing selected means `ALL`.
///
/// # Errors
/// A selector that matches no rule, or a built-in rule that cannot be used.
pub(crate) fn codes(select: &[String], ignore: &[String]) -> Result<BTreeSet<&'static str>> {
    let registry = registry()?;
    check_known("--select", select, registry)?;
    check_known("--ignore", ignore, registry)?;
    let all = ["ALL".to_owned()];
    let select = if select.is_empty() { &all } else { select };
    let wanted = registry
        .codes()
        .into_iter()
        .filter(|(_, code)| longest(select, code) > longest(ignore, code))
        .map(|(_, code)| code.code.as_str());
    Ok(wanted.collect())
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

fn check_known(option: &str, selectors: &[String], registry: &Registry) -> Result<()> {
    for selector in selectors {
        let matches = |code: &Code| match_length(selector, code).is_some();
        if !registry.codes().iter().any(|(_, code)| matches(code)) {
            bail!(
                "{option}: there is no rule `{selector}`. Use one of {}, the start of a code, or ALL.",
                known(registry)
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(select: &[&str], ignore: &[&str]) -> Vec<&'static str> {
        let owned = |list: &[&str]| {
            list.iter()
                .map(|item| (*item).to_owned())
                .collect::<Vec<_>>()
        };
        codes(&owned(select), &owned(ignore))
            .unwrap()
            .into_iter()
            .collect()
    }

    #[test]
    fn the_longest_matching_selector_wins_and_ignore_wins_a_draw() {
        let all = ["HNT001", "HNT101", "HNT900"];
        assert_eq!(chosen(&[], &[]), all);
        assert_eq!(chosen(&["ALL"], &["HNT1"]), ["HNT001", "HNT900"]);
        assert_eq!(chosen(&["HNT101"], &["HNT1"]), ["HNT101"]);
        assert_eq!(
            chosen(&["HNT"], &["per-call-namedtuple"]),
            ["HNT101", "HNT900"]
        );
        assert_eq!(chosen(&["HNT0"], &[]), ["HNT001"]);
        assert_eq!(chosen(&["dynamic-namedtuple"], &["ALL"]), ["HNT101"]);
        assert!(chosen(&["HNT001"], &["HNT001"]).is_empty());
        assert!(chosen(&["ALL"], &["ALL"]).is_empty());
    }

    #[test]
    fn an_unknown_selector_is_named() {
        for unknown in ["E501", "HNT8", "HNT0011", "", "hnt001"] {
            let error = codes(&[unknown.to_owned()], &[]).unwrap_err().to_string();
            assert!(error.contains(&format!("`{unknown}`")), "{error}");
            assert!(error.contains("--select"), "{error}");
        }
        assert!(codes(&[], &["nope".to_owned()]).is_err());
    }
}
