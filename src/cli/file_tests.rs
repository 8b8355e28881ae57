//! One file at a time, checked by a stand-in for the core.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::cli::args::Args;
use crate::cli::report::tests::diagnostics;
use clap::Parser;

/// Finds every `namedtuple(…)`; the fix of the first puts `P` in its place.
pub(in crate::cli) fn fake(
    text: &str,
    _context: &FileContext,
    _settings: &Settings,
) -> Result<CheckResult, SyntaxError> {
    crate::python::parse::parse(text)?;
    let found = diagnostics(text);
    let patched = found.first().map(|diagnostic| {
        let mut patched = text.to_owned();
        patched.replace_range(std::ops::Range::<usize>::from(diagnostic.range), "P");
        patched.insert_str(0, "P = 1\n");
        patched
    });
    Ok(CheckResult {
        patched,
        diagnostics: found,
        ..CheckResult::default()
    })
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(bytes: &[u8]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.path(), bytes).unwrap();
        folder
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("m.py")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path()).unwrap()
    }

    fn run(&self, args: &[&str], checker: &Checker<'_>) -> Outcome {
        let args = std::iter::once(&"hoist-namedtuple").chain(args);
        let options =
            Options::in_folder(&env::current_dir().unwrap(), Args::parse_from(args)).unwrap();
        let source = Source {
            shown: "m.py".into(),
            path: self.path(),
            settings: Arc::default(),
            is_only_linked: false,
        };
        Pipeline::new(&options, checker).file(&source)
    }
}

fn message(outcome: &Outcome) -> String {
    outcome.problem.as_ref().unwrap().to_string()
}

const SITE: &[u8] = b"x = lambda: namedtuple('P', 'x')(1)\n";
const FIXED: &[u8] = b"P = 1\nx = lambda: P(1)\n";

#[test]
fn a_report_changes_nothing() {
    let folder = Folder::with(SITE);
    let outcome = folder.run(&[], &fake);
    assert_eq!(outcome.diagnostics.len(), 1);
    assert_eq!((outcome.fixed, outcome.diff.len()), (0, 0));
    assert_eq!(folder.bytes(), SITE);
}

#[test]
fn a_fix_is_written_and_what_is_left_is_placed_in_the_new_text() {
    let folder = Folder::with(b"x = lambda: namedtuple('P')\ny = [\n    1]\n");
    let outcome = folder.run(&["--fix"], &fake);
    assert_eq!((outcome.fixed, outcome.diagnostics.len()), (1, 0));
    assert_eq!(folder.bytes(), b"P = 1\nx = lambda: P\ny = [\n    1]\n");
    assert!(outcome.problem.is_none());
}

#[test]
fn mark_encoding_and_line_ends_survive_a_fix() {
    let before = b"# coding: latin-1\r\nx = lambda: namedtuple('P')('\xe9')\r".to_vec();
    let folder = Folder::with(&before);
    folder.run(&["--fix"], &fake);
    assert_eq!(
        folder.bytes(),
        b"P = 1\n# coding: latin-1\r\nx = lambda: P('\xe9')\r"
    );
    let folder = Folder::with(b"\xef\xbb\xbfx = lambda: namedtuple('P')");
    folder.run(&["--fix"], &fake);
    assert_eq!(folder.bytes(), b"\xef\xbb\xbfP = 1\nx = lambda: P");
}

#[test]
fn a_diff_is_made_and_nothing_is_written() {
    let folder = Folder::with(SITE);
    let outcome = folder.run(&["--diff", "--fix"], &fake);
    assert_eq!(outcome.diff, diff::unified(SITE, FIXED, Path::new("m.py")));
    assert_eq!(outcome.diagnostics.len(), 1);
    assert_eq!(folder.bytes(), SITE);
}

#[test]
fn a_file_without_a_factory_name_is_not_even_decoded() {
    let outcome = Folder::with(b"\xff\0(").run(&[], &fake);
    assert!(outcome.problem.is_none());
}

#[test]
fn bad_input_is_a_sentence_and_the_file_stays() {
    let large = [b"namedtuple('P')\n".as_slice(), &vec![b'#'; 32 << 20]].concat();
    for (bytes, expected) in [
        (
            &b"namedtuple('\xff')"[..],
            "error: m.py: it is not valid in its encoding `utf-8`",
        ),
        (b"x = 1\nlambda: namedtuple('P') + (\n", "m.py:3:1: error: "),
        (&large, "error: m.py: it is larger than 32 MiB"),
    ] {
        let folder = Folder::with(bytes);
        let outcome = folder.run(&["--fix"], &fake);
        assert!(
            message(&outcome).starts_with(expected),
            "{}",
            message(&outcome)
        );
        assert!(folder.bytes() == bytes);
    }
}

#[test]
fn a_panic_is_told_and_the_file_stays() {
    let folder = Folder::with(SITE);
    let outcome = folder.run(&["--fix"], &|_, _, _| panic!("on purpose"));
    assert!(message(&outcome).contains("internal error"));
    assert_eq!(folder.bytes(), SITE);
}

#[test]
fn a_patch_that_the_encoding_cannot_hold_is_refused() {
    let bytes = b"# coding: ascii\nlambda: namedtuple('P')\n";
    let folder = Folder::with(bytes);
    let outcome = folder.run(&["--fix"], &|text, _, _| {
        let patched = Some(format!("{text}é"));
        Ok(CheckResult {
            patched,
            ..CheckResult::default()
        })
    });
    assert!(message(&outcome).contains("its encoding lacks"));
    assert_eq!(folder.bytes(), bytes);
}

#[test]
fn a_file_that_changes_is_read_again_and_given_up_after_the_third_time() {
    for (changes, is_fixed) in [(1, true), (3, true), (4, false)] {
        let folder = Folder::with(SITE);
        let count = AtomicUsize::new(0);
        let outcome = folder.run(&["--fix"], &|text, context, settings| {
            let number = count.fetch_add(1, Ordering::Relaxed);
            if number < changes {
                fs::write(
                    folder.path(),
                    format!("# {number}\nx = lambda: namedtuple('P')\n"),
                )
                .unwrap();
            }
            fake(text, context, settings)
        });
        assert_eq!(outcome.problem.is_none(), is_fixed, "{changes}");
        let text = String::from_utf8(folder.bytes()).unwrap();
        assert_eq!(text.starts_with("P = 1\n# "), is_fixed, "{text}");
        if !is_fixed {
            assert!(message(&outcome).contains("it changed while it was checked"));
            assert_eq!(text, "# 3\nx = lambda: namedtuple('P')\n");
        }
    }
}

#[cfg(unix)]
#[test]
fn findings_of_a_file_that_cannot_be_written_are_still_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(SITE);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o444)).unwrap();
    let outcome = folder.run(&["--fix"], &fake);
    assert!(message(&outcome).contains("read-only"));
    assert_eq!((outcome.fixed, outcome.diagnostics.len()), (0, 1));
    assert_eq!(folder.bytes(), SITE);
}

#[test]
fn the_trace_stands_under_the_place_of_its_finding() {
    let outcome = Folder::with(SITE).run(&[], &fake);
    let expected = [
        "m.py:1:13: HNT001",
        "  it resolves to collections.namedtuple",
    ];
    assert_eq!(outcome.trace, expected);
}
