//! Statements that bind a name again, so that what it was bound to is not seen below them.

use super::factory::always_binds;
use super::module::Module;
use crate::python::{NodeId, flow};

/// The first statement after the binding `node` in its suite that binds the name again on every way
/// through it: loads in later statements of the suite cannot see what `node` bound.
#[must_use]
pub fn rebinding_after(module: &Module<'_>, node: NodeId) -> Option<NodeId> {
    let nodes = module.nodes;
    let binding = module.model.binding(module.model.binding_at(node)?);
    let statement = nodes.statement(node);
    let bindings = module.model.bindings_of(binding.scope, &binding.name);
    if bindings.len() < 2 {
        return None;
    }
    let (suite, at) = flow::suite_of(nodes, statement)?;
    let mut later = suite.iter().skip(at + 1);
    let again = later.find(|other| always_binds(module, other, bindings))?;
    Some(nodes.id(again))
}
