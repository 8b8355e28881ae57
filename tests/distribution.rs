//! The scripts that prove the packages start with Python alone, and install nothing that is not pinned.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, as tests do"
)]

use std::fs;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the script without any installed module.
fn run(words: &[&str]) -> Output {
    Command::new("python3")
        .args(["-S", "tests/distribution/run.py"])
        .args(words)
        .current_dir(ROOT)
        .output()
        .unwrap()
}

#[test]
fn the_script_starts_without_any_installed_module() {
    let help = run(&["--help"]);
    assert!(help.status.success(), "{help:?}");
    let wrong = run(&["wheels"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        said.contains("wheels") && said.contains("packages"),
        "{said}"
    );
}

#[test]
fn what_the_scripts_install_is_pinned() {
    let path = format!("{ROOT}/tests/distribution/requirements.txt");
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert_eq!(lines.find(|line| line.split_once("==").is_none()), None);
}

#[test]
fn the_wheel_is_built_by_a_bounded_backend_from_the_locked_dependencies() {
    let text = fs::read_to_string(format!("{ROOT}/pyproject.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let requires = table["build-system"]["requires"].as_array().unwrap();
    let [backend] = requires.as_slice() else {
        panic!("{requires:?}");
    };
    let backend = backend.as_str().unwrap();
    assert!(
        backend.starts_with("maturin>=") && backend.contains(",<"),
        "{backend}"
    );
    assert_eq!(table["tool"]["maturin"]["bindings"].as_str(), Some("bin"));
    assert_eq!(table["tool"]["maturin"]["locked"].as_bool(), Some(true));
    // The repository's own checks must not find a table of the program's own here.
    assert!(table["tool"].get("hoist-namedtuple").is_none());
}
