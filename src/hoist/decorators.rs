//! Decorators and wrappers that matter to a function whose names are moved out of it.

use rustpython_ast::{self as ast, AnyNodeRef};

use super::facts::Facts;
use super::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;

/// Decorators and calls that run a function's source, or its code alone, without its module
/// (hazards 51 and 66). By last segment of the dotted name.
const SOURCE_SHIPPERS: [&str; 20] = [
    "component",
    "create_module",
    "create_component_from_func",
    "func_to_container_op",
    "lightweight_component",
    "virtualenv",
    "virtualenv_task",
    "external_python",
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

/// Decorators known to call the function as it is, by last segment.
const HARMLESS: [&str; 40] = [
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
    "route",
    "task",
];

/// Whether every decorator is known to call the function as it is and to look at nothing of it.
#[must_use]
pub fn are_harmless(function: &ast::StmtFunctionDef) -> bool {
    function.decorator_list.iter().all(|decorator| {
        last_segment(&decorator.expression)
            .is_some_and(|name| name != "register" && HARMLESS.contains(&name))
    })
}

/// Whether the source of a function around the node may be run without its module.
#[must_use]
pub fn source_may_be_shipped(module: &Module<'_>, facts: &Facts<'_>, node: NodeId) -> bool {
    module
        .nodes
        .ancestors(node)
        .any(|id| match module.nodes.get(id) {
            AnyNodeRef::StmtFunctionDef(function) if in_body(module, function, node) => {
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
    let names = || {
        function
            .decorator_list
            .iter()
            .map(|decorator| last_segment(&decorator.expression))
    };
    let shipped = |name: Option<&str>| name.is_some_and(|name| SOURCE_SHIPPERS.contains(&name));
    let unknown = |name: Option<&str>| !name.is_some_and(|name| HARMLESS.contains(&name));
    names().any(shipped)
        || (names().any(unknown) && has_own_import(module, id))
        || passed_to_shipper(module, id)
        || code_is_taken(module, facts, function.name.as_str())
}

/// Whether a function around the node is handed to a call that is not known, which may run its code
/// where the module's names are missing. That matters to a function that imports what it uses.
#[must_use]
pub fn is_handed_on(module: &Module<'_>, facts: &Facts<'_>, node: NodeId) -> bool {
    let is_argument = |node: NodeId| {
        let (parent, parent_node) = module.parent(node);
        let arguments = match parent_node {
            AnyNodeRef::Keyword(_) => module.parent(parent).0,
            _ => parent,
        };
        match (module.nodes.get(arguments), module.parent(arguments).1) {
            (AnyNodeRef::Arguments(_), AnyNodeRef::ExprCall(call)) => {
                module.builtin(&call.func).is_none()
            }
            _ => false,
        }
    };
    module.nodes.ancestors(node).any(|id| {
        let AnyNodeRef::StmtFunctionDef(function) = module.nodes.get(id) else {
            return false;
        };
        let methods = facts.attributes(function.name.as_str()).iter().copied();
        module
            .references_to_binding(id)
            .chain(methods)
            .any(is_argument)
    })
}

/// Whether the function's code object is taken, other than to read what it says of itself.
fn code_is_taken(module: &Module<'_>, facts: &Facts<'_>, function: &str) -> bool {
    facts.attributes("__code__").iter().any(|id| {
        let AnyNodeRef::ExprAttribute(code) = module.nodes.get(*id) else {
            return false;
        };
        let says_of_itself = match module.parent(*id).1 {
            AnyNodeRef::ExprAttribute(attribute) => attribute.attr.starts_with("co_"),
            _ => false,
        };
        last_segment(&code.value) == Some(function) && !says_of_itself
    })
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

fn in_body(module: &Module<'_>, function: &ast::StmtFunctionDef, node: NodeId) -> bool {
    function
        .body
        .iter()
        .any(|statement| module.nodes.contains(module.nodes.id(statement), node))
}
