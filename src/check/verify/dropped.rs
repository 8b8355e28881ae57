//! The bindings that a patch drops, and whether their names mean nothing else.

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, Stmt};
use rustpython_text_size::Ranged;

use super::VerificationFailure;
use super::evidence::{Evidence, Side};
use super::names::fail;
use crate::hoist::{PromisedDefinition, PromisedSite, Rewrite};
use crate::python::NodeId;
use crate::python::semantic::{Binding, Reference, ScopeId, ScopeKind};
use crate::text::{TextRange, TextSize};

/// A binding of the original whose statement goes.
pub(super) struct Dropped<'e> {
    /// The site that was bound; `None` for a local whose literal moved.
    pub(super) site: Option<&'e PromisedSite>,
    pub(super) statement: NodeId,
    pub(super) binding: &'e Binding,
}

impl<'e> Dropped<'e> {
    /// The definition that stands for it.
    pub(super) fn definition(&self, evidence: &'e Evidence<'_>) -> Option<&'e PromisedDefinition> {
        evidence.promise.definitions.get(self.site?.definition)
    }

    /// Its references that are renamed.
    fn uses(&self) -> &'e [TextRange] {
        match self.site.map(|site| &site.rewrite) {
            Some(Rewrite::DropBinding { uses, .. }) => uses,
            _ => &[],
        }
    }
}

/// Every dropped binding: those of the sites in their order, then the locals.
pub(super) fn dropped_bindings<'e>(
    evidence: &'e Evidence<'_>,
) -> impl Iterator<Item = Dropped<'e>> {
    let sites = evidence.promise.sites.iter();
    let of_sites = sites.filter_map(|site| dropped_binding(evidence, site));
    let locals = evidence.promise.removed_locals.iter();
    of_sites.chain(locals.filter_map(|statement| dropped(evidence, None, *statement)))
}

/// The binding that the rewrite of the site drops.
pub(super) fn dropped_binding<'e>(
    evidence: &'e Evidence<'_>,
    site: &'e PromisedSite,
) -> Option<Dropped<'e>> {
    match &site.rewrite {
        Rewrite::DropBinding { statement, .. } => dropped(evidence, Some(site), *statement),
        Rewrite::ReplaceExpression => None,
    }
}

fn dropped<'e>(
    evidence: &'e Evidence<'_>,
    site: Option<&'e PromisedSite>,
    statement: TextRange,
) -> Option<Dropped<'e>> {
    let side = &evidence.original;
    let statement = side.nodes.id(evidence.statement(statement)?);
    let mut inside = side.nodes.subtree(statement);
    let binding = inside.find_map(|id| side.model.binding_at(id))?;
    Some(Dropped {
        site,
        statement,
        binding: side.model.binding(binding),
    })
}

/// Checks that each dropped binding is the only one of its name, that every reference to the name
/// is renamed, and that none could be read before it or without it.
///
/// A module-level name that the definition binds again may be read by any name that stays.
///
/// # Errors
/// Returns the first reference that would be left behind, or the name that has another binding.
pub(super) fn bindings_are_alone(evidence: &Evidence<'_>) -> Result<(), VerificationFailure> {
    let model = &evidence.original.model;
    for dropped in dropped_bindings(evidence) {
        let binding = dropped.binding;
        let fault = |what: &str| {
            let message = format!("the dropped name `{}` {what}", binding.name);
            Err(fail(message, TextSize::default()))
        };
        if model.bindings_of(binding.scope, &binding.name).len() != 1 {
            return fault("has another binding");
        }
        let uses: FxHashSet<_> = dropped.uses().iter().copied().collect();
        let definition = dropped.definition(evidence);
        let stays = binding.scope == ScopeId::MODULE
            && definition.is_some_and(|definition| *binding.name == *definition.name);
        let references = model.references_to(binding.scope, &binding.name).iter();
        for reference in references.map(|id| model.reference(*id)) {
            if evidence.index.gone.around(reference.range).is_some() {
                continue;
            }
            if !stays && !uses.contains(&reference.range) {
                return fault("is still read");
            }
            if !is_dominated(&evidence.original, &dropped, reference) {
                return fault("may be read without its binding");
            }
        }
    }
    Ok(())
}

/// Whether the reference runs only after the dropped statement: later in its suite, or in an inner
/// function, which runs when it is called.
fn is_dominated(side: &Side<'_>, dropped: &Dropped<'_>, reference: &Reference) -> bool {
    let (nodes, model) = (&side.nodes, &side.model);
    let mut scopes = model.enclosing_scopes(reference.scope);
    let runs_in = scopes.find(|scope| model.scope(*scope).kind != ScopeKind::Comprehension);
    if runs_in != Some(dropped.binding.bound_in) {
        return true;
    }
    let mut statement = dropped.statement;
    loop {
        let range = nodes.range(statement);
        let Some(parent) = nodes.parent(statement) else {
            return false;
        };
        let suite = suite_around(nodes.get(parent), range);
        if suite.contains_range(reference.range) {
            return range.end() <= reference.range.start();
        }
        let always_runs = match nodes.get(parent) {
            AnyNodeRef::StmtWith(_) => true,
            AnyNodeRef::StmtTry(stmt) => stmt.handlers.is_empty(),
            _ => false,
        };
        if !always_runs {
            return false;
        }
        statement = parent;
    }
}

/// The range of the suite below `parent` that holds the statement at `range`.
fn suite_around(parent: AnyNodeRef<'_>, range: TextRange) -> TextRange {
    let suites: Vec<&[Stmt]> = match parent {
        AnyNodeRef::StmtFor(stmt) => vec![&stmt.body, &stmt.orelse],
        AnyNodeRef::StmtWhile(stmt) => vec![&stmt.body, &stmt.orelse],
        AnyNodeRef::StmtTry(stmt) => vec![&stmt.body, &stmt.orelse, &stmt.finalbody],
        AnyNodeRef::StmtIf(stmt) => vec![&stmt.body],
        other => return other.range(),
    };
    let ranges = suites.into_iter().filter_map(|suite| {
        let (first, last) = (suite.first()?, suite.last()?);
        Some(TextRange::new(first.start(), last.end()))
    });
    let mut around = ranges.filter(|suite| suite.contains_range(range));
    around.next().unwrap_or(range)
}
