//! Whether the bindings of a factory's name are made for certain.

use rustpython_ast::{ExceptHandler, Stmt};
use rustpython_text_size::Ranged;

use crate::hoist::module::Module;
use crate::python::flow;
use crate::python::semantic::{Binding, BindingId, BindingKind};

/// Whether running `statement` to its end always makes one of `bindings` in its own scope.
#[must_use]
pub fn always_binds(module: &Module<'_>, statement: &Stmt, bindings: &[BindingId]) -> bool {
    let binds_all = |body: &[Stmt]| {
        body.iter()
            .any(|inner| always_binds(module, inner, bindings))
    };
    let leaves = |body: &[Stmt]| body.last().is_some_and(flow::ends_program);
    match statement {
        Stmt::If(branch) => {
            let has_else = branch
                .elif_else_clauses
                .last()
                .is_some_and(|last| last.test.is_none());
            has_else
                && binds_all(&branch.body)
                && branch
                    .elif_else_clauses
                    .iter()
                    .all(|clause| binds_all(&clause.body) || leaves(&clause.body))
        }
        Stmt::Try(block) => {
            let handlers = block.handlers.iter().all(|handler| {
                let ExceptHandler::ExceptHandler(handler) = handler;
                binds_all(&handler.body) || leaves(&handler.body)
            });
            binds_all(&block.finalbody)
                || (handlers && (binds_all(&block.body) || binds_all(&block.orelse)))
        }
        Stmt::AnnAssign(assign) if assign.value.is_none() => false,
        Stmt::Assign(_)
        | Stmt::AnnAssign(_)
        | Stmt::Import(_)
        | Stmt::ImportFrom(_)
        | Stmt::FunctionDef(_)
        | Stmt::ClassDef(_) => {
            let id = module.nodes.id(statement);
            let range = statement.range();
            let start = |binding: &BindingId| module.model.binding(*binding).range.start();
            // They are in source order, and may be many.
            let first = bindings.partition_point(|binding| start(binding) < range.start());
            let inside = bindings.iter().skip(first);
            let mut inside = inside.take_while(|binding| start(binding) < range.end());
            inside.any(|binding| {
                let bound: &Binding = module.model.binding(*binding);
                bound.kind != BindingKind::NamedExpression
                    && bound.bound_in == module.model.scope_of(id)
                    && module.nodes.statement(bound.node) == id
            })
        }
        _ => false,
    }
}

/// Whether running the module to its end always makes one of `bindings`, which are its own.
#[must_use]
pub fn is_always_bound(module: &Module<'_>, bindings: &[BindingId]) -> bool {
    let body = &module.nodes.module().body;
    let places = bindings
        .iter()
        .filter_map(|binding| module.top_level_index(module.model.binding(*binding).node));
    places
        .filter_map(|at| body.get(at))
        .any(|statement| always_binds(module, statement, bindings))
}

/// Whether every binding is made only for type checkers.
#[must_use]
pub fn type_checking_only(module: &Module<'_>, bindings: &[BindingId]) -> bool {
    !bindings.is_empty()
        && bindings.iter().all(|binding| {
            flow::under_type_checking(module.nodes, module.model.binding(*binding).node)
        })
}
