//! The fixes in SARIF, applied as a viewer would: they are what `--fix` writes.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::{THREE, run, sarif};
use crate::project::Project;

/// The text after all `fixes`, each of them made once.
fn applied(text: &str, run: &Value) -> String {
    let results = run["results"].as_array().unwrap().iter();
    let fixes = results.filter_map(|result| result.get("fixes"));
    let fixes: BTreeSet<String> = fixes.map(|fixes| fixes[0].to_string()).collect();
    let mut edits = Vec::new();
    for fix in fixes {
        let fix: Value = serde_json::from_str(&fix).unwrap();
        let changes = fix["artifactChanges"].as_array().unwrap();
        assert_eq!(changes.len(), 1);
        for edit in changes[0]["replacements"].as_array().unwrap() {
            let region = &edit["deletedRegion"];
            let start = offset(text, &region["startLine"], &region["startColumn"]);
            let end = offset(text, &region["endLine"], &region["endColumn"]);
            let content = edit["insertedContent"]["text"].as_str().unwrap().to_owned();
            edits.push((start, end, content));
        }
    }
    edits.sort();
    let mut edited = text.to_owned();
    for (start, end, content) in edits.into_iter().rev() {
        edited.replace_range(start..end, &content);
    }
    edited
}

/// The byte at a line and a column of characters, both counted from 1.
fn offset(text: &str, line: &Value, column: &Value) -> usize {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap() - 1;
    let mut start = 0;
    for _ in 0..number(line) {
        let rest = &text[start..];
        let end = rest.find(['\r', '\n']).unwrap();
        start += end
            + if rest[end..].starts_with("\r\n") {
                2
            } else {
                1
            };
    }
    let before = text[start..].chars().take(number(column));
    start + before.map(char::len_utf8).sum::<usize>()
}

/// Checks that the fixes in the report of a file with `text` are what `--fix` writes.
#[track_caller]
fn check(text: &str) {
    let project = Project::with(&[("m.py", text.as_bytes())]);
    let log = sarif::valid(&run(&project, "sarif").stdout);
    let bare = text.trim_start_matches('\u{feff}');
    let edited = applied(bare, &log["runs"][0]);
    assert_ne!(edited, bare);
    project.run(&["--fix"]);
    let fixed = fs::read_to_string(project.path("m.py")).unwrap();
    assert_eq!(fixed.trim_start_matches('\u{feff}'), edited);
}

const SHARED: &str = "from collections import namedtuple\n\n\
    first = lambda a: (\"\u{1F600}é\", namedtuple(\"P\", \"x\")(a))\n\n\n\
    def second(a):\n\treturn \"\u{1F600}\", namedtuple(\"P\", \"x\")(a)\n";

#[test]
fn applied_fixes_are_what_fix_writes() {
    check(THREE);
    check(SHARED);
    check(&THREE.replace('\n', "\r\n"));
    check(&SHARED.replace('\n', "\r"));
    check(&format!("\u{feff}{}", SHARED.replace('\n', "\r\n")));
    check(&THREE.replace("    ", "\t"));
    check(&SHARED.replace("\n\n\n", "\n\u{c}\n\n"));
    check(SHARED.trim_end());
}

/// A module with `sites` calls that share one definition.
fn sharing(sites: usize) -> String {
    let site = |at| format!("def f{at}(a):\n    return namedtuple('P', 'x')(a)\n");
    let sites: String = (0..sites).map(site).collect();
    format!("from collections import namedtuple\n{sites}")
}

#[test]
fn a_fix_of_many_findings_stands_with_the_first_and_the_others_lead_there() {
    let text = sharing(100);
    check(&text);
    let project = Project::with(&[("m.py", text.as_bytes())]);
    let log = sarif::valid(&run(&project, "sarif").stdout);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let (first, others) = results.split_first().unwrap();
    assert_eq!(first.get("relatedLocations"), None);
    let place = &first["locations"][0]["physicalLocation"];
    for other in others {
        assert_eq!(other.get("fixes"), None);
        assert_eq!(&other["relatedLocations"][0]["physicalLocation"], place);
    }
}

#[test]
fn a_fix_of_few_findings_is_whole_in_each() {
    let project = Project::with(&[("m.py", SHARED.as_bytes())]);
    let log = sarif::valid(&run(&project, "sarif").stdout);
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["fixes"], results[1]["fixes"]);
    let replacements = &results[1]["fixes"][0]["artifactChanges"][0]["replacements"];
    assert_eq!(replacements.as_array().unwrap().len(), 3);
}

#[test]
fn sarif_grows_with_the_findings_and_not_faster() {
    let length = |sites| {
        let project = Project::with(&[("m.py", sharing(sites).as_bytes())]);
        run(&project, "sarif").stdout.len()
    };
    assert!(length(400) < 12 * length(40));
}
