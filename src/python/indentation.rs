//! Tabs and spaces in indentation: what CPython refuses because it depends on the width of a tab.
//!
//! CPython measures each indentation twice, with tabs of 8 columns and of 1 (`Parser/tokenizer.c`,
//! `TABSIZE` and `ALTTABSIZE`), and refuses a line that both do not place alike. The parser crate takes
//! some such lines, as those of Python 2 files.

use rustpython_ast::token::{TokenKind, Tokens};
use rustpython_text_size::{Ranged, TextSize};

use super::parse::SyntaxError;

/// An indentation in columns, with wide tabs and with narrow ones.
type Columns = (usize, usize);

/// Refuses an indentation that depends on the width of a tab.
///
/// # Errors
/// Returns the first one.
pub(super) fn check(text: &str, tokens: &Tokens) -> Result<(), SyntaxError> {
    if memchr::memchr(b'\t', text.as_bytes()).is_none() {
        return Ok(());
    }
    let mut open: Vec<Columns> = vec![(0, 0)];
    let mut starts_line = true;
    for token in tokens.iter() {
        match token.kind() {
            TokenKind::Newline => starts_line = true,
            TokenKind::NonLogicalNewline
            | TokenKind::Comment
            | TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::EndOfFile => {}
            _ if starts_line => {
                starts_line = false;
                let Some(columns) = columns(text, token.start()) else {
                    // A backslash joins the indentation with that of another line.
                    return Ok(());
                };
                if !fits(columns, &mut open) {
                    return Err(SyntaxError {
                        message: "inconsistent use of tabs and spaces in indentation".to_owned(),
                        offset: token.start(),
                    });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Opens or closes blocks for a line at `columns`; whether both widths agree on it.
fn fits((wide, narrow): Columns, open: &mut Vec<Columns>) -> bool {
    while open.len() > 1 && open.last().is_some_and(|(block, _)| wide < *block) {
        open.pop();
    }
    let (block, narrow_block) = open.last().copied().unwrap_or_default();
    if wide == block {
        return narrow == narrow_block;
    }
    open.push((wide, narrow));
    narrow > narrow_block
}

/// The indentation of the line whose first token starts at `start`; `None` when something else stands
/// before it.
fn columns(text: &str, start: TextSize) -> Option<Columns> {
    let before = text.as_bytes().get(..start.to_usize())?;
    let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let ends_in_backslash = |above: &[u8]| {
        let above = above.strip_suffix(b"\n").unwrap_or(above);
        above.strip_suffix(b"\r").unwrap_or(above).ends_with(b"\\")
    };
    if before.get(..line).is_some_and(ends_in_backslash) {
        return None;
    }
    let (mut wide, mut narrow) = (0, 0);
    for byte in before.get(line..)? {
        (wide, narrow) = match byte {
            b' ' => (wide + 1, narrow + 1),
            b'\t' => ((wide / 8 + 1) * 8, narrow + 1),
            b'\x0c' => (0, 0),
            _ => return None,
        };
    }
    Some((wide, narrow))
}

#[cfg(test)]
mod tests {
    use crate::python::parse::parse;

    #[test]
    fn what_depends_on_the_width_of_a_tab_is_refused_where_cpython_refuses_it() {
        for text in [
            "if 1:\n\tif 1:\n        pass\n",
            "if 1:\n        if 1:\n\t  pass\n",
            "if 1:\n    if 1:\n\tpass\n",
            "if 1:\n\tx\n        y\n",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        let error = parse("if 1:\n\tif 1:\n        pass\n").unwrap_err();
        let message = "inconsistent use of tabs and spaces in indentation";
        assert_eq!(
            (error.message.as_str(), error.offset.to_usize()),
            (message, 21)
        );
    }

    #[test]
    fn what_every_width_places_alike_is_taken() {
        for text in [
            "if 1:\n\tif 1:\n\t    pass\n\tpass\n",
            "if 1:\n  if 1:\n  \tpass\n",
            "if 1:\n\tx = (1,\n    2)\n\ty\n",
            "if 1:\n\tx\n    # c\n\n  \n\ty\n",
            "if 1:\n\x0c\tx\n\ty\n",
            "if 1:\n\tx = 1 + \\\n  2\n\ty\nelse:\n  z\n",
            "x = '''\n\t\n    '''\nif 1:\n\ty\n",
        ] {
            assert!(parse(text).is_ok(), "{text:?}");
        }
    }
}
