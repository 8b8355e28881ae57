//! The text of a module-level definition, made from the bytes of the call or statement that moves.

use rustpython_ast::{AnyNodeRef, Expr, ExprName};
use rustpython_text_size::Ranged;

use super::layout::Layout;
use super::removal::Removed;
use crate::python::{NodeId, tokens};
use crate::text::{TextRange, TextSize};

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
/// moved text had, if they start with it; strings stay byte for byte.
#[must_use]
pub fn definition_lines(layout: &Layout<'_>, piece: &Piece, newline: &str) -> String {
    let mut out = String::new();
    let removed = piece.removed.as_ref();
    for comment in removed.map_or(&[][..], |removed| &removed.comments_above) {
        out.push_str(layout.slice(*comment));
        out.push_str(newline);
    }
    out.push_str(&statement_text(layout, piece, newline));
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

/// The statement of the definition without comments around it.
#[must_use]
pub fn statement_text(layout: &Layout<'_>, piece: &Piece, newline: &str) -> String {
    let range = layout.range(piece.node);
    let mut substitutions = piece.substitutions.clone();
    let is_statement = layout.nodes().get(piece.node).is_statement();
    if let Some(target) = plain_target(layout.nodes().get(piece.node)) {
        substitutions.push((target.range(), Content::Text(piece.name.clone())));
    }
    substitutions.sort_by_key(|(range, _)| range.start());
    let text = Mover::new(layout, range, newline).moved(&substitutions);
    if is_statement {
        text
    } else if tokens::breaks_line_outside_brackets(layout.tokens(), range) {
        format!("{} = ({text})", piece.name)
    } else {
        format!("{} = {text}", piece.name)
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

/// Copies a range line by line, to column 0 or below a prefix.
struct Mover<'l, 'a> {
    layout: &'l Layout<'a>,
    range: TextRange,
    indentation: &'a str,
    /// What its further lines are indented by.
    prefix: String,
    newline: &'l str,
    strings: Vec<TextRange>,
    /// The comments that are left out.
    left_out: Vec<TextRange>,
    out: String,
}

impl<'l, 'a> Mover<'l, 'a> {
    fn new(layout: &'l Layout<'a>, range: TextRange, newline: &'l str) -> Self {
        Self {
            layout,
            range,
            indentation: layout.indentation(layout.lines().line_of(range.start())),
            prefix: String::new(),
            newline,
            strings: tokens::strings(layout.tokens(), range),
            left_out: Vec::new(),
            out: String::new(),
        }
    }

    fn moved(mut self, substitutions: &[(TextRange, Content)]) -> String {
        let mut at = self.range.start();
        for (range, content) in substitutions {
            if range.start() >= at && range.end() <= self.range.end() {
                self.copy(TextRange::new(at, range.start()));
                self.put_in(content);
                at = range.end();
            }
        }
        self.copy(TextRange::new(at, self.range.end().max(at)));
        self.out
    }

    fn put_in(&mut self, content: &Content) {
        match content {
            Content::Text(text) => self.out.push_str(text),
            Content::Expression {
                range,
                parenthesized,
                with_comments,
            } => {
                let mut inner = Mover::new(self.layout, *range, self.newline);
                let line = self.out.rsplit(['\n', '\r']).next().unwrap_or_default();
                let text = line.trim_start_matches([' ', '\t']);
                inner.prefix = line.strip_suffix(text).unwrap_or_default().to_owned();
                if !with_comments {
                    inner.left_out = tokens::comments(self.layout.tokens(), *range);
                }
                let text = inner.moved(&[]);
                if *parenthesized {
                    self.out.extend(["(", &text, ")"]);
                } else {
                    self.out.push_str(&text);
                }
            }
        }
    }

    fn copy(&mut self, range: TextRange) {
        let lines = self.layout.lines();
        for line in lines.line_of(range.start())..=lines.line_of(range.end()) {
            let full = lines.full_range(line);
            let Some(part) = full.intersect(range).filter(|part| !part.is_empty()) else {
                continue;
            };
            let mut text = self.layout.slice(part);
            let is_start = part.start() == full.start() && !self.in_string(part.start());
            if is_start {
                text = text.strip_prefix(self.indentation).unwrap_or(text);
            }
            let breaks = text.ends_with(['\n', '\r']) && !self.in_string(part.end());
            if !breaks {
                self.indent(is_start);
                self.out.push_str(text);
                continue;
            }
            let full_body = text.trim_end_matches(['\n', '\r']);
            let body = self.without_comment(part, full_body);
            if is_start && body.is_empty() && !full_body.is_empty() {
                continue;
            }
            self.indent(is_start && !body.is_empty());
            self.out.push_str(body);
            self.out.push_str(self.newline);
        }
    }

    fn indent(&mut self, is_start: bool) {
        if is_start {
            self.out.push_str(&self.prefix);
        }
    }

    /// The text of the line without a comment that is left out, and the blanks before it.
    fn without_comment<'t>(&self, line: TextRange, text: &'t str) -> &'t str {
        let mut comments = self.left_out.iter();
        match comments.find(|comment| line.contains_range(**comment)) {
            Some(comment) => text
                .strip_suffix(self.layout.slice(*comment))
                .unwrap_or(text)
                .trim_end_matches([' ', '\t', '\x0c']),
            None => text,
        }
    }

    /// Whether a string goes on across `at`.
    fn in_string(&self, at: TextSize) -> bool {
        let next = self.strings.partition_point(|string| string.end() <= at);
        self.strings
            .get(next)
            .is_some_and(|string| string.start() < at)
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
