//! The coding cookie of PEP 263, found and named as CPython's tokenizer does
//! (`get_coding_spec`, `check_coding_spec` and `get_normal_name` in `Parser/tokenizer`).

/// The encoding that the first two lines of `bytes` name, as CPython normalises it; the byte order
/// mark must be gone already.
pub(crate) fn find(bytes: &[u8]) -> Option<String> {
    let mut lines = Lines(bytes);
    let first = lines.next()?;
    if let Some(name) = in_line(first) {
        return Some(normal_name(name));
    }
    if !is_blank_or_comment(first) {
        return None;
    }
    in_line(lines.next()?).map(normal_name)
}

/// Physical lines without their endings: `\n`, `\r\n` or a lone `\r`.
struct Lines<'a>(&'a [u8]);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let end = self
            .0
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'))
            .unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at_checked(end)?;
        self.0 = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.get(1..))
            .unwrap_or_default();
        Some(line)
    }
}

fn comment(line: &[u8]) -> Option<&[u8]> {
    let start = line
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | 0x0c))?;
    line.get(start..)?.strip_prefix(b"#")
}

fn is_blank_or_comment(line: &[u8]) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0c);
    line.iter().all(blank) || comment(line).is_some()
}

/// The name after the first `coding:` or `coding=` in the comment that fills `line`.
fn in_line(line: &[u8]) -> Option<&[u8]> {
    let mut rest = comment(line)?;
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix(b"coding").and_then(name_after) {
            return Some(name);
        }
        rest = rest.get(1..)?;
    }
    None
}

fn name_after(rest: &[u8]) -> Option<&[u8]> {
    let (b':' | b'=', rest) = rest.split_first()? else {
        return None;
    };
    let start = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let rest = rest.get(start..)?;
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let end = rest
        .iter()
        .position(|byte| !in_name(byte))
        .unwrap_or(rest.len());
    rest.get(..end).filter(|name| !name.is_empty())
}

/// `utf-8` and `iso-8859-1` for their many spellings, and any other name as it is; as CPython does,
/// only the first 12 characters are looked at.
fn normal_name(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    let start: String = name
        .chars()
        .take(12)
        .map(|letter| {
            if letter == '_' {
                '-'
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect();
    let is = |plain: &str| {
        start
            .strip_prefix(plain)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if is("utf-8") {
        "utf-8".to_owned()
    } else if ["latin-1", "iso-8859-1", "iso-latin-1"].into_iter().any(is) {
        "iso-8859-1".to_owned()
    } else {
        name.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_on_the_first_or_second_line() {
        for (text, expected) in [
            ("# coding: latin-1\n", Some("iso-8859-1")),
            (
                "#!/usr/bin/python\n# -*- coding: cp1252 -*-\n",
                Some("cp1252"),
            ),
            ("\n# vim: set fileencoding=utf_8 :\n", Some("utf-8")),
            ("\r# coding=koi8-r\rx", Some("koi8-r")),
            ("\r\n# coding=koi8-r\r\nx", Some("koi8-r")),
            (" \t\x0c# coding:\t UTF-8-sig", Some("utf-8")),
            ("# encoding: Latin_1-unix", Some("iso-8859-1")),
            ("# coding utf8 coding: utf8", Some("utf8")),
            ("# coding: # coding: u8", Some("u8")),
            ("# codingcoding=x", Some("x")),
            ("# coding: utf8mb4", Some("utf8mb4")),
            ("x = 1 # coding: latin-1\n", None),
            ("x = 1\n# coding: latin-1\n", None),
            ("\\\n# coding: latin-1\n", None),
            ("\n\n# coding: latin-1\n", None),
            ("# coding : latin-1\n", None),
            ("# coding:\nlatin-1", None),
            ("", None),
        ] {
            assert_eq!(find(text.as_bytes()).as_deref(), expected, "{text:?}");
        }
    }
}
