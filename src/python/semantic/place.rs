//! What the model keeps of each node: one number, since a large module has millions of nodes.

use super::reference::{Reference, ReferenceId};
use super::scope::ScopeId;

/// The scope that a node is evaluated in, or the reference that it makes, which knows its scope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place(u32);

/// Set in the number of a reference; a text is too short for so many scopes or references.
const IS_REFERENCE: u32 = 1 << 31;

impl Place {
    /// The place of a node that makes no reference.
    pub(super) fn new(scope: ScopeId) -> Self {
        Self(u32::try_from(scope.index()).unwrap_or_default())
    }

    /// The place of a node that makes the reference.
    pub(super) fn referring(reference: ReferenceId) -> Self {
        Self(u32::try_from(reference.index()).unwrap_or_default() | IS_REFERENCE)
    }

    /// The reference that the node makes.
    pub(super) fn reference(self) -> Option<ReferenceId> {
        let is_reference = self.0 & IS_REFERENCE != 0;
        is_reference.then(|| ReferenceId::new((self.0 & !IS_REFERENCE) as usize))
    }

    /// The scope that the node is evaluated in; `references` are those of the model.
    pub(super) fn scope(self, references: &[Reference]) -> ScopeId {
        match self.reference() {
            Some(reference) => references
                .get(reference.index())
                .map_or(ScopeId::MODULE, |reference| reference.scope),
            None => ScopeId::new(self.0 as usize),
        }
    }
}
