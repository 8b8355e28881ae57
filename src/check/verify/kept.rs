//! Where a class is read again after a name or an attribute kept it.

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{AnyNodeRef, Expr, ExprContext, StmtRef};

use super::evidence::{Side, is_plain_target};
use super::inert::always_binds;
use super::visible::builtin;
use crate::python::semantic::{
    Binding, BindingKind, Reference, ReferenceContext, Resolution, ScopeKind,
};
use crate::python::{NodeId, flow};

/// The reads of an attribute.
pub(super) enum Kept<'k> {
    /// The attribute expressions.
    Loads(&'k [NodeId]),
    /// Some call names the attribute by a string.
    ByName,
}

/// The reads of names and attributes in one module.
pub(super) struct Keeping<'e, 'a> {
    side: &'e Side<'a>,
    attributes: FxHashMap<&'a str, Vec<NodeId>>,
    named_by_string: FxHashSet<&'a str>,
}

impl<'e, 'a> Keeping<'e, 'a> {
    pub(super) fn new(side: &'e Side<'a>) -> Self {
        let mut attributes: FxHashMap<&str, Vec<_>> = FxHashMap::default();
        let mut named_by_string = FxHashSet::default();
        for id in side.nodes.ids() {
            match side.nodes.get(id) {
                AnyNodeRef::ExprAttribute(attribute) if attribute.ctx == ExprContext::Load => {
                    let name = attribute.attr.as_str();
                    attributes.entry(name).or_default().push(id);
                }
                AnyNodeRef::ExprCall(call) => {
                    let by_name = matches!(
                        builtin(side, call).as_deref(),
                        Some("getattr" | "setattr" | "delattr")
                    );
                    let name = call.arguments.args.get(1).filter(|_| by_name);
                    if let Some(Expr::StringLiteral(name)) = name {
                        named_by_string.insert(name.value.to_str());
                    }
                }
                _ => {}
            }
        }
        Self {
            side,
            attributes,
            named_by_string,
        }
    }

    /// The reads of the attribute, on whatever object.
    pub(super) fn loads_of_attribute(&self, name: &str) -> Kept<'_> {
        if self.named_by_string.contains(name) {
            return Kept::ByName;
        }
        Kept::Loads(self.attributes.get(name).map_or(&[], Vec::as_slice))
    }

    /// Whether the expression is a class of the module or a parameter such as `self`.
    pub(super) fn is_own(&self, base: &Expr) -> bool {
        let model = &self.side.model;
        let reference = base
            .as_name_expr()
            .and_then(|name| model.reference_at(self.side.nodes.id(name)))
            .map(|id| model.reference(id));
        let Some(Reference {
            resolution: Resolution::Scope(scope),
            name,
            ..
        }) = reference
        else {
            return false;
        };
        model.bindings_of(*scope, name).iter().all(|id| {
            matches!(
                model.binding(*id).kind,
                BindingKind::Parameter | BindingKind::ClassDefinition
            )
        })
    }

    /// The attribute that the node's binding is, when it stands in a class body.
    pub(super) fn class_attribute(&self, node: NodeId) -> Option<&'e str> {
        let binding = self.binding(node)?;
        let scope = self.side.model.scope(binding.scope);
        (scope.kind == ScopeKind::Class).then_some(binding.name.as_str())
    }

    fn binding(&self, node: NodeId) -> Option<&'e Binding> {
        let model = &self.side.model;
        Some(model.binding(model.binding_at(node)?))
    }

    /// The loads of the name bound at `node` that may see what `statement` binds it to.
    pub(super) fn loads_of(&self, node: NodeId, statement: Option<NodeId>) -> Vec<NodeId> {
        let model = &self.side.model;
        let Some(binding) = self.binding(node) else {
            return Vec::new();
        };
        let references = model.references_to(binding.scope, &binding.name).iter();
        references
            .map(|id| model.reference(*id))
            .filter(|reference| reference.context != ReferenceContext::Delete)
            .filter(|reference| {
                statement.is_none_or(|statement| !self.is_blind(reference, binding, statement))
            })
            .map(|reference| reference.node)
            .collect()
    }

    /// Whether the reference runs only before the statement, or only after another one that binds
    /// the name anew.
    fn is_blind(&self, reference: &Reference, binding: &Binding, statement: NodeId) -> bool {
        let nodes = &self.side.nodes;
        if reference.scope != binding.bound_in {
            return !flow::in_loop(nodes, statement)
                && self.is_behind_rebinding(reference, binding, statement);
        }
        let range = nodes.range(statement);
        if reference.range.start() < range.end() {
            let mut around = nodes.ancestors(statement).map(|id| nodes.get(id));
            let before = reference.range.end() <= range.start();
            return before && !around.any(|node| node.is_stmt_for() || node.is_stmt_while());
        }
        if self.is_behind_rebinding(reference, binding, statement) {
            return true;
        }
        self.rebound_after(binding, statement)
            .is_some_and(|rebinding| nodes.range(rebinding).end() <= reference.range.start())
    }

    /// Whether the reference stands in the suite of the statement behind another one that binds the
    /// name anew, so that every way to it from the statement leads over that one.
    fn is_behind_rebinding(
        &self,
        reference: &Reference,
        binding: &Binding,
        statement: NodeId,
    ) -> bool {
        let nodes = &self.side.nodes;
        let Some((suite, at)) = flow::suite_of(nodes, statement) else {
            return false;
        };
        let mut later = suite.iter().skip(at + 1);
        let rebinding = later.find(|stmt| always_binds(stmt, &binding.name));
        rebinding.is_some_and(|found| flow::dominates(nodes, nodes.id(found), reference.node))
    }

    /// The statement of the same suite that binds the name anew, when nothing between them can jump
    /// over it within the function.
    fn rebound_after(&self, binding: &Binding, statement: NodeId) -> Option<NodeId> {
        let nodes = &self.side.nodes;
        let parent = nodes.parent(statement)?;
        if !has_one_suite(nodes.get(parent)) {
            return None;
        }
        for id in nodes.children(parent).filter(|id| *id > statement) {
            match nodes.get(id).as_stmt_ref()? {
                StmtRef::Assign(assign) if is_plain_target(assign, &binding.name) => {
                    return Some(id);
                }
                _ if self.leaves_its_loop(id) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a `break` or `continue` in the statement belongs to a loop around it.
    fn leaves_its_loop(&self, statement: NodeId) -> bool {
        let nodes = &self.side.nodes;
        nodes.subtree(statement).any(|id| {
            let node = nodes.get(id);
            let mut inside = nodes
                .ancestors(id)
                .take_while(|outer| *outer >= statement)
                .map(|outer| nodes.get(outer));
            (node.is_stmt_break() || node.is_stmt_continue())
                && !inside.any(|outer| outer.is_stmt_for() || outer.is_stmt_while())
        })
    }
}

/// Whether all statements directly below the node are one suite.
fn has_one_suite(node: AnyNodeRef<'_>) -> bool {
    match node {
        AnyNodeRef::StmtFor(stmt) => stmt.orelse.is_empty(),
        AnyNodeRef::StmtWhile(stmt) => stmt.orelse.is_empty(),
        AnyNodeRef::ModModule(_)
        | AnyNodeRef::StmtFunctionDef(_)
        | AnyNodeRef::StmtClassDef(_)
        | AnyNodeRef::StmtIf(_)
        | AnyNodeRef::ElifElseClause(_)
        | AnyNodeRef::StmtWith(_) => true,
        _ => false,
    }
}
