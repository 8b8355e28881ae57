//! Every way to break a file a little: an error with a place, or a patch that compiles as the text did.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use hoist_namedtuple::check::{FileContext, Settings, check};
use hoist_namedtuple::python::parse::parse;
use rustpython_text_size::Ranged;

use crate::project::Ran;

/// Reads pairs of texts in JSON; whenever the first compiles the second must.
const COMPARE: &str = "
import json, sys, warnings
warnings.simplefilter('ignore')
def compiles(text):
    try:
        compile(text, 'm.py', 'exec')
    except (SyntaxError, ValueError):
        return False
    return True
for before, after in json.load(sys.stdin):
    if compiles(before) and not compiles(after):
        print(json.dumps([before, after]))
";

/// A few fixtures of different kinds; with `HOSTILE_FIXTURES=text/` all whose path holds `text/`.
const FIXTURES: [&str; 4] = [
    "text/hoist_form_feed.py",
    "text/hoist_one_line_suite.py",
    "factories/hoist_import_comes_up.py",
    "finding/hoist_generator_body.py",
];

fn fixtures() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let wanted = std::env::var("HOSTILE_FIXTURES");
    let is_wanted = |path: &PathBuf| {
        let path = path.to_string_lossy();
        match &wanted {
            Ok(part) => path.ends_with(".py") && path.contains(part),
            Err(_) => FIXTURES.iter().any(|name| path.ends_with(name)),
        }
    };
    let entries = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter();
    let paths = entries
        .map(|entry| entry.unwrap().into_path())
        .filter(is_wanted);
    let texts = paths.filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| parse(text).is_ok()).collect()
}

/// `text` without each of its tokens, with each twice, with a stray word before each, and cut off at
/// each character.
fn broken(text: &str) -> Vec<String> {
    const STRAY: [&str; 9] = ["(", ")", ":", ";", "\n", "'", "\\", "\t", " lambda "];
    let module = parse(text).unwrap();
    let mut texts = vec![];
    for token in module.tokens().iter() {
        let (start, end) = (token.start().to_usize(), token.end().to_usize());
        let (before, rest) = text.split_at(start);
        let (word, after) = rest.split_at(end - start);
        texts.push(format!("{before}{after}"));
        texts.push(format!("{before}{word} {word}{after}"));
        texts.extend(STRAY.map(|stray| format!("{before}{stray}{word}{after}")));
    }
    texts.extend(
        text.char_indices()
            .map(|(at, _)| text.split_at(at).0.to_owned()),
    );
    texts
}

/// The text and its patch, if there is one. A text that is refused is refused at a place in it.
fn patch(text: String) -> Option<(String, String)> {
    let (context, settings) = (FileContext::default(), Settings::default());
    match check(&text, &context, &settings) {
        Ok(result) => result.patched.map(|patched| (text, patched)),
        Err(error) => {
            assert!(
                text.is_char_boundary(error.offset.to_usize()),
                "{text:?}: {error:?}"
            );
            assert!(!error.message.is_empty(), "{text:?}");
            None
        }
    }
}

/// How many texts there are, and those that are patched.
fn patches() -> (usize, Vec<(String, String)>) {
    let texts: Vec<String> = fixtures().iter().flat_map(|text| broken(text)).collect();
    let (count, half) = (texts.len(), texts.len() / 2);
    let mut first = texts;
    let second = first.split_off(half);
    let work = |texts: Vec<String>| {
        let builder = thread::Builder::new().stack_size(256 << 20);
        builder
            .spawn(|| texts.into_iter().filter_map(patch).collect::<Vec<_>>())
            .unwrap()
    };
    let (first, second) = (work(first), work(second));
    let patches = [first.join().unwrap(), second.join().unwrap()].concat();
    (count, patches)
}

#[test]
fn a_broken_file_is_refused_at_a_place_or_patched_into_what_compiles() {
    let (count, patches) = patches();
    assert!(
        count > 2_000 && patches.len() > 200,
        "{count}, {}",
        patches.len()
    );
    let mut child = Command::new("python3")
        .args(["-c", COMPARE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pairs = serde_json::to_vec(&patches).unwrap();
    child.stdin.take().unwrap().write_all(&pairs).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(
        (ran.code, ran.stderr.as_str(), ran.stdout.as_str()),
        (Some(0), "", "")
    );
    println!("{count} texts, {} patches", patches.len());
}

#[test]
fn a_definition_that_fails_the_import_is_not_shared() {
    let text = "P = namedtuple('P', 'x')\nfrom collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";
    let project = super::Project::with(&[("m.py", text.as_bytes())]);
    let ran = project.run(&["--fix", "m.py"]);
    assert_eq!(ran.stderr, "Found 1 finding in 1 of 1 file.\n  1 fixed\n");
    let fixed = std::fs::read_to_string(project.path("m.py")).unwrap();
    let definition =
        "from collections import namedtuple\n\n_P = namedtuple('P', 'x')\n\nf = lambda a: _P(a)\n";
    assert!(fixed.ends_with(definition), "{fixed}");
}
