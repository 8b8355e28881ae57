//! The semantic model and the parser held against CPython's own `symtable` and `compile`.
//!
//! Plain `cargo test` looks at the top-level modules of `python3`'s standard library. With
//! `HOIST_NAMEDTUPLE_ALL_PYTHONS=1` it looks at every file of the library of every CPython from
//! 3.8 on that pyenv has, test packages included.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod difference;
mod interpreters;
#[path = "../support/pyenv.rs"]
mod pyenv;
mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hoist_namedtuple::python::nodes::Nodes;
use hoist_namedtuple::python::parse::parse;
use hoist_namedtuple::python::semantic::SemanticModel;
use hoist_namedtuple::text::Lines;
use walkdir::WalkDir;

use difference::{
    Counts, Difference, explain_class_cell, explain_theirs, hidden_annotations,
    inline_comprehensions, unmangle,
};
use interpreters::{Interpreter, Verdict};
use table::{Table, Teller};

const ALL: &str = "HOIST_NAMEDTUPLE_ALL_PYTHONS";

/// The interpreters and, for each, the files to look at.
fn subjects() -> Vec<(Interpreter, Vec<PathBuf>)> {
    let all = std::env::var_os(ALL).is_some();
    let pythons = if all {
        Interpreter::all()
    } else {
        Interpreter::default_one().into_iter().collect()
    };
    let depth = if all { usize::MAX } else { 1 };
    let with_files = pythons.into_iter().map(|python| {
        let files = WalkDir::new(&python.library)
            .max_depth(depth)
            .sort_by_file_name()
            .into_iter()
            .filter_map(Result::ok)
            .map(walkdir::DirEntry::into_path)
            .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
            .filter(|path| {
                !path
                    .components()
                    .any(|part| part.as_os_str() == "site-packages")
            })
            .collect();
        (python, files)
    });
    with_files.collect()
}

/// Runs on the stack that checks get.
fn on_large_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    if let Err(panic) = thread.spawn(run).unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

/// How the names of one file compare.
#[derive(Debug, Default)]
struct Comparison {
    names: usize,
    counts: Counts,
    unexplained: Vec<String>,
}

fn compare(text: &str, theirs: Table, minor: u32) -> Comparison {
    let mut comparison = Comparison::default();
    let counts = &mut comparison.counts;
    let parsed = match parse(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            comparison.unexplained.push(format!("parse: {error}"));
            return comparison;
        }
    };
    let nodes = Nodes::build(parsed.syntax());
    let model = SemanticModel::build(&nodes);
    let hidden = hidden_annotations(&nodes, minor);
    if !hidden.is_empty() {
        counts.insert(Difference::FutureAnnotations, hidden.len());
    }
    let lines = Lines::new(text);
    let mut teller = Teller::new(&nodes, &model, &lines, hidden);
    let mut ours = teller.table();
    if teller.class_reads > 0 {
        counts.insert(Difference::ClassNameInTypeParameters, teller.class_reads);
    }
    let mut theirs = theirs;
    comparison.names = theirs.names();
    explain_theirs(&mut theirs, counts);
    explain_class_cell(&mut theirs, false, counts);
    explain_class_cell(&mut ours, false, &mut Counts::default());
    if Difference::InlinedComprehension.shown_by(minor) {
        inline_comprehensions(&mut ours, counts);
    }
    let mut unexplained = differences(&ours, &theirs);
    if !unexplained.is_empty() && Difference::MangledAfterGenericClass.shown_by(minor) {
        unmangle(&mut ours);
        unmangle(&mut theirs);
        let rest = differences(&ours, &theirs);
        if rest.is_empty() {
            counts.insert(Difference::MangledAfterGenericClass, unexplained.len());
            unexplained = rest;
        }
    }
    comparison.unexplained = unexplained;
    comparison
}

fn differences(ours: &Table, theirs: &Table) -> Vec<String> {
    let mut found = Vec::new();
    add_differences(ours, theirs, &mut found);
    found
}

fn add_differences(ours: &Table, theirs: &Table, found: &mut Vec<String>) {
    let place = format!("{} {} at line {}", theirs.kind, theirs.name, theirs.line);
    let names: BTreeSet<_> = ours.symbols.keys().chain(theirs.symbols.keys()).collect();
    for name in names {
        let (our, their) = (ours.symbols.get(name), theirs.symbols.get(name));
        let same = match (our, their) {
            // Several comprehensions may bring the name; the first one's uses stay.
            (Some(our), Some(their)) if our.merged => our.scope == their.scope,
            (Some(our), Some(their)) => our.scope == their.scope && our.uses == their.uses,
            _ => false,
        };
        if !same {
            found.push(format!("{place}: {name}: {our:?} for {their:?}"));
        }
    }
    let (ours, theirs) = (in_order(&ours.children), in_order(&theirs.children));
    if ours.len() != theirs.len() {
        let heads = |tables: &[&Table]| -> Vec<_> {
            let head = |table: &&Table| format!("{} {}", table.name, table.line);
            tables.iter().map(head).collect()
        };
        found.push(format!(
            "{place}: {:?} for {:?}",
            heads(&ours),
            heads(&theirs)
        ));
        return;
    }
    for (our, their) in ours.into_iter().zip(theirs) {
        if (&our.kind, &our.name) != (&their.kind, &their.name) {
            found.push(format!(
                "{place}: {} {} for {}",
                our.kind, our.name, their.name
            ));
        } else {
            add_differences(our, their, found);
        }
    }
}

/// Siblings in an order that both sides share: definitions by line, the nameless by content.
fn in_order(tables: &[Table]) -> Vec<&Table> {
    let mut tables: Vec<_> = tables.iter().collect();
    tables.sort_by_cached_key(|table| {
        let nameless = ["lambda", "listcomp", "setcomp", "dictcomp", "genexpr"];
        let line = if nameless.contains(&table.name.as_str()) {
            0
        } else {
            table.line
        };
        (table.kind.clone(), table.name.clone(), line, content(table))
    });
    tables
}

fn content(table: &Table) -> String {
    let mut text = String::new();
    for (name, fact) in &table.symbols {
        let uses: String = fact.uses.iter().filter(|_| !fact.merged).collect();
        text.push_str(&format!("{name} {}{uses};", fact.scope));
    }
    let mut inside: Vec<_> = table.children.iter().map(content).collect();
    inside.sort();
    format!("{text}({})", inside.join(","))
}

#[test]
fn every_name_in_every_scope_is_as_cpython_says() {
    on_large_stack(|| {
        for (python, files) in subjects() {
            let (mut files_seen, mut names, mut counts) = (0, 0, Counts::default());
            let mut unexplained = Vec::new();
            python.judge(&files, |verdict| {
                let (Some(text), Some(table)) = (verdict.text, verdict.table) else {
                    return;
                };
                let comparison = compare(&text, table.into(), python.minor);
                files_seen += 1;
                names += comparison.names;
                for (kind, count) in comparison.counts {
                    *counts.entry(kind).or_default() += count;
                }
                let path = &verdict.path;
                let found = comparison.unexplained;
                unexplained.extend(found.iter().map(|one| format!("{path}: {one}")));
            });
            println!(
                "3.{}: {files_seen} files, {names} names; {counts:?}",
                python.minor
            );
            let shown: Vec<_> = unexplained.iter().take(60).collect();
            assert!(
                unexplained.is_empty(),
                "{} unexplained: {shown:#?}",
                unexplained.len()
            );
        }
    });
}

#[test]
fn what_cpython_compiles_is_parsed() {
    on_large_stack(|| {
        for (python, files) in subjects() {
            let (mut valid, mut rejected, mut missed) = (0, 0, Vec::new());
            let mut refused = Vec::new();
            python.judge(&files, |verdict| {
                let Verdict {
                    path, text, error, ..
                } = verdict;
                let Some(text) = text else {
                    return;
                };
                match (error, parse(&text)) {
                    (None, Ok(_)) => valid += 1,
                    (None, Err(ours)) => refused.push(format!("{path}: {ours}")),
                    (Some(_), Err(_)) => rejected += 1,
                    (Some(error), Ok(_)) => missed.push(format!("{path}: {error}")),
                }
            });
            println!(
                "3.{}: {valid} valid, {rejected} rejected by both, {} by CPython alone: {missed:#?}",
                python.minor,
                missed.len()
            );
            assert!(refused.is_empty(), "refused: {refused:#?}");
        }
    });
}

#[test]
fn each_explained_difference_has_a_fixture_that_shows_it() {
    on_large_stack(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/symtable");
        let pythons = Interpreter::all();
        for kind in Difference::ALL {
            let Some(python) = pythons.iter().rev().find(|one| kind.shown_by(one.minor)) else {
                println!("no CPython here shows {kind:?}");
                continue;
            };
            python.judge(&[folder.join(kind.fixture())], |verdict| {
                assert_eq!(verdict.error, None, "{kind:?}");
                let table = verdict.table.unwrap().into();
                let comparison = compare(&verdict.text.unwrap(), table, python.minor);
                assert_eq!(comparison.unexplained, Vec::<String>::new(), "{kind:?}");
                assert!(
                    comparison.counts.contains_key(&kind),
                    "{kind:?} is not shown"
                );
            });
        }
    });
}
