//! Rules of the user's own: from the paths of a configuration to a registry.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use crate::cli::disk::small_file;
use crate::cli::paths::{relative, shown};
use crate::cli::problem::{Problem, unreadable};
use crate::rule::{Registry, RuleFault, registry};
use crate::text::Location;

/// Files that end as rules do, and are none.
const NO_RULES: [&str; 3] = ["pyproject.toml", "hoist-namedtuple.toml", "Cargo.toml"];

/// The registries of a run, each distinct set of files read once.
#[derive(Debug)]
pub(crate) struct Registries {
    /// What shown paths are relative to.
    cwd: PathBuf,
    known: Mutex<BTreeMap<BTreeSet<PathBuf>, &'static Registry>>,
}

impl Registries {
    /// None so far; paths are shown as seen from the folder `cwd`.
    pub(crate) fn new(cwd: &Path) -> Self {
        Self {
            cwd: cwd.to_path_buf(),
            known: Mutex::default(),
        }
    }

    /// The built-in rules and those of `files`.
    ///
    /// # Errors
    /// The first fault in a file.
    pub(crate) fn of(&self, files: &BTreeSet<PathBuf>) -> Result<&'static Registry, Problem> {
        let built_in = registry().map_err(problem)?;
        if files.is_empty() {
            return Ok(built_in);
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(registry) = known.get(files) {
            return Ok(registry);
        }
        let texts: Result<Vec<_>, Problem> = files.iter().map(|file| self.text(file)).collect();
        let read = built_in
            .and(texts?.into_iter())
            .map_err(|fault| problem(&fault))?;
        // All that a check makes refers to its rules, up to the last report. A run knows a handful of
        // registries, and each is in use until its end: they are never freed.
        let read: &'static Registry = Box::leak(Box::new(read));
        known.insert(files.clone(), read);
        Ok(read)
    }

    /// The name of a file for messages, and its text.
    fn text(&self, file: &Path) -> Result<(String, String), Problem> {
        let name = relative(file, &self.cwd);
        let bytes = small_file::read(file, small_file::SETTINGS)
            .map_err(|unread| Problem::new(&name, unread.to_string()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Problem::new(&name, "it is not valid UTF-8. Save it as UTF-8."))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        Ok((shown(&name), text))
    }
}

fn problem(fault: &RuleFault) -> Problem {
    Problem {
        place: Some(Location {
            row: fault.row,
            column: fault.column,
        }),
        ..Problem::new(&fault.file, fault.sentence())
    }
}

/// Whether a file of that name in a folder is taken for a rule: one that ends in `.toml`, and is neither
/// hidden nor known for something else.
pub(crate) fn is_rule_name(name: &str) -> bool {
    name.ends_with(".toml") && !name.starts_with('.') && !NO_RULES.contains(&name)
}

/// The rule files at `path`: the file itself, or every one directly in the folder.
///
/// # Errors
/// Why there is none, and what to do, as a sentence that starts with the path.
pub(crate) fn files(path: &Path) -> Result<BTreeSet<PathBuf>, String> {
    named(path).map(|found| real(&found))
}

/// The same, by names that may be those of links.
///
/// # Errors
/// As [`files`].
pub(super) fn named(path: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let name = shown(path);
    let fault = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!(
            "`{name}` is not there. Name a folder with rule files, or a rule file; \
             `--new-rule` writes one."
        ),
        _ => format!("`{name}`: {}", unreadable(error)),
    };
    let metadata = fs::metadata(path).map_err(|error| fault(&error))?;
    let mut found = BTreeSet::new();
    if metadata.is_file() {
        found.insert(path.to_path_buf());
    } else if !metadata.is_dir() {
        return Err(format!(
            "`{name}` is neither a file nor a folder. Save the rule in a file, and name that."
        ));
    } else {
        for entry in fs::read_dir(path).map_err(|error| fault(&error))? {
            let file = entry.map_err(|error| fault(&error))?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            if is_rule_name(&name) && file.is_file() {
                found.insert(file);
            }
        }
    }
    if found.is_empty() {
        return Err(format!(
            "`{name}` holds no rule file, which ends in `.toml` and is neither hidden nor a \
             configuration. Add one, or name another folder."
        ));
    }
    Ok(found)
}

/// `files` without links.
pub(super) fn real(files: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let real = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
    files.iter().map(real).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_for_the_rule_files_directly_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("deep.toml")).unwrap();
        for name in [
            "b.toml",
            "a.toml",
            "c.txt",
            "deep.toml/d.toml",
            ".x.toml",
            "pyproject.toml",
            "hoist-namedtuple.toml",
            "Cargo.toml",
        ] {
            fs::write(root.join(name), "").unwrap();
        }
        let expected = [root.join("a.toml"), root.join("b.toml")];
        assert_eq!(files(&root).unwrap(), expected.into());
        let one = root.join("c.txt");
        assert_eq!(files(&one).unwrap(), [one].into());
    }

    #[test]
    fn a_path_without_a_rule_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let empty = files(folder.path()).unwrap_err();
        assert!(empty.contains("holds no rule file"), "{empty}");
        let gone = files(&folder.path().join("gone")).unwrap_err();
        assert!(gone.contains("gone` is not there"), "{gone}");
        if cfg!(unix) {
            let special = files(Path::new("/dev/null")).unwrap_err();
            assert!(
                special.contains("is neither a file nor a folder"),
                "{special}"
            );
        }
    }

    #[test]
    fn a_set_of_files_is_read_once() {
        let registries = Registries::new(Path::new("/p"));
        let none = registries.of(&BTreeSet::new()).unwrap();
        assert!(std::ptr::eq(none, registry().unwrap()));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.toml");
        fs::write(&file, "x = 1").unwrap();
        let error = registries.of(&[file].into()).unwrap_err();
        assert!(
            error.to_string().contains("a.toml:1:1: error: `x`:"),
            "{error}"
        );
    }
}
