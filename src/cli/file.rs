//! One file from its bytes to its outcome: screen, decode, check, and write.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::baseline::{self, Allowance, Counts, Exceeded};
use super::disk::decode::{self, Decoded};
use super::disk::diff;
use super::disk::first_look::{self, Contents, Scratch, Screens};
use super::disk::interrupt::uninterrupted;
use super::disk::surroundings::Surroundings;
use super::disk::write::{self, WriteError};
use super::guard::guarded;
use super::options::{Mode, Options};
use super::paths::{relative, shown, single_line};
use super::problem::{Problem, unreadable};
use super::size::Size;
use super::walk::Source;
use crate::check::{CheckResult, FileContext, Settings};
use crate::python::SyntaxError;
use crate::rule::{Diagnostic, Registry};
use crate::text::Lines;

/// How often a file that changes while it is checked is read again.
const RETRIES: usize = 3;

/// Why a fix is neither written nor part of a diff.
const ONLY_LINKED: &str = "it is a link to a file that is not among those to check, so the fix was not written. \
     Give that file itself to have it fixed.";

/// What checks a text: [`crate::check::check`], or a stand-in for it in tests.
pub(crate) type Checker<'a> =
    dyn Fn(&str, &FileContext, &Settings) -> Result<CheckResult, SyntaxError> + Sync + 'a;

/// What became of one file.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The path as it is shown.
    pub(crate) path: PathBuf,
    /// The text that the findings' ranges are in: the patched one when it was written. Empty when there
    /// are none, as outcomes wait for their turn.
    pub(crate) text: String,
    /// The findings that are left.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// All rules that there are for it.
    pub(crate) registry: &'static Registry,
    /// Whether unsafe fixes are wanted in it.
    pub(crate) unsafe_fixes: bool,
    /// How many findings a written fix removed.
    pub(crate) fixed: usize,
    /// How many findings a comment silenced.
    pub(crate) suppressed: usize,
    /// The findings that the baseline accepts.
    pub(crate) accepted: Counts,
    /// The findings that there are more of than the baseline accepts.
    pub(crate) exceeded: Vec<Exceeded>,
    /// The diff of what a fix would write; empty unless it was asked for.
    pub(crate) diff: Vec<u8>,
    /// How each finding was decided.
    pub(crate) trace: Vec<String>,
    /// What went wrong.
    pub(crate) problem: Option<Problem>,
}

impl Outcome {
    fn new(source: &Source) -> Self {
        Self {
            path: source.shown.clone(),
            registry: source.settings.registry,
            unsafe_fixes: source.settings.unsafe_fixes,
            ..Self::default()
        }
    }

    /// Whether there is more to say of the file than that it was checked.
    pub(crate) fn says_something(&self) -> bool {
        !self.diagnostics.is_empty()
            || !self.diff.is_empty()
            || !self.trace.is_empty()
            || !self.exceeded.is_empty()
            || self.problem.is_some()
    }

    fn stopped(source: &Source, problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            ..Self::new(source)
        }
    }

    fn failed(source: &Source, message: impl Into<String>) -> Self {
        Self::stopped(source, Problem::new(&source.shown, message))
    }
}

/// All that files share on their way.
pub(crate) struct Pipeline<'a> {
    options: &'a Options,
    checker: &'a Checker<'a>,
    screens: Screens,
    surroundings: Surroundings,
}

/// A file that was checked, before anything is done about it.
struct Checked {
    decoded: Decoded,
    context: FileContext,
    result: CheckResult,
    accepted: Counts,
    exceeded: Vec<Exceeded>,
    /// The patched text in the file's encoding, when it differs.
    patched: Option<Vec<u8>>,
}

impl<'a> Pipeline<'a> {
    /// A pipeline that checks with `checker`.
    pub(crate) fn new(options: &'a Options, checker: &'a Checker<'a>) -> Self {
        Self {
            options,
            checker,
            screens: Screens::default(),
            surroundings: Surroundings::default(),
        }
    }

    /// Whether the file at `path` may have something to say, as far as a first look at its bytes tells.
    pub(crate) fn may_speak(
        &self,
        path: &Path,
        settings: &Arc<Settings>,
        scratch: &mut Scratch,
    ) -> bool {
        let shown = || relative(path, &self.options.walk.cwd);
        let known = self.options.baseline.as_ref();
        // What the baseline accepts may be gone, which only a check can tell.
        known.is_some_and(|known| known.baseline.accepts_some(&shown()))
            || self.screens.may_find(path, settings, scratch)
    }

    /// Checks the file at `source`, and writes its fixes when that is wanted.
    ///
    /// A file that changes meanwhile is read and checked again.
    pub(crate) fn file(&self, source: &Source) -> Outcome {
        for _ in 0..=RETRIES {
            if let Some(outcome) = self.attempt(source) {
                return self.settled(outcome);
            }
        }
        Outcome::failed(source, WriteError::Changed.to_string())
    }

    /// The outcome without what nobody asks for: the text of a file without findings, and all that is
    /// left, when the baseline is written anew.
    fn settled(&self, mut outcome: Outcome) -> Outcome {
        let known = self.options.baseline.as_ref();
        if outcome.problem.is_none() && known.is_some_and(|known| known.is_written) {
            outcome.accepted = baseline::count(&outcome.diagnostics);
            outcome.diagnostics.clear();
        }
        if outcome.diagnostics.is_empty() {
            outcome.text = String::new();
        }
        outcome
    }

    /// Checks standard input, whose bytes are `bytes`; the second result is what `--fix` prints.
    pub(crate) fn stdin(&self, bytes: &[u8], source: &Source) -> (Outcome, Vec<u8>) {
        let decoded = decode::decode(bytes).map_err(|why| Problem::new(&source.shown, why));
        let mut checked = match decoded.and_then(|decoded| self.check(decoded, source)) {
            Ok(checked) => checked,
            Err(problem) => return (Outcome::stopped(source, problem), bytes.to_vec()),
        };
        match (self.options.mode, checked.patched.take()) {
            (Mode::Fix, Some(patched)) => (self.fixed(checked, source), patched),
            (_, patched) => (
                self.reported(checked, source, bytes, patched),
                bytes.to_vec(),
            ),
        }
    }

    /// The outcome of a file that is larger than what is checked.
    pub(crate) fn too_large(&self, source: &Source) -> Outcome {
        let most = self.options.walk.run.max_file_size;
        let raised = match most < Size::MOST {
            true => "Raise that with --max-file-size, or leave it out with --exclude.",
            false => "Leave it out with --exclude.",
        };
        let message = format!("it is larger than {most}, the most that is checked. {raised}");
        Outcome::failed(source, message)
    }

    /// `None` when the file changed since it was read.
    fn attempt(&self, source: &Source) -> Option<Outcome> {
        let fail = |message: String| Some(Outcome::failed(source, message));
        let screen = match self.screens.of(&source.settings) {
            Ok(screen) => screen,
            Err(error) => return fail(format!("its rules cannot be used ({error}). Use fewer.")),
        };
        let most = self.options.walk.run.max_file_size;
        let bytes = match first_look::read(&screen, &source.path, most) {
            Ok(Contents::NoCandidate) => return Some(Outcome::new(source)),
            Ok(Contents::Candidate(bytes)) => bytes,
            Ok(Contents::TooLarge) => return Some(self.too_large(source)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return fail(
                    "it was there and is gone. Run again when nothing else changes its folder."
                        .to_owned(),
                );
            }
            Err(error) => return fail(unreadable(&error)),
        };
        let decoded = match decode::decode(&bytes) {
            Ok(decoded) if !screen.needs_tree(&decoded.text) => return Some(Outcome::new(source)),
            Ok(decoded) => decoded,
            Err(message) => return fail(message),
        };
        let mut checked = match self.check(decoded, source) {
            Ok(checked) => checked,
            Err(problem) => return Some(Outcome::stopped(source, problem)),
        };
        let patched = checked.patched.take();
        if patched.is_some() && source.is_only_linked && self.options.mode != Mode::Report {
            return Some(Outcome {
                problem: Some(Problem::new(&source.shown, ONLY_LINKED)),
                ..self.reported(checked, source, &bytes, None)
            });
        }
        let (Mode::Fix, Some(patched)) = (self.options.mode, &patched) else {
            return Some(self.reported(checked, source, &bytes, patched));
        };
        match uninterrupted(|| write::replace(&source.path, &bytes, patched)) {
            Ok(()) => Some(self.fixed(checked, source)),
            Err(WriteError::Changed) => None,
            Err(error) => Some(Outcome {
                problem: Some(Problem::new(&source.shown, error.to_string())),
                ..self.reported(checked, source, &bytes, None)
            }),
        }
    }

    fn check(&self, decoded: Decoded, source: &Source) -> Result<Checked, Problem> {
        let fail = |message: String| Problem::new(&source.shown, message);
        let mut context = self.surroundings.of(&source.path, &source.shown);
        let run = |context: &FileContext| {
            self.run_checker(&decoded.text, context, source)
                .map_err(fail)?
                .map_err(|error| syntax_problem(&error, &decoded.text, source))
        };
        let mut result = run(&context)?;
        let allowance = self.allowance(source, &result.diagnostics);
        let mut accepted = Counts::new();
        if !allowance.accepted.is_empty() {
            accepted = baseline::count(&result.diagnostics);
            accepted.retain(|key, _| allowance.accepted.contains(key));
            context.accepted = allowance.accepted;
            result = run(&context)?;
        }
        let patched = match result.patched.as_deref() {
            Some(text) if text != decoded.text => Some(decoded.encode(text).ok_or_else(|| {
                fail(
                    "its fix holds a character that its encoding lacks. Convert the file to UTF-8."
                        .to_owned(),
                )
            })?),
            _ => None,
        };
        Ok(Checked {
            decoded,
            context,
            result,
            accepted,
            exceeded: allowance.exceeded,
            patched,
        })
    }

    /// What the baseline says to the findings of a file; nothing while it is written anew.
    fn allowance(&self, source: &Source, findings: &[Diagnostic]) -> Allowance {
        match &self.options.baseline {
            Some(known) if !known.is_written => known.baseline.allowance(&source.shown, findings),
            _ => Allowance::default(),
        }
    }

    fn run_checker(
        &self,
        text: &str,
        context: &FileContext,
        source: &Source,
    ) -> Result<Result<CheckResult, SyntaxError>, String> {
        guarded(|| (self.checker)(text, context, &source.settings))
    }

    /// The outcome when nothing is written.
    fn reported(
        &self,
        checked: Checked,
        source: &Source,
        bytes: &[u8],
        patched: Option<Vec<u8>>,
    ) -> Outcome {
        let diff = match (self.options.mode, patched) {
            (Mode::Diff, Some(patched)) => diff::unified(bytes, &patched, &source.shown),
            _ => Vec::new(),
        };
        let text = checked.decoded.text;
        Outcome {
            diff,
            trace: trace(&checked.result.diagnostics, &text, &source.shown),
            suppressed: checked.result.suppressed,
            accepted: checked.accepted,
            exceeded: checked.exceeded,
            diagnostics: checked.result.diagnostics,
            text,
            ..Outcome::new(source)
        }
    }

    /// The outcome when the fixes were written: what is left is looked for in the patched text, so
    /// that its rows are those of the file as it is now.
    fn fixed(&self, checked: Checked, source: &Source) -> Outcome {
        let Checked {
            decoded,
            context,
            result,
            accepted,
            exceeded,
            ..
        } = checked;
        let fixed = (0..result.diagnostics.len())
            .filter(|index| result.is_fixed(*index, &source.settings))
            .count();
        let trace = trace(&result.diagnostics, &decoded.text, &source.shown);
        let CheckResult { patched, left, .. } = result;
        let text = patched.unwrap_or_default();
        let mut outcome = Outcome {
            fixed,
            trace,
            suppressed: result.suppressed,
            accepted,
            exceeded,
            ..Outcome::new(source)
        };
        match left {
            Some(left) => outcome.diagnostics = left,
            None => match self.run_checker(&text, &context, source) {
                Ok(Ok(again)) => outcome.diagnostics = again.diagnostics,
                Ok(Err(error)) => outcome.problem = Some(syntax_problem(&error, &text, source)),
                Err(message) => outcome.problem = Some(Problem::new(&source.shown, message)),
            },
        }
        outcome.text = text;
        outcome
    }
}

fn syntax_problem(error: &SyntaxError, text: &str, source: &Source) -> Problem {
    Problem {
        place: Some(Lines::new(text).location(error.offset)),
        ..Problem::new(
            &source.shown,
            format!(
                "{}. The file is not valid Python 3 and stays as it is; correct it or leave it out.",
                single_line(&error.message)
            ),
        )
    }
}

/// The decisions about each finding, under a line with its place.
fn trace(diagnostics: &[Diagnostic], text: &str, path: &Path) -> Vec<String> {
    let lines = Lines::new(text);
    let mut out = Vec::new();
    for diagnostic in diagnostics {
        let start = lines.location(diagnostic.range.start());
        out.push(format!(
            "{}:{}:{}: {}",
            shown(path),
            start.row,
            start.column,
            diagnostic.code
        ));
        let lines = diagnostic.trace.iter();
        out.extend(lines.map(|line| format!("  {}", single_line(line))));
    }
    out
}

#[cfg(test)]
#[path = "file_tests.rs"]
pub(super) mod tests;
