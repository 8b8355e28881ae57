//! The `junit` format: a test suite a file, and a failed test case a finding.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::emitter::Emitter;
use super::{Finding, Trouble};
use crate::cli::paths::shown;

/// The name of the report, and of the one test that there is when nothing was found.
const NAME: &str = "hoist-namedtuple";

/// Collects test cases, and writes them at the end.
#[derive(Default)]
pub(super) struct Junit {
    suites: Vec<TestSuite>,
    /// How many cases of one suite have a name, so that no two have the same.
    names: BTreeMap<String, usize>,
}

impl Emitter for Junit {
    fn finding(&mut self, _out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let (diagnostic, start) = (finding.diagnostic, finding.start());
        let file = shown(finding.path);
        let mut words = vec![diagnostic.code];
        if !diagnostic.scope.is_empty() {
            words.push(&diagnostic.scope);
        }
        words.extend(diagnostic.typename.as_deref());
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let message = finding.message_and_outcome();
        let mut text = format!("{file}:{}:{}\n{message}", start.row, start.column);
        if let Some(help) = diagnostic.help() {
            text.push('\n');
            text.push_str(help);
        }
        status
            .set_message(permitted(&message))
            .set_type(diagnostic.code)
            .set_description(permitted(&text));
        self.case(&file, &words.join(" "), status, Some(start.row));
        Ok(())
    }

    fn trouble(&mut self, _out: &mut dyn Write, trouble: &Trouble<'_>) -> io::Result<()> {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status
            .set_message(permitted(&trouble.message()))
            .set_type("not-checked")
            .set_description(permitted(&trouble.problem.to_string()));
        let row = trouble.problem.place.map(|place| place.row);
        self.case(&shown(&trouble.problem.path), "not checked", status, row);
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.suites.is_empty() {
            self.case(NAME, "nothing found", TestCaseStatus::success(), None);
        }
        let mut report = Report::new(NAME);
        report.add_test_suites(std::mem::take(&mut self.suites));
        report.serialize(out).map_err(io::Error::other)
    }
}

impl Junit {
    /// Adds a test case to the suite of `file`, which is the last one or a new one.
    fn case(&mut self, file: &str, name: &str, status: TestCaseStatus, row: Option<usize>) {
        let file = permitted(file);
        if self.suites.last().is_none_or(|suite| suite.name != file) {
            self.suites.push(TestSuite::new(&file));
            self.names.clear();
        }
        let name = permitted(name);
        let count = self.names.entry(name.clone()).or_default();
        *count += 1;
        let name = match *count {
            1 => name,
            several => format!("{name} ({several})"),
        };
        let mut case = TestCase::new(name, status);
        case.set_classname(&file);
        if file != NAME {
            case.extra.insert("file".into(), file.into());
        }
        if let Some(row) = row {
            case.extra.insert("line".into(), row.to_string().into());
        }
        if let Some(suite) = self.suites.last_mut() {
            suite.add_test_case(case);
        }
    }
}

/// `text` without the two characters that XML 1.0 forbids (2.2, "Characters") and that are no
/// control characters, which the crate takes out.
fn permitted(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
