//! The baseline: which findings are known and accepted, counted by file, code, scope and typename.

mod audit;
mod document;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};

pub(crate) use audit::Audit;

use super::disk::small_file::{self, Unread};
use super::paths::{folder_of, resolved, shown};
use crate::rule::{Diagnostic, FindingKey};

/// How often each finding of a file occurs.
pub(crate) type Counts = BTreeMap<FindingKey, usize>;

/// The accepted findings of a project. They are counted and have no rows, so that the file stays
/// the same when lines are added above them.
#[derive(Debug, Clone)]
pub(crate) struct Baseline {
    /// The file, as it was given.
    path: PathBuf,
    /// The folder of the file without links; the names of files are relative to it.
    folder: PathBuf,
    /// By the name of the file.
    files: BTreeMap<String, Counts>,
}

/// What a baseline says to the findings of one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// The findings that it accepts.
    pub(crate) accepted: BTreeSet<FindingKey>,
    /// Those that there are more of than it accepts. None of them is: nothing tells the old from
    /// the new.
    pub(crate) exceeded: Vec<Exceeded>,
}

/// A kind of finding that there is more of than a baseline accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exceeded {
    /// What they are.
    pub(crate) key: FindingKey,
    /// How many are accepted.
    pub(crate) allowed: usize,
    /// How many there are.
    pub(crate) found: usize,
}

impl Baseline {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// A file that is not there, cannot be read or is no baseline.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let read = small_file::read(path, small_file::BASELINE).map_err(|unread| match unread {
            Unread::Io(error) => Error::from(error),
            unread => Error::from(unread),
        });
        let bytes = read.with_context(|| {
            format!(
                "{}: the baseline cannot be read. Check --baseline, or make the file with --write-baseline.",
                shown(path)
            )
        })?;
        let files = document::parse(&bytes).with_context(|| {
            format!(
                "{}: this is no baseline. Mend it, or remove it and make it anew with --write-baseline.",
                shown(path)
            )
        })?;
        Ok(Self {
            files,
            ..Self::empty(path)?
        })
    }

    /// The same, and an empty baseline when there is no file yet.
    ///
    /// # Errors
    /// A file that cannot be read or is no baseline, or a folder that is not there.
    pub(crate) fn read_or_new(path: &Path) -> Result<Self> {
        if path.try_exists().unwrap_or(true) {
            Self::read(path)
        } else {
            Self::empty(path)
        }
    }

    fn empty(path: &Path) -> Result<Self> {
        let folder = folder_of(path).canonicalize().with_context(|| {
            format!(
                "{}: the folder of the baseline cannot be opened. Check --baseline.",
                shown(path)
            )
        })?;
        Ok(Self {
            path: path.to_path_buf(),
            folder,
            files: BTreeMap::new(),
        })
    }

    /// The same, as its file has it now: another process may have written it.
    ///
    /// # Errors
    /// As [`Baseline::read_or_new`].
    pub(crate) fn read_again(&self) -> Result<Self> {
        Self::read_or_new(&self.path)
    }

    /// The folder that holds the file, a path without links.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file, as it was given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it accepts findings of the file shown as `path`.
    pub(crate) fn accepts_some(&self, path: &Path) -> bool {
        self.files.contains_key(&self.name(path))
    }

    /// What it says to all findings of the file at `path`.
    pub(crate) fn allowance(&self, path: &Path, findings: &[Diagnostic]) -> Allowance {
        let mut allowance = Allowance::default();
        let Some(allowed) = self.files.get(&self.name(path)) else {
            return allowance;
        };
        for (key, found) in count(findings) {
            match allowed.get(&key) {
                None => {}
                Some(allowed) if found <= *allowed => drop(allowance.accepted.insert(key)),
                Some(allowed) => allowance.exceeded.push(Exceeded {
                    key,
                    allowed: *allowed,
                    found,
                }),
            }
        }
        allowance
    }

    /// The name that the file at `path` has in it: relative to its folder, with `/` between parts.
    fn name(&self, path: &Path) -> String {
        name_below(&self.folder, &resolved(path, Path::new(".")))
    }

    /// Whether a file of that name is there. One whose name is no text cannot be looked for.
    fn has_file(&self, name: &str) -> bool {
        name.contains(NO_TEXT) || self.folder.join(name).try_exists().unwrap_or(true)
    }
}

/// Stands before the code of a byte that is no text, in two hexadecimal digits.
const NO_TEXT: &str = "\\x";

/// `path` as `folder` sees it, with `/` between parts, and `..` for folders above.
fn name_below(folder: &Path, path: &Path) -> String {
    let shared = folder.components().zip(path.components());
    let shared = shared.take_while(|(left, right)| left == right).count();
    let above = folder.components().skip(shared).map(|_| "..".to_owned());
    let below = path.components().skip(shared);
    let below = below.map(|part| spelled(part.as_os_str()));
    if shared == 0 {
        return spelled(path.as_os_str());
    }
    above.chain(below).collect::<Vec<_>>().join("/")
}

/// `name` in a way that no other name shares.
fn spelled(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("{NO_TEXT}{byte:02x}"));
        }
    }
    out
}

/// How often each of `findings` occurs.
pub(crate) fn count(findings: &[Diagnostic]) -> Counts {
    let mut counts = Counts::new();
    for finding in findings {
        *counts.entry(finding.key()).or_default() += 1;
    }
    counts
}

/// A kind of finding in words, such as "HNT001 for `Row` in `C.f`".
pub(crate) fn words(key: &FindingKey) -> String {
    let mut words = key.code.clone();
    if let Some(typename) = &key.typename {
        words.push_str(&format!(" for `{typename}`"));
    }
    if !key.scope.is_empty() {
        words.push_str(&format!(" in `{}`", key.scope));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tests::diagnostics;

    /// A baseline in `folder` that accepts `allowed` of what [`diagnostics`] finds first.
    fn accepting(folder: &Path, allowed: usize) -> Baseline {
        let key = diagnostics("namedtuple()\n").remove(0).key();
        let mut baseline = Baseline::empty(&folder.join("known.json")).unwrap();
        baseline
            .files
            .insert("pkg/m.py".to_owned(), [(key, allowed)].into());
        baseline
    }

    #[test]
    fn as_many_as_are_known_are_accepted_and_one_more_shows_all() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pkg")).unwrap();
        // The third is of another kind.
        let found = diagnostics(&"namedtuple()\n".repeat(3));
        let key = found[0].key();
        let allowance = |allowed, file: &str| {
            accepting(folder.path(), allowed).allowance(&folder.path().join(file), &found)
        };
        for allowed in [2, 3] {
            let expected = Allowance {
                accepted: [key.clone()].into(),
                exceeded: vec![],
            };
            assert_eq!(allowance(allowed, "pkg/m.py"), expected);
        }
        let exceeded = Exceeded {
            key,
            allowed: 1,
            found: 2,
        };
        let expected = Allowance {
            accepted: BTreeSet::new(),
            exceeded: vec![exceeded],
        };
        assert_eq!(allowance(1, "pkg/m.py"), expected);
        assert_eq!(allowance(2, "m.py"), Allowance::default());
    }

    #[test]
    fn a_file_has_one_name_whatever_leads_to_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pkg")).unwrap();
        let baseline = accepting(folder.path(), 1);
        for path in ["pkg/m.py", "pkg/../pkg/m.py", "./pkg/m.py"] {
            assert_eq!(baseline.name(&folder.path().join(path)), "pkg/m.py");
        }
        let names = [
            ("/p/a/m.py", "m.py"),
            ("/p/m.py", "../m.py"),
            ("/p/b/m.py", "../b/m.py"),
        ];
        for (path, name) in names {
            assert_eq!(name_below(Path::new("/p/a"), Path::new(path)), name);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_stay_apart() {
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &[u8]| spelled(OsStr::from_bytes(bytes));
        assert_eq!(name(b"\xc3\xa9\xff.py"), "\u{e9}\\xff.py");
        assert_ne!(name(b"\xff.py"), name(b"\xfe.py"));
    }

    #[test]
    fn a_missing_file_is_a_fault_unless_it_is_to_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        let error = Baseline::read(&path).unwrap_err().to_string();
        assert!(error.contains("--write-baseline"), "{error}");
        assert!(Baseline::read_or_new(&path).unwrap().files.is_empty());
        assert!(Baseline::read_or_new(&folder.path().join("gone/known.json")).is_err());
        std::fs::write(&path, "[]").unwrap();
        assert!(Baseline::read_or_new(&path).is_err());
    }
}
