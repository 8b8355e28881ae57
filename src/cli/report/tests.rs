//! Each format on the same findings.

use std::sync::Arc;

use super::*;
use crate::rule::{Definition, Fix, SkipReason};
use crate::text::lines::offset;
use crate::text::{Edit, Edits, TextRange};

/// A finding for each `namedtuple(...)` in `text` up to its first `)`: the first has a safe fix, the
/// second a skip reason, the third is dynamic, and the fourth has an unsafe fix.
pub(crate) fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let found = text.match_indices("namedtuple(");
    found
        .enumerate()
        .map(|(index, (at, _))| finding(text, index, at))
        .collect()
}

fn finding(text: &str, index: usize, at: usize) -> Diagnostic {
    let end = at + text.split_at(at).1.find(')').unwrap() + 1;
    let range = TextRange::new(offset(at), offset(end));
    let edits = || {
        let insertion = Edit::insertion("P = 1\n".into(), offset(0));
        Edits::new(vec![insertion, Edit::replacement("P".into(), range)]).unwrap()
    };
    let fix = match index {
        0 => Some(Fix::safe("Hoist it as `P`.".into(), edits())),
        3 => Some(Fix::unsafe_("Hoist it as `P`.".into(), edits())),
        _ => None,
    };
    Diagnostic {
        code: if index == 2 { "HNT101" } else { "HNT001" },
        name: if index == 2 {
            "dynamic-namedtuple"
        } else {
            "per-call-namedtuple"
        },
        message: "A class on every call, 100% of them.".into(),
        range,
        statement: range,
        factory: Some("collections.namedtuple".into()),
        typename: Some("P".into()),
        fields: Some(vec!["x".into()]),
        scope: "f".into(),
        skip_reason: (index == 1).then_some(SkipReason::ClassCompared),
        definition: fix.as_ref().map(|_| {
            Arc::new(Definition {
                name: "P".into(),
                text: "P = 1".into(),
                reused: false,
            })
        }),
        fix: fix.map(Arc::new),
        trace: vec!["it resolves to collections.namedtuple".into()],
    }
}

fn rendered(format: Format, path: &str, text: &str) -> String {
    let mut report = Report::new(format, false, PathBuf::from("/cwd"));
    let diagnostics = diagnostics(text);
    let findings = Findings {
        path: Path::new(path),
        text,
        diagnostics: &diagnostics,
    };
    let mut out = Vec::new();
    report.start(&mut out).unwrap();
    report.file(&mut out, findings).unwrap();
    report.finish(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const TWO: &str = "def f(x):\n    return '\u{1F600}', namedtuple('P', 'x')(x)\n\n    namedtuple(\n        'Q', 'y'\n    )\n";

#[test]
fn concise_is_a_line_a_finding_with_its_outcome() {
    insta::assert_snapshot!(rendered(Format::Concise, "a b.py", TWO));
}

#[test]
fn full_shows_the_source_the_outcome_and_the_help() {
    insta::assert_snapshot!(rendered(Format::Full, "src/m.py", TWO));
}

#[test]
fn full_of_old_mac_line_ends_and_tabs_keeps_rows_apart() {
    let text = "def f(x):\r\treturn namedtuple('P', 'x')(x)\r";
    insta::assert_snapshot!(rendered(Format::Full, "m.py", text));
}

#[test]
fn full_cuts_long_lines_around_the_call() {
    let long = "a".repeat(1_000_000);
    let text = format!("x = '{long}', namedtuple('P', 'x')('{long}')\n");
    let out = rendered(Format::Full, "m.py", &text);
    assert!(out.len() < 2000, "{}", out.len());
    assert!(out.contains("namedtuple('P', 'x')"), "{out}");
    assert!(out.contains("m.py:1:1000009"), "{out}");
    let text = format!("namedtuple('P', '{}')\n", "é\n".repeat(10_000));
    assert!(rendered(Format::Full, "m.py", &text).len() < 2000);
}

#[test]
fn json_has_the_names_of_ruff_and_ours() {
    let out = rendered(Format::Json, "m.py", TWO);
    let list: serde_json::Value = serde_json::from_str(&out).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&list).unwrap());
    assert_eq!(rendered(Format::Json, "m.py", "x = 1\n"), "[]\n");
}

#[test]
fn github_escapes_and_gives_columns_for_one_line_only() {
    insta::assert_snapshot!(rendered(Format::Github, "we,ird:50%.py", TWO));
}

#[test]
fn a_dynamic_call_and_an_unsafe_fix_say_what_they_are() {
    let text = "namedtuple()\n".repeat(4);
    let out = rendered(Format::Concise, "m.py", &text);
    let last: Vec<&str> = out.lines().skip(2).collect();
    assert_eq!(
        last,
        [
            "m.py:3:1: HNT101 A class on every call, 100% of them.",
            "m.py:4:1: HNT001 A class on every call, 100% of them. (fixable with --fix --unsafe-fixes)",
        ]
    );
}
