//! A process that times the parser and the check on files, for `benches/compare.py`.
//!
//! It is built by `cargo build --release --bench phases`.

mod support;

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use serde::Serialize;
use support::input::Input;

/// Times the parser and the check.
#[derive(Debug, Parser)]
enum Command {
    /// Print a generated Python module.
    Generate { input: Input, size: usize },
    /// Parse each file once, and nothing else.
    Parse { files: Vec<PathBuf> },
    /// Print, a line of JSON a file, how long the parser and the check take by turns: in so many rounds, and
    /// in more when these are over in no time.
    Time { rounds: usize, files: Vec<PathBuf> },
}

/// For so long a file is timed at least: a median of few short rounds says little.
const LEAST: Duration = Duration::from_millis(300);

/// What was measured of one file.
#[derive(Debug, Serialize)]
struct Times<'a> {
    file: &'a Path,
    bytes: usize,
    findings: usize,
    /// Whether the check made a fix, and proved it.
    is_fixed: bool,
    /// Nanoseconds of the parser alone, a round each.
    parser: Vec<u128>,
    /// Nanoseconds of the check, a round each.
    check: Vec<u128>,
}

fn main() -> anyhow::Result<()> {
    let command = Command::parse();
    support::on_large_stack(|| run(&command))?
}

fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Generate { input, size } => {
            io::stdout().write_all(input.text(*size).as_bytes())?;
        }
        Command::Parse { files } => {
            for file in files {
                black_box(support::parse(&read(file)?));
            }
        }
        Command::Time { rounds, files } => {
            for file in files {
                let line = serde_json::to_string(&times(file, *rounds)?)?;
                writeln!(io::stdout(), "{line}")?;
            }
        }
    }
    Ok(())
}

/// The times of one file after a round that does not count.
fn times(file: &Path, rounds: usize) -> anyhow::Result<Times<'_>> {
    let text = read(file)?;
    support::parse(&text);
    let checked = support::check(&text).with_context(|| file.display().to_string())?;
    let mut times = Times {
        file,
        bytes: text.len(),
        findings: checked.diagnostics.len(),
        is_fixed: checked.patched.is_some(),
        parser: vec![],
        check: vec![],
    };
    let start = Instant::now();
    while times.parser.len() < rounds || start.elapsed() < LEAST {
        times.parser.push(nanoseconds(|| support::parse(&text)));
        times.check.push(nanoseconds(|| support::check(&text)));
    }
    Ok(times)
}

/// How long `work` takes, with the drop of what it returns.
fn nanoseconds<T>(work: impl FnOnce() -> T) -> u128 {
    let start = Instant::now();
    drop(black_box(work()));
    start.elapsed().as_nanos()
}

fn read(file: &Path) -> anyhow::Result<String> {
    fs::read_to_string(file).with_context(|| file.display().to_string())
}
