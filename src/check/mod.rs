//! Room 5: one source in, findings and a proven patch out.

mod comment_finding;
mod comment_refusal;
mod comment_removal;
pub mod context;
mod describe;
pub mod example;
mod joined_fix;
mod mypy;
mod patch;
mod replan;
mod subject;
mod trace;
mod unproven;
mod unused;
pub mod verify;

pub use context::{FileContext, Naming, Settings};
pub use replan::{ReplanFailure, replan};

use crate::hoist::Promise;
use crate::python::{Source, SyntaxError};
use crate::rule::Diagnostic;
use verify::Proofs;

/// What a check of one file found.
#[derive(Debug, Default)]
pub struct CheckResult {
    /// The findings in source order; suppressed and accepted ones are left out.
    pub diagnostics: Vec<Diagnostic>,
    /// The text with every wanted fix made and proven; `None` when no fix is made.
    pub patched: Option<String>,
    /// What another check finds in the patched text; `None` when nobody knows without it. There are
    /// no traces.
    pub left: Option<Vec<Diagnostic>>,
    /// How many findings a suppression comment silenced.
    pub suppressed: usize,
    /// How many more findings are accepted by the context, and left out.
    pub accepted: usize,
}

impl CheckResult {
    /// Whether the finding at `index` is gone from the patched text.
    #[must_use]
    pub fn is_fixed(&self, index: usize, settings: &Settings) -> bool {
        self.patched.is_some()
            && self.diagnostics.get(index).is_some_and(|diagnostic| {
                diagnostic
                    .fix
                    .as_ref()
                    .is_some_and(|fix| settings.applies(fix.applicability()))
            })
    }
}

/// Checks one Python module.
///
/// `text` is the decoded source without a byte order mark. It never panics and does no I/O; call it
/// on a thread with a large stack (256 MiB), as the parser recurses.
///
/// # Errors
/// Returns the fault when `text` is not a module that CPython compiles.
pub fn check(
    text: &str,
    context: &FileContext,
    settings: &Settings,
) -> Result<CheckResult, SyntaxError> {
    let verify = |original: &Source<'_>, patched: &Source<'_>, promise: &Promise| {
        verify::prove(original, patched, promise, Proofs::UntilOneFails)
    };
    patch::Checker {
        text,
        request: subject::Request { context, settings },
        verify: &verify,
        verify_removals: &verify::verify_removals,
        traces: false,
    }
    .run()
}

/// The same, and each finding tells in its trace how it was decided.
///
/// # Errors
/// Returns the fault when `text` is not a module that CPython compiles.
pub fn check_with_trace(
    text: &str,
    context: &FileContext,
    settings: &Settings,
) -> Result<CheckResult, SyntaxError> {
    patch::Checker {
        text,
        request: subject::Request { context, settings },
        verify: &|original, patched, promise| {
            verify::prove(original, patched, promise, Proofs::All)
        },
        verify_removals: &verify::verify_removals,
        traces: true,
    }
    .run()
}
