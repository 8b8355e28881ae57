//! The files of patterns that a walk reads in each folder: `.gitignore`, `.ignore`, and git's own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::cli::disk::small_file;
use crate::cli::paths::relative;
use crate::cli::problem::Problem;

/// The files whose lines are patterns for the folder that holds them, and for what is below.
const FILES: [&str; 2] = [".gitignore", ".ignore"];

/// Why the files of patterns in `folder` cannot be read: one is a pipe or a device, which may have no
/// end, or is too large. `None` where all can, or are not there, or nobody `respects` them.
pub(super) fn unusable(folder: &Path, cwd: &Path, respects: bool) -> Option<Problem> {
    if !respects {
        return None;
    }
    let own = FILES.iter().map(|name| folder.join(name));
    own.chain(of_git(&folder.join(".git"))).find_map(|path| {
        let metadata = fs::metadata(&path).ok().filter(|known| !known.is_dir())?;
        let refused = small_file::refused(&metadata, small_file::SETTINGS);
        // Without its patterns, files would be changed that nobody wants to be looked at.
        let fault = refused.or_else(|| File::open(&path).err().map(Into::into))?;
        let message = format!(
            "{fault} Nothing in its folder was checked; --no-respect-gitignore reads no such file."
        );
        Some(Problem::new(relative(&path, cwd), message))
    })
}

/// Git's own file of patterns. Where `git` is a file, as in a linked work tree, it names a folder, whose
/// `commondir` names the one with the patterns, and all three are read.
fn of_git(git: &Path) -> Vec<PathBuf> {
    match fs::metadata(git) {
        Ok(metadata) if metadata.is_dir() => vec![git.join("info/exclude")],
        Ok(metadata) if metadata.is_file() => linked(git),
        _ => Vec::new(),
    }
}

fn linked(git: &Path) -> Vec<PathBuf> {
    let mut files = vec![git.to_path_buf()];
    let named = first_line(git);
    if let Some(folder) = named
        .as_deref()
        .and_then(|line| line.strip_prefix("gitdir: "))
    {
        let common = Path::new(folder).join("commondir");
        if let Some(line) = first_line(&common) {
            files.push(Path::new(folder).join(line).join("info/exclude"));
        }
        files.push(common);
    }
    files
}

fn first_line(path: &Path) -> Option<String> {
    let bytes = small_file::read(path, small_file::SETTINGS).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines().next().map(str::to_owned)
}
