//! Guards that let a call run once: lazy singletons, caches, and look-ups that missed (hazard 56).

use rustpython_ast::{self as ast, AnyNodeRef, CmpOp, Expr};
use rustpython_text_size::Ranged;

use super::guards::Guards;
use super::method::is_decorated;
use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;

/// Whether the call stands behind a guard that lets it run once: `if X is None`, `if not
/// hasattr(…)`, after `if X is not None: return X`, in a function without parameters that is
/// cached, or in the handler of a look-up that missed.
#[must_use]
pub fn is_lazy(module: &Module<'_>, guards: &Guards, call: NodeId) -> bool {
    let target = stored_target(module, call);
    let mut inner = call;
    for id in module.nodes.ancestors(call) {
        match module.nodes.get(id) {
            AnyNodeRef::StmtIf(branch)
                if module.nodes.suite_contains(&branch.body, inner)
                    && is_miss(&branch.test, target) =>
            {
                return true;
            }
            AnyNodeRef::ExceptHandlerExceptHandler(handler)
                if catches_miss(handler) && is_looked_up(module, id, call) =>
            {
                return true;
            }
            AnyNodeRef::StmtFunctionDef(function) => {
                return returns_early((module, guards), &function.body, call, target)
                    || is_cached_constant(module, id, function);
            }
            AnyNodeRef::ExprLambda(_) => return false,
            _ => {}
        }
        inner = id;
    }
    false
}

/// `except AttributeError` and `except KeyError`, which a look-up that misses raises.
fn catches_miss(handler: &ast::ExceptHandlerExceptHandler) -> bool {
    let caught = handler.type_.as_deref();
    matches!(
        caught.and_then(last_segment),
        Some("AttributeError" | "KeyError" | "LookupError")
    )
}

/// Whether the `try` of the handler reads the attribute or item that the class is stored to.
fn is_looked_up(module: &Module<'_>, handler: NodeId, call: NodeId) -> bool {
    let AnyNodeRef::StmtTry(attempt) = module.parent(handler).1 else {
        return false;
    };
    let AnyNodeRef::StmtAssign(assign) = module.parent(call).1 else {
        return false;
    };
    let kept = assign
        .targets
        .iter()
        .filter(|target| target.is_attribute_expr() || target.is_subscript_expr());
    let kept: Vec<_> = kept.map(|target| module.slice(target.range())).collect();
    let read = attempt.body.iter().flat_map(|statement| {
        let nodes = module.nodes.subtree(module.nodes.id(statement));
        nodes.filter_map(|id| module.nodes.get(id).as_expr_ref())
    });
    read.into_iter()
        .any(|expr| kept.contains(&module.slice(expr.range())))
}

/// The expression that the class is assigned to.
fn stored_target<'a>(module: &Module<'a>, call: NodeId) -> Option<&'a Expr> {
    match module.parent(call).1 {
        AnyNodeRef::StmtAssign(assign) => assign.targets.first(),
        AnyNodeRef::ExprNamed(named) => Some(&named.target),
        _ => None,
    }
}

/// `X is None`, `not X` and `not hasattr(…)`, where the class is stored to `X`; joined by `and` or
/// `or` with other tests as well.
fn is_miss(test: &Expr, target: Option<&Expr>) -> bool {
    match test {
        Expr::BoolOp(operation) => operation.values.iter().any(|value| is_miss(value, target)),
        Expr::UnaryOp(not) if not.op == ast::UnaryOp::Not => match not.operand.as_ref() {
            Expr::Call(call) => calls_hasattr(call),
            operand => is_target(operand, target),
        },
        Expr::Compare(compare) => {
            compare.ops.as_ref() == [CmpOp::Is]
                && compare.comparators.iter().all(Expr::is_none_literal_expr)
                && (is_target(&compare.left, target) || asks_for(&compare.left, target))
        }
        _ => false,
    }
}

/// `getattr(x, "name", None)`, where the class is stored to `x.name`.
fn asks_for(expr: &Expr, target: Option<&Expr>) -> bool {
    let (Expr::Call(call), Some(Expr::Attribute(attribute))) = (expr, target) else {
        return false;
    };
    let [value, Expr::StringLiteral(name), default] = call.arguments.args.as_ref() else {
        return false;
    };
    last_segment(&call.func) == Some("getattr")
        && default.is_none_literal_expr()
        && name.value.to_str() == attribute.attr.as_str()
        && path(value) == path(&attribute.value)
}

fn calls_hasattr(call: &ast::ExprCall) -> bool {
    last_segment(&call.func) == Some("hasattr")
}

fn is_target(expr: &Expr, target: Option<&Expr>) -> bool {
    let (Some(tested), Some(target)) = (path(expr), target.and_then(path)) else {
        return false;
    };
    tested == target
}

/// The dotted path of a name or attribute chain.
fn path(expr: &Expr) -> Option<Vec<&str>> {
    match expr {
        Expr::Name(name) => Some(vec![name.id.as_str()]),
        Expr::Attribute(attribute) => {
            let mut base = path(&attribute.value)?;
            base.push(attribute.attr.as_str());
            Some(base)
        }
        _ => None,
    }
}

/// `if X is not None: return X` before the call, in the same suite.
fn returns_early(
    (module, guards): (&Module<'_>, &Guards),
    body: &[ast::Stmt],
    call: NodeId,
    target: Option<&Expr>,
) -> bool {
    guards.before(module, body, call).any(|branch| {
        let leaves = branch.body.last().is_some_and(ast::Stmt::is_return_stmt);
        leaves && branch.elif_else_clauses.is_empty() && is_hit(&branch.test, target)
    })
}

fn is_hit(test: &Expr, target: Option<&Expr>) -> bool {
    match test {
        Expr::Compare(compare) => {
            compare.ops.as_ref() == [CmpOp::IsNot]
                && compare.comparators.iter().all(Expr::is_none_literal_expr)
                && is_target(&compare.left, target)
        }
        Expr::Call(call) => calls_hasattr(call),
        _ => is_target(test, target),
    }
}

/// A cached function without parameters at module level, or a static one of a class there, runs its
/// body once.
fn is_cached_constant(module: &Module<'_>, id: NodeId, function: &ast::StmtFunctionDef) -> bool {
    let cached = function.decorator_list.iter().any(|decorator| {
        matches!(
            last_segment(&decorator.expression),
            Some("lru_cache" | "cache")
        )
    });
    let around = match module.parent(id) {
        (class, AnyNodeRef::StmtClassDef(_)) if is_decorated(module, id, &["staticmethod"]) => {
            module.nodes.parent(class)
        }
        (outer, _) => Some(outer),
    };
    cached && function.parameters.is_empty() && around == Some(NodeId::MODULE)
}
