//! A rule: one kind of class factory, how it is called, and what is said about it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::code::Code;
use super::example::{Invalid, Valid};
use super::field_names::check_name;
use super::parameter::{Parameter, ParameterKind, Role, ValueKind};

/// One kind of class factory as its file describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rule {
    /// The file that it was read from, as messages name it.
    #[serde(skip)]
    pub file: String,
    /// The qualified names that the factory answers to, such as `collections.namedtuple`; a name
    /// without a module is a builtin.
    pub factories: Vec<String>,
    /// Whether other libraries export something else under the factory's name, so that no import
    /// from elsewhere counts as a fallback, and a later star import hides it.
    #[serde(default)]
    pub ambiguous_name: bool,
    /// Whether the rule is on where no rules are selected.
    #[serde(default = "yes")]
    pub default: bool,
    /// How instances of its classes compare.
    pub instances: Instances,
    /// Whether calls with equal arguments may share one definition.
    #[serde(default)]
    pub shares_definitions: bool,
    /// What keywords are that no parameter takes.
    #[serde(default)]
    pub other_keywords: OtherKeywords,
    /// What an older Python took as further positional arguments, in order.
    #[serde(default)]
    pub legacy_positional: Vec<String>,
    /// Attributes of a class whose reading tells it from no equal one, besides its names and docstring.
    #[serde(default)]
    pub harmless_attributes: Vec<String>,
    /// What the values of the members must be, by the factory's qualified name.
    #[serde(default)]
    pub member_values: BTreeMap<String, ValueKind>,
    /// The first Python 3 that has a factory, by its minor number, for those that came after 3.8.
    #[serde(default)]
    pub since_minor: BTreeMap<String, u8>,
    /// What a call costs.
    pub cost: Cost,
    /// The factory's parameters, in order.
    pub parameters: Vec<Parameter>,
    /// What is said about a call whose class could be made once.
    pub constant: Code,
    /// What is said about a call that depends on run-time values.
    pub dynamic: Code,
    /// Modules without a finding of the rule.
    pub valid: Vec<Valid>,
    /// Modules with findings of the rule.
    pub invalid: Vec<Invalid>,
}

fn yes() -> bool {
    true
}

/// How instances of a factory's classes compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Instances {
    /// By their values or their identity: no comparison asks for the class.
    ByValue,
    /// Only with instances of the same class, as dataclasses do.
    ByClass,
    /// The class has members that exist once, as an Enum has.
    MembersByIdentity,
    /// What a call of the class gives is no instance of it: a dictionary, or the argument.
    Plain,
}

/// What keywords are that no parameter takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherKeywords {
    /// An error.
    #[default]
    Error,
    /// Fields with their types, a form that newer Pythons refuse.
    Fields,
    /// Something that the rule does not describe.
    NotUnderstood,
}

/// What one call costs, as measured on one machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cost {
    /// The time, in microseconds: the least and the most over the measured Pythons.
    pub microseconds: [u32; 2],
    /// The objects left for the cyclic garbage collector: the fewest and the most.
    pub objects: [u32; 2],
}

impl Cost {
    fn validate(&self) -> Result<(), Contradiction> {
        let ranges = [
            ("cost.microseconds", self.microseconds),
            ("cost.objects", self.objects),
        ];
        let backwards = ranges.iter().find(|(_, [least, most])| least > most);
        backwards.map_or(Ok(()), |(key, [least, most])| {
            let message = format!("{least} is more than {most}. Write the least first.");
            Err(contradiction(*key, message))
        })
    }
}

/// A contradiction in a rule, and the key that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The dotted key, such as `parameters[1].role`.
    pub key: String,
    /// What is wrong and what to do, as a sentence.
    pub message: String,
}

fn contradiction(key: impl Into<String>, message: impl Into<String>) -> Contradiction {
    Contradiction {
        key: key.into(),
        message: message.into(),
    }
}

impl Rule {
    /// Both codes, the constant one first.
    #[must_use]
    pub fn codes(&self) -> [&Code; 2] {
        [&self.constant, &self.dynamic]
    }

    /// Whether the parameter of that name must be given.
    #[must_use]
    pub fn is_required(&self, name: &str) -> bool {
        self.parameters
            .iter()
            .any(|parameter| parameter.required && parameter.name == name)
    }

    /// The parameters that can be passed by position, in order.
    pub fn positional(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters
            .iter()
            .filter(|parameter| parameter.kind != ParameterKind::KeywordOnly)
    }

    /// Whether a call with a single argument is never a finding, as it lacks another or passes it out of
    /// sight (`*arguments`).
    #[must_use]
    pub fn needs_two_arguments(&self) -> bool {
        let required = self
            .parameters
            .iter()
            .filter(|parameter| parameter.required);
        // Without positional parameters, a positional argument is refused before others are missed.
        required.count() > 1 && self.positional().next().is_some()
    }

    /// Whether calls name fields: without any, a function that makes classes of run-time values exists
    /// for that.
    #[must_use]
    pub fn takes_fields(&self) -> bool {
        let mut parameters = self.parameters.iter();
        parameters.any(|parameter| parameter.role == Role::Fields)
    }

    /// Whether its classes are namedtuples: `_fields` names their fields.
    #[must_use]
    pub fn makes_namedtuples(&self) -> bool {
        self.harmless_attributes
            .iter()
            .any(|name| name == "_fields")
    }

    /// The module of a qualified name and the name in it; `("", name)` for a builtin.
    #[must_use]
    pub fn module_and_name(qualified: &str) -> (&str, &str) {
        qualified.rsplit_once('.').unwrap_or(("", qualified))
    }

    /// Checks what the file format alone cannot.
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub fn validate(&self) -> Result<(), Contradiction> {
        self.validate_factories()?;
        self.cost.validate()?;
        self.validate_parameters()?;
        for (at, code) in ["constant", "dynamic"].into_iter().zip(self.codes()) {
            code.validate(at)?;
        }
        if self.constant.code == self.dynamic.code {
            let message = "both codes are the same. Give the second another one.";
            return Err(contradiction("dynamic.code", message));
        }
        if self.constant.name == self.dynamic.name {
            let message = "both names are the same. Give the second another one.";
            return Err(contradiction("dynamic.name", message));
        }
        self.validate_examples()
    }

    fn validate_factories(&self) -> Result<(), Contradiction> {
        if self.factories.is_empty() {
            let message =
                "there is no factory. Name at least one, such as `collections.namedtuple`.";
            return Err(contradiction("factories", message));
        }
        let mut seen = BTreeSet::new();
        for (at, name) in self.factories.iter().enumerate() {
            let key = format!("factories[{at}]");
            if !name.split('.').all(|part| check_name(part).is_ok()) {
                let message = format!("`{name}` is no qualified name. Write `module.name`.");
                return Err(contradiction(key, message));
            }
            if let Some(bare) = name.strip_prefix("builtins.") {
                let message = format!("`{name}` is a builtin. Write `{bare}`.");
                return Err(contradiction(key, message));
            }
            if !seen.insert(name) {
                let message = format!("`{name}` is given twice. Remove one of them.");
                return Err(contradiction(key, message));
            }
        }
        let members = self
            .member_values
            .keys()
            .map(|name| ("member-values", name));
        let since = self.since_minor.keys().map(|name| ("since-minor", name));
        let mut named = members.chain(since);
        match named.find(|(_, name)| !self.factories.contains(name)) {
            Some((table, name)) => Err(contradiction(
                format!("{table}.{name}"),
                format!("`{name}` is none of the factories. Correct it, or add it to them."),
            )),
            None => Ok(()),
        }
    }

    fn validate_parameters(&self) -> Result<(), Contradiction> {
        let (mut names, mut roles) = (BTreeSet::new(), BTreeSet::new());
        let mut last = ParameterKind::PositionalOnly;
        for (at, parameter) in self.parameters.iter().enumerate() {
            let key = |part: &str| format!("parameters[{at}].{part}");
            let name = &parameter.name;
            parameter.validate(&format!("parameters[{at}]"))?;
            if !names.insert(name) {
                let message = format!("the parameter `{name}` is given twice. Remove one of them.");
                return Err(contradiction(key("name"), message));
            }
            if parameter.role.is_single() && !roles.insert(parameter.role) {
                let message = format!(
                    "another parameter is {} already. Give one of them the role `option`.",
                    parameter.role.words()
                );
                return Err(contradiction(key("role"), message));
            }
            if parameter.kind < last {
                let message = format!(
                    "`{name}` cannot follow a parameter that is passed by name. Put it before that one."
                );
                return Err(contradiction(key("kind"), message));
            }
            last = parameter.kind;
        }
        let is_typename =
            |parameter: &Parameter| parameter.role == Role::Typename && parameter.required;
        if self.parameters.iter().any(is_typename) {
            return Ok(());
        }
        let message =
            "no parameter is the typename. Give one the role `typename`, and `required = true`.";
        Err(contradiction("parameters", message))
    }

    fn validate_examples(&self) -> Result<(), Contradiction> {
        if self.valid.is_empty() {
            let message = "there is no example without a finding. Add a `[[valid]]` one.";
            return Err(contradiction("valid", message));
        }
        for (at, example) in self.valid.iter().enumerate() {
            example.validate(&format!("valid[{at}]"))?;
        }
        for (at, example) in self.invalid.iter().enumerate() {
            example.validate(&format!("invalid[{at}]"), self)?;
        }
        for code in self.codes() {
            let mut of_code = self
                .invalid
                .iter()
                .filter(|example| example.code == code.code);
            let shows = of_code.next().and_then(Invalid::instead);
            if shows.is_none() {
                let message = format!(
                    "the first example of {} must show what to write instead. Add one with `fixed` or `instead`.",
                    code.code
                );
                return Err(contradiction("invalid", message));
            }
        }
        Ok(())
    }
}
