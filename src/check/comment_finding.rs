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
use crate::text::{Edit, Edits, TextRange};

/// Characters of a comment that a message shows.
const MAX_TEXT: usize = 80;

impl Checker<'_> {
    /// `result`, whose patched text `edits` made of the subject's, with what is said about comments
    /// that silence nothing, and without these comments in its patched text.
    pub(super) fn with_unused_comments(
        &self,
        subject: &Subject<'_, '_>,
        mut result: CheckResult,
        (edits, withdrawn): (Option<&Edits>, &Withdrawn),
    ) -> CheckResult {
        let Some(code) = unused::code(&self.request) else {
            return result;
        };
        let hoisted = result.patched.as_deref().zip(edits);
        let hoisted = hoisted.map(|(text, edits)| Hoisted { text, edits });
        let sweep = sweep(self, subject, hoisted, withdrawn);
        let describer = Describer {
            checker: self,
            subject,
            code,
            edits,
        };
        let fixes = describer.fixes(&sweep.found, &result);
        let found = sweep.found.iter().zip(fixes);
        let found: Vec<_> = found
            .filter_map(|(found, fix)| describer.diagnostic(found, fix))
            .collect();
        result.diagnostics.extend(found);
        result
            .diagnostics
            .sort_by_key(|diagnostic| diagnostic.range.start());
        result.accepted += sweep.accepted;
        result.patched = sweep.text.or(result.patched);
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
    /// The fix of each comment that is removed.
    fn fixes(&self, found: &[Found], result: &CheckResult) -> Vec<Option<Arc<Fix>>> {
        let removed = found
            .iter()
            .filter(|found| found.removal == Outcome::Removed);
        let removed: Vec<&Unused> = removed.map(|found| &found.unused).collect();
        let mut fixes = vec![None; found.len()];
        for removal in removals(self.subject, &removed) {
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

    /// The fix of a hoist that is made and wants bytes that the removal wants too.
    fn hoist_around(&self, removal: &Removal, result: &CheckResult) -> Option<Arc<Fix>> {
        let own = removal.edits.iter().map(Edit::range);
        let wanted: Vec<TextRange> = own.chain([removal.token]).collect();
        let meets = |edit: &Edit| {
            let mut wanted = wanted.iter();
            wanted.any(|range| unused::overlap(*range, edit.range()))
        };
        if !self.edits?.iter().any(meets) {
            return None;
        }
        let settings = self.checker.request.settings;
        let fixes = result
            .diagnostics
            .iter()
            .filter_map(|found| found.fix.as_ref());
        let mut made = fixes.filter(|fix| settings.applies(fix.applicability()));
        made.find(|fix| fix.edits().any(meets)).cloned()
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

/// The text without what is too long to show.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text.to_owned(),
    }
}
