//! Which modules a screen passes by.

use super::*;
use crate::rule::registry;

fn screen(codes: &[&str]) -> Screen {
    Screen::new(registry().unwrap(), |code| codes.contains(&code)).unwrap()
}

fn may_find(text: &str, codes: &[&str]) -> bool {
    screen(codes).may_find(text.as_bytes())
}

const ALL: [&str; 8] = [
    "HNT001", "HNT002", "HNT003", "HNT004", "HNT005", "HNT006", "HNT007", "HNT900",
];

#[test]
fn only_names_of_rules_that_are_on_are_looked_for() {
    let text = "k = type('K', (), {}); e = Enum(a, b)  # hoist-namedtuple: ignore";
    for (codes, expected) in [
        (&["HNT006"][..], true),
        (&["HNT106"], true),
        (&["HNT003"], true),
        (&["HNT900"], true),
        (&["HNT001", "HNT002", "HNT004", "HNT005"], false),
        (&[], false),
    ] {
        assert_eq!(may_find(text, codes), expected, "{codes:?}");
    }
}

#[test]
fn a_name_is_a_whole_word() {
    for (text, expected) in [
        ("namedtuple(a, b)", true),
        ("x.namedtuple(a, b)", true),
        ("(namedtuple)(a, b)", true),
        ("mynamedtuple(a, b)", false),
        ("namedtuples(a, b)", false),
        ("énamedtuple(a, b)", false),
        ("namedtuplé(a, b)", false),
        ("IntEnum(a, b)", true),
        ("MyEnum(a, b)", false),
        ("Enum_Enum; Enum(a, b)", true),
    ] {
        assert_eq!(may_find(text, &ALL), expected, "{text}");
    }
}

#[test]
fn a_single_argument_is_enough_only_for_factories_that_take_no_more() {
    for (text, expected) in [
        ("type(x)", false),
        ("Enum(x)", false),
        ("namedtuple(x)", false),
        ("TypedDict(x)", true),
        ("NamedTuple(x)", true),
    ] {
        assert_eq!(may_find(text, &ALL), expected, "{text}");
    }
}

#[test]
fn an_own_comment_counts_in_any_case_where_comments_are_findings() {
    for text in [
        "# hoist-namedtuple: ignore",
        "# HOIST-NamedTuple : ignore",
        "#Hoist-NAMEDTUPLE:",
    ] {
        assert!(may_find(text, &ALL), "{text}");
        assert!(screen(&ALL).needs_tree(text), "{text}");
        assert!(!may_find(text, &["HNT001"]), "{text}");
    }
    for text in ["# hoist_namedtuple: ignore", "# hoist-name"] {
        assert!(!may_find(text, &ALL), "{text}");
    }
}

#[test]
fn no_tree_is_needed_for_calls_that_run_once() {
    let screen = screen(&ALL);
    let once = "from collections import namedtuple\nA = namedtuple('A', 'x')\nclass B(namedtuple('B', 'x')):\n    pass\n";
    assert!(!screen.needs_tree(once));
    for more in [
        "def f(): namedtuple('A', 'x')\n",
        "nt = namedtuple\n",
        "from collections import namedtuple as nt\n",
        "[namedtuple('A', 'x') for x in y]\n",
    ] {
        assert!(screen.needs_tree(&format!("{once}{more}")), "{more}");
    }
    assert!(!screen.needs_tree("def f(): pass\n"));
}

#[test]
fn words_without_end_take_linear_time() {
    let screen = screen(&ALL);
    for text in ["Enum", "Enum.", "[Enum\n", "Enum)", "Enum, #\n"] {
        assert!(!screen.may_find(text.repeat(300_000).as_bytes()), "{text}");
    }
    let in_doubt = [
        ".Enum\n",
        "(Enum\n",
        "Enum #\n",
        "# Enum\n",
        "# (Enum)\n",
        "# Enum \\\n",
    ];
    for text in in_doubt {
        assert!(screen.may_find(text.repeat(300_000).as_bytes()), "{text}");
    }
}

#[test]
fn parts_that_overlap_hide_no_piece() {
    let screen = screen(&["HNT001"]);
    assert!(screen.overlap() >= "namedtuple".len() - 1);
    assert!(screen.has_piece(b"xnamedtuplex"));
    assert!(!screen.has_piece(b"namedtupl"));
}

#[test]
fn a_builtin_that_is_assigned_is_not_found_by_the_new_name() {
    for (text, expected) in [
        ("__metaclass__ = type\n", false),
        ("from builtins import type as t\n", true),
        ("E = Enum\n", true),
    ] {
        assert_eq!(may_find(text, &ALL), expected, "{text}");
    }
}
