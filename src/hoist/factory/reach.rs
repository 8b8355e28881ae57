//! Whether imports reach a factory for certain: what a later one hides, and what one brings along.

use rustpython_ast::AnyNodeRef;

use super::FactoryUse;
use crate::hoist::module::Module;
use crate::python::semantic::{BindingId, ScopeId};

/// Whether a star import behind the module-level bindings of the name may bind it anew.
pub(super) fn is_hidden(module: &Module<'_>, found: &FactoryUse) -> bool {
    let bound = found.bindings.iter().map(|id| module.model.binding(*id));
    let Some(last) = bound.map(|binding| binding.range.end()).max() else {
        return false;
    };
    let mut stars = module.model.star_imports().iter();
    found.scope == Some(ScopeId::MODULE)
        && stars.any(|star| module.nodes.range(*star).start() > last)
}

/// Whether the import binds the first of the packages above the module and imports the module itself:
/// `import a.b` or `import a.b.c` for `a.b`. `import a` alone leaves it to others to import `a.b`.
pub(super) fn brings_module(module: &Module<'_>, id: BindingId, dotted: &str) -> bool {
    match module.nodes.get(module.model.binding(id).node) {
        AnyNodeRef::Alias(alias) => {
            let rest = alias.name.as_str().strip_prefix(dotted);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }
        _ => false,
    }
}
