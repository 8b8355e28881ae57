//! Behaviours of the model, binding kind by binding kind and scope rule by scope rule.

use rustpython_ast::AnyNodeRef;

use super::*;
use crate::python::parse::parse;

fn with_model<T>(text: &str, look: impl FnOnce(&Nodes<'_>, &SemanticModel) -> T) -> T {
    let parsed = parse(text).unwrap();
    let nodes = Nodes::build(parsed.syntax());
    look(&nodes, &SemanticModel::build(&nodes))
}

/// A scope's name for people: `module`, a definition's name, or what it is.
fn label(nodes: &Nodes<'_>, model: &SemanticModel, scope: ScopeId) -> String {
    match nodes.get(model.scope(scope).node) {
        AnyNodeRef::StmtFunctionDef(def) => def.name.to_string(),
        AnyNodeRef::StmtClassDef(class) => class.name.to_string(),
        _ => format!("{:?}", model.scope(scope).kind).to_lowercase(),
    }
}

/// Each binding of `name`: its kind and owner, and where it is made when that is another scope.
fn bindings(text: &str, name: &str) -> Vec<String> {
    with_model(text, |nodes, model| {
        let found = model
            .bindings()
            .filter(|(_, binding)| *binding.name == *name);
        let described = found.map(|(id, binding)| {
            assert_eq!(model.binding_at(binding.node), Some(id));
            assert!(model.bindings_of(binding.scope, name).contains(&id));
            let owner = label(nodes, model, binding.scope);
            let source = match &binding.kind {
                BindingKind::Import(source) => format!("Import {source}"),
                BindingKind::FromImport(source) => format!("FromImport {source}"),
                kind => format!("{kind:?}"),
            };
            if binding.scope == binding.bound_in {
                format!("{source} in {owner}")
            } else {
                let from = label(nodes, model, binding.bound_in);
                format!("{source} in {owner} from {from}")
            }
        });
        described.collect()
    })
}

/// The owner of the name for each reference to it, `-` where there is none.
fn reads(text: &str, name: &str) -> Vec<String> {
    with_model(text, |nodes, model| {
        let found = model
            .references()
            .filter(|(_, reference)| *reference.name == *name);
        let described = found.map(|(id, reference)| {
            assert_eq!(model.reference_at(reference.node), Some(id));
            assert_eq!(model.scope_of(reference.node), reference.scope);
            match reference.resolution {
                Resolution::Scope(owner) => {
                    assert!(model.references_to(owner, name).contains(&id));
                    label(nodes, model, owner)
                }
                Resolution::Unresolved => {
                    assert!(model.unresolved_references(name).contains(&id));
                    "-".to_owned()
                }
            }
        });
        described.collect()
    })
}

#[test]
fn each_statement_binds_in_its_own_way() {
    let cases = [
        ("x = 1", "Assignment in module"),
        ("(a, [*x]) = b = y", "Assignment in module"),
        ("x += 1", "AugmentedAssignment in module"),
        ("x: int = 1", "AnnotatedAssignment in module"),
        ("x: int", "Annotation in module"),
        ("(x := 1)", "NamedExpression in module"),
        ("for x, y in z: pass", "For in module"),
        ("with y as (x, z): pass", "With in module"),
        ("try: pass\nexcept E as x: pass", "ExceptHandler in module"),
        ("def x(): pass", "FunctionDefinition in module"),
        ("async def x(): pass", "FunctionDefinition in module"),
        ("class x: pass", "ClassDefinition in module"),
        ("del x", "Deletion in module"),
        ("type x = int", "TypeAlias in module"),
        ("[x for x in y]", "Comprehension in comprehension"),
        ("lambda x: 1", "Parameter in lambda"),
        ("def f(*x): pass", "Parameter in f"),
        ("def f(a, /, b=1, *, x=2, **c): pass", "Parameter in f"),
        ("def f[x](): pass", "TypeParameter in typeparameters"),
        ("class C[*x]: pass", "TypeParameter in typeparameters"),
        ("type A[**x] = int", "TypeParameter in typeparameters"),
    ];
    for (text, expected) in cases {
        assert_eq!(bindings(text, "x"), [expected], "{text}");
    }
}

#[test]
fn imports_bind_what_they_stand_for() {
    let cases = [
        ("import x", "Import x in module"),
        ("import x.y.z", "Import x in module"),
        ("import a.b as x", "Import a.b in module"),
        ("from a.b import x", "FromImport a.b.x in module"),
        ("from a import b as x", "FromImport a.b in module"),
        ("from . import x", "FromImport .x in module"),
        ("from ..a import x", "FromImport ..a.x in module"),
    ];
    for (text, expected) in cases {
        assert_eq!(bindings(text, "x"), [expected], "{text}");
    }
}

#[test]
fn the_range_of_an_import_without_as_is_its_first_component() {
    with_model("import ab.c", |_, model| {
        let (_, binding) = model.bindings().next().unwrap();
        assert_eq!(binding.range.len(), 2.into());
    });
}

#[test]
fn match_patterns_capture_names() {
    let text = "match m:\n case [x, *y]: pass\n case {'k': z, **w}: pass\n case C(a, b=c): pass\n case 1 as d: pass\n case _: pass\n";
    for name in ["x", "y", "z", "w", "a", "c", "d"] {
        assert_eq!(bindings(text, name), ["MatchCapture in module"], "{name}");
    }
    for name in ["b", "_", "C"] {
        assert!(bindings(text, name).is_empty(), "{name}");
    }
    assert_eq!(reads(text, "C"), ["-"]);
}

#[test]
fn a_parenthesized_bare_annotation_binds_nothing() {
    assert!(bindings("(x): int", "x").is_empty());
    assert_eq!(bindings("x.y: int = 1", "x"), Vec::<String>::new());
}

#[test]
fn a_star_import_marks_its_scope() {
    with_model("from a import *", |_, model| {
        assert!(model.scope(ScopeId::MODULE).has_star_import);
        assert_eq!(model.bindings().count(), 0);
    });
}

#[test]
fn augmented_targets_and_deletions_are_references_too() {
    for (text, context) in [
        ("x += 1", ReferenceContext::AugmentedLoad),
        ("del (x, y)", ReferenceContext::Delete),
        ("x[0] += 1", ReferenceContext::Load),
        ("del x.y", ReferenceContext::Load),
    ] {
        with_model(text, |_, model| {
            let (_, reference) = model.references().next().unwrap();
            assert_eq!(reference.context, context, "{text}");
        });
    }
}

#[test]
fn a_name_bound_anywhere_in_a_function_is_local_to_all_of_it() {
    assert_eq!(reads("x = 1\ndef f():\n print(x)\n x = 2", "x"), ["f"]);
    assert_eq!(reads("x = 1\ndef f():\n print(x)\n x: int", "x"), ["f"]);
    assert_eq!(reads("x = 1\ndef f():\n del x", "x"), ["f"]);
}

#[test]
fn functions_see_the_functions_around_them_but_not_classes() {
    let text = "x = 1\ndef f():\n x = 2\n class C:\n  x = 3\n  x\n  def g(self): return x\n";
    assert_eq!(reads(text, "x"), ["C", "f"]);
    assert_eq!(reads("class C:\n x = 1\n def f(self): x\n", "x"), ["-"]);
    assert_eq!(reads("class C:\n x = 1\n [x for _ in y]\n", "x"), ["-"]);
}

#[test]
fn global_sends_bindings_and_reads_to_the_module() {
    let text = "def f():\n x = 0\n def g():\n  global x\n  x = 1\n  x\n  lambda: x\n";
    assert_eq!(
        bindings(text, "x"),
        ["Assignment in f", "Assignment in module from g"]
    );
    assert_eq!(reads(text, "x"), ["module", "module"]);
    assert_eq!(reads("def f():\n global x\n x\n", "x"), ["-"]);
    with_model(text, |_, model| {
        let (g, _) = model.scopes().nth(2).unwrap();
        assert!(model.is_declared_global(g, "x"));
        assert!(!model.is_declared_nonlocal(g, "x"));
        assert_eq!(
            model.declarations(g).collect::<Vec<_>>(),
            [("x", Declaration::Global)]
        );
    });
}

#[test]
fn a_global_declaration_in_a_class_does_not_reach_its_methods() {
    let text = "def f():\n x = 0\n class C:\n  global x\n  x = 1\n  def m(self): x\n";
    assert_eq!(reads(text, "x"), ["f"]);
}

#[test]
fn nonlocal_sends_bindings_and_reads_through_functions() {
    let text = "x = 0\ndef f():\n x = 1\n def g():\n  nonlocal x\n  def h():\n   nonlocal x\n   x = 2\n   x\n";
    assert_eq!(
        bindings(text, "x"),
        [
            "Assignment in module",
            "Assignment in f",
            "Assignment in f from h"
        ]
    );
    assert_eq!(reads(text, "x"), ["f"]);
}

#[test]
fn a_named_expression_in_a_comprehension_binds_around_it() {
    let text = "def f():\n [[(x := y) for a in b] for c in d]\n x\n";
    assert_eq!(
        bindings(text, "x"),
        ["NamedExpression in f from comprehension"]
    );
    assert_eq!(reads(text, "x"), ["f"]);
    assert_eq!(
        bindings("def f():\n global x\n [x := 1 for _ in y]\n", "x"),
        ["NamedExpression in module from comprehension"]
    );
    assert_eq!(
        bindings("[lambda: (x := 1) for _ in y]", "x"),
        ["NamedExpression in lambda"]
    );
}

#[test]
fn the_first_iterable_alone_is_evaluated_around_a_comprehension() {
    let text = "class C:\n x = 1\n [x for x in x for y in x if x]\n";
    assert_eq!(
        reads(text, "x"),
        ["comprehension", "C", "comprehension", "comprehension"]
    );
    assert_eq!(
        reads("{x: 1 for x in [x for x in x]}", "x"),
        ["comprehension", "comprehension", "-"]
    );
}

#[test]
fn decorators_defaults_and_annotations_are_evaluated_around_a_function() {
    let text = "class C:\n x = 1\n @x\n def f(x=x, *, y: x=x, **z: x) -> x:\n  x\n";
    assert_eq!(reads(text, "x"), ["C", "C", "C", "C", "C", "C", "f"]);
    assert_eq!(reads("x = 1\nlambda x=x: x", "x"), ["module", "lambda"]);
}

#[test]
fn bases_and_keywords_are_evaluated_around_a_class() {
    let text = "x = 1\n@x\nclass C(x, metaclass=x):\n x = x\n";
    assert_eq!(reads(text, "x"), ["module", "module", "module", "C"]);
}

#[test]
fn type_parameters_scope_annotations_and_bases_but_not_decorators_and_defaults() {
    let text = "T = 1\n@T\ndef f[T](a: T = T) -> T: T\n";
    let inner = "typeparameters";
    assert_eq!(reads(text, "T"), ["module", inner, "module", inner, inner]);
    let text = "T = 1\n@T\nclass C[T](T, k=T):\n T\n def m(self): T\n";
    assert_eq!(reads(text, "T"), ["module", inner, inner, inner, inner]);
    assert_eq!(
        reads("type A[T, U: T = T] = T\nT", "T"),
        [inner, inner, inner, "-"]
    );
}

#[test]
fn type_parameter_scopes_see_the_class_they_stand_in() {
    let text = "class C:\n X = 1\n def f[T: X](self, a: X): X\n type A = X\n class D[T](X): X\n";
    assert_eq!(reads(text, "X"), ["C", "C", "-", "C", "C", "-"]);
}

#[test]
fn private_names_are_mangled_with_the_innermost_class() {
    let text = "class __C:\n def f(self, __x):\n  import __m.n\n  from a import __i\n  __x, __y__\n  self.__attr\n";
    assert_eq!(bindings(text, "_C__x"), ["Parameter in f"]);
    assert_eq!(bindings(text, "_C__m"), ["Import __m in f"]);
    assert_eq!(bindings(text, "_C__i"), ["FromImport a.__i in f"]);
    assert_eq!(reads(text, "_C__x"), ["f"]);
    assert_eq!(reads(text, "__y__"), ["-"]);
    with_model(text, |_, model| {
        assert!(model.names_of(ScopeId::MODULE).eq(["__C"]));
        let (f, _) = model.scopes().nth(2).unwrap();
        assert_eq!(model.resolve(f, "__x"), Resolution::Scope(f));
        assert_eq!(model.mangled(f, "__x"), "_C__x");
    });
}

#[test]
fn classes_of_underscores_alone_mangle_nothing() {
    assert_eq!(bindings("class __:\n __x = 1", "__x"), ["Assignment in __"]);
    assert_eq!(
        bindings("class A:\n class __:\n  __x = 1", "__x"),
        ["Assignment in __"]
    );
}

#[test]
fn decorators_and_bases_are_mangled_by_the_class_around() {
    let text = "class A:\n @__d\n class B(__b): __c\n";
    assert_eq!(reads(text, "_A__d"), ["-"]);
    assert_eq!(reads(text, "_A__b"), ["-"]);
    assert_eq!(reads(text, "_B__c"), ["-"]);
}

#[test]
fn the_implicit_class_cell_is_no_module_name() {
    let text = "__class__ = 1\nclass C:\n def f(self): __class__\n";
    assert_eq!(reads(text, "__class__"), ["-"]);
    assert_eq!(
        reads("__class__ = 1\ndef f(): __class__\n", "__class__"),
        ["module"]
    );
}

#[test]
fn names_in_f_strings_and_format_specs_are_references() {
    let text = "def f(x):\n return f'{x!r:{x}} {(lambda: x)}'\n";
    assert_eq!(reads(text, "x"), ["f", "f", "f"]);
}

#[test]
fn names_compare_in_normal_form() {
    assert_eq!(reads("ﬁ = 1\nfi", "fi"), ["module"]);
}

#[test]
fn scopes_nest_up_to_the_module() {
    let text = "def f():\n class C:\n  lambda: [x for x in y]\n";
    with_model(text, |nodes, model| {
        let comprehension = model.scopes().last().unwrap().0;
        let labels: Vec<_> = model
            .enclosing_scopes(comprehension)
            .map(|scope| label(nodes, model, scope))
            .collect();
        assert_eq!(labels, ["comprehension", "lambda", "C", "f", "module"]);
        let node = model.scope(comprehension).node;
        assert_eq!(model.scope_opened_by(node), Some(comprehension));
    });
}
