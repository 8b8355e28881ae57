//! What `collections.namedtuple` makes of its arguments; `KEEP` is a module constant, `p` a parameter.

use rustpython_ast::{ExprAttribute, ExprName};

use super::*;
use crate::python::constant::Meaning;
use crate::rule::registry;

struct Known;

impl Names for Known {
    fn meaning(&self, name: &ExprName) -> Meaning {
        match name.id.as_str() {
            "p" => Meaning::Dynamic("`p` is a parameter".to_owned()),
            "FIELDS" => Meaning::Value(Value::Str("a b".to_owned())),
            _ => Meaning::Opaque,
        }
    }

    fn attribute(&self, _attribute: &ExprAttribute) -> Meaning {
        Meaning::Dynamic("it is an attribute".to_owned())
    }

    fn is_builtin(&self, name: &ExprName) -> bool {
        name.id.as_str() == "list"
    }
}

/// Typename, fields and verdict of `namedtuple(<arguments>)`.
#[track_caller]
fn judged(arguments: &str) -> (Option<String>, Option<Vec<String>>, Verdict) {
    let module = crate::python::parse::parse(&format!("namedtuple({arguments})")).unwrap();
    let call = &module.syntax().body[0].as_expr_stmt().unwrap().value;
    let mut factories = registry().unwrap().factories();
    let factory = factories.find(|factory| factory.name == "collections.namedtuple");
    let judgement = judge(call.as_call_expr().unwrap(), factory.unwrap(), &Known);
    (judgement.typename, judgement.fields, judgement.verdict)
}

#[track_caller]
fn key(arguments: &str) -> MergeKey {
    match judged(arguments).2 {
        Verdict::Valid(key) => key,
        other => panic!("{arguments}: {other:?}"),
    }
}

#[track_caller]
fn raises(arguments: &str) {
    let verdict = judged(arguments).2;
    assert!(
        matches!(verdict, Verdict::Raises(_)),
        "{arguments}: {verdict:?}"
    );
}

#[track_caller]
fn refused(arguments: &str, reason: SkipReason) {
    assert_eq!(judged(arguments).2, Verdict::Refused(reason), "{arguments}");
}

#[track_caller]
fn dynamic(arguments: &str, role: Role) {
    match judged(arguments).2 {
        Verdict::Dynamic { role: found, .. } => assert_eq!(found, role, "{arguments}"),
        other => panic!("{arguments}: {other:?}"),
    }
}

#[test]
fn spellings_of_one_class_have_one_key() {
    let plain = key("'P', 'a b'");
    for other in [
        "'P', ['a', 'b']",
        "'P', ('a', 'b')",
        "\"P\", 'a,b'",
        "'P', ' a,\\tb ,'",
        "field_names=FIELDS, typename='P'",
        "'P', 'a b', rename=False, defaults=None, module=None",
        "'P', 'a b', rename=0",
        "'P', {'a': 1, 'b': 2}",
    ] {
        assert_eq!(key(other), plain, "{other}");
    }
    assert_eq!(
        key("'P', 'a b', defaults=(None,) * 2"),
        key("'P', 'a b', defaults=[None, None]")
    );
    assert_eq!(
        key("'P', 'a', defaults=( KEEP , )"),
        key("'P', 'a', defaults=[KEEP]")
    );
}

#[test]
fn classes_that_differ_have_different_keys() {
    let keys = [
        "'P', 'a b'",
        "'Q', 'a b'",
        "'P', 'b a'",
        "'P', 'a b', defaults=()",
        "'P', 'a b', defaults=(1,)",
        "'P', 'a b', defaults=(True,)",
        "'P', 'a b', defaults=(1.0,)",
        "'P', 'a b', defaults=(KEEP,)",
        "'P', 'a b', defaults=(OTHER,)",
        "'P', 'a b', defaults=('\\ud800',)",
        "'P', 'a b', defaults=('' '\\ud801',)",
        "'P', 'a b', module=__name__",
        "'P', 'a b', rename=True",
    ]
    .map(key);
    for (at, left) in keys.iter().enumerate() {
        for right in &keys[..at] {
            assert_ne!(left, right);
        }
    }
}

#[test]
fn rename_is_respected() {
    let fields = |arguments| judged(arguments).1.unwrap();
    assert_eq!(
        fields("'R', ['id', 'class', 'id', '_x'], rename=True"),
        ["id", "_1", "_2", "_3"]
    );
    raises("'R', ['id', 'class']");
    raises("'R', '_x'");
    raises("'R', 'a a', rename=0");
    raises("'class', 'a', rename=True");
    dynamic("'R', 'a class', rename=p", Role::Rename);
    refused(
        "'R', 'a class', rename=KEEP",
        SkipReason::ArgumentNotConstant,
    );
}

#[test]
fn calls_that_always_raise_are_known() {
    for arguments in [
        "",
        "'P'",
        "'P', fields='a'",
        "'P', 'a', typename='P'",
        "'P', 'a', verbose=True",
        "'P', 'a', True, True, True",
        "'P', 3",
        "'P', None",
        "'P', [1]",
        "'not valid', p",
        "None, 'a'",
        "p, 'a a'",
        "p, ['a', KEEP, 'a']",
        "'P', 'a', defaults=(1, 2)",
        "'P', 'a', defaults=1",
        "'P', 'a' + 1",
        "'P', 'a', defaults=(1 // 0,)",
        "'', 'a'",
        "'P', ['a b']",
        "'P', b'ab'",
    ] {
        raises(arguments);
    }
}

#[test]
fn soft_keywords_and_odd_but_legal_arguments_are_valid() {
    for arguments in [
        "'match', 'case type'",
        "'P', ''",
        "'P', ()",
        "'P', 'é 名'",
        "..., 'a'",
        "'P', 'a', defaults='x'",
        "'P', 'a', module='m'",
    ] {
        key(arguments);
    }
}

#[test]
fn the_argument_that_differs_is_named_and_field_names_go_first() {
    dynamic("p, p", Role::Fields);
    dynamic("p, 'a'", Role::Typename);
    dynamic("'P', ['a', p]", Role::Fields);
    dynamic("'P', 'a', defaults=(p,)", Role::Defaults);
    dynamic("'P', 'a', module=p, defaults=(p,)", Role::Defaults);
    let (typename, fields, _) = judged("'P', 'a b', defaults=(p,)");
    assert_eq!(typename.as_deref(), Some("P"));
    assert_eq!(fields.unwrap(), ["a", "b"]);
}

#[test]
fn star_arguments_are_invisible() {
    for arguments in ["*p", "'P', *p", "'P', **p", "'P', 'a', **{'rename': True}"] {
        assert_eq!(judged(arguments).2, Verdict::Invisible, "{arguments}");
    }
}

#[test]
fn constant_calls_that_must_not_move_are_refused_by_name() {
    refused("'P', {'a', 'b'}", SkipReason::SetFields);
    refused("'P', 'a', True", SkipReason::VerboseArgument);
    refused("'P', 'a', False, True", SkipReason::VerboseArgument);
    for defaults in ["[[]]", "({},)", "[(1, [])]", "(list(),)", "({1},)"] {
        refused(
            &format!("'P', 'a', defaults={defaults}"),
            SkipReason::MutableDefault,
        );
    }
    for arguments in [
        "'P', KEEP",
        "KEEP, 'a'",
        "'P', ['a', KEEP]",
        "'P', 'a', defaults=KEEP",
    ] {
        refused(arguments, SkipReason::ArgumentNotConstant);
    }
}
