//! Text that is no Python 3: other languages, templates, conflicts, and characters that nobody sees.

use super::*;

fn after_site(text: &str) -> String {
    format!("{SITE}{text}")
}

#[test]
fn python_2_is_refused_by_the_first_thing_that_only_it_has() {
    for (text, error) in [
        (
            "print f(1)\n",
            "3:7: error: Simple statements must be separated by newlines or semicolons",
        ),
        (
            "exec 'a'\n",
            "3:6: error: Simple statements must be separated by newlines or semicolons",
        ),
        ("x = `1`\n", "3:5: error: Got unexpected token `"),
        ("x = 0777\n", "3:5: error: Invalid decimal integer literal"),
        (
            "x = 10L\n",
            "3:7: error: Simple statements must be separated by newlines or semicolons",
        ),
        ("x = 1 <> 2\n", "3:8: error: Expected an expression"),
        (
            "raise E, 'a'\n",
            "3:7: error: Unparenthesized tuple expression cannot be used here",
        ),
        (
            "def f((a, b)): pass\n",
            "3:7: error: Expected `)`, found `(`",
        ),
        (
            "try: f(1)\nexcept E, e: pass\n",
            "4:8: error: multiple exception types must be parenthesized",
        ),
        (
            "if f:\n\tif f:\n        f(1)\n",
            "5:9: error: inconsistent use of tabs and spaces in indentation",
        ),
    ] {
        no_python(&after_site(text), error);
    }
}

#[test]
fn templates_are_refused_unless_they_are_python() {
    for (text, error) in [
        (
            "{% if x %}\nx = 1\n{% endif %}\n",
            "3:2: error: Expected an expression",
        ),
        (
            "def {{ cookiecutter.f }}(): pass\n",
            "3:5: error: Expected an identifier",
        ),
        ("${x} = 1\n", "3:1: error: Got unexpected token $"),
    ] {
        no_python(&after_site(text), error);
    }
    no_python(
        &format!("from {{{{ cookiecutter.package }}}} import x\n{SITE}"),
        "1:6: error: Expected a module name",
    );
    fixed(after_site("x = '{{ cookiecutter.x }}'\n").as_bytes());
}

#[test]
fn a_notebook_is_a_value_and_is_passed_by() {
    let cell =
        "\"from collections import namedtuple\\n\", \"f = lambda a: namedtuple('P', 'x')(a)\\n\"";
    for metadata in ["{}", "null", "{\"trusted\": true}"] {
        let notebook = format!(
            "{{\"cells\": [{{\"source\": [{cell}], \"metadata\": {metadata}, \"execution_count\": null}}]}}\n"
        );
        passed_by(notebook.as_bytes());
    }
    no_python(
        &after_site("%matplotlib inline\n"),
        "3:1: error: Expected a statement",
    );
    no_python(&after_site("!ls\n"), "3:1: error: Expected a statement");
}

#[test]
fn merge_conflicts_are_refused() {
    let error = "error: Expected a statement";
    no_python(
        &after_site("<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n"),
        &format!("3:1: {error}"),
    );
    no_python(
        &format!("<<<<<<< HEAD\n{SITE}||||||| base\n=======\n>>>>>>> b\n"),
        &format!("1:1: {error}"),
    );
}

#[test]
fn other_languages_are_refused() {
    no_python(
        "<!DOCTYPE html>\n<p>lambda: namedtuple('P', 'x')</p>\n",
        "1:1: error: Expected a statement",
    );
    no_python(
        &format!("#!/bin/sh\nexec python - <<X\n{SITE}X\n"),
        "2:6: error: Simple statements must be separated by newlines or semicolons",
    );
}

#[test]
fn characters_that_nobody_sees_are_named_where_they_are_wrong() {
    for (character, code) in [
        ('\u{a0}', "00A0"),
        ('\u{200b}', "200B"),
        ('\u{202e}', "202E"),
        ('\u{2028}', "2028"),
        ('\u{85}', "0085"),
        ('\u{1a}', "001A"),
        ('\u{1b}', "001B"),
        ('\u{7f}', "007F"),
        ('\u{b}', "000B"),
    ] {
        let error = format!("3:2: error: invalid non-printable character U+{code}");
        no_python(&after_site(&format!("x{character}= 1\n")), &error);
    }
}

#[test]
fn direction_marks_in_strings_and_comments_are_text() {
    let text = after_site("x = '\u{202e}\u{2066}'  # \u{202e} } \u{2069}\n");
    let (project, ran) = fix(text.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let patched = fs::read_to_string(project.path("bad.py")).unwrap();
    assert!(
        patched.ends_with("x = '\u{202e}\u{2066}'  # \u{202e} } \u{2069}\n"),
        "{patched}"
    );
}
