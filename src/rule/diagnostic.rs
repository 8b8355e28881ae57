//! Diagnostics: what is said about one call.

use std::sync::Arc;

use super::{Fix, SkipReason};
use crate::text::TextRange;

/// The module-level definition that a call is hoisted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The module-level name.
    pub name: String,
    /// The statements as they are written at module level, without their last line ending.
    pub text: String,
    /// Whether an equal definition that was already there is used.
    pub reused: bool,
}

/// What stays the same about a finding when lines are added or removed around it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingKey {
    /// The code, such as `HNT001`.
    pub code: String,
    /// The dotted path of the functions and classes around it; empty at module level.
    pub scope: String,
    /// The typename, when it is constant.
    pub typename: Option<String>,
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The code, such as `HNT001`.
    pub code: &'static str,
    /// The rule's name, such as `per-call-namedtuple`.
    pub name: &'static str,
    /// What happens, why it costs, and what to do, in one line.
    pub message: String,
    /// The byte range of the factory call.
    pub range: TextRange,
    /// The byte range of the statement that holds the call; its lines take suppression comments.
    pub statement: TextRange,
    /// The factory's qualified name, such as `collections.namedtuple`; `None` when the finding is
    /// about no call.
    pub factory: Option<String>,
    /// The typename, when it is constant.
    pub typename: Option<String>,
    /// The field names, when they are constant.
    pub fields: Option<Vec<String>>,
    /// The dotted path of the functions and classes around the call; empty at module level.
    pub scope: String,
    /// Why no fix is offered; `None` exactly when there is a fix or the call is dynamic.
    pub skip_reason: Option<SkipReason>,
    /// The fix, shared by all calls that it rewrites.
    pub fix: Option<Arc<Fix>>,
    /// The definition that the fix makes or uses.
    pub definition: Option<Arc<Definition>>,
    /// Each decision that led here, one line each, for `-v`; empty when it was not asked for.
    pub trace: Vec<String>,
}

impl Diagnostic {
    /// What tells the finding from others of its file, whatever its row.
    #[must_use]
    pub fn key(&self) -> FindingKey {
        FindingKey {
            code: self.code.to_owned(),
            scope: self.scope.clone(),
            typename: self.typename.clone(),
        }
    }

    /// What to do about it when no fix is offered, as a sentence.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        self.skip_reason.map(SkipReason::advice)
    }
}
