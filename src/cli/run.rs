//! One run: from options to printed findings and an exit status.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};

use super::config::is_excluded;
use super::console::Streams;
use super::exit::ExitStatus;
use super::file::{Checker, Pipeline};
use super::options::{Input, Mode, Options};
use super::paths::resolved;
use super::reporter::Reporter;
use super::walk::{self, Source};
use super::workers;

/// The name of standard input when none is given.
const STDIN: &str = "<stdin>";

/// Does what `options` ask for, reading standard input from `stdin` when it is wanted.
///
/// # Errors
/// When no thread can be started, standard input cannot be read or a baseline cannot be written.
pub(crate) fn run<'a>(
    options: &'a Options,
    checker: &'a Checker<'a>,
    stdin: &mut dyn Read,
    streams: Streams<'a>,
) -> Result<ExitStatus> {
    let mut run = Run {
        options,
        pipeline: Pipeline::new(options, checker),
        reporter: Reporter::new(options, streams),
    };
    match &options.input {
        Input::Paths(paths) => run.paths(paths)?,
        Input::Stdin(name) => run.stdin(name.as_deref(), stdin)?,
    }
    run.reporter.finish()
}

struct Run<'a> {
    options: &'a Options,
    pipeline: Pipeline<'a>,
    reporter: Reporter<'a>,
}

impl Run<'_> {
    fn paths(&mut self, paths: &[PathBuf]) -> Result<()> {
        let Self {
            pipeline, reporter, ..
        } = self;
        let found = walk::find(paths, &self.options.walk, &|path, settings, scratch| {
            pipeline.may_speak(path, settings, scratch)
        });
        reporter.found(&found);
        workers::in_order(
            &found.sources,
            |source| (pipeline.file(source), Arc::clone(&source.settings)),
            |(outcome, settings)| reporter.outcome(&outcome, &settings.codes),
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
            self.reporter.text(if echo { &bytes } else { &[] });
            self.reporter.excluded();
            return Ok(());
        };
        let Self {
            pipeline, reporter, ..
        } = self;
        workers::in_order(
            &[bytes],
            |bytes| pipeline.stdin(bytes, &source),
            |(outcome, fixed)| {
                reporter.text(if echo { &fixed } else { &[] });
                reporter.outcome(&outcome, &source.settings.codes);
            },
        )
        .context(NO_THREAD)
    }

    /// Standard input as a source, or `None` when its name is excluded.
    fn stdin_source(&self, name: Option<&Path>) -> Option<Source> {
        let walk = &self.options.walk;
        let path = name.unwrap_or(Path::new(STDIN));
        let real = resolved(path, &walk.cwd);
        if walk.run.force_exclude && is_excluded(&real, false, &walk.configurations) {
            return None;
        }
        walk::source(path, &real, walk)
    }
}

const NO_THREAD: &str = "No thread could be started. Raise the limits on memory and processes.";

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
