//! The hoists that comments forbid, because what they silence would change or is not certain.

use super::describe::{header_range, is_statement_or_clause};
use super::subject::{Fate, Subject};
use crate::hoist::eligibility::Candidate;
use crate::hoist::site::Site;
use crate::rule::SkipReason;
use crate::text::edit::overlap;
use crate::text::lines::slice;
use crate::text::{Edits, TextRange};

/// Why the site is not hoisted, although it could be; the subject's calls have all been met.
pub(super) fn refusal(
    subject: &Subject<'_, '_>,
    site: &Site<'_>,
    candidate: &Candidate,
) -> Option<SkipReason> {
    let module = subject.inquiry.module;
    let is_held = |node| {
        let statement = header_range(module, node);
        subject.suppressions.is_held(statement)
    };
    // The import may lose a name when several hoists are made together.
    let import = candidate.lift.as_ref();
    let import = import.map(|lift| module.model.binding(lift.binding).node);
    if is_held(site.call) || import.is_some_and(is_held) {
        return Some(SkipReason::CommentNotUnderstood);
    }
    takes_away(subject, module.nodes.range(site.call))
        .then_some(SkipReason::CommentSilencesAnotherCall)
}

/// Whether all that silences some call stands in `moved`.
fn takes_away(subject: &Subject<'_, '_>, moved: TextRange) -> bool {
    let suppressions = subject.suppressions;
    let met = subject.met.borrow();
    let mut silenced = met.iter().filter(|met| met.fate == Fate::Silenced);
    suppressions.has_comment_in(moved)
        && silenced.any(|met| !suppressions.is_suppressed_without(met.code, met.statement, moved))
}

/// The statements, of compound ones the headers, at which a comment is not understood.
pub(super) fn held_statements(subject: &Subject<'_, '_>) -> Vec<TextRange> {
    let module = subject.inquiry.module;
    let mut own = subject.suppressions.own().iter();
    if own.all(|comment| comment.is_understood) {
        return vec![];
    }
    let statements = module
        .nodes
        .ids()
        .filter(|id| is_statement_or_clause(module.nodes.get(*id)));
    let ranges = statements.map(|id| header_range(module, id));
    ranges
        .filter(|range| subject.suppressions.is_held(*range))
        .collect()
}

/// Whether one of `edits` to `text` changes one of the statements.
pub(super) fn change(edits: &Edits, text: &str, statements: &[TextRange]) -> bool {
    // A use that keeps its name is written again.
    let mut edits = edits
        .iter()
        .filter(|edit| slice(text, edit.range()) != edit.content());
    edits.any(|edit| {
        // They are in source order, and none holds another.
        let at = statements.partition_point(|held| held.end() <= edit.range().start());
        let first = statements.get(at);
        first.is_some_and(|held| overlap(*held, edit.range()))
    })
}
