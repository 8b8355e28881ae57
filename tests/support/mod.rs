//! What the fixture tests share: loading a fixture, and the invariants that hold for every one of them.

mod traces;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use hoist_namedtuple::check::{
    CheckResult, FileContext, Naming, Settings, check as check_text, check_with_trace,
};
use hoist_namedtuple::rule::{Diagnostic, Fix};
use hoist_namedtuple::text::{Edit, Edits};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What a fixture's name says must come out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// `hoist_`: at least one finding is fixed.
    Hoist,
    /// `skip_`: at least one finding says why it is not fixed, and nothing is.
    Skip,
    /// `silent_`: there is no finding.
    Silent,
    /// `error_`: the file is no Python module.
    Error,
}

impl Verdict {
    #[track_caller]
    fn of(stem: &str) -> Self {
        match stem.split('_').next() {
            Some("hoist") => Self::Hoist,
            Some("skip") => Self::Skip,
            Some("silent") => Self::Silent,
            Some("error") => Self::Error,
            _ => panic!("{stem}: a fixture's name starts with hoist_, skip_, silent_ or error_"),
        }
    }
}

/// One Python file below `fixtures/`, with what its directives say.
#[derive(Debug)]
pub(crate) struct Fixture {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The file's name without `.py`.
    pub(crate) stem: String,
    /// What its name promises.
    pub(crate) verdict: Verdict,
    /// Its text.
    pub(crate) text: String,
    settings: Settings,
    context: FileContext,
}

/// A fixture and what the check made of it.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The fixture.
    pub(crate) fixture: Fixture,
    /// Its findings and patch; empty when it is no Python module.
    pub(crate) result: CheckResult,
}

/// Where a case stands, when that matters.
#[derive(Deserialize)]
struct Place {
    name: String,
    filename: Option<PathBuf>,
    #[serde(default)]
    siblings: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct CaseFile<T> {
    case: Vec<T>,
}

/// The folder of all fixtures.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Every fixture below `fixtures/` in path order; those of the symbol table have a test of their own.
///
/// With `HOIST_NAMEDTUPLE_FIXTURE` set, only those whose path contains its value.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let wanted = std::env::var("HOIST_NAMEDTUPLE_FIXTURE").unwrap_or_default();
    walkdir::WalkDir::new(root())
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            !matches!(entry.file_name().to_str(), Some("symtable" | "__pycache__"))
        })
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .filter(|path| path.to_string_lossy().contains(&wanted))
        .collect()
}

/// The entries of `fixtures/cases/cases.toml`, read as `T`.
pub(crate) fn cases<T: DeserializeOwned>() -> Vec<T> {
    let text = fs::read_to_string(root().join("cases/cases.toml")).unwrap();
    match toml::from_str::<CaseFile<T>>(&text) {
        Ok(file) => file.case,
        Err(error) => panic!("cases.toml: {}", error.message()),
    }
}

/// Runs `work` with the stack that a check needs.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(256 << 20);
        match builder.spawn_scoped(scope, work).unwrap().join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Checks the fixture at `path` and holds every invariant of fixtures against it: its verdict is
/// true, nothing outside the findings' edits changes, a second check has
/// nothing to fix, and CRLF line endings change nothing but line endings.
#[track_caller]
pub(crate) fn check(path: &Path) -> Checked {
    let fixture = Fixture::load(path);
    let name = path.display();
    let result = match check_text(&fixture.text, &fixture.context, &fixture.settings) {
        Ok(result) => result,
        Err(error) => {
            assert_eq!(fixture.verdict, Verdict::Error, "{name}: {error}");
            CheckResult::default()
        }
    };
    let checked = Checked { fixture, result };
    checked.assert_verdict();
    checked.assert_told();
    checked.assert_findings_are_whole();
    checked.assert_only_edits_change();
    checked.assert_idempotent();
    checked.assert_same_with_crlf();
    checked
}

impl Fixture {
    #[track_caller]
    fn load(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut fixture = Self {
            verdict: Verdict::of(&stem),
            path: path.to_owned(),
            stem,
            settings: Settings::default(),
            context: FileContext {
                path: path.to_owned(),
                ..FileContext::default()
            },
            text,
        };
        if path.starts_with(root().join("cases")) {
            fixture.take_place();
        } else {
            fixture.take_directives();
        }
        fixture
    }

    /// The words behind `# <key>: ` on a line of its own.
    pub(crate) fn directive(&self, key: &str) -> Vec<&str> {
        let lines = self.text.lines();
        lines
            .filter_map(|line| {
                line.strip_prefix("# ")?
                    .strip_prefix(key)?
                    .strip_prefix(": ")
            })
            .flat_map(str::split_whitespace)
            .collect()
    }

    #[track_caller]
    fn take_directives(&mut self) {
        let (mut settings, mut context) = (self.settings.clone(), self.context.clone());
        for word in self.directive("settings") {
            match word {
                "unsafe-fixes" => settings.unsafe_fixes = true,
                "naming=typename" => settings.naming = Naming::Typename,
                _ => panic!("{}: unknown setting {word}", self.path.display()),
            }
        }
        for word in self.directive("context") {
            match word.split_once('=') {
                None if word == "package-init" => {
                    context.is_package_init = true;
                    context.path.set_file_name("__init__.py");
                }
                Some(("siblings", names)) => {
                    context.sibling_modules = names.split(',').map(str::to_owned).collect();
                }
                Some(("path", file_name)) => context.path.set_file_name(file_name),
                _ => panic!("{}: unknown context {word}", self.path.display()),
            }
        }
        (self.settings, self.context) = (settings, context);
    }

    fn take_place(&mut self) {
        self.settings.naming = Naming::Typename;
        let places = cases::<Place>();
        let place = places.into_iter().find(|place| place.name == self.stem);
        let place = place.unwrap_or_else(|| panic!("{} is not in cases.toml", self.stem));
        if let Some(path) = place.filename {
            self.context.path = path;
        }
        let stems = place.siblings.iter().filter_map(|path| path.file_stem());
        self.context.sibling_modules = stems
            .map(|stem| stem.to_string_lossy().into_owned())
            .collect();
    }
}

impl Checked {
    /// Whether the finding at `index` is gone from the patched text.
    pub(crate) fn is_fixed(&self, index: usize) -> bool {
        self.result.is_fixed(index, &self.fixture.settings)
    }

    #[track_caller]
    fn recheck(&self, text: &str) -> CheckResult {
        match check_text(text, &self.fixture.context, &self.fixture.settings) {
            Ok(result) => result,
            Err(error) => panic!("{}: {error}:\n{text}", self.name()),
        }
    }

    fn name(&self) -> String {
        self.fixture.path.display().to_string()
    }

    #[track_caller]
    fn assert_verdict(&self) {
        let name = self.name();
        let findings = &self.result.diagnostics;
        let explained = findings
            .iter()
            .any(|found| found.skip_reason.is_some() || is_dynamic(found.code));
        match self.fixture.verdict {
            Verdict::Hoist => {
                let fixed = (0..findings.len()).any(|index| self.is_fixed(index));
                assert!(fixed, "{name}: nothing is fixed: {findings:#?}");
            }
            Verdict::Skip => {
                assert!(explained, "{name}: no refusal is found: {findings:#?}");
                assert_eq!(self.result.patched, None, "{name}: it is patched");
            }
            Verdict::Silent | Verdict::Error => {
                assert!(findings.is_empty(), "{name}: it is found: {findings:#?}");
                assert_eq!(self.result.patched, None, "{name}: it is patched");
            }
        }
    }

    /// The trace of every finding tells how it was decided.
    #[track_caller]
    fn assert_told(&self) {
        let Fixture {
            text,
            context,
            settings,
            ..
        } = &self.fixture;
        if let Ok(traced) = check_with_trace(text, context, settings) {
            let is_fixed = |index| self.is_fixed(index);
            traces::assert_told(&self.name(), &self.result, &traced, &is_fixed);
        }
    }

    /// A finding has a fix, or says why it has none, or is dynamic; its range is a call or an own comment.
    #[track_caller]
    fn assert_findings_are_whole(&self) {
        for found in &self.result.diagnostics {
            let open = found.fix.is_none() && !is_dynamic(found.code);
            assert_eq!(
                found.skip_reason.is_some(),
                open,
                "{}: {found:#?}",
                self.name()
            );
            let text = &self.fixture.text[found.range];
            let is_whole = if is_about_comment(found) {
                text.starts_with('#') && text.contains("hoist-namedtuple:")
            } else {
                text.ends_with(')')
            };
            assert!(is_whole, "{}: {text}", self.name());
        }
    }

    /// One fix gives exactly its edits. Several are laid out together, so their edits may touch; then
    /// all that lies outside of them stands in the patched text, in order.
    #[track_caller]
    fn assert_only_edits_change(&self) {
        let (name, text) = (self.name(), self.fixture.text.as_str());
        let made = self.made_fixes();
        let Some(patched) = self.result.patched.as_deref() else {
            assert!(
                made.is_empty(),
                "{name}: fixes are said to be made, and nothing is patched"
            );
            return;
        };
        if let [only] = made.as_slice() {
            let edits = Edits::new(only.edits().cloned().collect()).unwrap();
            assert_eq!(
                patched,
                edits.apply(text),
                "{name}: the patch is not the fix"
            );
        }
        let kept = kept_pieces(text, &made);
        let mut rest = patched;
        for (index, piece) in kept.iter().enumerate() {
            let at = if index == 0 {
                rest.starts_with(piece).then_some(0)
            } else {
                rest.find(piece)
            };
            let at = at.unwrap_or_else(|| panic!("{name}: {piece:?} is gone from\n{patched}"));
            rest = &rest[at + piece.len()..];
        }
        let last = kept.last().unwrap();
        assert!(
            patched.ends_with(last),
            "{name}: {last:?} is not the end of\n{patched}"
        );
    }

    fn made_fixes(&self) -> Vec<&Fix> {
        let mut seen = BTreeSet::new();
        let found = self.result.diagnostics.iter().enumerate();
        found
            .filter(|(index, _)| self.is_fixed(*index))
            .filter_map(|(_, found)| found.fix.as_deref())
            .filter(|fix| seen.insert(std::ptr::from_ref(*fix).cast::<()>()))
            .collect()
    }

    #[track_caller]
    fn assert_idempotent(&self) {
        if let Some(patched) = &self.result.patched {
            let again = self.recheck(patched);
            assert_eq!(
                again.patched,
                None,
                "{}: a second check fixes more",
                self.name()
            );
            self.assert_knows_what_is_left(again.diagnostics);
        }
    }

    /// What the first check says is left must be what a second one finds.
    #[track_caller]
    fn assert_knows_what_is_left(&self, mut found: Vec<Diagnostic>) {
        if let Some(left) = &self.result.left {
            found.iter_mut().for_each(|found| found.trace.clear());
            assert_eq!(
                format!("{left:#?}"),
                format!("{found:#?}"),
                "{}",
                self.name()
            );
        }
    }

    #[track_caller]
    fn assert_same_with_crlf(&self) {
        let text = &self.fixture.text;
        if text.contains('\r') || self.fixture.verdict == Verdict::Error {
            return;
        }
        let crlf = self.recheck(&text.replace('\n', "\r\n"));
        let patched = &self.result.patched;
        let expected = patched
            .as_ref()
            .map(|patched| patched.replace('\n', "\r\n"));
        assert_eq!(crlf.patched, expected, "{}: CRLF differs", self.name());
    }
}

/// What of `text` no edit of `fixes` replaces, cut at each.
fn kept_pieces<'a>(text: &'a str, fixes: &[&Fix]) -> Vec<&'a str> {
    let mut ranges: Vec<_> = fixes
        .iter()
        .flat_map(|fix| fix.edits().map(Edit::range))
        .collect();
    ranges.sort_by_key(|range| (range.start(), range.end()));
    let (mut kept, mut done) = (vec![], 0);
    for range in ranges {
        if range.start().to_usize() >= done {
            kept.push(&text[done..range.start().to_usize()]);
        }
        done = done.max(range.end().to_usize());
    }
    kept.push(&text[done..]);
    kept
}

/// Whether the finding is about a comment, and not about a call.
fn is_about_comment(found: &Diagnostic) -> bool {
    found.factory.is_none()
}

/// Whether `code` is one for calls that no hoist can help.
fn is_dynamic(code: &str) -> bool {
    code.starts_with("HNT1")
}
