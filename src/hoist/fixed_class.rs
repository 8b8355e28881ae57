//! Classes that are made once, and objects that are never instances of one made per call.

use rustpython_ast::{AnyNodeRef, Expr};

use super::factory::assigned_value;
use super::method::is_first_parameter;
use super::module::Module;
use super::outside::is_foreign;
use crate::python::NodeId;
use crate::python::semantic::{BindingId, BindingKind, ScopeId};

/// Whether the expression is the first parameter of a method, an instance of a class statement or
/// such a class; or a caught exception.
#[must_use]
pub fn is_own_instance(module: &Module<'_>, operand: NodeId) -> bool {
    let Some((scope, bindings)) = module.bindings_at(operand) else {
        return false;
    };
    bindings.iter().all(|id| {
        module.model.binding(*id).kind == BindingKind::ExceptHandler
            || is_first_parameter(module, scope, *id)
    })
}

/// How many names a class is followed through.
const MAX_NAMES: usize = 4;

/// Whether the expression gives a class that is not made per call, or a tuple of such classes.
#[must_use]
pub fn is_fixed_class(module: &Module<'_>, side: &Expr) -> bool {
    is_fixed(module, side, 0)
}

fn is_fixed(module: &Module<'_>, side: &Expr, depth: usize) -> bool {
    match side {
        Expr::Name(_) => match module.bindings_at(module.nodes.id(side)) {
            None => true,
            Some((scope, bindings)) => bindings
                .iter()
                .all(|id| binds_fixed_class(module, scope, *id, depth)),
        },
        Expr::Tuple(tuple) => tuple.elts.iter().all(|side| is_fixed(module, side, depth)),
        Expr::NoneLiteral(_) => true,
        Expr::Attribute(attribute) if attribute.attr.as_str() == "__class__" => {
            is_own_instance(module, module.nodes.id(attribute.value.as_ref()))
        }
        Expr::Attribute(_) => is_foreign(module, side),
        Expr::Call(call) if module.builtin(&call.func) == Some("type") => {
            matches!(call.arguments.args.as_ref(), [of] if is_no_record(module, of))
        }
        _ => false,
    }
}

/// Whether the binding is a class statement, an import, `self`, an argument of a test, or a name for
/// a fixed class.
fn binds_fixed_class(module: &Module<'_>, scope: ScopeId, id: BindingId, depth: usize) -> bool {
    match module.model.binding(id).kind {
        BindingKind::ClassDefinition | BindingKind::Import(_) | BindingKind::FromImport(_) => true,
        BindingKind::Assignment if depth < MAX_NAMES => {
            assigned_value(module, id).is_some_and(|value| is_fixed(module, value, depth + 1))
        }
        BindingKind::Parameter if is_test(module, scope) => true,
        _ => is_first_parameter(module, scope, id),
    }
}

/// Whether the scope is that of a test, whose arguments are constants or come from its runner.
fn is_test(module: &Module<'_>, scope: ScopeId) -> bool {
    match module.nodes.get(module.model.scope(scope).node) {
        AnyNodeRef::StmtFunctionDef(function) => function.name.starts_with("test_"),
        _ => false,
    }
}

/// Whether the expression never gives an instance of a class made per call.
fn is_no_record(module: &Module<'_>, value: &Expr) -> bool {
    value.is_literal_expr()
        || matches!(
            value,
            Expr::List(_) | Expr::Dict(_) | Expr::Set(_) | Expr::Tuple(_)
        )
        || value.is_lambda_expr()
        || module.builtin(value).is_some()
        || is_own_instance(module, module.nodes.id(value))
}
