//! Trees of which nobody knows who made them: what `SECURITY.md` promises of them.

mod ci;
mod configuration;
mod documents;
mod links;
mod odd_files;
mod promises;
mod terminal;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::project::Project;

/// A file with one safe fix.
const SITE: &[u8] = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";

/// What terminals and readers of logs obey: ESC, BEL, CR, DEL, C1 controls, and what turns the direction
/// of the words or ends a line.
const OBEYED: &str =
    "\u{1b}]0;x\u{7}\r\u{7f}\u{85}\u{9b}31m\u{61c}\u{200e}\u{200f}\u{2028}\u{202e}\u{2066}";

/// The same as the program shows it.
const SHOWN: &str =
    r"\u{1b}]0;x\u{7}\r\u{7f}\u{85}\u{9b}31m\u{61c}\u{200e}\u{200f}\u{2028}\u{202e}\u{2066}";

/// Makes `project/name` a link to `target`.
fn link(project: &Project, name: &str, target: impl AsRef<Path>) {
    symlink(target, project.path(name)).unwrap();
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The path of `name` in `project` without links, as messages show it.
fn real(project: &Project, name: &str) -> String {
    let root = project.root().canonicalize().unwrap();
    root.join(name).to_str().unwrap().to_owned()
}

/// Checks that `text` holds nothing that a terminal obeys, other than line ends.
#[track_caller]
fn is_tame(text: &str, what: &str) {
    let is_obeyed = |letter: &char| {
        let is_wanted = matches!(letter, '\n' | '\t');
        !is_wanted && (letter.is_control() || OBEYED.contains(*letter) && !letter.is_ascii())
    };
    let found = text.chars().find(is_obeyed);
    assert_eq!(found, None, "{what}: {text:?}");
}
