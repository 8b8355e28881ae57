//! The types of the standard library, what stands between the brackets of each, and since when.

/// How a type is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeForm {
    /// By its name alone.
    Plain,
    /// Alone or with so many types.
    Generic(usize),
    /// Alone or with any types (PEP 585).
    Builtin,
    /// Alone or with types, the last of two an ellipsis.
    Tuple,
    /// Alone, or with a list of types or an ellipsis, and a type.
    Callable,
    /// With one type.
    OfOne,
    /// With one or more types.
    Union,
    /// With one or more literals.
    Literal,
}

impl TypeForm {
    /// Whether the name alone is a type.
    pub(super) fn is_plain(self) -> bool {
        !matches!(self, Self::OfOne | Self::Union | Self::Literal)
    }
}

/// How the type of that qualified name is written; `None` when it is not known to be a type.
pub(super) fn form(qualified: &str) -> Option<TypeForm> {
    let (module, name) = qualified.rsplit_once('.')?;
    let known = |names: &str| names.split_whitespace().any(|known| known == name);
    match module {
        "builtins" => match name {
            "tuple" => Some(TypeForm::Tuple),
            _ if known("dict frozenset list set type") => Some(TypeForm::Builtin),
            _ => known(BUILTINS).then_some(TypeForm::Plain),
        },
        "typing" | "typing_extensions" => typing_form(name),
        "collections" if known("ChainMap Counter OrderedDict defaultdict deque") => {
            Some(TypeForm::Builtin)
        }
        "collections.abc" => match name {
            "Callable" => Some(TypeForm::Callable),
            "Hashable" | "Sized" => Some(TypeForm::Plain),
            _ => known(ABSTRACT).then_some(TypeForm::Builtin),
        },
        "re" => known("Match Pattern").then_some(TypeForm::Builtin),
        "os" => known("PathLike").then_some(TypeForm::Builtin),
        _ => {
            let mut classes = CLASSES.iter();
            let (_, names) = classes.find(|(own, _)| *own == module)?;
            known(names).then_some(TypeForm::Plain)
        }
    }
}

/// The minor number of the first Python 3 whose module has the name, of those that [`form`] knows; 8 for
/// what is in every CPython from 3.8 up. What `typing_extensions` has is no matter of Python's version.
#[must_use]
pub fn type_since_minor(qualified: &str) -> u8 {
    match qualified {
        "typing.NotRequired" | "typing.Required" => 11,
        _ => 8,
    }
}

/// Whether the names of its module stand in the tables below, so that others are not known to be types.
/// Builtins are left to what names mean.
pub(super) fn is_known_module(qualified: &str) -> bool {
    let Some((module, _)) = qualified.rsplit_once('.') else {
        return false;
    };
    let others = [
        "typing",
        "typing_extensions",
        "collections",
        "collections.abc",
        "re",
        "os",
    ];
    others.contains(&module) || CLASSES.iter().any(|(own, _)| *own == module)
}

fn typing_form(name: &str) -> Option<TypeForm> {
    let known = |names: &str| names.split_whitespace().any(|known| known == name);
    Some(match name {
        "Callable" => TypeForm::Callable,
        "Literal" => TypeForm::Literal,
        "NotRequired" | "Optional" | "Required" => TypeForm::OfOne,
        "Tuple" => TypeForm::Tuple,
        "Union" => TypeForm::Union,
        "AsyncGenerator" => TypeForm::Generic(2),
        "Coroutine" | "Generator" => TypeForm::Generic(3),
        _ if known(OF_ONE) => TypeForm::Generic(1),
        _ if known(OF_TWO) => TypeForm::Generic(2),
        _ if known(TYPING_PLAIN) => TypeForm::Plain,
        _ => return None,
    })
}

const BUILTINS: &str = "bool bytearray bytes complex float int memoryview object range slice str";

const ABSTRACT: &str = "AsyncGenerator AsyncIterable AsyncIterator Awaitable Collection Container \
    Coroutine Generator ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping \
    MutableSequence MutableSet Reversible Sequence Set ValuesView";

const OF_ONE: &str = "AbstractSet AsyncIterable AsyncIterator Awaitable Collection Container Counter \
    Deque FrozenSet Iterable Iterator KeysView List MutableSequence MutableSet \
    Reversible Sequence Set SupportsAbs SupportsRound Type ValuesView";

const OF_TWO: &str = "ChainMap DefaultDict Dict ItemsView Mapping MutableMapping OrderedDict";

const TYPING_PLAIN: &str = "Any AnyStr Hashable NoReturn Sized SupportsBytes SupportsComplex \
    SupportsFloat SupportsInt Text";

/// Classes that take nothing between brackets, by their module.
const CLASSES: [(&str, &str); 12] = [
    ("abc", "ABC"),
    ("array", "array"),
    ("datetime", "date datetime time timedelta timezone tzinfo"),
    ("decimal", "Decimal"),
    ("enum", "Enum Flag IntEnum IntFlag"),
    ("fractions", "Fraction"),
    (
        "io",
        "BufferedIOBase BytesIO IOBase RawIOBase StringIO TextIOBase TextIOWrapper",
    ),
    (
        "ipaddress",
        "IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network",
    ),
    ("numbers", "Complex Integral Number Rational Real"),
    (
        "pathlib",
        "Path PosixPath PurePath PurePosixPath PureWindowsPath WindowsPath",
    ),
    (
        "types",
        "BuiltinFunctionType CodeType FrameType FunctionType GeneratorType MappingProxyType \
            MethodType ModuleType SimpleNamespace TracebackType",
    ),
    ("uuid", "UUID"),
];
