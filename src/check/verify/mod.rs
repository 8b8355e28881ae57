//! Proofs that a patched text is what its plan promised, from the two texts and the promise alone.

mod comments;
mod dropped;
mod evidence;
mod inert;
mod instances;
mod kept;
mod made;
mod meaning;
mod members;
mod merged;
mod names;
mod observers;
mod order;
mod parts;
mod removed;
mod step;
pub(super) mod syntax;
mod tree;
mod types;
mod visible;

use std::fmt;

use thiserror::Error;

use crate::hoist::Promise;
use crate::python::Source;
use crate::text::TextSize;
use evidence::Evidence;
pub use removed::{ChangedComment, verify_removals};

/// The proofs that [`verify`] makes, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProofName {
    /// The patched text parses, with no semantic syntax error.
    Syntax,
    /// Both trees are the same but for the promised changes.
    Tree,
    /// Planned references mean the definition, and every other name means what it meant.
    Names,
    /// Nothing reads a definition before it is bound, nor does it read what is bound later.
    Order,
    /// No load of a definition lets the class be told apart from a fresh one.
    Observers,
    /// No comment is lost, doubled or changed.
    Comments,
}

impl ProofName {
    /// All proofs, in the order in which they are tried.
    pub const ALL: [Self; 6] = [
        Self::Syntax,
        Self::Tree,
        Self::Names,
        Self::Order,
        Self::Observers,
        Self::Comments,
    ];
}

impl fmt::Display for ProofName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Syntax => "syntax",
            Self::Tree => "tree",
            Self::Names => "names",
            Self::Order => "order",
            Self::Observers => "observers",
            Self::Comments => "comments",
        })
    }
}

/// Why a patched text is not what was promised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {check} proof failed: {message}")]
pub struct VerificationFailure {
    /// The proof that failed.
    pub check: ProofName,
    /// What is wrong, as a sentence without a place.
    pub message: String,
    /// The byte offset of the fault in the patched text.
    pub offset: TextSize,
}

/// Witness that every proof of [`ProofName::ALL`] holds for a patched text; only [`verify`] makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof(());

/// Proves that `patched` is `original` with the changes of `promise` and no other.
///
/// # Errors
/// Returns the first proof that fails, in the order of [`ProofName::ALL`].
pub fn verify(
    original: &str,
    patched: &str,
    promise: &Promise,
) -> Result<Proof, VerificationFailure> {
    match prove_texts((original, patched), promise, Proofs::UntilOneFails).pop() {
        Some(failure) => Err(failure),
        None => Ok(Proof(())),
    }
}

/// Every proof that fails, each tried on its own; none but [`ProofName::Syntax`] can be tried on a
/// text that is no Python module.
#[must_use]
pub fn failures(original: &str, patched: &str, promise: &Promise) -> Vec<VerificationFailure> {
    prove_texts((original, patched), promise, Proofs::All)
}

/// How many of the proofs are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proofs {
    UntilOneFails,
    All,
}

fn prove_texts(
    (original, patched): (&str, &str),
    promise: &Promise,
    proofs: Proofs,
) -> Vec<VerificationFailure> {
    let proven = syntax::read_original(original, |original| {
        syntax::read_patched(patched, |patched| prove(original, patched, promise, proofs))
    });
    match proven {
        Ok(Ok(failures)) => failures,
        Ok(Err(failure)) | Err(failure) => vec![failure],
    }
}

/// Makes the proofs behind [`ProofName::Syntax`], which who read both texts has made; returns what
/// fails.
pub(super) fn prove(
    original: &Source<'_>,
    patched: &Source<'_>,
    promise: &Promise,
    wanted: Proofs,
) -> Vec<VerificationFailure> {
    let evidence = Evidence::new(*original, *patched, promise);
    let proofs = [
        tree::prove,
        names::prove,
        order::prove,
        observers::prove,
        comments::prove,
    ];
    let mut failures = Vec::new();
    for proof in proofs {
        failures.extend(proof(&evidence).err());
        if wanted == Proofs::UntilOneFails && !failures.is_empty() {
            break;
        }
    }
    failures
}
