//! The formats for machines, as those who read them would.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what a report lacks fails its test"
)]

mod fixes;
mod github;
mod gitlab;
mod junit;
mod outputs;
mod sarif;
mod statistics;

use std::fs;

use serde_json::Value;

use crate::project::{Project, Ran};

/// All formats, as the command line names them.
pub(crate) const ALL: [&str; 8] = [
    "full",
    "concise",
    "json",
    "json-lines",
    "github",
    "gitlab",
    "junit",
    "sarif",
];

/// A file with a fix, one with a reason, and a dynamic call.
const THREE: &str = r#"from collections import namedtuple


def size(width, height):
    Size = namedtuple("Size", "width height")
    return Size(width, height)


class Row:
    def is_pair(self, value):
        Pair = namedtuple("Pair", ["x", "y"])
        return isinstance(value, Pair)


def record(row):
    return namedtuple("Row", row.keys())(**row)
"#;

const CLEAN: &[u8] = b"from collections import namedtuple\nP = namedtuple('P', 'x')\n";
const BROKEN: &[u8] = b"def f():\n    return namedtuple(\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn run(project: &Project, format: &str) -> Ran {
    project.run(&["--output-format", format])
}

#[test]
fn the_help_names_every_format() {
    let help = Project::with(&[]).run(&["--help"]).stdout;
    for format in ALL {
        assert!(help.contains(format), "{format}: {help}");
    }
}

#[test]
fn all_formats_and_targets_end_with_the_same_exit_code() {
    let three = THREE.as_bytes();
    for (first, second, code) in [
        (CLEAN, CLEAN, 0),
        (three, CLEAN, 1),
        (BROKEN, CLEAN, 2),
        (BROKEN, three, 2),
    ] {
        let project = Project::with(&[("a.py", first), ("b.py", second)]);
        for format in ALL {
            let to_file = format!("{format}=out");
            for args in [
                &["--output-format", format][..],
                &["--output-format", format, "--output-file", "out"],
                &["--output-format", &to_file],
                &["--output-format", format, "--diff"],
            ] {
                let ran = project.run(args);
                assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
            }
        }
    }
}

#[test]
fn an_empty_report_is_whole() {
    let project = Project::with(&[("a.py", CLEAN)]);
    for (format, expected) in [
        ("full", ""),
        ("concise", ""),
        ("json", "[]\n"),
        ("json-lines", ""),
        ("github", ""),
        ("gitlab", "[]\n"),
    ] {
        assert_eq!(run(&project, format).stdout, expected, "{format}");
    }
    sarif::valid(&run(&project, "sarif").stdout);
    junit::read(&run(&project, "junit").stdout);
}

#[test]
fn json_lines_and_json_are_the_same_objects() {
    let project = Project::with(&[("a.py", THREE.as_bytes()), ("b.py", THREE.as_bytes())]);
    let list = json(&run(&project, "json").stdout);
    let lines = run(&project, "json-lines").stdout;
    let lines: Vec<Value> = lines.lines().map(json).collect();
    assert_eq!(list, Value::from(lines));
    assert_eq!(list.as_array().unwrap().len(), 6);
}

#[test]
fn a_document_on_stderr_stays_in_one_piece() {
    let project = Project::with(&[("a.py", THREE.as_bytes()), ("b.py", BROKEN)]);
    for (format, end) in [
        ("json", "\n]\n"),
        ("gitlab", "\n]\n"),
        ("sarif", "\n}\n"),
        ("junit", "</testsuites>\n"),
    ] {
        let ran = project.run(&["--diff", "-v", "--output-format", format]);
        let (document, rest) = ran.stderr.split_once(end).unwrap();
        let document = format!("{document}{end}");
        match format {
            "sarif" => drop(sarif::valid(&document)),
            "junit" => drop(junit::read(&document)),
            _ => drop(json(&document)),
        }
        assert!(rest.contains("b.py:3:1: error: "), "{format}: {rest}");
        assert!(rest.contains("Found 3 findings"), "{format}: {rest}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_text_gets_into_every_format() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let project = Project::with(&[]);
    for name in [&b"a\xff.py"[..], b"a\xfe.py"] {
        fs::write(project.root().join(OsStr::from_bytes(name)), THREE).unwrap();
    }
    for format in ALL {
        let ran = run(&project, format);
        assert_eq!(ran.code, Some(1), "{format}: {ran:?}");
        let name = if format == "sarif" {
            "\"a%FE.py\""
        } else {
            "a\u{fffd}.py"
        };
        assert!(ran.stdout.contains(name), "{format}: {ran:?}");
    }
    let run0 = &sarif::valid(&run(&project, "sarif").stdout)["runs"][0];
    assert_eq!(sarif::fingerprints(run0).len(), 6);
    junit::read(&run(&project, "junit").stdout);
    assert_eq!(
        gitlab::fingerprints(&json(&run(&project, "gitlab").stdout)).len(),
        6
    );
}
