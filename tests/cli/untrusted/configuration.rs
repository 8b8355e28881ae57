//! A configuration that is found leads nowhere out of its repository; one that is given is its giver's.

use std::fs;

use serde_json::Value;

use super::{SITE, link, real};
use crate::project::{Project, Ran};

const OWN: &str = "tree/hoist-namedtuple.toml";

/// A folder `tree` whose configuration is `text`, and rules in it and beside it.
fn project(text: &str) -> Project {
    let project = Project::with(&[("tree/m.py", SITE), (OWN, text.as_bytes())]);
    for folder in ["rules", "tree/rules"] {
        fs::create_dir_all(project.path(folder)).unwrap();
        let args = ["--isolated", "--new-rule", "acme.record"];
        let made = project
            .command()
            .current_dir(project.path(folder))
            .args(args)
            .output();
        assert!(Ran::of(made.unwrap()).code == Some(0));
    }
    project
}

fn outside(project: &Project, path: &str, bounds: &str) -> String {
    format!(
        "`{path}` leads out of {bounds}, which a configuration that was found may not. If you trust \
         it, name the configuration with --config. The files that it is for were not checked.\n",
        bounds = bounds.replace('@', &real(project, ""))
    )
}

fn check(project: &Project) -> Ran {
    project.run(&["--fix", "tree"])
}

#[test]
fn rule_paths_stay_in_the_folder_of_the_configuration() {
    for path in ["../rules", "../rules/record.toml", "../gone"] {
        let project = project(&format!("rule-paths = ['{path}']"));
        let at = "error: `rule-paths`: ";
        let whole = format!("{}/{path}", real(&project, "tree"));
        let expected = outside(&project, &whole, "the folder `@tree`");
        let ran = check(&project);
        ran.fails_with(&[&format!("{OWN}:1:15: {at}{expected}")]);
        assert_eq!(fs::read(project.path("tree/m.py")).unwrap(), SITE);
    }
    let project = project("rule-paths = ['/']");
    check(&project).fails_with(&[&outside(&project, "/", "the folder `@tree`")]);
    let project = self::project("rule-paths = ['rules', './rules/../rules/record.toml']");
    assert_eq!(check(&project).code, Some(0));
}

#[test]
fn rule_paths_may_lead_through_the_repository_that_holds_the_configuration() {
    let project = project("rule-paths = ['../rules']");
    fs::create_dir(project.path(".git")).unwrap();
    assert_eq!(check(&project).code, Some(0));
    project.put(OWN, b"rule-paths = ['../../rules']");
    let whole = format!("{}/../../rules", real(&project, "tree"));
    let root = real(&project, "").trim_end_matches('/').to_owned();
    let bounds = format!("the repository `{root}`");
    check(&project).fails_with(&[&outside(&project, &whole, &bounds)]);
}

#[test]
fn links_among_the_rules_stay_there_too() {
    let project = project("rule-paths = ['rules']");
    link(&project, "tree/rules/other.toml", "../../rules/record.toml");
    let whole = real(&project, "tree/rules/other.toml");
    check(&project).fails_with(&[&outside(&project, &whole, "the folder `@tree`")]);
    let project = self::project("rule-paths = ['linked']");
    link(&project, "tree/linked", "../rules");
    let whole = real(&project, "tree/linked");
    check(&project).fails_with(&[&outside(&project, &whole, "the folder `@tree`")]);
}

#[test]
fn a_configuration_that_is_a_link_leads_nowhere_else() {
    let project = project("");
    fs::remove_file(project.path(OWN)).unwrap();
    project.put("secret.toml", b"select = ['ALL']\n[secret]\nkey = 1\n");
    link(&project, OWN, "../secret.toml");
    let root = real(&project, "tree");
    let expected = format!(
        "error: {OWN}: it is a link that leads out of the folder `{root}`, which a configuration that \
         was found may not. If you trust it, name the configuration with --config. The files that it \
         is for were not checked.\n"
    );
    let ran = check(&project);
    ran.fails_with(&[&expected]);
    assert!(!ran.stderr.contains("`secret`"), "{ran:?}");
    // A pyproject.toml that is none of our business may be what it likes.
    fs::remove_file(project.path(OWN)).unwrap();
    project.put("shared.toml", b"[project]\nname = 'x'\n");
    link(&project, "tree/pyproject.toml", "../shared.toml");
    assert_eq!(check(&project).code, Some(0));
    project.put("shared.toml", b"[tool.hoist-namedtuple]\n");
    check(&project).fails_with(&["error: tree/pyproject.toml: it is a link that leads out of"]);
}

#[test]
fn what_is_given_may_lead_anywhere() {
    let project = project("rule-paths = ['../rules']");
    link(&project, "linked.toml", OWN);
    for args in [
        &["--config", OWN][..],
        &["--isolated", "--config", "rule-paths=['rules']"],
        &[
            "--isolated",
            "--config",
            "rule-paths=['/tmp/../tmp/../@rules']",
        ],
        &["--isolated", "--rules", "tree/../rules"],
    ] {
        let root = real(&project, "");
        let args: Vec<String> = args.iter().map(|arg| arg.replace("/@", &root)).collect();
        let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
        args.extend(["--list-rules"]);
        let ran = project.run(&args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.contains("per-call-record "), "{ran:?}");
    }
}

#[test]
fn no_key_writes_or_runs_anything() {
    let schema = include_str!("../../../schemas/hoist-namedtuple.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let keys: Vec<&str> = properties.keys().map(String::as_str).collect();
    // Patterns, rules and truths choose what is checked and said. `rule-paths` alone names files, and
    // keeps its bounds. A new key comes in here once `SECURITY.md` says what a found file may do with it.
    assert_eq!(
        keys,
        [
            "exclude",
            "extend-exclude",
            "force-exclude",
            "ignore",
            "max-file-size",
            "naming",
            "output-format",
            "per-file-ignores",
            "respect-gitignore",
            "rule-paths",
            "select",
            "unsafe-fixes",
        ]
    );
    // What names files on the command line is no key, and a format takes no file.
    for key in [
        "output-file",
        "baseline",
        "write-baseline",
        "fix",
        "config",
        "rules",
        "paths",
    ] {
        let project = project(&format!("{key} = 'x'"));
        check(&project).fails_with(&[&format!("error: there is no key `{key}`.")]);
    }
    let project = project("output-format = 'json=../x.json'");
    check(&project).fails_with(&["`output-format`: `json=../x.json` is no value of it."]);
    assert!(!project.path("x.json").exists());
}
