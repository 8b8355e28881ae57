//! The walk below a given folder, by several threads.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use super::{Candidate, FirstLook, Identities, Source, Visited, WalkSettings};
use crate::cli::config::Configuration;
use crate::cli::config::patterns::Place;
use crate::cli::disk::first_look::Scratch;
use crate::cli::paths::{relative, single_line};
use crate::cli::problem::Problem;

/// The endings of the files that a walk takes; stubs (`.pyi`) hold no code that runs.
const ENDINGS: [&str; 2] = ["py", "pyw"];

/// One walk below a given folder.
pub(super) struct Walk<'a> {
    pub(super) root: &'a Path,
    /// The folder with all links resolved.
    pub(super) real_root: PathBuf,
    pub(super) settings: &'a WalkSettings,
    pub(super) identities: &'a Identities,
    pub(super) may_speak: &'a FirstLook<'a>,
}

impl Walk<'_> {
    /// Visits all that is below the folder and not left out.
    pub(super) fn run(&self) -> Visited {
        let respect = self.settings.run.respect_gitignore;
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
        let whole = Mutex::default();
        builder.build_parallel().visit(&mut Visitors {
            walk: self,
            whole: &whole,
        });
        let mut visited: Visited = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Threads meet them in any order.
        visited
            .problems
            .sort_by(|left, right| left.message.cmp(&right.message));
        visited
    }
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
            real: PathBuf::new(),
            last: None,
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
    /// The path of the current entry with the links above its last part resolved.
    real: PathBuf,
    /// The last folder and what holds in it: most entries come after others of their folder.
    last: Option<(PathBuf, Option<Arc<Configuration>>)>,
    scratch: Scratch,
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
                let problem = unreadable(self.walk.root, &error);
                self.visited.problems.push(problem);
                return WalkState::Continue;
            }
        };
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if entry.depth() == 0 || (!is_dir && !has_python_ending(entry.file_name())) {
            return WalkState::Continue;
        }
        self.resolve(&entry);
        let configuration = self.configuration();
        // Folders below a fault may have configurations of their own.
        let holder = configuration.as_deref();
        let holder = holder.unwrap_or(self.walk.settings.configurations.without_file());
        if holder.excludes.matches(self.place(&entry), is_dir) {
            return WalkState::Skip;
        }
        if let Some(configuration) = configuration.filter(|_| !is_dir) {
            self.file(&entry, &configuration);
        }
        WalkState::Continue
    }
}

impl Visitor<'_> {
    fn resolve(&mut self, entry: &DirEntry) {
        self.real.as_mut_os_string().clear();
        self.real.push(&self.walk.real_root);
        self.real.push(below(self.walk, entry));
    }

    /// The configuration of the current entry's folder; `None` when it has a fault.
    fn configuration(&mut self) -> Option<Arc<Configuration>> {
        let folder = self.real.parent()?;
        if let Some((last, configuration)) = &self.last
            && last == folder
        {
            return configuration.clone();
        }
        let configuration = self.walk.settings.configurations.of(folder);
        self.last = Some((folder.to_path_buf(), configuration.clone()));
        configuration
    }

    fn file(&mut self, entry: &DirEntry, configuration: &Configuration) {
        let path = entry.path();
        let is_link = entry.path_is_symlink();
        // Pipes, devices and broken links are nobody's Python; a walk passes them in silence.
        let is_file = if is_link {
            fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        } else {
            entry.file_type().is_some_and(|kind| kind.is_file())
        };
        if !is_file {
            return;
        }
        let identity = if is_link {
            self.walk.identities.of_link(path)
        } else {
            let identity = self.walk.identities.of(&self.real);
            self.visited.own.push(identity);
            identity
        };
        let settings = configuration.check(self.place(entry));
        if is_link || (self.walk.may_speak)(path, &settings, &mut self.scratch) {
            self.visited.candidates.push(Candidate {
                identity,
                is_link,
                source: Source {
                    shown: relative(path, &self.walk.settings.cwd),
                    path: path.to_path_buf(),
                    settings,
                },
            });
        }
    }

    fn place<'p>(&'p self, entry: &'p DirEntry) -> Place<'p> {
        Place {
            real: &self.real,
            cwd: self.walk.settings.configurations.real_cwd(),
            otherwise: Some(below(self.walk, entry)),
        }
    }
}

/// The path of `entry` from the walk's folder.
fn below<'a>(walk: &Walk<'_>, entry: &'a DirEntry) -> &'a Path {
    entry.path().strip_prefix(walk.root).unwrap_or(entry.path())
}

/// Whether a walk takes a file of that name.
fn has_python_ending(name: &OsStr) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

fn unreadable(root: &Path, error: &ignore::Error) -> Problem {
    let message = format!(
        "part of it cannot be read ({error}). Check its permissions, or leave it out with --exclude."
    );
    Problem::new(root, single_line(&message))
}
