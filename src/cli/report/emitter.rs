//! What a format is: something that is told each finding and problem, and writes.

use std::io::{self, Write};

use super::root::Root;
use super::statistics::{Statistics, Style};
use super::{Finding, Trouble};
use super::{concise, full, github, gitlab, json, json_lines, junit, sarif};
use crate::cli::args::Format;
use crate::rule::Registry;

/// One format of a report; its methods are called in the order in which they stand here.
pub(super) trait Emitter {
    /// Writes what stands before all else; `_rules` are those of the working folder's configuration.
    fn start(&mut self, _out: &mut dyn Write, _rules: &'static Registry) -> io::Result<()> {
        Ok(())
    }

    /// Takes the next finding; those of one file follow each other, in source order.
    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()>;

    /// Takes a file that could not be read, parsed or written; stderr tells of it in any case.
    fn trouble(&mut self, _out: &mut dyn Write, _trouble: &Trouble<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Writes what is left.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// The emitter of findings in `format`; `color` is whether `full` may use colours.
pub(super) fn of_findings(format: Format, color: bool, root: &Root) -> Box<dyn Emitter> {
    match format {
        Format::Full => Box::new(full::Full { color }),
        Format::Concise => Box::new(concise::Concise),
        Format::Json => Box::<json::Json>::default(),
        Format::JsonLines => Box::new(json_lines::JsonLines),
        Format::Github => Box::new(github::Github),
        Format::Gitlab => Box::<gitlab::Gitlab>::default(),
        Format::Junit => Box::<junit::Junit>::default(),
        Format::Sarif => Box::new(sarif::Sarif::new(root)),
    }
}

/// The emitter of counts in `format`.
pub(super) fn of_statistics(format: Format) -> Box<dyn Emitter> {
    Box::new(Statistics::new(match format {
        Format::Json => Style::Json,
        Format::JsonLines => Style::JsonLines,
        // The command line admits no other format.
        _ => Style::Text,
    }))
}
