//! New lines between the statements of a module, in every layout that Python allows.

use super::*;
use crate::hoist::layout::testing::{call, patched, statement, with_layout};

const IMPORT: &str = "from c import nt";

/// Where a check puts the call that starts with `nt(`, as `P`: by the statement that starts with
/// the marker.
#[derive(Clone, Copy)]
enum At<'m> {
    Nowhere,
    Before(&'m str),
    After(&'m str),
}

#[track_caller]
fn check(before: &str, imports: &[&str], at: At<'_>, after: &str) {
    with_layout(before, |layout| {
        let edits = insert(layout, imports, at).unwrap();
        assert_eq!(patched(layout, edits), after);
    });
}

fn insert(layout: &Layout<'_>, imports: &[&str], at: At<'_>) -> Result<Vec<Edit>, NotEditable> {
    let place = match at {
        At::Nowhere => None,
        At::Before(marker) => Some(Place::Before(statement(layout, marker))),
        At::After(marker) => Some(Place::After(statement(layout, marker))),
    };
    let group = place.map(|place| Group {
        place,
        pieces: vec![Piece {
            node: call(layout, "nt("),
            name: "P".to_owned(),
            substitutions: Vec::new(),
            removed: None,
        }],
    });
    let imports: Vec<_> = imports.iter().map(|import| (*import).to_owned()).collect();
    insertions(layout, &imports, group.as_slice())
}

#[track_caller]
fn check_before(before: &str, marker: &str, after: &str) {
    check(before, &[], At::Before(marker), after);
}

#[track_caller]
fn check_after(before: &str, marker: &str, after: &str) {
    check(before, &[], At::After(marker), after);
}

#[track_caller]
fn check_import(before: &str, after: &str) {
    check(before, &[IMPORT], At::Nowhere, after);
}

#[track_caller]
fn check_both(before: &str, marker: &str, after: &str) {
    check(before, &[IMPORT], At::Before(marker), after);
}

#[test]
fn a_definition_between_imports_and_a_function_is_set_off_by_one_and_two_lines() {
    let after = "import c\n\nP = nt()\n\n\ndef f(): nt()\n";
    check_before("import c\n\n\ndef f(): nt()\n", "def", after);
    check_before("import c\n\ndef f(): nt()\n", "def", after);
    check_before("import c\ndef f(): nt()\n", "def", after);
}

#[test]
fn the_blank_lines_between_functions_are_those_of_the_file() {
    check_before(
        "def f(): a\n\n\ndef g(): nt()\n",
        "def g",
        "def f(): a\n\n\nP = nt()\n\n\ndef g(): nt()\n",
    );
    check_before(
        "def f(): a\n\ndef g(): nt()\n",
        "def g",
        "def f(): a\n\nP = nt()\n\ndef g(): nt()\n",
    );
}

#[test]
fn between_other_statements_blank_lines_are_kept_in_style() {
    check_before(
        "a\nfor b in c: nt()\n",
        "for",
        "a\nP = nt()\nfor b in c: nt()\n",
    );
    check_before(
        "a\n\nfor b in c: nt()\n",
        "for",
        "a\n\nP = nt()\n\nfor b in c: nt()\n",
    );
    check_before(
        "F = 1\n@d\n@d\ndef f(): nt()\n",
        "@d",
        "F = 1\n\nP = nt()\n\n\n@d\n@d\ndef f(): nt()\n",
    );
}

#[test]
fn comments_that_touch_the_statement_stay_with_it() {
    check_before(
        "import c\n\n# far\n\n# near\n# near\n@d\ndef f(): nt()\n",
        "@d",
        "import c\n\n# far\n\nP = nt()\n\n\n# near\n# near\n@d\ndef f(): nt()\n",
    );
    check_before(
        "if a:\n    b\n    # inside\ndef f(): nt()\n",
        "def",
        "if a:\n    b\n    # inside\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
}

#[test]
fn overloads_and_touching_definitions_of_one_name_stay_together() {
    check_before(
        "import c\n\n\n@c.overload\ndef f(): a\n\n\n@overload\ndef f(): b\n\n\ndef f(): nt()\n",
        "def f(): nt",
        "import c\n\nP = nt()\n\n\n@c.overload\ndef f(): a\n\n\n@overload\ndef f(): b\n\n\ndef f(): nt()\n",
    );
    check_before(
        "a\n\n@s\ndef _(): a\n@s\ndef _(): nt()\n",
        "@s\ndef _(): nt",
        "a\n\nP = nt()\n\n\n@s\ndef _(): a\n@s\ndef _(): nt()\n",
    );
}

#[test]
fn the_top_of_the_file_stays_on_top() {
    check_before("def f(): nt()\n", "def", "P = nt()\n\n\ndef f(): nt()\n");
    check_both(
        "\u{feff}def f(): nt()\n",
        "def",
        "\u{feff}from c import nt\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
    check_both(
        "#!/bin/python\n# -*- coding: utf-8 -*-\n# mypy: strict\n# near\ndef f(): nt()\n",
        "def",
        "#!/bin/python\n# -*- coding: utf-8 -*-\n# mypy: strict\nfrom c import nt\n\nP = nt()\n\n\n# near\ndef f(): nt()\n",
    );
    check_both(
        "#!/bin/python\n# Copyright\n\n# Licence\n\n# near\ndef f(): nt()\n",
        "def",
        "#!/bin/python\n# Copyright\n\n# Licence\n\nfrom c import nt\n\nP = nt()\n\n\n# near\ndef f(): nt()\n",
    );
}

#[test]
fn imports_go_below_docstring_and_imports() {
    check_import(
        "'doc'\n\n\ndef f(): a\n",
        "'doc'\n\nfrom c import nt\n\n\ndef f(): a\n",
    );
    check_import("'doc'\n\na\n", "'doc'\n\nfrom c import nt\n\na\n");
    check_import("'doc'", "'doc'\n\nfrom c import nt");
    check_import(
        "from __future__ import annotations\nimport (a)\n"
            .replace("(a)", "a")
            .as_str(),
        "from __future__ import annotations\nimport a\nfrom c import nt\n",
    );
    check_import(
        "from a import (\n    b,\n)\nc = 1\n",
        "from a import (\n    b,\n)\nfrom c import nt\nc = 1\n",
    );
    check_import(
        "import a\n\nif TYPE_CHECKING:\n    import b\n",
        "import a\nfrom c import nt\n\nif TYPE_CHECKING:\n    import b\n",
    );
    check_import("a = 1\n", "from c import nt\n\na = 1\n");
    check_import("# c\n", "# c\n");
}

#[test]
fn imports_and_definitions_at_one_place_are_put_in_together() {
    check_both(
        "import a\n\n\ndef f(): nt()\n",
        "def",
        "import a\nfrom c import nt\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
    check_both(
        "import a\ndef f(): nt()\n",
        "def",
        "import a\nfrom c import nt\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
    check_both(
        "'doc'\\\n\\\n\ndef f(): nt()\n",
        "def",
        "'doc'\\\n\\\n\n\nfrom c import nt\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
    check_both(
        "import a\n\nb = 1\n\n\ndef f(): nt()\n",
        "def",
        "import a\nfrom c import nt\n\nb = 1\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
}

#[test]
fn a_definition_can_follow_a_statement() {
    check_after(
        "a = [\n    1]  # c\nb; nt()\n",
        "a",
        "a = [\n    1]  # c\nP = nt()\nb; nt()\n",
    );
    check_after(
        "def f(): nt()\n\n\na\n",
        "def",
        "def f(): nt()\n\n\nP = nt()\n\na\n",
    );
    check_after(
        "import a\n\n\ndef f(): nt()\n",
        "import",
        "import a\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
    check_after(
        "def f():\n    nt()\n    # c\n\n# d\n",
        "def",
        "def f():\n    nt()\n    # c\n\n\nP = nt()\n\n# d\n",
    );
    check_after("nt()\nif a:\n    b", "if", "nt()\nif a:\n    b\nP = nt()");
    check_after("nt()\r\na = 1\r\n", "a", "nt()\r\na = 1\r\nP = nt()\r\n");
}

#[test]
fn a_statement_that_shares_its_line_gets_the_definition_in_the_line() {
    check_before(
        "import c; f = lambda: nt()\n",
        "f",
        "import c; P = nt(); f = lambda: nt()\n",
    );
    check_after("a; b = nt()\n", "a", "a; P = nt(); b = nt()\n");
    check_after(
        "a; long = nt(1,\n             2)\n",
        "a",
        "a; P = nt(1,\n          2); long = nt(1,\n             2)\n",
    );
    check_both(
        "\u{feff}import c; f = lambda: nt()\n",
        "f",
        "\u{feff}import c; from c import nt; P = nt(); f = lambda: nt()\n",
    );
    check_before(
        "f = lambda: nt(); b\n",
        "f",
        "P = nt()\n\nf = lambda: nt(); b\n",
    );
}

#[test]
fn comments_that_move_need_a_line_of_their_own() {
    let text = "a; f = lambda: nt()\nif b:\n    # c\n    X = 1\n";
    with_layout(text, |layout| {
        let moved = statement(layout, "X");
        let (_, removed) = crate::hoist::removal::remove_statements(layout, &[moved]).unwrap();
        let group = Group {
            place: Place::Before(statement(layout, "f")),
            pieces: vec![Piece {
                node: moved,
                name: "P".to_owned(),
                substitutions: Vec::new(),
                removed: removed.into_iter().next(),
            }],
        };
        assert!(insertions(layout, &[], &[group]).is_err());
    });
}

#[test]
fn groups_at_one_place_are_put_in_together_and_comments_set_pieces_off() {
    let text =
        "import c\n\n\ndef f():\n    X = nt()\n    # two y\n    Y = nt()\n    Y.a = 1\n    b\n";
    with_layout(text, |layout| {
        let place = Place::Before(statement(layout, "def"));
        let statements: Vec<_> = ["X", "Y = ", "Y.a"].map(|m| statement(layout, m)).into();
        let (_, removed) = crate::hoist::removal::remove_statements(layout, &statements).unwrap();
        let groups: Vec<_> = removed
            .into_iter()
            .map(|removed| Group {
                place,
                pieces: vec![Piece {
                    node: removed.statement,
                    name: "P".to_owned(),
                    substitutions: Vec::new(),
                    removed: Some(removed),
                }],
            })
            .collect();
        let edits = insertions(layout, &[], &groups).unwrap();
        let [edit] = edits.as_slice() else {
            panic!("one edit expected: {edits:?}");
        };
        assert_eq!(edit.content(), "P = nt()\n\n# two y\nP = nt()\nY.a = 1\n\n");
    });
}

#[test]
fn form_feeds_and_line_endings_around_stay() {
    check_before(
        "import c\n\x0c\n\x0cdef f(): nt()\n",
        "def",
        "import c\n\x0c\nP = nt()\n\n\n\x0cdef f(): nt()\n",
    );
    check_before(
        "import c\r\n\r\n\r\ndef f(): nt('''\n''')\n",
        "def",
        "import c\r\n\r\nP = nt('''\n''')\r\n\r\n\r\ndef f(): nt('''\n''')\n",
    );
    check_before(
        "import c\r\r\rdef f(): nt()",
        "def",
        "import c\r\rP = nt()\r\r\rdef f(): nt()",
    );
}

#[test]
fn lines_inside_strings_are_no_blank_lines_or_comments() {
    check_before(
        "'''\n# a\n\n'''\ndef f(): nt()\n",
        "def",
        "'''\n# a\n\n'''\n\nP = nt()\n\n\ndef f(): nt()\n",
    );
    check_before(
        "a = '''\n# a'''\nb = nt()\n",
        "b",
        "a = '''\n# a'''\nP = nt()\nb = nt()\n",
    );
}

#[test]
fn a_statement_below_the_top_level_is_refused() {
    with_layout("def f():\n    a = nt()\n", |layout| {
        let place = At::Before("a");
        assert!(insert(layout, &[], place).is_err());
    });
}
