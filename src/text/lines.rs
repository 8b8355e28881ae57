//! The lines of a source text as CPython's tokenizer sees them.

use std::cell::OnceCell;

use rustpython_text_size::{TextLen, TextRange, TextSize};

/// A place in a source text as people count: 1-based row, 1-based column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The 1-based row.
    pub row: usize,
    /// The 1-based column, in characters (Unicode scalar values).
    pub column: usize,
}

/// An index over the lines of one text.
///
/// A line ends at `\n`, `\r\n` or a lone `\r`, as in CPython's universal newlines (Language
/// Reference, 2.1.2 "Physical lines"); a form feed ends no line.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<TextSize>,
    /// For each block of [`BLOCK`] bytes how many before it start no character; empty for ASCII. Only who
    /// asks for a column needs it.
    inner: OnceCell<Vec<usize>>,
}

/// The bytes of a block.
const BLOCK: usize = 4096;

impl<'a> Lines<'a> {
    /// Indexes `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![TextSize::default()];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // Of `\r\n` the second ends the line.
            if bytes.get(at..at + 2) != Some(b"\r\n") {
                starts.push(offset(at + 1));
            }
        }
        Self {
            text,
            starts,
            inner: OnceCell::new(),
        }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The 0-based line that holds the byte `at`; the end of the text belongs to the last line.
    #[must_use]
    pub fn line_of(&self, at: TextSize) -> usize {
        self.starts
            .partition_point(|start| *start <= at)
            .saturating_sub(1)
    }

    /// The byte offset at which the 0-based `line` starts; the end of the text when there is no such line.
    #[must_use]
    pub fn start(&self, line: usize) -> TextSize {
        self.starts
            .get(line)
            .copied()
            .unwrap_or(self.text.text_len())
    }

    /// The range of the 0-based `line` with its line ending.
    #[must_use]
    pub fn full_range(&self, line: usize) -> TextRange {
        TextRange::new(self.start(line), self.start(line + 1))
    }

    /// The 0-based `line` with its line ending.
    #[must_use]
    pub fn full_line(&self, line: usize) -> &'a str {
        slice(self.text, self.full_range(line))
    }

    /// The 0-based `line` without its line ending.
    #[must_use]
    pub fn line(&self, line: usize) -> &'a str {
        self.full_line(line).trim_end_matches(['\n', '\r'])
    }

    /// The line ending of the 0-based `line`, or `""` when the text ends without one.
    #[must_use]
    pub fn ending(&self, line: usize) -> &'a str {
        let full = self.full_line(line);
        full.get(self.line(line).len()..).unwrap_or("")
    }

    /// The number of lines; a text that ends in a line ending has an empty last line.
    #[must_use]
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The 1-based row and column (in characters) of the byte `at`.
    #[must_use]
    pub fn location(&self, at: TextSize) -> Location {
        let line = self.line_of(at);
        let (start, end) = (self.start(line).to_usize(), at.to_usize());
        let before = match self.text.get(start..end) {
            Some(before) => before.len() - (self.inner_before(end) - self.inner_before(start)),
            None => 0,
        };
        Location {
            row: line + 1,
            column: before + 1,
        }
    }

    /// How many bytes before the byte `at` start no character.
    fn inner_before(&self, at: usize) -> usize {
        let block = at / BLOCK;
        let inner = self.inner.get_or_init(|| inner_bytes(self.text));
        let Some(count) = inner.get(block) else {
            return 0;
        };
        let rest = self.text.as_bytes().get(block * BLOCK..at);
        count + rest.map_or(0, count_inner)
    }
}

/// What [`Lines::inner`] holds for `text`.
fn inner_bytes(text: &str) -> Vec<usize> {
    if text.is_ascii() {
        return vec![];
    }
    let mut count = 0;
    let blocks = text.as_bytes().chunks(BLOCK).map(count_inner);
    let counts = blocks.map(|inner| {
        count += inner;
        count
    });
    std::iter::once(0).chain(counts).collect()
}

/// How many of `bytes` start no character (RFC 3629, 3 "UTF-8 definition").
fn count_inner(bytes: &[u8]) -> usize {
    let inner = bytes.iter().filter(|byte| **byte & 0xC0 == 0x80);
    inner.count()
}

/// The text at `range`, or `""` when the range does not lie on character boundaries inside `text`.
#[must_use]
pub fn slice(text: &str, range: TextRange) -> &str {
    text.get(range.start().to_usize()..range.end().to_usize())
        .unwrap_or("")
}

/// `at` as a text size; texts are capped far below 4 GiB, so it saturates only in theory.
#[must_use]
pub fn offset(at: usize) -> TextSize {
    TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_newline_style_ends_a_line_and_a_form_feed_does_not() {
        let lines = Lines::new("a\r\nb\rc\nd\x0ce");
        assert_eq!(lines.count(), 4);
        let all: Vec<_> = (0..4).map(|n| (lines.line(n), lines.ending(n))).collect();
        assert_eq!(
            all,
            [("a", "\r\n"), ("b", "\r"), ("c", "\n"), ("d\x0ce", "")]
        );
    }

    #[test]
    fn columns_count_characters() {
        let lines = Lines::new("x\n\u{1F600}é = 1");
        assert_eq!(
            lines.location(offset(2 + 6)),
            Location { row: 2, column: 3 }
        );
    }

    #[test]
    fn columns_far_along_a_line_count_characters_too() {
        let text = format!("x\n{}y", "a\u{1F600}é".repeat(3000));
        let lines = Lines::new(&text);
        let starts = text.char_indices().skip(2).step_by(97);
        for (number, (at, _)) in starts.enumerate() {
            let column = number * 97 + 1;
            assert_eq!(lines.location(offset(at)), Location { row: 2, column });
        }
        let column = 1;
        assert_eq!(lines.location(offset(4)), Location { row: 2, column });
    }
}
