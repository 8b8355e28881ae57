//! What no CPython compiles because it nests too deeply; `deep.rs` has what some CPython compiles.

use super::*;

fn after_site(text: &str) -> String {
    format!("{SITE}{text}")
}

fn around(count: usize, open: &str, close: &str) -> String {
    after_site(&format!(
        "x = {}1{}\n",
        open.repeat(count),
        close.repeat(count)
    ))
}

fn before(count: usize, part: &str) -> String {
    after_site(&format!("x = {}1\n", part.repeat(count)))
}

/// Blocks inside each other, each with this header.
fn blocks(count: usize, header: &str) -> String {
    let lines = (0..count).map(|depth| format!("{}{header}\n", " ".repeat(depth)));
    after_site(&format!(
        "{}{}pass\n",
        lines.collect::<String>(),
        " ".repeat(count)
    ))
}

#[test]
fn more_than_two_hundred_brackets_are_refused() {
    let error = "error: too many nested parentheses";
    for (count, (open, close)) in [(201, ("(", ")")), (201, ("[", "]")), (100_000, ("{", "}"))] {
        no_python(&around(count, open, close), &format!("3:205: {error}"));
    }
    for open in ["(", "f(", "a[", "{1: "] {
        let text = around(5_000, open, "");
        let column = 5 + open.len() * 200 + open.find(['(', '[', '{']).unwrap();
        no_python(&text, &format!("3:{column}: {error}"));
    }
    no_python(
        &after_site(&format!(
            "match f:\n case {}a{}: pass\n",
            "[".repeat(201),
            "]".repeat(201)
        )),
        &format!("4:207: {error}"),
    );
    no_python(
        &after_site(&format!(
            "def g[T: {}a{}](): pass\n",
            "(".repeat(200),
            ")".repeat(200)
        )),
        &format!("3:209: {error}"),
    );
}

#[test]
fn a_hundred_and_fifty_f_strings_inside_each_other_are_refused() {
    no_python(
        &around(150, "f'{", "}'"),
        "3:453: error: too many nested f-strings",
    );
    let specs = after_site(&format!(
        "x = f\"{}{}\"\n",
        "{1:".repeat(5_000),
        "}".repeat(5_000)
    ));
    no_python(&specs, "3:607: error: too many nested parentheses");
}

#[test]
fn a_hundred_indentations_are_refused() {
    for header in [
        "if f:",
        "def g():",
        "class G:",
        "with f:",
        "for i in f:",
        "while f:",
    ] {
        let error = "103:101: error: too many levels of indentation";
        no_python(&blocks(101, header), error);
    }
}

#[test]
fn operators_that_no_compiler_can_nest_are_refused() {
    for (part, column) in [
        ("-", 20_005),
        ("~", 20_005),
        ("not ", 80_007),
        ("lambda: ", 160_010),
        ("1 + ", 80_007),
        ("1 ** ", 100_007),
        ("1 if f else ", 240_015),
    ] {
        let error = format!("3:{column}: error: expression nested too deeply");
        no_python(&before(21_000, part), &error);
    }
    for (part, column) in [(".b", 40_006), ("[0]", 60_006), ("()", 40_006)] {
        let text = after_site(&format!("x = a{}\n", part.repeat(21_000)));
        no_python(
            &text,
            &format!("3:{column}: error: expression nested too deeply"),
        );
    }
    let lines = after_site(&format!("x = 1 \\\n{}+ 1\n", "+ 1 \\\n".repeat(20_000)));
    no_python(&lines, "20004:1: error: expression nested too deeply");
}

#[test]
fn thousands_of_type_parameters_are_refused() {
    let names: Vec<String> = (0..=5_000).map(|number| format!("T{number}")).collect();
    let names = names.join(", ");
    for (text, column) in [
        (format!("def g[{names}](): pass\n"), 6),
        (format!("class G[{names}]: pass\n"), 8),
        (format!("type G[{names}] = int\n"), 7),
    ] {
        let error = format!("3:{column}: error: there are more than 5000 type parameters");
        no_python(&after_site(&text), &error);
    }
}
