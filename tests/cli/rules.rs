//! Rules: which are reported, which a comment silences, and what they say about themselves.

use crate::project::{Project, Ran};

const BOTH: &str = r#"from collections import namedtuple
def f(a):
    return namedtuple("P", "x")(a)
def g(a):
    return namedtuple("P", a)(*a)
"#;

/// The places and codes of the findings of a run.
fn found(ran: &Ran) -> Vec<String> {
    let words = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    ran.stdout.lines().map(words).collect()
}

#[test]
fn selectors_choose_what_is_reported_and_fixed() {
    let run = |args: &[&str]| {
        let project = Project::with(&[("m.py", BOTH.as_bytes())]);
        let args = [&["--output-format", "concise"], args].concat();
        found(&project.run(&args))
    };
    let (constant, dynamic) = ("m.py:3:12: HNT001", "m.py:5:12: HNT101");
    assert_eq!(run(&[]), [constant, dynamic]);
    assert_eq!(run(&["--select", "HNT101"]), [dynamic]);
    assert_eq!(run(&["--ignore", "dynamic-namedtuple"]), [constant]);
    assert_eq!(run(&["--fix", "--select", "HNT101"]), [dynamic]);
    assert_eq!(run(&["--fix", "--select", "HNT0"]), Vec::<String>::new());
}

#[test]
fn comments_silence_findings_and_are_counted() {
    let with = |comment: &str| BOTH.replace("(a)\n", &format!("(a)  {comment}\n"));
    for (comment, is_silenced) in [
        ("# noqa", true),
        ("# noqa: HNT001", true),
        ("# noqa: E501,HNT001", true),
        ("# hoist-namedtuple: ignore[HNT001]", true),
        ("# noqa: E501", false),
        ("# noqa: HNT101", false),
        ("# hoist-namedtuple: ignore[HNT101]", false),
    ] {
        let text = with(comment).replace("def f(a)  ", "def f(a)");
        let project = Project::with(&[("m.py", text.as_bytes())]);
        let ran = project.run(&["--output-format", "concise"]);
        assert_eq!(
            found(&ran).len(),
            if is_silenced { 1 } else { 2 },
            "{comment}: {ran:?}"
        );
        let counted = ran.stderr.contains("\n  1 more silenced by comments\n");
        assert_eq!(counted, is_silenced, "{comment}: {ran:?}");
    }
}

#[test]
fn a_rule_is_explained_by_code_and_by_name() {
    let project = Project::with(&[]);
    let ran = project.run(&["--explain", "HNT001"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(
        project.run(&["--explain", "per-call-namedtuple"]).stdout,
        ran.stdout
    );
    let unknown = project.run(&["--explain", "HNT0"]);
    unknown.fails_with(&[
        "`HNT0`",
        "HNT001 (per-call-namedtuple), HNT101 (dynamic-namedtuple).",
    ]);
}

#[test]
fn rules_are_listed_a_line_each() {
    let ran = Project::with(&[]).run(&["--list-rules"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with("HNT001  per-call-namedtuple  A namedtuple class"),
        "{lines:?}"
    );
}
