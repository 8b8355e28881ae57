//! Whole runs with a stand-in for the core: streams and exit codes.

use std::fs;
use std::io::{self, Write};

use super::*;
use crate::check::{FileContext, Settings};
use crate::cli::args::Args;
use crate::cli::file::tests::fake;
use clap::Parser;

struct Ran {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

/// Runs on `args`; those that start with `@` are paths in `folder`.
fn run_in(folder: &Path, args: &[&str], stdin: &[u8]) -> Ran {
    let mut stdout = Vec::new();
    let (status, stderr) = run_to(folder, args, stdin, &mut stdout);
    let stdout = String::from_utf8(stdout).unwrap();
    Ran {
        status,
        stdout,
        stderr,
    }
}

fn run_to(
    folder: &Path,
    args: &[&str],
    mut stdin: &[u8],
    out: &mut dyn Write,
) -> (ExitStatus, String) {
    let absolute = |arg: &&str| match arg.strip_prefix('@') {
        Some(name) => folder.join(name).into_os_string(),
        None => arg.into(),
    };
    let args = std::iter::once("hoist-namedtuple".into()).chain(args.iter().map(absolute));
    let options = Options::in_folder(folder, Args::parse_from(args)).unwrap();
    let mut stderr = Vec::new();
    let streams = Streams {
        is_terminal: false,
        stdout: out,
        stderr: &mut stderr,
        stdout_color: false,
        stderr_color: false,
    };
    let status = run(&options, &fake, &mut stdin, streams).unwrap();
    (status, String::from_utf8(stderr).unwrap())
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const SITE: &str = "x = lambda: namedtuple('P', 'x')(1)\n";
const BROKEN: &str = "lambda: namedtuple(";
const FIXED: &str = "P = 1\nx = lambda: P(1)\n";

#[test]
fn findings_go_to_stdout_in_path_order_and_the_summary_to_stderr() {
    let folder = folder(&[("b.py", SITE), ("a.py", SITE), ("c.py", "x = 1\n")]);
    let ran = run_in(folder.path(), &["--output-format", "concise", "@"], b"");
    assert_eq!(ran.status, ExitStatus::Findings);
    let lines: Vec<_> = ran
        .stdout
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(lines, ["a.py:1:13:", "b.py:1:13:"]);
    assert_eq!(
        ran.stderr,
        "Found 2 findings in 2 of 3 files.\n  2 can be fixed with --fix\n"
    );
}

#[test]
fn an_empty_run_prints_nothing() {
    let folder = folder(&[("a.py", ""), ("b.py", "# namedtuple\n")]);
    let ran = run_in(folder.path(), &["@"], b"");
    assert_eq!(
        (ran.status, ran.stdout, ran.stderr),
        (ExitStatus::Clean, String::new(), String::new())
    );
}

#[test]
fn no_files_are_a_warning() {
    let folder = folder(&[("notes.txt", "")]);
    let ran = run_in(folder.path(), &["@"], b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (ExitStatus::Clean, ""));
    assert!(
        ran.stderr.starts_with("warning: 0 files checked"),
        "{}",
        ran.stderr
    );
    assert_eq!(run_in(folder.path(), &["-q", "@"], b"").stderr, "");
}

#[test]
fn fixed_findings_are_counted_and_not_printed() {
    let folder = folder(&[("a.py", SITE)]);
    let ran = run_in(folder.path(), &["--fix", "@"], b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (ExitStatus::Clean, ""));
    assert_eq!(ran.stderr, "Found 1 finding in 1 of 1 file.\n  1 fixed\n");
    assert_eq!(
        fs::read_to_string(folder.path().join("a.py")).unwrap(),
        FIXED
    );
}

#[test]
fn exit_codes_can_be_bent() {
    let sites = folder(&[("a.py", SITE)]);
    assert_eq!(
        run_in(sites.path(), &["--exit-zero", "@"], b"").status,
        ExitStatus::Clean
    );
    let ran = run_in(sites.path(), &["--fix", "--exit-non-zero-on-fix", "@"], b"");
    assert_eq!(ran.status, ExitStatus::Findings);
    let broken = folder(&[("a.py", BROKEN)]);
    let ran = run_in(broken.path(), &["--exit-zero", "@"], b"");
    assert_eq!(ran.status, ExitStatus::Error);
}

#[test]
fn a_diff_stands_alone_on_stdout_and_findings_go_to_stderr() {
    let folder = folder(&[("a.py", SITE), ("b c.py", SITE)]);
    let ran = run_in(
        folder.path(),
        &["--diff", "--output-format", "concise", "@"],
        b"",
    );
    assert_eq!(ran.status, ExitStatus::Findings);
    assert!(
        ran.stdout
            .starts_with("--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x ="),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\n--- a/b c.py\t\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr.matches("HNT001").count(), 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("2 in the diff"), "{}", ran.stderr);
}

#[test]
fn errors_are_told_and_the_other_files_are_done() {
    let folder = folder(&[("a.py", BROKEN), ("b.py", SITE)]);
    let ran = run_in(folder.path(), &["--fix", "@", "@gone.py"], b"");
    assert_eq!(ran.status, ExitStatus::Error);
    assert!(ran.stderr.contains("a.py:1:20: error: "), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("gone.py: there is no such file"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("b.py")).unwrap(),
        FIXED
    );
}

#[test]
fn an_output_file_takes_the_findings() {
    let folder = folder(&[("a.py", SITE)]);
    let file = folder.path().join("out.json");
    let args = ["--output-format", "json", "--output-file", "@out.json", "@"];
    let ran = run_in(folder.path(), &args, b"");
    assert_eq!(ran.stdout, "");
    let list: Vec<serde_json::Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(list[0]["filename"], "a.py");
    let args = ["--output-file", "@no/such/folder", "@"];
    let ran = run_in(folder.path(), &args, b"");
    assert_eq!(ran.status, ExitStatus::Error);
    assert!(
        ran.stderr.contains("could not be written"),
        "{}",
        ran.stderr
    );
}

#[test]
fn verbose_tells_how_each_finding_was_decided() {
    let folder = folder(&[("a.py", SITE)]);
    let ran = run_in(folder.path(), &["-v", "--fix", "@"], b"");
    assert!(
        ran.stderr.starts_with("a.py:1:13: HNT001\n  it resolves"),
        "{}",
        ran.stderr
    );
}

mod standard_input {
    use super::*;

    fn fix(stdin: &str) -> Ran {
        let folder = folder(&[]);
        let args = [
            "--fix",
            "--force-exclude",
            "--stdin-filename",
            "src/a.py",
            "-",
        ];
        run_in(folder.path(), &args, stdin.as_bytes())
    }

    #[test]
    fn the_patched_text_alone_is_on_stdout() {
        let ran = fix("\u{feff}x = lambda: namedtuple('P')\r\nnamedtuple()");
        assert_eq!(ran.stdout, "\u{feff}P = 1\nx = lambda: P\r\nnamedtuple()");
        assert!(ran.stderr.contains("src/a.py:3:1"), "{}", ran.stderr);
        assert_eq!(ran.status, ExitStatus::Findings);
    }

    #[test]
    fn clean_and_broken_text_is_echoed() {
        let ran = fix("x = 1");
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (ExitStatus::Clean, "x = 1")
        );
        let ran = fix("def (:\r\n");
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (ExitStatus::Error, "def (:\r\n")
        );
        assert!(
            ran.stderr.starts_with("src/a.py:1:5: error: "),
            "{}",
            ran.stderr
        );
    }

    #[test]
    fn an_excluded_name_is_echoed_unchecked() {
        let folder = folder(&[]);
        let args = [
            "--fix",
            "--force-exclude",
            "--stdin-filename",
            "build/a.py",
            "-",
        ];
        let ran = run_in(folder.path(), &args, SITE.as_bytes());
        assert_eq!(
            (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
            (ExitStatus::Clean, SITE, "")
        );
        let args = [
            "--diff",
            "--force-exclude",
            "--stdin-filename",
            "build/a.py",
            "-",
        ];
        assert_eq!(run_in(folder.path(), &args, SITE.as_bytes()).stdout, "");
    }

    #[test]
    fn without_fix_nothing_is_echoed_and_a_diff_names_the_file() {
        let folder = folder(&[]);
        let ran = run_in(folder.path(), &["-"], SITE.as_bytes());
        assert!(ran.stdout.contains("<stdin>:1:13"), "{}", ran.stdout);
        let args = ["--diff", "--stdin-filename", "src/a.py", "-"];
        let ran = run_in(folder.path(), &args, SITE.as_bytes());
        assert!(
            ran.stdout.starts_with("--- a/src/a.py\n+++ b/src/a.py\n"),
            "{}",
            ran.stdout
        );
        assert_eq!(ran.status, ExitStatus::Findings);
    }
}

/// A stream that fails from its first byte.
struct Failing(io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_quiet_and_a_full_disk_is_not() {
    let folder = folder(&[("a.py", SITE)]);
    let mut closed = Failing(io::ErrorKind::BrokenPipe);
    let (status, stderr) = run_to(folder.path(), &["-q", "@"], b"", &mut closed);
    assert_eq!((status, stderr.as_str()), (ExitStatus::Findings, ""));
    let mut full = Failing(io::ErrorKind::StorageFull);
    let (status, stderr) = run_to(folder.path(), &["-q", "@"], b"", &mut full);
    assert_eq!(status, ExitStatus::Error);
    assert!(stderr.contains("stdout could not be written"), "{stderr}");
}

#[test]
fn a_file_that_goes_away_after_the_walk_is_told() {
    let folder = folder(&[("a.py", SITE)]);
    // So many files that the last is not looked at before the first is done.
    for number in 0..600 {
        fs::write(folder.path().join(format!("m{number:03}.py")), SITE).unwrap();
    }
    let gone = folder.path().join("z.py");
    fs::write(&gone, SITE).unwrap();
    let args = [
        "hoist-namedtuple".into(),
        "-q".into(),
        folder.path().to_path_buf().into_os_string(),
    ];
    let options = Options::in_folder(folder.path(), Args::parse_from(args)).unwrap();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let streams = Streams {
        stdout: &mut stdout,
        stderr: &mut stderr,
        stdout_color: false,
        stderr_color: false,
        is_terminal: false,
    };
    let checker = |text: &str, context: &FileContext, settings: &Settings| {
        if context.path == Path::new("a.py") {
            fs::remove_file(&gone).unwrap();
        }
        fake(text, context, settings)
    };
    let status = run(&options, &checker, &mut io::empty(), streams).unwrap();
    let error =
        "error: z.py: it was there and is gone. Run again when nothing else changes its folder.\n";
    assert_eq!(
        (status, String::from_utf8(stderr).unwrap().as_str()),
        (ExitStatus::Error, error)
    );
}
