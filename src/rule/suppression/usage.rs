//! Which own comments silence nothing, and what is wrong with them.

use std::collections::BTreeSet;

use rustpython_text_size::TextRange;

use super::meaning::{means, near_word};
use super::own::{Directive, Entry, Malformed};
use super::{OwnComment, Position, Silencer, Suppressions};
use crate::rule::{Code, Registry, Rule};

/// What the own comments of a module silence, and how that is to be judged.
#[derive(Debug)]
pub struct Usage<'u, 'a> {
    suppressions: &'u Suppressions<'a>,
    registry: &'u Registry,
    /// The codes that are asked for.
    enabled: &'u BTreeSet<&'static str>,
    /// What silences a finding, be its code asked for or not.
    used: BTreeSet<Silencer>,
}

/// An own comment that silences nothing, or names what does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// Its number among the own comments.
    pub comment: usize,
    /// What silences nothing.
    pub part: Part,
    /// What is wrong and what to do, to follow the comment's text in a sentence.
    pub why: String,
    /// Whether it is certain what it was to silence; only then the part goes.
    pub is_understood: bool,
}

/// The part of an own comment that silences nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// All of it, with its reason.
    Whole,
    /// These entries of its list of codes, by number; others stay.
    Entries(Vec<usize>),
}

impl<'u, 'a> Usage<'u, 'a> {
    /// Usage of `suppressions` when the codes in `enabled` are asked for.
    #[must_use]
    pub fn new(
        suppressions: &'u Suppressions<'a>,
        registry: &'u Registry,
        enabled: &'u BTreeSet<&'static str>,
    ) -> Self {
        Self {
            suppressions,
            registry,
            enabled,
            used: BTreeSet::new(),
        }
    }

    /// Notes a finding of `code` in `statement`, whether or not its code is asked for.
    pub fn note(&mut self, code: &Code, statement: TextRange) {
        let silencers = self.suppressions.silencers(code, statement);
        self.used.extend(silencers);
    }

    /// The comments that are wrong, in source order; none when one silences the whole file.
    #[must_use]
    pub fn unused(&self) -> Vec<Unused> {
        if self.is_file_ignored() {
            return vec![];
        }
        let own = self.suppressions.own().iter().enumerate();
        own.filter_map(|(number, comment)| {
            let (part, why) = self.fault(number, comment)?;
            Some(Unused {
                comment: number,
                part,
                why,
                is_understood: comment.is_understood,
            })
        })
        .collect()
    }

    /// Whether a comment silences the whole file, and is of use as far as is known.
    fn is_file_ignored(&self) -> bool {
        let mut of_file = self.suppressions.of_file.iter();
        let is_used = |number: &usize| self.used.contains(&Silencer::Own(*number));
        of_file.any(|number| is_used(number) || !self.asks_for_any())
    }

    fn fault(&self, number: usize, comment: &OwnComment) -> Option<(Part, String)> {
        let is_used = self.used.contains(&Silencer::Own(number));
        let why = match &comment.directive {
            Directive::Malformed(malformed) => malformed_words(malformed),
            Directive::IgnoreFile if comment.position == Position::Trailing => {
                " has no effect behind code; put it alone on a line".to_owned()
            }
            Directive::IgnoreCodes(entries) if !comment.is_understood => {
                return Some(self.unknown(entries));
            }
            Directive::IgnoreCodes(entries) => return self.list(number, entries, comment.position),
            Directive::IgnoreAll | Directive::IgnoreFile if is_used || !self.asks_for_any() => {
                return None;
            }
            Directive::IgnoreFile => " silences nothing in this file; remove it".to_owned(),
            Directive::IgnoreAll => format!(
                " silences nothing {}; remove it",
                where_words(comment.position)
            ),
        };
        Some((Part::Whole, why))
    }

    /// What is wrong with a list that names what is no rule.
    fn unknown(&self, entries: &[Entry]) -> (Part, String) {
        let unknown = |entry: &Entry| self.meant(&entry.code).is_empty();
        let at: Vec<usize> = (0..entries.len())
            .filter(|at| entries.get(*at).is_some_and(unknown))
            .collect();
        let clause = |entry: &Entry| {
            let hint = self.suggestion(&entry.code);
            let hint = hint.map(|word| format!(" (did you mean `{word}`?)"));
            let hint = hint.unwrap_or_default();
            format!("there is no rule `{}`{hint}", entry.code)
        };
        let clauses = entries.iter().filter(|entry| unknown(entry)).map(clause);
        let clauses = clauses.collect::<Vec<_>>().join(", and ");
        let part = if at.len() == entries.len() {
            Part::Whole
        } else {
            Part::Entries(at)
        };
        (part, format!(": {clauses}; correct the list"))
    }

    fn list(&self, number: usize, entries: &[Entry], position: Position) -> Option<(Part, String)> {
        let mut faults = vec![];
        for (at, entry) in entries.iter().enumerate() {
            let earlier = entries.iter().take(at);
            let fault = if earlier
                .clone()
                .any(|other| self.same(&other.code, &entry.code))
            {
                Some(format!("`{}` is named twice", entry.code))
            } else {
                self.entry(Silencer::Entry(number, at), &entry.code, position)
            };
            faults.extend(fault.map(|fault| (at, fault)));
        }
        let clauses: Vec<&str> = faults.iter().map(|(_, fault)| fault.as_str()).collect();
        let clauses = clauses.join(", and ");
        if faults.is_empty() {
            return None;
        }
        if faults.len() == entries.len() {
            return Some((Part::Whole, format!(": {clauses}; remove the comment")));
        }
        let them = if faults.len() == 1 { "it" } else { "them" };
        let gone = faults.into_iter().map(|(at, _)| at).collect();
        let why = format!(": {clauses}; remove {them} from the list");
        Some((Part::Entries(gone), why))
    }

    /// What is wrong with an entry, as a clause.
    fn entry(&self, silencer: Silencer, entry: &str, position: Position) -> Option<String> {
        let meant = self.meant(entry);
        let mut of_factories = meant.iter().filter(|(rule, _)| rule.is_some()).peekable();
        if of_factories.peek().is_none() {
            return Some(format!("no comment silences `{entry}`"));
        }
        let is_asked = of_factories.any(|(_, code)| self.enabled.contains(code.code.as_str()));
        (is_asked && !self.used.contains(&silencer))
            .then(|| format!("`{entry}` silences nothing {}", where_words(position)))
    }

    /// The codes that the entry names.
    fn meant(&self, entry: &str) -> Vec<(Option<&Rule>, &Code)> {
        let codes = self.registry.codes().into_iter();
        codes.filter(|(_, code)| means(entry, code)).collect()
    }

    /// Whether two entries are the same word, or the code and the name of one rule.
    fn same(&self, one: &str, other: &str) -> bool {
        let code = |entry: &str| {
            let by_name = |code: &Code| code.name.eq_ignore_ascii_case(entry);
            let mut codes = self.registry.codes().into_iter();
            let named = codes.find(|(_, code)| by_name(code));
            named.map_or_else(|| entry.to_uppercase(), |(_, code)| code.code.clone())
        };
        code(one) == code(other)
    }

    /// Whether the code of any factory is asked for.
    fn asks_for_any(&self) -> bool {
        let codes = self.registry.codes().into_iter();
        codes
            .filter(|(rule, _)| rule.is_some())
            .any(|(_, code)| self.enabled.contains(code.code.as_str()))
    }

    /// The code or name of a factory's rule that was probably meant.
    fn suggestion(&self, entry: &str) -> Option<&str> {
        let codes = self.registry.codes().into_iter();
        let codes = codes.filter(|(rule, _)| rule.is_some());
        let (upper, lower) = (entry.to_uppercase(), entry.to_lowercase());
        codes
            .flat_map(|(_, code)| {
                let by_code = strsim::damerau_levenshtein(&upper, &code.code);
                let by_name = strsim::damerau_levenshtein(&lower, &code.name);
                [(by_code, code.code.as_str()), (by_name, code.name.as_str())]
            })
            .filter(|(distance, _)| *distance <= 2)
            .min()
            .map(|(_, word)| word)
    }
}

fn where_words(position: Position) -> &'static str {
    match position {
        Position::Alone => "on the line below",
        Position::Trailing | Position::AloneInside => "on this statement",
    }
}

fn malformed_words(malformed: &Malformed) -> String {
    match malformed {
        Malformed::OpenList => " has no `]`, so it silences nothing; close the list".to_owned(),
        Malformed::EmptyList => " names no code, so it silences nothing; name one".to_owned(),
        Malformed::BareCode(code) => {
            format!(
                " names `{code}` without brackets, so it silences nothing; write `ignore[{code}]`"
            )
        }
        Malformed::OutsideList => {
            " names rules outside of its list, so it silences nothing; put all of them into one list".to_owned()
        }
        Malformed::FileWithCodes => {
            " silences nothing, as `ignore-file` takes no codes; remove the list".to_owned()
        }
        Malformed::UnknownWord(word) => {
            let hint = match near_word(word) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "write `ignore`, `ignore[CODE]` or `ignore-file`".to_owned(),
            };
            format!(" cannot be read, so it silences nothing; {hint}")
        }
    }
}
