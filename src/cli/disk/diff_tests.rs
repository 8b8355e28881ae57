//! Diffs are held against `git apply` and `patch -p1`.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::*;

/// Applies the diff of all `files` (name, before, after) with both tools and checks the results.
#[track_caller]
fn applies(files: &[(&OsStr, Vec<u8>, Vec<u8>)]) {
    let mut diff = Vec::new();
    for (name, before, after) in files {
        diff.extend(unified(before, after, Path::new(name)));
    }
    for tool in [
        &["git", "apply", "p.diff"][..],
        &["patch", "-s", "--binary", "-p1", "-i", "p.diff"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (name, before, _) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, before).unwrap();
        }
        fs::write(folder.path().join("p.diff"), &diff).unwrap();
        let run = Command::new(tool[0])
            .args(&tool[1..])
            .current_dir(folder.path())
            .env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap())
            .output();
        let Ok(run) = run else {
            assert_ne!(tool[0], "git", "git is needed for this test");
            eprintln!("SKIPPED: `{}` is not installed", tool[0]);
            continue;
        };
        assert!(
            run.status.success(),
            "{tool:?}: {run:?}\n{}",
            diff.escape_ascii()
        );
        for (name, _, after) in files {
            let got = fs::read(folder.path().join(name)).unwrap();
            assert_eq!(
                got.escape_ascii().to_string(),
                after.escape_ascii().to_string()
            );
        }
    }
}

fn numbered(count: usize, ending: &str) -> String {
    (0..count).map(|n| format!("line {n}{ending}")).collect()
}

fn change(before: &str) -> (Vec<u8>, Vec<u8>) {
    let after = before
        .replace("line 5", "changed")
        .replace("line 0", "new\nline 0");
    (before.as_bytes().to_vec(), after.into_bytes())
}

#[test]
fn every_newline_style_and_encoding_applies() {
    let bom = format!("\u{feff}{}", numbered(9, "\n"));
    let mixed = numbered(9, "\r\n").replace("line 3\r\n", "line 3\n");
    for text in [
        numbered(20, "\n"),
        numbered(20, "\r\n"),
        numbered(9, "\r"),
        bom,
        mixed,
        numbered(6, "\n").trim_end().to_owned(),
        numbered(9, "\n").trim_end().to_owned(),
        numbered(20, "\n").trim_end().to_owned(),
        "line 5".to_owned(),
    ] {
        let (before, after) = change(&text);
        applies(&[(OsStr::new("m.py"), before, after)]);
    }
    let latin = b"x = '\xe9'\nline 5\n\xff\n".to_vec();
    applies(&[(
        OsStr::new("m.py"),
        latin,
        b"x = '\xe9\xe8'\nnew\n\xff\n".to_vec(),
    )]);
}

#[test]
fn files_may_become_empty_or_gain_and_lose_their_last_newline() {
    for (before, after) in [("a\n", "a"), ("a", "a\n"), ("a\nb", "b"), ("a\n", "\n")] {
        applies(&[(OsStr::new("m.py"), before.into(), after.into())]);
    }
}

#[cfg(unix)]
#[test]
fn names_with_spaces_and_special_bytes_apply_several_at_once() {
    use std::os::unix::ffi::OsStrExt;
    let names: &[&[u8]] = &[
        b"with space.py",
        b"sub dir/m.py",
        "na\u{ef}ve.py".as_bytes(),
        b"a b\xe9.py",
        b"quo\"te.py",
        b"back\\slash.py",
        b"tab\there.py",
        b"we,ird:50%.py",
    ];
    let (before, after) = change(&numbered(30, "\n"));
    let files: Vec<_> = names
        .iter()
        .map(|name| (OsStr::from_bytes(name), before.clone(), after.clone()))
        .collect();
    applies(&files);
}

#[test]
fn headers_are_quoted_as_git_does() {
    let header = |path: &str| {
        let diff = unified(b"a\n", b"b\n", &PathBuf::from(path));
        String::from_utf8(diff)
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(header("src/m.py"), "--- a/src/m.py");
    assert_eq!(header("my file.py"), "--- a/my file.py\t");
    assert_eq!(header("é.py"), "--- \"a/\\303\\251.py\"");
    assert_eq!(header("/tmp/m.py"), "--- a/tmp/m.py");
}

#[test]
fn the_changes_are_those_that_similar_finds_between_the_lines() {
    let words = ["def f():\n", "    pass\n", "\n", "x = 1\n", "y\r\n"];
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let length = random.usize(0..60);
        let mut text = || -> String {
            let line = |n| match random.usize(0..8) {
                at if at < words.len() => words[at].to_owned(),
                _ => format!("line {n}\n"),
            };
            (0..length).map(line).collect()
        };
        let (before, after) = (text(), text());
        if before == after {
            continue;
        }
        let old: Vec<&[u8]> = before.split_inclusive('\n').map(str::as_bytes).collect();
        let new: Vec<&[u8]> = after.split_inclusive('\n').map(str::as_bytes).collect();
        let mut expected = b"--- a/m.py\n+++ b/m.py\n".to_vec();
        let ops = capture_diff_slices(Algorithm::Patience, &old, &new);
        for hunk in group_diff_ops(ops, CONTEXT) {
            write_hunk(&mut expected, &hunk, &old, &new);
        }
        let diff = unified(before.as_bytes(), after.as_bytes(), Path::new("m.py"));
        assert_eq!(diff, expected, "{before}\n{after}");
    }
}

#[test]
fn equal_texts_have_no_diff() {
    assert!(unified(b"a", b"a", Path::new("m.py")).is_empty());
}

#[test]
fn twenty_thousand_hunks_are_fast() {
    let function = |n: usize, call: &str| format!("def f{n}(x):\n    return {call}\n\n\n");
    let site = "namedtuple('Row', 'x')(x)";
    let before: String = (0..20_000).map(|n| function(n, site)).collect();
    let calls: String = (0..20_000).map(|n| function(n, "Row(x)")).collect();
    let after = format!("Row = namedtuple('Row', 'x')\n\n\n{calls}");
    let start = Instant::now();
    let diff = unified(before.as_bytes(), after.as_bytes(), Path::new("big.py"));
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(5), "{taken:?}");
    assert_eq!(diff.iter().filter(|byte| **byte == b'@').count() % 4, 0);
    applies(&[(OsStr::new("big.py"), before.into(), after.into())]);
}

#[test]
fn equal_lines_without_anchors_are_fast_too() {
    let before = "    x = namedtuple('R', 'a')(1)\n    pass\n".repeat(20_000);
    let after = before.replace("namedtuple('R', 'a')", "R");
    let start = Instant::now();
    let diff = unified(before.as_bytes(), after.as_bytes(), Path::new("m.py"));
    assert!(!diff.is_empty());
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_long_line_is_no_problem() {
    let before = format!("x = '{}'\n", "a".repeat(1_000_000));
    let after = format!("y = 1\n{before}");
    let diff = unified(before.as_bytes(), after.as_bytes(), Path::new("m.py"));
    assert!(diff.len() < before.len() + 200);
}
