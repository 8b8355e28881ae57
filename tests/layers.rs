//! The house is tidy: imports go downwards, only the outer room does I/O, and documents and fixtures are complete.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use hoist_namedtuple::rule::SkipReason;

/// The rooms, lowest first.
const ROOMS: [&str; 6] = ["text", "python", "rule", "hoist", "check", "cli"];

/// What only the outer room and `main.rs` may mention.
const OUTSIDE: [&str; 10] = [
    "std::fs",
    "std::io",
    "std::env",
    "std::process",
    "std::net",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "dbg!",
];

/// The files that may name the parser crate: its parser, its lexer, its checker.
const PARSING: [&str; 4] = [
    "python/parse.rs",
    "python/depth.rs",
    "python/repetition.rs",
    "python/semantic/syntax.rs",
];

/// What verification may know of the planner: its public promise.
const PROMISE: [&str; 7] = [
    "promise",
    "Promise",
    "PromisedDefinition",
    "PromisedImport",
    "PromisedSite",
    "MovedStatement",
    "Rewrite",
];

/// The reason that no fixture can show: a fault of this program.
const WITHOUT_FIXTURE: [SkipReason; 1] = [SkipReason::VerificationFailed];

#[test]
fn every_source_file_keeps_the_rules_of_the_house() {
    let src = root().join("src");
    let faults: Vec<_> = files(&src, "rs")
        .into_iter()
        .flat_map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let name = path
                .strip_prefix(&src)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            faults(&name, &text)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_rule_of_the_house_can_be_broken() {
    let broken = [
        ("text/a.rs", "//! A.\nuse crate::python::Nodes;\n"),
        ("rule/a.rs", "//! A.\nfn f() { crate::check::check(); }\n"),
        (
            "rule/a.rs",
            "//! A.\nuse crate::{text::Edit, hoist::Promise};\n",
        ),
        (
            "python/semantic/a.rs",
            "//! A.\nuse super::super::super::rule::Fix;\n",
        ),
        ("check/a.rs", "//! A.\nuse std::fs;\n"),
        (
            "check/a.rs",
            "//! A.\nuse std::{collections::BTreeMap, io};\n",
        ),
        ("hoist/a.rs", "//! A.\nfn f() { println!(); }\n"),
        ("text/a.rs", "fn f() {}\n"),
        (
            "hoist/a.rs",
            "//! A.\nuse rustpython_parser::parse_module;\n",
        ),
        (
            "check/verify/a.rs",
            "//! A.\nuse crate::hoist::plan::Plan;\n",
        ),
        (
            "check/verify/a.rs",
            "//! A.\nuse crate::hoist::{Promise, plan};\n",
        ),
    ];
    for (name, text) in broken {
        assert_eq!(
            faults(name, text).len(),
            1,
            "{name}: {text}: {:?}",
            faults(name, text)
        );
    }
}

#[test]
fn what_the_rules_of_the_house_allow_is_no_fault() {
    let tidy = [
        (
            "check/a.rs",
            "//! A.\nuse crate::{hoist::Promise, text::Edit};\nuse super::context;\n",
        ),
        (
            "check/verify/a.rs",
            "//! A.\nuse crate::hoist::{Promise, PromisedSite};\n",
        ),
        (
            "cli/a.rs",
            "//! A.\nuse std::{fs, io};\nfn f() { println!(); }\n",
        ),
        (
            "text/a.rs",
            "//! A.\n// Unlike crate::cli, this never calls std::fs or println!.\n",
        ),
        (
            "python/parse.rs",
            "//! A.\nuse rustpython_parser::parse_module;\n",
        ),
    ];
    for (name, text) in tidy {
        assert_eq!(faults(name, text), Vec::<String>::new(), "{name}: {text}");
    }
}

#[test]
fn every_skip_reason_is_documented() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for reason in SkipReason::ALL {
        let (code, sentence, advice) = (reason.code(), reason.sentence(), reason.advice());
        assert!(advice.ends_with('.'), "{code}: its advice is no sentence");
        assert!(
            !sentence.is_empty() && !sentence.ends_with('.'),
            "{code}: its sentence is no clause"
        );
        let row = format!("| `{code}` | {sentence} | {advice} |");
        assert!(readme.contains(&row), "README.md has no row:\n{row}");
    }
}

#[test]
fn every_skip_reason_is_shown_by_the_fixture_of_its_name() {
    let folder = root().join("fixtures/skip_reasons");
    let shows = |reason: &SkipReason| {
        let name = format!("skip_{}.snap", reason.code().replace('-', "_"));
        let snapshot = fs::read_to_string(folder.join(name)).unwrap_or_default();
        let mut lines = snapshot.lines();
        lines.any(|line| line.trim().strip_prefix("skip: ") == Some(reason.code()))
    };
    let wanted = SkipReason::ALL
        .iter()
        .filter(|reason| !WITHOUT_FIXTURE.contains(reason));
    let missing: Vec<_> = wanted.filter(|reason| !shows(reason)).collect();
    assert!(
        missing.is_empty(),
        "no fixture in skip_reasons/ shows {missing:?}"
    );
}

#[test]
fn every_rule_is_documented_and_has_fixtures() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut rules = files(&root().join("rules"), "toml");
    assert!(!rules.is_empty(), "rules/ is empty");
    rules.extend(files(&root().join("src/rule"), "toml"));
    let snapshots: String = files(&root().join("fixtures"), "snap")
        .into_iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for path in rules {
        let rule: toml::Value = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let parts = rule.as_table().unwrap().values().chain([&rule]);
        let codes: Vec<_> = parts.filter_map(code_and_name).collect();
        assert!(!codes.is_empty(), "{} names no code", path.display());
        for (code, name) in codes {
            let row = format!("| `{code}` | {name} |");
            assert!(readme.contains(&row), "README.md has no row {row}");
            assert!(snapshots.contains(code), "no fixture shows {code}");
        }
    }
}

#[test]
fn every_format_has_a_file_of_its_own_and_is_tested() {
    let folder = root().join("src/cli/report");
    let tests = fs::read_to_string(root().join("tests/cli/formats/mod.rs")).unwrap();
    let args = fs::read_to_string(root().join("src/cli/args.rs")).unwrap();
    let (_, formats) = args.split_once("pub(crate) enum Format {").unwrap();
    let (formats, _) = formats.split_once("\n}").unwrap();
    let formats = formats
        .lines()
        .map(|line| line.trim().trim_end_matches(','));
    let formats: Vec<String> = formats
        .filter(|line| line.starts_with(char::is_uppercase))
        .map(kebab_case)
        .collect();
    assert!(!formats.is_empty(), "args.rs has no formats");
    for format in formats {
        let opening = format!("//! The `{format}` format: ");
        let own = files(&folder, "rs").into_iter().filter(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.starts_with(&opening)
        });
        assert_eq!(own.count(), 1, "one file opens with {opening}");
        assert!(
            tests.contains(&format!("\"{format}\",")),
            "ALL lacks {format}"
        );
    }
}

/// `JsonLines` as `json-lines`.
fn kebab_case(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_uppercase() {
            out.push('-');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// The code and name of one kind of finding in a rule's file.
fn code_and_name(part: &toml::Value) -> Option<(&str, &str)> {
    Some((part.get("code")?.as_str()?, part.get("name")?.as_str()?))
}

#[test]
fn every_hazard_has_a_decision_and_fixtures_that_show_it() {
    let text = fs::read_to_string(root().join("docs/hazards.md")).unwrap();
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let numbers = rows
        .iter()
        .map(|row| row[0].trim_matches(['|', ' ']).parse::<u32>().unwrap());
    assert!(numbers.eq(1..=95), "a hazard is missing or stands twice");
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let stems: Vec<_> = files(&root().join("fixtures"), "py")
        .into_iter()
        .map(stem)
        .collect();
    for row in rows {
        let (decision, fixtures) = (row[2], quoted(row[3]));
        assert!(!fixtures.is_empty(), "{row:?}: no fixture shows it");
        let missing = fixtures.iter().find(|name| !stems.contains(name));
        assert_eq!(missing, None, "{row:?}: there is no such fixture");
        let reasons = quoted(decision)
            .into_iter()
            .filter(|word| word.contains('-'));
        for reason in reasons {
            let known = SkipReason::ALL.iter().any(|known| known.code() == reason);
            assert!(known, "{row:?}: {reason} is no reason");
        }
    }
}

/// The words between backticks.
fn quoted(text: &str) -> Vec<String> {
    let words = text.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// What is wrong with the source file `name` (its path below `src/`).
fn faults(name: &str, text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .map(|line| without_comment(line) + "\n")
        .collect();
    let mut faults = vec![];
    if !text.starts_with("//!") {
        faults.push(format!("{name}: it does not open with a //! sentence"));
    }
    faults.extend(upward_imports(name, &code));
    let outer = name.starts_with("cli/") || name == "main.rs";
    if !outer {
        faults.extend(outside_words(&code).map(|word| format!("{name}: only cli/ may use {word}")));
    }
    if code.contains("rustpython_parser") && !PARSING.contains(&name) {
        faults.push(format!("{name}: only {PARSING:?} may name the parser"));
    }
    if name.starts_with("check/verify") {
        let known = named_after(&code, "crate::hoist::");
        let inner = known
            .into_iter()
            .filter(|item| !PROMISE.contains(&item.as_str()));
        faults.extend(inner.map(|item| format!("{name}: verification may not know hoist::{item}")));
    }
    faults
}

/// The rooms that `name` imports from although they are not below its own.
fn upward_imports(name: &str, code: &str) -> Vec<String> {
    let own = name.split(['/', '.']).next().unwrap();
    let Some(level) = ROOMS.iter().position(|room| *room == own) else {
        return vec![];
    };
    let climbs = "super::".repeat(module_depth(name));
    let tested = code.find("#[cfg(test)]").unwrap_or(code.len());
    let named = named_after(code, "crate::").into_iter();
    let named = named.chain(named_after(&code[..tested], &climbs));
    let upward = named.filter(|room| ROOMS[level + 1..].contains(&room.as_str()));
    upward
        .map(|room| format!("{name}: it imports from {room}/, which is not below it"))
        .collect()
}

/// How many modules a file stands below the crate's root.
fn module_depth(name: &str) -> usize {
    let depth = name.split('/').count();
    if name.ends_with("mod.rs") {
        depth - 1
    } else {
        depth
    }
}

fn outside_words(code: &str) -> impl Iterator<Item = String> {
    let plain = OUTSIDE
        .iter()
        .filter(|word| mentions(code, word))
        .map(|word| (*word).to_owned());
    let grouped = named_in_groups(code, "std::")
        .into_iter()
        .map(|item| format!("std::{item}"));
    let grouped = grouped.filter(|word| OUTSIDE.contains(&word.as_str()));
    plain.chain(grouped).collect::<Vec<_>>().into_iter()
}

/// Whether `word` stands in `code` and is not the end of a longer word.
fn mentions(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        !before.ends_with(is_word) && (word.ends_with('!') || !after.starts_with(is_word))
    })
}

/// The first names of all paths in `code` that start with `prefix`, also inside `prefix{…}`.
fn named_after(code: &str, prefix: &str) -> Vec<String> {
    let plain = code
        .match_indices(prefix)
        .map(|(at, _)| &code[at + prefix.len()..]);
    let plain = plain.map(first_word).filter(|word| !word.is_empty());
    plain
        .map(str::to_owned)
        .chain(named_in_groups(code, prefix))
        .collect()
}

/// The first names inside each `prefix{…}`.
fn named_in_groups(code: &str, prefix: &str) -> Vec<String> {
    let opening = format!("{prefix}{{");
    let groups = code
        .match_indices(&opening)
        .map(|(at, _)| &code[at + opening.len()..]);
    groups.flat_map(names_of_group).collect()
}

/// The first name of each item of a group, `group` being the text behind its opening brace.
fn names_of_group(group: &str) -> Vec<String> {
    let (mut depth, mut names, mut expected) = (0_usize, vec![], true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expected = true,
            _ if expected && is_word(letter) => {
                names.push(first_word(&group[at..]).to_owned());
                expected = false;
            }
            _ => {}
        }
    }
    names
}

fn first_word(text: &str) -> &str {
    text.split(|letter| !is_word(letter)).next().unwrap()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn without_comment(line: &str) -> String {
    line.split("//").next().unwrap().to_owned()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
