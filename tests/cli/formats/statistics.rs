//! `--statistics`: counts instead of findings.

use serde_json::json;

use super::{THREE, json};
use crate::project::Project;

#[test]
fn rules_are_counted_and_the_exit_code_stays() {
    let project = Project::with(&[("a.py", THREE.as_bytes()), ("b.py", THREE.as_bytes())]);
    let ran = project.run(&["--statistics"]);
    assert_eq!(ran.code, Some(1));
    let expected = "4 HNT001 per-call-namedtuple\n  2 fixable with --fix\n  2 not fixed: class-compared\n2 HNT101 dynamic-namedtuple\n";
    assert_eq!(ran.stdout, expected);
    assert!(ran.stderr.starts_with("Found 6 findings"), "{ran:?}");
    let ran = project.run(&[
        "--statistics",
        "--output-format",
        "json",
        "--select",
        "HNT001",
    ]);
    let row = json!([{
        "code": "HNT001",
        "name": "per-call-namedtuple",
        "count": 4,
        "fixable_safe": 2,
        "fixable_unsafe": 0,
        "skip_reasons": {"class-compared": 2},
    }]);
    assert_eq!(json(&ran.stdout), row);
    let ran = project.run(&["--statistics", "--fix"]);
    assert_eq!(
        (ran.code, ran.stdout.lines().next()),
        (Some(1), Some("2 HNT001 per-call-namedtuple"))
    );
}

#[test]
fn formats_without_counts_are_refused_with_those_that_have_them() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    for format in ["github", "gitlab", "junit", "sarif"] {
        let ran = project.run(&["--statistics", "--output-format", format]);
        ran.fails_with(&[format, "`full`, `concise`, `json`, `json-lines`"]);
    }
}
