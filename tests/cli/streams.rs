//! What goes to stdout and what to stderr, standard input, and a reader that goes away.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::project::{Project, Ran};

fn stdin(args: &[&str], bytes: &[u8]) -> Ran {
    let project = Project::with(&[]);
    let output = project
        .command()
        .args(args)
        .write_stdin(bytes)
        .output()
        .unwrap();
    assert!(fs::read_dir(project.root()).unwrap().next().is_none());
    Ran::of(output)
}

#[test]
fn standard_input_is_echoed_under_fix_and_not_without() {
    stdin(&["-"], b"x = 1\n").is_silent();
    for (bytes, code) in [
        (&b"\xef\xbb\xbfx = 1"[..], 0),
        (b"def (:\r\n", 2),
        (b"\xff", 2),
    ] {
        let args = ["--fix", "--stdin-filename", "src/a.py", "-"];
        let project = Project::with(&[]);
        let output = project
            .command()
            .args(args)
            .write_stdin(bytes)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(output.stdout, bytes);
        assert_eq!(output.stderr.is_empty(), code == 0);
    }
}

#[test]
fn standard_input_is_fixed_to_stdout() {
    let site = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";
    let ran = stdin(&["--fix", "-"], site);
    let fixed =
        "from collections import namedtuple\n\nP = namedtuple('P', 'x')\n\nf = lambda a: P(a)\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), fixed));
    assert_eq!(ran.stderr, "Found 1 finding in 1 of 1 file.\n  1 fixed\n");
    let ran = stdin(&["--diff", "--stdin-filename", "src/a.py", "-"], site);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout
            .starts_with("--- a/src/a.py\n+++ b/src/a.py\n@@ "),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("--> src/a.py:2:15"), "{ran:?}");
}

#[test]
fn standard_input_is_always_parsed() {
    stdin(&["-"], b"def (:\n").fails_with(&["<stdin>:1:5: error: "]);
}

#[test]
fn an_excluded_name_is_echoed() {
    let args = [
        "--fix",
        "--force-exclude",
        "--exclude",
        "skip",
        "--stdin-filename",
        "skip/a.py",
        "-",
    ];
    let ran = stdin(&args, b"def (:\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "def (:\n"));
}

#[test]
fn reports_without_findings_are_whole() {
    let project = Project::with(&[("m.py", b"")]);
    assert_eq!(project.run(&["--output-format", "json"]).stdout, "[]\n");
    assert_eq!(project.run(&["--output-format", "github"]).stdout, "");
    let args = ["--output-format", "json", "--output-file", "out.json"];
    assert_eq!(project.run(&args).stdout, "");
    assert_eq!(fs::read(project.path("out.json")).unwrap(), b"[]\n");
    project
        .run(&["--output-file", "no/out"])
        .fails_with(&["no/out", "--output-file"]);
}

#[test]
fn errors_are_coloured_only_when_wanted() {
    let project = Project::with(&[]);
    let colored = |args: &[&str], variable: Option<(&str, &str)>| {
        let mut command = project.command();
        command.args(args).arg("gone.py");
        if let Some((name, value)) = variable {
            command.env(name, value);
        }
        Ran::of(command.output().unwrap()).stderr.contains('\u{1b}')
    };
    assert!(!colored(&[], None));
    assert!(colored(&["--color", "always"], None));
    assert!(colored(&[], Some(("FORCE_COLOR", "1"))));
    assert!(!colored(&[], Some(("FORCE_COLOR", "0"))));
    assert!(colored(&[], Some(("CLICOLOR_FORCE", "1"))));
    assert!(!colored(&["--color", "never"], Some(("FORCE_COLOR", "1"))));
    assert!(!colored(&[], Some(("NO_COLOR", "1"))));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let text = "x = 1\n".repeat(200_000);
    let project = Project::with(&[]);
    project.put("in.txt", text.as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
        .args(["--fix", "-"])
        .stdin(fs::File::open(project.path("in.txt")).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let project = Project::with(&[("m.py", b"x = 1\n")]);
    for args in [
        &["--fix", "-"][..],
        &["--list-rules"],
        &["--explain", "HNT001"],
        &["--generate", "man"],
        &["--show-settings"],
        &["--show-files"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
            .args(args)
            .current_dir(project.root())
            .stdin(fs::File::open(project.path("m.py")).unwrap())
            .stdout(full)
            .output();
        Ran::of(output.unwrap()).fails_with(&["stdout could not be written"]);
    }
}
