//! The files that say what a walk leaves out: whether they can be read, and at once.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::size::Size;

/// The files of a folder that are read before the folder is listed.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// What keeps a walk from a folder: a file of [`NAMES`], and why it cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Obstacle {
    /// The folder that it keeps from.
    pub(super) folder: PathBuf,
    pub(super) file: PathBuf,
    pub(super) message: String,
}

/// What keeps a walk from `folder`.
///
/// To open a pipe waits for its other end, and a device such as `/dev/zero` has no end, so the walk must
/// not meet them. Without what such a file says, or one that may not be read, files would be changed that
/// nobody wants to be looked at.
pub(super) fn obstacle(folder: &Path) -> Option<Obstacle> {
    NAMES.iter().find_map(|name| {
        let file = folder.join(name);
        let why = fault(&file)?;
        let message = format!(
            "{why}, so that nothing tells what to leave out, and its folder was not checked. Mend or \
             remove it, or give --no-respect-gitignore."
        );
        Some(Obstacle {
            folder: folder.to_path_buf(),
            file,
            message,
        })
    })
}

/// Why the file at `path` cannot be read; `None` when it can, or is not there.
fn fault(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if metadata.is_dir() || is_null(path) {
        return None;
    }
    if !metadata.is_file() {
        return Some("it is no regular file".to_owned());
    }
    let most = Size::default();
    if metadata.len() > most.bytes() {
        return Some(format!("it is larger than {most}"));
    }
    let opened = File::open(path).map(drop);
    opened
        .err()
        .map(|error: io::Error| format!("it cannot be read ({error})"))
}

/// Whether `path` leads to the device that is empty, as people do to have no such file.
fn is_null(path: &Path) -> bool {
    path.canonicalize()
        .is_ok_and(|real| real == Path::new("/dev/null"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_what_is_read_at_once_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(".gitignore");
        assert_eq!(obstacle(folder.path()), None);
        fs::write(&file, "x").unwrap();
        assert_eq!(obstacle(folder.path()), None);
        for (target, is_obstacle) in [
            ("/dev/null", false),
            ("/", false),
            ("nowhere", false),
            ("/dev/zero", true),
        ] {
            fs::remove_file(&file).unwrap();
            symlink(target, &file).unwrap();
            assert_eq!(obstacle(folder.path()).is_some(), is_obstacle, "{target}");
        }
        fs::remove_file(&file).unwrap();
        File::create(&file).unwrap().set_len(1 << 40).unwrap();
        let message = obstacle(folder.path()).unwrap().message;
        assert!(
            message.starts_with("it is larger than 32 MiB, so that"),
            "{message}"
        );
    }
}
