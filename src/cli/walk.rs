//! From the given paths to the files to check: each once, in path order.

mod identity;
mod patterns;
mod tree;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::config::patterns::Place;
use super::config::{Configurations, RunSettings, is_excluded};
use super::disk::first_look::Scratch;
use super::paths::{relative, resolved};
use super::problem::{self, Problem};
use crate::check::Settings;
use identity::{Identities, Identity};
use tree::Walk;

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
    /// Whether a walk met it as a link to a file that is neither given nor met by its own name, as it
    /// lies outside or is left out: such a file is not written.
    pub(crate) is_only_linked: bool,
}

impl Source {
    /// What sources are ordered by.
    fn key(&self) -> (&Path, &Path) {
        (&self.shown, &self.path)
    }
}

/// Whether the file at a path may have something to say, as far as a first look at its bytes tells.
pub(crate) type FirstLook<'a> = dyn Fn(&Path, &Arc<Settings>, &mut Scratch) -> bool + Sync + 'a;

/// The files to check, and what went wrong on the way.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Those that a first look does not settle, in the order of their shown paths.
    pub(crate) sources: Vec<Source>,
    /// How many files there are, with those that are settled.
    pub(crate) files: usize,
    /// In the order of the given paths.
    pub(crate) problems: Vec<Problem>,
}

/// A file that was come across, maybe not for the first time.
struct Candidate {
    identity: Identity,
    is_link: bool,
    source: Source,
}

impl Candidate {
    /// A file's own name comes before that of a link.
    fn key(&self) -> (bool, (&Path, &Path)) {
        (self.is_link, self.source.key())
    }
}

/// Files that were come across.
#[derive(Default)]
struct Visited {
    /// Those that a first look does not settle. A link is never settled: the file's own name goes
    /// before it, wherever that comes up.
    candidates: Vec<Candidate>,
    /// The files that were met by their own names.
    own: Vec<Identity>,
    /// What went wrong, with the identity of the path that it is about.
    problems: Vec<(Identity, Problem)>,
}

impl Visited {
    fn append(&mut self, other: &mut Self) {
        self.candidates.append(&mut other.candidates);
        self.own.append(&mut other.own);
        self.problems.append(&mut other.problems);
    }

    /// The files, each once, and how many there are.
    fn once_each(mut self) -> Found {
        self.candidates
            .sort_by(|left, right| left.key().cmp(&right.key()));
        self.own.sort_unstable();
        self.own.dedup();
        let is_met = |identity: &Identity| self.own.binary_search(identity).is_ok();
        let mut taken = FxHashSet::default();
        let mut links = 0;
        let mut sources = vec![];
        for candidate in self.candidates {
            let is_hidden = candidate.is_link && is_met(&candidate.identity);
            if !is_hidden && taken.insert(candidate.identity) {
                links += usize::from(candidate.is_link);
                sources.push(candidate.source);
            }
        }
        sources.sort_by(|left, right| left.key().cmp(&right.key()));
        let mut told = FxHashSet::default();
        let mut problems = self.problems;
        problems.retain(|(identity, _)| told.insert(*identity));
        Found {
            sources,
            files: self.own.len() + links,
            problems: problems.into_iter().map(|(_, problem)| problem).collect(),
        }
    }
}

/// Collects the files that `paths` name or hold, without those of which `may_speak` says that they
/// have nothing to say.
///
/// A given file is taken whatever its name; a given folder is walked without following links to
/// folders. A file that several paths lead to is taken once, by its own name rather than a link's.
pub(crate) fn find(paths: &[PathBuf], settings: &WalkSettings, may_speak: &FirstLook<'_>) -> Found {
    let all = paths.iter().filter_map(|path| path.canonicalize().ok());
    let met = Met {
        given: all.collect(),
        identities: Identities::default(),
    };
    let mut visited = Visited::default();
    for path in paths {
        match given(path, settings, (&met, may_speak)) {
            Ok(mut found) => visited.append(&mut found),
            Err(problem) => {
                let identity = met.identities.of_target(path);
                visited.problems.push((identity, problem));
            }
        }
    }
    let mut found = visited.once_each();
    found.problems.extend(settings.configurations.faults());
    found
}

/// What the walks of a run share.
struct Met {
    /// The given paths without links.
    given: Vec<PathBuf>,
    identities: Identities,
}

impl Met {
    /// Whether the file at `real`, a path without links, is given.
    fn is_given(&self, real: &Path) -> bool {
        self.given.iter().any(|given| given == real)
    }
}

/// The file that the link at `path` leads to.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn given(
    path: &Path,
    settings: &WalkSettings,
    (met, may_speak): (&Met, &FirstLook<'_>),
) -> Result<Visited, Problem> {
    let metadata = check_exists(path)?;
    let real = resolved(path, &settings.cwd);
    if settings.run.force_exclude && is_excluded(&real, metadata.is_dir(), &settings.configurations)
    {
        return Ok(Visited::default());
    }
    if metadata.is_dir() {
        let real_root = path.canonicalize();
        let walk = Walk {
            root: path,
            real_root: real_root.map_err(|error| missing(path, &error))?,
            settings,
            met,
            may_speak,
        };
        return Ok(walk.run());
    }
    if !metadata.is_file() {
        return Err(Problem::new(
            path,
            "it is neither a file nor a folder. Give a regular file, or `-` to read standard input.",
        ));
    }
    let Some(source) = source(path, &real, settings) else {
        return Ok(Visited::default());
    };
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    // A system that does not tell upper from lower case takes two spellings of one name.
    let identity = met.identities.of_target(path);
    Ok(Visited {
        own: if is_link { vec![] } else { vec![identity] },
        candidates: vec![Candidate {
            identity,
            is_link,
            source,
        }],
        problems: vec![],
    })
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
        is_only_linked: false,
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
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let message = match error.kind() {
        io::ErrorKind::NotFound if is_link => {
            "it is a link that leads nowhere. Mend or remove it.".to_owned()
        }
        io::ErrorKind::NotFound => {
            "there is no such file or folder. Check the spelling and the working folder.".to_owned()
        }
        io::ErrorKind::PermissionDenied => problem::unreadable(error),
        _ if is_link => format!("it is a link that leads nowhere ({error}). Mend or remove it."),
        _ => problem::unreadable(error),
    };
    Problem::new(path, message)
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
