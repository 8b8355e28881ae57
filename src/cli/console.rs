//! What goes to stdout and what to stderr, and what happens when nobody reads it.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};

use super::args::Format;
use super::file::Outcome;
use super::options::{Input, Mode, Options, Verbosity};
use super::problem::Problem;
use super::report::{Findings, Report};
use super::summary::Summary;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The two streams, and whether each shows colours.
pub(crate) struct Streams<'a> {
    /// Where findings, a diff or a patched text go.
    pub(crate) stdout: &'a mut dyn Write,
    /// Where all else goes.
    pub(crate) stderr: &'a mut dyn Write,
    /// Whether stdout shows colours.
    pub(crate) stdout_color: bool,
    /// Whether stderr shows colours.
    pub(crate) stderr_color: bool,
}

/// Where findings go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Stdout,
    Stderr,
    File,
}

impl Target {
    fn of(options: &Options) -> Self {
        let is_stdin = matches!(options.input, Input::Stdin(_));
        match options.mode {
            _ if options.output_file.is_some() => Target::File,
            Mode::Diff => Target::Stderr,
            Mode::Fix if is_stdin => Target::Stderr,
            Mode::Fix | Mode::Report => Target::Stdout,
        }
    }
}

/// Prints outcomes as they come.
pub(crate) struct Console<'a> {
    streams: Streams<'a>,
    options: &'a Options,
    target: Target,
    report: Report,
    /// The findings for `--output-file`.
    file: Vec<u8>,
    /// Lines that wait for the end of a JSON text on stderr, which must stay in one piece.
    held: Option<Vec<u8>>,
    /// The first fault of stdout; nothing more is written to it then.
    fault: Option<io::Error>,
}

impl<'a> Console<'a> {
    /// A console for a run with `options`.
    pub(crate) fn new(streams: Streams<'a>, options: &'a Options) -> Self {
        let target = Target::of(options);
        let color = match target {
            Target::Stdout => streams.stdout_color,
            Target::Stderr => streams.stderr_color,
            Target::File => false,
        };
        let cwd: PathBuf = options.walk.cwd.clone();
        let mut console = Self {
            report: Report::new(options.format, color, cwd),
            streams,
            options,
            target,
            held: (target == Target::Stderr && options.format == Format::Json).then(Vec::new),
            file: Vec::new(),
            fault: None,
        };
        console.findings(|report, out| report.start(out));
        console
    }

    /// Prints what became of one file.
    pub(crate) fn outcome(&mut self, outcome: &Outcome) {
        self.findings(|report, out| {
            report.file(
                out,
                Findings {
                    path: &outcome.path,
                    text: &outcome.text,
                    diagnostics: &outcome.diagnostics,
                },
            )
        });
        self.stdout(&outcome.diff);
        if self.options.verbosity == Verbosity::Verbose {
            for line in &outcome.trace {
                self.note(line);
            }
        }
        if let Some(problem) = &outcome.problem {
            self.problem(problem);
        }
    }

    /// Writes `bytes` to stdout as they are.
    pub(crate) fn stdout(&mut self, bytes: &[u8]) {
        if self.fault.is_none() {
            self.fault = self.streams.stdout.write_all(bytes).err();
        }
    }

    /// Prints a problem on stderr.
    pub(crate) fn problem(&mut self, problem: &Problem) {
        let (before, after) = problem.heading();
        let word = self.styled("error", ERROR);
        self.note(&format!("{before}{word}: {after}{}", problem.message));
    }

    /// Prints a problem that belongs to no file.
    pub(crate) fn error(&mut self, message: &str) {
        let word = self.styled("error", ERROR);
        self.note(&format!("{word}: {message}"));
    }

    /// Ends the report and prints the summary.
    ///
    /// # Errors
    /// A sentence when the findings could not be written; a closed pipe is no error.
    pub(crate) fn finish(mut self, summary: &Summary) -> Result<(), String> {
        self.findings(|report, out| report.finish(out));
        if let Some(held) = self.held.take() {
            let _ = self.streams.stderr.write_all(&held);
        }
        if self.fault.is_none() {
            self.fault = self.streams.stdout.flush().err();
        }
        self.summary(summary);
        let written = self.write_file();
        if let Err(message) = &written {
            self.error(message);
        }
        let _ = self.streams.stderr.flush();
        written
    }

    fn write_file(&mut self) -> Result<(), String> {
        if let Some(fault) = self.fault.take()
            && fault.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(format!(
                "stdout could not be written ({fault}). Check where it leads to."
            ));
        }
        let Some(path) = &self.options.output_file else {
            return Ok(());
        };
        std::fs::write(path, &self.file).map_err(|error| {
            let path = super::paths::shown(path);
            format!(
                "{path}: the findings could not be written to it ({error}). Check --output-file."
            )
        })
    }

    fn summary(&mut self, summary: &Summary) {
        if self.options.verbosity == Verbosity::Quiet {
            return;
        }
        if summary.files == 0 && summary.problems == 0 {
            let word = self.styled("warning", WARNING);
            self.note(&format!(
                "{word}: 0 files checked: the given paths hold no Python file that is not excluded."
            ));
        } else if summary.has_findings() || self.options.verbosity == Verbosity::Verbose {
            let text = summary.display(self.options.mode);
            self.note(&text.to_string());
        }
    }

    fn findings(&mut self, write: impl FnOnce(&mut Report, &mut dyn Write) -> io::Result<()>) {
        let Self {
            streams,
            report,
            file,
            fault,
            ..
        } = self;
        match self.target {
            Target::Stdout if fault.is_none() => *fault = write(report, streams.stdout).err(),
            Target::Stdout => {}
            // Nobody is left to tell when stderr is closed.
            Target::Stderr => drop(write(report, streams.stderr)),
            Target::File => drop(write(report, file)),
        }
    }

    /// A line on stderr, after what stdout has to say so far.
    fn note(&mut self, line: &str) {
        if self.fault.is_none() {
            self.fault = self.streams.stdout.flush().err();
        }
        let _ = match &mut self.held {
            Some(held) => writeln!(held, "{line}"),
            None => writeln!(self.streams.stderr, "{line}"),
        };
    }

    fn styled(&self, word: &str, style: Style) -> String {
        if self.streams.stderr_color {
            format!("{style}{word}{style:#}")
        } else {
            word.to_owned()
        }
    }
}
