//! Any text as a configuration: its settings are shown and can be read again, or a fault is at a place in it.

#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use hoist_namedtuple::cli::{Prepared, Printed};
use libfuzzer_sys::fuzz_target;

/// A folder of this process's own, in memory where there is such a place.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() {
        memory.to_path_buf()
    } else {
        std::env::temp_dir()
    };
    let folder = parent.join(format!("hoist-namedtuple-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
});

fuzz_target!(|text: &str| {
    for name in ["hoist-namedtuple.toml", "pyproject.toml"] {
        let file = FOLDER.join(name);
        let text = match name {
            "pyproject.toml" if !text.contains("tool") => {
                format!("[tool.hoist-namedtuple]\n{text}")
            }
            _ => text.to_owned(),
        };
        fs::write(&file, &text).expect("a file can be written");
        let shown = run(&["--show-settings"]);
        if shown.code == 2 {
            assert_fault(&shown, name, &text);
        } else {
            assert_reads_again(&shown);
        }
        let _ = fs::remove_file(&file);
    }
});

/// What the program prints; a fault of the run's own configuration as on stderr.
fn run(arguments: &[&str]) -> Printed {
    let all = ["--stdin-filename", "package/module.py", "-"];
    match Prepared::new(&[all.as_slice(), arguments].concat(), &FOLDER) {
        Ok(prepared) => prepared.run(b"x = 1\n"),
        Err(fault) => Printed {
            stdout: vec![],
            stderr: fault.into_bytes(),
            code: 2,
        },
    }
}

fn assert_fault(shown: &Printed, name: &str, text: &str) {
    let told = String::from_utf8_lossy(&shown.stderr);
    assert_eq!(told.lines().count(), 1, "a fault is no line: {told}");
    assert!(
        !told.trim_end().contains(char::is_control),
        "{told:?} has control characters"
    );
    let place = told
        .split(name)
        .nth(1)
        .and_then(|rest| rest.strip_prefix(':'));
    let Some(place) = place else {
        return;
    };
    let mut numbers = place
        .split(':')
        .map_while(|number| number.parse::<usize>().ok());
    if let (Some(row), Some(column)) = (numbers.next(), numbers.next()) {
        // The carriage return of a line's end counts to the line, and one alone ends a line.
        let normal = text.replace("\r\n", "_\n").replace('\r', "\n");
        let line = normal.split('\n').nth(row - 1);
        let line = line.unwrap_or_else(|| panic!("there is no row for {told}"));
        assert!(
            (1..=line.chars().count() + 1).contains(&column),
            "there is no column for {told}"
        );
    }
}

/// What is shown as settings is a configuration itself, with the same settings.
fn assert_reads_again(shown: &Printed) {
    let text = String::from_utf8(shown.stdout.clone()).expect("settings are text");
    if text.contains("hoist-namedtuple-fuzz") || !text.contains("select") {
        return;
    }
    let file = FOLDER.join("again.toml");
    fs::write(&file, &text).expect("a file can be written");
    let again = run(&["--show-settings", "--config", "again.toml"]);
    let told = String::from_utf8_lossy(&again.stderr);
    assert_ne!(
        again.code, 2,
        "what is shown cannot be read: {told}\n{text}"
    );
}
