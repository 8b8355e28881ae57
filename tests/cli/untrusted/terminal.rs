//! What a terminal would obey never reaches one, whatever names, sources and settings hold it.

use std::path::PathBuf;
use std::process::Command;

use super::{OBEYED, SHOWN, is_tame};
use crate::formats::ALL;
use crate::project::{Project, Ran};

/// Runs a command with stdout and stderr on a pseudoterminal, which changes no byte, and prints what
/// came there; the file that the first argument names is standard input.
const ON_A_TERMINAL: &str = r#"
import os, pty, subprocess, sys, tty
master, slave = pty.openpty()
tty.setraw(slave)
with open(sys.argv[1], "rb") as stdin:
    run = subprocess.Popen(sys.argv[2:], stdin=stdin, stdout=slave, stderr=slave)
os.close(slave)
try:
    while chunk := os.read(master, 65536):
        sys.stdout.buffer.write(chunk)
except OSError:
    pass  # Linux tells the end of a pseudoterminal as an error.
sys.exit(run.wait())
"#;

fn on_a_terminal(project: &Project, stdin: &str, args: &[&str]) -> Ran {
    let mut command = Command::new("python3");
    command
        .current_dir(project.root())
        .env("TERM", "xterm")
        .args(["-c", ON_A_TERMINAL, stdin])
        .arg(env!("CARGO_BIN_EXE_hoist-namedtuple"))
        .args(args);
    Ran::of(command.output().unwrap())
}

/// What a comment or a string may hold of [`OBEYED`].
fn in_a_line() -> String {
    OBEYED.replace('\r', "")
}

fn site() -> String {
    let obeyed = in_a_line();
    format!(
        "from collections import namedtuple\nfrom enum import Enum\n\n\n# {obeyed}\ndef f(x):\n    \
         e = Enum('{obeyed}', 'a b'); g(e)  # {obeyed}\n    return namedtuple('P', 'x')(x)  # {obeyed}\n"
    )
}

/// A project in which names, sources, settings and errors hold what a terminal obeys.
fn project() -> Project {
    let obeyed = in_a_line();
    let settings = format!("extend-exclude = ['''gone{obeyed}''']\n");
    let settings = settings.replace(
        |letter: char| letter.is_ascii_control() && letter != '\n',
        "",
    );
    let broken = format!("def f():\n    return namedtuple(  # {obeyed}\n");
    let cookie = format!("# coding: x{obeyed}\nnamedtuple\n");
    let latin = [
        b"# coding: \xc2\x9b\nnamedtuple('",
        obeyed.as_bytes(),
        b"\xff')\n",
    ]
    .concat();
    let escapes = obeyed
        .chars()
        .map(|letter| format!("\\u{:04x}", u32::from(letter)));
    let wrong = format!("\"s{}\" = 1\n", escapes.collect::<String>());
    Project::with(&[
        (&format!("a{OBEYED}.py"), site().as_bytes()),
        (&format!("d{OBEYED}/b.py"), broken.as_bytes()),
        (&format!("d{OBEYED}/c.py"), cookie.as_bytes()),
        (&format!("d{OBEYED}/d.py"), &latin),
        (
            &format!("e{OBEYED}/hoist-namedtuple.toml"),
            wrong.as_bytes(),
        ),
        (&format!("e{OBEYED}/m.py"), b""),
        ("hoist-namedtuple.toml", settings.as_bytes()),
    ])
}

/// `text` without the colours that the program makes.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (color, rest) = part.split_once('m').unwrap();
        assert!(
            color.chars().all(|char| "0123456789;".contains(char)),
            "{color:?}"
        );
        out.push_str(rest);
    }
    out
}

#[test]
fn no_report_and_no_message_holds_it() {
    let project = project();
    for format in ALL {
        for options in [&["-v"][..], &["--color", "always", "--select", "ALL"]] {
            let args = [&["--output-format", format], options].concat();
            let ran = project.run(&args);
            let what = format!("{args:?}");
            is_tame(&without_colors(&ran.stdout), &what);
            is_tame(&without_colors(&ran.stderr), &what);
            assert_eq!(ran.code, Some(2), "{what} {ran:?}");
        }
    }
    let ran = project.run(&["--output-format", "concise"]);
    assert!(
        ran.stdout.starts_with(&format!("a{SHOWN}.py:7:9: ")),
        "{ran:?}"
    );
    for file in [
        "d/b.py:3:1: error: ",
        "error: d/c.py: ",
        "error: d/d.py: ",
        "e/hoist-namedtuple.toml:1:1: error: there is no key `s",
    ] {
        let file = file
            .replace("d/", &format!("d{SHOWN}/"))
            .replace("e/h", &format!("e{SHOWN}/h"));
        assert!(ran.stderr.contains(&file), "no {file} in {}", ran.stderr);
    }
}

#[test]
fn nothing_that_is_printed_in_place_of_a_check_holds_it() {
    let project = project();
    let gone = format!("gone{OBEYED}");
    let key = format!("--config=naming=\"{OBEYED}\"");
    let exclude = format!("--exclude={OBEYED}");
    for args in [
        &["--show-files"][..],
        &["--show-settings", ".", &exclude],
        &["--statistics"],
        &["--statistics", "--output-format", "json"],
        &["--fix", "--color", "always"],
        &["--explain", &gone],
        &["--select", &gone],
        &["--config", &gone],
        &["--rules", &gone],
        &["--baseline", &gone],
        &["--test-rules", &gone],
        &["--new-rule", &gone],
        &["--stdin-filename", &gone, "x"],
        &["--output-format", &gone],
        &["--output-file", &gone, "--output-format", "json=x"],
        &[&key],
        &[&gone],
        &[&format!("--{gone}")],
        &[&format!("--color={gone}")],
    ] {
        let ran = project.run(args);
        is_tame(&without_colors(&ran.stdout), &format!("{args:?}"));
        is_tame(&without_colors(&ran.stderr), &format!("{args:?}"));
    }
    let ran = project.run(&[&format!("--{gone}")]);
    let expected = format!("error: unexpected argument '--gone{SHOWN}' found\n");
    assert!(ran.stderr.starts_with(&expected), "{ran:?}");
}

#[test]
fn a_baseline_of_such_names_is_told_with_escapes() {
    let project = project();
    let path = format!("a{OBEYED}.py");
    project.run(&["--baseline", "b.json", "--write-baseline", &path]);
    project.put(
        &path,
        [site(), site().replace("def f", "def g")]
            .concat()
            .as_bytes(),
    );
    let more = project.run(&["--baseline", "b.json", &path]);
    project.put(&path, b"");
    let gone = project.run(&["--baseline", "b.json", &path]);
    for ran in [more, gone] {
        assert_ne!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.stderr.contains(SHOWN) || ran.stdout.contains(SHOWN),
            "{ran:?}"
        );
        is_tame(&ran.stdout, "stdout");
        is_tame(&ran.stderr, "stderr");
    }
}

#[test]
fn a_diff_has_escapes_on_a_terminal_and_all_its_bytes_in_a_pipe() {
    let text = site().replace("\n\n\n", "\r\n\r\n\t\u{c}\n");
    let bytes = [text.as_bytes(), b"# \xe9 \x9b\n"].concat();
    let bytes = [&b"# coding: latin-1\n"[..], &bytes].concat();
    let project = Project::with(&[("m.py", &bytes), ("empty", b"")]);
    let piped = project
        .command()
        .args(["--diff", "-q"])
        .output()
        .unwrap()
        .stdout;
    let shown = on_a_terminal(&project, "empty", &["--diff", "-q", "--color", "never"]);
    let (diff, _) = shown
        .stdout
        .split_once("warning[")
        .unwrap_or((&shown.stdout, ""));
    assert_eq!(shown.code, Some(1), "{shown:?}");
    is_tame(&diff.replace("\r\n", "\n"), "diff");
    assert!(diff.contains(r"# \u{1b}]0;x\u{7}\u{7f}"), "{diff}");
    assert!(diff.contains("\r\n"), "{diff}");
    assert!(piped.windows(4).any(|bytes| bytes == b"\x1b]0;"));
    project.put("m.diff", &piped);
    let applied = Command::new("git")
        .args(["apply", "m.diff"])
        .current_dir(project.root())
        .status();
    assert!(applied.unwrap().success());
}

#[test]
fn a_patched_text_has_escapes_on_a_terminal_and_all_its_bytes_in_a_pipe() {
    let project = Project::with(&[("m.py", site().as_bytes())]);
    let shown = on_a_terminal(&project, "m.py", &["--fix", "-q", "-"]);
    is_tame(&without_colors(&shown.stdout), "terminal");
    assert!(
        shown.stdout.contains("P = namedtuple('P', 'x')"),
        "{shown:?}"
    );
    let piped = project
        .command()
        .args(["--fix", "-q", "-"])
        .write_stdin(site())
        .output();
    assert!(Ran::of(piped.unwrap()).stdout.contains(&in_a_line()));
    // What went wrong does not matter.
    for args in [
        &["--fix", "--select", "X", "-"][..],
        &[
            "--fix",
            "--force-exclude",
            "--exclude=x",
            "--stdin-filename=x",
            "-",
        ],
    ] {
        let shown = on_a_terminal(&project, "m.py", args);
        is_tame(&without_colors(&shown.stdout), "terminal");
        assert!(shown.stdout.contains("def f(x):"), "{shown:?}");
        let piped = project.command().args(args).write_stdin(site()).output();
        assert_eq!(Ran::of(piped.unwrap()).stdout, site());
    }
}

#[test]
fn all_that_a_terminal_shows_of_a_run_has_escapes() {
    let project = project();
    project.put("empty", b"");
    for args in [&["-v"][..], &["--fix", "-v"], &["--diff"]] {
        let ran = on_a_terminal(&project, "empty", args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        is_tame(&without_colors(&ran.stdout), &format!("{args:?}"));
    }
}

#[test]
fn a_rule_file_with_control_characters_is_told() {
    let project = Project::with(&[("m.py", b"")]);
    assert_eq!(project.run(&["--new-rule", "acme.record"]).code, Some(0));
    let path: PathBuf = project.path("record.toml");
    let rule = std::fs::read_to_string(path).unwrap();
    let rule = rule.replacen("summary = \"", "summary = \"\\u001b\\u202e", 1);
    project.put("record.toml", rule.as_bytes());
    let ran = project.run(&["--rules", "record.toml"]);
    ran.fails_with(&["it holds the control character `\\u{1b}`. Remove that."]);
    is_tame(&ran.stderr, "stderr");
}
