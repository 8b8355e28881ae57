//! Which calls reach a class factory, found by resolved name and never by text.

mod certainty;
mod reach;

use rustpython_ast::{self as ast, AnyNodeRef, Expr};

pub use self::certainty::{always_binds, is_always_bound, type_checking_only};
use self::reach::{brings_module, is_hidden};
use super::module::Module;
use crate::python::semantic::{BindingId, BindingKind, QualifiedName, ScopeId};
use crate::python::{NodeId, flow};
use crate::rule::{Factory, Rule};

/// How an expression reaches a factory.
#[derive(Debug, Clone)]
pub struct FactoryUse {
    /// The factory.
    pub factory: Factory,
    /// The `Name` node at the root of the expression.
    pub root: NodeId,
    /// Where that name is bound; `None` when a star import brings it.
    pub scope: Option<ScopeId>,
    /// The name's bindings.
    pub bindings: Vec<BindingId>,
    /// Whether every binding is the factory, or an import of the same name from elsewhere.
    pub certain: bool,
}

impl FactoryUse {
    /// Whether one import is all that binds the name: no alias, fallback or star import.
    #[must_use]
    pub fn is_single_import(&self, module: &Module<'_>) -> bool {
        let [only] = self.bindings.as_slice() else {
            return false;
        };
        matches!(
            module.model.binding(*only).kind,
            BindingKind::Import(_) | BindingKind::FromImport(_)
        )
    }
}

/// Resolves `expr` to one of the factories of all rules.
///
/// A fallback import of the same name from any module counts as the factory, unless the rule says that
/// the name is ambiguous; a name with any other second meaning is returned with `certain` false, and
/// not at all if it is ambiguous.
#[must_use]
pub fn resolve_any<'a>(module: &Module<'a>, expr: &'a Expr) -> Option<FactoryUse> {
    let mut places = vec![];
    candidates(module, expr, 0, &mut |segment| {
        places.extend_from_slice(module.registry.factories_called(segment));
    });
    places.sort_unstable();
    let mut factories = places.iter().filter_map(|at| module.registry.factory(*at));
    factories.find_map(|factory| resolve_one(module, expr, factory))
}

/// Tells the last segments of the names that `expr` may stand for; no factory of another name is meant.
fn candidates<'a>(module: &Module<'a>, expr: &'a Expr, depth: usize, tell: &mut dyn FnMut(&str)) {
    let name = match expr {
        Expr::Attribute(attribute) => return tell(attribute.attr.as_str()),
        Expr::Name(name) => name,
        _ => return,
    };
    let Some((_, bindings)) = module.bindings(name) else {
        return tell(name.id.as_str());
    };
    if let [only] = bindings
        && let Some(value) = assigned_value(module, *only)
    {
        if depth < MAX_ALIASES {
            candidates(module, value, depth + 1, tell);
        }
        return;
    }
    let reference = module.model.reference_at(module.nodes.id(name));
    if !reference.is_some_and(|reference| module.model.is_imported(reference)) {
        return;
    }
    for binding in bindings {
        match &module.model.binding(*binding).kind {
            BindingKind::Import(name) | BindingKind::FromImport(name) => tell(name.last()),
            _ => {}
        }
    }
}

/// The calls of any factory that run more than once, in source order.
#[must_use]
pub fn per_call(module: &Module<'_>) -> Vec<(NodeId, FactoryUse)> {
    let found = module.nodes.iter().filter_map(|(id, node)| {
        let AnyNodeRef::ExprCall(call) = node else {
            return None;
        };
        let factory = resolve_any(module, &call.func)?;
        flow::per_call(module.nodes, id).map(|_| (id, factory))
    });
    found.collect()
}

/// Resolves `expr` to one of the factories of `rule`, as [`resolve_any`] does.
#[must_use]
pub fn resolve<'a>(module: &Module<'a>, expr: &'a Expr, rule: &'static Rule) -> Option<FactoryUse> {
    let mut names = rule.factories.iter();
    names.find_map(|name| resolve_one(module, expr, Factory { rule, name }))
}

fn resolve_one<'a>(module: &Module<'a>, expr: &'a Expr, factory: Factory) -> Option<FactoryUse> {
    let (parent, last) = Rule::module_and_name(factory.name);
    if parent.is_empty() {
        return resolve_builtin(module, expr, factory);
    }
    let target = Target {
        parent,
        last,
        factory,
    };
    let found = resolve_depth(module, expr, target, 0)?;
    let is_hidden = factory.rule.ambiguous_name && (!found.certain || is_hidden(module, &found));
    (!is_hidden).then_some(found)
}

/// A builtin, by its name or as an attribute of `builtins`, unless a star import may bind its name.
fn resolve_builtin<'a>(
    module: &Module<'a>,
    expr: &'a Expr,
    factory: Factory,
) -> Option<FactoryUse> {
    let may_be_hidden = || star_imports(module).next().is_some();
    if module.builtin(expr) != Some(factory.name) || may_be_hidden() {
        return None;
    }
    let root = match expr {
        Expr::Attribute(attribute) => attribute.value.as_name_expr()?,
        _ => expr.as_name_expr()?,
    };
    let bound = module.bindings(root);
    Some(FactoryUse {
        factory,
        root: module.nodes.id(root),
        scope: bound.map(|(scope, _)| scope),
        bindings: bound.map_or(vec![], |(_, bindings)| bindings.to_vec()),
        certain: true,
    })
}

#[derive(Clone, Copy)]
struct Target<'t> {
    parent: &'t str,
    last: &'t str,
    factory: Factory,
}

impl Target<'_> {
    /// Whether `name` is the factory, under this name or, where several modules export it, another.
    fn is(&self, name: &QualifiedName) -> bool {
        let mut names = self.factory.rule.factories.iter();
        name.last() == self.last && names.any(|own| own == name.as_str())
    }
}

/// Aliases of aliases are followed this far.
const MAX_ALIASES: usize = 4;

fn resolve_depth<'a>(
    module: &Module<'a>,
    expr: &'a Expr,
    target: Target<'_>,
    depth: usize,
) -> Option<FactoryUse> {
    if depth > MAX_ALIASES {
        return None;
    }
    match expr {
        Expr::Name(name) => resolve_name(module, name, target, depth),
        Expr::Attribute(attribute) if attribute.attr.as_str() == target.last => {
            let Expr::Name(root) = attribute.value.as_ref() else {
                return resolve_dotted(module, attribute, target);
            };
            let meanings = meanings(module, root)?;
            let modules = meanings.iter().filter_map(|meaning| meaning.1.as_ref());
            if !modules.clone().any(|name| name.as_str() == target.parent) {
                return None;
            }
            let hits = modules.filter(|name| target.is(&name.attribute(target.last)));
            factory_use(module, (root, target.factory), &meanings, hits.count())
        }
        _ => None,
    }
}

/// `import a.b` binds `a`, so that `a.b.factory` is a dotted chain.
fn resolve_dotted<'a>(
    module: &Module<'a>,
    attribute: &'a ast::ExprAttribute,
    target: Target<'_>,
) -> Option<FactoryUse> {
    let mut segments = vec![attribute.attr.as_str()];
    let mut value = attribute.value.as_ref();
    while let Expr::Attribute(inner) = value {
        segments.push(inner.attr.as_str());
        value = inner.value.as_ref();
    }
    let root = value.as_name_expr()?;
    let meanings = meanings(module, root)?;
    let hits = meanings.iter().filter(|meaning| {
        meaning.1.as_ref().is_some_and(|name| {
            let full = segments
                .iter()
                .rev()
                .fold(name.clone(), |name, part| name.attribute(part));
            full.as_str() == target.factory.name
        })
    });
    let found = factory_use(module, (root, target.factory), &meanings, hits.count())?;
    let brings = |id: &BindingId| brings_module(module, *id, target.parent);
    let bindings: Vec<_> = found.bindings.iter().copied().filter(brings).collect();
    Some(FactoryUse {
        certain: found.certain && !bindings.is_empty(),
        bindings,
        ..found
    })
}

fn resolve_name<'a>(
    module: &Module<'a>,
    name: &'a ast::ExprName,
    target: Target<'_>,
    depth: usize,
) -> Option<FactoryUse> {
    let Some((scope, bindings)) = module.bindings(name) else {
        return resolve_star(module, name, target);
    };
    if let [only] = bindings
        && let Some(value) = assigned_value(module, *only)
    {
        resolve_depth(module, value, target, depth + 1)?;
        return Some(FactoryUse {
            factory: target.factory,
            root: module.nodes.id(name),
            scope: Some(scope),
            bindings: bindings.to_vec(),
            certain: true,
        });
    }
    // Almost every callee ends here, once for each factory, so nothing is built before.
    let may_be = |id: &BindingId| match &module.model.binding(*id).kind {
        BindingKind::Import(name) | BindingKind::FromImport(name) => name.last() == target.last,
        _ => false,
    };
    if !bindings.iter().any(may_be) {
        return None;
    }
    let meanings = meanings(module, name)?;
    let is_exact = |meaning: &Meaning| meaning.1.as_ref().is_some_and(|name| target.is(name));
    let is_this = |meaning: &Meaning| {
        let name = meaning.1.as_ref();
        name.is_some_and(|name| name.as_str() == target.factory.name)
    };
    if !meanings.iter().any(is_this) {
        return None;
    }
    let same_name = |meaning: &&Meaning| {
        meaning
            .1
            .as_ref()
            .is_some_and(|name| name.last() == target.last)
    };
    let takes_fallback = !target.factory.rule.ambiguous_name && is_one_statement(module, &meanings);
    let hits = if meanings.iter().all(is_exact) || takes_fallback {
        meanings.iter().filter(same_name).count()
    } else {
        meanings.iter().filter(|meaning| is_exact(meaning)).count()
    };
    factory_use(module, (name, target.factory), &meanings, hits)
}

/// Whether all bindings stand in one top-level statement, as the branches of a fallback do.
fn is_one_statement(module: &Module<'_>, meanings: &[Meaning]) -> bool {
    let mut places = meanings
        .iter()
        .map(|meaning| module.top_level_index(module.model.binding(meaning.0).node));
    let first = places.next();
    places.all(|place| Some(place) == first)
}

type Meaning = (BindingId, Option<QualifiedName>);

/// What each binding of the name imports.
fn meanings<'a>(module: &Module<'a>, name: &'a ast::ExprName) -> Option<Vec<Meaning>> {
    let (_, bindings) = module.bindings(name)?;
    let imported = |id: &BindingId| match &module.model.binding(*id).kind {
        BindingKind::Import(name) | BindingKind::FromImport(name) => {
            (*id, Some(module.absolute(name)))
        }
        _ => (*id, None),
    };
    Some(bindings.iter().map(imported).collect())
}

fn factory_use<'a>(
    module: &Module<'a>,
    (root, factory): (&'a ast::ExprName, Factory),
    meanings: &[Meaning],
    hits: usize,
) -> Option<FactoryUse> {
    let (scope, _) = module.bindings(root)?;
    (hits > 0).then(|| FactoryUse {
        factory,
        root: module.nodes.id(root),
        scope: Some(scope),
        bindings: meanings.iter().map(|meaning| meaning.0).collect(),
        certain: hits == meanings.len(),
    })
}

/// `from collections import *` brings the factory, unless a later star import may replace it.
fn resolve_star<'a>(
    module: &Module<'a>,
    name: &'a ast::ExprName,
    target: Target<'_>,
) -> Option<FactoryUse> {
    let last_star = star_imports(module).last()?;
    let from = last_star.module.as_ref()?.as_str();
    (last_star.level == 0 && from == target.parent && name.id.as_str() == target.last).then(|| {
        FactoryUse {
            factory: target.factory,
            root: module.nodes.id(name),
            scope: None,
            bindings: vec![],
            certain: true,
        }
    })
}

/// The star imports of the module's own body, in source order.
pub fn star_imports<'a>(
    module: &Module<'a>,
) -> impl DoubleEndedIterator<Item = &'a ast::StmtImportFrom> {
    let stars = module.model.star_imports().iter();
    let of_body = stars.filter(|id| module.nodes.parent(**id) == Some(NodeId::MODULE));
    of_body.filter_map(|id| match module.nodes.get(*id) {
        AnyNodeRef::StmtImportFrom(import) => Some(import),
        _ => None,
    })
}

/// The value of a plain `name = value`, when that is what the binding is.
#[must_use]
pub fn assigned_value<'a>(module: &Module<'a>, binding: BindingId) -> Option<&'a Expr> {
    let bound = module.model.binding(binding);
    if bound.kind != BindingKind::Assignment {
        return None;
    }
    let AnyNodeRef::StmtAssign(assign) = module.parent(bound.node).1 else {
        return None;
    };
    (assign.targets.len() == 1).then_some(assign.value.as_ref())
}

/// Whether every binding of the name imports exactly `qualified`.
#[must_use]
pub fn resolves_to<'a>(module: &Module<'a>, name: &'a ast::ExprName, qualified: &str) -> bool {
    imports_only(module, name, |imported| imported == qualified)
}

/// Whether every binding of the name is an import of what `is_wanted` accepts by its qualified name.
#[must_use]
pub fn imports_only<'a>(
    module: &Module<'a>,
    name: &'a ast::ExprName,
    is_wanted: impl Fn(&str) -> bool,
) -> bool {
    let Some((_, bindings)) = module.bindings(name) else {
        return false;
    };
    let is_import = |id: &BindingId| match &module.model.binding(*id).kind {
        BindingKind::Import(name) | BindingKind::FromImport(name) => {
            if name.as_str().starts_with('.') {
                is_wanted(module.absolute(name).as_str())
            } else {
                is_wanted(name.as_str())
            }
        }
        _ => false,
    };
    !bindings.is_empty() && bindings.iter().all(is_import)
}
