//! Rules of the user's own: where they come from, what a broken one says, and how they are written.

use crate::project::{Project, Ran};

/// The rule that `docs/user-rules.md` shows.
const RECORDCLASS: &str = include_str!("../../docs/own-rules/recordclass.toml");

/// A module with a call that the rule finds and fixes.
const MODULE: &str = "from recordclass import recordclass\n\n\ndef area(a, b):\n    Size = recordclass(\"Size\", \"w h\")\n    size = Size(a, b)\n    return size.w * size.h\n";

fn project(files: &[(&str, &str)]) -> Project {
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    Project::with(&files)
}

fn with_rule(files: &[(&str, &str)]) -> Project {
    let project = project(files);
    project.put("tools/rules/recordclass.toml", RECORDCLASS.as_bytes());
    project.put("m.py", MODULE.as_bytes());
    project
}

/// The places and codes of the findings of a run.
fn found(ran: &Ran) -> Vec<String> {
    let words = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    ran.stdout.lines().map(words).collect()
}

#[test]
fn a_configuration_and_an_option_add_rules() {
    let plain = with_rule(&[]);
    let concise = ["--output-format", "concise"];
    assert_eq!(plain.run(&concise).stdout, "");
    let expected = ["m.py:5:12: REC001"];
    let by_option = [&concise[..], &["--rules", "tools/rules"]].concat();
    assert_eq!(found(&plain.run(&by_option)), expected);
    let isolated = [&by_option[..], &["--isolated"]].concat();
    assert_eq!(found(&plain.run(&isolated)), expected);
    let by_key = [
        &concise[..],
        &["--config", "rule-paths=['tools/rules/recordclass.toml']"],
    ]
    .concat();
    assert_eq!(found(&plain.run(&by_key)), expected);

    let project = with_rule(&[("hoist-namedtuple.toml", "rule-paths = ['tools/rules']\n")]);
    assert_eq!(found(&project.run(&concise)), expected);
    assert_eq!(
        found(&project.run(&by_option)),
        expected,
        "the same rules twice"
    );
    assert_eq!(project.run(&["--isolated"]).stdout, "");
    let shown = project.run(&["--show-settings"]);
    assert!(
        shown
            .stdout
            .contains("rule-paths = [\"tools/rules/recordclass.toml\"]"),
        "{shown:?}"
    );
}

#[test]
fn rules_hold_for_the_files_of_their_configuration() {
    let project = with_rule(&[
        (".git/HEAD", ""),
        (
            "a/hoist-namedtuple.toml",
            "rule-paths = ['../tools/rules']\nselect = ['REC']\n",
        ),
        ("a/m.py", MODULE),
    ]);
    let ran = project.run(&["--output-format", "concise"]);
    assert_eq!(found(&ran), ["a/m.py:5:12: REC001"]);
    let sarif = project.run(&["--output-format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&sarif.stdout).unwrap();
    let rules = log["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    let result = &log["runs"][0]["results"][0];
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], "REC001");
    assert_eq!(result["ruleId"], "REC001");
}

#[test]
fn selectors_take_the_codes_of_ones_own_rules() {
    let project = with_rule(&[(
        "hoist-namedtuple.toml",
        "rule-paths = ['tools/rules']\nignore = ['per-call-recordclass']\n[per-file-ignores]\n'x/' = ['REC']\n",
    )]);
    assert_eq!(project.run(&[]).stdout, "");
    let ran = project.run(&["--select", "REC0", "--output-format", "concise"]);
    assert_eq!(found(&ran), ["m.py:5:12: REC001"]);
    project
        .run(&["--select", "REC9"])
        .fails_with(&["--select", "no rule `REC9`", "REC001"]);
    project
        .run(&["--isolated", "--select", "REC001"])
        .fails_with(&["--select", "no rule `REC001`"]);
    let unknown = with_rule(&[("hoist-namedtuple.toml", "select = ['REC001']\n")]);
    unknown
        .run(&[])
        .fails_with(&["hoist-namedtuple.toml:1:11: ", "no rule `REC001`"]);
}

#[test]
fn rules_that_are_off_by_default_are_on_when_selected() {
    let text = "def f():\n    return type('P', (), {'x': 1})()\n";
    let project = project(&[("m.py", text)]);
    assert_eq!(project.run(&[]).code, Some(0));
    for selector in ["HNT006", "HNT", "ALL", "per-call-type"] {
        let ran = project.run(&["--select", selector, "--output-format", "concise"]);
        assert_eq!(found(&ran), ["m.py:2:12: HNT006"], "{selector}");
    }
}

#[test]
fn comments_and_baselines_know_the_codes_of_ones_own_rules() {
    let with = |comment: &str| {
        let project = with_rule(&[("hoist-namedtuple.toml", "rule-paths = ['tools/rules']\n")]);
        let text = MODULE.replace("h\")\n", &format!("h\")  {comment}\n"));
        project.put("m.py", text.as_bytes());
        project
    };
    for (comment, expected) in [
        ("# noqa: REC001", &[][..]),
        ("# hoist-namedtuple: ignore[REC001] why", &[]),
        ("# hoist-namedtuple: ignore[per-call-recordclass]", &[]),
        (
            "# hoist-namedtuple: ignore[REC101]",
            &["m.py:5:12: REC001", "m.py:5:40: HNT900"],
        ),
        (
            "# hoist-namedtuple: ignore REC001",
            &["m.py:5:12: REC001", "m.py:5:40: HNT900"],
        ),
        (
            "# hoist-namedtuple: ignore[HNT900] REC001",
            &["m.py:5:12: REC001", "m.py:5:40: HNT900"],
        ),
    ] {
        let ran = with(comment).run(&["--output-format", "concise"]);
        assert_eq!(found(&ran), expected, "{comment}: {ran:?}");
    }
    let project = with("");
    let known = ["--baseline", "known.json"];
    assert_eq!(
        project
            .run(&["--baseline", "known.json", "--write-baseline"])
            .code,
        Some(0)
    );
    assert_eq!(project.run(&known).code, Some(0));
}

#[test]
fn a_path_without_rules_stops_the_run() {
    let project = project(&[("m.py", "x = 1\n"), ("empty/x.txt", "")]);
    project
        .run(&["--rules", "gone"])
        .fails_with(&["--rules: ", "gone` is not there"]);
    project
        .run(&["--rules", "empty"])
        .fails_with(&["--rules: ", "holds no rule file"]);
    project
        .run(&["--config", "rule-paths=['gone']"])
        .fails_with(&["--config rule-paths=['gone']: ", "not there"]);
    project.put(
        "hoist-namedtuple.toml",
        b"\nrule-paths = ['empty', 'gone']\n",
    );
    project.run(&[]).fails_with(&[
        "hoist-namedtuple.toml:2:15: `rule-paths`: ",
        "holds no rule file",
    ]);
    project.put("hoist-namedtuple.toml", b"rule-paths = 'rules'\n");
    project.run(&[]).fails_with(&[
        "hoist-namedtuple.toml:1:14: `rule-paths`: ",
        "a list of folders",
    ]);
    project.put("bad.toml", b"\xff");
    project
        .run(&["--rules", "bad.toml", "--isolated"])
        .fails_with(&["bad.toml: it is not valid UTF-8"]);
}

#[test]
fn a_broken_rule_stops_the_run_before_anything_is_written() {
    let module =
        "from collections import namedtuple\ndef f(a):\n    return namedtuple('P', 'x')(a)\n";
    let project = project(&[("m.py", module), ("rules/r.toml", "surprise = 1\n")]);
    let words = ["rules/r.toml:1:1: `surprise`: there is no key `surprise`."];
    project
        .run(&["--fix", "--rules", "rules"])
        .fails_with(&words);
    assert_eq!(
        std::fs::read_to_string(project.path("m.py")).unwrap(),
        module
    );
    let ran = Ran::of(
        project
            .command()
            .args(["--fix", "--rules", "rules", "-"])
            .write_stdin(module)
            .output()
            .unwrap(),
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), module));
    project
        .run(&["--list-rules", "--rules", "rules"])
        .fails_with(&words);
}

#[test]
fn rules_of_ones_own_are_listed_and_explained() {
    let project = with_rule(&[(
        "pyproject.toml",
        "[tool.hoist-namedtuple]\nrule-paths = ['tools/rules']\n",
    )]);
    let listed = project.run(&["--list-rules"]);
    assert!(
        listed.stdout.contains("\nREC001  per-call-recordclass "),
        "{listed:?}"
    );
    let explained = project.run(&["--explain", "per-call-recordclass"]);
    assert!(
        explained
            .stdout
            .starts_with("# per-call-recordclass (REC001)\n"),
        "{explained:?}"
    );
    assert!(
        !project
            .run(&["--isolated", "--list-rules"])
            .stdout
            .contains("REC001")
    );
    let styled = project.run(&["--explain", "REC101", "--color", "always"]);
    assert!(styled.stdout.starts_with("\u{1b}["), "{styled:?}");
    assert!(!styled.stdout.contains("## "), "{styled:?}");
}

#[test]
fn the_rule_that_is_shown_passes_its_examples_and_fixes_a_file() {
    let project = with_rule(&[]);
    let tested = project.run(&["--test-rules", "tools/rules"]);
    assert_eq!(
        (tested.code, tested.stdout.as_str()),
        (Some(0), "4 examples of 1 rule pass.\n")
    );
    let fixed = project.run(&["--fix", "--rules", "tools/rules"]);
    assert_eq!(fixed.code, Some(0), "{fixed:?}");
    let text = std::fs::read_to_string(project.path("m.py")).unwrap();
    assert!(text.contains("\n\nSize = recordclass(\"Size\", \"w h\")\n\n\ndef area(a, b):\n    size = Size(a, b)\n"), "{text}");
}

#[test]
fn examples_that_differ_are_shown_with_their_difference() {
    let (before, after) = RECORDCLASS.split_once("fixed = '''").unwrap();
    let wrong = after.replacen("Size = recordclass", "Area = recordclass", 1);
    let text = format!("{before}fixed = '''{wrong}").replace(
        "skip-reason = \"instance-escapes\"",
        "skip-reason = \"class-written\"",
    );
    let project = project(&[("rules/r.toml", text.as_str())]);
    let ran = project.run(&["--test-rules", "rules"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_new_rule_passes_its_own_test_and_overwrites_nothing() {
    let project = project(&[]);
    let ran = project.run(&["--new-rule", "recordclass.recordclass"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("--test-rules recordclass.toml"),
        "{ran:?}"
    );
    let tested = project.run(&["--test-rules", "recordclass.toml"]);
    assert_eq!(
        (tested.code, tested.stdout.as_str()),
        (Some(0), "3 examples of 1 rule pass.\n")
    );
    let text = std::fs::read(project.path("recordclass.toml")).unwrap();
    project
        .run(&["--new-rule", "recordclass.recordclass"])
        .fails_with(&["recordclass.toml is there already"]);
    assert_eq!(
        std::fs::read(project.path("recordclass.toml")).unwrap(),
        text
    );
    project
        .run(&["--new-rule", "collections.namedtuple"])
        .fails_with(&["HNT001"]);
}

#[test]
fn a_code_that_is_taken_is_told_with_its_rule_and_file() {
    let other = RECORDCLASS.replace("recordclass.recordclass\"]", "x.y\"]");
    let project = with_rule(&[("tools/rules/z.toml", other.as_str())]);
    project.run(&["--rules", "tools/rules"]).fails_with(&[
        "z.toml:50:1: `constant.code`: `REC001` is taken by `per-call-recordclass` of tools/rules/recordclass.toml. Use another one.",
    ]);
}

#[test]
fn a_folder_of_other_files_is_no_fault() {
    let project = with_rule(&[
        ("tools/rules/.x.toml", "no rule"),
        ("tools/rules/pyproject.toml", "[project]\n"),
        ("tools/rules/hoist-namedtuple.toml", ""),
        ("tools/rules/Cargo.toml", "[package]\n"),
        ("hoist-namedtuple.toml", ""),
    ]);
    let ran = project.run(&["--rules", "tools/rules", "--output-format", "concise"]);
    assert_eq!(found(&ran), ["m.py:5:12: REC001"], "{ran:?}");
    project
        .run(&["--rules", "."])
        .fails_with(&["holds no rule file"]);
}

#[cfg(unix)]
#[test]
fn a_path_that_is_neither_file_nor_folder_is_named_so() {
    let project = project(&[]);
    for option in ["--rules", "--test-rules"] {
        project
            .run(&[option, "/dev/null"])
            .fails_with(&["`/dev/null` is neither a file nor a folder."]);
    }
}

#[test]
fn nothing_that_is_given_reaches_the_terminal_raw() {
    let raw = "X\n::error::pwned\u{1b}[31m";
    let project = project(&[("m.py", "x = 1\n")]);
    for option in [
        "--rules",
        "--test-rules",
        "--new-rule",
        "--select",
        "--explain",
        "--config",
    ] {
        let ran = project.run(&[option, raw]);
        assert_eq!(
            (ran.code, ran.stderr.matches('\n').count()),
            (Some(2), 1),
            "{ran:?}"
        );
        assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
        assert!(ran.stderr.contains("X\\n::error"), "{ran:?}");
    }
    let rule = RECORDCLASS.replace(" = Size(width", "  # \\u001b\n    size = Size(width");
    project.put("r.toml", rule.as_bytes());
    let ran = project.run(&["--test-rules", "r.toml"]);
    assert!(!(ran.stdout + &ran.stderr).contains('\u{1b}'));
}

#[test]
fn options_that_a_mode_does_not_heed_are_refused() {
    let project = with_rule(&[]);
    for mode in [&["--test-rules", "tools/rules"][..], &["--new-rule", "a.b"]] {
        for further in [
            &["m.py"][..],
            &["--fix"],
            &["--diff"],
            &["--select", "REC"],
            &["--output-format", "json"],
            &["--statistics"],
            &["--exit-zero"],
        ] {
            project
                .run(&[mode, further].concat())
                .fails_with(&["cannot be used with"]);
        }
    }
    project
        .run(&["--test-rules", "tools/rules", "--rules", "tools/rules"])
        .fails_with(&["cannot be used with"]);
}

#[test]
fn a_new_rule_takes_codes_that_are_free() {
    let project = with_rule(&[("hoist-namedtuple.toml", "rule-paths = ['tools/rules']\n")]);
    for name in ["my_pkg.record", "other.recorded"] {
        assert_eq!(project.run(&["--new-rule", name]).code, Some(0));
    }
    let code = |file: &str| {
        let text = std::fs::read_to_string(project.path(file)).unwrap();
        let line = text.lines().find(|line| line.starts_with("code = "));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(code("record.toml"), "code = \"REC002\"");
    assert_eq!(code("recorded.toml"), "code = \"REC003\"");
    project
        .run(&["--new-rule", "recordclass.recordclass"])
        .fails_with(&["REC001 (per-call-recordclass) finds"]);
    let listed = project.run(&["--list-rules", "--rules", "."]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let tested = project.run(&["--test-rules", "."]);
    assert_eq!(tested.stdout, "6 examples of 2 rules pass.\n");
}
