//! Text that stays on its line: characters that move the cursor or the words are written as escapes.

/// Whether `character` is shown by what it does: a control character, or one that turns the direction
/// of what follows (Unicode Standard Annex 9, explicit formatting characters).
#[must_use]
pub fn is_control(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` with its control characters written as escapes such as `\n` and `\u{1b}`.
#[must_use]
pub fn single_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_control(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_all_others_kept() {
        let text = "a\n\u{1b}[31m\0\u{202e}é名`\u{200d}";
        assert_eq!(
            single_line(text),
            "a\\n\\u{1b}[31m\\u{0}\\u{202e}é名`\u{200d}"
        );
    }
}
