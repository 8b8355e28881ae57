//! Whether a comparison of members has only members of one making of their class on its sides.

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, CmpOp, Expr, ExprCompare, ExprName};

use super::evidence::Side;
use crate::python::NodeId;
use crate::python::flow::{self, PerCall};
use crate::python::semantic::{Binding, BindingKind, Resolution};

/// Names that stand for each other are followed this far.
const MAX_DEPTH: usize = 16;

/// One call that makes a class with members, in the original.
pub(super) struct Making<'e, 'a> {
    pub(super) side: &'e Side<'a>,
    /// The call.
    pub(super) site: NodeId,
    /// All expressions that may give a member of the class.
    pub(super) values: &'e FxHashSet<NodeId>,
}

/// How often the call can have run when a member is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Once in the run of its function.
    Once,
    /// Again and again: a name may hold what an earlier turn made.
    InTurns,
}

impl<'a> Making<'_, 'a> {
    /// Whether the comparison asks whether the value at `node` is `None`.
    pub(super) fn asks_for_none(&self, compare: &ExprCompare, node: NodeId) -> bool {
        let is_none = |side: &Expr| side.is_none_literal_expr();
        let mut tests = compare.ops.iter();
        sides(compare).all(|side| self.side.nodes.id(side) == node || is_none(side))
            && tests.all(|test| matches!(test, CmpOp::Is | CmpOp::IsNot))
    }

    /// Whether each side of the comparison is a constant, or a member of the class that one run of the
    /// call made.
    pub(super) fn compares_its_own(&self, compare: &ExprCompare) -> bool {
        let mut tests = compare.ops.iter();
        if tests.any(|test| matches!(test, CmpOp::In | CmpOp::NotIn)) {
            return false;
        }
        let members = sides(compare).filter(|side| !side.is_literal_expr());
        if members.count() == 1 {
            return true;
        }
        let runs = self.runs();
        sides(compare).all(|side| self.is_own(side, runs, 0))
    }

    fn runs(&self) -> Runs {
        let nodes = &self.side.nodes;
        match flow::per_call(nodes, self.site) {
            Some(PerCall::Function { .. } | PerCall::Lambda)
                if !flow::in_loop(nodes, self.site) =>
            {
                Runs::Once
            }
            _ => Runs::InTurns,
        }
    }

    fn is_own(&self, expr: &Expr, runs: Runs, depth: usize) -> bool {
        if expr.is_literal_expr() {
            return true;
        }
        if depth > MAX_DEPTH || !self.values.contains(&self.side.nodes.id(expr)) {
            return false;
        }
        match expr {
            Expr::Attribute(attribute) => self.is_class(&attribute.value, runs),
            Expr::Subscript(item) => self.is_class(&item.value, runs),
            Expr::Call(call) => self.is_class(&call.func, runs),
            Expr::If(choice) => {
                self.is_own(&choice.body, runs, depth + 1)
                    && self.is_own(&choice.orelse, runs, depth + 1)
            }
            Expr::Name(name) => self.holds_own(name, runs, depth + 1),
            _ => false,
        }
    }

    /// Whether the expression is the call, or a name that nothing but the call's class is bound to.
    fn is_class(&self, expr: &Expr, runs: Runs) -> bool {
        if self.side.nodes.id(expr) == self.site {
            return runs == Runs::Once;
        }
        let Some(name) = expr.as_name_expr() else {
            return false;
        };
        match self.bindings(name).as_slice() {
            [only] => {
                let value = self.value_of(only).map(|value| self.side.nodes.id(value));
                value == Some(self.site) && (runs == Runs::Once || self.is_fresh(name, only))
            }
            _ => false,
        }
    }

    /// Whether all that the name is ever bound to is such a member.
    fn holds_own(&self, name: &ExprName, runs: Runs, depth: usize) -> bool {
        let bindings = self.bindings(name);
        if runs == Runs::InTurns {
            let [only] = bindings.as_slice() else {
                return false;
            };
            let value = self.value_of(only);
            return self.is_fresh(name, only)
                && value.is_some_and(|value| self.is_own(value, runs, depth));
        }
        !bindings.is_empty()
            && bindings.iter().all(|binding| {
                if let Some(value) = self.value_of(binding) {
                    return self.is_own(value, runs, depth);
                }
                self.gone_through(binding)
                    .map_or(binding.kind.is_empty(), |class| self.is_class(class, runs))
            })
    }

    /// What the binding goes through one by one.
    fn gone_through(&self, binding: &Binding) -> Option<&'a Expr> {
        let nodes = &self.side.nodes;
        match nodes.get(nodes.parent(binding.node)?) {
            AnyNodeRef::StmtFor(statement) if binding.kind == BindingKind::For => {
                (!statement.is_async).then_some(statement.iter.as_ref())
            }
            AnyNodeRef::Comprehension(clause) => (!clause.is_async).then_some(&clause.iter),
            _ => None,
        }
    }

    /// Whether the name was bound in this turn of each loop around it: by a statement before it in a
    /// suite around it, and no inner function may read it in a later turn.
    fn is_fresh(&self, name: &ExprName, binding: &Binding) -> bool {
        let (nodes, model) = (&self.side.nodes, &self.side.model);
        let statement = nodes.statement(binding.node);
        let mut references = model.references_to(binding.scope, &binding.name).iter();
        references.all(|id| model.reference(*id).scope == binding.bound_in)
            && flow::dominates(nodes, statement, nodes.id(name))
    }

    /// The value of `name = value` or `name: type = value`.
    fn value_of(&self, binding: &Binding) -> Option<&'a Expr> {
        let nodes = &self.side.nodes;
        match nodes.get(nodes.parent(binding.node)?) {
            AnyNodeRef::StmtAssign(assign) => match assign.targets.as_slice() {
                [_] => Some(&assign.value),
                _ => None,
            },
            AnyNodeRef::StmtAnnAssign(assign) => assign.value.as_deref(),
            _ => None,
        }
    }

    fn bindings(&self, name: &ExprName) -> Vec<&Binding> {
        let model = &self.side.model;
        let reference = model.reference_at(self.side.nodes.id(name));
        let reference = reference.map(|id| model.reference(id));
        match reference.map(|reference| (reference.resolution, &reference.name)) {
            Some((Resolution::Scope(scope), name)) => {
                let all = model.bindings_of(scope, name).iter();
                all.map(|id| model.binding(*id)).collect()
            }
            _ => vec![],
        }
    }
}

fn sides(compare: &ExprCompare) -> impl Iterator<Item = &Expr> {
    std::iter::once(compare.left.as_ref()).chain(&compare.comparators)
}
