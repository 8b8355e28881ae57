//! A page of Markdown for a terminal: headings and code stand out without their marks.

use anstyle::{AnsiColor, Style};

const TITLE: Style = AnsiColor::Cyan.on_default().bold();
const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Green.on_default();

/// `page` with colours: headings are bold, code is indented, and words in backticks are coloured.
pub(super) fn styled(page: &str) -> String {
    let mut out = String::new();
    let (mut in_code, mut in_word) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let line = if in_code {
            code_line(line)
        } else if let Some(heading) = line.strip_prefix("## ") {
            format!("{HEADING}{heading}{HEADING:#}")
        } else if let Some(title) = line.strip_prefix("# ") {
            format!("{TITLE}{title}{TITLE:#}")
        } else {
            with_words(line, &mut in_word)
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn code_line(line: &str) -> String {
    match line.is_empty() {
        true => String::new(),
        false => format!("    {CODE}{line}{CODE:#}"),
    }
}

/// A line of prose; what stands between backticks is code, which may go on in the next line: whether
/// it does is `in_word`.
fn with_words(line: &str, in_word: &mut bool) -> String {
    let mut out = String::new();
    for (number, part) in line.split('`').enumerate() {
        *in_word ^= number > 0;
        match *in_word && !part.is_empty() {
            true => out.push_str(&format!("{CODE}{part}{CODE:#}")),
            false => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_colours() {
        let page =
            "# t (X)\n\nUse `f` and `g(a,\nb)` now.\n\n## Example\n\n```python\nf()\n\ng()\n```\n";
        let text = styled(page);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(
            plain,
            "t (X)\n\nUse f and g(a,\nb) now.\n\nExample\n\n    f()\n\n    g()\n"
        );
        assert!(text.contains("\u{1b}[1mExample\u{1b}[0m"), "{text:?}");
    }
}
