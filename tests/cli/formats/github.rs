//! Workflow commands of GitHub Actions, character by character.

use std::path::{Path, PathBuf};

use super::BROKEN;
use crate::project::{Project, Ran};

const SITE: &str =
    "from collections import namedtuple\n\n\ndef f(x):\n    return namedtuple('P', 'x')(x)\n";

/// What follows the path of a finding in [`SITE`].
const REST: &str = ",line=5,col=12,endColumn=32::HNT001 `namedtuple` makes the class `P` anew on every call of `f`; make it once, at module level (fixable with --fix)\n";

fn run_in(project: &Project, folder: &Path, workspace: Option<PathBuf>, args: &[&str]) -> Ran {
    let mut command = project.command();
    command
        .current_dir(folder)
        .args(["--output-format", "github"]);
    if let Some(workspace) = workspace {
        command.env("GITHUB_WORKSPACE", workspace);
    }
    Ran::of(command.args(args).output().unwrap())
}

/// Checks the path that stands in the command for `repo/sub/<name>`.
#[track_caller]
fn check(name: &str, escaped: &str) {
    let project = Project::with(&[("repo/.git/HEAD", b"")]);
    project.put(&format!("repo/sub/{name}"), SITE.as_bytes());
    let (repo, sub) = (project.path("repo"), project.path("repo/sub"));
    let expected =
        |file: &str| format!("::warning title=HNT001 per-call-namedtuple,file={file}{REST}");
    let inside = expected(&format!("sub/{escaped}"));
    let printed = |folder: &Path, workspace, args: &[&str]| {
        let ran = run_in(&project, folder, workspace, args);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.stdout
    };
    assert_eq!(printed(&sub, Some(repo.clone()), &[]), inside);
    assert_eq!(printed(&sub, None, &[]), inside);
    assert_eq!(printed(&repo, None, &[]), inside);
    assert_eq!(
        printed(project.root(), Some(repo.clone()), &["repo"]),
        inside
    );
    let absolute = sub.join(name);
    assert_eq!(
        printed(&sub, Some(repo.clone()), &[absolute.to_str().unwrap()]),
        inside
    );
    assert_eq!(printed(&sub, Some(PathBuf::from("..")), &[]), inside);
    let elsewhere = Some(project.path("elsewhere"));
    let root = sub.to_str().unwrap();
    assert_eq!(
        printed(&sub, elsewhere, &[]),
        expected(&format!("{root}/{escaped}"))
    );
}

#[test]
fn a_plain_path_stands_as_it_is() {
    check("m.py", "m.py");
    check("a b/é\u{1F600}.py", "a b/é\u{1F600}.py");
}

#[cfg(unix)]
#[test]
fn what_the_runner_splits_at_is_escaped_in_a_path() {
    check("we,ird:50%.py", "we%2Cird%3A50%25.py");
    check("a::b.py", "a%3A%3Ab.py");
    check("a\r\nb=c;d.py", "a%0D%0Ab=c;d.py");
    check("a%2Cb.py", "a%252Cb.py");
}

#[cfg(unix)]
#[test]
fn a_workspace_may_be_reached_through_links() {
    let project = Project::with(&[("real/sub/m.py", SITE.as_bytes())]);
    std::os::unix::fs::symlink("real", project.path("link")).unwrap();
    let expected = format!("::warning title=HNT001 per-call-namedtuple,file=sub/m.py{REST}");
    for (folder, workspace) in [
        ("real/sub", "link"),
        ("link/sub", "real"),
        ("link/sub", "link"),
    ] {
        let folder = project.path(folder);
        let ran = run_in(&project, &folder, Some(project.path(workspace)), &[]);
        assert_eq!(ran.stdout, expected);
    }
}

#[test]
fn a_path_that_goes_up_is_resolved() {
    let project = Project::with(&[("repo/a/m.py", SITE.as_bytes()), ("repo/b/n.py", b"")]);
    let ran = run_in(
        &project,
        &project.path("repo/b"),
        Some(project.path("repo")),
        &["../a"],
    );
    let expected = format!("::warning title=HNT001 per-call-namedtuple,file=a/m.py{REST}");
    assert_eq!(ran.stdout, expected);
}

#[test]
fn several_lines_have_no_columns() {
    let text = SITE.replace("('P', 'x')", "(\n        'P', 'x'\n    )");
    let project = Project::with(&[("m.py", text.as_bytes())]);
    let ran = run_in(&project, project.root(), None, &[]);
    let rest = REST.replace(",line=5,col=12,endColumn=32", ",line=5,endLine=7");
    assert_eq!(
        ran.stdout,
        format!("::warning title=HNT001 per-call-namedtuple,file=m.py{rest}")
    );
}

#[test]
fn what_could_not_be_checked_is_an_error() {
    let project = Project::with(&[("sub/a,b.py", BROKEN)]);
    let ran = run_in(
        &project,
        &project.path("sub"),
        Some(project.root().into()),
        &[".", "gone.py"],
    );
    assert_eq!(ran.code, Some(2));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "::error title=hoist-namedtuple,file=sub/gone.py::there is no such file or folder. Check the spelling and the working folder."
    );
    let start = "::error title=hoist-namedtuple,file=sub/a%2Cb.py,line=3,col=1::";
    assert!(lines[1].starts_with(start), "{lines:?}");
    assert_eq!(lines.len(), 2);
}
