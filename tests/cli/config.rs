//! Configuration: which file holds for which Python, every key, and everything that is wrong.

use std::fs;
use std::path::Path;

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

mod keys {
    use super::*;

    const BOTH: [(&str, &[u8]); 2] = [("a.py", SITE), ("b.py", DYNAMIC)];

    #[test]
    fn select_and_ignore_choose_rules_and_options_stand_above_them() {
        let project = with_settings("select = ['HNT001']\n", &BOTH);
        assert_eq!(check(&project, &[]), ["a.py HNT001"]);
        assert_eq!(check(&project, &["--select", "HNT1"]), ["b.py HNT101"]);
        assert!(check(&project, &["--ignore", "HNT0"]).is_empty());
        let project = with_settings("ignore = ['dynamic-namedtuple']\n", &BOTH);
        assert_eq!(check(&project, &[]), ["a.py HNT001"]);
        assert_eq!(check(&project, &["--select", "HNT101"]), ["b.py HNT101"]);
        assert!(check(&project, &["--ignore", "HNT001"]).is_empty());
        let project = with_settings("select = []\n", &BOTH);
        assert!(check(&project, &[]).is_empty());
    }

    #[test]
    fn excludes_are_replaced_and_extended() {
        let files: &[(&str, &[u8])] = &[
            ("m.py", SITE),
            ("skip/s.py", SITE),
            ("gen/g.py", SITE),
            ("build/b.py", SITE),
            ("sub/skip/s.py", SITE),
        ];
        let project = with_settings("exclude = ['/skip']\nextend-exclude = ['gen/']\n", files);
        let all = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("{name} HNT001")).collect()
        };
        let kept = all(&["build/b.py", "m.py", "sub/skip/s.py"]);
        assert_eq!(check(&project, &[]), kept);
        let here = all(&["build/b.py", "skip/s.py", "sub/skip/s.py"]);
        assert_eq!(check(&project, &["--exclude", "m.py"]), here);
        let fewer = all(&["build/b.py", "sub/skip/s.py"]);
        assert_eq!(check(&project, &["--extend-exclude", "m.py"]), fewer);
        let ran = run_in(
            &project,
            "sub",
            &["--output-format", "concise", "--exclude", "/skip"],
        );
        assert!(found(&ran).is_empty(), "{ran:?}");
        assert_eq!(check(&project, &["skip/s.py"]), all(&["skip/s.py"]));
    }

    #[test]
    fn rules_are_left_out_in_the_files_of_a_pattern() {
        let files: &[(&str, &[u8])] = &[
            ("tests/a.py", SITE),
            ("tests/b.py", DYNAMIC),
            ("src/a.py", SITE),
            ("src/tests/a.py", SITE),
        ];
        let project = with_settings(
            "[per-file-ignores]\n'/tests' = ['HNT0']\n'*/b.py' = ['ALL']\n",
            files,
        );
        assert_eq!(
            check(&project, &[]),
            ["src/a.py HNT001", "src/tests/a.py HNT001"]
        );
        assert!(check(&project, &["--select", "ALL", "tests/a.py"]).is_empty());
        let ran = run_in(&project, "tests", &["--output-format", "concise"]);
        assert!(found(&ran).is_empty(), "{ran:?}");
        let before = fs::read(project.path("tests/a.py")).unwrap();
        project.run(&["--fix"]);
        assert_eq!(fs::read(project.path("tests/a.py")).unwrap(), before);
    }

    #[test]
    fn naming_chooses_the_name_of_a_definition() {
        let project = with_settings("", &[("m.py", STORED)]);
        let name = |project: &Project, args: &[&str]| {
            let diff = project.run(&[&["--diff", "-q"], args].concat()).stdout;
            let line = diff
                .lines()
                .find(|line| line.starts_with('+') && line.contains(" = named"));
            line.unwrap().split(' ').next().unwrap().to_owned()
        };
        assert_eq!(name(&project, &[]), "+StoreBackup");
        assert_eq!(name(&project, &["--config", "naming=typename"]), "+Size");
        project.put("hoist-namedtuple.toml", b"naming = 'typename'\n");
        assert_eq!(name(&project, &[]), "+Size");
        assert_eq!(
            name(&project, &["--config", "naming = 'context'"]),
            "+StoreBackup"
        );
        assert_eq!(name(&project, &["--isolated"]), "+StoreBackup");
    }

    #[test]
    fn unsafe_fixes_are_made_where_they_are_wanted() {
        let files: &[(&str, &[u8])] = &[("a/m.py", RETURNED), ("b/m.py", RETURNED)];
        let project = Project::with(files);
        project.put("a/hoist-namedtuple.toml", b"unsafe-fixes = true\n");
        let ran = project.run(&["--fix"]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains("1 fixed"), "{ran:?}");
        assert!(
            ran.stderr
                .contains("1 can be fixed with --fix --unsafe-fixes"),
            "{ran:?}"
        );
        assert_ne!(fs::read(project.path("a/m.py")).unwrap(), RETURNED);
        assert_eq!(fs::read(project.path("b/m.py")).unwrap(), RETURNED);
        project.put("a/m.py", RETURNED);
        let ran = project.run(&["--fix", "--config", "unsafe-fixes=false"]);
        assert!(!ran.stderr.contains("fixed\n"), "{ran:?}");
        let ran = project.run(&["a"]);
        assert!(
            ran.stderr.contains("1 can be fixed with --fix\n"),
            "{ran:?}"
        );
    }

    #[test]
    fn the_format_and_gitignore_files_are_those_of_the_working_folder() {
        let files: &[(&str, &[u8])] = &[
            ("m.py", SITE),
            ("gen/g.py", SITE),
            (".gitignore", b"gen/\n"),
            ("gen/hoist-namedtuple.toml", b"output-format = 'json'\n"),
        ];
        let project = with_settings(
            "output-format = 'concise'\nrespect-gitignore = false\n",
            files,
        );
        let ran = project.run(&[]);
        assert_eq!(found(&ran), ["gen/g.py HNT001", "m.py HNT001"]);
        assert_eq!(check(&project, &["--no-respect-gitignore"]).len(), 2);
        let honoured = ["--config", "respect-gitignore=true"];
        assert_eq!(check(&project, &honoured), ["m.py HNT001"]);
        let ran = run_in(&project, "gen", &["--no-respect-gitignore"]);
        assert!(ran.stdout.starts_with('['), "{ran:?}");
        let ran = project.run(&["--output-format", "json", "m.py"]);
        assert!(ran.stdout.starts_with('['), "{ran:?}");
    }

    #[test]
    fn force_exclude_holds_for_given_paths() {
        let files: &[(&str, &[u8])] = &[("skip/s.py", SITE), ("m.py", SITE), ("venv/v.py", SITE)];
        let settings = "extend-exclude = ['skip']\nforce-exclude = true\n";
        let project = with_settings(settings, files);
        let given = ["skip/s.py", "m.py", "venv/v.py", "skip"];
        assert_eq!(check(&project, &given), ["m.py HNT001"]);
        let absolute = project.path("skip/s.py");
        assert!(check(&project, &[absolute.to_str().unwrap()]).is_empty());
        let unforced = [&["--config", "force-exclude=false"][..], &given].concat();
        assert_eq!(check(&project, &unforced).len(), 3);
        let below = ["--output-format", "concise", "s.py", "../m.py"];
        let ran = run_in(&project, "skip", &below);
        assert_eq!(found(&ran).len(), 1, "{ran:?}");
    }
}

mod discovery {
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
}

mod faults {
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
}

mod options {
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
            "select = [\"HNT001\"",
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
}

mod standard_input {
    use super::*;

    fn run(project: &Project, below: &str, args: &[&str], stdin: &[u8]) -> Ran {
        let mut command = project.command();
        command
            .current_dir(project.path(below))
            .args(args)
            .write_stdin(stdin);
        Ran::of(command.output().unwrap())
    }

    fn project() -> Project {
        let files: &[(&str, &[u8])] = &[
            (
                "hoist-namedtuple.toml",
                b"output-format = 'concise'\nexclude = ['skip']\n",
            ),
            (
                "quiet/hoist-namedtuple.toml",
                b"select = []\nforce-exclude = true\nexclude = ['x.py']\n",
            ),
            ("typo/hoist-namedtuple.toml", b"exlude = []\n"),
            ("away/m.txt", b""),
        ];
        Project::with(files)
    }

    #[test]
    fn the_name_decides_which_configuration_holds() {
        let project = project();
        let named = |below, name| run(&project, below, &["--stdin-filename", name, "-"], SITE);
        assert_eq!(
            found(&named("", "src/not/there.py")),
            ["src/not/there.py HNT001"]
        );
        named("", "quiet/m.py").is_silent();
        named("quiet", "m.py").is_silent();
        let ran = named("quiet", "../m.py");
        assert_eq!(found(&ran).len(), 1, "{ran:?}");
        run(&project, "quiet", &["-"], SITE).is_silent();
        assert_eq!(
            found(&run(&project, "away", &["-"], SITE)),
            ["<stdin> HNT001"]
        );
    }

    #[test]
    fn a_text_survives_whatever_is_wrong() {
        let project = project();
        let fix = |args: &[&str]| run(&project, "", &[&["--fix"], args].concat(), SITE);
        let site = String::from_utf8_lossy(SITE);
        let ran = fix(&["--stdin-filename", "typo/m.py", "-"]);
        ran.fails_with(&["typo/hoist-namedtuple.toml:1:1: ", "`exlude`"]);
        assert_eq!(ran.stdout, site);
        let ran = fix(&["--config", "naming=x", "-"]);
        ran.fails_with(&["naming"]);
        assert_eq!(ran.stdout, site);
        let ran = fix(&["--stdin-filename", "quiet/x.py", "-"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
            (Some(0), &*site, "")
        );
        let ran = fix(&["--force-exclude", "--stdin-filename", "skip/a.py", "-"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), &*site));
        assert!(!Path::new(&project.path("skip")).exists());
    }
}
