//! Resolution: the scope that each binding and each reference belongs to.

use std::cell::OnceCell;

use super::SemanticModel;
use super::binding::{Binding, BindingId, BindingKind};
use super::builder::Builder;
use super::place::Place;
use super::reference::{ReferenceId, Resolution};
use super::scope::{Declaration, Scope, ScopeId, ScopeKind};
use super::symbol::{Grouped, NameId, SymbolId, Symbols};

/// What the scopes know, to look names up in.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'m> {
    pub(super) scopes: &'m [Scope],
    pub(super) symbols: &'m Symbols,
}

/// Resolves what the walk has found.
pub(super) fn finish(builder: Builder<'_, '_>) -> SemanticModel {
    let Builder {
        nodes: _,
        mut scopes,
        names,
        mut symbols,
        node_scopes,
        opened,
        mut bindings,
        mut references,
        mut read_names,
        star_imports,
    } = builder;
    bindings.sort_by_key(|binding| binding.range.start());
    if !references.is_sorted_by_key(|reference| reference.range.start()) {
        let mut named: Vec<_> = references.into_iter().zip(read_names).collect();
        named.sort_by_key(|(reference, _)| reference.range.start());
        (references, read_names) = named.into_iter().unzip();
    }
    symbols.reserve(bindings.len());
    let homes = homes((&mut scopes, &mut symbols), &bindings);
    for (binding, home) in bindings.iter_mut().zip(&homes) {
        binding.scope = symbols.get(*home).scope;
    }
    let mut places: Vec<Place> = node_scopes.into_iter().map(Place::new).collect();
    let mut reference_symbols = Vec::with_capacity(references.len());
    for (at, (found, name)) in references.iter_mut().zip(read_names).enumerate() {
        let lookup = Lookup {
            scopes: &scopes,
            symbols: &symbols,
        };
        let symbol = lookup
            .find(found.scope, name)
            .unwrap_or_else(|| symbols.entry((ScopeId::OUTSIDE, name), &mut scopes).0);
        found.resolution = match symbols.get(symbol).scope {
            ScopeId::OUTSIDE => Resolution::Unresolved,
            scope => Resolution::Scope(scope),
        };
        if let Some(place) = places.get_mut(found.node.index()) {
            *place = Place::referring(ReferenceId::new(at));
        }
        reference_symbols.push(symbol);
    }
    SemanticModel {
        binding_at: bindings
            .iter()
            .enumerate()
            .map(|(at, found)| (found.node, BindingId::new(at)))
            .collect(),
        bindings_of: Grouped::new(&homes, symbols.len(), BindingId::new),
        references_to: Grouped::new(&reference_symbols, symbols.len(), ReferenceId::new),
        bindings,
        references,
        reference_symbols,
        scopes,
        names,
        symbols,
        places,
        opened,
        star_imports,
        definitions: OnceCell::new(),
    }
}

/// The symbol that each binding belongs to. Names that `nonlocal` sends elsewhere come second, as they
/// look for a scope that owns the name by itself.
fn homes((scopes, symbols): (&mut [Scope], &mut Symbols), found: &[Binding]) -> Vec<SymbolId> {
    let mut own = Vec::with_capacity(found.len());
    for found in found {
        let lookup = Lookup { scopes, symbols };
        let home = lookup.own_home(found);
        own.push(home.map(|home| make_local((scopes, symbols), home, found)));
    }
    let mut homes = Vec::with_capacity(found.len());
    for (found, own) in found.iter().zip(own) {
        homes.push(own.unwrap_or_else(|| {
            let lookup = Lookup { scopes, symbols };
            let start = lookup.binding_scope(found);
            let home = lookup.nonlocal_owner(start, found.number).unwrap_or(start);
            make_local((scopes, symbols), home, found)
        }));
    }
    homes
}

fn make_local(
    (scopes, symbols): (&mut [Scope], &mut Symbols),
    scope: ScopeId,
    found: &Binding,
) -> SymbolId {
    let (id, symbol) = symbols.entry((scope, found.number), scopes);
    symbol.is_local = true;
    symbol.is_imported |= found.kind.is_import();
    id
}

/// Where a climb starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// In the scope whose own code reads the name.
    Own,
    /// In a scope around that one, so a class there is not seen.
    Inside,
}

impl Lookup<'_> {
    /// What the (mangled) name means in the code of `scope` (CPython, `symtable.c`, `analyze_name`).
    pub(super) fn find(self, scope: ScopeId, name: NameId) -> Option<SymbolId> {
        self.climb(scope, name, Start::Own)
    }

    /// The nearest function, lambda or comprehension around `scope` that owns the name.
    pub(super) fn nonlocal_owner(self, scope: ScopeId, name: NameId) -> Option<ScopeId> {
        let parent = self.scopes.get(scope.index())?.parent?;
        let symbol = self.climb(parent, name, Start::Inside)?;
        match self.symbols.get(symbol).scope {
            ScopeId::MODULE => None,
            owner => Some(owner),
        }
    }

    /// The scope that owns the binding unless a `nonlocal` declaration sends it elsewhere.
    fn own_home(self, found: &Binding) -> Option<ScopeId> {
        let start = self.binding_scope(found);
        match self.declaration(start, found.number) {
            Some(Declaration::Global) => Some(ScopeId::MODULE),
            Some(Declaration::Nonlocal) => None,
            None => Some(start),
        }
    }

    /// The scope whose declarations count for the binding: for `:=` the nearest that is no
    /// comprehension (PEP 572).
    fn binding_scope(self, found: &Binding) -> ScopeId {
        let mut scope = found.bound_in;
        if found.kind != BindingKind::NamedExpression {
            return scope;
        }
        while let Some(Scope {
            kind: ScopeKind::Comprehension,
            parent: Some(parent),
            ..
        }) = self.scopes.get(scope.index())
        {
            scope = *parent;
        }
        scope
    }

    fn declaration(self, scope: ScopeId, name: NameId) -> Option<Declaration> {
        if !self.scopes.get(scope.index())?.declares {
            return None;
        }
        let symbol = self.symbols.find(scope, name)?;
        self.symbols.get(symbol).declaration
    }

    /// The symbol of the scope, from `start` up, that owns the name.
    fn climb(self, start: ScopeId, name: NameId, from: Start) -> Option<SymbolId> {
        let mut sees_class = from == Start::Own;
        let mut current = start;
        loop {
            let scope = self.scopes.get(current.index())?;
            if scope.kind != ScopeKind::Class || sees_class {
                if let Some(id) = self.symbols.find(current, name) {
                    let symbol = self.symbols.get(id);
                    if symbol.declaration == Some(Declaration::Global) {
                        return self.module_owner(name);
                    }
                    // A nonlocal name is the scope's own only in programs that CPython rejects.
                    if symbol.is_local {
                        return Some(id);
                    }
                }
            } else if name == NameId::CLASS_CELL {
                // The class's implicit cell, which no code in the module binds.
                return None;
            }
            // Type parameter scopes alone see the class that they stand in directly (PEP 695).
            sees_class &= scope.kind == ScopeKind::TypeParameters;
            current = scope.parent?;
        }
    }

    fn module_owner(self, name: NameId) -> Option<SymbolId> {
        let symbol = self.symbols.find(ScopeId::MODULE, name)?;
        self.symbols.get(symbol).is_local.then_some(symbol)
    }
}
