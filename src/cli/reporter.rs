//! What a run says of its files: findings, counts, progress, and what became of the baseline.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use super::baseline::{Audit, words};
use super::console::{Console, Streams};
use super::disk::lock::locked;
use super::disk::report_file;
use super::exit::ExitStatus;
use super::file::Outcome;
use super::options::{Input, Known, Options, Verbosity};
use super::paths::{shown, single_line};
use super::problem::Problem;
use super::progress::Progress;
use super::summary::{Summary, counted};
use super::walk::Found;

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
        // A line that is drawn in the middle of a document's line would spoil it on the screen.
        let mut printed = options
            .outputs
            .iter()
            .filter(|output| output.file.is_none());
        let is_document = printed.any(|output| output.format.is_document());
        let known = options.baseline.as_ref();
        Self {
            options,
            console: Console::new(streams, options),
            summary: Summary::default(),
            audit: known.map(|known| Audit::new(&known.baseline)),
            progress: Progress::new(
                has_files && !is_document && options.verbosity > Verbosity::Quiet,
            ),
        }
    }

    /// Counts the files that are settled, and says what went wrong on the way to all.
    pub(crate) fn found(&mut self, found: &Found) {
        let Self {
            console, progress, ..
        } = self;
        progress.found(found.files, found.sources.len());
        for problem in &found.problems {
            progress.aside(|| console.problem(problem));
        }
        self.summary.problems += found.problems.len();
        self.summary.files += found.files.saturating_sub(found.sources.len());
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

    /// Writes `bytes`, a patched text, to stdout; `false` when nothing goes there any more.
    pub(crate) fn text(&mut self, bytes: &[u8]) -> bool {
        self.console.text(bytes);
        self.console.has_stdout()
    }

    /// Says what there is to say at the end, and tells how the run ends.
    ///
    /// # Errors
    /// When the baseline could not be written.
    pub(crate) fn finish(mut self) -> Result<ExitStatus> {
        self.progress.end();
        if let (Some(known), Some(audit)) = (&self.options.baseline, self.audit.take()) {
            if known.is_written && self.summary.files == 0 {
                self.console
                    .remark("No file was checked, so the baseline stays as it is.");
            } else if known.is_written {
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
        // Hooks run in several processes at once, each over some of the files.
        let rewritten = locked(known.baseline.folder(), || {
            let rewritten = audit.rewritten(&known.baseline.read_again()?)?;
            report_file::write(path, rewritten.text.as_bytes()).with_context(|| {
                let path = shown(path);
                format!("{path}: the baseline could not be written. Check --baseline.")
            })?;
            anyhow::Ok(rewritten)
        })?;
        let accepted = counted(rewritten.accepted, "finding");
        let (path, new, gone) = (shown(path), rewritten.new, rewritten.gone);
        self.console.remark(&format!(
            "{path} accepts {accepted} now: {new} more and {gone} fewer."
        ));
        Ok(())
    }

    fn tell_stale(&mut self, known: &Known, audit: &Audit<'_>) {
        for stale in audit.stale() {
            self.summary.stale += 1;
            let message = format!(
                "{} of {} is accepted {}, and is there {}. Run with --write-baseline, which takes \
                 it out, and accepts what is new.",
                words(&stale.key),
                single_line(&stale.file),
                counted(stale.allowed, "time"),
                counted(stale.left, "time"),
            );
            self.console
                .problem(&Problem::new(known.baseline.path(), message));
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
