//! JUnit's XML, as two parsers of others read it.

use std::process::Command;

use junit_parser::{TestSuites, from_reader};

use super::{BROKEN, CLEAN, THREE, run};
use crate::project::Project;

const COUNT: &str = "\
import sys, xml.etree.ElementTree as E
root = E.fromstring(sys.argv[1])
assert root.tag == 'testsuites', root.tag
assert {child.tag for child in root} == {'testsuite'}
print(*(sum(1 for _ in root.iter(tag)) for tag in ('testsuite', 'testcase', 'failure', 'error')))
print(*(root.get(name) for name in ('tests', 'failures', 'errors')))
";

/// The report in `text`; both parsers must see the same.
#[track_caller]
pub(super) fn read(text: &str) -> TestSuites {
    let report = from_reader(text.as_bytes()).unwrap();
    let output = Command::new("python3")
        .args(["-c", COUNT, text])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let cases = || report.suites.iter().flat_map(|suite| &suite.cases);
    let failures = cases().filter(|case| case.status.is_failure()).count();
    let errors = cases().filter(|case| case.status.is_error()).count();
    let all = cases().count();
    let expected = format!(
        "{} {all} {failures} {errors}\n{all} {failures} {errors}\n",
        report.suites.len()
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    report
}

#[test]
fn a_file_is_a_suite_and_a_finding_a_failed_case() {
    let project = Project::with(&[("a&<b>\".py", THREE.as_bytes()), ("c.py", THREE.as_bytes())]);
    let report = read(&run(&project, "junit").stdout);
    let names: Vec<&str> = report
        .suites
        .iter()
        .map(|suite| suite.name.as_str())
        .collect();
    assert_eq!(names, ["a&<b>\".py", "c.py"]);
    let names = |suite: usize| -> Vec<&str> {
        let cases = report.suites[suite].cases.iter();
        cases.map(|case| case.original_name.as_str()).collect()
    };
    assert_eq!(
        names(0),
        [
            "HNT001 size Size",
            "HNT001 Row.is_pair Pair",
            "HNT101 record Row"
        ]
    );
    assert_eq!(names(0), names(1));
    let failure = report.suites[1].cases[1].status.failure_as_ref();
    assert_eq!(failure.failure_type, "HNT001");
    assert!(failure.message.contains("[class-compared]"), "{failure:?}");
    assert!(failure.text.starts_with("c.py:11:16\n"), "{failure:?}");
    assert!(
        failure.text.ends_with("of other calls should match."),
        "{failure:?}"
    );
}

#[test]
fn equal_findings_are_cases_of_different_names() {
    let text = "from collections import namedtuple\ndef f(a):\n    namedtuple('P', 'x')(a)\n    namedtuple('P', 'x')(a)\n";
    let project = Project::with(&[("m.py", text.as_bytes())]);
    let report = read(&run(&project, "junit").stdout);
    let names = report.suites[0]
        .cases
        .iter()
        .map(|case| case.original_name.as_str());
    assert!(names.eq(["HNT001 f P", "HNT001 f P (2)"]));
}

#[test]
fn nothing_found_is_one_test_that_passes() {
    let report = read(&run(&Project::with(&[("a.py", CLEAN)]), "junit").stdout);
    assert_eq!((report.tests, report.failures, report.errors), (1, 0, 0));
}

#[test]
fn a_file_that_could_not_be_checked_is_an_error() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", THREE.as_bytes())]);
    let report = read(&run(&project, "junit").stdout);
    assert_eq!((report.tests, report.failures, report.errors), (4, 3, 1));
    let error = report.suites[0].cases[0].status.error_as_ref();
    assert!(error.message.contains("not valid Python 3"), "{error:?}");
    assert!(error.text.starts_with("a.py:3:1: error: "), "{error:?}");
}

#[cfg(unix)]
#[test]
fn what_xml_forbids_stays_out() {
    let project = Project::with(&[]);
    for name in [
        "a\u{1}\u{b}.py",
        "b\u{1b}[31m.py",
        "c\u{fffe}\u{ffff}.py",
        "d\r\n\t.py",
    ] {
        project.put(name, THREE.replace("Size", "S\u{e9}").as_bytes());
    }
    let report = read(&run(&project, "junit").stdout);
    assert_eq!(report.suites.len(), 4);
}
