//! Reports of findings, in the formats of `--output-format`.

mod concise;
mod full;
mod github;
mod json;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::Format;
use super::paths::single_line;
use crate::rule::{Applicability, Diagnostic};
use crate::text::{Lines, Location};

/// The findings of one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Findings<'a> {
    /// The path as it is shown.
    pub(crate) path: &'a Path,
    /// The text that the findings' ranges are in.
    pub(crate) text: &'a str,
    /// The findings in source order.
    pub(crate) diagnostics: &'a [Diagnostic],
}

/// Prints the findings of file after file.
#[derive(Debug)]
pub(crate) struct Report {
    format: Format,
    color: bool,
    roots: github::Roots,
    is_empty: bool,
}

impl Report {
    /// A report in `format`; `cwd` is what shown paths are relative to.
    pub(crate) fn new(format: Format, color: bool, cwd: PathBuf) -> Self {
        Self {
            format,
            color,
            roots: github::Roots::from_environment(cwd),
            is_empty: true,
        }
    }

    /// What stands before the first finding.
    ///
    /// # Errors
    /// As writing does; so do the others.
    pub(crate) fn start(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Json => out.write_all(b"["),
            Format::Full | Format::Concise | Format::Github => Ok(()),
        }
    }

    /// The findings of one file.
    pub(crate) fn file(&mut self, out: &mut dyn Write, findings: Findings<'_>) -> io::Result<()> {
        let lines = Lines::new(findings.text);
        let mut holders = BTreeMap::new();
        for diagnostic in findings.diagnostics {
            let fix = diagnostic.fix.as_ref();
            let holder = fix.map(|fix| *holders.entry(Arc::as_ptr(fix)).or_insert(diagnostic));
            let finding = Finding {
                path: findings.path,
                lines: &lines,
                diagnostic,
                holder: holder.unwrap_or(diagnostic),
            };
            match self.format {
                Format::Full => full::write(out, &finding, self.color)?,
                Format::Concise => concise::write(out, &finding)?,
                Format::Json => json::write(out, &finding, self.is_empty)?,
                Format::Github => github::write(out, &finding, &self.roots)?,
            }
            self.is_empty = false;
        }
        Ok(())
    }

    /// What stands after the last finding.
    pub(crate) fn finish(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Json if self.is_empty => out.write_all(b"]\n"),
            Format::Json => out.write_all(b"\n]\n"),
            Format::Full | Format::Concise | Format::Github => Ok(()),
        }
    }
}

/// One finding and the file it is in.
struct Finding<'a> {
    path: &'a Path,
    lines: &'a Lines<'a>,
    diagnostic: &'a Diagnostic,
    /// The first finding of the file with the very same fix; mostly this one.
    holder: &'a Diagnostic,
}

impl Finding<'_> {
    fn start(&self) -> Location {
        self.lines.location(self.diagnostic.range.start())
    }

    fn end(&self) -> Location {
        self.lines.location(self.diagnostic.range.end())
    }

    /// The message on one line.
    fn message(&self) -> String {
        single_line(&self.diagnostic.message)
    }

    /// The message, and whether there is a fix, on one line.
    fn message_and_outcome(&self) -> String {
        match outcome(self.diagnostic) {
            Some(outcome) => format!("{} ({outcome})", self.message()),
            None => self.message(),
        }
    }
}

/// Which option fixes it, or why nothing does; `None` when no fix is possible at all.
fn outcome(diagnostic: &Diagnostic) -> Option<String> {
    if let Some(fix) = &diagnostic.fix {
        return Some(match fix.applicability() {
            Applicability::Safe => "fixable with --fix".to_owned(),
            Applicability::Unsafe => "fixable with --fix --unsafe-fixes".to_owned(),
        });
    }
    let reason = diagnostic.skip_reason?;
    Some(format!(
        "not fixed: {} [{}]",
        reason.sentence(),
        reason.code()
    ))
}

#[cfg(test)]
pub(super) mod tests;
