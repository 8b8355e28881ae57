//! Whether the class can be told apart from another equal one: where it goes, followed by name.

mod results;
mod shared;

use rustpython_ast::{AnyNodeRef, Expr};

use super::class_traits::ClassTraits;
use super::facts::LateFacts;
use super::method::is_own_attribute;
use super::module::Module;
use super::type_argument::{Typed, class_with_type};
use super::usage::{self, Use};
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::{Reference, ReferenceContext, ScopeId, ScopeKind};
use crate::rule::SkipReason;
pub use shared::Shared;
use shared::{Place, Visited};

/// A class that is the type of a field of a class, and so on, is followed this far.
const MAX_DEPTH: usize = 8;

/// One use of the class that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The expression that evaluates to the class.
    pub node: NodeId,
    /// What happens to it.
    pub used: Use,
    /// Why that could be noticed; `None` when it cannot.
    pub escapes: Option<SkipReason>,
}

/// What the uses of a class tell of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fate {
    /// Whether it is ever called.
    called: bool,
    /// Whether a plain attribute of it is written, as of a bag of values.
    is_bag: bool,
    /// Whether it is stored on an attribute, where code outside finds it.
    is_kept: bool,
    /// Whether the module reads an attribute of it.
    is_read: bool,
    written: bool,
    /// Whether a function or lambda returns or yields it.
    pub is_returned: bool,
    refusal: Option<SkipReason>,
}

impl Fate {
    /// Why sharing the class could be noticed; `None` when it cannot, returning it apart.
    #[must_use]
    pub fn refusal(&self) -> Option<SkipReason> {
        // An attribute that the module itself never uses as a class is there for the callers.
        if self.is_kept && !self.called && !self.is_read && !self.written {
            return Some(self.refusal.unwrap_or(SkipReason::ClassStored));
        }
        match (self.written, self.is_bag && !self.called) {
            (true, false) => Some(SkipReason::ClassWritten),
            (true, true) => Some(SkipReason::ClassAsNamespace),
            (false, _) => self.refusal,
        }
    }

    fn refuse(&mut self, reason: SkipReason) {
        self.refusal = Some(self.refusal.map_or(reason, |known| known.min(reason)));
    }
}

/// Where a class goes.
#[derive(Debug, Default)]
pub struct Escape {
    /// Every use that was looked at, each after the one that led to it.
    pub seen: Vec<Seen>,
    /// The index of the use that is looked at.
    current: usize,
    /// What they tell.
    pub fate: Fate,
    /// The functions and lambdas that return or yield it.
    pub returned_from: Vec<NodeId>,
    /// The calls that make instances of it: the `Call` nodes.
    pub instances: Vec<NodeId>,
}

impl Escape {
    /// Why sharing the class could be noticed; `None` when it cannot, returning it apart.
    #[must_use]
    pub fn refusal(&self) -> Option<SkipReason> {
        self.fate.refusal()
    }

    fn refuse(&mut self, reason: SkipReason) {
        self.mark(reason);
        self.fate.refuse(reason);
    }

    /// Notes why the use that is looked at could be noticed.
    fn mark(&mut self, reason: SkipReason) {
        if let Some(seen) = self.seen.get_mut(self.current) {
            seen.escapes = Some(seen.escapes.map_or(reason, |known| known.min(reason)));
        }
    }
}

/// Follows one class through a module.
#[derive(Debug)]
pub struct Tracker<'m, 'a> {
    module: &'m Module<'a>,
    facts: &'m LateFacts<'a>,
    /// What is known of the class.
    class: &'m ClassTraits,
    /// How many classes around this one have it as the type of a field.
    depth: usize,
    /// Statements whose writes belong to the definition.
    moved: &'m [NodeId],
    /// Whether what other classes of the factory met at the same places stands for what this one meets.
    shares: bool,
    visited: Visited,
    escape: Escape,
}

impl<'m, 'a> Tracker<'m, 'a> {
    /// Follows the class `class` that the call `node` makes; the statements in `moved` are writes
    /// that travel with the definition.
    #[must_use]
    pub fn follow(
        (module, facts): (&'m Module<'a>, &'m LateFacts<'a>),
        class: &'m ClassTraits,
        node: NodeId,
        moved: &'m [NodeId],
    ) -> Escape {
        let mut tracker = Tracker {
            moved,
            ..Self::new((module, facts), class)
        };
        tracker.expression(node);
        tracker.escape
    }

    fn new((module, facts): (&'m Module<'a>, &'m LateFacts<'a>), class: &'m ClassTraits) -> Self {
        Tracker {
            module,
            facts,
            class,
            depth: 0,
            moved: &[],
            shares: false,
            visited: Visited::default(),
            escape: Escape::default(),
        }
    }

    fn expression(&mut self, node: NodeId) {
        let used = self.classify(node);
        let outer = std::mem::replace(&mut self.escape.current, self.escape.seen.len());
        self.escape.seen.push(Seen {
            node,
            used,
            escapes: None,
        });
        self.follow_use(node, used);
        self.escape.current = outer;
    }

    /// What happens to the expression, as the class's factory has it.
    fn classify(&self, node: NodeId) -> Use {
        let used = self.facts.followed.use_of(self.module, node);
        let (parent, parent_node) = self.module.parent(node);
        let is = |part: &Expr| self.module.nodes.id(part) == node;
        match (used, parent_node) {
            (
                Use::Harmless | Use::Inspected | Use::Flows(_),
                AnyNodeRef::ExprAttribute(attribute),
            ) => {
                let name = attribute.attr.as_str();
                if self.class.is_member(name) {
                    Use::Member(parent)
                } else if !self.class.shares(name) {
                    Use::Inspected
                } else if name == "_field_defaults" || matches!(used, Use::Flows(_)) {
                    used
                } else {
                    Use::Harmless
                }
            }
            (Use::Stored, AnyNodeRef::ExprSubscript(item))
                if self.class.has_members() && is(&item.value) && item.ctx.is_load() =>
            {
                Use::Member(parent)
            }
            (Use::Stored, AnyNodeRef::StmtFor(statement))
                if self.class.has_members() && is(&statement.iter) && !statement.is_async =>
            {
                Use::Iterated(self.module.nodes.id(statement.target.as_ref()))
            }
            (Use::Stored, AnyNodeRef::Comprehension(clause))
                if self.class.has_members() && is(&clause.iter) && !clause.is_async =>
            {
                Use::Iterated(self.module.nodes.id(&clause.target))
            }
            (Use::Stored | Use::Passed, _) => {
                let (module, facts) = (self.module, self.facts);
                let typed = facts.followed.class_with_type((module, facts), node);
                typed.map_or(used, Use::TypeOf)
            }
            _ => used,
        }
    }

    fn follow_use(&mut self, node: NodeId, used: Use) {
        match used {
            Use::Called => {
                self.escape.fate.called = true;
                self.escape.instances.extend(self.module.nodes.parent(node));
            }
            Use::Harmless => self.harmless(node),
            Use::Deleted => {}
            Use::Member(_) | Use::Iterated(_) => self.escape.fate.is_read = true,
            Use::TypeOf(_) => self.type_of(node),
            Use::Annotation if self.facts.reflection.reads_annotations => {
                self.escape.refuse(SkipReason::ClassPassed);
            }
            Use::Annotation => self.escape.fate.is_read = true,
            Use::Written(statement) if self.moved.contains(&statement) => {}
            Use::Written(_) => self.written(node),
            Use::Compared => self.escape.refuse(SkipReason::ClassCompared),
            Use::Subclassed => self.escape.refuse(SkipReason::ClassSubclassed),
            Use::Passed => self.escape.refuse(SkipReason::ClassPassed),
            Use::Flows(parent) => self.expression(parent),
            Use::Inspected => self.escape.refuse(SkipReason::ClassInspected),
            Use::Stored => self.escape.refuse(SkipReason::ClassStored),
            Use::Returned => self.returned(node),
            Use::BoundTo(name) => self.name(name),
            Use::StoredOn(attribute) => self.attribute(attribute),
            Use::Chained(assign) => self.chained(assign),
            Use::Named(named) => self.named(named),
        }
    }

    /// The class is what another class says of a field, and goes where that one goes.
    fn type_of(&mut self, node: NodeId) {
        self.escape.fate.is_read = true;
        let typed = class_with_type(self.module, self.facts, node);
        let is_read = self.facts.reflection.reads_annotations
            || !self.facts.attributes("__supertype__").is_empty()
            || self.facts.spells_attribute("__supertype__");
        let Some(Typed { class, call }) = typed.filter(|_| !is_read && self.depth < MAX_DEPTH)
        else {
            self.escape.refuse(SkipReason::ClassPassed);
            return;
        };
        let mut outer = Tracker {
            depth: self.depth + 1,
            ..Tracker::new((self.module, self.facts), &class)
        };
        outer.expression(call);
        if outer.escape.refusal().is_some() {
            self.escape.refuse(SkipReason::ClassPassed);
        }
        self.escape.fate.is_returned |= outer.escape.fate.is_returned;
        let returned = outer.escape.returned_from;
        self.escape.returned_from.extend(returned);
    }

    /// `X._make`, `map(X, …)` and the like make instances too.
    fn harmless(&mut self, node: NodeId) {
        let (parent, parent_node) = self.module.parent(node);
        let maker = match parent_node {
            AnyNodeRef::ExprAttribute(attribute) => {
                self.escape.fate.is_read = true;
                matches!(attribute.attr.as_str(), "_make" | "_replace").then_some(parent)
            }
            AnyNodeRef::Arguments(_) => match self.module.parent(parent) {
                (id, AnyNodeRef::ExprCall(call)) => {
                    matches!(last_segment(&call.func), Some("map" | "starmap")).then_some(id)
                }
                _ => None,
            },
            _ => None,
        };
        self.escape.fate.called |= maker.is_some();
        self.escape.instances.extend(maker);
    }

    fn written(&mut self, node: NodeId) {
        self.escape.fate.written = true;
        self.escape.mark(SkipReason::ClassWritten);
        self.escape.fate.is_bag |= match self.module.parent(node).1 {
            AnyNodeRef::ExprAttribute(attribute) => {
                !attribute.ctx.is_load() && !attribute.attr.starts_with("__")
            }
            _ => false,
        };
    }

    fn chained(&mut self, assign: NodeId) {
        if let AnyNodeRef::StmtAssign(assign) = self.module.nodes.get(assign) {
            assign.targets.iter().for_each(|target| self.target(target));
        }
    }

    fn named(&mut self, named: NodeId) {
        if let AnyNodeRef::ExprNamed(expr) = self.module.nodes.get(named) {
            self.target(&expr.target);
            self.expression(named);
        }
    }

    fn target(&mut self, target: &Expr) {
        match usage::target(self.module, target) {
            Use::BoundTo(name) => self.name(name),
            Use::StoredOn(attribute) => self.attribute(attribute),
            _ => self.escape.refuse(SkipReason::ClassStored),
        }
    }

    fn name(&mut self, node: NodeId) {
        let Some(binding) = self.module.model.binding_at(node) else {
            self.escape.refuse(SkipReason::ClassStored);
            return;
        };
        let binding = self.module.model.binding(binding);
        let bound_in = self.module.model.scope(binding.bound_in).kind;
        if binding.scope == ScopeId::MODULE
            && !matches!(bound_in, ScopeKind::Module | ScopeKind::Comprehension)
        {
            self.escape.refuse(SkipReason::GlobalDeclared);
        }
        if !self.visited.name(node) {
            return;
        }
        let Module { nodes, model, .. } = *self.module;
        let hidden = self.hidden(node, binding);
        let is_hidden = |reference: &Reference| {
            let hidden = hidden.as_ref();
            hidden.is_some_and(|hidden| hidden.has(nodes, reference))
        };
        for reference in model.references_to(binding.scope, &binding.name) {
            let reference = model.reference(*reference);
            let deletes = reference.context == ReferenceContext::Delete;
            if !deletes && !is_hidden(reference) {
                self.expression(reference.node);
            }
        }
        if self.module.model.scope(binding.scope).kind == ScopeKind::Class
            && let AnyNodeRef::ExprName(name) = self.module.nodes.get(node)
        {
            self.attribute_name(name.id.as_str());
        }
    }

    fn attribute(&mut self, node: NodeId) {
        let AnyNodeRef::ExprAttribute(attribute) = self.module.nodes.get(node) else {
            return;
        };
        if !is_own_attribute(self.module, &attribute.value) || self.is_in_decorated_class(node) {
            self.escape.refuse(SkipReason::ClassStored);
        }
        self.attribute_name(attribute.attr.as_str());
    }

    /// Whether a class around the node has a decorator, which may make methods that read all its
    /// attributes, as `dataclasses.dataclass` does.
    fn is_in_decorated_class(&self, node: NodeId) -> bool {
        self.module
            .nodes
            .ancestors(node)
            .any(|id| match self.module.nodes.get(id) {
                AnyNodeRef::StmtClassDef(class) => !class.decorator_list.is_empty(),
                _ => false,
            })
    }

    /// Follows every use of the class through the attribute `name`, whatever object it is read from.
    fn attribute_name(&mut self, name: &str) {
        self.escape.fate.is_kept = true;
        if self.visited.has_attribute(name) || self.shared(Place::Attribute(name)) {
            return;
        }
        self.visited.attribute(name);
        self.attribute_loads(name);
    }

    fn attribute_loads(&mut self, name: &str) {
        if self.facts.spells_attribute(name) {
            self.escape.refuse(SkipReason::ClassStored);
        }
        for id in self.facts.attributes(name) {
            if let AnyNodeRef::ExprAttribute(attribute) = self.module.nodes.get(*id)
                && attribute.ctx.is_load()
            {
                self.expression(*id);
            }
        }
    }
}
