//! `-v`: how each finding was decided, on standard error, whatever else is asked for.

use std::fs;
use std::path::Path;

use crate::project::{Project, Ran};

/// Fixtures that between them show every kind of line.
const SHOWN: [&str; 37] = [
    "applicability/hoist_class_returned",
    "applicability/hoist_yielded_class_in_for",
    "constants/hoist_docstrings",
    "constants/hoist_fields_of_module_class",
    "constants/hoist_local_literal",
    "constants/hoist_name_hoisted_with_it",
    "constants/skip_module_list",
    "dynamic/skip_bound_and_used_once",
    "escapes/hoist_annotations",
    "escapes/hoist_stored_on_self",
    "escapes/skip_type_comparison",
    "imports/hoist_import_already_at_the_top",
    "imports/hoist_import_comes_up",
    "insertion/hoist_after_late_constant",
    "insertion/skip_call_before_late_import",
    "merging/hoist_reuses_existing_definition",
    "merging/hoist_three_sites_in_methods",
    "model_patcher/hoist_model_patcher",
    "names/hoist_alias_by_assignment",
    "names/hoist_star_import",
    "naming/hoist_bound_between_use_and_module",
    "naming/hoist_name_read_by_subscript_of_globals",
    "naming/hoist_name_read_in_class_body",
    "naming/hoist_second_definition",
    "naming/hoist_typename_taken",
    "rewrite/hoist_binding_visible_in_locals",
    "rewrite/hoist_chained_targets",
    "rewrite/hoist_conditional_binding",
    "skip_reasons/skip_class_as_namespace",
    "skip_reasons/skip_class_reached_through_instance",
    "skip_reasons/skip_class_written",
    "skip_reasons/skip_factory_patched",
    "skip_reasons/skip_inside_try",
    "skip_reasons/skip_layout_not_editable",
    "skip_reasons/skip_module_enumerates_names",
    "skip_reasons/skip_no_free_name",
    "skip_reasons/skip_source_shipped",
];

const TWO: &str = r#"from collections import namedtuple


def size(width):
    Size = namedtuple("Size", "width")
    return Size(width)


def pair():
    return namedtuple("Pair", "x y")
"#;

#[test]
fn the_trace_tells_every_decision() {
    for name in SHOWN {
        let path = root().join(format!("fixtures/{name}.py"));
        let project = Project::with(&[("m.py", &fs::read(path).unwrap())]);
        let ran = project.run(&["-v", "--isolated", "m.py"]);
        let name = name.split_once('/').unwrap().1;
        insta::assert_snapshot!(name, ran.stderr);
    }
}

#[test]
fn the_trace_is_the_same_with_every_format_and_mode() {
    let expected = trace(&["-v"]);
    assert!(
        expected.starts_with("m.py:5:12: HNT001\n  call: "),
        "{expected}"
    );
    assert_eq!(expected.matches("\nm.py:10:12: HNT001\n").count(), 1);
    for format in ["full", "concise", "json", "github"] {
        for mode in [None, Some("--diff"), Some("--fix"), Some("--exit-zero")] {
            let mut args = vec!["-v", "--output-format", format];
            args.extend(mode);
            assert_eq!(trace(&args), expected, "{args:?}");
        }
    }
    let stdin = Project::with(&[])
        .command()
        .args(["-v", "--fix", "--stdin-filename", "m.py", "-"])
        .write_stdin(TWO)
        .output()
        .unwrap();
    assert_eq!(trace_of(&Ran::of(stdin)), expected);
}

#[test]
fn proofs_of_unsafe_fixes_are_told_when_they_are_asked_for() {
    let trace = trace(&["-v", "--unsafe-fixes"]);
    assert!(!trace.contains("not run"), "{trace}");
    assert_eq!(trace.matches("` passed: ").count(), 14, "{trace}");
}

#[test]
fn nothing_is_traced_that_was_not_asked_for() {
    let ran = Project::with(&[("m.py", TWO.as_bytes())]).run(&[]);
    assert!(!ran.stderr.contains("call: "), "{}", ran.stderr);
}

#[test]
fn the_traces_of_several_files_come_in_path_order() {
    let project = Project::with(&[("b.py", TWO.as_bytes()), ("a.py", TWO.as_bytes())]);
    let ran = project.run(&["-v"]);
    let places: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.contains(".py:"))
        .collect();
    let expected = ["a.py:5:12", "a.py:10:12", "b.py:5:12", "b.py:10:12"];
    assert_eq!(places, expected.map(|place| format!("{place}: HNT001")));
}

#[test]
fn control_characters_of_the_source_are_escaped() {
    let text = "from collections import namedtuple\r\rdef f():\r    return namedtuple('A', ['x',\r    'y'], defaults=('\u{1b}[31m\u{7}',))(1)\r";
    let ran = Project::with(&[("m.py", text.as_bytes())]).run(&["-v"]);
    let line = r"  argument: the defaults `('\u{1b}[31m\u{7}',)` are constant: a literal.";
    assert!(
        ran.stderr.lines().any(|told| told == line),
        "{}",
        ran.stderr
    );
    assert!(
        !ran.stderr.contains(['\u{1b}', '\u{7}', '\r']),
        "{:?}",
        ran.stderr
    );
    assert!(ran.stderr.contains("`['x', 'y']`"), "{}", ran.stderr);
}

#[test]
fn rows_and_columns_count_characters_from_one() {
    let text = "from collections import namedtuple\n\nf = lambda a: ('\u{1F600}é', namedtuple('P', 'x')(a))\n";
    let ran = Project::with(&[("m.py", text.as_bytes())]).run(&["-v"]);
    assert!(
        ran.stderr.contains("use: at 3:22 the class is called"),
        "{}",
        ran.stderr
    );
}

/// What the program traces of `TWO` with `args`.
fn trace(args: &[&str]) -> String {
    trace_of(&Project::with(&[("m.py", TWO.as_bytes())]).run(args))
}

/// The traces alone: findings and the summary stand on the same stream.
fn trace_of(ran: &Ran) -> String {
    let is_told = |line: &&str| line.ends_with(": HNT001") || line.starts_with("  ");
    let is_summed = |line: &&str| line.starts_with("Found ");
    let lines = ran.stderr.lines();
    let lines = lines.skip_while(|line| !line.ends_with(": HNT001"));
    let lines = lines.take_while(|line| !is_summed(line)).filter(is_told);
    lines.map(|line| format!("{line}\n")).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
