//! The CPythons at hand and what they say about files.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::pyenv::pyenv_programs;

/// One CPython, 3.8 or newer.
#[derive(Debug, Clone)]
pub struct Interpreter {
    pub program: PathBuf,
    pub minor: u32,
    pub library: PathBuf,
}

/// What CPython says about one file.
#[derive(Debug, Deserialize)]
pub struct Verdict {
    pub path: String,
    pub text: Option<String>,
    pub error: Option<String>,
    pub table: Option<RawTable>,
}

/// A symbol table as CPython prints it: type, name, line, symbols, children.
#[derive(Debug, Deserialize)]
pub struct RawTable(
    pub String,
    pub String,
    pub u32,
    pub std::collections::BTreeMap<String, String>,
    pub Vec<RawTable>,
);

impl Interpreter {
    fn probe(program: &Path) -> Option<Self> {
        let code = "import sys, sysconfig\n\
            print(sys.version_info[0], sys.version_info[1], sysconfig.get_paths()['stdlib'])";
        let output = Command::new(program).args(["-c", code]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut words = text.trim().splitn(3, ' ');
        let (major, minor) = (words.next()?, words.next()?.parse().ok()?);
        (major == "3" && minor >= 8).then_some(Self {
            program: program.to_owned(),
            minor,
            library: words.next()?.into(),
        })
    }

    /// The `python3` on the path; `None` when there is none that is new enough.
    pub fn default_one() -> Option<Self> {
        Self::probe(Path::new("python3"))
    }

    /// `python3` and all that pyenv has, one a version, oldest first.
    pub fn all() -> Vec<Self> {
        let mut found: Vec<_> = pyenv_programs()
            .into_iter()
            .filter(|program| program.exists())
            .filter_map(|program| Self::probe(&program))
            .chain(Self::default_one())
            .collect();
        found.sort_by_key(|one| one.minor);
        found.dedup_by_key(|one| one.minor);
        found
    }

    /// Calls `look` with the verdict on each of `files`.
    pub fn judge(&self, files: &[PathBuf], mut look: impl FnMut(Verdict)) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symtable/dump.py");
        let mut child = Command::new(&self.program)
            .arg("-I")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let names: String = files
            .iter()
            .map(|file| format!("{}\n", file.display()))
            .collect();
        let writer = std::thread::spawn(move || input.write_all(names.as_bytes()).unwrap());
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let mut json = serde_json::Deserializer::from_str(&line);
            look(Verdict::deserialize(&mut json).unwrap());
        }
        writer.join().unwrap();
        assert!(
            child.wait().unwrap().success(),
            "{}",
            self.program.display()
        );
    }
}
