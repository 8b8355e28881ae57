//! Calls of the factory in all their spellings.

use crate::chance::Chance;

/// What a call must say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'w> {
    /// How the factory is reached.
    pub(crate) factory: &'w str,
    /// The typename.
    pub(crate) typename: &'w str,
    /// The field names.
    pub(crate) fields: &'w [&'w str],
}

/// The call on one line, without anything that has a choice of meaning.
pub(crate) fn plain(chance: &mut Chance, wanted: Wanted<'_>) -> String {
    let Wanted {
        factory, typename, ..
    } = wanted;
    let fields = literal_fields(chance, wanted.fields);
    format!("{factory}(\"{typename}\", {fields})")
}

/// The call in any spelling; its fields take at least as many values as there are.
pub(crate) fn any(chance: &mut Chance, wanted: Wanted<'_>) -> String {
    let fields = fields(chance, wanted.fields);
    let typename = typename(chance, wanted.typename);
    let more = keywords(chance, wanted.fields.len());
    let factory = wanted.factory;
    match chance.below(20) {
        0 => format!("{factory}(typename={typename}, field_names={fields}{more})"),
        1 => format!("{factory}({typename}, field_names={fields}{more})"),
        2 => format!("{factory}(\n@@    {typename},  # the name\n@@    {fields}{more},\n@@)"),
        3 => format!("{factory}(\n@@        {typename},\n@@    {fields}{more})"),
        4 => format!("({factory}\n@@ ({typename}, {fields}{more}))"),
        5 => format!("{factory}({typename}, \\\n@@    {fields}{more})"),
        6 => format!("{factory} ( {typename} ,{fields}{more} )"),
        _ => format!("{factory}({typename}, {fields}{more})"),
    }
}

fn typename(chance: &mut Chance, name: &str) -> String {
    match chance.below(12) {
        0 => format!("'{name}'"),
        1 => format!("'''{name}'''"),
        2 => format!("\"{}\" \"{}\"", &name[..1], &name[1..]),
        3 => format!("r\"{name}\""),
        _ => format!("\"{name}\""),
    }
}

fn literal_fields(chance: &mut Chance, names: &[&str]) -> String {
    let quoted = |quote: &str| {
        let names = names.iter().map(|name| format!("{quote}{name}{quote}"));
        names.collect::<Vec<_>>().join(", ")
    };
    match chance.below(6) {
        0 => format!("[{}]", quoted("\"")),
        1 => format!("({},)", quoted("'")),
        2 => format!("\"{}\"", names.join(", ")),
        3 => format!("\"{}\"", names.join(",")),
        _ => format!("\"{}\"", names.join(" ")),
    }
}

/// The fields as a literal, as an expression, or by a name that the head of the module binds.
fn fields(chance: &mut Chance, names: &[&str]) -> String {
    let joined = names.join(" ");
    match chance.below(24) {
        0 => format!("\"{joined}\".split()"),
        1 => format!("\"{}\".split(\",\")", names.join(",")),
        2 if names == ["a", "b"] => (*chance.one(&["PAIR", "NAMES", "WORDS"])).to_owned(),
        3 if names == ["a", "b"] => "Base._fields".to_owned(),
        4 if names == ["a", "b"] => "(\"a\",) + (\"b\",)".to_owned(),
        5 if names == ["a", "b"] => "[\"a\"] + [\"b\"]".to_owned(),
        6 if names == ["a", "b"] => "\"a \" \"b\"".to_owned(),
        7 if names == ["a", "b"] => "(\"a\" \" b\")".to_owned(),
        8 if names == ["a"] => "(\"a\",) * 1".to_owned(),
        _ => literal_fields(chance, names),
    }
}

/// Keywords that let the call be valid, and leave the instances' values as they are.
fn keywords(chance: &mut Chance, count: usize) -> String {
    let mut out = String::new();
    if chance.percent(14) {
        let mut choices = vec![
            "(1,)",
            "[2]",
            "(None,)",
            "(LIMIT,)",
            "()",
            "None",
            "(MISSING,)",
            "(int,)",
            "[\"x\"]",
            "(True,) * 1",
            "(-1,)",
            "((1, 2),)",
        ];
        if count > 1 {
            choices.extend(["(1, 2)", "(None,) * 2", "(LIMIT, MISSING)"]);
        }
        out.push_str(", defaults=");
        out.push_str(chance.one(&choices));
    }
    if chance.percent(6) {
        out.push_str(chance.one(&[
            ", rename=True",
            ", rename=False",
            ", rename=1",
            ", rename=0",
        ]));
    }
    if chance.percent(6) {
        out.push_str(chance.one(&[
            ", module=__name__",
            ", module=\"elsewhere\"",
            ", module=None",
        ]));
    }
    out
}
