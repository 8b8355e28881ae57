//! Hostile paths: odd names, long ones, links, and what is no file; never a hang, and each file once.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
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

/// A folder below the project's whose path has `length` bytes, made step by step, as no system takes it
/// in one; `into` are the bytes of a file `m.py` in it.
fn deep(project: &Project, length: usize, into: &[u8]) -> String {
    let script = "
import os, sys
length, text = int(sys.argv[1]), sys.stdin.buffer.read()
path, parts = 0, []
while path < length:
    part = 'd' * (250 if length - path > 252 else length - path)
    os.mkdir(part); os.chdir(part)
    parts.append(part); path += len(part) + 1
with open('m.py', 'wb') as file:
    file.write(text)
print('/'.join(parts))
";
    let mut command = assert_cmd::Command::new("python3");
    let length = length.to_string();
    let command = command
        .args(["-c", script, &length])
        .current_dir(project.root());
    let ran = Ran::of(command.write_stdin(into).output().unwrap());
    ran.stdout.trim_end().to_owned()
}

#[test]
fn a_path_of_four_thousand_characters_is_fixed() {
    let project = Project::with(&[]);
    let room = 4_040 - project.root().canonicalize().unwrap().as_os_str().len();
    let folder = deep(&project, room, SITE);
    assert!(folder.len() > 3_900);
    let file = project.path(&format!("{folder}/m.py"));
    for args in [vec!["--fix"], vec!["--fix", &format!("{folder}/m.py")]] {
        fs::write(&file, SITE).unwrap();
        assert_eq!(
            project.run(&args).stderr,
            "Found 1 finding in 1 of 1 file.\n  1 fixed\n"
        );
        assert!(is_fixed(&file));
    }
}

#[test]
fn a_path_that_the_system_does_not_take_is_told() {
    let project = Project::with(&[("m.py", SITE)]);
    deep(&project, 4_300, SITE);
    let sentence = "it, or a name in it, is longer than the system takes (File name too long (os error 36)). Run in a folder closer to it, or shorten the name.\n";
    let ran = concise(&project, &["."]);
    assert_eq!((ran.code, ran.stdout), (Some(2), format!("m.py:{FINDING}")));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    if cfg!(target_os = "linux") {
        assert!(
            ran.stderr.starts_with("error: ddd") && ran.stderr.ends_with(sentence),
            "{}",
            ran.stderr
        );
    }
    for path in ["n".repeat(300), "n/".repeat(2_500)] {
        let ran = concise(&project, &[&path, "m.py"]);
        assert_eq!((ran.code, ran.stdout), (Some(2), format!("m.py:{FINDING}")));
        if cfg!(target_os = "linux") {
            assert_eq!(ran.stderr, format!("error: {path}: {sentence}"));
        }
    }
}

#[test]
fn a_name_of_255_bytes_is_fixed() {
    let name = format!("{}.py", "n".repeat(252));
    let project = Project::with(&[(&name, SITE)]);
    assert_eq!(project.run(&["--fix"]).code, Some(0));
    assert!(is_fixed(&project.path(&name)));
    assert_eq!(fs::read_dir(project.root()).unwrap().count(), 1);
}

#[test]
fn links_in_a_circle_are_told_when_given_and_passed_by_in_a_walk() {
    let project = Project::with(&[("m.py", SITE), ("sub/n.txt", b"")]);
    symlink("loop.py", project.path("loop.py")).unwrap();
    symlink("b.py", project.path("a.py")).unwrap();
    symlink("a.py", project.path("b.py")).unwrap();
    symlink("..", project.path("sub/up")).unwrap();
    symlink(".", project.path("self.py")).unwrap();
    symlink("nowhere", project.path("broken.py")).unwrap();
    let ran = concise(&project, &["."]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(1), format!("m.py:{FINDING}").as_str(), "")
    );
    let ran = concise(
        &project,
        &["loop.py", "a.py", "broken.py", "sub/up/sub/up/m.py"],
    );
    assert_eq!(ran.code, Some(2));
    let (circle, nowhere) = (
        "it is a link that leads nowhere (Too many levels of symbolic links (os error 40)). Mend or remove it.\n",
        "it is a link that leads nowhere. Mend or remove it.\n",
    );
    if cfg!(target_os = "linux") {
        let errors =
            format!("error: loop.py: {circle}error: a.py: {circle}error: broken.py: {nowhere}");
        assert_eq!(ran.stderr, errors);
    }
    assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
}

#[test]
fn a_file_is_done_once_through_whatever_links() {
    let project = Project::with(&[("m.py", SITE), ("sub/n.txt", b"")]);
    symlink("m.py", project.path("one.py")).unwrap();
    symlink("one.py", project.path("two.py")).unwrap();
    symlink("..", project.path("sub/up")).unwrap();
    for paths in [
        &[
            "two.py",
            "one.py",
            "m.py",
            "./m.py",
            "sub/up/two.py",
            "sub/up/m.py",
            ".",
        ][..],
        &[".", "sub/up"],
        &["m.py", "m.py"],
    ] {
        let ran = concise(&project, paths);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), format!("m.py:{FINDING}").as_str()),
            "{paths:?}"
        );
    }
    let ran = concise(&project, &["two.py", "one.py"]);
    assert_eq!(ran.stdout, format!("one.py:{FINDING}"));
    let ran = project.run(&["--fix", "two.py", "one.py", "sub/up/m.py"]);
    assert_eq!(ran.stderr, "Found 1 finding in 1 of 1 file.\n  1 fixed\n");
    assert!(is_fixed(&project.path("m.py")));
    for link in ["one.py", "two.py"] {
        assert!(
            fs::symlink_metadata(project.path(link))
                .unwrap()
                .is_symlink()
        );
    }
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_is_no_file_is_told_when_given_and_passed_by_in_a_walk() {
    let project = Project::with(&[("ok.py", SITE), ("folder.py/m.py", SITE)]);
    make_fifo(&project.path("pipe.py"));
    let _socket = UnixListener::bind(project.path("socket.py")).unwrap();
    symlink("/dev/zero", project.path("zero.py")).unwrap();
    symlink("pipe.py", project.path("link.py")).unwrap();
    let both = format!("folder.py/m.py:{FINDING}ok.py:{FINDING}");
    let ran = concise(&project, &["."]);
    assert_eq!(
        (ran.code, ran.stdout, ran.stderr.as_str()),
        (Some(1), both.clone(), "")
    );
    let special = [
        "pipe.py",
        "socket.py",
        "zero.py",
        "link.py",
        "/dev/zero",
        "/dev/null",
    ];
    let ran = concise(&project, &[&special[..], &["folder.py", "ok.py"]].concat());
    let error =
        "it is neither a file nor a folder. Give a regular file, or `-` to read standard input.";
    let told: Vec<&str> = ran.stderr.lines().collect();
    // Two paths lead to the pipe, and two to the device.
    assert_eq!(
        told,
        ["pipe.py", "socket.py", "zero.py", "/dev/null"]
            .map(|path| format!("error: {path}: {error}"))
    );
    assert_eq!((ran.code, ran.stdout), (Some(2), both));
}

#[test]
fn an_ignore_file_that_cannot_be_read_at_once_keeps_a_walk_from_its_folder() {
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        let project = Project::with(&[
            ("ok.py", SITE),
            ("sub/m.py", SITE),
            ("sub/.git/info/x", b""),
            ("sub/deep/n.py", SITE),
        ]);
        let file = format!("sub/{name}");
        make_fifo(&project.path(&file));
        let error = format!(
            "error: {file}: it is no regular file, so that nothing tells what to leave out, and its folder was not checked. Mend or remove it, or give --no-respect-gitignore.\n"
        );
        let ran = concise(&project, &["."]);
        assert_eq!(
            (ran.code, ran.stdout, ran.stderr),
            (Some(2), format!("ok.py:{FINDING}"), error.clone())
        );
        for path in ["sub", "sub/deep"] {
            let ran = concise(&project, &[path]);
            assert_eq!(
                (ran.code, ran.stdout.as_str(), ran.stderr),
                (Some(2), "", error.clone())
            );
        }
        assert_eq!(concise(&project, &["sub", ".", "sub/deep"]).stderr, error);
        let ran = concise(&project, &["--no-respect-gitignore", "."]);
        assert_eq!(
            (ran.code, ran.stdout.lines().count()),
            (Some(1), 3),
            "{ran:?}"
        );
        let ran = concise(&project, &["--exclude", "sub", "."]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    }
}

/// A run as a user whom permissions bind: root drops to `nobody`.
fn run_bound(project: &Project, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"));
    command.args(args).current_dir(project.root());
    if is_root() {
        command.uid(65_534).gid(65_534);
    }
    Ran::of(command.output().unwrap())
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").unwrap()) == 0
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Whether another user may run the program from where it lies; tells when not.
fn others_may_run() -> bool {
    let program = Path::new(env!("CARGO_BIN_EXE_hoist-namedtuple"));
    let may = |path: &Path| {
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 1 == 1)
    };
    let runs = !is_root() || program.ancestors().all(may);
    if !runs {
        println!("skipped: root is bound by no permission, and others may not run the program");
    }
    runs
}

#[test]
fn what_may_not_be_read_is_told_once_and_the_rest_is_done() {
    if !cfg!(target_os = "linux") || !others_may_run() {
        return;
    }
    let project = Project::with(&[
        ("a/m.py", SITE),
        ("a/no/n.py", SITE),
        ("b.py", SITE),
        ("c/.gitignore", b"x"),
        ("c/x/m.py", SITE),
    ]);
    set_mode(project.root(), 0o755);
    let closed = ["a/no", "b.py", "c/.gitignore"];
    closed
        .iter()
        .for_each(|path| set_mode(&project.path(path), 0));
    symlink("a/no", project.path("link")).unwrap();
    let folder = "error: a/no: it cannot be read (Permission denied (os error 13)). Check its permissions, or leave it out with --exclude.\n";
    let ignore = "error: c/.gitignore: it cannot be read (Permission denied (os error 13)), so that nothing tells what to leave out, and its folder was not checked. Mend or remove it, or give --no-respect-gitignore.\n";
    let file = "error: b.py: it cannot be read (Permission denied (os error 13)). Check the path and its permissions.\n";
    for paths in [&["."][..], &[".", "a", "a/no", "./a", "link", "c", "b.py"]] {
        let ran = run_bound(
            &project,
            &[&["-q", "--output-format", "concise"], paths].concat(),
        );
        assert_eq!(
            (ran.code, ran.stdout),
            (Some(2), format!("a/m.py:{FINDING}")),
            "{paths:?}"
        );
        assert_eq!(ran.stderr, format!("{folder}{ignore}{file}"), "{paths:?}");
    }
    let ran = run_bound(&project, &["a/no/n.py"]);
    let inside = "error: a/no/n.py: it cannot be read (Permission denied (os error 13)). Check the path and its permissions.\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), inside));
    closed
        .iter()
        .for_each(|path| set_mode(&project.path(path), 0o755));
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
