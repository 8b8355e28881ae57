//! Bindings: the places that give a name a meaning.

use std::rc::Rc;

use rustpython_ast::name::Name;
use rustpython_text_size::TextRange;

use super::imports::QualifiedName;
use super::scope::ScopeId;
use super::symbol::NameId;
use crate::python::nodes::NodeId;

/// The number of a binding in its model; bindings are numbered in source order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BindingId(u32);

impl BindingId {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a name is bound (Language Reference, 4.2.1 "Binding of names").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BindingKind {
    /// A target of `=`, alone, chained, or inside a tuple, list or star.
    Assignment,
    /// The target of an augmented assignment.
    AugmentedAssignment,
    /// The target of an annotated assignment with a value.
    AnnotatedAssignment,
    /// An annotated name without a value: it makes the name local and binds nothing.
    Annotation,
    /// The target of `:=`; inside a comprehension it belongs to the scope around it (PEP 572).
    NamedExpression,
    /// A target of `for` or `async for`, as a statement.
    For,
    /// A target of a comprehension's `for`.
    Comprehension,
    /// A target of `with … as`.
    With,
    /// The name of `except … as`.
    ExceptHandler,
    /// `import a.b` (binds `a` to the module `a`) or `import a.b as c` (binds `c` to `a.b`).
    Import(QualifiedName),
    /// `from a import b [as c]`, bound to `a.b`; a relative import keeps its leading dots.
    FromImport(QualifiedName),
    /// A `def` or `async def`.
    FunctionDefinition,
    /// A `class` statement.
    ClassDefinition,
    /// A parameter of any kind.
    Parameter,
    /// A capture of a `match` pattern.
    MatchCapture,
    /// A name in a `del` statement.
    Deletion,
    /// A `type` statement's name.
    TypeAlias,
    /// A type parameter.
    TypeParameter,
}

impl BindingKind {
    /// Whether the name holds no value by it: a deletion, or an annotation without a value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self::Annotation | Self::Deletion)
    }

    /// Whether an import binds it.
    #[must_use]
    pub const fn is_import(&self) -> bool {
        matches!(self, Self::Import(_) | Self::FromImport(_))
    }

    /// Whether a function or class statement binds it.
    #[must_use]
    pub const fn is_definition(&self) -> bool {
        matches!(self, Self::FunctionDefinition | Self::ClassDefinition)
    }
}

/// One binding.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The name, NFKC-normalised and mangled as CPython stores it (Language Reference, 6.2.1
    /// "Private name mangling").
    pub name: Rc<Name>,
    pub(super) number: NameId,
    /// How it is bound.
    pub kind: BindingKind,
    /// The scope the name belongs to.
    pub scope: ScopeId,
    /// The scope whose code does the binding: differs from `scope` under `global`, `nonlocal`,
    /// and for `:=` in a comprehension.
    pub bound_in: ScopeId,
    /// The node that binds: the `Name`, `Alias`, `Parameter`, definition, pattern or handler.
    pub node: NodeId,
    /// The byte range of the name itself.
    pub range: TextRange,
}
