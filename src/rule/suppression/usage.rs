//! Which own comments silence nothing, and what is wrong with them.

use std::collections::BTreeSet;

use rustpython_text_size::TextRange;

use super::own::{Directive, Entry, Malformed};
use super::{OwnComment, Position, Silencer, Suppressions, is_prefix};
use crate::rule::Registry;

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
    /// What goes.
    pub part: Part,
    /// What is wrong and what to do, to follow the comment's text in a sentence.
    pub why: String,
}

/// The part of an own comment that goes.
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
    pub fn note(&mut self, code: &str, statement: TextRange) {
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
                " has no effect behind code; put it alone on a line, or remove it".to_owned()
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

    fn list(&self, number: usize, entries: &[Entry], position: Position) -> Option<(Part, String)> {
        let mut faults = vec![];
        for (at, entry) in entries.iter().enumerate() {
            let earlier = entries.iter().take(at);
            let fault = if earlier.clone().any(|other| same(&other.code, &entry.code)) {
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
        let codes = self.registry.codes().into_iter();
        let meant: Vec<_> = codes
            .filter(|(_, code)| is_prefix(entry, &code.code))
            .collect();
        if meant.is_empty() {
            let hint = self.suggestion(entry);
            let hint = hint.map(|code| format!(" (did you mean `{code}`?)"));
            let hint = hint.unwrap_or_default();
            return Some(format!("there is no rule `{entry}`{hint}"));
        }
        let mut of_factories = meant.iter().filter(|(rule, _)| rule.is_some()).peekable();
        if of_factories.peek().is_none() {
            return Some(format!("no comment silences `{entry}`"));
        }
        let is_asked = of_factories.any(|(_, code)| self.enabled.contains(code.code.as_str()));
        (is_asked && !self.used.contains(&silencer))
            .then(|| format!("`{entry}` silences nothing {}", where_words(position)))
    }

    /// Whether the code of any factory is asked for.
    fn asks_for_any(&self) -> bool {
        let codes = self.registry.codes().into_iter();
        codes
            .filter(|(rule, _)| rule.is_some())
            .any(|(_, code)| self.enabled.contains(code.code.as_str()))
    }

    /// The code of a factory that was probably meant.
    fn suggestion(&self, entry: &str) -> Option<&str> {
        let codes = self.registry.codes().into_iter();
        let codes = codes.filter(|(rule, _)| rule.is_some());
        let (upper, lower) = (entry.to_uppercase(), entry.to_lowercase());
        codes
            .filter_map(|(_, code)| {
                let by_code = strsim::damerau_levenshtein(&upper, &code.code);
                let by_name = strsim::damerau_levenshtein(&lower, &code.name);
                let distance = by_code.min(by_name);
                (distance <= 2).then_some((distance, code.code.as_str()))
            })
            .min()
            .map(|(_, code)| code)
    }
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
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
        Malformed::EmptyList => {
            " names no code, so it silences nothing; name one, or remove it".to_owned()
        }
        Malformed::FileWithCodes => {
            " silences nothing, as `ignore-file` takes no codes; remove the list, or the comment"
                .to_owned()
        }
        Malformed::UnknownWord(word) => {
            let known = ["ignore", "ignore-file"].into_iter();
            let near = known
                .map(|known| (strsim::damerau_levenshtein(word, known), known))
                .filter(|(distance, _)| *distance <= 2)
                .min();
            let hint = match near {
                Some((_, known)) => format!("did you mean `{known}`?"),
                None => "write `ignore`, `ignore[CODE]` or `ignore-file`".to_owned(),
            };
            format!(" cannot be read, so it silences nothing; {hint}")
        }
    }
}
