//! What silences what, by its words and its place.

use super::*;
use crate::python::parse::parse;
use crate::rule::registry;

/// Whether `HNT001` is silenced in the first statement of `text`.
#[track_caller]
fn is_silent(text: &str) -> bool {
    let module = parse(text).unwrap();
    let lines = Lines::new(text);
    let suppressions =
        Suppressions::from_tokens(text, module.tokens(), (&lines, registry().unwrap()));
    let statement = module.syntax().body[0].range();
    let (_, code) = registry().unwrap().by_code("HNT001").unwrap();
    suppressions.is_suppressed(code, statement)
}

#[test]
fn a_comment_for_the_code_or_for_all_silences() {
    for comment in [
        "# noqa",
        "#noqa",
        "# NoQA",
        "# noqa: HNT001",
        "# noqa:hnt001",
        "# noqa : E501,HNT001",
        "# noqa: E501 HNT001 because",
        "# noqa: HNT0",
        "# noqa: HNT",
        "# noqa: it has a reason",
        "# noqa because",
        "# type: ignore[x]  # noqa: HNT001",
        "# hoist-namedtuple: ignore",
        "# hoist-namedtuple: ignore because",
        "# hoist-namedtuple: ignore[HNT001]",
        "#hoist-namedtuple:ignore[HNT101, HNT001] because",
        "# noqa: E501  # hoist-namedtuple: ignore[HNT001]",
        "# hoist-namedtuple: ignore[per-call-namedtuple] because",
        "# hoist-namedtuple: ignore[x, Per-Call-Namedtuple]",
        "# noqa: per-call-namedtuple",
    ] {
        assert!(is_silent(&format!("x = 1  {comment}\n")), "{comment}");
    }
}

#[test]
fn any_other_comment_does_not() {
    for comment in [
        "# noqa: E501",
        "# noqa: HNT101",
        "# noqa: HNT0011",
        "# noqa: HNT101:why",
        "# noqa: E501;HNT001",
        "# hoist-namedtuple: ignore HNT001",
        "# hoist-namedtuple: ignore=HNT001",
        "# noqa: E501 because h",
        "# noqa: H",
        "# noqax",
        "# no noqa here",
        "# hoist-namedtuple: ignore[HNT101]",
        "# hoist-namedtuple: ignore[]",
        "# hoist-namedtuple: ignore[HNT001",
        "# hoist-namedtuple: ignore-file",
        "# hoist-namedtuple: ignore [HNT101]",
        "# hoist-namedtuple: ignored",
        "# hoist-namedtuple: ignore[H]",
        "# hoist-namedtuple: ignore[per-call]",
        "# hoist-namedtuple: ignore[dynamic-namedtuple]",
        "# noqa: E501, per-call-namedtuple",
        "# see hoist-namedtuple: ignore",
    ] {
        assert!(!is_silent(&format!("x = 1  {comment}\n")), "{comment}");
    }
}

#[test]
fn the_comment_may_stand_on_any_line_of_the_statement_and_on_no_other() {
    for text in [
        "# noqa\nx = 1\n",
        "  # noqa: HNT001\nx = 1\n",
        "\x0c# hoist-namedtuple: ignore why\nx = 1\n",
        "# noqa\n@f\ndef g(): pass\n",
        "# noqa\n\\\nx = 1\n",
        "# noqa\r\nx = 1\r\n",
        "f(  # noqa\n  1,\n  2)\n",
        "f(\n  # noqa\n  2)\n",
        "f(\n  1,\n  2\n)  # noqa\n",
        "x = \\\n  1  # noqa\n",
        "x = '''\n''', 1  # noqa\n",
        "x = f'{\n1  # noqa\n}'\n",
    ] {
        assert!(is_silent(text), "{text}");
    }
    for text in [
        "x = 1\n# noqa\n",
        "# noqa\n\nx = 1\n",
        "# noqa\n# other\nx = 1\n",
        "x = '# noqa'\n",
        "x = '''\n# noqa\n'''\n",
        "x = f'# noqa {1}'\n",
        "x = 1\ny = 2  # noqa\n",
    ] {
        assert!(!is_silent(text), "{text}");
    }
}

#[test]
fn a_comment_alone_in_the_file_silences_all_of_it() {
    for text in [
        "x = 1\n# hoist-namedtuple: ignore-file\n",
        "x = 1\n\ny = [\n  # hoist-namedtuple: ignore-file why  # noqa: E501\n]\n",
        "x = 1\n# other  # hoist-namedtuple: ignore-file: why",
    ] {
        assert!(is_silent(text), "{text}");
    }
    for text in [
        "x = 1\ny = 1  # hoist-namedtuple: ignore-file\n",
        "x = 1\n'# hoist-namedtuple: ignore-file'\n",
        "x = 1\n# hoist-namedtuple: ignore-files\n",
        "x = 1\n# hoist-namedtuple: ignore-file[HNT001]\n",
    ] {
        assert!(!is_silent(text), "{text}");
    }
}

/// How each comment of `text` stands, `#` ones of our own only.
fn positions(text: &str) -> Vec<Position> {
    let module = parse(text).unwrap();
    let lines = Lines::new(text);
    let suppressions =
        Suppressions::from_tokens(text, module.tokens(), (&lines, registry().unwrap()));
    suppressions.own().iter().map(|own| own.position).collect()
}

#[test]
fn a_comment_is_alone_only_where_no_statement_goes_on() {
    use Position::{Alone, AloneInside, Trailing};
    let own = "# hoist-namedtuple: ignore\n";
    for (text, position) in [
        (format!("x = 1\n  {own}y = 2\n"), Alone),
        (format!("if x:\n  pass\n{own}"), Alone),
        (format!("f(\n{own})\n"), AloneInside),
        (format!("x = 1 {own}"), Trailing),
        (format!("x = 1 \\\n  {own}"), Trailing),
        (format!("x = '''\n''' {own}"), Trailing),
    ] {
        assert_eq!(positions(&text), [position], "{text}");
    }
}

/// Whether what is to be silenced in the last statement of `text` is not certain.
#[track_caller]
fn is_held(text: &str) -> bool {
    let module = parse(text).unwrap();
    let lines = Lines::new(text);
    let suppressions =
        Suppressions::from_tokens(text, module.tokens(), (&lines, registry().unwrap()));
    let statement = module.syntax().body.last().unwrap().range();
    suppressions.is_held(statement)
}

#[test]
fn a_comment_that_is_not_understood_holds_its_statement() {
    for words in [
        "ignore[HNT01]",
        "ignore[HNT001, per-call]",
        "ignore[]",
        "ignore[HNT001",
        "disable",
        "",
    ] {
        let own = format!("# hoist-namedtuple: {words}");
        for text in [
            format!("x = 1  {own}\n"),
            format!("{own} why\nx = 1\n"),
            format!("f(  {own}\n)\n"),
            format!("x = 1  # noqa  {own}  # type: ignore\n"),
        ] {
            assert!(is_held(&text), "{text}");
        }
        for text in [
            format!("{own}\n\nx = 1\n"),
            format!("y = 1  {own}\nx = 1\n"),
            format!("x = '''\n{own}'''\n"),
        ] {
            assert!(!is_held(&text), "{text}");
        }
    }
    for words in [
        "ignore",
        "ignore[HNT101, dynamic-namedtuple]",
        "ignore[HNT, HNT900]",
    ] {
        let text = format!("x = 1  # hoist-namedtuple: {words}\n");
        assert!(!is_held(&text), "{text}");
    }
}

#[test]
fn a_comment_that_was_to_be_about_the_file_holds_all_of_it() {
    for text in [
        "x = 1  # hoist-namedtuple: ignore-file\n\ny = 1\n",
        "# hoist-namedtuple: ignore-file[HNT001]\n\ny = 1\n",
        "# hoist-namedtuple: ignore_file\n\ny = 1\n",
        "# hoist-namedtuple: ignor-file\n\ny = 1\n",
        "# hoist-namedtuple: skip-file\n\ny = 1\n",
    ] {
        assert!(is_held(text), "{text}");
    }
    assert!(!is_held("# hoist-namedtuple: ignore-file\n\ny = 1\n"));
}
