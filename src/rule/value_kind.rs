//! Whether a constant argument is what its factory takes, and may be shared by all calls.

use rustpython_ast::Expr;
use rustpython_ast::visitor::{Visitor, walk_expr};

use super::parameter::ValueKind;
use super::skip_reason::SkipReason;
use crate::python::constant::{Names, Value, is_type_value, reads_only_constants};

/// Checks a constant value.
pub(super) fn check_value(value: &Value, kind: ValueKind) -> Result<(), SkipReason> {
    if value.is_fresh_mutable() {
        return Err(SkipReason::ValueMadeAnew);
    }
    let is_right = match (kind, value) {
        (ValueKind::Constant | ValueKind::Type, _) => true,
        (ValueKind::CheckedType, value) => is_type_value(value),
        (ValueKind::Bool, Value::Bool(_))
        | (ValueKind::Int, Value::Int(_))
        | (ValueKind::Str, Value::Str(_)) => true,
        (ValueKind::Bit, Value::Int(bits)) => *bits > 0 && bits.count_ones() == 1,
        _ => false,
    };
    if is_right {
        Ok(())
    } else {
        Err(SkipReason::ArgumentNotUnderstood)
    }
}

/// Builtin classes that can be a base, and whose making of a subclass runs no code of the program. An
/// exception is caught wherever it goes, and whoever catches it may ask for its class.
const BASES: [&str; 12] = [
    "object",
    "dict",
    "list",
    "tuple",
    "set",
    "frozenset",
    "str",
    "bytes",
    "bytearray",
    "int",
    "float",
    "complex",
];

/// Checks the base classes: none, or a single builtin one.
pub(super) fn check_bases(argument: &Expr, names: &dyn Names) -> Result<(), SkipReason> {
    let is_builtin = |base: &Expr| {
        let name = base.as_name_expr();
        name.is_some_and(|name| names.is_builtin(name) && BASES.contains(&name.id.as_str()))
    };
    match argument.as_tuple_expr().map(|tuple| tuple.elts.as_slice()) {
        Some([]) => Ok(()),
        Some([only]) if is_builtin(only) => Ok(()),
        _ => Err(SkipReason::BasesRunCode),
    }
}

/// Checks the further attributes of a class: texts as names, and plain constants; none at all where
/// they are not required.
pub(super) fn check_namespace(value: &Value, required: bool) -> Result<(), SkipReason> {
    let items = match value {
        Value::None if !required => return Ok(()),
        Value::Dict(items) => items,
        _ => return Err(SkipReason::ArgumentNotUnderstood),
    };
    for (key, value) in items {
        if value.is_fresh_mutable() {
            return Err(SkipReason::ValueMadeAnew);
        }
        let Value::Str(name) = key else {
            return Err(SkipReason::ArgumentNotUnderstood);
        };
        let is_plain = match (name.as_str(), value) {
            ("__module__", Value::Opaque(symbol)) => symbol == "__name__",
            ("__module__" | "__doc__" | "__qualname__", Value::Str(_)) => true,
            ("__slots__", Value::Tuple(slots)) => slots.is_empty(),
            (name, Value::Opaque(_)) => name.is_empty(),
            (name, _) => !name.starts_with("__"),
        };
        if !is_plain {
            return Err(SkipReason::ArgumentNotUnderstood);
        }
    }
    Ok(())
}

/// The names of the attributes that a namespace gives its class, private ones apart.
pub(super) fn attributes(value: &Value) -> Vec<String> {
    let mut names = names_in(value);
    names.retain(|name| !name.starts_with('_'));
    names
}

/// The names in a namespace.
pub(super) fn names_in(namespace: &Value) -> Vec<String> {
    let Value::Dict(items) = namespace else {
        return vec![];
    };
    let names = items.iter().filter_map(|(key, _)| match key {
        Value::Str(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// Why an argument without a known value makes an equal class each time, and yet cannot move; `None`
/// when it reads what may differ from call to call.
pub(super) fn made_anew(argument: &Expr, names: &dyn Names) -> Option<SkipReason> {
    // What a function of the program returns is known only when it runs.
    if let Expr::Call(call) = argument
        && !call
            .func
            .as_name_expr()
            .is_some_and(|name| names.is_builtin(name))
    {
        return None;
    }
    let mut makes = MakesObjects(false);
    makes.visit_expr(argument);
    reads_only_constants(argument, names).then_some(match makes.0 {
        true => SkipReason::ValueMadeAnew,
        false => SkipReason::ArgumentNotConstant,
    })
}

/// Whether an expression calls something or makes a function or container by running code.
struct MakesObjects(bool);

impl<'a> Visitor<'a> for MakesObjects {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= matches!(
            expr,
            Expr::Call(_)
                | Expr::Lambda(_)
                | Expr::ListComp(_)
                | Expr::SetComp(_)
                | Expr::DictComp(_)
                | Expr::Generator(_)
        );
        walk_expr(self, expr);
    }
}
