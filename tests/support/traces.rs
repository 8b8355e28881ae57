//! What must stand in the trace of every finding.

use hoist_namedtuple::check::CheckResult;
use hoist_namedtuple::rule::{Diagnostic, Role, registry};

/// The proofs of a patch, in order.
const PROOFS: [&str; 7] = [
    "syntax",
    "tree",
    "names",
    "order",
    "observers",
    "comments",
    "replan",
];

/// Holds that `traced` decides as `plain` does, which has no traces, and tells how; `is_fixed` says
/// which findings are fixed.
#[track_caller]
pub(super) fn assert_told(
    name: &str,
    plain: &CheckResult,
    traced: &CheckResult,
    is_fixed: &dyn Fn(usize) -> bool,
) {
    let decided = |result: &CheckResult| {
        let findings = result.diagnostics.iter().map(|found| Diagnostic {
            trace: vec![],
            ..found.clone()
        });
        format!("{:#?} {:#?}", findings.collect::<Vec<_>>(), result.patched)
    };
    assert_eq!(
        decided(plain),
        decided(traced),
        "{name}: -v decides otherwise"
    );
    assert!(
        plain.diagnostics.iter().all(|found| found.trace.is_empty()),
        "{name}: traces that nobody asked for"
    );
    for (index, found) in traced.diagnostics.iter().enumerate() {
        assert_whole(name, found, is_fixed(index));
    }
}

/// The arguments are told by what the factory does with them, or by how they are passed when it takes
/// no such arguments.
#[track_caller]
fn assert_arguments_told(name: &str, found: &Diagnostic, arguments: &[String]) {
    let says = |start: &str| arguments.iter().any(|line| line.starts_with(start));
    if says("a positional argument ") || says("a keyword argument ") {
        return;
    }
    let rule = registry()
        .unwrap()
        .by_factory(found.factory.as_ref().unwrap());
    let mut parameters = rule.unwrap().parameters.iter();
    let takes_fields = parameters.any(|parameter| parameter.role == Role::Fields);
    let wanted = ["the typename ", "the field names "].into_iter();
    for given in wanted.take(1 + usize::from(takes_fields)) {
        assert!(
            says(given),
            "{name}: nothing about {given}in {arguments:#?}"
        );
    }
}

#[track_caller]
fn assert_whole(name: &str, found: &Diagnostic, is_fixed: bool) {
    let trace = &found.trace;
    let about = |label: &str| {
        let label = format!("{label}: ");
        let lines = trace
            .iter()
            .filter_map(move |line| line.strip_prefix(&label));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let says = |label: &str| {
        assert!(!about(label).is_empty(), "{name}: no {label} in {trace:#?}");
    };
    for line in trace {
        assert!(!line.contains(['\n', '\r']), "{name}: {line:?}");
        assert_eq!(line.matches('`').count() % 2, 0, "{name}: {line:?}");
    }
    if super::is_about_comment(found) {
        for label in ["comment", "names", "silences"] {
            says(label);
        }
        let last = trace.last().unwrap();
        match (&found.fix, found.skip_reason) {
            (Some(fix), _) => assert_eq!(last, &format!("fix: {}", fix.message()), "{name}"),
            (None, Some(reason)) => {
                let ending = format!("no fix: {} [{}]", reason.sentence(), reason.code());
                assert_eq!(last, &ending, "{name}");
            }
            (None, None) => panic!("{name}: neither a fix nor a reason"),
        }
        return;
    }
    for label in ["call", "when", "argument", "use"] {
        says(label);
    }
    assert_arguments_told(name, found, &about("argument"));
    let last = trace.last().unwrap();
    if let Some(fix) = &found.fix {
        for label in ["name", "place", "site", "shared", "grade"] {
            says(label);
        }
        assert_eq!(last, &format!("fix: {}", fix.message()), "{name}");
        let outcome = if is_fixed { "passed: " } else { "not run, as " };
        let proofs = about("proof");
        let told = proofs.iter().map(|line| line.trim_start_matches('`'));
        let all = PROOFS.iter().map(|proof| format!("{proof}` {outcome}"));
        assert!(
            proofs.len() == PROOFS.len()
                && told.zip(all).all(|(line, start)| line.starts_with(&start)),
            "{name}: {proofs:#?}"
        );
    } else if let Some(reason) = found.skip_reason {
        let ending = format!("no fix: {} [{}]", reason.sentence(), reason.code());
        assert_eq!(last, &ending, "{name}");
    } else {
        assert!(last.starts_with("no fix: "), "{name}: {last}");
    }
}
