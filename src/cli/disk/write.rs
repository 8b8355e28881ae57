//! Replacing a file as a whole: another process sees the old bytes or the new ones.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

use super::attributes::{NotKept, take_over};
use super::temporary;

/// Why a file was not written; it is as it was.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    /// Its bytes are no longer those that were read.
    #[error("it changed while it was checked. Run again when nothing else writes to it.")]
    Changed,
    /// It is no longer there.
    #[error("it was there and is gone. Run again when nothing else changes its folder.")]
    Gone,
    /// It is no longer a regular file.
    #[error(
        "it is no regular file any more, so the fix was not written. Leave it out with --exclude."
    )]
    NotRegular,
    /// Its mode has no write permission.
    #[error("it is read-only, so the fix was not written. Make it writable, or leave it out.")]
    ReadOnly,
    /// Its file system has no write permission.
    #[error(
        "it is on a read-only file system, so the fix was not written. Copy the files to where they can be written, or give its text on standard input (`-`), which writes no file."
    )]
    ReadOnlyFileSystem,
    /// Replacing it would part it from its other names.
    #[error(
        "it has {0} hard links, which a rewrite would part, so the fix was not written. Part the links first, or give its text on standard input (`-`), which writes no file."
    )]
    HardLinks(u64),
    /// Another group than its own would get the rights of its group.
    #[error(
        "its group cannot be kept ({0}), so the fix was not written. Run as its owner, or give its text on standard input (`-`), which writes no file."
    )]
    Group(io::Error),
    /// Others than before could read or write it.
    #[error(
        "its access control list cannot be kept ({0}), so the fix was not written. Run as its owner, or give its text on standard input (`-`), which writes no file."
    )]
    AccessList(io::Error),
    /// A file cannot be made beside it.
    #[error(
        "no file can be made in its folder ({0}), so the fix was not written. Make the folder writable, or give its text on standard input (`-`), which writes no file."
    )]
    Folder(io::Error),
    /// The name of a file beside it would be longer than the system takes.
    #[error(
        "its path is too long for another file beside it, so the fix was not written. Run in a folder further down, or give its text on standard input (`-`), which writes no file."
    )]
    LongPath,
    /// The system does not let it be replaced.
    #[error(
        "the system does not let it be replaced ({0}), as for a mount point, so the fix was not written. Give its text on standard input (`-`), which writes no file."
    )]
    Busy(io::Error),
    /// There is no room for the new file beside the old one.
    #[error(
        "there is no room for the fixed file ({0}), so the fix was not written and the file is as it was. Free some space, and run again."
    )]
    NoRoom(io::Error),
    /// Anything else.
    #[error(
        "the fix could not be written ({0}), and the file is as it was. Check the disk and the permissions."
    )]
    Io(io::Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{
            FileTooLarge, InvalidFilename, NotFound, QuotaExceeded, ReadOnlyFilesystem,
            ResourceBusy, StorageFull,
        };
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::NoRoom(error),
            ReadOnlyFilesystem => Self::ReadOnlyFileSystem,
            ResourceBusy => Self::Busy(error),
            InvalidFilename => Self::LongPath,
            NotFound => Self::Gone,
            _ => Self::Io(error),
        }
    }
}

impl From<NotKept> for WriteError {
    fn from(fault: NotKept) -> Self {
        match fault {
            NotKept::Group(error) => Self::Group(error),
            NotKept::AccessList(error) => Self::AccessList(error),
            NotKept::Io(error) => error.into(),
        }
    }
}

/// Puts `after` in the place of the file at `path`, whose bytes must still be `before`.
///
/// A link is followed to its file first. The new file is written and flushed beside the old one, takes
/// over what the old one has besides its bytes, and is then renamed over it.
///
/// # Errors
/// See [`WriteError`]; the file is untouched then.
pub(crate) fn replace(path: &Path, before: &[u8], after: &[u8]) -> Result<(), WriteError> {
    let target = path.canonicalize()?;
    let metadata = fs::metadata(&target)?;
    may_write(&target, &metadata)?;
    let mut old = File::open(&target)?;
    if !holds(&mut old, before)? {
        return Err(WriteError::Changed);
    }
    let mut file = temporary::beside(&target, 0o600).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => WriteError::Folder(error),
        _ => error.into(),
    })?;
    file.as_file_mut().write_all(after)?;
    take_over(file.as_file(), &old, &metadata)?;
    file.as_file().sync_all()?;
    // The last look before the rename; what is written in the instant after it would be lost.
    let is_file = fs::metadata(&target)?.is_file();
    if !is_file || !holds(&mut File::open(&target)?, before)? {
        return Err(WriteError::Changed);
    }
    file.persist(&target).map_err(|error| error.error)?;
    sync_folder(&target);
    Ok(())
}

/// Whether the bytes of `file` are `bytes`; what follows more than that is not read.
fn holds(file: &mut File, bytes: &[u8]) -> io::Result<bool> {
    let most = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let mut found = Vec::with_capacity(bytes.len());
    file.take(most.saturating_add(1)).read_to_end(&mut found)?;
    Ok(found == bytes)
}

/// A rename asks for no permission on the file it replaces, so this does.
fn may_write(target: &Path, metadata: &Metadata) -> Result<(), WriteError> {
    if !metadata.is_file() {
        return Err(WriteError::NotRegular);
    }
    if metadata.permissions().readonly() {
        return Err(WriteError::ReadOnly);
    }
    match links(metadata) {
        0 | 1 => {}
        several => return Err(WriteError::HardLinks(several)),
    }
    match OpenOptions::new().write(true).open(target) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(WriteError::ReadOnly),
        Err(error) => Err(error.into()),
    }
}

#[cfg(unix)]
pub(crate) fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
pub(crate) fn links(_metadata: &Metadata) -> u64 {
    1
}

/// Makes the rename last; file systems that cannot sync a folder are no worse than before.
fn sync_folder(target: &Path) {
    if let Some(folder) = target.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn folder_with(name: &str, bytes: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        folder
    }

    fn entries(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| name(e).unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_with_its_mode_and_nothing_is_left_behind() {
        let folder = folder_with("a.py", b"old");
        let path = folder.path().join("a.py");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
        replace(&path, b"old", b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o751);
        assert_eq!(entries(folder.path()), ["a.py"]);
    }

    #[test]
    fn a_link_stays_a_link_and_its_file_is_replaced() {
        let folder = folder_with("a.py", b"old");
        let link = folder.path().join("link.py");
        symlink("a.py", &link).unwrap();
        replace(&link, b"old", b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("a.py")).unwrap(), b"new");
    }

    #[track_caller]
    fn refused(folder: &Path, before: &[u8]) -> WriteError {
        let path = folder.join("a.py");
        let old = fs::read(&path).unwrap();
        let listing = entries(folder);
        let error = replace(&path, before, b"new").unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), old);
        assert_eq!(entries(folder), listing);
        error
    }

    #[test]
    fn a_read_only_file_is_refused_even_for_root() {
        let folder = folder_with("a.py", b"old");
        let path = folder.path().join("a.py");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(
            refused(folder.path(), b"old"),
            WriteError::ReadOnly
        ));
    }

    #[test]
    fn a_file_with_several_hard_links_is_refused() {
        let folder = folder_with("a.py", b"old");
        fs::hard_link(folder.path().join("a.py"), folder.path().join("b.py")).unwrap();
        assert!(matches!(
            refused(folder.path(), b"old"),
            WriteError::HardLinks(2)
        ));
    }

    #[test]
    fn a_file_that_changed_is_refused() {
        let folder = folder_with("a.py", b"newer");
        assert!(matches!(
            refused(folder.path(), b"old"),
            WriteError::Changed
        ));
    }

    #[test]
    fn a_file_that_is_gone_is_an_error() {
        let folder = folder_with("a.py", b"old");
        let gone = folder.path().join("gone.py");
        assert!(matches!(
            replace(&gone, b"old", b"new"),
            Err(WriteError::Gone)
        ));
    }
}
