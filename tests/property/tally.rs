//! How often each thing occurs.

use std::collections::BTreeMap;

use hoist_namedtuple::check::CheckResult;
use hoist_namedtuple::rule::SkipReason;

use crate::rewrite::{REWRITES, rewrites};
use crate::trial::Outcome;

/// Counts of many programs.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) programs: usize,
    modules: usize,
    run: usize,
    to_the_end: usize,
    findings: usize,
    pub(crate) rewrites: BTreeMap<&'static str, usize>,
    pub(crate) reasons: BTreeMap<SkipReason, usize>,
}

/// The reasons that need not occur: a fault of the tool, one about comments in shared lines, one about
/// comments inside calls, and one about comments in f-strings, which CPython 3.12 is the first to take.
pub(crate) const NEVER: [SkipReason; 4] = [
    SkipReason::VerificationFailed,
    SkipReason::LayoutNotEditable,
    SkipReason::CommentSilencesAnotherCall,
    SkipReason::CommentNotEditable,
];

impl Tally {
    pub(crate) fn add(&mut self, text: &str, outcome: &Outcome) {
        self.programs += 1;
        if let Some(run) = &outcome.run {
            self.run += 1;
            self.to_the_end += usize::from(run.end == "ok");
        }
        if let Some(result) = &outcome.result {
            self.modules += 1;
            self.add_result(text, result);
        }
    }

    fn add_result(&mut self, text: &str, result: &CheckResult) {
        self.findings += result.diagnostics.len();
        for found in &result.diagnostics {
            if let Some(reason) = found.skip_reason {
                *self.reasons.entry(reason).or_default() += 1;
            }
        }
        for name in rewrites(text, result) {
            *self.rewrites.entry(name).or_default() += 1;
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.programs += other.programs;
        self.modules += other.modules;
        self.run += other.run;
        self.to_the_end += other.to_the_end;
        self.findings += other.findings;
        for (name, count) in other.rewrites {
            *self.rewrites.entry(name).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    /// The rewrites and reasons that occur less than `floor` times.
    pub(crate) fn rarer_than(&self, floor: usize) -> Vec<String> {
        let rewrites = REWRITES.iter().map(|name| {
            (
                (*name).to_owned(),
                self.rewrites.get(name).copied().unwrap_or_default(),
            )
        });
        let reasons = SkipReason::ALL
            .iter()
            .filter(|reason| !NEVER.contains(reason));
        let reasons = reasons.map(|reason| {
            (
                reason.to_string(),
                self.reasons.get(reason).copied().unwrap_or_default(),
            )
        });
        let rare = rewrites.chain(reasons).filter(|(_, count)| *count < floor);
        rare.map(|(name, count)| format!("{name}: {count}"))
            .collect()
    }

    pub(crate) fn print(&self) {
        let line = |name: &str, count: usize| println!("{count:>9}  {name}");
        line("programs", self.programs);
        line("of them modules", self.modules);
        line("patched and run before and after", self.run);
        line("of these ran to the end", self.to_the_end);
        line("findings", self.findings);
        println!("rewrites");
        for name in REWRITES {
            line(name, self.rewrites.get(name).copied().unwrap_or_default());
        }
        println!("refusals");
        for reason in SkipReason::ALL {
            line(
                reason.code(),
                self.reasons.get(reason).copied().unwrap_or_default(),
            );
        }
    }
}
