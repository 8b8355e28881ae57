//! Patterns as in a `.gitignore` file, and the folder that they are relative to.

use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::fault::quoted;

/// Where a path lies, to be matched by patterns of any folder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The path, with the links above its last part resolved.
    pub(crate) real: &'a Path,
    /// The working folder with all links resolved.
    pub(crate) cwd: &'a Path,
    /// What stands for the path where neither the patterns' folder nor the working folder holds it.
    pub(crate) otherwise: Option<&'a Path>,
}

impl<'a> Place<'a> {
    /// The path as patterns of a folder see it that does not hold it.
    fn outside(&self) -> Option<&'a Path> {
        let below = self.real.strip_prefix(self.cwd).ok();
        below.or(self.otherwise)
    }
}

fn is_relative(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

/// A list of patterns; the last that matches counts.
#[derive(Debug, Clone)]
pub(crate) struct Patterns {
    root: PathBuf,
    lines: Vec<String>,
    globs: Gitignore,
    /// Those that match at any depth, and so outside of the folder as well.
    floating: Gitignore,
}

impl Patterns {
    /// The patterns `lines`, which are relative to the folder `root`.
    ///
    /// # Errors
    /// The index of a pattern that is wrong, and what is wrong with it.
    pub(crate) fn new(root: &Path, lines: Vec<String>) -> Result<Self, (usize, String)> {
        for (index, line) in lines.iter().enumerate() {
            check(line).map_err(|fault| (index, fault))?;
        }
        let globs = build(&lines, |_| true)?;
        let floating = build(&lines, is_floating)?;
        Ok(Self {
            root: root.to_path_buf(),
            lines,
            globs,
            floating,
        })
    }

    /// The folder that the patterns are relative to.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The patterns as they were written.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// What the patterns say of the path itself: `Some(false)` when one with `!` keeps it.
    pub(crate) fn matched(&self, place: Place<'_>, is_dir: bool) -> Option<bool> {
        let (globs, path) = self.seen(place)?;
        decision(&globs.matched(path, is_dir))
    }

    /// Whether the patterns match the file or a folder above it.
    pub(crate) fn covers(&self, place: Place<'_>) -> bool {
        self.seen(place)
            .is_some_and(|(globs, path)| globs.matched_path_or_any_parents(path, false).is_ignore())
    }

    /// The patterns that can match the file, and the path that they are to be matched with.
    fn seen<'a>(&self, place: Place<'a>) -> Option<(&Gitignore, &'a Path)> {
        // Without patterns, the places of all files of a tree need not be taken apart.
        if self.lines.is_empty() {
            return None;
        }
        match place.real.strip_prefix(&self.root) {
            Ok(inside) => Some((&self.globs, inside)),
            Err(_) => Some((&self.floating, place.outside()?)),
        }
        .filter(|(_, path)| path.components().next().is_some() && is_relative(path))
    }
}

fn build(lines: &[String], is_wanted: impl Fn(&str) -> bool) -> Result<Gitignore, (usize, String)> {
    let mut builder = GitignoreBuilder::new("");
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_wanted(line)) {
        // As in a path, `./` stands for the folder itself; git would match nothing.
        let anchored = line.strip_prefix("./").map(|rest| format!("/{rest}"));
        builder
            .add_line(None, anchored.as_deref().unwrap_or(line))
            .map_err(|error| (index, invalid(line, &error)))?;
    }
    builder
        .build()
        .map_err(|error| (0, invalid(&lines.join(", "), &error)))
}

/// Whether a pattern matches at any depth: a `/` anywhere but at its end ties it to its folder
/// (gitignore(5)).
fn is_floating(line: &str) -> bool {
    let glob = line.trim_start_matches('!').trim_end();
    let glob = glob.strip_suffix('/').unwrap_or(glob);
    !glob.contains('/') || glob.starts_with("**/")
}

fn decision<T>(matched: &ignore::Match<T>) -> Option<bool> {
    match matched {
        ignore::Match::None => None,
        ignore::Match::Ignore(_) => Some(true),
        ignore::Match::Whitelist(_) => Some(false),
    }
}

fn check(line: &str) -> Result<(), String> {
    let glob = line.trim_start_matches('!');
    let shown = quoted(line);
    if glob.trim().is_empty() {
        return Err(format!(
            "the pattern `{shown}` is empty. Leave it out, or name a file or folder."
        ));
    }
    if line.starts_with('#') {
        return Err(format!(
            "`{shown}` would be a comment in a .gitignore file. Write `\\{shown}` for a name that \
             starts with `#`."
        ));
    }
    if glob.split('/').any(|part| part == "..") {
        return Err(format!(
            "the pattern `{shown}` leads out of its folder, where nothing can match. Write it \
             without `..`."
        ));
    }
    Ok(())
}

fn invalid(line: &str, error: &ignore::Error) -> String {
    let why = match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    };
    let line = quoted(line);
    format!("`{line}` is no valid pattern ({why}). Write it as in a .gitignore file.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(root: &str, lines: &[&str]) -> Patterns {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Patterns::new(Path::new(root), lines).unwrap()
    }

    fn place<'a>(real: &'a str, otherwise: Option<&'a str>) -> Place<'a> {
        Place {
            real: Path::new(real),
            cwd: Path::new("/p/cwd"),
            otherwise: otherwise.map(Path::new),
        }
    }

    #[test]
    fn patterns_are_relative_to_their_folder() {
        let patterns = patterns("/p", &["a/x.py", "./b.py", "gen", "!gen/"]);
        let matched = |real: &str, is_dir| patterns.matched(place(real, None), is_dir);
        assert_eq!(matched("/p/a/x.py", false), Some(true));
        assert_eq!(matched("/p/c/a/x.py", false), None);
        assert_eq!(matched("/p/b.py", false), Some(true));
        assert_eq!(matched("/p/c/b.py", false), None);
        assert_eq!(matched("/p/c/gen", false), Some(true));
        assert_eq!(matched("/p/c/gen", true), Some(false));
        assert_eq!(matched("/p", true), None);
    }

    #[test]
    fn what_lies_outside_is_seen_from_the_working_folder_or_as_told() {
        let anchored = patterns("/elsewhere", &["/a.py", "x/a.py", "./a.py"]);
        assert_eq!(anchored.matched(place("/p/cwd/a.py", None), false), None);
        assert_eq!(
            anchored.matched(place("/q/a.py", Some("x/a.py")), false),
            None
        );
        let patterns = patterns("/elsewhere", &["a.py"]);
        let matched = |place| patterns.matched(place, false);
        assert_eq!(matched(place("/p/cwd/a.py", None)), Some(true));
        assert_eq!(matched(place("/q/a.py", Some("a.py"))), Some(true));
        assert_eq!(matched(place("/q/a.py", None)), None);
        assert_eq!(matched(place("/q/a.py", Some("../a.py"))), None);
    }

    #[test]
    fn a_pattern_of_a_folder_covers_what_is_in_it() {
        let patterns = patterns("/p", &["tests/"]);
        assert!(patterns.covers(place("/p/a/tests/deep/m.py", None)));
        assert!(!patterns.covers(place("/p/a/m.py", None)));
    }

    #[test]
    fn a_wrong_pattern_is_named() {
        for line in ["[z-a]", " ", "", "!", "# note", "../x", "a/../b"] {
            let lines = vec!["fine".to_owned(), line.to_owned()];
            let (index, fault) = Patterns::new(Path::new(""), lines).unwrap_err();
            assert_eq!(index, 1, "{line}");
            assert!(fault.contains(&format!("`{line}`")), "{fault}");
            assert!(fault.ends_with('.'), "{fault}");
        }
    }
}
