//! `--config`, `--isolated`, `--show-settings` and `--show-files`.

use super::*;

#[test]
fn a_given_file_is_used_for_everything() {
    let files: &[(&str, &[u8])] = &[
        ("sub/hoist-namedtuple.toml", b"broken"),
        ("sub/a.py", SITE),
        ("sub/ci/b.py", SITE),
        ("ci/skip.toml", b"exclude = ['/a.py']\n"),
        ("ci/a.py", SITE),
        ("other/pyproject.toml", b"[project]\n"),
        (
            "ok/pyproject.toml",
            b"[tool.hoist-namedtuple]\nselect = []\n",
        ),
    ];
    let project = Project::with(files);
    let given = ["--config", "ci/skip.toml"];
    assert_eq!(
        check(&project, &[&given[..], &["."]].concat()),
        ["sub/a.py HNT001", "sub/ci/b.py HNT001"]
    );
    assert!(check(&project, &["--config", "ok/pyproject.toml", "."]).is_empty());
    let both = [
        "--config",
        "select=['HNT001']",
        "--config",
        "ok/pyproject.toml",
        "sub",
    ];
    assert_eq!(check(&project, &both).len(), 2);
    for (file, words) in [
        ("other/pyproject.toml", "no table `[tool.hoist-namedtuple]`"),
        ("gone.toml", "gone.toml: there is no such file"),
        ("sub/hoist-namedtuple.toml", "sub/hoist-namedtuple.toml:1:"),
    ] {
        project
            .run(&["--config", file])
            .fails_with(&["error: --config: ", words]);
    }
}

#[test]
fn keys_on_the_command_line_stand_above_files_and_below_their_own_options() {
    let files: &[(&str, &[u8])] = &[("a.py", SITE), ("b.py", DYNAMIC), ("sub/a.py", SITE)];
    let project = with_settings("select = ['HNT101']\n", files);
    let select = ["--config", "select=['HNT001']"];
    assert_eq!(check(&project, &select), ["a.py HNT001", "sub/a.py HNT001"]);
    let above = [&select[..], &["--select", "HNT101"]].concat();
    assert_eq!(check(&project, &above), ["b.py HNT101"]);
    let isolated = [
        &select[..],
        &["--isolated", "--config", "exclude=['/a.py']"],
    ]
    .concat();
    assert_eq!(check(&project, &isolated), ["sub/a.py HNT001"]);
    let quoted = [
        "--isolated",
        "--config",
        "per-file-ignores.'sub/'=['ALL']",
        "sub",
    ];
    assert!(check(&project, &quoted).is_empty());
}

#[test]
fn a_key_on_the_command_line_stands_in_place_of_the_one_in_the_file() {
    let settings = "ignore = ['HNT001']\nextend-exclude = ['gone']\n";
    let project = with_settings(settings, &[("a.py", SITE), ("gone/b.py", SITE)]);
    assert!(check(&project, &[]).is_empty());
    assert_eq!(check(&project, &["--config", "ignore=[]"]), ["a.py HNT001"]);
    let both = ["--config", "ignore=[]", "--config", "extend-exclude=[]"];
    assert_eq!(check(&project, &both), ["a.py HNT001", "gone/b.py HNT001"]);
    let twice = ["--config", "ignore=[]", "--config", "ignore=['HNT0']"];
    assert!(check(&project, &twice).is_empty());
}

#[test]
fn a_pattern_that_is_tied_to_its_folder_matches_nothing_outside() {
    let files: &[(&str, &[u8])] = &[
        ("in/c.toml", b"per-file-ignores = { '/m.py' = ['ALL'] }\n"),
        ("in/m.py", SITE),
        ("out/m.py", SITE),
    ];
    let project = Project::with(files);
    for (folder, config, path) in [
        ("out", "../in/c.toml", "."),
        ("out", "../in/c.toml", "m.py"),
        ("in", "c.toml", "../out"),
    ] {
        let args = ["--output-format", "concise", "--config", config, path];
        let ran = run_in(&project, folder, &args);
        assert_eq!(found(&ran).len(), 1, "{folder} {path}: {ran:?}");
    }
    let listed = |exclude| {
        let args = [
            "--show-files",
            "--exclude",
            exclude,
            "--force-exclude",
            "../out",
        ];
        run_in(&project, "in", &args).stdout
    };
    assert_eq!(listed("/m.py"), "../out/m.py\n");
    assert_eq!(listed("m.py"), "");
}

#[test]
fn wrong_use_is_a_sentence() {
    let project = with_settings("", &[("m.py", SITE)]);
    for (args, words) in [
        (
            &["--config", "exlude=[]"][..],
            &["--config exlude=[]: ", "Did you mean `exclude`?"][..],
        ),
        (
            &["--config", "naming=typenam"],
            &["Did you mean `typename`?"],
        ),
        (
            &["--config", "hoist-namedtuple.toml", "--isolated"],
            &["--isolated", "--config"],
        ),
        (
            &["--config", "a.toml", "--config", "b.toml"],
            &["only one file"],
        ),
        (&["--config", ""], &["--config"]),
        (&["--show-files", "--show-settings"], &["--show-settings"]),
        (
            &["--select", "HNT01"],
            &["--select: ", "Did you mean `HNT001`?"],
        ),
        (
            &["--explain", "per-call-namedtuples"],
            &["Did you mean `per-call-namedtuple`?"],
        ),
    ] {
        project.run(args).fails_with(words);
    }
}

#[test]
fn files_are_shown_as_they_would_be_checked() {
    let files: &[(&str, &[u8])] = &[
        ("b.py", b"x = (\n"),
        ("a/m.py", SITE),
        ("skip/s.py", SITE),
        ("notes.txt", b""),
    ];
    let project = with_settings("extend-exclude = ['skip']\n", files);
    let ran = project.run(&["--show-files"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "a/m.py\nb.py\n", "")
    );
    let ran = project.run(&["--show-files", "gone.py", "a"]);
    ran.fails_with(&["error: gone.py: there is no such file"]);
    assert_eq!(ran.stdout, "a/m.py\n");
    let named = [
        "--show-files",
        "--force-exclude",
        "--stdin-filename",
        "skip/x.py",
        "-",
    ];
    project.run(&named).is_silent();
}

#[test]
fn settings_are_shown_as_a_file_that_gives_the_same() {
    let settings = "exclude = ['skip']\nextend-exclude = ['gen']\nignore = ['HNT101']\n\
                    naming = 'typename'\nunsafe-fixes = true\noutput-format = 'concise'\n\
                    [per-file-ignores]\n'tests/*' = ['HNT']\n";
    let project = with_settings(
        settings,
        &[("a.py", SITE), ("b.py", SITE), ("sub/c.py", SITE)],
    );
    project.put("sub/hoist-namedtuple.toml", b"");
    let ran = project.run(&["--show-settings", "a.py", "b.py", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(
        ran.stdout
            .starts_with("# Settings for a.py, b.py, ., from hoist-namedtuple.toml\n"),
        "{}",
        ran.stdout
    );
    for line in [
        "select = [\n    \"HNT001\"",
        "naming = \"typename\"",
        "unsafe-fixes = true",
        "force-exclude = false",
        "respect-gitignore = true",
        "output-format = \"concise\"",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    project.put("hoist-namedtuple.toml", ran.stdout.as_bytes());
    let again = project.run(&["--show-settings", "a.py", "b.py", "."]);
    assert_eq!(again.stdout, ran.stdout);
    let two = project.run(&["--show-settings", "a.py", "sub/c.py"]);
    assert!(
        two.stdout
            .contains("\n# Settings for sub/c.py, from sub/hoist-namedtuple.toml\n")
    );
    let none = project.run(&["--show-settings", "--isolated"]);
    assert!(
        none.stdout.starts_with("# Settings for ., from no file\n"),
        "{none:?}"
    );
    assert!(none.stdout.contains("\".venv\""), "{none:?}");
    project
        .run(&["--show-settings", "gone.py"])
        .fails_with(&["gone.py"]);
}
