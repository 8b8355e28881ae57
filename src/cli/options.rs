//! What the command line comes to: all that the run goes by.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::args::{Args, Format};
use super::config::{Configurations, Request, RunSettings, Table, texts};
use super::paths::resolved;
use super::walk::WalkSettings;

/// What happens to the fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They are only reported.
    Report,
    /// They are written.
    Fix,
    /// They are printed as a diff.
    Diff,
}

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Warnings and a summary, too.
    Normal,
    /// How each finding was decided, too.
    Verbose,
}

/// Where the Python comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, under the name that it is given.
    Stdin(Option<PathBuf>),
    /// Files and folders.
    Paths(Vec<PathBuf>),
}

/// What is printed in place of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    /// The settings of each given path.
    Settings,
    /// The files that would be checked.
    Files,
}

/// All that a run goes by.
#[derive(Debug)]
pub(crate) struct Options {
    /// Where the Python comes from.
    pub(crate) input: Input,
    /// What happens to the fixes.
    pub(crate) mode: Mode,
    /// What is printed in place of a check.
    pub(crate) show: Option<Show>,
    /// How files are found, and with which settings each is checked.
    pub(crate) walk: WalkSettings,
    /// How findings are printed.
    pub(crate) format: Format,
    /// Where findings go instead of stdout or stderr.
    pub(crate) output_file: Option<PathBuf>,
    /// How much is said on stderr.
    pub(crate) verbosity: Verbosity,
    /// Whether findings leave the exit code at 0.
    pub(crate) exit_zero: bool,
    /// Whether a written fix makes the exit code 1.
    pub(crate) exit_non_zero_on_fix: bool,
}

impl Options {
    /// Resolves `args` in the process's working folder.
    ///
    /// # Errors
    /// A rule or pattern that is wrong, a fault in the configuration of the run, or `-` among other
    /// paths.
    pub(crate) fn new(args: Args) -> Result<Self> {
        let cwd = env::current_dir()
            .context("The working folder cannot be found. Change to one that exists.")?;
        Self::in_folder(&cwd, args)
    }

    /// Resolves `args` in the folder `cwd`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn in_folder(cwd: &Path, args: Args) -> Result<Self> {
        let mode = match (args.diff, args.fix) {
            (true, _) => Mode::Diff,
            (false, true) => Mode::Fix,
            (false, false) => Mode::Report,
        };
        let verbosity = match (args.quiet, args.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, false) => Verbosity::Normal,
            (false, true) => Verbosity::Verbose,
        };
        let request = Request {
            config: &args.config,
            isolated: args.isolated,
            options: table(&args),
        };
        let configurations = Configurations::new(cwd, &request)?;
        let show = show(&args);
        let input = input(args.paths, args.stdin_filename)?;
        let mut run = run_settings(&configurations, &input)?;
        let format = args.output_format.or(run.output_format);
        let format = format.unwrap_or(Format::Full);
        run.output_format = Some(format);
        Ok(Self {
            mode,
            verbosity,
            show,
            format,
            walk: WalkSettings {
                cwd: cwd.to_path_buf(),
                configurations,
                run,
            },
            output_file: output_file(args.output_file)?,
            exit_zero: args.exit_zero,
            exit_non_zero_on_fix: args.exit_non_zero_on_fix,
            input,
        })
    }
}

fn show(args: &Args) -> Option<Show> {
    match (args.show_settings, args.show_files) {
        (true, _) => Some(Show::Settings),
        (false, true) => Some(Show::Files),
        (false, false) => None,
    }
}

/// The keys that options of their own set.
fn table(args: &Args) -> Table {
    let given = |values: &[String]| (!values.is_empty()).then(|| texts(values));
    Table {
        select: given(&args.select),
        ignore: given(&args.ignore),
        exclude: given(&args.exclude),
        extend_exclude: given(&args.extend_exclude),
        force_exclude: args.force_exclude.then_some(true),
        respect_gitignore: args.no_respect_gitignore.then_some(false),
        unsafe_fixes: args.unsafe_fixes.then_some(true),
        ..Table::default()
    }
}

/// What the configuration of the working folder says about the run; of standard input, the one of
/// the file that it stands for.
fn run_settings(configurations: &Configurations, input: &Input) -> Result<RunSettings> {
    let cwd = configurations.real_cwd();
    let configuration = match input {
        Input::Stdin(Some(name)) => {
            let name = resolved(name, cwd);
            configurations.of_run(name.parent().unwrap_or(cwd))?
        }
        Input::Stdin(None) | Input::Paths(_) => configurations.of_run(cwd)?,
    };
    Ok(configuration.run)
}

/// A report must not take the place of a program.
fn output_file(path: Option<PathBuf>) -> Result<Option<PathBuf>> {
    let is_python = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("py" | "pyw" | "pyi"))
    };
    if let Some(path) = path.as_ref().filter(|path| is_python(path)) {
        bail!(
            "{} is a Python file and would be overwritten by the report. \
             Give --output-file another name.",
            path.display()
        );
    }
    Ok(path)
}

fn input(paths: Vec<PathBuf>, stdin_filename: Option<PathBuf>) -> Result<Input> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if !paths.iter().any(is_stdin) {
        return Ok(Input::Paths(paths));
    }
    ensure!(
        paths.len() == 1,
        "`-` stands for standard input and cannot be given with other paths. Run once for each."
    );
    Ok(Input::Stdin(stdin_filename))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn options(args: &[&str]) -> Result<Options> {
        let args = std::iter::once(&"hoist-namedtuple").chain(args);
        Options::new(Args::parse_from(args))
    }

    #[test]
    fn a_report_does_not_overwrite_a_python_file() {
        assert!(options(&["--output-file", "a.py"]).is_err());
        assert!(options(&["--output-file", "a.txt"]).is_ok());
    }

    #[test]
    fn diff_wins_over_fix() {
        assert_eq!(options(&["--fix", "--diff"]).unwrap().mode, Mode::Diff);
        assert_eq!(options(&["--fix"]).unwrap().mode, Mode::Fix);
        assert_eq!(options(&["--unsafe-fixes"]).unwrap().mode, Mode::Report);
    }

    #[test]
    fn standard_input_stands_alone() {
        let input = options(&["--stdin-filename", "a.py", "-"]).unwrap().input;
        assert_eq!(input, Input::Stdin(Some("a.py".into())));
        assert!(options(&["-", "a.py"]).is_err());
    }
}
