//! All rules: those built into the program from `rules/`, and those of the user's own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::code::Code;
use super::example::{Invalid, Valid};
use super::rule::{Contradiction, Rule};
use super::rule_file::{RuleFault, RuleFile};

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The code about comments, which no factory makes.
static UNUSED_SUPPRESSION: &str = include_str!("unused_suppression.toml");

/// What the codes of the program's own rules start with.
const RESERVED: &str = "HNT";

static REGISTRY: LazyLock<Result<Registry, RuleFault>> = LazyLock::new(|| {
    let files = FILES.files().map(|file| {
        let name = format!("rules/{}", file.path().display());
        (name, file.contents_utf8().unwrap_or_default().to_owned())
    });
    Registry::built_in(files)
});

/// All rules, ordered by code, and the code about suppression comments.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    rules: Vec<Rule>,
    comments: CommentRule,
    index: Index,
}

/// Where the rule of a code, a name or a factory stands among the rules; `None` for the code about
/// comments.
#[derive(Debug, Clone, Default)]
struct Index {
    codes: BTreeMap<String, Option<usize>>,
    names: BTreeMap<String, Option<usize>>,
    factories: BTreeMap<String, usize>,
    /// The factories by the last segments of their names.
    segments: FxHashMap<String, Vec<FactoryAt>>,
}

/// Where a factory stands: the number of its rule, and of its name among the rule's; these are in the
/// order of [`Registry::factories`].
pub type FactoryAt = (usize, usize);

impl Index {
    fn new(rules: &[Rule], comments: &CommentRule) -> Self {
        let mut index = Self::default();
        index.insert_code(&comments.constant, None);
        for (at, rule) in rules.iter().enumerate() {
            index.insert(rule, at);
        }
        index
    }

    fn insert(&mut self, rule: &Rule, at: usize) {
        for code in rule.codes() {
            self.insert_code(code, Some(at));
        }
        let names = rule.factories.iter();
        self.factories.extend(names.map(|name| (name.clone(), at)));
        for (number, name) in rule.factories.iter().enumerate() {
            let segment = Rule::module_and_name(name).1.to_owned();
            self.segments.entry(segment).or_default().push((at, number));
        }
    }

    fn insert_code(&mut self, code: &Code, at: Option<usize>) {
        self.codes.insert(code.code.clone(), at);
        self.names.insert(code.name.clone(), at);
    }
}

impl Default for &'static Registry {
    fn default() -> Self {
        Registry::empty()
    }
}

/// The code about comments, and its examples.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CommentRule {
    constant: Code,
    valid: Vec<Valid>,
    invalid: Vec<Invalid>,
}

/// One of the factories of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factory {
    /// The rule.
    pub rule: &'static Rule,
    /// The factory's qualified name, one of the rule's.
    pub name: &'static str,
}

/// The built-in rules.
///
/// # Errors
/// Returns the fault when a built-in file is not a valid rule; a test proves that none is.
pub fn registry() -> Result<&'static Registry, &'static RuleFault> {
    REGISTRY.as_ref()
}

impl Registry {
    /// A registry without rules.
    #[must_use]
    pub fn empty() -> &'static Self {
        static EMPTY: LazyLock<Registry> = LazyLock::new(Registry::default);
        &EMPTY
    }

    /// Reads the built-in rules from named texts.
    fn built_in(files: impl Iterator<Item = (String, String)>) -> Result<Self, RuleFault> {
        let file = "src/rule/unused_suppression.toml";
        let (_, comments) = RuleFile::deserialize(file, UNUSED_SUPPRESSION)?;
        let empty = Self {
            index: Index::new(&[], &comments),
            rules: vec![],
            comments,
        };
        empty.extended(files, |_| None)
    }

    /// These rules and those of further files: pairs of a name for messages and a text.
    ///
    /// # Errors
    /// Returns the first fault: a text that is no rule, or one that claims a code, a name or a
    /// factory that another rule has, or a code like those of the program's own rules.
    pub fn and(&self, files: impl Iterator<Item = (String, String)>) -> Result<Self, RuleFault> {
        self.extended(files, reserved)
    }

    fn extended(
        &self,
        files: impl Iterator<Item = (String, String)>,
        refused: impl Fn(&Rule) -> Option<Contradiction>,
    ) -> Result<Self, RuleFault> {
        let mut registry = self.clone();
        for (file, text) in files {
            let (source, rule) = RuleFile::read(&file, &text, &refused)?;
            let rule = Rule {
                file: file.clone(),
                ..rule
            };
            if let Some(fault) = registry.claimed(&rule) {
                return Err(source.fault(fault));
            }
            registry.index.insert(&rule, registry.rules.len());
            registry.rules.push(rule);
        }
        registry
            .rules
            .sort_by(|left, right| left.constant.code.cmp(&right.constant.code));
        registry.index = Index::new(&registry.rules, &registry.comments);
        Ok(registry)
    }

    /// What `rule` claims although it is taken.
    fn claimed(&self, rule: &Rule) -> Option<Contradiction> {
        let taken = |key: String, word: &str, (rule, code): (Option<&Rule>, &Code)| {
            // The files of the program's own rules are part of it.
            let owner = match rule.filter(|_| !code.code.starts_with(RESERVED)) {
                Some(rule) => format!("`{}` of {}", code.name, rule.file),
                None => format!("`{}`, a rule of the program", code.name),
            };
            Some(Contradiction {
                key,
                message: format!("`{word}` is taken by {owner}. Use another one."),
            })
        };
        for (at, name) in rule.factories.iter().enumerate() {
            if let Some(other) = self.by_factory(name) {
                let owner = (Some(other), &other.constant);
                return taken(format!("factories[{at}]"), name, owner);
            }
        }
        for (table, code) in ["constant", "dynamic"].into_iter().zip(rule.codes()) {
            if let Some(owner) = self.by_code(&code.code) {
                return taken(format!("{table}.code"), &code.code, owner);
            }
            if let Some(owner) = self.by_name(&code.name) {
                return taken(format!("{table}.name"), &code.name, owner);
            }
        }
        None
    }

    /// The rules, ordered by code.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// The factories of all rules.
    pub fn factories(&'static self) -> impl Iterator<Item = Factory> {
        self.rules.iter().flat_map(|rule| {
            let names = rule.factories.iter();
            names.map(move |name| Factory { rule, name })
        })
    }

    /// Where the factories stand of which the qualified names end in that segment, in order.
    #[must_use]
    pub fn factories_called(&self, segment: &str) -> &[FactoryAt] {
        self.index.segments.get(segment).map_or(&[], Vec::as_slice)
    }

    /// The factory at that place.
    #[must_use]
    pub fn factory(&'static self, (rule, name): FactoryAt) -> Option<Factory> {
        let rule = self.rules.get(rule)?;
        let name = rule.factories.get(name)?;
        Some(Factory { rule, name })
    }

    /// The code of suppression comments that silence nothing.
    #[must_use]
    pub fn unused_suppression(&self) -> &Code {
        &self.comments.constant
    }

    /// All codes, ordered, each with the rule of its factory; the code about comments has none.
    #[must_use]
    pub fn codes(&self) -> Vec<(Option<&Rule>, &Code)> {
        let codes = self.index.codes.iter();
        codes
            .filter_map(|(code, at)| self.owner(*at, |known| known.code == *code))
            .collect()
    }

    /// What codes start with, such as `HNT`, each once.
    #[must_use]
    pub fn code_letters(&self) -> Vec<&str> {
        let codes = self.codes().into_iter();
        let mut letters: Vec<&str> = codes.map(|(_, code)| code.letters()).collect();
        letters.dedup();
        letters
    }

    /// Whether the code is on where no rules are selected.
    #[must_use]
    pub fn is_default(&self, code: &str) -> bool {
        self.by_code(code)
            .is_some_and(|(rule, _)| rule.is_none_or(|rule| rule.default))
    }

    /// The code spelled `code`, such as `HNT001`.
    #[must_use]
    pub fn by_code(&self, code: &str) -> Option<(Option<&Rule>, &Code)> {
        let at = self.index.codes.get(code)?;
        self.owner(*at, |known| known.code == code)
    }

    /// The code named `name`, such as `per-call-namedtuple`.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<(Option<&Rule>, &Code)> {
        let at = self.index.names.get(name)?;
        self.owner(*at, |known| known.name == name)
    }

    /// The rule of the factory with that qualified name.
    #[must_use]
    pub fn by_factory(&self, qualified_name: &str) -> Option<&Rule> {
        self.rules.get(*self.index.factories.get(qualified_name)?)
    }

    /// The examples of the rule with that code: without a finding, and with one of the code.
    #[must_use]
    pub fn examples(&self, code: &str) -> (&[Valid], Vec<&Invalid>) {
        let (valid, invalid) = match self.by_code(code) {
            Some((Some(rule), _)) => (&rule.valid, &rule.invalid),
            _ => (&self.comments.valid, &self.comments.invalid),
        };
        let of_code = invalid.iter().filter(|example| example.code == code);
        (valid, of_code.collect())
    }

    /// The rule at that place with its code that is wanted.
    fn owner(
        &self,
        at: Option<usize>,
        is_wanted: impl Fn(&Code) -> bool,
    ) -> Option<(Option<&Rule>, &Code)> {
        let Some(at) = at else {
            return Some((None, self.unused_suppression()));
        };
        let rule = self.rules.get(at)?;
        let code = rule.codes().into_iter().find(|code| is_wanted(code))?;
        Some((Some(rule), code))
    }
}

/// A code of `rule` that only a rule of the program may have.
fn reserved(rule: &Rule) -> Option<Contradiction> {
    let mut codes = ["constant", "dynamic"].into_iter().zip(rule.codes());
    let (table, code) = codes.find(|(_, code)| code.code.starts_with(RESERVED))?;
    Some(Contradiction {
        key: format!("{table}.code"),
        message: format!(
            "`{}` starts with {RESERVED}, as only codes of the program's own rules do. Use other \
             letters.",
            code.code
        ),
    })
}

#[cfg(test)]
mod tests;
