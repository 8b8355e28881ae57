//! What reads a report must not obey what stands in it: each format's own escapes for such characters.

use crate::cli::args::Format;
use crate::text::single_line::{escape, tamed};

/// Writes one character in another way.
pub(super) type Escape = fn(char) -> String;

/// How a report in `format` writes control characters, and what a CI service that reads the output of
/// a job takes for a command. `None` where the emitter itself sees to it: in colours, and in commands.
pub(super) fn of(format: Format, color: bool) -> Option<Escape> {
    match format {
        Format::Full if color => None,
        Format::Github => None,
        Format::Full | Format::Concise => Some(escape),
        Format::Json | Format::JsonLines | Format::Gitlab | Format::Sarif => Some(json),
        Format::Junit => Some(xml),
    }
}

/// `bytes` with such characters as `escape` writes them; line ends stay.
pub(super) fn escaped(bytes: Vec<u8>, escape: Escape) -> Vec<u8> {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && !matches!(byte, b'#' | b':');
    if bytes.iter().all(is_plain) {
        return bytes;
    }
    tamed(&String::from_utf8_lossy(&bytes), &['\n'], &escape).into_bytes()
}

/// An escape of JSON (RFC 8259, 7); in JSON such characters stand in strings alone.
fn json(character: char) -> String {
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units).iter();
    units.map(|unit| format!("\\u{unit:04x}")).collect()
}

/// A character reference of XML (4.1).
fn xml(character: char) -> String {
    format!("&#x{:x};", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_escapes_of_its_own() {
        let text = "é \u{9b}\u{202e}##[x]\n::x";
        for (format, expected) in [
            (Format::Concise, "é \\u{9b}\\u{202e}##\\u{5b}x]\n:\\u{3a}x"),
            (Format::Json, "é \\u009b\\u202e##\\u005bx]\n:\\u003ax"),
            (Format::Junit, "é &#x9b;&#x202e;##&#x5b;x]\n:&#x3a;x"),
        ] {
            let escape = of(format, false).unwrap();
            let escaped = escaped(text.as_bytes().to_vec(), escape);
            assert_eq!(String::from_utf8(escaped).unwrap(), expected);
        }
    }
}
