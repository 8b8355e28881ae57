//! Fixes: edits that land together or not at all, with their grade.

use serde::Serialize;

use crate::text::{Edit, Edits};

/// How far a fix can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Same behaviour and all comments kept, except that the class is made once.
    Safe,
    /// The class itself is returned or yielded, so a caller outside the module may tell.
    Unsafe,
}

/// The edits of one hoisted definition and all its sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    applicability: Applicability,
    message: String,
    edits: Edits,
}

impl Fix {
    /// A fix that keeps behaviour; `message` says in a sentence what it does.
    #[must_use]
    pub fn safe(message: String, edits: Edits) -> Self {
        Self {
            applicability: Applicability::Safe,
            message,
            edits,
        }
    }

    /// A fix that a caller outside the module may be able to tell.
    #[must_use]
    pub fn unsafe_(message: String, edits: Edits) -> Self {
        Self {
            applicability: Applicability::Unsafe,
            message,
            edits,
        }
    }

    /// The same fix by other edits.
    #[must_use]
    pub fn with_edits(&self, edits: Edits) -> Self {
        Self {
            applicability: self.applicability,
            message: self.message.clone(),
            edits,
        }
    }

    /// The grade.
    #[must_use]
    pub fn applicability(&self) -> Applicability {
        self.applicability
    }

    /// What the fix does, as a sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The edits in source order.
    pub fn edits(&self) -> std::slice::Iter<'_, Edit> {
        self.edits.iter()
    }
}
