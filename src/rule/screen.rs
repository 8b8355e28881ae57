//! Telling without a syntax tree that no rule has anything to find in a module.

mod mention;
mod words;

use std::ops::Range;

use aho_corasick::BuildError;
use rustc_hash::FxHashMap;

use super::registry::{Factory, Registry};
use super::rule::Rule;
use super::suppression::own::MARKER;
use crate::python::repetition::may_repeat;
use mention::{Mention, Name};
use words::{Words, has_marker};

/// Looks for what a module with a finding must contain: a call of a factory by its name, another name
/// for a factory, or, where comments are findings, a comment of ours.
///
/// It never passes by a module with a finding, with two exceptions: a name in another NFKC spelling,
/// such as `ｎamedtuple`, and an encoding that is no superset of ASCII.
#[derive(Debug, Clone)]
pub struct Screen {
    words: Words,
    names: FxHashMap<&'static [u8], Name>,
    watches_comments: bool,
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
        let mut names: FxHashMap<&'static [u8], Name> = FxHashMap::default();
        for Factory { rule, name } in registry.factories() {
            if rule.codes().iter().any(|code| is_wanted(&code.code)) {
                let (module, last) = Rule::module_and_name(name);
                let known = names.entry(last.as_bytes()).or_default();
                known.takes_one |= !rule.needs_two_arguments();
                // A builtin is found by its own name or an import, whatever it is assigned to.
                known.is_assignable |= !module.is_empty();
            }
        }
        let looked_for: Vec<&'static [u8]> = names.keys().copied().collect();
        Ok(Self {
            words: Words::new(&looked_for)?,
            names,
            watches_comments: is_wanted(&registry.unused_suppression().code),
        })
    }

    /// Whether nothing is looked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.watches_comments
    }

    /// Whether the bytes contain a piece of what is looked for. Where they are a part of a module
    /// that is read in parts, the parts must overlap by [`Self::overlap`].
    #[must_use]
    pub fn has_piece(&self, bytes: &[u8]) -> bool {
        self.words.has_piece(bytes) || self.has_comment(bytes)
    }

    /// The number of bytes that parts of a module must share.
    #[must_use]
    pub fn overlap(&self) -> usize {
        self.words.longest().max(MARKER.len()) - 1
    }

    /// Whether a module of these bytes, all of them, may have a finding.
    #[must_use]
    pub fn may_find(&self, bytes: &[u8]) -> bool {
        let mut mentions = self.mentions(bytes);
        mentions.any(|(_, mention)| mention != Mention::Other) || self.has_comment(bytes)
    }

    /// Whether a module of this text may have a finding: a name is called where it may run more than
    /// once, or may get another name.
    ///
    /// It takes about as long as the lexer does, and does not recurse.
    #[must_use]
    pub fn needs_tree(&self, text: &str) -> bool {
        let mut calls = vec![];
        for (name, mention) in self.mentions(text.as_bytes()) {
            match mention {
                Mention::Call => calls.push(name),
                Mention::Alias => return true,
                Mention::Other => {}
            }
        }
        self.has_comment(text.as_bytes()) || (!calls.is_empty() && may_repeat(text, &calls))
    }

    fn has_comment(&self, bytes: &[u8]) -> bool {
        self.watches_comments && has_marker(bytes)
    }

    /// The names in `bytes`, with their uses.
    fn mentions(&self, bytes: &[u8]) -> impl Iterator<Item = (Range<usize>, Mention)> {
        self.words.around_pieces(bytes).filter_map(move |word| {
            let name = self.names.get(bytes.get(word.clone())?)?;
            let mention = name.mention(bytes, &word);
            Some((word, mention))
        })
    }
}

#[cfg(test)]
mod tests;
