//! From the given paths to the files to check: each once, in path order.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::exclude::Excludes;
use super::paths::{relative, single_line};
use super::problem::Problem;

/// The endings of the files that a walk takes; stubs (`.pyi`) hold no code that runs.
const ENDINGS: [&str; 2] = ["py", "pyw"];

/// What a walk goes by.
#[derive(Debug)]
pub(crate) struct WalkSettings {
    /// The working folder, which shown paths are relative to.
    pub(crate) cwd: PathBuf,
    /// What is left out.
    pub(crate) excludes: Excludes,
    /// Whether the excludes hold for given paths too.
    pub(crate) force_exclude: bool,
    /// Whether `.gitignore` and `.ignore` files are respected.
    pub(crate) respect_gitignore: bool,
}

/// A file to check.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source {
    /// The path as it is shown.
    pub(crate) shown: PathBuf,
    /// The path to open.
    pub(crate) path: PathBuf,
}

/// The files to check, and what went wrong on the way.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// In the order of their shown paths.
    pub(crate) sources: Vec<Source>,
    /// In the order in which they came up.
    pub(crate) problems: Vec<Problem>,
}

/// A file that was come across, maybe not for the first time.
struct Candidate {
    /// The path with all links resolved, which tells the same file under two names.
    identity: PathBuf,
    is_link: bool,
    source: Source,
}

/// Collects the files that `paths` name or hold.
///
/// A given file is taken whatever its name; a given folder is walked without following links to
/// folders. A file that several paths lead to is taken once, by its own name rather than a link's.
pub(crate) fn find(paths: &[PathBuf], settings: &WalkSettings) -> Found {
    let mut problems = Vec::new();
    let mut candidates = Vec::new();
    for path in paths {
        match given(path, settings) {
            Ok(mut found) => {
                candidates.append(&mut found.0);
                problems.append(&mut found.1);
            }
            Err(problem) => problems.push(problem),
        }
    }
    Found {
        sources: once_each(candidates),
        problems,
    }
}

fn once_each(candidates: Vec<Candidate>) -> Vec<Source> {
    let mut by_identity: BTreeMap<PathBuf, (bool, Source)> = BTreeMap::new();
    for candidate in candidates {
        let entry = (candidate.is_link, candidate.source);
        by_identity
            .entry(candidate.identity)
            .and_modify(|known| *known = entry.clone().min(known.clone()))
            .or_insert(entry);
    }
    let mut sources: Vec<Source> = by_identity
        .into_values()
        .map(|(_, source)| source)
        .collect();
    sources.sort();
    sources
}

type Walked = (Vec<Candidate>, Vec<Problem>);

fn given(path: &Path, settings: &WalkSettings) -> Result<Walked, Problem> {
    let name = relative(path, &settings.cwd);
    let metadata = fs::metadata(path).map_err(|error| missing(path, &error))?;
    if settings.force_exclude && settings.excludes.explicit(&name, metadata.is_dir()) {
        return Ok(Walked::default());
    }
    if metadata.is_dir() {
        return walk(path, settings);
    }
    if !metadata.is_file() {
        return Err(Problem::new(
            path,
            "it is neither a file nor a folder. Give a regular file, or `-` to read standard input.",
        ));
    }
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let candidate = Candidate {
        identity: identity(path),
        is_link,
        source: Source {
            shown: name,
            path: path.to_path_buf(),
        },
    };
    Ok((vec![candidate], Vec::new()))
}

fn missing(path: &Path, error: &io::Error) -> Problem {
    let message = if error.kind() != io::ErrorKind::NotFound {
        format!("it cannot be read ({error}). Check the path and its permissions.")
    } else if fs::symlink_metadata(path).is_ok() {
        "it is a link that leads nowhere. Mend or remove it.".to_owned()
    } else {
        "there is no such file or folder. Check the spelling and the working folder.".to_owned()
    };
    Problem::new(path, message)
}

fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn walk(root: &Path, settings: &WalkSettings) -> Result<Walked, Problem> {
    let real_root = root.canonicalize().map_err(|error| missing(root, &error))?;
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| run_walk(root, settings, sender));
        let mut walked = Walked::default();
        for entry in receiver {
            match entry {
                Ok(entry) => walked
                    .0
                    .extend(candidate(&entry, root, &real_root, settings)),
                Err(error) => walked.1.push(unreadable(root, &error)),
            }
        }
        Ok(walked)
    })
}

fn run_walk(
    root: &Path,
    settings: &WalkSettings,
    sender: mpsc::Sender<Result<DirEntry, ignore::Error>>,
) {
    let respect = settings.respect_gitignore;
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(false)
        .ignore(respect)
        .git_ignore(respect)
        .git_global(respect)
        .git_exclude(respect)
        .parents(respect)
        .require_git(false)
        .follow_links(false);
    let walker = builder.build_parallel();
    walker.run(|| {
        let sender = sender.clone();
        Box::new(move |entry| visit(entry, root, settings, &sender))
    });
}

fn visit(
    entry: Result<DirEntry, ignore::Error>,
    root: &Path,
    settings: &WalkSettings,
    sender: &mpsc::Sender<Result<DirEntry, ignore::Error>>,
) -> WalkState {
    if let Ok(entry) = &entry {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let name = relative(entry.path(), &settings.cwd);
        if entry.depth() > 0 && settings.excludes.entry(&name, below, is_dir) {
            return WalkState::Skip;
        }
        if is_dir || !has_python_ending(entry.path()) {
            return WalkState::Continue;
        }
    }
    match sender.send(entry) {
        Ok(()) => WalkState::Continue,
        Err(_) => WalkState::Quit,
    }
}

/// Whether a walk takes a file of that name.
pub(crate) fn has_python_ending(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

fn candidate(
    entry: &DirEntry,
    root: &Path,
    real_root: &Path,
    settings: &WalkSettings,
) -> Option<Candidate> {
    let path = entry.path();
    let is_link = entry.path_is_symlink();
    // Pipes, devices and broken links are nobody's Python; a walk passes them in silence.
    let is_file = if is_link {
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
    } else {
        entry.file_type().is_some_and(|kind| kind.is_file())
    };
    let below = path.strip_prefix(root).unwrap_or(path);
    is_file.then(|| Candidate {
        identity: if is_link {
            identity(path)
        } else {
            real_root.join(below)
        },
        is_link,
        source: Source {
            shown: relative(path, &settings.cwd),
            path: path.to_path_buf(),
        },
    })
}

fn unreadable(root: &Path, error: &ignore::Error) -> Problem {
    let message = format!(
        "part of it cannot be read ({error}). Check its permissions, or leave it out with --exclude."
    );
    Problem::new(root, single_line(&message))
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
