//! The loop that plans, proves, and withdraws what cannot be proven.

use super::CheckResult;
use super::describe;
use super::subject::{Request, Subject, Withdrawn, identity};
use crate::hoist::Promise;
use crate::hoist::assembly::{Assembly, assemble};
use crate::hoist::plan::Plan;
use crate::python::SyntaxError;
use crate::rule::Diagnostic;

/// Proves a patched text against the original and the promise, or says why it cannot.
pub(super) type Verify<'v> = &'v dyn Fn(&str, &str, &Promise) -> Result<(), String>;

/// One text to check, and how.
#[derive(Clone, Copy)]
pub(super) struct Checker<'c> {
    pub(super) text: &'c str,
    pub(super) request: Request<'c>,
    pub(super) verify: Verify<'c>,
}

/// Why a set of fixes is not made.
#[derive(Debug)]
struct Unproven(String);

impl Checker<'_> {
    pub(super) fn run(&self) -> Result<CheckResult, SyntaxError> {
        self.request
            .with_subject(self.text, |subject| self.check(subject))
    }

    fn check(&self, subject: &Subject<'_, '_>) -> CheckResult {
        let mut withdrawn = Withdrawn::new();
        loop {
            let mut plan = self.request.plan(subject, &withdrawn);
            let fixes = describe::fixes(&subject.inquiry, &mut plan);
            let proven = self.prove(subject, &plan, &withdrawn);
            match proven {
                Ok(patched) => {
                    return CheckResult {
                        diagnostics: self.describe(subject, &plan, &fixes, &withdrawn),
                        patched,
                        suppressed: subject.suppressed.get(),
                    };
                }
                Err(failed) => withdrawn.extend(failed),
            }
        }
    }

    /// The patched text with all wanted fixes; the calls to withdraw when it cannot be proven.
    fn prove(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        withdrawn: &Withdrawn,
    ) -> Result<Option<String>, Withdrawn> {
        let wanted = self.request.wanted(plan);
        if wanted.is_empty() {
            return Ok(None);
        }
        let patched = self.patched(subject, plan, &wanted);
        let patched = patched.and_then(|text| match self.request.replan(&text, withdrawn) {
            Ok(()) => Ok(text),
            Err(failure) => Err(Unproven(failure.to_string())),
        });
        match patched {
            Ok(text) => Ok(Some(text)),
            Err(why) => Err(self.failing(subject, plan, &wanted, &why)),
        }
    }

    /// The text with the fixes of `groups`, proven.
    fn patched(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        groups: &[usize],
    ) -> Result<String, Unproven> {
        let assembly = assemble(&subject.inquiry, plan, groups)
            .map_err(|refusal| Unproven(refusal.to_string()))?;
        let Assembly { edits, promise, .. } = &assembly;
        let text = edits.apply(self.text);
        match (self.verify)(self.text, &text, promise) {
            Ok(()) => Ok(text),
            Err(why) => Err(Unproven(why)),
        }
    }

    /// The calls of the fixes that fail alone; of all fixes when each passes alone.
    fn failing(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        wanted: &[usize],
        together: &Unproven,
    ) -> Withdrawn {
        let alone = |group: &usize| {
            let needed = plan.with_dependencies(*group);
            let failure = self.patched(subject, plan, &needed).err()?;
            Some((*group, failure.0))
        };
        let mut failing: Vec<(usize, String)> = wanted.iter().filter_map(alone).collect();
        if failing.is_empty() {
            failing = wanted
                .iter()
                .map(|group| (*group, together.0.clone()))
                .collect();
        }
        let mut withdrawn = Withdrawn::new();
        for (group, why) in failing {
            let sites = plan.groups.get(group).map(|group| group.sites.as_slice());
            for decision in sites
                .unwrap_or_default()
                .iter()
                .filter_map(|at| plan.decisions.get(*at))
            {
                withdrawn.insert(
                    identity(subject.inquiry.module, &decision.site),
                    why.clone(),
                );
            }
        }
        withdrawn
    }

    /// The findings; those that were withdrawn say what their proof said.
    fn describe(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        fixes: &describe::Fixes,
        withdrawn: &Withdrawn,
    ) -> Vec<Diagnostic> {
        let module = subject.inquiry.module;
        let mut diagnostics = describe::diagnostics(module, plan, fixes);
        for (diagnostic, decision) in diagnostics.iter_mut().zip(&plan.decisions) {
            let fix = diagnostic.fix.as_ref().map(|fix| fix.applicability());
            let proof = match (withdrawn.get(&identity(module, &decision.site)), fix) {
                (Some(why), _) => why.clone(),
                (None, Some(grade)) if self.request.settings.applies(grade) => {
                    "all proofs passed".to_owned()
                }
                _ => continue,
            };
            diagnostic.trace.push(proof);
        }
        diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{FileContext, Settings};
    use crate::rule::SkipReason;

    const TWO: &str = "\
from collections import namedtuple
def f(): return namedtuple('A', 'x')(1)
def g(): return namedtuple('B', 'x')(1)
";

    /// What becomes of the two findings when verification says `verify`.
    fn check_with(verify: Verify<'_>) -> CheckResult {
        let (context, settings) = (FileContext::default(), Settings::default());
        let request = Request {
            context: &context,
            settings: &settings,
        };
        Checker {
            text: TWO,
            request,
            verify,
        }
        .run()
        .unwrap()
    }

    fn reasons(result: &CheckResult) -> Vec<Option<SkipReason>> {
        result
            .diagnostics
            .iter()
            .map(|found| found.skip_reason)
            .collect()
    }

    fn defines(promise: &Promise, name: &str) -> bool {
        promise
            .definitions
            .iter()
            .any(|definition| definition.name == name)
    }

    #[test]
    fn a_fix_that_fails_alone_is_withdrawn_and_the_others_are_made() {
        let result = check_with(&|_, _, promise| {
            if defines(promise, "B") {
                Err("no B".into())
            } else {
                Ok(())
            }
        });
        assert_eq!(
            reasons(&result),
            [None, Some(SkipReason::VerificationFailed)]
        );
        let patched = result.patched.unwrap();
        assert!(patched.contains("A = namedtuple('A', 'x')\n"), "{patched}");
        assert!(
            patched.contains("def g(): return namedtuple('B', 'x')(1)\n"),
            "{patched}"
        );
        let trace = &result.diagnostics[1].trace;
        assert!(trace.iter().any(|line| line.contains("no B")), "{trace:?}");
    }

    #[test]
    fn fixes_that_fail_together_only_are_all_withdrawn() {
        let result = check_with(&|_, _, promise| {
            let both = defines(promise, "A") && defines(promise, "B");
            if both { Err("not both".into()) } else { Ok(()) }
        });
        let withdrawn = Some(SkipReason::VerificationFailed);
        assert_eq!(reasons(&result), [withdrawn, withdrawn]);
        assert_eq!(result.patched, None);
    }
}
