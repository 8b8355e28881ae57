//! The model patcher, for which the program was made: its diff and its fix, in every spelling.

use std::fs;
use std::process::Command;

use crate::project::{Project, Ran};

const FIXTURE: &str = include_str!("../../fixtures/model_patcher/hoist_model_patcher.py");
const DEFINITION: &str =
    r#"ModelPatcherBackup = collections.namedtuple("Dimension", ["weight", "inplace_update"])"#;

/// How one text is spelled on disk.
type Spelling = fn(&str) -> Vec<u8>;

const SPELLINGS: [(&str, Spelling); 8] = [
    ("lf.py", |text| text.into()),
    ("crlf.py", |text| text.replace('\n', "\r\n").into()),
    ("cr.py", |text| text.replace('\n', "\r").into()),
    ("bom.py", |text| format!("\u{feff}{text}").into()),
    ("latin1.py", |text| {
        [b"# coding: latin-1, \xe9\n", text.as_bytes()].concat()
    }),
    ("no_end.py", |text| text.trim_end().into()),
    ("a name with spaces.py", |text| text.into()),
    ("sub folder/\u{e9}.py", |text| text.into()),
];

/// A folder with the fixture in every spelling.
fn spelled() -> Project {
    let project = Project::with(&[]);
    for (name, spelling) in SPELLINGS {
        project.put(name, &spelling(FIXTURE));
    }
    project
}

#[test]
fn the_diff_has_one_definition_and_two_sites() {
    let ran = Project::with(&[])
        .command()
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["--diff", "fixtures/model_patcher"])
        .output()
        .map(Ran::of)
        .unwrap();
    assert_eq!(ran.code, Some(1));
    let changed = |sign: &str| -> Vec<&str> {
        let lines = ran
            .stdout
            .lines()
            .filter(|line| !line.starts_with(&sign.repeat(3)));
        let changed = lines.filter_map(|line| line.strip_prefix(sign));
        changed
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect()
    };
    let call = DEFINITION.split_once(" = ").unwrap().1;
    let plain = format!("self.backup[key] = {call}(");
    assert_eq!(
        changed("-"),
        [plain.clone(), format!("{plain}weight, False)")]
    );
    let added = [
        DEFINITION,
        "self.backup[key] = ModelPatcherBackup(",
        "self.backup[key] = ModelPatcherBackup(weight, False)",
    ];
    assert_eq!(changed("+"), added);
}

#[test]
fn every_spelling_gets_the_same_fix_and_a_second_run_changes_nothing() {
    let project = spelled();
    let ran = project.run(&["--fix"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(
        ran.stderr,
        "Found 16 findings in 8 of 8 files.\n  16 fixed\n"
    );
    let fixed = fs::read_to_string(project.path("lf.py")).unwrap();
    assert_eq!(fixed.matches(DEFINITION).count(), 1);
    for (name, spelling) in SPELLINGS {
        assert_eq!(
            fs::read(project.path(name)).unwrap(),
            spelling(&fixed),
            "{name}"
        );
    }
    project.run(&["--fix"]).is_silent();
    project.run(&["--diff"]).is_silent();
}

#[test]
fn git_and_patch_make_of_the_diff_what_a_fix_writes() {
    let wanted = spelled();
    wanted.run(&["--fix"]);
    let output = spelled().command().arg("--diff").output().unwrap();
    for tool in [
        &["git", "apply", "fix.diff"][..],
        &["patch", "-s", "-p1", "--binary", "-i", "fix.diff"],
    ] {
        let project = spelled();
        project.put("fix.diff", &output.stdout);
        let [program, args @ ..] = tool else { continue };
        let ran = Command::new(program)
            .args(args)
            .current_dir(project.root())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{:?}", Ran::of(ran));
        for (name, _) in SPELLINGS {
            let read = |project: &Project| fs::read(project.path(name)).unwrap();
            assert!(read(&project) == read(&wanted), "{program}: {name}");
        }
    }
}
