//! Configuration: which file holds for which Python, every key, and everything that is wrong.

mod discovery;
mod faults;
mod keys;
mod options;
mod standard_input;

use crate::project::{Project, Ran};

const SITE: &[u8] =
    b"from collections import namedtuple\ndef f(a):\n    return namedtuple('P', 'x')(a)\n";
const DYNAMIC: &[u8] =
    b"from collections import namedtuple\ndef f(a):\n    return namedtuple('P', a)(*a)\n";
const STORED: &[u8] = b"from collections import namedtuple\nclass Store:\n    def keep(self):\n        self.backup = namedtuple('Size', 'x')(1)\n";
const RETURNED: &[u8] =
    b"from collections import namedtuple\ndef f():\n    return namedtuple('P', 'x')\n";

/// Runs in the folder `below` the project.
fn run_in(project: &Project, below: &str, args: &[&str]) -> Ran {
    let mut command = project.command();
    command.current_dir(project.path(below)).args(args);
    Ran::of(command.output().unwrap())
}

/// `path CODE` of each finding, in the order in which they are printed.
fn found(ran: &Ran) -> Vec<String> {
    let finding = |line: &str| {
        let (place, rest) = line.split_once(' ')?;
        let (path, _) = place.split_once(':')?;
        let (code, _) = rest.split_once(' ')?;
        Some(format!("{path} {code}"))
    };
    ran.stdout.lines().filter_map(finding).collect()
}

fn check(project: &Project, args: &[&str]) -> Vec<String> {
    found(&project.run(&[&["--output-format", "concise"], args].concat()))
}

fn with_settings(settings: &str, files: &[(&str, &[u8])]) -> Project {
    let project = Project::with(files);
    project.put("hoist-namedtuple.toml", settings.as_bytes());
    project
}
