//! Where the factory's name comes from at module level, and which function-level import comes up.

use rustpython_ast::{AnyNodeRef, ExprName, Stmt};

use super::factory::{self, FactoryUse};
use super::facts::Facts;
use super::handlers;
use super::inquiry::Inquiry;
use super::module::Module;
use super::name::Surroundings;
use super::place::Read;
use super::promise::PromisedImport;
use super::shipping::is_handed_on;
use super::site::Site;
use crate::python::semantic::{BindingId, BindingKind, QualifiedName, ScopeId, ScopeKind};
use crate::python::{NodeId, flow};
use crate::rule::SkipReason;

/// Modules whose import costs nothing, cannot fail and has no effect (DESIGN: "Insertion").
const LIFTABLE: [&str; 4] = ["collections", "typing", "enum", "dataclasses"];

/// Files whose functions may be run without their module's names (hazards 46 and 94).
const SCRIPTS: [&str; 4] = ["conf.py", "SConstruct", "dodo.py", "noxfile.py"];

/// A function-level import that a definition needs at module level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift {
    /// The binding that the import makes in the function.
    pub binding: BindingId,
    /// The import to put in; `None` when the module already has it.
    pub import: Option<PromisedImport>,
    /// The module-level bindings of the name, when the module already has it.
    pub bound: Vec<BindingId>,
}

/// The import that must come up for the site's definition; `None` when its factory's name is bound
/// at module level already.
///
/// # Errors
/// Returns why the name cannot be had at module level.
pub fn lift(inquiry: &Inquiry<'_, '_>, site: &Site<'_>) -> Result<Option<Lift>, SkipReason> {
    let module = inquiry.module;
    match site.factory.scope {
        None => Ok(None),
        Some(ScopeId::MODULE) => bound_at_module_level(module, site).map(|()| None),
        Some(_) => local_import(inquiry, site).map(Some),
    }
}

/// Whether the factory is read from a module of the file's own project, which may not have it yet
/// when the file is imported: the two may import each other.
#[must_use]
pub fn may_be_half_imported(inquiry: &Inquiry<'_, '_>, site: &Site<'_>) -> bool {
    let Inquiry {
        module,
        surroundings,
        ..
    } = *inquiry;
    if !site.expr.func.is_attribute_expr() {
        return false;
    }
    let mut bindings = site.factory.bindings.iter();
    bindings.any(|id| match &module.model.binding(*id).kind {
        BindingKind::Import(name) | BindingKind::FromImport(name) => {
            let absolute = module.absolute(name);
            let root = absolute.as_str().split('.').next().unwrap_or_default();
            let is_near = root.is_empty()
                || surroundings.sibling_modules.contains(root)
                || surroundings.enclosing_folders.contains(root);
            is_near && !LIFTABLE.contains(&root)
        }
        _ => false,
    })
}

fn bound_at_module_level(module: &Module<'_>, site: &Site<'_>) -> Result<(), SkipReason> {
    let statement = module.nodes.top_level_statement(site.call);
    let in_same_block = |binding: &BindingId| {
        module
            .nodes
            .top_level_statement(module.model.binding(*binding).node)
            == statement
    };
    if site.factory.bindings.iter().any(in_same_block) {
        return Err(SkipReason::FactoryBoundInSameBlock);
    }
    let bound = run_time_bindings(module, &site.factory.bindings);
    if factory::is_always_bound(module, &bound) {
        Ok(())
    } else {
        Err(SkipReason::FactoryNotCertain)
    }
}

/// What the definition reads to reach its factory.
#[must_use]
pub fn factory_read(
    module: &Module<'_>,
    factory: &FactoryUse,
    lift: Option<&Lift>,
) -> Option<Read> {
    match (lift, factory.scope) {
        (Some(lift), _) if lift.import.is_some() => None,
        (Some(lift), _) => Some(Read::Factory(lift.bound.clone())),
        (None, Some(_)) => Some(Read::Factory(run_time_bindings(module, &factory.bindings))),
        (None, None) => factory::star_imports(module)
            .last()
            .map(|star| Read::Statement(module.nodes.id(star))),
    }
}

fn run_time_bindings(module: &Module<'_>, bindings: &[BindingId]) -> Vec<BindingId> {
    let runs = |binding: &&BindingId| {
        !flow::under_type_checking(module.nodes, module.model.binding(**binding).node)
    };
    bindings.iter().filter(runs).copied().collect()
}

fn local_import(inquiry: &Inquiry<'_, '_>, site: &Site<'_>) -> Result<Lift, SkipReason> {
    let Inquiry {
        module,
        surroundings,
        ..
    } = *inquiry;
    let [binding] = site.factory.bindings.as_slice() else {
        return Err(SkipReason::LocalImport);
    };
    let bound = module.model.binding(*binding);
    let import = promised(&bound.kind, &bound.name).ok_or(SkipReason::LocalImport)?;
    let package = import.module.split('.').next().unwrap_or_default();
    if !LIFTABLE.contains(&package) || is_private(module, site) {
        return Err(SkipReason::LocalImport);
    }
    if handlers::reaches(module, bound.node, &["ImportError", "ModuleNotFoundError"]) {
        return Err(SkipReason::InsideTry);
    }
    // Where the import may not have run, the call raises; at module level it would not.
    if !flow::dominates(module.nodes, module.nodes.statement(bound.node), site.call) {
        return Err(SkipReason::LocalImport);
    }
    // A function between the import and the call would lose the name from its `locals()`.
    if module.model.scope_of(site.call) != bound.scope
        && inquiry
            .facts
            .reflection
            .observes_locals(module, bound.scope)
    {
        return Err(SkipReason::LocalImport);
    }
    if is_handed_on(module, inquiry.facts, site.call) {
        return Err(SkipReason::SourceShipped);
    }
    let at_module_level = module.model.bindings_of(ScopeId::MODULE, &bound.name);
    let running = run_time_bindings(module, at_module_level);
    if !at_module_level
        .iter()
        .all(|other| is_same_import(module, *binding, *other))
    {
        return Err(SkipReason::ImportNameTaken);
    }
    if factory::is_always_bound(module, &running) {
        return Ok(Lift {
            binding: *binding,
            import: None,
            bound: running,
        });
    }
    let is_free = running.is_empty()
        && module.model.unresolved_references(&bound.name).is_empty()
        && !inquiry.facts.is_declared_global(&bound.name)
        && !inquiry.facts.is_named_in_string(&bound.name);
    if !is_free {
        return Err(SkipReason::ImportNameTaken);
    }
    if surroundings.sibling_modules.contains(package) {
        return Err(SkipReason::SiblingModule);
    }
    Ok(Lift {
        binding: *binding,
        import: Some(import),
        bound: vec![],
    })
}

/// Whether the name at the root of the callee would be mangled in a class.
fn is_private(module: &Module<'_>, site: &Site<'_>) -> bool {
    match module.nodes.get(site.factory.root) {
        AnyNodeRef::ExprName(name) => name.id.starts_with("__"),
        _ => true,
    }
}

fn promised(kind: &BindingKind, bound: &str) -> Option<PromisedImport> {
    let alias = |name: &str| (name != bound).then(|| bound.to_owned());
    match kind {
        BindingKind::Import(name) => {
            let module = name.as_str().to_owned();
            Some(PromisedImport {
                alias: alias(&module),
                module,
                name: None,
            })
        }
        BindingKind::FromImport(name) => {
            let (module, last) = name.as_str().rsplit_once('.')?;
            Some(PromisedImport {
                module: module.to_owned(),
                name: Some(last.to_owned()),
                alias: alias(last),
            })
        }
        _ => None,
    }
}

fn is_same_import(module: &Module<'_>, one: BindingId, other: BindingId) -> bool {
    let name = |id: BindingId| -> Option<&QualifiedName> {
        match &module.model.binding(id).kind {
            BindingKind::Import(name) | BindingKind::FromImport(name) => Some(name),
            _ => None,
        }
    };
    name(one).is_some() && name(one) == name(other)
}

/// Whether functions of the file may run where module-level names cannot be seen: the file is a
/// script of a known tool, or its functions import all they use and the module nothing.
#[must_use]
pub fn functions_run_elsewhere(facts: &Facts<'_>, surroundings: Surroundings<'_>) -> bool {
    SCRIPTS.contains(&surroundings.file_name) || facts.functions_are_self_contained
}

/// Whether three or more functions import all they use and the module nothing (hazard 94).
#[must_use]
pub fn functions_are_self_contained(module: &Module<'_>) -> bool {
    let body = &module.nodes.module().body;
    let imports = |statement: &Stmt| match statement {
        Stmt::Import(_) => true,
        Stmt::ImportFrom(import) => import.module.as_deref() != Some("__future__"),
        _ => false,
    };
    if body.iter().any(imports) {
        return false;
    }
    let self_contained = body.iter().filter(|statement| {
        statement.is_function_def_stmt() && is_self_contained(module, module.nodes.id(*statement))
    });
    self_contained.count() >= 3
}

/// Whether a function has an import of its own and reads no module-level name.
fn is_self_contained(module: &Module<'_>, function: NodeId) -> bool {
    let mut has_import = false;
    for id in module.nodes.subtree(function) {
        match module.nodes.get(id) {
            AnyNodeRef::StmtImport(_) | AnyNodeRef::StmtImportFrom(_) => has_import = true,
            AnyNodeRef::ExprName(name) if is_module_name(module, name) => return false,
            _ => {}
        }
    }
    has_import
}

fn is_module_name<'a>(module: &Module<'a>, name: &'a ExprName) -> bool {
    module
        .bindings(name)
        .is_some_and(|(scope, _)| scope == ScopeId::MODULE)
}

/// Whether the function's import of the name may go, once the references in `gone` (ascending) are.
#[must_use]
pub fn is_unused_without(inquiry: &Inquiry<'_, '_>, binding: BindingId, gone: &[NodeId]) -> bool {
    let Inquiry { module, facts, .. } = *inquiry;
    let bound = module.model.binding(binding);
    let scope = module.model.scope(bound.scope);
    bound.bound_in == bound.scope
        && !facts.reflection.observes_locals(module, bound.scope)
        && !facts.is_declared_nonlocal(&bound.name)
        && matches!(scope.kind, ScopeKind::Function)
        && module.model.bindings_of(bound.scope, &bound.name).len() == 1
        && module
            .model
            .references_to(bound.scope, &bound.name)
            .iter()
            .all(|reference| {
                gone.binary_search(&module.model.reference(*reference).node)
                    .is_ok()
            })
}
