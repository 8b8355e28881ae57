//! The project root, and where files stand in it: what machines want paths to be relative to.

use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf, Prefix, PrefixComponent};

/// The variables in which CI services tell where they put the repository.
const VARIABLES: [&str; 2] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/// Where shown paths start, and where the project does.
#[derive(Debug)]
pub(crate) struct Root {
    cwd: PathBuf,
    folder: PathBuf,
}

/// A file as the project sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Relative to the root where it lies below it, and absolute where it does not.
    path: PathBuf,
    is_below: bool,
}

impl Root {
    /// The folder that CI names, or the nearest one upwards from `cwd` that git made, or `cwd`.
    pub(crate) fn from_environment(cwd: PathBuf) -> Self {
        let mut named = VARIABLES.iter().filter_map(env::var_os);
        let named = named.find(|folder| !folder.is_empty());
        let folder = named.map(PathBuf::from).or_else(|| repository(&cwd));
        Self::new(cwd, folder)
    }

    /// The root `folder`, or `cwd` without one.
    pub(super) fn new(cwd: PathBuf, folder: Option<PathBuf>) -> Self {
        let folder = folder.map(|folder| absolute(&cwd, &folder));
        Self {
            folder: folder.unwrap_or_else(|| cwd.clone()),
            cwd,
        }
    }

    /// Where the file stands that is shown as `path`.
    pub(super) fn place(&self, path: &Path) -> Place {
        let whole = absolute(&self.cwd, path);
        let below = match whole.strip_prefix(&self.folder) {
            Ok(below) => Some(below.to_path_buf()),
            Err(_) => real_below(&whole, &self.folder),
        };
        Place {
            is_below: below.is_some(),
            path: below.unwrap_or(whole),
        }
    }

    /// The root as a `file:` URI that ends in `/` (RFC 8089).
    pub(super) fn uri(&self) -> String {
        let mut uri = file_uri(&self.folder);
        if !uri.ends_with('/') {
            uri.push('/');
        }
        uri
    }
}

impl Place {
    /// Whether it lies below the project root.
    pub(super) fn is_below_root(&self) -> bool {
        self.is_below
    }

    /// The path with `/` between its parts; bytes that are no text are U+FFFD.
    pub(super) fn slashed(&self) -> String {
        joined(&self.path, OsStr::to_string_lossy)
    }

    /// A relative reference from the root, or a `file:` URI outside of it (RFC 3986).
    pub(super) fn uri(&self) -> String {
        if self.is_below {
            joined(&self.path, encoded)
        } else {
            file_uri(&self.path)
        }
    }
}

fn repository(cwd: &Path) -> Option<PathBuf> {
    // In a linked work tree, `.git` is a file.
    let mut folders = cwd.ancestors();
    let found = folders.find(|folder| folder.join(".git").exists());
    found.map(Path::to_path_buf)
}

/// `path`, taken from `cwd`, without `..`: through links where it exists, else by its text alone.
fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    let whole = cwd.join(path);
    if !whole.components().any(|part| part == Component::ParentDir) {
        return whole;
    }
    if let (Some(folder), Some(name)) = (whole.parent(), whole.file_name())
        && let Ok(folder) = folder.canonicalize()
    {
        return folder.join(name);
    }
    whole.canonicalize().unwrap_or_else(|_| by_text(&whole))
}

fn by_text(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            out.pop();
        } else {
            out.push(part);
        }
    }
    out
}

/// `path` below `root` when one of them is reached through links.
fn real_below(path: &Path, root: &Path) -> Option<PathBuf> {
    let folder = path.parent()?.canonicalize().ok()?;
    let below = folder.strip_prefix(root.canonicalize().ok()?).ok()?;
    Some(below.join(path.file_name()?))
}

fn file_uri(path: &Path) -> String {
    let path = joined(path, encoded);
    match path.get(..2) {
        // The name of a host comes before the path.
        Some("//") => format!("file:{path}"),
        _ if path.starts_with('/') => format!("file://{path}"),
        _ => format!("file:///{path}"),
    }
}

/// The parts of `path`, each made to text by `part`, with `/` between them; `.` when there is none.
fn joined<'a>(path: &'a Path, part: impl Fn(&'a OsStr) -> Cow<'a, str>) -> String {
    let mut out = String::new();
    for component in path.components() {
        match component {
            Component::RootDir => out.push('/'),
            Component::Prefix(prefix) => out.push_str(&drive(prefix)),
            _ => {
                if !out.is_empty() && !out.ends_with('/') {
                    out.push('/');
                }
                out.push_str(&part(component.as_os_str()));
            }
        }
    }
    if out.is_empty() { ".".to_owned() } else { out }
}

/// What a path of Windows starts with: `C:` or `//server/share`.
fn drive(prefix: PrefixComponent<'_>) -> String {
    match prefix.kind() {
        Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => format!("{}:", char::from(letter)),
        Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
            format!("//{}/{}", encoded(server), encoded(share))
        }
        _ => encoded(prefix.as_os_str()).into_owned(),
    }
}

/// `part` with each byte as `%XX` that is not one of RFC 3986's unreserved characters.
fn encoded(part: &OsStr) -> Cow<'_, str> {
    let mut out = String::new();
    for byte in part.as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(*byte));
            }
            // Writing to a string cannot fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: Option<&str>, path: &str) -> Place {
        Root::new("/repo/sub".into(), folder.map(PathBuf::from)).place(Path::new(path))
    }

    #[test]
    fn a_file_below_the_root_is_relative_to_it() {
        for (folder, path, expected) in [
            (Some("/repo"), "m.py", "sub/m.py"),
            (Some("/repo/"), "a/m.py", "sub/a/m.py"),
            (Some(".."), "m.py", "sub/m.py"),
            (Some("/repo"), "../m.py", "m.py"),
            (Some("/repo"), "/repo/m.py", "m.py"),
            (Some("/other"), "m.py", "/repo/sub/m.py"),
            (Some("/repo"), "../../gone/m.py", "/gone/m.py"),
            (Some("/rep"), "m.py", "/repo/sub/m.py"),
            (Some("/"), "m.py", "repo/sub/m.py"),
            (None, "m.py", "m.py"),
            (None, ".", "."),
        ] {
            let place = place(folder, path);
            assert_eq!(place.slashed(), expected, "{folder:?} {path}");
            assert_eq!(place.is_below, !expected.starts_with('/'));
        }
    }

    #[test]
    fn a_uri_holds_nothing_but_what_may_stand_in_one() {
        let uri = |path| place(Some("/repo"), path).uri();
        assert_eq!(
            uri("my pkg/a#b%20é:?.py"),
            "sub/my%20pkg/a%23b%2520%C3%A9%3A%3F.py"
        );
        assert_eq!(uri("/else where/m.py"), "file:///else%20where/m.py");
        let root = |folder: &str| Root::new("/".into(), Some(folder.into())).uri();
        assert_eq!(root("/re po"), "file:///re%20po/");
        assert_eq!(root("/"), "file:///");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_kept_in_a_uri() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"a\xff\\b.py"));
        let place = Root::new("/repo".into(), None).place(path);
        assert_eq!(place.uri(), "a%FF%5Cb.py");
        assert_eq!(place.slashed(), "a\u{fffd}\\b.py");
    }

    #[cfg(unix)]
    #[test]
    fn a_root_that_is_reached_through_a_link_is_the_same_root() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir_all(real.join("sub")).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        for (cwd, root) in [(&real, &link), (&link, &real)] {
            let root = Root::new(cwd.join("sub"), Some(root.clone()));
            assert_eq!(root.place(Path::new("m.py")).slashed(), "sub/m.py");
        }
    }

    #[test]
    fn a_repository_is_looked_for_upwards() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(folder.path().join("a/.git"), "gitdir: elsewhere\n").unwrap();
        assert_eq!(repository(&deep), Some(folder.path().join("a")));
    }
}
