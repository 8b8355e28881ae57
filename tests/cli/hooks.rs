//! The pre-commit hooks: their options must be options of the program, and each has a twin for cargo.

use std::collections::BTreeMap;
use std::fs;

use crate::project::Project;

const SITE: &[u8] = b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";

/// A hook's keys and values as they are written.
type Hook = BTreeMap<String, String>;

fn hooks() -> Vec<Hook> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/.pre-commit-hooks.yaml");
    let text = fs::read_to_string(manifest).unwrap();
    let mut hooks: Vec<Hook> = vec![];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with("- ") {
            hooks.push(Hook::new());
        }
        let (key, value) = line.get(2..).unwrap().split_once(": ").unwrap();
        let hook = hooks.last_mut().unwrap();
        assert_eq!(
            hook.insert(key.to_owned(), value.to_owned()),
            None,
            "{line}"
        );
    }
    hooks
}

/// The options of a hook, as pre-commit splits them.
fn options(hook: &Hook) -> Vec<&str> {
    let mut words = hook["entry"].split(' ');
    assert_eq!(words.next(), Some("hoist-namedtuple"));
    words.collect()
}

#[test]
fn each_hook_runs_and_leaves_excluded_files_alone() {
    let project = Project::with(&[("m.py", b"x = 1\n"), ("build/b.py", b"namedtuple(\n")]);
    for hook in hooks() {
        let mut args = options(&hook);
        args.extend(["m.py", "build/b.py"]);
        project.run(&args).is_silent();
    }
}

#[test]
fn the_arguments_of_a_user_may_be_options_and_may_end_them() {
    let project = Project::with(&[("-m.py", SITE)]);
    for hook in hooks() {
        let with = |own: &[&'static str]| {
            let mut args = options(&hook);
            args.extend(own);
            project.run(&args)
        };
        with(&["--ignore", "HNT001", "--", "-m.py"]).is_silent();
        with(&["-m.py"]).fails_with(&["-m"]);
    }
}

#[test]
fn the_check_hook_fails_with_the_diff_and_the_fix_hook_when_it_wrote() {
    for hook in hooks() {
        let project = Project::with(&[("m.py", SITE)]);
        let mut args = options(&hook);
        args.push("m.py");
        let first = project.run(&args);
        let is_fix = hook["id"].contains("-fix");
        assert_eq!(first.code, Some(1), "{first:?}");
        assert_eq!(
            first.stdout.starts_with("--- a/m.py\n"),
            !is_fix,
            "{first:?}"
        );
        assert_eq!(fs::read(project.path("m.py")).unwrap() == SITE, !is_fix);
        let second = project.run(&args);
        assert_eq!(second.code, Some(i32::from(!is_fix)), "{second:?}");
    }
}

#[test]
fn each_hook_has_a_twin_that_cargo_builds() {
    let hooks = hooks();
    let ids: Vec<&str> = hooks.iter().map(|hook| hook["id"].as_str()).collect();
    assert_eq!(
        ids,
        [
            "hoist-namedtuple",
            "hoist-namedtuple-fix",
            "hoist-namedtuple-src",
            "hoist-namedtuple-fix-src"
        ]
    );
    for (hook, twin) in hooks.iter().zip(&hooks[2..]) {
        let mut wanted = hook.clone();
        wanted.insert("id".to_owned(), format!("{}-src", hook["id"]));
        assert_eq!(
            wanted
                .insert("language".to_owned(), "rust".to_owned())
                .as_deref(),
            Some("python")
        );
        assert_eq!(*twin, wanted);
        assert_eq!(hook["types_or"], "[python]");
        assert_eq!(hook["require_serial"], "true");
    }
}
