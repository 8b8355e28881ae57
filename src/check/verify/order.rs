//! Proof 4: nothing can read a definition before it is bound, nor it what it reads.

use rustpython_text_size::Ranged;

use super::evidence::{Evidence, Located};
use super::inert::{always_binds, is_inert};
use super::merged::imported;
use super::names::is_star_import;
use super::{ProofName, VerificationFailure};
use crate::python::NodeId;
use crate::python::semantic::{Binding, Reference, ReferenceId, Resolution, ScopeId};
use crate::text::{TextRange, TextSize};

type Verdict = Result<(), VerificationFailure>;

/// Derives anew from the patched text that each definition is bound in time.
///
/// Code that reads a definition comes into being with the top-level statement that holds it, so a
/// definition above all its readers is bound in time. One below a reader is, when the statements
/// from that reader to it only define functions, import, and bind constants: none of them can call.
///
/// # Errors
/// Returns the first reader that may run too early, or the first name that a definition may read too early.
pub(super) fn prove(evidence: &Evidence<'_>) -> Verdict {
    let places = Places::new(evidence);
    for (definition, located) in evidence.promise.definitions.iter().zip(&evidence.located) {
        let Some(located) = located else { continue };
        let model = &evidence.patched.model;
        for id in model.references_to(ScopeId::MODULE, &definition.name) {
            places.reads_in_time(*id, located)?;
        }
        let writes = evidence.patched.body().iter().skip(located.at + 1);
        let writes = writes.take(located.writes).map(Ranged::range);
        for range in std::iter::once(located.statement.value.range()).chain(writes) {
            for reference in evidence.patched.references_in(range) {
                // Only its attribute writes can name the definition.
                if *reference.name != *definition.name {
                    places.is_bound_before(reference, located)?;
                }
            }
        }
    }
    Ok(())
}

fn fail(message: String, offset: TextSize) -> VerificationFailure {
    VerificationFailure {
        check: ProofName::Order,
        message,
        offset,
    }
}

/// The patched module's body, statement by statement.
struct Places<'e, 'a> {
    evidence: &'e Evidence<'a>,
    /// For each statement the number of those up to and with it that may run other code.
    lively: Vec<usize>,
    /// The first star import.
    first_star: Option<usize>,
}

impl<'e, 'a> Places<'e, 'a> {
    fn new(evidence: &'e Evidence<'a>) -> Self {
        let mut count = 0;
        let lively = evidence.patched.body().iter().map(|stmt| {
            let is_definition = evidence.inserted.around(stmt.range()).is_some();
            count += usize::from(!is_definition && !is_inert(stmt));
            count
        });
        Self {
            evidence,
            lively: lively.collect(),
            first_star: evidence.patched.body().iter().position(is_star_import),
        }
    }

    /// The position in the body of the statement that holds the range.
    fn position(&self, range: TextRange) -> usize {
        let body = self.evidence.patched.body();
        body.partition_point(|stmt| stmt.end() <= range.start())
    }

    /// Whether no statement from `first` up to `end`, without it, may run other code.
    fn is_quiet(&self, first: usize, end: usize) -> bool {
        let until = |end: usize| match end.checked_sub(1) {
            Some(last) => self.lively.get(last).copied().unwrap_or(0),
            None => 0,
        };
        until(first) == until(end)
    }

    fn reads_in_time(&self, id: ReferenceId, located: &Located<'_>) -> Verdict {
        let reference = self.evidence.patched.model.reference(id);
        let at = self.position(reference.range);
        if at > located.at {
            return Ok(());
        }
        let deferred = reference.scope != ScopeId::MODULE;
        if at < located.at && deferred && self.is_quiet(at, located.at) {
            return Ok(());
        }
        let message = format!("`{}` may be read before it is bound", reference.name);
        Err(fail(message, reference.range.start()))
    }

    /// Checks that what the definition reads is bound by a statement before it that always runs,
    /// and not bound anew later.
    fn is_bound_before(&self, reference: &Reference, located: &Located<'_>) -> Verdict {
        let name = &reference.name;
        if reference.resolution != Resolution::Scope(ScopeId::MODULE) {
            return self.is_brought_before(reference, located);
        }
        let model = &self.evidence.patched.model;
        let body = self.evidence.patched.body();
        let mut bound = false;
        for id in model.bindings_of(ScopeId::MODULE, name) {
            let binding = model.binding(*id);
            let at = self.position(binding.range);
            let before = at < located.at && binding.bound_in == ScopeId::MODULE;
            if !before && !self.repeats_an_import(binding) {
                let message = format!("`{name}` is bound anew after the definition that reads it");
                return Err(fail(message, located.statement.start()));
            }
            let always = || body.get(at).is_some_and(|stmt| always_binds(stmt, name));
            bound |= before && always();
        }
        if bound {
            return Ok(());
        }
        let message = format!("`{name}` may not be bound before the definition that reads it");
        Err(fail(message, located.statement.start()))
    }

    /// Whether every binding of the name imports the same thing, so that their order is all one.
    fn repeats_an_import(&self, binding: &Binding) -> bool {
        let model = &self.evidence.patched.model;
        let mut all = model.bindings_of(ScopeId::MODULE, &binding.name).iter();
        let Some(this) = imported(&binding.kind) else {
            return false;
        };
        all.all(|id| imported(&model.binding(*id).kind) == Some(this))
    }

    /// Checks that a callee's name that only a star import can bring is brought before.
    fn is_brought_before(&self, reference: &Reference, located: &Located<'_>) -> Verdict {
        let nodes = &self.evidence.patched.nodes;
        let callee = located.statement.value.as_call_expr();
        let is_factory = callee.is_some_and(|call| {
            call.func.range().contains_range(reference.range)
                && nodes.parent(reference.node) != Some(NodeId::MODULE)
        });
        match self.first_star {
            Some(at) if is_factory && at > located.at => {
                let message = format!("`{}` is only imported later", reference.name);
                Err(fail(message, located.statement.start()))
            }
            _ => Ok(()),
        }
    }
}
