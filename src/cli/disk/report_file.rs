//! Writing a report to its file: whole, or not at all.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::interrupt::uninterrupted;

/// Puts `bytes` into the file at `path`.
///
/// A regular file, or one that is yet to be made, is replaced by a new one, so that nobody reads the
/// half of a report. A pipe or a device is written to, and so is a file that cannot be replaced: one
/// with several names, or in a folder that takes no new file.
///
/// # Errors
/// Those of the file system; a regular file is as it was then, unless it had to be written to.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match place(path)? {
        Place::Device => OpenOptions::new().append(true).open(path)?.write_all(bytes),
        Place::Missing(target) => uninterrupted(|| replace(&target, bytes, None)),
        Place::File(target) => {
            // A rename asks for no permission on the file that it replaces.
            OpenOptions::new().append(true).open(&target)?;
            let metadata = fs::metadata(&target)?;
            let mode = metadata.permissions();
            if super::write::links(&metadata) > 1 {
                return fs::write(target, bytes);
            }
            match uninterrupted(|| replace(&target, bytes, Some(mode))) {
                Err(error) if takes_no_file(&error) => fs::write(target, bytes),
                result => result,
            }
        }
    }
}

/// Whether a folder takes no new file, or does not let go of the old one, while its files may be written
/// to; a full disk would cut the old report.
fn takes_no_file(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ResourceBusy)
}

/// What there is at the path of a report.
enum Place {
    /// Nothing yet; the path is the one given, or the one that a link leads to.
    Missing(PathBuf),
    /// A regular file, with its links resolved.
    File(PathBuf),
    /// Something else, or a file that another process handed over.
    Device,
}

/// Whether `path` is a way to what is open already, or no file at all.
///
/// That is not to be replaced or cut: `/dev/stdout` may be a log.
pub(crate) fn is_device(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn place(path: &Path) -> io::Result<Place> {
    if is_device(path) {
        return Ok(Place::Device);
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Place::File(path.canonicalize()?)),
        Ok(_) => Ok(Place::Device),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) => Ok(Place::Missing(match fs::read_link(path) {
            Ok(target) => path.parent().unwrap_or(path).join(target),
            Err(_) => path.to_path_buf(),
        })),
    }
}

/// Renames a new file with `bytes` over `target`; its permissions are `old`, or the usual ones.
fn replace(target: &Path, bytes: &[u8], old: Option<Permissions>) -> io::Result<()> {
    let mut file = temporary_beside(target)?;
    file.as_file_mut().write_all(bytes)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old)?;
    }
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let parent = target.parent();
    let folder = parent.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hoist-namedtuple-").suffix(".tmp");
    #[cfg(unix)]
    {
        // The process's mask takes off what others may not do.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    let made = builder.tempfile_in(folder);
    // The name of the temporary file, which its error holds, says nothing to the user.
    made.map_err(|error| error.kind().into())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    #[test]
    fn a_new_report_can_be_read_like_any_new_file_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, report) = (folder.path().join("plain"), folder.path().join("report"));
        fs::write(&plain, "").unwrap();
        write(&report, b"whole").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&report), mode(&plain));
        assert_eq!(fs::read(&report).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn an_old_report_keeps_its_mode_and_its_links() {
        let folder = tempfile::tempdir().unwrap();
        let [report, soft, hard] = ["report", "soft", "hard"].map(|name| folder.path().join(name));
        fs::write(&report, "old").unwrap();
        fs::set_permissions(&report, Permissions::from_mode(0o640)).unwrap();
        symlink("report", &soft).unwrap();
        write(&soft, b"new").unwrap();
        assert_eq!(fs::read(&report).unwrap(), b"new");
        assert!(fs::symlink_metadata(&soft).unwrap().is_symlink());
        assert_eq!(fs::metadata(&report).unwrap().mode() & 0o777, 0o640);
        fs::hard_link(&report, &hard).unwrap();
        write(&report, b"newest").unwrap();
        assert_eq!(fs::read(&hard).unwrap(), b"newest");
    }

    #[test]
    fn a_link_that_leads_to_nothing_yet_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("report", &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(folder.path().join("report")).unwrap(), b"new");
    }

    #[test]
    fn a_report_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(folder.path(), b"").is_err());
        let error = write(&folder.path().join("no/such/folder"), b"").unwrap_err();
        assert!(!error.to_string().contains(".tmp"), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(write(Path::new("/dev/full"), b"x").is_err());
        write(Path::new("/dev/null"), b"x").unwrap();
    }
}
