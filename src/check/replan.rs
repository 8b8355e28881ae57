//! Proof 7: planning the patched text again finds nothing to fix.

use thiserror::Error;

use super::context::{FileContext, Settings};
use super::describe;
use super::subject::{Request, Withdrawn};

/// Why a patched text is not the last word.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplanFailure {
    /// Planning again would change the text again.
    #[error("the replan proof failed: {0} fixes are left to make")]
    FixesLeft(usize),
    /// The patched text is no module.
    #[error("the replan proof failed: {0}")]
    Unreadable(String),
}

/// Proves that a check of `patched` under the same context and settings would fix nothing more.
///
/// # Errors
/// Returns how many fixes are left.
pub fn replan(
    patched: &str,
    context: &FileContext,
    settings: &Settings,
) -> Result<(), ReplanFailure> {
    Request { context, settings }.replan(patched, &Withdrawn::new())
}

impl Request<'_> {
    /// The same, without the calls that were withdrawn.
    pub(super) fn replan(&self, patched: &str, withdrawn: &Withdrawn) -> Result<(), ReplanFailure> {
        let left = self.with_subject(patched, |subject| {
            let mut plan = self.plan(subject, withdrawn);
            describe::fixes(&subject.inquiry, &mut plan);
            self.wanted(&plan).len()
        });
        match left {
            Ok(0) => Ok(()),
            Ok(count) => Err(ReplanFailure::FixesLeft(count)),
            Err(fault) => Err(ReplanFailure::Unreadable(fault.to_string())),
        }
    }
}
