//! The loop that plans, proves, and withdraws what cannot be proven.

use super::CheckResult;
use super::describe;
use super::replan::{Expected, ReplanFailure};
use super::subject::{Fate, Request, Subject, Withdrawn, identity};
use super::trace::Tracer;
use super::unproven::{Unproven, Withdrawal};
use super::unused::VerifyRemovals;
use super::verify::VerificationFailure;
use crate::hoist::Promise;
use crate::hoist::assembly::{Assembly, assemble};
use crate::hoist::plan::Plan;
use crate::python::SyntaxError;
use crate::rule::Diagnostic;
use crate::text::Edits;

/// The proofs of a patched text, against the original and the promise, that fail.
pub(super) type Verify<'v> = &'v dyn Fn(&str, &str, &Promise) -> Vec<VerificationFailure>;

/// One text to check, and how.
#[derive(Clone, Copy)]
pub(super) struct Checker<'c> {
    pub(super) text: &'c str,
    pub(super) request: Request<'c>,
    pub(super) verify: Verify<'c>,
    pub(super) verify_removals: VerifyRemovals<'c>,
    /// Whether each finding tells how it was decided.
    pub(super) traces: bool,
}

/// A text with fixes made, and the edits that made it.
pub(super) struct Patched {
    text: String,
    edits: Edits,
}

/// In a file with more fixes than this, none is tried on its own for what it leaves to be fixed.
const MOST_TRIED_ALONE: usize = 50;

impl Checker<'_> {
    pub(super) fn run(&self) -> Result<CheckResult, SyntaxError> {
        self.request
            .with_subject(self.text, |subject| self.check(subject))
    }

    fn check(&self, subject: &Subject<'_, '_>) -> CheckResult {
        let mut withdrawn = Withdrawn::new();
        loop {
            let mut plan = self.request.plan(subject, &withdrawn);
            let fixes = describe::fixes(subject, &mut plan);
            let proven = self.prove(subject, &plan, &withdrawn);
            match proven {
                Ok(patched) => {
                    let mut diagnostics =
                        describe::diagnostics(subject.inquiry.module, &plan, &fixes);
                    if self.traces {
                        self.trace(subject, &plan, &withdrawn, &mut diagnostics);
                    }
                    let hoisted = CheckResult {
                        diagnostics,
                        patched: patched.as_ref().map(|patched| patched.text.clone()),
                        suppressed: subject.count(Fate::Silenced),
                        accepted: subject.count(Fate::Accepted),
                    };
                    let edits = patched.as_ref().map(|patched| &patched.edits);
                    return self.with_unused_comments(subject, hoisted, (edits, &withdrawn));
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
    ) -> Result<Option<Patched>, Withdrawn> {
        let wanted = self.request.wanted(plan);
        if wanted.is_empty() {
            return Ok(None);
        }
        let patched = self.patched(subject, plan, &wanted);
        let expected = Expected::silenced_like(subject);
        let patched = patched.and_then(|patched| {
            match self.request.replan(&patched.text, withdrawn, &expected) {
                Ok(()) => Ok(patched),
                Err(failure) => Err(Unproven::Replan(failure)),
            }
        });
        match patched {
            Ok(patched) => Ok(Some(patched)),
            Err(why) => {
                let wanted = self.spoiling(subject, plan, &wanted, (&why, withdrawn));
                Err(self.failing(subject, plan, &wanted, &why))
            }
        }
    }

    /// The text with the fixes of `groups`, proven.
    fn patched(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        groups: &[usize],
    ) -> Result<Patched, Unproven> {
        let assembly = assemble(&subject.inquiry, plan, groups)
            .map_err(|refusal| Unproven::NotEditable(refusal.to_string()))?;
        let Assembly { edits, promise, .. } = assembly;
        let text = edits.apply(self.text);
        let failures = (self.verify)(self.text, &text, &promise);
        if failures.is_empty() {
            Ok(Patched { text, edits })
        } else {
            Err(Unproven::of(failures, &text))
        }
    }

    /// Of fixes after which more can be fixed, those that alone bring that about; else all of them.
    fn spoiling(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        wanted: &[usize],
        (why, withdrawn): (&Unproven, &Withdrawn),
    ) -> Vec<usize> {
        // Each is planned anew, which is too dear for a file of many fixes.
        let few = wanted.len() <= MOST_TRIED_ALONE;
        let spoils = |group: &&usize| {
            let needed = plan.with_dependencies(**group);
            let patched = self.patched(subject, plan, &needed);
            let replan = |patched: Patched| {
                let expected = Expected::silenced_like(subject);
                self.request.replan(&patched.text, withdrawn, &expected)
            };
            let others = wanted.len().saturating_sub(needed.len());
            match patched.map(replan) {
                Ok(Err(ReplanFailure::FixesLeft(left))) => left > others,
                Ok(Err(ReplanFailure::SilencesOthers)) => true,
                _ => false,
            }
        };
        let found: Vec<usize> = match why {
            Unproven::Replan(_) if few => wanted.iter().filter(spoils).copied().collect(),
            _ => vec![],
        };
        if found.is_empty() {
            wanted.to_vec()
        } else {
            found
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
            let why = self.patched(subject, plan, &needed).err()?;
            Some((*group, why))
        };
        let mut failing: Vec<(usize, Unproven)> = wanted.iter().filter_map(alone).collect();
        let is_together = failing.is_empty();
        if is_together {
            let all = wanted.iter().map(|group| (*group, together.clone()));
            failing.extend(all);
        }
        let tracer = self
            .traces
            .then(|| Tracer::new(subject.inquiry, plan, wanted));
        let mut withdrawn = Withdrawn::new();
        for (group, why) in failing {
            let sites = plan.groups.get(group).map(|group| group.sites.as_slice());
            for at in sites.unwrap_or_default() {
                let Some(decision) = plan.decisions.get(*at) else {
                    continue;
                };
                let decided = tracer.as_ref().map(|tracer| tracer.decided(*at));
                withdrawn.insert(
                    identity(subject.inquiry.module, &decision.site),
                    Withdrawal {
                        why: why.clone(),
                        together: is_together && wanted.len() > 1,
                        decided: decided.unwrap_or_default(),
                    },
                );
            }
        }
        withdrawn
    }

    /// Gives each finding its trace.
    fn trace(
        &self,
        subject: &Subject<'_, '_>,
        plan: &Plan<'_>,
        withdrawn: &Withdrawn,
        diagnostics: &mut [Diagnostic],
    ) {
        let wanted = self.request.wanted(plan);
        let tracer = Tracer::new(subject.inquiry, plan, &wanted);
        for (at, diagnostic) in diagnostics.iter_mut().enumerate() {
            diagnostic.trace = tracer.finding(at, diagnostic.fix.as_deref(), withdrawn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::verify::ProofName;
    use crate::check::{FileContext, Settings};
    use crate::rule::SkipReason;
    use crate::text::TextSize;

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
            verify_removals: &crate::check::verify::verify_removals,
            traces: true,
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

    fn failure(message: &str) -> VerificationFailure {
        VerificationFailure {
            check: ProofName::Names,
            message: message.to_owned(),
            offset: TextSize::default(),
        }
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
                vec![failure("no B.")]
            } else {
                vec![]
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
        let trace = result.diagnostics[1].trace.join("\n");
        insta::assert_snapshot!(trace);
    }

    #[test]
    fn fixes_that_fail_together_only_are_all_withdrawn() {
        let result = check_with(&|_, _, promise| {
            let both = defines(promise, "A") && defines(promise, "B");
            if both {
                vec![failure("not both.")]
            } else {
                vec![]
            }
        });
        let withdrawn = Some(SkipReason::VerificationFailed);
        assert_eq!(reasons(&result), [withdrawn, withdrawn]);
        assert_eq!(result.patched, None);
        let trace = &result.diagnostics[0].trace;
        let failed = "proof: `names` failed, together with the other fixes of this file: not both (at 1:1 of the patched text).";
        assert!(trace.iter().any(|line| line == failed), "{trace:#?}");
        assert!(trace.iter().any(|line| line == "name: `A` is free."));
    }

    /// When the second fix of `h` is made, nothing parts the first class from its docstring any more.
    const SPOILED: &str = "\
from collections import namedtuple
def h():
    A = namedtuple('P', 'a')
    from collections import namedtuple as nt
    B = nt('Q', 'a')
    A.__doc__ = 'x'
    return A(1), B(1)
def unrelated(): return namedtuple('Zed', 'q')(1)
";

    #[test]
    fn a_fix_after_which_more_can_be_fixed_is_withdrawn_alone() {
        let (context, settings) = (FileContext::default(), Settings::default());
        let result = crate::check::check(SPOILED, &context, &settings).unwrap();
        let withdrawn = Some(SkipReason::VerificationFailed);
        let written = Some(SkipReason::ClassWritten);
        assert_eq!(reasons(&result), [written, withdrawn, None]);
        assert!(
            result
                .patched
                .unwrap()
                .contains("def unrelated(): return Zed(1)\n")
        );
    }
}
