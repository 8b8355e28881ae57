//! Proof 7: planning the patched text again finds nothing to fix.

use std::collections::BTreeMap;

use thiserror::Error;

use super::context::{FileContext, Settings};
use super::describe::{self, Fixes};
use super::subject::{Fate, Request, Subject, Withdrawn};
use super::unused;
use crate::hoist::plan::Plan;
use crate::rule::{Diagnostic, FindingKey};

/// Why a patched text is not the last word.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplanFailure {
    /// Planning again would change the text again.
    #[error("the replan proof failed: {0} fixes are left to make")]
    FixesLeft(usize),
    /// Comments silence other findings than before.
    #[error("the replan proof failed: comments silence other findings than before")]
    SilencesOthers,
    /// The patched text is no module.
    #[error("the replan proof failed: {0}")]
    Unreadable(String),
}

/// What planning a patched text again must find.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Expected {
    /// How often comments silence a call or hold its hoist back, by scope and typename; `None` when
    /// that is free.
    silenced: Option<BTreeMap<(String, Option<String>), usize>>,
    /// The findings; `None` when they are free.
    findings: Option<BTreeMap<FindingKey, usize>>,
    /// How many own comments silence nothing; `None` when they are not looked at.
    unused: Option<usize>,
}

impl Expected {
    /// The same calls silenced or held back as in the subject's last plan.
    pub(super) fn silenced_like(subject: &Subject<'_, '_>) -> Self {
        let met = subject.met.borrow();
        let silenced = met
            .iter()
            .filter(|met| met.fate == Fate::Silenced || met.is_held);
        let keys = silenced.map(|met| (met.key.scope.clone(), met.key.typename.clone()));
        Self {
            silenced: Some(counted(keys)),
            ..Self::default()
        }
    }

    /// The same calls silenced, and the same findings, as in the subject's last plan.
    pub(super) fn like(subject: &Subject<'_, '_>) -> Self {
        let met = subject.met.borrow();
        let findings = met.iter().filter(|met| met.fate == Fate::Finding);
        Self {
            findings: Some(counted(findings.map(|met| met.key.clone()))),
            ..Self::silenced_like(subject)
        }
    }

    /// The same, and so many own comments that silence nothing.
    pub(super) fn with_unused(self, count: usize) -> Self {
        Self {
            unused: Some(count),
            ..self
        }
    }

    /// Whether the subject's last plan silenced what it should, and found what it should.
    fn agrees(&self, subject: &Subject<'_, '_>) -> bool {
        let found = Self::like(subject);
        (self.silenced.is_none() || self.silenced == found.silenced)
            && (self.findings.is_none() || self.findings == found.findings)
    }
}

fn counted<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// Proves that a check of `patched` under the same context and settings would fix nothing more.
///
/// # Errors
/// Returns how many fixes are left.
pub fn replan(
    patched: &str,
    context: &FileContext,
    settings: &Settings,
) -> Result<(), ReplanFailure> {
    let expected = Expected::default().with_unused(0);
    let request = Request { context, settings };
    let replanned = request.with_subject(patched, |subject| {
        let left = request.replan(subject, &Withdrawn::new(), &expected);
        left.map(drop)
    });
    match replanned {
        Ok(replanned) => replanned,
        Err(fault) => Err(ReplanFailure::Unreadable(fault.to_string())),
    }
}

/// What a patched text, in which nothing is left to fix, is planned to be.
pub(super) struct Replanned<'a> {
    plan: Plan<'a>,
    fixes: Fixes,
    /// Whether no fix was withdrawn before.
    is_whole: bool,
}

impl Replanned<'_> {
    /// What a check of the subject, which was planned so, would find; `None` when it would try to fix
    /// something, in vain.
    pub(super) fn findings(
        &self,
        request: &Request<'_>,
        subject: &Subject<'_, '_>,
    ) -> Option<Vec<Diagnostic>> {
        let has_unused =
            unused::code(request).is_some() && !unused::all(request, subject).is_empty();
        let is_known = self.is_whole && !has_unused;
        is_known.then(|| describe::diagnostics(subject.inquiry.module, &self.plan, &self.fixes))
    }
}

impl Request<'_> {
    /// The same for a text that was read, without the calls that were withdrawn, and held to
    /// `expected` besides.
    pub(super) fn replan<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        withdrawn: &Withdrawn,
        expected: &Expected,
    ) -> Result<Replanned<'a>, ReplanFailure> {
        let mut plan = self.plan(subject, withdrawn);
        let fixes = describe::fixes(subject, &mut plan);
        let hoists = self.wanted(&plan).len();
        let removals = expected.unused.map_or(0, |expected| {
            self.unused_comments(subject).saturating_sub(expected)
        });
        match (hoists + removals, expected.agrees(subject)) {
            (0, true) => Ok(Replanned {
                plan,
                fixes,
                is_whole: withdrawn.is_empty(),
            }),
            (0, false) => Err(ReplanFailure::SilencesOthers),
            (count, _) => Err(ReplanFailure::FixesLeft(count)),
        }
    }

    /// How many own comments of the subject silence nothing, of those that are understood; 0 when nobody asks for them.
    fn unused_comments(&self, subject: &Subject<'_, '_>) -> usize {
        if unused::code(self).is_none() {
            return 0;
        }
        let unused = unused::all(self, subject);
        unused.iter().filter(|unused| unused.is_understood).count()
    }
}
