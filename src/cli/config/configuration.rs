//! What holds for the files of one configuration, once all layers are put together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use super::layer::{Layer, NAMINGS};
use super::per_file::PerFileIgnores;
use super::table::{Table, text, texts};
use crate::check::Settings;
use crate::cli::args::Format;
use crate::cli::config::exclude::{DEFAULT, Excludes};
use crate::cli::config::patterns::{Patterns, Place};
use crate::cli::config::selection;
use crate::cli::size::Size;
use crate::rule::Registry;

/// All settings that hold for some files.
#[derive(Debug)]
pub(crate) struct Configuration {
    /// The file that they come from; `None` when no file has a say.
    pub(crate) file: Option<PathBuf>,
    /// What is left out.
    pub(crate) excludes: Excludes,
    /// All rules that there are for these files.
    pub(crate) registry: &'static Registry,
    /// The files of the rules that are not built in.
    rule_files: BTreeSet<PathBuf>,
    /// What holds for the run if the working folder goes by this configuration.
    pub(crate) run: RunSettings,
    check: Arc<Settings>,
    per_file_ignores: Option<Arc<PerFileIgnores>>,
}

/// Settings of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunSettings {
    /// Whether the excludes hold for given paths too.
    pub(crate) force_exclude: bool,
    /// Whether `.gitignore` and `.ignore` files are respected.
    pub(crate) respect_gitignore: bool,
    /// The largest file that is checked.
    pub(crate) max_file_size: Size,
    /// How findings are printed.
    pub(crate) output_format: Option<Format>,
}

impl Configuration {
    /// Puts `layers` together, of which the last counts most; `root` is the folder that the default
    /// excludes are relative to.
    ///
    /// The rules are those of `registry`, which holds `rule_files` beside the built-in ones. A layer
    /// that selects rules starts anew; one that only ignores rules takes them from those that
    /// are left. Further excludes add up.
    pub(super) fn new(
        file: Option<PathBuf>,
        root: &Path,
        layers: &[&Layer],
        (rule_files, registry): (BTreeSet<PathBuf>, &'static Registry),
    ) -> Self {
        let check = Settings {
            registry,
            codes: codes(layers, registry),
            naming: last(layers, |layer| layer.naming).unwrap_or_default(),
            unsafe_fixes: last(layers, |layer| layer.unsafe_fixes).unwrap_or(false),
        };
        Self {
            file,
            excludes: excludes(root, layers),
            registry,
            rule_files,
            run: RunSettings {
                force_exclude: last(layers, |layer| layer.force_exclude).unwrap_or(false),
                respect_gitignore: last(layers, |layer| layer.respect_gitignore).unwrap_or(true),
                max_file_size: last(layers, |layer| layer.max_file_size).unwrap_or_default(),
                output_format: last(layers, |layer| layer.output_format),
            },
            check: Arc::new(check),
            per_file_ignores: last(layers, |layer| layer.per_file_ignores.clone()),
        }
    }

    /// The settings of a check of the file at `place`.
    pub(crate) fn check(&self, place: Place<'_>) -> Arc<Settings> {
        let ignores = self.per_file_ignores.as_deref();
        let ignored = ignores.map(|ignores| ignores.codes(place, self.registry));
        let Some(ignored) = ignored.filter(|ignored| !ignored.is_empty()) else {
            return Arc::clone(&self.check);
        };
        let mut settings = Settings::clone(&self.check);
        settings.codes.retain(|code| !ignored.contains(code));
        Arc::new(settings)
    }

    /// The settings as they would be written in a file; `run` is what holds for the run.
    pub(crate) fn table(&self, run: RunSettings) -> Table {
        let lists = self.excludes.lists();
        let lines = |lists: &[Arc<Patterns>]| {
            let lines = lists.iter().flat_map(|list| list.lines());
            Some(texts(lines))
        };
        let (first, others) = lists.split_at_checked(1).unwrap_or((lists, &[]));
        let named = NAMINGS
            .iter()
            .find(|(_, naming)| *naming == self.check.naming);
        let format = run.output_format.unwrap_or(Format::Full);
        let format = format.to_possible_value();
        let ignores = self.per_file_ignores.iter();
        let ignores = ignores.flat_map(|ignores| ignores.entries(self.registry));
        let ignores: BTreeMap<_, _> = ignores
            .map(|(pattern, codes)| (text(pattern), texts(codes)))
            .collect();
        let root = self.file.as_deref().and_then(Path::parent);
        let rule_paths = self.rule_files.iter().map(|file| {
            let below = root.and_then(|root| file.strip_prefix(root).ok());
            below.unwrap_or(file).to_string_lossy()
        });
        Table {
            select: Some(texts(self.check.codes.iter().copied())),
            ignore: Some(Vec::new()),
            rule_paths: Some(texts(rule_paths)),
            exclude: lines(first),
            extend_exclude: lines(others),
            force_exclude: Some(run.force_exclude),
            respect_gitignore: Some(run.respect_gitignore),
            naming: named.map(|(name, _)| text(*name)),
            unsafe_fixes: Some(self.check.unsafe_fixes),
            max_file_size: Some(text(run.max_file_size.to_string())),
            output_format: format.map(|format| text(format.get_name())),
            per_file_ignores: Some(ignores),
        }
    }
}

/// What the last layer that says something says.
fn last<T>(layers: &[&Layer], key: impl Fn(&Layer) -> Option<T>) -> Option<T> {
    layers.iter().rev().find_map(|layer| key(layer))
}

fn codes(layers: &[&Layer], registry: &'static Registry) -> BTreeSet<&'static str> {
    let mut codes = selection::defaults(registry);
    for layer in layers {
        let ignore = layer.ignore.as_deref().unwrap_or_default();
        if let Some(select) = &layer.select {
            codes = selection::codes(registry, select, ignore);
        } else {
            let ignored = selection::matched(registry, ignore);
            codes.retain(|code| !ignored.contains(code));
        }
    }
    codes
}

fn excludes(root: &Path, layers: &[&Layer]) -> Excludes {
    let exclude = last(layers, |layer| layer.exclude.clone()).or_else(|| defaults(root));
    let further = layers
        .iter()
        .filter_map(|layer| layer.extend_exclude.clone());
    Excludes::new(exclude.into_iter().chain(further).collect())
}

fn defaults(root: &Path) -> Option<Arc<Patterns>> {
    let lines = DEFAULT.map(str::to_owned).to_vec();
    // Each of them is a valid pattern, as a test shows.
    Patterns::new(root, lines).ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::parse::top_level;
    use crate::rule::registry;

    fn layer(text: &str) -> Layer {
        Layer::new(Path::new("/p"), &top_level(text).unwrap()).unwrap()
    }

    fn configuration(texts: &[&str]) -> Configuration {
        let layers: Vec<Layer> = texts.iter().map(|text| layer(text)).collect();
        let layers: Vec<&Layer> = layers.iter().collect();
        let rules = (BTreeSet::new(), registry().unwrap());
        Configuration::new(None, Path::new("/p"), &layers, rules)
    }

    fn codes(texts: &[&str]) -> Vec<&'static str> {
        let place = Place {
            real: Path::new("/p/a/m.py"),
            cwd: Path::new("/p"),
            otherwise: None,
        };
        let settings = configuration(texts).check(place);
        settings.codes.iter().copied().collect()
    }

    #[test]
    fn a_layer_that_selects_starts_anew_and_one_that_ignores_takes_away() {
        let defaults = selection::defaults(registry().unwrap());
        assert!(codes(&[]).into_iter().eq(defaults));
        assert_eq!(
            codes(&["ignore = ['HNT0']", "select = ['HNT001']"]),
            ["HNT001"]
        );
        assert!(codes(&["select = ['HNT001']", "ignore = ['HNT0']"]).is_empty());
        assert_eq!(
            codes(&["select = ['HNT001']\nignore = ['HNT0']"]),
            ["HNT001"]
        );
        let twice = ["ignore = ['HNT001']", "ignore = ['HNT101']"];
        assert!(!codes(&twice).contains(&"HNT001"));
        assert!(codes(&["select = []"]).is_empty());
    }

    #[test]
    fn rules_are_left_out_by_pattern_whatever_selects_them() {
        let ignores = "per-file-ignores = { 'a/' = ['HNT0'], 'b/' = ['ALL'] }";
        assert!(!codes(&[ignores, "select = ['ALL']"]).contains(&"HNT001"));
        assert!(codes(&[ignores, "per-file-ignores = {}"]).contains(&"HNT001"));
    }

    #[test]
    fn excludes_are_replaced_and_further_ones_add_up() {
        let lines = |texts: &[&str]| {
            let excludes = configuration(texts).excludes;
            let lists = excludes.lists().iter();
            lists.map(|list| list.lines().join(",")).collect::<Vec<_>>()
        };
        assert_eq!(lines(&[]), [DEFAULT.join(",")]);
        let below = "exclude = ['a']\nextend-exclude = ['b']";
        assert_eq!(
            lines(&[below, "exclude = ['c']", "extend-exclude = ['d']"]),
            ["c", "b", "d"]
        );
    }

    #[test]
    fn the_last_layer_counts_for_all_other_keys() {
        let below = "force-exclude = true\nrespect-gitignore = false\nunsafe-fixes = true";
        let above = "force-exclude = false\noutput-format = 'json'";
        let configuration = configuration(&[below, above]);
        let expected = RunSettings {
            force_exclude: false,
            respect_gitignore: false,
            max_file_size: Size::default(),
            output_format: Some(Format::Json),
        };
        assert_eq!(configuration.run, expected);
        assert!(configuration.check.unsafe_fixes);
    }
}
