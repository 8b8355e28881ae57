//! Reading a file, and telling from its raw bytes that there is nothing to find in it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use aho_corasick::{AhoCorasick, BuildError};

use crate::check::Settings;
use crate::rule::suppression::own::MARKER;

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

/// The filters of a run, each distinct list of names made once.
#[derive(Debug, Default)]
pub(crate) struct Prefilters {
    known: RwLock<HashMap<Vec<&'static str>, Arc<Prefilter>>>,
}

impl Prefilters {
    /// The filter for files that are checked with `settings`: the names of the factories of the rules
    /// that are on, and where comments are findings, what ours start with.
    ///
    /// # Errors
    /// When the names are too many for a search, which would take gigabytes of rules.
    pub(crate) fn of(&self, settings: &Settings) -> Result<Arc<Prefilter>, BuildError> {
        let names = names(settings);
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(filter) = known.get(&names) {
            return Ok(Arc::clone(filter));
        }
        drop(known);
        let filter = Arc::new(Prefilter {
            names: AhoCorasick::new(&names)?,
        });
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(names, Arc::clone(&filter));
        Ok(filter)
    }
}

fn names(settings: &Settings) -> Vec<&'static str> {
    let is_wanted = |code: &str| settings.codes.contains(code);
    let mut names = settings.registry.prefilters(is_wanted);
    if is_wanted(&settings.registry.unused_suppression().code) {
        names.push(MARKER.trim_end_matches(':'));
    }
    names
}

/// Looks for the names of which every finding needs one in its file. A comment that silences nothing
/// is a finding that needs none but ours.
///
/// They are looked for as the bytes that the rules write: a name in another NFKC spelling, such as
/// `ｎamedtuple`, and a file in an encoding that is no superset of ASCII are passed by.
#[derive(Debug, Clone)]
pub(crate) struct Prefilter {
    names: AhoCorasick,
}

impl Prefilter {
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

    fn read(bytes: &[u8]) -> Contents {
        read_for(bytes, &["HNT001", "HNT101", "HNT900"])
    }

    fn read_for(bytes: &[u8], codes: &[&'static str]) -> Contents {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let settings = Settings {
            codes: codes.iter().copied().collect(),
            ..Settings::default()
        };
        let filter = Prefilters::default().of(&settings).unwrap();
        filter.read(file.path()).unwrap()
    }

    #[test]
    fn only_names_of_rules_that_are_on_make_a_candidate() {
        let bytes = b"kind = type(Enum)  # hoist-namedtuple: ignore";
        for (codes, is_candidate) in [
            (&["HNT001"][..], true),
            (&["HNT002"], false),
            (&["HNT102", "HNT106"], true),
            (&["HNT003"], true),
            (&["HNT900"], true),
            (&[], false),
        ] {
            let found = read_for(bytes, codes) != Contents::NoCandidate;
            assert_eq!(found, is_candidate, "{codes:?}");
        }
    }

    #[test]
    fn a_filter_is_made_once() {
        let (filters, settings) = (Prefilters::default(), Settings::default());
        let filter = || filters.of(&settings).unwrap();
        assert!(Arc::ptr_eq(&filter(), &filter()));
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
