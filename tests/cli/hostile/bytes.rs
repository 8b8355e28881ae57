//! Files that are no text, or not in the encoding that they say.

use super::*;

fn after_site(bytes: &[u8]) -> Vec<u8> {
    [SITE.as_bytes(), bytes].concat()
}

#[test]
fn a_nul_byte_is_refused_wherever_it_stands() {
    let error = "error: source code cannot contain null bytes";
    no_python(&format!("{SITE}x = '\0'\n"), &format!("3:6: {error}"));
    no_python(&format!("{SITE}# \0\n"), &format!("3:3: {error}"));
    no_python(&format!("{SITE}\0"), &format!("3:1: {error}"));
}

#[test]
fn bytes_that_are_no_utf_8_are_refused_with_their_line() {
    let error = "error: bad.py: it is not valid in its encoding `utf-8` (first wrong byte in line 3). \
                 Add the right coding line, or convert the file to UTF-8.";
    for bytes in [
        &b"x = 'a\xffb'\n"[..],
        b"# \xc3\n",
        b"# \xe2\x82",
        // A lone surrogate, and a character in more bytes than it needs.
        b"x = '\xed\xa0\x80'\n",
        b"x = '\xc0\x80'\n",
        b"x = '\xf5\x80\x80\x80'\n",
    ] {
        refused(&after_site(bytes), error);
    }
}

#[test]
fn escapes_of_lone_surrogates_are_text() {
    fixed(&after_site(b"x = '\\ud800'\n"));
    fixed(b"from collections import namedtuple\nf = lambda: namedtuple('P', 'x', defaults=['\\udfff'])()\n");
    let (_, ran) =
        fix(b"from collections import namedtuple\nf = lambda a: namedtuple('\\ud800', 'x')(a)\n");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("1 left: argument-not-constant"),
        "{ran:?}"
    );
}

#[test]
fn files_whose_bytes_are_no_ascii_text_are_passed_by() {
    passed_by(b"");
    passed_by(b"\xef\xbb\xbf");
    passed_by(&[0; 100]);
    passed_by(b"\x1f\x8b\x08\0\0\0\0\0\0\x03+.I,\x02\0\x8d\x92\x06\x9f\x04\0\0\0");
    let wide =
        |unit: fn(u16) -> [u8; 2]| -> Vec<u8> { SITE.encode_utf16().flat_map(unit).collect() };
    passed_by(&[b"\xff\xfe".to_vec(), wide(u16::to_le_bytes)].concat());
    passed_by(&[b"\xfe\xff".to_vec(), wide(u16::to_be_bytes)].concat());
    passed_by(&wide(u16::to_le_bytes));
    let utf32 = SITE
        .chars()
        .flat_map(|letter| u32::from(letter).to_le_bytes());
    passed_by(&utf32.collect::<Vec<u8>>());
}

#[test]
fn a_binary_that_holds_the_words_of_a_call_is_refused() {
    let error = "error: bad.py: it is not valid in its encoding `utf-8` (first wrong byte in line 1). \
                 Add the right coding line, or convert the file to UTF-8.";
    refused(
        &[&b"\x7fELF\x02\x01\xff\0"[..], SITE.as_bytes()].concat(),
        error,
    );
    refused(
        &[&b"\x89PNG\r\n\x1a\n"[..], SITE.as_bytes()].concat(),
        error,
    );
}

#[test]
fn a_second_byte_order_mark_is_refused() {
    refused(
        &[&b"\xef\xbb\xbf\xef\xbb\xbf"[..], SITE.as_bytes()].concat(),
        "error: bad.py: its text starts with a byte order mark too many, which Python refuses. Remove it.",
    );
}

#[test]
fn encodings_that_are_no_encodings_of_text_are_refused() {
    for name in [
        "hex",
        "undefined",
        "punycode",
        "unicode_escape",
        "utf-7",
        "cp037",
    ] {
        refused(
            &[format!("# coding: {name}\n").as_bytes(), SITE.as_bytes()].concat(),
            &format!(
                "error: bad.py: its coding line names the encoding `{name}`, which is not known here. \
                 Convert the file to UTF-8."
            ),
        );
    }
}
