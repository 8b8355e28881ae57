//! One run: from options to printed findings and an exit status.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::baseline::{Audit, words};
use super::console::{Console, Streams};
use super::exit::ExitStatus;
use super::file::{Checker, Pipeline};
use super::options::{Input, Mode, Options};
use super::paths::{relative, shown, single_line};
use super::summary::{Summary, counted};
use super::walk::{self, Source};
use super::workers;

/// The name of standard input when none is given.
const STDIN: &str = "<stdin>";

/// Does what `options` ask for, reading standard input from `stdin` when it is wanted.
///
/// # Errors
/// When no thread can be started or standard input cannot be read.
pub(crate) fn run<'a>(
    options: &'a Options,
    checker: &'a Checker<'a>,
    stdin: &mut dyn Read,
    streams: Streams<'a>,
) -> Result<ExitStatus> {
    let mut run = Run {
        options,
        pipeline: Pipeline::new(options, checker)?,
        console: Console::new(streams, options),
        summary: Summary::default(),
        audit: None,
    };
    match &options.input {
        Input::Paths(paths) => run.paths(paths)?,
        Input::Stdin(name) => run.stdin(name.as_deref(), stdin)?,
    }
    run.conclude_baseline()?;
    Ok(match run.console.finish(&run.summary) {
        Ok(()) => status(&run.summary, options),
        Err(_) => ExitStatus::Error,
    })
}

struct Run<'a> {
    options: &'a Options,
    pipeline: Pipeline<'a>,
    console: Console<'a>,
    summary: Summary,
    audit: Option<Audit<'a>>,
}

impl<'a> Run<'a> {
    fn paths(&mut self, paths: &[PathBuf]) -> Result<()> {
        let found = walk::find(paths, &self.options.walk);
        for problem in &found.problems {
            self.summary.problems += 1;
            self.console.problem(problem);
        }
        // What lies in a folder that could not be read is unknown.
        let is_whole = found.problems.is_empty();
        self.audit = self.start_audit(if is_whole { paths } else { &[] });
        let Self {
            pipeline,
            console,
            summary,
            audit,
            options,
        } = self;
        workers::in_order(
            &found.sources,
            |source| pipeline.file(source),
            |outcome| {
                if let Some(audit) = audit {
                    audit.add(&outcome, &options.check.codes);
                }
                summary.add(&outcome);
                console.outcome(&outcome);
            },
        )
        .context(NO_THREAD)
    }

    fn stdin(&mut self, name: Option<&Path>, stdin: &mut dyn Read) -> Result<()> {
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).context(
            "Standard input cannot be read. Pipe a file into it, or give the file's path.",
        )?;
        let echo = self.options.mode == Mode::Fix;
        let Some(source) = self.stdin_source(name) else {
            self.console.stdout(if echo { &bytes } else { &[] });
            self.summary.files = 1;
            return Ok(());
        };
        self.audit = self.start_audit(&[]);
        let Self {
            pipeline,
            console,
            summary,
            audit,
            options,
        } = self;
        workers::in_order(
            &[bytes],
            |bytes| pipeline.stdin(bytes, &source),
            |(outcome, fixed)| {
                console.stdout(if echo { &fixed } else { &[] });
                if let Some(audit) = audit {
                    audit.add(&outcome, &options.check.codes);
                }
                summary.add(&outcome);
                console.outcome(&outcome);
            },
        )
        .context(NO_THREAD)
    }

    fn start_audit(&self, paths: &[PathBuf]) -> Option<Audit<'a>> {
        let known = self.options.baseline.as_ref()?;
        Some(Audit::new(&known.baseline, paths))
    }

    /// Writes the baseline anew, or tells which of its entries no longer occur.
    fn conclude_baseline(&mut self) -> Result<()> {
        let (Some(known), Some(audit)) = (&self.options.baseline, &self.audit) else {
            return Ok(());
        };
        let path = shown(known.baseline.path());
        if known.is_written {
            let (text, total) = audit.rewritten()?;
            std::fs::write(known.baseline.path(), text).with_context(|| {
                format!("{path}: the baseline could not be written. Check --baseline.")
            })?;
            self.console.remark(&format!(
                "{path} accepts {} now.",
                counted(total, "finding")
            ));
            return Ok(());
        }
        for stale in audit.stale() {
            self.summary.stale += 1;
            self.console.error(&format!(
                "{path}: {} of {} is accepted {}, and is there {}. \
                 Run with --write-baseline, so that the file shrinks.",
                words(&stale.key),
                single_line(&stale.file),
                counted(stale.allowed, "time"),
                counted(stale.left, "time"),
            ));
        }
        Ok(())
    }

    /// Standard input as a source, or `None` when its name is excluded.
    fn stdin_source(&self, name: Option<&Path>) -> Option<Source> {
        let walk = &self.options.walk;
        let path = name.unwrap_or(Path::new(STDIN));
        let shown = relative(path, &walk.cwd);
        let is_excluded = walk.force_exclude && walk.excludes.explicit(&shown, false);
        (!is_excluded).then(|| Source {
            shown,
            path: path.to_path_buf(),
        })
    }
}

const NO_THREAD: &str = "No thread could be started. Raise the limits on memory and processes.";

fn status(summary: &Summary, options: &Options) -> ExitStatus {
    let has_findings = summary.left > 0
        || summary.stale > 0
        || summary.has_diff
        || (options.exit_non_zero_on_fix && summary.fixed > 0);
    if summary.problems > 0 {
        ExitStatus::Error
    } else if has_findings && !options.exit_zero {
        ExitStatus::Findings
    } else {
        ExitStatus::Clean
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
