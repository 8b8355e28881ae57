//! What the core must know of a file's surroundings: its role in a package and its neighbours.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::super::paths::folder_of;
use crate::check::FileContext;

/// The endings of files that Python imports.
const MODULE_ENDINGS: [&str; 5] = ["py", "pyw", "pyc", "so", "pyd"];

/// The modules of each folder, listed once.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    folders: Mutex<HashMap<PathBuf, BTreeSet<String>>>,
}

impl Surroundings {
    /// The context of the file at `path`, shown as `shown`; the file itself need not exist.
    pub(crate) fn of(&self, path: &Path, shown: &Path) -> FileContext {
        FileContext {
            path: shown.to_path_buf(),
            is_package_init: path.file_name().is_some_and(|name| name == "__init__.py"),
            sibling_modules: self.modules(folder_of(path)),
            ..FileContext::default()
        }
    }

    fn modules(&self, folder: &Path) -> BTreeSet<String> {
        let Ok(mut folders) = self.folders.lock() else {
            return list(folder);
        };
        folders
            .entry(folder.to_path_buf())
            .or_insert_with(|| list(folder))
            .clone()
    }
}

/// The modules and packages in `folder`; none when it cannot be read.
fn list(folder: &Path) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return BTreeSet::new();
    };
    entries
        .filter_map(|entry| module_name(&entry.ok()?))
        .collect()
}

fn module_name(entry: &DirEntry) -> Option<String> {
    let path = entry.path();
    if path.is_dir() {
        return is_package(&path).then(|| entry.file_name().into_string().ok())?;
    }
    let ending = path.extension()?;
    if !MODULE_ENDINGS.iter().any(|known| ending == *known) {
        return None;
    }
    // The name of an extension module goes on: `_speed.cpython-312-x86_64-linux-gnu.so`.
    let name = entry.file_name().into_string().ok()?;
    name.split('.').next().map(str::to_owned)
}

/// Whether a folder can be imported for its code: a package, or a namespace with modules in it.
fn is_package(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|ending| ending == "py")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_modules_packages_and_extension_modules() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["pkg", "data", "space"] {
            fs::create_dir(at(name)).unwrap();
        }
        for name in [
            "__init__.py",
            "m.py",
            "enum.py",
            "_c.cpython-312.so",
            "notes.txt",
            "pkg/__init__.py",
            "data/x.csv",
            "space/y.py",
        ] {
            fs::write(at(name), "").unwrap();
        }
        let surroundings = Surroundings::default();
        let context = surroundings.of(&at("m.py"), Path::new("m.py"));
        assert!(!context.is_package_init);
        let names: Vec<_> = context.sibling_modules.iter().map(String::as_str).collect();
        assert_eq!(names, ["__init__", "_c", "enum", "m", "pkg", "space"]);
        assert!(
            surroundings
                .of(&at("__init__.py"), Path::new("x"))
                .is_package_init
        );
    }

    #[test]
    fn a_folder_that_is_not_there_has_no_modules() {
        let context = Surroundings::default().of(Path::new("gone/m.py"), Path::new("gone/m.py"));
        assert!(context.sibling_modules.is_empty());
    }
}
