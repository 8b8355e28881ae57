//! What many classes meet at one place, on one attribute or under one name, followed once for all of them.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::name::Name;

use super::{Escape, Fate, Tracker};
use crate::hoist::class_traits::ClassTraits;
use crate::hoist::facts::LateFacts;
use crate::hoist::module::Module;
use crate::hoist::rebinding::rebinding_after;
use crate::hoist::usage::Use;
use crate::python::semantic::{
    Binding, BindingKind, Reference, ReferenceContext, ReferenceId, ScopeId, ScopeKind,
};
use crate::python::{NodeId, flow};

/// What was met so far.
#[derive(Debug, Default)]
pub struct Shared {
    places: RefCell<FxHashMap<(PlaceKey, &'static str), Rc<Met>>>,
    names: RefCell<FxHashMap<(ScopeId, Name, &'static str), Loads>>,
}

/// Where several classes may come.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'p> {
    /// The loads of an attribute of that name.
    Attribute(&'p str),
    /// The calls of the methods of that name, or the loads of the properties of that name.
    Results(&'p str, Given),
}

/// What gives the result of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Given {
    ByCall,
    ByLoad,
}

/// The name of the attribute, and what gives the results where these are followed.
type PlaceKey = (String, Option<Given>);

/// What is followed already, and need not be again.
#[derive(Debug, Default)]
pub(super) struct Visited {
    /// The `Name` nodes of bindings.
    names: FxHashSet<NodeId>,
    attributes: FxHashSet<String>,
    functions: FxHashSet<NodeId>,
    /// What other classes met, and this one too.
    met: Vec<Rc<Met>>,
}

/// What there is behind a place.
#[derive(Debug)]
struct Met {
    visited: Visited,
    fate: Fate,
}

impl Visited {
    /// Whether the name is new.
    pub(super) fn name(&mut self, node: NodeId) -> bool {
        let is_met = self.met.iter().any(|met| met.visited.has_name(node));
        !is_met && self.names.insert(node)
    }

    /// Whether the function is new.
    pub(super) fn function(&mut self, node: NodeId) -> bool {
        let is_met = |met: &Rc<Met>| met.visited.functions.contains(&node);
        !self.met.iter().any(is_met) && self.functions.insert(node)
    }

    pub(super) fn attribute(&mut self, name: &str) {
        self.attributes.insert(name.to_owned());
    }

    pub(super) fn has_attribute(&self, name: &str) -> bool {
        let mut met = self.met.iter();
        self.attributes.contains(name) || met.any(|met| met.visited.attributes.contains(name))
    }

    fn has_name(&self, node: NodeId) -> bool {
        self.names.contains(&node)
    }

    /// Whether nothing of the other is followed already.
    fn is_apart(&self, other: &Visited) -> bool {
        self.names.is_disjoint(&other.names)
            && self.attributes.is_disjoint(&other.attributes)
            && self.functions.is_disjoint(&other.functions)
            && self.met.iter().all(|met| met.visited.is_apart(other))
    }
}

impl Fate {
    /// Adds what other uses tell.
    fn join(&mut self, other: Self) {
        self.called |= other.called;
        self.is_bag |= other.is_bag;
        self.is_kept |= other.is_kept;
        self.is_read |= other.is_read;
        self.written |= other.written;
        self.is_returned |= other.is_returned;
        other
            .refusal
            .into_iter()
            .for_each(|reason| self.refuse(reason));
    }
}

impl<'m, 'a> Tracker<'m, 'a> {
    /// What becomes of the class that the call `node` makes, as [`Tracker::follow`] tells with its places;
    /// the statements in `moved` are writes that travel with the definition.
    #[must_use]
    pub fn fate(
        (module, facts): (&'m Module<'a>, &'m LateFacts<'a>),
        class: &'m ClassTraits,
        node: NodeId,
        moved: &'m [NodeId],
    ) -> Fate {
        let mut tracker = Tracker {
            moved,
            // What is a member or a constant of one class is not of another.
            shares: moved.is_empty() && class.is_like_all(),
            ..Self::new((module, facts), class)
        };
        if tracker.shares
            && let Use::BoundTo(name) = tracker.classify(node)
            && let Some(fate) = tracker.fate_under(name)
        {
            return fate;
        }
        tracker.expression(node);
        tracker.escape.fate
    }

    /// Takes over what another class met at the place, when nothing there is followed already.
    pub(super) fn shared(&mut self, place: Place<'_>) -> bool {
        if !self.shares {
            return false;
        }
        let met = self.met_at(place);
        let is_apart = self.visited.is_apart(&met.visited);
        if is_apart {
            self.escape.fate.join(met.fate);
            self.visited.met.push(met);
        }
        is_apart
    }

    fn met_at(&self, place: Place<'_>) -> Rc<Met> {
        let (name, given) = match place {
            Place::Attribute(name) => (name, None),
            Place::Results(name, given) => (name, Some(given)),
        };
        let key = ((name.to_owned(), given), self.class.factory.name);
        let places = &self.facts.followed.shared.places;
        if let Some(met) = places.borrow().get(&key) {
            return Rc::clone(met);
        }
        let mut first = Tracker::new((self.module, self.facts), self.class);
        match place {
            Place::Attribute(name) => {
                first.visited.attribute(name);
                first.attribute_loads(name);
            }
            Place::Results(name, given) => first.attribute_results(name, given),
        }
        let met = Rc::new(Met {
            visited: first.visited,
            fate: first.escape.fate,
        });
        places.borrow_mut().insert(key, Rc::clone(&met));
        met
    }
}

/// The references that what a name is bound to does not reach, as the name is bound again before.
pub(super) struct Hidden {
    /// The statements behind the one that binds it again.
    behind: flow::Dominated,
    /// The scope whose references they are; `None` for those of all scopes.
    only: Option<ScopeId>,
}

impl Hidden {
    pub(super) fn has(&self, nodes: &crate::python::Nodes<'_>, reference: &Reference) -> bool {
        let is_meant = self.only.is_none_or(|scope| scope == reference.scope);
        is_meant && self.behind.has(nodes, reference.node)
    }
}

/// The loads of a name, in source order, with what those up to each of them tell.
#[derive(Debug)]
struct Loads {
    /// Whether they are in the order of their nodes.
    is_sorted: bool,
    /// The scope that they all stand in.
    scope: Option<ScopeId>,
    visited: Visited,
    /// What so many of the first loads tell.
    fates: Vec<Fate>,
}

impl Loads {
    fn new(module: &Module<'_>, references: &[ReferenceId]) -> Self {
        let all = references.iter().map(|id| module.model.reference(*id));
        let first = all.clone().next().map(|reference| reference.scope);
        Self {
            is_sorted: all.clone().is_sorted_by_key(|reference| reference.node),
            scope: first.filter(|scope| all.clone().all(|other| other.scope == *scope)),
            visited: Visited::default(),
            fates: vec![Fate::default()],
        }
    }
}

impl<'a> Tracker<'_, 'a> {
    /// What the binding `node` of a name hides from what it was bound to before.
    pub(super) fn hidden(&self, node: NodeId, binding: &Binding) -> Option<Hidden> {
        let rebinding = rebinding_after(self.module, node)?;
        // Code of an inner scope that stands below the rebinding runs after it, but in a loop also
        // after the next binding.
        let repeats = flow::in_loop(self.module.nodes, node);
        Some(Hidden {
            behind: flow::dominated(self.module.nodes, rebinding)?,
            only: repeats.then_some(binding.bound_in),
        })
    }

    /// What becomes of the class when it is bound to a name, as many are, and nothing else; `None` when
    /// that is not told by the first loads of the name.
    fn fate_under(&self, node: NodeId) -> Option<Fate> {
        let Module { nodes, model, .. } = *self.module;
        let binding = model.binding(model.binding_at(node)?);
        let is_one_of_many = model.bindings_of(binding.scope, &binding.name).len() > 1;
        let is_plain = binding.kind == BindingKind::Assignment && binding.bound_in == binding.scope;
        if !is_one_of_many || !is_plain || model.scope(binding.scope).kind == ScopeKind::Class {
            return None;
        }
        let references = model.references_to(binding.scope, &binding.name);
        let key = (
            binding.scope,
            Name::clone(&binding.name),
            self.class.factory.name,
        );
        let mut names = self.facts.followed.shared.names.try_borrow_mut().ok()?;
        let loads = names
            .entry(key)
            .or_insert_with(|| Loads::new(self.module, references));
        let mut count = references.len();
        if let Some(hidden) = self.hidden(node, binding) {
            let at = |id: &ReferenceId| model.reference(*id);
            count = references.partition_point(|id| hidden.behind.is_after(at(id).node));
            let rest = references.get(count..).unwrap_or_default();
            let hides_rest = rest
                .last()
                .is_none_or(|last| hidden.behind.has(nodes, at(last).node));
            let hides_scope = hidden.only.is_none_or(|scope| loads.scope == Some(scope));
            if !loads.is_sorted || !hides_rest || !hides_scope {
                return None;
            }
        }
        self.look_at(loads, references.get(..count)?);
        let fate = loads.fates.get(count).copied();
        fate.filter(|_| !loads.visited.has_name(node))
    }

    /// Follows those of the first `references` that were not yet.
    fn look_at(&self, loads: &mut Loads, references: &[ReferenceId]) {
        let done = loads.fates.len().saturating_sub(1);
        let Some(open) = references.get(done..).filter(|open| !open.is_empty()) else {
            return;
        };
        let mut tracker = Tracker {
            visited: std::mem::take(&mut loads.visited),
            escape: Escape {
                fate: loads.fates.last().copied().unwrap_or_default(),
                ..Escape::default()
            },
            ..Tracker::new((self.module, self.facts), self.class)
        };
        for reference in open {
            let reference = self.module.model.reference(*reference);
            if reference.context != ReferenceContext::Delete {
                tracker.expression(reference.node);
            }
            loads.fates.push(tracker.escape.fate);
        }
        loads.visited = tracker.visited;
    }
}

#[cfg(test)]
mod tests;
