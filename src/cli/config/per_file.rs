//! `per-file-ignores`: rules that are left out in some files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::fault::Fault;
use super::layer::values;
use super::table::Text;
use crate::cli::config::patterns::{Patterns, Place};
use crate::cli::config::selection;
use crate::rule::Registry;

pub(super) const KEY: &str = "per-file-ignores";

/// Patterns, and the selectors of what is left out in the files that they match.
#[derive(Debug)]
pub(super) struct PerFileIgnores {
    entries: Vec<(Patterns, Vec<String>)>,
}

impl PerFileIgnores {
    /// Checks `entries`, whose patterns are relative to the folder `root`.
    ///
    /// # Errors
    /// The first fault among them.
    pub(super) fn new(root: &Path, entries: &BTreeMap<Text, Vec<Text>>) -> Result<Self, Fault> {
        let entry = |(pattern, rules): (&Text, &Vec<Text>)| {
            let fault = |message: String| Fault::at(pattern.span(), message).in_key(KEY);
            if pattern.get_ref().starts_with('!') {
                return Err(fault(kept(pattern.get_ref())));
            }
            let patterns = Patterns::new(root, vec![pattern.get_ref().clone()])
                .map_err(|(_, message)| fault(message))?;
            Ok((patterns, values(rules)))
        };
        let entries = entries.iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { entries })
    }

    /// The codes of `registry` that are left out in the file at `place`.
    pub(super) fn codes(
        &self,
        place: Place<'_>,
        registry: &'static Registry,
    ) -> BTreeSet<&'static str> {
        let covering = self.entries.iter();
        covering
            .filter(|(patterns, _)| patterns.covers(place))
            .flat_map(|(_, rules)| selection::matched(registry, rules))
            .collect()
    }

    /// Each pattern with the codes of `registry` that are left out.
    pub(super) fn entries(
        &self,
        registry: &'static Registry,
    ) -> impl Iterator<Item = (&str, BTreeSet<&'static str>)> {
        self.entries.iter().flat_map(move |(patterns, rules)| {
            let lines = patterns.lines().iter();
            lines.map(move |line| (line.as_str(), selection::matched(registry, rules)))
        })
    }
}

fn kept(pattern: &str) -> String {
    format!(
        "`{pattern}` starts with `!`, which takes back what an earlier pattern says, and the entries \
         of a table have no order. Write patterns of the files that are meant."
    )
}
