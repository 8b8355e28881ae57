//! The keys of a configuration, as they are written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Text with its place in the file.
pub(crate) type Text = Spanned<String>;

/// The settings of hoist-namedtuple: the table `[tool.hoist-namedtuple]` of a `pyproject.toml`, or
/// the whole of a `hoist-namedtuple.toml`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Table {
    /// Report only these rules: a code, the start of one, a name, or `ALL`.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub(crate) select: Option<Vec<Text>>,

    /// Leave these rules out; the longer of two matching selectors wins.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub(crate) ignore: Option<Vec<Text>>,

    /// Folders with rule files of your own, or such files, relative to the folder of this one and in
    /// its repository; a folder stands for every `*.toml` directly in it.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub(crate) rule_paths: Option<Vec<Text>>,

    /// Leave out what these patterns match, in place of the default excludes; as in a `.gitignore`
    /// file that stands beside this one.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub(crate) exclude: Option<Vec<Text>>,

    /// Leave out what these patterns match, too.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub(crate) extend_exclude: Option<Vec<Text>>,

    /// Apply the excludes to paths given on the command line as well. Taken from the configuration of
    /// the working folder only.
    pub(crate) force_exclude: Option<bool>,

    /// Leave out what `.gitignore` and `.ignore` files leave out; on by default. Taken from the
    /// configuration of the working folder only.
    pub(crate) respect_gitignore: Option<bool>,

    /// How definitions are named: after the class and attribute that hold the record where there are
    /// any (`context`, the default), or always after the typename.
    #[cfg_attr(test, schemars(schema_with = "super::schema::namings"))]
    pub(crate) naming: Option<Text>,

    /// Also make the fixes that are graded unsafe.
    pub(crate) unsafe_fixes: Option<bool>,

    /// The largest file that is checked, as a number with `k`, `M`, `G` or their kin; `32 MiB` by
    /// default. Taken from the configuration of the working folder only.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub(crate) max_file_size: Option<Text>,

    /// How findings are printed. Taken from the configuration of the working folder only.
    #[cfg_attr(test, schemars(schema_with = "super::schema::formats"))]
    pub(crate) output_format: Option<Text>,

    /// Rules to leave out in the files that a pattern matches, by pattern; as in a `.gitignore` file
    /// that stands beside this one, but without `!`.
    // Tables come last in TOML.
    #[cfg_attr(
        test,
        schemars(with = "Option<std::collections::BTreeMap<String, Vec<String>>>")
    )]
    pub(crate) per_file_ignores: Option<BTreeMap<Text, Vec<Text>>>,
}

/// The keys, and what each must be.
pub(super) const KEYS: [(&str, &str); 12] = [
    ("select", RULES),
    ("ignore", RULES),
    (
        "rule-paths",
        "a list of folders or files, such as [\"tools/rules\"]",
    ),
    ("exclude", PATTERNS),
    ("extend-exclude", PATTERNS),
    ("force-exclude", TRUTH),
    ("respect-gitignore", TRUTH),
    ("naming", "a string, such as \"typename\""),
    ("unsafe-fixes", TRUTH),
    ("max-file-size", "a string, such as \"64MiB\""),
    ("output-format", "a string, such as \"concise\""),
    (
        "per-file-ignores",
        "a table of patterns with lists of rules, such as { \"tests/\" = [\"HNT101\"] }",
    ),
];

const RULES: &str = "a list of rules, such as [\"HNT001\"]";
const PATTERNS: &str = "a list of patterns, such as [\"gen/\"]";
const TRUTH: &str = "`true` or `false`";

/// Text that stands in no file.
pub(crate) fn text(value: impl Into<String>) -> Text {
    Spanned::new(0..0, value.into())
}

/// Texts that stand in no file.
pub(crate) fn texts(values: impl IntoIterator<Item = impl Into<String>>) -> Vec<Text> {
    values.into_iter().map(text).collect()
}
