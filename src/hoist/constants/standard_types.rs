//! Names that mean a class of the standard library or a form of `typing`.

use rustpython_ast::{AnyNodeRef, Expr};

use crate::hoist::module::Module;
use crate::python::semantic::{BindingKind, QualifiedName, ScopeId};

/// Modules whose public names are there as soon as they are imported.
const MODULES: [&str; 18] = [
    "typing",
    "typing_extensions",
    "collections",
    "collections.abc",
    "abc",
    "array",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "io",
    "ipaddress",
    "numbers",
    "os",
    "pathlib",
    "re",
    "types",
    "uuid",
];

/// Builtin classes that are of use in a type expression.
const BUILTINS: [&str; 17] = [
    "bool",
    "bytearray",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "memoryview",
    "object",
    "range",
    "set",
    "slice",
    "str",
    "tuple",
    "type",
];

/// Whether the expression is a builtin class, or a name or attribute that one module-level import of
/// a module of the standard library brings.
pub(super) fn is_standard_type(module: &Module<'_>, expr: &Expr) -> bool {
    if let Some(name) = module.builtin(expr) {
        return BUILTINS.contains(&name);
    }
    let Some(qualified) = qualified(module, expr) else {
        return false;
    };
    let (package, _) = qualified.as_str().rsplit_once('.').unwrap_or_default();
    MODULES.contains(&package)
}

/// What the name or dotted name means, when a single import at the top level binds its root.
fn qualified(module: &Module<'_>, expr: &Expr) -> Option<QualifiedName> {
    match expr {
        Expr::Attribute(attribute) => {
            let base = qualified(module, &attribute.value)?;
            Some(base.attribute(attribute.attr.as_str()))
        }
        Expr::Name(_) => {
            let AnyNodeRef::ExprName(name) = module.nodes.get(module.nodes.id(expr)) else {
                return None;
            };
            let (ScopeId::MODULE, [only]) = module.bindings(name)? else {
                return None;
            };
            match &module.model.binding(*only).kind {
                BindingKind::Import(name) | BindingKind::FromImport(name) => Some(name.clone()),
                _ => None,
            }
        }
        _ => None,
    }
}
