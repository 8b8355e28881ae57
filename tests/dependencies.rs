//! The dependencies are what deny.toml allows: licences, sources, versions that stand twice; and their number is known.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Output};

use serde::Deserialize;
use spdx::{Expression, ParseMode};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A way to write the choice of two licences from before SPDX expressions; cargo still takes it.
const LAX: ParseMode = ParseMode {
    allow_slash_as_or_operator: true,
    ..ParseMode::STRICT
};

/// What the documentation says of the number of crates; `{}` stands for the numbers.
const COUNTS: &str =
    "A release build on Linux compiles {} crates beside this one, and links {} of them.";

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    sources: Sources,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Bans {
    skip: Vec<Skip>,
}

#[derive(Deserialize)]
struct Skip {
    #[serde(rename = "crate")]
    krate: String,
    reason: String,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

fn deny() -> Deny {
    toml::from_str(&fs::read_to_string(format!("{ROOT}/deny.toml")).unwrap()).unwrap()
}

/// Runs cargo without the network, and with it only if something has never been fetched.
fn cargo(words: &[&str]) -> Output {
    let run = |further: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        let command = command.args(words).arg("--locked").args(further);
        command.current_dir(ROOT).output().unwrap()
    };
    let offline = run(&["--offline"]);
    let output = if offline.status.success() {
        offline
    } else {
        run(&[])
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {words:?}: {told}");
    output
}

/// The locked crates beside this one, those of other platforms and of the tests too.
fn dependencies() -> Vec<Package> {
    let output = cargo(&["metadata", "--format-version", "1"]);
    let metadata: Metadata = serde_json::from_slice(&output.stdout).unwrap();
    let all = metadata.packages.into_iter();
    all.filter(|package| package.name != env!("CARGO_PKG_NAME"))
        .collect()
}

fn is_allowed(license: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = Expression::parse_mode(license, LAX).unwrap();
    // An exception only adds permissions, and still is named where it is meant.
    expression.evaluate(|wanted| allowed.contains(&wanted.to_string()))
}

#[test]
fn every_crate_can_be_had_under_an_allowed_licence() {
    let allowed = deny().licenses.allow;
    let mut refused = dependencies();
    refused.retain(|package| {
        let license = package.license.as_deref();
        !license.is_some_and(|license| is_allowed(license, &allowed))
    });
    let refused: Vec<_> = refused
        .iter()
        .map(|package| format!("{}: {:?}", package.name, package.license))
        .collect();
    assert!(refused.is_empty(), "deny.toml does not allow: {refused:#?}");
}

#[test]
fn licences_are_read_as_choices_and_sums() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned()].into();
    for license in [
        "MIT",
        "GPL-3.0-only OR MIT",
        "GPL-3.0-only/MIT",
        "MIT AND (Zlib OR GPL-2.0-only)",
    ] {
        assert!(is_allowed(license, &allowed), "{license}");
    }
    for license in [
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "MPL-2.0 OR (MIT AND GPL-2.0-only)",
    ] {
        assert!(!is_allowed(license, &allowed), "{license}");
    }
}

#[test]
fn every_crate_comes_from_the_registry() {
    let allowed = deny().sources.allow_registry;
    for package in dependencies() {
        let source = package.source.unwrap_or_default();
        let registry = source.strip_prefix("registry+").unwrap_or(&source);
        assert!(
            allowed.contains(registry),
            "{} comes from `{source}`",
            package.name
        );
    }
}

#[test]
fn a_crate_stands_twice_only_for_a_reason() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in dependencies() {
        versions
            .entry(package.name)
            .or_default()
            .push(package.version);
    }
    let mut skips = deny().bans.skip;
    for (name, versions) in versions
        .into_iter()
        .filter(|(_, versions)| versions.len() > 1)
    {
        let is_listed = |version: &&String| {
            let listed = format!("{name}@{version}");
            skips.iter().any(|skip| skip.krate == listed)
        };
        let unlisted = versions
            .iter()
            .filter(|version| !is_listed(version))
            .count();
        assert_eq!(
            unlisted, 1,
            "{name} {versions:?}: all but the newest are listed in deny.toml"
        );
        skips.retain(|skip| !skip.krate.starts_with(&format!("{name}@")));
    }
    let stale: Vec<_> = skips.iter().map(|skip| &skip.krate).collect();
    assert!(
        stale.is_empty(),
        "deny.toml lists what does not stand twice: {stale:?}"
    );
    assert!(deny().bans.skip.iter().all(|skip| !skip.reason.is_empty()));
}

/// As far as the index tells that was fetched last.
#[test]
fn no_crate_is_yanked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let output = cargo(&[
        "package",
        "--no-verify",
        "--allow-dirty",
        "--target-dir",
        folder,
    ]);
    let told = String::from_utf8(output.stderr).unwrap();
    let yanked: Vec<_> = told
        .lines()
        .filter(|line| line.contains("yanked"))
        .collect();
    assert!(yanked.is_empty(), "{yanked:#?}");
}

#[test]
fn the_number_of_crates_is_the_one_that_is_written_down() {
    let compiled = count("normal,build");
    let linked = count("normal,no-proc-macro");
    let sentence = COUNTS.replacen("{}", &compiled.to_string(), 1);
    let sentence = sentence.replacen("{}", &linked.to_string(), 1);
    let text = fs::read_to_string(format!("{ROOT}/CONTRIBUTING.md")).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(&sentence),
        "CONTRIBUTING.md must say, if it is meant: {sentence}"
    );
}

#[test]
fn the_fuzz_targets_are_locked_as_the_program_is() {
    let manifest = ["--manifest-path", "fuzz/Cargo.toml"];
    let output = cargo(&[&["metadata", "--format-version", "1"], manifest.as_slice()].concat());
    let fuzzed: Metadata = serde_json::from_slice(&output.stdout).unwrap();
    let mut locked: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in dependencies() {
        let versions = locked.entry(package.name).or_default();
        versions.push(package.version);
    }
    for Package { name, version, .. } in fuzzed.packages {
        let versions = locked.get(&name);
        assert!(
            versions.is_none_or(|versions| versions.contains(&version)),
            "{name} {version}: copy Cargo.lock into fuzz/, and run `cargo metadata` there"
        );
    }
}

/// How many crates stand below this one by edges of these kinds.
fn count(edges: &str) -> usize {
    let target = "x86_64-unknown-linux-gnu";
    let output = cargo(&[
        "tree", "--edges", edges, "--prefix", "none", "--target", target,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    let crates = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), words.next()?.to_owned()))
    });
    let crates: BTreeSet<_> = crates.collect();
    crates.len() - 1
}
