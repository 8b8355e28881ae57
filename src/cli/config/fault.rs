//! What is wrong in a configuration, and where.

use std::ops::Range;
use std::path::Path;

use rustpython_text_size::TextSize;

use crate::cli::paths::{relative, shown, single_line};
use crate::cli::problem::Problem;
use crate::text::Lines;

/// How much of a wrong value is shown, in characters.
const SHOWN: usize = 80;

/// `value` as a message quotes it: the start of one that is long.
pub(super) fn quoted(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", value.get(..end).unwrap_or_default()),
        None => value.to_owned(),
    }
}

/// A fault of one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The key that it is in.
    pub(super) key: Option<&'static str>,
    /// The bytes that it is about.
    pub(super) span: Option<Range<usize>>,
    /// What is wrong and what is allowed; it goes on after the key and a colon.
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            key: None,
            span: None,
            message: message.into(),
        }
    }

    pub(super) fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            span: Some(span),
            ..Self::new(message)
        }
    }

    pub(super) fn in_key(self, key: &'static str) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }

    /// The fault as a problem of the file at `path`, which holds `text`.
    pub(super) fn in_file(&self, path: &Path, text: &str, cwd: &Path) -> Problem {
        let message = match self.key {
            Some(key) => format!("`{key}`: {}", self.message),
            None => self.message.clone(),
        };
        let offset = self.span.as_ref().map(|span| span.start);
        let offset = offset.and_then(|offset| TextSize::try_from(offset).ok());
        Problem {
            place: offset.map(|offset| Lines::new(text).location(offset)),
            ..Problem::new(shown(&relative(path, cwd)), single_line(&message))
        }
    }

    /// The fault in an option of the command line, such as `--select`.
    pub(super) fn in_option(&self) -> anyhow::Error {
        match self.key {
            Some(key) => anyhow::anyhow!("--{key}: {}", self.message),
            None => anyhow::anyhow!("{}", self.message),
        }
    }
}
