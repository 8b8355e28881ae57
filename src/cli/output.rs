//! `--output-format FORMAT[=FILE]` and `--output-file`: which formats are wanted, and where each goes.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, ValueEnum};

use super::args::{Args, Format};
use super::config;
use super::disk::report_file;
use super::paths::{folder_of, shown};

/// A format, and the file that it goes to instead of stdout or stderr.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    /// How findings are written.
    pub(crate) format: Format,
    /// Where to, if not to a stream.
    pub(crate) file: Option<PathBuf>,
}

impl Format {
    /// Whether a report in it is one text, which no other line may come into.
    pub(crate) fn is_document(self) -> bool {
        match self {
            Format::Json | Format::Gitlab | Format::Junit | Format::Sarif => true,
            Format::Full | Format::Concise | Format::JsonLines | Format::Github => false,
        }
    }

    /// Whether `--statistics` works with it.
    fn has_statistics(self) -> bool {
        match self {
            Format::Full | Format::Concise | Format::Json | Format::JsonLines => true,
            Format::Github | Format::Gitlab | Format::Junit | Format::Sarif => false,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        formatter.write_str(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

/// Reads `FORMAT` or `FORMAT=FILE`; the file's name may be no Unicode.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutputParser;

impl TypedValueParser for OutputParser {
    type Value = Output;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Output, clap::Error> {
        let (format, file) = match split(value) {
            Some((format, file)) => (format, Some(file.into())),
            None => (value, None),
        };
        let format = EnumValueParser::<Format>::new().parse_ref(command, argument, format)?;
        Ok(Output { format, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let variants = Format::value_variants().iter();
        Some(Box::new(variants.filter_map(Format::to_possible_value)))
    }
}

/// `value` at its first `=`.
#[cfg(unix)]
fn split(value: &OsStr) -> Option<(&OsStr, &OsStr)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = value.as_bytes();
    let at = bytes.iter().position(|byte| *byte == b'=')?;
    let (format, file) = (bytes.get(..at)?, bytes.get(at + 1..)?);
    Some((OsStr::from_bytes(format), OsStr::from_bytes(file)))
}

/// `value` at its first `=`; a name that is no Unicode is not cut, and thus no format.
#[cfg(not(unix))]
fn split(value: &OsStr) -> Option<(&OsStr, &OsStr)> {
    let (format, file) = value.to_str()?.split_once('=')?;
    Some((format.as_ref(), file.as_ref()))
}

/// The outputs that `args` ask for: `default` when no format is given, and `--output-file` as the
/// file of the one that has none.
///
/// # Errors
/// A sentence when two outputs want the same place, a file is not free for a report, or
/// `--statistics` does not work with a format.
pub(crate) fn resolve(args: &Args, default: Format) -> Result<Vec<Output>> {
    let mut outputs = args.output_format.clone();
    if outputs.is_empty() {
        outputs.push(Output {
            format: default,
            file: None,
        });
    }
    place(&mut outputs, args.output_file.as_deref())?;
    let files: Vec<&Path> = outputs.iter().filter_map(|o| o.file.as_deref()).collect();
    for (index, file) in files.iter().enumerate() {
        is_free(file, args)?;
        let earlier = files.iter().take(index);
        ensure!(
            !earlier
                .into_iter()
                .any(|other| identity(other) == identity(file)),
            "{}: two reports cannot be written to the same file. Give each a name of its own.",
            shown(file)
        );
    }
    if args.statistics {
        has_statistics(&outputs)?;
    }
    Ok(outputs)
}

/// Gives `file` to the one output that has none; only one can go to a stream.
fn place(outputs: &mut [Output], file: Option<&Path>) -> Result<()> {
    let mut open = outputs.iter_mut().filter(|output| output.file.is_none());
    match (open.next(), open.next(), file) {
        (Some(first), Some(second), _) => bail!(
            "--output-format: `{}` and `{}` would both go to the same place. \
             Give all formats but one a file, such as `{}=FILE`.",
            first.format,
            second.format,
            second.format
        ),
        (Some(only), None, Some(file)) => only.file = Some(file.to_path_buf()),
        (None, _, Some(file)) => bail!(
            "--output-file {}: each --output-format has a file of its own already. \
             Leave --output-file out, or name a format without a file.",
            shown(file)
        ),
        (_, _, None) => {}
    }
    Ok(())
}

/// A report must not take the place of a program.
fn is_free(file: &Path, args: &Args) -> Result<()> {
    ensure!(
        !file.as_os_str().is_empty(),
        "--output-format: there is no file name after `=`. Write FORMAT=FILE, or FORMAT alone."
    );
    ensure!(
        file.as_os_str() != "-",
        "`-` names no file. Leave it out, as a format without a file goes to stdout; or write `./-`."
    );
    let real = identity(file);
    ensure!(
        !is_python(file) && !is_python(&real),
        "{} is a Python file and would be overwritten by the report. Give the report another name.",
        shown(file)
    );
    ensure!(
        !args.paths.iter().any(|source| identity(source) == real),
        "{} is to be checked and would be overwritten by the report. Give the report another name.",
        shown(file)
    );
    let baseline = args.baseline.as_deref();
    ensure!(
        baseline.is_none_or(|baseline| identity(baseline) != real),
        "{} is the baseline and would be overwritten by the report. Give the report another name.",
        shown(file)
    );
    ensure!(
        !config::FILES.iter().any(|name| real.ends_with(name)),
        "{} holds settings and would be overwritten by the report. Give the report another name.",
        shown(file)
    );
    Ok(())
}

fn is_python(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("py" | "pyw" | "pyi"))
}

/// `path` in the one way that all its spellings share, as far as its folder exists.
fn identity(path: &Path) -> PathBuf {
    // Two streams may lead to the same place by the will of the user.
    if report_file::is_device(path) {
        return path.to_path_buf();
    }
    let of_folder = || {
        let folder = folder_of(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let whole = path.canonicalize().ok();
    whole
        .or_else(of_folder)
        .unwrap_or_else(|| path.to_path_buf())
}

fn has_statistics(outputs: &[Output]) -> Result<()> {
    let Some(other) = outputs
        .iter()
        .find(|output| !output.format.has_statistics())
    else {
        return Ok(());
    };
    let all = Format::value_variants().iter();
    let known: Vec<String> = all
        .filter(|format| format.has_statistics())
        .map(|format| format!("`{format}`"))
        .collect();
    bail!(
        "--statistics: the format `{}` has no place for counts. Give --output-format one of {}.",
        other.format,
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn outputs(args: &[&str]) -> Result<Vec<String>> {
        let args = std::iter::once(&"hoist-namedtuple").chain(args);
        let outputs = resolve(&Args::try_parse_from(args)?, Format::Full)?;
        let text = |output: Output| match output.file {
            Some(file) => format!("{}={}", output.format, file.display()),
            None => output.format.to_string(),
        };
        Ok(outputs.into_iter().map(text).collect())
    }

    #[track_caller]
    fn refused(args: &[&str], word: &str) {
        let error = outputs(args).unwrap_err().to_string();
        assert!(error.contains(word), "{args:?}: {error}");
    }

    #[test]
    fn one_format_has_no_file_and_the_others_have_one_each() {
        let given = |args: &[&str]| outputs(args).unwrap();
        assert_eq!(given(&[]), ["full"]);
        assert_eq!(given(&["--output-file", "out"]), ["full=out"]);
        let two = [
            "--output-format",
            "github",
            "--output-format",
            "sarif=a=b,c",
        ];
        assert_eq!(given(&two), ["github", "sarif=a=b,c"]);
        let file = [&two[..], &["--output-file", "out"]].concat();
        assert_eq!(given(&file), ["github=out", "sarif=a=b,c"]);
        assert_eq!(
            given(&["--output-format", "json-lines=x"]),
            ["json-lines=x"]
        );
    }

    #[test]
    fn two_outputs_do_not_share_a_place() {
        refused(
            &["--output-format", "json", "--output-format", "full"],
            "`full=FILE`",
        );
        refused(
            &["--output-format", "json=a", "--output-format", "sarif=./a"],
            "the same file",
        );
        refused(
            &[
                "--output-format",
                "json",
                "--output-format",
                "sarif=a",
                "--output-file",
                "./a",
            ],
            "the same file",
        );
        refused(
            &["--output-format", "json=a", "--output-file", "b"],
            "--output-file b",
        );
    }

    #[test]
    fn a_report_does_not_overwrite_a_program() {
        refused(&["--output-file", "a.py"], "a.py is a Python file");
        refused(&["--output-format", "json=a.pyi"], "a.pyi is a Python file");
        refused(
            &["--output-format", "json=./tool", "tool"],
            "is to be checked",
        );
        refused(&["--output-format", "json="], "no file name");
        refused(&["--output-file", "-"], "goes to stdout");
    }

    #[test]
    fn an_unknown_format_is_told_with_those_that_there_are() {
        refused(&["--output-format", "sarf=a"], "sarif");
        refused(&["--output-format", "json,full"], "json-lines");
    }

    #[test]
    fn statistics_name_the_formats_that_they_work_with() {
        for format in Format::value_variants() {
            let (name, ran) = (format.to_string(), format.has_statistics());
            let result = outputs(&["--statistics", "--output-format", &name]);
            assert_eq!(result.is_ok(), ran, "{format}");
        }
        refused(
            &[
                "--statistics",
                "--output-format",
                "json",
                "--output-format",
                "sarif=a",
            ],
            "`sarif` has no place for counts. Give --output-format one of `full`, `concise`, `json`, `json-lines`.",
        );
    }
}
