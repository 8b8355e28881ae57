//! `docs/rules.md`: all rules in one page, with every example of their files.

use std::fmt::Write;

use super::page::{body, python};
use super::table::{HEADINGS, rows};
use crate::rule::{Code, Registry, SkipReason};

const INTRODUCTION: &str = "\
# Rules

`hoist-namedtuple --generate rules-md` writes this page from the files in [`rules/`](../rules), which the program is
built from. Every example on it is a test. A rule is selected by its code, the start of it, its name, or `ALL`. Those
that are off by default are on when they are selected, be it by `HNT`.
";

/// The page of all rules of `registry`.
pub(crate) fn rules_md(registry: &Registry) -> String {
    let mut text = format!("{INTRODUCTION}\n{}", table(registry));
    for (_, code) in registry.codes() {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n{}{}",
            title(code),
            body(code, registry, "###"),
            further(code, registry)
        );
    }
    text
}

fn title(code: &Code) -> String {
    format!("{} ({})", code.name, code.code)
}

/// The contents: a row for each code, whose name leads to its chapter.
fn table(registry: &Registry) -> String {
    let cells = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
    let mut table = cells(&HEADINGS);
    table.push_str(&cells(&HEADINGS.map(|_| "---")));
    for [code, name, default, fix, cost] in rows(registry) {
        let anchor = format!("{name}-{}", code.to_lowercase());
        let (code, name) = (format!("`{code}`"), format!("[{name}](#{anchor})"));
        table.push_str(&cells(&[&code, &name, &default, &fix, &cost]));
    }
    table
}

/// The examples that the documentation of `code` does not show yet: further ones of the code, and
/// below the first code of a rule those without a finding.
fn further(code: &Code, registry: &Registry) -> String {
    let (valid, invalid) = registry.examples(&code.code);
    let mut text = String::new();
    for example in invalid.iter().skip(1) {
        let reason = example.skip_reason.as_deref();
        let reason = reason.and_then(SkipReason::from_code);
        let outcome = match (example.instead(), reason) {
            (Some(instead), _) => format!("\nIt becomes\n\n{}", python(instead)),
            (None, Some(reason)) => format!(
                "\nIt is not fixed: {} (`{}`).\n",
                reason.sentence(),
                reason.code()
            ),
            (None, None) => String::new(),
        };
        let source = python(&example.source);
        let _ = write!(text, "\n### {}\n\n{source}{outcome}", example.title);
    }
    let is_first = registry
        .by_code(&code.code)
        .is_some_and(|(rule, _)| rule.is_none_or(|rule| rule.constant.code == code.code));
    if is_first {
        for example in valid {
            let source = python(&example.source);
            let _ = write!(text, "\n### No finding: {}\n\n{source}", example.title);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::rule::registry;

    #[test]
    fn the_page_in_the_repository_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
        let expected = rules_md(registry().unwrap());
        if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
            fs::write(&path, &expected).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found.replace('\r', "") == expected,
            "run INSTA_UPDATE=always cargo test --lib manual, and review the difference"
        );
    }

    #[test]
    fn every_row_leads_to_its_chapter() {
        let page = rules_md(registry().unwrap());
        let anchors = page.lines().filter_map(|line| line.strip_prefix("## "));
        let anchors: Vec<String> = anchors
            .map(|title| {
                title
                    .replace(['(', ')'], "")
                    .replace(' ', "-")
                    .to_lowercase()
            })
            .collect();
        assert_eq!(anchors.len(), registry().unwrap().codes().len());
        for anchor in anchors {
            assert!(page.contains(&format!("](#{anchor})")), "{anchor}");
        }
    }
}
