//! Text that stays on its line: what moves the cursor or the words, or starts a command, is written as
//! escapes.

/// Whether `character` is shown by what it does: a control character, one that ends a line, or one that
/// turns the direction of what follows (Unicode Standard Annex 9, formatting characters and marks).
#[must_use]
pub fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// `text` with its control characters written as escapes such as `\n` and `\u{1b}`, and with one
/// character of what a CI service reads as a command, see [`Commands`].
#[must_use]
pub fn single_line(text: &str) -> String {
    tamed(text, &[], &escape)
}

/// `text` as [`single_line`] writes it, but with the control characters `kept` as they are, and with
/// escapes as `escape` writes them.
#[must_use]
pub fn tamed(text: &str, kept: &[char], escape: &dyn Fn(char) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut commands = Commands::default();
    for character in text.chars() {
        let is_obeyed = is_control(character) && !kept.contains(&character);
        // What is written as an escape ends no line.
        let shown = if is_obeyed { '\\' } else { character };
        if commands.completes(shown) || is_obeyed {
            out.push_str(&escape(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// A character as an escape of Rust's.
#[must_use]
pub fn escape(character: char) -> String {
    match character.is_ascii_graphic() {
        true => character.escape_unicode().to_string(),
        false => character.escape_default().to_string(),
    }
}

/// Finds in a text, character by character, what a CI service that reads the output of a job takes for
/// a command: `::` at the start of a line (GitHub Actions), and `##[`, `##vso[` or `##teamcity[`
/// anywhere (GitHub Actions, Azure Pipelines, TeamCity).
#[derive(Debug, Default)]
pub struct Commands {
    line: Line,
    /// How many `#` stand before, with at most letters between.
    hashes: usize,
}

/// What a line holds so far, without characters that have no width.
#[derive(Debug, Default, Clone, Copy)]
enum Line {
    #[default]
    Blank,
    Colon,
    Text,
}

impl Commands {
    /// Whether the next character makes the start of a command whole.
    pub fn completes(&mut self, character: char) -> bool {
        // .NET, in which runners are written, compares words without these.
        let has_no_width = matches!(
            character,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        );
        if has_no_width {
            return false;
        }
        let is_second_colon = matches!((self.line, character), (Line::Colon, ':'));
        self.line = match (self.line, character) {
            (_, '\n' | '\r') => Line::Blank,
            (Line::Blank, _) if character.is_whitespace() => Line::Blank,
            (Line::Blank, ':') => Line::Colon,
            _ => Line::Text,
        };
        let is_bracket = character == '[' && self.hashes >= 2;
        self.hashes = match character {
            '#' => self.hashes + 1,
            _ if character.is_ascii_alphabetic() && self.hashes >= 2 => self.hashes,
            _ => 0,
        };
        is_second_colon || is_bracket
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_all_others_kept() {
        let text = "a\n\u{1b}[31m\0\u{202e}é名`\u{200d}\u{200f}\u{2028}";
        assert_eq!(
            single_line(text),
            "a\\n\\u{1b}[31m\\u{0}\\u{202e}é名`\u{200d}\\u{200f}\\u{2028}"
        );
    }

    #[test]
    fn what_starts_a_command_of_a_ci_service_is_broken_up() {
        for (text, expected) in [
            ("::error::x", r":\u{3a}error::x"),
            ("\u{a0} ::x", "\u{a0} :\\u{3a}x"),
            ("\u{200b}:\u{ad}:x", "\u{200b}:\u{ad}\\u{3a}x"),
            ("a ##[error]x", r"a ##\u{5b}error]x"),
            ("###vso[x]", r"###vso\u{5b}x]"),
            ("##teamcity[x]", r"##teamcity\u{5b}x]"),
            ("#\u{ad}#[x]", "#\u{ad}#\\u{5b}x]"),
        ] {
            assert_eq!(single_line(text), expected);
        }
        for text in [
            "a\\n::b",
            "a ::b",
            ": :",
            "# [x]",
            "## x[1]",
            "#[x]",
            "m.py:1:2: x",
        ] {
            assert_eq!(single_line(text), text);
        }
    }

    #[test]
    fn each_line_of_a_text_is_looked_at() {
        let tamed = tamed("a\n  ::b\r\nc", &['\n', '\r'], &escape);
        assert_eq!(tamed, "a\n  :\\u{3a}b\r\nc");
        assert_eq!(single_line("a\n::b"), "a\\n::b");
    }
}
