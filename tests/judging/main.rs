//! What is judged of a factory call's arguments is what every CPython found makes of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod calls;
#[path = "../support/pyenv.rs"]
mod pyenv;
mod pythons;

use std::thread;

use calls::Call;
use hoist_namedtuple::check::{FileContext, Settings, check};
use hoist_namedtuple::rule::SkipReason;
use pythons::Outcome;

/// What is judged of one call.
#[derive(Debug, PartialEq, Eq)]
enum Judged {
    /// It makes a class with this name and these fields.
    Makes(Option<String>, Option<Vec<String>>),
    /// It always raises.
    Raises,
    /// It is left alone for what its arguments are.
    Refused,
}

/// One of so many calls is tried where not everything is.
const SHARE: usize = 11;

#[test]
fn what_is_judged_of_a_call_is_what_each_python_makes_of_it() {
    let mut calls = calls::all();
    if !pythons::all_are_wanted() {
        let mut at = 0;
        calls.retain(|_| {
            at += 1;
            at % SHARE == 0
        });
    }
    let judged: Vec<_> = thread::Builder::new()
        .stack_size(256 << 20)
        .spawn({
            let calls = calls.clone();
            move || calls.iter().map(judged).collect()
        })
        .unwrap()
        .join()
        .unwrap();
    let mut faults = vec![];
    for python in pythons::found() {
        let outcomes = python.outcomes(calls.iter());
        for ((call, judged), outcome) in calls.iter().zip(&judged).zip(&outcomes) {
            if python.minor >= call.since
                && let Some(fault) = fault(call, judged, outcome)
            {
                faults.push(format!("3.{}: {}: {fault}", python.minor, call.call));
            }
        }
    }
    let makes = |judged: &&Judged| matches!(judged, Judged::Makes(..));
    let share = judged.iter().filter(makes).count();
    assert!(share * 8 > judged.len(), "{share} of {}", judged.len());
    assert!(
        faults.is_empty(),
        "{} of {} calls:\n{}",
        faults.len(),
        calls.len(),
        faults.join("\n")
    );
}

/// What the outcome shows to be wrong.
fn fault(call: &Call, judged: &Judged, outcome: &Outcome) -> Option<String> {
    match (judged, outcome) {
        (Judged::Makes(..), Outcome::Raises { error }) => Some(format!("it raises {error}")),
        (Judged::Raises, Outcome::Made { .. }) => Some("it makes a class".to_owned()),
        (
            Judged::Makes(name, fields),
            Outcome::Made {
                name: made,
                fields: has,
            },
        ) => {
            let is_name = name.as_ref().is_none_or(|name| name == made);
            let is_fields =
                call.kind == "none" || fields.as_ref().is_none_or(|fields| fields == has);
            (!is_name || !is_fields)
                .then(|| format!("it is {made:?} with {has:?}, not {name:?} with {fields:?}"))
        }
        _ => None,
    }
}

fn judged(call: &Call) -> Judged {
    const REFUSALS: [SkipReason; 9] = [
        SkipReason::ArgumentNotConstant,
        SkipReason::ArgumentNotUnderstood,
        SkipReason::BasesRunCode,
        SkipReason::KeywordFields,
        SkipReason::MutableDefault,
        SkipReason::SetFields,
        SkipReason::ValueMadeAnew,
        SkipReason::VerboseArgument,
        SkipReason::VersionGated,
    ];
    let text = format!("{}def f():\n    return {}(1)\n", call.head, call.call);
    let settings = Settings {
        unsafe_fixes: true,
        ..Settings::default()
    };
    let result = check(&text, &FileContext::default(), &settings);
    let result = result.unwrap_or_else(|error| panic!("{text}: {error}"));
    let Some(found) = result.diagnostics.into_iter().next() else {
        return Judged::Raises;
    };
    match found.skip_reason {
        Some(reason) if REFUSALS.contains(&reason) => Judged::Refused,
        None if found.code.starts_with("HNT1") => Judged::Refused,
        Some(SkipReason::VerificationFailed) => panic!("{text}: the patch is not proven"),
        _ => Judged::Makes(found.typename, found.fields),
    }
}
