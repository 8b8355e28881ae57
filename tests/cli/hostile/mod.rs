//! Hostile input: a sentence that says what and where, no write, and the other files are still fixed.

mod broken;
mod bytes;
mod names;
mod nesting;
mod size;
mod text;

use std::fs;

use crate::project::{Project, Ran};

/// A file with one call that is fixed.
const SITE: &str = "from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";

/// What follows the error of a text that is no Python.
const NO_PYTHON: &str =
    "The file is not valid Python 3 and stays as it is; correct it or leave it out.";

/// Fixes a folder with the files `bad.py`, of these bytes, and `good.py`.
fn fix(bytes: &[u8]) -> (Project, Ran) {
    let project = Project::with(&[("bad.py", bytes), ("good.py", SITE.as_bytes())]);
    let ran = project.run(&["--fix", "."]);
    (project, ran)
}

/// Checks that of two files `bad.py` is told with the `error` and stays, and that the other is fixed.
#[track_caller]
fn refused(bytes: &[u8], error: &str) {
    let (project, ran) = fix(bytes);
    let summary = "Found 1 finding in 1 of 2 files.\n  1 fixed\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{error}");
    assert_eq!(ran.stderr, format!("{error}\n{summary}"));
    assert!(
        fs::read(project.path("bad.py")).unwrap() == bytes,
        "{error}"
    );
    assert_ne!(fs::read(project.path("good.py")).unwrap(), SITE.as_bytes());
}

/// [`refused`], for a text that is no Python.
#[track_caller]
fn no_python(text: &str, error: &str) {
    refused(text.as_bytes(), &format!("bad.py:{error}. {NO_PYTHON}"));
}

/// Checks that `bad.py` is passed by in silence.
#[track_caller]
fn passed_by(bytes: &[u8]) {
    let (project, ran) = fix(bytes);
    let summary = "Found 1 finding in 1 of 2 files.\n  1 fixed\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(ran.stderr, summary);
    assert!(fs::read(project.path("bad.py")).unwrap() == bytes);
}

/// Checks that the file is fixed like any other.
#[track_caller]
fn fixed(bytes: &[u8]) {
    let (project, ran) = fix(bytes);
    let summary = "Found 2 findings in 2 of 2 files.\n  2 fixed\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), summary));
    assert!(fs::read(project.path("bad.py")).unwrap() != bytes);
}
