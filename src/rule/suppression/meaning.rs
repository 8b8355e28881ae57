//! What the entries of a list mean, and which own comments are not understood.

use super::Position;
use super::own::{Directive, Malformed};
use crate::rule::{Code, Rule};

/// Whether the entry of an own comment's list names `code`: by the code, its beginning, or the
/// rule's name, in any case.
pub(super) fn means(entry: &str, code: &Code) -> bool {
    is_prefix(entry, &code.code) || entry.eq_ignore_ascii_case(&code.name)
}

/// Whether `entry` is `code` or its beginning, as flake8 has it; letters alone must be all of its
/// letters, so that a word of a reason is no prefix.
pub(super) fn is_prefix(entry: &str, code: &str) -> bool {
    let letters = code.trim_end_matches(|char: char| char.is_ascii_digit());
    let long_enough = entry.len() >= letters.len();
    long_enough
        && code
            .get(..entry.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(entry))
}

/// Whether it is certain what an own comment is to silence: its words can be read, they name rules
/// of `codes`, and it stands where such a comment counts.
pub(super) fn is_understood(
    directive: &Directive,
    position: Position,
    codes: &[(Option<&Rule>, &Code)],
) -> bool {
    match directive {
        Directive::IgnoreAll => true,
        Directive::IgnoreFile => position != Position::Trailing,
        Directive::IgnoreCodes(entries) => entries
            .iter()
            .all(|entry| codes.iter().any(|(_, code)| means(&entry.code, code))),
        Directive::Malformed(_) => false,
    }
}

/// Whether an own comment is, or probably was to be, about the whole file.
pub(super) fn concerns_file(directive: &Directive) -> bool {
    match directive {
        Directive::IgnoreFile | Directive::Malformed(Malformed::FileWithCodes) => true,
        Directive::Malformed(Malformed::UnknownWord(word)) => {
            near_word(word) == Some("ignore-file") || word.to_lowercase().contains("file")
        }
        _ => false,
    }
}

/// The word that was probably meant, of those that an own comment may start with.
pub(super) fn near_word(word: &str) -> Option<&'static str> {
    let known = ["ignore", "ignore-file"].into_iter();
    known
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, known)| known)
}
