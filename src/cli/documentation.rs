//! `--explain`, `--list-rules` and `--generate`: what is printed in place of a check.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::args::Args;
use super::config::selection;
use super::generate;
use crate::rule::{Code, Registry, registry};

/// The width that paragraphs are wrapped to, in characters.
const WIDTH: usize = 80;

/// The documentation that `args` ask for, or `None` when they ask for a check.
///
/// # Errors
/// A rule that is not known, or a built-in rule that cannot be used.
pub(crate) fn wanted(args: &Args) -> Result<Option<String>> {
    let registry = registry()?;
    if let Some(what) = args.generate {
        return generate::text(what, registry).map(Some);
    }
    if args.list_rules {
        let line = |code: &Code| format!("{}  {}  {}\n", code.code, code.name, code.summary);
        let codes = registry.codes();
        return Ok(Some(codes.iter().map(|(_, code)| line(code)).collect()));
    }
    let Some(rule) = &args.explain else {
        return Ok(None);
    };
    let found = registry.by_code(rule).or_else(|| registry.by_name(rule));
    let (_, code) = found.with_context(|| {
        format!(
            "--explain: {} Use one of {}.",
            selection::unknown(rule, registry),
            selection::known(registry)
        )
    })?;
    Ok(Some(page(code, registry)))
}

/// The documentation of one code in Markdown.
pub(crate) fn page(code: &Code, registry: &Registry) -> String {
    let docs = &code.documentation;
    let (_, examples) = registry.examples(&code.code);
    let first = examples.first();
    let example = first.map_or("", |example| &example.source);
    let instead = first.and_then(|example| example.instead());
    let python = |text: &str| format!("```python\n{}\n```\n", text.trim());
    let mut page = format!("# {} ({})\n\n{}.\n", code.name, code.code, code.summary);
    for (heading, text) in [
        ("What it does", filled(&docs.what_it_does)),
        ("Why is this bad?", filled(&docs.why_is_this_bad)),
        ("Example", python(example)),
        ("Use instead", python(instead.unwrap_or_default())),
        ("Fix safety", filled(&docs.fix_safety)),
    ] {
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## {heading}\n\n{text}");
    }
    page
}

/// `text` with each of its lines wrapped between words.
fn filled(text: &str) -> String {
    let mut out = String::new();
    for line in text.trim().lines() {
        let mut column = 0;
        for word in line.split_whitespace() {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > WIDTH {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += width;
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = format!("{}\n\nshort\n", "word ".repeat(20));
        let lines: Vec<String> = filled(&text).lines().map(str::to_owned).collect();
        let widths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
        assert_eq!(widths, [79, 19, 0, 5]);
    }
}
