//! The free grammar's statements that use a class of the other factories, and its instances or members.

use crate::free::{Class, Free};
use crate::kinds::Kind;

/// An expression that makes an instance of the class, or reads a member of it.
pub(crate) fn instance(free: &mut Free<'_>, class: &Class) -> String {
    let name = &class.name;
    let choices: &[&str] = match class.kind {
        Kind::Tuple | Kind::TypedTuple if class.fields == 1 => {
            &["(x)", "(1)", "(a=x)", "._make([x])"]
        }
        Kind::Tuple | Kind::TypedTuple => &["(x, 1)", "(1, 2)", "(a=1, b=x)", "._make([1, 2])"],
        Kind::Data if class.fields == 1 => &["(x)", "(1)", "(1)", "(a=x)", "(*[1])"],
        Kind::Data => &["(x, 1)", "(1, 2)", "(1, 2)", "(a=1, b=x)", "(*[1, x])"],
        Kind::Dict => &["(a=1)", "(a=x, b=1)", "({\"a\": 1})", "(b=2)"],
        Kind::New => &["(x)", "(1)", "((1, 2))", "([x])"],
        Kind::Type => &["()", "()", "()", "(1)"],
        _ if class.fields == 1 => &[".a", ".a", "[\"a\"]", "(1)", "(x)"],
        Kind::Flag => &[".a", ".b", "[\"a\"]", "(1)", "(3)"],
        _ => &[".a", ".b", ".a", "[\"a\"]", "(1)", "(2)"],
    };
    format!("{name}{}", free.chance.one(choices))
}

/// An expression that reads from an instance `made` what does not tell its class.
pub(crate) fn harmless(free: &mut Free<'_>, class: &Class, made: &str) -> String {
    let parts: &[&str] = match class.kind {
        Kind::Tuple | Kind::TypedTuple | Kind::Data => &["@.a", "repr(@)", "str(@.a)", "[@.a]"],
        Kind::Dict => &["@[\"a\"]", "len(@)", "@.get(\"b\")"],
        Kind::New => &["str(@)", "repr(@)"],
        Kind::Type => &["@.a", "@.b", "hasattr(@, \"a\")"],
        Kind::IntEnum => &[
            "@.value",
            "@.name",
            "int(@)",
            "@ == 1",
            "@ + 1",
            "(@.name, @.value)",
        ],
        Kind::Enum | Kind::Flag => &[
            "@.value",
            "@.name",
            "str(@)",
            "@.name * 2",
            "(@.name, @.value)",
        ],
    };
    free.chance.one(parts).replace('@', made)
}

/// Writes one or more statements that use `class`.
pub(crate) fn statements_with(free: &mut Free<'_>, level: usize, class: &Class) {
    let made = instance(free, class);
    let lines = match free.chance.below(10) {
        0..3 => escaping(free, class, &made),
        3 => of_the_class(free, class),
        4 | 5 => moving(free, class, &made),
        _ => match class.kind {
            Kind::Enum | Kind::IntEnum | Kind::Flag => of_members(free, class, &made),
            Kind::Data | Kind::Type | Kind::Tuple | Kind::TypedTuple => {
                of_instances(free, class, &made)
            }
            Kind::Dict | Kind::New => of_values(free, class, &made),
        },
    };
    for line in lines {
        free.say(level, &line);
    }
}

/// What is kept from one call to the next, and compared there.
fn escaping(free: &mut Free<'_>, class: &Class, made: &str) -> Vec<String> {
    let kept = free.kept();
    let read = harmless(free, class, "obj");
    match free.chance.below(22) {
        0 => vec![
            format!("{kept}.append({made})"),
            format!("print({kept}[0] == {kept}[-1])"),
        ],
        1 => vec![
            format!("obj = {made}"),
            format!("print(obj in {kept})"),
            format!("{kept}.append(obj)"),
        ],
        2 => vec![
            format!("{kept}.append({made})"),
            format!("print(len({{item for item in {kept} if item.__hash__}}))"),
        ],
        3 => vec![
            format!("obj = {made}"),
            format!("for item in {kept}: print(item == obj)"),
            format!("{kept}.append(obj)"),
        ],
        4 => vec![
            format!("obj = {made}"),
            format!("{kept}.extend([obj])"),
            format!("print({kept}.count(obj))"),
        ],
        5 => vec![
            format!("obj = {made}"),
            format!("{kept}.append({read})"),
            format!("print({kept}[0] == {kept}[-1])"),
        ],
        6 => vec![
            format!("box = [{made}]"),
            format!("print(box == {kept}[-1:])"),
            format!("{kept}.extend(box)"),
        ],
        7 => vec![
            format!("table = {{\"k\": {made}}}"),
            format!("print([table] == {kept}[-1:])"),
            format!("{kept}.append(table)"),
        ],
        8 => vec![
            format!("def keep(item, seen={kept}):"),
            "    print(item in seen)".into(),
            "    seen.append(item)".into(),
            format!("keep({made})"),
        ],
        9 => vec![
            format!("keep = {kept}.append"),
            format!("print({made} in {kept})"),
            format!("keep({made})"),
        ],
        10 => vec![
            format!("obj, other = {made}, {kept}[-1:]"),
            "print(other and other[0] == obj)".into(),
            format!("{kept}[len({kept}):] = [obj]"),
        ],
        11 => vec![
            format!("{kept}.append(lambda: {made})"),
            format!("print({kept}[0]() == {kept}[-1]())"),
        ],
        12 => vec![
            format!("{kept}.append({made}.__class__)"),
            format!("print({kept}[0] is {kept}[-1])"),
        ],
        13 => vec![
            format!("{kept}.append(type({made}))"),
            format!("print(len(set({kept})))"),
        ],
        14 => vec![
            format!("obj = {made}"),
            format!("print(isinstance(({kept} or [None])[0], {}))", class.name),
            format!("{kept}.append(obj)"),
        ],
        15 => vec![
            format!("obj = {made}"),
            "try:".into(),
            "    raise ValueError(obj)".into(),
            "except ValueError as error:".into(),
            format!("    print(error.args[0] in {kept})"),
            format!("    {kept}.append(error.args[0])"),
        ],
        16 => vec![
            format!("def stream(): yield {made}"),
            format!("print([*stream()] == {kept}[-1:])"),
            format!("{kept}.extend(stream())"),
        ],
        17 => vec![
            format!("obj = again = {made}"),
            format!("print(again in {kept})"),
            format!("{kept} += [again]"),
        ],
        18 => vec![
            format!("obj = {made}"),
            format!("print(([0] + {kept})[-1] == obj, ([0] + {kept})[-1] != obj)"),
            format!("{kept}.insert(9, obj)"),
        ],
        19 => vec![
            format!("if x: obj = {made}"),
            "else: obj = None".into(),
            format!("print(obj in {kept})"),
            format!("{kept}.append(obj)"),
        ],
        20 => vec![
            format!("obj = {made}"),
            format!("print([obj == item for item in {kept}])"),
            format!("{kept}.append(obj)"),
        ],
        _ => vec![
            format!("obj = {made}"),
            format!("print(max([obj, obj], key=str) in {kept})"),
            format!("{kept}.append(max(obj, obj, key=str))"),
        ],
    }
}

/// What asks the class itself.
fn of_the_class(free: &mut Free<'_>, class: &Class) -> Vec<String> {
    let c = &class.name;
    let kept = free.kept();
    match free.chance.below(13) {
        0 => vec![format!("print({c}.__name__)")],
        1 => vec![
            format!("{kept}.append({c})"),
            format!("print({kept}[0] is {kept}[-1])"),
        ],
        2 => vec![
            format!("{c}.tag = getattr({c}, \"tag\", 0) + 1"),
            format!("print({c}.tag)"),
        ],
        3 => vec![format!("print({c} is None, bool({c}))")],
        4 => vec![format!("alias = {c}"), "print(alias.__name__)".into()],
        5 => vec![format!(
            "print({c}.__module__, {c}.__qualname__, {c}.__doc__)"
        )],
        6 => vec![
            format!("def noted(v: {c}) -> \"{c}\": return v"),
            "print(noted(1))".into(),
        ],
        7 => vec![
            format!("print(callable({c}), {c} in {kept})"),
            format!("{kept}.append({c})"),
        ],
        8 => vec![
            format!("notes = getattr({c}, \"__annotations__\", {{}})"),
            "print(sorted(notes))".into(),
            "notes[\"more\"] = 1".into(),
        ],
        9 => vec![
            format!("print(getattr({c}, \"a\", None) in {kept})"),
            format!("{kept}.append(getattr({c}, \"a\", None))"),
        ],
        10 => vec![format!("print(list(vars({c})) != [])")],
        11 => vec![
            format!("setattr({c}, \"n\", getattr({c}, \"n\", 0) + 1)"),
            format!("print({c}.n)"),
        ],
        _ => vec![format!("print(f\"{{{c}.__name__}}\")")],
    }
}

/// What moves an instance about within the call, or out of it by ways other than a list.
fn moving(free: &mut Free<'_>, class: &Class, made: &str) -> Vec<String> {
    let kept = free.kept();
    let read = harmless(free, class, "obj");
    let each = harmless(free, class, "item");
    let own = if free.is_in_method() {
        "self"
    } else {
        "moving"
    };
    let lines = match free.chance.below(14) {
        0 => vec![format!("obj = {made}"), format!("print({read})")],
        1 => vec![format!("for item in [{made}, {made}]: print({each})")],
        2 => vec![
            format!("obj = {made}"),
            "def show(): return obj".into(),
            format!("print({})", each.replace("item", "show()")),
        ],
        3 => vec![
            format!("obj = {made}"),
            format!("show = lambda: {read}"),
            "print(show())".into(),
        ],
        4 => vec![format!("print([{each} for item in ({made}, {made})])")],
        5 => vec![
            format!("obj = {made}"),
            format!("def show(obj=obj): return {read}"),
            "print(show())".into(),
        ],
        6 => vec![format!("print(dict(k={made}) == {{\"k\": {made}}})")],
        7 => vec![
            format!("obj = {made}"),
            format!("table = {{1: obj}}"),
            "print(table[1] is obj, len(table))".into(),
        ],
        8 => vec![
            format!("obj = {made}"),
            format!("assert obj is not None"),
            format!("print({read})"),
        ],
        9 => vec![format!(
            "with __import__(\"contextlib\").nullcontext({made}) as obj: print({read})"
        )],
        10 => vec![
            format!("{own}.last = getattr({own}, \"last\", []) + [{made}]"),
            format!("print({own}.last[0] == {own}.last[-1])"),
        ],
        11 => vec![
            format!("obj = {made}"),
            format!("{own}.one = obj"),
            format!("print({own}.one in {kept})"),
            format!("{kept}.append({own}.one)"),
        ],
        12 => vec![
            "last = None".into(),
            "for turn in range(2):".into(),
            format!("    obj = {made}"),
            "    print(obj == last)".into(),
            "    last = obj".into(),
        ],
        _ => vec![format!("if (obj := {made}): print({read})")],
    };
    if own == "moving" && lines.iter().any(|line| line.contains("moving.")) {
        free.head("moving = type(\"Moving\", (), {})()");
    }
    lines
}

/// What is done with the members of an Enum.
fn of_members(free: &mut Free<'_>, class: &Class, made: &str) -> Vec<String> {
    let c = &class.name;
    let kept = free.kept();
    match free.chance.below(30) {
        0 => vec![format!("print({made}.value)")],
        1 => vec![
            format!("obj = {made}"),
            format!("print(obj is {c}.a, obj == {c}.a)"),
        ],
        2 => vec![format!("print([item.name for item in {c}])")],
        3 => vec![format!("print(len({c}), {c}.a in {c})")],
        4 => vec![format!("for item in {c}: print(item.name, item.value)")],
        5 => vec![
            format!("print(list({c}) == {kept})"),
            format!("{kept}[:] = list({c})"),
        ],
        6 => vec![
            format!("obj = {made}"),
            "obj.count = getattr(obj, \"count\", 0) + 1".into(),
            "print(obj.count)".into(),
        ],
        7 => vec![format!("print({{{c}.a: 1}}[{c}.a])")],
        8 => vec![
            format!("{kept}.extend({c})"),
            format!("print(len(set({kept})))"),
        ],
        9 => vec![format!("print({c}.__members__[\"a\"].value)")],
        10 => vec![
            format!("print({c}.__members__ == ({kept} or [0])[-1])"),
            format!("{kept}.append({c}.__members__)"),
        ],
        11 => vec![
            format!("obj = {made}"),
            "kind = \"first\" if obj is None else obj.name".into(),
            "print(kind)".into(),
        ],
        12 => vec![
            format!("obj = {c}.a if x else {made}"),
            "print(obj.value)".into(),
        ],
        13 => vec![
            format!("obj = {c}[\"a\"]"),
            format!("if obj == {c}.a: print(1)"),
            "else: print(2)".into(),
        ],
        14 => vec![format!("print(f\"{{{made}.name}} {{{c}.a}}\")")],
        15 => vec![
            format!("obj = {made}"),
            format!("print(obj in ({c}.a, 1), obj in [{c}.a])"),
        ],
        16 => vec![format!("print({made} == 1, {made} != 1)")],
        17 => vec![format!("print(str({made}), repr({made}))")],
        18 => vec![
            format!("print({c}.a is {kept}, {c}.a == ({kept} or [0])[0])"),
            format!("{kept}.append({c}.a)"),
        ],
        19 => vec![
            format!("obj = {made}"),
            "while obj.name == \"\": pass".into(),
            "print(obj.value)".into(),
        ],
        20 => vec![format!("print({made}.a is {c}.a)")],
        21 => vec![
            format!("obj = {made}"),
            "print(obj.__class__.__name__)".into(),
        ],
        22 => vec![
            format!("{kept}.append({made}.value)"),
            format!("print({kept}[0] == {kept}[-1], {kept}[0] is {kept}[-1])"),
        ],
        23 => vec![format!(
            "print(sorted(item.name for item in {c} if item is not {c}.a))"
        )],
        24 => vec![
            format!("obj = {made}"),
            format!("print(int(obj.value == {c}.a.value))"),
        ],
        25 => vec![format!(
            "print(({made} | {c}.a).value, ({made} & {c}.a) == {c}.a)"
        )],
        26 => vec![format!("print(hash({c}.a) == hash({c}.a), not {c}.a)")],
        27 => vec![format!("print(max({c}, key=lambda item: item.value).name)")],
        28 => vec![
            format!("table = {{item: item.name for item in {c}}}"),
            format!("print(table[{made}])"),
        ],
        _ => vec![
            format!("try: print({c}(9).name)"),
            "except ValueError: print(\"none\")".into(),
        ],
    }
}

/// What is done with instances that compare by class, or by identity.
fn of_instances(free: &mut Free<'_>, class: &Class, made: &str) -> Vec<String> {
    let c = &class.name;
    let kept = free.kept();
    match free.chance.below(20) {
        0 => vec![format!("print({made}.a)")],
        1 => vec![
            format!("obj = {made}"),
            "obj.a = 5".into(),
            "print(obj.a)".into(),
        ],
        2 => vec![
            format!("obj = {made}"),
            "obj.more = x".into(),
            "print(obj.more)".into(),
        ],
        3 => vec![format!("print({made} == {made}, {made} != {made})")],
        4 => vec![format!("print(repr({made}) == repr({made}))")],
        5 => vec![format!(
            "print({made} < {made}, sorted([{made}, {made}]) == {kept})"
        )],
        6 => vec![
            format!("obj = {made}"),
            "print(hash(obj) == hash(obj))".into(),
        ],
        7 => vec![
            format!("obj = {made}"),
            "print(__import__(\"dataclasses\").asdict(obj))".into(),
        ],
        8 => vec![
            format!("obj = {made}"),
            "again = __import__(\"dataclasses\").replace(obj, a=4)".into(),
            format!("print(again in {kept})"),
            format!("{kept}.append(again)"),
        ],
        9 => vec![
            format!("obj = {made}"),
            "again = __import__(\"copy\").copy(obj)".into(),
            format!("print(again in {kept})"),
            format!("{kept}.append(again)"),
        ],
        10 => vec![format!(
            "print([item.name for item in __import__(\"dataclasses\").fields({c})])"
        )],
        11 => vec![format!("print({c}.a)"), format!("{c}.a = ({c}.a or 0) + 1")],
        12 => vec![
            format!("obj = {made}"),
            "print(len(obj.a))".into(),
            "obj.a.append(x)".into(),
        ],
        13 => vec![
            format!("obj = {made}"),
            "obj.k.append(x)".into(),
            "print(obj.k)".into(),
        ],
        14 => vec![
            format!("obj = {made}"),
            "obj.a += 1".into(),
            "print(obj.a, vars(obj))".into(),
        ],
        15 => vec![
            format!("{kept}.append({made}.a)"),
            format!("print({kept}[0] == {kept}[-1])"),
        ],
        16 => vec![
            format!("obj, other = {made}, {made}"),
            "print(obj == other, obj is other, obj.a == other.a)".into(),
        ],
        17 => vec![format!("print(isinstance({made}, {c}))")],
        18 => vec![
            format!("obj = {made}"),
            "del obj.a".into(),
            "print(hasattr(obj, \"a\"))".into(),
        ],
        _ => vec![
            format!("class Sub({c}): pass"),
            format!("print(Sub.__name__, issubclass(Sub, {c}))"),
        ],
    }
}

/// What is done with classes that leave no trace in what they make.
fn of_values(free: &mut Free<'_>, class: &Class, made: &str) -> Vec<String> {
    let c = &class.name;
    let kept = free.kept();
    match free.chance.below(12) {
        0 => vec![format!("print({made})")],
        1 => vec![format!("value: {c} = {made}"), "print(value)".into()],
        2 => vec![
            format!("{kept}.append({made})"),
            format!("print({kept}[0] == {kept}[-1], {kept}[0] is {kept}[-1])"),
        ],
        3 => vec![format!(
            "print(getattr({c}, \"__total__\", 0), {c}.__name__)"
        )],
        4 => vec![format!("print(getattr({c}, \"__supertype__\", 0))")],
        5 => vec![format!(
            "print(sorted(getattr({c}, \"__required_keys__\", ())))"
        )],
        6 => vec![
            format!("Next = __import__(\"typing\").NewType(\"Next\", {c})"),
            "print(Next(1))".into(),
        ],
        7 => {
            free.head("from typing import NewType as chain, Dict as Mapping");
            vec![
                format!("Next = chain(\"Next\", {c})"),
                "Last = chain(\"Last\", Next)".into(),
                "print(Last(Next(1)), Last.__supertype__.__name__)".into(),
            ]
        }
        8 => {
            free.head("from typing import NewType as chain, Dict as Mapping");
            vec![
                format!("def typed(v: Mapping[str, {c}]) -> {c}: return v"),
                "print(typed({}))".into(),
            ]
        }
        9 => vec![format!("print(list(map({c}, [{{}}, {{}}])))")],
        10 => vec![
            format!("table = {{{c}: 1}}"),
            format!("print(table[{c}], {c} in {kept})"),
        ],
        _ => vec![
            format!("print({c}.__annotations__ == ({kept} or [0])[0])"),
            format!("{kept}.append({c}.__annotations__)"),
        ],
    }
}
