//! What the bytes around a factory's name tell of its use.

use std::ops::Range;

/// How a module may come to call what a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    /// The name is called where it stands.
    Call,
    /// The name may get another one, under which it can be called anywhere.
    Alias,
    /// Neither: a base class, an import under its own name, an argument.
    Other,
}

/// Nobody looks further around a name than this many bytes; the answer is then in doubt.
const MOST_SCANNED: usize = 256;

/// What is known of a name that is looked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Name {
    /// Whether a call with a single argument may be a finding.
    pub(super) takes_one: bool,
    /// Whether a name that it is assigned to may be called in its place.
    pub(super) is_assignable: bool,
}

impl Name {
    /// The use of the name at `place`; in doubt the one that makes more work.
    pub(super) fn mention(self, bytes: &[u8], place: &Range<usize>) -> Mention {
        let after = bytes.get(place.end..).unwrap_or_default();
        let seen = after.get(..MOST_SCANNED).unwrap_or(after);
        let called = skip_blanks(seen, b")");
        if called.is_empty() && seen.len() < after.len() {
            return Mention::Call;
        }
        if called.first() == Some(&b'(') {
            let called = after.get(seen.len() - called.len()..).unwrap_or_default();
            let arguments = called.get(1..).unwrap_or_default();
            return if self.takes_one || may_have_two_arguments(arguments) {
                Mention::Call
            } else {
                Mention::Other
            };
        }
        let renamed = skip_blanks(after.get(..2 * MOST_SCANNED).unwrap_or(after), b"");
        let is_renamed = renamed
            .strip_prefix(b"as")
            .is_some_and(|rest| !rest.first().is_some_and(is_word));
        let before = bytes.get(..place.start).unwrap_or_default();
        let is_assigned =
            || self.is_assignable && ends_expression(after) && may_be_assigned(before);
        if is_renamed || is_assigned() {
            Mention::Alias
        } else {
            Mention::Other
        }
    }
}

/// Whether the byte can be part of an identifier; every byte of a character beyond ASCII counts.
pub(super) fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// Leaves out what may stand between two tokens in brackets, and the bytes of `also`: blanks, line
/// breaks, also joined lines, and comments.
fn skip_blanks<'b>(bytes: &'b [u8], also: &[u8]) -> &'b [u8] {
    let mut rest = bytes;
    while let Some((first, behind)) = rest.split_first() {
        rest = match first {
            b' ' | b'\t' | b'\x0c' | b'\n' | b'\r' | b'\\' => behind,
            b'#' => {
                let end = behind.iter().position(|byte| is_line_break(*byte));
                behind
                    .get(end.unwrap_or(behind.len())..)
                    .unwrap_or_default()
            }
            other if also.contains(other) => behind,
            _ => break,
        };
    }
    rest
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether the arguments behind an opening parenthesis may be more than one. Where a string or a
/// comment starts, nobody counts on.
fn may_have_two_arguments(arguments: &[u8]) -> bool {
    let mut open = 0usize;
    for byte in arguments.iter().take(MOST_SCANNED) {
        match byte {
            b'\'' | b'"' | b'#' => return true,
            b',' if open == 0 => return true,
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => match open.checked_sub(1) {
                Some(left) => open = left,
                None => return false,
            },
            _ => {}
        }
    }
    true
}

/// Whether an expression that may be assigned can end before these bytes.
fn ends_expression(after: &[u8]) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\x0c');
    let next = after.iter().find(|byte| !blank(byte));
    next.is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b';' | b')' | b'#' | b'\\'))
}

/// Whether the name behind these bytes, with the modules before its dots, may be all of what an
/// assignment assigns.
fn may_be_assigned(before: &[u8]) -> bool {
    let cut = before.len().saturating_sub(MOST_SCANNED);
    let seen = before.get(cut..).unwrap_or_default();
    match value_start(seen) {
        // The file starts here, unless the bytes were cut.
        Some([]) => cut > 0,
        Some(rest) => rest.strip_suffix(b"=").is_some_and(may_be_target),
        None => true,
    }
}

/// Whether the bytes may end with a name that is all of an assignment's target: neither an attribute
/// or an element, nor the keyword of an argument.
fn may_be_target(before: &[u8]) -> bool {
    let Some(rest) = trim_blanks_end(before, b"") else {
        return true;
    };
    let words = rest.iter().rev().take_while(|byte| is_word(byte)).count();
    if words == 0 {
        return rest.last() == Some(&b')');
    }
    let rest = rest.get(..rest.len() - words).unwrap_or_default();
    let Some(outer) = trim_blanks_end(rest, b"") else {
        return true;
    };
    let behind = rest.get(outer.len()..).unwrap_or_default();
    // A line that ends with `.` or `,` is whole when it ends with `1.` or a tuple.
    let goes_on: &[u8] = match behind.iter().any(|byte| is_line_break(*byte)) {
        true => b"([",
        false => b"([.,",
    };
    !outer.last().is_some_and(|byte| goes_on.contains(byte))
}

/// The bytes before the value that ends with the bytes: modules and dots, and opening parentheses.
/// `None` when they cannot be told from a comment or from another value.
fn value_start(before: &[u8]) -> Option<&[u8]> {
    let mut rest = trim_blanks_end(before, b"")?;
    while let Some(chain) = rest.strip_suffix(b".") {
        let chain = trim_blanks_end(chain, b"")?;
        let words = chain.iter().rev().take_while(|byte| is_word(byte)).count();
        let left = chain.get(..chain.len() - words).filter(|_| words > 0)?;
        rest = trim_blanks_end(left, b"")?;
    }
    trim_blanks_end(rest, b"(")
}

/// Leaves out blanks, line breaks and the bytes of `also` at the end; `None` when a comment may end
/// there.
fn trim_blanks_end<'b>(bytes: &'b [u8], also: &[u8]) -> Option<&'b [u8]> {
    let mut rest = bytes;
    while let Some((last, before)) = rest.split_last() {
        if is_line_break(*last) {
            let start = before.iter().rposition(|byte| is_line_break(*byte));
            let line = before.get(start? + 1..)?;
            if line.contains(&b'#') {
                return None;
            }
        } else if !matches!(last, b' ' | b'\t' | b'\x0c' | b'\\') && !also.contains(last) {
            break;
        }
        rest = before;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENUM: Name = Name {
        takes_one: false,
        is_assignable: true,
    };

    const SINGLE: Name = Name {
        takes_one: true,
        ..ENUM
    };

    /// The use of the one `Enum` in `text`.
    fn mention(text: &str) -> Mention {
        let start = text.find("Enum").unwrap();
        ENUM.mention(text.as_bytes(), &(start..start + 4))
    }

    #[test]
    fn a_call_may_have_anything_between_tokens_before_its_arguments() {
        for text in [
            "Enum('A', 'x')",
            "Enum \t\x0c('A', 'x')",
            "(enum.Enum\n  # why (\n  ('A', x))",
            "Enum\\\r\n('A')",
            "Enum(a, b)",
            "(Enum)(a, b)",
            "((enum.Enum\n) # why\n ) (a, b)",
            "Enum(f(x)[1], {})",
            "Enum(\n  a # one, two\n)",
            "Enum(",
        ] {
            assert_eq!(mention(text), Mention::Call, "{text}");
        }
    }

    #[test]
    fn a_call_with_one_argument_is_none_where_two_are_needed() {
        for text in ["Enum(x)", "Enum(f(a, b))", "Enum()", "Enum(x[1, 2])"] {
            assert_eq!(mention(text), Mention::Other, "{text}");
            assert_eq!(
                SINGLE.mention(text.as_bytes(), &(0..4)),
                Mention::Call,
                "{text}"
            );
        }
        let long = format!("Enum({})", "x".repeat(MOST_SCANNED));
        assert_eq!(mention(&long), Mention::Call);
    }

    #[test]
    fn a_name_that_gets_another_name_is_an_alias() {
        for text in [
            "from enum import Enum as E",
            "from enum import (Enum # c\n as E)",
            "E = Enum",
            "E = Enum\n",
            "E = Enum  # the class",
            "E = enum.Enum; x",
            "E = enum \\\n . Enum",
            "E = (enum\n.Enum)",
            "E = ( # why\n Enum)",
            "E = (\n\n Enum\n)",
            "E = (enum).Enum",
            "E = (enum # why\n .Enum)",
            "E =\\\nEnum\\\n",
            "E = (\nEnum)",
            "x = 1.\nE = Enum\n",
            "x = 1,\nE = Enum\n",
            "f(x,\n  base=Enum\n)",
            "f(# why\n  base=Enum\n)",
            "(E) = Enum\n",
            "if x: E = Enum\n",
            "x; E = Enum",
            "E \\\n = Enum",
        ] {
            assert_eq!(mention(text), Mention::Alias, "{text}");
        }
    }

    #[test]
    fn far_from_its_name_nobody_looks() {
        let (blanks, few) = (" ".repeat(MOST_SCANNED), " ".repeat(MOST_SCANNED - 8));
        let comment = "x".repeat(MOST_SCANNED);
        for (text, expected) in [
            (format!("E = {blanks}Enum"), Mention::Alias),
            (format!("f({blanks}Enum)"), Mention::Alias),
            (format!("E = ( # {comment}\n\nEnum)"), Mention::Alias),
            (format!("\nf({few}Enum)"), Mention::Other),
            (format!("Enum{few}(a, b)"), Mention::Call),
            (format!("Enum{blanks}(a, b)"), Mention::Call),
            (format!("Enum{few}as E"), Mention::Alias),
            (format!("Enum # {comment}\nx"), Mention::Call),
        ] {
            assert_eq!(mention(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_base_class_an_import_and_an_argument_are_no_use() {
        for text in [
            "class C(Enum): pass",
            "class C(enum.Enum):\n",
            "from enum import Enum\n",
            "from enum import Enum, Flag\n",
            "from enum import (\n    Enum,\n)",
            "from enum import (\n    Flag,\n    Enum\n)",
            "isinstance(x, Enum)",
            "x == Enum\n",
            "x <= Enum\n",
            "x += Enum\n",
            "self.kind = Enum\n",
            "self . kind = Enum\n",
            "kinds[x] = Enum\n",
            "f(base=Enum)",
            "f(x, base=Enum)",
            "\nf(\n  base=Enum\n)",
            "E = Enum.A\n",
            "E = Enum[x]\n",
            "return Enum\n",
            "f(Enum)",
            "Enum assigned",
        ] {
            assert_eq!(mention(text), Mention::Other, "{text}");
        }
    }
}
