//! Messages with places for words.

use serde::Deserialize;
use thiserror::Error;

/// The words that fill a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MessageWords<'a> {
    /// The callee as written.
    pub callee: &'a str,
    /// The typename.
    pub typename: &'a str,
    /// When the call runs, such as "on every call of `f`".
    pub when: &'a str,
    /// The argument that is not constant, in words.
    pub argument: &'a str,
    /// The suppression comment as written.
    pub comment: &'a str,
    /// What is wrong with it, as the rest of a sentence.
    pub why: &'a str,
}

/// A message with places for the fields of [`MessageWords`], each by its name in braces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Word(Word),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Callee,
    Typename,
    When,
    Argument,
    Comment,
    Why,
}

/// A message template that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// A brace without its partner.
    #[error("a brace has no partner; write each word as in `{{callee}}`")]
    UnbalancedBrace,
    /// A place that no word fills.
    #[error("there is no word `{0}`; there are `callee`, `typename`, `when` and `argument`")]
    UnknownWord(String),
}

impl Template {
    /// The message with its places filled.
    #[must_use]
    pub fn fill(&self, words: &MessageWords<'_>) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text,
                Part::Word(Word::Callee) => words.callee,
                Part::Word(Word::Typename) => words.typename,
                Part::Word(Word::When) => words.when,
                Part::Word(Word::Argument) => words.argument,
                Part::Word(Word::Comment) => words.comment,
                Part::Word(Word::Why) => words.why,
            })
            .collect()
    }
}

impl Template {
    /// Whether it says nothing.
    #[must_use]
    pub(super) fn is_blank(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.all(|part| matches!(part, Part::Text(text) if text.trim().is_empty()))
    }
}

impl TryFrom<String> for Template {
    type Error = TemplateError;

    fn try_from(template: String) -> Result<Self, TemplateError> {
        let mut parts = vec![];
        let mut rest = template.as_str();
        while let Some((text, after)) = rest.split_once('{') {
            let (word, after) = after
                .split_once('}')
                .ok_or(TemplateError::UnbalancedBrace)?;
            if word.contains(|char: char| char == '{' || char.is_whitespace()) {
                return Err(TemplateError::UnbalancedBrace);
            }
            parts.push(Part::Text(text.to_owned()));
            parts.push(Part::Word(match word {
                "callee" => Word::Callee,
                "typename" => Word::Typename,
                "when" => Word::When,
                "argument" => Word::Argument,
                "comment" => Word::Comment,
                "why" => Word::Why,
                other => return Err(TemplateError::UnknownWord(other.to_owned())),
            }));
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        let stray = |part: &Part| matches!(part, Part::Text(text) if text.contains('}'));
        if parts.iter().any(stray) {
            return Err(TemplateError::UnbalancedBrace);
        }
        Ok(Self { parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Result<Template, TemplateError> {
        Template::try_from(text.to_owned())
    }

    #[test]
    fn a_template_is_filled_with_its_words() {
        let words = MessageWords {
            callee: "nt",
            typename: "P",
            when: "in the loop",
            argument: "field names",
            ..MessageWords::default()
        };
        let filled = template("`{callee}` {when}: {typename}, {argument}.")
            .unwrap()
            .fill(&words);
        assert_eq!(filled, "`nt` in the loop: P, field names.");
    }

    #[test]
    fn a_template_with_an_unknown_word_or_a_stray_brace_is_refused() {
        assert_eq!(
            template("{name}"),
            Err(TemplateError::UnknownWord("name".to_owned()))
        );
        for stray in ["{callee", "callee}", "{callee}}", "{callee and {typename}"] {
            assert_eq!(template(stray), Err(TemplateError::UnbalancedBrace));
        }
    }
}
