//! What is known of the places to which some class or instance was followed, and of what else many sites
//! ask for, each looked at once.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustpython_ast::Expr;

use super::callee::is_unknown_callee;
use super::escape::Shared;
use super::facts::{Facts, LateFacts};
use super::module::Module;
use super::outside;
use super::reflection::ClassRead;
use super::type_argument::class_with_type;
use super::usage::{self, Use};
use crate::python::NodeId;
use crate::python::semantic::{BindingId, BindingKind, ScopeKind};

/// What is known of them so far.
#[derive(Debug, Default)]
pub struct Followed {
    uses: RefCell<FxHashMap<NodeId, Use>>,
    classes_with_type: RefCell<FxHashMap<NodeId, Option<NodeId>>>,
    open: OnceCell<Open>,
    /// Whether a name is bound to what is not known, by its first binding.
    unknown_names: RefCell<FxHashMap<BindingId, bool>>,
    /// Whether an attribute of what a name is bound to is written, by its first binding.
    written_names: RefCell<FxHashMap<BindingId, bool>>,
    /// The reads of classes through instances that could tell two of them apart.
    telling: OnceCell<Vec<ClassRead>>,
    /// The attributes of each name but for those of other modules.
    own_attributes: RefCell<FxHashMap<String, Rc<[NodeId]>>>,
    is_reached_outside: OnceCell<bool>,
    oldest_reader: OnceCell<u8>,
    next_running: OnceCell<Vec<usize>>,
    /// What classes met where others may come.
    pub(super) shared: Shared,
}

/// Where a value may go that has left the code that it was made in.
#[derive(Debug, Default)]
pub struct Open {
    /// The functions that callers outside may reach.
    pub functions: Vec<NodeId>,
    /// The annotated names of class bodies, which a generated `__init__` may fill.
    pub fields: Vec<BindingId>,
    /// The handlers that bind an exception to a name.
    pub handlers: Vec<NodeId>,
}

impl Open {
    fn new(module: &Module<'_>, facts: &Facts<'_>) -> Self {
        let is_reachable = |function: &NodeId| outside::is_reachable(module, facts, *function);
        let functions = facts.functions.iter().copied().filter(is_reachable);
        let mut open = Self {
            functions: functions.collect(),
            ..Self::default()
        };
        for (id, binding) in module.model.bindings() {
            let holder = module.model.scope(binding.scope);
            if holder.kind == ScopeKind::Class && is_field(&binding.kind) {
                open.fields.push(id);
            }
            if binding.kind == BindingKind::ExceptHandler {
                open.handlers.push(binding.node);
            }
        }
        open
    }
}

/// Whether a generated `__init__` may fill a name that a class body binds so.
#[must_use]
pub fn is_field(kind: &BindingKind) -> bool {
    matches!(
        kind,
        BindingKind::Annotation | BindingKind::AnnotatedAssignment
    )
}

impl Followed {
    /// What happens to the expression, which evaluates to a class.
    #[must_use]
    pub fn use_of(&self, module: &Module<'_>, node: NodeId) -> Use {
        let classify = || usage::classify(module, node);
        *self.uses.borrow_mut().entry(node).or_insert_with(classify)
    }

    /// Whether the callee is a value of which nothing is known: a parameter, a variable, an item.
    #[must_use]
    pub fn is_unknown_callee(&self, module: &Module<'_>, callee: &Expr) -> bool {
        let bindings = module.bindings_at(module.nodes.id(callee));
        let look = || is_unknown_callee(module, callee);
        match bindings.and_then(|(_, bindings)| bindings.first()) {
            Some(first) => *self
                .unknown_names
                .borrow_mut()
                .entry(*first)
                .or_insert_with(look),
            None => look(),
        }
    }

    /// Whether an attribute of what a name is bound to is written; `first` is the first binding of the name.
    #[must_use]
    pub fn is_written(&self, first: BindingId, find: impl FnOnce() -> bool) -> bool {
        let mut known = self.written_names.borrow_mut();
        *known.entry(first).or_insert_with(find)
    }

    /// The reads of classes through instances that could tell two of them apart.
    #[must_use]
    pub fn telling(&self, find: impl FnOnce() -> Vec<ClassRead>) -> &[ClassRead] {
        self.telling.get_or_init(find)
    }

    /// The attributes of that name but for those of other modules.
    #[must_use]
    pub fn own_attributes(&self, name: &str, find: impl FnOnce() -> Vec<NodeId>) -> Rc<[NodeId]> {
        if let Some(known) = self.own_attributes.borrow().get(name) {
            return Rc::clone(known);
        }
        let found: Rc<[NodeId]> = find().into();
        let mut known = self.own_attributes.borrow_mut();
        known.insert(name.to_owned(), Rc::clone(&found));
        found
    }

    /// Whether what has left the module may come back to where the class of an instance is reached.
    #[must_use]
    pub fn is_reached_outside(&self, find: impl FnOnce() -> bool) -> bool {
        *self.is_reached_outside.get_or_init(find)
    }

    /// The oldest Python 3 that can read the module, by its minor number.
    #[must_use]
    pub fn oldest_reader(&self, find: impl FnOnce() -> u8) -> u8 {
        *self.oldest_reader.get_or_init(find)
    }

    /// For each top-level statement the index of the first, from it on, that may run code of the module.
    #[must_use]
    pub fn next_running(&self, find: impl FnOnce() -> Vec<usize>) -> &[usize] {
        self.next_running.get_or_init(find)
    }

    /// Where a value may go that has left.
    #[must_use]
    pub fn open(&self, module: &Module<'_>, facts: &Facts<'_>) -> &Open {
        self.open.get_or_init(|| Open::new(module, facts))
    }

    /// The call that makes a class of which the expression is the type of a field.
    #[must_use]
    pub fn class_with_type<'a>(
        &self,
        (module, facts): (&Module<'a>, &LateFacts<'a>),
        node: NodeId,
    ) -> Option<NodeId> {
        if let Some(known) = self.classes_with_type.borrow().get(&node) {
            return *known;
        }
        let call = class_with_type(module, facts, node).map(|typed| typed.call);
        self.classes_with_type.borrow_mut().insert(node, call);
        call
    }
}
