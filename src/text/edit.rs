//! Edits to a text: sorted, disjoint, and applied as a whole.

use rustpython_text_size::{TextRange, TextSize};
use thiserror::Error;

/// One replacement: the bytes at `range` become `content`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    range: TextRange,
    content: String,
}

impl Edit {
    /// Puts `content` in before the byte `at`.
    #[must_use]
    pub fn insertion(content: String, at: TextSize) -> Self {
        Self {
            range: TextRange::empty(at),
            content,
        }
    }

    /// Removes the bytes at `range`.
    #[must_use]
    pub fn deletion(range: TextRange) -> Self {
        Self {
            range,
            content: String::new(),
        }
    }

    /// Replaces the bytes at `range` by `content`.
    #[must_use]
    pub fn replacement(content: String, range: TextRange) -> Self {
        Self { range, content }
    }

    /// The byte range that is replaced; empty for an insertion.
    #[must_use]
    pub fn range(&self) -> TextRange {
        self.range
    }

    /// The text put in; empty for a deletion.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }
}

/// Whether two edits at these ranges want the same bytes; what is put in between two bytes wants both.
#[must_use]
pub fn overlap(one: TextRange, other: TextRange) -> bool {
    one.start() < other.end() && other.start() < one.end()
}

/// Byte ranges with what belongs to each, to find those that overlap another.
#[derive(Debug)]
pub struct RangeIndex<T> {
    /// Sorted by their starts.
    ranges: Vec<(TextRange, T)>,
    /// For each range the last end of it and those before it.
    ends: Vec<TextSize>,
}

impl<T: Copy> RangeIndex<T> {
    /// An index over `ranges`, which may overlap each other.
    pub fn new(ranges: impl Iterator<Item = (TextRange, T)>) -> Self {
        let mut ranges: Vec<(TextRange, T)> = ranges.collect();
        ranges.sort_by_key(|(range, _)| range.start());
        let mut last = TextSize::default();
        let ends = ranges.iter().map(|(range, _)| {
            last = last.max(range.end());
            last
        });
        Self {
            ends: ends.collect(),
            ranges,
        }
    }

    /// What belongs to the ranges that [`overlap`] `range`, the last first.
    pub fn overlapping(&self, range: TextRange) -> impl Iterator<Item = T> {
        let after = self
            .ranges
            .partition_point(|(held, _)| held.start() < range.end());
        let before = self.ranges.iter().zip(&self.ends).take(after).rev();
        before
            .take_while(move |(_, end)| **end > range.start())
            .filter(move |((held, _), _)| overlap(*held, range))
            .map(|((_, value), _)| *value)
    }
}

/// Two edits that want the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("two edits overlap at bytes {first:?} and {second:?}")]
pub struct EditConflict {
    /// The range of the earlier edit.
    pub first: TextRange,
    /// The range of the later one.
    pub second: TextRange,
}

/// A sorted list of disjoint edits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// Sorts `edits` by range and checks that they are disjoint.
    ///
    /// Insertions at one offset keep their order in `edits`; an insertion may touch the start of
    /// a replaced range, and then comes before it.
    ///
    /// # Errors
    /// Returns the first two edits that overlap.
    pub fn new(mut edits: Vec<Edit>) -> Result<Self, EditConflict> {
        edits.sort_by_key(|edit| (edit.range.start(), edit.range.end()));
        for (first, second) in edits.iter().zip(edits.iter().skip(1)) {
            if first.range.end() > second.range.start() {
                return Err(EditConflict {
                    first: first.range,
                    second: second.range,
                });
            }
        }
        Ok(Self(edits))
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The edits in source order.
    pub fn iter(&self) -> std::slice::Iter<'_, Edit> {
        self.0.iter()
    }

    /// Whether an edit wants bytes of `range`.
    #[must_use]
    pub fn want(&self, range: TextRange) -> bool {
        let at = self
            .0
            .partition_point(|edit| edit.range.end() <= range.start());
        let first = self.0.get(at);
        first.is_some_and(|edit| overlap(edit.range, range))
    }

    /// `text` with all edits made; bytes outside their ranges stay as they are.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for edit in &self.0 {
            out.push_str(text.get(done..edit.range.start().to_usize()).unwrap_or(""));
            out.push_str(&edit.content);
            done = edit.range.end().to_usize();
        }
        out.push_str(text.get(done..).unwrap_or(""));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines::offset;

    fn range(start: usize, end: usize) -> TextRange {
        TextRange::new(offset(start), offset(end))
    }

    #[test]
    fn edits_are_applied_in_source_order() {
        let edits = Edits::new(vec![
            Edit::replacement("Y".into(), range(2, 3)),
            Edit::insertion("<".into(), offset(2)),
            Edit::deletion(range(0, 1)),
        ]);
        assert_eq!(edits.map(|edits| edits.apply("abc")), Ok("b<Y".to_owned()));
    }

    #[test]
    fn bytes_are_wanted_by_the_edits_that_overlap_them() {
        let list = vec![
            Edit::deletion(range(0, 2)),
            Edit::insertion("<".into(), offset(2)),
            Edit::insertion("<".into(), offset(5)),
            Edit::deletion(range(6, 9)),
        ];
        let edits = Edits::new(list.clone()).unwrap();
        for start in 0..10 {
            for end in start..10 {
                let range = range(start, end);
                let mut all = list.iter();
                let expected = all.any(|edit| overlap(edit.range(), range));
                assert_eq!(edits.want(range), expected, "{range:?}");
            }
        }
    }

    #[test]
    fn an_index_finds_the_ranges_that_overlap_another() {
        let list = [(4, 9), (0, 2), (2, 2), (1, 7), (5, 5), (8, 9)];
        let list = list.map(|(start, end)| range(start, end));
        let index = RangeIndex::new(list.iter().copied().zip(0..));
        for start in 0..10 {
            for end in start..10 {
                let range = range(start, end);
                let all = list.iter().zip(0..);
                let expected = all.filter(|(held, _)| overlap(**held, range));
                let expected: Vec<i32> = expected.map(|(_, at)| at).collect();
                let mut found: Vec<i32> = index.overlapping(range).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{range:?}");
            }
        }
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let edits = vec![Edit::deletion(range(0, 2)), Edit::deletion(range(1, 3))];
        assert_eq!(
            Edits::new(edits),
            Err(EditConflict {
                first: range(0, 2),
                second: range(1, 3)
            })
        );
    }
}
