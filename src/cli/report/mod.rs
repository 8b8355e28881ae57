//! Reports of findings, in the formats of `--output-format`.

mod concise;
mod emitter;
mod escapes;
mod fingerprint;
mod full;
mod github;
mod gitlab;
mod json;
mod json_lines;
mod junit;
mod list;
mod root;
mod sarif;
mod sink;
mod statistics;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::paths::single_line;
use super::problem::Problem;
use crate::rule::{Applicability, Diagnostic, Registry};
use crate::text::{Lines, Location};
use fingerprint::Ordinals;
use root::Place;

pub(crate) use root::Root;
pub(crate) use sink::Sinks;

/// The findings of one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Findings<'a> {
    /// The path as it is shown.
    pub(crate) path: &'a Path,
    /// The text that the findings' ranges are in.
    pub(crate) text: &'a str,
    /// The findings in source order.
    pub(crate) diagnostics: &'a [Diagnostic],
    /// All rules that there are for the file.
    pub(crate) registry: &'static Registry,
}

impl Findings<'_> {
    /// Hands each finding to `take`, with all that a format may want to know of it.
    fn each<E>(
        &self,
        root: &Root,
        mut take: impl FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.diagnostics.is_empty() {
            return Ok(());
        }
        let (lines, place) = (Lines::new(self.text), root.place(self.path));
        let mut ordinals = Ordinals::default();
        let mut holders = BTreeMap::new();
        for diagnostic in self.diagnostics {
            let fix = diagnostic.fix.as_ref();
            let holder = fix.map(|fix| *holders.entry(Arc::as_ptr(fix)).or_insert(diagnostic));
            take(&Finding {
                path: self.path,
                place: &place,
                lines: &lines,
                diagnostic,
                registry: self.registry,
                holder: holder.unwrap_or(diagnostic),
                ordinal: ordinals.next(diagnostic),
            })?;
        }
        Ok(())
    }
}

/// One finding and the file it is in.
struct Finding<'a> {
    path: &'a Path,
    /// The file as the project sees it.
    place: &'a Place,
    lines: &'a Lines<'a>,
    diagnostic: &'a Diagnostic,
    registry: &'static Registry,
    /// The first finding of the file with the very same fix; mostly this one.
    holder: &'a Diagnostic,
    /// The number among the findings of the file with its code, scope and typename, from 1.
    ordinal: usize,
}

impl Finding<'_> {
    fn start(&self) -> Location {
        self.lines.location(self.diagnostic.range.start())
    }

    fn end(&self) -> Location {
        self.lines.location(self.diagnostic.range.end())
    }

    /// The message on one line.
    fn message(&self) -> String {
        single_line(&self.diagnostic.message)
    }

    /// The message, and whether there is a fix, on one line.
    fn message_and_outcome(&self) -> String {
        match outcome(self.diagnostic) {
            Some(outcome) => format!("{} ({outcome})", self.message()),
            None => self.message(),
        }
    }

    /// The same, and what to do by hand when nothing fixes it.
    fn message_and_advice(&self) -> String {
        let mut message = self.message_and_outcome();
        if let Some(help) = self.diagnostic.help() {
            message.push(' ');
            message.push_str(help);
        }
        message
    }

    /// What stays the same when the lines around it change, and differs from all other findings.
    fn fingerprint(&self) -> String {
        let diagnostic = self.diagnostic;
        let typename = diagnostic.typename.as_deref().unwrap_or_default();
        let ordinal = self.ordinal.to_string();
        fingerprint::of(
            self.place,
            [diagnostic.code, &diagnostic.scope, typename, &ordinal],
        )
    }
}

/// A file that something went wrong with.
struct Trouble<'a> {
    problem: &'a Problem,
    /// The file as the project sees it.
    place: &'a Place,
}

impl Trouble<'_> {
    /// What happened and what to do, on one line.
    fn message(&self) -> String {
        single_line(&self.problem.message)
    }
}

/// Which option fixes it, or why nothing does; `None` when no fix is possible at all.
fn outcome(diagnostic: &Diagnostic) -> Option<String> {
    if let Some(fix) = &diagnostic.fix {
        return Some(match fix.applicability() {
            Applicability::Safe => "fixable with --fix".to_owned(),
            Applicability::Unsafe => "fixable with --fix --unsafe-fixes".to_owned(),
        });
    }
    let reason = diagnostic.skip_reason?;
    Some(format!(
        "not fixed: {} [{}]",
        reason.sentence(),
        reason.code()
    ))
}

#[cfg(test)]
pub(super) mod tests;
