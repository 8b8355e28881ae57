//! References: the places that read or delete a name.

use std::rc::Rc;

use rustpython_ast::name::Name;
use rustpython_text_size::TextRange;

use super::scope::ScopeId;
use crate::python::nodes::NodeId;

/// The number of a reference in its model; references are numbered in source order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceId(u32);

impl ReferenceId {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a reference does with the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceContext {
    /// Reads it.
    Load,
    /// Reads it before an augmented assignment stores it.
    AugmentedLoad,
    /// Deletes it.
    Delete,
}

/// What a name means where it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// The name in that scope. In a class scope CPython falls back to the globals at run time when
    /// the class has not bound it yet.
    Scope(ScopeId),
    /// No binding in the module: a builtin, or a name brought in from outside.
    Unresolved,
}

/// One reference.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The name, NFKC-normalised and mangled.
    pub name: Rc<Name>,
    /// What is done with it.
    pub context: ReferenceContext,
    /// The scope whose code refers to the name.
    pub scope: ScopeId,
    /// The `Name` node.
    pub node: NodeId,
    /// The byte range of the name.
    pub range: TextRange,
    /// What it means.
    pub resolution: Resolution,
}
