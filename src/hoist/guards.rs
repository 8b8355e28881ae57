//! `if` statements that leave their suite, so that what follows them runs only where they let it.

use rustpython_ast::{AnyNodeRef, Stmt, StmtIf};

use super::module::Module;
use crate::python::NodeId;

/// The `if` statements of a module that leave their suite, in source order.
#[derive(Debug, Default)]
pub struct Guards(Vec<NodeId>);

/// Whether the body of the `if` ends by leaving the suite around it.
fn leaves_suite(branch: &StmtIf) -> bool {
    matches!(
        branch.body.last(),
        Some(Stmt::Return(_) | Stmt::Raise(_) | Stmt::Continue(_) | Stmt::Break(_))
    )
}

impl Guards {
    /// Those of the module.
    #[must_use]
    pub fn of(module: &Module<'_>) -> Self {
        let found = module.nodes.iter().filter_map(|(id, node)| match node {
            AnyNodeRef::StmtIf(branch) => leaves_suite(branch).then_some(id),
            _ => None,
        });
        Self(found.collect())
    }

    /// Those of `suite` that end before the node, in source order.
    pub fn before<'m, 'a>(
        &'m self,
        module: &'m Module<'a>,
        suite: &[Stmt],
        node: NodeId,
    ) -> impl Iterator<Item = &'a StmtIf> + use<'m, 'a> {
        let nodes = module.nodes;
        let first = suite.first().map_or(node, |first| nodes.id(first));
        let holder = nodes.parent(first);
        let place = |id: NodeId| self.0.partition_point(|guard| *guard < id);
        let guards = self.0.get(place(first)..place(node));
        let guards = guards
            .unwrap_or_default()
            .iter()
            .filter(move |guard| nodes.parent(**guard) == holder && !nodes.contains(**guard, node));
        guards.filter_map(|guard| match nodes.get(*guard) {
            AnyNodeRef::StmtIf(branch) => Some(branch),
            _ => None,
        })
    }
}
