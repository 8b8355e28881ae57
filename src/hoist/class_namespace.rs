//! Class bodies that may read names from what a metaclass prepares for them.

use std::collections::BTreeSet;

use rustpython_ast::{AnyNodeRef, Expr, StmtClassDef};

use super::factory::star_imports;
use super::module::Module;
use super::name::is_builtin;
use crate::python::NodeId;
use crate::python::semantic::ScopeKind;

/// A class of more bases and keywords, with those of its bases, counts as not certain.
const MAX_BASES: usize = 32;

/// Whether a name that the node reads may come from a namespace that holds what no statement binds
/// (PEP 3115): the node runs in the body of a class whose metaclass is not certain to be `type`.
pub(super) fn may_be_prepared(module: &Module<'_>, node: NodeId) -> bool {
    let class = class_that_runs(module, node);
    class.is_some_and(|class| !is_plain(module, class))
}

/// The class statement whose body runs the node. Type parameters see the names of the class around
/// them (PEP 695); functions and comprehensions do not.
fn class_that_runs<'a>(module: &Module<'a>, node: NodeId) -> Option<&'a StmtClassDef> {
    let model = &module.model;
    let scopes = model.enclosing_scopes(model.scope_of(node));
    let mut scopes = scopes.map(|scope| model.scope(scope));
    let scope = scopes.find(|scope| scope.kind != ScopeKind::TypeParameters)?;
    match module.nodes.get(scope.node) {
        AnyNodeRef::StmtClassDef(class) => Some(class),
        _ => None,
    }
}

/// Whether the metaclass of the class is `type` for certain, and so that of every class that it
/// takes: they are builtins or classes of this module, read from no namespace that is in doubt.
fn is_plain<'a>(module: &Module<'a>, class: &'a StmtClassDef) -> bool {
    let (mut pending, mut seen) = (vec![class], BTreeSet::new());
    let mut left = MAX_BASES;
    while let Some(class) = pending.pop() {
        let arguments = class.arguments.as_deref();
        let Some(arguments) = arguments.filter(|_| seen.insert(module.nodes.id(class))) else {
            continue;
        };
        let Some(rest) = left.checked_sub(arguments.len()) else {
            return false;
        };
        left = rest;
        let mut keywords = arguments.keywords.iter().map(|keyword| &keyword.arg);
        if keywords.any(|name| name.as_ref().is_none_or(|name| name == "metaclass")) {
            return false;
        }
        for base in &arguments.args {
            let own = own_class(module, base);
            if own.is_none() && !is_builtin_class(module, base) {
                return false;
            }
            pending.extend(own);
            pending.extend(class_that_runs(module, module.nodes.id(base)));
        }
    }
    true
}

/// The one class statement of the module that binds the name, where nothing can replace its class.
fn own_class<'a>(module: &Module<'a>, base: &'a Expr) -> Option<&'a StmtClassDef> {
    let (_, [only]) = module.bindings_at(module.nodes.id(base))? else {
        return None;
    };
    let binding = module.model.binding(*only);
    match module.nodes.get(binding.node) {
        AnyNodeRef::StmtClassDef(class) if class.decorator_list.is_empty() => Some(class),
        _ => None,
    }
}

/// Whether the base is a builtin, whose metaclass is `type` when it is a class.
fn is_builtin_class(module: &Module<'_>, base: &Expr) -> bool {
    module.builtin(base).is_some_and(is_builtin) && star_imports(module).next().is_none()
}
