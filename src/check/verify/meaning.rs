//! Whether the text that moved means at module level what it meant at its sites.

use rustpython_ast::{AnyNodeRef, ExprRef};
use rustpython_text_size::Ranged;

use super::VerificationFailure;
use super::dropped::dropped_binding;
use super::evidence::{Evidence, Located, Side};
use super::merged::imported;
use super::names::fail;
use crate::python::semantic::{Binding, BindingId, BindingKind, Reference, Resolution, ScopeId};
use crate::text::{TextRange, TextSize};

type Verdict = Result<(), VerificationFailure>;

/// Checks that each name in the definition's text means what it meant at every site.
pub(super) fn text_means_the_same(
    evidence: &Evidence<'_>,
    number: usize,
    located: &Located<'_>,
) -> Verdict {
    let offset = located.statement.start();
    for site in evidence.sites(number) {
        keeps_meaning(evidence, site.call, offset, |_| false)?;
    }
    let Some(definition) = evidence.promise.definitions.get(number) else {
        return Ok(());
    };
    let origin = evidence.site(definition.origin);
    let class = origin.and_then(|site| dropped_binding(evidence, site));
    for write in &definition.writes {
        keeps_meaning(evidence, write.statement, offset, |reference| {
            class.as_ref().is_some_and(|class| {
                reference.name == class.binding.name
                    && reference.resolution == Resolution::Scope(class.binding.scope)
            })
        })?;
    }
    if definition.reused.is_some() {
        return Ok(());
    }
    let origin: Vec<_> = evidence
        .original
        .references_in(definition.origin)
        .map(|reference| &reference.name)
        .collect();
    for reference in evidence
        .patched
        .references_in(located.statement.value.range())
    {
        let is_substituted = definition
            .substitutions
            .iter()
            .any(|(_, text)| text.trim() == reference.name.as_str());
        if !is_substituted && !origin.contains(&&reference.name) {
            let message = format!("`{}` was not read at the site", reference.name);
            return Err(fail(message, reference.range.start()));
        }
    }
    Ok(())
}

/// Checks that each name in the moved text means the same at module level, but for those that are
/// replaced there.
fn keeps_meaning(
    evidence: &Evidence<'_>,
    moved: TextRange,
    offset: TextSize,
    is_class: impl Fn(&Reference) -> bool,
) -> Verdict {
    for reference in evidence.original.references_in(moved) {
        let is_replaced =
            evidence.index.substitutions.contains_key(&reference.range) || is_class(reference);
        if !is_replaced && !means_the_same_at_module_level(evidence, reference) {
            let message = format!("`{}` meant something else at a site", reference.name);
            return Err(fail(message, offset));
        }
    }
    Ok(())
}

fn means_the_same_at_module_level(evidence: &Evidence<'_>, before: &Reference) -> bool {
    let after = evidence
        .patched
        .model
        .resolve(ScopeId::MODULE, &before.name);
    match (before.resolution, after) {
        (Resolution::Unresolved, Resolution::Unresolved) => true,
        (Resolution::Scope(ScopeId::MODULE), Resolution::Scope(ScopeId::MODULE)) => true,
        (Resolution::Scope(local), Resolution::Scope(ScopeId::MODULE)) => {
            let local = only_import(&evidence.original, local, &before.name);
            let module = only_import(&evidence.patched, ScopeId::MODULE, &before.name);
            local.is_some() && local == module
        }
        _ => false,
    }
}

/// What the name is imported as in that scope, when imports of one thing alone bind it there.
fn only_import<'s>(side: &'s Side<'_>, scope: ScopeId, name: &str) -> Option<&'s str> {
    let mut all = side.model.bindings_of(scope, name).iter();
    let first = imported(&side.model.binding(*all.next()?).kind)?;
    all.all(|id| imported(&side.model.binding(*id).kind) == Some(first))
        .then_some(first)
}

/// Checks that each replaced argument is a name whose only value is the text that replaces it.
pub(super) fn substitutions_are_true(evidence: &Evidence<'_>) -> Verdict {
    for definition in &evidence.promise.definitions {
        for (range, text) in &definition.substitutions {
            let Some(ExprRef::Name(name)) = evidence.substituted(*range) else {
                let message = "a substituted argument is no name".to_owned();
                return Err(fail(message, TextSize::default()));
            };
            let side = &evidence.original;
            let reference = side.model.reference_at(side.nodes.id(name));
            let value = reference
                .map(|id| side.model.reference(id))
                .and_then(|reference| only_binding(side, reference));
            if !value.is_some_and(|(_, binding)| has_value(evidence, binding, text.trim())) {
                let message = format!("`{}` is not always `{text}`", name.id);
                return Err(fail(message, TextSize::default()));
            }
        }
    }
    Ok(())
}

fn only_binding<'s>(side: &'s Side<'_>, reference: &Reference) -> Option<(BindingId, &'s Binding)> {
    let Resolution::Scope(scope) = reference.resolution else {
        return None;
    };
    match side.model.bindings_of(scope, &reference.name) {
        [only] => Some((*only, side.model.binding(*only))),
        _ => None,
    }
}

/// Whether the binding is `name = value` or `name: type = value`, where the value's text is `text`
/// or becomes the definition named `text`.
fn has_value(evidence: &Evidence<'_>, binding: &Binding, text: &str) -> bool {
    let nodes = &evidence.original.nodes;
    let value = match (&binding.kind, nodes.get(nodes.statement(binding.node))) {
        (BindingKind::Assignment, AnyNodeRef::StmtAssign(assign)) => {
            let mut targets = assign.targets.iter();
            let is_whole = targets.any(|target| nodes.id(target) == binding.node);
            is_whole.then_some(assign.value.as_ref())
        }
        (BindingKind::AnnotatedAssignment, AnyNodeRef::StmtAnnAssign(assign)) => {
            assign.value.as_deref()
        }
        _ => None,
    };
    let Some(value) = value.map(Ranged::range) else {
        return false;
    };
    let definition = evidence.index.renamed.get(&value);
    let name = definition.and_then(|number| evidence.promise.definitions.get(*number));
    match name {
        Some(definition) => definition.name == text,
        None => evidence.spellings.is_value(&evidence.original, value, text),
    }
}
