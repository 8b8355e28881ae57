//! What the command line comes to: all that the run goes by.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, ensure};

use super::args::{Args, Format};
use super::baseline::Baseline;
use super::config::{Configuration, Configurations, Request, Table, text, texts};
use super::output::{self, Output};
use super::paths::resolved;
use super::walk::WalkSettings;
use crate::rule::Registry;

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

/// The baseline of a run.
#[derive(Debug)]
pub(crate) struct Known {
    /// What it accepts.
    pub(crate) baseline: Baseline,
    /// Whether it is written anew instead of being held against the findings.
    pub(crate) is_written: bool,
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
    /// The rules of the working folder's configuration.
    pub(crate) registry: &'static Registry,
    /// How findings are printed, and where to; at most one has no file.
    pub(crate) outputs: Vec<Output>,
    /// Whether findings are counted by rule instead of printed.
    pub(crate) statistics: bool,
    /// The findings that are known and accepted.
    pub(crate) baseline: Option<Known>,
    /// How much is said on stderr.
    pub(crate) verbosity: Verbosity,
    /// Whether findings leave the exit code at 0.
    pub(crate) exit_zero: bool,
    /// Whether a written fix makes the exit code 1.
    pub(crate) exit_non_zero_on_fix: bool,
}

impl Options {
    /// Resolves `args` in the folder `cwd`.
    ///
    /// # Errors
    /// A rule or pattern that is wrong, a fault in the configuration of the run, or `-` among other
    /// paths.
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
        let configurations = Configurations::new(cwd, &request(&args))?;
        let show = show(&args);
        let input = input(&args)?;
        ensure!(
            !args.write_baseline || matches!(input, Input::Paths(_)),
            "--write-baseline needs files, and `-` is none. Give the paths of the project."
        );
        let configuration = of_run(&configurations, &input)?;
        let (mut run, registry) = (configuration.run, configuration.registry);
        configurations.check_selectors(registry)?;
        let outputs = output::resolve(&args, run.output_format.unwrap_or(Format::Full))?;
        let printed = outputs.iter().find(|output| output.file.is_none());
        run.output_format = printed.map(|output| output.format);
        Ok(Self {
            mode,
            verbosity,
            show,
            walk: WalkSettings {
                cwd: cwd.to_path_buf(),
                configurations,
                run,
            },
            registry,
            outputs,
            statistics: args.statistics,
            baseline: known(args.baseline.as_deref(), args.write_baseline)?,
            exit_zero: args.exit_zero,
            exit_non_zero_on_fix: args.exit_non_zero_on_fix,
            input,
        })
    }
}

/// What `args` say about configuration.
pub(crate) fn request(args: &Args) -> Request<'_> {
    Request {
        config: &args.config,
        isolated: args.isolated,
        options: table(args),
        rules: &args.rules,
    }
}

fn known(path: Option<&Path>, is_written: bool) -> Result<Option<Known>> {
    let Some(path) = path else {
        return Ok(None);
    };
    let baseline = if is_written {
        Baseline::read_or_new(path)?
    } else {
        Baseline::read(path)?
    };
    Ok(Some(Known {
        baseline,
        is_written,
    }))
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
        max_file_size: args.max_file_size.map(|size| text(size.to_string())),
        ..Table::default()
    }
}

/// What the configuration of the working folder says about the run; of standard input, the one of
/// the file that it stands for.
fn of_run(configurations: &Configurations, input: &Input) -> Result<Arc<Configuration>> {
    let cwd = configurations.real_cwd();
    match input {
        Input::Stdin(Some(name)) => {
            let name = resolved(name, cwd);
            configurations.of_run(name.parent().unwrap_or(cwd))
        }
        Input::Stdin(None) | Input::Paths(_) => configurations.of_run(cwd),
    }
}

/// Whether `args` ask for standard input: by `-`, or by a name for it and no path.
pub(crate) fn reads_stdin(args: &Args) -> bool {
    let is_named = args.paths.is_empty() && args.stdin_filename.is_some();
    is_named || args.paths.iter().any(|path| path.as_os_str() == "-")
}

fn input(args: &Args) -> Result<Input> {
    let name = args.stdin_filename.as_ref();
    if reads_stdin(args) {
        ensure!(
            args.paths.len() <= 1,
            "`-` stands for standard input and cannot be given with other paths. Run once for each."
        );
        return Ok(Input::Stdin(name.cloned()));
    }
    ensure!(
        name.is_none(),
        "--stdin-filename names standard input, which is not read when paths are given. \
         Leave it out, or give `-` as the only path."
    );
    Ok(Input::Paths(match args.paths.as_slice() {
        [] => vec![PathBuf::from(".")],
        paths => paths.to_vec(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::env;

    fn options(args: &[&str]) -> Result<Options> {
        let args = std::iter::once(&"hoist-namedtuple").chain(args);
        Options::in_folder(&env::current_dir().unwrap(), Args::parse_from(args))
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
        let unnamed = options(&["--stdin-filename", "a.py"]).unwrap().input;
        assert_eq!(unnamed, Input::Stdin(Some("a.py".into())));
        assert!(options(&["-", "a.py"]).is_err());
        assert!(options(&["--stdin-filename", "a.py", "b.py"]).is_err());
    }

    #[test]
    fn the_default_path_is_the_working_folder() {
        let expected = Input::Paths(vec![PathBuf::from(".")]);
        assert_eq!(options(&[]).unwrap().input, expected);
    }
}
