//! What each proof said about a fix.

use super::{Label, Lines};
use crate::check::replan::ReplanFailure;
use crate::check::unproven::{Unproven, Withdrawal};
use crate::check::verify::ProofName;

/// The name of the proof that planning again finds nothing.
const REPLAN: &str = "replan";

/// Every proof passed.
pub(super) fn passed(lines: &mut Lines) {
    for proof in ProofName::ALL {
        say(
            lines,
            &proof.to_string(),
            format!("passed: {}", claim(proof)),
        );
    }
    say(lines, REPLAN, format!("passed: {REPLAN_CLAIM}"));
}

/// No proof was made; `why` is a clause.
pub(super) fn not_run(why: &str, lines: &mut Lines) {
    for proof in names() {
        say(lines, &proof, format!("not run, as {why}"));
    }
}

/// What the proofs said that a withdrawn fix did not pass.
pub(super) fn withdrawn(withdrawal: &Withdrawal, lines: &mut Lines) {
    let company = if withdrawal.together {
        ", together with the other fixes of this file"
    } else {
        ""
    };
    match &withdrawal.why {
        Unproven::NotEditable(why) => {
            not_run(&format!("there is no patched text{company}: {why}"), lines);
        }
        Unproven::Replan(failure) => {
            for proof in ProofName::ALL {
                say(
                    lines,
                    &proof.to_string(),
                    format!("passed: {}", claim(proof)),
                );
            }
            let why = match failure {
                ReplanFailure::FixesLeft(count) => format!("{count} fixes are left to make"),
                ReplanFailure::SilencesOthers => {
                    "comments silence other findings than before".to_owned()
                }
                ReplanFailure::Unreadable(why) => why.clone(),
            };
            say(lines, REPLAN, format!("failed{company}: {why}"));
        }
        Unproven::Failed(failed) => {
            let unreadable = failed
                .iter()
                .any(|failed| failed.proof == ProofName::Syntax);
            for proof in ProofName::ALL {
                let failure = failed.iter().find(|failed| failed.proof == proof);
                let outcome = match failure {
                    Some(failure) => format!(
                        "failed{company}: {} (at {}:{} of the patched text)",
                        failure.message.trim_end_matches('.'),
                        failure.at.row,
                        failure.at.column
                    ),
                    None if unreadable => "not run, as the patched text is no module".to_owned(),
                    None => format!("passed: {}", claim(proof)),
                };
                say(lines, &proof.to_string(), outcome);
            }
            say(lines, REPLAN, "not run, as another proof failed".to_owned());
        }
    }
}

fn names() -> impl Iterator<Item = String> {
    let names = ProofName::ALL.iter().map(ToString::to_string);
    names.chain([REPLAN.to_owned()])
}

fn say(lines: &mut Lines, name: &str, outcome: String) {
    lines.say(Label::Proof, format!("`{name}` {outcome}."));
}

/// What holds when the proof passes.
fn claim(proof: ProofName) -> &'static str {
    match proof {
        ProofName::Syntax => "the patched text parses",
        ProofName::Tree => "only the planned nodes differ",
        ProofName::Names => "every other name means what it meant",
        ProofName::Order => "nothing is read before it is bound",
        ProofName::Observers => "no use of the definition tells its class from a fresh one",
        ProofName::Comments => "no comment is lost, doubled or changed",
    }
}

const REPLAN_CLAIM: &str = "planning the patched text finds nothing to fix";
