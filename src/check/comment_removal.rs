//! The edits that take own comments, or some of their codes, out of a text.

use std::collections::{BTreeMap, BTreeSet};

use super::subject::Subject;
use crate::python::tokens;
use crate::rule::OwnComment;
use crate::rule::suppression::Position;
use crate::rule::suppression::own::{Directive, Entry, has_reason, pieces};
use crate::rule::suppression::usage::{Part, Unused};
use crate::text::lines::{offset, slice};
use crate::text::{Edit, Lines, TextLen, TextRange};

/// The edits of one comment's token, which may hold several own comments.
#[derive(Debug, Clone)]
pub(super) struct Removal {
    /// The numbers of the own comments that go or lose codes.
    pub(super) comments: Vec<usize>,
    /// The token.
    pub(super) token: TextRange,
    /// What is left of it.
    pub(super) remainder: String,
    /// The edits, in source order.
    pub(super) edits: Vec<Edit>,
}

/// What Python takes for blanks in a line.
const BLANKS: [char; 3] = [' ', '\t', '\x0c'];

/// The removals of all of `unused`, laid out together, in source order. Where the text around a
/// comment must stay as it is, there is none.
pub(super) fn removals(subject: &Subject<'_, '_>, unused: &[&Unused]) -> Vec<Removal> {
    let mut by_token: BTreeMap<_, Vec<&Unused>> = BTreeMap::new();
    let own = subject.suppressions.own();
    for unused in unused {
        if let Some(comment) = own.get(unused.comment) {
            let of_token = by_token.entry(comment.token.start()).or_default();
            of_token.push(*unused);
        }
    }
    let module = subject.inquiry.module;
    let all = TextRange::up_to(module.text.text_len());
    let mut remover = Remover {
        subject,
        strings: tokens::strings(module.tokens, all),
        head: head(module.layout.lines()),
        gone: BTreeSet::new(),
        deleted: BTreeSet::new(),
    };
    let of_tokens = by_token.values();
    of_tokens
        .filter_map(|unused| remover.remove(unused))
        .collect()
}

struct Remover<'r, 's, 'a> {
    subject: &'r Subject<'s, 'a>,
    /// The strings of the text, in source order.
    strings: Vec<TextRange>,
    /// The number of lines that open the text and hold nothing but comments.
    head: usize,
    /// The 0-based lines whose only comment is gone.
    gone: BTreeSet<usize>,
    /// Those of them that are gone with their line.
    deleted: BTreeSet<usize>,
}

impl Remover<'_, '_, '_> {
    fn text(&self) -> &str {
        self.subject.inquiry.module.text
    }

    fn remove(&mut self, unused: &[&Unused]) -> Option<Removal> {
        let own = self.subject.suppressions.own();
        let first = own.get(unused.first()?.comment)?;
        let text = slice(self.text(), first.token);
        // They are in source order.
        let start = own.partition_point(|comment| comment.token.start() < first.token.start());
        let of_token = own.iter().enumerate().skip(start);
        let of_token = of_token.take_while(|(_, comment)| comment.token == first.token);
        let lost: Vec<Option<&Part>> = of_token
            .map(|(number, _)| {
                let mut unused = unused.iter();
                unused
                    .find(|unused| unused.comment == number)
                    .map(|unused| &unused.part)
            })
            .collect();
        let is_alone = first.position != Position::Trailing;
        let takes_reason = unused.iter().any(|unused| self.takes_reason(unused));
        if is_alone && takes_reason && self.goes_on_below(first.token) {
            return None;
        }
        let remainder = remainder((text, is_alone), &lost);
        let edits = self.edits(first, &remainder)?;
        Some(Removal {
            comments: unused.iter().map(|unused| unused.comment).collect(),
            token: first.token,
            remainder,
            edits,
        })
    }

    /// Whether the reason of the comment would go with it.
    fn takes_reason(&self, unused: &Unused) -> bool {
        let own = self.subject.suppressions.own().get(unused.comment);
        unused.part == Part::Whole
            && own.is_some_and(|own| has_reason(slice(self.text(), own.range), &own.directive))
    }

    /// Whether the line below the comment, which is alone on its line, is a comment as far from the
    /// margin, with which its reason may go on: none of our own.
    fn goes_on_below(&self, token: TextRange) -> bool {
        let lines = self.subject.inquiry.module.layout.lines();
        let row = lines.line_of(token.start());
        let margin = slice(
            lines.text(),
            TextRange::new(lines.start(row), token.start()),
        );
        if row + 1 >= lines.count() {
            return false;
        }
        let below = lines.line(row + 1).strip_prefix(margin);
        below.is_some_and(|below| {
            let first = pieces(below, true).into_iter().next();
            below.starts_with('#') && first.is_none_or(|piece| piece.own.is_none())
        })
    }

    /// The edits that leave `remainder` of the comment's token; `None` when it has to stay.
    fn edits(&mut self, comment: &OwnComment, remainder: &str) -> Option<Vec<Edit>> {
        let module = self.subject.inquiry.module;
        let lines = module.layout.lines();
        let row = lines.line_of(comment.token.start());
        let line = TextRange::new(lines.start(row), comment.token.start());
        let before = slice(module.text, line);
        let is_alone = before.trim_matches(BLANKS).is_empty();
        let above = row.checked_sub(1).map_or("", |above| lines.line(above));
        let text = slice(module.text, comment.token);
        let declares_encoding = row < 2 && is_alone && encoding(text) != encoding(remainder);
        if declares_encoding
            || (is_alone && above.ends_with('\\'))
            || (is_alone && wakes(text, remainder))
            || self.is_in_string(comment.token)
        {
            return None;
        }
        if !remainder.is_empty() {
            return Some(vec![narrowed(comment.token, text, remainder)]);
        }
        if !is_alone {
            let kept = before.trim_end_matches([' ', '\t']);
            let start = line.start() + kept.text_len();
            let range = TextRange::new(start, comment.token.end());
            return Some(vec![Edit::deletion(range)]);
        }
        Some(self.line(comment, row))
    }

    /// Whether the comment is part of an f-string, which may show its own source.
    fn is_in_string(&self, token: TextRange) -> bool {
        let strings = &self.strings;
        let at = strings.partition_point(|string| string.end() <= token.start());
        let first = strings.get(at);
        first.is_some_and(|string| string.contains_range(token))
    }

    /// Takes the comment, which is alone on the line `row`, away with its line.
    fn line(&mut self, comment: &OwnComment, row: usize) -> Vec<Edit> {
        let lines = self.subject.inquiry.module.layout.lines();
        let must_part = self.must_part(comment, row);
        self.gone.insert(row);
        let start = lines.start(row);
        let before = slice(lines.text(), TextRange::new(start, comment.token.start()));
        let feed = before.rfind('\x0c').map(|at| offset(at + 1));
        if must_part || feed.is_some() {
            let start = start + feed.unwrap_or_default();
            let range = TextRange::new(start, comment.token.end());
            return vec![Edit::deletion(range)];
        }
        self.deleted.insert(row);
        let line = Edit::deletion(lines.full_range(row));
        if !lines.ending(row).is_empty() {
            return vec![line];
        }
        // The text ends without a line ending, and still does when the last kept line loses its own.
        let kept = (0..row).rev().find(|row| !self.deleted.contains(row));
        let ending = kept.map(|kept| {
            let end = lines.start(kept) + lines.line(kept).text_len();
            Edit::deletion(TextRange::new(end, lines.start(kept + 1)))
        });
        ending.into_iter().chain([line]).collect()
    }

    /// Whether the line has to stay, as an empty one: else a comment above it would come to silence
    /// the statement below it, or a line below it to declare the file's encoding or interpreter.
    fn must_part(&self, comment: &OwnComment, row: usize) -> bool {
        let above = row
            .checked_sub(1)
            .filter(|above| !self.gone.contains(above));
        let silences = above.is_some_and(|above| {
            let codes = self.subject.inquiry.module.registry.codes().into_iter();
            let codes: Vec<_> = codes.map(|(_, code)| code).collect();
            self.subject.suppressions.silences_below(above, &codes)
        });
        (comment.position == Position::Alone && silences) || self.heads_declaration(row)
    }

    /// Whether the line is among the comments that open the file, and one that now stands too low to
    /// declare something would come up (PEP 263; `#!`).
    fn heads_declaration(&self, row: usize) -> bool {
        let lines = self.subject.inquiry.module.layout.lines();
        let mut below = row + 1..self.head;
        row < self.head
            && below.any(|below| {
                let line = lines.line(below);
                line.starts_with("#!") || (below >= 2 && encoding(line).is_some())
            })
    }
}

/// The number of lines that open the text and hold nothing but comments.
fn head(lines: &Lines<'_>) -> usize {
    let is_head = |row: &usize| {
        let line = lines.line(*row).trim_matches(BLANKS);
        line.is_empty() || line.starts_with('#')
    };
    (0..lines.count()).take_while(is_head).count()
}

/// What is left of a comment's token when each of its own comments loses the part in `lost`, if any.
fn remainder((text, is_alone): (&str, bool), lost: &[Option<&Part>]) -> String {
    let mut lost = lost.iter();
    let (mut out, mut is_cut) = (String::new(), false);
    for piece in pieces(text, is_alone) {
        let body = text.get(piece.range.clone()).unwrap_or("");
        let part = match &piece.own {
            Some(directive) => lost.next().copied().flatten().map(|part| (part, directive)),
            None => None,
        };
        match part {
            None if piece.is_bare && is_cut => out.extend(["# ", body]),
            Some((Part::Entries(gone), Directive::IgnoreCodes(entries))) => {
                out.push_str(&without(body, piece.range.start, (entries, gone)));
            }
            Some(_) => {
                is_cut = true;
                continue;
            }
            None => out.push_str(body),
        }
        is_cut = false;
    }
    if is_cut {
        out.truncate(out.trim_end().len());
    }
    out
}

/// The own comment `body`, which starts at the byte `start` of its token, without the entries `gone`.
fn without(body: &str, start: usize, (entries, gone): (&[Entry], &[usize])) -> String {
    let text = |from: usize, to: usize| {
        body.get(from.saturating_sub(start)..to.saturating_sub(start))
            .unwrap_or("")
    };
    let first = entries.first().map_or(start, |entry| entry.range.start);
    let last = entries.last().map_or(start, |entry| entry.range.end);
    let mut out = text(start, first).to_owned();
    let mut is_first = true;
    for (at, entry) in entries.iter().enumerate() {
        if gone.contains(&at) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| entries.get(before));
        let separator = before.filter(|_| !is_first);
        out.push_str(separator.map_or("", |before| text(before.range.end, entry.range.start)));
        out.push_str(&entry.code);
        is_first = false;
    }
    out.push_str(text(last, start + body.len()));
    out
}

/// The edit that makes `new` of the text `old` at `range`, without what both begin and end with.
fn narrowed(range: TextRange, old: &str, new: &str) -> Edit {
    let same = |(one, other): &(char, char)| one == other;
    let width = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.map(|(char, _)| char.len_utf8()).sum()
    };
    let head = width(&mut old.chars().zip(new.chars()).take_while(same));
    let most = old.len().min(new.len()) - head;
    let mut tail = 0;
    for (one, other) in old.chars().rev().zip(new.chars().rev()) {
        if one != other || tail + one.len_utf8() > most {
            break;
        }
        tail += one.len_utf8();
    }
    let content = new.get(head..new.len() - tail).unwrap_or("").to_owned();
    let range = TextRange::new(range.start() + offset(head), range.end() - offset(tail));
    Edit::replacement(content, range)
}

/// Whether a pragma of another tool would come to stand first in its comment, where its tool starts
/// to see it: `# type: ignore` (PEP 484) and `# fmt: off` alone on a line hold for more than that line.
fn wakes(text: &str, remainder: &str) -> bool {
    let starts_ours = |comment: &str| {
        let first = pieces(comment, true).into_iter().next();
        first.is_some_and(|piece| piece.own.is_some())
    };
    let comes_first = starts_ours(text) && !starts_ours(remainder);
    let body = remainder.trim_start_matches(['#', ' ', '\t']);
    let Some((word, _)) = body.split_once(':') else {
        return false;
    };
    let is_word = |char: char| char.is_ascii_alphanumeric() || "-_. ".contains(char);
    // These tools look for their pragma anywhere in a comment, so it was awake before.
    let is_awake = ["noqa", "pylint", "isort"]
        .iter()
        .any(|tool| word.trim_end().eq_ignore_ascii_case(tool));
    comes_first && word.chars().all(is_word) && !is_awake
}

/// The encoding that the line would declare if it stood high enough (PEP 263).
fn encoding(line: &str) -> Option<&str> {
    let comment = line.trim_start_matches(BLANKS).strip_prefix('#')?;
    comment.match_indices("coding").find_map(|(at, word)| {
        let after = comment.get(at + word.len()..)?;
        let name = after
            .strip_prefix([':', '='])?
            .trim_start_matches([' ', '\t']);
        let is_name = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
        let length = name.find(|char| !is_name(char)).unwrap_or(name.len());
        name.get(..length).filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_encoding_of_a_comment_is_declared() {
        for (line, name) in [
            ("# -*- coding: latin-1 -*-", Some("latin-1")),
            (" \x0c#vim: set fileencoding=utf_8.x :", Some("utf_8.x")),
            ("# coding : x; coding:\ty # coding: z", Some("y")),
            ("# coding:", None),
            ("x = 1  # coding: utf-8", None),
        ] {
            assert_eq!(encoding(line), name, "{line}");
        }
    }

    #[test]
    fn an_edit_is_as_small_as_it_can_be() {
        let at = TextRange::new(offset(10), offset(16));
        let edit = narrowed(at, "abcabc", "abc");
        assert_eq!(
            (edit.range(), edit.content()),
            (TextRange::new(offset(13), offset(16)), "")
        );
        let at = TextRange::new(offset(10), offset(17));
        let edit = narrowed(at, "aé xyz", "aè yz");
        let text = Edit::replacement("è ".to_owned(), TextRange::new(offset(11), offset(15)));
        assert_eq!(edit, text);
    }
}
