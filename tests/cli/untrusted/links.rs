//! `--fix` writes the files that it is to check, wherever links in the tree lead.

use std::fs;

use super::{SITE, link};
use crate::project::Project;

const ERROR: &str = "error: tree/link.py: it is a link to a file that is not among those to check, so the fix \
     was not written. Give that file itself to have it fixed.\n";

/// A folder `tree` with a file and a link to one beside the folder.
fn project() -> Project {
    let project = Project::with(&[("tree/m.py", SITE), ("outside.py", SITE)]);
    link(&project, "tree/link.py", "../outside.py");
    project
}

fn is_fixed(project: &Project, name: &str) -> bool {
    fs::read(project.path(name)).unwrap() != SITE
}

#[test]
fn a_file_outside_is_checked_and_not_written_and_the_others_are() {
    let project = project();
    let ran = project.run(&["--fix", "--output-format", "concise", "tree"]);
    ran.fails_with(&[ERROR, "1 fixed", "1 left: not written"]);
    assert!(
        ran.stdout.starts_with("tree/link.py:2:15: HNT001 "),
        "{ran:?}"
    );
    assert!(!is_fixed(&project, "outside.py"));
    assert!(is_fixed(&project, "tree/m.py"));
    let link = fs::symlink_metadata(project.path("tree/link.py")).unwrap();
    assert!(link.is_symlink());
}

#[test]
fn a_file_that_is_left_out_is_not_written_through_a_link() {
    for left_out in [
        "tree/.git/hooks/pre-commit",
        "tree/build/m.py",
        "tree/ignored.py",
        "tree/notes.txt",
    ] {
        let project = Project::with(&[(left_out, SITE), ("tree/.gitignore", b"ignored.py\n")]);
        let target = left_out.strip_prefix("tree/").unwrap();
        link(&project, "tree/link.py", target);
        let ran = project.run(&["--fix", "tree"]);
        ran.fails_with(&[ERROR, "1 left: not written"]);
        assert!(!is_fixed(&project, left_out), "{left_out}");
    }
}

#[test]
fn a_diff_shows_what_fix_would_write() {
    let project = project();
    let ran = project.run(&["--diff", "tree"]);
    ran.fails_with(&[ERROR, "1 in the diff", "1 left: not written"]);
    assert!(ran.stdout.contains("+++ b/tree/m.py"), "{ran:?}");
    assert!(!ran.stdout.contains("link.py"), "{ran:?}");
    assert_eq!(project.run(&["tree"]).code, Some(1));
}

#[test]
fn a_link_is_followed_where_it_or_its_file_was_given() {
    for paths in [
        &["tree/link.py"][..],
        &["tree", "outside.py"],
        &["tree", "tree/link.py"],
        &["."],
    ] {
        let project = project();
        let ran = project.run(&[&["--fix"], paths].concat());
        assert_eq!(ran.code, Some(0), "{paths:?} {ran:?}");
        assert!(is_fixed(&project, "outside.py"), "{paths:?}");
        let link = fs::symlink_metadata(project.path("tree/link.py")).unwrap();
        assert!(link.is_symlink());
    }
}

#[test]
fn a_given_link_to_a_folder_stands_for_the_folder() {
    let project = Project::with(&[("real/m.py", SITE), ("real/n.py", b"")]);
    link(&project, "linked", "real");
    link(&project, "real/again.py", "m.py");
    assert_eq!(project.run(&["--fix", "linked"]).code, Some(0));
    assert!(is_fixed(&project, "real/m.py"));
}

#[test]
fn a_walk_follows_no_link_to_a_folder() {
    let project = Project::with(&[("tree/m.py", b""), ("outside/n.py", SITE)]);
    link(&project, "tree/outside", "../outside");
    link(&project, "tree/loop", ".");
    project.run(&["--fix", "tree"]).is_silent();
}

#[test]
fn a_fix_of_a_settled_file_asks_for_nothing() {
    let project = Project::with(&[("tree/m.py", b""), ("outside.py", b"x = 1\n")]);
    link(&project, "tree/link.py", "../outside.py");
    project.run(&["--fix", "tree"]).is_silent();
}
