//! Where a definition goes: before its first use, and after what it reads.

use rustpython_ast::{ExceptHandler, Expr, Stmt, StmtFunctionDef};

use super::factory::always_binds;
use super::facts::Facts;
use super::module::Module;
use crate::python::NodeId;
use crate::python::semantic::BindingId;
use crate::rule::SkipReason;

/// A module-level name that a definition reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// The factory's name, with its bindings.
    Factory(Vec<BindingId>),
    /// A constant bound once.
    Constant(BindingId),
    /// What a top-level statement brings: a star import.
    Statement(NodeId),
}

/// A gap between two top-level statements, by index into the module's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Directly before that statement.
    Before(usize),
    /// Directly after that statement.
    After(usize),
}

impl Place {
    /// The place as a number that grows along the module.
    #[must_use]
    pub fn order(self) -> usize {
        match self {
            Place::Before(at) => 2 * at,
            Place::After(at) => 2 * at + 1,
        }
    }
}

/// The place of a definition whose first reference is in the top-level statement `first_use` and
/// that reads `reads`.
///
/// # Errors
/// Returns why there is no such place.
pub fn find(
    (module, facts): (&Module<'_>, &Facts<'_>),
    first_use: usize,
    reads: &[Read],
) -> Result<Place, SkipReason> {
    let mut after = None;
    for read in reads {
        let bound = bound_at(module, first_use, read)?;
        if bound == first_use {
            return Err(match read {
                Read::Constant(_) => SkipReason::BoundTooLate,
                Read::Factory(_) | Read::Statement(_) => SkipReason::FactoryBoundInSameBlock,
            });
        }
        if bound > first_use {
            after = after.max(Some(bound));
        }
    }
    let Some(after) = after else {
        return Ok(Place::Before(first_use));
    };
    let next = facts.followed.next_running(|| next_running(module));
    if next.get(first_use).is_none_or(|next| *next > after) {
        Ok(Place::After(after))
    } else {
        Err(SkipReason::BoundTooLate)
    }
}

/// For each top-level statement the index of the first, from it on, that may run code of the module.
fn next_running(module: &Module<'_>) -> Vec<usize> {
    let body = &module.nodes.module().body;
    let mut next = usize::MAX;
    let backwards = body.iter().enumerate().rev().map(|(at, statement)| {
        if !runs_nothing(statement) {
            next = at;
        }
        next
    });
    let mut all: Vec<usize> = backwards.collect();
    all.reverse();
    all
}

/// The first top-level statement that may run code of the module between the first use and what
/// the definition reads, so that there is no place for it.
#[must_use]
pub fn blocker(module: &Module<'_>, first_use: usize, reads: &[Read]) -> Option<NodeId> {
    let bound = reads
        .iter()
        .filter_map(|read| bound_at(module, first_use, read).ok());
    let until = module.nodes.module().body.get(first_use..=bound.max()?)?;
    let statement = until.iter().find(|statement| !runs_nothing(statement))?;
    Some(module.nodes.id(statement))
}

/// The index of the top-level statement that binds what is read: the last that does before the
/// first use, else the first after it.
fn bound_at(module: &Module<'_>, first_use: usize, read: &Read) -> Result<usize, SkipReason> {
    let body = &module.nodes.module().body;
    let (bindings, missing) = match read {
        Read::Statement(id) => {
            return module
                .top_level_index(*id)
                .ok_or(SkipReason::FactoryNotCertain);
        }
        Read::Factory(bindings) => (bindings.as_slice(), SkipReason::FactoryNotCertain),
        Read::Constant(binding) => (std::slice::from_ref(binding), SkipReason::BoundTooLate),
    };
    let mut candidates: Vec<usize> = bindings
        .iter()
        .filter_map(|binding| module.top_level_index(module.model.binding(*binding).node))
        .filter(|at| {
            body.get(*at)
                .is_some_and(|statement| always_binds(module, statement, bindings))
        })
        .collect();
    candidates.sort_unstable();
    let before = candidates.iter().rev().find(|at| **at < first_use);
    before.or(candidates.first()).copied().ok_or(missing)
}

/// Whether the statement can run no code of the module: an undecorated `def` without calls in its
/// header, an import, a docstring, an assignment of a constant to plain names, or a `try` of these.
fn runs_nothing(statement: &Stmt) -> bool {
    match statement {
        Stmt::FunctionDef(function) => header_is_inert(function),
        Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) => true,
        Stmt::Expr(expression) => expression.value.is_literal_expr(),
        Stmt::Assign(assign) => {
            assign.targets.iter().all(Expr::is_name_expr) && is_inert(&assign.value)
        }
        Stmt::AnnAssign(assign) => {
            assign.target.is_name_expr()
                && is_inert(&assign.annotation)
                && assign.value.as_deref().is_none_or(is_inert)
        }
        Stmt::Try(block) => {
            let handlers = block.handlers.iter().all(|handler| {
                let ExceptHandler::ExceptHandler(handler) = handler;
                handler.type_.as_deref().is_none_or(is_inert)
                    && handler.body.iter().all(runs_nothing)
            });
            let suites = [&block.body, &block.orelse, &block.finalbody];
            handlers && suites.into_iter().flatten().all(runs_nothing)
        }
        _ => false,
    }
}

/// Whether evaluating the expression runs no code of the module: literals, names, displays of
/// them, and operators on literals.
fn is_inert(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) => true,
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_inert),
        Expr::List(list) => list.elts.iter().all(is_inert),
        Expr::UnaryOp(operation) => operation.operand.is_literal_expr(),
        Expr::BinOp(operation) => is_fixed(&operation.left) && is_fixed(&operation.right),
        _ => expr.is_literal_expr(),
    }
}

/// Whether the operand is a literal, or a display or operation of literals.
fn is_fixed(expr: &Expr) -> bool {
    match expr {
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_fixed),
        Expr::List(list) => list.elts.iter().all(is_fixed),
        Expr::BinOp(operation) => is_fixed(&operation.left) && is_fixed(&operation.right),
        _ => expr.is_literal_expr(),
    }
}

/// Whether the header of a `def` can call nothing: no defaults or annotations but inert ones.
fn header_is_inert(function: &StmtFunctionDef) -> bool {
    let parameters = function.parameters.iter().all(|parameter| {
        parameter.default().is_none_or(is_inert) && parameter.annotation().is_none_or(is_inert)
    });
    function.decorator_list.is_empty()
        && parameters
        && function.returns.as_deref().is_none_or(is_inert)
}
