//! What the expressions are to which some class was followed, each looked at once: many classes may go
//! through one name.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::module::Module;
use super::type_argument::class_with_type;
use super::usage::{self, Use};
use crate::python::NodeId;

/// What is known of them so far.
#[derive(Debug, Default)]
pub struct Followed {
    uses: RefCell<FxHashMap<NodeId, Use>>,
    classes_with_type: RefCell<FxHashMap<NodeId, Option<NodeId>>>,
}

impl Followed {
    /// What happens to the expression, which evaluates to a class.
    #[must_use]
    pub fn use_of(&self, module: &Module<'_>, node: NodeId) -> Use {
        let classify = || usage::classify(module, node);
        *self.uses.borrow_mut().entry(node).or_insert_with(classify)
    }

    /// The call that makes a class of which the expression is the type of a field.
    #[must_use]
    pub fn class_with_type(
        &self,
        (module, facts): (&Module<'_>, &Facts<'_>),
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
