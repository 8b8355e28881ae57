//! The free grammar's statements that use a class.

use crate::free::{Class, Free};

/// Writes one or more statements that use `class`.
pub(crate) fn statements_with(free: &mut Free<'_>, level: usize, class: &Class) {
    let made = free.instance(class);
    let c = &class.name;
    let kept = free.kept();
    let is_name = !c.contains('.');
    let lines: Vec<String> = match free.chance.below(48) {
        0..8 => vec![format!("print({made})")],
        8 => vec![format!("print({c}._fields)")],
        9 => vec![
            format!("{kept}.append({made})"),
            format!("print(isinstance({kept}[0], {c}))"),
        ],
        10 => vec![format!("obj = {made}"), "print(type(obj).__name__)".into()],
        11 => vec![
            format!("obj = {made}"),
            format!("print(obj.__class__ in {kept})"),
            format!("{kept}.append(type(obj))"),
        ],
        12 => vec![
            format!("{c}.tag = getattr({c}, \"tag\", 0) + 1"),
            format!("print({c}.tag)"),
        ],
        13 => vec![
            format!("alias = {c}"),
            format!("print({})", made.replacen(c.as_str(), "alias", 1)),
        ],
        14 => vec![format!("print([{made} for _ in range(2)])")],
        15 => vec![format!("print({{k: {made} for k in \"ab\"}})")],
        16 => vec![format!("later = lambda: {made}"), "print(later())".into()],
        17 => vec![
            format!("def inner(v=1):"),
            format!("    return {made}"),
            "print(inner())".into(),
        ],
        18 if is_name => vec![
            format!("def inner({c}={c}):"),
            format!("    return {made}"),
            "print(inner())".into(),
        ],
        19 => vec![
            format!("def noted(v: {c}) -> \"{c}\": return v"),
            "print(noted(1))".into(),
        ],
        20 => vec![
            "print(sorted(name for name in locals() if name[0] != \".\" and name != \"self\"))"
                .into(),
        ],
        21 => vec![format!("print({c} is None, {c} is not None)")],
        22 => vec![format!("print(f\"{{{c}.__name__}} {{{c}._fields=}}\")")],
        23 => vec![
            format!("class Sub({c}): pass"),
            format!("print({})", made.replacen(c.as_str(), "Sub", 1)),
        ],
        24 if class.fields == 1 => vec![format!("print(list(map({c}, [1, 2])))")],
        24 => vec![format!("print(list(map({c}, [1, 2], [3, 4])))")],
        25 if is_name => vec![format!("print(eval(\"{c}\").__name__)")],
        26 => vec![
            "try:".into(),
            format!("    print({made})"),
            "except TypeError as error:".into(),
            "    print(\"no\")".into(),
        ],
        27 if is_name => vec![format!("del {c}"), format!("{c} = None")],
        28 => vec![
            format!("{kept}.append({c})"),
            format!("print({kept}[0] is {c})"),
        ],
        29 => vec![
            format!("print({c} == ({kept} or [1])[-1])"),
            format!("{kept}.append({c})"),
        ],
        30 if is_name => vec![format!("{c} = {made}"), format!("print({c})")],
        31 => vec![
            "for Point in [1]:".into(),
            format!("    print({made}, Point)"),
        ],
        32 => vec![
            "while True:".into(),
            format!("    print({made})"),
            "    break".into(),
        ],
        33 => vec![format!("if x: print({made}); print(2)")],
        34 => vec![format!(
            "print(repr({made}), {made}._asdict(), {made} == {made})"
        )],
        35 => vec![
            format!("print({made}._replace(a=3))"),
            format!("print({c}.__doc__)"),
        ],
        36 if class.kind.is_tuple() => vec![format!(
            "print(hash({made}) == hash({made}), sorted([{made}, {made}]))"
        )],
        37 => vec!["import copy".into(), format!("print(copy.copy({made}))")],
        38 => vec![format!(
            "print({c}.__new__.__defaults__, {c}._field_defaults)"
        )],
        39 => vec![
            format!("{c}.__doc__ = \"d\""),
            format!("print({c}.__doc__)"),
        ],
        40 => vec![format!("assert {c}, \"a class\"")],
        41 => vec![format!("print({c} if x else {made})")],
        42 => vec![
            format!("{kept}.append({made})"),
            format!("print({kept}[-1], len({kept}) > 0)"),
        ],
        43 => vec![format!(
            "with open(__import__(\"os\").devnull) as row: print({made})"
        )],
        44 => vec![
            format!("if not {c}: raise ValueError"),
            format!("print({made})"),
        ],
        45 => vec![format!(
            "print(*(getattr(item, \"a\") for item in [{made}]))"
        )],
        _ => vec![format!("print({made})")],
    };
    for line in lines {
        free.say(level, &line);
    }
}
