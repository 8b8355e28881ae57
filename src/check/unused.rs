//! Own comments that silence nothing: their findings, and the text without them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use super::comment_removal::{Removal, removals};
use super::context::Settings;
use super::describe::Paths;
use super::patch::Checker;
use super::replan::{Expected, Replanned};
use super::subject::{Request, Subject, Withdrawn};
use super::verify::{ChangedComment, VerificationFailure};
use crate::python::Source;
use crate::python::source::read;
use crate::rule::suppression::usage::{Part, Unused, Usage};
use crate::rule::{Code, Diagnostic, FindingKey};
use crate::text::lines::slice;
use crate::text::{Edit, Edits, TextRange, TextSize};

/// The proof that a text lost only the comments it should.
pub(super) type VerifyRemovals<'v> =
    &'v dyn Fn(&Source<'_>, &Source<'_>, &[ChangedComment]) -> Result<(), VerificationFailure>;

/// A text with the hoists made, and proven.
pub(super) struct Hoisted<'h, 's, 'a> {
    /// The text, and its plan.
    pub(super) after: &'h Subject<'s, 'a>,
    pub(super) left: Replanned<'a>,
    /// The edits that made it.
    pub(super) edits: &'h Edits,
}

/// What the check for unused comments came to.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// The comments that are told of.
    pub(super) found: Vec<Found>,
    /// The text with the hoists made and the comments removed; `None` when no comment is.
    pub(super) swept: Option<Swept>,
    /// How many more findings the context accepts.
    pub(super) accepted: usize,
}

/// A text without the comments that are removed, proven.
#[derive(Debug)]
pub(super) struct Swept {
    pub(super) text: String,
    /// What a check of it finds, if that is known.
    pub(super) left: Option<Vec<Diagnostic>>,
}

/// One unused comment; its number is the one in the original text.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) unused: Unused,
    pub(super) removal: Outcome,
}

/// Whether an unused comment is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Removed,
    /// What it was to silence is not certain.
    NotUnderstood,
    /// The text around it must stay as it is.
    NotEditable,
    /// A proof failed.
    Withdrawn,
}

/// With more removals than this, none is tried on its own when they cannot be proven together.
const MOST_TRIED_ALONE: usize = 50;

/// The code of findings about comments, when it is asked for.
pub(super) fn code(request: &Request<'_>) -> Option<&'static Code> {
    let code = request.settings.registry.unused_suppression();
    let codes = &request.settings.codes;
    codes.contains(code.code.as_str()).then_some(code)
}

/// Looks for unused comments in the text as it is after the hoists; `before` is the original.
pub(super) fn sweep(
    checker: &Checker<'_>,
    before: &Subject<'_, '_>,
    hoisted: Option<&Hoisted<'_, '_, '_>>,
    withdrawn: &Withdrawn,
) -> Sweep {
    let Some(code) = code(&checker.request) else {
        return Sweep::default();
    };
    if before.suppressions.own().is_empty() {
        return Sweep::default();
    }
    let sweeper = Sweeper {
        checker,
        before,
        code,
        withdrawn,
        paths: OnceCell::new(),
    };
    match hoisted {
        None => sweeper.sweep(before, None),
        Some(hoisted) => sweeper.sweep(hoisted.after, Some(hoisted.edits)),
    }
}

/// The own comments of `subject`, whose plan was made, that silence nothing.
pub(super) fn all(request: &Request<'_>, subject: &Subject<'_, '_>) -> Vec<Unused> {
    let Settings {
        registry, codes, ..
    } = request.settings;
    let mut usage = Usage::new(subject.suppressions, registry, codes);
    for met in subject.met.borrow().iter() {
        usage.note(met.code, met.statement);
    }
    usage.unused()
}

struct Sweeper<'w, 's, 'a, 'c> {
    checker: &'w Checker<'c>,
    before: &'w Subject<'s, 'a>,
    code: &'static Code,
    withdrawn: &'w Withdrawn,
    /// The scopes of the original, once they are asked for.
    paths: OnceCell<Paths<'w>>,
}

impl Sweeper<'_, '_, '_, '_> {
    fn sweep(&self, after: &Subject<'_, '_>, edits: Option<&Edits>) -> Sweep {
        let all = all(&self.checker.request, after);
        let origins = origins(self.before, after, edits);
        let mut sweep = Sweep::default();
        // Each with its number in the original.
        let mut told = vec![];
        for unused in &all {
            let Some(origin) = origins.get(unused.comment).copied().flatten() else {
                continue;
            };
            if self.is_accepted(origin) {
                sweep.accepted += 1;
            } else {
                told.push((unused, origin));
            }
        }
        let all = all.iter().filter(|unused| unused.is_understood).count();
        let (outcomes, swept) = self.remove(after, &told, all);
        sweep.swept = swept;
        let found = told.into_iter().zip(outcomes);
        sweep.found = found
            .map(|((unused, origin), removal)| Found {
                unused: Unused {
                    comment: origin,
                    ..unused.clone()
                },
                removal,
            })
            .collect();
        sweep
    }

    fn is_accepted(&self, origin: usize) -> bool {
        let accepted = &self.checker.request.context.accepted;
        let comment = self.before.suppressions.own().get(origin);
        let comment = comment.filter(|_| !accepted.is_empty());
        comment.is_some_and(|comment| {
            let paths = self
                .paths
                .get_or_init(|| Paths::new(self.before.inquiry.module));
            accepted.contains(&FindingKey {
                code: self.code.code.clone(),
                scope: paths.at(comment.range.start()),
                typename: None,
            })
        })
    }

    /// What becomes of each comment of `told`, and the text without those that are removed; `all`
    /// is how many are unused and understood.
    fn remove(
        &self,
        after: &Subject<'_, '_>,
        told: &[(&Unused, usize)],
        all: usize,
    ) -> (Vec<Outcome>, Option<Swept>) {
        let mut outcomes = self.editable(after, told);
        let chosen = |outcomes: &[Outcome]| -> Vec<&Unused> {
            let told = told.iter().zip(outcomes);
            told.filter(|(_, outcome)| **outcome == Outcome::Removed)
                .map(|((unused, _), _)| *unused)
                .collect()
        };
        loop {
            let wanted = chosen(&outcomes);
            if wanted.is_empty() {
                return (outcomes, None);
            }
            let together = match self.proven(after, &wanted, all) {
                Ok(swept) => return (outcomes, Some(swept)),
                Err(why) => why,
            };
            let alone = |unused: &&Unused| {
                let why = self.proven(after, &[*unused], all).err()?;
                Some((unused.comment, why))
            };
            let mut failing: BTreeMap<usize, Outcome> = if wanted.len() > MOST_TRIED_ALONE {
                BTreeMap::new()
            } else {
                wanted.iter().filter_map(alone).collect()
            };
            if failing.is_empty() {
                let all = wanted
                    .iter()
                    .map(|unused| (unused.comment, together.clone()));
                failing.extend(all);
            }
            for ((unused, _), outcome) in told.iter().zip(&mut outcomes) {
                if let Some(why) = failing.remove(&unused.comment) {
                    *outcome = why;
                }
            }
        }
    }

    /// Which comments can be removed as far as the text around them goes, in both texts.
    fn editable(&self, after: &Subject<'_, '_>, told: &[(&Unused, usize)]) -> Vec<Outcome> {
        let told_to_go = || told.iter().filter(|(unused, _)| unused.is_understood);
        let here: Vec<&Unused> = told_to_go().map(|(unused, _)| *unused).collect();
        let there: Vec<Unused> = told_to_go()
            .map(|(unused, origin)| Unused {
                comment: *origin,
                ..(*unused).clone()
            })
            .collect();
        let numbers = |removals: Vec<Removal>| -> FxHashSet<usize> {
            removals
                .into_iter()
                .flat_map(|removal| removal.comments)
                .collect()
        };
        let here = numbers(removals(after, &here));
        let there = numbers(removals(self.before, &there.iter().collect::<Vec<_>>()));
        told.iter()
            .map(|(unused, origin)| {
                if !unused.is_understood {
                    Outcome::NotUnderstood
                } else if here.contains(&unused.comment) && there.contains(origin) {
                    Outcome::Removed
                } else {
                    Outcome::NotEditable
                }
            })
            .collect()
    }

    /// The text without the comments `wanted` of `all` unused ones.
    ///
    /// # Errors
    /// Why they stay: a proof failed, or the text would ask for more than is done now, such as a hoist
    /// that a comment was in the way of.
    fn proven(
        &self,
        after: &Subject<'_, '_>,
        wanted: &[&Unused],
        all: usize,
    ) -> Result<Swept, Outcome> {
        let text = after.inquiry.module.text;
        let removals = removals(after, wanted);
        let changed: Vec<ChangedComment> = removals
            .iter()
            .map(|removal| ChangedComment {
                before: slice(text, removal.token).to_owned(),
                after: removal.remainder.clone(),
            })
            .collect();
        let edits = removals.into_iter().flat_map(|removal| removal.edits);
        let edits = Edits::new(edits.collect()).map_err(|_| Outcome::Withdrawn)?;
        let text = edits.apply(text);
        let expected = Expected::like(after).with_unused(all.saturating_sub(wanted.len()));
        let request = &self.checker.request;
        let proven = read(&text, |swept| {
            (self.checker.verify_removals)(&after.source(), swept, &changed)
                .map_err(|_| Outcome::Withdrawn)?;
            request.with_source(swept, |subject| {
                let replanned = request.replan(subject, self.withdrawn, &expected);
                let replanned = replanned.map_err(|_| Outcome::NotEditable)?;
                Ok(replanned.findings(request, subject))
            })
        });
        let left = proven.unwrap_or(Err(Outcome::Withdrawn))?;
        Ok(Swept { text, left })
    }
}

/// For each own comment of `after` its number in `before`, which `edits` made `after` of.
pub(super) fn origins(
    before: &Subject<'_, '_>,
    after: &Subject<'_, '_>,
    edits: Option<&Edits>,
) -> Vec<Option<usize>> {
    let (old, new) = (before.suppressions.own(), after.suppressions.own());
    let Some(edits) = edits else {
        return (0..new.len()).map(Some).collect();
    };
    let shifts = Shifts::new(edits);
    let by_start: FxHashMap<TextSize, usize> = new
        .iter()
        .enumerate()
        .map(|(at, comment)| (comment.range.start(), at))
        .collect();
    let mut origins = vec![None; new.len()];
    // Those that the edits took elsewhere, by their words.
    let mut moved: FxHashMap<&str, VecDeque<usize>> = FxHashMap::default();
    for (number, comment) in old.iter().enumerate() {
        let start = shifts.moved(comment.token, comment.range.start());
        let at = start.and_then(|start| by_start.get(&start));
        match at.and_then(|at| origins.get_mut(*at)) {
            Some(origin) => *origin = Some(number),
            None => {
                let words = slice(before.inquiry.module.text, comment.range);
                moved.entry(words).or_default().push_back(number);
            }
        }
    }
    for (comment, origin) in new.iter().zip(&mut origins) {
        if origin.is_none() {
            let words = slice(after.inquiry.module.text, comment.range);
            *origin = moved.get_mut(words).and_then(VecDeque::pop_front);
        }
    }
    origins
}

/// How far edits move the bytes behind each of them.
struct Shifts<'e> {
    edits: Vec<(&'e Edit, i64)>,
}

impl<'e> Shifts<'e> {
    fn new(edits: &'e Edits) -> Self {
        let mut shift = 0;
        let edits = edits.iter().map(|edit| {
            let put_in = i64::from(TextSize::of(edit.content()).to_u32());
            shift += put_in - i64::from(edit.range().len().to_u32());
            (edit, shift)
        });
        Self {
            edits: edits.collect(),
        }
    }

    /// Where the byte `at` of a comment's token stands after the edits; `None` when one changes the
    /// token.
    fn moved(&self, token: TextRange, at: TextSize) -> Option<TextSize> {
        let before = self
            .edits
            .partition_point(|(edit, _)| edit.range().start() < token.end());
        let last = before.checked_sub(1).and_then(|last| self.edits.get(last));
        let Some((edit, shift)) = last else {
            return Some(at);
        };
        if edit.range().end() > token.start() {
            return None;
        }
        let moved = i64::from(at.to_u32()) + shift;
        u32::try_from(moved).ok().map(TextSize::new)
    }
}

/// What the removal of the part does, as a sentence.
pub(super) fn fix_message(part: &Part) -> &'static str {
    match part {
        Part::Whole => "Remove the comment.",
        Part::Entries(_) => "Remove from its list what silences nothing.",
    }
}

#[cfg(test)]
mod tests;
