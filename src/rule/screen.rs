//! Telling without a syntax tree that no rule has anything to find in a module.

mod mention;

use std::ops::Range;

use aho_corasick::{AhoCorasick, BuildError, Input};
use rustc_hash::FxHashMap;

use super::registry::{Factory, Registry};
use super::rule::Rule;
use super::suppression::own::MARKER;
use crate::python::repetition::may_repeat;
use mention::{Mention, is_word};

/// Looks for what a module with a finding must contain: a call of a factory by its name, another name
/// for a factory, or, where comments are findings, a comment of ours.
///
/// It never passes by a module with a finding, with two exceptions: a name in another NFKC spelling,
/// such as `ｎamedtuple`, and an encoding that is no superset of ASCII.
#[derive(Debug, Clone)]
pub struct Screen {
    /// Pieces of the names and of what our comments start with.
    pieces: AhoCorasick,
    /// The names, and whether a call with a single argument is none.
    names: FxHashMap<&'static [u8], bool>,
    watches_comments: bool,
}

/// What our comments start with, in any case: two words, of which the first is looked for.
fn marker() -> (&'static str, &'static str) {
    let marker = MARKER.trim_end_matches(':');
    marker.split_at(marker.find('-').unwrap_or(marker.len()))
}

/// The length of the piece of our comments that is looked for in each of its spellings.
const PIECE: usize = 4;

/// A word that is of interest.
enum Word {
    Name(Range<usize>, Mention),
    Comment,
}

impl Screen {
    /// A screen for the rules of `registry` whose codes are wanted.
    ///
    /// # Errors
    /// When the names are too many for a search, which would take gigabytes of rules.
    pub fn new(
        registry: &'static Registry,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Self, BuildError> {
        let mut names = FxHashMap::default();
        for Factory { rule, name } in registry.factories() {
            if rule.codes().iter().any(|code| is_wanted(&code.code)) {
                let (_, last) = Rule::module_and_name(name);
                let needs_two = names.entry(last.as_bytes()).or_insert(true);
                *needs_two &= rule.needs_two_arguments();
            }
        }
        let watches_comments = is_wanted(&registry.unused_suppression().code);
        let mut pieces: Vec<Vec<u8>> = names.keys().map(|name| name.to_vec()).collect();
        if watches_comments {
            pieces.extend(spellings(
                marker().0.as_bytes().get(..PIECE).unwrap_or_default(),
            ));
        }
        Ok(Self {
            pieces: AhoCorasick::new(shortest(&pieces))?,
            names,
            watches_comments,
        })
    }

    /// Whether nothing is looked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.patterns_len() == 0
    }

    /// Whether the bytes contain a piece of what is looked for. Where they are a part of a module
    /// that is read in parts, the parts must overlap by [`Self::overlap`].
    #[must_use]
    pub fn has_piece(&self, bytes: &[u8]) -> bool {
        self.pieces.is_match(bytes)
    }

    /// The number of bytes that parts of a module must share.
    #[must_use]
    pub fn overlap(&self) -> usize {
        self.pieces.max_pattern_len().saturating_sub(1)
    }

    /// Whether a module of these bytes, all of them, may have a finding.
    #[must_use]
    pub fn may_find(&self, bytes: &[u8]) -> bool {
        self.words(bytes).any(|word| word.is_of_interest())
    }

    /// Whether a module of this text may have a finding: a name is called where it may run more than
    /// once, or may get another name.
    ///
    /// It takes about as long as the lexer does, and does not recurse.
    #[must_use]
    pub fn needs_tree(&self, text: &str) -> bool {
        let mut calls = vec![];
        for word in self.words(text.as_bytes()) {
            match word {
                Word::Name(name, Mention::Call) => calls.push(name),
                Word::Name(_, Mention::Other) => {}
                Word::Name(_, Mention::Alias) | Word::Comment => return true,
            }
        }
        !calls.is_empty() && may_repeat(text, &calls)
    }

    /// The words of interest in `bytes`, in order.
    fn words<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = Word> + 'b {
        let mut from = 0;
        std::iter::from_fn(move || {
            loop {
                let found = self.pieces.find(Input::new(bytes).range(from..))?;
                let word = word_around(bytes, found.range());
                // Each word is looked at once, however many pieces it holds.
                from = word.end;
                if let Some(word) = self.word(bytes, word) {
                    return Some(word);
                }
            }
        })
    }

    fn word(&self, bytes: &[u8], word: Range<usize>) -> Option<Word> {
        let text = bytes.get(word.clone())?;
        if let Some(needs_two) = self.names.get(text) {
            let mention = Mention::of(bytes, &word, *needs_two);
            return Some(Word::Name(word, mention));
        }
        let (first, rest) = marker();
        let behind = bytes.get(word.end..word.end + rest.len())?;
        let is_ours = text.eq_ignore_ascii_case(first.as_bytes())
            && behind.eq_ignore_ascii_case(rest.as_bytes());
        (self.watches_comments && is_ours).then_some(Word::Comment)
    }
}

impl Word {
    fn is_of_interest(&self) -> bool {
        !matches!(self, Self::Name(_, Mention::Other))
    }
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
fn shortest(words: &[Vec<u8>]) -> Vec<&[u8]> {
    let holds = |word: &[u8], part: &[u8]| {
        word.len() > part.len() && word.windows(part.len()).any(|window| window == part)
    };
    let words = words.iter().map(Vec::as_slice);
    let is_needed = |word: &&[u8]| !words.clone().any(|part| holds(word, part));
    words.clone().filter(is_needed).collect()
}

/// All spellings of `word`, an ASCII one, in upper and lower case.
fn spellings(word: &[u8]) -> Vec<Vec<u8>> {
    word.iter()
        .fold(vec![vec![]], |starts: Vec<Vec<u8>>, letter| {
            let cases = [letter.to_ascii_lowercase(), letter.to_ascii_uppercase()];
            let longer = starts
                .iter()
                .flat_map(|start| cases.map(|case| [start.as_slice(), &[case]].concat()));
            longer.collect()
        })
}

#[cfg(test)]
mod tests;
