//! The program's own comments, `# hoist-namedtuple: …`, and what else stands in the same comment.

use std::ops::Range;

/// What our own comments start with behind their `#`.
pub const MARKER: &str = "hoist-namedtuple:";

/// What the codes of the built-in rules start with.
const CODE_LETTERS: [&str; 1] = ["HNT"];

/// What an own comment asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Directive {
    /// `ignore`: no finding of any code on the statement.
    IgnoreAll,
    /// `ignore[CODE, CODE]`: no finding of these codes on the statement.
    IgnoreCodes(Vec<Entry>),
    /// `ignore-file`: no finding in the whole file.
    IgnoreFile,
    /// Something that is not understood.
    Malformed(Malformed),
}

/// One entry of a list of codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The code, or the beginning of one, as it is written.
    pub code: String,
    /// Its bytes in the comment's token.
    pub range: Range<usize>,
}

/// Why an own comment is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// The list of codes has no end.
    OpenList,
    /// The list names no code.
    EmptyList,
    /// A rule behind `ignore` without brackets.
    BareCode(String),
    /// Rules behind the list, outside of its brackets.
    OutsideList,
    /// `ignore-file` with a list of codes.
    FileWithCodes,
    /// Neither `ignore` nor `ignore-file`, but this; empty when nothing follows.
    UnknownWord(String),
}

/// A piece of a comment's token, from its `#` to the next piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the token, with the blanks behind it.
    pub range: Range<usize>,
    /// What it asks for, when it is one of our own; other pieces are other tools' or people's.
    pub own: Option<Directive>,
    /// Whether it has no `#` of its own: a pragma that its tool finds anywhere in a comment.
    pub is_bare: bool,
}

/// What tools look for anywhere in a comment: pylint (`OPTION_RGX`), isort, black (behind a `;`),
/// SonarQube and Semgrep.
const ANYWHERE: [&str; 5] = ["pylint:", "isort:", "fmt:", "NOSONAR", "nosemgrep"];

/// The pieces of a comment, which cover all of it; a `#` starts one, but for `#123` and the `#` of a URL.
///
/// One of our own starts the comment or stands behind a blank. In a comment that `is_alone` on its
/// line it stands behind pragmas only: prose and code that is commented out may mention one.
#[must_use]
pub fn pieces(comment: &str, is_alone: bool) -> Vec<Piece> {
    pieces_with(comment, is_alone, &CODE_LETTERS)
}

/// The same where codes start with one of `letters`: whether a word behind `ignore` is a code or a
/// reason hangs on them; where the pieces start and end does not.
pub(super) fn pieces_with(comment: &str, is_alone: bool, letters: &[&str]) -> Vec<Piece> {
    let mut starts: Vec<usize> = comment
        .match_indices('#')
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || starts_piece(comment, *at))
        .collect();
    starts.push(comment.len());
    let mut pieces = vec![];
    let mut is_open = true;
    for (start, end) in starts.iter().zip(starts.iter().skip(1)) {
        let before = comment.get(..*start).unwrap_or("");
        let is_marked =
            before.is_empty() || before.ends_with(|char: char| char.is_whitespace() || char == '#');
        let may_be_ours = is_marked && (is_open || !is_alone);
        let text = comment.get(*start..*end).unwrap_or("");
        let mut found = split_off_pragma(text, *start, letters, may_be_ours);
        let is_ours = found.first().is_some_and(|piece| piece.own.is_some());
        is_open &= is_ours || is_pragma(text);
        pieces.append(&mut found);
    }
    pieces
}

/// Whether a reason stands behind the directive in the text of its piece.
#[must_use]
pub fn has_reason(piece: &str, directive: &Directive) -> bool {
    let end = match directive {
        Directive::IgnoreAll => "ignore",
        Directive::IgnoreCodes(_) => "]",
        Directive::IgnoreFile => "ignore-file",
        Directive::Malformed(_) => return false,
    };
    let behind = piece.split_once(end);
    behind.is_some_and(|(_, reason)| reason.contains(char::is_alphanumeric))
}

/// Whether a piece is a pragma of some tool, such as `# noqa`, `# type: ignore` and `# nosec B101`, or
/// empty.
fn is_pragma(piece: &str) -> bool {
    let body = piece.trim_start_matches('#').trim();
    let is_word = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    let (word, rest) = body.split_at(body.find(|char| !is_word(char)).unwrap_or(body.len()));
    let is_lower = word.starts_with(|char: char| char.is_ascii_lowercase());
    let has_shape = rest.is_empty() || rest.starts_with([':', '[', '=']);
    body.is_empty() || (is_lower && has_shape) || ["noqa", "nosec", "NOSONAR"].contains(&word)
}

fn starts_piece(comment: &str, at: usize) -> bool {
    let (before, after) = comment.split_at_checked(at).unwrap_or((comment, ""));
    let is_number = after
        .strip_prefix('#')
        .is_some_and(|after| after.starts_with(|char: char| char.is_ascii_digit()));
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    !is_number && !word.contains("://")
}

/// The piece `text`, which starts at the byte `start` of its token; of one of our own, a pragma inside
/// its reason is a piece apart.
fn split_off_pragma(text: &str, start: usize, letters: &[&str], may_be_ours: bool) -> Vec<Piece> {
    let range = start..start + text.len();
    let own = directive(text, start, letters).filter(|_| may_be_ours);
    let Some(own) = own else {
        let is_bare = false;
        let own = None;
        return vec![Piece {
            range,
            own,
            is_bare,
        }];
    };
    let pragma = ANYWHERE.iter().filter_map(|tool| text.find(tool)).min();
    let split = range.start + pragma.unwrap_or(text.len());
    let ours = Piece {
        range: range.start..split,
        own: Some(own),
        is_bare: false,
    };
    let theirs = pragma.map(|_| Piece {
        range: split..range.end,
        own: None,
        is_bare: true,
    });
    std::iter::once(ours).chain(theirs).collect()
}

/// What the text asks for, which starts with its `#` at the byte `at` of the token; `None` when it
/// is none of our own.
fn directive(text: &str, at: usize, letters: &[&str]) -> Option<Directive> {
    let (_, body) = text.split_once('#')?;
    let body = behind_marker(body.trim_start())?.trim_start();
    if let Some(after) = body.strip_prefix("ignore-file").filter(|after| ends(after)) {
        return Some(if after.trim_start().starts_with('[') {
            Directive::Malformed(Malformed::FileWithCodes)
        } else {
            Directive::IgnoreFile
        });
    }
    let after = body.strip_prefix("ignore").filter(|after| ends(after));
    let Some(after) = after else {
        let word = body.split(|char: char| char.is_whitespace() || char == '[');
        let word = word.into_iter().next().unwrap_or("").to_owned();
        return Some(Directive::Malformed(Malformed::UnknownWord(word)));
    };
    let Some(list) = after.trim_start().strip_prefix('[') else {
        return Some(match bare_code(after, letters) {
            Some(code) => Directive::Malformed(Malformed::BareCode(code.to_owned())),
            None => Directive::IgnoreAll,
        });
    };
    let Some((list, behind)) = list.split_once(']') else {
        return Some(Directive::Malformed(Malformed::OpenList));
    };
    if goes_on(behind, letters) {
        return Some(Directive::Malformed(Malformed::OutsideList));
    }
    let start = at + text.len() - after.trim_start().len() + 1;
    let entries = entries(list, start);
    Some(if entries.is_empty() {
        Directive::Malformed(Malformed::EmptyList)
    } else {
        Directive::IgnoreCodes(entries)
    })
}

/// What follows the marker, in any case and with blanks before its colon.
fn behind_marker(body: &str) -> Option<&str> {
    let (_, after) = body.split_at_checked(MARKER.len() - 1)?;
    let after = after.trim_start().strip_prefix(':');
    after.filter(|_| may_be_own(body))
}

/// Whether what follows a `#` and blanks starts as our own comments do, up to the colon.
pub(super) fn may_be_own(body: &str) -> bool {
    let name = body.get(..MARKER.len() - 1);
    name.is_some_and(|name| MARKER.trim_end_matches(':').eq_ignore_ascii_case(name))
}

/// Whether what stands behind a list is no reason, but more of what it should hold.
fn goes_on(behind: &str, letters: &[&str]) -> bool {
    let start = behind.trim_start_matches(|char: char| !char.is_ascii_alphanumeric());
    bare_code(behind, letters).is_some()
        || start.starts_with("ignore[")
        || behind_marker(start).is_some()
}

/// The first word behind `ignore` when it looks like a code of ours, and is thus no reason.
fn bare_code<'t>(after: &'t str, letters: &[&str]) -> Option<&'t str> {
    let is_word = |char: char| char.is_ascii_alphanumeric();
    let word = after.trim_start_matches(|char| !is_word(char));
    let word = word.split(|char| !is_word(char)).next()?;
    let start = word.trim_end_matches(|char: char| char.is_ascii_digit());
    let is_ours = letters.iter().any(|ours| ours.eq_ignore_ascii_case(start));
    (is_ours && start.len() < word.len()).then_some(word)
}

fn ends(after: &str) -> bool {
    !after.starts_with(|char: char| char.is_alphanumeric() || "_-".contains(char))
}

/// The entries of a list that starts at the byte `start` of the token.
fn entries(list: &str, start: usize) -> Vec<Entry> {
    let mut at = start;
    let mut entries = vec![];
    for part in list.split_inclusive(|char: char| char == ',' || char.is_whitespace()) {
        let code = part.trim_end_matches(|char: char| char == ',' || char.is_whitespace());
        if !code.is_empty() {
            entries.push(Entry {
                code: code.to_owned(),
                range: at..at + code.len(),
            });
        }
        at += part.len();
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a comment, `own` before each of our own.
    fn split(comment: &str) -> Vec<String> {
        let shown = |piece: &Piece| {
            let own = if piece.own.is_some() { "own " } else { "" };
            format!("{own}{}", comment.get(piece.range.clone()).unwrap())
        };
        pieces(comment, false).iter().map(shown).collect()
    }

    #[test]
    fn a_further_hash_starts_another_piece_but_not_in_numbers_and_urls() {
        let ours = "# hoist-namedtuple: ignore[HNT001]";
        assert_eq!(
            split(&format!("# noqa: E501  {ours} why  # type: ignore")),
            [
                "# noqa: E501  ".to_owned(),
                format!("own {ours} why  "),
                "# type: ignore".to_owned(),
            ]
        );
        for reason in ["see #12", "see https://x.org/a#b"] {
            let whole = format!("{ours} {reason}");
            assert_eq!(split(&whole), [format!("own {whole}")]);
        }
        assert_eq!(
            split(&format!("{ours} why pylint: disable=x")),
            [format!("own {ours} why "), "pylint: disable=x".to_owned()]
        );
    }

    #[test]
    fn what_prose_mentions_is_none_of_ours() {
        let ours = "# hoist-namedtuple: ignore[HNT001]";
        let count = |comment: &str, is_alone| {
            let pieces = pieces(comment, is_alone);
            pieces.iter().filter(|piece| piece.own.is_some()).count()
        };
        for before in ["# noqa  ", "# type: ignore[x] ", "# nosec B101  ", "#", ""] {
            assert_eq!(count(&format!("{before}{ours}"), true), 1, "{before}");
        }
        for before in [
            "# To keep it, write ",
            "# x = f(1)  ",
            "# the `",
            "# never \"",
            "# Todo: ",
        ] {
            assert_eq!(count(&format!("{before}{ours}"), true), 0, "{before}");
        }
        assert_eq!(count(&format!("# a reason {ours}"), false), 1);
        assert_eq!(count(&format!("# see `{ours}`"), false), 0);
    }

    #[test]
    fn a_reason_is_told_from_the_directive_before_it() {
        for (rest, expected) in [
            ("ignore", false),
            ("ignore: see", true),
            ("ignore[HNT001, factory-in-function] - ", false),
            ("ignore[HNT001] because", true),
            ("ignore-file ", false),
            ("ignore-file generated", true),
            ("ignored for a reason", false),
        ] {
            let text = format!("# hoist-namedtuple: {rest}");
            let piece = pieces(&text, true).remove(0);
            assert_eq!(has_reason(&text, &piece.own.unwrap()), expected, "{rest}");
        }
    }

    #[test]
    fn a_directive_is_read_with_its_codes() {
        let read = |text: &str| {
            pieces(text, false)
                .into_iter()
                .find_map(|piece| piece.own)
                .unwrap()
        };
        let malformed = |text: &str| match read(text) {
            Directive::Malformed(why) => why,
            other => panic!("{text}: {other:?}"),
        };
        for text in [
            "#hoist-namedtuple:ignore: why",
            "# Hoist-Namedtuple : ignore",
            "# hoist-namedtuple: ignore HNTs of old",
        ] {
            assert_eq!(read(text), Directive::IgnoreAll, "{text}");
        }
        assert_eq!(
            read("# hoist-namedtuple: ignore-file, generated"),
            Directive::IgnoreFile
        );
        let text = "# x # hoist-namedtuple: ignore[ HNT001,HNT101 ] why";
        let Directive::IgnoreCodes(entries) = read(text) else {
            panic!("no codes");
        };
        let codes: Vec<&str> = entries
            .iter()
            .map(|entry| text.get(entry.range.clone()).unwrap())
            .collect();
        assert_eq!(codes, ["HNT001", "HNT101"]);
        for (rest, why) in [
            ("ignore[HNT001", Malformed::OpenList),
            ("ignore[ , ]", Malformed::EmptyList),
            ("ignore-file[HNT001]", Malformed::FileWithCodes),
            ("ignore: HNT101", Malformed::BareCode("HNT101".to_owned())),
            (
                "ignore=hnt001, why",
                Malformed::BareCode("hnt001".to_owned()),
            ),
            ("ignore HNT001", Malformed::BareCode("HNT001".to_owned())),
            ("ignore[HNT101], HNT001", Malformed::OutsideList),
            ("ignore[HNT101][HNT001]", Malformed::OutsideList),
            ("ignore[HNT101] ignore[HNT001]", Malformed::OutsideList),
            ("ignored", Malformed::UnknownWord("ignored".to_owned())),
            (
                "ignores[HNT001]",
                Malformed::UnknownWord("ignores".to_owned()),
            ),
            ("", Malformed::UnknownWord(String::new())),
        ] {
            assert_eq!(malformed(&format!("# hoist-namedtuple: {rest}")), why);
        }
    }
}
