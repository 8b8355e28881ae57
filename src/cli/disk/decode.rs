//! From bytes to text and back, losing nothing: encodings as CPython reads source files.

use encoding_rs::Encoding;

use super::cookie;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The text of a file, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The text without a byte order mark.
    pub(crate) text: String,
    coding: Coding,
    has_bom: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Utf8,
    Ascii,
    /// ISO-8859-1 proper, where a byte is the code point of its character; the label of that name
    /// in the Encoding Standard means windows-1252.
    Latin1,
    Other(&'static Encoding),
}

impl Decoded {
    /// The bytes of `text` written as this file was, with its byte order mark; `None` when its
    /// encoding has no bytes for some character.
    pub(crate) fn encode(&self, text: &str) -> Option<Vec<u8>> {
        let mut bytes = if self.has_bom {
            BOM.to_vec()
        } else {
            Vec::new()
        };
        match self.coding {
            Coding::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            Coding::Ascii => {
                bytes.extend_from_slice(text.is_ascii().then_some(text.as_bytes())?);
            }
            Coding::Latin1 => {
                for character in text.chars() {
                    bytes.push(u8::try_from(character).ok()?);
                }
            }
            Coding::Other(encoding) => {
                let (encoded, used, had_errors) = encoding.encode(text);
                bytes.extend_from_slice((used == encoding && !had_errors).then_some(&encoded)?);
            }
        }
        Some(bytes)
    }
}

/// Decodes a source file by its byte order mark and its coding cookie, UTF-8 when it has none.
///
/// # Errors
/// A sentence that says why the bytes are no text in that encoding, or why the text could not be
/// written back as the same bytes.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    let (has_bom, body) = match bytes.strip_prefix(BOM) {
        Some(body) => (true, body),
        None => (false, bytes),
    };
    let name = cookie::find(body).unwrap_or_else(|| "utf-8".to_owned());
    if has_bom && name != "utf-8" {
        return Err(format!(
            "it starts with a UTF-8 byte order mark, but its coding line names `{name}`, which Python refuses. Remove one of them."
        ));
    }
    let coding = coding(&name).ok_or_else(|| {
        format!("its coding line names the encoding `{name}`, which is not known here. Convert the file to UTF-8.")
    })?;
    let text = decode_body(body, coding, &name)?;
    if text.starts_with('\u{feff}') {
        return Err(
            "its text starts with a byte order mark too many, which Python refuses. Remove it."
                .to_owned(),
        );
    }
    let decoded = Decoded {
        text,
        coding,
        has_bom,
    };
    if decoded.encode(&decoded.text).as_deref() != Some(bytes) {
        return Err(format!(
            "it could not be written back byte for byte in its encoding `{name}`. Convert the file to UTF-8."
        ));
    }
    Ok(decoded)
}

fn decode_body(body: &[u8], coding: Coding, name: &str) -> Result<String, String> {
    let text = match coding {
        Coding::Utf8 => std::str::from_utf8(body)
            .map(str::to_owned)
            .map_err(|error| error.valid_up_to()),
        Coding::Ascii => match body.iter().position(|byte| !byte.is_ascii()) {
            Some(at) => Err(at),
            None => Ok(body.iter().copied().map(char::from).collect()),
        },
        Coding::Latin1 => Ok(body.iter().copied().map(char::from).collect()),
        Coding::Other(encoding) => encoding
            .decode_without_bom_handling_and_without_replacement(body)
            .map(|text| text.into_owned())
            .ok_or_else(|| first_fault(body, encoding)),
    };
    text.map_err(|at| {
        let before = body.get(..at).unwrap_or_default();
        let row = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!(
            "it is not valid in its encoding `{name}` (first wrong byte in line {row}). Add the right coding line, or convert the file to UTF-8."
        )
    })
}

/// The offset up to which `body` is valid in `encoding`.
fn first_fault(body: &[u8], encoding: &'static Encoding) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(body.len().saturating_mul(3).saturating_add(16));
    decoder
        .decode_to_string_without_replacement(body, &mut text, true)
        .1
}

/// Labels of the Encoding Standard that CPython 3.8 to 3.13 has no codec for source files by, besides those
/// that start with `x-`.
const FOREIGN: [&str; 59] = [
    "cn-big5",
    "cseuckr",
    "cseucpkdfmtjapanese",
    "csgb2312",
    "csiso88596e",
    "csiso88596i",
    "csiso88598e",
    "csiso88598i",
    "csisolatin9",
    "csksc56011987",
    "csmacintosh",
    "csunicode",
    "dos-874",
    "gb-2312",
    "gb-2312-80",
    "iso-10646-ucs-2",
    "iso-2022-cn",
    "iso-2022-cn-ext",
    "iso-8859-6-e",
    "iso-8859-6-i",
    "iso-8859-8-e",
    "iso-8859-8-i",
    "iso-ir-149",
    "iso88591",
    "iso885910",
    "iso885911",
    "iso885913",
    "iso885914",
    "iso885915",
    "iso88592",
    "iso88593",
    "iso88594",
    "iso88595",
    "iso88596",
    "iso88597",
    "iso88598",
    "iso88599",
    "koi",
    "koi8",
    "koi8-ru",
    "ks-c-5601-1989",
    "ksc-5601",
    "logical",
    "mac",
    "replacement",
    "sun-eu-greek",
    "ucs-2",
    "unicode",
    "unicode-1-1-utf-8",
    "unicode11utf8",
    "unicode20utf8",
    "unicodefeff",
    "unicodefffe",
    "utf-16",
    "utf-16be",
    "utf-16le",
    "visual",
    "windows-874",
    "windows-949",
];

/// The encoding that Python knows as `name`, which [`cookie::find`] has normalised.
fn coding(name: &str) -> Option<Coding> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    Some(match name.as_str() {
        "utf-8" | "utf8" | "u8" | "utf" | "cp65001" => Coding::Utf8,
        "ascii" | "us-ascii" | "646" | "iso646-us" | "us" => Coding::Ascii,
        "iso-8859-1" | "iso8859-1" | "latin-1" | "latin1" | "latin" | "l1" | "8859" | "cp819"
        | "iso8859" => Coding::Latin1,
        other if other.starts_with("x-") || FOREIGN.contains(&other) => return None,
        other => Coding::Other(Encoding::for_label(label(other).as_bytes())?),
    })
}

/// The Encoding Standard's label for a name that only Python has.
fn label(name: &str) -> &str {
    match name {
        "mac-roman" | "macroman" => "macintosh",
        "mac-cyrillic" | "maccyrillic" => "x-mac-cyrillic",
        "cp936" | "936" | "ms936" => "gbk",
        "cp949" | "949" | "ms949" | "uhc" | "euckr" => "euc-kr",
        "cp932" | "932" | "ms932" | "mskanji" | "ms-kanji" | "s-jis" | "shiftjis" => "shift_jis",
        "cp950" | "950" | "ms950" | "big5-tw" | "big5hkscs" => "big5",
        "eucjp" | "ujis" | "u-jis" => "euc-jp",
        "gb18030-2000" => "gb18030",
        "shift-jis" => "shift_jis",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn text_of(bytes: &[u8]) -> String {
        let decoded = decode(bytes).unwrap();
        assert_eq!(decoded.encode(&decoded.text).unwrap(), bytes);
        decoded.text
    }

    #[track_caller]
    fn refused(bytes: &[u8], word: &str) {
        let error = decode(bytes).unwrap_err();
        assert!(error.contains(word), "{error}");
    }

    #[test]
    fn text_is_decoded_by_mark_and_cookie() {
        assert_eq!(text_of("é".as_bytes()), "é");
        assert_eq!(text_of(b"\xef\xbb\xbfx\r\n"), "x\r\n");
        assert_eq!(
            text_of(b"\xef\xbb\xbf# coding: UTF_8\n"),
            "# coding: UTF_8\n"
        );
        assert_eq!(text_of(b"\xef\xbb\xbf"), "");
        for (cookie, byte, character) in [
            ("latin-1", &b"\xe9"[..], 'é'),
            ("L1", b"\x85", '\u{85}'),
            ("iso8859-1", b"\x80", '\u{80}'),
            ("cp1252", b"\x80", '€'),
            ("windows-1252", b"\xe9", 'é'),
            ("iso-8859-15", b"\xa4", '€'),
            ("koi8_r", b"\xc1", 'а'),
            ("mac_roman", b"\x8e", 'é'),
            ("shift_jis", b"\x95\x5c", '表'),
            ("euc_jp", b"\xc9\xbd", '表'),
            ("gbk", b"\xb1\xed", '表'),
            ("big5", b"\xaa\xed", '表'),
            ("cp949", b"\xb0\xa1", '가'),
            ("utf8", "é".as_bytes(), 'é'),
        ] {
            let mut bytes = format!("# coding: {cookie}\n'").into_bytes();
            bytes.extend_from_slice(byte);
            assert_eq!(text_of(&bytes).chars().last(), Some(character), "{cookie}");
        }
    }

    #[test]
    fn what_is_no_text_in_its_encoding_is_refused_with_the_line() {
        refused(b"x\ny\n\xe9\n", "line 3");
        refused(b"# coding: ascii\n\xe9", "`ascii`");
        refused(b"# coding: us-ascii\n\n\xe9", "line 3");
        refused(b"# coding: euc-jp\n\xff\n", "line 2");
        refused(b"# coding: gb2312\n\n\xff\xff\n", "line 3");
    }

    #[test]
    fn a_mark_and_another_cookie_contradict_each_other() {
        refused(b"\xef\xbb\xbf# coding: latin-1\n", "byte order mark");
        refused(b"\xef\xbb\xbf# coding: utf8\n", "`utf8`");
        refused(
            b"\xef\xbb\xbf\xef\xbb\xbfx = 1\n",
            "a byte order mark too many",
        );
    }

    #[test]
    fn encodings_that_cannot_be_kept_byte_for_byte_are_refused() {
        refused(b"# coding: rot13\n", "`rot13`");
        refused(b"# coding: utf-16\nxx", "`utf-16`");
        for label in [
            "x-sjis",
            "X_User_Defined",
            "iso-8859-8-i",
            "gb_2312",
            "logical",
            "mac",
        ] {
            refused(format!("# coding: {label}\n").as_bytes(), "not known");
        }
        refused(b"# coding: iso-2022-kr\nx", "`iso-2022-kr`");
        refused(b"# coding: iso-2022-jp\n'\x1b(B'", "byte for byte");
    }

    #[test]
    fn a_character_without_bytes_is_not_written() {
        for cookie in ["latin-1", "ascii", "koi8-r"] {
            let decoded = decode(format!("# coding: {cookie}\n").as_bytes()).unwrap();
            assert_eq!(decoded.encode("x\u{1F600}"), None);
            assert_eq!(decoded.encode("x").as_deref(), Some(&b"x"[..]));
        }
    }
}
