//! `--new-rule`: a rule file to start from, which passes its own test.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cli::paths::shown;
use crate::rule::field_names::{is_identifier, is_keyword};
use crate::rule::{Registry, Rule, registry};

/// The file, with `@words@` for what depends on the name.
const TEMPLATE: &str = include_str!("template.toml");

/// The module of a factory that was named without one.
const SOME_MODULE: &str = "your_package";

/// Writes the draft of a rule for the factory `name`, such as `recordclass.recordclass`, into the folder
/// `cwd`: into a file named after its last part. Gives back what to say.
///
/// # Errors
/// A name that is none, or that another rule finds already, or a file that is there or cannot be
/// written.
pub(super) fn write(name: &str, cwd: &Path) -> Result<String> {
    let draft = Draft::new(name, registry()?)?;
    let file = PathBuf::from(format!("{}.toml", draft.name));
    let opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(cwd.join(&file));
    let file = shown(&file);
    let mut opened = match opened {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("--new-rule: {file} is there already. Move it away, or give another name.")
        }
        opened => opened.with_context(|| {
            format!("--new-rule: {file} cannot be written. Check the working folder.")
        })?,
    };
    opened
        .write_all(draft.text().as_bytes())
        .with_context(|| format!("--new-rule: {file} cannot be written. Check the disk."))?;
    Ok(format!(
        "{file} finds calls of `{}`. Correct it to what that takes, and try its examples with \
         `hoist-namedtuple --test-rules {file}`.\n",
        draft.factory
    ))
}

/// What the draft of a rule says of its factory.
struct Draft {
    /// The qualified name, with a module.
    factory: String,
    /// The last part of it.
    name: String,
    /// What the codes start with.
    letters: String,
    /// The name of the rule, behind `per-call-` and `dynamic-`.
    word: String,
}

impl Draft {
    fn new(given: &str, registry: &Registry) -> Result<Self> {
        let is_name = |part: &str| is_identifier(part) && part.is_ascii() && !is_keyword(part);
        ensure!(
            given.split('.').all(is_name),
            "--new-rule: `{given}` is no name of a factory. Give it with its module, such as \
             `recordclass.recordclass`."
        );
        let (module, name) = Rule::module_and_name(given);
        let module = if module.is_empty() {
            SOME_MODULE
        } else {
            module
        };
        let factory = format!("{module}.{name}");
        if let Some(rule) = registry.by_factory(given) {
            bail!(
                "--new-rule: {} ({}) finds calls of `{given}` already. Name another factory.",
                rule.constant.code,
                rule.constant.name
            );
        }
        let word = |text: &str| {
            let text = text.replace(['_', '.'], "-").to_ascii_lowercase();
            let parts = text.split('-').filter(|part| is_identifier(part));
            parts.collect::<Vec<_>>().join("-")
        };
        let is_taken = |word: &str| registry.by_name(&format!("per-call-{word}")).is_some();
        let short = word(name);
        let is_short = !short.is_empty() && !is_taken(&short);
        Ok(Self {
            word: if is_short {
                short
            } else {
                format!("own-{short}").trim_end_matches('-').to_owned()
            },
            letters: letters(name),
            factory,
            name: name.to_owned(),
        })
    }

    fn text(&self) -> String {
        let (module, name) = Rule::module_and_name(&self.factory);
        let words = [
            ("@factory@", self.factory.as_str()),
            ("@module@", module),
            ("@name@", name),
            ("@letters@", &self.letters),
            ("@word@", &self.word),
        ];
        let template = TEMPLATE.to_owned();
        words
            .iter()
            .fold(template, |text, (word, value)| text.replace(word, value))
    }
}

/// Three capitals for the codes; those of the built-in rules are not free.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphabetic);
    let letters: String = letters.take(3).collect::<String>().to_ascii_uppercase();
    match letters.as_str() {
        "" | "HNT" => "OWN".to_owned(),
        _ => letters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::example::Examples;

    fn draft(name: &str) -> Draft {
        Draft::new(name, registry().unwrap()).unwrap()
    }

    #[test]
    fn every_draft_is_a_rule_that_passes_its_own_examples() {
        for name in [
            "recordclass.recordclass",
            "my_records",
            "a.b.make_Thing2",
            "pkg.enum",
            "hnt.hnt_",
            "x._1",
            "cls.__",
        ] {
            let text = draft(name).text();
            assert!(!text.contains('@'), "{name}: {text}");
            let files = [("draft.toml".to_owned(), text)].into_iter();
            let rules = registry().unwrap().and(files);
            let rules: &'static Registry = Box::leak(Box::new(rules.unwrap()));
            let rule = rules.by_factory(&draft(name).factory).unwrap();
            let examples = Examples::new(rules, Some(rule));
            for example in &rule.valid {
                assert_eq!(examples.valid(example), None, "{name}");
            }
            for example in &rule.invalid {
                assert_eq!(examples.invalid(example), None, "{name}");
            }
        }
    }

    #[test]
    fn a_name_that_is_none_or_found_already_is_refused() {
        for (name, words) in [
            ("", "is no name of a factory"),
            ("a b", "is no name of a factory"),
            ("../x", "is no name of a factory"),
            ("a.class", "is no name of a factory"),
            (
                "collections.namedtuple",
                "HNT001 (per-call-namedtuple) finds",
            ),
        ] {
            let error = Draft::new(name, registry().unwrap()).err().unwrap();
            assert!(error.to_string().contains(words), "{name}: {error}");
        }
    }
}
