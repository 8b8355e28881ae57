//! Encodings, line endings, indentation and suites in every combination: what is outside the edits stays byte
//! for byte, and the result does what the original does.

use std::fs;

use crate::project::Project;

/// How a text is written as bytes, and a character that the encoding writes in its own way.
struct Coding {
    name: &'static str,
    head: &'static [&'static str],
    letter: &'static str,
    bytes: fn(&str) -> Vec<u8>,
}

const SHEBANG: &str = "#!/usr/bin/env python3";

const CODINGS: [Coding; 10] = [
    coding("utf8", &[], "é", utf8),
    coding(
        "utf8_cookie",
        &["# vim: set fileencoding=utf8 :"],
        "é",
        utf8,
    ),
    coding("bom", &[], "é", with_bom),
    coding(
        "bom_cookie",
        &[SHEBANG, "# -*- coding: utf-8 -*-"],
        "é",
        with_bom,
    ),
    coding("latin1", &["# -*- coding: latin-1 -*-"], "é", latin1),
    coding(
        "latin1_second",
        &["# about", "# coding=iso-8859-1"],
        "é",
        latin1,
    ),
    coding(
        "latin1_shebang",
        &[SHEBANG, "# coding: latin-1"],
        "é",
        latin1,
    ),
    coding("cp1252", &["# coding: cp1252"], "€", |text| {
        other("windows-1252", text)
    }),
    // The second byte of this character is that of a backslash.
    coding("shift_jis", &["# coding: shift_jis"], "表", |text| {
        other("shift_jis", text)
    }),
    coding("euc_jp", &["# coding: euc-jp"], "表", |text| {
        other("euc-jp", text)
    }),
];

const fn coding(
    name: &'static str,
    head: &'static [&'static str],
    letter: &'static str,
    bytes: fn(&str) -> Vec<u8>,
) -> Coding {
    Coding {
        name,
        head,
        letter,
        bytes,
    }
}

fn utf8(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn with_bom(text: &str) -> Vec<u8> {
    [b"\xef\xbb\xbf", text.as_bytes()].concat()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}

fn other(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    encoding.encode(text).0.into_owned()
}

/// The ending of each line, by the line's number.
type Ending = fn(usize) -> &'static str;

const ENDINGS: [(&str, Ending); 4] = [
    ("lf", |_| "\n"),
    ("crlf", |_| "\r\n"),
    ("cr", |_| "\r"),
    ("mixed", |line| if line % 2 == 0 { "\n" } else { "\r\n" }),
];

/// The indentation of a class's body and of its method's.
const INDENTATIONS: [(&str, &str, &str); 5] = [
    ("spaces", "    ", "        "),
    ("tabs", "\t", "\t\t"),
    ("tab_and_spaces", "\t", "\t    "),
    ("spaces_and_tab", "  ", "  \t"),
    ("form_feed", "\x0c    ", "\x0c        "),
];

const CALL: &str = "namedtuple('P', 'x y')";

/// A method's header and body; `CALL` stands for the call, `BODY` for the indentation.
const SUITES: [(&str, &[&str]); 5] = [
    (
        "block",
        &["def f(self, a):", "BODYreturn CALL(a, 'LETTER')"],
    ),
    ("one_line", &["def f(self, a): return CALL(a, 'LETTER')"]),
    (
        "semicolons",
        &[
            "def f(self, a):",
            "BODYb = 'LETTER'; return CALL(a, b); # LETTER",
        ],
    ),
    (
        "backslash",
        &[
            "def f(self, a):",
            "BODYreturn \\",
            "BODY  CALL(\\",
            "a, 'LETTER')",
        ],
    ),
    (
        "string",
        &[
            "def f(self, a):",
            "BODYreturn CALL(a, '''LETTER",
            "LETTER'''  )",
        ],
    ),
];

/// One file, before and after the fix.
struct Case {
    name: String,
    before: Vec<u8>,
    /// Up to where the definition goes, and from there on.
    after: (Vec<u8>, Vec<u8>),
    endings: &'static str,
}

fn cases() -> Vec<Case> {
    let mut cases = vec![];
    for coding in &CODINGS {
        for (endings, ending) in ENDINGS {
            for indentation in INDENTATIONS {
                for suite in SUITES {
                    for ends in [true, false] {
                        let lines = body(coding, indentation, suite.1);
                        let name = format!(
                            "{}-{endings}-{}-{}-{ends}",
                            coding.name, indentation.0, suite.0
                        );
                        cases.push(case((name, endings), coding, &lines, (ending, ends)));
                    }
                }
            }
        }
    }
    cases
}

/// The lines below the import.
fn body(coding: &Coding, (_, class, method): (&str, &str, &str), suite: &[&str]) -> Vec<String> {
    let mut lines = vec![String::new(), String::new(), "class C:".to_owned()];
    for line in suite {
        // What follows the header stands where it says.
        let indentation = if line.starts_with("def") { class } else { "" };
        lines.push(format!("{indentation}{}", line.replace("BODY", method)));
    }
    lines.push(String::new());
    lines.push("print(ascii(C().f(1)), ascii('LETTER'))".to_owned());
    let written = lines
        .iter()
        .map(|line| line.replace("LETTER", coding.letter));
    written.collect()
}

fn case(
    (name, endings): (String, &'static str),
    coding: &Coding,
    below: &[String],
    (ending, ends): (Ending, bool),
) -> Case {
    let import = format!("from collections import namedtuple  # {}", coding.letter);
    let mut lines: Vec<String> = coding.head.iter().map(|line| (*line).to_owned()).collect();
    lines.push(import);
    let above = lines.len();
    lines.extend_from_slice(below);
    let last = lines.len() - 1;
    let joined = |lines: &[String], first: usize, callee: &str| {
        let text = lines.iter().enumerate().map(|(at, line)| {
            let has_ending = ends || first + at < last;
            let ending = if has_ending { ending(first + at) } else { "" };
            format!("{}{ending}", line.replace("CALL", callee))
        });
        text.collect::<String>()
    };
    let (top, rest) = lines.split_at(above);
    let after = joined(rest, above, "P");
    let without_bom = |text: &str| {
        let bytes = (coding.bytes)(text);
        let body = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec);
        body.unwrap_or(bytes)
    };
    Case {
        name,
        before: (coding.bytes)(&joined(&lines, 0, CALL)),
        after: (
            (coding.bytes)(joined(top, 0, CALL).trim_end_matches(['\r', '\n'])),
            without_bom(after.trim_start_matches(['\r', '\n'])),
        ),
        endings,
    }
}

/// Checks that the file is the original with a definition and its blank lines in one place, and the call replaced.
#[track_caller]
fn is_patched(case: &Case, bytes: &[u8]) {
    let (above, below) = &case.after;
    let middle = bytes
        .strip_prefix(above.as_slice())
        .and_then(|rest| rest.strip_suffix(below.as_slice()));
    assert!(middle.is_some(), "{}: {}", case.name, bytes.escape_ascii());
    let middle = std::str::from_utf8(middle.unwrap()).unwrap();
    let definition = format!("P = {CALL}");
    let (before, after) = middle.split_once(&definition).unwrap();
    for blank in [before, after] {
        let expected = match case.endings {
            "lf" => blank.replace('\n', ""),
            "crlf" => blank.replace("\r\n", ""),
            "cr" => blank.replace('\r', ""),
            _ => blank.replace("\r\n", "").replace('\n', ""),
        };
        assert_eq!(expected, "", "{}: {blank:?}", case.name);
    }
}

#[test]
fn what_is_outside_the_edits_stays_byte_for_byte() {
    let cases = cases();
    assert_eq!(cases.len(), 2_000);
    let project = Project::with(&[]);
    for case in &cases {
        project.put(&format!("{}.py", case.name), &case.before);
    }
    let before = project.printed();
    assert_eq!(before.len(), cases.len());
    let ran = project.run(&["--fix", "."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for case in &cases {
        let bytes = fs::read(project.path(&format!("{}.py", case.name))).unwrap();
        is_patched(case, &bytes);
    }
    assert_eq!(project.printed(), before);
    project.run(&["."]).is_silent();
}
