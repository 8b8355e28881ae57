//! A rule: one class factory, how it is called, and what is said about it.

use std::collections::BTreeSet;

use serde::Deserialize;
use thiserror::Error;

use super::message::Template;

/// One class factory as its file in `rules/` describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rule {
    /// The factory's qualified name, such as `collections.namedtuple`.
    pub factory: String,
    /// A text that every module that calls the factory contains.
    pub prefilter: String,
    /// The modules that export the factory under its own name.
    pub modules: Vec<String>,
    /// What an older Python took as further positional arguments, in order.
    #[serde(default)]
    pub legacy_positional: Vec<String>,
    /// The factory's parameters, in order.
    pub parameters: Vec<Parameter>,
    /// What is said about a call whose class could be made once.
    pub constant: Code,
    /// What is said about a call that depends on run-time values.
    pub dynamic: Code,
}

/// One parameter of a factory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What the factory does with it.
    pub role: Role,
    /// How it can be passed.
    pub kind: ParameterKind,
    /// Whether a call without it raises.
    #[serde(default)]
    pub required: bool,
}

/// How an argument can be passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterKind {
    /// By position or by name.
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
    /// The names of its fields.
    Fields,
    /// Whether unusable field names are replaced.
    Rename,
    /// The default values of the last fields.
    Defaults,
    /// The class's `__module__`.
    Module,
}

impl Role {
    /// The argument in words, such as "field names", for messages.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Role::Typename => "a typename",
            Role::Fields => "field names",
            Role::Rename => "a `rename` flag",
            Role::Defaults => "default values",
            Role::Module => "a module name",
        }
    }
}

/// One code of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Code {
    /// The code, such as `HNT001`.
    pub code: String,
    /// The name, such as `per-call-namedtuple`.
    pub name: String,
    /// What a finding means, in a few words.
    pub summary: String,
    /// The message of a finding.
    pub message: Template,
    /// The documentation.
    pub documentation: Documentation,
}

/// The documentation of a code: whole sentences, and Python that runs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Documentation {
    /// What is found.
    pub what_it_does: String,
    /// What it costs.
    pub why_is_this_bad: String,
    /// A module with a finding.
    pub example: String,
    /// The same module without.
    pub use_instead: String,
    /// What the fix promises.
    pub fix_safety: String,
}

/// A rule that contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleError {
    /// Two parameters have the same name or role.
    #[error("the parameter `{0}` is given twice")]
    RepeatedParameter(String),
    /// A parameter that can be passed by position follows one that cannot.
    #[error("the positional parameter `{0}` follows a keyword-only one")]
    LatePositional(String),
    /// No parameter has a role that every factory needs.
    #[error("no required parameter has the role `{0:?}`")]
    MissingRole(Role),
    /// The factory's qualified name has no module.
    #[error("`{0}` is no qualified name")]
    Unqualified(String),
}

impl Rule {
    /// The factory's module and its name in it; `("", name)` for a builtin.
    #[must_use]
    pub fn module_and_name(&self) -> (&str, &str) {
        self.factory.rsplit_once('.').unwrap_or(("", &self.factory))
    }

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
            .filter(|parameter| parameter.kind == ParameterKind::PositionalOrKeyword)
    }

    /// Checks what the file format alone cannot.
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub fn validate(&self) -> Result<(), RuleError> {
        if self.module_and_name().0.is_empty() {
            return Err(RuleError::Unqualified(self.factory.clone()));
        }
        let mut names = BTreeSet::new();
        let mut roles = BTreeSet::new();
        let mut keyword_only = false;
        for parameter in &self.parameters {
            if !names.insert(&parameter.name) || !roles.insert(parameter.role) {
                return Err(RuleError::RepeatedParameter(parameter.name.clone()));
            }
            match parameter.kind {
                ParameterKind::KeywordOnly => keyword_only = true,
                ParameterKind::PositionalOrKeyword if keyword_only => {
                    return Err(RuleError::LatePositional(parameter.name.clone()));
                }
                ParameterKind::PositionalOrKeyword => {}
            }
        }
        let required = |role| {
            self.parameters
                .iter()
                .any(|parameter| parameter.role == role && parameter.required)
        };
        [Role::Typename, Role::Fields]
            .into_iter()
            .find(|role| !required(*role))
            .map_or(Ok(()), |role| Err(RuleError::MissingRole(role)))
    }
}
