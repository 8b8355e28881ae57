//! The interpreters that pyenv has installed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The `python3` of each version that pyenv has, whether it runs or not; none without pyenv.
pub(crate) fn pyenv_programs() -> Vec<PathBuf> {
    let asked = Command::new("pyenv").arg("root").output().ok();
    let told = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let Some(root) = told.filter(|root| !root.is_empty()) else {
        return vec![];
    };
    let Ok(versions) = Path::new(&root).join("versions").read_dir() else {
        return vec![];
    };
    versions
        .map(|entry| entry.unwrap().path().join("bin/python3"))
        .collect()
}
