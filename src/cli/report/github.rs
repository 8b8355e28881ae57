//! The `github` format: workflow commands that GitHub Actions shows beside the code.

use std::borrow::Cow;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Finding;

/// Where shown paths start, and what GitHub wants them relative to.
#[derive(Debug)]
pub(super) struct Roots {
    cwd: PathBuf,
    workspace: Option<PathBuf>,
}

impl Roots {
    /// Takes the workspace from `GITHUB_WORKSPACE`.
    pub(super) fn from_environment(cwd: PathBuf) -> Self {
        let workspace = env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty());
        Self {
            cwd,
            workspace: workspace.map(PathBuf::from),
        }
    }

    /// `path` relative to the workspace, or absolute when it lies outside; as it is without one.
    fn file(&self, path: &Path) -> String {
        let Some(workspace) = &self.workspace else {
            return path.to_string_lossy().into_owned();
        };
        let absolute = self.cwd.join(path);
        let below = match absolute.strip_prefix(workspace) {
            Ok(below) => Some(below.to_path_buf()),
            Err(_) => real_below(&absolute, workspace),
        };
        below.unwrap_or(absolute).to_string_lossy().into_owned()
    }
}

/// The same for a workspace that is reached through links.
fn real_below(path: &Path, workspace: &Path) -> Option<PathBuf> {
    let folder = path.parent()?.canonicalize().ok()?;
    let below = folder.strip_prefix(workspace.canonicalize().ok()?).ok()?;
    Some(below.join(path.file_name()?))
}

pub(super) fn write(out: &mut dyn Write, finding: &Finding<'_>, roots: &Roots) -> io::Result<()> {
    let (start, end) = (finding.start(), finding.end());
    let diagnostic = finding.diagnostic;
    write!(
        out,
        "::warning title={} {},file={},line={},",
        diagnostic.code,
        property(diagnostic.name),
        property(&roots.file(finding.path)),
        start.row,
    )?;
    // GitHub takes columns only for a range on one line.
    if start.row == end.row {
        write!(out, "col={},endColumn={}", start.column, end.column)?;
    } else {
        write!(out, "endLine={}", end.row)?;
    }
    let mut message = format!("{} {}", diagnostic.code, finding.message_and_outcome());
    if let Some(help) = diagnostic.help() {
        message.push(' ');
        message.push_str(help);
    }
    writeln!(out, "::{}", data(&message))
}

/// Escapes the text after `::`, as the runner's `escapeData` does.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property's value, as the runner's `escapeProperty` does.
fn property(text: &str) -> Cow<'_, str> {
    if text.contains(['%', '\r', '\n', ':', ',']) {
        Cow::Owned(data(text).replace(':', "%3A").replace(',', "%2C"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_workspace() {
        let roots = |workspace: Option<&str>| Roots {
            cwd: "/repo/sub".into(),
            workspace: workspace.map(PathBuf::from),
        };
        let file = |workspace, path: &str| roots(workspace).file(Path::new(path));
        assert_eq!(file(Some("/repo"), "m.py"), "sub/m.py");
        assert_eq!(file(Some("/other"), "m.py"), "/repo/sub/m.py");
        assert_eq!(file(None, "m.py"), "m.py");
    }

    #[test]
    fn properties_and_data_are_escaped() {
        assert_eq!(property("we,ird:50%.py"), "we%2Cird%3A50%25.py");
        assert_eq!(data("a, b: 5%\r\n"), "a, b: 5%25%0D%0A");
    }
}
