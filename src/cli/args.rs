//! The command line as it is typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, ValueEnum};

use super::output::{Output, OutputParser};
use super::paths::single_line;
use super::size::Size;

/// The options of a check alone.
const OF_A_CHECK: [&str; 21] = [
    "paths",
    "fix",
    "unsafe_fixes",
    "diff",
    "select",
    "ignore",
    "output_format",
    "output_file",
    "statistics",
    "stdin_filename",
    "show_settings",
    "show_files",
    "exclude",
    "extend_exclude",
    "force_exclude",
    "no_respect_gitignore",
    "max_file_size",
    "baseline",
    "write_baseline",
    "exit_zero",
    "exit_non_zero_on_fix",
];

/// The options that say which rules are known.
const OF_RULES: [&str; 3] = ["rules", "config", "isolated"];

/// Find and hoist collections.namedtuple() calls that make a new class on every call.
///
/// Exit code 0: nothing found, or all of it fixed. 1: findings remain, --diff shows a change, or a
/// baseline holds what no longer occurs. 2: bad usage or configuration, or a file could not be read,
/// decoded, parsed or written; the others are still done.
#[derive(Debug, Parser)]
#[command(name = "hoist-namedtuple", version, max_term_width = 100)]
pub(crate) struct Args {
    /// Files and folders to check [default: .]; `-` reads standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Write safe fixes
    #[arg(long)]
    pub(crate) fix: bool,

    /// Also make the fixes that are graded unsafe
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,

    /// Print a unified diff of what --fix would write, and write nothing; findings go to stderr
    #[arg(long)]
    pub(crate) diff: bool,

    /// Report only these rules: a code, the start of one, a name, or ALL (comma separated)
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Leave these rules out; the longer of two matching selectors wins
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Add the rules of this folder (every `*.toml` directly in it) or file; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) rules: Vec<PathBuf>,

    /// How findings are printed [default: full]; with =FILE they go to that file, and the option can
    /// be given several times
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = OutputParser)]
    pub(crate) output_format: Vec<Output>,

    /// Write the format that names no file to this one instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,

    /// Print how often each rule was broken and what can be done, instead of the findings
    #[arg(long)]
    pub(crate) statistics: bool,

    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new().map(PathBuf::from))]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Use this configuration file and search for none, or set a key above all files; may be given
    /// several times
    ///
    /// What starts with a key and `=` is KEY=VALUE, in TOML: naming=typename, or
    /// 'exclude=["gen"]'. Anything else is a file; write ./a=b.toml for one of such a name.
    #[arg(long, value_name = "FILE|KEY=VALUE")]
    pub(crate) config: Vec<OsString>,

    /// Read no configuration file
    #[arg(long)]
    pub(crate) isolated: bool,

    /// Print the settings that hold for each path, as TOML
    #[arg(long, conflicts_with = "show_files")]
    pub(crate) show_settings: bool,

    /// Print the files that would be checked, a path a line
    #[arg(long)]
    pub(crate) show_files: bool,

    /// Leave out what these patterns match, in place of `exclude` of the configuration and the
    /// default excludes (comma separated; as in a .gitignore file of the working folder)
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,

    /// Leave out what these patterns match, too
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) extend_exclude: Vec<String>,

    /// Apply the excludes to paths given on the command line as well
    #[arg(long)]
    pub(crate) force_exclude: bool,

    /// Check files that .gitignore and .ignore files leave out
    #[arg(long)]
    pub(crate) no_respect_gitignore: bool,

    /// Check no file that is larger than this [default: 32MiB]: a number of bytes, or one with k, M, G
    /// or their kin
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_file_size: Option<Size>,

    /// Accept the findings that this file counts; report the others, and entries that no longer occur
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings that are left into the file of --baseline, and report none of them
    #[arg(long, requires = "baseline", conflicts_with = "diff")]
    pub(crate) write_baseline: bool,

    /// Exit with 0 even when there are findings
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Exit with 1 when --fix changed a file, even if no finding remains
    #[arg(long)]
    pub(crate) exit_non_zero_on_fix: bool,

    /// Print the documentation of a rule, by its code or name
    #[arg(long, value_name = "RULE")]
    pub(crate) explain: Option<String>,

    /// Print the code, name, default, fix and cost of each rule
    #[arg(long, conflicts_with = "explain")]
    pub(crate) list_rules: bool,

    /// Run the examples of the rules in this folder or file; exit with 1 when one differs
    #[arg(long, value_name = "DIR", conflicts_with_all = OF_A_CHECK.iter().chain(&OF_RULES).chain(&["explain", "list_rules"]))]
    pub(crate) test_rules: Option<PathBuf>,

    /// Write a rule file to start from, named after the last part of a factory's qualified name:
    /// recordclass.recordclass makes recordclass.toml
    #[arg(long, value_name = "NAME", conflicts_with_all = OF_A_CHECK.iter().chain(&["explain", "list_rules", "test_rules"]))]
    pub(crate) new_rule: Option<String>,

    /// Print a shell's completion script, the manual page, or the documentation of all rules
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["explain", "list_rules", "test_rules", "new_rule"])]
    pub(crate) generate: Option<Generated>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Print findings and errors, and nothing else
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say on stderr how each finding was decided
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Format {
    /// With the source around them
    Full,
    /// A line each
    Concise,
    /// A list of objects
    Json,
    /// An object a line
    JsonLines,
    /// Workflow commands of GitHub Actions
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// Test cases in JUnit's XML
    Junit,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
}

/// What `--generate` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Generated {
    /// A completion script for bash
    CompletionBash,
    /// A completion script for zsh
    CompletionZsh,
    /// A completion script for fish
    CompletionFish,
    /// A completion script for PowerShell
    CompletionPowershell,
    /// A page for `man`
    Man,
    /// The documentation of all built-in rules as one page of Markdown
    RulesMd,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, as NO_COLOR, FORCE_COLOR, CLICOLOR and CLICOLOR_FORCE say
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Args {
    /// Reads the process's own arguments. An option that takes one value, or none, may be repeated,
    /// so that what a hook or an alias gives can be given again; the last value counts.
    ///
    /// # Errors
    /// Bad usage, or a wish for help or the version.
    pub(crate) fn of_process() -> Result<Self, clap::Error> {
        Self::of(std::env::args_os()).map_err(|error| {
            // Arguments may be names of files that a shell or a hook gives, and the error quotes them:
            // it is made anew from what may be shown of them.
            let shown = std::env::args_os().map(|word| single_line(&word.to_string_lossy()));
            Self::of(shown).err().unwrap_or(error)
        })
    }

    /// Reads `arguments`, of which the first is the program's name, in the same way.
    ///
    /// # Errors
    /// Bad usage, or a wish for help or the version.
    pub(crate) fn of(
        arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let command = Self::command().mut_args(|arg| match arg.get_action() {
            ArgAction::Set | ArgAction::SetTrue => {
                let id = arg.get_id().clone();
                arg.overrides_with(id)
            }
            _ => arg,
        });
        Self::from_arg_matches(&command.try_get_matches_from(arguments)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn options_may_be_repeated_and_lists_add_up() {
        let words =
            "--fix --fix --color never --color always --ignore HNT0 --ignore HNT1 -q -q a b";
        let args = Args::of(["hoist-namedtuple"].into_iter().chain(words.split(' '))).unwrap();
        assert!(args.fix && args.quiet);
        assert_eq!(args.color, Color::Always);
        assert_eq!(args.ignore, ["HNT0", "HNT1"]);
        assert_eq!(args.paths.len(), 2);
    }
}
