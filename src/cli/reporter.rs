//! What a run says of its files: findings, counts, progress, and what became of the baseline.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::baseline::{Audit, words};
use super::console::{Console, Streams};
use super::exit::ExitStatus;
use super::file::Outcome;
use super::options::{Input, Known, Options, Verbosity};
use super::paths::{shown, single_line};
use super::problem::Problem;
use super::progress::Progress;
use super::report_file;
use super::summary::{Summary, counted};

/// Takes what became of each file, in order, and says it.
pub(crate) struct Reporter<'a> {
    options: &'a Options,
    console: Console<'a>,
    summary: Summary,
    audit: Option<Audit<'a>>,
    progress: Progress,
}

impl<'a> Reporter<'a> {
    /// A reporter for a run with `options`.
    pub(crate) fn new(options: &'a Options, streams: Streams<'a>) -> Self {
        let has_files = matches!(options.input, Input::Paths(_));
        let known = options.baseline.as_ref();
        Self {
            options,
            console: Console::new(streams, options),
            summary: Summary::default(),
            audit: known.map(|known| Audit::new(&known.baseline)),
            progress: Progress::new(has_files && options.verbosity > Verbosity::Quiet),
        }
    }

    /// Says what went wrong on the way through `paths`, in which `files` files were found.
    pub(crate) fn found(&mut self, paths: &[PathBuf], files: usize, problems: &[Problem]) {
        let Self {
            console, progress, ..
        } = self;
        progress.found(files);
        for problem in problems {
            progress.aside(|| console.problem(problem));
        }
        self.summary.problems += problems.len();
        // What lies in a folder that could not be read is unknown.
        if let Some(audit) = self.audit.as_mut().filter(|_| problems.is_empty()) {
            audit.walked(paths);
        }
    }

    /// Says what became of one file, in which `codes` were looked for.
    pub(crate) fn outcome(&mut self, outcome: &Outcome, codes: &BTreeSet<&'static str>) {
        if let Some(audit) = &mut self.audit {
            audit.add(outcome, codes);
        }
        self.summary.add(outcome);
        let Self {
            console, progress, ..
        } = self;
        progress.advance();
        if outcome.says_something() {
            progress.aside(|| {
                console.outcome(outcome);
                console.flush();
            });
        }
    }

    /// Says that standard input is excluded.
    pub(crate) fn excluded(&mut self) {
        self.summary.files = 1;
    }

    /// Writes `bytes` to stdout as they are.
    pub(crate) fn stdout(&mut self, bytes: &[u8]) {
        self.console.stdout(bytes);
    }

    /// Says what there is to say at the end, and tells how the run ends.
    ///
    /// # Errors
    /// When the baseline could not be written.
    pub(crate) fn finish(mut self) -> Result<ExitStatus> {
        self.progress.end();
        if let (Some(known), Some(audit)) = (&self.options.baseline, self.audit.take()) {
            if known.is_written {
                self.write_baseline(known, &audit)?;
            } else {
                self.tell_stale(known, &audit);
            }
        }
        let status = status(&self.summary, self.options);
        Ok(match self.console.finish(&self.summary) {
            Ok(()) => status,
            Err(_) => ExitStatus::Error,
        })
    }

    fn write_baseline(&mut self, known: &Known, audit: &Audit<'_>) -> Result<()> {
        let path = known.baseline.path();
        let (text, total) = audit.rewritten()?;
        report_file::write(path, text.as_bytes()).with_context(|| {
            let path = shown(path);
            format!("{path}: the baseline could not be written. Check --baseline.")
        })?;
        let total = counted(total, "finding");
        let remark = format!("{} accepts {total} now.", shown(path));
        self.console.remark(&remark);
        Ok(())
    }

    fn tell_stale(&mut self, known: &Known, audit: &Audit<'_>) {
        for stale in audit.stale() {
            self.summary.stale += 1;
            self.console.error(&format!(
                "{}: {} of {} is accepted {}, and is there {}. \
                 Run with --write-baseline, so that the file shrinks.",
                shown(known.baseline.path()),
                words(&stale.key),
                single_line(&stale.file),
                counted(stale.allowed, "time"),
                counted(stale.left, "time"),
            ));
        }
    }
}

fn status(summary: &Summary, options: &Options) -> ExitStatus {
    let is_fixed = options.exit_non_zero_on_fix && summary.fixed > 0;
    let has_findings = summary.left > 0 || summary.stale > 0 || summary.has_diff || is_fixed;
    if summary.problems > 0 {
        ExitStatus::Error
    } else if has_findings && !options.exit_zero {
        ExitStatus::Findings
    } else {
        ExitStatus::Clean
    }
}
