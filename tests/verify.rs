//! Wrong patches that one proof alone rejects, and right patches that all proofs accept.

#[cfg(test)]
#[path = "verify/case.rs"]
mod case;

use case::Case;
use hoist_namedtuple::check::verify::{ProofName, failures};
use hoist_namedtuple::check::{FileContext, ReplanFailure, Settings, replan};

/// Checks that in every case of `cases` exactly the proofs `expected` fail.
#[track_caller]
fn check(cases: &str, expected: &[ProofName]) {
    let cases = case::read(cases);
    assert!(cases.len() >= 5, "a proof needs at least five cases");
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| complaint(case, expected))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn complaint(case: &Case, expected: &[ProofName]) -> Option<String> {
    let found = failures(&case.original, &case.patched, &case.promise);
    let names: Vec<_> = found.iter().map(|failure| failure.check).collect();
    (names != expected).then(|| format!("{}: {found:#?}", case.title))
}

#[test]
fn a_patch_that_leaves_something_to_fix_fails_the_replan_proof_alone() {
    let cases = case::read(include_str!("verify/replan.txt"));
    assert!(cases.len() >= 5, "a proof needs at least five cases");
    for case in cases {
        assert_eq!(complaint(&case, &[]), None);
        let again = replan(&case.patched, &FileContext::default(), &Settings::default());
        assert_eq!(again, Err(ReplanFailure::FixesLeft(1)), "{}", case.title);
    }
}

#[test]
fn right_patches_are_accepted() {
    check(include_str!("verify/right.txt"), &[]);
}

#[test]
fn a_broken_text_fails_the_syntax_proof() {
    check(include_str!("verify/syntax.txt"), &[ProofName::Syntax]);
}

#[test]
fn an_unpromised_change_fails_the_tree_proof_alone() {
    check(include_str!("verify/tree.txt"), &[ProofName::Tree]);
}

#[test]
fn a_lost_or_doubled_comment_fails_the_comments_proof_alone() {
    check(include_str!("verify/comments.txt"), &[ProofName::Comments]);
}

#[test]
fn a_name_that_changes_its_meaning_fails_the_names_proof_alone() {
    check(include_str!("verify/names.txt"), &[ProofName::Names]);
}

#[test]
fn a_definition_read_too_early_fails_the_order_proof_alone() {
    check(include_str!("verify/order.txt"), &[ProofName::Order]);
}

#[test]
fn a_class_that_can_be_told_apart_fails_the_observers_proof_alone() {
    check(
        include_str!("verify/observers.txt"),
        &[ProofName::Observers],
    );
}

#[test]
fn an_instance_that_can_be_told_apart_fails_the_observers_proof_alone() {
    check(
        include_str!("verify/instances.txt"),
        &[ProofName::Observers],
    );
}

#[test]
fn no_character_can_be_taken_from_a_right_patch() {
    for case in case::read(include_str!("verify/right.txt")) {
        for (at, character) in case.patched.char_indices() {
            if character.is_whitespace() {
                continue;
            }
            let mut wrong = case.patched.clone();
            wrong.remove(at);
            let found = failures(&case.original, &wrong, &case.promise);
            assert!(!found.is_empty(), "{}: accepted\n{wrong}", case.title);
        }
    }
}

#[test]
fn no_line_can_be_taken_from_a_right_patch_or_doubled_in_it() {
    for case in case::read(include_str!("verify/right.txt")) {
        let lines: Vec<_> = case.patched.split_inclusive('\n').collect();
        for (at, line) in lines.iter().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            for times in [0, 2] {
                let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
                let wrong = before + &line.repeat(times) + &after;
                let found = failures(&case.original, &wrong, &case.promise);
                assert!(!found.is_empty(), "{}: accepted\n{wrong}", case.title);
            }
        }
    }
}

#[test]
fn two_lines_of_a_right_patch_cannot_change_places() {
    for case in case::read(include_str!("verify/right.txt")) {
        let lines: Vec<_> = case.patched.split_inclusive('\n').collect();
        for at in 1..lines.len() {
            let (above, below) = (lines[at - 1], lines[at]);
            let blank = above.trim().is_empty() || below.trim().is_empty();
            // Where comments stand, and in which order imports do, is free.
            let free = above.starts_with('#')
                || below.starts_with('#')
                || above.contains("import ") && below.contains("import ");
            if blank || free || above == below {
                continue;
            }
            let (before, after) = (lines[..at - 1].concat(), lines[at + 1..].concat());
            let wrong = before + below + above + &after;
            let found = failures(&case.original, &wrong, &case.promise);
            assert!(!found.is_empty(), "{}: accepted\n{wrong}", case.title);
        }
    }
}
