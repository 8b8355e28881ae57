//! Adoption by a project that has findings: a baseline that accepts them, and only shrinks.

use std::fs;

use crate::project::{Project, Ran};

const BASELINE: &str = "known.json";

/// A module with a finding in each of the functions `names`.
fn module(names: &[&str]) -> String {
    let body =
        |name: &&str| format!("\n\ndef {name}(a):\n    return namedtuple(\"Row\", \"x\")(a)\n");
    let functions: String = names.iter().map(body).collect();
    format!("from collections import namedtuple\n{functions}")
}

/// 40 files with 5 findings each.
fn legacy() -> Project {
    let project = Project::with(&[]);
    for at in 0..40 {
        let text = module(&["a", "b", "c", "d", "e"]);
        project.put(&format!("pkg/m{at:02}.py"), text.as_bytes());
    }
    project
}

fn check(project: &Project, args: &[&str]) -> Ran {
    let args = [
        &["--baseline", BASELINE, "--output-format", "concise"],
        args,
    ];
    project.run(&args.concat())
}

fn write(project: &Project, args: &[&str]) -> Ran {
    let ran = check(project, &[&["--write-baseline"], args].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    ran
}

fn entries(project: &Project) -> usize {
    let text = fs::read_to_string(project.path(BASELINE)).unwrap();
    text.matches("\"filename\"").count()
}

/// How many findings are accepted, as the summary says.
fn accepted(ran: &Ran) -> &str {
    let line = ran.stderr.lines().find(|line| line.contains("accepted by"));
    line.map_or("", str::trim)
}

#[test]
fn a_legacy_project_is_green_with_its_baseline_and_a_new_finding_is_not() {
    let project = legacy();
    let ran = write(&project, &[]);
    assert!(
        ran.stderr
            .contains("known.json accepts 200 findings now: 200 more and 0 fewer."),
        "{ran:?}"
    );
    let ran = check(&project, &["-v"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(accepted(&ran), "200 more accepted by the baseline");

    project.put(
        "pkg/m07.py",
        module(&["a", "b", "c", "d", "e", "new"]).as_bytes(),
    );
    let ran = check(&project, &[]);
    assert_eq!(ran.code, Some(1));
    let places: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(places.len(), 1, "{ran:?}");
    assert!(places[0].starts_with("pkg/m07.py:25:12: HNT001"), "{ran:?}");
}

#[test]
fn what_is_fixed_must_leave_the_baseline() {
    let project = legacy();
    write(&project, &[]);
    project.put("pkg/m07.py", module(&["a", "b", "c", "d"]).as_bytes());
    fs::remove_file(project.path("pkg/m08.py")).unwrap();
    let ran = check(&project, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    let told: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("error"))
        .collect();
    assert_eq!(told.len(), 6, "{ran:?}");
    assert_eq!(
        told[0],
        "error: known.json: HNT001 for `Row` in `e` of pkg/m07.py is accepted 1 time, and is there 0 times. \
         Run with --write-baseline, which takes it out, and accepts what is new."
    );
    assert!(check(&project, &["--exit-zero"]).code == Some(0));
    write(&project, &[]);
    assert_eq!(entries(&project), 194);
    assert_eq!(check(&project, &[]).code, Some(0));
}

#[test]
fn lines_above_change_nothing_and_a_second_finding_of_the_kind_shows_both() {
    let project = Project::with(&[("m.py", module(&["a"]).as_bytes())]);
    write(&project, &[]);
    let moved = format!("# a comment\n\n\n{}", module(&["a"]));
    project.put("m.py", moved.as_bytes());
    check(&project, &[]).is_silent();
    let twice = moved.replace("(a)\n", "(a), namedtuple(\"Row\", \"x\")(a)\n");
    project.put("m.py", twice.as_bytes());
    let ran = check(&project, &[]);
    assert_eq!(
        (ran.code, ran.stdout.lines().count()),
        (Some(1), 2),
        "{ran:?}"
    );
    let told = "m.py: the baseline accepts 1 of HNT001 for `Row` in `a`, and there are 2: ";
    assert!(ran.stderr.contains(told), "{ran:?}");
}

#[test]
fn accepted_findings_are_neither_fixed_nor_shown_as_a_diff() {
    let project = Project::with(&[("m.py", module(&["old"]).as_bytes())]);
    write(&project, &[]);
    check(&project, &["--diff"]).is_silent();
    check(&project, &["--fix"]).is_silent();
    project.put("m.py", module(&["old", "new"]).as_bytes());
    assert_eq!(check(&project, &["--fix"]).code, Some(0));
    let text = fs::read_to_string(project.path("m.py")).unwrap();
    assert_eq!(text.matches("namedtuple(\"Row\"").count(), 2, "{text}");
    assert!(text.contains("def new(a):\n    return Row(a)\n"), "{text}");
    check(&project, &[]).is_silent();
}

#[test]
fn with_fix_the_baseline_is_written_of_what_cannot_be_fixed() {
    let left = "\n\ndef f(a, keys):\n    return namedtuple(\"Row\", keys)(a)\n";
    let project = Project::with(&[("m.py", format!("{}{left}", module(&["a"])).as_bytes())]);
    write(&project, &["--fix"]);
    let text = fs::read_to_string(project.path(BASELINE)).unwrap();
    assert_eq!(entries(&project), 1);
    assert!(text.contains("\"HNT101\""), "{text}");
}

#[test]
fn a_run_over_some_files_leaves_the_entries_of_the_others() {
    let project = legacy();
    write(&project, &[]);
    let one = ["pkg/m03.py"];
    check(&project, &one).is_silent();
    check(&project, &["--select", "HNT101"]).is_silent();
    project.put("pkg/m03.py", b"x = 1\n");
    let ran = check(&project, &one);
    assert_eq!(ran.stderr.lines().count(), 5, "{ran:?}");
    write(&project, &one);
    assert_eq!(entries(&project), 195);
    project.put("pkg/m04.py", b"namedtuple(\n");
    assert_eq!(check(&project, &["."]).code, Some(2));
    let ran = check(&project, &["--write-baseline"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(entries(&project), 195);
}

#[test]
fn what_a_run_leaves_out_stays_in_the_baseline() {
    let project = legacy();
    write(&project, &[]);
    let without = ["--extend-exclude", "m0*.py"];
    check(&project, &without).is_silent();
    write(&project, &without);
    assert_eq!(entries(&project), 200);
    let ran = write(&project, &["--exclude", "*.py"]);
    assert!(ran.stderr.contains("No file was checked"), "{ran:?}");
    assert_eq!(entries(&project), 200);
}

#[test]
fn a_baseline_may_stand_beside_the_code_and_move_with_it() {
    let project = Project::with(&[("src/m.py", module(&["a"]).as_bytes())]);
    let args = ["--baseline", ".ci/known.json"];
    fs::create_dir(project.path(".ci")).unwrap();
    project.run(&[&args[..], &["--write-baseline"]].concat());
    let text = fs::read(project.path(".ci/known.json")).unwrap();
    let elsewhere = Project::with(&[
        ("src/m.py", module(&["a"]).as_bytes()),
        (".ci/known.json", &text),
    ]);
    elsewhere.run(&args).is_silent();
}

#[test]
fn every_report_tells_what_must_leave_the_baseline() {
    let project = legacy();
    write(&project, &[]);
    project.put("pkg/m07.py", b"x = 1\n");
    for (format, words) in [
        ("github", "::error "),
        ("gitlab", "blocker"),
        ("junit", "errors=\"5\""),
        ("sarif", "toolExecutionNotifications"),
    ] {
        let ran = project.run(&["--baseline", BASELINE, "--output-format", format]);
        assert_eq!(ran.code, Some(1), "{format}");
        assert!(ran.stdout.contains(words), "{format}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("takes it out"),
            "{format}: {}",
            ran.stdout
        );
    }
}

#[test]
fn a_report_does_not_take_the_place_of_a_baseline_or_of_settings() {
    let project = legacy();
    write(&project, &[]);
    check(&project, &["--output-file", "./known.json"]).fails_with(&["is the baseline"]);
    let settings = ["--output-format", "json=pyproject.toml"];
    project
        .run(&settings)
        .fails_with(&["pyproject.toml", "holds settings"]);
}

#[test]
fn a_baseline_holds_from_any_folder() {
    let project = legacy();
    write(&project, &[]);
    let mut command = project.command();
    command.current_dir(project.path("pkg"));
    let ran = Ran::of(
        command
            .args(["--baseline", "../known.json"])
            .output()
            .unwrap(),
    );
    ran.is_silent();
}

#[test]
fn a_baseline_that_is_missing_or_wrong_is_told() {
    let project = Project::with(&[("m.py", b"x = 1\n"), ("wrong.json", b"{\"version\": 1}")]);
    check(&project, &[]).fails_with(&["known.json", "--write-baseline"]);
    project
        .run(&["--baseline", "wrong.json"])
        .fails_with(&["wrong.json", "findings", "Mend it"]);
    project
        .run(&["--write-baseline"])
        .fails_with(&["--baseline"]);
    check(&project, &["--write-baseline", "-"]).fails_with(&["--write-baseline needs files"]);
}

#[test]
fn findings_on_standard_input_are_accepted_by_its_name() {
    let text = module(&["a"]);
    let project = Project::with(&[("m.py", text.as_bytes())]);
    write(&project, &[]);
    let run = |name: &str| {
        let mut command = project.command();
        command.args(["--baseline", BASELINE, "--stdin-filename", name, "-"]);
        Ran::of(command.write_stdin(text.as_bytes()).output().unwrap())
    };
    run("m.py").is_silent();
    assert_eq!(run("other.py").code, Some(1));
}

#[test]
fn processes_that_write_one_baseline_at_once_lose_nothing() {
    let project = Project::with(&[]);
    let folders: Vec<String> = (0..6).map(|at| format!("d{at}")).collect();
    for folder in &folders {
        project.put(
            &format!("{folder}/m.py"),
            b"from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n",
        );
    }
    let start = |folder: &String| {
        std::process::Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
            .args(["-q", "--baseline", "known.json", "--write-baseline", folder])
            .current_dir(project.root())
            .spawn()
            .unwrap()
    };
    let started: Vec<_> = folders.iter().map(start).collect();
    for mut process in started {
        assert!(process.wait().unwrap().success());
    }
    let ran = project.run(&["--baseline", "known.json", "."]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
}
