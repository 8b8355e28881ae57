//! The locals that are left without a reader when their literals move into a definition (hazard 64).

use rustpython_ast::{AnyNodeRef, Expr};

use super::Assembler;
use crate::hoist::group::{DefinitionSource, Group};
use crate::hoist::removal::remove_statements;
use crate::python::NodeId;
use crate::python::semantic::{ReferenceContext, ScopeId};
use crate::python::tokens::comments;
use crate::text::TextRange;

impl Assembler<'_, '_> {
    /// The assignments of locals that only calls of one group read, and which its definition
    /// replaces by their literals. One that has comments around it stays, as they speak of it.
    pub(super) fn remove_locals(&mut self) -> Vec<NodeId> {
        let groups = self
            .groups
            .iter()
            .filter_map(|at| self.plan.groups.get(*at));
        let mut statements: Vec<NodeId> =
            groups.flat_map(|group| self.unread_locals(group)).collect();
        statements.sort_unstable();
        statements.dedup();
        let ranges = self.ranges(&statements);
        self.promise.removed_locals.extend(ranges);
        statements
    }

    fn unread_locals(&self, group: &Group) -> Vec<NodeId> {
        let decisions = group
            .sites
            .iter()
            .filter_map(|at| self.plan.decisions.get(*at));
        let candidates = decisions
            .clone()
            .filter_map(|decision| decision.candidate.as_ref());
        let writes = candidates.clone().flat_map(|candidate| &candidate.writes);
        let moved = decisions.map(|decision| decision.site.call);
        let moved = moved.chain(writes.copied());
        let mut moved: Vec<TextRange> = moved.map(|node| self.module.nodes.range(node)).collect();
        moved.sort_by_key(|range| range.start());
        candidates
            .flat_map(|candidate| &candidate.literals)
            .map(|literal| self.module.nodes.statement(literal.value))
            .filter(|statement| self.is_unread(*statement, &moved) && self.is_bare(*statement))
            .filter(|statement| self.keeps_comments(*statement, group))
            .collect()
    }

    /// Whether all comments inside the statement stand in its literal, and that is put in a new
    /// definition.
    fn keeps_comments(&self, statement: NodeId, group: &Group) -> bool {
        let nodes = self.module.nodes;
        let inner = comments(self.module.tokens, nodes.range(statement));
        let is_new = matches!(group.source, DefinitionSource::New(_));
        let origin = self.plan.decisions.get(group.origin).filter(|_| is_new);
        let candidate = origin.and_then(|origin| origin.candidate.as_ref());
        let literals = candidate.map_or(&[][..], |candidate| &candidate.literals);
        inner.iter().all(|comment| {
            let mut literals = literals.iter();
            literals.any(|literal| literal.range.contains_range(*comment))
        })
    }

    /// Whether the statement binds one local that nothing reads but the moved texts.
    fn is_unread(&self, statement: NodeId, moved: &[TextRange]) -> bool {
        let module = self.module;
        let target = match module.nodes.get(statement) {
            AnyNodeRef::StmtAssign(assign) => match assign.targets.as_slice() {
                [target] => target,
                _ => return false,
            },
            // A function does not evaluate the annotations of its locals (PEP 526).
            AnyNodeRef::StmtAnnAssign(assign) => assign.target.as_ref(),
            _ => return false,
        };
        let Expr::Name(target) = target else {
            return false;
        };
        let Some(id) = module.model.binding_at(module.nodes.id(target)) else {
            return false;
        };
        let binding = module.model.binding(id);
        let references = module.model.references_to(binding.scope, &binding.name);
        let goes = |range: TextRange| {
            let after = moved.partition_point(|text| text.start() <= range.start());
            let before = after.checked_sub(1).and_then(|at| moved.get(at));
            before.is_some_and(|text| text.contains_range(range))
        };
        binding.scope != ScopeId::MODULE
            && self.inquiry.may_go(id)
            && references.iter().all(|reference| {
                let reference = module.model.reference(*reference);
                reference.context == ReferenceContext::Load && goes(reference.range)
            })
    }

    /// Whether the statement can be removed and has no comment.
    fn is_bare(&self, statement: NodeId) -> bool {
        remove_statements(self.module.layout, &[statement]).is_ok_and(|(_, removed)| {
            let mut removed = removed.iter();
            removed.all(|one| one.comments_above.is_empty() && one.trailing_comment.is_none())
        })
    }
}
