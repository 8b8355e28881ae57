//! The properties that every program must have, and what breaks them.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hoist_namedtuple::check::{CheckResult, Settings, check};
use hoist_namedtuple::python::parse::parse;
use hoist_namedtuple::python::tokens;
use hoist_namedtuple::rule::suppression::own::pieces;
use hoist_namedtuple::rule::{Fix, SkipReason};
use hoist_namedtuple::text::{Edit, Edits, TextRange, TextSize};

use crate::interpreter::{Interpreter, Job, Run};
use crate::program::Program;

/// What a program does not keep to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Property {
    NoPanic,
    NoVerificationFailed,
    OnlyEditsChange,
    CommentsStay,
    SecondCheckFixesNothing,
    SilencedStay,
    PatchCompiles,
    SameTrace,
    SameNames,
}

impl fmt::Display for Property {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoPanic => "no panic",
            Self::NoVerificationFailed => "no verification-failed",
            Self::OnlyEditsChange => "bytes outside the edits stay",
            Self::CommentsStay => "comments stay",
            Self::SecondCheckFixesNothing => "a second check fixes nothing",
            Self::SilencedStay => "comments silence as many findings as before",
            Self::PatchCompiles => "the patch compiles",
            Self::SameTrace => "same trace",
            Self::SameNames => "same names",
        })
    }
}

/// A property that a program lacks.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) property: Property,
    /// What differs, in a few lines.
    pub(crate) what: String,
    /// The patched text, when there is one.
    pub(crate) patched: Option<String>,
}

/// What became of one program.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What the check with unsafe fixes said; `None` when the program is no module.
    pub(crate) result: Option<CheckResult>,
    /// The run of the unpatched program, when there was a patch to compare it with.
    pub(crate) run: Option<Run>,
    pub(crate) failure: Option<Failure>,
}

/// The patch of one grade.
struct Patch {
    text: String,
    is_safe: bool,
}

/// Checks the program, patches it and runs it before and after.
pub(crate) fn attempt(program: &Program, python: &mut Interpreter) -> Outcome {
    let mut outcome = Outcome {
        result: None,
        run: None,
        failure: None,
    };
    let mut patches: Vec<Patch> = vec![];
    for is_safe in [true, false] {
        match checked(program, is_safe) {
            Ok(None) => return outcome,
            Ok(Some(result)) => {
                if let Some(text) = result.patched.clone()
                    && !patches.iter().any(|patch| patch.text == text)
                {
                    patches.push(Patch { text, is_safe });
                }
                outcome.result = Some(result);
            }
            Err(failure) => {
                outcome.failure = Some(failure);
                return outcome;
            }
        }
    }
    if !patches.is_empty() {
        let (run, failure) = compare(program, &patches, python);
        outcome.run = Some(run);
        outcome.failure = failure;
    }
    outcome
}

fn settings(is_safe: bool) -> Settings {
    Settings {
        unsafe_fixes: !is_safe,
        ..Settings::default()
    }
}

/// The result of a check, held to what can be said without running it.
fn checked(program: &Program, is_safe: bool) -> Result<Option<CheckResult>, Failure> {
    let settings = settings(is_safe);
    let again = |text: &str| {
        let result = catch_unwind(AssertUnwindSafe(|| {
            check(text, &program.context, &settings)
        }));
        result.map_err(|_| failure(Property::NoPanic, "it panics".to_owned(), None))
    };
    let Ok(result) = again(&program.text)? else {
        return Ok(None);
    };
    let withdrawn = |reason: Option<SkipReason>| reason == Some(SkipReason::VerificationFailed);
    if let Some(found) = result
        .diagnostics
        .iter()
        .find(|found| withdrawn(found.skip_reason))
    {
        let what = found.trace.last().cloned().unwrap_or_default();
        return Err(failure(Property::NoVerificationFailed, what, None));
    }
    let Some(patched) = &result.patched else {
        return Ok(Some(result));
    };
    let fail = |property, what: &str| Err(failure(property, what.to_owned(), Some(patched)));
    if let Some(what) = changed_outside(&program.text, patched, &result, &settings) {
        return fail(Property::OnlyEditsChange, &what);
    }
    match again(patched)? {
        Err(error) => return fail(Property::PatchCompiles, &error.to_string()),
        Ok(second) if second.patched.is_some() => {
            return fail(Property::SecondCheckFixesNothing, "it fixes more");
        }
        Ok(second) => {
            let silenced = (result.suppressed, second.suppressed);
            if silenced.0 != silenced.1 {
                return fail(Property::SilencedStay, &format!("{silenced:?}"));
            }
        }
    }
    if let Some(what) = comments_differ(&program.text, patched, &result, &settings) {
        return fail(Property::CommentsStay, &what);
    }
    Ok(Some(result))
}

fn failure(property: Property, what: String, patched: Option<&str>) -> Failure {
    Failure {
        property,
        what,
        patched: patched.map(str::to_owned),
    }
}

/// What of the text outside the made edits is not in the patched text.
fn changed_outside(
    text: &str,
    patched: &str,
    result: &CheckResult,
    settings: &Settings,
) -> Option<String> {
    let mut made: Vec<&Fix> = vec![];
    for (index, found) in result.diagnostics.iter().enumerate() {
        if let Some(fix) = found
            .fix
            .as_deref()
            .filter(|_| result.is_fixed(index, settings))
            && !made.iter().any(|known| std::ptr::eq(*known, fix))
        {
            made.push(fix);
        }
    }
    if let [only] = made.as_slice() {
        let edits = Edits::new(only.edits().cloned().collect()).ok()?;
        return (edits.apply(text) != patched).then(|| "the patch is not the fix".to_owned());
    }
    let ranges: Vec<TextRange> = made
        .iter()
        .flat_map(|fix| fix.edits().map(Edit::range))
        .collect();
    let mut rest = patched.lines();
    let mut start = TextSize::from(0);
    for line in text.split_inclusive('\n') {
        let range = TextRange::at(start, TextSize::of(line));
        start = range.end();
        let is_edited = ranges
            .iter()
            .any(|edit| edit.start() <= range.end() && range.start() <= edit.end());
        // An import goes when all the fixes that take a use of it away are made.
        let may_go = is_edited || line.trim().is_empty() || line.contains("import ");
        if !may_go && !rest.any(|kept| kept == line.trim_end_matches(['\r', '\n'])) {
            return Some(format!("{line:?} is gone"));
        }
    }
    None
}

/// How the comments of the patched text differ from those of `text` without the unused ones that are
/// removed.
fn comments_differ(
    text: &str,
    patched: &str,
    result: &CheckResult,
    settings: &Settings,
) -> Option<String> {
    let mut balance: BTreeMap<String, isize> = BTreeMap::new();
    for comment in comments(text) {
        *balance.entry(comment).or_default() += 1;
    }
    for comment in comments(patched) {
        *balance.entry(comment).or_default() -= 1;
    }
    let found = result.diagnostics.iter().enumerate();
    let fixed =
        found.filter(|(index, found)| found.factory.is_none() && result.is_fixed(*index, settings));
    let mut shortened = 0;
    for (_, found) in fixed {
        *balance.entry(text[found.range].to_owned()).or_default() -= 1;
        shortened += usize::from(found.message.contains("from the list"));
    }
    let is_shortened = |(comment, surplus): &(&String, &isize)| {
        **surplus < 0 && comment.contains("hoist-namedtuple: ignore[")
    };
    let all_shortened: isize = balance
        .iter()
        .filter(is_shortened)
        .map(|(_, surplus)| surplus)
        .sum();
    if all_shortened.unsigned_abs() != shortened {
        return Some(format!("{all_shortened} of {shortened} are shortened"));
    }
    balance
        .iter()
        .find(|entry| *entry.1 != 0 && !is_shortened(entry))
        .map(|(comment, surplus)| format!("{comment:?} is lost or doubled: {surplus}"))
}

/// The pieces of all comments in the text.
fn comments(text: &str) -> Vec<String> {
    let Ok(parsed) = parse(text) else {
        return vec![];
    };
    let all = TextRange::up_to(TextSize::of(text));
    let comments = tokens::comments(parsed.tokens(), all).into_iter();
    comments
        .flat_map(|range| {
            let comment = &text[range];
            pieces(comment, false).into_iter().map(|piece| {
                let hash = if piece.is_bare { "# " } else { "" };
                format!("{hash}{}", comment[piece.range].trim_end())
            })
        })
        .collect()
}

/// How the unpatched program runs.
pub(crate) fn run_alone(program: &Program, python: &mut Interpreter) -> Run {
    compare(program, &[], python).0
}

/// Runs the program and its patches, and says how they differ.
fn compare(
    program: &Program,
    patches: &[Patch],
    python: &mut Interpreter,
) -> (Run, Option<Failure>) {
    let submodules = program.context.sibling_modules.iter().map(String::as_str);
    let texts = std::iter::once(program.text.as_str());
    let job = Job {
        variants: texts
            .chain(patches.iter().map(|patch| patch.text.as_str()))
            .collect(),
        probes: program
            .probes
            .iter()
            .map(|probe| probe.code.as_str())
            .collect(),
        split: program.is_split,
        submodules: submodules
            .filter(|_| program.context.is_package_init)
            .collect(),
        injected: &program.injected,
    };
    let mut runs = python.run(&job).into_iter();
    let before = runs.next().unwrap();
    if !before.compiles() || before.is_out_of_time() {
        return (before, None);
    }
    let mut pairs = patches.iter().zip(runs);
    let failure = pairs.find_map(|(patch, after)| {
        let (property, what) = difference(program, patch, &before, &after)?;
        Some(failure(property, what, Some(&patch.text)))
    });
    (before, failure)
}

fn difference(
    program: &Program,
    patch: &Patch,
    before: &Run,
    after: &Run,
) -> Option<(Property, String)> {
    if after.is_out_of_time() {
        return None;
    }
    if !after.compiles() {
        return Some((Property::PatchCompiles, after.trace.concat()));
    }
    if before.end != after.end {
        return Some((
            Property::SameTrace,
            format!("{} -> {}", before.end, after.end),
        ));
    }
    for (at, (one, other)) in before.trace.iter().zip(&after.trace).enumerate() {
        let only_safe = program.probes.get(at).is_some_and(|probe| probe.only_safe);
        if one != other && (patch.is_safe || !only_safe) {
            return Some((Property::SameTrace, format!("{one}\n-> {other}")));
        }
    }
    before.names.iter().find_map(|(name, value)| {
        let now = after.names.get(name);
        (now != Some(value)).then(|| (Property::SameNames, format!("{name}: {value}\n-> {now:?}")))
    })
}
