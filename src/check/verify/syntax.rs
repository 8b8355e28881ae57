//! Proof 1: the patched text is a Python module that CPython compiles.

use super::{ProofName, VerificationFailure};
use crate::python::ParsedModule;
use crate::python::parse::parse;
use crate::text::TextSize;

/// Parses the original and the patched text.
///
/// # Errors
/// Returns the first fault of the patched text, or says that the original is no module.
pub(super) fn parse_both(
    original: &str,
    patched: &str,
) -> Result<(ParsedModule, ParsedModule), VerificationFailure> {
    let before = parse(original).map_err(|error| VerificationFailure {
        check: ProofName::Syntax,
        message: format!("the original is no module: {error}"),
        offset: TextSize::default(),
    })?;
    let after = parse(patched).map_err(|error| VerificationFailure {
        check: ProofName::Syntax,
        message: error.to_string(),
        offset: error.offset,
    })?;
    Ok((before, after))
}
