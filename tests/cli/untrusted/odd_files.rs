//! Files of settings, rules and patterns that are none, have no end, or are far too large.

use std::fs;
use std::path::Path;

use super::{SITE, link, pipe};
use crate::project::Project;

const SPECIAL: &str = "it is a pipe or a device. Put a regular file in its place.";
const LARGE: &str =
    "it is larger than 1 MiB, the most that is read of such a file. Make it smaller.";
const MIB: usize = 1024 * 1024;

/// A folder with a file that has a fix, and beside it one that has a fix as well.
fn project() -> Project {
    Project::with(&[("odd/m.py", SITE), ("n.py", SITE)])
}

/// Checks that a run says `error`, leaves the file beside `odd` as it is, and fixes the other.
#[track_caller]
fn is_told(project: &Project, error: &str) {
    let ran = project.run(&["--fix", "."]);
    ran.fails_with(&[error, "1 fixed"]);
    assert_eq!(fs::read(project.path("odd/m.py")).unwrap(), SITE);
    assert_ne!(fs::read(project.path("n.py")).unwrap(), SITE);
}

#[test]
fn a_configuration_that_is_a_pipe_or_a_device_is_told() {
    for name in ["hoist-namedtuple.toml", "pyproject.toml"] {
        let expected =
            format!("error: odd/{name}: {SPECIAL} The files that it is for were not checked.\n");
        let project = self::project();
        pipe(&project.path(&format!("odd/{name}")));
        is_told(&project, &expected);
        let project = self::project();
        link(&project, &format!("odd/{name}"), "/dev/zero");
        is_told(&project, &expected);
    }
    let project = project();
    pipe(&project.path("pipe"));
    for path in ["pipe", "/dev/zero"] {
        let expected = format!("error: --config: {path}: {SPECIAL}\n");
        project.run(&["--config", path]).fails_with(&[&expected]);
    }
}

#[test]
fn a_configuration_that_leads_nowhere_is_told_and_a_foreign_one_is_passed_by() {
    let project = project();
    link(&project, "odd/hoist-namedtuple.toml", "nowhere");
    is_told(
        &project,
        "error: odd/hoist-namedtuple.toml: it is a link that leads nowhere. Mend or remove it. The files \
         that it is for were not checked.\n",
    );
    let project = self::project();
    link(&project, "odd/pyproject.toml", "nowhere");
    link(&project, "pyproject.toml", "pyproject.toml");
    assert_eq!(project.run(&["--fix"]).code, Some(0));
}

#[test]
fn rules_that_are_pipes_or_devices_are_told() {
    let project = project();
    pipe(&project.path("pipe.toml"));
    project.put("odd/hoist-namedtuple.toml", b"rule-paths = ['r.toml']");
    pipe(&project.path("odd/r.toml"));
    is_told(
        &project,
        "r.toml` is neither a file nor a folder. Save the rule in a file, and name that. The files that \
         it is for were not checked.\n",
    );
    project.run(&["--rules", "pipe.toml"]).fails_with(&[
        "pipe.toml` is neither a file nor a folder. Save the rule in a file, and name that.\n",
    ]);
}

#[test]
fn settings_rules_and_patterns_of_more_than_a_mebibyte_are_told() {
    let large = vec![b'#'; MIB + 1];
    let unchecked = "The files that it is for were not checked.";
    let project = self::project();
    project.put("odd/hoist-namedtuple.toml", &large);
    is_told(
        &project,
        &format!("error: odd/hoist-namedtuple.toml: {LARGE} {unchecked}\n"),
    );
    let project = self::project();
    project.put("odd/hoist-namedtuple.toml", b"rule-paths = ['r']");
    project.put("odd/r/a.toml", &large);
    is_told(
        &project,
        &format!("error: odd/r/a.toml: {LARGE} {unchecked}\n"),
    );
    let project = self::project();
    project.put("odd/.gitignore", &large);
    is_told(
        &project,
        &format!("error: odd/.gitignore: {LARGE} Nothing in its folder was checked"),
    );
    project.put("odd/.gitignore", &large[..MIB]);
    assert_eq!(project.run(&["--fix"]).code, Some(0));
}

#[test]
fn patterns_that_are_pipes_or_devices_are_told() {
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        let project = project();
        let path = format!("odd/{name}");
        fs::create_dir_all(project.path(&path).parent().unwrap()).unwrap();
        link(&project, &path, "/dev/zero");
        let expected = format!(
            "error: {path}: {SPECIAL} Nothing in its folder was checked; --no-respect-gitignore reads \
             no such file.\n"
        );
        is_told(&project, &expected);
        project.run(&["odd"]).fails_with(&[&expected]);
        let ran = project.run(&["--no-respect-gitignore", "--fix"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn the_files_that_a_linked_work_tree_names_are_looked_at_first() {
    let with_git = |target: &Path| {
        let project = project();
        let text = format!("gitdir: {}\n", target.to_str().unwrap());
        project.put("odd/.git", text.as_bytes());
        project
    };
    let git = Project::with(&[("a/x", b""), ("b/commondir", b"./c\n"), ("b/c/info/x", b"")]);
    pipe(&git.path("a/commondir"));
    pipe(&git.path("b/c/info/exclude"));
    for (folder, name) in [("a", "a/commondir"), ("b", "b/./c/info/exclude")] {
        let project = with_git(&git.path(folder));
        is_told(
            &project,
            &format!("{name}: {SPECIAL} Nothing in its folder"),
        );
    }
    let project = with_git(&git.path("gone"));
    assert_eq!(project.run(&["--fix"]).code, Some(0));
}

#[test]
fn odd_patterns_leave_the_others_in_force() {
    for odd in [
        "\0",
        "\u{feff}x",
        "[",
        "{",
        "**/**/a**",
        "\\",
        "!",
        "a\rb",
        "\u{1b}[2J",
    ] {
        let project = project();
        project.put(".gitignore", format!("{odd}\nodd/\n").as_bytes());
        let ran = project.run(&["--output-format", "concise"]);
        assert!(ran.stdout.starts_with("n.py:2:15"), "{odd:?} {ran:?}");
        assert_eq!(ran.stdout.lines().count(), 1, "{odd:?} {ran:?}");
    }
    let project = project();
    project.put(".gitignore", b"\xff\xfe\n");
    assert_eq!(project.run(&["--fix"]).code, Some(0));
}

#[test]
fn deep_nesting_is_told_and_overflows_no_stack() {
    let deep = |text: &str| text.repeat(MIB / 2 / text.len());
    for (text, words) in [
        (
            format!("x = {}", deep("[")),
            "it is no valid TOML (cannot recurse further",
        ),
        (
            format!("x = {}", deep("{a=")),
            "it is no valid TOML (cannot recurse further",
        ),
        (
            format!("{}a = 1", deep("a.")),
            "it is no valid TOML (recursion limit). Correct it.",
        ),
        (
            format!("[{}a]", deep("a.")),
            "it is no valid TOML (recursion limit). Correct it.",
        ),
        (
            format!("exclude = ['{}']", deep("{")),
            "is no valid pattern (",
        ),
    ] {
        let project = self::project();
        project.put("odd/hoist-namedtuple.toml", text.as_bytes());
        is_told(&project, words);
        let ran = project.run(&["odd"]);
        assert!(ran.stderr.len() < 800, "{}", ran.stderr.len());
    }
    for text in [deep("{"), deep("{a,"), deep("**/"), deep("(")] {
        let project = project();
        project.put("odd/.gitignore", text.as_bytes());
        assert_eq!(project.run(&["--fix"]).code, Some(0));
    }
}

#[test]
fn what_is_no_text_or_no_value_is_told_in_few_words() {
    let long = "x".repeat(MIB / 2);
    for (text, words) in [
        (&b"\xff"[..], "it is not valid UTF-8. Save it as UTF-8."),
        (b"select = []\0", "it is no valid TOML ("),
        (format!("{long} = 1").as_bytes(), "xxx…`. Use `select`"),
        (
            format!("select = ['{long}']").as_bytes(),
            "xxx…`. Use one of HNT001",
        ),
        (
            format!("naming = '{long}'").as_bytes(),
            "xxx…` is no value of it. Use `context`",
        ),
        (
            format!("naming = [\"{long}\"]").as_bytes(),
            "xxx…` is wrong here. It must be a string",
        ),
        (
            format!("exclude = ['../{long}']").as_bytes(),
            "xxx…` leads out of its folder",
        ),
        (
            format!("rule-paths = ['{long}']").as_bytes(),
            "File name too long",
        ),
    ] {
        let project = project();
        project.put("odd/hoist-namedtuple.toml", text);
        is_told(&project, words);
    }
}

#[test]
fn a_baseline_without_end_is_told() {
    let project = project();
    link(&project, "b.json", "/dev/zero");
    let expected = format!(
        "error: b.json: the baseline cannot be read. Check --baseline, or make the file with --write-baseline. ({SPECIAL})\n"
    );
    project
        .run(&["--baseline", "b.json"])
        .fails_with(&[&expected]);
}
