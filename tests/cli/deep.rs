//! Deep Python: what CPython compiles is checked, and nothing overflows the stack.

use crate::project::Project;

const SITE: &str = r#"from collections import namedtuple
def site(v):
    P = namedtuple("P", "x")
    return P(v)
"#;

/// Functions that CPython 3.11 or 3.13 compiles, each as deep as its kind may be or deeper.
fn functions() -> Vec<(&'static str, String)> {
    let returns = |value: String| format!("def f(a):\n    return {value}\n");
    let chain = |count: usize, part: &str| returns(format!("a{}", part.repeat(count)));
    let before = |count: usize, part: &str| returns(format!("{}a", part.repeat(count)));
    let elifs = "    elif a:\n        return\n".repeat(1_500);
    let nested = |header: &str| -> String {
        let lines = (0..98).map(|depth| format!("{}{header}\n", " ".repeat(depth)));
        lines.collect::<String>() + &" ".repeat(98) + "pass\n"
    };
    vec![
        ("sum", chain(6_000, " + a")),
        ("power", chain(5_000, " ** a")),
        ("attributes", chain(5_000, ".b")),
        ("calls", chain(5_000, "()")),
        ("methods", chain(5_000, ".m(a)")),
        ("items", chain(5_000, "[0]")),
        ("not", before(5_000, "not ")),
        ("minus", before(5_000, "-")),
        ("conditions", before(3_000, "a if a else ")),
        ("lambdas", before(3_000, "lambda: ")),
        (
            "parentheses",
            returns(format!("{}a{}", "(".repeat(199), ")".repeat(199))),
        ),
        ("strings", returns(vec!["'a'"; 10_000].join(" + "))),
        (
            "elif",
            format!("def f(a):\n    if a:\n        return\n{elifs}"),
        ),
        ("comparisons", chain(5_000, " < a")),
        ("and", chain(5_000, " and a")),
        ("matrices", chain(5_000, " @ a")),
        (
            "subscripts",
            returns(format!("{}0{}", "a[".repeat(150), "]".repeat(150))),
        ),
        (
            "sets",
            returns(format!("{}{{}}{}", "{(".repeat(90), ",)}".repeat(90))),
        ),
        (
            "f_strings",
            returns(format!("{}1{}", "f'{".repeat(149), "}'".repeat(149))),
        ),
        (
            "f_string_formats",
            returns(format!("f'{}{}'", "{1:".repeat(2), "}".repeat(2))),
        ),
        (
            "walruses",
            returns(format!("{}1{}", "(a:=".repeat(150), ")".repeat(150))),
        ),
        (
            "loops",
            returns(format!("[a{}]", " for i in a".repeat(3_000))),
        ),
        ("stars", returns(format!("[{}]", "*a,".repeat(5_000)))),
        (
            "decorators",
            format!("{}def f(a): pass\n", "@site\n".repeat(5_000)),
        ),
        (
            "alternatives",
            format!(
                "def f(a):\n    match a:\n        case {}1: pass\n",
                "1 | ".repeat(5_000)
            ),
        ),
        (
            "patterns",
            format!(
                "def f(a):\n    match a:\n        case {}{}: pass\n",
                "[".repeat(150),
                "]".repeat(150)
            ),
        ),
        (
            "class_patterns",
            format!(
                "def f(a):\n    match a:\n        case {}a{}: pass\n",
                "A(".repeat(150),
                ")".repeat(150)
            ),
        ),
        (
            "type_bounds",
            format!(
                "def f[T: {}int{}](a): pass\n",
                "(".repeat(150),
                ")".repeat(150)
            ),
        ),
        (
            "type_alias",
            format!("type X = {}int{}\n", "list[".repeat(150), "]".repeat(150)),
        ),
        (
            "with_items",
            format!("def f(a):\n    with {}a: pass\n", "a, ".repeat(18)),
        ),
        (
            "targets",
            format!("def f(a):\n    {}a\n", "x = ".repeat(3_000)),
        ),
        (
            "handlers",
            format!(
                "def f(a):\n    try: pass\n{}",
                "    except a: pass\n".repeat(3_000)
            ),
        ),
        ("dotted_import", format!("import a{}\n", ".a".repeat(5_000))),
        ("functions", nested("def g():")),
        ("classes", nested("class G:")),
        ("blocks", nested("if 1:")),
        ("limit", chain(19_900, " + a")),
        ("conditions_limit", before(19_900, "a if a else ")),
        ("lambdas_limit", before(19_900, "lambda: ")),
    ]
}

#[test]
fn what_cpython_compiles_is_checked() {
    let project = Project::with(&[]);
    let functions = functions();
    for (name, function) in &functions {
        project.put(
            &format!("{name}.py"),
            format!("{SITE}{function}").as_bytes(),
        );
    }
    let ran = project.run(&["--fix"]);
    let count = functions.len();
    let summary = format!("Found {count} findings in {count} of {count} files.\n  {count} fixed\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), summary.as_str()));
}

#[test]
fn what_is_deeper_than_cpython_takes_is_refused() {
    let project = Project::with(&[("good.py", SITE.as_bytes())]);
    for part in [" + a", ".b", "()", " ** a", " if a else a"] {
        let text = format!("{SITE}x = a{}\n", part.repeat(1_000_000));
        project.put("deep.py", text.as_bytes());
        let ran = project.run(&["-q", "--output-format", "concise"]);
        ran.fails_with(&["deep.py:5:", "error: expression nested too deeply"]);
        assert!(ran.stdout.starts_with("good.py:3:"), "{ran:?}");
    }
}
