//! The parameters of a factory, and what it does with each.

use serde::Deserialize;

use super::field_names::check_name;
use super::rule::Contradiction;

/// One parameter of a factory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What the factory does with it.
    pub role: Role,
    /// How it can be passed.
    #[serde(default)]
    pub kind: ParameterKind,
    /// Whether a call without it raises.
    #[serde(default)]
    pub required: bool,
    /// Which names the class or its fields may have.
    #[serde(default)]
    pub names: NameRule,
    /// How fields can be written.
    #[serde(default = "FieldForm::usual")]
    pub forms: Vec<FieldForm>,
    /// The first Python 3 that has it, by its minor number, when that is not 3.8.
    #[serde(default)]
    pub since_minor: Option<u8>,
    /// What the value may be; of fields, the value beside a name.
    #[serde(default)]
    pub values: ValueKind,
}

impl Parameter {
    /// Checks its name and its forms; `key` is the table that holds them.
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub(super) fn validate(&self, key: &str) -> Result<(), Contradiction> {
        let fault = |part: &str, message: String| {
            Err(Contradiction {
                key: format!("{key}.{part}"),
                message,
            })
        };
        let name = &self.name;
        if check_name(name).is_err() {
            let words = "is no name of a parameter. Write it as the factory's signature has it.";
            return fault("name", format!("`{name}` {words}"));
        }
        if self.forms.is_empty() {
            let message = "it is empty. Name a form, or leave the key out.";
            return fault("forms", message.to_owned());
        }
        Ok(())
    }
}

/// How an argument can be passed, in the order of a signature.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterKind {
    /// By position only.
    PositionalOnly,
    /// By position or by name.
    #[default]
    PositionalOrKeyword,
    /// By name only.
    KeywordOnly,
}

/// What a factory does with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The class's name.
    Typename,
    /// The names of its fields or members, and what belongs to each.
    Fields,
    /// Whether unusable field names are replaced.
    Rename,
    /// The default values of the last fields.
    Defaults,
    /// The class's `__module__`.
    Module,
    /// The type that it stands for.
    Type,
    /// Its base classes.
    Bases,
    /// Its further attributes.
    Namespace,
    /// Another constant that decides what the class is like.
    Option,
    /// Something whose effect the rule does not describe: a call with it gets no fix.
    NotUnderstood,
}

impl Role {
    /// Whether one parameter at most can have it.
    #[must_use]
    pub const fn is_single(self) -> bool {
        !matches!(self, Role::Option | Role::NotUnderstood)
    }

    /// Whether a call that depends on run-time values in it makes a class of another shape each time.
    #[must_use]
    pub const fn is_shape(self) -> bool {
        matches!(self, Role::Fields | Role::Bases | Role::Namespace)
    }

    /// The argument in words, such as "field names", for messages.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Role::Typename => "a typename",
            Role::Fields => "field names",
            Role::Rename => "a `rename` flag",
            Role::Defaults => "default values",
            Role::Module => "a module name",
            Role::Type => "a type",
            Role::Bases => "bases",
            Role::Namespace => "attributes",
            Role::Option | Role::NotUnderstood => "an option",
        }
    }
}

/// Which names a class or its fields may have; any other raises, or is not understood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameRule {
    /// Identifiers that are no keywords.
    #[default]
    Identifier,
    /// Identifiers that are no keywords and do not start with an underscore, each once.
    Namedtuple,
    /// Identifiers that are no keywords and do not start with an underscore, each once; others are not
    /// understood.
    Plain,
    /// What an Enum takes as a member: a text without a leading underscore, each once, but for `mro`.
    Member,
    /// Any text.
    Text,
}

/// One way to write the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldForm {
    /// `"a b"` or `"a, b"`.
    Text,
    /// `["a", "b"]`.
    Names,
    /// `[("a", int), ("b", int)]`.
    Pairs,
    /// `{"a": int, "b": int}`.
    Mapping,
}

impl FieldForm {
    fn usual() -> Vec<Self> {
        vec![Self::Text, Self::Names]
    }
}

/// What a value may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// Any constant that is not made anew on each call.
    #[default]
    Constant,
    /// A type expression or any other constant.
    Type,
    /// A type expression; `typing` raises for anything else.
    CheckedType,
    /// `True` or `False`.
    Bool,
    /// An integer.
    Int,
    /// A power of two.
    Bit,
    /// A string.
    Str,
}
