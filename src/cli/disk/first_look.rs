//! Reading a file, and telling from its raw bytes that there is nothing to find in it.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use aho_corasick::BuildError;

use crate::check::Settings;
use crate::cli::size::Size;
use crate::rule::{Registry, Screen};

/// Files are read in parts of this size: few are larger, and it fits a processor's cache.
const PART: usize = 128 * 1024;

/// Parts start at a multiple of this address. The kernel copies from whole pages, and takes up to twice
/// as long to copy to the few bytes behind the start of one, where a large allocation lies.
const PAGE: usize = 4096;

/// What the bytes of a file are good for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// There is nothing to find in it.
    NoCandidate,
    /// All its bytes; they may have a finding.
    Candidate(Vec<u8>),
    /// It is larger than what is checked, and a factory's name may occur in it.
    TooLarge,
}

/// The screens of a run, each made once.
#[derive(Debug, Default)]
pub(crate) struct Screens {
    known: RwLock<HashMap<Key, Arc<Screen>>>,
}

/// The registry, by its address, as registries live as long as the program; and the codes.
type Key = (usize, BTreeSet<&'static str>);

/// What a thread keeps from file to file.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Room for a part, wherever it has to start.
    room: Vec<u8>,
    /// The screen that was asked for last: most files have the settings of the one before.
    last: Option<(Arc<Settings>, Arc<Screen>)>,
}

impl Screens {
    /// The screen for files that are checked with `settings`.
    ///
    /// # Errors
    /// When the rules' names are too many for a search, which would take gigabytes of rules.
    pub(crate) fn of(&self, settings: &Settings) -> Result<Arc<Screen>, BuildError> {
        let key = (address(settings.registry), settings.codes.clone());
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(screen) = known.get(&key) {
            return Ok(Arc::clone(screen));
        }
        drop(known);
        let is_wanted = |code: &str| settings.codes.contains(code);
        let screen = Arc::new(Screen::new(settings.registry, is_wanted)?);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(key, Arc::clone(&screen));
        Ok(screen)
    }

    /// Whether the file at `path` may have a finding, or cannot be told not to.
    pub(crate) fn may_find(
        &self,
        path: &Path,
        settings: &Arc<Settings>,
        scratch: &mut Scratch,
    ) -> bool {
        let known = scratch.last.as_ref();
        let is_last = known.is_some_and(|(last, _)| Arc::ptr_eq(last, settings));
        if !is_last {
            let Ok(screen) = self.of(settings) else {
                return true;
            };
            scratch.last = Some((Arc::clone(settings), screen));
        }
        let Some((part, screen)) = scratch.parts() else {
            return true;
        };
        may_find(screen, path, part).unwrap_or(true)
    }
}

impl Scratch {
    /// The room for a part, and the screen.
    fn parts(&mut self) -> Option<(&mut [u8], &Screen)> {
        self.room.resize(PART + PAGE, 0);
        let start = self.room.as_ptr().align_offset(PAGE).min(PAGE);
        let part = self.room.get_mut(start..start + PART)?;
        let (_, screen) = self.last.as_ref()?;
        Some((part, screen))
    }
}

fn address(registry: &'static Registry) -> usize {
    std::ptr::from_ref(registry).addr()
}

fn may_find(screen: &Screen, path: &Path, part: &mut [u8]) -> io::Result<bool> {
    if screen.is_empty() {
        return Ok(false);
    }
    let mut file = File::open(path)?;
    let read = fill(&mut file, part)?;
    if read < part.len() {
        return Ok(screen.may_find(part.get(..read).unwrap_or_default()));
    }
    Ok(is_endless(&file)? || has_piece(screen, &mut file, part)?)
}

/// Whether no file of this size is ever checked, so that it would be searched for nothing. A file
/// of many terabytes takes no place on a disk as long as it has holes for bytes.
fn is_endless(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.len() > Size::MOST.bytes())
}

/// Reads until `part` is full or the file ends; returns the number of bytes read.
fn fill(file: &mut File, part: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while let Some(free) = part.get_mut(read..).filter(|free| !free.is_empty()) {
        match file.read(free) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// Whether a piece occurs in `part` or in what follows it.
fn has_piece(screen: &Screen, file: &mut File, part: &mut [u8]) -> io::Result<bool> {
    let overlap = screen.overlap().min(part.len() / 2);
    let mut end = part.len();
    loop {
        if screen.has_piece(part.get(..end).unwrap_or_default()) {
            return Ok(true);
        }
        if end < part.len() {
            return Ok(false);
        }
        part.copy_within(end - overlap..end, 0);
        end = overlap + fill(file, part.get_mut(overlap..).unwrap_or_default())?;
    }
}

/// Reads the file at `path` if it may have a finding and is no larger than `most`.
///
/// # Errors
/// As reading does.
pub(crate) fn read(screen: &Screen, path: &Path, most: Size) -> io::Result<Contents> {
    let mut file = File::open(path)?;
    if is_endless(&file)? {
        return Ok(Contents::TooLarge);
    }
    let mut bytes = Vec::new();
    // A part at least, in which any piece has room.
    let limit = (most.bytes() + 1).max(PART as u64);
    file.by_ref().take(limit).read_to_end(&mut bytes)?;
    let is_whole = (bytes.len() as u64) < limit;
    let may_find = match is_whole {
        true => screen.may_find(&bytes),
        false => has_piece(screen, &mut file, &mut bytes)?,
    };
    Ok(match may_find {
        false => Contents::NoCandidate,
        true if most.holds(bytes.len()) => Contents::Candidate(bytes),
        true => Contents::TooLarge,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &[u8] = b"def f(): namedtuple('A', 'x')\n";

    fn settings(codes: &[&'static str]) -> Arc<Settings> {
        Arc::new(Settings {
            codes: codes.iter().copied().collect(),
            ..Settings::default()
        })
    }

    /// What reading says of a file of these bytes; a first look must say the same.
    fn contents(bytes: &[u8]) -> Contents {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let (screens, settings) = (Screens::default(), settings(&["HNT001"]));
        let screen = screens.of(&settings).unwrap();
        let contents = read(&screen, file.path(), Size::default()).unwrap();
        let mut scratch = Scratch::default();
        let may_find = screens.may_find(file.path(), &settings, &mut scratch);
        assert_eq!(may_find, contents != Contents::NoCandidate);
        contents
    }

    #[test]
    fn a_screen_is_made_once() {
        let screens = Screens::default();
        let of = |codes: &[&'static str]| screens.of(&settings(codes)).unwrap();
        assert!(Arc::ptr_eq(&of(&["HNT001"]), &of(&["HNT001"])));
        assert!(!Arc::ptr_eq(&of(&["HNT001"]), &of(&["HNT003"])));
    }

    #[test]
    fn a_thread_asks_anew_when_the_settings_change() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), CALL).unwrap();
        let (screens, mut scratch) = (Screens::default(), Scratch::default());
        for (codes, expected) in [("HNT001", true), ("HNT003", false), ("HNT001", true)] {
            let settings = settings(&[codes]);
            assert_eq!(
                screens.may_find(file.path(), &settings, &mut scratch),
                expected
            );
        }
    }

    #[test]
    fn only_a_file_that_may_have_a_finding_is_a_candidate() {
        assert_eq!(contents(b"x = 1\n"), Contents::NoCandidate);
        assert_eq!(contents(b""), Contents::NoCandidate);
        assert_eq!(contents(b"\xff\0"), Contents::NoCandidate);
        assert_eq!(contents(CALL), Contents::Candidate(CALL.to_vec()));
    }

    #[test]
    fn a_file_of_several_parts_is_looked_at_where_they_meet() {
        for size in [PART - 20, PART - 9, PART - 1, PART, 2 * PART - 15, 3 * PART] {
            let mut bytes = vec![b'#'; size - 1];
            bytes.push(b'\n');
            assert_eq!(contents(&bytes), Contents::NoCandidate, "{size}");
            bytes.extend_from_slice(CALL);
            assert_eq!(
                contents(&bytes),
                Contents::Candidate(bytes.clone()),
                "{size}"
            );
        }
    }

    #[test]
    fn a_large_file_is_refused_only_when_it_may_have_a_finding() {
        let mut bytes = vec![b'#'; 32 << 20];
        bytes.extend_from_slice(b"named");
        assert_eq!(contents(&bytes), Contents::NoCandidate);
        bytes.extend_from_slice(b"tuple");
        assert_eq!(contents(&bytes), Contents::TooLarge);
    }

    #[test]
    fn a_file_of_the_largest_size_is_taken_and_one_byte_more_is_not() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), CALL).unwrap();
        let screen = Screens::default().of(&settings(&["HNT001"])).unwrap();
        let read = |most: usize| read(&screen, file.path(), most.to_string().parse().unwrap());
        let whole = Contents::Candidate(CALL.to_vec());
        assert_eq!(read(CALL.len()).unwrap(), whole);
        assert_eq!(read(CALL.len() + 1).unwrap(), whole);
        assert_eq!(read(CALL.len() - 1).unwrap(), Contents::TooLarge);
        assert_eq!(read(1).unwrap(), Contents::TooLarge);
        std::fs::write(file.path(), b"x = 1\n").unwrap();
        assert_eq!(read(1).unwrap(), Contents::NoCandidate);
    }

    #[test]
    fn a_file_that_is_larger_than_any_that_is_checked_is_not_searched() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 42).unwrap();
        let (screens, settings) = (Screens::default(), settings(&["HNT001"]));
        assert!(screens.may_find(file.path(), &settings, &mut Scratch::default()));
        let screen = screens.of(&settings).unwrap();
        let contents = read(&screen, file.path(), Size::MOST).unwrap();
        assert_eq!(contents, Contents::TooLarge);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_to_be_told() {
        let (screens, mut scratch) = (Screens::default(), Scratch::default());
        let path = Path::new("no/such/file.py");
        assert!(screens.may_find(path, &settings(&["HNT001"]), &mut scratch));
    }
}
