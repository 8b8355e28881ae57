//! What silences what, by its words and its place.

use super::*;
use crate::python::parse::parse;

/// Whether `HNT001` is silenced in the first statement of `text`.
#[track_caller]
fn is_silent(text: &str) -> bool {
    let module = parse(text).unwrap();
    let lines = Lines::new(text);
    let suppressions = Suppressions::from_tokens(text, module.tokens(), &lines);
    let statement = module.syntax().body[0].range();
    suppressions.is_suppressed("HNT001", statement)
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
    let suppressions = Suppressions::from_tokens(text, module.tokens(), &lines);
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
