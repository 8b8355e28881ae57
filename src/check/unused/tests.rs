//! Which comments are told of under which settings, and what happens when a proof fails.

use std::collections::BTreeSet;

use crate::check::patch::Checker;
use crate::check::subject::Request;
use crate::check::verify::{self, ProofName, Proofs, VerificationFailure, verify_removals};
use crate::check::{CheckResult, FileContext, Settings, check, check_with_trace};
use crate::rule::{FindingKey, SkipReason};
use crate::text::TextSize;

fn selecting(codes: &[&'static str]) -> Settings {
    Settings {
        codes: codes.iter().copied().collect(),
        ..Settings::default()
    }
}

/// The codes of the findings in `text`, with their rows.
#[track_caller]
fn found(text: &str, codes: &[&'static str]) -> Vec<(usize, &'static str)> {
    let result = check(text, &FileContext::default(), &selecting(codes)).unwrap();
    let row = |at: TextSize| {
        let before = text.get(..at.to_usize()).unwrap();
        before.matches('\n').count() + 1
    };
    let found = result.diagnostics.iter();
    found
        .map(|found| (row(found.range.start()), found.code))
        .collect()
}

const DYNAMIC: &str = "\
from collections import namedtuple
def f(a):
    return namedtuple('A', a)(1)  # hoist-namedtuple: ignore
x = 1  # hoist-namedtuple: ignore[HNT101]
";

#[test]
fn a_code_that_is_not_selected_says_nothing_about_its_use() {
    assert_eq!(found(DYNAMIC, &["HNT001", "HNT101"]), []);
    assert_eq!(found(DYNAMIC, &["HNT101", "HNT900"]), [(4, "HNT900")]);
    assert_eq!(found(DYNAMIC, &["HNT001", "HNT900"]), []);
    assert_eq!(found(DYNAMIC, &["HNT900"]), []);
    let unknown = DYNAMIC.replace("[HNT101]", "[HNT1011, HNT101]");
    assert_eq!(found(&unknown, &["HNT900"]), [(4, "HNT900")]);
}

#[test]
fn a_file_that_is_ignored_has_no_finding_and_counts_what_is_silenced() {
    let text = format!("{DYNAMIC}# hoist-namedtuple: ignore-file\n");
    let result = check(&text, &FileContext::default(), &Settings::default()).unwrap();
    assert!(result.diagnostics.is_empty(), "{result:?}");
    assert_eq!((result.suppressed, result.patched), (1, None));
    assert_eq!(found(&text, &["HNT001", "HNT900"]), []);
    let malformed = text.replace("[HNT101]", "[");
    assert_eq!(found(&malformed, &["HNT900"]), []);
    let unused = malformed
        .replace("', a)", "', 'a')")
        .replace("def f(a)", "if True");
    let all = ["HNT001", "HNT101", "HNT900"];
    let expected = [(3, "HNT900"), (4, "HNT900"), (5, "HNT900")];
    assert_eq!(found(&unused.replace("return ", "x = "), &all), expected);
}

fn key(code: &str, scope: &str, typename: Option<&str>) -> FindingKey {
    FindingKey {
        code: code.to_owned(),
        scope: scope.to_owned(),
        typename: typename.map(str::to_owned),
    }
}

fn accepting(text: &str, keys: &[FindingKey]) -> CheckResult {
    let context = FileContext {
        accepted: keys.iter().cloned().collect::<BTreeSet<_>>(),
        ..FileContext::default()
    };
    check(text, &context, &Settings::default()).unwrap()
}

#[test]
fn an_accepted_comment_is_left_alone_and_counted() {
    let text =
        "def f():\n    pass  # hoist-namedtuple: ignore\nx = 1  # hoist-namedtuple: ignore\n";
    let result = accepting(text, &[key("HNT900", "f", None)]);
    assert_eq!((result.diagnostics.len(), result.accepted), (1, 1));
    assert_eq!(
        result.patched.as_deref(),
        Some("def f():\n    pass  # hoist-namedtuple: ignore\nx = 1\n")
    );
    let [only] = result.diagnostics.as_slice() else {
        panic!("{result:?}");
    };
    assert_eq!(only.key(), key("HNT900", "", None));
    assert_eq!(only.factory, None);
}

#[test]
fn a_comment_that_silences_an_accepted_finding_is_used() {
    let result = accepting(DYNAMIC, &[key("HNT101", "f", Some("A"))]);
    let rows: Vec<_> = result.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(rows, ["HNT900"]);
    assert!(
        result
            .patched
            .unwrap()
            .contains("(1)  # hoist-namedtuple: ignore\n")
    );
}

const TWO: &str = "x = 1  # hoist-namedtuple: ignore one\ny = 2  # hoist-namedtuple: ignore two\n";

/// What becomes of [`TWO`] when the proof of removals fails wherever the text lacks a `word`.
fn failing_without(words: &[&str]) -> CheckResult {
    let (context, settings) = (FileContext::default(), Settings::default());
    Checker {
        text: TWO,
        request: Request {
            context: &context,
            settings: &settings,
        },
        verify: &|original, patched, promise| {
            verify::prove(original, patched, promise, Proofs::UntilOneFails)
        },
        verify_removals: &|original, patched, changed| {
            if words.iter().any(|word| patched.text.contains(word)) {
                verify_removals(original, patched, changed)
            } else {
                Err(VerificationFailure {
                    check: ProofName::Comments,
                    message: "no.".to_owned(),
                    offset: TextSize::default(),
                })
            }
        },
        traces: true,
    }
    .run()
    .unwrap()
}

fn reasons(result: &CheckResult) -> Vec<Option<SkipReason>> {
    let found = result.diagnostics.iter();
    found.map(|found| found.skip_reason).collect()
}

#[test]
fn a_removal_that_cannot_be_proven_is_withdrawn_and_told() {
    let withdrawn = Some(SkipReason::VerificationFailed);
    let result = failing_without(&["two"]);
    assert_eq!(reasons(&result), [None, withdrawn]);
    let patched = result.patched.as_deref();
    assert_eq!(
        patched,
        Some("x = 1\ny = 2  # hoist-namedtuple: ignore two\n")
    );
    let result = failing_without(&["one", "two"]);
    assert_eq!(reasons(&result), [withdrawn, withdrawn]);
    assert_eq!(result.patched, None);
    let trace = &result.diagnostics[0].trace;
    assert_eq!(trace.len(), 4, "{trace:?}");
}

#[test]
fn a_hoist_does_not_take_a_comment_away_from_what_it_silences() {
    let text = "\
from collections import namedtuple
def f(a):
    return namedtuple('A', [
        'x',  # hoist-namedtuple: ignore[HNT101]
    ])(namedtuple('B', a)(1))
";
    let result = check_with_trace(text, &FileContext::default(), &Settings::default()).unwrap();
    assert_eq!(
        reasons(&result),
        [Some(SkipReason::CommentSilencesAnotherCall)]
    );
    assert_eq!((result.patched, result.suppressed), (None, 1));
}

#[test]
fn every_line_ending_is_kept() {
    let text = "x = 1  # hoist-namedtuple: ignore\r# hoist-namedtuple: ignore\r\ny = 2\r# hoist-namedtuple: ignore why\rz = 3\n";
    let result = check(text, &FileContext::default(), &Settings::default()).unwrap();
    assert_eq!(result.patched.as_deref(), Some("x = 1\ry = 2\rz = 3\n"));
}
