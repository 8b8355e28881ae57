//! `--config`: a file, or a key with its value.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::layer::Layer;
use super::parse;
use super::table::Table;
use crate::cli::paths::single_line;

/// What the values of `--config` come to.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// The file to use in place of those that would be found.
    pub(super) file: Option<PathBuf>,
    /// The keys that are set; of a key that is given twice, the second counts.
    pub(super) keys: Layer,
    /// The same as they were given, each with the words that name it.
    pub(super) tables: Vec<(String, Table)>,
}

impl Arguments {
    /// Tells files from keys; the patterns of keys are relative to the folder `cwd`.
    ///
    /// A value is `KEY=VALUE` when it starts with a key, a word of letters, digits, `-` and `_`, and
    /// goes on with `=`, or with `.` and a quoted pattern as in
    /// `per-file-ignores."tests/*"=["HNT101"]`. Anything else is a file. So what is on the disk does
    /// not matter, and a file of such a name is written `./a=b.toml`.
    ///
    /// # Errors
    /// A fault in a key or value, or a second file.
    pub(super) fn new(values: &[OsString], cwd: &Path) -> Result<Self> {
        let mut arguments = Self::default();
        for value in values {
            match key_and_value(value) {
                Some(text) => {
                    let (table, layer) = layer(text, cwd)?;
                    arguments.keys = arguments.keys.overridden_by(&layer);
                    arguments.tables.push((words(text), table));
                }
                None => {
                    ensure!(
                        arguments.file.is_none(),
                        "--config: only one file can be given. Put all settings into one."
                    );
                    arguments.file = Some(value.into());
                }
            }
        }
        Ok(arguments)
    }
}

fn key_and_value(value: &OsStr) -> Option<&str> {
    let text = value.to_str()?;
    let rest = text.trim_start_matches(is_word).trim_start();
    let has_key = text.starts_with(is_word);
    let goes_on = rest.starts_with('=') || rest.starts_with(".\"") || rest.starts_with(".'");
    (has_key && goes_on).then_some(text)
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

fn layer(text: &str, cwd: &Path) -> Result<(Table, Layer)> {
    let quoted = with_quotes(text);
    let read = parse::top_level(quoted.as_deref().unwrap_or(text)).and_then(|table| {
        let layer = Layer::new(cwd, &table)?;
        Ok((table, layer))
    });
    match read {
        Ok(read) => Ok(read),
        Err(fault) => bail!("{}: {}", words(text), fault.message),
    }
}

/// The words that name a key that was given.
fn words(text: &str) -> String {
    format!("--config {}", single_line(text))
}

/// `text` with its value as a string, when that is a bare word other than `true` and `false`.
fn with_quotes(text: &str) -> Option<String> {
    let (key, value) = text.split_once('=')?;
    let value = value.trim();
    let is_bare = value.contains(|letter: char| letter.is_ascii_alphabetic())
        && value.chars().all(is_word)
        && !["true", "false"].contains(&value);
    is_bare.then(|| format!("{key}=\"{value}\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Naming;

    fn arguments(values: &[&str]) -> Result<Arguments> {
        let values: Vec<OsString> = values.iter().map(Into::into).collect();
        Arguments::new(&values, Path::new("/p"))
    }

    #[test]
    fn a_key_is_told_from_a_file_by_how_it_is_written() {
        for value in [
            "naming=typename",
            "naming = \"typename\"",
            "max-file-size=64MiB",
            "unsafe-fixes=true",
            "per-file-ignores={ 'tests/*' = ['ALL'] }",
            "per-file-ignores.\"tests/*\"=['ALL']",
        ] {
            let arguments = arguments(&[value]).unwrap();
            assert_eq!(arguments.file, None, "{value}");
        }
        for value in [
            "./naming=typename",
            "a.toml",
            "a.b=c",
            "/x/a=b",
            "naming",
            "=x",
            "",
        ] {
            let arguments = arguments(&[value]).unwrap();
            assert_eq!(arguments.file, Some(PathBuf::from(value)));
        }
    }

    #[test]
    fn files_and_keys_may_be_given_together_but_one_file_only() {
        let both = arguments(&["naming=context", "a.toml", "naming=typename"]).unwrap();
        assert_eq!(both.file, Some(PathBuf::from("a.toml")));
        assert_eq!(both.keys.naming, Some(Naming::Typename));
        assert!(arguments(&["a.toml", "b.toml"]).is_err());
    }

    #[test]
    fn a_fault_is_told_with_what_was_given() {
        for (value, words) in [
            (
                "exlude=[]",
                ["--config exlude=[]: ", "Did you mean `exclude`?"],
            ),
            (
                "naming=typenam",
                ["--config naming=typenam: ", "Did you mean `typename`?"],
            ),
            (
                "select=HNT001",
                ["--config select=HNT001: ", "a list of rules"],
            ),
            (
                "select=[HNT001]",
                ["--config select=[HNT001]: ", "no valid TOML"],
            ),
            (
                "unsafe-fixes=yes",
                ["`\"yes\"` is wrong", "`true` or `false`"],
            ),
        ] {
            let error = arguments(&[value]).unwrap_err().to_string();
            for word in words {
                assert!(error.contains(word), "{error}");
            }
        }
    }
}
