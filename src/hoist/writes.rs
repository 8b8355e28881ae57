//! Constant attribute writes that belong to a definition: `X.__doc__ = "…"` directly after it.

use rustpython_ast::{self as ast, AnyNodeRef, Expr, Stmt};

use super::constants::CallNames;
use super::inquiry::Inquiry;
use super::site::Site;
use crate::python::constant::{Evaluation, Value, evaluate};
use crate::python::{NodeId, flow};

/// The writes that directly follow the assignment of the site's class to a plain name, in order.
#[must_use]
pub fn following(inquiry: &Inquiry<'_, '_>, site: &Site<'_>) -> Vec<NodeId> {
    let Inquiry { module, facts, .. } = *inquiry;
    let AnyNodeRef::StmtAssign(assign) = module.parent(site.call).1 else {
        return vec![];
    };
    let [Expr::Name(target)] = assign.targets.as_slice() else {
        return vec![];
    };
    let Some((suite, at)) = flow::suite_of(module.nodes, module.nodes.id(assign)) else {
        return vec![];
    };
    let fields = site.judgement.fields.as_deref().unwrap_or_default();
    let names = CallNames {
        module,
        facts,
        rule: site.rule,
        call: site.call,
        depth: 0,
    };
    suite
        .iter()
        .skip(at + 1)
        .take_while(|statement| is_write(statement, target.id.as_str(), fields, &names))
        .map(|statement| module.nodes.id(statement))
        .collect()
}

/// Whether the statement writes what can be written, so that it cannot raise at module level.
fn is_write(statement: &Stmt, class: &str, fields: &[String], names: &CallNames<'_, '_>) -> bool {
    let Stmt::Assign(assign) = statement else {
        return false;
    };
    let [Expr::Attribute(target)] = assign.targets.as_slice() else {
        return false;
    };
    match written_path(target, class).as_deref() {
        Some(["__doc__"]) => assign.value.is_string_literal_expr(),
        Some([field, "__doc__"]) => {
            fields.iter().any(|name| name == field) && assign.value.is_string_literal_expr()
        }
        Some(["__new__", "__defaults__"]) => is_constant_tuple(&assign.value, class, names),
        _ => false,
    }
}

/// The attributes between the class's name and the written one, in source order.
fn written_path<'a>(target: &'a ast::ExprAttribute, class: &str) -> Option<Vec<&'a str>> {
    let mut path = vec![target.attr.as_str()];
    let mut base = target.value.as_ref();
    while let Expr::Attribute(attribute) = base {
        path.push(attribute.attr.as_str());
        base = &attribute.value;
    }
    path.reverse();
    base.as_name_expr()
        .is_some_and(|name| name.id.as_str() == class)
        .then_some(path)
}

/// A tuple of constants without fresh mutable elements; it may count the class's own fields.
fn is_constant_tuple(value: &Expr, class: &str, names: &CallNames<'_, '_>) -> bool {
    if let Expr::BinOp(product) = value
        && product.op == ast::Operator::Mult
        && product.left.is_tuple_expr()
        && counts_fields(&product.right, class)
    {
        return is_constant_tuple(&product.left, class, names);
    }
    match evaluate(value, names) {
        Evaluation::Constant(known @ (Value::Tuple(_) | Value::None)) => {
            !known.is_fresh_mutable() && only_literals(value)
        }
        _ => false,
    }
}

/// `len(X._fields)`.
fn counts_fields(expr: &Expr, class: &str) -> bool {
    let Expr::Call(call) = expr else {
        return false;
    };
    let is_len = call
        .func
        .as_name_expr()
        .is_some_and(|name| name.id.as_str() == "len");
    let [Expr::Attribute(fields)] = call.arguments.args.as_ref() else {
        return false;
    };
    is_len
        && fields.attr.as_str() == "_fields"
        && fields
            .value
            .as_name_expr()
            .is_some_and(|name| name.id.as_str() == class)
}

/// The written value moves as it stands, so it may read no names.
fn only_literals(value: &Expr) -> bool {
    match value {
        Expr::Tuple(tuple) => tuple.elts.iter().all(only_literals),
        Expr::BinOp(operation) => only_literals(&operation.left) && only_literals(&operation.right),
        Expr::UnaryOp(operation) => only_literals(&operation.operand),
        _ => value.is_literal_expr(),
    }
}
