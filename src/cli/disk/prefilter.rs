//! Reading a file, and telling from its raw bytes that there is nothing to find in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use aho_corasick::AhoCorasick;
use anyhow::Result;

use crate::rule::registry;

/// The largest candidate that is checked: 32 MiB.
pub(crate) const SIZE_CAP: usize = 32 * 1024 * 1024;

/// What the bytes of a file are good for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// No factory's name occurs in it.
    NoCandidate,
    /// All its bytes; a factory's name occurs in them.
    Candidate(Vec<u8>),
    /// A factory's name occurs in it, but it is larger than [`SIZE_CAP`].
    TooLarge,
}

/// Looks for the names of which every finding needs one in its file. Our own comments hold the name
/// of a factory too, in `hoist-namedtuple`.
///
/// They are looked for as the bytes that the rules write: a name in another NFKC spelling, such as
/// `ｎamedtuple`, and a file in an encoding that is no superset of ASCII are passed by.
#[derive(Debug, Clone)]
pub(crate) struct Prefilter {
    names: AhoCorasick,
}

impl Prefilter {
    /// A filter for the factories of all rules.
    ///
    /// # Errors
    /// When a built-in rule cannot be used.
    pub(crate) fn new() -> Result<Self> {
        let names = AhoCorasick::new(registry()?.prefilters(|_| true))?;
        Ok(Self { names })
    }

    /// Reads the file at `path`; no more of it than needed is kept.
    ///
    /// # Errors
    /// As reading does.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Contents> {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        let limit = u64::try_from(SIZE_CAP).unwrap_or(u64::MAX);
        file.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() > SIZE_CAP {
            let whole = io::Cursor::new(bytes).chain(file);
            let first = self.names.stream_find_iter(whole).next().transpose()?;
            return Ok(first.map_or(Contents::NoCandidate, |_| Contents::TooLarge));
        }
        if self.names.is_match(&bytes) {
            Ok(Contents::Candidate(bytes))
        } else {
            Ok(Contents::NoCandidate)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::suppression::own::MARKER;

    fn read(bytes: &[u8]) -> Contents {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        Prefilter::new().unwrap().read(file.path()).unwrap()
    }

    #[test]
    fn only_a_file_with_a_factory_name_is_a_candidate() {
        assert_eq!(read(b"x = 1\n"), Contents::NoCandidate);
        assert_eq!(read(b"\xff\0"), Contents::NoCandidate);
        let bytes = b"\xff namedtuple".to_vec();
        assert_eq!(read(&bytes), Contents::Candidate(bytes));
    }

    #[test]
    fn a_file_with_an_own_comment_is_a_candidate() {
        let bytes = format!("x = 1  # {MARKER} ignore\n").into_bytes();
        assert_eq!(read(&bytes), Contents::Candidate(bytes));
    }

    #[test]
    fn a_large_file_is_refused_only_when_it_is_a_candidate() {
        let mut bytes = vec![b'#'; SIZE_CAP];
        bytes.extend_from_slice(b"named");
        assert_eq!(read(&bytes), Contents::NoCandidate);
        bytes.extend_from_slice(b"tuple");
        assert_eq!(read(&bytes), Contents::TooLarge);
    }
}
