//! Which top-level statements can run no code of the module, and which bind a name for sure.

use rustpython_ast::{
    ElifElseClause, ExceptHandler, Expr, Parameters, Stmt, StmtFunctionDef, StmtTry,
};

use crate::python::flow;

/// Whether running the statement calls nothing that the module defines: an undecorated `def`, an
/// import, the binding of a constant, and `if` or `try` around only such.
pub(super) fn is_inert(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) | Stmt::Global(_) => true,
        Stmt::FunctionDef(def) => is_inert_definition(def),
        Stmt::Assign(assign) => {
            assign.targets.iter().all(Expr::is_name_expr) && is_quiet(&assign.value)
        }
        Stmt::AnnAssign(assign) => {
            assign.target.is_name_expr()
                && is_type(&assign.annotation)
                && assign.value.as_deref().is_none_or(is_quiet)
        }
        Stmt::Expr(stmt) => stmt.value.is_literal_expr(),
        Stmt::If(stmt) => {
            let inert = |clause: &ElifElseClause| {
                clause.test.as_ref().is_none_or(is_quiet_test) && clause.body.iter().all(is_inert)
            };
            is_quiet_test(&stmt.test)
                && stmt.body.iter().all(is_inert)
                && stmt.elif_else_clauses.iter().all(inert)
        }
        Stmt::Try(stmt) => {
            let ExceptHandlers { types, bodies } = handlers(stmt);
            types.into_iter().all(is_quiet)
                && bodies.into_iter().flatten().all(is_inert)
                && [&stmt.body, &stmt.orelse, &stmt.finalbody]
                    .into_iter()
                    .flatten()
                    .all(is_inert)
        }
        _ => false,
    }
}

fn is_inert_definition(def: &StmtFunctionDef) -> bool {
    def.decorator_list.is_empty()
        && def.type_params.is_none()
        && def.returns.as_deref().is_none_or(is_type)
        && are_quiet(&def.parameters)
}

fn are_quiet(parameters: &Parameters) -> bool {
    let mut defaults = parameters
        .iter()
        .filter_map(|parameter| parameter.default());
    let mut annotations = parameters
        .iter()
        .filter_map(|parameter| parameter.annotation());
    defaults.all(is_quiet) && annotations.all(is_type)
}

/// Whether evaluating the expression calls nothing that the module defines: names, dotted names,
/// literals, operators on literals, and displays of such.
fn is_quiet(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) | Expr::Lambda(_) => true,
        Expr::Attribute(attribute) => is_quiet(&attribute.value),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_quiet),
        Expr::List(list) => list.elts.iter().all(is_quiet),
        Expr::Set(set) => set.elts.iter().all(is_quiet),
        Expr::Dict(dict) => dict
            .items
            .iter()
            .all(|item| item.key.as_ref().is_none_or(is_quiet) && is_quiet(&item.value)),
        other => is_literal(other),
    }
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryOp(unary) => is_literal(&unary.operand),
        Expr::BinOp(binary) => is_literal(&binary.left) && is_literal(&binary.right),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_literal),
        other => other.is_literal_expr(),
    }
}

/// Whether an annotation is a type expression: also `List[int]` and `int | None`, which call no
/// function of the module unless a metaclass does.
fn is_type(expr: &Expr) -> bool {
    match expr {
        Expr::Subscript(subscript) => is_type(&subscript.value) && is_type(&subscript.slice),
        Expr::BinOp(binary) => is_type(&binary.left) && is_type(&binary.right),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_type),
        Expr::List(list) => list.elts.iter().all(is_type),
        other => is_quiet(other),
    }
}

/// Whether a condition compares only names and literals, as version checks do.
fn is_quiet_test(expr: &Expr) -> bool {
    match expr {
        Expr::Compare(compare) => {
            is_quiet(&compare.left) && compare.comparators.iter().all(is_quiet)
        }
        Expr::BoolOp(operation) => operation.values.iter().all(is_quiet_test),
        Expr::UnaryOp(unary) => is_quiet_test(&unary.operand),
        Expr::Subscript(subscript) => is_quiet(&subscript.value) && is_literal(&subscript.slice),
        other => is_quiet(other),
    }
}

struct ExceptHandlers<'a> {
    types: Vec<&'a Expr>,
    bodies: Vec<&'a [Stmt]>,
}

fn handlers(stmt: &StmtTry) -> ExceptHandlers<'_> {
    let all = stmt.handlers.iter();
    let all = all.map(|ExceptHandler::ExceptHandler(handler)| handler);
    ExceptHandlers {
        types: all
            .clone()
            .filter_map(|handler| handler.type_.as_deref())
            .collect(),
        bodies: all.map(|handler| handler.body.as_slice()).collect(),
    }
}

/// Whether `name` is bound once the statement has run, whatever path it took.
pub(super) fn always_binds(stmt: &Stmt, name: &str) -> bool {
    let body_binds = |body: &[Stmt]| {
        let mut body = body.iter();
        body.any(|stmt| flow::ends_program(stmt) || always_binds(stmt, name))
    };
    match stmt {
        Stmt::Import(import) => import.names.iter().any(|alias| match &alias.asname {
            Some(asname) => asname.as_str() == name,
            None => alias.name.as_str().split('.').next() == Some(name),
        }),
        Stmt::ImportFrom(import) => import
            .names
            .iter()
            .any(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str() == name),
        Stmt::FunctionDef(def) => def.name.as_str() == name,
        Stmt::ClassDef(class) => class.name.as_str() == name,
        Stmt::Assign(assign) => assign.targets.iter().any(|target| is_target(target, name)),
        Stmt::AnnAssign(assign) => assign.value.is_some() && is_target(&assign.target, name),
        Stmt::If(stmt) => {
            let clauses = &stmt.elif_else_clauses;
            clauses.last().is_some_and(|last| last.test.is_none())
                && body_binds(&stmt.body)
                && clauses.iter().all(|clause| body_binds(&clause.body))
        }
        Stmt::Try(stmt) => {
            let tried = body_binds(&stmt.body) || body_binds(&stmt.orelse);
            let caught = handlers(stmt).bodies.into_iter().all(body_binds);
            body_binds(&stmt.finalbody) || tried && caught
        }
        _ => false,
    }
}

fn is_target(target: &Expr, name: &str) -> bool {
    match target {
        Expr::Name(target) => target.id == name,
        Expr::Tuple(tuple) => tuple.elts.iter().any(|element| is_target(element, name)),
        Expr::List(list) => list.elts.iter().any(|element| is_target(element, name)),
        Expr::Starred(starred) => is_target(&starred.value, name),
        _ => false,
    }
}
