//! What is known of the places to which some class or instance was followed, each looked at once: many
//! may go there.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use super::facts::{Facts, LateFacts};
use super::module::Module;
use super::outside;
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
