//! Options: help, version, and everything that is wrong usage.

use crate::project::Project;

#[test]
fn help_and_version_end_with_zero() {
    let project = Project::with(&[]);
    let help = project.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for option in [
        "--fix",
        "--unsafe-fixes",
        "--diff",
        "--stdin-filename",
        "[PATH]...",
    ] {
        assert!(help.stdout.contains(option), "{option}: {}", help.stdout);
    }
    let version = project.run(&["--version"]);
    assert_eq!(version.code, Some(0));
    assert!(version.stdout.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_ends_with_two_and_a_sentence() {
    let project = Project::with(&[]);
    for (args, words) in [
        (&["--nonsense"][..], &["--nonsense"][..]),
        (&["--output-format", "xml"], &["xml", "concise"]),
        (&["--select", "E501"], &["--select", "`E501`", "HNT001"]),
        (&["--ignore", "HNT8,ALL"], &["--ignore", "`HNT8`"]),
        (&["--select", ""], &["--select", "``"]),
        (&["--exclude", "[z-a]"], &["--exclude", "`[z-a]`"]),
        (&["-", "a.py"], &["`-`"]),
        (&["--stdin-filename", "", "-"], &["--stdin-filename"]),
        (&["-q", "-v"], &["--quiet"]),
    ] {
        project.run(args).fails_with(words);
    }
}

#[test]
fn every_selector_of_a_known_rule_is_taken() {
    let project = Project::with(&[("m.py", b"x = 1\n")]);
    for selector in ["HNT001", "HNT1", "H", "ALL", "dynamic-namedtuple,HNT001"] {
        project
            .run(&["--select", selector, "--ignore", selector])
            .is_silent();
    }
    project
        .run(&["--isolated", "--unsafe-fixes", "--exit-zero", "-q"])
        .is_silent();
}
