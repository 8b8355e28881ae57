//! How far a configuration that is found, not given, may lead: it may be anybody's.

use std::path::{Path, PathBuf};

use crate::cli::paths::{resolved, shown};

/// What a configuration that is found may name: files below its repository, or below its own folder
/// where that lies in none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bounds {
    folder: PathBuf,
    is_repository: bool,
}

impl Bounds {
    /// The bounds of a configuration in `folder`, a path without links.
    pub(super) fn of(folder: &Path) -> Self {
        let mut above = folder.ancestors();
        // In a linked work tree, `.git` is a file.
        let repository = above.find(|folder| {
            let git = folder.join(".git");
            git.is_dir() || git.is_file()
        });
        Self {
            // Without a slash at the end.
            folder: repository.unwrap_or(folder).components().collect(),
            is_repository: repository.is_some(),
        }
    }

    /// Checks that `path` lies within the bounds, once all links on its way are followed.
    ///
    /// # Errors
    /// What it leads out of, and what to do, to go on after the name of the path.
    pub(super) fn check(&self, path: &Path) -> Result<(), String> {
        let real = path.canonicalize();
        let real = real.unwrap_or_else(|_| resolved(path, Path::new("/")));
        if real.starts_with(&self.folder) {
            return Ok(());
        }
        let what = match self.is_repository {
            true => "the repository",
            false => "the folder",
        };
        Err(format!(
            "leads out of {what} `{}`, which a configuration that was found may not. If you trust \
             it, name the configuration with --config.",
            shown(&self.folder)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_bounds_are_the_nearest_repository_or_the_folder_itself() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("repo/.git")).unwrap();
        fs::create_dir_all(root.join("repo/a/b")).unwrap();
        let inside = Bounds::of(&root.join("repo/a"));
        for path in ["repo/a/b", "repo/a/gone", "repo/x.toml", "repo/a/../y"] {
            assert_eq!(inside.check(&root.join(path)), Ok(()), "{path}");
        }
        let error = inside.check(&root.join("repo/a/../../x")).unwrap_err();
        assert!(
            error.starts_with("leads out of the repository `"),
            "{error}"
        );
        let error = Bounds::of(&root).check(Path::new("/etc")).unwrap_err();
        assert!(error.starts_with("leads out of the folder `"), "{error}");
    }
}
