//! Proof 1: the patched text is a Python module that CPython compiles.

use super::{ProofName, VerificationFailure};
use crate::python::Source;
use crate::python::source::read;
use crate::text::TextSize;

/// Reads the original and hands it to `work`.
///
/// # Errors
/// Says that the original is no module.
pub(super) fn read_original<T>(
    original: &str,
    work: impl FnOnce(&Source<'_>) -> T,
) -> Result<T, VerificationFailure> {
    read(original, work).map_err(|error| VerificationFailure {
        check: ProofName::Syntax,
        message: format!("the original is no module: {error}"),
        offset: TextSize::default(),
    })
}

/// Reads the patched text and hands it to `work`.
///
/// # Errors
/// Returns the first fault of the patched text.
pub(in crate::check) fn read_patched<T>(
    patched: &str,
    work: impl FnOnce(&Source<'_>) -> T,
) -> Result<T, VerificationFailure> {
    read(patched, work).map_err(|error| VerificationFailure {
        check: ProofName::Syntax,
        message: error.to_string(),
        offset: error.offset,
    })
}
