//! The CPython process that runs the programs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Runs every program; its contract stands at its top.
const DRIVER: &str = include_str!("run.py");

/// A running interpreter.
#[derive(Debug)]
pub(crate) struct Interpreter {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// Texts that should behave alike, and how they are asked.
#[derive(Debug, Serialize)]
pub(crate) struct Job<'j> {
    pub(crate) variants: Vec<&'j str>,
    pub(crate) probes: Vec<&'j str>,
    pub(crate) split: bool,
    pub(crate) submodules: Vec<&'j str>,
    pub(crate) injected: &'j [String],
}

/// What one run of a program shows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Run {
    /// `ok`, or how the module's own code ended.
    pub(crate) end: String,
    /// The answers to the probes by their numbers, and the output.
    pub(crate) trace: Vec<String>,
    /// The module's names at the end.
    pub(crate) names: BTreeMap<String, String>,
}

impl Run {
    pub(crate) fn compiles(&self) -> bool {
        !self.end.starts_with("does not compile")
    }

    pub(crate) fn is_out_of_time(&self) -> bool {
        self.end == "out of time"
    }
}

impl Interpreter {
    /// `python3`, or what `HOIST_NAMEDTUPLE_PYTHON` names.
    pub(crate) fn start() -> Self {
        let program = std::env::var("HOIST_NAMEDTUPLE_PYTHON").unwrap_or("python3".to_owned());
        let mut process = Command::new(&program)
            .args(["-W", "ignore", "-c", DRIVER])
            .env("PYTHONHASHSEED", "0")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self {
            process,
            input,
            output,
        }
    }

    /// Runs all variants of the job.
    pub(crate) fn run(&mut self, job: &Job<'_>) -> Vec<Run> {
        let mut line = serde_json::to_vec(job).unwrap();
        line.push(b'\n');
        self.input.write_all(&line).unwrap();
        self.input.flush().unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        let first = job.variants.first().copied().unwrap_or_default();
        serde_json::from_str(&answer)
            .unwrap_or_else(|error| panic!("the interpreter died ({error}) at\n{first}"))
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        // It also ends by itself when its input does.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
