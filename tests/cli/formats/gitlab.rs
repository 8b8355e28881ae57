//! GitLab's Code Quality report, held against the documented shape.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{BROKEN, THREE, json, run};
use crate::project::{Project, Ran};

/// The fingerprints of the issues in `report`, each of which must have all that GitLab asks for.
#[track_caller]
pub(super) fn fingerprints(report: &Value) -> BTreeSet<&str> {
    let issues = report.as_array().unwrap();
    for issue in issues {
        let text = |name: &str| issue[name].as_str().unwrap();
        assert!(!text("description").is_empty() && !text("check_name").is_empty());
        assert!(matches!(
            text("severity"),
            "info" | "minor" | "major" | "critical" | "blocker"
        ));
        let path = issue["location"]["path"].as_str().unwrap();
        assert!(!path.starts_with("./") && !path.is_empty());
        let lines = &issue["location"]["lines"];
        assert!(lines["begin"].as_u64().unwrap() <= lines["end"].as_u64().unwrap());
    }
    let fingerprints: BTreeSet<&str> = issues
        .iter()
        .map(|issue| issue["fingerprint"].as_str().unwrap())
        .collect();
    assert_eq!(fingerprints.len(), issues.len());
    assert!(fingerprints.iter().all(|one| one.len() == 64));
    fingerprints
}

#[test]
fn an_issue_stands_in_the_project_and_is_known_again() {
    let text = "from collections import namedtuple\n\n\ndef f(x):\n    return namedtuple('P', 'x')(x)\n\n\ndef g(x):\n    return namedtuple(\n        'P', 'x')(x)\n";
    let project = Project::with(&[("repo/sub/m.py", text.as_bytes())]);
    let run = || {
        let mut command = project.command();
        command.current_dir(project.path("repo/sub"));
        command.env("CI_PROJECT_DIR", project.path("repo"));
        Ran::of(
            command
                .args(["--output-format", "gitlab"])
                .output()
                .unwrap(),
        )
    };
    let ran = run();
    assert_eq!(ran.code, Some(1));
    let report = json(&ran.stdout);
    let issues = report.as_array().unwrap().iter();
    let lines = issues.map(|issue| {
        assert_eq!(issue["location"]["path"], "sub/m.py");
        assert_eq!(issue["severity"], "minor");
        assert_eq!(issue["check_name"], "HNT001");
        &issue["location"]["lines"]
    });
    let lines: Vec<(u64, u64)> = lines
        .map(|lines| {
            (
                lines["begin"].as_u64().unwrap(),
                lines["end"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(lines, [(5, 5), (9, 10)]);
    project.put("repo/sub/m.py", format!("# c\n\n{text}").as_bytes());
    assert_eq!(fingerprints(&json(&run().stdout)), fingerprints(&report));
}

#[test]
fn what_could_not_be_checked_is_a_blocker() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", THREE.as_bytes())]);
    let report = json(&run(&project, "gitlab").stdout);
    assert_eq!(fingerprints(&report).len(), 4);
    assert_eq!(report[0]["severity"], "blocker");
    assert_eq!(report[0]["location"]["path"], "a.py");
    assert_eq!(report[0]["location"]["lines"]["begin"], 3);
}
