//! Whether all sides of a comparison are members that one making of the class has, or constants.

use rustpython_ast::{AnyNodeRef, CmpOp, Expr, ExprCompare, ExprName};

use super::{InstanceUse, InstanceUses};
use crate::python::semantic::{Binding, BindingKind, Resolution};
use crate::python::{NodeId, flow};

/// Names that are bound to each other are followed this far.
const MAX_DEPTH: usize = 16;

const UNKNOWN: &str = "is compared with what may be no member of the class";
const OTHER_TURN: &str = "is compared with what may be a member of the class of another turn";

impl<'a> InstanceUses<'_, 'a> {
    /// What the comparison does with the side `node`.
    pub(super) fn comparison(&self, node: NodeId) -> InstanceUse {
        let AnyNodeRef::ExprCompare(compare) = self.module.parent(node).1 else {
            return InstanceUse::Escapes(UNKNOWN);
        };
        let others: Vec<&Expr> = sides(compare)
            .filter(|side| self.module.nodes.id(*side) != node)
            .collect();
        let is_identity = |op: &CmpOp| matches!(op, CmpOp::Is | CmpOp::IsNot);
        if others.iter().all(|side| side.is_none_literal_expr())
            && compare.ops.iter().all(is_identity)
        {
            return InstanceUse::Compared;
        }
        let is_membership = |op: &CmpOp| matches!(op, CmpOp::In | CmpOp::NotIn);
        if !self.class.has_members() || compare.ops.iter().any(is_membership) {
            return InstanceUse::Escapes(UNKNOWN);
        }
        if others.iter().all(|side| side.is_literal_expr()) {
            return InstanceUse::Compared;
        }
        if !sides(compare).all(|side| self.is_known(side, 0)) {
            return InstanceUse::Escapes(UNKNOWN);
        }
        let stays = self.runs_once() || sides(compare).all(|side| self.is_of_this_turn(side, 0));
        match stays {
            true => InstanceUse::Compared,
            false => InstanceUse::Escapes(OTHER_TURN),
        }
    }

    /// Whether the class is made once at most in each run of its function.
    fn runs_once(&self) -> bool {
        let nodes = self.module.nodes;
        !flow::in_loop(nodes, self.site)
            && matches!(
                flow::per_call(nodes, self.site),
                Some(flow::PerCall::Function { .. } | flow::PerCall::Lambda)
            )
    }

    /// Whether the expression gives a member of the class that `site` made, or a constant.
    fn is_known(&self, expr: &Expr, depth: usize) -> bool {
        if expr.is_literal_expr() {
            return true;
        }
        let id = self.module.nodes.id(expr);
        if depth > MAX_DEPTH || !self.values.contains(&id) {
            return false;
        }
        match expr {
            Expr::If(branch) => [&branch.body, &branch.orelse]
                .iter()
                .all(|value| self.is_known(value, depth + 1)),
            Expr::Name(name) => self.bindings(name).is_some_and(|bindings| {
                let mut all = bindings.iter();
                all.all(|binding| self.binds_known(binding, depth))
            }),
            Expr::Attribute(attribute) => self.is_the_class(&attribute.value),
            Expr::Subscript(subscript) => self.is_the_class(&subscript.value),
            Expr::Call(call) => self.is_the_class(&call.func),
            _ => false,
        }
    }

    /// Whether the binding gives its name a known member or a constant, or nothing.
    fn binds_known(&self, binding: &Binding, depth: usize) -> bool {
        let (parent, parent_node) = self.module.parent(binding.node);
        match (&binding.kind, parent_node) {
            (kind, _) if kind.is_empty() => true,
            (BindingKind::Assignment, AnyNodeRef::StmtAssign(assign)) => {
                assign.targets.len() == 1 && self.is_known(&assign.value, depth + 1)
            }
            (BindingKind::AnnotatedAssignment, AnyNodeRef::StmtAnnAssign(assign)) => assign
                .value
                .as_ref()
                .is_some_and(|value| self.is_known(value, depth + 1)),
            (BindingKind::For, AnyNodeRef::StmtFor(statement)) => {
                !statement.is_async && self.is_the_class(&statement.iter)
            }
            (BindingKind::Comprehension, AnyNodeRef::Comprehension(clause)) => {
                let is_target = self.module.nodes.id(&clause.target) == binding.node;
                parent != binding.node && is_target && self.is_the_class(&clause.iter)
            }
            _ => false,
        }
    }

    /// Whether the expression is the call that makes the class, or a name that holds it alone.
    fn is_the_class(&self, class: &Expr) -> bool {
        if self.module.nodes.id(class) == self.site {
            return true;
        }
        let bindings = class.as_name_expr().and_then(|name| self.bindings(name));
        match bindings.as_deref() {
            Some([only]) => self
                .assigned(only)
                .is_some_and(|value| self.module.nodes.id(value) == self.site),
            _ => false,
        }
    }

    /// Whether a known expression gives a member of the class that the turn of the loop made in which
    /// it runs: its name is bound once, behind the class and before it, in suites that the turn runs
    /// through.
    fn is_of_this_turn(&self, expr: &Expr, depth: usize) -> bool {
        if expr.is_literal_expr() {
            return true;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        match expr {
            Expr::If(branch) => [&branch.body, &branch.orelse]
                .iter()
                .all(|value| self.is_of_this_turn(value, depth + 1)),
            Expr::Name(name) => self
                .is_bound_this_turn(name)
                .is_some_and(|value| self.is_of_this_turn(value, depth + 1)),
            Expr::Attribute(attribute) => self.is_class_of_this_turn(&attribute.value),
            Expr::Subscript(subscript) => self.is_class_of_this_turn(&subscript.value),
            Expr::Call(call) => self.is_class_of_this_turn(&call.func),
            _ => false,
        }
    }

    fn is_class_of_this_turn(&self, class: &Expr) -> bool {
        let name = class.as_name_expr();
        let value = name.and_then(|name| self.is_bound_this_turn(name));
        value.is_some_and(|value| self.module.nodes.id(value) == self.site)
    }

    /// The only value of the name, bound by a statement that stands before the name in a suite around
    /// it, when no inner scope reads the name.
    fn is_bound_this_turn(&self, name: &ExprName) -> Option<&'a Expr> {
        let nodes = self.module.nodes;
        let bindings = self.bindings(name)?;
        let [binding] = bindings.as_slice() else {
            return None;
        };
        let value = self.assigned(binding)?;
        let statement = nodes.statement(binding.node);
        let model = self.module.model;
        let references = model.references_to(binding.scope, &binding.name).iter();
        let mut scopes = references.map(|id| model.reference(*id).scope);
        let stays = scopes.all(|scope| scope == binding.scope);
        (stays && flow::dominates(nodes, statement, nodes.id(name))).then_some(value)
    }

    /// The value of a plain or annotated assignment to the name alone.
    fn assigned(&self, binding: &Binding) -> Option<&'a Expr> {
        match (&binding.kind, self.module.parent(binding.node).1) {
            (BindingKind::Assignment, AnyNodeRef::StmtAssign(assign)) => {
                (assign.targets.len() == 1).then_some(assign.value.as_ref())
            }
            (BindingKind::AnnotatedAssignment, AnyNodeRef::StmtAnnAssign(assign)) => {
                assign.value.as_deref()
            }
            _ => None,
        }
    }

    /// All bindings of the name that the expression reads.
    fn bindings(&self, name: &ExprName) -> Option<Vec<&'a Binding>> {
        let model = self.module.model;
        let reference = model.reference_at(self.module.nodes.id(name))?;
        let reference = model.reference(reference);
        let Resolution::Scope(scope) = reference.resolution else {
            return None;
        };
        let all = model.bindings_of(scope, &reference.name).iter();
        Some(all.map(|id| model.binding(*id)).collect())
    }
}

fn sides(compare: &ExprCompare) -> impl Iterator<Item = &Expr> {
    std::iter::once(compare.left.as_ref()).chain(compare.comparators.iter())
}
