//! What went wrong with one path, as the user reads it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::paths::{shown, single_line};
use crate::text::Location;

/// A fault of one file: the run ends with exit code 2, the other files are still done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The path, relative to the working folder where it lies below it.
    pub(crate) path: PathBuf,
    /// The place in the file, for a syntax error.
    pub(crate) place: Option<Location>,
    /// What happened and what to do, as a sentence.
    pub(crate) message: String,
}

impl Problem {
    /// A problem with the whole of the file at `path`.
    pub(crate) fn new(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            place: None,
            message: message.into(),
        }
    }

    /// The problem as part of a sentence: `path:row:col: message` or `path: message`.
    pub(crate) fn sentence(&self) -> String {
        let (before, after) = self.heading();
        format!("{before}{after}{}", single_line(&self.message))
    }

    /// What stands before the message: `path:row:col: error` or `error: path`.
    pub(crate) fn heading(&self) -> (String, String) {
        let path = shown(&self.path);
        match self.place {
            Some(place) => (
                format!("{path}:{}:{}: ", place.row, place.column),
                String::new(),
            ),
            None => (String::new(), format!("{path}: ")),
        }
    }
}

/// The sentence for a path that cannot be read: what happened, and what helps.
pub(crate) fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::InvalidFilename => format!(
            "it, or a name in it, is longer than the system takes ({error}). Run in a folder closer to it, or shorten the name."
        ),
        _ => format!("it cannot be read ({error}). Check the path and its permissions."),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.heading();
        let message = single_line(&self.message);
        write!(formatter, "{before}error: {after}{message}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_error_starts_with_its_place_and_others_with_the_word_error() {
        let mut problem = Problem::new("a.py", "It is broken.");
        assert_eq!(problem.to_string(), "error: a.py: It is broken.");
        problem.place = Some(Location { row: 2, column: 3 });
        assert_eq!(problem.to_string(), "a.py:2:3: error: It is broken.");
    }
}
