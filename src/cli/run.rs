//! One run: from options to printed findings and an exit status.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::console::{Console, Streams};
use super::exit::ExitStatus;
use super::file::{Checker, Pipeline};
use super::options::{Input, Mode, Options};
use super::paths::relative;
use super::summary::Summary;
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
    };
    match &options.input {
        Input::Paths(paths) => run.paths(paths)?,
        Input::Stdin(name) => run.stdin(name.as_deref(), stdin)?,
    }
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
}

impl Run<'_> {
    fn paths(&mut self, paths: &[PathBuf]) -> Result<()> {
        let found = walk::find(paths, &self.options.walk);
        for problem in &found.problems {
            self.summary.problems += 1;
            self.console.problem(problem);
        }
        let Self {
            pipeline,
            console,
            summary,
            ..
        } = self;
        workers::in_order(
            &found.sources,
            |source| pipeline.file(source),
            |outcome| {
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
        let Self {
            pipeline,
            console,
            summary,
            ..
        } = self;
        workers::in_order(
            &[bytes],
            |bytes| pipeline.stdin(bytes, &source),
            |(outcome, fixed)| {
                console.stdout(if echo { &fixed } else { &[] });
                summary.add(&outcome);
                console.outcome(&outcome);
            },
        )
        .context(NO_THREAD)
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
    let has_findings =
        summary.left > 0 || summary.has_diff || (options.exit_non_zero_on_fix && summary.fixed > 0);
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
