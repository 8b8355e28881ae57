//! Symbols: what each scope knows of each name, and the names themselves, by number.

use std::num::NonZeroU32;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use rustpython_ast::name::Name;

use super::scope::{Declaration, Scope, ScopeId};
use crate::python::nodes::NodeId;

/// The number of a name in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

impl NameId {
    /// The name `__class__`, which is special.
    pub(super) const CLASS_CELL: NameId = NameId(0);
}

/// Every name of one module, once.
#[derive(Debug)]
pub(super) struct Names {
    ids: FxHashMap<Name, NameId>,
    all: Vec<Rc<Name>>,
}

impl Names {
    /// A table with room for `capacity` names.
    pub(super) fn new(capacity: usize) -> Self {
        let mut names = Self {
            ids: FxHashMap::with_capacity_and_hasher(capacity, FxBuildHasher),
            all: Vec::with_capacity(capacity),
        };
        names.number(&Name::new_static("__class__"));
        names
    }

    /// The number of the name, which is a new one for a new name.
    pub(super) fn number(&mut self, name: &Name) -> NameId {
        if let Some(id) = self.find(name) {
            return id;
        }
        let id = NameId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.ids.insert(name.clone(), id);
        self.all.push(Rc::new(name.clone()));
        id
    }

    pub(super) fn find(&self, name: &str) -> Option<NameId> {
        self.ids.get(name).copied()
    }

    #[allow(clippy::indexing_slicing, reason = "ids are made by this table alone")]
    pub(super) fn get(&self, id: NameId) -> &Rc<Name> {
        &self.all[id.0 as usize]
    }
}

/// The number of a symbol in its module, from 1 on, so that `None` takes no room of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SymbolId(NonZeroU32);

impl SymbolId {
    fn new(index: usize) -> Self {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Self(NonZeroU32::MIN.saturating_add(index))
    }

    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What a scope knows of one name.
#[derive(Debug)]
pub(super) struct Symbol {
    pub(super) scope: ScopeId,
    pub(super) name: NameId,
    pub(super) declaration: Option<Declaration>,
    /// The first statement that declares it.
    pub(super) declared_by: Option<NodeId>,
    /// Whether the scope owns the name.
    pub(super) is_local: bool,
    /// Whether an import is among its bindings.
    pub(super) is_imported: bool,
    /// The symbol of the same scope that was made before.
    pub(super) previous: Option<SymbolId>,
}

/// The symbols of all scopes.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    ids: FxHashMap<(ScopeId, NameId), SymbolId>,
    all: Vec<Symbol>,
}

impl Symbols {
    pub(super) fn reserve(&mut self, count: usize) {
        self.ids.reserve(count);
        self.all.reserve(count);
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn find(&self, scope: ScopeId, name: NameId) -> Option<SymbolId> {
        self.ids.get(&(scope, name)).copied()
    }

    #[allow(clippy::indexing_slicing, reason = "ids are made by this table alone")]
    pub(super) fn get(&self, id: SymbolId) -> &Symbol {
        &self.all[id.index()]
    }

    /// What `scope` knows of the name; a new symbol when it knows nothing yet.
    #[allow(clippy::indexing_slicing, reason = "ids are made by this table alone")]
    pub(super) fn entry(
        &mut self,
        (scope, name): (ScopeId, NameId),
        scopes: &mut [Scope],
    ) -> (SymbolId, &mut Symbol) {
        let next = SymbolId::new(self.all.len());
        let id = *self.ids.entry((scope, name)).or_insert(next);
        if id == next {
            let of_scope = scopes.get_mut(scope.index());
            self.all.push(Symbol {
                scope,
                name,
                declaration: None,
                declared_by: None,
                is_local: false,
                is_imported: false,
                previous: of_scope.and_then(|scope| scope.symbols.replace(next)),
            });
        }
        (id, &mut self.all[id.index()])
    }
}

/// Numbers in groups, one group a symbol.
#[derive(Debug)]
pub(super) struct Grouped<T> {
    /// Where the group of each symbol ends.
    ends: Vec<u32>,
    members: Vec<T>,
}

impl<T: Copy> Grouped<T> {
    /// Groups the items, each named by its position, by its symbol; a group keeps their order.
    pub(super) fn new(symbols: &[SymbolId], groups: usize, item: impl Fn(usize) -> T) -> Self {
        let mut ends = vec![0_u32; groups];
        for symbol in symbols {
            if let Some(count) = ends.get_mut(symbol.index()) {
                *count += 1;
            }
        }
        let mut start = 0;
        for end in &mut ends {
            let count = *end;
            *end = start;
            start += count;
        }
        let mut members: Vec<T> = (0..symbols.len()).map(&item).collect();
        for (at, symbol) in symbols.iter().enumerate() {
            if let Some(end) = ends.get_mut(symbol.index())
                && let Some(member) = members.get_mut(*end as usize)
            {
                *member = item(at);
                *end += 1;
            }
        }
        Self { ends, members }
    }

    pub(super) fn of(&self, symbol: SymbolId) -> &[T] {
        let end = |at: usize| self.ends.get(at).map_or(0, |end| *end as usize);
        let start = symbol.index().checked_sub(1).map_or(0, end);
        let members = self.members.get(start..end(symbol.index()));
        members.unwrap_or(&[])
    }
}
