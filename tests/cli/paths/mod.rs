//! Hostile paths: odd names, long ones, links, and what is no file; never a hang, and each file once.

mod long;
mod special;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::project::{Project, Ran};

const SITE: &[u8] = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";
const FINDING: &str = "2:15: HNT001 `namedtuple` makes the class `P` anew on every call of the lambda; make it once, at module level (fixable with --fix)\n";

fn is_fixed(path: &Path) -> bool {
    fs::read(path).unwrap() != SITE
}

fn concise(project: &Project, paths: &[&str]) -> Ran {
    project.run(&[&["-q", "--output-format", "concise"], paths].concat())
}

/// Names that are no plain words.
const NAMES: [&[u8]; 22] = [
    b"sp ace.py",
    b" lead.py",
    b"trail .py",
    b"new\nline.py",
    b"tab\t.py",
    b"return\r.py",
    b"quo\"te.py",
    b"apo'.py",
    b"back\\slash.py",
    b"-x.py",
    b"--fix.py",
    b"@x.py",
    b"a=b.py",
    b"{a,b}.py",
    b"*.py",
    b"$x.py",
    b"a -> b.py",
    b"\x1b[31m.py",
    b"del\x7f.py",
    b"latin\xe9.py",
    "é名.py".as_bytes(),
    "mark\u{202e}.py".as_bytes(),
];

fn odd_names() -> (Project, Vec<PathBuf>) {
    let project = Project::with(&[]);
    let path = |name: &&[u8]| project.root().join(OsStr::from_bytes(name));
    let paths: Vec<PathBuf> = NAMES.iter().map(path).collect();
    paths.iter().for_each(|path| fs::write(path, SITE).unwrap());
    (project, paths)
}

#[test]
fn files_of_any_name_are_fixed_in_a_walk_and_when_given() {
    let (project, paths) = odd_names();
    let count = NAMES.len();
    let ran = project.run(&["--fix"]);
    let summary = format!("Found {count} findings in {count} of {count} files.\n  {count} fixed\n");
    assert_eq!((ran.code, ran.stderr), (Some(0), summary));
    for (path, name) in paths.iter().zip(NAMES) {
        assert!(is_fixed(path), "{path:?}");
        let dotted = [b"./", name].concat();
        for args in [&[&b"--fix"[..], b"--", name][..], &[b"--fix", &dotted]] {
            fs::write(path, SITE).unwrap();
            let args = args.iter().map(|arg| OsStr::from_bytes(arg));
            let ran = Ran::of(project.command().args(args).output().unwrap());
            assert_eq!(ran.code, Some(0), "{ran:?}");
            assert!(is_fixed(path), "{path:?}");
        }
    }
}

#[test]
fn a_name_is_shown_on_one_line_without_control_characters() {
    let (project, _) = odd_names();
    let ran = concise(&project, &[]);
    assert_eq!(ran.stdout.lines().count(), NAMES.len(), "{ran:?}");
    for name in [
        "new\\nline.py",
        "tab\\t.py",
        "\\u{1b}[31m.py",
        "del\\u{7f}.py",
        "latin\u{fffd}.py",
        "mark\\u{202e}.py",
    ] {
        assert!(
            ran.stdout.contains(&format!("{name}:{FINDING}")),
            "{name}: {ran:?}"
        );
    }
}

/// Runs a program that takes a diff, and checks that it fixed the file of each path.
fn applies(project: &Project, (program, args): (&str, &[&str]), diff: &[u8], paths: &[PathBuf]) {
    let mut command = Command::new(program);
    command.args(args).current_dir(project.root());
    let mut child = match command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn() {
        Ok(child) => child,
        Err(error) => return println!("skipped: {program} cannot be run ({error})"),
    };
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), diff).unwrap();
    assert!(child.wait().unwrap().success(), "{program:?}");
    for path in paths {
        assert!(is_fixed(path), "{program:?}: {path:?}");
        fs::write(path, SITE).unwrap();
    }
}

#[test]
fn git_and_patch_take_the_diff_of_files_of_any_name() {
    let (project, paths) = odd_names();
    let output = project.command().args(["--diff", "-q"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    applies(&project, ("git", &["apply", "-"]), &output.stdout, &paths);
    applies(&project, ("patch", &["-p1"]), &output.stdout, &paths);
}

#[test]
fn a_name_that_looks_like_an_option_is_told_how_to_be_given() {
    let (project, _) = odd_names();
    let ran = project.run(&["-x.py"]);
    assert_eq!(ran.code, Some(2));
    let start =
        "error: unexpected argument '-x' found\n\n  tip: to pass '-x' as a value, use '-- -x'\n";
    assert!(ran.stderr.starts_with(start), "{ran:?}");
    let ran = project.run(&[""]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .starts_with("error: a value is required for '[PATH]...' but none was supplied\n")
    );
}

#[test]
fn names_that_differ_in_case_are_two_files() {
    let project = Project::with(&[("A.py", SITE), ("a.py", SITE)]);
    if fs::read_dir(project.root()).unwrap().count() == 1 {
        let ran = concise(&project, &["A.py", "a.py"]);
        assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
        return;
    }
    let ran = concise(&project, &["A.py", "a.py", "."]);
    assert_eq!(ran.stdout, format!("A.py:{FINDING}a.py:{FINDING}"));
}

#[test]
fn a_module_of_another_case_shadows_no_other() {
    let text =
        b"def f(a):\n    from collections import namedtuple\n    return namedtuple('P', 'x')(a)\n";
    for (sibling, is_fixed) in [("Collections.py", true), ("collections.py", false)] {
        let project = Project::with(&[("m.py", text), (sibling, b"")]);
        let ran = project.run(&["--fix", "m.py"]);
        // Python compares the case of names whatever the file system does (PEP 235).
        assert_eq!(ran.code, Some(i32::from(!is_fixed)), "{sibling}: {ran:?}");
    }
}

#[test]
fn given_paths_that_are_no_text_are_shown_and_done() {
    let project = Project::with(&[]);
    let name = OsStr::from_bytes(b"no\xff.py");
    fs::write(project.root().join(name), SITE).unwrap();
    let ran = Ran::of(
        project
            .command()
            .arg("--fix")
            .args([name, name])
            .output()
            .unwrap(),
    );
    assert_eq!(ran.stderr, "Found 1 finding in 1 of 1 file.\n  1 fixed\n");
    let gone = OsStr::from_bytes(b"gone\xff\n.py");
    let ran = Ran::of(project.command().arg(gone).output().unwrap());
    assert_eq!(
        ran.stderr,
        "error: gone\u{fffd}\\n.py: there is no such file or folder. Check the spelling and the working folder.\n"
    );
}
