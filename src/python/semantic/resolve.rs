//! Resolution: the scope that each binding and each reference belongs to.

use rustc_hash::FxHashMap;
use rustpython_ast::name::Name;

use super::SemanticModel;
use super::binding::{Binding, BindingId, BindingKind};
use super::builder::{Builder, FoundBinding, FoundReference};
use super::reference::{Reference, ReferenceId, Resolution};
use super::scope::{Declaration, Scope, ScopeId, ScopeKind};

/// Resolves what the walk has found.
pub(super) fn finish(builder: Builder<'_, '_>) -> SemanticModel {
    let mut found = builder.bindings;
    found.sort_by_key(|binding| binding.range.start());
    let mut scopes = builder.scopes;
    let homes = homes(&mut scopes, &found);
    let mut model = SemanticModel {
        scopes,
        bindings: Vec::with_capacity(found.len()),
        references: Vec::with_capacity(builder.references.len()),
        unresolved: FxHashMap::default(),
        node_scopes: builder.node_scopes,
        opened: builder
            .opened
            .into_iter()
            .map(|(node, opened)| (node, opened.body))
            .collect(),
        binding_at: FxHashMap::default(),
        reference_at: FxHashMap::default(),
    };
    for (found, home) in found.into_iter().zip(homes) {
        model.add_binding(found, home);
    }
    let mut references = builder.references;
    references.sort_by_key(|reference| reference.range.start());
    for found in references {
        model.add_reference(found);
    }
    model
}

impl SemanticModel {
    fn add_binding(&mut self, found: FoundBinding, home: ScopeId) {
        let id = BindingId::new(self.bindings.len());
        if let Some(scope) = self.scopes.get_mut(home.index()) {
            let symbol = scope.symbols.entry(found.name.clone()).or_default();
            symbol.bindings.push(id);
        }
        self.binding_at.insert(found.node, id);
        self.bindings.push(Binding {
            name: found.name,
            kind: found.kind,
            scope: home,
            bound_in: found.bound_in,
            node: found.node,
            range: found.range,
        });
    }

    fn add_reference(&mut self, found: FoundReference) {
        let id = ReferenceId::new(self.references.len());
        let resolution = lookup(&self.scopes, found.scope, &found.name);
        let list = match resolution {
            Resolution::Scope(scope) => self
                .scopes
                .get_mut(scope.index())
                .and_then(|scope| scope.symbols.get_mut(&found.name))
                .map(|symbol| &mut symbol.references),
            Resolution::Unresolved => Some(self.unresolved.entry(found.name.clone()).or_default()),
        };
        if let Some(list) = list {
            list.push(id);
        }
        self.reference_at.insert(found.node, id);
        self.references.push(Reference {
            name: found.name,
            context: found.context,
            scope: found.scope,
            node: found.node,
            range: found.range,
            resolution,
        });
    }
}

/// The scope that owns each binding. Names that `nonlocal` sends elsewhere come second, as they
/// look for a scope that owns the name by itself.
fn homes(scopes: &mut [Scope], found: &[FoundBinding]) -> Vec<ScopeId> {
    let own: Vec<_> = found.iter().map(|found| own_home(scopes, found)).collect();
    for (found, home) in found.iter().zip(&own) {
        if let Some(home) = home {
            make_local(scopes, *home, &found.name);
        }
    }
    let mut homes = Vec::with_capacity(found.len());
    for (found, own) in found.iter().zip(own) {
        let home = own.unwrap_or_else(|| {
            let start = binding_scope(scopes, found);
            let home = nonlocal_owner(scopes, start, &found.name).unwrap_or(start);
            make_local(scopes, home, &found.name);
            home
        });
        homes.push(home);
    }
    homes
}

/// The scope that owns the binding unless a `nonlocal` declaration sends it elsewhere.
fn own_home(scopes: &[Scope], found: &FoundBinding) -> Option<ScopeId> {
    let start = binding_scope(scopes, found);
    match declaration(scopes, start, &found.name) {
        Some(Declaration::Global) => Some(ScopeId::MODULE),
        Some(Declaration::Nonlocal) => None,
        None => Some(start),
    }
}

/// The scope whose declarations count for the binding: for `:=` the nearest that is no
/// comprehension (PEP 572).
fn binding_scope(scopes: &[Scope], found: &FoundBinding) -> ScopeId {
    let mut scope = found.bound_in;
    if found.kind != BindingKind::NamedExpression {
        return scope;
    }
    while let Some(Scope {
        kind: ScopeKind::Comprehension,
        parent: Some(parent),
        ..
    }) = scopes.get(scope.index())
    {
        scope = *parent;
    }
    scope
}

fn make_local(scopes: &mut [Scope], scope: ScopeId, name: &Name) {
    if let Some(scope) = scopes.get_mut(scope.index()) {
        scope.symbols.entry(name.clone()).or_default().is_local = true;
    }
}

fn declaration(scopes: &[Scope], scope: ScopeId, name: &str) -> Option<Declaration> {
    scopes.get(scope.index())?.symbols.get(name)?.declaration
}

/// The nearest function, lambda or comprehension around `scope` that owns the name.
pub(super) fn nonlocal_owner(scopes: &[Scope], scope: ScopeId, name: &str) -> Option<ScopeId> {
    let parent = scopes.get(scope.index())?.parent?;
    match climb(scopes, parent, name, Start::Inside)? {
        ScopeId::MODULE => None,
        owner => Some(owner),
    }
}

/// What the (mangled) name means in the code of `scope` (CPython, `symtable.c`, `analyze_name`).
pub(super) fn lookup(scopes: &[Scope], scope: ScopeId, name: &str) -> Resolution {
    climb(scopes, scope, name, Start::Own).map_or(Resolution::Unresolved, Resolution::Scope)
}

/// Where a climb starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// In the scope whose own code reads the name.
    Own,
    /// In a scope around that one, so a class there is not seen.
    Inside,
}

/// The scope, from `start` up, that owns the name.
fn climb(scopes: &[Scope], start: ScopeId, name: &str, from: Start) -> Option<ScopeId> {
    let mut sees_class = from == Start::Own;
    let mut current = start;
    loop {
        let scope = scopes.get(current.index())?;
        if scope.kind != ScopeKind::Class || sees_class {
            let symbol = scope.symbols.get(name);
            match symbol.and_then(|symbol| symbol.declaration) {
                Some(Declaration::Global) => return module_owner(scopes, name),
                // Falls back to the scope itself only in programs that CPython rejects.
                Some(Declaration::Nonlocal) | None if symbol.is_some_and(|s| s.is_local) => {
                    return Some(current);
                }
                _ => {}
            }
        } else if name == "__class__" {
            // The class's implicit cell, which no code in the module binds.
            return None;
        }
        // Type parameter scopes alone see the class that they stand in directly (PEP 695).
        sees_class &= scope.kind == ScopeKind::TypeParameters;
        current = scope.parent?;
    }
}

fn module_owner(scopes: &[Scope], name: &str) -> Option<ScopeId> {
    scopes
        .first()?
        .symbols
        .get(name)
        .is_some_and(|symbol| symbol.is_local)
        .then_some(ScopeId::MODULE)
}
