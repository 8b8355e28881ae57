//! Whether a function's source or code may run where its module's names are missing (hazards 51 and 66).

use rustpython_ast::{self as ast, AnyNodeRef, Expr};

use super::decorators::{self, may_do_more};
use super::facts::Facts;
use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::BindingKind;

/// Decorators and calls that run a function's source, or its code alone, without its module
/// (hazards 51 and 66). By last segment of the dotted name.
const SOURCE_SHIPPERS: [&str; 22] = [
    "component",
    "create_module",
    "create_component_from_func",
    "func_to_container_op",
    "lightweight_component",
    "virtualenv",
    "virtualenv_task",
    "external_python",
    "branch_virtualenv",
    "branch_external_python",
    "script",
    "script_if_tracing",
    "script_method",
    "getsource",
    "getsourcelines",
    "PythonVirtualenvOperator",
    "ExternalPythonOperator",
    "sandbox",
    "remote_function",
    "udf",
    "pandas_udf",
    "jit_module",
];

/// Calls that are known to call the function that they are given, in its module, by last segment.
const CALLERS: [&str; 38] = [
    "Process",
    "Thread",
    "Timer",
    "addCleanup",
    "add_argument",
    "add_done_callback",
    "after",
    "apply",
    "apply_async",
    "bind",
    "call_later",
    "call_soon",
    "connect",
    "defaultdict",
    "imap",
    "imap_unordered",
    "JSONDecoder",
    "load",
    "loads",
    "map_async",
    "partial",
    "raises",
    "assertRaises",
    "reduce",
    "register",
    "run_in_executor",
    "set_defaults",
    "setattr",
    "side_effect",
    "signal",
    "sort",
    "starmap",
    "start_new_thread",
    "submit",
    "subscribe",
    "timeit",
    "to_thread",
    "map",
];

/// Whether the source of a function around the node may be run without its module.
#[must_use]
pub fn source_may_be_shipped(module: &Module<'_>, facts: &Facts<'_>, node: NodeId) -> bool {
    module
        .nodes
        .ancestors(node)
        .any(|id| match module.nodes.get(id) {
            AnyNodeRef::StmtFunctionDef(function)
                if module.nodes.suite_contains(&function.body, node) =>
            {
                function_may_be_shipped(module, facts, id, function)
            }
            AnyNodeRef::StmtClassDef(_) => passed_to_shipper(module, id),
            _ => false,
        })
}

fn function_may_be_shipped<'a>(
    module: &Module<'a>,
    facts: &Facts<'_>,
    id: NodeId,
    function: &'a ast::StmtFunctionDef,
) -> bool {
    let decorators = || {
        let all = function.decorator_list.iter();
        all.map(|decorator| &decorator.expression)
    };
    let is_unknown = |decorator: &Expr| may_do_more(module, decorator);
    decorators().any(ships_source)
        || (decorators().any(is_unknown) && has_own_import(module, id))
        || passed_to_shipper(module, id)
        || facts.takes_code_of(function.name.as_str())
        || (facts.takes_any_source
            && (decorators().any(is_unknown) || is_named_uncalled(module, facts, id, function)))
}

fn ships_source(decorator: &Expr) -> bool {
    let name = last_segment(decorator);
    // Airflow runs the source of such a task in a container.
    let in_container = matches!(name, Some("docker" | "kubernetes"))
        && decorators::owner(decorator) == Some("task");
    in_container || name.is_some_and(|name| SOURCE_SHIPPERS.contains(&name))
}

/// Whether the node takes the source or the code of some function that it does not name.
#[must_use]
pub fn takes_any_source(module: &Module<'_>, id: NodeId) -> bool {
    match module.nodes.get(id) {
        AnyNodeRef::ExprName(name) => {
            name.ctx.is_load() && takes_source(module, id, name.id.as_str())
        }
        AnyNodeRef::ExprAttribute(attribute) => {
            attribute.ctx.is_load()
                && (takes_source(module, id, attribute.attr.as_str())
                    || (attribute.attr.as_str() == "__code__"
                        && !says_of_itself(module, id)
                        && !names_a_definition(module, &attribute.value)))
        }
        _ => false,
    }
}

/// Whether the expression, of that last segment, is a function such as `inspect.getsource` that is
/// handed on or called with something else than a function or class of the module.
fn takes_source(module: &Module<'_>, id: NodeId, name: &str) -> bool {
    if !matches!(name, "getsource" | "getsourcelines" | "findsource") {
        return false;
    }
    match module.parent(id).1 {
        AnyNodeRef::ExprCall(call) => match call.arguments.args.as_ref() {
            [argument] => !names_a_definition(module, argument),
            _ => true,
        },
        AnyNodeRef::ExprAttribute(_) => false,
        _ => true,
    }
}

fn names_a_definition(module: &Module<'_>, expr: &Expr) -> bool {
    let bindings = module.bindings_at(module.nodes.id(expr));
    bindings.is_some_and(|(_, bindings)| {
        bindings.iter().all(|id| {
            matches!(
                module.model.binding(*id).kind,
                BindingKind::FunctionDefinition | BindingKind::ClassDefinition
            )
        })
    })
}

/// Whether the function is named somewhere other than to call it.
fn is_named_uncalled(
    module: &Module<'_>,
    facts: &Facts<'_>,
    id: NodeId,
    function: &ast::StmtFunctionDef,
) -> bool {
    let methods = facts.attributes(function.name.as_str()).iter().copied();
    module
        .references_to_binding(id)
        .chain(methods)
        .any(|node| !matches!(module.parent(node).1, AnyNodeRef::ExprCall(_)))
}

/// Whether a function around the node is handed to a call that is not known, which may run its code
/// where the module's names are missing. That matters to a function that imports what it uses.
#[must_use]
pub fn is_handed_on(module: &Module<'_>, facts: &Facts<'_>, node: NodeId) -> bool {
    let in_call = |node: NodeId| {
        let (parent, parent_node) = module.parent(node);
        let arguments = match parent_node {
            AnyNodeRef::Keyword(_) => module.parent(parent).0,
            _ => parent,
        };
        match (module.nodes.get(arguments), module.parent(arguments).1) {
            (AnyNodeRef::Arguments(_), AnyNodeRef::ExprCall(call)) => Some(call),
            _ => None,
        }
    };
    let is_argument = |node: NodeId| {
        in_call(node).is_some_and(|call| {
            let name = last_segment(&call.func);
            module.builtin(&call.func).is_none()
                && !name.is_some_and(|name| CALLERS.contains(&name))
        })
    };
    // A name of the function itself can also be kept, and handed on from there.
    let is_kept = |node: NodeId| match module.parent(node).1 {
        AnyNodeRef::ExprCall(_)
        | AnyNodeRef::StmtReturn(_)
        | AnyNodeRef::ExprYield(_)
        | AnyNodeRef::ExprAttribute(_)
        | AnyNodeRef::StmtExpr(_)
        | AnyNodeRef::Decorator(_) => false,
        _ => in_call(node).is_none() || is_argument(node),
    };
    module.nodes.ancestors(node).any(|id| {
        let AnyNodeRef::StmtFunctionDef(function) = module.nodes.get(id) else {
            return false;
        };
        let mut methods = facts.attributes(function.name.as_str()).iter().copied();
        module.references_to_binding(id).any(is_kept) || methods.any(is_argument)
    })
}

/// Whether the code object is only asked for what it says of itself, as its argument count.
#[must_use]
pub fn says_of_itself(module: &Module<'_>, code: NodeId) -> bool {
    match module.parent(code).1 {
        AnyNodeRef::ExprAttribute(attribute) => attribute.attr.starts_with("co_"),
        _ => false,
    }
}

/// Whether the function's own code, or code inside it, imports something.
fn has_own_import(module: &Module<'_>, function: NodeId) -> bool {
    let own = |id: NodeId| {
        matches!(
            module.nodes.get(id),
            AnyNodeRef::StmtImport(_) | AnyNodeRef::StmtImportFrom(_)
        )
    };
    module.nodes.subtree(function).any(own)
}

/// Whether the function or class is handed to a call that ships its source.
fn passed_to_shipper(module: &Module<'_>, definition: NodeId) -> bool {
    let in_shipper = |node: NodeId| {
        let arguments = module.parent(node).0;
        match module.parent(arguments).1 {
            AnyNodeRef::ExprCall(call) => {
                last_segment(&call.func).is_some_and(|name| SOURCE_SHIPPERS.contains(&name))
                    && module.nodes.id(&call.arguments) == arguments
            }
            _ => false,
        }
    };
    module.references_to_binding(definition).any(in_shipper)
}
