//! What is said about own comments that silence nothing, and how it joins the findings about calls.

use std::sync::Arc;

use super::CheckResult;
use super::comment_removal::{Removal, removals};
use super::describe::scope_at;
use super::patch::Checker;
use super::subject::{Subject, Withdrawn};
use super::trace::unused_comment;
use super::unused::{self, Found, Hoisted, Outcome, fix_message, sweep};
use crate::rule::suppression::usage::Unused;
use crate::rule::{Code, Diagnostic, Fix, MessageWords, SkipReason};
use crate::text::lines::slice;
use crate::text::{Edit, Edits};

/// So many hoists get edits that leave out comments; each is a text of its own to read.
const MOST_JOINED: usize = 20;
/// Characters of a comment that a message shows.
const MAX_TEXT: usize = 80;

impl Checker<'_> {
    /// `result`, whose patched text is `hoisted`, with what is said about comments that silence
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
        for removal in removals {
            let of_token = |found: &&Found| removal.comments.contains(&found.unused.comment);
            let Some(first) = found.iter().find(of_token) else {
                continue;
            };
            let fix = self.hoist_around(&removal, result).or_else(|| {
                let edits = Edits::new(removal.edits.clone()).ok()?;
                let message = fix_message(&first.unused.part).to_owned();
                Some(Arc::new(Fix::safe(message, edits)))
            });
            for (found, slot) in found.iter().zip(&mut fixes) {
                if of_token(&found) && found.removal == Outcome::Removed {
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
        let mut hoists: Vec<Arc<Fix>> = vec![];
        for hoist in self.made(result).filter(|_| !met.is_empty()) {
            let is_known = hoists.iter().any(|known| Arc::ptr_eq(known, hoist));
            let mut met = met.iter();
            if !is_known && hoists.len() < MOST_JOINED && met.any(|removal| meet(hoist, removal)) {
                hoists.push(Arc::clone(hoist));
            }
        }
        for hoist in hoists {
            let around = met.iter().filter(|removal| meet(&hoist, removal));
            let comments: Vec<usize> = around
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

    /// The fixes of the hoists that are made, once for each of their findings.
    fn made<'r>(&self, result: &'r CheckResult) -> impl Iterator<Item = &'r Arc<Fix>> {
        let settings = self.checker.request.settings;
        let fixes = result.diagnostics.iter();
        fixes
            .filter_map(|found| found.fix.as_ref())
            .filter(|fix| settings.applies(fix.applicability()))
    }

    /// Whether the removal wants bytes that a hoist wants that is made.
    fn is_met(&self, removal: &Removal) -> bool {
        let edits = self.edits.map(Edits::iter);
        edits.is_some_and(|mut edits| edits.any(|edit| wants(removal, edit)))
    }

    /// The fix of a hoist that is made and wants bytes that the removal wants too.
    fn hoist_around(&self, removal: &Removal, result: &CheckResult) -> Option<Arc<Fix>> {
        if !self.is_met(removal) {
            return None;
        }
        let mut made = self.made(result);
        made.find(|hoist| meet(hoist, removal)).cloned()
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
            scope: scope_at(module, comment.range.start()),
            skip_reason,
            fix,
            definition: None,
            trace,
        })
    }
}

/// Whether the hoist and the removal want the same bytes.
fn meet(hoist: &Fix, removal: &Removal) -> bool {
    hoist.edits().any(|edit| wants(removal, edit))
}

fn wants(removal: &Removal, edit: &Edit) -> bool {
    let own = removal.edits.iter().map(Edit::range);
    let mut wanted = own.chain([removal.token]);
    wanted.any(|range| unused::overlap(range, edit.range()))
}

/// The text without what is too long to show.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text.to_owned(),
    }
}
