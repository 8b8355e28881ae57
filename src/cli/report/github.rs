//! The `github` format: workflow commands that GitHub Actions shows beside the code.

use std::borrow::Cow;
use std::io::{self, Write};

use super::emitter::Emitter;
use super::{Finding, Trouble};
use crate::text::single_line::{escape, tamed};

/// Writes a command a finding, and one a problem.
pub(super) struct Github;

impl Emitter for Github {
    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let (start, end) = (finding.start(), finding.end());
        let diagnostic = finding.diagnostic;
        write!(
            out,
            "::warning title={} {},file={},line={},",
            diagnostic.code,
            property(diagnostic.name),
            property(&finding.place.slashed()),
            start.row,
        )?;
        // GitHub takes columns only for a range on one line.
        if start.row == end.row {
            write!(out, "col={},endColumn={}", start.column, end.column)?;
        } else {
            write!(out, "endLine={}", end.row)?;
        }
        let message = format!("{} {}", diagnostic.code, finding.message_and_advice());
        writeln!(out, "::{}", data(&message))
    }

    fn trouble(&mut self, out: &mut dyn Write, trouble: &Trouble<'_>) -> io::Result<()> {
        let file = trouble.place.slashed();
        write!(
            out,
            "::error title=hoist-namedtuple,file={}",
            property(&file)
        )?;
        if let Some(place) = trouble.problem.place {
            write!(out, ",line={},col={}", place.row, place.column)?;
        }
        writeln!(out, "::{}", data(&trouble.message()))
    }
}

/// Escapes the text after `::`, as the runner's `escapeData` does.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property's value, as the runner's `escapeProperty` does. Other control characters would
/// reach whoever looks at the log, and stand as escapes of ours.
fn property(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| matches!(letter, ' '..='~') && !"%:,#".contains(letter);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let text = data(text).replace(':', "%3A").replace(',', "%2C");
    Cow::Owned(tamed(&text, &[], &escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_and_data_are_escaped() {
        assert_eq!(property("we,ird:50%.py"), "we%2Cird%3A50%25.py");
        assert_eq!(property("a\r\nb"), "a%0D%0Ab");
        assert_eq!(property("é\u{1b}##[x"), "é\\u{1b}##\\u{5b}x");
        assert_eq!(data("a, b: 5%\r\n"), "a, b: 5%25%0D%0A");
    }
}
