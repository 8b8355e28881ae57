//! New files beside old ones, which they are to replace.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::cli::paths::folder_of;

/// A hidden file whose name tells what it is, in case the process is killed before the rename. The
/// process's mask takes off what `mode` allows too much.
///
/// # Errors
/// Those of the file system, without the name of the file, which says nothing to a user.
pub(crate) fn beside(target: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let folder = folder_of(target);
    tempfile::Builder::new()
        .prefix(".hoist-namedtuple-")
        .suffix(".tmp")
        .make_in(folder, |path| new_file(path, mode))
}

fn new_file(path: &Path, mode: u32) -> io::Result<std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options.open(path)
}
