//! The CPythons at hand, and what comes of a call under each.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::calls::Call;
use crate::pyenv::pyenv_programs;

/// One CPython, 3.8 or newer.
#[derive(Debug)]
pub(crate) struct Python {
    program: PathBuf,
    /// The minor version.
    pub(crate) minor: u32,
}

/// What came of a call.
#[derive(Debug, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// This CPython does not have the factory.
    Absent,
    /// An exception.
    Raises {
        /// Its type and text.
        error: String,
    },
    /// A class.
    Made {
        /// Its `__name__`.
        name: String,
        /// The names of its fields.
        fields: Vec<String>,
    },
}

/// Whether the environment asks for every CPython and every call.
pub(crate) fn all_are_wanted() -> bool {
    std::env::var_os("HOIST_NAMEDTUPLE_ALL_PYTHONS").is_some_and(|value| value == "1")
}

/// `python3`, the oldest and the newest of pyenv's; all of them when the environment says so.
pub(crate) fn found() -> Vec<Python> {
    let usual = Python::identify(Path::new("python3")).unwrap();
    let mut all = BTreeMap::new();
    for program in pyenv_programs() {
        if let Some(python) = Python::identify(&program) {
            all.insert(python.minor, python);
        }
    }
    all.entry(usual.minor).or_insert_with(|| Python {
        program: usual.program.clone(),
        minor: usual.minor,
    });
    let (first, last) = (
        *all.keys().next().unwrap(),
        *all.keys().next_back().unwrap(),
    );
    let wanted = |minor: &u32| all_are_wanted() || [first, last, usual.minor].contains(minor);
    all.into_iter()
        .filter(|(minor, _)| wanted(minor))
        .map(|(_, python)| python)
        .collect()
}

impl Python {
    fn identify(program: &Path) -> Option<Self> {
        let ask = "import sys; print(sys.implementation.name, *sys.version_info[:2])";
        let output = Command::new(program).args(["-c", ask]).output().ok()?;
        let told = String::from_utf8(output.stdout).ok()?;
        let minor: u32 = told.trim().strip_prefix("cpython 3 ")?.parse().ok()?;
        (minor >= 8).then(|| Self {
            program: program.to_owned(),
            minor,
        })
    }

    /// What comes of each of `calls`, in order.
    pub(crate) fn outcomes<'c>(&self, calls: impl Iterator<Item = &'c Call>) -> Vec<Outcome> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judging/observe.py");
        let mut child = Command::new(&self.program)
            .args(["-X", "utf8"])
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let lines = calls.map(|call| serde_json::to_string(call).unwrap() + "\n");
        let lines: String = lines.collect();
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success(), "{}", self.program.display());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}
