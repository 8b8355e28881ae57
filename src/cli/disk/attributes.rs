//! What a file has besides its bytes: owner, group, extended attributes and mode, handed on to its successor.

use std::fs::{File, Metadata};
use std::io;

/// Why a file was not given what another has.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// Another group than its own would get the rights of its group.
    Group(io::Error),
    /// Others than before could read or write it.
    AccessList(io::Error),
    /// A fault of the disk.
    Io(io::Error),
}

impl From<io::Error> for NotKept {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Gives `new` the owner, group, extended attributes and mode of `old`, whose metadata is `metadata`.
///
/// The owner, and attributes that are no access rules, are kept where the system allows it: only a
/// privileged process may give files away.
///
/// # Errors
/// When others could read or write `new` than may read or write `old`, or for a fault of the disk.
#[cfg(unix)]
pub(crate) fn take_over(new: &File, old: &File, metadata: &Metadata) -> Result<(), NotKept> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let made = new.metadata()?;
    if (made.uid(), made.gid()) != (metadata.uid(), metadata.gid())
        && fchown(new, Some(metadata.uid()), Some(metadata.gid())).is_err()
        && made.gid() != metadata.gid()
    {
        fchown(new, None, Some(metadata.gid())).map_err(NotKept::Group)?;
    }
    extended(new, old)?;
    // Last, as a change of the owner takes bits of the mode away.
    Ok(new.set_permissions(metadata.permissions())?)
}

/// Gives `new` the mode of `old`, whose metadata is `metadata`.
///
/// # Errors
/// Those of the file system.
#[cfg(not(unix))]
pub(crate) fn take_over(new: &File, _old: &File, metadata: &Metadata) -> Result<(), NotKept> {
    Ok(new.set_permissions(metadata.permissions())?)
}

/// The extended attribute that holds a POSIX access control list (acl(5)).
#[cfg(unix)]
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Makes the extended attributes of `new` those of `old` (xattr(7)).
#[cfg(unix)]
fn extended(new: &File, old: &File) -> Result<(), NotKept> {
    use xattr::FileExt;
    let names = match old.list_xattr() {
        Ok(names) => names,
        // The file system has none.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(NotKept::AccessList(error)),
    };
    for name in names {
        let copied = old.get_xattr(&name).and_then(|value| match value {
            Some(value) => new.set_xattr(&name, &value),
            None => Ok(()),
        });
        required(&name, copied)?;
    }
    // A folder's default list is given to each file that is made in it.
    if old.get_xattr(ACCESS_LIST).ok().flatten().is_none()
        && new.get_xattr(ACCESS_LIST).ok().flatten().is_some()
    {
        required(ACCESS_LIST.as_ref(), new.remove_xattr(ACCESS_LIST))?;
    }
    Ok(())
}

/// Labels of security modules and other programs' notes may be out of reach; who may read and write the
/// file must not change, and no disk may lose any of them.
#[cfg(unix)]
fn required(name: &std::ffi::OsStr, result: io::Result<()>) -> Result<(), NotKept> {
    use io::ErrorKind::{PermissionDenied, Unsupported};
    match result {
        Err(error) if name == ACCESS_LIST => Err(NotKept::AccessList(error)),
        Err(error) if matches!(error.kind(), PermissionDenied | Unsupported) => Ok(()),
        result => Ok(result?),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    use crate::cli::disk::write::replace;

    /// A list that gives the group of number 7 a right besides the owner's, group's and others'.
    fn access_list(permissions: u8) -> Vec<u8> {
        const ANY: [u8; 4] = [0xff; 4];
        let entry = |tag: u8, permissions: u8, id: [u8; 4]| {
            let head = [tag, 0, permissions, 0];
            [head, id].concat()
        };
        let group = [7, 0, 0, 0];
        let entries = [
            entry(0x01, 6, ANY),
            entry(0x04, 0, ANY),
            entry(0x08, permissions, group),
            entry(0x10, permissions, ANY),
            entry(0x20, 0, ANY),
        ];
        [vec![2, 0, 0, 0], entries.concat()].concat()
    }

    struct Scratch(tempfile::TempDir);

    impl Scratch {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("a.py"), b"old").unwrap();
            Self(folder)
        }

        fn file(&self) -> PathBuf {
            self.0.path().join("a.py")
        }

        /// Sets an attribute; whether the file system has such.
        fn set(&self, path: &Path, name: &str, value: &[u8]) -> bool {
            match xattr::set(path, name, value) {
                Ok(()) => true,
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{error}");
                    eprintln!("skipped: no {name} here");
                    false
                }
            }
        }
    }

    #[test]
    fn extended_attributes_are_kept() {
        let scratch = Scratch::new();
        if scratch.set(&scratch.file(), "user.note", b"mine") {
            replace(&scratch.file(), b"old", b"new").unwrap();
            let note = xattr::get(scratch.file(), "user.note").unwrap();
            assert_eq!(note.as_deref(), Some(&b"mine"[..]));
            assert_eq!(std::fs::read(scratch.file()).unwrap(), b"new");
        }
    }

    #[test]
    fn an_access_list_is_kept() {
        let scratch = Scratch::new();
        let list = access_list(4);
        if scratch.set(&scratch.file(), ACCESS_LIST, &list) {
            replace(&scratch.file(), b"old", b"new").unwrap();
            assert_eq!(xattr::get(scratch.file(), ACCESS_LIST).unwrap(), Some(list));
        }
    }

    #[test]
    fn a_folder_s_default_list_gives_nobody_a_right() {
        let scratch = Scratch::new();
        let default = "system.posix_acl_default";
        if scratch.set(scratch.0.path(), default, &access_list(6)) {
            replace(&scratch.file(), b"old", b"new").unwrap();
            assert_eq!(xattr::get(scratch.file(), ACCESS_LIST).unwrap(), None);
        }
    }

    #[test]
    fn a_privileged_process_leaves_the_file_with_its_owner() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let scratch = Scratch::new();
        if chown(scratch.file(), Some(7), Some(7)).is_err() {
            eprintln!("skipped: files cannot be given away here");
            return;
        }
        let mode = std::fs::Permissions::from_mode(0o6750);
        std::fs::set_permissions(scratch.file(), mode).unwrap();
        replace(&scratch.file(), b"old", b"new").unwrap();
        let metadata = std::fs::metadata(scratch.file()).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (7, 7));
        assert_eq!(metadata.mode() & 0o7777, 0o6750);
    }
}
