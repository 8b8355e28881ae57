//! The settings of one place, checked and ready for use.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use super::bounds::Bounds;
use super::fault::{Fault, quoted};
use super::per_file::PerFileIgnores;
use super::rule_paths;
use super::table::{Table, Text};
use crate::check::Naming;
use crate::cli::args::Format;
use crate::cli::config::patterns::Patterns;
use crate::cli::paths::shown;
use crate::cli::size::Size;
use crate::text::suggest::{choice, did_you_mean};

/// The values of `naming`.
pub(super) const NAMINGS: [(&str, Naming); 2] =
    [("context", Naming::Context), ("typename", Naming::Typename)];

/// What one place sets: a file, a `--config KEY=VALUE`, or the other options.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layer {
    pub(super) select: Option<Vec<String>>,
    pub(super) ignore: Option<Vec<String>>,
    /// The files that `rule-paths` stand for.
    pub(super) rule_files: Option<BTreeSet<PathBuf>>,
    pub(super) exclude: Option<Arc<Patterns>>,
    pub(super) extend_exclude: Option<Arc<Patterns>>,
    pub(super) per_file_ignores: Option<Arc<PerFileIgnores>>,
    pub(super) naming: Option<Naming>,
    pub(super) unsafe_fixes: Option<bool>,
    pub(super) force_exclude: Option<bool>,
    pub(super) respect_gitignore: Option<bool>,
    pub(super) max_file_size: Option<Size>,
    pub(super) output_format: Option<Format>,
}

impl Layer {
    /// Checks the values of `table`, whose patterns and paths are relative to the folder `root`. Its
    /// selectors are checked by [`selection::check`], once it is known which rules there are.
    ///
    /// # Errors
    /// The first fault among them.
    pub(super) fn new(root: &Path, table: &Table) -> Result<Self, Fault> {
        Self::within(None, root, table)
    }

    /// The same, of a table whose paths may not lead out of `bounds`.
    ///
    /// # Errors
    /// The first fault.
    pub(super) fn within(
        bounds: Option<&Bounds>,
        root: &Path,
        table: &Table,
    ) -> Result<Self, Fault> {
        Ok(Self {
            select: table.select.as_deref().map(values),
            ignore: table.ignore.as_deref().map(values),
            rule_files: rule_files(bounds, root, table.rule_paths.as_deref())?,
            exclude: patterns("exclude", root, table.exclude.as_deref())?,
            extend_exclude: patterns("extend-exclude", root, table.extend_exclude.as_deref())?,
            per_file_ignores: table
                .per_file_ignores
                .as_ref()
                .map(|entries| PerFileIgnores::new(root, entries))
                .transpose()?
                .map(Arc::new),
            naming: table.naming.as_ref().map(naming).transpose()?,
            unsafe_fixes: table.unsafe_fixes,
            force_exclude: table.force_exclude,
            respect_gitignore: table.respect_gitignore,
            max_file_size: table.max_file_size.as_ref().map(size).transpose()?,
            output_format: table.output_format.as_ref().map(format).transpose()?,
        })
    }

    /// This layer with each key that `above` sets as it is there.
    pub(super) fn overridden_by(&self, above: &Self) -> Self {
        fn upper<T: Clone>(above: &Option<T>, below: &Option<T>) -> Option<T> {
            above.as_ref().or(below.as_ref()).cloned()
        }
        Self {
            select: upper(&above.select, &self.select),
            ignore: upper(&above.ignore, &self.ignore),
            rule_files: upper(&above.rule_files, &self.rule_files),
            exclude: upper(&above.exclude, &self.exclude),
            extend_exclude: upper(&above.extend_exclude, &self.extend_exclude),
            per_file_ignores: upper(&above.per_file_ignores, &self.per_file_ignores),
            naming: above.naming.or(self.naming),
            unsafe_fixes: above.unsafe_fixes.or(self.unsafe_fixes),
            force_exclude: above.force_exclude.or(self.force_exclude),
            respect_gitignore: above.respect_gitignore.or(self.respect_gitignore),
            max_file_size: above.max_file_size.or(self.max_file_size),
            output_format: above.output_format.or(self.output_format),
        }
    }
}

fn rule_files(
    bounds: Option<&Bounds>,
    root: &Path,
    list: Option<&[Text]>,
) -> Result<Option<BTreeSet<PathBuf>>, Fault> {
    let Some(list) = list else {
        return Ok(None);
    };
    let mut files = BTreeSet::new();
    for path in list {
        let fault = |message| Fault::at(path.span(), message).in_key("rule-paths");
        let path = root.join(path.get_ref());
        let found = match bounds {
            Some(bounds) => files_within(bounds, &path),
            None => rule_paths::files(&path),
        };
        files.extend(found.map_err(fault)?);
    }
    Ok(Some(files))
}

/// The rule files at `path`, none of which may lie out of `bounds`.
fn files_within(bounds: &Bounds, path: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let check = |path: &Path| {
        let checked = bounds.check(path);
        checked.map_err(|message| format!("`{}` {message}", shown(path)))
    };
    check(path)?;
    let found = rule_paths::named(path)?;
    found.iter().try_for_each(|file| check(file))?;
    Ok(rule_paths::real(&found))
}

fn patterns(
    key: &'static str,
    root: &Path,
    list: Option<&[Text]>,
) -> Result<Option<Arc<Patterns>>, Fault> {
    let Some(list) = list else {
        return Ok(None);
    };
    match Patterns::new(root, values(list)) {
        Ok(patterns) => Ok(Some(Arc::new(patterns))),
        Err((index, message)) => {
            let span = list.get(index).map(Text::span).unwrap_or_default();
            Err(Fault::at(span, message).in_key(key))
        }
    }
}

pub(super) fn values(list: &[Text]) -> Vec<String> {
    list.iter().map(|text| text.get_ref().clone()).collect()
}

fn naming(text: &Text) -> Result<Naming, Fault> {
    let known = NAMINGS.iter().find(|(name, _)| name == text.get_ref());
    known
        .map(|(_, naming)| *naming)
        .ok_or_else(|| unknown("naming", text, &NAMINGS.map(|(name, _)| name)))
}

fn size(text: &Text) -> Result<Size, Fault> {
    let word = text.get_ref();
    let size = word.parse::<Size>();
    size.map_err(|why| {
        let message = format!("`{word}` is wrong here: {why}");
        Fault::at(text.span(), message).in_key("max-file-size")
    })
}

fn format(text: &Text) -> Result<Format, Fault> {
    Format::from_str(text.get_ref(), false).map_err(|_| {
        let names = format_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        unknown("output-format", text, &names)
    })
}

/// The values of `output-format`.
pub(super) fn format_names() -> Vec<String> {
    let values = Format::value_variants().iter();
    values
        .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
        .collect()
}

fn unknown(key: &'static str, text: &Text, known: &[&str]) -> Fault {
    let word = quoted(text.get_ref());
    let hint = did_you_mean(&word, known.iter().copied());
    let message = format!("`{word}` is no value of it.{hint} Use {}.", choice(known));
    Fault::at(text.span(), message).in_key(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::parse::top_level;
    use crate::cli::config::selection;
    use crate::rule::registry;

    fn fault(text: &str) -> Fault {
        let table = top_level(text).unwrap();
        let layer = Layer::new(Path::new("/p"), &table);
        let checked = layer.and_then(|_| selection::check(&table, registry().unwrap()));
        checked.unwrap_err()
    }

    #[test]
    fn a_wrong_value_is_named_with_its_key_place_and_what_is_allowed() {
        for (text, key, start, words) in [
            (
                "select = ['ALL', 'HNT01']",
                "select",
                17,
                ["no rule `HNT01`", "Did you mean `HNT001`?"],
            ),
            (
                "ignore = ['E501']",
                "ignore",
                10,
                ["no rule `E501`", "or ALL"],
            ),
            (
                "exclude = ['a', '[z-a]']",
                "exclude",
                16,
                ["`[z-a]`", ".gitignore"],
            ),
            (
                "extend-exclude = ['']",
                "extend-exclude",
                18,
                ["empty", "."],
            ),
            (
                "naming = 'typname'",
                "naming",
                9,
                ["Did you mean `typename`?", "Use `context` or `typename`."],
            ),
            (
                "output-format = 'jsn'",
                "output-format",
                16,
                ["Did you mean `json`?", "`concise`"],
            ),
            (
                "max-file-size = '64MX'",
                "max-file-size",
                16,
                ["`64MX` is wrong here: it is no size", "such as 500k"],
            ),
            (
                "max-file-size = '0'",
                "max-file-size",
                16,
                ["`0` is wrong here", "between 1 byte and 2 GiB"],
            ),
            (
                "[per-file-ignores]\n'a' = ['ALL']\n'b' = ['HNT2']",
                "per-file-ignores",
                40,
                ["no rule `HNT2`", "HNT001"],
            ),
            (
                "[per-file-ignores]\n'!a' = ['ALL']",
                "per-file-ignores",
                19,
                ["`!a`", "order"],
            ),
            (
                "[per-file-ignores]\n'[z-a]' = ['ALL']",
                "per-file-ignores",
                19,
                ["`[z-a]`", ".gitignore"],
            ),
        ] {
            let fault = fault(text);
            assert_eq!(fault.key, Some(key), "{fault:?}");
            assert_eq!(
                fault.span.as_ref().map(|span| span.start),
                Some(start),
                "{fault:?}"
            );
            for word in words {
                assert!(fault.message.contains(word), "{fault:?}");
            }
        }
    }

    #[test]
    fn every_format_of_the_command_line_is_taken() {
        for name in format_names() {
            let table = top_level(&format!("output-format = '{name}'")).unwrap();
            let layer = Layer::new(Path::new("/p"), &table).unwrap();
            assert!(layer.output_format.is_some(), "{name}");
        }
    }
}
