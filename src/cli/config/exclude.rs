//! Which paths are left out.

use std::path::Path;
use std::sync::Arc;

use super::patterns::{Patterns, Place};

/// Folders that hold no code of the project itself.
pub(crate) const DEFAULT: [&str; 30] = [
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

/// Lists of patterns, each relative to a folder of its own.
#[derive(Debug, Clone)]
pub(crate) struct Excludes {
    lists: Vec<Arc<Patterns>>,
}

impl Excludes {
    /// What `lists` leave out; where several match, the last list counts.
    pub(crate) fn new(lists: Vec<Arc<Patterns>>) -> Self {
        Self { lists }
    }

    /// The lists, the one of `exclude` first.
    pub(crate) fn lists(&self) -> &[Arc<Patterns>] {
        &self.lists
    }

    /// The folders that the patterns are relative to.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.lists.iter().map(|list| list.root())
    }

    /// Whether the path at `place` is left out; the folders above it do not count.
    pub(crate) fn matches(&self, place: Place<'_>, is_dir: bool) -> bool {
        let decisions = self.lists.iter().rev();
        decisions
            .filter_map(|list| list.matched(place, is_dir))
            .next()
            .unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(lines: &[&str]) -> Arc<Patterns> {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Arc::new(Patterns::new(Path::new("/p"), lines).unwrap())
    }

    fn matches(excludes: &Excludes, real: &str) -> bool {
        let place = Place {
            real: Path::new(real),
            cwd: Path::new("/p"),
            otherwise: Some(Path::new("m.py")),
        };
        excludes.matches(place, true)
    }

    #[test]
    fn default_names_match_the_path_itself_below_their_folder_only() {
        let default = Excludes::new(vec![list(&DEFAULT)]);
        assert!(matches(&default, "/p/build"));
        assert!(matches(&default, "/p/a/.venv"));
        assert!(!matches(&default, "/p/build/proj"));
        assert!(!matches(&default, "/x/build"));
        assert!(!matches(&default, "/p/src"));
    }

    #[test]
    fn the_last_list_that_matches_counts() {
        let both = Excludes::new(vec![list(&["venv", "x*"]), list(&["!xa", "skip"])]);
        assert!(matches(&both, "/p/venv"));
        assert!(matches(&both, "/p/skip"));
        assert!(matches(&both, "/p/xb"));
        assert!(!matches(&both, "/p/xa"));
    }
}
