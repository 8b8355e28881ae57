//! The program on given arguments and bytes, without a process: for fuzzers.

use std::path::Path;

use super::args::Args;
use super::console::Streams;
use super::exit::ExitStatus;
use super::options::Options;
use super::{checked, show, with_causes};

/// What a run printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// What went to stdout.
    pub stdout: Vec<u8>,
    /// What went to stderr.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub code: u8,
}

/// A run that is prepared: its arguments and its configuration are read.
///
/// It is for fuzzers, and no promise to anyone else.
#[doc(hidden)]
#[derive(Debug)]
pub struct Prepared {
    options: Options,
}

impl Prepared {
    /// Prepares what the program does in the folder `cwd`; `arguments` are those behind its name.
    ///
    /// Help, documentation and the commands about own rules are printed by [`super::main`] alone.
    ///
    /// # Errors
    /// The line that the program prints when the arguments or the configuration are wrong.
    pub fn new(arguments: &[&str], cwd: &Path) -> Result<Self, String> {
        let words = ["hoist-namedtuple"].iter().chain(arguments);
        let args = Args::of(words).map_err(anyhow::Error::from);
        args.and_then(|args| Options::in_folder(cwd, args))
            .map(|options| Self { options })
            .map_err(|error| with_causes(&error))
    }

    /// Checks or shows, with `stdin` on standard input.
    #[must_use]
    pub fn run(&self, mut stdin: &[u8]) -> Printed {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let streams = Streams {
            stdout: &mut stdout,
            stderr: &mut stderr,
            is_terminal: false,
            stdout_color: false,
            stderr_color: false,
        };
        let status = match self.options.show {
            Some(what) => show::show(what, &self.options, streams.stdout, streams.stderr),
            None => checked(&self.options, &mut stdin, streams),
        };
        let status = status.unwrap_or_else(|error| {
            stderr.extend_from_slice(with_causes(&error).as_bytes());
            ExitStatus::Error
        });
        Printed {
            stdout,
            stderr,
            code: status.code(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"\
from collections import namedtuple
def f(): return namedtuple('P', 'x')(1)
";

    fn prepared(arguments: &[&str]) -> Result<Prepared, String> {
        let all = ["--isolated", "-"];
        Prepared::new(&[all.as_slice(), arguments].concat(), Path::new("/"))
    }

    #[test]
    fn standard_input_is_fixed_as_often_as_it_is_given() {
        let prepared = prepared(&["--fix"]).unwrap();
        let printed = prepared.run(TEXT);
        assert_eq!(printed.code, 0);
        assert!(printed.stdout.ends_with(b"def f(): return P(1)\n"));
        assert!(!printed.stderr.is_empty());
        assert_eq!(prepared.run(TEXT), printed);
    }

    #[test]
    fn a_fault_of_the_arguments_is_told() {
        let fault = prepared(&["--select", "NOTHING"]).unwrap_err();
        assert!(fault.contains("NOTHING"), "{fault}");
    }

    #[test]
    fn settings_are_shown() {
        let printed = prepared(&["--show-settings"]).unwrap().run(b"");
        assert_eq!(printed.code, 0);
        assert!(!printed.stdout.is_empty());
    }
}
