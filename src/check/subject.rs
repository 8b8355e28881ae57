//! A text with everything that is known about it, and what is planned for it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::comment_refusal;
use super::context::{FileContext, Settings};
use super::describe;
use super::unproven::Withdrawal;
use crate::hoist::eligibility::Candidate;
use crate::hoist::factory::per_call;
use crate::hoist::facts::LateFacts;
use crate::hoist::guards::Guards;
use crate::hoist::inquiry::Inquiry;
use crate::hoist::layout::Layout;
use crate::hoist::plan::Plan;
use crate::hoist::site::Site;
use crate::hoist::{Module, Surroundings};
use crate::python::SyntaxError;
use crate::python::source::{Source, read_first};
use crate::rule::{Code, FindingKey, SkipReason, Suppressions};
use crate::text::TextRange;

/// What is asked about a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'c> {
    pub(super) context: &'c FileContext,
    pub(super) settings: &'c Settings,
}

/// The calls whose fix could not be proven, by scope and text, and what the proofs said.
pub(super) type Withdrawn = BTreeMap<(String, String), Withdrawal>;

/// A text with everything that is known about it.
pub(super) struct Subject<'s, 'a> {
    pub(super) inquiry: Inquiry<'s, 'a>,
    pub(super) suppressions: &'s Suppressions<'s>,
    /// All calls that the last plan met, be they findings or not.
    pub(super) met: RefCell<Vec<Met>>,
}

/// A call of a factory that a plan met.
#[derive(Debug, Clone)]
pub(super) struct Met {
    /// Its code, scope and typename.
    pub(super) key: FindingKey,
    /// The code itself.
    pub(super) code: &'static Code,
    /// The statement whose lines take comments.
    pub(super) statement: TextRange,
    pub(super) fate: Fate,
    /// Whether a comment there is not understood.
    pub(super) is_held: bool,
}

/// Whether a call is a finding, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Its code is not asked for.
    NotAsked,
    /// A comment silences it.
    Silenced,
    /// The context accepts it.
    Accepted,
    Finding,
}

impl<'a> Subject<'_, 'a> {
    /// The text with its tree and names.
    pub(super) fn source(&self) -> Source<'a> {
        let module = self.inquiry.module;
        Source {
            text: module.text,
            tokens: module.tokens,
            nodes: module.nodes,
            model: module.model,
        }
    }

    /// How many calls the last plan met that have that fate.
    pub(super) fn count(&self, fate: Fate) -> usize {
        let met = self.met.borrow();
        met.iter().filter(|met| met.fate == fate).count()
    }
}

impl Request<'_> {
    /// Parses `text` and hands it to `work` with all that is known about it.
    pub(super) fn with_subject<T>(
        &self,
        text: &str,
        work: impl FnOnce(&Subject<'_, '_>) -> T,
    ) -> Result<T, SyntaxError> {
        read_first(text, |source| self.with_source(source, work))
    }

    /// Hands `source` to `work` with all that is known about it.
    pub(super) fn with_source<T>(
        &self,
        source: &Source<'_>,
        work: impl FnOnce(&Subject<'_, '_>) -> T,
    ) -> T {
        let Source {
            text,
            tokens,
            nodes,
            model,
        } = *source;
        let layout = Layout::new(text, nodes, tokens);
        let module = Module {
            layout: &layout,
            text,
            tokens,
            nodes,
            model,
            registry: self.settings.registry,
            package: &self.context.package,
        };
        let calls = per_call(&module);
        let guards = match calls.as_slice() {
            [] => Guards::default(),
            _ => Guards::of(&module),
        };
        let facts = LateFacts::of(module);
        let lines = (layout.lines(), self.settings.registry);
        let suppressions = Suppressions::from_tokens(text, tokens, lines);
        let inquiry = Inquiry {
            module: &module,
            calls: &calls,
            guards: &guards,
            facts: &facts,
            surroundings: self.surroundings(),
        };
        work(&Subject {
            inquiry,
            suppressions: &suppressions,
            met: RefCell::new(vec![]),
        })
    }

    fn surroundings(&self) -> Surroundings<'_> {
        let file_name = self.context.path.file_name().and_then(|name| name.to_str());
        Surroundings {
            naming: self.settings.naming,
            file_name: file_name.unwrap_or_default(),
            is_package_init: self.context.is_package_init,
            sibling_modules: &self.context.sibling_modules,
            enclosing_folders: &self.context.enclosing_folders,
        }
    }

    pub(super) fn plan<'a>(&self, subject: &Subject<'_, 'a>, withdrawn: &Withdrawn) -> Plan<'a> {
        let module = subject.inquiry.module;
        subject.met.take();
        let is_excluded = |site: &Site<'a>| {
            let met = self.meet(subject, site);
            let is_excluded = met.fate != Fate::Finding;
            subject.met.borrow_mut().push(met);
            is_excluded
        };
        let refusal = |site: &Site<'a>, candidate: &Candidate| {
            let is_withdrawn =
                || !withdrawn.is_empty() && withdrawn.contains_key(&identity(module, site));
            let withdrawn = || is_withdrawn().then_some(SkipReason::VerificationFailed);
            comment_refusal::refusal(subject, site, candidate).or_else(withdrawn)
        };
        Plan::new(&subject.inquiry, &is_excluded, &refusal)
    }

    /// What becomes of the call.
    fn meet(&self, subject: &Subject<'_, '_>, site: &Site<'_>) -> Met {
        let module = subject.inquiry.module;
        let statement = describe::header_range(module, site.call);
        let code = site.code();
        let key = FindingKey {
            code: code.code.clone(),
            scope: describe::scope_path(module, site.call),
            typename: site.judgement.typename.clone(),
        };
        let fate = if !self.settings.codes.contains(key.code.as_str()) {
            Fate::NotAsked
        } else if subject.suppressions.is_suppressed(code, statement) {
            Fate::Silenced
        } else if self.context.accepted.contains(&key) {
            Fate::Accepted
        } else {
            Fate::Finding
        };
        Met {
            key,
            code,
            statement,
            fate,
            is_held: subject.suppressions.is_held(statement),
        }
    }

    /// The groups whose fix is to be made.
    pub(super) fn wanted(&self, plan: &Plan<'_>) -> Vec<usize> {
        let applies = |group: &usize| {
            plan.with_dependencies(*group).iter().all(|at| {
                plan.groups
                    .get(*at)
                    .is_some_and(|group| self.settings.applies(group.applicability))
            })
        };
        plan.standing().filter(applies).collect()
    }
}

/// What tells a call apart before and after other calls are patched.
pub(super) fn identity(module: &Module<'_>, site: &Site<'_>) -> (String, String) {
    let text = module.slice(module.nodes.range(site.call)).to_owned();
    (describe::scope_path(module, site.call), text)
}

#[cfg(test)]
mod tests {
    use rustpython_text_size::Ranged;

    use crate::check::{FileContext, Settings, check};
    use crate::hoist::factory::{resolve, resolve_any};
    use crate::rule::FindingKey;

    /// Calls of names that reach factories in every way, and in none.
    const CALLS: &str = "\
import builtins, collections, enum as e, typing.x
from collections import namedtuple, namedtuple as nt
from builtins import type as kind
from typing import *
from .enum import Enum
try: from dataclasses import make_dataclass
except ImportError: from attrs import make_dataclass
a = collections.namedtuple
b = a; c = b; d = c; f = d; g = f
a(); b(); c(); d(); f(); g(); nt(); namedtuple(); collections.namedtuple(); e.Enum(); Enum()
type(); kind(); builtins.type(); len(); x.namedtuple(); make_dataclass(); NamedTuple(); Flag()
typing.NamedTuple(); collections.abc.namedtuple(); namedtuple()(); (lambda: 1)(); unknown()
";

    #[test]
    fn a_callee_is_what_it_is_when_every_rule_is_asked_for_it() {
        let (context, settings) = (FileContext::default(), Settings::default());
        let request = super::Request {
            context: &context,
            settings: &settings,
        };
        let resolved = |text: &str| {
            let count = request.with_subject(text, |subject| {
                let module = subject.inquiry.module;
                let calls = module.nodes.iter().filter_map(|(_, node)| node.expr_call());
                let callees = calls.map(|call| {
                    let mut rules = settings.registry.rules();
                    let expected = rules.find_map(|rule| resolve(module, &call.func, rule));
                    let expected = expected.map(|found| format!("{found:?}"));
                    let found = resolve_any(module, &call.func).map(|found| format!("{found:?}"));
                    assert_eq!(found, expected, "{}", module.slice(call.func.range()));
                    usize::from(found.is_some())
                });
                callees.sum::<usize>()
            });
            count.unwrap()
        };
        let without_star = CALLS.replace("from typing import *\n", "");
        assert!(resolved(CALLS) >= 8 && resolved(&without_star) >= 12);
    }

    const TWO: &str = "\
from collections import namedtuple
class C:
    def f(self): return namedtuple('A', 'x')(1)
    def g(self): return namedtuple('A', 'x')(1)
";

    fn accepting(text: &str, scope: &str) -> crate::check::CheckResult {
        let key = FindingKey {
            code: "HNT001".to_owned(),
            scope: scope.to_owned(),
            typename: Some("A".to_owned()),
        };
        let context = FileContext {
            accepted: [key].into(),
            ..FileContext::default()
        };
        check(text, &context, &Settings::default()).unwrap()
    }

    #[test]
    fn an_accepted_finding_is_left_out_with_its_fix_and_counted() {
        let result = accepting(TWO, "C.f");
        let keys: Vec<_> = result.diagnostics.iter().map(|found| found.key()).collect();
        assert_eq!(keys.len(), 1);
        assert_eq!(keys[0].scope, "C.g");
        assert_eq!((result.accepted, result.suppressed), (1, 0));
        let patched = result.patched.unwrap();
        assert!(
            patched.contains("def f(self): return namedtuple('A', 'x')(1)\n"),
            "{patched}"
        );
        assert!(patched.contains("def g(self): return A(1)\n"), "{patched}");
    }

    #[test]
    fn what_is_silenced_is_not_accepted_too() {
        let silenced = TWO.replacen("(1)\n", "(1)  # noqa\n", 1);
        let result = accepting(&silenced, "C.f");
        assert_eq!((result.accepted, result.suppressed), (0, 1));
    }
}
