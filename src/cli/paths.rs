//! Paths as they are shown: relative to the working folder, without `./` and control characters.

use std::path::{Component, Path, PathBuf};

pub(crate) use crate::text::single_line;

/// `path` relative to the folder `cwd` where it lies below it.
///
/// `./` goes; a path with `..` in it is resolved first, as neither git nor a reader wants
/// `other/../a.py`. A path outside `cwd` stays as it was given.
pub(crate) fn relative(path: &Path, cwd: &Path) -> PathBuf {
    let has_parent = path.components().any(|part| part == Component::ParentDir);
    if path.is_relative() && !has_parent {
        return path
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
    }
    if let Ok(below) = path.strip_prefix(cwd)
        && !has_parent
    {
        return below.to_path_buf();
    }
    resolved_below(path, cwd).unwrap_or_else(|| path.to_path_buf())
}

fn resolved_below(path: &Path, cwd: &Path) -> Option<PathBuf> {
    let absolute = cwd.join(path);
    let resolved = match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => parent.canonicalize().ok()?.join(name),
        _ => absolute.canonicalize().ok()?,
    };
    let root = cwd.canonicalize().ok()?;
    Some(resolved.strip_prefix(root).ok()?.to_path_buf())
}

/// The folder that holds `path`, as far as its words tell: `.` for a name alone.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The absolute path of `path`, as seen from the folder `cwd`: links and `..` above its last part
/// are resolved, so that its parent is the folder that holds it. The last part itself is no link
/// that is followed, and what does not exist is taken as it is written.
pub(crate) fn resolved(path: &Path, cwd: &Path) -> PathBuf {
    let absolute = cwd.join(path);
    match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => resolved_folder(parent).join(name),
        _ => resolved_folder(&absolute),
    }
}

fn resolved_folder(folder: &Path) -> PathBuf {
    let existing = folder
        .ancestors()
        .find_map(|above| Some((above, above.canonicalize().ok()?)));
    let Some((above, mut real)) = existing else {
        return folder.to_path_buf();
    };
    for part in folder.strip_prefix(above).unwrap_or(folder).components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            Component::CurDir => {}
            _ => real.push(part),
        }
    }
    real
}

/// `path` on one line: control characters are written as escapes, bytes that are no text as U+FFFD.
///
/// A path that starts as a workflow command of GitHub does stands behind `./`, as lines start with paths.
pub(crate) fn shown(path: &Path) -> String {
    let text = single_line(&path.to_string_lossy());
    match single_line(&format!("./{}", path.to_string_lossy())) {
        behind if behind.strip_prefix("./") != Some(&text) => behind,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_working_folder_is_relative_to_it() {
        let cwd = Path::new("/home/me/proj");
        for (given, expected) in [
            ("./src/./m.py", "src/m.py"),
            ("src/m.py", "src/m.py"),
            ("/home/me/proj/src/m.py", "src/m.py"),
            ("/elsewhere/m.py", "/elsewhere/m.py"),
            ("../gone/m.py", "../gone/m.py"),
        ] {
            assert_eq!(relative(Path::new(given), cwd), Path::new(expected));
        }
    }

    #[test]
    fn a_path_through_another_folder_is_resolved() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["sub", "other"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        assert_eq!(
            relative(Path::new("other/../sub/a.py"), folder.path()),
            Path::new("sub/a.py")
        );
    }

    #[cfg(unix)]
    #[test]
    fn the_folders_above_a_path_are_resolved_and_its_own_link_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let cwd = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(cwd.join("real/sub")).unwrap();
        std::fs::write(cwd.join("real/m.py"), "").unwrap();
        std::os::unix::fs::symlink(cwd.join("real/sub"), cwd.join("link")).unwrap();
        std::os::unix::fs::symlink(cwd.join("real/m.py"), cwd.join("m.py")).unwrap();
        for (given, expected) in [
            ("link/../m.py", "real/m.py"),
            ("link/a.py", "real/sub/a.py"),
            ("./m.py", "m.py"),
            ("gone/deep/../a.py", "gone/a.py"),
            ("real/..", ""),
            (".", ""),
        ] {
            let expected = cwd.join(expected);
            assert_eq!(resolved(Path::new(given), &cwd), expected, "{given}");
        }
    }

    #[test]
    fn a_shown_path_is_one_line() {
        assert_eq!(shown(Path::new("a\nb\u{1b}.py")), "a\\nb\\u{1b}.py");
    }

    #[test]
    fn a_shown_path_starts_no_command() {
        for (path, expected) in [
            ("::error::x.py", "./::error::x.py"),
            (" ::x.py", "./ ::x.py"),
            ("a/::x.py", "a/::x.py"),
            ("##[error]x.py", "##\\u{5b}error]x.py"),
            ("::##[x.py", "./::##\\u{5b}x.py"),
        ] {
            assert_eq!(shown(Path::new(path)), expected);
        }
    }
}
