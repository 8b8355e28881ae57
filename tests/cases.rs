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

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    let failed: Vec<_> = on_large_stack(|| {
        let holds = |case: &Case| catch_unwind(AssertUnwindSafe(|| assert_case(case))).is_ok();
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
    let folder = root().join("cases");
    let files = fixtures()
        .into_iter()
        .filter(|path| path.starts_with(&folder));
    let stems = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    assert_eq!(stems.collect::<BTreeSet<_>>(), named);
}

#[test]
fn definitions_are_compared_as_trees_and_not_as_text() {
    let module = parsed("def f():\n    pass\n\n\nA = (nt('A',  \"x y\"))\n");
    assert!(defines(&module, "A", "nt(\"A\", 'x y')"));
    assert!(!defines(&module, "A", "nt('A', 'x z')"));
    assert!(!defines(&module, "B", "nt('A', 'x y')"));
}

fn assert_case(case: &Case) {
    let checked = check(&root().join("cases").join(&case.name).with_extension("py"));
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
