//! The script that proves real packages tells what is right and what is wrong, without a network.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BINARY: &str = env!("CARGO_BIN_EXE_hoist-namedtuple");

/// One finding with a fix and one without.
const MODULE: &str = "from collections import namedtuple


def point():
    Point = namedtuple('Point', 'x y')
    return Point(1, 2)


def bag():
    Bag = namedtuple('Bag', 'a')
    Bag.x = 1
    return Bag.x
";

/// A package in a folder, and beside it whatever plays the program.
struct Setting {
    folder: TempDir,
}

impl Setting {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("tiny/tiny");
        fs::create_dir_all(&package).unwrap();
        fs::write(package.join("module.py"), MODULE).unwrap();
        fs::write(package.join("plain.py"), "VALUE = 1\n").unwrap();
        fs::write(
            package.join("python2.py"),
            "print [namedtuple('A', x) for x in y]\n",
        )
        .unwrap();
        symlink("module.py", package.join("link.py")).unwrap();
        fs::write(
            folder.path().join("tiny/PKG-INFO"),
            "Name: tiny\nVersion: 1.2\n",
        )
        .unwrap();
        Self { folder }
    }

    /// A program that does what the real one does, and then runs `harm` when it is to fix.
    fn harmful(&self, harm: &str) -> PathBuf {
        self.program(&format!(
            "'{BINARY}' \"$@\"\ncode=$?\ncase \" $* \" in *' --fix '*) {harm};; esac\nexit $code"
        ))
    }

    /// A shell script that plays the program.
    fn program(&self, script: &str) -> PathBuf {
        let path = self.folder.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The exit code, the table's last row, and what is said to be wrong.
    fn prove(&self, binary: &Path) -> (Option<i32>, String, String) {
        let output = Command::new("python3")
            .arg(Path::new(ROOT).join("tests/packages/prove.py"))
            .arg("--binary")
            .arg(binary)
            .arg(self.folder.path().join("tiny"))
            .output()
            .unwrap();
        let table = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let row = table.lines().last().unwrap_or_default().to_owned();
        (output.status.code(), row, said)
    }

    /// Asserts that a program that also does `harm` is told, with `wrong` as the reason.
    #[track_caller]
    fn tells(harm: &str, wrong: &str) {
        let setting = Self::new();
        setting.finds_wrong(&setting.harmful(harm), wrong);
    }

    #[track_caller]
    fn finds_wrong(&self, binary: &Path, wrong: &str) {
        let (code, row, said) = self.prove(binary);
        assert_eq!(code, Some(1), "{row}\n{said}");
        assert!(row.ends_with("| wrong |"), "{row}");
        assert!(said.contains(wrong), "{said}");
    }
}

#[test]
fn a_right_fix_is_fine_and_leaves_the_package_as_it_was() {
    let setting = Setting::new();
    let (code, row, said) = setting.prove(Path::new(BINARY));
    let wanted =
        "| tiny | 1.2 | 3 | 2 | 2 | 1 | 1 class-as-namespace, 1 refused files |  |  | fine |";
    assert_eq!((code, row.as_str(), said.as_str()), (Some(0), wanted, ""));
    let module = setting.folder.path().join("tiny/tiny/module.py");
    assert_eq!(fs::read_to_string(module).unwrap(), MODULE);
}

#[test]
fn a_fix_that_breaks_a_file_is_told() {
    Setting::tells("echo '(' >> tiny/module.py", "does not compile any more");
}

#[test]
fn a_change_to_another_file_is_told() {
    Setting::tells(
        "echo 'VALUE = 2' > tiny/plain.py",
        "tiny/plain.py changed without a finding that is fixed",
    );
}

#[test]
fn a_second_run_that_changes_something_is_told() {
    Setting::tells(
        "echo '#' >> tiny/module.py",
        "a second run wrote tiny/module.py",
    );
}

#[test]
fn a_panic_is_told() {
    Setting::tells("echo 'panicked at src' >&2; exit 101", "exit code 101");
}

#[test]
fn a_withdrawn_patch_is_told() {
    let setting = Setting::new();
    let program = setting.program(&format!(
        "'{BINARY}' \"$@\" | sed s/class-as-namespace/verification-failed/"
    ));
    setting.finds_wrong(&program, "verification-failed at tiny/module.py:10");
}

#[test]
fn the_scripts_own_tests_pass() {
    let output = Command::new("python3")
        .args(["-B", "-m", "unittest", "discover", "-s", "tests/packages"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
