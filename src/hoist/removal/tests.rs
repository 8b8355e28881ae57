//! Statements that go, in every layout that Python allows.

use super::*;
use crate::hoist::layout::testing::{patched, statement, with_layout};

/// Removes the innermost statements that start with the `markers` and compares.
#[track_caller]
fn check_removals(
    before: &str,
    markers: &[&str],
    after: &str,
) -> Vec<(Vec<String>, Option<String>)> {
    with_layout(before, |layout| {
        let statements: Vec<_> = markers.iter().map(|m| statement(layout, m)).collect();
        let (edits, removed) = remove_statements(layout, &statements).unwrap();
        assert_eq!(patched(layout, edits), after);
        let text = |range: &TextRange| layout.slice(*range).to_owned();
        removed
            .iter()
            .map(|one| {
                let above = one.comments_above.iter().map(text).collect();
                (above, one.trailing_comment.as_ref().map(text))
            })
            .collect()
    })
}

#[track_caller]
fn check_removal(before: &str, after: &str) {
    check_removals(before, &["X = "], after);
}

#[track_caller]
fn check_refusal(before: &str, marker: &str) {
    with_layout(before, |layout| {
        let result = remove_statements(layout, &[statement(layout, marker)]);
        assert!(result.is_err());
    });
}

#[test]
fn a_line_of_its_own_goes() {
    check_removal(
        "def f():\n    X = 1\n    return X\n",
        "def f():\n    return X\n",
    );
}

#[test]
fn a_multi_line_statement_goes_whole() {
    check_removal(
        "def f():\n    a\n    X = \\\n        g('''\n  # no comment\n''',\n)\n    return X\n",
        "def f():\n    a\n    return X\n",
    );
}

#[test]
fn the_first_of_a_line_leaves_indentation_others_and_comment() {
    check_removal(
        "def f():\n    # above\n    X = 1; y = X  # keep\n",
        "def f():\n    # above\n    y = X  # keep\n",
    );
    check_removal(
        "def f():\n    X = 1 \x0c; y = X  # keep\n",
        "def f():\n    y = X  # keep\n",
    );
    check_removal("def f():\n    X = 1; \\\n  b\n", "def f():\n    b\n");
}

#[test]
fn the_last_and_middle_of_a_line_take_their_semicolon() {
    check_removal("a; X = 1; b\n", "a; b\n");
    check_removal("a\t;\tX = 1  # c\n", "a  # c\n");
    check_removal("a; X = 1;\n", "a;\n");
    check_removal(
        "if a:\n    o = []; \\\n    X = 1\n    b\n",
        "if a:\n    o = []\n    b\n",
    );
}

#[test]
fn several_statements_of_one_line_go() {
    check_removals("a; X = 1; Y = 2; b; Z = 3\n", &["X", "Y", "Z"], "a; b\n");
    check_removals(
        "def f():\n    X = 1; Y = 2  # c\n    b\n",
        &["X", "Y"],
        "def f():\n    b\n",
    );
}

#[test]
fn a_one_line_suite_keeps_a_statement() {
    check_removal("def f(): X = 1; return X\n", "def f(): return X\n");
    check_removal("def f(): a; X = 1\n", "def f(): a\n");
    check_removal("if a: X = 1  # c\nelse: b\n", "if a: pass  # c\nelse: b\n");
    check_removals("if a: X = 1; Y = 1;\n", &["X", "Y"], "if a: pass\n");
}

#[test]
fn an_emptied_suite_gets_a_pass_and_the_comments_move() {
    let moved = check_removals(
        "with l:\n    # one\n    # two\n    X = 1  # three\nb\n",
        &["X = "],
        "with l:\n    pass\nb\n",
    );
    let above = vec!["# one".to_owned(), "# two".to_owned()];
    assert_eq!(moved, [(above, Some("# three".to_owned()))]);
    check_removals(
        "try:\n    X = 1\n\n    Y = 2\nexcept E:\n    Z = 1\n",
        &["X", "Y", "Z"],
        "try:\n    pass\nexcept E:\n    pass\n",
    );
}

#[test]
fn every_kind_of_suite_is_found() {
    for head in [
        "for a in b:",
        "while a:",
        "class C:",
        "async def f():",
        "with a:",
        "if a:",
    ] {
        check_removal(&format!("{head}\n  X = 1\n"), &format!("{head}\n  pass\n"));
    }
    check_removal(
        "match a:\n case 1:\n  X = 1\n",
        "match a:\n case 1:\n  pass\n",
    );
    check_removal(
        "try:\n a\nfinally:\n X = 1\n",
        "try:\n a\nfinally:\n pass\n",
    );
    check_removal("if a: b\nelif c:\n X = 1\n", "if a: b\nelif c:\n pass\n");
    check_removal(
        "for a in b: c\nelse:\n X = 1\n",
        "for a in b: c\nelse:\n pass\n",
    );
}

#[test]
fn only_comments_that_touch_at_the_same_indentation_move() {
    let before = "def f():\n    # far\n\n    if a:\n        b\n        # inner\n    # own X\n    X = 1\n    c\n";
    let after = "def f():\n    # far\n\n    if a:\n        b\n        # inner\n    c\n";
    assert_eq!(
        check_removals(before, &["X"], after),
        [(vec!["# own X".to_owned()], None)]
    );
    check_removal(
        "def f():\n    # far\n\n    X = 1\n    c\n",
        "def f():\n    # far\n\n    c\n",
    );
    check_removal(
        "def f():\n    # fmt: off\n    # m X\n    X = 1\n    c\n",
        "def f():\n    # fmt: off\n    c\n",
    );
    check_removal(
        "def f():\n    '''\n    # s'''\n    X = 1\n    c\n",
        "def f():\n    '''\n    # s'''\n    c\n",
    );
}

#[test]
fn blank_lines_around_shrink_to_the_longer_run() {
    check_removal(
        "if a:\n    a\n\n    X = 1\n\n    b\n",
        "if a:\n    a\n\n    b\n",
    );
    check_removal("if a:\n    X = 1\n\n    b\n", "if a:\n    b\n");
    check_removal("if a:\n\n    X = 1\n\n    b\n", "if a:\n\n    b\n");
    check_removal(
        "def f():\n    'd'\n    X = 1\n\n    b\n",
        "def f():\n    'd'\n\n    b\n",
    );
    check_removal(
        "if a:\n    a\n\n    X = 1\n\n\nb\n",
        "if a:\n    a\n\n\nb\n",
    );
    check_removals(
        "if a:\n    X = 1\n\n    Y = 1\n\n    b\n",
        &["X", "Y"],
        "if a:\n    b\n",
    );
    check_removal(
        "if a:\n    a\n\x0c\n    X = 1\n\x0c\n    b\n",
        "if a:\n    a\n\x0c\n\x0c\n    b\n",
    );
}

#[test]
fn a_missing_last_newline_stays_missing() {
    check_removal("if a:\n    b\n    X = 1", "if a:\n    b");
    check_removal(
        "if a:\r\n    b\r\n\r\n    # c\r\n    X = 1  # d",
        "if a:\r\n    b",
    );
    check_removals(
        "if a:\n    b\n    X = 1\n    Y = 1",
        &["X", "Y"],
        "if a:\n    b",
    );
    check_removal("if a:\n    X = 1", "if a:\n    pass");
}

#[test]
fn form_feeds_and_backslash_lines_go_with_their_statement() {
    check_removal(
        "def f():\n\x0c    X = 1\n\x0c    return X\n",
        "def f():\n\x0c    return X\n",
    );
    check_removal(
        "def f():\n    a\n    \\\nX = 1\n    b\n",
        "def f():\n    a\n    b\n",
    );
    check_removal("def f():\n    \\\n  X = 1\n    b\n", "def f():\n    b\n");
}

#[test]
fn other_line_endings_stay() {
    check_removal(
        "if a:\r\n    a\r    X = 1\n    b\r\n",
        "if a:\r\n    a\r    b\r\n",
    );
}

#[test]
fn a_string_never_becomes_a_docstring() {
    check_refusal("def f():\n    X = 1\n    'text'\n", "X = ");
    check_refusal("class C: X = 1; 'text'\n", "X = ");
    check_removal(
        "def f():\n    'd'\n    X = 1\n    'text'\n",
        "def f():\n    'd'\n    'text'\n",
    );
    check_removal("if a:\n    X = 1\n    'text'\n", "if a:\n    'text'\n");
}

#[test]
fn compound_statements_are_refused() {
    check_refusal("def f():\n    if a: b\n    c\n", "if a");
}

#[test]
fn comments_that_open_a_region_stay() {
    let before = "def f():\n    # kept\n    #region rows\n    # X moves\n    X = 1\n    c\n";
    let after = "def f():\n    # kept\n    #region rows\n    c\n";
    let moved = check_removals(before, &["X"], after);
    assert_eq!(moved, [(vec!["# X moves".to_owned()], None)]);
}
