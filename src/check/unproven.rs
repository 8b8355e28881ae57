//! Why a set of fixes is not made: what its proofs said.

use super::replan::ReplanFailure;
use super::verify::{ProofName, VerificationFailure};
use crate::text::{Lines, Location};

/// Why a set of fixes is not made.
#[derive(Debug, Clone)]
pub(super) enum Unproven {
    /// The edits cannot be laid out.
    NotEditable(String),
    /// These proofs of the patched text failed, in their order.
    Failed(Vec<FailedProof>),
    /// Planning the patched text again would change it again.
    Replan(ReplanFailure),
}

/// A proof that failed.
#[derive(Debug, Clone)]
pub(super) struct FailedProof {
    pub(super) proof: ProofName,
    /// What is wrong, as a sentence without a place.
    pub(super) message: String,
    /// Where the fault stands in the patched text.
    pub(super) at: Location,
}

impl Unproven {
    /// The failures of proofs of the text `patched`.
    pub(super) fn of(failures: Vec<VerificationFailure>, patched: &str) -> Self {
        let lines = Lines::new(patched);
        let failed = failures.into_iter().map(|failure| FailedProof {
            proof: failure.check,
            at: lines.location(failure.offset),
            message: failure.message,
        });
        Self::Failed(failed.collect())
    }
}

/// A fix that was withdrawn.
#[derive(Debug, Clone)]
pub(super) struct Withdrawal {
    /// Why it is not made.
    pub(super) why: Unproven,
    /// Whether it passes alone, and fails with the other fixes of the file.
    pub(super) together: bool,
    /// What was decided about the call, for its trace; empty when no trace is wanted.
    pub(super) decided: Vec<String>,
}
