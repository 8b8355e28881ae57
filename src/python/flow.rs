//! Where code runs: per call or once, in which suite, under which handlers.

use rustpython_ast::{AnyNodeRef, ExceptHandler, Expr, Stmt, UnaryOp};

use super::dotted::last_segment;
use super::nodes::{NodeId, Nodes};

/// The nearest reason why code runs more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerCall {
    /// The body of a function.
    Function {
        /// The `def`.
        node: NodeId,
    },
    /// The body of a lambda.
    Lambda,
    /// The element, a condition or an inner iterable of a generator expression.
    Generator,
    /// The element, a condition or an inner iterable of another comprehension.
    Comprehension,
    /// The body or target of a loop.
    Loop,
    /// The test of a `while`.
    WhileTest,
}

/// One step up the tree.
struct Step<'a> {
    child: NodeId,
    parent_id: NodeId,
    parent: AnyNodeRef<'a>,
}

/// The steps from the node up to the module.
fn steps<'a>(nodes: &Nodes<'a>, node: NodeId) -> impl Iterator<Item = Step<'a>> {
    std::iter::successors(Some(node), |child| nodes.parent(*child)).filter_map(|child| {
        let parent_id = nodes.parent(child)?;
        Some(Step {
            child,
            parent_id,
            parent: nodes.get(parent_id),
        })
    })
}

impl Step<'_> {
    /// Whether the child is `part` of the parent.
    fn is(&self, nodes: &Nodes<'_>, part: &Expr) -> bool {
        nodes.id(part) == self.child
    }

    /// Whether the child is one of the statements of `suite`.
    fn is_in(&self, nodes: &Nodes<'_>, suite: &[Stmt]) -> bool {
        position(nodes, suite, self.child).is_some()
    }
}

/// Why the node runs more than once, or `None` when it runs at most once per run of the module.
///
/// Decorators, defaults, bases, annotations, type parameters and first iterables belong to the
/// code around their definition; a `for` iterable and a loop's `else` to the code around the loop
/// (Language Reference, 8 "Compound statements" and 6.2.4 "Displays").
#[must_use]
pub fn per_call(nodes: &Nodes<'_>, node: NodeId) -> Option<PerCall> {
    repetition(nodes, node).map(|(reason, _)| reason)
}

/// The nearest function, lambda, comprehension or loop that makes the node run more than once.
#[must_use]
pub fn repeated_by(nodes: &Nodes<'_>, node: NodeId) -> Option<NodeId> {
    repetition(nodes, node).map(|(_, repeated_by)| repeated_by)
}

fn repetition(nodes: &Nodes<'_>, node: NodeId) -> Option<(PerCall, NodeId)> {
    let mut first_iterable_of = None;
    for step in steps(nodes, node) {
        if let AnyNodeRef::Comprehension(clause) = step.parent
            && step.is(nodes, &clause.iter)
            && is_first_clause(nodes, step.parent_id)
        {
            first_iterable_of = Some(step.parent_id);
            continue;
        }
        if first_iterable_of == Some(step.child) {
            continue;
        }
        if let Some(reason) = repeats(nodes, &step) {
            return Some((reason, step.parent_id));
        }
    }
    None
}

/// Whether the clause is the first of its comprehension.
fn is_first_clause(nodes: &Nodes<'_>, clause: NodeId) -> bool {
    let generators = match nodes.parent(clause).map(|parent| nodes.get(parent)) {
        Some(AnyNodeRef::ExprListComp(node)) => &node.generators,
        Some(AnyNodeRef::ExprSetComp(node)) => &node.generators,
        Some(AnyNodeRef::ExprDictComp(node)) => &node.generators,
        Some(AnyNodeRef::ExprGenerator(node)) => &node.generators,
        _ => return false,
    };
    generators
        .first()
        .is_some_and(|first| nodes.id(first) == clause)
}

/// Why the parent runs the child more than once.
fn repeats(nodes: &Nodes<'_>, step: &Step<'_>) -> Option<PerCall> {
    match step.parent {
        AnyNodeRef::StmtFunctionDef(def) if step.is_in(nodes, &def.body) => {
            Some(PerCall::Function {
                node: step.parent_id,
            })
        }
        AnyNodeRef::ExprLambda(lambda) if step.is(nodes, &lambda.body) => Some(PerCall::Lambda),
        AnyNodeRef::ExprGenerator(_) => Some(PerCall::Generator),
        AnyNodeRef::ExprListComp(_) | AnyNodeRef::ExprSetComp(_) | AnyNodeRef::ExprDictComp(_) => {
            Some(PerCall::Comprehension)
        }
        AnyNodeRef::StmtFor(node)
            if step.is(nodes, &node.target) || step.is_in(nodes, &node.body) =>
        {
            Some(PerCall::Loop)
        }
        AnyNodeRef::StmtWhile(node) if step.is(nodes, &node.test) => Some(PerCall::WhileTest),
        AnyNodeRef::StmtWhile(node) if step.is_in(nodes, &node.body) => Some(PerCall::Loop),
        _ => None,
    }
}

/// Whether the node is seen by type checkers only: below `if TYPE_CHECKING:`, or below the other
/// branches of `if not TYPE_CHECKING:`. The name decides, as it does for type checkers.
#[must_use]
pub fn under_type_checking(nodes: &Nodes<'_>, node: NodeId) -> bool {
    steps(nodes, node).any(|step| match step.parent {
        AnyNodeRef::StmtIf(node) => {
            if step.is_in(nodes, &node.body) {
                return requires_type_checking(&node.test);
            }
            // A chain may hold a call in each of its branches, so that little is done for a clause.
            let clauses = &node.elif_else_clauses;
            let count = clauses.partition_point(|clause| nodes.id(clause) < step.child);
            let earlier = clauses
                .iter()
                .take(count)
                .filter_map(|clause| clause.test.as_ref());
            !step.is(nodes, &node.test)
                && std::iter::once(&*node.test)
                    .chain(earlier)
                    .any(excludes_type_checking)
        }
        AnyNodeRef::ElifElseClause(clause) => {
            step.is_in(nodes, &clause.body)
                && clause.test.as_ref().is_some_and(requires_type_checking)
        }
        _ => false,
    })
}

/// Whether the test can hold only where `TYPE_CHECKING` is true.
fn requires_type_checking(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.as_str() == "TYPE_CHECKING",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "TYPE_CHECKING",
        Expr::BoolOp(bool_op) if bool_op.op.is_and() => {
            bool_op.values.iter().any(requires_type_checking)
        }
        _ => false,
    }
}

/// Whether the test can fail only where `TYPE_CHECKING` is true.
fn excludes_type_checking(test: &Expr) -> bool {
    match test {
        Expr::UnaryOp(unary) if unary.op == UnaryOp::Not => requires_type_checking(&unary.operand),
        _ => false,
    }
}

/// The suite that holds the statement, and its place in it.
#[must_use]
pub fn suite_of<'a>(nodes: &Nodes<'a>, stmt: NodeId) -> Option<(&'a [Stmt], usize)> {
    let parent = nodes.parent(stmt)?;
    suites(nodes.get(parent))
        .into_iter()
        .find_map(|suite| Some((suite, position(nodes, suite, stmt)?)))
}

/// The suites of a node, at most three.
fn suites(node: AnyNodeRef<'_>) -> [&[Stmt]; 3] {
    match node {
        AnyNodeRef::ModModule(node) => [&node.body, &[], &[]],
        AnyNodeRef::StmtFunctionDef(node) => [&node.body, &[], &[]],
        AnyNodeRef::StmtClassDef(node) => [&node.body, &[], &[]],
        AnyNodeRef::StmtFor(node) => [&node.body, &node.orelse, &[]],
        AnyNodeRef::StmtWhile(node) => [&node.body, &node.orelse, &[]],
        AnyNodeRef::StmtIf(node) => [&node.body, &[], &[]],
        AnyNodeRef::ElifElseClause(node) => [&node.body, &[], &[]],
        AnyNodeRef::StmtWith(node) => [&node.body, &[], &[]],
        AnyNodeRef::MatchCase(node) => [&node.body, &[], &[]],
        AnyNodeRef::StmtTry(node) => [&node.body, &node.orelse, &node.finalbody],
        AnyNodeRef::ExceptHandlerExceptHandler(node) => [&node.body, &[], &[]],
        _ => [&[], &[], &[]],
    }
}

/// The place of the statement in `suite`, whose statements are numbered in source order.
fn position(nodes: &Nodes<'_>, suite: &[Stmt], stmt: NodeId) -> Option<usize> {
    suite
        .binary_search_by_key(&stmt, |candidate| nodes.id(candidate))
        .ok()
}

/// Whether `other` stands in a later statement of the very suite of `stmt`, so that it cannot run
/// before `stmt` has. `false` when that is not known.
#[must_use]
pub fn dominates(nodes: &Nodes<'_>, stmt: NodeId, other: NodeId) -> bool {
    dominated(nodes, stmt).is_some_and(|dominated| dominated.has(nodes, other))
}

/// The later statements of the very suite of a statement: the nodes that it dominates.
#[derive(Debug, Clone, Copy)]
pub struct Dominated {
    first: NodeId,
    last: NodeId,
}

/// The nodes that `stmt` dominates; `None` when there are none.
#[must_use]
pub fn dominated(nodes: &Nodes<'_>, stmt: NodeId) -> Option<Dominated> {
    let (suite, at) = suite_of(nodes, stmt)?;
    Some(Dominated {
        first: nodes.id(suite.get(at + 1)?),
        last: nodes.id(suite.last()?),
    })
}

impl Dominated {
    /// Whether the node is one of them.
    #[must_use]
    pub fn has(&self, nodes: &Nodes<'_>, node: NodeId) -> bool {
        !self.is_after(node) && (node <= self.last || nodes.contains(self.last, node))
    }

    /// Whether they all come after the node.
    #[must_use]
    pub fn is_after(&self, node: NodeId) -> bool {
        node < self.first
    }
}

/// The function or lambda whose body holds the node; decorators, defaults and annotations belong
/// to the one around it.
#[must_use]
pub fn enclosing_function(nodes: &Nodes<'_>, node: NodeId) -> Option<NodeId> {
    steps(nodes, node)
        .find(|step| opens_function(nodes, step))
        .map(|step| step.parent_id)
}

fn opens_function(nodes: &Nodes<'_>, step: &Step<'_>) -> bool {
    match step.parent {
        AnyNodeRef::StmtFunctionDef(def) => step.is_in(nodes, &def.body),
        AnyNodeRef::ExprLambda(lambda) => step.is(nodes, &lambda.body),
        _ => false,
    }
}

/// Whether a loop around the node runs it again within one activation of its function.
#[must_use]
pub fn in_loop(nodes: &Nodes<'_>, node: NodeId) -> bool {
    steps(nodes, node)
        .take_while(|step| !opens_function(nodes, step))
        .any(|step| step.parent.is_stmt_for() || step.parent.is_stmt_while())
}

/// Whether the statement, run at module level, ends the program: `raise`, `sys.exit()`,
/// `os._exit()`, and `exit()` and `quit()`, which `site` adds.
#[must_use]
pub fn ends_program(stmt: &Stmt) -> bool {
    let callee = match stmt {
        Stmt::Raise(_) => return true,
        Stmt::Expr(stmt) => stmt.value.as_call_expr().map(|call| call.func.as_ref()),
        _ => None,
    };
    match callee {
        Some(Expr::Name(name)) => matches!(name.id.as_str(), "exit" | "quit"),
        Some(Expr::Attribute(attribute)) => {
            let module = attribute.value.as_name_expr().map(|name| name.id.as_str());
            matches!(
                (module, attribute.attr.as_str()),
                (Some("sys"), "exit") | (Some("os"), "_exit")
            )
        }
        _ => false,
    }
}

/// The handlers that an exception raised at the node may reach within its function, nearest first:
/// those of each `try` whose body holds it. A generator expression counts as run where it stands.
#[must_use]
pub fn reachable_handlers<'a>(nodes: &Nodes<'a>, node: NodeId) -> Vec<&'a ExceptHandler> {
    steps(nodes, node)
        .take_while(|step| !opens_function(nodes, step))
        .filter_map(|step| match step.parent {
            AnyNodeRef::StmtTry(node) if step.is_in(nodes, &node.body) => Some(&node.handlers),
            _ => None,
        })
        .flatten()
        .collect()
}

/// Whether the node stands in a `with` whose manager is named as one that takes exceptions:
/// `contextlib.suppress`, `pytest.raises`, `TestCase.assertRaises`.
#[must_use]
pub fn expected_to_raise(nodes: &Nodes<'_>, node: NodeId) -> bool {
    steps(nodes, node)
        .take_while(|step| !opens_function(nodes, step))
        .any(|step| match step.parent {
            AnyNodeRef::StmtWith(with) if step.is_in(nodes, &with.body) => {
                let mut managers = with.items.iter();
                managers.any(|item| {
                    matches!(
                        last_segment(&item.context_expr),
                        Some("suppress" | "raises" | "assertRaises" | "assertRaisesRegex")
                    )
                })
            }
            _ => false,
        })
}

/// Whether the node stands in the annotation of a parameter, a return value or a variable.
#[must_use]
pub fn is_annotation(nodes: &Nodes<'_>, node: NodeId) -> bool {
    steps(nodes, node)
        .take_while(|step| !nodes.get(step.child).is_statement())
        .any(|step| match step.parent {
            AnyNodeRef::Parameter(parameter) => parameter
                .annotation
                .as_ref()
                .is_some_and(|annotation| step.is(nodes, annotation)),
            AnyNodeRef::StmtFunctionDef(def) => def
                .returns
                .as_ref()
                .is_some_and(|returns| step.is(nodes, returns)),
            AnyNodeRef::StmtAnnAssign(assign) => step.is(nodes, &assign.annotation),
            _ => false,
        })
}

/// Whether the node's source text is part of a value: in a replacement field with `=` (PEP 498's
/// successor, bpo-36817) or in a t-string (PEP 750).
#[must_use]
pub fn in_visible_source(nodes: &Nodes<'_>, node: NodeId) -> bool {
    steps(nodes, node).any(|step| match step.parent {
        AnyNodeRef::InterpolatedElement(field) => field.debug_text.is_some(),
        AnyNodeRef::TString(_) | AnyNodeRef::ExprTString(_) => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests;
