//! What goes to stdout and what to stderr, and what happens when nobody reads it.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::baseline::words;
use super::disk::report_file;
use super::file::Outcome;
use super::options::{Input, Mode, Options, Verbosity};
use super::output::Output;
use super::paths::{shown, single_line};
use super::problem::Problem;
use super::report::{Findings, Root, Sinks};
use super::summary::Summary;
use crate::text::single_line::is_control;

/// `bytes` as a terminal may show them: what is no text, and control characters other than tabs and
/// line ends, stand as escapes.
pub(crate) fn visible(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        // A carriage return before a newline moves nothing.
        let lines = chunk.valid().split("\r\n").map(with_escapes);
        out.push_str(&lines.collect::<Vec<_>>().join("\r\n"));
        let invalid = chunk.invalid().iter();
        out.extend(invalid.map(|byte| format!("\\x{byte:02x}")));
    }
    out
}

fn with_escapes(text: &str) -> String {
    let is_kept = |letter: &char| matches!(letter, '\t' | '\n') || !is_control(*letter);
    let letters = text.chars().map(|letter| match is_kept(&letter) {
        true => letter.to_string(),
        false => letter.escape_default().to_string(),
    });
    letters.collect()
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The two streams, and whether each shows colours.
pub(crate) struct Streams<'a> {
    /// Where findings, a diff or a patched text go.
    pub(crate) stdout: &'a mut dyn Write,
    /// Where all else goes.
    pub(crate) stderr: &'a mut dyn Write,
    /// Whether stdout is a terminal.
    pub(crate) is_terminal: bool,
    /// Whether stdout shows colours.
    pub(crate) stdout_color: bool,
    /// Whether stderr shows colours.
    pub(crate) stderr_color: bool,
}

/// The stream for the format that has no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    fn of(options: &Options) -> Self {
        let is_stdin = matches!(options.input, Input::Stdin(_));
        match options.mode {
            Mode::Diff => Stream::Stderr,
            Mode::Fix if is_stdin => Stream::Stderr,
            Mode::Fix | Mode::Report => Stream::Stdout,
        }
    }
}

/// Prints outcomes as they come.
pub(crate) struct Console<'a> {
    streams: Streams<'a>,
    options: &'a Options,
    stream: Stream,
    sinks: Sinks,
    /// Lines that wait for the end of a document on stderr, which must stay in one piece.
    held: Option<Vec<u8>>,
    /// The first fault of stdout; nothing more is written to it then.
    fault: Option<io::Error>,
}

impl<'a> Console<'a> {
    /// A console for a run with `options`.
    pub(crate) fn new(streams: Streams<'a>, options: &'a Options) -> Self {
        let stream = Stream::of(options);
        let color = match stream {
            Stream::Stdout => streams.stdout_color,
            Stream::Stderr => streams.stderr_color,
        };
        let holds = |output: &Output| output.file.is_none() && output.format.is_document();
        let is_held = stream == Stream::Stderr && options.outputs.iter().any(holds);
        let root = Root::from_environment(options.walk.cwd.clone());
        let mut console = Self {
            sinks: Sinks::new(&options.outputs, options.statistics, color, root),
            streams,
            options,
            stream,
            held: is_held.then(Vec::new),
            fault: None,
        };
        let started = console.sinks.start(options.registry);
        console.report(started);
        console
    }

    /// Prints what became of one file.
    pub(crate) fn outcome(&mut self, outcome: &Outcome) {
        let taken = self.sinks.findings(Findings {
            path: &outcome.path,
            text: &outcome.text,
            diagnostics: &outcome.diagnostics,
            registry: outcome.registry,
        });
        self.report(taken);
        self.text(&outcome.diff);
        if self.options.verbosity == Verbosity::Verbose {
            for line in &outcome.trace {
                self.note(line);
            }
        }
        for exceeded in &outcome.exceeded {
            self.remark(&format!(
                "{}: the baseline accepts {} of {}, and there are {}: all of them are shown, as nothing tells which are new.",
                shown(&outcome.path),
                exceeded.allowed,
                words(&exceeded.key),
                exceeded.found,
            ));
        }
        if let Some(problem) = &outcome.problem {
            self.problem(problem);
        }
    }

    /// Hands what was written to the terminal.
    pub(crate) fn flush(&mut self) {
        if self.fault.is_none() {
            self.fault = self.streams.stdout.flush().err();
        }
        let _ = self.streams.stderr.flush();
    }

    /// Writes `bytes`, a diff or a patched text, to stdout: as they are, so that a program can take
    /// them, and with control characters as escapes to a terminal.
    pub(crate) fn text(&mut self, bytes: &[u8]) {
        if self.streams.is_terminal {
            self.stdout(visible(bytes).as_bytes());
        } else {
            self.stdout(bytes);
        }
    }

    fn stdout(&mut self, bytes: &[u8]) {
        if self.fault.is_none() {
            self.fault = self.streams.stdout.write_all(bytes).err();
        }
    }

    /// Whether what is written to stdout still goes anywhere.
    pub(crate) fn has_stdout(&self) -> bool {
        self.fault.is_none()
    }

    /// Prints a problem on stderr, and in each report that has a place for it.
    pub(crate) fn problem(&mut self, problem: &Problem) {
        let taken = self.sinks.problem(problem);
        self.report(taken);
        let (before, after) = problem.heading();
        let word = self.styled("error", ERROR);
        let message = single_line(&problem.message);
        self.note(&format!("{before}{word}: {after}{message}"));
    }

    /// Prints a problem that belongs to no file.
    pub(crate) fn error(&mut self, message: &str) {
        let word = self.styled("error", ERROR);
        self.note(&format!("{word}: {}", single_line(message)));
    }

    /// Prints a remark on stderr, unless only findings and errors are wanted.
    pub(crate) fn remark(&mut self, message: &str) {
        if self.options.verbosity > Verbosity::Quiet {
            self.note(&single_line(message));
        }
    }

    /// Ends the reports and prints the summary.
    ///
    /// # Errors
    /// The last of the printed sentences that say what could not be written; a closed pipe is no error.
    pub(crate) fn finish(mut self, summary: &Summary) -> Result<(), String> {
        let ended = self.sinks.finish();
        self.report(ended);
        let mut faults = self.write_files();
        if let Some(held) = self.held.take() {
            let _ = self.streams.stderr.write_all(&held);
        }
        if self.fault.is_none() {
            self.fault = self.streams.stdout.flush().err();
        }
        self.summary(summary);
        if let Some(fault) = self.fault.take()
            && fault.kind() != io::ErrorKind::BrokenPipe
        {
            faults.push(format!(
                "stdout could not be written ({fault}). Check where it leads to."
            ));
        }
        for fault in &faults {
            self.error(fault);
        }
        let _ = self.streams.stderr.flush();
        faults.pop().map_or(Ok(()), Err)
    }

    /// Writes the report files, and says which could not be written.
    fn write_files(&mut self) -> Vec<String> {
        let Self {
            sinks,
            streams,
            fault,
            ..
        } = self;
        let mut faults = Vec::new();
        for (path, bytes) in sinks.files() {
            let written = match path.to_str() {
                // The streams hold back bytes that come first.
                Some("/dev/stdout" | "/dev/fd/1") => {
                    if fault.is_none() {
                        *fault = streams.stdout.write_all(bytes).err();
                    }
                    Ok(())
                }
                Some("/dev/stderr" | "/dev/fd/2") => streams.stderr.write_all(bytes),
                _ => report_file::write(path, bytes),
            };
            faults.extend(written.err().map(|error| {
                let path = shown(path);
                format!(
                    "{path}: the report could not be written to it ({error}). \
                     Check the path given with --output-format or --output-file."
                )
            }));
        }
        faults
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

    /// Passes on what the reports have for their stream by now.
    fn report(&mut self, taken: io::Result<()>) {
        if self.fault.is_none() {
            self.fault = taken.err();
        }
        let bytes = self.sinks.take_stream();
        match self.stream {
            Stream::Stdout => self.stdout(&bytes),
            // Nobody is left to tell when stderr is closed.
            Stream::Stderr => drop(self.streams.stderr.write_all(&bytes)),
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
