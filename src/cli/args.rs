//! The command line as it is typed.

use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{Parser, ValueEnum};

/// Find and hoist collections.namedtuple() calls that make a new class on every call.
///
/// Exit code 0: nothing found, or all of it fixed. 1: findings remain, or --diff shows a change.
/// 2: bad usage, or a file could not be read, decoded, parsed or written; the others are still done.
#[derive(Debug, Parser)]
#[command(name = "hoist-namedtuple", version, max_term_width = 100)]
pub(crate) struct Args {
    /// Files and folders to check; `-` reads standard input
    #[arg(value_name = "PATH", default_value = ".")]
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

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Full)]
    pub(crate) output_format: Format,

    /// Write findings to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,

    /// The name of what is read from standard input
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new().map(PathBuf::from))]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Use no configuration file; there is none to read yet
    #[arg(long)]
    pub(crate) isolated: bool,

    /// Leave out what these patterns match, in place of the default excludes (comma separated; as in
    /// a .gitignore file of the working folder)
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

    /// Exit with 0 even when there are findings
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Exit with 1 when --fix changed a file, even if no finding remains
    #[arg(long)]
    pub(crate) exit_non_zero_on_fix: bool,

    /// Print the documentation of a rule, by its code or name
    #[arg(long, value_name = "RULE")]
    pub(crate) explain: Option<String>,

    /// Print the code, name and summary of each rule
    #[arg(long, conflicts_with = "explain")]
    pub(crate) list_rules: bool,

    /// Print a shell's completion script or the manual page
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["explain", "list_rules"])]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With the source around them
    Full,
    /// A line each
    Concise,
    /// A list of objects
    Json,
    /// Workflow commands of GitHub Actions
    Github,
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_default_path_is_the_working_folder() {
        let args = Args::parse_from(["hoist-namedtuple"]);
        assert_eq!(args.paths, [PathBuf::from(".")]);
    }
}
