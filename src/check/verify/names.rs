//! Proof 3: planned references mean the definition, and every other name means what it meant.

use rustc_hash::FxHashMap;
use rustpython_ast::Stmt;
use rustpython_text_size::Ranged;

use super::dropped;
use super::evidence::{Evidence, Located, Side};
use super::meaning::{substitutions_are_true, text_means_the_same};
use super::{ProofName, VerificationFailure};
use crate::hoist::PromisedDefinition;
use crate::python::semantic::{Reference, Resolution, ScopeId, ScopeKind};
use crate::text::{TextRange, TextSize};

type Verdict = Result<(), VerificationFailure>;

/// Pairs all scopes, bindings and references of both texts, and looks at those of each definition.
///
/// # Errors
/// Returns the first name that changed its meaning, or a definition's name that is bound twice.
pub(super) fn prove(evidence: &Evidence<'_>) -> Verdict {
    dropped::bindings_are_alone(evidence)?;
    let scopes = pair_scopes(evidence)?;
    pair_bindings(evidence, &scopes)?;
    pair_references(evidence, &scopes)?;
    let mut body = evidence.patched.body().iter();
    let last_star = body.rposition(is_star_import);
    for (number, definition) in evidence.promise.definitions.iter().enumerate() {
        let Some(Some(located)) = evidence.located.get(number) else {
            continue;
        };
        bound_once(evidence, definition, (located, last_star))?;
        text_means_the_same(evidence, number, located)?;
    }
    substitutions_are_true(evidence)
}

pub(super) fn fail(message: String, offset: TextSize) -> VerificationFailure {
    VerificationFailure {
        check: ProofName::Names,
        message,
        offset,
    }
}

/// The scopes of the original with those of the patched text, in source order.
struct ScopePairs(FxHashMap<ScopeId, ScopeId>);

impl ScopePairs {
    fn same(&self, before: ScopeId, after: ScopeId) -> bool {
        self.0.get(&before) == Some(&after)
    }

    fn same_resolution(&self, before: Resolution, after: Resolution) -> bool {
        match (before, after) {
            (Resolution::Scope(before), Resolution::Scope(after)) => self.same(before, after),
            (Resolution::Unresolved, Resolution::Unresolved) => true,
            _ => false,
        }
    }
}

fn pair_scopes(evidence: &Evidence<'_>) -> Result<ScopePairs, VerificationFailure> {
    let (original, patched) = (&evidence.original, &evidence.patched);
    let range = |side: &Side<'_>, id: ScopeId| side.nodes.range(side.model.scope(id).node);
    let is_module = |id: ScopeId| id == ScopeId::MODULE;
    let before = original.model.scopes().filter(|(id, _)| {
        is_module(*id) || evidence.index.gone.around(range(original, *id)).is_none()
    });
    let after: Vec<_> = patched
        .model
        .scopes()
        .filter(|(id, _)| is_module(*id) || evidence.inserted.around(range(patched, *id)).is_none())
        .collect();
    let mut pairs = FxHashMap::default();
    let mut rest = after.into_iter();
    for (id, scope) in before {
        match rest.next() {
            Some((other, found)) if found.kind == scope.kind => pairs.insert(id, other),
            _ => return Err(fail("a scope is gone".to_owned(), TextSize::default())),
        };
    }
    match rest.next() {
        None => Ok(ScopePairs(pairs)),
        Some((id, _)) => Err(fail(
            "a scope was put in".to_owned(),
            range(patched, id).start(),
        )),
    }
}

/// Pairs the bindings that stay; those of dropped statements and imports go, those put in are new.
fn pair_bindings(evidence: &Evidence<'_>, scopes: &ScopePairs) -> Verdict {
    let index = &evidence.index;
    let before = evidence.original.model.bindings().filter(|(_, binding)| {
        let goes = index.gone.around(binding.range).is_some();
        let node = evidence.original.nodes.range(binding.node);
        !goes && !index.aliases.contains(&node)
    });
    let mut after = evidence
        .patched
        .model
        .bindings()
        .filter(|(_, binding)| evidence.inserted.around(binding.range).is_none());
    for (_, binding) in before {
        let Some((_, found)) = after.next() else {
            let message = format!("a binding of `{}` is gone", binding.name);
            return Err(fail(message, TextSize::default()));
        };
        let same = binding.name == found.name
            && binding.kind == found.kind
            && scopes.same(binding.scope, found.scope)
            && scopes.same(binding.bound_in, found.bound_in);
        if !same {
            let message = format!("the binding of `{}` changed", found.name);
            return Err(fail(message, found.range.start()));
        }
    }
    match after.next() {
        None => Ok(()),
        Some((_, extra)) => {
            let message = format!("`{}` is bound here and was not", extra.name);
            Err(fail(message, extra.range.start()))
        }
    }
}

/// What the patched text should refer to in place of a reference of the original.
enum Expected<'a> {
    Same(&'a Reference),
    Definition(&'a str),
}

fn pair_references(evidence: &Evidence<'_>, scopes: &ScopePairs) -> Verdict {
    let mut after = evidence
        .patched
        .model
        .references()
        .map(|(_, reference)| reference)
        .filter(|reference| evidence.inserted.around(reference.range).is_none());
    for expected in expected_references(evidence) {
        let found = after.next();
        match expected {
            Expected::Same(before) => same_reference(evidence, scopes, before, found)?,
            Expected::Definition(name) => planned_reference(name, found)?,
        }
    }
    match after.next() {
        None => Ok(()),
        Some(extra) => {
            let message = format!("`{}` is read here and was not", extra.name);
            Err(fail(message, extra.range.start()))
        }
    }
}

/// The references that the patched text should hold outside what was put in, in source order.
fn expected_references<'e>(evidence: &'e Evidence<'_>) -> impl Iterator<Item = Expected<'e>> {
    let promised = |range: &TextRange| {
        let number = evidence.index.renamed.get(range)?;
        let definition = evidence.promise.definitions.get(*number);
        let name = definition.map_or("", |definition| definition.name.as_str());
        Some(Expected::Definition(name))
    };
    let mut done = None;
    let references = evidence.original.model.references();
    references.filter_map(move |(_, reference)| {
        let Some(gone) = evidence.index.gone.around(reference.range) else {
            return Some(promised(&reference.range).unwrap_or(Expected::Same(reference)));
        };
        if done.replace(gone) == Some(gone) {
            return None;
        }
        promised(&gone)
    })
}

fn same_reference(
    evidence: &Evidence<'_>,
    scopes: &ScopePairs,
    before: &Reference,
    found: Option<&Reference>,
) -> Verdict {
    let Some(found) = found else {
        let message = format!("a reference to `{}` is gone", before.name);
        return Err(fail(message, TextSize::default()));
    };
    let same = before.name == found.name
        && before.context == found.context
        && scopes.same(before.scope, found.scope)
        && scopes.same_resolution(before.resolution, found.resolution);
    if !same {
        let message = format!("`{}` means something else than before", found.name);
        return Err(fail(message, found.range.start()));
    }
    if may_fall_back_to(evidence, found) {
        let message = format!("`{}` in a class body may now be the definition", found.name);
        return Err(fail(message, found.range.start()));
    }
    Ok(())
}

/// Whether a name of a class body, read before the class binds it, would be found at module level
/// under a definition's name (Language Reference, 4.2.2 "Resolution of names").
fn may_fall_back_to(evidence: &Evidence<'_>, reference: &Reference) -> bool {
    let Resolution::Scope(scope) = reference.resolution else {
        return false;
    };
    evidence.patched.model.scope(scope).kind == ScopeKind::Class
        && evidence.index.new_names.contains(reference.name.as_str())
        && reads_before_binding(&evidence.patched, scope, reference)
}

fn reads_before_binding(side: &Side<'_>, scope: ScopeId, reference: &Reference) -> bool {
    let all = side.model.bindings_of(scope, &reference.name).iter();
    let mut bindings = all.map(|id| side.model.binding(*id));
    bindings.all(|binding| {
        let statement = side.nodes.statement(binding.node);
        side.nodes.range(statement).end() > reference.range.start()
    })
}

fn planned_reference(name: &str, found: Option<&Reference>) -> Verdict {
    let Some(found) = found else {
        let message = format!("a planned reference to `{name}` is missing");
        return Err(fail(message, TextSize::default()));
    };
    if *found.name != *name {
        let message = format!("`{}` stands where `{name}` was planned", found.name);
        return Err(fail(message, found.range.start()));
    }
    if found.resolution != Resolution::Scope(ScopeId::MODULE) {
        let message = format!("`{name}` does not mean the definition here");
        return Err(fail(message, found.range.start()));
    }
    Ok(())
}

/// Checks that the definition alone binds its name at module level.
fn bound_once(
    evidence: &Evidence<'_>,
    definition: &PromisedDefinition,
    (located, last_star): (&Located<'_>, Option<usize>),
) -> Verdict {
    let model = &evidence.patched.model;
    for id in model.bindings_of(ScopeId::MODULE, &definition.name) {
        let binding = model.binding(*id);
        if !located.statement.range().contains_range(binding.range) {
            let message = format!("`{}` is bound a second time", definition.name);
            return Err(fail(message, binding.range.start()));
        }
    }
    if definition.name.starts_with('_') {
        return Ok(());
    }
    if last_star.is_none_or(|last| last < located.at) || definition.reused.is_some() {
        return Ok(());
    }
    let mut following = evidence.patched.body().iter().skip(located.at);
    match following.find(|stmt| is_star_import(stmt)) {
        Some(star) => {
            let message = format!("a star import may bind `{}` too", definition.name);
            Err(fail(message, star.start()))
        }
        None => Ok(()),
    }
}

pub(super) fn is_star_import(stmt: &Stmt) -> bool {
    let Stmt::ImportFrom(import) = stmt else {
        return false;
    };
    import.names.iter().any(|alias| alias.name.as_str() == "*")
}
