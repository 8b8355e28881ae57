//! Equal definitions that the module already has at its top level.

use rustpython_ast::{Expr, Stmt};
use rustpython_text_size::Ranged;

use super::class_traits::ClassTraits;
use super::constants::CallNames;
use super::escape::Tracker;
use super::factory;
use super::inquiry::Inquiry;
use super::spelling::Spelling;
use crate::python::NodeId;
use crate::python::semantic::{BindingId, Resolution, ScopeId};
use crate::rule::{Factory, MergeKey, Verdict, judge};
use crate::text::TextRange;

/// An equal definition that the module already has.
#[derive(Debug)]
pub struct Existing<'a> {
    pub(super) name: &'a str,
    pub(super) statement: NodeId,
    pub(super) factory: Factory,
    pub(super) key: MergeKey,
    pub(super) spelling: Vec<String>,
}

/// The module's own top-level definitions whose class may be shared, all uses being no escapes.
#[must_use]
pub fn existing<'a>(inquiry: &Inquiry<'_, 'a>) -> Vec<Existing<'a>> {
    let body = &inquiry.module.nodes.module().body;
    body.iter()
        .filter_map(|statement| shareable(inquiry, statement))
        .collect()
}

fn shareable<'a>(inquiry: &Inquiry<'_, 'a>, statement: &'a Stmt) -> Option<Existing<'a>> {
    let module = inquiry.module;
    let assign = statement.as_assign_stmt()?;
    let ([Expr::Name(target)], Expr::Call(call)) =
        (assign.targets.as_slice(), assign.value.as_ref())
    else {
        return None;
    };
    let factory = factory::resolve_any(module, &call.func)?;
    if !factory.factory.rule.shares_definitions || !reads_what_is_bound(inquiry, assign.range()) {
        return None;
    }
    let only = module.model.bindings_of(ScopeId::MODULE, &target.id).len() == 1;
    let id = module.nodes.id(call);
    let names = CallNames {
        module,
        facts: inquiry.facts,
        factory: factory.factory,
        call: id,
        depth: 0,
    };
    let judgement = judge(call, factory.factory, &names);
    let spelling = Spelling {
        factory: &factory,
        arguments: judgement.arguments.as_ref(),
        literals: &[],
    }
    .words(module);
    let class = ClassTraits::new(factory.factory, &judgement);
    let Verdict::Valid(key) = judgement.verdict else {
        return None;
    };
    let fate = Tracker::fate((module, inquiry.facts), &class, id, &[]);
    let shared = fate.refusal().is_none() && !fate.is_returned;
    (factory.certain && only && shared).then(|| Existing {
        name: target.id.as_str(),
        statement: module.nodes.id(statement),
        factory: factory.factory,
        key,
        spelling,
    })
}

/// Whether each module name that is read in the definition at `range` is bound above it; a definition
/// that fails the import is none.
fn reads_what_is_bound(inquiry: &Inquiry<'_, '_>, range: TextRange) -> bool {
    let model = &inquiry.module.model;
    let is_above = |id: &BindingId| model.binding(*id).range.start() < range.start();
    model.references_in(range).all(|reference| {
        reference.resolution != Resolution::Scope(ScopeId::MODULE)
            || model
                .bindings_of(ScopeId::MODULE, &reference.name)
                .iter()
                .any(is_above)
    })
}
