//! What expressions evaluate to, as CPython has it.

use super::evaluator::{dotted, text_value};
use super::*;

/// Knows `FIELDS` and `MISSING` and the builtins; anything else is a parameter.
struct Known;

impl Names for Known {
    fn meaning(&self, name: &ast::ExprName) -> Meaning {
        match name.id.as_str() {
            "FIELDS" => Meaning::Value(Value::Tuple(vec![text_value("a"), text_value("b")])),
            "MISSING" | "__name__" | "int" => Meaning::Opaque,
            other => Meaning::Dynamic(format!("`{other}` is a parameter")),
        }
    }

    fn attribute(&self, attribute: &ast::ExprAttribute) -> Meaning {
        match dotted(attribute).as_deref() {
            Some("X._fields") => Meaning::Value(Value::Tuple(vec![text_value("x")])),
            _ => Meaning::Dynamic("it is an attribute".to_owned()),
        }
    }

    fn is_builtin(&self, name: &ast::ExprName) -> bool {
        matches!(name.id.as_str(), "len" | "list" | "dict" | "int")
    }
}

#[track_caller]
fn eval(source: &str) -> Evaluation {
    let text = format!("({source})");
    let module = crate::python::parse::parse(&text).unwrap();
    let expr = &module.syntax().body[0].as_expr_stmt().unwrap().value;
    evaluate(expr, &Known)
}

#[track_caller]
fn constant(source: &str) -> Value {
    match eval(source) {
        Evaluation::Constant(value) => value,
        other => panic!("{source}: {other:?}"),
    }
}

#[track_caller]
fn same(left: &str, right: &str) {
    assert_eq!(constant(left), constant(right), "{left} and {right}");
}

#[track_caller]
fn dynamic(source: &str, part: &str) {
    match eval(source) {
        Evaluation::Dynamic { range, .. } => {
            let text = format!("({source})");
            assert_eq!(crate::text::lines::slice(&text, range), part);
        }
        other => panic!("{source}: {other:?}"),
    }
}

#[track_caller]
fn raises(source: &str) {
    assert!(
        matches!(eval(source), Evaluation::Raises(_)),
        "{source}: {:?}",
        eval(source)
    );
}

#[test]
fn literals_are_their_value() {
    assert_eq!(constant("'a' \"b\""), text_value("ab"));
    assert_eq!(constant("f'a{{' 'b'"), text_value("a{b"));
    assert_eq!(constant("b'a'"), Value::Bytes(vec![97]));
    assert_eq!(constant("..."), Value::Ellipsis);
    assert_ne!(constant("1"), constant("True"));
    assert_ne!(constant("1"), constant("1.0"));
    assert_ne!(constant("0.0"), constant("-0.0"));
    assert_ne!(constant("1j"), constant("2j"));
}

#[test]
fn operators_compute_as_python_does() {
    same("('a',) + ('b',)", "'a', 'b'");
    same("(None,) * 2", "None, None");
    same("2 * ['a']", "['a', 'a']");
    same("'a' * -1", "''");
    same("-7 // 2", "-4");
    same("-7 % 3", "2");
    same("7 % -3", "-2");
    same("2 ** 10 - 1 << 1", "2046");
    same("~True", "-2");
    same("True & False", "False");
    same("1 / 4", "0.25");
    same("not ()", "True");
    same("() or 'a'", "'a'");
    same("'' and x", "''");
}

#[test]
fn known_calls_are_computed() {
    same("'a b\\x1cc\\n'.split()", "['a', 'b', 'c']");
    same("'a,,b'.split(',')", "['a', '', 'b']");
    same("(None,) * len(X._fields)", "(None,)");
    same("X._fields + ('y',)", "'x', 'y'");
    same("[*FIELDS, 'c']", "['a', 'b', 'c']");
    same("{**{'a': 1}, 'b': 2}", "{'a': 1, 'b': 2}");
    same("list()", "[]");
}

#[test]
fn objects_of_unknown_value_are_constant_but_opaque() {
    assert_eq!(
        constant("(MISSING,) * 2"),
        Value::Tuple(vec![Value::Opaque("MISSING".to_owned()); 2])
    );
    assert_eq!(constant("MISSING").truth(), None);
    assert_ne!(constant("('\\ud800', '')"), constant("(  '\\ud801', '')"));
    dynamic("MISSING | 1", "MISSING | 1");
}

#[test]
fn what_is_known_at_run_time_only_is_dynamic_at_its_smallest_part() {
    dynamic("['a', x]", "x");
    dynamic("'a' + f'{x}'", "{x}");
    dynamic("x.split()", "x");
    dynamic("len(x)", "x");
    dynamic("max(1, 2)", "max(1, 2)");
    dynamic("int()", "int()");
    dynamic("[*{'a', 'b'}]", "{'a', 'b'}");
    dynamic("1 if x else 2", "1 if x else 2");
    dynamic("settings().FIELDS", "settings().FIELDS");
    dynamic("[a for a in 'ab']", "[a for a in 'ab']");
}

#[test]
fn what_always_raises_is_told_from_what_is_unknown() {
    raises("1 // 0");
    raises("1.5 / 0");
    raises("'a' + 1");
    raises("['a'] + ('b',)");
    raises("-'a'");
    raises("[*None]");
    raises("{[]: 1}");
    raises("{([],)}");
    raises("'a'.split('')");
}

#[test]
fn huge_values_are_not_computed() {
    dynamic("'ab' * 10 ** 30", "'ab' * 10 ** 30");
    dynamic("10 ** 1000", "10 ** 1000");
    let doubled = "(FIELDS * 5000, FIELDS * 5000, FIELDS * 5000, FIELDS * 5000, FIELDS * 5000, FIELDS * 5000)";
    dynamic(&format!("{doubled} * 9000"), doubled);
    let bombs = "((((((((('a',) * 99,) * 99,) * 99,) * 99,) * 99,) * 99,) * 99,) * 99,)";
    assert!(matches!(eval(bombs), Evaluation::Dynamic { .. }));
}
