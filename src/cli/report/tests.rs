//! Each format on the same findings.

use std::sync::Arc;

use clap::ValueEnum;

use super::*;
use crate::cli::args::Format;
use crate::cli::output::Output;
use crate::rule::{Definition, Fix, SkipReason, registry};
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

fn root() -> Root {
    Root::new("/repo/sub".into(), Some("/repo".into()))
}

fn output(format: Format) -> Output {
    Output { format, file: None }
}

/// What `sinks` write of the findings in `text`.
fn written(mut sinks: Sinks, path: &str, text: &str) -> String {
    let diagnostics = diagnostics(text);
    let findings = Findings {
        path: Path::new(path),
        text,
        diagnostics: &diagnostics,
        registry: registry().unwrap(),
    };
    sinks.start(registry().unwrap()).unwrap();
    sinks.findings(findings).unwrap();
    sinks.finish().unwrap();
    String::from_utf8(sinks.take_stream()).unwrap()
}

fn rendered(format: Format, path: &str, text: &str) -> String {
    let sinks = Sinks::new(&[output(format)], false, false, root());
    written(sinks, path, text)
}

/// What `format` writes of a file with a syntax error and of one that is gone.
fn troubled(format: Format) -> String {
    let mut sinks = Sinks::new(&[output(format)], false, false, root());
    sinks.start(registry().unwrap()).unwrap();
    let mut problem = Problem::new("we,ird:50%.py", "It is no Python.");
    problem.place = Some(Location { row: 2, column: 3 });
    sinks.problem(&problem).unwrap();
    let gone = Problem::new("../../gone.py", "It is gone.");
    sinks.problem(&gone).unwrap();
    sinks.finish().unwrap();
    String::from_utf8(sinks.take_stream()).unwrap()
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
fn full_shows_no_control_character_that_a_terminal_obeys() {
    let out = rendered(
        Format::Full,
        "m.py",
        "x = '\u{9b}31m\u{1b}[31m', namedtuple('P')\n",
    );
    assert!(!out.contains(['\u{9b}', '\u{1b}']), "{out}");
    assert!(out.contains("\u{a4}31m"), "{out}");
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

#[test]
fn gitlab_has_an_issue_a_finding_and_a_problem() {
    insta::assert_snapshot!(rendered(Format::Gitlab, "we,ird:50%.py", TWO));
    insta::assert_snapshot!(troubled(Format::Gitlab));
}

#[test]
fn junit_has_a_test_case_a_finding_and_a_problem() {
    insta::assert_snapshot!(rendered(Format::Junit, "a <b>&c.py", TWO));
    insta::assert_snapshot!(troubled(Format::Junit));
    insta::assert_snapshot!(rendered(Format::Junit, "m.py", "x = 1\n"));
}

#[test]
fn junit_holds_only_what_xml_permits() {
    let out = rendered(
        Format::Junit,
        "a\u{1}\u{b}\u{fffe}\u{ffff}\u{1b}[0m.py",
        TWO,
    );
    let is_forbidden =
        |c: char| matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\u{fffe}'..='\u{ffff}');
    assert!(!out.contains(is_forbidden), "{out}");
}

#[test]
fn sarif_has_a_result_a_finding_and_a_notification_a_problem() {
    let run = |text: &str| {
        let log: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut run = log["runs"][0].clone();
        run["tool"]["driver"]["rules"].take();
        run["tool"]["driver"]["version"].take();
        run["tool"]["driver"]["semanticVersion"].take();
        serde_json::to_string_pretty(&run).unwrap()
    };
    insta::assert_snapshot!(run(&rendered(Format::Sarif, "a #b.py", TWO)));
    insta::assert_snapshot!(run(&troubled(Format::Sarif)));
}

#[test]
fn github_tells_of_problems() {
    assert_eq!(
        troubled(Format::Github),
        "::error title=hoist-namedtuple,file=sub/we%2Cird%3A50%25.py,line=2,col=3::It is no Python.\n\
         ::error title=hoist-namedtuple,file=/gone.py::It is gone.\n"
    );
}

#[test]
fn json_lines_are_the_objects_of_json() {
    let lines = rendered(Format::JsonLines, "m.py", TWO);
    let of_lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of_list: Vec<serde_json::Value> =
        serde_json::from_str(&rendered(Format::Json, "m.py", TWO)).unwrap();
    assert_eq!(of_lines, of_list);
    assert_eq!(rendered(Format::JsonLines, "m.py", ""), "");
}

#[test]
fn formats_for_people_and_lists_of_findings_leave_problems_to_stderr() {
    for format in [
        Format::Full,
        Format::Concise,
        Format::Json,
        Format::JsonLines,
    ] {
        assert_eq!(troubled(format), rendered(format, "m.py", ""), "{format}");
    }
}

#[test]
fn several_formats_are_written_at_once() {
    let outputs: Vec<Output> = Format::value_variants()
        .iter()
        .map(|format| Output {
            format: *format,
            file: Some(format.to_string().into()),
        })
        .collect();
    let mut sinks = Sinks::new(&outputs, false, true, root());
    sinks.start(registry().unwrap()).unwrap();
    let diagnostics = diagnostics(TWO);
    let path = Path::new("m.py");
    let findings = Findings {
        path,
        text: TWO,
        diagnostics: &diagnostics,
        registry: registry().unwrap(),
    };
    sinks.findings(findings).unwrap();
    sinks.finish().unwrap();
    assert!(sinks.take_stream().is_empty());
    for ((file, bytes), output) in sinks.files().zip(&outputs) {
        assert_eq!(file, output.file.as_deref().unwrap());
        let alone = rendered(output.format, "m.py", TWO);
        assert_eq!(String::from_utf8_lossy(bytes), alone);
    }
}

#[test]
fn statistics_count_by_rule_and_by_what_can_be_done() {
    let text = "namedtuple()\n".repeat(13);
    let counted = |format, text: &str| {
        let sinks = Sinks::new(&[output(format)], true, false, root());
        written(sinks, "m.py", text)
    };
    insta::assert_snapshot!(counted(Format::Full, &text));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&counted(Format::Json, &text)).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&rows).unwrap());
    let lines = counted(Format::JsonLines, &text);
    let of_lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(of_lines, rows);
    assert_eq!(
        counted(Format::Concise, &text),
        counted(Format::Full, &text)
    );
    let empty = [Format::Full, Format::Json, Format::JsonLines].map(|format| counted(format, ""));
    assert_eq!(empty, ["", "[]\n", ""]);
}
