//! The screen held against checks that do without it: it may pass by no module with a finding.
//!
//! Plain `cargo test` looks at the fixtures and at the top-level modules of `python3`'s standard
//! library. With `HOIST_NAMEDTUPLE_CORPUS=FOLDER` it looks at every file below that folder too.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod spelling;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hoist_namedtuple::check::{FileContext, Settings, check};
use hoist_namedtuple::rule::Screen;
use walkdir::WalkDir;

use spelling::Spelling;

const CORPUS: &str = "HOIST_NAMEDTUPLE_CORPUS";

/// What became of the modules that were looked at.
#[derive(Debug, Default)]
struct Counts {
    modules: usize,
    /// Those that a check finds something in.
    found: usize,
    /// Those that the screen ends by their bytes, and by their tokens.
    without_mention: usize,
    without_tree: usize,
}

/// Checks modules with and without the screen.
struct Comparison {
    screen: Screen,
    settings: Settings,
}

impl Comparison {
    fn new() -> Self {
        let settings = Settings::default();
        let is_wanted = |code: &str| settings.codes.contains(code);
        Self {
            screen: Screen::new(settings.registry, is_wanted).unwrap(),
            settings,
        }
    }

    /// Adds the module to `counts`; one that is no Python counts for nothing.
    fn add(&self, name: &str, text: &str, counts: &mut Counts) {
        let Ok(result) = check(text, &FileContext::default(), &self.settings) else {
            return;
        };
        let is_found = !result.diagnostics.is_empty() || result.suppressed > 0;
        let is_mentioned = self.screen.may_find(text.as_bytes());
        let needs_tree = is_mentioned && self.screen.needs_tree(text);
        assert!(!is_found || needs_tree, "{name} is passed by:\n{text}");
        counts.modules += 1;
        counts.found += usize::from(is_found);
        counts.without_mention += usize::from(!is_mentioned);
        counts.without_tree += usize::from(is_mentioned && !needs_tree);
    }

    fn add_file(&self, path: &Path, counts: &mut Counts) {
        // What is no UTF-8 has its encoding looked at elsewhere.
        if let Ok(text) = std::fs::read_to_string(path) {
            self.add(
                &path.to_string_lossy(),
                text.trim_start_matches('\u{feff}'),
                counts,
            );
        }
    }
}

/// Looks at all `files`, by a few threads with the stack that checks get.
fn compare(files: &[PathBuf]) -> Counts {
    let next = AtomicUsize::new(0);
    let work = || {
        let (comparison, mut counts) = (Comparison::new(), Counts::default());
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            comparison.add_file(path, &mut counts);
        }
        counts
    };
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|_| {
                let builder = thread::Builder::new().stack_size(256 << 20);
                builder.spawn_scoped(scope, work).unwrap()
            })
            .collect();
        let mut sum = Counts::default();
        for thread in started {
            let counts = thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            sum.modules += counts.modules;
            sum.found += counts.found;
            sum.without_mention += counts.without_mention;
            sum.without_tree += counts.without_tree;
        }
        sum
    })
}

fn python_files(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let files = WalkDir::new(folder).max_depth(depth).sort_by_file_name();
    let files = files.into_iter().filter_map(Result::ok);
    let files = files.map(walkdir::DirEntry::into_path);
    let is_python = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "py");
    files.filter(is_python).collect()
}

/// The folder of `python3`'s standard library.
fn library() -> PathBuf {
    let code = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let output = Command::new("python3").args(["-c", code]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().into()
}

#[test]
fn no_finding_of_the_corpus_is_passed_by() {
    let mut files = python_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), 99);
    files.extend(python_files(&library(), 1));
    if let Some(folder) = std::env::var_os(CORPUS) {
        files.extend(python_files(Path::new(&folder), usize::MAX));
    }
    let counts = compare(&files);
    println!("{counts:?}");
    assert!(counts.found > 300, "{counts:?}");
    assert!(counts.without_mention > 50, "{counts:?}");
    assert!(counts.without_tree > 5, "{counts:?}");
}

#[test]
fn no_spelling_of_a_call_is_passed_by() {
    let work = || {
        let (comparison, mut counts) = (Comparison::new(), Counts::default());
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in 0..4_000 {
            let spelling = Spelling::new(seed);
            let before = counts.found;
            comparison.add(&format!("seed {seed}"), &spelling.text, &mut counts);
            *found.entry(spelling.kind).or_default() += counts.found - before;
        }
        // Each kind of spelling is one that a check understands.
        assert_eq!(counts.modules, 4_000);
        for kind in spelling::KINDS {
            assert!(
                found.get(kind).is_some_and(|count| *count > 100),
                "{kind}: {found:?}"
            );
        }
    };
    let thread = thread::Builder::new().stack_size(256 << 20);
    if let Err(panic) = thread.spawn(work).unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}
