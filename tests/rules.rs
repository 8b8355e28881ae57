//! Each rule's examples do what they say, in the program and, as far as their imports are there, in Python.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use hoist_namedtuple::check::example::{Difference, Examples};
use hoist_namedtuple::rule::{Invalid, Registry, Rule, registry};

/// Third-party modules that an example may import: it is not run in Python where they are missing.
const OPTIONAL: [&str; 4] = ["attr", "recordclass", "sqlalchemy", "numba"];

/// The rule that is shown as one of the user's own, and the page that shows it.
const OWN: &str = include_str!("../docs/own-rules/recordclass.toml");
const OWN_PAGE: &str = include_str!("../docs/user-rules.md");

/// The built-in rules and the one that is shown as the user's own.
static RULES: LazyLock<Registry> = LazyLock::new(|| {
    let files = [("recordclass.toml".to_owned(), OWN.to_owned())];
    registry().unwrap().and(files.into_iter()).unwrap()
});

#[test]
fn the_rule_that_is_shown_is_the_one_that_is_tested() {
    assert!(OWN_PAGE.contains(&format!("```toml\n{OWN}```\n")));
}

#[test]
fn every_example_of_a_rule_is_right() {
    let registry = &*RULES;
    let mut faults = vec![];
    for rule in rules(registry) {
        let code = rule.map_or(&registry.unused_suppression().code, |rule| {
            &rule.constant.code
        });
        let examples = Examples::new(registry, rule);
        let (valid, _) = registry.examples(code);
        for example in valid {
            faults.extend(told(code, &example.title, examples.valid(example)));
        }
        for example in invalid(registry, rule) {
            faults.extend(told(
                &example.code,
                &example.title,
                examples.invalid(example),
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_example_prints_the_same_when_it_is_written_as_advised() {
    let registry = &*RULES;
    let (mut faults, mut ran) = (vec![], 0);
    for rule in rules(registry) {
        for example in invalid(registry, rule) {
            let Some(instead) = example.instead() else {
                continue;
            };
            let texts = [&example.source, instead];
            if OPTIONAL
                .iter()
                .any(|name| texts.iter().any(|text| imports(text, name)) && !has(name))
            {
                continue;
            }
            let [before, after] = texts.map(python);
            if before != after || before.is_err() {
                let title = &example.title;
                faults.push(format!("{} ({title}): {before:?}, {after:?}", example.code));
            }
            ran += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(ran >= 16, "only {ran} examples were run");
}

#[test]
fn every_documented_example_prints_something() {
    let registry = &*RULES;
    for (_, code) in registry.codes() {
        let (_, invalid) = registry.examples(&code.code);
        let first = invalid[0];
        for text in [&first.source, first.instead().unwrap()] {
            assert!(text.contains("print("), "{}: {text}", code.code);
        }
    }
}

/// All rules, and `None` for the code about comments.
fn rules(registry: &'static Registry) -> impl Iterator<Item = Option<&'static Rule>> {
    registry.rules().map(Some).chain([None])
}

fn invalid(registry: &'static Registry, rule: Option<&'static Rule>) -> Vec<&'static Invalid> {
    match rule {
        Some(rule) => rule.invalid.iter().collect(),
        None => registry.examples(&registry.unused_suppression().code).1,
    }
}

fn told(code: &str, title: &str, difference: Option<Difference>) -> Option<String> {
    Some(match difference? {
        Difference::Told(sentence) => format!("{code} ({title}): {sentence}"),
        Difference::Fixed { expected, found } => {
            format!("{code} ({title}): expected\n{expected}found\n{found}")
        }
    })
}

fn imports(text: &str, module: &str) -> bool {
    let forms = ["import ", "from "].map(|word| format!("{word}{module}"));
    text.lines()
        .any(|line| forms.iter().any(|form| line.starts_with(form.as_str())))
}

fn has(module: &str) -> bool {
    python(&format!("import {module}\n")).is_ok()
}

/// What `python3` prints for a program, or what it says against it.
fn python(text: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("example_mod.py");
    fs::write(path, text).unwrap();
    let output = Command::new("python3").arg(path).output().expect("python3");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    if output.status.success() {
        Ok(stdout)
    } else {
        Err(stderr)
    }
}
