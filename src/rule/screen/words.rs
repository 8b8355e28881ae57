//! Finding words in bytes, and what our comments start with.

use std::ops::Range;

use aho_corasick::{AhoCorasick, BuildError, Input};
use memchr::memchr_iter;
use memchr::memmem::Finder;

use super::mention::is_word;
use crate::rule::suppression::own::MARKER;

/// So many words are looked for one after another: a search for one runs at the speed of the memory,
/// which a search for several at once does not come near.
const FEW: usize = 24;

/// Looks for words.
#[derive(Debug, Clone)]
pub(super) struct Words {
    search: Search,
    longest: usize,
}

#[derive(Debug, Clone)]
enum Search {
    Few(Vec<Finder<'static>>),
    Many(AhoCorasick),
}

impl Words {
    /// Looks for `words`.
    ///
    /// # Errors
    /// When they are too many.
    pub(super) fn new(words: &[&'static [u8]]) -> Result<Self, BuildError> {
        let pieces = match words.len() <= FEW {
            true => shortest(words),
            false => words.to_vec(),
        };
        Ok(Self {
            longest: pieces.iter().map(|piece| piece.len()).max().unwrap_or(0),
            search: match pieces.len() <= FEW {
                true => Search::Few(pieces.into_iter().map(Finder::new).collect()),
                false => Search::Many(AhoCorasick::new(pieces)?),
            },
        })
    }

    /// The length of the longest piece of a word that is looked for.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Whether there is a piece of one of the words.
    pub(super) fn has_piece(&self, bytes: &[u8]) -> bool {
        match &self.search {
            Search::Few(finders) => finders.iter().any(|finder| finder.find(bytes).is_some()),
            Search::Many(search) => search.is_match(bytes),
        }
    }

    /// The places of all words that hold a piece; one that holds several may come several times.
    pub(super) fn around_pieces(&self, bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let (few, many) = match &self.search {
            Search::Few(finders) => (finders.as_slice(), None),
            Search::Many(search) => ([].as_slice(), Some(search)),
        };
        let few = few.iter().flat_map(move |finder| {
            around(bytes, |from| {
                let start = from + finder.find(bytes.get(from..)?)?;
                Some(start..start + finder.needle().len())
            })
        });
        let many = many.into_iter().flat_map(move |search| {
            around(bytes, |from| {
                let found = search.find(Input::new(bytes).range(from..))?;
                Some(found.range())
            })
        });
        few.chain(many)
    }
}

/// The words around what `find` finds from an offset on, each once.
fn around(
    bytes: &[u8],
    find: impl Fn(usize) -> Option<Range<usize>>,
) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let word = word_around(bytes, find(from)?);
        from = word.end;
        Some(word)
    })
}

/// The whole word that holds the bytes of `part`.
fn word_around(bytes: &[u8], part: Range<usize>) -> Range<usize> {
    let before = bytes.get(..part.start).unwrap_or_default();
    let behind = bytes.get(part.end..).unwrap_or_default();
    let left = before.iter().rev().take_while(|byte| is_word(byte)).count();
    let right = behind.iter().take_while(|byte| is_word(byte)).count();
    part.start - left..part.end + right
}

/// The words without those that hold another.
fn shortest(words: &[&'static [u8]]) -> Vec<&'static [u8]> {
    let holds = |word: &[u8], part: &[u8]| {
        word.len() > part.len() && word.windows(part.len()).any(|window| window == part)
    };
    let is_needed = |word: &&&[u8]| !words.iter().any(|part| holds(word, part));
    words.iter().filter(is_needed).copied().collect()
}

/// Whether there is what our comments start with, in any case.
///
/// The dash in it tells it from all but few bytes: no letter has one case alone.
pub(super) fn has_marker(bytes: &[u8]) -> bool {
    let marker = MARKER.trim_end_matches(':').as_bytes();
    let dash = marker.iter().position(|byte| *byte == b'-').unwrap_or(0);
    memchr_iter(b'-', bytes).any(|at| {
        let start = at.checked_sub(dash);
        let found = start.and_then(|start| bytes.get(start..start + marker.len()));
        found.is_some_and(|found| found.eq_ignore_ascii_case(marker))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(words: &[&'static [u8]], text: &str) -> Vec<String> {
        let words = Words::new(words).unwrap();
        let found: Vec<_> = words.around_pieces(text.as_bytes()).collect();
        assert_eq!(words.has_piece(text.as_bytes()), !found.is_empty());
        let word = |range: Range<usize>| text.get(range).unwrap().to_owned();
        let mut found: Vec<_> = found.into_iter().map(word).collect();
        found.sort();
        found
    }

    #[test]
    fn whole_words_are_found_by_their_pieces() {
        let words: [&[u8]; 3] = [b"IntEnum", b"Enum", b"Flag"];
        let text = "x.IntEnum Enum_a(Flag)";
        assert_eq!(places(&words, text), ["Enum_a", "Flag", "IntEnum"]);
        assert!(places(&[], text).is_empty());
        assert_eq!(Words::new(&words).unwrap().longest(), 4);
    }

    #[test]
    fn many_words_are_found_as_few_are() {
        let names: Vec<String> = (0..FEW + 1).map(|at| format!("name_{at}")).collect();
        let words: Vec<&'static [u8]> = names
            .iter()
            .map(|name| &*Box::leak(name.clone().into_bytes().into_boxed_slice()))
            .collect();
        assert_eq!(
            places(&words, "name_7 xname_3x (name_24"),
            ["name_24", "name_7", "xname_3x"]
        );
        assert_eq!(
            places(&words[..8], "name_7 xname_3x"),
            ["name_7", "xname_3x"]
        );
    }

    #[test]
    fn the_marker_counts_in_any_case() {
        for text in [
            "# hoist-namedtuple: ignore",
            "#HOIST-NamedTuple",
            "--hoist-namedtuple",
        ] {
            assert!(has_marker(text.as_bytes()), "{text}");
        }
        for text in [
            "hoist_namedtuple",
            "-namedtuple",
            "hoist-namedtupl",
            "-",
            "",
        ] {
            assert!(!has_marker(text.as_bytes()), "{text}");
        }
    }
}
