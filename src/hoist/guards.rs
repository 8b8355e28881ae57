//! `if` statements that leave their suite, so that what follows them runs only where they let it.

use rustpython_ast::{AnyNodeRef, Stmt, StmtIf};

use super::facts::Facts;
use super::module::Module;
use crate::python::NodeId;

/// Whether the body of the `if` ends by leaving the suite around it.
#[must_use]
pub fn leaves_suite(branch: &StmtIf) -> bool {
    matches!(
        branch.body.last(),
        Some(Stmt::Return(_) | Stmt::Raise(_) | Stmt::Continue(_) | Stmt::Break(_))
    )
}

/// The statements of `suite` that leave it so and end before the node, in source order.
pub fn before<'m, 'a>(
    module: &'m Module<'a>,
    facts: &'m Facts<'a>,
    suite: &[Stmt],
    node: NodeId,
) -> impl Iterator<Item = &'a StmtIf> + use<'m, 'a> {
    let nodes = module.nodes;
    let first = suite.first().map_or(node, |first| nodes.id(first));
    let holder = nodes.parent(first);
    let place = |id: NodeId| facts.guards.partition_point(|guard| *guard < id);
    let guards = facts.guards.get(place(first)..place(node));
    let guards = guards
        .unwrap_or_default()
        .iter()
        .filter(move |guard| nodes.parent(**guard) == holder && !nodes.contains(**guard, node));
    guards.filter_map(|guard| match nodes.get(*guard) {
        AnyNodeRef::StmtIf(branch) => Some(branch),
        _ => None,
    })
}
