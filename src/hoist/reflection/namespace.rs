//! Expressions that give the module itself, or its names as a dictionary.

use rustpython_ast::{self as ast, AnyNodeRef, CmpOp, Expr};

use crate::hoist::module::Module;
use crate::python::NodeId;
use crate::python::dotted::last_segment;

/// The one name that `globals()["name"]`, `globals().get("name")` or `"name" in globals()` sees.
pub(super) fn name_read<'a>(module: &Module<'a>, namespace: NodeId) -> Option<&'a str> {
    let (parent, parent_node) = module.parent(namespace);
    let key = match parent_node {
        AnyNodeRef::ExprSubscript(subscript) => {
            let is_read =
                subscript.ctx.is_load() && module.nodes.id(subscript.value.as_ref()) == namespace;
            is_read.then_some(subscript.slice.as_ref())
        }
        AnyNodeRef::ExprAttribute(method) if method.attr.as_str() == "get" => {
            match module.parent(parent).1 {
                AnyNodeRef::ExprCall(call) => call.arguments.args.first(),
                _ => None,
            }
        }
        AnyNodeRef::ExprCompare(compare) => {
            let is_test = matches!(compare.ops.as_ref(), [CmpOp::In | CmpOp::NotIn]);
            is_test.then_some(compare.left.as_ref())
        }
        _ => None,
    };
    Some(key?.as_string_literal_expr()?.value.to_str())
}

/// Whether the dictionary is only compared by identity, or becomes the globals of a function.
pub(super) fn lists_nothing(module: &Module<'_>, namespace: NodeId) -> bool {
    let (parent, parent_node) = module.parent(namespace);
    match parent_node {
        AnyNodeRef::ExprCompare(compare) => {
            let mut operators = compare.ops.iter();
            operators.all(|operator| matches!(operator, CmpOp::Is | CmpOp::IsNot))
        }
        AnyNodeRef::Arguments(_) => match module.parent(parent).1 {
            AnyNodeRef::ExprCall(call) => last_segment(&call.func) == Some("FunctionType"),
            _ => false,
        },
        _ => false,
    }
}

/// The one attribute that `x.name`, `getattr(x, "name")` or `hasattr(x, "name")` reads.
pub(super) fn attribute_read<'a>(module: &Module<'a>, object: NodeId) -> Option<&'a str> {
    let (parent, parent_node) = module.parent(object);
    match parent_node {
        AnyNodeRef::ExprAttribute(attribute) => {
            attribute.ctx.is_load().then_some(attribute.attr.as_str())
        }
        AnyNodeRef::Arguments(_) => {
            let call = match module.parent(parent).1 {
                AnyNodeRef::ExprCall(call) => call,
                _ => return None,
            };
            let [value, name, ..] = call.arguments.args.as_ref() else {
                return None;
            };
            let reads = matches!(module.builtin(&call.func), Some("getattr" | "hasattr"))
                && module.nodes.id(value) == object;
            let name = name.as_string_literal_expr().filter(|_| reads)?;
            Some(name.value.to_str())
        }
        _ => None,
    }
}

/// The expression that finds the module itself by the name at `name`: `sys.modules[__name__]`,
/// `import_module(__name__)` and the like.
pub(super) fn own_module(module: &Module<'_>, name: NodeId) -> Option<NodeId> {
    let (parent, parent_node) = module.parent(name);
    match parent_node {
        AnyNodeRef::ExprSubscript(_) => Some(parent),
        AnyNodeRef::Arguments(_) => match module.parent(parent) {
            (id, AnyNodeRef::ExprCall(call)) => {
                let finds = last_segment(&call.func).is_some_and(|callee| {
                    matches!(
                        callee,
                        "get" | "import_module" | "__import__" | "getmodule" | "pop"
                    )
                });
                finds.then_some(id)
            }
            _ => None,
        },
        _ => None,
    }
}

/// `sys.modules[x.__module__]`, which may be the module itself.
#[must_use]
pub fn finds_module_of(subscript: &ast::ExprSubscript) -> bool {
    let is_modules = match subscript.value.as_ref() {
        Expr::Attribute(attribute) => attribute.attr.as_str() == "modules",
        Expr::Name(name) => name.id.as_str() == "modules",
        _ => false,
    };
    let of_object = subscript
        .slice
        .as_attribute_expr()
        .is_some_and(|attribute| attribute.attr.as_str() == "__module__");
    is_modules && of_object
}
