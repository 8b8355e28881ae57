//! Broken rule files: each is told with its file, row, column and key, what is wrong and what to do.

use crate::project::Project;

const RULE: &str = include_str!("../../docs/own-rules/recordclass.toml");

/// Checks what is said of the rule with `from` replaced by `to` once.
#[track_caller]
fn told(from: &str, to: &str, expected: &str) {
    assert!(RULE.contains(from), "{from}");
    let text = RULE.replacen(from, to, 1);
    let project = Project::with(&[("rules/r.toml", text.as_bytes()), ("m.py", b"x = 1\n")]);
    for args in [&["--rules", "rules"][..], &["--test-rules", "rules"]] {
        let ran = project.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
        assert_eq!(ran.stderr, format!("error: rules/r.toml:{expected}\n"));
    }
}

#[test]
fn what_is_no_toml_or_no_key() {
    told(
        "factories = [",
        "factories = [[",
        "2:1: it is no valid TOML (missing comma between array elements, expected `,`). Correct it.",
    );
    told(
        "instances",
        "instancs",
        "2:1: `instancs`: there is no key `instancs`. Did you mean `instances`? Use `factories`, `ambiguous-name`, `default`, `instances`, `shares-definitions`, `other-keywords`, `legacy-positional`, `harmless-attributes`, `member-values`, `since-minor`, `cost`, `parameters`, `constant`, `dynamic`, `valid` or `invalid`.",
    );
    told(
        "required",
        "needed",
        "14:1: `parameters[0].needed`: there is no key `needed`. Use `name`, `role`, `kind`, `required`, `names`, `forms`, `since-minor` or `values`.",
    );
    told(
        "instances = \"by-class\"\n",
        "",
        "1:1: `instances`: it is missing. Add it.",
    );
    told(
        "objects = [0, 0]\n",
        "",
        "6:1: `cost.objects`: it is missing. Add it.",
    );
    told(
        "references = []\n",
        "",
        "75:1: `dynamic.documentation.references`: it is missing. Add it.",
    );
}

#[test]
fn a_value_of_the_wrong_kind() {
    told(
        "[\"recordclass.recordclass\"]",
        "\"recordclass.recordclass\"",
        "1:13: `factories`: it is the text \"recordclass.recordclass\", and must be a list. Correct it.",
    );
    told(
        "[106, 106]",
        "[106]",
        "7:16: `cost.microseconds`: it has the length 1, and must be a list of two numbers. Correct it.",
    );
    told(
        "[106, 106]",
        "[400, 106]",
        "7:1: `cost.microseconds`: 400 is more than 106. Write the least first.",
    );
    told(
        "required = true",
        "required = \"yes\"",
        "14:12: `parameters[0].required`: it is the text \"yes\", and must be `true` or `false`. Correct it.",
    );
    told(
        "\"by-class\"",
        "\"by-clas\"",
        "2:13: `instances`: `by-clas` is no value of it. Did you mean `by-class`? Use `by-value`, `by-class`, `members-by-identity` or `plain`.",
    );
    told(
        "\"fields\"\nrole = \"fields\"",
        "\"fields\"\nrole = 3",
        "18:8: `parameters[1].role`: it must be a text in quotes. Correct it.",
    );
    told(
        "kind = \"keyword-only\"",
        "kind = \"keyword\"",
        "30:8: `parameters[3].kind`: `keyword` is no value of it. Use `positional-only`, `positional-or-keyword` or `keyword-only`.",
    );
    told(
        "\"text\", \"names\"",
        "\"text\", \"name\"",
        "21:18: `parameters[1].forms[1]`: `name` is no value of it. Did you mean `names`? Use `text`, `names`, `pairs` or `mapping`.",
    );
    told(
        "`{callee}` makes the",
        "`{called}` makes the",
        "53:11: `constant.message`: there is no word `called`; there are `callee`, `typename`, `when` and `argument`. Correct it.",
    );
}

#[test]
fn what_contradicts_itself_or_another_rule() {
    told(
        "REC101",
        "REC001",
        "70:1: `dynamic.code`: both codes are the same. Give the second another one.",
    );
    told(
        "\"REC001\"",
        "\"REC1\"",
        "50:1: `constant.code`: `REC1` is no code. Write capital letters and three digits, such as `ABC001`.",
    );
    told(
        "\"per-call-recordclass\"",
        "\"per call\"",
        "51:1: `constant.name`: `per call` is no name of a rule. Write small letters and hyphens, such as `per-call-record`.",
    );
    told(
        "\"per-call-recordclass\"",
        "\"per-call-enum\"",
        "51:1: `constant.name`: `per-call-enum` is taken by `per-call-enum`, a rule of the program. Use another one.",
    );
    told(
        "[\"recordclass.recordclass\"]",
        "[\"x.y\", \"enum.Enum\"]",
        "1:21: `factories[1]`: `enum.Enum` is taken by `per-call-enum`, a rule of the program. Use another one.",
    );
    told(
        "name = \"fields\"",
        "name = \"typename\"",
        "17:1: `parameters[1].name`: the parameter `typename` is given twice. Remove one of them.",
    );
    told(
        "role = \"defaults\"",
        "role = \"fields\"",
        "25:1: `parameters[2].role`: another parameter is field names already. Give one of them the role `option`.",
    );
    told(
        "role = \"defaults\"",
        "role = \"defaults\"\nkind = \"positional-only\"",
        "26:1: `parameters[2].kind`: `defaults` cannot follow a parameter that is passed by name. Put it before that one.",
    );
    told(
        "role = \"typename\"",
        "role = \"option\"",
        "11:3: `parameters`: no parameter is the typename. Give one the role `typename`, and `required = true`.",
    );
}

#[test]
fn an_example_that_cannot_be_one() {
    told(
        "return size.width",
        "return (size.width",
        "90:1: `valid[0].source`: it is no Python module (unexpected EOF while parsing). Correct it.",
    );
    told(
        "skip-reason = \"instance-escapes\"\n",
        "",
        "131:1: `invalid[1].code`: it must say what `--fix` makes of it. Add `fixed` or `skip-reason`.",
    );
    told(
        "\"instance-escapes\"",
        "\"because\"",
        "141:1: `invalid[1].skip-reason`: `because` is no reason for this code. The README lists them.",
    );
    told(
        "fixed = '''",
        "skip-reason = \"class-written\"\nfixed = '''",
        "116:1: `invalid[0].skip-reason`: an example with `fixed` has no `skip-reason`. Remove one of them.",
    );
}

#[test]
fn what_cannot_mean_anything() {
    for (name, told_of) in [("builtins.type", "builtin"), ("a.class", "qualified")] {
        let words = match told_of {
            "builtin" => "`builtins.type` is a builtin. Write `type`.",
            _ => "`a.class` is no qualified name. Write `module.name`.",
        };
        told(
            "\"recordclass.recordclass\"",
            &format!("\"{name}\""),
            &format!("1:14: `factories[0]`: {words}"),
        );
    }
    for name in ["fi elds", "class", ""] {
        told(
            "name = \"fields\"",
            &format!("name = \"{name}\""),
            &format!(
                "17:1: `parameters[1].name`: `{name}` is no name of a parameter. Write it as the factory's signature has it."
            ),
        );
    }
    told(
        "[\"text\", \"names\"]",
        "[]",
        "21:1: `parameters[1].forms`: it is empty. Name a form, or leave the key out.",
    );
    for name in ["all", "rec001"] {
        told(
            "\"per-call-recordclass\"",
            &format!("\"{name}\""),
            &format!(
                "51:1: `constant.name`: `{name}` is no name of a rule. Write small letters and hyphens, such as `per-call-record`."
            ),
        );
    }
}

#[test]
fn a_text_that_says_nothing() {
    for (text, place) in [
        (
            "A recordclass that could be made once is made on every call",
            "52:1: `constant.summary`",
        ),
        (
            "`{callee}` makes the class `{typename}` anew {when}; make it once, at module level",
            "53:1: `constant.message`",
        ),
        ("A class at module level", "89:1: `valid[0].title`"),
        ("An instance that is returned", "132:1: `invalid[1].title`"),
    ] {
        told(
            text,
            " ",
            &format!("{place}: it is empty. Write a few words."),
        );
    }
}

#[test]
fn a_control_character_is_escaped_and_refused() {
    for (from, to, expected) in [
        (
            "recordclass.recordclass\"",
            "a.b\\n::error::x\\u001b[31m\"",
            "1:14: `factories[0]`: it holds the control character `\\n`. Remove that.",
        ),
        (
            "An instance that is returned",
            "T\\u001b[31m",
            "132:1: `invalid[1].title`: it holds the control character `\\u{1b}`. Remove that.",
        ),
        (
            "A recordclass is made anew",
            "\\u202eA",
            "72:1: `dynamic.summary`: it holds the control character `\\u{202e}`. Remove that.",
        ),
        (
            "Finds calls",
            "\\u0000Finds\\tcalls",
            "56:1: `constant.documentation.what-it-does`: it holds the control character `\\u{0}`. Remove that.",
        ),
        (
            "instances =",
            "\"k\\u001b\" = 1\ninstances =",
            "2:1: `k\\u{1b}`: there is no key `k\\u{1b}`. Use `factories`, `ambiguous-name`, `default`, `instances`, `shares-definitions`, `other-keywords`, `legacy-positional`, `harmless-attributes`, `member-values`, `since-minor`, `cost`, `parameters`, `constant`, `dynamic`, `valid` or `invalid`.",
        ),
    ] {
        told(from, to, expected);
    }
}

#[test]
fn the_first_fault_is_the_one_to_mend() {
    told(
        "\"REC001\"",
        "\"HNT501\"",
        "50:1: `constant.code`: `HNT501` starts with HNT, as only codes of the program's own rules do. Use other letters.",
    );
    told(
        "fix-safety = ",
        "fix-safty = ",
        "62:1: `constant.documentation.fix-safty`: there is no key `fix-safty`. Did you mean `fix-safety`? Use `what-it-does`, `why-is-this-bad`, `fix-safety` or `references`.",
    );
    told(
        "[constant]",
        "[constent]",
        "49:2: `constent`: there is no key `constent`. Did you mean `constant`? Use `factories`, `ambiguous-name`, `default`, `instances`, `shares-definitions`, `other-keywords`, `legacy-positional`, `harmless-attributes`, `member-values`, `since-minor`, `cost`, `parameters`, `constant`, `dynamic`, `valid` or `invalid`.",
    );
    told(
        "\"instance-escapes\"",
        "\"instance-escape\"",
        "141:1: `invalid[1].skip-reason`: `instance-escape` is no reason for this code. Did you mean `instance-escapes`? The README lists them.",
    );
    for number in ["9223372036854775807", "99999999999999999999"] {
        told(
            "[106, 106]",
            &format!("[1, {number}]"),
            &format!(
                "7:20: `cost.microseconds[1]`: it is the number `{number}`, and must be a whole number from 0 to 4294967295. Correct it."
            ),
        );
    }
}
