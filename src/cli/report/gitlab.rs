//! The `gitlab` format: a Code Quality report, as merge requests of GitLab show it.

use crate::rule::Registry;
use std::io::{self, Write};

use serde::Serialize;

use super::emitter::Emitter;
use super::list::JsonList;
use super::{Finding, Trouble, fingerprint};

/// The code that a file has in which nothing could be looked for.
const NOT_CHECKED: &str = "not-checked";

/// One issue, by the names of GitLab's format.
#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    /// Issues of one report with the same fingerprint are shown as one.
    fingerprint: String,
    severity: Severity,
    location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// A finding.
    Minor,
    /// A file in which nothing could be looked for.
    Blocker,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Rows,
}

/// Rows from 1.
#[derive(Serialize)]
struct Rows {
    begin: usize,
    end: usize,
}

/// Writes an issue a finding, and one a problem.
#[derive(Default)]
pub(super) struct Gitlab(JsonList);

impl Emitter for Gitlab {
    fn start(&mut self, out: &mut dyn Write, _: &'static Registry) -> io::Result<()> {
        self.0.start(out)
    }

    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let code = finding.diagnostic.code;
        let issue = Issue {
            description: format!("{code} {}", finding.message_and_advice()),
            check_name: code,
            fingerprint: finding.fingerprint(),
            severity: Severity::Minor,
            location: Location {
                path: finding.place.slashed(),
                lines: Rows {
                    begin: finding.start().row,
                    end: finding.end().row,
                },
            },
        };
        self.0.item(out, &issue)
    }

    fn trouble(&mut self, out: &mut dyn Write, trouble: &Trouble<'_>) -> io::Result<()> {
        // GitLab wants a line of each issue.
        let row = trouble.problem.place.map_or(1, |place| place.row);
        let message = trouble.message();
        let issue = Issue {
            check_name: NOT_CHECKED,
            fingerprint: fingerprint::of(trouble.place, [NOT_CHECKED, &message, "", ""]),
            description: message,
            severity: Severity::Blocker,
            location: Location {
                path: trouble.place.slashed(),
                lines: Rows {
                    begin: row,
                    end: row,
                },
            },
        };
        self.0.item(out, &issue)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.0.finish(out)
    }
}
