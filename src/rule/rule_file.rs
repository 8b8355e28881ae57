//! From the text of a rule file to a rule, or to what is wrong in it and where.

mod words;

use std::ops::Range;

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error as TomlError, ValueDeserializer};

use self::words::{Words, words};
use super::rule::{Contradiction, Rule};
use crate::text::single_line;
use crate::text::single_line::is_control;

/// What is wrong in a rule file, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{row}:{column}: {}", self.sentence())]
pub struct RuleFault {
    /// The file as it was named.
    pub file: String,
    /// The 1-based row.
    pub row: usize,
    /// The 1-based column, in characters.
    pub column: usize,
    /// The dotted key, such as `parameters[1].role`; `None` where the text is no TOML.
    pub key: Option<String>,
    /// What is wrong and what to do, as sentences.
    pub message: String,
}

impl RuleFault {
    /// The key and the message, without the place.
    #[must_use]
    pub fn sentence(&self) -> String {
        match &self.key {
            Some(key) => format!("`{key}`: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// The keys whose texts have lines.
const LONG_TEXTS: [&str; 6] = [
    "source",
    "fixed",
    "instead",
    "what-it-does",
    "why-is-this-bad",
    "fix-safety",
];

/// The text of one rule file with the places of its keys.
pub(super) struct RuleFile<'a> {
    file: &'a str,
    text: &'a str,
    keys: Vec<Place>,
}

/// A key, and where it and its value stand.
struct Place {
    key: String,
    at: Range<usize>,
}

impl<'a> RuleFile<'a> {
    /// Reads a rule from `text`; `refused` is asked before the rule is held against itself.
    ///
    /// # Errors
    /// Returns the first fault.
    pub(super) fn read(
        file: &'a str,
        text: &'a str,
        refused: impl Fn(&Rule) -> Option<Contradiction>,
    ) -> Result<(Self, Rule), RuleFault> {
        let (source, rule) = Self::deserialize::<Rule>(file, text)?;
        match refused(&rule).map_or_else(|| rule.validate(), Err) {
            Ok(()) => Ok((source, rule)),
            Err(contradiction) => Err(source.fault(contradiction)),
        }
    }

    /// Reads a text that holds a `T`.
    ///
    /// # Errors
    /// Returns the first fault.
    pub(super) fn deserialize<T: DeserializeOwned>(
        file: &'a str,
        text: &'a str,
    ) -> Result<(Self, T), RuleFault> {
        let mut source = Self {
            file,
            text,
            keys: vec![],
        };
        let root = DeTable::parse(text).map_err(|error| {
            let message = format!("it is no valid TOML ({}). Correct it.", one_line(&error));
            source.at(error.span().unwrap_or_default().start, None, message)
        })?;
        collect(root.get_ref(), "", &mut source.keys);
        source.keys.sort_by_key(|place| place.at.start);
        let control = control_character(root.get_ref(), "");
        let span = root.span();
        let value = Spanned::new(span, DeValue::Table(root.into_inner()));
        match (T::deserialize(ValueDeserializer::from(value)), control) {
            (Ok(read), None) => Ok((source, read)),
            (Ok(_), Some(control)) => Err(source.fault(control)),
            (Err(error), _) => Err(source.misshapen::<T>(error)),
        }
    }

    /// The fault that keeps the text from being a `T`.
    fn misshapen<T: DeserializeOwned>(&self, error: TomlError) -> RuleFault {
        let error_text = one_line(&error);
        let told = words(&error_text);
        // What is missing in one table may stand below another that is mistyped.
        match told.missing.and_then(|_| unknown_key::<T>(self.text)) {
            Some(unknown) => {
                let unknown_text = one_line(&unknown);
                self.fault_at(&words(&unknown_text), unknown.span())
            }
            None => self.fault_at(&told, error.span()),
        }
    }

    /// The fault at the bytes `span`; a key that is missing is one of the table there, or of the file.
    fn fault_at(&self, words: &Words<'_>, span: Option<Range<usize>>) -> RuleFault {
        // Only a header at the very start of the file is a table there.
        let has_header = self.text.starts_with('[');
        let is_whole = |span: &Range<usize>| {
            span.start == 0 && (!has_header || span.end >= self.text.trim_end().len())
        };
        let span = span.filter(|span| !is_whole(span));
        let start = span.as_ref().map_or(0, |span| span.start);
        let table = span.and_then(|span| self.table_at(span.start));
        let key = match (words.missing, table) {
            (None, _) => self.key_at(start),
            (Some(missing), None) => Some(missing.to_owned()),
            (Some(missing), Some(table)) => Some(format!("{table}.{missing}")),
        };
        self.at(start, key, words.message.clone())
    }

    /// The table at the byte `offset`, which is its header's or, within a line, its brace's.
    fn table_at(&self, offset: usize) -> Option<String> {
        let is_item = |place: &&Place| place.at.start == offset;
        let header = self.text.get(offset..).filter(|text| text.starts_with('['));
        match header {
            Some(text) if !self.keys.iter().any(|place| is_item(&place)) => {
                let end = offset + text.find('\n').unwrap_or(text.len());
                self.key_at(end)
            }
            _ => self.key_at(offset),
        }
    }

    /// The contradiction as a fault of the file.
    pub(super) fn fault(&self, contradiction: Contradiction) -> RuleFault {
        let Contradiction { key, message } = contradiction;
        // A key that is missing is told by the one that would hold it.
        let mut holder = key.as_str();
        let place = loop {
            let mut places = self.keys.iter();
            match places.find(|place| place.key == holder) {
                Some(place) => break place.at.start,
                None => match holder.rfind(['.', '[']) {
                    Some(at) => holder = holder.get(..at).unwrap_or_default(),
                    None => break 0,
                },
            }
        };
        self.at(place, Some(key), message)
    }

    fn at(&self, offset: usize, key: Option<String>, message: String) -> RuleFault {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        RuleFault {
            file: self.file.to_owned(),
            row: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            key: key.map(|key| single_line(&key)),
            message: single_line(&message),
        }
    }

    /// The key at the byte `offset`: the last that starts at or before it.
    fn key_at(&self, offset: usize) -> Option<String> {
        let mut places = self.keys.iter();
        let place = places.rfind(|place| place.at.start <= offset)?;
        Some(place.key.clone())
    }
}

/// The keys of the table and of all that is in it.
fn collect(table: &DeTable<'_>, outer: &str, places: &mut Vec<Place>) {
    for (key, value) in table {
        let name = match outer {
            "" => key.get_ref().to_string(),
            outer => format!("{outer}.{}", key.get_ref()),
        };
        places.push(Place {
            key: name.clone(),
            at: key.span(),
        });
        collect_value(value, &name, places);
    }
}

fn collect_value(value: &Spanned<DeValue<'_>>, name: &str, places: &mut Vec<Place>) {
    match value.get_ref() {
        DeValue::Table(table) => collect(table, name, places),
        DeValue::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let name = format!("{name}[{at}]");
                places.push(Place {
                    key: name.clone(),
                    at: item.span(),
                });
                collect_value(item, &name, places);
            }
        }
        _ => {}
    }
}

/// The first text with a control character that does not belong into it: modules and documentation
/// have lines, and all else is words.
fn control_character(table: &DeTable<'_>, outer: &str) -> Option<Contradiction> {
    table.iter().find_map(|(key, value)| {
        let word = key.get_ref();
        let name = match outer {
            "" => word.to_string(),
            outer => format!("{outer}.{word}"),
        };
        control_in_value(value.get_ref(), &name, LONG_TEXTS.contains(&word.as_ref()))
    })
}

fn control_in_value(value: &DeValue<'_>, name: &str, is_long: bool) -> Option<Contradiction> {
    match value {
        DeValue::Table(table) => control_character(table, name),
        DeValue::Array(items) => items.iter().enumerate().find_map(|(at, item)| {
            control_in_value(item.get_ref(), &format!("{name}[{at}]"), is_long)
        }),
        DeValue::String(text) => {
            let text = if is_long {
                text.replace("\r\n", "").replace(['\n', '\t'], "")
            } else {
                text.to_string()
            };
            let control = text.chars().find(|char| is_control(*char))?;
            Some(Contradiction {
                key: name.to_owned(),
                message: format!(
                    "it holds the control character `{}`. Remove that.",
                    control.escape_default()
                ),
            })
        }
        _ => None,
    }
}

/// What is said of a key at the top of `text` that a `T` does not know.
fn unknown_key<T: DeserializeOwned>(text: &str) -> Option<TomlError> {
    let root = DeTable::parse(text).ok()?;
    let span = root.span();
    root.into_inner().into_iter().find_map(|(key, value)| {
        let start = format!("unknown field `{}`", key.get_ref());
        let mut alone = DeTable::new();
        alone.insert(key, value);
        let alone = Spanned::new(span.clone(), DeValue::Table(alone));
        let error = T::deserialize(ValueDeserializer::from(alone)).err()?;
        error.message().starts_with(&start).then_some(error)
    })
}

fn one_line(error: &TomlError) -> String {
    error.message().trim().replace('\n', ", ")
}
