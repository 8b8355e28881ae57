//! The fix of a hoist that settles comments too: its edits leave out the comments that are removed.

use std::sync::Arc;

use super::comment_removal::removals;
use super::patch::Checker;
use super::subject::Subject;
use super::unused::origins;
use crate::rule::suppression::usage::Unused;
use crate::rule::{Definition, Fix};
use crate::text::lines::offset;
use crate::text::{Edit, Edits, TextLen, TextRange};

impl Checker<'_> {
    /// `hoist`, a fix in the subject's text and its definition, without the comments `unused` in the
    /// text that it makes; `None` when its edits cannot tell that.
    pub(super) fn without_comments(
        &self,
        subject: &Subject<'_, '_>,
        (fix, definition): (&Fix, Option<&Definition>),
        unused: &[&Unused],
    ) -> Option<(Arc<Fix>, Option<Arc<Definition>>)> {
        let edits = Edits::new(fix.edits().cloned().collect()).ok()?;
        let hoisted = edits.apply(self.text);
        let joined = self.request.with_subject(&hoisted, |after| {
            let origins = origins(subject, after, Some(&edits));
            let moved = |unused: &&Unused| {
                let origin = Some(unused.comment);
                let comment = origins.iter().position(|found| *found == origin)?;
                Some(Unused {
                    comment,
                    ..(*unused).clone()
                })
            };
            let there: Vec<Unused> = unused.iter().map(moved).collect::<Option<_>>()?;
            let removals = removals(after, &there.iter().collect::<Vec<_>>());
            let count: usize = removals.iter().map(|removal| removal.comments.len()).sum();
            let later = removals.into_iter().flat_map(|removal| removal.edits);
            let later = Edits::new(later.collect()).ok()?;
            let joined = (count == there.len()).then(|| joined(&edits, &later))??;
            let definition = definition.map(|definition| Definition {
                text: part_without(&hoisted, &definition.text, &later),
                ..definition.clone()
            });
            Some((joined, definition))
        });
        let (edits, definition) = joined.ok()??;
        Some((Arc::new(fix.with_edits(edits)), definition.map(Arc::new)))
    }
}

/// `part`, which stands in `text`, with the edits of `text` that lie inside it.
fn part_without(text: &str, part: &str, edits: &Edits) -> String {
    let Some(start) = text.find(part).map(offset) else {
        return part.to_owned();
    };
    let range = TextRange::at(start, part.text_len());
    let inside = edits
        .iter()
        .filter(|edit| range.contains_range(edit.range()));
    let inside = inside.map(|edit| {
        let range = edit.range() - start;
        Edit::replacement(edit.content().to_owned(), range)
    });
    Edits::new(inside.collect()).map_or_else(|_| part.to_owned(), |edits| edits.apply(part))
}

/// An edit, and where what it puts in stands in the text that its list makes, in bytes.
struct Made {
    start: usize,
    end: usize,
    range: TextRange,
    content: String,
}

/// The edits that make at once what `first` and then `later` make; `None` when an edit of `later`
/// wants bytes that an edit of `first` put in, and others.
fn joined(first: &Edits, later: &Edits) -> Option<Edits> {
    let mut made = made(first);
    let mut others = vec![];
    // From the end, so that what comes before in the same content stays where it is.
    for edit in later.iter().rev() {
        let (start, end) = (
            edit.range().start().to_usize(),
            edit.range().end().to_usize(),
        );
        let inside = |made: &&mut Made| made.start <= start && end <= made.end;
        if let Some(made) = made
            .iter_mut()
            .find(|made| made.start < made.end && inside(made))
        {
            let bytes = start - made.start..end - made.start;
            made.content.get(bytes.clone())?;
            made.content.replace_range(bytes, edit.content());
            continue;
        }
        if made.iter().any(|made| made.start < end && start < made.end) {
            return None;
        }
        let before = made.iter().rfind(|made| made.end <= start);
        let moved = |at: usize| match before {
            Some(made) => made.range.end() + offset(at - made.end),
            None => offset(at),
        };
        let range = TextRange::new(moved(start), moved(end));
        others.push(Edit::replacement(edit.content().to_owned(), range));
    }
    let made = made
        .into_iter()
        .map(|made| Edit::replacement(made.content, made.range));
    Edits::new(made.chain(others).collect()).ok()
}

fn made(edits: &Edits) -> Vec<Made> {
    let (mut at, mut done) = (0, 0);
    let made = edits.iter().map(|edit| {
        let range = edit.range();
        let start = at + (range.start().to_usize() - done);
        at = start + edit.content().len();
        done = range.end().to_usize();
        Made {
            start,
            end: at,
            range,
            content: edit.content().to_owned(),
        }
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, content: &str) -> Edit {
        let range = TextRange::new(offset(start), offset(end));
        Edit::replacement(content.to_owned(), range)
    }

    fn edits(list: &[Edit]) -> Edits {
        Edits::new(list.to_vec()).unwrap()
    }

    #[test]
    fn two_lists_of_edits_become_one() {
        let text = "0123456789";
        let first = edits(&[edit(2, 2, "abcd"), edit(4, 6, ""), edit(8, 9, "xyz")]);
        let hoisted = first.apply(text);
        assert_eq!(hoisted, "01abcd2367xyz9");
        for later in [
            edits(&[edit(3, 4, "")]),
            edits(&[edit(2, 3, "A"), edit(4, 6, ""), edit(10, 13, "")]),
            edits(&[
                edit(0, 1, ""),
                edit(6, 8, ""),
                edit(9, 10, "_"),
                edit(13, 14, ""),
            ]),
        ] {
            let joined = joined(&first, &later).unwrap();
            assert_eq!(joined.apply(text), later.apply(&hoisted));
        }
    }

    #[test]
    fn a_part_loses_what_lies_inside_it() {
        let later = edits(&[edit(1, 2, ""), edit(4, 5, "x"), edit(6, 8, "")]);
        assert_eq!(part_without("0123456789", "3456", &later), "3x56");
        assert_eq!(part_without("0123456789", "none", &later), "none");
    }

    #[test]
    fn an_edit_across_the_border_of_another_is_not_joined() {
        let first = edits(&[edit(2, 2, "abcd"), edit(4, 6, "")]);
        for later in [
            edit(1, 3, ""),
            edit(5, 7, ""),
            edit(7, 9, ""),
            edit(0, 9, ""),
        ] {
            assert_eq!(joined(&first, &edits(&[later])), None);
        }
    }
}
