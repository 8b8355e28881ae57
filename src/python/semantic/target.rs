//! Targets: how a stored or deleted name is bound, told by what stands around it.

use rustpython_ast::AnyNodeRef;

use super::binding::BindingKind;
use crate::python::nodes::{NodeId, Nodes};

/// How the stored or deleted `Name` node binds; `None` when it binds nothing, as in `(x): int`.
pub(super) fn binding_kind(nodes: &Nodes<'_>, name: NodeId) -> Option<BindingKind> {
    let statement = nodes.ancestors(name).map(|id| nodes.get(id)).find(|node| {
        !matches!(
            node,
            AnyNodeRef::ExprTuple(_) | AnyNodeRef::ExprList(_) | AnyNodeRef::ExprStarred(_)
        )
    })?;
    Some(match statement {
        AnyNodeRef::StmtAugAssign(_) => BindingKind::AugmentedAssignment,
        AnyNodeRef::StmtAnnAssign(assign) if assign.value.is_some() => {
            BindingKind::AnnotatedAssignment
        }
        AnyNodeRef::StmtAnnAssign(assign) if assign.simple => BindingKind::Annotation,
        AnyNodeRef::StmtAnnAssign(_) => return None,
        AnyNodeRef::ExprNamed(_) => BindingKind::NamedExpression,
        AnyNodeRef::StmtFor(_) => BindingKind::For,
        AnyNodeRef::Comprehension(_) => BindingKind::Comprehension,
        AnyNodeRef::WithItem(_) => BindingKind::With,
        AnyNodeRef::StmtDelete(_) => BindingKind::Deletion,
        AnyNodeRef::StmtTypeAlias(_) => BindingKind::TypeAlias,
        _ => BindingKind::Assignment,
    })
}
