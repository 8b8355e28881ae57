//! Configuration files: which one a folder holds, and reading it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::bounds::Bounds;
use super::fault::Fault;
use super::layer::Layer;
use super::parse;
use super::selection;
use super::table::Table;
use crate::cli::disk::small_file::{self, Unread};
use crate::cli::problem::Problem;
use crate::rule::Registry;

/// Its keys stand at the top level.
const OWN: &str = "hoist-namedtuple.toml";

/// Its keys stand in `[tool.hoist-namedtuple]`.
const SHARED: &str = "pyproject.toml";

/// The files that settings may stand in, the one that counts first.
pub(crate) const FILES: [&str; 2] = [OWN, SHARED];

/// What every text with our table mentions.
const MENTION: &[u8] = b"hoist-namedtuple";

/// A file that was read, and what it sets.
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) layer: Layer,
    table: Table,
    text: String,
}

impl File {
    /// Checks that the selectors match rules of `registry`; `cwd` is what shown paths are relative to.
    ///
    /// # Errors
    /// The first that does not, and where it stands.
    pub(super) fn check_selectors(&self, registry: &Registry, cwd: &Path) -> Result<(), Problem> {
        let checked = selection::check(&self.table, registry);
        checked.map_err(|fault| fault.in_file(&self.path, &self.text, cwd))
    }
}

/// The configuration that stands in `folder`, `None` when it holds none; `cwd` is what shown paths
/// are relative to.
///
/// # Errors
/// What is wrong with the file, and where.
pub(super) fn in_folder(folder: &Path, cwd: &Path) -> Result<Option<File>, Problem> {
    for name in FILES {
        let path = folder.join(name);
        // Most folders hold neither.
        if fs::symlink_metadata(&path).is_err() {
            continue;
        }
        match fs::metadata(&path) {
            // A folder of that name is none of our business.
            Ok(metadata) if metadata.is_dir() => continue,
            Err(error) if error.kind() == ErrorKind::NotFound && name == OWN => {
                let fault = Fault::new("it is a link that leads nowhere. Mend or remove it.");
                return Err(fault.in_file(&path, "", cwd));
            }
            Err(_) if name == SHARED => continue,
            _ => {}
        }
        if let Some(file) = read(&path, cwd, Some(&Bounds::of(folder)))? {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// The file that `--config` names.
///
/// # Errors
/// What is wrong with the file, and where; also that a `pyproject.toml` has no table of ours.
pub(super) fn given(path: &Path, cwd: &Path) -> Result<File, Problem> {
    let no_table = || {
        let message = "it has no table `[tool.hoist-namedtuple]`. Write one, or give another file.";
        Fault::new(message).in_file(path, "", cwd)
    };
    read(path, cwd, None)?.ok_or_else(no_table)
}

/// Reads the file at `path`, which neither lies nor leads out of `bounds`; `None` when it is a
/// `pyproject.toml` without our table.
fn read(path: &Path, cwd: &Path, bounds: Option<&Bounds>) -> Result<Option<File>, Problem> {
    let fail = |message: String| Fault::new(message).in_file(path, "", cwd);
    let is_shared = path.file_name().is_some_and(|name| name == SHARED);
    let bytes = small_file::read(path, small_file::SETTINGS).map_err(|unread| {
        fail(match unread {
            Unread::Io(error) if error.kind() == ErrorKind::NotFound => {
                "there is no such file. Check the spelling and the working folder.".to_owned()
            }
            unread => unread.to_string(),
        })
    })?;
    if is_shared && !mentions_us(&bytes) {
        return Ok(None);
    }
    // Of what lies outside, no more is told than that it is there.
    if let Some(Err(message)) = bounds.map(|bounds| bounds.check(path)) {
        return Err(fail(format!("it is a link that {message}")));
    }
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return match is_shared && !parse::has_header(&String::from_utf8_lossy(&bytes)) {
            true => Ok(None),
            false => Err(no_utf8(path, cwd)),
        };
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = path.parent().unwrap_or(path);
    let read = table(text, is_shared).and_then(|table| with_layer(table, root, bounds));
    let read = read.map_err(|fault| fault.in_file(path, text, cwd))?;
    Ok(read.map(|(table, layer)| File {
        path: path.to_path_buf(),
        layer,
        table,
        text: text.to_owned(),
    }))
}

fn no_utf8(path: &Path, cwd: &Path) -> Problem {
    Fault::new("it is not valid UTF-8. Save it as UTF-8.").in_file(path, "", cwd)
}

fn mentions_us(bytes: &[u8]) -> bool {
    bytes.windows(MENTION.len()).any(|window| window == MENTION)
}

fn table(text: &str, is_shared: bool) -> Result<Option<Table>, Fault> {
    match is_shared {
        true => parse::pyproject(text),
        false => parse::top_level(text).map(Some),
    }
}

fn with_layer(
    table: Option<Table>,
    root: &Path,
    bounds: Option<&Bounds>,
) -> Result<Option<(Table, Layer)>, Fault> {
    let Some(table) = table else {
        return Ok(None);
    };
    let layer = Layer::within(bounds, root, &table)?;
    Ok(Some((table, layer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    fn found(files: &[(&str, &[u8])]) -> Result<Option<String>, String> {
        let folder = folder(files);
        let file = in_folder(folder.path(), folder.path());
        let name = |file: File| file.path.file_name().unwrap().to_str().unwrap().to_owned();
        file.map(|file| file.map(name))
            .map_err(|problem| problem.to_string())
    }

    const TABLE: &[u8] = b"[tool.hoist-namedtuple]\nnaming = 'typename'\n";

    #[test]
    fn our_own_file_beats_the_pyproject_beside_it() {
        let own: &[u8] = b"naming = 'context'\n";
        assert_eq!(found(&[(SHARED, TABLE)]), Ok(Some(SHARED.to_owned())));
        assert_eq!(found(&[(OWN, own)]), Ok(Some(OWN.to_owned())));
        assert_eq!(
            found(&[(SHARED, TABLE), (OWN, own)]),
            Ok(Some(OWN.to_owned()))
        );
        assert_eq!(found(&[]), Ok(None));
    }

    #[test]
    fn a_foreign_pyproject_is_none_of_our_business() {
        for text in [
            &b"[project]\nname = 'x'\n"[..],
            b"[tool\n",
            b"\xff\xfe\0",
            b"# hoist-namedtuple \xff\n",
            b"[tool\n# hoist-namedtuple\n",
            b"[project.optional-dependencies]\ndev = ['hoist-namedtuple']\n",
        ] {
            assert_eq!(found(&[(SHARED, text)]), Ok(None), "{text:?}");
        }
    }

    #[test]
    fn a_broken_file_that_sets_our_keys_is_a_fault() {
        for text in [
            "[tool.hoist-namedtuple\nselect = []\n",
            "[tool.hoist-namedtuple]\nselect = []\n[project]\nname = x\n",
            "[ tool . \"hoist-namedtuple\" . per-file-ignores\n",
            "tool.hoist-namedtuple.select = []\nname = x\n",
            "[tool]\nhoist-namedtuple = { select = [] }\nname = x\n",
            "[tool]\nhoist-namedtuple.select = []\nname = x\n",
        ] {
            let error = found(&[(SHARED, text.as_bytes())]).unwrap_err();
            assert!(error.contains("no valid TOML"), "{text}: {error}");
        }
    }

    #[test]
    fn a_fault_has_its_place_after_a_byte_order_mark_too() {
        let text = "\u{feff}[tool.hoist-namedtuple]\n# é\nnaming = 'é' # x\n".as_bytes();
        let error = found(&[(SHARED, text)]).unwrap_err();
        assert!(
            error.starts_with("pyproject.toml:3:10: error: `naming`: `é` is no value of it."),
            "{error}"
        );
        let error = found(&[(OWN, b"\xff")]).unwrap_err();
        assert_eq!(
            error,
            "error: hoist-namedtuple.toml: it is not valid UTF-8. Save it as UTF-8."
        );
        let latin: &[u8] = b"[tool.hoist-namedtuple]\n# \xe9\n";
        assert!(found(&[(SHARED, latin)]).is_err());
    }

    #[test]
    fn a_given_pyproject_must_have_our_table() {
        let folder = folder(&[(SHARED, b"[project]\n"), ("ci.toml", b"select = []")]);
        let give = |name: &str| given(&folder.path().join(name), folder.path());
        assert!(give(SHARED).err().unwrap().message.contains("no table"));
        assert!(
            give("gone.toml")
                .err()
                .unwrap()
                .message
                .contains("no such file")
        );
        assert_eq!(give("ci.toml").unwrap().layer.select, Some(vec![]));
    }

    #[test]
    fn a_folder_of_that_name_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(OWN)).unwrap();
        assert!(in_folder(folder.path(), folder.path()).unwrap().is_none());
    }
}
