//! What each further factory makes of its arguments; `p` is a parameter, other names are constants.

use rustpython_ast::{Expr, ExprAttribute, ExprName};

use super::*;
use crate::python::constant::Meaning;
use crate::rule::registry;

struct Known;

impl Names for Known {
    fn meaning(&self, name: &ExprName) -> Meaning {
        match name.id.as_str() {
            "p" => Meaning::Dynamic("`p` is a parameter".to_owned()),
            _ => Meaning::Opaque,
        }
    }

    fn attribute(&self, _attribute: &ExprAttribute) -> Meaning {
        Meaning::Dynamic("it is an attribute".to_owned())
    }

    fn is_builtin(&self, name: &ExprName) -> bool {
        ["int", "str", "object", "list"].contains(&name.id.as_str())
    }

    fn standard_name(&self, expr: &Expr) -> Option<String> {
        let name = expr.as_name_expr()?;
        let module = if self.is_builtin(name) {
            "builtins"
        } else {
            "typing"
        };
        Some(format!("{module}.{}", name.id))
    }
}

/// The word for what is judged of the call: `valid`, `raises`, `dynamic` or a reason.
#[track_caller]
fn word(factory: &str, arguments: &str) -> &'static str {
    let module = crate::python::parse::parse(&format!("f({arguments})")).unwrap();
    let call = &module.syntax().body[0].as_expr_stmt().unwrap().value;
    let mut factories = registry().unwrap().factories();
    let factory = factories.find(|known| known.name == factory).unwrap();
    match judge(call.as_call_expr().unwrap(), factory, &Known).verdict {
        Verdict::Valid(_) => "valid",
        Verdict::Raises(_) => "raises",
        Verdict::Dynamic { .. } => "dynamic",
        Verdict::Invisible => "invisible",
        Verdict::Refused(reason) => reason.code(),
    }
}

#[track_caller]
fn assert_words(factory: &str, table: &[(&str, &str)]) {
    let words: Vec<_> = table
        .iter()
        .map(|(call, _)| (*call, word(factory, call)))
        .collect();
    assert_eq!(words, table, "{factory}");
}

#[test]
fn a_typing_namedtuple_takes_pairs_of_names_and_types() {
    assert_words(
        "typing.NamedTuple",
        &[
            ("'P', [('x', int), ('y', 'List[int]')]", "valid"),
            ("'P', (('x', Optional[int]),)", "valid"),
            ("'P', []", "valid"),
            ("'P', [('x', int | None)]", "valid"),
            ("'P', [('x', None | None)]", "argument-not-constant"),
            ("'P', [('x', Optional)]", "argument-not-constant"),
            ("'P', [('x', int[str])]", "argument-not-constant"),
            ("'P', [('x', Dict[str])]", "argument-not-constant"),
            ("'P', [('x', 1)]", "argument-not-understood"),
            ("'P', [('x', '*a')]", "argument-not-understood"),
            ("'P', 'x y'", "argument-not-understood"),
            ("'P', None", "argument-not-understood"),
            ("'P'", "argument-not-understood"),
            ("'P', x=int", "keyword-fields"),
            ("'P', x=p", "dynamic"),
            ("typename='P', fields=[('x', int)]", "keyword-fields"),
            ("'P', [('x', p)]", "dynamic"),
            ("'P', [('_x', int)]", "raises"),
            ("'P', [('x', int), ('x', int)]", "raises"),
            ("'class', [('x', int)]", "raises"),
        ],
    );
}

#[test]
fn a_typed_dict_takes_any_keys() {
    assert_words(
        "typing.TypedDict",
        &[
            ("'P', {'in': int, 'x-y': int}, total=False", "valid"),
            ("'P', {}", "valid"),
            ("'P', {'x': int}, total=1", "argument-not-understood"),
            ("'P', {1: int}", "argument-not-understood"),
            ("'P', [('x', int)]", "argument-not-understood"),
            ("'P', {'x': int}, closed=True", "argument-not-understood"),
            ("'P', {'x': int}, closed=p", "dynamic"),
            ("'P', {p: int}", "dynamic"),
            ("total=False", "raises"),
        ],
    );
}

#[test]
fn an_enum_takes_members_that_it_treats_alike_on_every_python() {
    assert_words(
        "enum.Enum",
        &[
            ("'P', 'a b'", "valid"),
            ("'P', ['a', 'b']", "valid"),
            ("'P', {'a': 1, 'b': 'x'}", "valid"),
            ("'P', [('a', 1), ['b', 2]]", "valid"),
            ("'P', [('a', 1), 'b']", "argument-not-understood"),
            ("'P', '_a'", "argument-not-understood"),
            ("'P', 'name'", "argument-not-understood"),
            ("'P', {'a': len}", "argument-not-understood"),
            ("'P', 'a', start=2", "argument-not-understood"),
            ("'P', 'a', 1", "argument-not-understood"),
            ("'P', {'a': []}", "value-made-anew"),
            ("'P', {'a', 'b'}", "set-fields"),
            ("'P', 'mro'", "raises"),
            ("'P', 'a a'", "raises"),
            ("'P'", "raises"),
            ("'P', p", "dynamic"),
        ],
    );
    assert_words(
        "enum.IntEnum",
        &[
            ("'P', {'a': 1}", "valid"),
            ("'P', {'a': 'x'}", "argument-not-understood"),
        ],
    );
    assert_words(
        "enum.Flag",
        &[
            ("'P', {'a': 4}", "valid"),
            ("'P', {'a': 3}", "argument-not-understood"),
        ],
    );
}

#[test]
fn a_dataclass_takes_names_types_and_plain_options() {
    assert_words(
        "dataclasses.make_dataclass",
        &[
            ("'P', ['x', ('y', int), ('z', 'any text')]", "valid"),
            ("'a class', ['x'], frozen=True, repr=False", "valid"),
            ("'P', ['x'], namespace={'y': 1}", "valid"),
            ("'P', ['x'], namespace={'x': 1}", "argument-not-understood"),
            (
                "'P', ['x'], bases=(int,), slots=True",
                "argument-not-understood",
            ),
            ("'P', [('x', int, 1)]", "argument-not-understood"),
            ("'P', ['x'], eq=False", "argument-not-understood"),
            ("'P', ['x'], eq=p", "dynamic"),
            ("'P', ['x'], bases=(Base,)", "bases-run-code"),
            (
                "'P', ['x'], namespace={'f': lambda self: 1}",
                "value-made-anew",
            ),
            ("'P', ['x', 'x']", "raises"),
            ("'P', ['class']", "raises"),
            ("'P', ['x'], nothing=1", "raises"),
        ],
    );
}

#[test]
fn a_type_takes_plain_attributes_and_a_builtin_base() {
    assert_words(
        "type",
        &[
            ("'P', (), {}", "valid"),
            ("'P', (object,), {'x': 1, '__slots__': ()}", "valid"),
            ("'P', (), {'x': []}", "value-made-anew"),
            ("'P', (Base,), {}", "bases-run-code"),
            ("'P', (int, str), {}", "bases-run-code"),
            ("'P', (), {'__hash__': None}", "argument-not-understood"),
            ("'P', (), {}, metaclass=type", "argument-not-understood"),
            ("'P', (), p, metaclass=type", "dynamic"),
            ("'P', (), None", "argument-not-understood"),
            ("'a.b', (), {}", "argument-not-understood"),
            ("p, (), {}", "dynamic"),
            ("'P'", "raises"),
        ],
    );
}

#[test]
fn a_new_type_takes_any_name_and_a_type() {
    assert_words(
        "typing.NewType",
        &[
            ("'a name', int", "valid"),
            ("'P', List[int]", "valid"),
            ("'P', p", "dynamic"),
            ("'P'", "raises"),
        ],
    );
}

#[test]
fn an_attrs_class_takes_plain_names_alone() {
    assert_words(
        "attr.make_class",
        &[
            ("'P', ['x', 'y']", "valid"),
            ("'P', ('x',), slots=True", "valid"),
            ("'P', 'x y'", "argument-not-understood"),
            ("'P', {'x': 1}", "argument-not-understood"),
            ("'P', ['_x']", "argument-not-understood"),
            ("'P', ['self']", "argument-not-understood"),
            ("'P', ['x', 'x']", "argument-not-understood"),
            ("'P', ['x'], eq=False", "argument-not-understood"),
            ("'P', p", "dynamic"),
        ],
    );
}
