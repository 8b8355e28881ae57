//! `--show-settings` and `--show-files`: what a check would go by, and what it would look at.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use super::config::{Configuration, is_excluded};
use super::exit::ExitStatus;
use super::options::{Input, Options, Show};
use super::paths::{relative, resolved, shown};
use super::problem::Problem;
use super::walk;
use crate::text::single_line::tamed;

/// Prints what is asked for to `stdout`, and problems to `stderr`.
///
/// # Errors
/// When the settings cannot be written as TOML, or the text to `stdout`.
pub(crate) fn show(
    what: Show,
    options: &Options,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Result<ExitStatus> {
    let (text, problems) = match what {
        Show::Settings => settings(options)?,
        Show::Files => files(options),
    };
    super::print(&text, stdout)?;
    // Nobody is left to tell when stderr is closed.
    for problem in &problems {
        let _ = writeln!(stderr, "{problem}");
    }
    Ok(match problems.as_slice() {
        [] => ExitStatus::Clean,
        _ => ExitStatus::Error,
    })
}

fn files(options: &Options) -> (String, Vec<Problem>) {
    let line = |path: &Path| format!("{}\n", shown(path));
    match &options.input {
        Input::Paths(paths) => {
            let found = walk::find(paths, &options.walk, &|_, _, _| true);
            let lines = found.sources.iter().map(|source| line(&source.shown));
            (lines.collect(), found.problems)
        }
        Input::Stdin(name) => {
            let name = name.as_deref().unwrap_or(Path::new("-"));
            let walk = &options.walk;
            let real = resolved(name, &walk.cwd);
            let is_left_out =
                walk.run.force_exclude && is_excluded(&real, false, &walk.configurations);
            let text = (!is_left_out).then(|| line(&relative(name, &walk.cwd)));
            (text.unwrap_or_default(), Vec::new())
        }
    }
}

/// The settings of each path, equal ones once.
fn settings(options: &Options) -> Result<(String, Vec<Problem>)> {
    let mut blocks: Vec<(Arc<Configuration>, Vec<PathBuf>)> = Vec::new();
    let mut problems = Vec::new();
    for path in given(&options.input) {
        let configuration = match configuration(path, options) {
            Ok(Some(configuration)) => configuration,
            Ok(None) => continue,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let path = relative(path, &options.walk.cwd);
        let mut known = blocks.iter_mut();
        match known.find(|(known, _)| Arc::ptr_eq(known, &configuration)) {
            Some((_, paths)) => paths.push(path),
            None => blocks.push((configuration, vec![path])),
        }
    }
    let texts: Result<Vec<String>> = blocks
        .iter()
        .map(|(configuration, paths)| block(configuration, paths, options))
        .collect();
    problems.extend(options.walk.configurations.faults());
    Ok((texts?.join("\n"), problems))
}

/// What holds for the given `path`; `None` when its configuration has a fault.
fn configuration(path: &Path, options: &Options) -> Result<Option<Arc<Configuration>>, Problem> {
    if let Input::Paths(_) = options.input {
        walk::check_exists(path)?;
    }
    let folder = folder(path, &options.walk.cwd);
    Ok(options.walk.configurations.of(&folder))
}

fn given(input: &Input) -> Vec<&Path> {
    match input {
        Input::Paths(paths) => paths.iter().map(PathBuf::as_path).collect(),
        Input::Stdin(name) => vec![name.as_deref().unwrap_or(Path::new("-"))],
    }
}

/// The folder whose configuration counts for `path`: a folder itself, or the one that holds a file.
fn folder(path: &Path, cwd: &Path) -> PathBuf {
    let real = resolved(path, cwd);
    match real.canonicalize() {
        Ok(folder) if folder.is_dir() => folder,
        _ => real.parent().unwrap_or(&real).to_path_buf(),
    }
}

/// An escape in a string of TOML, which leaves characters raw that a terminal may obey.
fn toml_escape(character: char) -> String {
    format!("\\U{:08x}", u32::from(character))
}

fn block(configuration: &Configuration, paths: &[PathBuf], options: &Options) -> Result<String> {
    let cwd = &options.walk.cwd;
    let name = |path: &PathBuf| match path.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => shown(path),
    };
    let paths: Vec<String> = paths.iter().map(name).collect();
    let from = match &configuration.file {
        Some(file) => format!("from {}", shown(&relative(file, cwd))),
        None => "from no file".to_owned(),
    };
    let mut text = format!("# Settings for {}, {from}\n", paths.join(", "));
    let root = configuration.file.as_deref().and_then(Path::parent);
    let elsewhere = configuration
        .excludes
        .roots()
        .any(|at| root.is_some_and(|root| root != at));
    if elsewhere {
        text.push_str("# Excludes of the command line are relative to the working folder\n");
    }
    let table = configuration.table(options.walk.run);
    text.push_str(&tamed(
        &toml::to_string_pretty(&table)?,
        &['\n'],
        &toml_escape,
    ));
    Ok(text)
}
