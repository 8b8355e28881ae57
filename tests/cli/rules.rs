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
        let ran = project.run(&["--output-format", "concise", "--ignore", "HNT900"]);
        assert_eq!(
            found(&ran).len(),
            if is_silenced { 1 } else { 2 },
            "{comment}: {ran:?}"
        );
        let counted = ran.stderr.contains("\n  1 more silenced by comments\n");
        assert_eq!(counted, is_silenced, "{comment}: {ran:?}");
    }
}

/// A module with a comment that is used, two that are not, and one in a file of its own.
const COMMENTS: &str = r#"from collections import namedtuple
def f(a):
    # hoist-namedtuple: ignore[HNT001] pickled
    return namedtuple("P", "x")(a)
def g(a):
    Q = namedtuple("Q", "x")  # hoist-namedtuple: ignore[HNT101]
    return Q(a)
"#;

#[test]
fn comments_that_silence_nothing_are_found_and_removed() {
    let plain = "x = 1  # hoist-namedtuple: ignore\r\n";
    let files = [("m.py", COMMENTS.as_bytes()), ("n.py", plain.as_bytes())];
    let project = Project::with(&files);
    let ran = project.run(&["--output-format", "concise"]);
    let places = ["m.py:6:9: HNT001", "m.py:6:31: HNT900", "n.py:1:8: HNT900"];
    assert_eq!(
        (found(&ran), ran.code),
        (places.map(str::to_owned).to_vec(), Some(1))
    );
    assert!(
        ran.stderr.contains("\n  1 more silenced by comments\n"),
        "{ran:?}"
    );
    let without = project.run(&[
        "--output-format",
        "concise",
        "--ignore",
        "unused-suppression",
    ]);
    assert_eq!(found(&without), ["m.py:6:9: HNT001"]);
    let fixed = project.run(&["--fix"]);
    assert_eq!(
        (fixed.code, fixed.stdout.as_str()),
        (Some(0), ""),
        "{fixed:?}"
    );
    assert!(fixed.stderr.contains("\n  3 fixed\n"), "{fixed:?}");
    let text = std::fs::read_to_string(project.path("m.py")).unwrap();
    assert!(text.contains("\nQ = namedtuple(\"Q\", \"x\")\n"), "{text}");
    assert!(
        text.contains("    # hoist-namedtuple: ignore[HNT001] pickled\n"),
        "{text}"
    );
    assert_eq!(std::fs::read(project.path("n.py")).unwrap(), b"x = 1\r\n");
    assert_eq!(project.run(&["--fix"]).code, Some(0));
}

#[test]
fn a_removal_leaves_every_other_byte() {
    let latin =
        b"# coding: latin-1\nx = '\xe9'  # \xe9  # hoist-namedtuple: ignore \xe9\n".as_slice();
    let marked = b"\xef\xbb\xbf# hoist-namedtuple: ignore-file\nx = 1\r# hoist-namedtuple: ignore"
        .as_slice();
    let project = Project::with(&[("latin.py", latin), ("marked.py", marked)]);
    assert_eq!(project.run(&["--fix", "-q"]).code, Some(0));
    let read = |name| std::fs::read(project.path(name)).unwrap();
    assert_eq!(read("latin.py"), b"# coding: latin-1\nx = '\xe9'  # \xe9\n");
    assert_eq!(read("marked.py"), b"\xef\xbb\xbfx = 1");
}

#[test]
fn a_removal_with_a_hoist_shares_its_fix_and_names_no_factory() {
    let project = Project::with(&[("m.py", COMMENTS.as_bytes())]);
    let ran = project.run(&["--output-format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let [call, comment] = list.as_array().unwrap().as_slice() else {
        panic!("{list}");
    };
    assert_eq!(comment["code"], "HNT900");
    for key in ["factory", "typename", "fields", "definition", "skip_reason"] {
        assert!(comment[key].is_null(), "{key}: {comment}");
    }
    assert_eq!(comment["scope"], "g");
    let place = serde_json::json!({"row": 6, "column": 9});
    assert_eq!(comment["fix"]["shared_with"], place);
    assert_eq!(comment["fix"]["message"], call["fix"]["message"]);
    // The edits that both share are all that `--fix` does about the two.
    let edits = call["fix"]["edits"].to_string();
    assert!(edits.contains("Q = namedtuple"), "{edits}");
    assert!(!edits.contains("hoist-namedtuple:"), "{edits}");
    assert_eq!(call["definition"]["text"], "Q = namedtuple(\"Q\", \"x\")");
}

#[test]
fn an_ignored_file_has_no_findings_but_counts_them() {
    let text = format!("# hoist-namedtuple: ignore-file generated\n{BOTH}");
    let files = [("m.py", text.as_bytes()), ("n.py", BOTH.as_bytes())];
    let project = Project::with(&files);
    let ran = project.run(&["--fix", "--output-format", "concise"]);
    assert_eq!(found(&ran), ["n.py:9:12: HNT101"]);
    assert!(
        ran.stderr.contains("2 more silenced by comments"),
        "{ran:?}"
    );
    assert_eq!(std::fs::read_to_string(project.path("m.py")).unwrap(), text);
}

#[test]
fn the_trace_of_a_comment_says_what_it_names_and_silences() {
    let text = "x = 1  # hoist-namedtuple: ignore[HNT01] why\n";
    let project = Project::with(&[("m.py", text.as_bytes())]);
    let ran = project.run(&["-v"]);
    insta::assert_snapshot!(ran.stderr);
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
        "HNT001 (per-call-namedtuple), HNT002 (",
        "HNT900 (unused-suppression).",
    ]);
}

#[test]
fn rules_are_listed_a_line_each_with_their_default_fix_and_cost() {
    let ran = Project::with(&[]).run(&["--list-rules"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.stdout);
}
