//! How each finding was decided, a fact a line: made only when somebody wants to read it.

mod arguments;
mod barrier;
mod call;
mod comment;
mod definition;
mod naming;
mod proofs;
mod uses;
mod words;

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use super::subject::{Withdrawn, identity};
use crate::hoist::assembly::assemble;
use crate::hoist::inquiry::Inquiry;
use crate::hoist::plan::{Decision, Outcome, Plan};
use crate::rule::{Fix, SkipReason, Verdict};
use crate::text::TextRange;
pub(super) use comment::unused_comment;
use definition::Member;
use words::Words;

/// What a line of a trace is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Call,
    When,
    Argument,
    Use,
    Instances,
    Name,
    Reads,
    Place,
    Import,
    Site,
    Shared,
    Grade,
    Proof,
    Comment,
    Names,
    Silences,
    Fix,
    NoFix,
}

impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Call => "call",
            Self::When => "when",
            Self::Argument => "argument",
            Self::Use => "use",
            Self::Instances => "instances",
            Self::Name => "name",
            Self::Reads => "reads",
            Self::Place => "place",
            Self::Import => "import",
            Self::Site => "site",
            Self::Shared => "shared",
            Self::Grade => "grade",
            Self::Proof => "proof",
            Self::Comment => "comment",
            Self::Names => "names",
            Self::Silences => "silences",
            Self::Fix => "fix",
            Self::NoFix => "no fix",
        })
    }
}

/// The lines of one trace.
#[derive(Debug, Default)]
struct Lines(Vec<String>);

impl Lines {
    fn say(&mut self, label: Label, fact: impl fmt::Display) {
        self.0.push(format!("{label}: {fact}"));
    }
}

/// Explains the decisions of one plan.
pub(super) struct Tracer<'t, 'a> {
    inquiry: Inquiry<'t, 'a>,
    plan: &'t Plan<'a>,
    /// The group of each site that had one, also when it was refused later.
    groups: FxHashMap<usize, usize>,
    /// The groups whose fix is to be made, ascending.
    wanted: &'t [usize],
    /// The import names and the assignments of literals that go because nothing else reads them.
    removed: FxHashSet<TextRange>,
}

impl<'t, 'a> Tracer<'t, 'a> {
    /// A tracer for a plan of which the fixes of the groups in `wanted` are to be made.
    pub(super) fn new(inquiry: Inquiry<'t, 'a>, plan: &'t Plan<'a>, wanted: &'t [usize]) -> Self {
        let groups = plan.groups.iter().enumerate();
        let groups = groups.flat_map(|(at, group)| group.sites.iter().map(move |site| (*site, at)));
        Self {
            inquiry,
            plan,
            groups: groups.collect(),
            wanted,
            removed: removed(&inquiry, plan, wanted),
        }
    }

    fn words(&self) -> Words<'t, 'a> {
        Words {
            module: self.inquiry.module,
        }
    }

    /// Whether the site's fix is to be made.
    fn is_fixed(&self, at: usize) -> bool {
        let group = self.groups.get(&at);
        group.is_some_and(|group| self.wanted.binary_search(group).is_ok())
    }

    /// How the site at the index `at` was decided, to the very end; `fix` is its fix.
    pub(super) fn finding(
        &self,
        at: usize,
        fix: Option<&Fix>,
        withdrawn: &Withdrawn,
    ) -> Vec<String> {
        let Some(decision) = self.plan.decisions.get(at) else {
            return vec![];
        };
        let withdrawal = withdrawn.get(&identity(self.inquiry.module, &decision.site));
        let mut lines = match withdrawal {
            Some(withdrawal) if !withdrawal.decided.is_empty() => Lines(withdrawal.decided.clone()),
            _ => Lines(self.decided(at)),
        };
        match decision.outcome {
            Outcome::Dynamic => lines.say(Label::NoFix, "the class depends on run-time values."),
            Outcome::Refused(reason) => {
                if let (Some(withdrawal), SkipReason::VerificationFailed) = (withdrawal, reason) {
                    proofs::withdrawn(withdrawal, &mut lines);
                }
                if reason == SkipReason::LayoutNotEditable {
                    self.layout(at, &mut lines);
                }
                let (sentence, code) = (reason.sentence(), reason.code());
                lines.say(Label::NoFix, format!("{sentence} [{code}]"));
            }
            Outcome::Hoisted(_) => self.fixed(at, fix, &mut lines),
        }
        lines.0
    }

    /// Says which text is in the way of the edits of the site's group.
    fn layout(&self, at: usize, lines: &mut Lines) {
        let needed = self
            .groups
            .get(&at)
            .map(|at| self.plan.with_dependencies(*at));
        let assembled = assemble(&self.inquiry, self.plan, &needed.unwrap_or_default());
        if let Err(refusal) = assembled {
            let place = self.words().place(refusal.at);
            lines.say(
                Label::Site,
                format!("the text at {place} is in the way of the edits."),
            );
        }
    }

    fn fixed(&self, at: usize, fix: Option<&Fix>, lines: &mut Lines) {
        let Some(fix) = fix else { return };
        if self.is_fixed(at) {
            proofs::passed(lines);
        } else {
            proofs::not_run("the fix is unsafe and not asked for", lines);
        }
        lines.say(Label::Fix, fix.message());
    }

    /// How the site was decided, up to the proofs.
    pub(super) fn decided(&self, at: usize) -> Vec<String> {
        let mut lines = Lines::default();
        let Some(decision) = self.plan.decisions.get(at) else {
            return lines.0;
        };
        let (words, site) = (self.words(), &decision.site);
        call::resolution(words, site, &mut lines);
        call::when(words, site, &mut lines);
        arguments::arguments(self.inquiry, site, &mut lines);
        match site.judgement.verdict {
            Verdict::Dynamic { .. } => uses::first_use(words, site, &mut lines),
            _ => uses::uses(self.inquiry, site, &mut lines),
        }
        self.rewritten(at, decision, &mut lines);
        lines.0
    }

    fn rewritten(&self, at: usize, decision: &Decision<'a>, lines: &mut Lines) {
        let Some(candidate) = &decision.candidate else {
            if let Outcome::Refused(reason) = decision.outcome {
                self.barrier(&decision.site, reason, lines);
            }
            return;
        };
        let member = Member {
            index: at,
            site: &decision.site,
            candidate,
        };
        let group = self
            .groups
            .get(&at)
            .and_then(|at| self.plan.groups.get(*at));
        match (group, decision.outcome) {
            (Some(group), _) => {
                self.definition(member, group, lines);
                self.grade(member, group, lines);
            }
            (None, Outcome::Refused(reason)) => self.refused(member, reason, lines),
            (None, _) => {}
        }
    }
}

/// What goes with the wanted fixes, made together, and with each other fix, made alone.
fn removed<'a>(
    inquiry: &Inquiry<'_, 'a>,
    plan: &Plan<'a>,
    wanted: &[usize],
) -> FxHashSet<TextRange> {
    let others = plan
        .standing()
        .filter(|group| wanted.binary_search(group).is_err());
    let others = others.map(|group| plan.with_dependencies(group));
    others
        .chain([wanted.to_vec()])
        .filter_map(|groups| assemble(inquiry, plan, &groups).ok())
        .flat_map(|assembly| {
            let promise = assembly.promise;
            promise
                .removed_aliases
                .into_iter()
                .chain(promise.removed_locals)
        })
        .collect()
}
