//! Questions about the tokens of a module: logical lines, strings, comments, line breaks.

use rustpython_ast::token::{Token, TokenKind, Tokens};
use rustpython_text_size::{Ranged, TextRange, TextSize};

/// The tokens that start inside `range`; unlike the parser's own lookups it accepts any range.
#[must_use]
pub fn starting_in(tokens: &Tokens, range: TextRange) -> &[Token] {
    let first = tokens.partition_point(|token| token.start() < range.start());
    let end = tokens.partition_point(|token| token.start() < range.end());
    tokens.get(first..end).unwrap_or(&[])
}

/// The tokens that start before `at`.
#[must_use]
pub fn before(tokens: &Tokens, at: TextSize) -> &[Token] {
    starting_in(tokens, TextRange::up_to(at))
}

/// The tokens that start at `at` or later.
#[must_use]
pub fn after(tokens: &Tokens, at: TextSize) -> &[Token] {
    let first = tokens.partition_point(|token| token.start() < at);
    tokens.get(first..).unwrap_or(&[])
}

/// Whether the token separates lines or blocks and is no part of a statement.
fn is_layout(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::NonLogicalNewline | TokenKind::Comment | TokenKind::Indent | TokenKind::Dedent
    )
}

/// The kind of the last token before `at` that is no comment, blank line or change of indentation.
#[must_use]
pub fn kind_before(tokens: &Tokens, at: TextSize) -> Option<TokenKind> {
    let mut kinds = before(tokens, at).iter().rev().map(|token| token.kind());
    kinds.find(|kind| !is_layout(*kind))
}

/// The kind of the first token at `at` or later that is no comment, blank line or change of indentation.
#[must_use]
pub fn kind_after(tokens: &Tokens, at: TextSize) -> Option<TokenKind> {
    let mut kinds = after(tokens, at).iter().map(|token| token.kind());
    kinds.find(|kind| !is_layout(*kind))
}

/// The end of the last logical line that ends at or before `at` (Language Reference, 2.1.1
/// "Logical lines"); 0 when there is none.
#[must_use]
pub fn previous_logical_line_end(tokens: &Tokens, at: TextSize) -> TextSize {
    before(tokens, at)
        .iter()
        .rev()
        .find(|token| token.kind() == TokenKind::Newline)
        .map_or(TextSize::default(), Ranged::end)
}

/// The start of the logical line that holds `at`: where the comment, blank or logical line before
/// it ends. It includes lines that hold a backslash only.
#[must_use]
pub fn logical_line_start(tokens: &Tokens, at: TextSize) -> TextSize {
    let mut depth = 0_usize;
    for token in before(tokens, at).iter().rev() {
        match token.kind() {
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth += 1,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                depth = depth.saturating_sub(1);
            }
            TokenKind::Newline => return token.end(),
            TokenKind::NonLogicalNewline if depth == 0 => return token.end(),
            _ => {}
        }
    }
    TextSize::default()
}

/// The tokens that end a logical line after a statement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineTail {
    /// A `;` directly after the statement.
    pub semicolon: Option<TextRange>,
    /// The comment at the end of the logical line; `None` when another statement comes first.
    pub comment: Option<TextRange>,
    /// Whether another statement follows on the logical line.
    pub another_statement: bool,
    /// The byte after the line ending of the logical line that holds the statement.
    pub end: TextSize,
}

/// What follows a statement that ends at `at` on its logical line; `text_end` is the end of the text.
#[must_use]
pub fn line_tail(tokens: &Tokens, at: TextSize, text_end: TextSize) -> LineTail {
    let mut tail = LineTail {
        end: text_end,
        ..LineTail::default()
    };
    for token in after(tokens, at) {
        match token.kind() {
            TokenKind::Newline => {
                tail.end = token.end();
                break;
            }
            TokenKind::Semi if tail.semicolon.is_none() && !tail.another_statement => {
                tail.semicolon = Some(token.range());
            }
            TokenKind::Comment if !tail.another_statement => tail.comment = Some(token.range()),
            kind if is_layout(kind) || kind == TokenKind::EndOfFile => {}
            _ => tail.another_statement = true,
        }
    }
    tail
}

/// The ranges of the outermost strings inside `range`, in source order. An f-string or t-string
/// counts as a whole, with its replacement fields.
#[must_use]
pub fn strings(tokens: &Tokens, range: TextRange) -> Vec<TextRange> {
    let mut strings = Vec::new();
    let mut open: Vec<TextSize> = Vec::new();
    for token in starting_in(tokens, range) {
        match token.kind() {
            TokenKind::String if open.is_empty() => strings.push(token.range()),
            TokenKind::FStringStart | TokenKind::TStringStart => open.push(token.start()),
            TokenKind::FStringEnd | TokenKind::TStringEnd => {
                if let (Some(start), true) = (open.pop(), open.is_empty()) {
                    strings.push(TextRange::new(start, token.end()));
                }
            }
            _ => {}
        }
    }
    strings
}

/// The comments that start inside `range`, in source order.
#[must_use]
pub fn comments(tokens: &Tokens, range: TextRange) -> Vec<TextRange> {
    starting_in(tokens, range)
        .iter()
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(Ranged::range)
        .collect()
}

/// Whether a line ends inside `range` where only brackets outside of it make that legal.
#[must_use]
pub fn breaks_line_outside_brackets(tokens: &Tokens, range: TextRange) -> bool {
    let mut depth = 0_usize;
    for token in starting_in(tokens, range) {
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                depth = depth.saturating_sub(1);
            }
            TokenKind::NonLogicalNewline if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse;
    use crate::text::lines::{offset, slice};
    use rustpython_text_size::TextLen;

    fn whole(text: &str) -> TextRange {
        TextRange::up_to(text.text_len())
    }

    #[test]
    fn a_nested_f_string_counts_as_one_string() {
        let text = "x = f'{f\"{1}\"}' 'b', '''c\n'''\n";
        let module = parse(text).unwrap();
        let found: Vec<_> = strings(module.tokens(), whole(text))
            .into_iter()
            .map(|range| slice(text, range))
            .collect();
        assert_eq!(found, ["f'{f\"{1}\"}'", "'b'", "'''c\n'''"]);
    }

    #[test]
    fn the_tail_of_a_line_knows_its_semicolon_comment_and_end() {
        let text = "a; b  # c\nd";
        let module = parse(text).unwrap();
        let tail = |at| line_tail(module.tokens(), offset(at), text.text_len());
        assert!(tail(1).another_statement && tail(1).comment.is_none());
        assert_eq!(
            tail(1).semicolon,
            Some(TextRange::new(offset(1), offset(2)))
        );
        assert_eq!(tail(4).comment, Some(TextRange::new(offset(6), offset(9))));
        assert_eq!((tail(4).end, tail(11).end), (offset(10), offset(11)));
    }

    #[test]
    fn a_line_that_holds_only_a_backslash_belongs_to_the_next_statement() {
        let text = "a\n# c\n\n\\\nb\n";
        let module = parse(text).unwrap();
        assert_eq!(logical_line_start(module.tokens(), offset(9)), offset(7));
        assert_eq!(
            previous_logical_line_end(module.tokens(), offset(9)),
            offset(2)
        );
    }

    #[test]
    fn a_break_counts_only_outside_the_brackets_of_the_range() {
        let text = "(a\n .b(\n))\n";
        let module = parse(text).unwrap();
        let breaks = |from, to| {
            breaks_line_outside_brackets(module.tokens(), TextRange::new(offset(from), offset(to)))
        };
        assert!(breaks(1, 9));
        assert!(!breaks(4, 9));
    }
}
