//! Reading files that are no Python: settings, rules, a baseline. They may be anybody's.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use crate::cli::problem::unreadable;

const MIB: u64 = 1024 * 1024;

/// The most bytes of a file with settings, rules or patterns that are read.
pub(crate) const SETTINGS: u64 = MIB;

/// The most bytes of a baseline that are read.
pub(crate) const BASELINE: u64 = 64 * MIB;

/// Why a file was not read.
#[derive(Debug, Error)]
pub(crate) enum Unread {
    /// A pipe or a device, whose end may never come.
    #[error("it is a pipe or a device. Put a regular file in its place.")]
    Special,
    /// More bytes than are read.
    #[error("it is larger than {} MiB, the most that is read of such a file. Make it smaller.", .0 / MIB)]
    TooLarge(u64),
    /// What the system says.
    #[error("{}", unreadable(.0))]
    Io(#[from] io::Error),
}

/// Why a file that `metadata` tells of is not read; `most` is the most bytes that are.
pub(crate) fn refused(metadata: &Metadata, most: u64) -> Option<Unread> {
    if !metadata.is_file() && !metadata.is_dir() {
        return Some(Unread::Special);
    }
    (metadata.len() > most && metadata.is_file()).then_some(Unread::TooLarge(most))
}

/// The bytes of the file at `path`, which are at most `most`.
///
/// # Errors
/// See [`Unread`].
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Unread> {
    if let Some(why) = refused(&fs::metadata(path)?, most) {
        return Err(why);
    }
    let mut bytes = Vec::new();
    // Some files of Linux have more bytes than their metadata tell.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= most) {
        Ok(bytes)
    } else {
        Err(Unread::TooLarge(most))
    }
}
