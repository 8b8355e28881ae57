//! Removing statements so that what stays is laid out as if they had never been there.

use std::collections::BTreeMap;
use std::ops::Range;

use rustpython_ast::{Expr, Stmt};
use rustpython_text_size::Ranged;

use super::layout::marker::is_region_marker;
use super::layout::suite::{Position, is_compound, is_string, position, share_line, starts_line};
use super::layout::{Layout, NotEditable};
use crate::python::tokens::{LineTail, line_tail};
use crate::python::{NodeId, tokens};
use crate::text::{Edit, TextLen, TextRange, TextSize};

/// A removed statement and its comments, which are removed with it and should move along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The statement.
    pub statement: NodeId,
    /// The own-line comments directly above it at its indentation, in source order.
    pub comments_above: Vec<TextRange>,
    /// The comment at the end of its line.
    pub trailing_comment: Option<TextRange>,
}

/// The edits that delete `statements`, all simple ones, and what they take along, in source order.
///
/// A suite that becomes empty gets a `pass`. A statement that shares its line leaves the others
/// and all comments there as they are. Blank lines around a removed line shrink to the longer run.
///
/// # Errors
/// When a statement is compound, or when a string would become a docstring (hazard 80).
pub fn remove_statements(
    layout: &Layout<'_>,
    statements: &[NodeId],
) -> Result<(Vec<Edit>, Vec<Removed>), NotEditable> {
    let mut suites: BTreeMap<TextSize, SuiteRemoval<'_>> = BTreeMap::new();
    for &statement in statements {
        let position = position(layout, statement)?;
        let key = position
            .suite
            .first()
            .map(Ranged::start)
            .unwrap_or_default();
        suites
            .entry(key)
            .or_insert_with(|| SuiteRemoval::new(position))
            .removed
            .insert(position.index, statement);
    }
    let mut removal = Removal {
        layout,
        edits: Vec::new(),
        chunks: Vec::new(),
        removed: Vec::new(),
    };
    for suite in suites.values() {
        suite.check()?;
        removal.suite(suite);
    }
    removal.removed.sort_by_key(|removed| removed.statement);
    Ok((removal.finish(), removal.removed))
}

/// What goes from one suite.
struct SuiteRemoval<'a> {
    position: Position<'a>,
    removed: BTreeMap<usize, NodeId>,
}

impl<'a> SuiteRemoval<'a> {
    fn new(position: Position<'a>) -> Self {
        Self {
            position,
            removed: BTreeMap::new(),
        }
    }

    fn statement(&self, index: usize) -> Option<&'a Stmt> {
        self.position.suite.get(index)
    }

    /// The byte range of the statements at `indices`, which is not empty.
    fn range(&self, indices: &Range<usize>) -> TextRange {
        let start = self.statement(indices.start).map(Ranged::start);
        let end = self
            .statement(indices.end.saturating_sub(1))
            .map(Ranged::end);
        let start = start.unwrap_or_default();
        TextRange::new(start, end.unwrap_or(start).max(start))
    }

    fn is_emptied(&self) -> bool {
        self.removed.len() == self.position.suite.len() && !self.position.owner.is_mod_module()
    }

    /// Refuses compound statements and a removal that makes a docstring.
    fn check(&self) -> Result<(), NotEditable> {
        for &index in self.removed.keys() {
            if let Some(statement) = self.statement(index).filter(|found| is_compound(found)) {
                return Err(NotEditable {
                    at: statement.start(),
                });
            }
        }
        let first_kept = (0..self.position.suite.len()).find(|at| !self.removed.contains_key(at));
        match first_kept.and_then(|at| self.statement(at)) {
            Some(kept)
                if self.removed.contains_key(&0)
                    && self.position.takes_docstring()
                    && is_string(kept) =>
            {
                Err(NotEditable { at: kept.start() })
            }
            _ => Ok(()),
        }
    }

    /// The index ranges of the statements that share a logical line, for lines that lose one: of those that
    /// stay there, only the next to one that goes.
    fn lines(&self, layout: &Layout<'_>) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        for &index in self.removed.keys() {
            if lines.last().is_some_and(|line| line.contains(&index)) {
                continue;
            }
            let joined = |first: usize| match (self.statement(first), self.statement(first + 1)) {
                (Some(first), Some(second)) => share_line(layout, first, second),
                _ => false,
            };
            let mut line = index..index + 1;
            let goes = |at: usize| self.removed.contains_key(&at);
            while goes(line.start) && line.start > 0 && joined(line.start - 1) {
                line.start -= 1;
            }
            while goes(line.end - 1) && joined(line.end - 1) {
                line.end += 1;
            }
            lines.push(line);
        }
        lines
    }
}

/// Whole lines that go, 0-based.
#[derive(Debug, Clone)]
struct Chunk {
    lines: Range<usize>,
    /// The line after the logical line before it; only comments and blanks lie between.
    floor: usize,
    opens_suite: bool,
    closes_suite: bool,
}

struct Removal<'l, 'a> {
    layout: &'l Layout<'a>,
    edits: Vec<Edit>,
    chunks: Vec<Chunk>,
    removed: Vec<Removed>,
}

impl Removal<'_, '_> {
    fn suite(&mut self, suite: &SuiteRemoval<'_>) {
        for (nth, line) in suite.lines(self.layout).into_iter().enumerate() {
            if !line.clone().all(|index| suite.removed.contains_key(&index)) {
                self.part_of_line(suite, &line);
            } else if suite.is_emptied() && nth == 0 {
                self.pass(suite, &line);
            } else {
                self.whole_line(suite, &line);
            }
        }
    }

    /// Removes some of the statements of one line; comments stay with the others.
    fn part_of_line(&mut self, suite: &SuiteRemoval<'_>, line: &Range<usize>) {
        let mut index = line.start;
        while index < line.end {
            let first = index;
            while index < line.end && suite.removed.contains_key(&index) {
                index += 1;
            }
            if first == index {
                index += 1;
                continue;
            }
            let run = suite.range(&(first..index));
            let range = match suite.statement(index).filter(|_| index < line.end) {
                Some(next) => TextRange::new(run.start(), next.start()),
                None => {
                    let kept = suite.statement(first.saturating_sub(1)).map(Ranged::end);
                    TextRange::new(kept.unwrap_or(run.start()).min(run.start()), run.end())
                }
            };
            self.edits.push(Edit::deletion(range));
            self.record(suite, &(first..index), (Vec::new(), None));
        }
    }

    /// Puts `pass` in the place of a suite's first line, all of which goes.
    fn pass(&mut self, suite: &SuiteRemoval<'_>, line: &Range<usize>) {
        let range = suite.range(line);
        let tail = self.tail(range);
        let mut end = tail.semicolon.map_or(range.end(), TextRange::end);
        let mut comments = (Vec::new(), None);
        if starts_line(self.layout, range.start()) {
            let first = self.layout.first_line(range);
            let above = self.comments_from(range)..first;
            if !above.is_empty() {
                self.edits.push(Edit::deletion(self.line_range(&above)));
            }
            end = tail.comment.map_or(end, TextRange::end);
            comments = (self.comments(&above), tail.comment);
        }
        let range = TextRange::new(range.start(), end);
        self.edits.push(Edit::replacement("pass".to_owned(), range));
        self.record(suite, line, comments);
    }

    /// Removes a line with the comments directly above it.
    fn whole_line(&mut self, suite: &SuiteRemoval<'_>, line: &Range<usize>) {
        let range = suite.range(line);
        let tail = self.tail(range);
        let first = self.layout.first_line(range);
        let mut above = self.comments_from(range)..first;
        if self.heads_what_follows(suite, line, &above) {
            above.start = first;
        }
        self.chunks.push(Chunk {
            lines: above.start..self.layout.line_from(tail.end),
            floor: self.layout.line_after_previous(range.start()),
            opens_suite: line.start == 0,
            closes_suite: line.end == suite.position.suite.len(),
        });
        self.record(suite, line, (self.comments(&above), tail.comment));
    }

    /// Notes the statements at `indices` as removed: the comments above go with the first, the
    /// trailing one with the last.
    fn record(
        &mut self,
        suite: &SuiteRemoval<'_>,
        indices: &Range<usize>,
        (above, trailing): (Vec<TextRange>, Option<TextRange>),
    ) {
        let mut above = Some(above);
        for index in indices.clone() {
            if let Some(&statement) = suite.removed.get(&index) {
                self.removed.push(Removed {
                    statement,
                    comments_above: above.take().unwrap_or_default(),
                    trailing_comment: trailing.filter(|_| index + 1 == indices.end),
                });
            }
        }
    }

    fn tail(&self, range: TextRange) -> LineTail {
        line_tail(self.layout.tokens(), range.end(), self.layout.end())
    }

    /// The first line of the comments that move with the statement at `range`, or its own.
    fn comments_from(&self, range: TextRange) -> usize {
        let layout = self.layout;
        let line = layout.first_line(range);
        let indentation = layout.indentation(layout.lines().line_of(range.start()));
        let floor = layout.line_after_previous(range.start());
        let first = layout.comments_above(line, indentation, floor);
        let marker = (first..line).rfind(|line| is_region_marker(layout.body(*line)));
        marker.map_or(first, |marker| marker + 1)
    }

    /// Whether the comments above a binding speak of the lines below it, which follow without a blank
    /// line, rather than of what is bound: they name neither it nor the class, and no tool.
    fn heads_what_follows(
        &self,
        suite: &SuiteRemoval<'_>,
        line: &Range<usize>,
        above: &Range<usize>,
    ) -> bool {
        let (layout, suites) = (self.layout, &suite.position.suite);
        let (Some(binding), Some(next)) = (suite.statement(line.start), suites.get(line.end))
        else {
            return false;
        };
        let stays = (line.end..suites.len()).any(|index| !suite.removed.contains_key(&index));
        let end = layout.line_from(self.tail(suite.range(line)).end);
        let follows = (end..layout.first_line(next.range())).all(|line| !layout.is_blank(line));
        let text = layout.slice(self.line_range(above)).to_lowercase();
        let mut named = bound_words(binding).into_iter();
        let mut words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
        stays
            && follows
            && binds_a_name(binding)
            && !named.any(|name| words.any(|word| word == name))
            && !TOOLS.iter().any(|tool| text.contains(tool))
    }

    fn comments(&self, lines: &Range<usize>) -> Vec<TextRange> {
        tokens::comments(self.layout.tokens(), self.line_range(lines))
    }

    fn line_range(&self, lines: &Range<usize>) -> TextRange {
        let start = self.layout.line_start(lines.start);
        TextRange::new(start, self.layout.line_start(lines.end).max(start))
    }

    /// All edits, with those that delete whole lines and the blank lines that are then too many.
    fn finish(&mut self) -> Vec<Edit> {
        self.chunks.sort_by_key(|chunk| chunk.lines.start);
        let mut merged: Vec<Chunk> = Vec::new();
        for chunk in self.chunks.drain(..) {
            match merged.last_mut() {
                Some(last)
                    if (last.lines.end..chunk.lines.start)
                        .all(|line| is_plain_blank(self.layout, line)) =>
                {
                    last.lines.end = chunk.lines.end;
                    last.closes_suite = chunk.closes_suite;
                }
                _ => merged.push(chunk),
            }
        }
        let mut edits = std::mem::take(&mut self.edits);
        edits.extend(merged.iter().map(|chunk| self.deletion(chunk)));
        edits
    }

    fn deletion(&self, chunk: &Chunk) -> Edit {
        let blank = |line: &usize| is_plain_blank(self.layout, *line);
        let Range { start, end } = chunk.lines;
        let before = (chunk.floor..start).rev().take_while(blank).count();
        let after = (end..self.layout.lines().count()).take_while(blank).count();
        let follows_header = chunk.opens_suite && start == chunk.floor;
        let lines = if chunk.closes_suite || (before < after && !follows_header) {
            start - before..end
        } else {
            start..end + after.min(if follows_header { after } else { before })
        };
        let mut range = self.line_range(&lines);
        let unended = !self.layout.text().ends_with(['\n', '\r']);
        if let (true, Some(previous)) = (
            unended && range.end() == self.layout.end(),
            lines.start.checked_sub(1),
        ) {
            let body = self.layout.lines().line(previous);
            let kept = self.layout.lines().start(previous) + body.text_len();
            range = TextRange::new(kept, range.end());
        }
        Edit::deletion(range)
    }
}

/// Words by which comments speak to tools.
const TOOLS: [&str; 9] = [
    "noqa",
    "hoist-namedtuple:",
    "pylint:",
    "type:",
    "pragma",
    "nosec",
    "pyright:",
    "mypy:",
    "fmt:",
];

fn binds_a_name(statement: &Stmt) -> bool {
    let assign = statement.as_assign_stmt();
    assign.is_some_and(|assign| assign.targets.iter().all(Expr::is_name_expr))
}

/// The name that the statement binds and the first string in the call that it binds, in lower case.
fn bound_words(statement: &Stmt) -> Vec<String> {
    let Stmt::Assign(assign) = statement else {
        return vec![];
    };
    let targets = assign.targets.iter().filter_map(Expr::as_name_expr);
    let arguments = assign.value.as_call_expr().map(|call| &call.arguments);
    let typename = arguments
        .and_then(|arguments| arguments.find_argument_value("typename", 0))
        .and_then(Expr::as_string_literal_expr)
        .map(|typename| typename.value.to_str().to_lowercase());
    let targets = targets.map(|target| target.id.to_lowercase());
    targets.chain(typename).collect()
}

/// Whether the line is blank without a form feed, which someone put there on purpose.
fn is_plain_blank(layout: &Layout<'_>, line: usize) -> bool {
    layout.is_blank(line) && !layout.line(line).contains('\x0c')
}

#[cfg(test)]
mod tests;
