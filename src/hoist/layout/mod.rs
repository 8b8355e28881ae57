//! One parsed module as text surgery sees it: its lines, nodes and tokens.

pub(crate) mod gap;
pub(crate) mod marker;
pub(crate) mod suite;

use std::cell::OnceCell;

use rustpython_ast::token::Tokens;
use thiserror::Error;

use marker::is_cell_marker;
use suite::is_import;

use crate::python::tokens;
use crate::python::{NodeId, Nodes};
use crate::text::lines::slice;
use crate::text::{Lines, TextLen, TextRange, TextSize};

/// The text cannot be changed there without touching bytes that must stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the text around byte {at:?} cannot be edited safely")]
pub struct NotEditable {
    /// The byte offset of the statement in question.
    pub at: TextSize,
}

/// One parsed module: the text and all that was derived from it.
#[derive(Debug)]
pub struct Layout<'a> {
    text: &'a str,
    lines: Lines<'a>,
    nodes: &'a Nodes<'a>,
    tokens: &'a Tokens,
    /// The file's blank lines between definitions, once they were looked for.
    separation: OnceCell<usize>,
    /// The indices of the imports in the module's body, once they were asked for.
    imports: OnceCell<Vec<usize>>,
}

impl<'a> Layout<'a> {
    /// The layout of `text`, which `nodes` and `tokens` were parsed from.
    #[must_use]
    pub fn new(text: &'a str, nodes: &'a Nodes<'a>, tokens: &'a Tokens) -> Self {
        Self {
            text,
            lines: Lines::new(text),
            nodes,
            tokens,
            separation: OnceCell::new(),
            imports: OnceCell::new(),
        }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The end of the text.
    #[must_use]
    pub fn end(&self) -> TextSize {
        self.text.text_len()
    }

    /// The first byte after a byte order mark.
    #[must_use]
    pub fn start(&self) -> TextSize {
        let mark = '\u{feff}';
        if self.text.starts_with(mark) {
            mark.text_len()
        } else {
            TextSize::default()
        }
    }

    /// The physical lines.
    #[must_use]
    pub fn lines(&self) -> &Lines<'a> {
        &self.lines
    }

    /// The syntax nodes.
    #[must_use]
    pub fn nodes(&self) -> &'a Nodes<'a> {
        self.nodes
    }

    /// The tokens.
    #[must_use]
    pub fn tokens(&self) -> &'a Tokens {
        self.tokens
    }

    /// The text at `range`.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &'a str {
        slice(self.text, range)
    }

    /// The range of the node.
    #[must_use]
    pub fn range(&self, node: NodeId) -> TextRange {
        self.nodes.range(node)
    }

    /// The 0-based `line` without its line ending and without a byte order mark.
    #[must_use]
    pub fn line(&self, line: usize) -> &'a str {
        self.lines.line(line).trim_start_matches('\u{feff}')
    }

    /// Where insertions at the start of the 0-based `line` go: never before a byte order mark.
    #[must_use]
    pub fn line_start(&self, line: usize) -> TextSize {
        self.lines.start(line).max(self.start())
    }

    /// The blanks and tabs that indent the 0-based `line`; a form feed starts the count anew, as in
    /// CPython's tokenizer.
    #[must_use]
    pub fn indentation(&self, line: usize) -> &'a str {
        let line = self.line(line);
        let body = line.trim_start_matches([' ', '\t', '\x0c']);
        let space = line
            .get(..line.len().saturating_sub(body.len()))
            .unwrap_or("");
        space.rsplit('\x0c').next().unwrap_or(space)
    }

    /// Whether the 0-based `line` holds only blanks, tabs and form feeds; a last line without a
    /// line ending is none.
    #[must_use]
    pub fn is_blank(&self, line: usize) -> bool {
        self.body(line).is_empty() && !self.lines.ending(line).is_empty()
    }

    /// Whether the 0-based `line`, which must lie outside strings, holds only a comment.
    #[must_use]
    pub fn is_comment(&self, line: usize) -> bool {
        self.body(line).starts_with('#')
    }

    /// The indices of the import statements in the module's body.
    #[must_use]
    pub fn imports(&self) -> &[usize] {
        self.imports.get_or_init(|| {
            let body = self.nodes.module().body.iter().enumerate();
            let imports = body.filter(|(_, statement)| is_import(statement));
            imports.map(|(index, _)| index).collect()
        })
    }

    /// The line ending for new lines at `at`: that of the line before, else of the nearest line
    /// that has one.
    #[must_use]
    pub fn newline_at(&self, at: TextSize) -> &'a str {
        let line = self.lines.line_of(at);
        let before = line.checked_sub(1).map(|line| self.lines.ending(line));
        [
            before.unwrap_or(""),
            self.lines.ending(line),
            self.lines.ending(0),
        ]
        .into_iter()
        .find(|ending| !ending.is_empty())
        .unwrap_or("\n")
    }

    /// The 0-based line at which the statement's logical line starts.
    #[must_use]
    pub fn first_line(&self, statement: TextRange) -> usize {
        let start = tokens::logical_line_start(self.tokens, statement.start());
        self.lines.line_of(start)
    }

    /// The first of the own-line comments directly above the 0-based `line` at the indentation
    /// `indentation`, or `line` itself; the lines from `floor` up to `line` must hold nothing but
    /// comments and blanks. A comment that starts a notebook's cell is above them all.
    #[must_use]
    pub fn comments_above(&self, line: usize, indentation: &str, floor: usize) -> usize {
        let mut first = line;
        while first > floor
            && self.is_comment(first - 1)
            && self.indentation(first - 1) == indentation
            && !is_cell_marker(self.body(first - 1))
        {
            first -= 1;
        }
        first
    }

    /// The 0-based line after the last logical line that ends before `at`.
    #[must_use]
    pub fn line_after_previous(&self, at: TextSize) -> usize {
        self.lines
            .line_of(tokens::previous_logical_line_end(self.tokens, at))
    }

    /// The 0-based line after the logical line whose line ending ends at `end`.
    #[must_use]
    pub fn line_from(&self, end: TextSize) -> usize {
        let line = self.lines.line_of(end);
        if self.lines.start(line) == end {
            line
        } else {
            line + 1
        }
    }

    /// The 0-based `line` without surrounding blanks, tabs and form feeds.
    #[must_use]
    pub fn body(&self, line: usize) -> &'a str {
        self.line(line).trim_matches([' ', '\t', '\x0c'])
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Parses a text and hands its layout to a test.

    use super::*;
    use crate::python::parse::parse;
    use crate::text::{Edit, Edits};
    use rustpython_text_size::Ranged;

    /// Runs `test` on the layout of `text`.
    pub(crate) fn with_layout<R>(text: &str, test: impl FnOnce(&Layout<'_>) -> R) -> R {
        let module = parse(text).unwrap();
        let nodes = Nodes::build(module.syntax());
        test(&Layout::new(text, &nodes, module.tokens()))
    }

    /// The innermost statement whose text starts with `marker`.
    pub(crate) fn statement(layout: &Layout<'_>, marker: &str) -> NodeId {
        find(layout, marker, |layout, id| {
            layout.nodes().get(id).is_statement()
        })
    }

    /// The outermost call whose text starts with `marker`.
    pub(crate) fn call(layout: &Layout<'_>, marker: &str) -> NodeId {
        let is_call = |layout: &Layout<'_>, id| {
            let node = layout.nodes().get(id);
            node.is_expr_call() && layout.slice(node.range()).ends_with(')')
        };
        find(layout, marker, is_call)
    }

    fn find(
        layout: &Layout<'_>,
        marker: &str,
        wanted: impl Fn(&Layout<'_>, NodeId) -> bool,
    ) -> NodeId {
        layout
            .nodes()
            .ids()
            .filter(|id| wanted(layout, *id))
            .filter(|id| layout.slice(layout.range(*id)).starts_with(marker))
            .last()
            .unwrap_or_else(|| panic!("{marker} is not in the text"))
    }

    /// The text after `edits`, which must be disjoint and leave a module that parses.
    pub(crate) fn patched(layout: &Layout<'_>, edits: Vec<Edit>) -> String {
        let text = Edits::new(edits).unwrap().apply(layout.text());
        assert!(parse(&text).is_ok(), "no longer parses:\n{text}");
        text
    }
}
