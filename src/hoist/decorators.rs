//! Decorators that matter to a function whose names are moved out of it.

use rustpython_ast::{self as ast, AnyNodeRef, Expr};

use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::BindingKind;

/// Decorators known to call the function as it is, by last segment.
const HARMLESS: [&str; 42] = [
    "staticmethod",
    "classmethod",
    "property",
    "cached_property",
    "setter",
    "getter",
    "deleter",
    "abstractmethod",
    "abstractproperty",
    "override",
    "overload",
    "final",
    "no_type_check",
    "lru_cache",
    "cache",
    "wraps",
    "contextmanager",
    "asynccontextmanager",
    "singledispatch",
    "singledispatchmethod",
    "register",
    "total_ordering",
    "fixture",
    "parametrize",
    "skip",
    "skipIf",
    "skipUnless",
    "skipif",
    "xfail",
    "usefixtures",
    "expectedFailure",
    "patch",
    "object",
    "coroutine",
    "command",
    "group",
    "option",
    "argument",
    "pass_context",
    "pass_obj",
    "route",
    "task",
];

/// Whether every decorator is known to call the function as it is and to look at nothing of it.
#[must_use]
pub fn are_harmless(function: &ast::StmtFunctionDef) -> bool {
    function.decorator_list.iter().all(|decorator| {
        last_segment(&decorator.expression) != Some("register")
            && calls_as_it_is(&decorator.expression)
    })
}

/// Whether the decorator is known to call the function as it is.
fn calls_as_it_is(decorator: &Expr) -> bool {
    // `pytest.mark.slow`, `mock.patch.dict(…)`
    last_segment(decorator).is_some_and(|name| HARMLESS.contains(&name))
        || matches!(owner(decorator), Some("mark" | "patch"))
}

/// Whether the decorator may do more than call the function as it is. One of the module that only
/// wraps it with `functools.wraps` does not.
#[must_use]
pub fn may_do_more(module: &Module<'_>, decorator: &Expr) -> bool {
    !calls_as_it_is(decorator) && !is_own_wrapper(module, decorator)
}

/// The last segment before the last one of a dotted name, or of the callee when it is called.
#[must_use]
pub fn owner(decorator: &Expr) -> Option<&str> {
    match decorator {
        Expr::Call(call) => owner(&call.func),
        Expr::Attribute(attribute) => last_segment(&attribute.value),
        _ => None,
    }
}

/// Whether the decorator is a function of the module, or the result of calling one, that only
/// calls what it decorates, in a wrapper made by `functools.wraps`.
fn is_own_wrapper(module: &Module<'_>, decorator: &Expr) -> bool {
    let callee = match decorator {
        Expr::Call(call) => call.func.as_ref(),
        _ => decorator,
    };
    let Some((_, [only])) = module.bindings_at(module.nodes.id(callee)) else {
        return false;
    };
    let binding = module.model.binding(*only);
    binding.kind == BindingKind::FunctionDefinition
        && module
            .nodes
            .subtree(binding.node)
            .any(|id| wraps_its_parameter(module, id))
}

fn wraps_its_parameter(module: &Module<'_>, function: NodeId) -> bool {
    let AnyNodeRef::StmtFunctionDef(definition) = module.nodes.get(function) else {
        return false;
    };
    let first = definition.parameters.iter_non_variadic_params().next();
    let Some(first) = first.map(|first| module.nodes.id(&first.parameter)) else {
        return false;
    };
    let uses: Vec<_> = module.references_to_binding(first).collect();
    let wraps = |node: &NodeId| argument_of(module, *node) == Some("wraps");
    let only_called = |node: &NodeId| match module.parent(*node).1 {
        AnyNodeRef::ExprCall(_) | AnyNodeRef::StmtReturn(_) => true,
        AnyNodeRef::ExprAttribute(attribute) => {
            matches!(
                attribute.attr.as_str(),
                "__name__" | "__qualname__" | "__doc__"
            )
        }
        _ => wraps(node),
    };
    uses.iter().any(wraps) && uses.iter().all(only_called)
}

/// The last segment of the callee to which the node is an argument by position.
fn argument_of<'a>(module: &Module<'a>, node: NodeId) -> Option<&'a str> {
    match module.parent(module.parent(node).0).1 {
        AnyNodeRef::ExprCall(call) => last_segment(&call.func),
        _ => None,
    }
}
