//! The walk below a given folder, by several threads.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use super::{Candidate, FirstLook, Identity, Met, Source, Visited, WalkSettings, patterns, target};
use crate::cli::config::patterns::Place;
use crate::cli::config::{Configuration, is_excluded};
use crate::cli::disk::first_look::Scratch;
use crate::cli::paths::{relative, resolved, single_line};
use crate::cli::problem::{Problem, unreadable};

/// The endings of the files that a walk takes; stubs (`.pyi`) hold no code that runs.
const ENDINGS: [&str; 2] = [".py", ".pyw"];

/// One walk below a given folder.
pub(super) struct Walk<'a> {
    pub(super) root: &'a Path,
    /// The folder with all links resolved.
    pub(super) real_root: PathBuf,
    pub(super) settings: &'a WalkSettings,
    pub(super) met: &'a Met,
    pub(super) may_speak: &'a FirstLook<'a>,
}

impl Walk<'_> {
    /// Visits all that is below the folder and not left out.
    pub(super) fn run(&self) -> Visited {
        let respect = self.settings.run.respect_gitignore;
        let cwd = self.settings.cwd.clone();
        let mut above = self.real_root.ancestors();
        if let Some(problem) = above.find_map(|folder| patterns::unusable(folder, &cwd, respect)) {
            return Visited {
                problems: vec![self.identified(problem)],
                ..Visited::default()
            };
        }
        let unusable = Arc::new(Mutex::new(vec![]));
        let mut builder = WalkBuilder::new(self.root);
        builder
            .standard_filters(false)
            .ignore(respect)
            .git_ignore(respect)
            .git_global(respect)
            .git_exclude(respect)
            .parents(respect)
            .require_git(false)
            .follow_links(false);
        builder.filter_entry({
            let unusable = Arc::clone(&unusable);
            move |entry| is_entered(entry, (&cwd, respect), &unusable)
        });
        let whole = Mutex::default();
        builder.build_parallel().visit(&mut Visitors {
            walk: self,
            whole: &whole,
        });
        let mut visited: Visited = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut unusable = unusable.lock().unwrap_or_else(PoisonError::into_inner);
        let unusable = unusable
            .drain(..)
            .filter(|(folder, _)| !self.leaves_out(folder));
        visited
            .problems
            .extend(unusable.map(|(_, problem)| self.identified(problem)));
        // Threads meet them in any order.
        let key = |problem: &Problem| (problem.path.clone(), problem.message.clone());
        visited
            .problems
            .sort_by_cached_key(|(_, problem)| key(problem));
        visited
    }

    fn identified(&self, problem: Problem) -> (Identity, Problem) {
        let path = self.settings.cwd.join(&problem.path);
        (self.met.identities.of_target(&path), problem)
    }

    /// Whether the folder is excluded.
    fn leaves_out(&self, folder: &Path) -> bool {
        let folder = resolved(folder, &self.settings.cwd);
        is_excluded(&folder, true, &self.settings.configurations)
    }

    fn unreadable(&self, error: &ignore::Error) -> (Identity, Problem) {
        let (path, message) = match about(error, self.root) {
            (path, Some(error)) if error.kind() == io::ErrorKind::PermissionDenied => (
                path,
                format!(
                    "it cannot be read ({error}). Check its permissions, or leave it out with --exclude."
                ),
            ),
            (path, Some(error)) => (path, unreadable(error)),
            (path, None) => (
                path,
                format!("part of it cannot be read ({error}). Leave it out with --exclude."),
            ),
        };
        let shown = match relative(path, &self.settings.cwd) {
            shown if shown.as_os_str().is_empty() => PathBuf::from("."),
            shown => shown,
        };
        (
            self.met.identities.of_target(path),
            Problem::new(shown, single_line(&message)),
        )
    }
}

/// Whether the walk may go into the folder `entry`, as far as its files of patterns tell, which the walk
/// reads before all else; the reason why not is added to `unusable`.
fn is_entered(
    entry: &DirEntry,
    (cwd, respect): (&Path, bool),
    unusable: &Mutex<Vec<(PathBuf, Problem)>>,
) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    if !is_folder {
        return true;
    }
    let Some(problem) = patterns::unusable(entry.path(), cwd, respect) else {
        return true;
    };
    let mut unusable = unusable.lock().unwrap_or_else(PoisonError::into_inner);
    unusable.push((entry.path().to_path_buf(), problem));
    false
}

struct Visitors<'w> {
    walk: &'w Walk<'w>,
    whole: &'w Mutex<Visited>,
}

impl<'w> ParallelVisitorBuilder<'w> for Visitors<'w> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'w> {
        Box::new(Visitor {
            walk: self.walk,
            whole: self.whole,
            visited: Visited::default(),
            folder: Folder::default(),
            real: PathBuf::new(),
            below: PathBuf::new(),
            scratch: Scratch::default(),
        })
    }
}

/// What one thread has visited. A file that has nothing to say leaves 16 bytes here, and takes no
/// memory of its own.
struct Visitor<'w> {
    walk: &'w Walk<'w>,
    /// Takes what was visited, at the end.
    whole: &'w Mutex<Visited>,
    visited: Visited,
    /// The folder of the last entry: most entries come after others of their folder.
    folder: Folder,
    /// The current entry's path with the links above its last part resolved, and its path from the
    /// walk's folder.
    real: PathBuf,
    below: PathBuf,
    scratch: Scratch,
}

/// A folder on the way, and what holds in it.
#[derive(Default)]
struct Folder {
    /// The path as the walk spells it.
    path: Vec<u8>,
    real: PathBuf,
    below: PathBuf,
    /// `None` when it has a fault.
    configuration: Option<Arc<Configuration>>,
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.append(&mut self.visited);
    }
}

impl ParallelVisitor for Visitor<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.visited.problems.push(self.walk.unreadable(&error));
                return WalkState::Continue;
            }
        };
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if entry.depth() == 0 || (!is_dir && !has_python_ending(entry.file_name())) {
            return WalkState::Continue;
        }
        self.resolve(&entry);
        // Folders below a fault may have configurations of their own.
        let without_file = self.walk.settings.configurations.without_file();
        let holder = self.folder.configuration.as_deref();
        let excludes = &holder.unwrap_or(without_file).excludes;
        if excludes.matches(self.place(), is_dir) {
            return WalkState::Skip;
        }
        if !is_dir {
            self.file(&entry);
        }
        WalkState::Continue
    }
}

impl Visitor<'_> {
    /// Finds out where the entry lies. Paths are put together by copying their bytes, as taking them
    /// apart for each file would take longer than to search the file.
    fn resolve(&mut self, entry: &DirEntry) {
        let path = entry.path().as_os_str().as_encoded_bytes();
        let name = entry.file_name();
        let above = path.len().saturating_sub(name.len());
        let folder = path.get(..above).unwrap_or_default();
        if self.folder.path != folder || self.folder.real.as_os_str().is_empty() {
            self.folder = self.walk.folder(entry, folder);
        }
        for (whole, folder) in [
            (&mut self.real, &self.folder.real),
            (&mut self.below, &self.folder.below),
        ] {
            whole.as_mut_os_string().clear();
            whole.as_mut_os_string().push(folder);
            whole.push(name);
        }
    }

    fn file(&mut self, entry: &DirEntry) {
        let path = entry.path();
        let is_link = entry.path_is_symlink();
        // Pipes, devices and broken links are nobody's Python; a walk passes them in silence.
        let is_file = if is_link {
            fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        } else {
            entry.file_type().is_some_and(|kind| kind.is_file())
        };
        let Some(configuration) = self.folder.configuration.as_ref().filter(|_| is_file) else {
            return;
        };
        let settings = configuration.check(self.place());
        let met = self.walk.met;
        let (identity, is_only_linked) = if is_link {
            let real = target(path);
            (met.identities.of(&real), !met.is_given(&real))
        } else {
            let identity = met.identities.of(&self.real);
            self.visited.own.push(identity);
            (identity, false)
        };
        if is_link || (self.walk.may_speak)(path, &settings, &mut self.scratch) {
            self.visited.candidates.push(Candidate {
                identity,
                is_link,
                source: Source {
                    shown: relative(path, &self.walk.settings.cwd),
                    path: path.to_path_buf(),
                    settings,
                    is_only_linked,
                },
            });
        }
    }

    fn place(&self) -> Place<'_> {
        Place {
            real: &self.real,
            cwd: self.walk.settings.configurations.real_cwd(),
            otherwise: Some(&self.below),
        }
    }
}

impl Walk<'_> {
    /// The folder of `entry`, which the walk spells as `path`.
    fn folder(&self, entry: &DirEntry, path: &[u8]) -> Folder {
        let folder = entry.path().parent().unwrap_or(self.root);
        let below = folder.strip_prefix(self.root).unwrap_or(folder);
        let real = self.real_root.join(below);
        Folder {
            path: path.to_vec(),
            configuration: self.settings.configurations.of(&real),
            below: below.to_path_buf(),
            real,
        }
    }
}

/// Whether a walk takes a file of that name.
fn has_python_ending(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    ENDINGS.iter().any(|ending| {
        let stem = name.strip_suffix(ending.as_bytes());
        stem.is_some_and(|stem| !stem.is_empty())
    })
}

/// The path that `error` is about, `otherwise` if it names none, and what the system said.
fn about<'e>(error: &'e ignore::Error, otherwise: &'e Path) -> (&'e Path, Option<&'e io::Error>) {
    match error {
        ignore::Error::WithPath { path, err } => about(err, path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            about(err, otherwise)
        }
        ignore::Error::Io(error) => (otherwise, Some(error)),
        _ => (otherwise, None),
    }
}
