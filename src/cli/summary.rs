//! The counts of a run, and the summary that is made of them.

use std::collections::BTreeMap;
use std::fmt;

use super::file::Outcome;
use super::options::Mode;
use crate::rule::{Applicability, Diagnostic};

/// What a run came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Files that were looked at, most of which hold no factory's name.
    pub(crate) files: usize,
    /// Files in which something was found.
    pub(crate) files_with_findings: usize,
    /// Findings that a written fix removed.
    pub(crate) fixed: usize,
    /// Findings that are left.
    pub(crate) left: usize,
    /// Findings that a comment silenced.
    pub(crate) suppressed: usize,
    /// Findings that the baseline accepts.
    pub(crate) accepted: usize,
    /// Entries of the baseline that no longer occur as often as they are accepted.
    pub(crate) stale: usize,
    /// Whether a diff was printed.
    pub(crate) has_diff: bool,
    /// Files and paths that something went wrong with.
    pub(crate) problems: usize,
    /// The findings that are left, by what can be done about them.
    fates: BTreeMap<Fate, usize>,
}

/// What can be done about a finding that is left; the order is that of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// A fix that `--fix` makes.
    Wanted,
    /// A fix that could not be made, as a problem tells.
    Hindered,
    /// A fix that is graded unsafe and not wanted.
    Unsafe,
    Skipped(&'static str),
    /// No fix is possible: the rule's code and name.
    Unfixable(&'static str, &'static str),
}

impl Fate {
    fn of(diagnostic: &Diagnostic, unsafe_fixes: bool) -> Self {
        match (&diagnostic.fix, diagnostic.skip_reason) {
            (Some(fix), _) => match fix.applicability() {
                Applicability::Unsafe if !unsafe_fixes => Fate::Unsafe,
                Applicability::Safe | Applicability::Unsafe => Fate::Wanted,
            },
            (None, Some(reason)) => Fate::Skipped(reason.code()),
            (None, None) => Fate::Unfixable(diagnostic.code, diagnostic.name),
        }
    }
}

impl Summary {
    /// Counts one file in.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        self.files += 1;
        self.fixed += outcome.fixed;
        self.left += outcome.diagnostics.len();
        self.suppressed += outcome.suppressed;
        self.accepted += outcome.accepted.values().sum::<usize>();
        self.has_diff |= !outcome.diff.is_empty();
        self.problems += usize::from(outcome.problem.is_some());
        self.files_with_findings +=
            usize::from(outcome.fixed > 0 || !outcome.diagnostics.is_empty());
        for diagnostic in &outcome.diagnostics {
            let fate = match Fate::of(diagnostic, outcome.unsafe_fixes) {
                Fate::Wanted if outcome.problem.is_some() => Fate::Hindered,
                fate => fate,
            };
            *self.fates.entry(fate).or_default() += 1;
        }
    }

    /// Whether anything was found, be it fixed or not.
    pub(crate) fn has_findings(&self) -> bool {
        self.fixed + self.left > 0
    }

    /// The summary as lines of text.
    pub(crate) fn display(&self, mode: Mode) -> impl fmt::Display {
        let mut out = format!(
            "Found {} in {} of {}.",
            counted(self.fixed + self.left, "finding"),
            self.files_with_findings,
            counted(self.files, "file"),
        );
        if self.fixed > 0 {
            out.push_str(&format!("\n  {} fixed", self.fixed));
        }
        for (fate, count) in &self.fates {
            let line = fate_line(*fate, mode);
            out.push_str(&format!("\n  {count} {line}"));
        }
        if self.suppressed > 0 {
            out.push_str(&format!(
                "\n  {} more silenced by comments",
                self.suppressed
            ));
        }
        if self.accepted > 0 {
            out.push_str(&format!(
                "\n  {} more accepted by the baseline",
                self.accepted
            ));
        }
        out
    }
}

fn fate_line(fate: Fate, mode: Mode) -> String {
    match (fate, mode) {
        (Fate::Skipped(code), _) => format!("left: {code}"),
        (Fate::Unfixable(code, name), _) => format!("left: {name} ({code})"),
        (Fate::Wanted, Mode::Diff) => "in the diff".to_owned(),
        (Fate::Wanted, Mode::Fix) | (Fate::Hindered, _) => "left: not written".to_owned(),
        (Fate::Wanted, Mode::Report) => "can be fixed with --fix".to_owned(),
        (Fate::Unsafe, _) => "can be fixed with --fix --unsafe-fixes".to_owned(),
    }
}

/// `count` of `noun`, in words.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tests::diagnostics;

    fn summary(sites: usize, fixed: usize, unsafe_fixes: bool) -> Summary {
        let mut summary = Summary::default();
        summary.add(&Outcome::default());
        summary.add(&Outcome {
            diagnostics: diagnostics(&"namedtuple()\n".repeat(sites)),
            fixed,
            unsafe_fixes,
            ..Outcome::default()
        });
        summary
    }

    #[test]
    fn every_finding_is_accounted_for() {
        let text = |mode, unsafe_fixes| summary(4, 0, unsafe_fixes).display(mode).to_string();
        let expected = "Found 4 findings in 1 of 2 files.\n  1 can be fixed with --fix\n  1 can be fixed with --fix --unsafe-fixes\n  1 left: class-compared\n  1 left: dynamic-namedtuple (HNT101)";
        assert_eq!(text(Mode::Report, false), expected);
        assert!(text(Mode::Diff, true).contains("\n  2 in the diff\n"));
    }

    #[test]
    fn fixed_findings_are_counted() {
        let text = summary(0, 1, false).display(Mode::Fix).to_string();
        assert_eq!(text, "Found 1 finding in 1 of 2 files.\n  1 fixed");
    }
}
