//! What is said about own comments that silence nothing, and how it joins the findings about calls.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::CheckResult;
use super::comment_removal::{Removal, removals};
use super::describe::Paths;
use super::patch::Checker;
use super::subject::{Subject, Withdrawn};
use super::trace::unused_comment;
use super::unused::{self, Found, Hoisted, Outcome, fix_message, sweep};
use crate::rule::suppression::usage::Unused;
use crate::rule::{Code, Diagnostic, Fix, MessageWords, SkipReason};
use crate::text::edit::RangeIndex;
use crate::text::lines::slice;
use crate::text::{Edit, Edits, TextRange};

/// So many hoists get edits that leave out comments; each is a text of its own to read.
const MOST_JOINED: usize = 20;
/// Characters of a comment that a message shows.
const MAX_TEXT: usize = 80;

impl Checker<'_> {
    /// `result`, with the hoists of `hoisted` made, with what is said about comments that silence
    /// nothing, and without these comments in its patched text.
    pub(super) fn with_unused_comments(
        &self,
        subject: &Subject<'_, '_>,
        mut result: CheckResult,
        (hoisted, withdrawn): (Option<Hoisted<'_, '_, '_>>, &Withdrawn),
    ) -> CheckResult {
        let left =
            |hoisted: &Hoisted<'_, '_, '_>| hoisted.left.findings(&self.request, hoisted.after);
        let Some(code) = unused::code(&self.request) else {
            result.left = hoisted.as_ref().and_then(left);
            return result;
        };
        let sweep = sweep(self, subject, hoisted.as_ref(), withdrawn);
        let describer = Describer {
            checker: self,
            subject,
            code,
            paths: Paths::new(subject.inquiry.module),
            edits: hoisted.as_ref().map(|hoisted| hoisted.edits),
        };
        let fixes = describer.fixes(&sweep.found, &mut result);
        let found = sweep.found.iter().zip(fixes);
        let found: Vec<_> = found
            .filter_map(|(found, fix)| describer.diagnostic(found, fix))
            .collect();
        result.diagnostics.extend(found);
        result
            .diagnostics
            .sort_by_key(|diagnostic| diagnostic.range.start());
        result.accepted += sweep.accepted;
        match sweep.swept {
            Some(swept) => {
                result.patched = Some(swept.text);
                result.left = swept.left;
            }
            None => result.left = hoisted.as_ref().and_then(left),
        }
        result
    }
}

struct Describer<'d, 's, 'a, 'c> {
    checker: &'d Checker<'c>,
    subject: &'d Subject<'s, 'a>,
    code: &'static Code,
    paths: Paths<'d>,
    /// The edits of the hoists that are made.
    edits: Option<&'d Edits>,
}

impl Describer<'_, '_, '_, '_> {
    /// The fix of each comment that is removed. Hoists that are made around comments get edits that
    /// leave these out.
    fn fixes(&self, found: &[Found], result: &mut CheckResult) -> Vec<Option<Arc<Fix>>> {
        let removed = found
            .iter()
            .filter(|found| found.removal == Outcome::Removed);
        let removed: Vec<&Unused> = removed.map(|found| &found.unused).collect();
        let mut fixes = vec![None; found.len()];
        let removals = removals(self.subject, &removed);
        self.join(&removals, &removed, result);
        let hoists = Hoisting::new(self.made(result));
        let mut by_comment: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (at, found) in found.iter().enumerate() {
            let of_comment = by_comment.entry(found.unused.comment).or_default();
            of_comment.push(at);
        }
        for removal in removals {
            let comments = removal.comments.iter();
            let of_token = comments.filter_map(|comment| by_comment.get(comment));
            let mut of_token: Vec<usize> = of_token.flatten().copied().collect();
            of_token.sort_unstable();
            let Some(first) = of_token.first().and_then(|at| found.get(*at)) else {
                continue;
            };
            let around = self.is_met(&removal).then(|| hoists.around(&removal));
            let fix = around.flatten().or_else(|| {
                let edits = Edits::new(removal.edits.clone()).ok()?;
                let message = fix_message(&first.unused.part).to_owned();
                Some(Arc::new(Fix::safe(message, edits)))
            });
            for at in of_token {
                if let (Some(found), Some(slot)) = (found.get(at), fixes.get_mut(at))
                    && found.removal == Outcome::Removed
                {
                    slot.clone_from(&fix);
                }
            }
        }
        fixes
    }

    /// Lets each hoist that is made around some of `removals` leave out their comments, which are
    /// among `removed`, where its edits can tell that.
    fn join(&self, removals: &[Removal], removed: &[&Unused], result: &mut CheckResult) {
        let met = removals.iter().filter(|removal| self.is_met(removal));
        let met: Vec<&Removal> = met.collect();
        if met.is_empty() {
            return;
        }
        let of_met = met.iter().flat_map(|removal| wanted(removal));
        let index = RangeIndex::new(of_met.map(|range| (range, ())));
        let meets = |hoist: &&Arc<Fix>| {
            let mut edits = hoist.edits();
            edits.any(|edit| index.overlapping(edit.range()).next().is_some())
        };
        let hoists = self.made(result).filter(meets).take(MOST_JOINED);
        let hoists: Vec<Arc<Fix>> = hoists.cloned().collect();
        for hoist in hoists {
            let edits = RangeIndex::new(hoist.edits().map(|edit| (edit.range(), ())));
            let is_around = |removal: &&&Removal| {
                let mut wanted = wanted(removal);
                wanted.any(|range| edits.overlapping(range).next().is_some())
            };
            let around = met.iter().filter(is_around);
            let comments: FxHashSet<usize> = around
                .flat_map(|removal| removal.comments.iter().copied())
                .collect();
            let removed = removed.iter().copied();
            let unused: Vec<&Unused> = removed
                .filter(|unused| comments.contains(&unused.comment))
                .collect();
            let is_of_hoist = |found: &&mut Diagnostic| {
                let fix = found.fix.as_ref();
                fix.is_some_and(|fix| Arc::ptr_eq(fix, &hoist))
            };
            let found = result.diagnostics.iter_mut().filter(is_of_hoist);
            let found: Vec<_> = found.collect();
            let definition = found.first().and_then(|found| found.definition.clone());
            let whole = (hoist.as_ref(), definition.as_deref());
            let without = self.checker.without_comments(self.subject, whole, &unused);
            if let Some((fix, definition)) = without {
                for found in found {
                    found.fix = Some(Arc::clone(&fix));
                    found.definition.clone_from(&definition);
                }
            }
        }
    }

    /// The fixes of the hoists that are made, each once.
    fn made<'r>(&self, result: &'r CheckResult) -> impl Iterator<Item = &'r Arc<Fix>> {
        let settings = self.checker.request.settings;
        let fixes = result.diagnostics.iter();
        let mut seen = FxHashSet::default();
        fixes
            .filter_map(|found| found.fix.as_ref())
            .filter(|fix| settings.applies(fix.applicability()))
            .filter(move |fix| seen.insert(Arc::as_ptr(fix)))
    }

    /// Whether the removal wants bytes that a hoist wants that is made.
    fn is_met(&self, removal: &Removal) -> bool {
        let mut wanted = wanted(removal);
        let edits = self.edits;
        edits.is_some_and(|edits| wanted.any(|range| edits.want(range)))
    }

    fn diagnostic(&self, found: &Found, fix: Option<Arc<Fix>>) -> Option<Diagnostic> {
        let module = self.subject.inquiry.module;
        let comment = self.subject.suppressions.own().get(found.unused.comment)?;
        let words = MessageWords {
            comment: &cut(slice(module.text, comment.range)),
            why: &found.unused.why,
            ..MessageWords::default()
        };
        let skip_reason = match found.removal {
            _ if fix.is_some() => None,
            Outcome::NotUnderstood => Some(SkipReason::CommentNotUnderstood),
            Outcome::NotEditable => Some(SkipReason::CommentNotEditable),
            Outcome::Removed | Outcome::Withdrawn => Some(SkipReason::VerificationFailed),
        };
        let trace = if self.checker.traces {
            let unused = &found.unused;
            unused_comment(module, (comment, unused), (fix.as_deref(), skip_reason))
        } else {
            vec![]
        };
        Some(Diagnostic {
            code: &self.code.code,
            name: &self.code.name,
            message: self.code.message.fill(&words),
            range: comment.range,
            statement: comment.range,
            factory: None,
            typename: None,
            fields: None,
            scope: self.paths.at(comment.range.start()),
            skip_reason,
            fix,
            definition: None,
            trace,
        })
    }
}

/// The hoists that are made, by the bytes that they want.
struct Hoisting {
    hoists: Vec<Arc<Fix>>,
    index: RangeIndex<usize>,
}

impl Hoisting {
    fn new<'r>(hoists: impl Iterator<Item = &'r Arc<Fix>>) -> Self {
        let hoists: Vec<Arc<Fix>> = hoists.cloned().collect();
        let edits = hoists.iter().enumerate().flat_map(|(at, hoist)| {
            let edits = hoist.edits();
            edits.map(move |edit| (edit.range(), at))
        });
        Self {
            index: RangeIndex::new(edits),
            hoists,
        }
    }

    /// The first hoist that wants bytes that the removal wants too.
    fn around(&self, removal: &Removal) -> Option<Arc<Fix>> {
        let hoists = wanted(removal).flat_map(|range| self.index.overlapping(range));
        self.hoists.get(hoists.min()?).cloned()
    }
}

/// The bytes that the removal wants.
fn wanted(removal: &Removal) -> impl Iterator<Item = TextRange> {
    let own = removal.edits.iter().map(Edit::range);
    own.chain([removal.token])
}

/// The text without what is too long to show.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text.to_owned(),
    }
}
