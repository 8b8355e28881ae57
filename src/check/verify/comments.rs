//! Proof 6: the patched text holds the same comments, each as often.

use std::collections::BTreeMap;

use rustpython_ast::token::TokenKind;
use rustpython_text_size::Ranged;

use super::evidence::{Evidence, Side};
use super::{ProofName, VerificationFailure};
use crate::text::TextSize;
use crate::text::lines::slice;

/// Proves that no comment is lost, doubled or changed; where it stands is free.
///
/// # Errors
/// Returns the first comment, by its text, that one side holds more often than the other.
pub(super) fn prove(evidence: &Evidence<'_>) -> Result<(), VerificationFailure> {
    let fail = |message, offset| VerificationFailure {
        check: ProofName::Comments,
        message,
        offset,
    };
    let mut balance: BTreeMap<&str, (isize, TextSize)> = BTreeMap::new();
    for (comment, _) in comments(&evidence.original) {
        balance.entry(comment).or_default().0 -= 1;
    }
    for (comment, offset) in comments(&evidence.patched) {
        let entry = balance.entry(comment).or_default();
        entry.0 += 1;
        entry.1 = offset;
    }
    for (comment, (surplus, offset)) in balance {
        if surplus < 0 {
            return Err(fail(format!("the comment `{comment}` is lost"), offset));
        }
        if surplus > 0 {
            return Err(fail(format!("the comment `{comment}` is put in"), offset));
        }
    }
    Ok(())
}

fn comments<'a>(side: &Side<'a>) -> impl Iterator<Item = (&'a str, TextSize)> {
    side.tokens
        .iter()
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(|token| (slice(side.text, token.range()).trim_end(), token.start()))
}
