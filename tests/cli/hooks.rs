//! The pre-commit hooks: their options must be options of the program.

use std::fs;

use crate::project::Project;

#[test]
fn each_hook_runs() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/.pre-commit-hooks.yaml");
    let text = fs::read_to_string(manifest).unwrap();
    let entries: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: hoist-namedtuple "))
        .collect();
    assert_eq!(entries.len(), 2);
    let project = Project::with(&[("m.py", b"x = 1\n"), ("build/b.py", b"namedtuple(\n")]);
    for entry in entries {
        let mut args: Vec<&str> = entry.split(' ').collect();
        args.extend(["m.py", "build/b.py"]);
        project.run(&args).is_silent();
    }
}
