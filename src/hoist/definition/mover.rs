//! Copying a text of the module to another place line by line, without changing its tokens.

use rustc_hash::FxHashMap;
use rustpython_text_size::TextLen;

use super::Content;
use super::alignment::{Continuation, continuations, holds};
use crate::hoist::layout::Layout;
use crate::python::tokens;
use crate::text::{TextRange, TextSize};

/// The last column of a bracket that lines are aligned with. Behind a literal in one huge line, the
/// indentation of many lines would be as huge.
const WIDEST: usize = 1000;

/// Copies a range line by line, to column 0 or below a prefix.
pub(super) struct Mover<'l, 'a> {
    layout: &'l Layout<'a>,
    range: TextRange,
    indentation: &'a str,
    /// What its further lines are indented by.
    prefix: String,
    newline: &'l str,
    strings: Vec<TextRange>,
    continuations: Vec<Continuation>,
    /// The comments that are left out.
    left_out: Vec<TextRange>,
    /// By how many columns the indentation of a line was changed for an alignment's sake.
    shifts: FxHashMap<usize, isize>,
    /// Where the copied parts of lines start in the original, and at which byte of `out`.
    copied: Vec<(TextSize, usize)>,
    out: &'l mut String,
}

impl<'l, 'a> Mover<'l, 'a> {
    /// A mover of `range` to the end of `out`, whose last line stands before it.
    pub(super) fn new(
        out: &'l mut String,
        layout: &'l Layout<'a>,
        range: TextRange,
        newline: &'l str,
    ) -> Self {
        let strings = tokens::strings(layout.tokens(), range);
        Self {
            layout,
            range,
            indentation: layout.indentation(layout.lines().line_of(range.start())),
            prefix: String::new(),
            newline,
            continuations: continuations(layout, range, &strings),
            strings,
            left_out: Vec::new(),
            shifts: FxHashMap::default(),
            copied: Vec::new(),
            out,
        }
    }

    /// Copies the range; the `substitutions`, in source order, take the place of what they name.
    pub(super) fn copy_with(mut self, substitutions: &[(TextRange, Content)]) {
        let mut at = self.range.start();
        for (range, content) in substitutions {
            if range.start() >= at && range.end() <= self.range.end() {
                self.copy(TextRange::new(at, range.start()));
                self.put_in(content);
                at = range.end();
            }
        }
        self.copy(TextRange::new(at, self.range.end().max(at)));
    }

    fn put_in(&mut self, content: &Content) {
        match content {
            Content::Text(text) => self.out.push_str(text),
            Content::Expression {
                range,
                parenthesized,
                with_comments,
            } => {
                let line = last_line(self.out);
                let text = line.trim_start_matches([' ', '\t']);
                let prefix = line.strip_suffix(text).unwrap_or_default().to_owned();
                if *parenthesized {
                    self.out.push('(');
                }
                let mut inner = Mover::new(self.out, self.layout, *range, self.newline);
                inner.prefix = prefix;
                if !with_comments {
                    inner.left_out = tokens::comments(self.layout.tokens(), *range);
                }
                inner.copy_with(&[]);
                if *parenthesized {
                    self.out.push(')');
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
            let text = self.layout.slice(part);
            let is_start = part.start() == full.start() && !holds(&self.strings, part.start());
            let (indentation, text) = if is_start {
                self.indented(line, text)
            } else {
                (String::new(), text)
            };
            let start = part.end() - text.text_len();
            let breaks = text.ends_with(['\n', '\r']) && !holds(&self.strings, part.end());
            if !breaks {
                self.push(&indentation, start, text);
                continue;
            }
            let full_body = text.trim_end_matches(['\n', '\r']);
            let body = self.without_comment(part, full_body);
            if is_start && body.is_empty() && !full_body.is_empty() {
                continue;
            }
            let indentation = if body.is_empty() { "" } else { &indentation };
            self.push(indentation, start, body);
            self.out.push_str(self.newline);
        }
    }

    /// Writes `text`, which starts at `start` in the original.
    fn push(&mut self, indentation: &str, start: TextSize, text: &str) {
        self.out.push_str(indentation);
        self.copied.push((start, self.out.len()));
        self.out.push_str(text);
    }

    /// The indentation of a line that starts with `text`, and the text that it stands before.
    fn indented<'t>(&mut self, line: usize, text: &'t str) -> (String, &'t str) {
        let text = text.strip_prefix(self.indentation).unwrap_or(text);
        let body = text.trim_start_matches(' ');
        let usual = self.prefix.len() + (text.len() - body.len());
        match self.column_of(line, usual) {
            Some(column) if !self.prefix.contains(|c| c != ' ') => {
                let shift = column.cast_signed() - usual.cast_signed();
                self.shifts.insert(line, shift);
                (" ".repeat(column), body)
            }
            _ => (self.prefix.clone(), text),
        }
    }

    /// The column of a line that would usually start at `usual`, when it is aligned with a bracket
    /// or its bracket was opened in a line that was shifted.
    fn column_of(&self, line: usize, usual: usize) -> Option<usize> {
        let known = &self.continuations;
        let at = known.binary_search_by_key(&line, |found| found.line).ok()?;
        let found = known.get(at)?;
        if found.aligned {
            return self.new_column(found.bracket).map(|column| column + 1);
        }
        let opened_in = self.layout.lines().line_of(found.bracket);
        let shift = self.shifts.get(&opened_in)?;
        Some(usual.saturating_add_signed(*shift))
    }

    /// The column in the new text, in characters, of what stood at `at`; `None` behind a tab, and
    /// beyond `WIDEST`.
    fn new_column(&self, at: TextSize) -> Option<usize> {
        let next = self.copied.partition_point(|(start, _)| *start <= at);
        let (start, copied_to) = self.copied.get(next.checked_sub(1)?)?;
        let end = copied_to + (at - *start).to_usize();
        let before = self.out.get(..end)?.chars().rev();
        let mut column = 0;
        for character in before.take_while(|c| !matches!(c, '\n' | '\r')) {
            if character == '\t' || column == WIDEST {
                return None;
            }
            column += 1;
        }
        Some(column)
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
}

/// The text behind the last line break.
fn last_line(text: &str) -> &str {
    text.rsplit(['\n', '\r']).next().unwrap_or_default()
}
