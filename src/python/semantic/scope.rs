//! Scopes: the blocks in which CPython keeps names apart.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::mangling::PrivateClass;
use super::symbol::SymbolId;
use crate::python::nodes::NodeId;

/// The number of a scope in its model, from 1 on, so that `None` takes no room of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(NonZeroU32);

impl ScopeId {
    /// The module's scope.
    pub const MODULE: ScopeId = ScopeId(NonZeroU32::MIN);
    /// No scope: where names belong that no code of the module binds.
    pub(super) const OUTSIDE: ScopeId = ScopeId(NonZeroU32::MAX);

    pub(super) fn new(index: usize) -> Self {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Self(NonZeroU32::MIN.saturating_add(index))
    }

    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What opens a scope (Language Reference, 4.2.1 "Binding of names").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// The module.
    Module,
    /// A `class` body.
    Class,
    /// A `def` or `async def` body.
    Function,
    /// A `lambda` body.
    Lambda,
    /// A comprehension or generator expression, without its first iterable.
    Comprehension,
    /// The type parameters of a `def`, `class` or `type` statement, or the lazily evaluated value
    /// or bound of one (PEP 695).
    TypeParameters,
}

/// One scope.
#[derive(Debug)]
pub struct Scope {
    /// What opened it.
    pub kind: ScopeKind,
    /// The scope around it; `None` for the module.
    pub parent: Option<ScopeId>,
    /// The node that opened it: the module, definition, lambda or comprehension; for type
    /// parameters the `TypeParams`, for a bound or default its type parameter, for the value of a
    /// `type` statement the statement.
    pub node: NodeId,
    /// Whether the scope's own code holds a star import.
    pub has_star_import: bool,
    pub(super) private: Option<Arc<PrivateClass>>,
    /// The last of its symbols that was made.
    pub(super) symbols: Option<SymbolId>,
    /// Whether its own code holds a `global` or `nonlocal` statement.
    pub(super) declares: bool,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind, parent: Option<ScopeId>, node: NodeId) -> Self {
        Self {
            kind,
            parent,
            node,
            has_star_import: false,
            private: None,
            symbols: None,
            declares: false,
        }
    }
}

/// What a scope's code declares a name to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declaration {
    /// By a `global` statement.
    Global,
    /// By a `nonlocal` statement.
    Nonlocal,
}
