//! Every `hoist_` fixture behaves the same before and after, under each CPython found from 3.8 up.
//!
//! It runs `python3`, the oldest and the newest; `HOIST_NAMEDTUPLE_ALL_PYTHONS=1` runs all of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

#[path = "support/pyenv.rs"]
mod pyenv;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use pyenv::pyenv_programs;
use serde::Deserialize;
use support::{Checked, Verdict, cases, check, fixtures, on_large_stack};

/// Imports a case as a module of that name and runs its probe inside it.
const PROBE_RUNNER: &str = r#"
import importlib.util, sys
spec = importlib.util.spec_from_file_location("case_mod", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["case_mod"] = module
spec.loader.exec_module(module)
with open(sys.argv[2], encoding="utf-8") as probe:
    exec(compile(probe.read(), "probe", "exec"), module.__dict__)
"#;

/// Major and minor version.
type Version = (u32, u32);

#[derive(Deserialize)]
struct Case {
    name: String,
    probe: Option<String>,
    probe_after: Option<String>,
}

/// What a run shows.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    stdout: String,
    code: Option<i32>,
    stderr: String,
}

/// One fixture, written out before and after the hoist.
struct Subject {
    name: String,
    folder: PathBuf,
    requires: Version,
    /// The number that the fixture takes to count its classes.
    counts: Option<u32>,
    is_case: bool,
    has_probe_after: bool,
}

#[test]
fn every_hoisted_fixture_behaves_as_before() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("run_probe.py"), PROBE_RUNNER).unwrap();
    let subjects = subjects(folder.path());
    let pythons = wanted(&pythons());
    let jobs = subjects.iter().flat_map(|subject| {
        let pythons = pythons.iter();
        let able = pythons.filter(|(version, _)| **version >= subject.requires);
        able.map(move |(version, python)| (subject, *version, python.as_path()))
    });
    let faults = run_all(jobs);
    assert!(
        faults.is_empty(),
        "{} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn a_difference_in_output_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let subject = Subject::write(folder.path(), "same", "print(1)\n", "print(1)\n");
    let other = Subject::write(folder.path(), "other", "print(1)\n", "print(2)\n");
    let failing = Subject::write(
        folder.path(),
        "failing",
        "print(1)\nexit(3)\n",
        "print(1)\nexit(3)\n",
    );
    let python = pythons().pop_last().unwrap().1;
    assert_eq!(subject.fault(&python), None);
    assert!(other.fault(&python).is_some());
    assert!(failing.fault(&python).is_some());
}

fn subjects(folder: &Path) -> Vec<Subject> {
    let probes: BTreeMap<_, _> = cases::<Case>()
        .into_iter()
        .map(|case| (case.name.clone(), case))
        .collect();
    let checked = on_large_stack(|| {
        let hoists = |path: &PathBuf| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("hoist_")
        };
        let paths = fixtures().into_iter().filter(hoists);
        paths.map(|path| check(&path)).collect::<Vec<_>>()
    });
    let write = |(index, checked): (usize, &Checked)| {
        let folder = folder.join(index.to_string());
        subject(&folder, checked, probes.get(&checked.fixture.stem))
    };
    checked.iter().enumerate().map(write).collect()
}

fn subject(folder: &Path, checked: &Checked, case: Option<&Case>) -> Subject {
    let fixture = &checked.fixture;
    assert_eq!(fixture.verdict, Verdict::Hoist);
    let patched = checked.result.patched.as_deref().unwrap();
    fs::create_dir_all(folder).unwrap();
    let mut subject = Subject::write(folder, &fixture.stem, &fixture.text, patched);
    subject.requires = fixture
        .directive("requires")
        .first()
        .map_or((3, 8), |word| version(word));
    subject.counts = fixture
        .directive("counts-classes")
        .first()
        .map(|word| word.parse().unwrap());
    if let Some(case) = case {
        subject.is_case = true;
        fs::write(folder.join("probe.py"), case.probe.as_ref().unwrap()).unwrap();
        if let Some(probe) = &case.probe_after {
            subject.has_probe_after = true;
            fs::write(folder.join("probe_after.py"), probe).unwrap();
        }
    }
    subject
}

impl Subject {
    fn write(folder: &Path, name: &str, before: &str, after: &str) -> Self {
        for (state, text) in [("before", before), ("after", after)] {
            fs::create_dir_all(folder.join(state)).unwrap();
            fs::write(folder.join(state).join(name).with_extension("py"), text).unwrap();
        }
        Self {
            name: name.to_owned(),
            folder: folder.to_owned(),
            requires: (3, 8),
            counts: None,
            is_case: false,
            has_probe_after: false,
        }
    }

    /// What differs between before and after, or is wrong in either.
    fn fault(&self, python: &Path) -> Option<String> {
        let (before, after) = if self.is_case {
            (
                self.probe(python, "before", "probe.py"),
                self.probe(python, "after", "probe.py"),
            )
        } else {
            (
                self.run(python, "before", &[]),
                self.run(python, "after", &[]),
            )
        };
        if before.code != Some(0) || before.stdout.is_empty() {
            return Some(format!("it does not run: {before:#?}"));
        }
        if (&before.stdout, before.code) != (&after.stdout, after.code) {
            return Some(format!("before: {before:#?}\nafter: {after:#?}"));
        }
        if self.has_probe_after {
            let shown = self.probe(python, "after", "probe_after.py");
            if shown.code != Some(0) {
                return Some(format!("probe_after: {shown:#?}"));
            }
        }
        self.counts
            .and_then(|count| self.count_fault(python, count))
    }

    /// Before, each entry has a type of its own; after, all share one and none is collected.
    fn count_fault(&self, python: &Path, count: u32) -> Option<String> {
        let argument = count.to_string();
        let [before, after] =
            ["before", "after"].map(|state| self.run(python, state, &[&argument]));
        let types = |shown: &Shown| counted(shown, "distinct entry types");
        let collected = counted(&before, "objects collected")?;
        let as_reported = types(&before) == Some(count)
            && (29 * count..=36 * count).contains(&collected)
            && types(&after) == Some(1)
            && counted(&after, "class objects collected") == Some(0);
        (!as_reported).then(|| format!("before: {before:#?}\nafter: {after:#?}"))
    }

    fn run(&self, python: &Path, state: &str, arguments: &[&str]) -> Shown {
        let script = Path::new(state).join(&self.name).with_extension("py");
        self.shown(Command::new(python).arg("-S").arg(script).args(arguments))
    }

    fn probe(&self, python: &Path, state: &str, probe: &str) -> Shown {
        let script = Path::new(state).join(&self.name).with_extension("py");
        let runner = self.folder.parent().unwrap().join("run_probe.py");
        self.shown(
            Command::new(python)
                .arg("-S")
                .arg(runner)
                .arg(script)
                .arg(probe),
        )
    }

    fn shown(&self, command: &mut Command) -> Shown {
        let command = command.current_dir(&self.folder).envs([
            ("PYTHONHASHSEED", "0"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("PYTHONUTF8", "1"),
        ]);
        let output = command.output().unwrap();
        Shown {
            stdout: String::from_utf8(output.stdout).unwrap(),
            code: output.status.code(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The number that a run shows behind `label: `.
fn counted(shown: &Shown, label: &str) -> Option<u32> {
    let mut lines = shown.stdout.lines();
    lines.find_map(|line| line.strip_prefix(label)?.strip_prefix(": ")?.parse().ok())
}

fn run_all<'a>(jobs: impl Iterator<Item = (&'a Subject, Version, &'a Path)> + Send) -> Vec<String> {
    let (jobs, faults) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    let next = || jobs.lock().unwrap().next();
    let work = || {
        while let Some((subject, (major, minor), python)) = next() {
            if let Some(fault) = subject.fault(python) {
                let fault = format!("{} under {major}.{minor}: {fault}", subject.name);
                faults.lock().unwrap().push(fault);
            }
        }
    };
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    faults.into_inner().unwrap()
}

/// Every CPython from 3.8 up on the PATH or under pyenv, one a minor version.
fn pythons() -> BTreeMap<Version, PathBuf> {
    let usual = [PathBuf::from("python3")].into_iter();
    let mut found = BTreeMap::new();
    for candidate in usual.chain(named_pythons()).chain(pyenv_programs()) {
        if let Some((version, executable)) = identify(&candidate)
            && version >= (3, 8)
        {
            found.entry(version).or_insert(executable);
        }
    }
    assert!(!found.is_empty(), "no CPython from 3.8 up was found");
    found
}

/// Each `python3.N` on the PATH; pyenv's shims are left out, as they are slow and its versions are asked anyway.
fn named_pythons() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| !folder.ends_with("shims"));
    let named = folders
        .flat_map(|folder| (8..30).map(move |minor| folder.join(format!("python3.{minor}"))));
    named.filter(|path| path.exists()).collect()
}

/// The version and the executable of `candidate` when it is a CPython that runs.
fn identify(candidate: &Path) -> Option<(Version, PathBuf)> {
    let ask = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2], sys.executable)";
    let output = Command::new(candidate)
        .args(["-S", "-c", ask])
        .output()
        .ok()?;
    let told = String::from_utf8(output.stdout).ok()?;
    let rest = told.trim_end().strip_prefix("cpython ")?;
    let (number, executable) = rest.split_once(' ')?;
    Some((version(number), PathBuf::from(executable)))
}

fn version(text: &str) -> Version {
    let (major, minor) = text.split_once('.').unwrap();
    (major.parse().unwrap(), minor.parse().unwrap())
}

/// `python3`, the oldest and the newest of `pythons`; all of them when the environment says so.
fn wanted(pythons: &BTreeMap<Version, PathBuf>) -> BTreeMap<Version, PathBuf> {
    if std::env::var_os("HOIST_NAMEDTUPLE_ALL_PYTHONS").is_some_and(|value| value == "1") {
        return pythons.clone();
    }
    let usual = identify(Path::new("python3")).map(|(version, _)| version);
    let ends = [pythons.first_key_value(), pythons.last_key_value()];
    let ends = ends.into_iter().flatten().map(|(version, _)| *version);
    let wanted: BTreeSet<_> = ends.chain(usual).collect();
    let chosen = pythons
        .iter()
        .filter(|(version, _)| wanted.contains(version));
    chosen
        .map(|(version, path)| (*version, path.clone()))
        .collect()
}
