//! Writing a report to its file: whole, or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use super::attributes::{NotKept, take_over};
use super::interrupt::uninterrupted;
use super::temporary;
use super::write::links;

/// Puts `bytes` into the file at `path`.
///
/// A regular file, or one that is yet to be made, is replaced by a new one, so that nobody reads the
/// half of a report. A pipe or a device is written to, and so is a file that cannot be replaced, as in a
/// folder that takes no new file. One with several hard links is refused: its other names may be those
/// of a program.
///
/// # Errors
/// Those of the file system; a regular file is as it was then.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match place(path)? {
        Place::Device => OpenOptions::new().append(true).open(path)?.write_all(bytes),
        Place::Missing(target) => uninterrupted(|| replace(&target, bytes, None)),
        Place::File(target) => {
            // A rename asks for no permission on the file that it replaces.
            let old = OpenOptions::new().append(true).open(&target)?;
            let metadata = old.metadata()?;
            match links(&metadata) {
                0 | 1 => {}
                several => {
                    return Err(io::Error::other(format!(
                        "it has {several} hard links, and its other names would change with it"
                    )));
                }
            }
            match uninterrupted(|| replace(&target, bytes, Some((&old, &metadata)))) {
                Err(error) if takes_no_file(&error) => uninterrupted(|| in_place(&target, bytes)),
                result => result,
            }
        }
    }
}

/// Whether a folder takes no new file, or does not let go of the old one, while its files may be written
/// to.
fn takes_no_file(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ResourceBusy)
}

/// Writes over the bytes of the file. On a disk without room the old ones come back, for which there
/// is room as long as nothing of them was given up.
fn in_place(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::read(target)?;
    let mut file = OpenOptions::new().write(true).open(target)?;
    let put = |file: &mut File, bytes: &[u8]| {
        file.rewind()?;
        file.write_all(bytes)?;
        file.set_len(u64::try_from(bytes.len()).unwrap_or(u64::MAX))
    };
    put(&mut file, bytes).inspect_err(|_| {
        // The first fault is the one to tell.
        let _ = put(&mut file, &old);
    })
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

/// Renames a new file with `bytes` over `target`; it gets what the old one has, or the usual mode.
fn replace(target: &Path, bytes: &[u8], old: Option<(&File, &Metadata)>) -> io::Result<()> {
    let mut file = temporary::beside(target, 0o666)?;
    file.as_file_mut().write_all(bytes)?;
    if let Some((old, metadata)) = old {
        take_over(file.as_file(), old, metadata).map_err(|fault| match fault {
            NotKept::Group(_) | NotKept::AccessList(_) => io::ErrorKind::PermissionDenied.into(),
            NotKept::Io(error) => error,
        })?;
    }
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs::Permissions;
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
        let error = write(&report, b"newest").unwrap_err();
        assert!(error.to_string().contains("2 hard links"), "{error}");
        assert_eq!(fs::read(&hard).unwrap(), b"new");
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
    fn what_is_written_in_place_is_whole() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for bytes in [&b"long and longer"[..], b"short", b""] {
            in_place(file.path(), bytes).unwrap();
            assert_eq!(fs::read(file.path()).unwrap(), bytes);
        }
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
