//! Every case of `fixtures/cases/cases.toml` gets the definitions it expects, and never its tempting wrong patch.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rustpython_ast::ModModule;
use rustpython_ast::comparable::ComparableStmt;
use rustpython_parser::{Parsed, parse_module};
use serde::Deserialize;
use support::{Verdict, cases, check, fixtures, on_large_stack, root};

#[derive(Deserialize)]
struct Case {
    name: String,
    why: String,
    #[serde(default)]
    hoists: Vec<(String, String)>,
    naive: Option<String>,
}

#[test]
fn every_case_gets_the_expected_definitions_and_no_tempting_wrong_patch() {
    let files = case_files();
    let failed: Vec<_> = on_large_stack(|| {
        let holds =
            |case: &Case| catch_unwind(AssertUnwindSafe(|| assert_case(case, &files))).is_ok();
        let cases = cases::<Case>().into_iter();
        let failed = cases.filter(|case| !holds(case));
        failed
            .map(|case| format!("{}: {}", case.name, case.why))
            .collect()
    });
    assert!(
        failed.is_empty(),
        "{} cases failed: {failed:#?}",
        failed.len()
    );
}

#[test]
fn every_case_is_a_file_and_every_file_a_case() {
    let named: BTreeSet<_> = cases::<Case>().into_iter().map(|case| case.name).collect();
    let files: BTreeSet<_> = case_files().into_keys().collect();
    assert_eq!(files, named);
}

#[test]
fn definitions_are_compared_as_trees_and_not_as_text() {
    let module = parsed("def f():\n    pass\n\n\nA = (nt('A',  \"x y\"))\n");
    assert!(defines(&module, "A", "nt(\"A\", 'x y')"));
    assert!(!defines(&module, "A", "nt('A', 'x z')"));
    assert!(!defines(&module, "B", "nt('A', 'x y')"));
}

/// The files below `fixtures/cases`, by their names without `.py`.
fn case_files() -> BTreeMap<String, PathBuf> {
    let folder = root().join("cases");
    let files = fixtures()
        .into_iter()
        .filter(|path| path.starts_with(&folder));
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    files.map(|path| (stem(&path), path)).collect()
}

fn assert_case(case: &Case, files: &BTreeMap<String, PathBuf>) {
    let checked = check(&files[&case.name]);
    let patched = checked.result.patched.as_deref();
    assert_eq!(
        case.hoists.is_empty(),
        checked.fixture.verdict != Verdict::Hoist
    );
    assert!(
        patched.is_none() || patched != case.naive.as_deref(),
        "the wrong patch"
    );
    let Some(patched) = patched else { return };
    let module = parsed(patched);
    for (name, call) in &case.hoists {
        assert!(
            defines(&module, name, call),
            "{name} = {call} is not in\n{patched}"
        );
    }
}

/// Whether a module-level statement is `name = call`, spelling apart.
fn defines(module: &Parsed<ModModule>, name: &str, call: &str) -> bool {
    let expected = parsed(&format!("{name} = {call}\n"));
    let expected = ComparableStmt::from(&expected.syntax().body[0]);
    let mut statements = module.syntax().body.iter();
    statements.any(|statement| ComparableStmt::from(statement) == expected)
}

fn parsed(text: &str) -> Parsed<ModModule> {
    parse_module(text).unwrap()
}
