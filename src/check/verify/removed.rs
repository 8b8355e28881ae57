//! Proof that a text lost nothing but own comments, and of these no more than was promised.

use std::collections::BTreeMap;

use rustpython_ast::token::{Token, TokenKind};
use rustpython_text_size::Ranged;

use super::{ProofName, VerificationFailure};
use crate::python::Source;
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
    original: &Source<'_>,
    patched: &Source<'_>,
    changed: &[ChangedComment],
) -> Result<(), VerificationFailure> {
    same_tokens(original, patched)?;
    let mut balance: BTreeMap<String, isize> = BTreeMap::new();
    let mut count = |text: &str, by: isize| {
        for piece in spelled_pieces(text) {
            *balance.entry(piece).or_default() += by;
        }
    };
    for comment in comments(original) {
        count(comment, 1);
    }
    for comment in comments(patched) {
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
    let spelled = pieces(comment, false).into_iter().map(|piece| {
        let text = comment.get(piece.range).unwrap_or("").trim_end();
        let hash = if piece.is_bare { "# " } else { "" };
        format!("{hash}{text}")
    });
    spelled.collect()
}

fn comments<'a>(source: &Source<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let Source { text, tokens, .. } = *source;
    let tokens = tokens.iter();
    tokens
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(|token| slice(text, token.range()))
}

fn same_tokens(original: &Source<'_>, patched: &Source<'_>) -> Result<(), VerificationFailure> {
    let mut before = original.tokens.iter().filter(|token| is_syntax(token));
    let mut after = patched.tokens.iter().filter(|token| is_syntax(token));
    loop {
        let (one, other) = (before.next(), after.next());
        let wanted = one.map(|token| (token.kind(), spelling(original.text, token)));
        let found = other.map(|token| (token.kind(), spelling(patched.text, token)));
        if wanted != found {
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

#[cfg(test)]
mod tests {
    use super::super::syntax::read_patched;
    use super::*;
    use crate::python::source::read;

    const BEFORE: &str =
        "def f():\n    # a\n    return '# b'  # c  # hoist-namedtuple: ignore[X, Y] why\n";

    /// Which proof fails when `patched` is said to be the text with the last comment cut to `after`.
    fn failing(patched: &str, after: &str) -> Option<ProofName> {
        let changed = ChangedComment {
            before: "# c  # hoist-namedtuple: ignore[X, Y] why".to_owned(),
            after: after.to_owned(),
        };
        let proven = read(BEFORE, |before| {
            read_patched(patched, |after| verify_removals(before, after, &[changed]))
        });
        let proven = proven.unwrap().flatten();
        proven.err().map(|failure| failure.check)
    }

    #[test]
    fn a_text_without_what_was_promised_passes() {
        let cut = BEFORE.replace("  # hoist-namedtuple: ignore[X, Y] why", "");
        assert_eq!(failing(&cut, "# c"), None);
        let shorter = BEFORE.replace("[X, Y]", "[Y]");
        let after = "# c  # hoist-namedtuple: ignore[Y] why";
        assert_eq!(failing(&shorter, after), None);
    }

    #[test]
    fn a_text_that_lost_or_got_anything_else_fails() {
        let cut = BEFORE.replace("  # hoist-namedtuple: ignore[X, Y] why", "");
        for (patched, proof) in [
            (BEFORE.to_owned(), ProofName::Comments),
            (cut.replace("  # c", ""), ProofName::Comments),
            (cut.replace("    # a\n", ""), ProofName::Comments),
            (cut.replace("# c", "# d"), ProofName::Comments),
            (cut.replace("# a", "# a\n    # a"), ProofName::Comments),
            (cut.replace("'# b'", "''"), ProofName::Tree),
            (cut.replace("return ", "return  1 "), ProofName::Syntax),
            (cut.replace("return", "yield"), ProofName::Tree),
            (cut.replace("    return", "return"), ProofName::Syntax),
            (format!("{cut}pass\n"), ProofName::Tree),
        ] {
            assert_eq!(failing(&patched, "# c"), Some(proof), "{patched}");
        }
    }
}
