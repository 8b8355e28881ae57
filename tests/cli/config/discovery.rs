//! Which file holds for which Python.

use super::*;

const NONE: &[u8] = b"select = []\n";

#[test]
fn the_closest_file_with_our_table_holds_from_everywhere() {
    let files: &[(&str, &[u8])] = &[
        (
            "pyproject.toml",
            b"[tool.hoist-namedtuple]\nexclude = ['pkg/skip.py']\n",
        ),
        (
            "pkg/pyproject.toml",
            b"[project]\nname = 'pkg'\ndependencies = ['hoist-namedtuple']\n",
        ),
        ("pkg/m.py", SITE),
        ("pkg/skip.py", SITE),
        ("pkg/sub/hoist-namedtuple.toml", NONE),
        ("pkg/sub/m.py", SITE),
        ("other/pyproject.toml", b"[tool\n"),
        ("other/m.py", SITE),
    ];
    let project = Project::with(files);
    assert_eq!(
        check(&project, &["."]),
        ["other/m.py HNT001", "pkg/m.py HNT001"]
    );
    let concise = ["--output-format", "concise"];
    assert_eq!(found(&run_in(&project, "pkg", &concise)), ["m.py HNT001"]);
    let below = [&concise[..], &["../m.py", "../../other"]].concat();
    let ran = run_in(&project, "pkg/sub", &below);
    assert_eq!(found(&ran).len(), 2, "{ran:?}");
    assert_eq!(check(&project, &["--isolated", "pkg"]).len(), 3);
}

#[test]
fn our_own_file_beats_the_pyproject_beside_it_and_files_are_not_merged() {
    let files: &[(&str, &[u8])] = &[
        ("hoist-namedtuple.toml", b"ignore = ['HNT101']\n"),
        ("pyproject.toml", b"[tool.hoist-namedtuple]\nselect = []\n"),
        ("a.py", SITE),
        ("sub/pyproject.toml", b"[tool.hoist-namedtuple]\n"),
        ("sub/b.py", DYNAMIC),
    ];
    let project = Project::with(files);
    assert_eq!(check(&project, &[]), ["a.py HNT001", "sub/b.py HNT101"]);
}

/// Two projects in one repository, one of which the top leaves out.
fn monorepo() -> Project {
    let files: &[(&str, &[u8])] = &[
        (
            "hoist-namedtuple.toml",
            b"extend-exclude = ['legacy', 'api/gen']\n",
        ),
        ("top.py", SITE),
        (
            "api/pyproject.toml",
            b"[tool.hoist-namedtuple]\nexclude = ['old']\nselect = ['HNT001']\n",
        ),
        ("api/m.py", SITE),
        ("api/d.py", DYNAMIC),
        ("api/old/m.py", SITE),
        ("api/gen/m.py", SITE),
        ("api/build/m.py", SITE),
        (
            "web/hoist-namedtuple.toml",
            b"[per-file-ignores]\n'/quiet.py' = ['HNT']\n",
        ),
        ("web/quiet.py", SITE),
        ("web/m.py", DYNAMIC),
        ("web/build/m.py", SITE),
        ("legacy/hoist-namedtuple.toml", b""),
        ("legacy/m.py", SITE),
    ];
    Project::with(files)
}

#[test]
fn a_folder_and_the_list_of_its_files_give_the_same() {
    let project = monorepo();
    let expected = [
        "api/build/m.py HNT001",
        "api/gen/m.py HNT001",
        "api/m.py HNT001",
        "top.py HNT001",
        "web/m.py HNT101",
    ];
    assert_eq!(check(&project, &["."]), expected);
    let files = walkdir::WalkDir::new(project.root());
    let files = files.into_iter().map(|entry| entry.unwrap().into_path());
    let files: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "py"))
        .map(|path| {
            path.strip_prefix(project.root())
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    let mut args: Vec<&str> = files.iter().map(String::as_str).collect();
    args.push("--force-exclude");
    assert_eq!(check(&project, &args), expected);
    let one_by_one: Vec<String> = files
        .iter()
        .flat_map(|file| check(&project, &["--force-exclude", file]))
        .collect();
    assert_eq!(one_by_one.len(), expected.len(), "{one_by_one:?}");
}

#[test]
fn a_project_in_a_folder_called_build_is_checked_when_excludes_are_forced() {
    let files: &[(&str, &[u8])] = &[
        (
            "build/proj/hoist-namedtuple.toml",
            b"exclude = ['skip', 'build']\n",
        ),
        ("build/proj/m.py", SITE),
        ("build/proj/skip/s.py", SITE),
    ];
    let project = Project::with(files);
    let args = [
        "--output-format",
        "concise",
        "--force-exclude",
        "m.py",
        "skip/s.py",
    ];
    let ran = run_in(&project, "build/proj", &args);
    assert_eq!(found(&ran), ["m.py HNT001"]);
}

#[cfg(unix)]
#[test]
fn links_and_parent_folders_lead_to_the_configuration_of_the_real_folder() {
    use std::os::unix::fs::symlink;
    let files: &[(&str, &[u8])] = &[
        ("real/hoist-namedtuple.toml", NONE),
        ("real/sub/m.py", SITE),
        ("other/x.txt", b""),
    ];
    let project = Project::with(files);
    symlink(project.path("real/sub"), project.path("link")).unwrap();
    symlink(
        project.path("real/sub/m.py"),
        project.path("other/alias.py"),
    )
    .unwrap();
    for given in [
        "link",
        "link/m.py",
        "other/../real/sub/m.py",
        "link/../sub/m.py",
    ] {
        assert!(check(&project, &[given]).is_empty(), "{given}");
    }
    let ran = run_in(&project, "link", &["--output-format", "concise"]);
    assert!(found(&ran).is_empty(), "{ran:?}");
    // A link to a file stands in its own folder.
    assert_eq!(
        check(&project, &["other/alias.py"]),
        ["other/alias.py HNT001"]
    );
}
