//! Every key does what it says, and options stand above it.

use std::fs;

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
