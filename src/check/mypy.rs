//! What mypy says of a definition, which it did not see inside a function (hazard 71).

use rustpython_ast::{Expr, ExprCall, Stmt};

use crate::python::parse::parse;

/// What mypy wants written otherwise in the text of a definition, as a clause; `None` when it takes it.
pub(super) fn complaint(definition: &str) -> Option<&'static str> {
    let parsed = parse(definition).ok()?;
    let Stmt::Assign(assign) = parsed.syntax().body.first()? else {
        return None;
    };
    complaint_of_call(assign.value.as_call_expr()?)
}

/// The same for the call that is defined.
///
/// It reads the arguments of `namedtuple` without computing them (mypy's `semanal_namedtuple`).
pub(super) fn complaint_of_call(call: &ExprCall) -> Option<&'static str> {
    if by_keyword(call, "typename") || by_keyword(call, "field_names") {
        return Some("mypy wants typename and fields by position");
    }
    let fields = call.arguments.args.get(1)?;
    if !is_display(fields) && !fields.is_string_literal_expr() {
        return Some("mypy wants the fields as a literal");
    }
    let defaults = call.arguments.find_keyword("defaults")?;
    (!is_display(&defaults.value)).then_some("mypy wants the defaults as a literal")
}

fn by_keyword(call: &ExprCall, name: &str) -> bool {
    call.arguments.find_keyword(name).is_some()
}

fn is_display(expr: &Expr) -> bool {
    expr.is_list_expr() || expr.is_tuple_expr()
}
