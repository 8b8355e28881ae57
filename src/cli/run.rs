//! One run: from options to printed findings and an exit status.

use std::io::{self, ErrorKind, Read};
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
        let Some(source) = self.stdin_source(name) else {
            match self.options.mode {
                Mode::Fix => self.echo(stdin)?,
                // Whoever writes it must not fail for a reader that goes away.
                _ => drop(io::copy(stdin, &mut io::sink())),
            }
            self.reporter.excluded();
            return Ok(());
        };
        let mut bytes = Vec::new();
        let most = self.options.walk.run.max_file_size;
        let mut first = stdin.take(most.bytes() + 1);
        first.read_to_end(&mut bytes).context(NO_STDIN)?;
        if !most.holds(bytes.len()) {
            if self.options.mode == Mode::Fix {
                self.echo(&mut bytes.chain(stdin))?;
            }
            let outcome = self.pipeline.too_large(&source);
            self.reporter.outcome(&outcome, &source.settings.codes);
            return Ok(());
        }
        let echo = self.options.mode == Mode::Fix;
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

    /// Prints all that comes from `stdin` as it is, as long as somebody reads it.
    fn echo(&mut self, stdin: &mut dyn Read) -> Result<()> {
        let mut part = vec![0; 64 * 1024];
        loop {
            let read = match stdin.read(&mut part) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read.context(NO_STDIN)?,
            };
            let bytes = part.get(..read).unwrap_or_default();
            if bytes.is_empty() || !self.reporter.text(bytes) {
                return Ok(());
            }
        }
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

const NO_STDIN: &str =
    "Standard input cannot be read. Pipe a file into it, or give the file's path.";
const NO_THREAD: &str = "No thread could be started. Raise the limits on memory and processes.";

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
