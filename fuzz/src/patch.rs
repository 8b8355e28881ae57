//! What must hold for every text and its patch.

use std::collections::BTreeSet;

use hoist_namedtuple::check::{CheckResult, FileContext, Settings, check, check_with_trace};
use hoist_namedtuple::python::SyntaxError;
use hoist_namedtuple::rule::{Diagnostic, Fix, SkipReason};
use hoist_namedtuple::text::Edit;

/// Checks `text` and holds everything against the result that must hold.
///
/// # Errors
/// Returns the fault when `text` is no module.
///
/// # Panics
/// When something does not hold.
pub fn assert_sound(text: &str, settings: &Settings) -> Result<CheckResult, SyntaxError> {
    let context = FileContext::default();
    let result = check(text, &context, settings).inspect_err(|error| {
        let offset = error.offset.to_usize();
        assert!(
            offset <= text.len(),
            "the fault is at {offset}, behind the end"
        );
        assert!(
            text.is_char_boundary(offset),
            "the fault is within a character"
        );
    })?;
    if result.diagnostics.is_empty() {
        return Ok(result);
    }
    assert_places(text, &result.diagnostics);
    for found in &result.diagnostics {
        let reason = found.skip_reason;
        assert_ne!(
            reason,
            Some(SkipReason::VerificationFailed),
            "{}",
            found.message
        );
    }
    let traced = check_with_trace(text, &context, settings).expect("it parsed before");
    assert_eq!(traced.patched, result.patched, "a trace changes the patch");
    assert_eq!(
        plain(traced.diagnostics),
        plain(result.diagnostics.clone()),
        "a trace changes what is found"
    );
    assert_patched(text, &result, settings);
    Ok(result)
}

fn assert_patched(text: &str, result: &CheckResult, settings: &Settings) {
    let made = made_fixes(result, settings);
    let Some(patched) = result.patched.as_deref() else {
        assert!(
            made.is_empty(),
            "fixes are said to be made, and nothing is patched"
        );
        return;
    };
    assert_kept(text, patched, &made);
    let again = match check(patched, &FileContext::default(), settings) {
        Ok(again) => again,
        Err(error) => panic!("the patched text is no module: {error}\n{patched}"),
    };
    assert_eq!(
        again.patched, None,
        "a second check fixes more of\n{patched}"
    );
    assert_places(patched, &again.diagnostics);
    if let Some(left) = &result.left {
        assert_eq!(
            plain(left.clone()),
            plain(again.diagnostics),
            "something else is left"
        );
    }
}

/// The findings as text, without their traces.
fn plain(mut found: Vec<Diagnostic>) -> String {
    found.iter_mut().for_each(|found| found.trace.clear());
    format!("{found:#?}")
}

fn assert_places(text: &str, found: &[Diagnostic]) {
    for found in found {
        let edits = found
            .fix
            .iter()
            .flat_map(|fix| fix.edits().map(Edit::range));
        for range in [found.range, found.statement].into_iter().chain(edits) {
            let range = range.start().to_usize()..range.end().to_usize();
            assert!(
                text.get(range.clone()).is_some(),
                "{range:?} is no part of the text"
            );
        }
    }
}

fn made_fixes<'r>(result: &'r CheckResult, settings: &Settings) -> Vec<&'r Fix> {
    let mut seen = BTreeSet::new();
    let found = result.diagnostics.iter().enumerate();
    found
        .filter(|(index, _)| result.is_fixed(*index, settings))
        .filter_map(|(_, found)| found.fix.as_deref())
        .filter(|fix| seen.insert(std::ptr::from_ref(*fix).cast::<()>()))
        .collect()
}

/// All lines outside the edits stand in the patched text, in order. Imports may go, and so may blank lines:
/// fixes that are made together leave a factory without a use, which none does alone, and can empty the
/// head of a body, and with it goes the gap below.
fn assert_kept(text: &str, patched: &str, fixes: &[&Fix]) {
    let edits = fixes.iter().flat_map(|fix| fix.edits().map(Edit::range));
    let mut ranges: Vec<_> = edits
        .map(|range| (range.start().to_usize(), range.end().to_usize()))
        .collect();
    ranges.sort_unstable();
    ranges.push((text.len(), text.len()));
    let (mut rest, mut done, mut tail) = (patched, 0, "");
    for (start, end) in ranges {
        tail = text.get(done..start).unwrap_or_default();
        let lines = tail.split_inclusive('\n');
        let stays = |line: &&str| !line.trim().is_empty() && !line.contains("import");
        for line in lines.filter(stays) {
            let at = rest
                .find(line)
                .unwrap_or_else(|| panic!("{line:?} is gone from\n{patched}"));
            rest = &rest[at + line.len()..];
        }
        done = done.max(end);
    }
    let tail = tail.trim_start();
    assert!(
        patched.ends_with(tail),
        "{tail:?} is not the end of\n{patched}"
    );
}
