//! Room 6: the outside world: arguments, files, diffs, reports and exit codes.

mod args;
mod baseline;
mod config;
mod console;
mod disk;
mod documentation;
mod exit;
mod file;
mod generate;
mod guard;
mod on_buffers;
mod options;
mod output;
mod own_rules;
mod paths;
mod problem;
mod progress;
mod report;
mod reporter;
mod run;
mod show;
mod size;
mod summary;
mod walk;
mod workers;

use std::env;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;

use args::{Args, Color};
use console::{Streams, visible};
use disk::interrupt;
use exit::ExitStatus;
use options::{Mode, Options, Verbosity};
use paths::single_line;

#[doc(hidden)]
pub use on_buffers::{Prepared, Printed};

/// Runs the program on the process's own arguments.
#[must_use]
pub fn main() -> ExitCode {
    let args = match Args::of_process() {
        Ok(args) => args,
        Err(error) => {
            // Help and version come this way too; a closed pipe is no fault of theirs.
            let _ = error.print();
            return match error.exit_code() {
                0 => ExitStatus::Clean.into(),
                _ => ExitStatus::Error.into(),
            };
        }
    };
    match run_with(args) {
        Ok(status) => status.into(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}", with_causes(&error));
            ExitStatus::Error.into()
        }
    }
}

fn run_with(args: Args) -> anyhow::Result<ExitStatus> {
    let cwd = env::current_dir()
        .context("The working folder cannot be found. Change to one that exists.")?;
    let color = args.color;
    let is_styled = shows_color(color, AutoStream::choice(&io::stdout()));
    if let Some(text) = documentation::wanted(&args, &cwd, is_styled)? {
        print(&text, &mut io::stdout())?;
        return Ok(ExitStatus::Clean);
    }
    guard::install_hook();
    if let Some((text, status)) = own_rules::wanted(&args, &cwd)? {
        print(&text, &mut io::stdout())?;
        return Ok(status);
    }
    let echoes = args.fix && !args.diff && options::reads_stdin(&args);
    let options = match Options::in_folder(&cwd, args) {
        Ok(options) => options,
        Err(error) => {
            // An editor takes what is printed for its text, whatever went wrong.
            if echoes {
                let _ = echo(&mut io::stdin());
            }
            return Err(error);
        }
    };
    if let Some(what) = options.show {
        return show::show(what, &options, &mut io::stdout(), &mut io::stderr());
    }
    if writes_files(&options) {
        interrupt::wait_for_writes().context(interrupt::NOT_PREPARED)?;
    }
    let mut stdout = BufWriter::new(io::stdout());
    let mut stderr = BufWriter::new(io::stderr());
    let streams = Streams {
        is_terminal: io::stdout().is_terminal(),
        stdout_color: shows_color(color, AutoStream::choice(&io::stdout())),
        stderr_color: shows_color(color, AutoStream::choice(&io::stderr())),
        stdout: &mut stdout,
        stderr: &mut stderr,
    };
    checked(&options, &mut io::stdin(), streams)
}

/// Checks what `options` ask for.
fn checked<'a>(
    options: &'a Options,
    stdin: &mut dyn Read,
    streams: Streams<'a>,
) -> anyhow::Result<ExitStatus> {
    let checker: &file::Checker<'a> = match options.verbosity {
        Verbosity::Verbose => &crate::check::check_with_trace,
        Verbosity::Quiet | Verbosity::Normal => &crate::check::check,
    };
    run::run(options, checker, stdin, streams)
}

/// Prints standard input as it is, and to a terminal with escapes.
fn echo(stdin: &mut dyn Read) -> io::Result<()> {
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes)?;
    if io::stdout().is_terminal() {
        io::stdout().write_all(visible(&bytes).as_bytes())
    } else {
        io::stdout().write_all(&bytes)
    }
}

/// The sentence of an error on one line, with what brought it about in parentheses.
fn with_causes(error: &anyhow::Error) -> String {
    let causes: Vec<String> = error.chain().skip(1).map(ToString::to_string).collect();
    single_line(&match causes.as_slice() {
        [] => error.to_string(),
        causes => format!("{error} ({})", causes.join(": ")),
    })
}

fn writes_files(options: &Options) -> bool {
    let writes_baseline = options
        .baseline
        .as_ref()
        .is_some_and(|known| known.is_written);
    let mut outputs = options.outputs.iter();
    options.mode == Mode::Fix || writes_baseline || outputs.any(|output| output.file.is_some())
}

/// Prints a text to `stdout`; a pager may have seen enough of it before its end.
///
/// # Errors
/// When it cannot be written, unless nobody reads it any more.
fn print(text: &str, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("stdout could not be written. Check where it leads to.")
        }
        _ => Ok(()),
    }
}

/// `choice` is what the terminal, NO_COLOR, CLICOLOR and CLICOLOR_FORCE come to.
fn shows_color(color: Color, choice: ColorChoice) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    // As Node.js and its kin read it: 0 and false turn colours off.
    let is_on =
        |name: &str| env::var_os(name).is_some_and(|value| value != "0" && value != "false");
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if is_set("FORCE_COLOR") && !is_set("NO_COLOR") => is_on("FORCE_COLOR"),
        Color::Auto => choice != ColorChoice::Never,
    }
}
