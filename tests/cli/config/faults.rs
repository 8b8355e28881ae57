//! What is wrong in a configuration is told with its place, and stops what it must.

use std::fs;

use super::*;

#[test]
fn a_fault_of_the_working_folder_ends_the_run_before_anything_is_done() {
    for (text, words) in [
        (
            &b"exlude = ['m.py']\n"[..],
            &[
                "hoist-namedtuple.toml:1:1: ",
                "`exlude`",
                "Did you mean `exclude`?",
            ][..],
        ),
        (
            b"# x\nexclude = 'm.py'\n",
            &[
                "hoist-namedtuple.toml:2:11: `exclude`: `'m.py'`",
                "a list of patterns",
            ],
        ),
        (
            b"select = ['HNT999']\n",
            &[":1:11: `select`: there is no rule `HNT999`.", "HNT001"],
        ),
        (
            b"naming = 'typnam'\n",
            &[":1:10: `naming`: `typnam`", "`context` or `typename`"],
        ),
        (
            b"output-format = 'jsn'\n",
            &[":1:17: ", "Did you mean `json`?"],
        ),
        (b"exclude = ['[z-a]']\n", &[":1:12: `exclude`: `[z-a]`"]),
        (
            b"per-file-ignores = { '!a' = ['ALL'] }\n",
            &[":1:22: `per-file-ignores`: `!a`"],
        ),
        (
            b"naming = 'context'\nnaming = 'context'\n",
            &[":2:1: ", "duplicate key"],
        ),
        (
            b"select = [\n",
            &["hoist-namedtuple.toml:", "no valid TOML"],
        ),
        (b"\xff", &["hoist-namedtuple.toml: it is not valid UTF-8"]),
    ] {
        let project = Project::with(&[("m.py", SITE), ("hoist-namedtuple.toml", text)]);
        let ran = project.run(&["--fix", "."]);
        ran.fails_with(words);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.lines().count()),
            ("", 1),
            "{ran:?}"
        );
        assert!(ran.stderr.starts_with("error: "), "{ran:?}");
        assert_eq!(fs::read(project.path("m.py")).unwrap(), SITE);
        assert_eq!(project.run(&["--isolated"]).code, Some(1));
    }
}

#[test]
fn a_fault_elsewhere_is_told_once_and_the_other_files_are_done() {
    let typo: &[u8] = b"[tool.hoist-namedtuple]\nexlude = []\n";
    let files: &[(&str, &[u8])] = &[
        ("m.py", SITE),
        ("typo/pyproject.toml", typo),
        ("typo/a.py", SITE),
        ("typo/sub/b.py", SITE),
        ("typo/build/b.py", SITE),
        ("typo/own/hoist-namedtuple.toml", b""),
        ("typo/own/c.py", SITE),
    ];
    let project = Project::with(files);
    let lists: [&[&str]; 2] = [
        &["."],
        &["m.py", "typo/a.py", "typo/sub/b.py", "typo/own/c.py"],
    ];
    for paths in lists {
        let ran = project.run(&[&["--output-format", "concise"], paths].concat());
        ran.fails_with(&[
            "typo/pyproject.toml:2:1: error: there is no key `exlude`. Did you mean `exclude`?",
            "The files that it is for were not checked.",
        ]);
        assert_eq!(ran.stderr.matches("exlude`").count(), 1, "{ran:?}");
        assert_eq!(found(&ran), ["m.py HNT001", "typo/own/c.py HNT001"]);
    }
    run_in(&project, "typo", &["own"]).fails_with(&["pyproject.toml:2:1: there is no key"]);
    assert_eq!(run_in(&project, "typo/own", &[]).code, Some(1));
}

#[test]
fn what_is_excluded_may_be_broken() {
    let files: &[(&str, &[u8])] = &[
        ("m.py", SITE),
        ("node_modules/x/hoist-namedtuple.toml", b"broken"),
        ("node_modules/x/m.py", SITE),
        ("gen/hoist-namedtuple.toml", b"broken"),
        ("gen/m.py", SITE),
        (".gitignore", b"gen\n"),
    ];
    let ran = Project::with(files).run(&["-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let project = with_settings("", &[("m.py", SITE)]);
    let path = project.path("hoist-namedtuple.toml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_err() {
        project
            .run(&[])
            .fails_with(&["hoist-namedtuple.toml: it cannot be read"]);
    }
}
