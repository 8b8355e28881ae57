//! The line that tells how far a long run is: on a terminal only, and gone at the end.

use std::process::Command;

use crate::project::{Project, Ran};

/// Runs a command with stderr on a pseudoterminal and prints what came there.
const ON_A_TERMINAL: &str = r#"
import os, pty, subprocess, sys
master, slave = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
try:
    while chunk := os.read(master, 65536):
        sys.stdout.write(chunk.decode())
except OSError:
    pass  # Linux tells the end of a pseudoterminal as an error.
sys.exit(run.wait())
"#;

/// A project with a file that takes some seconds, as long as the program is not optimised.
#[cfg(debug_assertions)]
fn large() -> Project {
    let function = |at| format!("\n\ndef f{at}(x):\n    return namedtuple('Row{at}', 'x')(x)\n");
    let functions: String = (0..4000).map(function).collect();
    let text = format!("from collections import namedtuple\n{functions}");
    Project::with(&[("m.py", text.as_bytes()), ("n.py", b"x = 1\n")])
}

fn on_a_terminal(project: &Project, args: &[&str]) -> Ran {
    let mut command = Command::new("python3");
    command
        .current_dir(project.root())
        .env("TERM", "xterm")
        .args(["-c", ON_A_TERMINAL, env!("CARGO_BIN_EXE_hoist-namedtuple")])
        .args(args);
    Ran::of(command.output().unwrap())
}

#[cfg(debug_assertions)]
#[test]
fn a_long_run_counts_its_files_on_a_terminal() {
    let ran = on_a_terminal(&large(), &["--output-format", "concise"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("Checked 1 of 2 files"), "{ran:?}");
    // The last that is drawn is taken away before the summary.
    let (_, end) = ran.stdout.rsplit_once("\x1b[2K").unwrap();
    assert!(end.starts_with("Found 4000 findings"), "{ran:?}");
}

#[test]
fn a_short_run_shows_no_line() {
    let project = Project::with(&[("m.py", b"x = 1\n")]);
    assert_eq!(on_a_terminal(&project, &[]).stdout, "");
}
