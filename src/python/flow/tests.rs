//! What each place in a module says about the name `X` that stands in it.

use super::*;
use crate::python::parse::parse;

/// The answer of `ask` for the name `X` in `text`.
#[track_caller]
fn at_x<T>(text: &str, ask: impl Fn(&Nodes<'_>, NodeId) -> T) -> T {
    let module = parse(text).unwrap();
    let nodes = Nodes::build(module.syntax());
    ask(&nodes, named(&nodes, "X"))
}

#[track_caller]
fn named(nodes: &Nodes<'_>, wanted: &str) -> NodeId {
    nodes
        .ids()
        .find(
            |id| matches!(nodes.get(*id), AnyNodeRef::ExprName(name) if name.id.as_str() == wanted),
        )
        .unwrap()
}

#[track_caller]
fn reason(text: &str) -> Option<PerCall> {
    at_x(text, per_call)
}

#[test]
fn code_of_the_module_and_its_classes_runs_once() {
    for text in [
        "X\n",
        "class A:\n  class B(X): pass\n",
        "class A:\n  X\n",
        "@X\ndef f(): pass\n",
        "def f(a=X): pass\n",
        "def f(a: X, *b: int) -> int: pass\n",
        "def f() -> X: pass\n",
        "def f[T: X](): pass\n",
        "class A[T: X]: pass\n",
        "@X\nclass A: pass\n",
        "class A(metaclass=X): pass\n",
        "lambda a=X: a\n",
        "[a for a in X]\n",
        "{a: a for a in X() if a}\n",
        "(a for a in [b for b in X])\n",
        "for a in X: pass\n",
        "for a in b: pass\nelse: X\n",
        "while a: pass\nelse: X\n",
        "if a: X\n",
        "with X: pass\n",
        "try: X\nfinally: pass\n",
    ] {
        assert_eq!(reason(text), None, "{text}");
    }
}

#[test]
fn the_nearest_repetition_is_the_reason() {
    let cases = [
        ("lambda: X\n", PerCall::Lambda),
        ("lambda: (lambda a=X: a)\n", PerCall::Lambda),
        ("[X for a in b]\n", PerCall::Comprehension),
        ("{X: 1 for a in b}\n", PerCall::Comprehension),
        ("[a for a in b if X]\n", PerCall::Comprehension),
        ("{a for a in b for c in X}\n", PerCall::Comprehension),
        ("(X for a in b)\n", PerCall::Generator),
        ("([a for a in X] for b in c)\n", PerCall::Generator),
        ("for a in b: X\n", PerCall::Loop),
        ("for X[0] in b: pass\n", PerCall::Loop),
        ("while a: X\n", PerCall::Loop),
        ("while X: pass\n", PerCall::WhileTest),
        ("for a in b:\n  def f(c=X): pass\n", PerCall::Loop),
        ("while a:\n  for b in X: pass\n", PerCall::Loop),
        ("while a:\n  class B(X): pass\n", PerCall::Loop),
    ];
    for (text, expected) in cases {
        assert_eq!(reason(text), Some(expected), "{text}");
    }
    for text in [
        "def f(): X\n",
        "async def f():\n  class A:\n    X\n",
        "def f():\n  def g(a=X): pass\n",
        "def f():\n  for a in X: pass\n",
        "def f():\n  return [a for a in X]\n",
    ] {
        assert!(
            matches!(reason(text), Some(PerCall::Function { .. })),
            "{text}"
        );
    }
}

#[test]
fn type_checkers_alone_see_what_type_checking_guards() {
    for text in [
        "if TYPE_CHECKING: X\n",
        "if typing.TYPE_CHECKING:\n  def f(): X\n",
        "if a and TYPE_CHECKING: X\n",
        "if a: pass\nelif TYPE_CHECKING: X\n",
        "if not TYPE_CHECKING: pass\nelse: X\n",
        "if not TYPE_CHECKING: pass\nelif a: X\n",
        "if a: pass\nelif not TYPE_CHECKING: pass\nelse: X\n",
    ] {
        assert!(at_x(text, under_type_checking), "{text}");
    }
    for text in [
        "if TYPE_CHECKING: pass\nelse: X\n",
        "if TYPE_CHECKING: pass\nelif a: X\n",
        "if not TYPE_CHECKING: X\n",
        "if not TYPE_CHECKING and X: pass\n",
        "if a or TYPE_CHECKING: X\n",
        "if TYPE_CHECKING: pass\nX\n",
        "if a: X\nelif not TYPE_CHECKING: pass\n",
        "if a: pass\nelif not TYPE_CHECKING: X\n",
    ] {
        assert!(!at_x(text, under_type_checking), "{text}");
    }
}

#[test]
fn every_statement_but_the_module_has_a_suite() {
    let text = "\
class A:
  def f(self):
    for a in b: pass
    else: pass
    while a: pass
    else: pass
    if a: pass
    elif b: pass
    else: pass
    with a: pass
    match a:
      case b: pass
    try: pass
    except a: pass
    else: pass
    finally: pass
";
    let module = parse(text).unwrap();
    let nodes = Nodes::build(module.syntax());
    let statements: Vec<NodeId> = nodes
        .ids()
        .filter(|id| nodes.get(*id).is_statement())
        .collect();
    assert_eq!(statements.len(), 8 + 13);
    for stmt in statements {
        let (suite, at) = suite_of(&nodes, stmt).unwrap();
        assert_eq!(nodes.id(&suite[at]), stmt);
    }
    assert!(suite_of(&nodes, NodeId::MODULE).is_none());
}

#[test]
fn a_statement_dominates_what_follows_in_its_suite() {
    let dominated = |text: &str| {
        at_x(text, |nodes, other| {
            dominates(nodes, nodes.statement(named(nodes, "Y")), other)
        })
    };
    for text in [
        "def f():\n  Y = 1\n  X\n",
        "def f():\n  Y = 1\n  a\n  if a:\n    for b in c: X\n",
        "def f():\n  Y = 1\n  def g(): return X\n",
        "if a:\n  Y = 1\n  lambda: X\n",
    ] {
        assert!(dominated(text), "{text}");
    }
    for text in [
        "Y = X\n",
        "X\nY = 1\n",
        "if a:\n  Y = 1\nX\n",
        "if a: Y = 1\nelse: X\n",
        "def f():\n  def g(): X\n  Y = 1\n  a\n",
        "try:\n  Y = 1\n  a\nexcept b: X\n",
        "for a in b:\n  X\n  Y = 1\n  c\n",
    ] {
        assert!(!dominated(text), "{text}");
    }
}

#[test]
fn the_enclosing_function_is_the_one_whose_body_holds_the_node() {
    let kind = |text| {
        at_x(text, |nodes, node| {
            enclosing_function(nodes, node).map(|function| nodes.get(function).is_statement())
        })
    };
    assert_eq!(kind("def f(): X\n"), Some(true));
    assert_eq!(
        kind("def f():\n  class A:\n    [X for a in b]\n"),
        Some(true)
    );
    assert_eq!(kind("def f(): return lambda: X\n"), Some(false));
    assert_eq!(kind("def f(): return lambda a=X: a\n"), Some(true));
    assert_eq!(kind("@X\ndef f(a=1): pass\n"), None);
}

#[test]
fn handlers_are_reached_from_the_try_body_alone() {
    let count = |text| at_x(text, |nodes, node| reachable_handlers(nodes, node).len());
    assert_eq!(count("try: X\nexcept a: pass\nexcept b: pass\n"), 2);
    assert_eq!(
        count("try:\n  try:\n    if a: X\n  except b: pass\nexcept c: pass\n"),
        2
    );
    assert_eq!(count("try:\n  def f(a=X): pass\nexcept b: pass\n"), 1);
    assert_eq!(count("try:\n  def f(): X\nexcept b: pass\n"), 0);
    assert_eq!(count("try: pass\nexcept a: X\n"), 0);
    assert_eq!(count("try: pass\nexcept a: pass\nelse: X\n"), 0);
    assert_eq!(count("try: pass\nexcept a: pass\nfinally: X\n"), 0);
    assert_eq!(count("try: X\nfinally: pass\n"), 0);
}

#[test]
fn annotations_are_those_of_parameters_returns_and_variables() {
    for text in [
        "def f(a: X): pass\n",
        "def f(*, a: list[X] = 1): pass\n",
        "def f() -> X | None: pass\n",
        "a: X\n",
        "a: list[X] = 1\n",
    ] {
        assert!(at_x(text, is_annotation), "{text}");
    }
    for text in [
        "def f(a=X): pass\n",
        "def f(a: b) -> c: X\n",
        "a: b = X\n",
        "X: a = b\n",
        "@X\ndef f(): pass\n",
    ] {
        assert!(!at_x(text, is_annotation), "{text}");
    }
}

#[test]
fn source_is_visible_in_debug_fields_and_template_strings() {
    for text in [
        "f'{X=}'\n",
        "f'{X(1).a = }'\n",
        "f'{f\"{X}\"=}'\n",
        "t'{X}'\n",
    ] {
        assert!(at_x(text, in_visible_source), "{text}");
    }
    for text in ["f'{X}'\n", "f'{a=}{X}'\n", "'=', X\n", "f'{a == X}'\n"] {
        assert!(!at_x(text, in_visible_source), "{text}");
    }
}
