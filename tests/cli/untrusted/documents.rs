//! Documents for machines stay what they are, whatever names and sources hold.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::project::Project;

const TEXT: &str = "from enum import Enum


def f():
    e = Enum('@', 'a b'); g(e)
";

/// What ends a string, an element, a comment or a section in one of the formats, or starts one.
const ENDS: [&str; 7] = [
    "\"},{\"x\":\"",
    "\"/><x y=\"",
    "]]><![CDATA[",
    "--><!-- &#0; &lt;",
    "\u{fffe}\u{ffff}\u{0}\u{b}\u{1b}[0m",
    "</testcase>\\",
    "[a](http://example.org) {0}",
];

/// A project with a file named after each of [`ENDS`] whose finding speaks of it.
fn project() -> Project {
    let project = Project::with(&[]);
    for end in ENDS {
        let name = end.replace('/', "\u{2215}").replace('\u{0}', "");
        let text = TEXT.replace(
            '@',
            &end.escape_default()
                .to_string()
                .replace("\\u{", "\\u")
                .replace('}', ""),
        );
        let text = match end.contains('\u{fffe}') {
            true => TEXT.replace('@', "\\ufffe\\uffff\\0\\x0b\\x1b[0m"),
            false => text.replace("\\u2215", "/"),
        };
        project.put(&format!("{name}.py"), text.as_bytes());
    }
    project
}

fn names() -> BTreeSet<String> {
    let name = |end: &&str| format!("{}.py", end.replace('/', "\u{2215}").replace('\u{0}', ""));
    ENDS.iter().map(name).collect()
}

fn report(format: &str) -> String {
    let ran = project().run(&["--select", "ALL", "--output-format", format, "-q"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    ran.stdout
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn json_names_each_file_and_nothing_else() {
    let list = json(&report("json"));
    let lines = report("json-lines");
    let lines: Vec<Value> = lines.lines().map(json).collect();
    for objects in [list.as_array().unwrap(), &lines] {
        assert_eq!(objects.len(), ENDS.len());
        let found: BTreeSet<String> = objects
            .iter()
            .map(|object| object["filename"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(found, names());
        assert!(objects.iter().all(|object| object.get("x").is_none()));
    }
    let gitlab = json(&report("gitlab"));
    let found: BTreeSet<String> = gitlab
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["location"]["path"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(found, names());
}

#[test]
fn sarif_holds_no_link_and_no_address_that_is_made_of_names() {
    let log = json(&report("sarif"));
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), ENDS.len());
    for result in results {
        let message = result["message"]["text"].as_str().unwrap();
        assert!(!message.contains("]("), "{message}");
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let uri = place["uri"].as_str().unwrap();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte);
        assert!(uri.bytes().all(is_plain), "{uri}");
    }
}

#[test]
fn junit_is_xml_with_a_case_for_each_finding() {
    let text = report("junit");
    let is_permitted = |letter: char| letter >= ' ' && !"\u{fffe}\u{ffff}".contains(letter);
    assert!(
        text.chars()
            .all(|letter| letter == '\n' || is_permitted(letter))
    );
    assert!(
        !text.contains("<!--") && !text.contains("<![CDATA[") && !text.contains("<x"),
        "{text}"
    );
    let report = junit_parser::from_reader(text.as_bytes()).unwrap();
    assert_eq!(report.suites.len(), ENDS.len(), "{text}");
    assert_eq!(report.tests, ENDS.len() as u64);
    assert_eq!(report.failures, ENDS.len() as u64);
}
