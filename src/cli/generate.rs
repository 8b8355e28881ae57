//! `--generate`: completion scripts and the manual page, written from the command line's own definition,
//! and the page of all rules.

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use clap_mangen::Man;

use super::args::{Args, Generated};
use super::documentation;
use crate::rule::Registry;

/// The program's name, as it is typed.
const PROGRAM: &str = "hoist-namedtuple";

/// The options whose value is a rule.
const RULE_OPTIONS: [&str; 3] = ["select", "ignore", "explain"];

/// The text of `what`; the completion scripts know the codes of `registry`.
///
/// # Errors
/// When the generated text is no UTF-8, which would be a fault of the program.
pub(crate) fn text(what: Generated, registry: &'static Registry) -> Result<String> {
    let bytes = match what {
        Generated::CompletionBash => completion(Shell::Bash, registry),
        Generated::CompletionZsh => completion(Shell::Zsh, registry),
        Generated::CompletionFish => completion(Shell::Fish, registry),
        Generated::CompletionPowershell => completion(Shell::PowerShell, registry),
        Generated::Man => manual()?,
        Generated::RulesMd => return Ok(documentation::rules_md(registry)),
    };
    String::from_utf8(bytes).context("The text is no UTF-8. Please report it to the project.")
}

fn completion(shell: Shell, registry: &'static Registry) -> Vec<u8> {
    let codes: Vec<&'static str> = registry
        .codes()
        .iter()
        .map(|(_, code)| code.code.as_str())
        .collect();
    // The parser takes names and prefixes, too; what is offered is what is mostly meant.
    let mut command = RULE_OPTIONS
        .iter()
        .fold(Args::command(), |command, option| {
            command.mut_arg(option, |arg| {
                arg.value_parser(PossibleValuesParser::new(&codes))
            })
        });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, PROGRAM, &mut script);
    script
}

fn manual() -> Result<Vec<u8>> {
    let mut page = Vec::new();
    // Without a date, so that a version's page is always the same; an empty one would leave a gap
    // that the next heading falls into.
    Man::new(Args::command())
        .date(" ")
        .manual("User Commands")
        .render(&mut page)
        .context("The manual page cannot be made. Please report it to the project.")?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::registry;
    use clap::ValueEnum;

    fn generated(what: Generated) -> String {
        text(what, registry().unwrap()).unwrap()
    }

    #[test]
    fn each_text_knows_every_option() {
        let command = Args::command();
        let longs = command.get_arguments().filter_map(|arg| arg.get_long());
        let longs: Vec<&str> = longs.collect();
        assert!(longs.contains(&"generate"));
        let of_options = Generated::value_variants().iter();
        for what in of_options.filter(|what| **what != Generated::RulesMd) {
            let plain = generated(*what).replace("\\-", "-");
            for long in &longs {
                assert!(plain.contains(long), "{what:?} does not know --{long}");
            }
        }
    }

    #[test]
    fn each_completion_offers_the_rules_and_the_values_of_enumerations() {
        for what in Generated::value_variants() {
            if [Generated::Man, Generated::RulesMd].contains(what) {
                continue;
            }
            // PowerShell's script completes the names of options only.
            let has_values = *what != Generated::CompletionPowershell;
            for value in ["HNT001", "HNT101", "always", "completion-zsh"] {
                let text = generated(*what);
                assert_eq!(text.contains(value), has_values, "{what:?}: {value}");
            }
        }
    }

    #[test]
    fn the_manual_has_its_sections_in_order() {
        let page = generated(Generated::Man);
        let headings: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix(".SH "))
            .collect();
        assert_eq!(
            headings,
            ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "VERSION"]
        );
        let title = format!(
            ".TH hoist-namedtuple 1 \" \" \"hoist-namedtuple {}\" \"User Commands\"",
            env!("CARGO_PKG_VERSION")
        );
        assert!(page.lines().any(|line| line == title), "{page}");
    }
}
