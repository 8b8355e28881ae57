//! Every fixture holds the invariants, and its findings and diff are the reviewed snapshot beside it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use hoist_namedtuple::text::Lines;
use similar::TextDiff;
use support::{Checked, Verdict, check, fixtures, on_large_stack, root};

#[test]
fn every_fixture_holds_the_invariants_and_matches_its_snapshot() {
    let failed: Vec<_> = on_large_stack(|| {
        let holds = |path: &PathBuf| {
            catch_unwind(AssertUnwindSafe(|| assert_matches_snapshot(&check(path)))).is_ok()
        };
        fixtures().into_iter().filter(|path| !holds(path)).collect()
    });
    assert!(
        failed.is_empty(),
        "{} fixtures failed: {failed:#?}",
        failed.len()
    );
}

#[test]
fn every_snapshot_belongs_to_a_fixture_that_has_findings() {
    let entries = walkdir::WalkDir::new(root()).into_iter();
    let files = entries.map(|entry| entry.unwrap().into_path());
    let orphans: Vec<_> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "snap")
        })
        .filter(|path| {
            let silent = path
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("silent_");
            silent || !path.with_extension("py").exists()
        })
        .filter(|path| !path.starts_with(root().join("symtable")))
        .collect();
    assert!(orphans.is_empty(), "unreferenced snapshots: {orphans:#?}");
}

#[test]
fn a_byte_order_mark_stays_and_changes_no_edit() {
    let folder = tempfile::tempdir().unwrap();
    let expected = on_large_stack(|| {
        let paths = fixtures().into_iter();
        let plain = paths.filter(|path| !path.starts_with(root().join("cases")));
        let checked = plain.map(|path| check(&path));
        let hoisted = checked.filter(|checked| checked.fixture.verdict == Verdict::Hoist);
        let usual = hoisted.filter(|checked| !has_directives(checked));
        usual
            .map(|checked| with_mark(&checked, folder.path()))
            .collect::<Vec<_>>()
    });
    let mut command = assert_cmd::Command::cargo_bin("hoist-namedtuple").unwrap();
    let output = command
        .args(["--isolated", "--select", "ALL", "--fix", "-q"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    for (path, text) in expected {
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            text,
            "{}",
            path.display()
        );
    }
}

/// Whether the fixture is checked otherwise than a user would who names no options.
fn has_directives(checked: &Checked) -> bool {
    ["settings", "context"]
        .iter()
        .any(|key| !checked.fixture.directive(key).is_empty())
}

/// Writes a fixture with a byte order mark into `folder`; returns its path and what it must become.
fn with_mark(checked: &Checked, folder: &Path) -> (PathBuf, String) {
    let path = folder.join(checked.fixture.path.strip_prefix(root()).unwrap());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("\u{feff}{}", checked.fixture.text)).unwrap();
    let patched = checked.result.patched.as_deref().unwrap();
    (path, format!("\u{feff}{patched}"))
}

#[test]
fn a_name_that_promises_what_does_not_happen_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "hoist_nothing.py",
        "skip_nothing.py",
        "error_nothing.py",
        "other_nothing.py",
    ] {
        let path = folder.path().join(name);
        let text = if name.starts_with("error") {
            "def f("
        } else {
            "x = 1\n"
        };
        fs::write(&path, text).unwrap();
        let refused = catch_unwind(|| check(&path)).is_err();
        assert_eq!(refused, !name.starts_with("error"), "{name}");
    }
}

fn assert_matches_snapshot(checked: &Checked) {
    let fixture = &checked.fixture;
    if matches!(fixture.verdict, Verdict::Silent | Verdict::Error) {
        return;
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(fixture.path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(fixture.stem.as_str(), render(checked)));
}

/// The findings, a line or two each, and the diff; `␍` stands for a carriage return.
fn render(checked: &Checked) -> String {
    let text = &checked.fixture.text;
    let lines = Lines::new(text);
    let mut out = String::new();
    for (index, found) in checked.result.diagnostics.iter().enumerate() {
        let at = lines.location(found.range.start());
        writeln!(
            out,
            "{}:{}: {} {}",
            at.row, at.column, found.code, found.message
        )
        .unwrap();
        if let Some(reason) = found.skip_reason {
            writeln!(out, "    skip: {reason}").unwrap();
        }
        if let (Some(fix), Some(definition)) = (&found.fix, &found.definition) {
            let state = if checked.is_fixed(index) {
                "fixed"
            } else {
                "left"
            };
            let kind = if definition.reused { "reuses" } else { "adds" };
            let grade = fix.applicability();
            writeln!(out, "    {state} ({grade:?}): {kind} {}", definition.name).unwrap();
        }
        if let (Some(fix), None) = (&found.fix, &found.definition) {
            writeln!(
                out,
                "    fixed ({:?}): {}",
                fix.applicability(),
                fix.message()
            )
            .unwrap();
        }
    }
    if let Some(patched) = &checked.result.patched {
        let name = format!("{}.py", checked.fixture.stem);
        let diff = TextDiff::from_lines(text.as_str(), patched.as_str());
        let diff = diff.unified_diff().header(&name, &name).to_string();
        write!(out, "\n{diff}").unwrap();
    }
    out.replace('\r', "␍").replace('\x0c', "␌")
}
