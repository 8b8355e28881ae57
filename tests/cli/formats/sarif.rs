//! SARIF, held against the schema of the standard.

use std::collections::BTreeSet;

use hoist_namedtuple::rule::SkipReason;
use serde_json::{Value, json};

use super::{BROKEN, CLEAN, THREE, run};
use crate::project::Project;

/// The log in `text`, which must be as the schema wants it.
#[track_caller]
pub(super) fn valid(text: &str) -> Value {
    let schema = include_str!("../../schemas/sarif-2.1.0.json");
    // One pattern of the standard has a `]` that a strict reader of patterns wants escaped.
    let schema = schema.replace("{2}]?$", r"{2}\\]?$");
    let schema = serde_json::from_str(&schema).unwrap();
    let options = jsonschema::options().should_validate_formats(true);
    let validator = options.build(&schema).unwrap();
    let log: Value = serde_json::from_str(text).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(faults, Vec::<String>::new());
    log
}

pub(super) fn fingerprints(run: &Value) -> BTreeSet<&str> {
    let results = run["results"].as_array().unwrap().iter();
    let of = |result: &'_ Value| result["partialFingerprints"]["hoistNamedtuple/v1"].clone();
    assert!(results.clone().all(|result| of(result).is_string()));
    results
        .map(|result| {
            result["partialFingerprints"]["hoistNamedtuple/v1"]
                .as_str()
                .unwrap()
        })
        .collect()
}

fn run0(project: &Project) -> Value {
    valid(&run(project, "sarif").stdout)["runs"][0].take()
}

#[test]
fn the_schema_sees_faults() {
    let project = Project::with(&[("m.py", THREE.as_bytes())]);
    let text = run(&project, "sarif").stdout;
    let broken = text.replace("\"ruleId\"", "\"ruleName\"");
    assert!(std::panic::catch_unwind(|| valid(&broken)).is_err());
}

#[test]
fn a_result_says_where_what_and_why() {
    let project = Project::with(&[("pkg/m.py", THREE.as_bytes())]);
    let run = run0(&project);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(rules[index]["defaultConfiguration"]["level"], "warning");
        let help = rules[index]["help"]["markdown"].as_str().unwrap();
        assert!(help.contains("## Why is this bad?"), "{help}");
        let location = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(
            location,
            &json!({"uri": "pkg/m.py", "uriBaseId": "%SRCROOT%"})
        );
    }
    let region = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        region,
        &json!({"startLine": 11, "startColumn": 16, "endLine": 11, "endColumn": 46})
    );
    let scope = &results[1]["locations"][0]["logicalLocations"][0];
    assert_eq!(
        scope,
        &json!({"name": "is_pair", "fullyQualifiedName": "Row.is_pair"})
    );
    let reason = SkipReason::ClassCompared;
    let properties = &results[1]["properties"];
    assert_eq!(properties["skipReason"], reason.code());
    assert_eq!(properties["skipMessage"], reason.sentence());
    assert_eq!(properties["help"], reason.advice());
    assert_eq!(results[0]["properties"]["applicability"], "safe");
    assert_eq!(results[0]["properties"]["definition"]["name"], "Size");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
}

#[test]
fn what_could_not_be_checked_is_a_notification() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", THREE.as_bytes())]);
    let text = project
        .run(&["--output-format", "sarif", ".", "gone.py"])
        .stdout;
    let run = &valid(&text)["runs"][0];
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notifications = invocation["toolExecutionNotifications"].as_array().unwrap();
    let places = notifications
        .iter()
        .map(|one| &one["locations"][0]["physicalLocation"]);
    let places: Vec<(&Value, &Value)> = places
        .map(|place| (&place["artifactLocation"]["uri"], &place["region"]))
        .collect();
    assert_eq!(
        places,
        [
            (&json!("gone.py"), &Value::Null),
            (&json!("a.py"), &json!({"startLine": 3, "startColumn": 1}))
        ]
    );
    assert_eq!(run["results"].as_array().unwrap().len(), 3);
}

#[test]
fn a_clean_run_has_rules_and_no_results() {
    let run = run0(&Project::with(&[("a.py", CLEAN)]));
    assert_eq!(run["results"], json!([]));
    assert!(
        !run["tool"]["driver"]["rules"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[cfg(unix)]
#[test]
fn a_uri_leads_to_the_file_from_the_root() {
    let names = [
        "my pkg/a#b%20é.py",
        "we:ird?.py",
        "a\\b&c.py",
        "new\nline.py",
        "\u{1F600}.py",
    ];
    let project = Project::with(&[("repo/.git", b"")]);
    for name in names {
        project.put(&format!("repo/sub/{name}"), THREE.as_bytes());
    }
    project.put("else where/m.py", THREE.as_bytes());
    let mut command = project.command();
    command.current_dir(project.path("repo/sub"));
    let command = command.args(["--output-format", "sarif", ".", "../../else where"]);
    let log = valid(&String::from_utf8(command.output().unwrap().stdout).unwrap());
    let run = &log["runs"][0];
    let base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
        .as_str()
        .unwrap();
    assert!(base.ends_with("/repo/"), "{base}");
    let mut found = BTreeSet::new();
    for result in run["results"].as_array().unwrap() {
        let location = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let uri = location["uri"].as_str().unwrap();
        let whole = match location.get("uriBaseId") {
            Some(_) => format!("{base}{uri}"),
            None => uri.to_owned(),
        };
        let path = decoded(whole.strip_prefix("file://").unwrap());
        assert!(std::path::Path::new(&path).is_file(), "{path}");
        found.insert(path);
    }
    assert_eq!(found.len(), names.len() + 1);
}

/// `uri` with each `%XX` as the byte that it stands for.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn columns_count_characters_and_no_byte_order_mark() {
    let emoji = "from collections import namedtuple\n\n\ndef f(x):\n    return \"\u{1F600}é\", namedtuple('Pt', 'x')(x)\n";
    let mark =
        "\u{feff}from collections import namedtuple; f = lambda x: namedtuple('P', 'x')(x)\n";
    let project = Project::with(&[("a.py", emoji.as_bytes()), ("b.py", mark.as_bytes())]);
    let run = run0(&project);
    let results = run["results"].as_array().unwrap().iter();
    let regions: Vec<&Value> = results
        .map(|result| &result["locations"][0]["physicalLocation"]["region"])
        .collect();
    let region = |line, start, end| json!({"startLine": line, "startColumn": start, "endLine": line, "endColumn": end});
    assert_eq!(regions, [&region(5, 18, 39), &region(1, 51, 71)]);
}

#[test]
fn a_fingerprint_outlives_changes_around_its_finding() {
    let text = THREE.replace("class Row", "def size(width, height):\n    return namedtuple('Size', 'width height')(width, height)\n\n\nclass Row");
    let project = Project::with(&[("m.py", text.as_bytes())]);
    let before = run0(&project);
    project.put(
        "m.py",
        format!("# c\n\n{}", text.replace("    ", "\t")).as_bytes(),
    );
    let after = run0(&project);
    assert_eq!(fingerprints(&before).len(), 4);
    assert_eq!(fingerprints(&before), fingerprints(&after));
    project.put("n.py", text.as_bytes());
    assert_eq!(fingerprints(&run0(&project)).len(), 8);
}
