//! The lines inside brackets of a text, and which of them are aligned with their bracket.

use rustpython_ast::token::{Token, TokenKind};
use rustpython_text_size::Ranged;

use crate::hoist::layout::Layout;
use crate::python::tokens;
use crate::text::{TextRange, TextSize};

/// A line that starts inside brackets, outside strings, and is indented by spaces alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Continuation {
    /// The 0-based line.
    pub line: usize,
    /// The start of the innermost bracket that is open where the line starts.
    pub bracket: TextSize,
    /// Whether the line's first character stands in the column directly behind the bracket, which is
    /// followed by more than a comment on its line (a "visual indent" of PEP 8).
    pub aligned: bool,
}

/// A bracket that is open.
#[derive(Debug, Clone, Copy)]
struct Open {
    start: TextSize,
    /// Whether nothing but a comment follows on its line.
    is_last: bool,
}

/// The continuation lines of `range` inside brackets of its own, in order; `strings` are its
/// strings. Blank lines are none.
pub(super) fn continuations(
    layout: &Layout<'_>,
    range: TextRange,
    strings: &[TextRange],
) -> Vec<Continuation> {
    let tokens = tokens::starting_in(layout.tokens(), range);
    let mut line = layout.lines().line_of(range.start());
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let token_line = layout.lines().line_of(token.start());
        if token_line > line && token.kind() != TokenKind::NonLogicalNewline {
            line = token_line;
            let bracket = open.last().filter(|_| !starts_in(strings, layout, line));
            found.extend(bracket.and_then(|open| continuation(layout, line, token, *open)));
        }
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => open.push(Open {
                start: token.start(),
                is_last: is_last(layout, token, tokens.get(at + 1)),
            }),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                open.pop();
            }
            _ => {}
        }
    }
    found
}

/// The line that `first` starts, unless other blanks than spaces indent it.
fn continuation(
    layout: &Layout<'_>,
    line: usize,
    first: &Token,
    open: Open,
) -> Option<Continuation> {
    let indentation = layout.slice(TextRange::new(layout.line_start(line), first.start()));
    let aligned = !open.is_last && stands_at(layout, open.start, indentation.len());
    let is_plain = indentation.bytes().all(|byte| byte == b' ');
    is_plain.then_some(Continuation {
        line,
        bracket: open.start,
        aligned,
    })
}

/// Whether the column behind the bracket at `start` is `column`, and no tab makes it another one.
fn stands_at(layout: &Layout<'_>, start: TextSize, column: usize) -> bool {
    let line = layout.line_start(layout.lines().line_of(start));
    let before = layout.slice(TextRange::new(line, start));
    // The count stops early, so that a long line is not counted for each line below it.
    before.chars().take(column).count() + 1 == column && !before.contains('\t')
}

/// Whether the line starts inside one of the strings.
fn starts_in(strings: &[TextRange], layout: &Layout<'_>, line: usize) -> bool {
    holds(strings, layout.lines().start(line))
}

/// Whether one of the strings, which are in source order, goes on across `at`.
pub(super) fn holds(strings: &[TextRange], at: TextSize) -> bool {
    let next = strings.partition_point(|string| string.end() <= at);
    strings.get(next).is_some_and(|string| string.start() < at)
}

fn is_last(layout: &Layout<'_>, bracket: &Token, next: Option<&Token>) -> bool {
    let lines = layout.lines();
    next.is_none_or(|next| {
        matches!(
            next.kind(),
            TokenKind::Comment | TokenKind::NonLogicalNewline
        ) || lines.line_of(next.start()) > lines.line_of(bracket.start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hoist::layout::testing::with_layout;

    /// The 1-based rows of the aligned lines, and of the other continuation lines.
    fn rows(text: &str) -> (Vec<usize>, Vec<usize>) {
        let mut rows = (vec![], vec![]);
        with_layout(text, |layout| {
            let range = TextRange::up_to(layout.end());
            let strings = tokens::strings(layout.tokens(), range);
            for found in continuations(layout, range, &strings) {
                if found.aligned {
                    rows.0.push(found.line + 1);
                } else {
                    rows.1.push(found.line + 1);
                }
            }
        });
        rows
    }

    #[test]
    fn a_line_directly_behind_its_innermost_bracket_is_aligned() {
        assert_eq!(
            rows("f(a,\n  # c\n\n  [b,\n   c],\n  )\n"),
            (vec![2, 4, 5, 6], vec![])
        );
        assert_eq!(rows("f(a, \\\n  b)\n"), (vec![2], vec![]));
        assert_eq!(
            rows("f(a,\n b,\n   c, g(d,\n  e))\n"),
            (vec![], vec![2, 3, 4])
        );
    }

    #[test]
    fn a_line_below_a_bracket_that_is_last_on_its_line_hangs() {
        assert_eq!(rows("f(\n  a)\n"), (vec![], vec![2]));
        assert_eq!(rows("f(  # c\n  a)\n"), (vec![], vec![2]));
        assert_eq!(rows("f(\\\n  a)\n"), (vec![], vec![2]));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(rows("\u{feff}é(a,\n  b)\n"), (vec![2], vec![]));
    }

    #[test]
    fn a_tab_before_the_bracket_or_the_line_hides_an_alignment() {
        assert_eq!(rows("if a:\n\tf(a,\n   b)\n"), (vec![], vec![3]));
        assert_eq!(rows("f(a,\n\t b)\n"), (vec![], vec![]));
        assert_eq!(rows("f(a,\n\x0c  b)\n"), (vec![], vec![]));
    }

    #[test]
    fn lines_that_start_in_strings_or_outside_brackets_are_none() {
        assert_eq!(
            rows("f('''a\n  b''', f'''{g(\n  1)}\n''',\n  c)\n"),
            (vec![5], vec![])
        );
        assert_eq!(rows("f = \\\n  b\n"), (vec![], vec![]));
    }
}
