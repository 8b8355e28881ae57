//! Findings as they are printed: one with a fix, one with a reason, and a dynamic one.

use std::fs;

use hoist_namedtuple::rule::SkipReason;
use serde_json::{Value, json};

use crate::project::Project;

const THREE: &str = r#"from collections import namedtuple


def size(width, height):
    Size = namedtuple("Size", "width height")
    return Size(width, height)


def is_pair(value):
    Pair = namedtuple("Pair", ["x", "y"])
    return isinstance(value, Pair)


def record(row):
    return namedtuple("Row", row.keys())(**row)
"#;

const SHARED: &str = r#"from collections import namedtuple

first = lambda a: ("☃", namedtuple("P", "x")(a))


def second(a):
    return namedtuple("P", "x")(a)
"#;

#[test]
fn full_shows_the_source_and_what_can_be_done() {
    let ran = Project::with(&[("pkg/m.py", THREE.as_bytes())]).run(&[]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(format!("{}---\n{}", ran.stdout, ran.stderr));
}

#[test]
fn verbose_traces_each_decision_under_its_place() {
    let ran = Project::with(&[("m.py", THREE.as_bytes())]).run(&["-v", "--diff"]);
    let trace = ran.stderr.split_once("\nm.py:").unwrap().1;
    insta::assert_snapshot!(format!("m.py:{trace}"));
}

#[test]
fn quiet_prints_findings_and_nothing_else() {
    let project = Project::with(&[("m.py", THREE.as_bytes())]);
    let ran = project.run(&["-q", "--output-format", "concise"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(ran.stdout.lines().count(), 3);
}

#[test]
fn json_names_all_that_is_known() {
    let ran = Project::with(&[("m.py", THREE.as_bytes())]).run(&["--output-format", "json"]);
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    let column = |name: &str| -> Vec<Value> {
        let objects = list.as_array().unwrap();
        objects
            .iter()
            .map(|object| object.get(name).unwrap().clone())
            .collect()
    };
    assert_eq!(column("code"), ["HNT001", "HNT001", "HNT101"]);
    assert_eq!(column("filename"), ["m.py"; 3]);
    assert_eq!(column("scope"), ["size", "is_pair", "record"]);
    assert_eq!(column("typename"), ["Size", "Pair", "Row"]);
    assert_eq!(
        column("fields"),
        [json!(["width", "height"]), json!(["x", "y"]), Value::Null]
    );
    assert_eq!(column("factory"), ["collections.namedtuple"; 3]);
    assert_eq!(
        column("skip_reason"),
        [Value::Null, json!("class-compared"), Value::Null]
    );
    assert_eq!(column("noqa_row"), [5, 10, 15]);
    assert_eq!(column("location")[2], json!({"row": 15, "column": 12}));
    assert_eq!(column("end_location")[2], json!({"row": 15, "column": 41}));
    assert_eq!(column("fix")[0]["applicability"], "safe");
    assert_eq!(column("fix")[1..], [Value::Null, Value::Null]);
    let text = r#"Size = namedtuple("Size", "width height")"#;
    assert_eq!(
        column("definition")[0],
        json!({"name": "Size", "text": text, "reused": false})
    );
}

#[test]
fn the_edits_of_all_json_findings_are_the_fix() {
    for text in [THREE, SHARED] {
        let project = Project::with(&[("m.py", text.as_bytes())]);
        let ran = project.run(&["--output-format", "json"]);
        let list: Value = serde_json::from_str(&ran.stdout).unwrap();
        let objects = list.as_array().unwrap();
        let edits = objects
            .iter()
            .filter_map(|object| object["fix"]["edits"].as_array());
        let mut edits: Vec<&Value> = edits.flatten().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(offset(text, &edit["location"])));
        let mut edited = text.to_owned();
        for edit in edits {
            let range = offset(text, &edit["location"])..offset(text, &edit["end_location"]);
            edited.replace_range(range, edit["content"].as_str().unwrap());
        }
        project.run(&["--fix"]);
        assert_eq!(fs::read_to_string(project.path("m.py")).unwrap(), edited);
    }
}

/// The byte offset of a row and a column of characters, both counted from 1.
fn offset(text: &str, place: &Value) -> usize {
    let number = |name: &str| usize::try_from(place[name].as_u64().unwrap()).unwrap() - 1;
    let rows = text.split_inclusive('\n');
    let before: usize = rows.clone().take(number("row")).map(str::len).sum();
    let row = rows.into_iter().nth(number("row")).unwrap_or_default();
    before
        + row
            .chars()
            .take(number("column"))
            .map(char::len_utf8)
            .sum::<usize>()
}

#[test]
fn the_edits_of_a_shared_fix_are_written_once() {
    let project = Project::with(&[("m.py", SHARED.as_bytes())]);
    let ran = project.run(&["--output-format", "json"]);
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    let [first, second] = [&list[0]["fix"], &list[1]["fix"]];
    assert_eq!(first["edits"].as_array().unwrap().len(), 3);
    assert_eq!(first.get("shared_with"), None);
    assert_eq!(second["edits"], json!([]));
    assert_eq!(second["shared_with"], list[0]["location"]);
    assert_eq!(second["message"], first["message"]);
}

#[test]
fn json_grows_with_the_findings_and_not_faster() {
    let site = |at| format!("def f{at}(a):\n    return namedtuple('P', 'x')(a)\n");
    let length = |sites: usize| {
        let sites: String = (0..sites).map(site).collect();
        let text = format!("from collections import namedtuple\n{sites}");
        let project = Project::with(&[("m.py", text.as_bytes())]);
        project.run(&["--output-format", "json"]).stdout.len()
    };
    assert!(length(400) < 12 * length(40));
}

#[test]
fn every_format_carries_the_reason_and_what_to_do() {
    let reason = SkipReason::ClassCompared;
    for format in crate::formats::ALL {
        let project = Project::with(&[("m.py", THREE.as_bytes())]);
        let printed = project.run(&["--output-format", format]).stdout;
        // XML escapes some of the characters.
        let printed = printed.replace("&apos;", "'").replace("&quot;", "\"");
        assert!(printed.contains(reason.code()), "{format}: {printed}");
        assert!(printed.contains(reason.sentence()), "{format}: {printed}");
        // A line of the concise format ends with the reason.
        let is_long = format != "concise";
        assert_eq!(
            printed.contains(reason.advice()),
            is_long,
            "{format}: {printed}"
        );
    }
}

#[test]
fn github_says_what_can_be_done() {
    let project = Project::with(&[("m.py", THREE.as_bytes())]);
    let ran = project.run(&["--output-format", "github"]);
    insta::assert_snapshot!(ran.stdout);
}
