//! `SECURITY.md` and what it promises of the program as a whole.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::project::Project;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The texts of all files below `folder` that end in `.rs`.
fn sources(folder: &str) -> Vec<(String, String)> {
    let entries = WalkDir::new(root().join(folder)).into_iter().flatten();
    let paths = entries.map(|entry| entry.path().to_owned());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    paths
        .map(|path| {
            (
                path.display().to_string(),
                fs::read_to_string(path).unwrap(),
            )
        })
        .collect()
}

#[test]
fn every_promise_names_a_test_that_is_there() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let tests = sources("tests/cli");
    let mut named = 0;
    for word in page.split('`').skip(1).step_by(2) {
        let Some((module, test)) = word.split_once("::") else {
            continue;
        };
        let is_name = |word: &str| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|char| char == '_' || char.is_ascii_lowercase())
        };
        if !is_name(module) || !is_name(test) {
            continue;
        }
        let (file, function) = (format!("/{module}.rs"), format!("\nfn {test}() {{"));
        let is_there =
            |(path, text): &(String, String)| path.ends_with(&file) && text.contains(&function);
        assert!(tests.iter().any(is_there), "{word}");
        named += 1;
    }
    assert!(named > 20, "{named}");
}

#[test]
fn nothing_starts_a_program_or_opens_a_connection() {
    let is_test = |path: &str| path.ends_with("tests.rs");
    for (path, text) in sources("src").iter().filter(|(path, _)| !is_test(path)) {
        for word in [
            "process::Command",
            "std::net",
            "TcpStream",
            "UdpSocket",
            "UnixStream",
            "libloading",
        ] {
            assert!(!text.contains(word), "{path}: {word}");
        }
    }
    let lock = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, dependencies) = lock.split_once("\n[dependencies]\n").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[dev-dependencies]\n").unwrap();
    for word in [
        "reqwest",
        "ureq",
        "hyper",
        "curl",
        "tokio",
        "pyo3",
        "libloading",
    ] {
        assert!(!dependencies.contains(word), "{word}");
    }
}

#[test]
fn nothing_of_the_tree_is_run_or_imported() {
    let evil: &[u8] = b"from collections import namedtuple\nopen('ran', 'w')\nf = lambda a: namedtuple('P', 'x')(a)\n";
    let names = [
        "conftest.py",
        "setup.py",
        "sitecustomize.py",
        "collections.py",
        "pkg/__init__.py",
        "noxfile.py",
    ];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, evil)).collect();
    let project = Project::with(&files);
    project.put(
        "pyproject.toml",
        b"[build-system]\nbuild-backend = 'setup'\nbackend-path = ['.']\n",
    );
    for args in [&["-v"][..], &["--diff"], &["--fix", "--unsafe-fixes"]] {
        assert_ne!(project.run(args).code, Some(2));
    }
    assert!(!project.path("ran").exists());
}

#[test]
fn only_what_was_asked_for_is_written() {
    let site = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";
    let project = Project::with(&[("a/m.py", site), ("b/m.py", site), ("a/.gitignore", b"")]);
    let listing = || {
        let entries = WalkDir::new(project.root())
            .sort_by_file_name()
            .into_iter()
            .flatten();
        let files = entries.filter(|entry| entry.file_type().is_file());
        files
            .map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap()))
            .collect::<Vec<_>>()
    };
    let before = listing();
    for args in [
        &["-v"][..],
        &["--diff"],
        &["--unsafe-fixes"],
        &["--statistics"],
        &["--show-settings"],
        &["--show-files"],
        &["--list-rules"],
        &["--config", "unsafe-fixes=true"],
    ] {
        project.run(args);
        assert_eq!(listing(), before, "{args:?}");
    }
    project.run(&["--fix", "a"]);
    let after = listing();
    let changed: Vec<_> = before
        .iter()
        .zip(&after)
        .filter(|(old, new)| old != new)
        .collect();
    assert_eq!((after.len(), changed.len()), (before.len(), 1));
}

#[test]
fn a_name_that_starts_with_a_dash_is_no_option_behind_two_dashes() {
    let project = Project::with(&[("--output-file=x/m.py", b"namedtuple(\n"), ("x/y", b"")]);
    let ran = project.run(&["--fix", "--", "--output-file=x/m.py"]);
    ran.fails_with(&["--output-file=x/m.py:2:1: error: "]);
    assert!(!project.path("x/m.py").exists());
}

#[test]
fn variables_of_the_environment_change_no_finding_and_no_file() {
    let site = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";
    let project = Project::with(&[("m.py", site)]);
    let expected = project.run(&["--output-format", "concise"]);
    let names = [
        ("HOIST_NAMEDTUPLE_CONFIG", "/dev/zero"),
        ("GITHUB_WORKSPACE", "/nowhere"),
        ("CI_PROJECT_DIR", "/nowhere"),
        ("PYTHONPATH", "/nowhere"),
        ("TMPDIR", "/nowhere"),
        ("GIT_DIR", "/nowhere"),
        ("HOME", "/nowhere"),
        ("PATH", ""),
    ];
    let mut command = project.command();
    command.envs(names).args(["--output-format", "concise"]);
    let ran = crate::project::Ran::of(command.output().unwrap());
    assert_eq!((ran.code, ran.stdout), (expected.code, expected.stdout));
    let mut command = project.command();
    assert_eq!(
        command
            .envs(names)
            .arg("--fix")
            .output()
            .unwrap()
            .status
            .code(),
        Some(0)
    );
}
