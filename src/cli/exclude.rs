//! Which paths are left out of a walk.

use std::path::{Component, Path};

use anyhow::{Context, Result, ensure};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Folders that hold no code of the project itself.
const DEFAULT: [&str; 30] = [
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".idea",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
    "*.egg-info",
    "*.dist-info",
];

/// Patterns as in a `.gitignore` file that stands in the working folder.
#[derive(Debug)]
pub(crate) struct Excludes {
    patterns: Gitignore,
}

impl Excludes {
    /// The patterns of `exclude`, or the default ones when it is empty, and those of `extend`.
    ///
    /// # Errors
    /// A pattern that is no valid glob.
    pub(crate) fn new(exclude: &[String], extend: &[String]) -> Result<Self> {
        let mut builder = GitignoreBuilder::new("");
        if exclude.is_empty() {
            for name in DEFAULT {
                builder.add_line(None, name)?;
            }
        }
        for (option, patterns) in [("--exclude", exclude), ("--extend-exclude", extend)] {
            for pattern in patterns {
                let wrong = || {
                    format!(
                        "{option}: `{pattern}` is no valid pattern. Write it as in a .gitignore file."
                    )
                };
                ensure!(!pattern.trim().is_empty(), wrong());
                builder.add_line(None, pattern).with_context(wrong)?;
            }
        }
        let patterns = builder.build()?;
        Ok(Self { patterns })
    }

    /// Whether a walk leaves out the entry `shown`, which lies `below` the walk's root.
    ///
    /// Only the entry itself is matched: what is above the root never counts, so a project that
    /// lies in a folder called `build` is checked.
    pub(crate) fn entry(&self, shown: &Path, below: &Path, is_dir: bool) -> bool {
        let path = if is_inside(shown) { shown } else { below };
        self.patterns.matched(path, is_dir).is_ignore()
    }

    /// Whether a path given by the user is left out under `--force-exclude`; folders above it
    /// count up to the working folder, and not at all for a path outside it.
    pub(crate) fn explicit(&self, shown: &Path, is_dir: bool) -> bool {
        let name = shown.file_name().map(Path::new);
        let path = if is_inside(shown) { Some(shown) } else { name };
        path.is_some_and(|path| {
            self.patterns
                .matched_path_or_any_parents(path, is_dir)
                .is_ignore()
        })
    }
}

fn is_inside(shown: &Path) -> bool {
    shown
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(exclude: &[&str], extend: &[&str]) -> Excludes {
        let owned = |list: &[&str]| {
            list.iter()
                .map(|item| (*item).to_owned())
                .collect::<Vec<_>>()
        };
        Excludes::new(&owned(exclude), &owned(extend)).unwrap()
    }

    #[test]
    fn default_names_match_below_the_root_only() {
        let default = excludes(&[], &[]);
        let entry = |path: &str| default.entry(Path::new(path), Path::new("m.py"), true);
        assert!(entry("build"));
        assert!(entry("a/.venv"));
        assert!(!entry("build/proj"));
        assert!(!entry("/x/build/proj"));
        assert!(!entry("src"));
    }

    #[test]
    fn patterns_of_the_user_replace_or_extend_the_default() {
        let replaced = excludes(&["pkg/skip.py"], &[]);
        assert!(replaced.entry(Path::new("pkg/skip.py"), Path::new("skip.py"), false));
        assert!(!replaced.entry(Path::new("skip.py"), Path::new("skip.py"), false));
        assert!(!replaced.entry(Path::new("venv"), Path::new("venv"), true));
        assert!(excludes(&[], &["x*"]).entry(Path::new("venv"), Path::new("venv"), true));
    }

    #[test]
    fn an_explicit_path_is_matched_with_the_folders_above_it_up_to_the_working_folder() {
        let default = excludes(&[], &["skip"]);
        assert!(default.explicit(Path::new("skip/a.py"), false));
        assert!(default.explicit(Path::new("build/a.py"), false));
        assert!(!default.explicit(Path::new("/x/build/a.py"), false));
        assert!(!default.explicit(Path::new(""), true));
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = Excludes::new(&["[z-a]".to_owned()], &[]).unwrap_err();
        assert!(error.to_string().contains("`[z-a]`"), "{error}");
        assert!(Excludes::new(&[" ".to_owned()], &[]).is_err());
    }
}
