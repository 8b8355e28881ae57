//! What runs in CI prints no line that the runner takes for a command, unless the program means it.

use super::{SITE, pipe};
use crate::formats::ALL;
use crate::project::{Project, Ran};

/// Names of files and folders that a line may start with.
const NAMES: [&str; 6] = [
    "::error::a.py",
    "::set-output name=x::y/b.py",
    " \u{a0}::warning::c.py",
    "\u{200b}::error::d.py",
    "##[error]e.py",
    "x ##vso[task.setvariable]f.py",
];

const BROKEN: &[u8] = b"def f():\n    return namedtuple(\n";

/// A text with strings and comments that look like commands.
const COMMANDS: &[u8] = b"from collections import namedtuple
from enum import Enum


def f(x):
    '''
    ::set-output name=a::b
    ##[error]c
    '''
    e = Enum('::error::x', '##[error]'); g(e)  # ##[group]x
    h = Enum('##[error]x', '::error'); g(h)  # ##vso[task.complete]
    return namedtuple('P', 'x')(x)  # ##[error]x
";

/// The lines that a runner takes for commands: GitHub's trims them first.
fn commands(ran: &Ran) -> Vec<String> {
    let is_ignored = |letter: char| letter.is_whitespace() || "\u{200b}\u{feff}".contains(letter);
    let lines = ran
        .stdout
        .split(['\n', '\r'])
        .chain(ran.stderr.split(['\n', '\r']));
    let lines = lines.map(|line| line.trim_start_matches(is_ignored));
    let is_command = |line: &&str| {
        line.starts_with("::")
            || ["##[", "##vso[", "##teamcity["]
                .iter()
                .any(|start| line.contains(start))
    };
    lines.filter(is_command).map(str::to_owned).collect()
}

fn project(bytes: &[u8]) -> Project {
    let files: Vec<(&str, &[u8])> = NAMES.iter().map(|name| (*name, bytes)).collect();
    Project::with(&files)
}

#[test]
fn no_report_but_githubs_own_holds_a_command() {
    for bytes in [SITE, BROKEN, COMMANDS] {
        let project = project(bytes);
        for format in ALL {
            let github = format == "github";
            let args = ["--output-format", format, "--select", "ALL"];
            let ran = project.run(&args);
            assert_ne!(ran.code, Some(0), "{ran:?}");
            let found = commands(&ran);
            let is_ours = |line: &String| {
                line.starts_with("::warning title=HNT")
                    || line.starts_with("::error title=hoist-namedtuple,file=")
            };
            assert!(
                found.is_empty() || github && found.iter().all(is_ours),
                "{format}: {found:?}"
            );
        }
        for args in [
            &["-v", "--select", "ALL"][..],
            &["--statistics"],
            &["--show-files"],
            &["--fix", "-v"],
        ] {
            assert_eq!(
                commands(&project.run(args)),
                Vec::<String>::new(),
                "{args:?}"
            );
        }
    }
}

#[test]
fn a_path_that_starts_as_a_command_stands_behind_a_dot() {
    let project = Project::with(&[("::error::a.py", SITE), ("::b/c.py", BROKEN)]);
    let ran = project.run(&["--output-format", "concise"]);
    assert!(
        ran.stdout.starts_with("./::error::a.py:2:15: HNT001 "),
        "{ran:?}"
    );
    ran.fails_with(&["./::b/c.py:3:1: error: "]);
    assert_eq!(
        project.run(&["--show-files"]).stdout,
        "./::b/c.py\n./::error::a.py\n"
    );
}

#[test]
fn an_annotation_names_the_file_and_ends_where_it_should() {
    let project = Project::with(&[("a,b:c%\r\n::error::\u{1b}]0;\u{202e}.py", SITE)]);
    let ran = project.run(&["--output-format", "github", "-q"]);
    let expected = "::warning title=HNT001 per-call-namedtuple,\
                    file=a%2Cb%3Ac%25%0D%0A%3A%3Aerror%3A%3A\\u{1b}]0;\\u{202e}.py,line=2,col=15,";
    assert!(ran.stdout.starts_with(expected), "{ran:?}");
    assert_eq!(commands(&ran).len(), 1);
    assert_eq!(ran.stderr, "");
}

#[test]
fn errors_hold_no_command() {
    let project = project(b"");
    pipe(&project.path("hoist-namedtuple.toml"));
    let command = "x\n::error::y\n##[error]z";
    project.put("::r/a.toml", b"'::error::' = 1\n");
    project.put(
        "c.toml",
        b"'##[error]x\\n' = 1\n\"::error::\\n::error::\" = 1\n",
    );
    let isolated = "--isolated";
    for args in [
        &[][..],
        &[isolated, command],
        &[isolated, "::error::gone.py", " ::gone.py"],
        &[isolated, "--select", command],
        &[isolated, "--select", "::error::x"],
        &[isolated, "--rules", "::r"],
        &[isolated, "--test-rules", "::r/a.toml"],
        &[isolated, "--baseline", "::error::x"],
        &["--config", "c.toml"],
        &["--config", "::error::c"],
        &["--config", "::error::c=x"],
        &[&format!("--{command}")],
        &[&format!("--color={command}")],
        &["--color", "::error::"],
    ] {
        let ran = project.run(args);
        assert_eq!(ran.code, Some(2), "{args:?} {ran:?}");
        assert_eq!(commands(&ran), Vec::<String>::new(), "{args:?}");
    }
}

#[test]
fn the_texts_of_a_rule_are_no_commands() {
    let project = Project::with(&[("m.py", b"")]);
    assert_eq!(project.run(&["--new-rule", "acme.record"]).code, Some(0));
    let rule = std::fs::read_to_string(project.path("record.toml")).unwrap();
    let rule = rule.replace(
        "what_it_does = '''\n",
        "what_it_does = '''\n::error::x\n##[error]y\n",
    );
    let rule = rule.replace(
        "what-it-does = '''\n",
        "what-it-does = '''\n::error::x\n##[error]y\n",
    );
    let rule = rule.replace(
        "what-it-does = \"\"\"\n",
        "what-it-does = \"\"\"\n::error::x\n##[error]y\n",
    );
    assert!(rule.contains("##[error]y"), "{rule}");
    project.put("record.toml", rule.as_bytes());
    for args in [
        &["--rules", "record.toml", "--explain", "REC001"][..],
        &["--rules", "record.toml", "--list-rules"],
        &["--rules", "record.toml", "--output-format", "sarif"],
        &["--test-rules", "record.toml"],
    ] {
        let ran = project.run(args);
        assert_eq!(ran.code, Some(0), "{args:?} {ran:?}");
        assert_eq!(commands(&ran), Vec::<String>::new(), "{args:?}");
    }
    let ran = project.run(&["--rules", "record.toml", "--explain", "REC001"]);
    assert!(ran.stdout.contains(":\\u{3a}error::x"), "{ran:?}");
}

#[test]
fn a_diff_is_what_git_takes_and_may_hold_commands() {
    let text = b"from collections import namedtuple\n'''\n ::set-output name=a::b\n'''\n\
                 f = lambda a: namedtuple('P', 'x')(a)\n";
    let project = Project::with(&[("m.py", text)]);
    let ran = project.run(&["--diff", "-q"]);
    assert!(
        commands(&ran).contains(&"::set-output name=a::b".to_owned()),
        "{ran:?}"
    );
}
