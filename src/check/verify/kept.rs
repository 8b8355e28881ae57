//! Where a class is read again after a name or an attribute kept it.

use std::cell::{OnceCell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{AnyNodeRef, Expr, ExprContext, Stmt};
use rustpython_text_size::Ranged;

use super::evidence::{Side, is_plain_target};
use super::inert::always_binds;
use super::visible::builtin;
use crate::python::semantic::{
    Binding, BindingId, BindingKind, Reference, ReferenceContext, ReferenceId, Resolution, ScopeId,
    ScopeKind,
};
use crate::python::{NodeId, flow};
use crate::text::{TextRange, TextSize};

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
    /// The scopes of the references to names, by their first bindings.
    scopes: RefCell<FxHashMap<BindingId, Option<ScopeId>>>,
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
            scopes: RefCell::default(),
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
        let bound = statement.map(|statement| Bound::new(self.side, binding, statement));
        let mut references = model.references_to(binding.scope, &binding.name);
        if let Some(bound) = &bound
            && !bound.is_only
            && self.scope_of_reads(binding) == Some(binding.bound_in)
        {
            references = bound.in_sight(references);
        }
        references
            .iter()
            .map(|id| model.reference(*id))
            .filter(|reference| reference.context != ReferenceContext::Delete)
            .filter(|reference| {
                bound
                    .as_ref()
                    .is_none_or(|bound| !bound.is_blind(reference))
            })
            .map(|reference| reference.node)
            .collect()
    }

    /// The scope in which all references to the name stand; `None` when they stand in several.
    fn scope_of_reads(&self, binding: &Binding) -> Option<ScopeId> {
        let model = &self.side.model;
        let first = model.bindings_of(binding.scope, &binding.name).first()?;
        let look = || {
            let references = model.references_to(binding.scope, &binding.name).iter();
            let mut scopes = references.map(|id| model.reference(*id).scope);
            let first = scopes.next();
            first.filter(|scope| scopes.all(|other| other == *scope))
        };
        let mut known = self.scopes.borrow_mut();
        *known.entry(*first).or_insert_with(look)
    }
}

/// A statement that binds a name; what is asked for each reference to it is looked up once.
struct Bound<'b, 'a> {
    side: &'b Side<'a>,
    binding: &'b Binding,
    statement: NodeId,
    range: TextRange,
    /// Whether no other statement binds the name.
    is_only: bool,
    is_in_loop: OnceCell<bool>,
    behind_rebinding: OnceCell<Option<flow::Dominated>>,
    rebound_after: OnceCell<Option<TextSize>>,
}

impl<'b, 'a> Bound<'b, 'a> {
    fn new(side: &'b Side<'a>, binding: &'b Binding, statement: NodeId) -> Self {
        let bindings = side.model.bindings_of(binding.scope, &binding.name);
        Self {
            side,
            binding,
            statement,
            range: side.nodes.range(statement),
            is_only: bindings.len() == 1,
            is_in_loop: OnceCell::new(),
            behind_rebinding: OnceCell::new(),
            rebound_after: OnceCell::new(),
        }
    }

    /// The references, all in the scope of the statement and in source order, without the first and the
    /// last of them that are blind: a name that is bound again and again has many.
    fn in_sight<'r>(&self, references: &'r [ReferenceId]) -> &'r [ReferenceId] {
        let at = |id: &ReferenceId| self.side.model.reference(*id);
        let is_behind = |id: &ReferenceId| self.is_behind_rebinding(at(id));
        let start = match self.is_in_loop() {
            true => 0,
            false => references.partition_point(|id| at(id).range.end() <= self.range.start()),
        };
        let rest = references.get(start..).unwrap_or_default();
        let end = match rest.last().is_some_and(is_behind) {
            // They stand in statements that follow one another.
            true => rest.partition_point(|id| !is_behind(id)),
            false => rest.len(),
        };
        rest.get(..end).unwrap_or_default()
    }

    /// Whether the reference runs only before the statement, or only after another one that binds
    /// the name anew.
    fn is_blind(&self, reference: &Reference) -> bool {
        let is_before = reference.range.start() < self.range.end();
        if self.is_only && !(is_before && reference.scope == self.binding.bound_in) {
            return false;
        }
        let nodes = &self.side.nodes;
        if reference.scope != self.binding.bound_in {
            return !flow::in_loop(nodes, self.statement) && self.is_behind_rebinding(reference);
        }
        if is_before {
            return reference.range.end() <= self.range.start() && !self.is_in_loop();
        }
        self.is_behind_rebinding(reference)
            || self
                .rebound_after()
                .is_some_and(|end| end <= reference.range.start())
    }

    /// Whether a loop stands around the statement, in whatever function.
    fn is_in_loop(&self) -> bool {
        *self.is_in_loop.get_or_init(|| {
            let nodes = &self.side.nodes;
            let mut around = nodes.ancestors(self.statement).map(|id| nodes.get(id));
            around.any(|node| node.is_stmt_for() || node.is_stmt_while())
        })
    }

    /// Whether the reference stands in the suite of the statement behind another one that binds the
    /// name anew, so that every way to it from the statement leads over that one.
    fn is_behind_rebinding(&self, reference: &Reference) -> bool {
        let nodes = &self.side.nodes;
        let behind = self.behind_rebinding.get_or_init(|| {
            let (suite, at) = flow::suite_of(nodes, self.statement)?;
            let mut later = suite.iter().skip(at + 1);
            let found = later.find(|stmt| always_binds(stmt, &self.binding.name))?;
            flow::dominated(nodes, nodes.id(found))
        });
        behind.is_some_and(|behind| behind.has(nodes, reference.node))
    }

    /// The end of the statement of the same suite that binds the name anew, when nothing between them can
    /// jump over it within the function.
    fn rebound_after(&self) -> Option<TextSize> {
        *self.rebound_after.get_or_init(|| {
            let nodes = &self.side.nodes;
            if !has_one_suite(nodes.get(nodes.parent(self.statement)?)) {
                return None;
            }
            let (suite, at) = flow::suite_of(nodes, self.statement)?;
            for stmt in suite.iter().skip(at + 1) {
                match stmt {
                    Stmt::Assign(assign) if is_plain_target(assign, &self.binding.name) => {
                        return Some(stmt.end());
                    }
                    _ if self.leaves_its_loop(nodes.id(stmt)) => return None,
                    _ => {}
                }
            }
            None
        })
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
