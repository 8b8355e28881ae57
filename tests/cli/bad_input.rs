//! Bad input: a clear sentence, exit code 2, nothing lost, and the other files are done.

use std::fs;

use crate::project::Project;

#[test]
fn empty_files_and_comments_are_silent() {
    let files: &[(&str, &[u8])] = &[("empty.py", b""), ("comment.py", b"# namedtuple\n")];
    let project = Project::with(files);
    project.run(&[]).is_silent();
    project
        .run(&["--fix", "empty.py", "comment.py"])
        .is_silent();
    project.run(&["--diff"]).is_silent();
}

#[test]
fn a_folder_without_python_is_a_warning() {
    let project = Project::with(&[("notes.txt", b"x")]);
    let ran = project.run(&["."]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert!(
        ran.stderr.starts_with("warning: 0 files checked"),
        "{ran:?}"
    );
}

#[test]
fn a_missing_path_is_named() {
    let project = Project::with(&[("m.py", b"")]);
    project
        .run(&["gone.py", "m.py"])
        .fails_with(&["error: gone.py: there is no such file"]);
    project.run(&["m.py/x"]).fails_with(&["m.py/x"]);
}

#[test]
fn candidates_that_are_no_python_are_named_with_their_place() {
    for (bytes, words) in [
        (&b"lambda: namedtuple(\n"[..], &["bad.py:", ": error: "][..]),
        (b"x = 1\nprint namedtuple as nt\n", &["bad.py:2:"]),
        (
            b"# namedtuple('\xff')\n",
            &["error: bad.py: it is not valid", "line 1", "`utf-8`"],
        ),
        (
            b"# coding: ascii\nnamedtuple('\xe9')\n",
            &["`ascii`", "line 2"],
        ),
        (b"# coding: rot13\nnamedtuple('')\n", &["`rot13`", "UTF-8"]),
        (
            b"\xef\xbb\xbf# coding: latin-1\nnamedtuple('')\n",
            &["byte order mark", "`iso-8859-1`"],
        ),
    ] {
        let project = Project::with(&[("bad.py", bytes), ("good.py", b"namedtuple\n")]);
        let ran = project.run(&["--fix"]);
        ran.fails_with(words);
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
        assert_eq!(fs::read(project.path("bad.py")).unwrap(), bytes);
    }
}

#[test]
fn what_calls_no_factory_is_passed_by_undecoded() {
    let project = Project::with(&[
        ("a.py", b"\xff\0("),
        ("b.py", b"print 'x'\n"),
        ("c.py", b"from collections import namedtuple\nprint 'x'\n"),
    ]);
    project.run(&[]).is_silent();
}

#[test]
fn a_candidate_over_the_size_cap_is_an_error() {
    let mut bytes = vec![b'#'; 32 * 1024 * 1024];
    let project = Project::with(&[("large.py", &bytes)]);
    project.run(&[]).is_silent();
    bytes.extend_from_slice(b"\nnt = namedtuple");
    project.put("large.py", &bytes);
    let ran = project.run(&[]);
    let error = "error: large.py: it is larger than 32 MiB, the most that is checked. Raise that with \
                 --max-file-size, or leave it out with --exclude.\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), error));
}

const SITE: &[u8] = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";

#[test]
fn what_cpython_refuses_is_named_and_the_other_files_are_fixed() {
    let brackets = format!(
        "x = lambda: namedtuple('A', {}1{})\n",
        "(".repeat(300),
        ")".repeat(300)
    );
    let indents: String = (0..120).map(|at| " ".repeat(at) + "if 1:\n").collect();
    let indents = format!("nt = namedtuple\n{indents}{}pass\n", " ".repeat(120));
    for (bytes, error) in [
        (
            "nt = namedtuple\n\0\n",
            "bad.py:2:1: error: source code cannot contain null bytes. The file is not valid Python 3",
        ),
        (
            &brackets,
            "bad.py:1:228: error: too many nested parentheses. The file is not valid Python 3",
        ),
        (
            &indents,
            "bad.py:102:101: error: too many levels of indentation. The file is not valid Python 3",
        ),
    ] {
        let project = Project::with(&[("bad.py", bytes.as_bytes()), ("good.py", SITE)]);
        let ran = project.run(&["--fix"]);
        ran.fails_with(&["1 fixed"]);
        assert!(ran.stderr.starts_with(error), "{ran:?}");
        assert_eq!(fs::read(project.path("bad.py")).unwrap(), bytes.as_bytes());
        assert_ne!(fs::read(project.path("good.py")).unwrap(), SITE);
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_file_stays_and_its_finding_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with(&[("a.py", SITE), ("b.py", SITE)]);
    fs::set_permissions(project.path("a.py"), fs::Permissions::from_mode(0o444)).unwrap();
    let ran = project.run(&["--fix", "--output-format", "concise"]);
    ran.fails_with(&[
        "error: a.py: it is read-only",
        "1 fixed",
        "1 left: not written",
    ]);
    assert!(ran.stdout.starts_with("a.py:2:15: HNT001"), "{ran:?}");
    assert_eq!(fs::read(project.path("a.py")).unwrap(), SITE);
    assert_ne!(fs::read(project.path("b.py")).unwrap(), SITE);
}
