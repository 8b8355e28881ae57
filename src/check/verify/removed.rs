//! Proof that a text lost nothing but own comments, and of these no more than was promised.

use std::collections::BTreeMap;

use rustpython_ast::token::{Token, TokenKind};
use rustpython_text_size::Ranged;

use super::{ProofName, VerificationFailure, syntax};
use crate::python::ParsedModule;
use crate::rule::suppression::own::pieces;
use crate::text::TextSize;
use crate::text::lines::slice;

/// What is promised of one comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedComment {
    /// The text of its token.
    pub before: String,
    /// What is left of it; empty when it goes.
    pub after: String,
}

/// Proves that `patched` has the very tokens of `original`, and so its tree, and its comments but for
/// what `changed` says of them.
///
/// # Errors
/// Returns what else differs.
pub fn verify_removals(
    original: &str,
    patched: &str,
    changed: &[ChangedComment],
) -> Result<(), VerificationFailure> {
    let (before, after) = syntax::parse_both(original, patched)?;
    same_tokens((original, &before), (patched, &after))?;
    let mut balance: BTreeMap<String, isize> = BTreeMap::new();
    let mut count = |text: &str, by: isize| {
        for piece in spelled_pieces(text) {
            *balance.entry(piece).or_default() += by;
        }
    };
    for comment in comments(original, &before) {
        count(comment, 1);
    }
    for comment in comments(patched, &after) {
        count(comment, -1);
    }
    for comment in changed {
        count(&comment.before, -1);
        count(&comment.after, 1);
    }
    match balance.into_iter().find(|(_, surplus)| *surplus != 0) {
        None => Ok(()),
        Some((piece, surplus)) => {
            let what = if surplus > 0 { "lost" } else { "put in" };
            Err(VerificationFailure {
                check: ProofName::Comments,
                message: format!("the comment `{piece}` is {what}"),
                offset: TextSize::default(),
            })
        }
    }
}

/// The pieces of a comment, each with a `#`.
fn spelled_pieces(comment: &str) -> Vec<String> {
    let spelled = pieces(comment).into_iter().map(|piece| {
        let text = comment.get(piece.range).unwrap_or("").trim_end();
        let hash = if piece.is_bare { "# " } else { "" };
        format!("{hash}{text}")
    });
    spelled.collect()
}

fn comments<'a>(text: &'a str, parsed: &'a ParsedModule) -> impl Iterator<Item = &'a str> {
    let tokens = parsed.tokens().iter();
    tokens
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(|token| slice(text, token.range()))
}

fn same_tokens(
    (original, before): (&str, &ParsedModule),
    (patched, after): (&str, &ParsedModule),
) -> Result<(), VerificationFailure> {
    let mut before = before.tokens().iter().filter(|token| is_syntax(token));
    let mut after = after.tokens().iter().filter(|token| is_syntax(token));
    loop {
        let (one, other) = (before.next(), after.next());
        let shown = |text, token: Option<&Token>| {
            token.map(|token| (token.kind(), spelling(text, token).to_owned()))
        };
        if shown(original, one) != shown(patched, other) {
            return Err(VerificationFailure {
                check: ProofName::Tree,
                message: "more than a comment is changed".to_owned(),
                offset: other.map(Ranged::start).unwrap_or_default(),
            });
        }
        if one.is_none() {
            return Ok(());
        }
    }
}

fn is_syntax(token: &Token) -> bool {
    !matches!(
        token.kind(),
        TokenKind::Comment | TokenKind::NonLogicalNewline
    )
}

/// The text of the token; line ends and changes of indentation say all by their kind.
fn spelling<'t>(text: &'t str, token: &Token) -> &'t str {
    match token.kind() {
        TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent => "",
        _ => slice(text, token.range()),
    }
}
