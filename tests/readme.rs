//! The README does what it says: each command in it is run, and each output shown is what comes out.
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
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_hoist-namedtuple");

/// What stands for any lines in an output that is shown.
const GAP: &str = "…";

/// Commands that these tests cannot run, and what has them run in CI: a file, and words of it.
const ELSEWHERE: [(&str, &str, &str); 2] = [
    ("cargo test", ".ci/run", "cargo test"),
    (
        "pip install .",
        "action.yml",
        "pip install --quiet --disable-pip-version-check",
    ),
];

/// Prints figures of which only the counts are the same in each run.
const MEASUREMENT: &str = "python3 benches/gc_churn.py";

/// A command of a transcript and the lines shown below it.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    command: String,
    output: Vec<String>,
}

#[test]
fn every_command_runs_and_prints_what_is_shown() {
    let transcripts = transcripts(&readme());
    assert!(transcripts.len() >= 5, "the README shows too little");
    let faults: Vec<String> = transcripts.iter().flat_map(|steps| play(steps)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_transcript_that_is_wrong_is_seen() {
    let faults = |block: &str| play(&transcripts(&format!("```console\n{block}```\n"))[0]);
    let version = format!(
        "$ hoist-namedtuple --version\nhoist-namedtuple {}\n",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(faults(&version), Vec::<String>::new());
    for wrong in [
        "$ hoist-namedtuple --version\nhoist-namedtuple 9\n",
        "$ hoist-namedtuple --no-such-option\n",
        "$ no-such-command\n",
        "$ hoist-namedtuple --list-rules\nHNT001\n…\nHNT000\n",
    ] {
        assert_eq!(faults(wrong).len(), 1, "{wrong}");
    }
}

#[test]
fn the_first_screen_shows_what_the_diff_really_changes() {
    let diff = &blocks(&readme(), "diff")[0];
    let (_, real) = run(
        scratch().path(),
        "hoist-namedtuple -q --diff comfy/ 2> /dev/null",
    );
    let changes = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("---") && !line.starts_with("+++"));
        lines
            .filter(|line| line.starts_with(['+', '-']))
            .map(str::to_owned)
            .collect()
    };
    let (shown, real) = (changes(diff), changes(&real));
    assert!(shown.len() >= 5);
    // The second call site is left out.
    assert_eq!(shown[..], real[..shown.len()]);
    assert_eq!(real.len() - shown.len(), 2);
}

#[test]
fn the_configuration_that_is_shown_is_valid() {
    let readme = readme();
    let blocks = blocks(&readme, "toml");
    assert!(!blocks.is_empty());
    for block in blocks {
        let folder = scratch();
        fs::write(folder.path().join("pyproject.toml"), &block).unwrap();
        let ran = run(
            folder.path(),
            "hoist-namedtuple --show-settings > /dev/null",
        );
        assert_eq!(ran, (Some(0), String::new()), "{block}");
    }
}

#[test]
fn the_hooks_that_are_shown_are_there() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let ids = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- id: "));
        lines
            .map(|id| id.split(' ').next().unwrap().to_owned())
            .collect()
    };
    let shown: Vec<String> = blocks(&readme(), "yaml")
        .iter()
        .flat_map(|block| ids(block))
        .collect();
    assert!(!shown.is_empty());
    let known = ids(&hooks);
    let missing: Vec<_> = shown.iter().filter(|id| !known.contains(id)).collect();
    assert!(missing.is_empty(), "no hook {missing:?} in {known:?}");
}

/// What is wrong with a transcript, played in a folder of its own.
fn play(steps: &[Step]) -> Vec<String> {
    let folder = scratch();
    steps
        .iter()
        .filter_map(|step| fault(folder.path(), step))
        .collect()
}

fn fault(folder: &Path, step: &Step) -> Option<String> {
    let Step { command, output } = step;
    if let Some((_, file, words)) = ELSEWHERE.iter().find(|(known, ..)| known == command) {
        let text = fs::read_to_string(root().join(file)).unwrap();
        return (!text.contains(words)).then(|| format!("{file} does not run {command}"));
    }
    if command == MEASUREMENT {
        return measurement_fault();
    }
    let command = command.replace("cargo run --release --", "hoist-namedtuple");
    let (code, printed) = run(folder, &command);
    if !matches!(code, Some(0 | 1)) {
        return Some(format!("$ {command}\nends with {code:?}:\n{printed}"));
    }
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let shown: Vec<&str> = output.iter().map(|line| line.trim_end()).collect();
    let is_right = output.is_empty() || matches_lines(&lines, &shown);
    (!is_right).then(|| format!("$ {command}\nprints\n{printed}\nnot\n{}", output.join("\n")))
}

/// What is wrong with the counts of the table that the measurement prints.
fn measurement_fault() -> Option<String> {
    let (code, printed) = run(&root(), &format!("{MEASUREMENT} '{BINARY}'"));
    let counts = |text: &str| -> Vec<Vec<String>> {
        let rows = text
            .lines()
            .map(|line| line.split('|').map(str::trim).collect());
        let rows =
            rows.filter(|row: &Vec<&str>| row.len() == 8 && row[1].starts_with(char::is_numeric));
        rows.map(|row| [1, 2, 3, 6].map(|at| row[at].to_owned()).to_vec())
            .collect()
    };
    let (shown, real) = (counts(&readme()), counts(&printed));
    let is_right = code == Some(0) && !real.is_empty() && shown == real;
    (!is_right).then(|| format!("{MEASUREMENT} counts\n{real:?}\nnot\n{shown:?}\n{printed}"))
}

/// Whether `lines` are those of `shown`, in which a gap stands for any number of lines.
fn matches_lines(lines: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == GAP => {
            (0..=lines.len()).any(|at| matches_lines(&lines[at..], rest))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| line == first && matches_lines(others, rest)),
    }
}

/// Runs `command` in `folder` and gives its exit code and all that it prints.
fn run(folder: &Path, command: &str) -> (Option<i32>, String) {
    let path = std::env::var("PATH").unwrap();
    let program = Path::new(BINARY).parent().unwrap();
    let mut bash = Command::new("bash");
    bash.current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .args(["-c", &format!("exec 2>&1\n{command}")]);
    for name in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "FORCE_COLOR"] {
        bash.env_remove(name);
    }
    let output = bash.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), printed)
}

/// A folder with the project's fixtures, and with the model patcher as a project of its own.
fn scratch() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["model_patcher", "naming"] {
        let from = root().join("fixtures").join(name);
        let to = folder.path().join("fixtures").join(name);
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
    let fixture = folder
        .path()
        .join("fixtures/model_patcher/hoist_model_patcher.py");
    fs::create_dir(folder.path().join("comfy")).unwrap();
    fs::copy(fixture, folder.path().join("comfy/model_patcher.py")).unwrap();
    folder
}

/// The console blocks of a Markdown text.
fn transcripts(text: &str) -> Vec<Vec<Step>> {
    blocks(text, "console")
        .iter()
        .map(|block| steps(block))
        .collect()
}

/// The commands of a console block. One ends in `\` when it goes on in the next line; a comment
/// behind it is the reader's.
fn steps(block: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    let mut goes_on = false;
    for line in block.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                let command = command.split("   #").next().unwrap().trim_end();
                goes_on = command.ends_with('\\');
                steps.push(Step {
                    command: command.to_owned(),
                    output: vec![],
                });
            }
            (None, Some(step)) if goes_on => {
                goes_on = line.ends_with('\\');
                step.command.push_str(&format!("\n{line}"));
            }
            (None, Some(step)) => step.output.push(line.to_owned()),
            (None, None) => panic!("a transcript starts with `$ `: {block}"),
        }
    }
    steps
}

/// The fenced blocks of that language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let parts = text.split(&opening).skip(1);
    parts
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
