//! From the text of a rule file to a rule, or to what is wrong in it and where.

mod words;

use std::ops::Range;

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error as TomlError, ValueDeserializer};

use self::words::{Words, words};
use super::rule::{Contradiction, Rule};

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
    /// Reads a rule from `text`.
    ///
    /// # Errors
    /// Returns the first fault.
    pub(super) fn read(file: &'a str, text: &'a str) -> Result<(Self, Rule), RuleFault> {
        let (source, rule) = Self::deserialize::<Rule>(file, text)?;
        match rule.validate() {
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
        let span = root.span();
        let value = Spanned::new(span, DeValue::Table(root.into_inner()));
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(read) => Ok((source, read)),
            Err(error) => {
                let error_text = one_line(&error);
                Err(source.misshapen(&words(&error_text), error.span()))
            }
        }
    }

    /// The fault at the bytes `span`; a key that is missing is one of the table there, or of the file.
    fn misshapen(&self, words: &Words<'_>, span: Option<Range<usize>>) -> RuleFault {
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
            key,
            message,
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

fn one_line(error: &TomlError) -> String {
    error.message().trim().replace('\n', ", ")
}
