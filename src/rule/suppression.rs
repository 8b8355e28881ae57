//! Comments that silence findings.

use std::collections::BTreeMap;

use rustpython_ast::token::{TokenKind, Tokens};
use rustpython_text_size::{Ranged, TextRange};

use crate::text::lines::{Lines, slice};

/// The suppression comments of one module.
#[derive(Debug, Clone)]
pub struct Suppressions<'a> {
    lines: &'a Lines<'a>,
    /// By 0-based line.
    by_line: BTreeMap<usize, Vec<Suppression>>,
}

/// What one comment silences.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Suppression {
    All,
    Codes(Vec<String>),
}

impl<'a> Suppressions<'a> {
    /// Reads the comments among `tokens`; text in strings is none.
    #[must_use]
    pub fn from_tokens(text: &str, tokens: &Tokens, lines: &'a Lines<'a>) -> Self {
        let mut by_line: BTreeMap<usize, Vec<Suppression>> = BTreeMap::new();
        for token in tokens.iter() {
            if token.kind() != TokenKind::Comment {
                continue;
            }
            let comment = slice(text, token.range());
            let found = noqa(comment).into_iter().chain(ignore(comment));
            for suppression in found {
                by_line
                    .entry(lines.line_of(token.start()))
                    .or_default()
                    .push(suppression);
            }
        }
        Self { lines, by_line }
    }

    /// Whether a comment on any line of `statement` silences `code`. For a compound statement,
    /// pass the range of its header.
    #[must_use]
    pub fn is_suppressed(&self, code: &str, statement: TextRange) -> bool {
        let first = self.lines.line_of(statement.start());
        let last = self.lines.line_of(statement.end());
        self.by_line
            .range(first..=last)
            .flat_map(|(_, suppressions)| suppressions)
            .any(|suppression| suppression.silences(code))
    }
}

impl Suppression {
    fn silences(&self, code: &str) -> bool {
        match self {
            Suppression::All => true,
            Suppression::Codes(codes) => codes.iter().any(|entry| is_prefix(entry, code)),
        }
    }
}

/// Whether `entry` is `code` or its beginning, as flake8 has it; letters alone must be all of its
/// letters, so that a word of a reason is no prefix.
fn is_prefix(entry: &str, code: &str) -> bool {
    let letters = code.trim_end_matches(|char: char| char.is_ascii_digit());
    let long_enough = entry.len() >= letters.len();
    long_enough
        && code
            .get(..entry.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(entry))
}

/// Reads `# noqa` and `# noqa: CODE, CODE`, anywhere in the comment and in any case, as flake8 does
/// (`flake8.defaults.NOQA_INLINE_REGEX`): what is no list of codes counts as none.
fn noqa(comment: &str) -> Option<Suppression> {
    let after = comment.match_indices('#').find_map(|(at, _)| {
        let body = comment.get(at + 1..)?.trim_start();
        let (word, after) = body.split_at_checked("noqa".len())?;
        let ends = !after.starts_with(|char: char| char.is_alphanumeric() || char == '_');
        (word.eq_ignore_ascii_case("noqa") && ends).then_some(after)
    })?;
    let codes = match after.trim_start().strip_prefix(':') {
        Some(list) => leading_codes(list),
        None => vec![],
    };
    Some(if codes.is_empty() {
        Suppression::All
    } else {
        Suppression::Codes(codes)
    })
}

/// Reads `# hoist-namedtuple: ignore` and `# hoist-namedtuple: ignore[CODE, CODE] reason`.
fn ignore(comment: &str) -> Option<Suppression> {
    let after = comment.match_indices('#').find_map(|(at, _)| {
        comment
            .get(at + 1..)?
            .trim_start()
            .strip_prefix("hoist-namedtuple:")?
            .trim_start()
            .strip_prefix("ignore")
    })?;
    if let Some(list) = after.strip_prefix('[') {
        let (list, _) = list.split_once(']')?;
        return Some(Suppression::Codes(codes(list).map(str::to_owned).collect()));
    }
    let ends = !after.starts_with(|char: char| char.is_alphanumeric() || "_-".contains(char));
    ends.then_some(Suppression::All)
}

fn codes(list: &str) -> impl Iterator<Item = &str> {
    list.split(|char: char| char == ',' || char.is_whitespace())
        .filter(|code| !code.is_empty())
}

/// The entries of `list` up to the first that does not look like a code.
fn leading_codes(list: &str) -> Vec<String> {
    codes(list)
        .take_while(|entry| {
            let digits = entry.trim_start_matches(|char: char| char.is_ascii_alphabetic());
            let has_letters = digits.len() < entry.len();
            let is_upper = !entry.chars().any(|char| char.is_ascii_lowercase());
            has_letters
                && digits.chars().all(|char| char.is_ascii_digit())
                && (!digits.is_empty() || is_upper)
        })
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse;

    /// Whether `HNT001` is silenced in the first statement of `text`.
    #[track_caller]
    fn is_silent(text: &str) -> bool {
        let module = parse(text).unwrap();
        let lines = Lines::new(text);
        let suppressions = Suppressions::from_tokens(text, module.tokens(), &lines);
        let statement = module.syntax().body[0].range();
        suppressions.is_suppressed("HNT001", statement)
    }

    #[test]
    fn a_comment_for_the_code_or_for_all_silences() {
        for comment in [
            "# noqa",
            "#noqa",
            "# NoQA",
            "# noqa: HNT001",
            "# noqa:hnt001",
            "# noqa : E501,HNT001",
            "# noqa: E501 HNT001 because",
            "# noqa: HNT0",
            "# noqa: HNT",
            "# noqa: it has a reason",
            "# noqa because",
            "# type: ignore[x]  # noqa: HNT001",
            "# hoist-namedtuple: ignore",
            "# hoist-namedtuple: ignore because",
            "# hoist-namedtuple: ignore[HNT001]",
            "#hoist-namedtuple:ignore[HNT101, HNT001] because",
            "# noqa: E501  # hoist-namedtuple: ignore[HNT001]",
        ] {
            assert!(is_silent(&format!("x = 1  {comment}\n")), "{comment}");
        }
    }

    #[test]
    fn any_other_comment_does_not() {
        for comment in [
            "# noqa: E501",
            "# noqa: HNT101",
            "# noqa: HNT0011",
            "# noqa: E501 because h",
            "# noqa: H",
            "# noqax",
            "# no noqa here",
            "# hoist-namedtuple: ignore[HNT101]",
            "# hoist-namedtuple: ignore[]",
            "# hoist-namedtuple: ignore[HNT001",
            "# hoist-namedtuple: ignore-file",
            "# hoist-namedtuple: ignored",
            "# see hoist-namedtuple: ignore",
        ] {
            assert!(!is_silent(&format!("x = 1  {comment}\n")), "{comment}");
        }
    }

    #[test]
    fn the_comment_may_stand_on_any_line_of_the_statement_and_on_no_other() {
        for text in [
            "f(  # noqa\n  1,\n  2)\n",
            "f(\n  # noqa\n  2)\n",
            "f(\n  1,\n  2\n)  # noqa\n",
            "x = \\\n  1  # noqa\n",
            "x = '''\n''', 1  # noqa\n",
            "x = f'{\n1  # noqa\n}'\n",
        ] {
            assert!(is_silent(text), "{text}");
        }
        for text in [
            "x = 1\n# noqa\n",
            "# noqa\nx = 1\n",
            "x = '# noqa'\n",
            "x = '''\n# noqa\n'''\n",
            "x = f'# noqa {1}'\n",
            "x = 1\ny = 2  # noqa\n",
        ] {
            assert!(!is_silent(text), "{text}");
        }
    }
}
