//! The text of a module-level definition, made from the bytes of the call or statement that moves.

mod alignment;
mod mover;

use rustpython_ast::{AnyNodeRef, Expr, ExprName};
use rustpython_text_size::Ranged;

use super::layout::Layout;
use super::removal::Removed;
use crate::python::{NodeId, tokens};
use crate::text::TextRange;
use mover::Mover;

/// One module-level statement to be put in, and where its bytes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// A factory call, which becomes `name = <call>`; or a statement, which moves as it is.
    pub node: NodeId,
    /// The module-level name. In a statement it takes the place of a single plain target; other
    /// places (as in attribute writes) are for `substitutions`.
    pub name: String,
    /// Expressions below `node` that are replaced: the range in the original, and what replaces it.
    pub substitutions: Vec<(TextRange, Content)>,
    /// The comments of the removed statement, which move along.
    pub removed: Option<Removed>,
}

/// What takes the place of an expression in a moved text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// This text.
    Text(String),
    /// An expression of the original, whose lines are indented anew.
    Expression {
        /// Its range.
        range: TextRange,
        /// Whether parentheses must be put around it.
        parenthesized: bool,
        /// Whether its comments come along.
        with_comments: bool,
    },
}

impl Piece {
    /// Whether comments outside the statement move along, so that it needs lines of its own.
    #[must_use]
    pub fn has_own_comments(&self) -> bool {
        self.has_comments_above()
            || self
                .removed
                .as_ref()
                .is_some_and(|removed| removed.trailing_comment.is_some())
    }

    /// Whether own-line comments move along.
    #[must_use]
    pub fn has_comments_above(&self) -> bool {
        self.removed
            .as_ref()
            .is_some_and(|removed| !removed.comments_above.is_empty())
    }
}

/// The lines of the definition with its comments, at column 0, without a last line ending.
///
/// Lines that break outside strings end in `newline` and lose exactly the indentation that the
/// moved text had, if they start with it; strings stay byte for byte. Lines that were aligned with
/// an open bracket stay aligned with it, and lines that hang from such a line move along.
#[must_use]
pub fn definition_lines(layout: &Layout<'_>, piece: &Piece, newline: &str) -> String {
    let mut out = String::new();
    let removed = piece.removed.as_ref();
    for comment in removed.map_or(&[][..], |removed| &removed.comments_above) {
        out.push_str(layout.slice(*comment));
        out.push_str(newline);
    }
    push_statement(&mut out, layout, piece, newline);
    if let Some((removed, comment)) =
        removed.and_then(|removed| Some((removed, removed.trailing_comment?)))
    {
        let end = layout.range(removed.statement).end().min(comment.start());
        let space = layout.slice(TextRange::new(end, comment.start()));
        let is_space = !space.is_empty() && space.chars().all(|c| c == ' ' || c == '\t');
        out.push_str(if is_space { space } else { "  " });
        out.push_str(layout.slice(comment));
    }
    out
}

/// Writes the statement of the definition, without comments around it, to the end of `out`, whose
/// last line is what stands before it on its line.
pub fn push_statement(out: &mut String, layout: &Layout<'_>, piece: &Piece, newline: &str) {
    let range = layout.range(piece.node);
    let mut substitutions = piece.substitutions.clone();
    if let Some(target) = plain_target(layout.nodes().get(piece.node)) {
        substitutions.push((target.range(), Content::Text(piece.name.clone())));
    }
    substitutions.sort_by_key(|(range, _)| range.start());
    let is_statement = layout.nodes().get(piece.node).is_statement();
    if !is_statement {
        out.extend([&piece.name, " = "]);
    }
    let text = layout.slice(range);
    if substitutions.is_empty() && !text.contains(['\n', '\r']) {
        out.push_str(text);
        return;
    }
    let parenthesized =
        !is_statement && tokens::breaks_line_outside_brackets(layout.tokens(), range);
    if parenthesized {
        out.push('(');
    }
    Mover::new(out, layout, range, newline).copy_with(&substitutions);
    if parenthesized {
        out.push(')');
    }
}

/// The one plain name that an assignment binds.
fn plain_target(node: AnyNodeRef<'_>) -> Option<&ExprName> {
    let AnyNodeRef::StmtAssign(assign) = node else {
        return None;
    };
    match assign.targets.as_slice() {
        [Expr::Name(name)] => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hoist::layout::testing::{call, statement, with_layout};
    use crate::hoist::removal::remove_statements;

    fn piece(node: NodeId) -> Piece {
        Piece {
            node,
            name: "P".to_owned(),
            substitutions: Vec::new(),
            removed: None,
        }
    }

    #[track_caller]
    fn check_call(before: &str, marker: &str, after: &str) {
        with_layout(before, |layout| {
            let text = definition_lines(layout, &piece(call(layout, marker)), "\n");
            assert_eq!(text, after);
            assert!(crate::python::parse::parse(&text).is_ok());
        });
    }

    #[track_caller]
    fn check_statement(before: &str, marker: &str, after: &str) {
        with_layout(before, |layout| {
            let node = statement(layout, marker);
            let (_, removed) = remove_statements(layout, &[node]).unwrap();
            let piece = Piece {
                removed: removed.into_iter().next(),
                ..piece(node)
            };
            assert_eq!(definition_lines(layout, &piece, "\n"), after);
        });
    }

    #[test]
    fn a_call_gets_the_name_and_keeps_its_bytes() {
        check_call(
            "def f():\n    return nt( 'A',\"x\" )(1)\n",
            "nt( 'A',\"x\" )",
            "P = nt( 'A',\"x\" )",
        );
        check_call(
            "f'''{nt(\"A\",\n  'x')(1)}'''\n",
            "nt(\"A\",\n  'x')",
            "P = nt(\"A\",\n  'x')",
        );
    }

    #[test]
    fn lines_lose_exactly_the_indentation_that_they_start_with() {
        check_statement(
            "def f():\n    X = nt('X',\n\t\t'a',\n  # c\n        'b',\n    )\n    X\n",
            "X = ",
            "P = nt('X',\n\t\t'a',\n  # c\n    'b',\n)",
        );
        check_statement(
            "def f():\n    X = \\\n        nt('X',\n           'a')\n    X\n",
            "X = ",
            "P = \\\n    nt('X',\n       'a')",
        );
        check_call(
            "def f():\n    g(\n        nt(\n            'A'\n        ))\n",
            "nt(",
            "P = nt(\n    'A'\n)",
        );
        check_statement(
            "if a:\n\x0c    X = nt(\n    'a')\n    b\n",
            "X",
            "P = nt(\n'a')",
        );
    }

    #[test]
    fn aligned_lines_follow_their_bracket() {
        check_call(
            "def f():\n    return nt('A',\n              ['a',  # one\n               # two\n\n               'b'],\n              )(1)\n",
            "nt(",
            "P = nt('A',\n       ['a',  # one\n        # two\n\n        'b'],\n       )",
        );
        check_statement(
            "def f():\n    Long = nt('é', g(1,\n                     2), 3,\n              4)\n    Long\n",
            "Long = ",
            "P = nt('é', g(1,\n              2), 3,\n       4)",
        );
        check_call(
            "if a:\n    x = (c\n         .nt('A',\n             'a'))(1)\n",
            "c\n",
            "P = (c\n     .nt('A',\n         'a'))",
        );
        check_call(
            "f'''{nt(1,\n        2)}'''\n",
            "nt(",
            "P = nt(1,\n       2)",
        );
    }

    #[test]
    fn lines_that_hang_from_an_aligned_line_move_along_with_it() {
        check_statement(
            "def f():\n    Long = nt('A',\n              [\n                  'a', '''\n  ''', g(\n                      1,\n                  ),\n              ])\n    Long\n",
            "Long = ",
            "P = nt('A',\n       [\n           'a', '''\n  ''', g(\n                  1,\n              ),\n       ])",
        );
    }

    #[test]
    fn lines_that_are_aligned_with_no_bracket_lose_the_indentation_alone() {
        check_statement(
            "def f():\n    Long = nt('A', 'a '\n                   'b',\n            c)\n    Long\n",
            "Long = ",
            "P = nt('A', 'a '\n               'b',\n        c)",
        );
        check_statement(
            "def f():\n\tLong = nt('A',\n\t          'a')\n\tLong\n",
            "Long = ",
            "P = nt('A',\n          'a')",
        );
    }

    #[test]
    fn no_line_is_aligned_beyond_what_anybody_reads() {
        let before = "if a:\n    X = nt(names, g(1,\n                      2))\n    X\n";
        with_layout(before, |layout| {
            let names = crate::text::lines::offset(before.find("names").unwrap());
            let range = TextRange::at(names, crate::text::lines::offset(5));
            let mut moved = piece(statement(layout, "X = "));
            let long = format!("'{}'", "a".repeat(1000));
            moved.substitutions = vec![(range, Content::Text(long.clone()))];
            let lines = definition_lines(layout, &moved, "\n");
            assert_eq!(lines, format!("P = nt({long}, g(1,\n                  2))"));
        });
    }

    #[test]
    fn strings_stay_byte_for_byte() {
        check_statement(
            "if a:\r\n    X = nt('''l\r\n    m''', f'''{1}\r\n    {2}''', 'a\\\r\n    b',\r\n    1)\r\n    b\r\n",
            "X",
            "P = nt('''l\r\n    m''', f'''{1}\r\n    {2}''', 'a\\\r\n    b',\n1)",
        );
    }

    #[test]
    fn a_break_that_needed_brackets_left_behind_gets_new_ones() {
        check_call(
            "if a:\n    x = (c\n         .nt('A'))(1)\n",
            "c\n",
            "P = (c\n     .nt('A'))",
        );
        check_call(
            "if a:\n    x = (c . nt(\n    'A'))(1)\n",
            "c .",
            "P = c . nt(\n'A')",
        );
    }

    #[test]
    fn comments_of_a_removed_statement_move_along() {
        check_statement(
            "if a:\n    # one\n    # two x\n    X = nt('X')   # three\n    b\n",
            "X",
            "# one\n# two x\nP = nt('X')   # three",
        );
        check_statement(
            "if a:\n    X = nt('X');# three\n    b\n",
            "X",
            "P = nt('X')  # three",
        );
    }

    #[test]
    fn substitutions_are_put_in_also_inside_f_strings() {
        let before = "if a:\n    X = nt('X', names, f'{names}')\n    X.__doc__ = 'd'\n";
        with_layout(before, |layout| {
            let at = |from: usize, len: usize| {
                TextRange::at(
                    crate::text::lines::offset(from),
                    crate::text::lines::offset(len),
                )
            };
            let text = before;
            let first = text.find("names").unwrap();
            let second = text.rfind("names").unwrap();
            let mut moved = piece(statement(layout, "X = "));
            moved.substitutions = vec![
                (at(second, 5), Content::Text("B".to_owned())),
                (at(first, 5), Content::Text("('a',\n    'b')".to_owned())),
            ];
            let lines = definition_lines(layout, &moved, "\n");
            assert_eq!(lines, "P = nt('X', ('a',\n    'b'), f'{B}')");
            let mut write = piece(statement(layout, "X.__doc__"));
            write.substitutions = vec![(
                at(text.find("X.").unwrap(), 1),
                Content::Text("P".to_owned()),
            )];
            assert_eq!(definition_lines(layout, &write, "\n"), "P.__doc__ = 'd'");
        });
    }
}
