//! The documentation of one code in Markdown.

use std::fmt::Write;

use crate::rule::{Code, Registry};

/// The width that paragraphs are wrapped to, in characters.
const WIDTH: usize = 80;

/// The documentation of one code in Markdown.
pub(crate) fn page(code: &Code, registry: &Registry) -> String {
    let title = format!("# {} ({})", code.name, code.code);
    format!("{title}\n\n{}", body(code, registry, "##"))
}

/// The documentation without its title; `heading` is what its headings start with.
pub(super) fn body(code: &Code, registry: &Registry, heading: &str) -> String {
    let docs = &code.documentation;
    let (_, examples) = registry.examples(&code.code);
    let first = examples.first();
    let example = first.map_or("", |example| &example.source);
    let instead = first.and_then(|example| example.instead());
    let references = docs.references.iter();
    let references: String = references.map(|url| format!("- <{url}>\n")).collect();
    let mut body = format!("{}.\n", code.summary.trim_end_matches('.'));
    for (words, text) in [
        ("What it does", filled(&docs.what_it_does)),
        ("Why is this bad?", filled(&docs.why_is_this_bad)),
        ("Example", python(example)),
        ("Use instead", python(instead.unwrap_or_default())),
        ("Fix safety", filled(&docs.fix_safety)),
        ("References", references),
    ] {
        if !text.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(body, "\n{heading} {words}\n\n{text}");
        }
    }
    body
}

/// A block of Python.
pub(super) fn python(text: &str) -> String {
    format!("```python\n{}\n```\n", text.trim())
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
    use crate::rule::registry;

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = format!("{}\n\nshort\n", "word ".repeat(20));
        let lines: Vec<String> = filled(&text).lines().map(str::to_owned).collect();
        let widths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
        assert_eq!(widths, [79, 19, 0, 5]);
    }

    #[test]
    fn every_page_has_all_its_headings() {
        let registry = registry().unwrap();
        for (_, code) in registry.codes() {
            let page = page(code, registry);
            let headings: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
            assert_eq!(headings.len(), 7, "{page}");
            assert!(!page.contains("```python\n\n```"), "{page}");
        }
    }
}
