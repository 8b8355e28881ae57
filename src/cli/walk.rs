//! From the given paths to the files to check: each once, in path order.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::config::patterns::Place;
use super::config::{Configuration, Configurations, RunSettings, is_excluded};
use super::paths::{relative, resolved, single_line};
use super::problem::Problem;
use crate::check::Settings;

/// The endings of the files that a walk takes; stubs (`.pyi`) hold no code that runs.
const ENDINGS: [&str; 2] = ["py", "pyw"];

/// What a walk goes by.
#[derive(Debug)]
pub(crate) struct WalkSettings {
    /// The working folder, which shown paths are relative to.
    pub(crate) cwd: PathBuf,
    /// What holds in each folder.
    pub(crate) configurations: Configurations,
    /// What holds everywhere.
    pub(crate) run: RunSettings,
}

/// A file to check.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The path as it is shown.
    pub(crate) shown: PathBuf,
    /// The path to open.
    pub(crate) path: PathBuf,
    /// Which findings and fixes are wanted in it.
    pub(crate) settings: Arc<Settings>,
}

impl Source {
    /// What sources are ordered by.
    fn key(&self) -> (&Path, &Path) {
        (&self.shown, &self.path)
    }
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

impl Candidate {
    /// A file's own name comes before that of a link.
    fn key(&self) -> (bool, (&Path, &Path)) {
        (self.is_link, self.source.key())
    }
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
    problems.extend(settings.configurations.faults());
    Found {
        sources: once_each(candidates),
        problems,
    }
}

fn once_each(mut candidates: Vec<Candidate>) -> Vec<Source> {
    candidates.sort_by(|left, right| left.key().cmp(&right.key()));
    let mut by_identity = BTreeMap::new();
    for candidate in candidates {
        let entry = by_identity.entry(candidate.identity);
        entry.or_insert(candidate.source);
    }
    let mut sources: Vec<Source> = by_identity.into_values().collect();
    sources.sort_by(|left, right| left.key().cmp(&right.key()));
    sources
}

type Walked = (Vec<Candidate>, Vec<Problem>);

fn given(path: &Path, settings: &WalkSettings) -> Result<Walked, Problem> {
    let metadata = check_exists(path)?;
    let real = resolved(path, &settings.cwd);
    if settings.run.force_exclude && is_excluded(&real, metadata.is_dir(), &settings.configurations)
    {
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
    let candidate = source(path, &real, settings).map(|source| Candidate {
        identity: if is_link { identity(path) } else { real },
        is_link,
        source,
    });
    Ok((candidate.into_iter().collect(), Vec::new()))
}

/// The given file `path` as a source; `None` when its configuration has a fault.
///
/// `real` is the same path with the links above its last part resolved.
pub(crate) fn source(path: &Path, real: &Path, settings: &WalkSettings) -> Option<Source> {
    let configurations = &settings.configurations;
    let configuration = configurations.of(real.parent().unwrap_or(real))?;
    let place = Place {
        real,
        cwd: configurations.real_cwd(),
        otherwise: real.file_name().map(Path::new),
    };
    Some(Source {
        shown: relative(path, &settings.cwd),
        path: path.to_path_buf(),
        settings: configuration.check(place),
    })
}

/// What kind of thing the given `path` is.
///
/// # Errors
/// That there is nothing, or that it cannot be read.
pub(crate) fn check_exists(path: &Path) -> Result<fs::Metadata, Problem> {
    fs::metadata(path).map_err(|error| missing(path, &error))
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

/// One walk below a given folder.
struct Walk<'a> {
    root: &'a Path,
    /// The folder with all links resolved.
    real_root: PathBuf,
    settings: &'a WalkSettings,
}

/// A file that a walk takes, with what holds for it.
type Taken = (DirEntry, Arc<Configuration>);

type Sender = mpsc::Sender<Result<Taken, ignore::Error>>;

fn walk(root: &Path, settings: &WalkSettings) -> Result<Walked, Problem> {
    let real_root = root.canonicalize().map_err(|error| missing(root, &error))?;
    let walk = Walk {
        root,
        real_root,
        settings,
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| walk.run(sender));
        let mut walked = Walked::default();
        for taken in receiver {
            match taken {
                Ok(taken) => walked.0.extend(walk.candidate(&taken)),
                Err(error) => walked.1.push(unreadable(root, &error)),
            }
        }
        Ok(walked)
    })
}

impl Walk<'_> {
    fn run(&self, sender: Sender) {
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
        builder.build_parallel().run(|| {
            let sender = sender.clone();
            Box::new(move |entry| match self.visit(entry) {
                Visit::Pass(state) => state,
                Visit::Take(taken) => match sender.send(taken) {
                    Ok(()) => WalkState::Continue,
                    Err(_) => WalkState::Quit,
                },
            })
        });
    }

    fn visit(&self, entry: Result<DirEntry, ignore::Error>) -> Visit {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Visit::Take(Err(error)),
        };
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if entry.depth() == 0 || (!is_dir && !has_python_ending(entry.path())) {
            return Visit::Pass(WalkState::Continue);
        }
        let real = self.real(&entry);
        let configurations = &self.settings.configurations;
        let configuration = real.parent().and_then(|folder| configurations.of(folder));
        // Folders below a fault may have configurations of their own.
        let holder = configuration.as_deref();
        let holder = holder.unwrap_or(configurations.without_file());
        if holder.excludes.matches(self.place(&entry, &real), is_dir) {
            return Visit::Pass(WalkState::Skip);
        }
        match configuration {
            Some(configuration) if !is_dir => Visit::Take(Ok((entry, configuration))),
            _ => Visit::Pass(WalkState::Continue),
        }
    }

    fn candidate(&self, (entry, configuration): &Taken) -> Option<Candidate> {
        let path = entry.path();
        let is_link = entry.path_is_symlink();
        // Pipes, devices and broken links are nobody's Python; a walk passes them in silence.
        let is_file = if is_link {
            fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        } else {
            entry.file_type().is_some_and(|kind| kind.is_file())
        };
        if !is_file {
            return None;
        }
        let real = self.real(entry);
        let settings = configuration.check(self.place(entry, &real));
        Some(Candidate {
            identity: if is_link { identity(path) } else { real },
            is_link,
            source: Source {
                shown: relative(path, &self.settings.cwd),
                path: path.to_path_buf(),
                settings,
            },
        })
    }

    fn below<'a>(&self, entry: &'a DirEntry) -> &'a Path {
        entry.path().strip_prefix(self.root).unwrap_or(entry.path())
    }

    /// The path of `entry` with the links above its last part resolved.
    fn real(&self, entry: &DirEntry) -> PathBuf {
        self.real_root.join(self.below(entry))
    }

    fn place<'a>(&'a self, entry: &'a DirEntry, real: &'a Path) -> Place<'a> {
        Place {
            real,
            cwd: self.settings.configurations.real_cwd(),
            otherwise: Some(self.below(entry)),
        }
    }
}

/// What becomes of an entry of a walk.
enum Visit {
    Pass(WalkState),
    Take(Result<Taken, ignore::Error>),
}

/// Whether a walk takes a file of that name.
fn has_python_ending(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
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
