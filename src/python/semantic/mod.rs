//! Scopes, bindings and references of one module, resolved as CPython's symbol table does.

pub mod binding;
mod builder;
mod evaluation;
pub mod imports;
mod mangling;
mod name_errors;
pub mod reference;
mod resolve;
pub mod scope;
pub(super) mod syntax;
mod target;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use rustpython_ast::name::Name;

pub use binding::{Binding, BindingId, BindingKind};
pub use imports::QualifiedName;
pub use reference::{Reference, ReferenceContext, ReferenceId, Resolution};
pub use scope::{Declaration, Scope, ScopeId, ScopeKind};

use super::nodes::{NodeId, Nodes};

/// What each name in a module means.
#[derive(Debug)]
pub struct SemanticModel {
    scopes: Vec<Scope>,
    bindings: Vec<Binding>,
    references: Vec<Reference>,
    unresolved: FxHashMap<Name, Vec<ReferenceId>>,
    node_scopes: Vec<ScopeId>,
    opened: FxHashMap<NodeId, ScopeId>,
    binding_at: FxHashMap<NodeId, BindingId>,
    reference_at: FxHashMap<NodeId, ReferenceId>,
}

impl SemanticModel {
    /// Builds the model of the module that `nodes` were built from.
    ///
    /// It takes time linear in the number of nodes (times the depth of scopes for names that are
    /// not local) and does not recurse.
    #[must_use]
    pub fn build(nodes: &Nodes<'_>) -> Self {
        resolve::finish(builder::Builder::walk(nodes))
    }

    /// All scopes, the module's first; a scope comes after the scope around it.
    pub fn scopes(&self) -> impl Iterator<Item = (ScopeId, &Scope)> {
        self.scopes
            .iter()
            .enumerate()
            .map(|(at, scope)| (ScopeId::new(at), scope))
    }

    /// The scope numbered `id`, which must come from this model.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "ids are made by this model alone")]
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// The binding numbered `id`, which must come from this model.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "ids are made by this model alone")]
    pub fn binding(&self, id: BindingId) -> &Binding {
        &self.bindings[id.index()]
    }

    /// The reference numbered `id`, which must come from this model.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "ids are made by this model alone")]
    pub fn reference(&self, id: ReferenceId) -> &Reference {
        &self.references[id.index()]
    }

    /// All bindings, in source order.
    pub fn bindings(&self) -> impl Iterator<Item = (BindingId, &Binding)> {
        self.bindings
            .iter()
            .enumerate()
            .map(|(at, binding)| (BindingId::new(at), binding))
    }

    /// All references, in source order.
    pub fn references(&self) -> impl Iterator<Item = (ReferenceId, &Reference)> {
        self.references
            .iter()
            .enumerate()
            .map(|(at, reference)| (ReferenceId::new(at), reference))
    }

    /// The bindings of `name` (as mangled) that belong to `scope`, in source order; those that a
    /// `global` or `nonlocal` declaration sends there from another scope included.
    #[must_use]
    pub fn bindings_of(&self, scope: ScopeId, name: &str) -> &[BindingId] {
        self.symbol(scope, name)
            .map_or(&[], |symbol| symbol.bindings.as_slice())
    }

    /// The references that resolve to `name` (as mangled) in `scope`, from it and from the scopes
    /// inside it, in source order.
    #[must_use]
    pub fn references_to(&self, scope: ScopeId, name: &str) -> &[ReferenceId] {
        self.symbol(scope, name)
            .map_or(&[], |symbol| symbol.references.as_slice())
    }

    /// The references to `name` that resolve to no binding in the module: builtins, names that a
    /// star import brings, names put in from outside, and a class's implicit `__class__`.
    #[must_use]
    pub fn unresolved_references(&self, name: &str) -> &[ReferenceId] {
        self.unresolved.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names that `scope` owns, in no particular order.
    pub fn names_of(&self, scope: ScopeId) -> impl Iterator<Item = &str> {
        self.scopes
            .get(scope.index())
            .into_iter()
            .flat_map(|scope| &scope.symbols)
            .filter(|(_, symbol)| symbol.is_local)
            .map(|(name, _)| name.as_str())
    }

    /// The names that the code of `scope` declares `global` or `nonlocal` (as mangled), in no
    /// particular order.
    pub fn declarations(&self, scope: ScopeId) -> impl Iterator<Item = (&str, Declaration)> {
        self.scopes
            .get(scope.index())
            .into_iter()
            .flat_map(|scope| &scope.symbols)
            .filter_map(|(name, symbol)| Some((name.as_str(), symbol.declaration?)))
    }

    /// Whether the code of `scope` itself declares `name` (as mangled) `global`.
    #[must_use]
    pub fn is_declared_global(&self, scope: ScopeId, name: &str) -> bool {
        self.declaration(scope, name) == Some(Declaration::Global)
    }

    /// Whether the code of `scope` itself declares `name` (as mangled) `nonlocal`.
    #[must_use]
    pub fn is_declared_nonlocal(&self, scope: ScopeId, name: &str) -> bool {
        self.declaration(scope, name) == Some(Declaration::Nonlocal)
    }

    /// The first `global` or `nonlocal` statement in the code of `scope` that names `name` (as
    /// mangled).
    #[must_use]
    pub fn declared_by(&self, scope: ScopeId, name: &str) -> Option<NodeId> {
        self.symbol(scope, name)?.declared_by
    }

    /// The scope that `nonlocal name` (as mangled) in `scope` means.
    pub(super) fn nonlocal_owner(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        resolve::nonlocal_owner(&self.scopes, scope, name)
    }

    /// The scope in which the node is evaluated: decorators, defaults, annotations and bases
    /// belong to the scope around their definition (annotations and bases to the type parameters'
    /// when there are any), the first iterable of a comprehension to the scope around it. A
    /// parameter belongs to its function.
    #[must_use]
    pub fn scope_of(&self, node: NodeId) -> ScopeId {
        self.node_scopes
            .get(node.index())
            .copied()
            .unwrap_or(ScopeId::MODULE)
    }

    /// The scope that the module, function, class, lambda or comprehension opens for its own body,
    /// or a `type` statement for its value.
    #[must_use]
    pub fn scope_opened_by(&self, node: NodeId) -> Option<ScopeId> {
        if node == NodeId::MODULE {
            return Some(ScopeId::MODULE);
        }
        self.opened.get(&node).copied()
    }

    /// The reference made by the `Name` node, if it is one (a load, an augmented target or a
    /// deletion).
    #[must_use]
    pub fn reference_at(&self, name: NodeId) -> Option<ReferenceId> {
        self.reference_at.get(&name).copied()
    }

    /// The binding made by the node: a stored `Name`, an `Alias`, a `Parameter`, a definition, an
    /// `Identifier`-carrying pattern, handler or type parameter.
    #[must_use]
    pub fn binding_at(&self, node: NodeId) -> Option<BindingId> {
        self.binding_at.get(&node).copied()
    }

    /// `name` as the code of `scope` stores it: mangled when it is private to a class.
    #[must_use]
    pub fn mangled(&self, scope: ScopeId, name: &str) -> Name {
        let private = self
            .scopes
            .get(scope.index())
            .and_then(|scope| scope.private.as_ref());
        mangling::mangle(private, &Name::new(name))
    }

    /// What `name` (not yet mangled) would mean if it were read in `scope`.
    #[must_use]
    pub fn resolve(&self, scope: ScopeId, name: &str) -> Resolution {
        resolve::lookup(&self.scopes, scope, &self.mangled(scope, name))
    }

    /// The scopes from `scope` up to the module, `scope` first.
    pub fn enclosing_scopes(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.scopes.get(scope.index())?.parent)
    }

    fn symbol(&self, scope: ScopeId, name: &str) -> Option<&scope::Symbol> {
        self.scopes.get(scope.index())?.symbols.get(name)
    }

    fn declaration(&self, scope: ScopeId, name: &str) -> Option<Declaration> {
        self.symbol(scope, name)?.declaration
    }
}
