//! What the core must know of a file's surroundings: its role in a package and its neighbours.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf, absolute};
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
            package: package(path),
            enclosing_folders: enclosing_folders(path),
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

/// The dotted name of the package that holds the file: the folders above it that have an
/// `__init__.py`.
fn package(path: &Path) -> String {
    let path = absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folders = path.ancestors().skip(1);
    let packages = folders.take_while(|folder| folder.join("__init__.py").is_file());
    let mut names: Vec<_> = packages.filter_map(folder_name).collect();
    names.reverse();
    names.join(".")
}

fn enclosing_folders(path: &Path) -> BTreeSet<String> {
    let path = absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.ancestors().skip(1).filter_map(folder_name).collect()
}

fn folder_name(folder: &Path) -> Option<String> {
    Some(folder.file_name()?.to_str()?.to_owned())
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
    let kind = entry.file_type().ok()?;
    if kind.is_dir() || (kind.is_symlink() && path.is_dir()) {
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
    fn the_package_is_told_by_the_folders_with_an_init() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("src/app/models");
        fs::create_dir_all(&inner).unwrap();
        for init in [&inner, &folder.path().join("src/app")] {
            fs::write(init.join("__init__.py"), "").unwrap();
        }
        let surroundings = Surroundings::default();
        let context = surroundings.of(&inner.join("m.py"), Path::new("m.py"));
        assert_eq!(context.package, "app.models");
        assert!(context.enclosing_folders.contains("src"));
        let outer = surroundings.of(&folder.path().join("src/m.py"), Path::new("m.py"));
        assert_eq!(outer.package, "");
    }

    #[test]
    fn a_folder_that_is_not_there_has_no_modules() {
        let context = Surroundings::default().of(Path::new("gone/m.py"), Path::new("gone/m.py"));
        assert!(context.sibling_modules.is_empty());
    }
}
