//! All rules, read from the files in `rules/` that are built into the program.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use thiserror::Error;

use super::rule::{Code, Rule, RuleError};

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The code about comments, which no factory makes.
static UNUSED_SUPPRESSION: &str = include_str!("unused_suppression.toml");

static REGISTRY: LazyLock<Result<Registry, RegistryError>> = LazyLock::new(|| {
    Registry::read(FILES.files().map(|file| {
        (
            format!("rules/{}", file.path().display()),
            file.contents_utf8().unwrap_or_default(),
        )
    }))
});

/// A built-in rule that cannot be used: a fault of this program.
#[derive(Debug, Clone, Error)]
pub enum RegistryError {
    /// A file is not a rule.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: toml::de::Error,
    },
    /// A rule contradicts itself.
    #[error("{file}: {source}")]
    Contradictory {
        /// The file.
        file: String,
        /// The contradiction.
        source: RuleError,
    },
    /// Two rules claim the same code, name or factory.
    #[error("{file}: `{claimed}` is taken by another rule")]
    Repeated {
        /// The file that comes second.
        file: String,
        /// What both claim.
        claimed: String,
    },
}

/// All rules, ordered by code, and the code about suppression comments.
#[derive(Debug, Clone)]
pub struct Registry {
    rules: Vec<Rule>,
    unused_suppression: Code,
}

/// The built-in rules.
///
/// # Errors
/// Returns the fault when a built-in file is not a valid rule; a test proves that none is.
pub fn registry() -> Result<&'static Registry, &'static RegistryError> {
    REGISTRY.as_ref()
}

impl Registry {
    /// Reads rules from named texts.
    fn read<'a>(files: impl Iterator<Item = (String, &'a str)>) -> Result<Self, RegistryError> {
        let unused_suppression =
            toml::from_str(UNUSED_SUPPRESSION).map_err(|source| RegistryError::Unreadable {
                file: "src/rule/unused_suppression.toml".to_owned(),
                source,
            })?;
        let mut registry = Self {
            rules: vec![],
            unused_suppression,
        };
        for (file, text) in files {
            let rule: Rule = match toml::from_str(text) {
                Ok(rule) => rule,
                Err(source) => return Err(RegistryError::Unreadable { file, source }),
            };
            if let Err(source) = rule.validate() {
                return Err(RegistryError::Contradictory { file, source });
            }
            if let Some(claimed) = registry.claimed(&rule) {
                return Err(RegistryError::Repeated { file, claimed });
            }
            registry.rules.push(rule);
        }
        registry
            .rules
            .sort_by(|left, right| left.constant.code.cmp(&right.constant.code));
        Ok(registry)
    }

    /// What `rule` claims although it is taken.
    fn claimed(&self, rule: &Rule) -> Option<String> {
        if self.by_factory(&rule.factory).is_some() {
            return Some(rule.factory.clone());
        }
        rule.codes().into_iter().find_map(|code| {
            let taken = self.by_code(&code.code).map(|_| &code.code);
            taken
                .or_else(|| self.by_name(&code.name).map(|_| &code.name))
                .cloned()
        })
    }

    /// The rules, ordered by code.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// The code of suppression comments that silence nothing.
    #[must_use]
    pub fn unused_suppression(&self) -> &Code {
        &self.unused_suppression
    }

    /// All codes, ordered, each with the rule of its factory; the code about comments has none.
    #[must_use]
    pub fn codes(&self) -> Vec<(Option<&Rule>, &Code)> {
        let of_rules = self.rules.iter().flat_map(|rule| {
            let codes = rule.codes().into_iter();
            codes.map(move |code| (Some(rule), code))
        });
        let mut codes: Vec<_> = of_rules.chain([(None, &self.unused_suppression)]).collect();
        codes.sort_by(|left, right| left.1.code.cmp(&right.1.code));
        codes
    }

    /// The code spelled `code`, such as `HNT001`.
    #[must_use]
    pub fn by_code(&self, code: &str) -> Option<(Option<&Rule>, &Code)> {
        self.find(|candidate| candidate.code == code)
    }

    /// The code named `name`, such as `per-call-namedtuple`.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<(Option<&Rule>, &Code)> {
        self.find(|candidate| candidate.name == name)
    }

    /// The rule of the factory with that qualified name.
    #[must_use]
    pub fn by_factory(&self, qualified_name: &str) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| rule.factory == qualified_name)
    }

    /// Texts of which every module with a finding contains one.
    pub fn prefilters(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.prefilter.as_str())
    }

    fn find(&self, is_wanted: impl Fn(&Code) -> bool) -> Option<(Option<&Rule>, &Code)> {
        let mut codes = self.codes().into_iter();
        codes.find(|(_, code)| is_wanted(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn namedtuple() -> &'static str {
        FILES
            .get_file("namedtuple.toml")
            .unwrap()
            .contents_utf8()
            .unwrap()
    }

    #[test]
    fn every_built_in_rule_is_valid() {
        let registry = registry().unwrap();
        assert_eq!(registry.rules().count(), FILES.files().count());
        let codes: Vec<_> = registry
            .codes()
            .iter()
            .map(|(_, code)| code.code.as_str())
            .collect();
        assert_eq!(codes, ["HNT001", "HNT101", "HNT900"]);
    }

    #[test]
    fn a_rule_is_found_by_code_name_and_factory() {
        let registry = registry().unwrap();
        let (rule, code) = registry.by_code("HNT101").unwrap();
        assert_eq!(code.name, "dynamic-namedtuple");
        let rule = rule.unwrap();
        assert_eq!(rule.module_and_name(), ("collections", "namedtuple"));
        assert!(registry.by_code("HNT900").unwrap().0.is_none());
        assert!(registry.by_name("per-call-namedtuple").is_some());
        assert_eq!(registry.by_factory("collections.namedtuple"), Some(rule));
        assert!(registry.by_code("HNT00").is_none());
        assert_eq!(registry.prefilters().collect::<Vec<_>>(), ["namedtuple"]);
    }

    #[test]
    fn two_rules_cannot_claim_the_same() {
        let files = ["rules/a.toml", "rules/b.toml"].map(|file| (file.to_owned(), namedtuple()));
        let error = Registry::read(files.into_iter()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "rules/b.toml: `collections.namedtuple` is taken by another rule"
        );
    }

    #[test]
    fn an_unknown_key_and_a_contradiction_are_refused() {
        let unknown = format!("surprise = 1\n{}", namedtuple());
        let late = namedtuple().replacen("positional-or-keyword", "keyword-only", 1);
        for text in [unknown, late] {
            let files = [("a.toml".to_owned(), text.as_str())];
            assert!(Registry::read(files.into_iter()).is_err());
        }
    }

    #[test]
    fn the_documentation_is_whole_sentences_and_its_python_parses() {
        for (_, code) in registry().unwrap().codes() {
            let docs = &code.documentation;
            for text in [&docs.what_it_does, &docs.why_is_this_bad, &docs.fix_safety] {
                assert!(text.trim_end().ends_with('.'), "{}: {text}", code.code);
            }
            for python in [&docs.example, &docs.use_instead] {
                assert!(crate::python::parse::parse(python).is_ok());
            }
        }
    }
}
