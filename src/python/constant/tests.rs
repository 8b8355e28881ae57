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
        matches!(
            name.id.as_str(),
            "len" | "list" | "tuple" | "sorted" | "dict" | "int"
        )
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
    same("list(X._fields) + ['y']", "['x', 'y']");
    same("list('ab')", "['a', 'b']");
    same("list({'b': 1, 'a': 2})", "['b', 'a']");
    same("tuple([None] * 2)", "None, None");
    same("tuple(b'ab')", "97, 98");
    same("list((MISSING,))", "[MISSING]");
}

#[test]
fn strings_are_sorted_by_code_point() {
    same("sorted(('b', 'a', 'B', 'a'))", "['B', 'a', 'a', 'b']");
    same(
        "sorted(['\\U0001F600', '\\uffff', '\\u00e9'])",
        "['\\u00e9', '\\uffff', '\\U0001F600']",
    );
    same("sorted({'b', 'a', 'b'})", "['a', 'b']");
    same("sorted({'b': 1, 'a': 2})", "['a', 'b']");
    same("sorted('ba')", "['a', 'b']");
    dynamic("sorted([1, 2])", "[1, 2]");
    dynamic("sorted([MISSING, 'a'])", "[MISSING, 'a']");
    dynamic(
        "sorted(('a',), reverse=True)",
        "sorted(('a',), reverse=True)",
    );
    raises("sorted(3)");
}

#[test]
fn strings_are_joined() {
    same("' '.join(X._fields + ('y',))", "'x y'");
    same("', '.join(['a'])", "'a'");
    same("'-'.join('abc')", "'a-b-c'");
    same("' '.join([])", "''");
    same("' '.join({'a': 1, 'b': 2})", "'a b'");
    raises("' '.join(['a', 1])");
    raises("' '.join([b'a'])");
    raises("' '.join(None)");
    dynamic("' '.join([MISSING])", "[MISSING]");
    dynamic("' '.join({'a', 'b'})", "{'a', 'b'}");
    dynamic("x.join(['a'])", "x");
    dynamic("b' '.join([b'a'])", "b' '.join([b'a'])");
    dynamic("' '.join(['a'], 2)", "' '.join(['a'], 2)");
    dynamic(
        "('ab' * 5000).join('c' * 9000)",
        "('ab' * 5000).join('c' * 9000)",
    );
}

#[test]
fn formats_of_plain_conversions_are_filled() {
    same("'%s %s' % ('a', 'b')", "'a b'");
    same("'%s' % 'a'", "'a'");
    same("'%s%%' % 1", "'1%'");
    same("'100%%' % ()", "'100%'");
    same("'%s%s%s' % (None, True, -5)", "'NoneTrue-5'");
    same("'%s' % ('a',) * 2", "'aa'");
    raises("'%%s' % 'a'");
    raises("'%s' % ('a', 'b')");
    raises("'%s %s' % 'a'");
    raises("'%s' % ()");
    raises("'a' % 1");
}

#[test]
fn other_formats_are_not_computed() {
    for source in [
        "'%d' % 1",
        "'%-5s' % 'a'",
        "'%(a)s' % {'a': 1}",
        "'%s' % []",
        "'a' % {}",
        "'a' % b''",
        "'%s' % ((),)",
        "'%s' % 1.5",
        "'%s %' % ('a',)",
        "'%s' % MISSING",
        "'%s' % (MISSING,)",
        "b'%s' % b'a'",
    ] {
        dynamic(source, source);
    }
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
