//! The list of rules that can be switched off stays true: each change fits its file, each refusal has an entry.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hoist_namedtuple::rule::SkipReason;
use serde::Deserialize;

/// `mutants.toml`; its top says what is in it.
#[derive(Debug, Deserialize)]
struct List {
    proofs: Vec<Change>,
    unseen: BTreeMap<String, String>,
    mutant: Vec<Mutant>,
}

#[derive(Debug, Deserialize)]
struct Mutant {
    rule: String,
    refusal: Option<String>,
    edits: Vec<Change>,
}

#[derive(Debug, Deserialize)]
struct Change {
    file: String,
    find: String,
    replace: String,
}

fn list() -> List {
    match toml::from_str(include_str!("mutants.toml")) {
        Ok(list) => list,
        Err(error) => panic!("mutants.toml: {}", error.message()),
    }
}

#[test]
fn each_change_that_switches_a_rule_off_fits_its_file() {
    let list = list();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let proofs = list.proofs.iter().map(|change| ("the proofs", change));
    let rules = list.mutant.iter().flat_map(|mutant| {
        mutant
            .edits
            .iter()
            .map(|change| (mutant.rule.as_str(), change))
    });
    let faults: Vec<String> = proofs
        .chain(rules)
        .filter_map(|(rule, change)| {
            let text = fs::read_to_string(root.join(&change.file)).unwrap();
            let count = text.matches(&change.find).count();
            let fits = count == 1 && change.find != change.replace;
            (!fits).then(|| {
                format!(
                    "{rule}: {} times in {}: {}",
                    count, change.file, change.find
                )
            })
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_refusal_can_be_switched_off_or_says_why_nothing_shows() {
    let list = list();
    for reason in SkipReason::ALL {
        let switched = list
            .mutant
            .iter()
            .filter(|mutant| mutant.refusal.as_deref() == Some(reason.code()));
        let unseen = list.unseen.contains_key(reason.code());
        assert_eq!(switched.count() + usize::from(unseen), 1, "{reason}");
    }
    let known = |code: &str| SkipReason::ALL.iter().any(|reason| reason.code() == code);
    assert!(list.unseen.keys().all(|code| known(code)));
}
