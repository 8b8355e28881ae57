//! A scratch folder with files in it, and runs of the program there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

/// Runs all files of a folder in one Python, and prints what each printed.
const RUN: &str = "
import contextlib, io, os
for name in sorted(os.listdir()):
    with open(name, 'rb') as file:
        code = compile(file.read(), name, 'exec')
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {'__name__': name})
    print(name, printed.getvalue().strip())
";

/// A scratch folder.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// A folder that holds `files`.
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (name, bytes) in files {
            project.put(name, bytes);
        }
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A command that runs in the folder, untouched by the environment of the tests.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"));
        command.current_dir(self.root());
        for name in [
            "NO_COLOR",
            "FORCE_COLOR",
            "CLICOLOR_FORCE",
            "GITHUB_WORKSPACE",
            "CI_PROJECT_DIR",
        ] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command().args(args).output().unwrap())
    }

    /// What the files print that stand directly in the folder, a line for each, when Python runs them.
    #[track_caller]
    pub(crate) fn printed(&self) -> Vec<String> {
        let mut command = Command::new("python3");
        command.args(["-c", RUN]).env("PYTHONIOENCODING", "utf-8");
        let ran = Ran::of(command.current_dir(self.root()).output().unwrap());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout.lines().map(str::to_owned).collect()
    }
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Checks that nothing was found and nothing was said.
    #[track_caller]
    pub(crate) fn is_silent(&self) {
        assert_eq!(
            (self.code, self.stdout.as_str(), self.stderr.as_str()),
            (Some(0), "", "")
        );
    }

    /// Checks for exit code 2 and a sentence on stderr that has all `words` in it.
    #[track_caller]
    pub(crate) fn fails_with(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in {self:?}");
        }
    }
}
