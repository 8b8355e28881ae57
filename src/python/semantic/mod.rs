//! Scopes, bindings and references of one module, resolved as CPython's symbol table does.

pub mod binding;
mod builder;
mod evaluation;
pub mod imports;
mod mangling;
mod name_errors;
mod place;
pub mod reference;
mod resolve;
pub mod scope;
mod symbol;
pub(super) mod syntax;
mod target;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use rustpython_ast::name::Name;
use rustpython_text_size::{TextRange, TextSize};

pub use binding::{Binding, BindingId, BindingKind};
pub use imports::QualifiedName;
pub use reference::{Reference, ReferenceContext, ReferenceId, Resolution};
pub use scope::{Declaration, Scope, ScopeId, ScopeKind};

use self::evaluation::Opened;
use self::place::Place;
use self::resolve::Lookup;
use self::symbol::{Grouped, Names, Symbol, SymbolId, Symbols};
use super::nodes::{NodeId, Nodes};

/// What each name in a module means.
#[derive(Debug)]
pub struct SemanticModel {
    scopes: Vec<Scope>,
    bindings: Vec<Binding>,
    references: Vec<Reference>,
    names: Names,
    symbols: Symbols,
    bindings_of: Grouped<BindingId>,
    references_to: Grouped<ReferenceId>,
    /// What each reference means.
    reference_symbols: Vec<SymbolId>,
    /// By the index of the node.
    places: Vec<Place>,
    opened: FxHashMap<NodeId, Opened>,
    binding_at: FxHashMap<NodeId, BindingId>,
    star_imports: Vec<NodeId>,
    definitions: OnceCell<FxHashMap<Name, Vec<BindingId>>>,
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

    /// The references that start inside the range, in source order.
    pub fn references_in(&self, range: TextRange) -> impl Iterator<Item = &Reference> {
        let before = |at: TextSize| move |reference: &Reference| reference.range.start() < at;
        let first = self.references.partition_point(before(range.start()));
        let rest = self.references.iter().skip(first);
        rest.take_while(move |reference| before(range.end())(reference))
    }

    /// The bindings of `name` (as mangled) that belong to `scope`, in source order; those that a
    /// `global` or `nonlocal` declaration sends there from another scope included.
    #[must_use]
    pub fn bindings_of(&self, scope: ScopeId, name: &str) -> &[BindingId] {
        self.symbol(scope, name)
            .map_or(&[], |symbol| self.bindings_of.of(symbol))
    }

    /// The functions and classes that are defined as `name` (as mangled) in any scope, in source order.
    #[must_use]
    pub fn definitions_of(&self, name: &str) -> &[BindingId] {
        let definitions = self.definitions.get_or_init(|| {
            let mut definitions: FxHashMap<Name, Vec<BindingId>> = FxHashMap::default();
            for (id, binding) in self.bindings() {
                if binding.kind.is_definition() {
                    let same = definitions.entry(Name::clone(&binding.name)).or_default();
                    same.push(id);
                }
            }
            definitions
        });
        definitions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The references that resolve to `name` (as mangled) in `scope`, from it and from the scopes
    /// inside it, in source order.
    #[must_use]
    pub fn references_to(&self, scope: ScopeId, name: &str) -> &[ReferenceId] {
        self.symbol(scope, name)
            .map_or(&[], |symbol| self.references_to.of(symbol))
    }

    /// The bindings of what the reference means; none when no code in the module binds it.
    #[must_use]
    pub fn bindings_behind(&self, reference: ReferenceId) -> &[BindingId] {
        let symbol = self.reference_symbols.get(reference.index());
        symbol.map_or(&[], |symbol| self.bindings_of.of(*symbol))
    }

    /// Whether an import is among the bindings of what the reference means, which may be many.
    #[must_use]
    pub fn is_imported(&self, reference: ReferenceId) -> bool {
        let symbol = self.reference_symbols.get(reference.index());
        symbol.is_some_and(|symbol| self.symbols.get(*symbol).is_imported)
    }

    /// The references to `name` that resolve to no binding in the module: builtins, names that a
    /// star import brings, names put in from outside, and a class's implicit `__class__`.
    #[must_use]
    pub fn unresolved_references(&self, name: &str) -> &[ReferenceId] {
        self.symbol(ScopeId::OUTSIDE, name)
            .map_or(&[], |symbol| self.references_to.of(symbol))
    }

    /// The `from … import *` statements, in source order.
    #[must_use]
    pub fn star_imports(&self) -> &[NodeId] {
        &self.star_imports
    }

    /// The names that `scope` owns, in no particular order.
    pub fn names_of(&self, scope: ScopeId) -> impl Iterator<Item = &str> {
        self.symbols_of(scope)
            .filter(|symbol| symbol.is_local)
            .map(|symbol| self.names.get(symbol.name).as_str())
    }

    /// The names that the code of `scope` declares `global` or `nonlocal` (as mangled), in no
    /// particular order.
    pub fn declarations(&self, scope: ScopeId) -> impl Iterator<Item = (&str, Declaration)> {
        self.symbols_of(scope).filter_map(|symbol| {
            let name = self.names.get(symbol.name).as_str();
            Some((name, symbol.declaration?))
        })
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
        self.declaring(scope, name)?.declared_by
    }

    /// The scope that `nonlocal name` (as mangled) in `scope` means.
    pub(super) fn nonlocal_owner(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let name = self.names.find(name)?;
        self.lookup().nonlocal_owner(scope, name)
    }

    /// The scope in which the node is evaluated: decorators, defaults, annotations and bases
    /// belong to the scope around their definition (annotations and bases to the type parameters'
    /// when there are any), the first iterable of a comprehension to the scope around it. A
    /// parameter belongs to its function.
    #[must_use]
    pub fn scope_of(&self, node: NodeId) -> ScopeId {
        self.places
            .get(node.index())
            .map_or(ScopeId::MODULE, |place| place.scope(&self.references))
    }

    /// The scope that the module, function, class, lambda or comprehension opens for its own body,
    /// or a `type` statement for its value.
    #[must_use]
    pub fn scope_opened_by(&self, node: NodeId) -> Option<ScopeId> {
        if node == NodeId::MODULE {
            return Some(ScopeId::MODULE);
        }
        self.opened.get(&node).map(|opened| opened.body)
    }

    /// The reference made by the `Name` node, if it is one (a load, an augmented target or a
    /// deletion).
    #[must_use]
    pub fn reference_at(&self, name: NodeId) -> Option<ReferenceId> {
        self.places.get(name.index())?.reference()
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
            .and_then(|scope| scope.private.as_deref());
        mangling::mangle(private, &Name::new(name))
    }

    /// What `name` (not yet mangled) would mean if it were read in `scope`.
    #[must_use]
    pub fn resolve(&self, scope: ScopeId, name: &str) -> Resolution {
        let name = self.names.find(&self.mangled(scope, name));
        let symbol = name.and_then(|name| self.lookup().find(scope, name));
        symbol.map_or(Resolution::Unresolved, |symbol| {
            Resolution::Scope(self.symbols.get(symbol).scope)
        })
    }

    /// The scopes from `scope` up to the module, `scope` first.
    pub fn enclosing_scopes(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.scopes.get(scope.index())?.parent)
    }

    fn lookup(&self) -> Lookup<'_> {
        Lookup {
            scopes: &self.scopes,
            symbols: &self.symbols,
        }
    }

    fn symbol(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        self.symbols.find(scope, self.names.find(name)?)
    }

    fn symbols_of(&self, scope: ScopeId) -> impl Iterator<Item = &Symbol> {
        let first = self
            .scopes
            .get(scope.index())
            .and_then(|scope| scope.symbols);
        let first = first.map(|id| self.symbols.get(id));
        std::iter::successors(first, |symbol| Some(self.symbols.get(symbol.previous?)))
    }

    /// The symbol of the name in a scope whose own code declares some name.
    fn declaring(&self, scope: ScopeId, name: &str) -> Option<&Symbol> {
        if !self.scopes.get(scope.index())?.declares {
            return None;
        }
        self.symbol(scope, name).map(|id| self.symbols.get(id))
    }

    fn declaration(&self, scope: ScopeId, name: &str) -> Option<Declaration> {
        self.declaring(scope, name)?.declaration
    }
}
