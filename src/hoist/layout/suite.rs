//! The suites (statement lists) of a module and the logical lines they are laid out in.

use rustpython_ast::token::TokenKind;
use rustpython_ast::{AnyNodeRef, Expr, Stmt};
use rustpython_text_size::Ranged;

use super::{Layout, NotEditable};
use crate::python::{NodeId, tokens};
use crate::text::{TextRange, TextSize};

/// A statement's place: its suite and its index there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position<'a> {
    /// All statements of the suite.
    pub suite: &'a [Stmt],
    /// The statement's index in the suite.
    pub index: usize,
    /// The node whose suite it is.
    pub owner: AnyNodeRef<'a>,
}

impl Position<'_> {
    /// Whether a string that comes first in the suite is a docstring.
    pub(crate) fn takes_docstring(&self) -> bool {
        self.owner.is_mod_module()
            || self.owner.is_stmt_function_def()
            || self.owner.is_stmt_class_def()
    }
}

/// All suites directly below `node`.
fn suites(node: AnyNodeRef<'_>) -> Vec<&[Stmt]> {
    match node {
        AnyNodeRef::ModModule(node) => vec![&node.body],
        AnyNodeRef::StmtFunctionDef(node) => vec![&node.body],
        AnyNodeRef::StmtClassDef(node) => vec![&node.body],
        AnyNodeRef::StmtFor(node) => vec![&node.body, &node.orelse],
        AnyNodeRef::StmtWhile(node) => vec![&node.body, &node.orelse],
        AnyNodeRef::StmtIf(node) => vec![&node.body],
        AnyNodeRef::ElifElseClause(node) => vec![&node.body],
        AnyNodeRef::StmtWith(node) => vec![&node.body],
        AnyNodeRef::MatchCase(node) => vec![&node.body],
        AnyNodeRef::ExceptHandlerExceptHandler(node) => vec![&node.body],
        AnyNodeRef::StmtTry(node) => vec![&node.body, &node.orelse, &node.finalbody],
        _ => Vec::new(),
    }
}

/// The place of `statement` in its suite.
pub(crate) fn position<'a>(
    layout: &Layout<'a>,
    statement: NodeId,
) -> Result<Position<'a>, NotEditable> {
    let range = layout.range(statement);
    let nodes = layout.nodes();
    let refusal = NotEditable { at: range.start() };
    let owner = nodes.get(nodes.parent(statement).ok_or(refusal)?);
    for suite in suites(owner) {
        let index = suite.partition_point(|other| other.start() < range.start());
        if suite.get(index).is_some_and(|found| found.range() == range) {
            return Ok(Position {
                suite,
                index,
                owner,
            });
        }
    }
    Err(refusal)
}

/// Whether the statement has a suite of its own, so that it cannot share its line.
pub(crate) fn is_compound(statement: &Stmt) -> bool {
    matches!(
        statement,
        Stmt::FunctionDef(_)
            | Stmt::ClassDef(_)
            | Stmt::For(_)
            | Stmt::While(_)
            | Stmt::If(_)
            | Stmt::With(_)
            | Stmt::Match(_)
            | Stmt::Try(_)
    )
}

/// Whether the statement would be a docstring at the start of a suite (a plain string, no bytes or
/// f-string).
pub(crate) fn is_string(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(expr) if matches!(&*expr.value, Expr::StringLiteral(_)))
}

pub(crate) fn is_import(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Import(_) | Stmt::ImportFrom(_))
}

/// Whether the two neighbours of one suite stand on one logical line.
pub(crate) fn share_line(layout: &Layout<'_>, first: &Stmt, second: &Stmt) -> bool {
    !is_compound(first)
        && !tokens::starting_in(
            layout.tokens(),
            TextRange::new(first.end(), second.start().max(first.end())),
        )
        .iter()
        .any(|token| token.kind() == TokenKind::Newline)
}

/// Whether the statement at `at` is the first on its logical line: neither a `;` nor the `:` of
/// its block comes before it there.
pub(crate) fn starts_line(layout: &Layout<'_>, at: TextSize) -> bool {
    matches!(
        tokens::kind_before(layout.tokens(), at),
        None | Some(TokenKind::Newline)
    )
}
