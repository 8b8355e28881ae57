//! The loop that plans, proves, and withdraws what cannot be proven.

use std::collections::BTreeSet;

use super::CheckResult;
use super::describe::{self, Fixes};
use super::replan::{Expected, ReplanFailure};
use super::subject::{Fate, Request, Subject, Withdrawn, identity};
use super::trace::Tracer;
use super::unproven::{Unproven, Withdrawal};
use super::unused::{Hoisted, VerifyRemovals};
use super::verify::VerificationFailure;
use super::verify::syntax::read_patched;
use crate::hoist::Promise;
use crate::hoist::assembly::{Assembly, assemble};
use crate::hoist::plan::Plan;
use crate::python::{Source, SyntaxError};
use crate::rule::Diagnostic;
use crate::text::Edits;

/// The proofs of a patched text, against the original and the promise, that fail.
pub(super) type Verify<'v> =
    &'v dyn Fn(&Source<'_>, &Source<'_>, &Promise) -> Vec<VerificationFailure>;

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

/// A plan, what is said of it, and what is made of it.
struct Hoists<'h, 'a> {
    plan: &'h Plan<'a>,
    fixes: &'h Fixes,
    wanted: &'h [usize],
    withdrawn: &'h Withdrawn,
}

/// In a file with more fixes than this, none is tried on its own for what it leaves to be fixed.
const MOST_TRIED_ALONE: usize = 50;

/// So many sets of fixes are proven to find those that fail; what is still in doubt then fails.
const MOST_TRIES: usize = 100;

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
            let hoists = Hoists {
                plan: &plan,
                fixes: &fixes,
                wanted: &self.request.wanted(&plan),
                withdrawn: &withdrawn,
            };
            match self.prove(subject, &hoists) {
                Ok(result) => return result,
                Err(failed) => withdrawn.extend(failed),
            }
        }
    }

    /// The result with all wanted fixes made; the calls to withdraw when these cannot be proven.
    fn prove<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        hoists: &Hoists<'_, 'a>,
    ) -> Result<CheckResult, Withdrawn> {
        let Hoists {
            plan,
            wanted,
            withdrawn,
            ..
        } = *hoists;
        if wanted.is_empty() {
            return Ok(self.result(subject, hoists, None));
        }
        let expected = Expected::silenced_like(subject);
        let proven = self.patched(subject, (plan, wanted), |patched, edits| {
            self.request.with_source(patched, |after| {
                let replanned = self.request.replan(after, withdrawn, &expected);
                let left = replanned.map_err(Unproven::Replan)?;
                let hoisted = Hoisted { after, edits, left };
                Ok(self.result(subject, hoists, Some(hoisted)))
            })
        });
        let result = proven.and_then(|(result, text)| {
            let mut result = result?;
            // It is another one when comments are removed from it.
            result.patched.get_or_insert(text);
            Ok(result)
        });
        result.map_err(|why| {
            let wanted = self.spoiling(subject, hoists, &why);
            self.failing(subject, (plan, &wanted), &why)
        })
    }

    /// What is found, and the text without unused comments, if that is not the one with the proven
    /// hoists.
    fn result<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        hoists: &Hoists<'_, 'a>,
        hoisted: Option<Hoisted<'_, '_, '_>>,
    ) -> CheckResult {
        let module = subject.inquiry.module;
        let mut diagnostics = describe::diagnostics(module, hoists.plan, hoists.fixes);
        if self.traces {
            self.trace(subject, hoists, &mut diagnostics);
        }
        let result = CheckResult {
            diagnostics,
            patched: None,
            left: None,
            suppressed: subject.count(Fate::Silenced),
            accepted: subject.count(Fate::Accepted),
        };
        self.with_unused_comments(subject, result, (hoisted, hoists.withdrawn))
    }

    /// Hands the text with the fixes of `groups` to `work`, proven, with the edits that made it; returns
    /// the text, too.
    fn patched<'a, T>(
        &self,
        subject: &Subject<'_, 'a>,
        (plan, groups): (&Plan<'a>, &[usize]),
        work: impl FnOnce(&Source<'_>, &Edits) -> T,
    ) -> Result<(T, String), Unproven> {
        let assembly = assemble(&subject.inquiry, plan, groups)
            .map_err(|refusal| Unproven::NotEditable(refusal.to_string()))?;
        let Assembly { edits, promise, .. } = assembly;
        let text = edits.apply(self.text);
        let proven = read_patched(&text, |patched| {
            let failures = (self.verify)(&subject.source(), patched, &promise);
            if failures.is_empty() {
                drop(promise);
                Ok(work(patched, &edits))
            } else {
                Err(Unproven::of(failures, &text))
            }
        });
        let proven = proven.unwrap_or_else(|failure| Err(Unproven::of(vec![failure], &text)));
        proven.map(|done| (done, text))
    }

    /// Of fixes after which more can be fixed, those that alone bring that about; else all of them.
    fn spoiling<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        hoists: &Hoists<'_, 'a>,
        why: &Unproven,
    ) -> Vec<usize> {
        let Hoists { plan, wanted, .. } = *hoists;
        // Each is planned anew, which is too dear for a file of many fixes.
        let few = wanted.len() <= MOST_TRIED_ALONE;
        let expected = Expected::silenced_like(subject);
        let spoils = |group: &&usize| {
            let needed = plan.with_dependencies(**group);
            let replanned = self.patched(subject, (plan, &needed), |patched, _| {
                self.request.with_source(patched, |after| {
                    let left = self.request.replan(after, hoists.withdrawn, &expected);
                    left.map(drop)
                })
            });
            let others = wanted.len().saturating_sub(needed.len());
            match replanned {
                Ok((Err(ReplanFailure::FixesLeft(left)), _)) => left > others,
                Ok((Err(ReplanFailure::SilencesOthers), _)) => true,
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
    fn failing<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        (plan, wanted): (&Plan<'a>, &[usize]),
        together: &Unproven,
    ) -> Withdrawn {
        let mut failing = self.failing_alone(subject, (plan, wanted), together);
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

    /// The fixes of `wanted`, which fail `together`, that fail alone, and why.
    ///
    /// In a file of many fixes they are looked for by halves, as a set that passes holds none.
    fn failing_alone<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        (plan, wanted): (&Plan<'a>, &[usize]),
        together: &Unproven,
    ) -> Vec<(usize, Unproven)> {
        let fault = |groups: &[usize]| {
            let needed = groups.iter().flat_map(|at| plan.with_dependencies(*at));
            let needed: BTreeSet<usize> = needed.collect();
            let needed: Vec<usize> = needed.into_iter().collect();
            self.patched(subject, (plan, &needed), |_, _| ()).err()
        };
        if wanted.len() <= MOST_TRIED_ALONE {
            let alone = |group: &usize| Some((*group, fault(&[*group])?));
            return wanted.iter().filter_map(alone).collect();
        }
        let mut failing = vec![];
        let mut open = match together {
            // The proofs of all of them held.
            Unproven::Replan(_) => vec![],
            _ => vec![(wanted, together.clone())],
        };
        let mut tries = 0;
        while let Some((groups, why)) = open.pop() {
            if groups.len() == 1 || tries >= MOST_TRIES {
                failing.extend(groups.iter().map(|group| (*group, why.clone())));
                continue;
            }
            let (first, second) = groups.split_at(groups.len() / 2);
            let halves = [second, first].into_iter();
            open.extend(halves.filter_map(|half| Some((half, fault(half)?))));
            tries += 2;
        }
        failing
    }

    /// Gives each finding its trace.
    fn trace<'a>(
        &self,
        subject: &Subject<'_, 'a>,
        hoists: &Hoists<'_, 'a>,
        diagnostics: &mut [Diagnostic],
    ) {
        let tracer = Tracer::new(subject.inquiry, hoists.plan, hoists.wanted);
        for (at, diagnostic) in diagnostics.iter_mut().enumerate() {
            let fix = diagnostic.fix.as_deref();
            diagnostic.trace = tracer.finding(at, fix, hoists.withdrawn);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

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
        check_text(TWO, verify)
    }

    fn check_text(text: &str, verify: Verify<'_>) -> CheckResult {
        let (context, settings) = (FileContext::default(), Settings::default());
        let request = Request {
            context: &context,
            settings: &settings,
        };
        Checker {
            text,
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

    #[test]
    fn among_many_fixes_the_failing_ones_are_found_in_few_proofs() {
        let sites = (0..300).map(|n| format!("def f{n}(): return namedtuple('T{n}', 'x')(1)\n"));
        let text = format!(
            "from collections import namedtuple\n{}",
            sites.collect::<String>()
        );
        for failing in [vec![0], vec![7, 8, 299], (0..300).collect()] {
            let count = Cell::new(0);
            let result = check_text(&text, &|_, _, promise| {
                count.set(count.get() + 1);
                let names = failing.iter().map(|n| format!("T{n}"));
                let mut failed = names.filter(|name| defines(promise, name));
                failed.next().map(|_| failure("no.")).into_iter().collect()
            });
            let withdrawn = reasons(&result).into_iter().enumerate();
            let withdrawn = withdrawn.filter(|(_, reason)| reason.is_some());
            let withdrawn: Vec<usize> = withdrawn.map(|(at, _)| at).collect();
            assert_eq!(withdrawn, failing);
            assert!(count.get() <= MOST_TRIES + 4, "{count:?}");
        }
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
