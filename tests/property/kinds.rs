//! The factories beside `collections.namedtuple`: how programs reach them and spell their calls.

use crate::chance::Chance;

/// What kind of class a call makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `collections.namedtuple`.
    Tuple,
    /// `typing.NamedTuple`.
    TypedTuple,
    /// `enum.Enum`.
    Enum,
    /// `enum.IntEnum`.
    IntEnum,
    /// `enum.Flag`.
    Flag,
    /// `dataclasses.make_dataclass`.
    Data,
    /// `typing.TypedDict`.
    Dict,
    /// `typing.NewType`.
    New,
    /// `type` with three arguments.
    Type,
}

/// The kinds as often as they are wanted.
const WANTED: [Kind; 12] = [
    Kind::TypedTuple,
    Kind::TypedTuple,
    Kind::Enum,
    Kind::Enum,
    Kind::Enum,
    Kind::IntEnum,
    Kind::Flag,
    Kind::Data,
    Kind::Data,
    Kind::Dict,
    Kind::New,
    Kind::Type,
];

impl Kind {
    /// One of the kinds beside namedtuples.
    pub(crate) fn any(chance: &mut Chance) -> Self {
        WANTED[chance.below(WANTED.len())]
    }

    /// Whether its instances are namedtuples.
    pub(crate) fn is_tuple(self) -> bool {
        matches!(self, Self::Tuple | Self::TypedTuple)
    }

    fn origin(self) -> (&'static str, &'static str) {
        match self {
            Self::Tuple => ("collections", "namedtuple"),
            Self::TypedTuple => ("typing", "NamedTuple"),
            Self::Enum => ("enum", "Enum"),
            Self::IntEnum => ("enum", "IntEnum"),
            Self::Flag => ("enum", "Flag"),
            Self::Data => ("dataclasses", "make_dataclass"),
            Self::Dict => ("typing", "TypedDict"),
            Self::New => ("typing", "NewType"),
            Self::Type => ("builtins", "type"),
        }
    }

    /// A line that brings the factory, if one is needed, and the expression that then reaches it.
    pub(crate) fn reached(self, chance: &mut Chance, number: usize) -> (Option<String>, String) {
        let (module, name) = self.origin();
        if self == Self::Type && chance.below(2) == 0 {
            return (None, name.to_owned());
        }
        let (line, factory) = match chance.below(8) {
            0 => (
                format!("import {module} as mod{number}"),
                format!("mod{number}.{name}"),
            ),
            1 => (
                format!("from {module} import {name} as make{number}"),
                format!("make{number}"),
            ),
            2 | 3 => (format!("import {module}"), format!("{module}.{name}")),
            _ => (format!("from {module} import {name}"), name.to_owned()),
        };
        (Some(line), factory)
    }
}

/// The call of that kind's factory; it seldom raises.
pub(crate) fn call(
    chance: &mut Chance,
    kind: Kind,
    factory: &str,
    (typename, fields): (&str, &[&str]),
) -> String {
    let arguments = match kind {
        Kind::Tuple | Kind::TypedTuple => typed(chance, fields),
        Kind::Enum | Kind::IntEnum | Kind::Flag => members(chance, kind, fields),
        Kind::Data => data(chance, fields),
        Kind::Dict => keys(chance, fields),
        Kind::New => supertype(chance),
        Kind::Type => namespace(chance, fields),
    };
    match chance.below(12) {
        0 => format!("{factory}(\n@@    \"{typename}\",  # the name\n@@    {arguments},\n@@)"),
        1 => format!("{factory}('{typename}', {arguments})"),
        2 => format!("({factory}(\"{typename}\", {arguments}))"),
        _ => format!("{factory}(\"{typename}\", {arguments})"),
    }
}

fn type_of_field(chance: &mut Chance) -> &'static str {
    match chance.below(30) {
        0 => "type(x)",
        1 => "Base",
        2 => "LIMIT",
        3 => "x",
        _ => chance.one(&[
            "int",
            "str",
            "object",
            "tuple",
            "\"int\"",
            "None",
            "float",
            "type(None)",
        ]),
    }
}

/// Pairs of a name and a type, or other ways to give the fields of a `NamedTuple`.
fn typed(chance: &mut Chance, fields: &[&str]) -> String {
    let mut pairs = vec![];
    for field in fields {
        pairs.push(format!("(\"{field}\", {})", type_of_field(chance)));
    }
    let pairs = pairs.join(", ");
    let keywords: Vec<String> = fields.iter().map(|field| format!("{field}=int")).collect();
    let tuples: Vec<String> = fields
        .iter()
        .map(|field| format!("((\"{field}\", int),)"))
        .collect();
    match chance.below(24) {
        0 => format!("({pairs},)"),
        1 => keywords.join(", "),
        2 => format!("[{pairs}, (\"a\", int)]"),
        3 => format!("fields=[{pairs}]"),
        4 => format!("[{pairs}, (\"_c\", int)]"),
        5 => "[(name, int) for name in \"ab\"]".to_owned(),
        6 => tuples.join(" + "),
        _ => format!("[{pairs}]"),
    }
}

fn members(chance: &mut Chance, kind: Kind, fields: &[&str]) -> String {
    let is_one = fields.len() == 1;
    let names = if is_one {
        ["\"a\"", "[\"a\"]", "(\"a\",)", "\"a\".split()", "\"a,\""]
    } else {
        [
            "\"a b\"",
            "[\"a\", \"b\"]",
            "PAIR",
            "\"a b\".split()",
            "\"a, b\"",
        ]
    };
    let value = |chance: &mut Chance, plain: &'static str| match chance.below(16) {
        0 => "x",
        1 => "[]",
        2 => "LIMIT",
        3 if kind == Kind::Enum => "object()",
        4 if kind == Kind::Enum => "(1, 2)",
        4 => "\"v\"",
        5 if kind == Kind::Enum => "MISSING",
        6 if kind == Kind::Enum => "\"v\"",
        _ => plain,
    };
    let (one, two) = (value(chance, "1"), value(chance, "2"));
    let mut out = match chance.below(12) {
        0..6 => (*chance.one(&names)).to_owned(),
        6 | 7 if is_one => format!("[(\"a\", {one})]"),
        6 | 7 => format!("[(\"a\", {one}), (\"b\", {two})]"),
        8 | 9 if is_one => format!("{{\"a\": {one}}}"),
        8 | 9 => format!("{{\"a\": {one}, \"b\": {two}}}"),
        10 => format!("names={}", chance.one(&names)),
        _ => (*chance.one(&["\"a a\"", "\"a mro\"", "\"a b _c_\"", "\"a b c\""])).to_owned(),
    };
    if chance.percent(14) {
        out.push_str(chance.one(&[
            ", module=__name__",
            ", module=\"elsewhere\"",
            ", qualname=\"Other\"",
            ", start=4",
            ", start=1",
            ", type=int",
            ", type=object",
        ]));
    }
    out
}

fn data(chance: &mut Chance, fields: &[&str]) -> String {
    let last = fields[fields.len() - 1];
    let first: String = fields[..fields.len() - 1]
        .iter()
        .map(|field| format!("\"{field}\", "))
        .collect();
    let kind = type_of_field(chance);
    let mut out = match chance.below(16) {
        0..5 => format!("[{first}\"{last}\"]"),
        5..8 => format!("[{first}(\"{last}\", {kind})]"),
        8 => format!("[{first}(\"{last}\", {kind}, 3)]"),
        9 => format!("[{first}(\"{last}\", {kind}, x)]"),
        10 => format!(
            "[{first}(\"{last}\", list, __import__(\"dataclasses\").field(default_factory=list))]"
        ),
        11 => format!("({first}\"{last}\",)"),
        12 if fields.len() == 2 => "PAIR".to_owned(),
        13 => format!("\"{}\".split()", fields.join(" ")),
        14 => format!("[{first}(\"{last}\", {kind}, [])]"),
        _ => format!("fields=[{first}\"{last}\"]"),
    };
    if chance.percent(30) {
        out.push_str(chance.one(&[
            ", frozen=True",
            ", frozen=True",
            ", unsafe_hash=True",
            ", eq=False",
            ", order=True",
            ", order=1",
            ", repr=False",
            ", init=True",
            ", namespace={\"k\": 1}",
            ", namespace={\"k\": []}",
            ", namespace={\"area\": lambda self: 1}",
            ", namespace={\"__eq__\": lambda self, other: self is other}",
            ", bases=(object,)",
            ", bases=(Base,)",
            ", bases=()",
            ", frozen=x",
        ]));
    }
    out
}

fn keys(chance: &mut Chance, fields: &[&str]) -> String {
    let mut pairs = vec![];
    for field in fields {
        pairs.push(format!("\"{field}\": {}", type_of_field(chance)));
    }
    let mut out = match chance.below(12) {
        0 => "dict(a=int, b=str)".to_owned(),
        1 => "{name: int for name in \"ab\"}".to_owned(),
        2 => format!("{{{}, \"x-y\": int}}", pairs.join(", ")),
        3 => return "a=int, b=str".to_owned(),
        _ => format!("{{{}}}", pairs.join(", ")),
    };
    if chance.percent(30) {
        out.push_str(chance.one(&[", total=False", ", total=True", ", total=x"]));
    }
    out
}

fn supertype(chance: &mut Chance) -> String {
    match chance.below(12) {
        0 => "x".to_owned(),
        1 => "Base".to_owned(),
        2 => "list[int]".to_owned(),
        3 => "tp=int".to_owned(),
        _ => (*chance.one(&["int", "str", "tuple", "object", "\"int\""])).to_owned(),
    }
}

fn namespace(chance: &mut Chance, fields: &[&str]) -> String {
    let bases = match chance.below(16) {
        0 => "(Base,)",
        1 => "(int,)",
        2 => "(tuple,)",
        3 => "(Exception,)",
        4 => "(dict,)",
        5 => "[]",
        6 | 7 => "(object,)",
        _ => "()",
    };
    let field = fields[0];
    let names = match chance.below(20) {
        0 => "{}".to_owned(),
        1 => format!("{{\"{field}\": x}}"),
        2 => format!("{{\"{field}\": []}}"),
        3 => format!("{{\"{field}\": lambda self: 1}}"),
        4 => format!("dict({field}=1)"),
        5 => "{\"__slots__\": (\"a\", \"b\")}".to_owned(),
        6 => "{\"__eq__\": lambda self, other: True}".to_owned(),
        7 => "{\"__module__\": __name__, \"a\": 2}".to_owned(),
        8 => "{\"__doc__\": \"d\", \"a\": 2}".to_owned(),
        9 => "{\"a\": MISSING}".to_owned(),
        10 => "{\"a\": LIMIT, \"b\": PAIR}".to_owned(),
        11 => "locals()".to_owned(),
        _ => "{\"a\": 1, \"b\": \"two\"}".to_owned(),
    };
    format!("{bases}, {names}")
}
