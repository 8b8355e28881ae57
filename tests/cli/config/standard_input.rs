//! Standard input goes by the configuration of the file that it stands for.

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
    assert!(!project.path("skip").exists());
}

#[test]
fn a_name_alone_asks_for_standard_input() {
    let project = project();
    let ran = run(
        &project,
        ".",
        &["--fix", "--stdin-filename", "b.py"],
        b"x = 1\n",
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "x = 1\n"));
    let ran = run(
        &project,
        ".",
        &["--fix", "--stdin-filename", "b.py", "."],
        b"",
    );
    ran.fails_with(&["--stdin-filename names standard input"]);
}
