//! `--new-rule`: a rule file to start from, which passes its own test.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cli::config::rule_paths;
use crate::cli::paths::shown;
use crate::rule::field_names::{is_identifier, is_keyword};
use crate::rule::{Registry, Rule};

/// The file, with `@words@` for what depends on the name.
const TEMPLATE: &str = include_str!("template.toml");

/// The module of a factory that was named without one.
const SOME_MODULE: &str = "your_package";

/// The names in the examples, each with the one in its place where the factory has that name.
const NAMES: [(&str, &str); 9] = [
    ("Size", "Extent"),
    ("size", "extent"),
    ("area", "surface"),
    ("width", "breadth"),
    ("height", "depth"),
    ("Row", "Entry"),
    ("row", "entry"),
    ("record", "keep"),
    ("list", "tuple"),
];

/// Writes the draft of a rule for the factory `name`, such as `recordclass.recordclass`, into the folder
/// `cwd`: into a file named after its last part. Gives back what to say.
///
/// Its codes are none of `known`, the rules of a check in `cwd`, nor of the rule files in `cwd`.
///
/// # Errors
/// A name that is none, or that another rule finds already, or a file that is there or cannot be
/// written.
pub(super) fn write(name: &str, cwd: &Path, known: &Registry) -> Result<String> {
    let factory = factory(name, known)?;
    let draft = Draft::new(factory, &with_rules_in(cwd, known))?;
    let file = PathBuf::from(&draft.file);
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

/// The rules of `known`, and those of the rule files in the folder `cwd` that can be read.
fn with_rules_in(cwd: &Path, known: &Registry) -> Registry {
    let mut registry = known.clone();
    for file in rule_paths::files(cwd).unwrap_or_default() {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let file = [(shown(&file), text)];
        if let Ok(more) = registry.and(file.into_iter()) {
            registry = more;
        }
    }
    registry
}

/// The qualified name, with a module, of the factory that is `given`.
fn factory(given: &str, known: &Registry) -> Result<String> {
    let is_name = |part: &str| is_identifier(part) && part.is_ascii() && !is_keyword(part);
    ensure!(
        given.split('.').all(is_name),
        "--new-rule: `{given}` is no name of a factory. Give it with its module, such as \
         `recordclass.recordclass`."
    );
    ensure!(
        !given.starts_with("builtins."),
        "--new-rule: `{given}` is a builtin, which a rule file names without a module. Name a factory \
         that is imported, and correct its rule to that."
    );
    if let Some(rule) = known.by_factory(given) {
        bail!(
            "--new-rule: {} ({}) finds calls of `{given}` already. Name another factory.",
            rule.constant.code,
            rule.constant.name
        );
    }
    let (module, name) = Rule::module_and_name(given);
    Ok(match module {
        "" => format!("{SOME_MODULE}.{name}"),
        _ => given.to_owned(),
    })
}

/// What the draft of a rule says of its factory.
struct Draft {
    /// The qualified name, with a module.
    factory: String,
    /// The name of the file.
    file: String,
    /// The codes.
    codes: [String; 2],
    /// The name of the rule, behind `per-call-` and `dynamic-`.
    word: String,
}

impl Draft {
    /// The draft for `factory`, whose codes and names none of `known` has.
    fn new(factory: String, known: &Registry) -> Result<Self> {
        let (_, name) = Rule::module_and_name(&factory);
        let file = format!("{name}.toml");
        Ok(Self {
            file: match rule_paths::is_rule_name(&file) {
                true => file,
                false => format!("{name}-rule.toml"),
            },
            codes: codes(name, known)?,
            word: word(name, known),
            factory,
        })
    }

    fn text(&self) -> String {
        let (module, callee) = imported(&self.factory);
        let name = callee.split('.').next().unwrap_or(callee);
        let [constant, dynamic] = &self.codes;
        let words = [
            ("@factory@", self.factory.as_str()),
            ("@file@", &self.file),
            ("@module@", module),
            ("@name@", name),
            ("@callee@", callee),
            ("@constant@", constant),
            ("@dynamic@", dynamic),
            ("@word@", &self.word),
        ];
        let fill = |text: String, word: &str, value: &str| text.replace(word, value);
        let text = words
            .iter()
            .fold(TEMPLATE.to_owned(), |text, (word, value)| {
                fill(text, word, value)
            });
        NAMES.iter().fold(text, |text, (usual, other)| {
            let chosen = if *usual == name { other } else { usual };
            fill(text, &format!("@{usual}@"), chosen)
        })
    }
}

/// The module that the factory is imported from, and its name as it is called then; a parent that
/// starts with a capital is a class.
fn imported(factory: &str) -> (&str, &str) {
    let mut dots = factory.match_indices('.').map(|(at, _)| at);
    let of_class = dots.find(|at| {
        let behind = factory.get(at + 1..).unwrap_or_default();
        behind.contains('.') && behind.starts_with(|char: char| char.is_ascii_uppercase())
    });
    let split = of_class.and_then(|at| Some((factory.get(..at)?, factory.get(at + 1..)?)));
    split.unwrap_or_else(|| Rule::module_and_name(factory))
}

/// Two codes of the first letters of `name` that no rule of `known` has.
fn codes(name: &str, known: &Registry) -> Result<[String; 2]> {
    let letters = name.chars().filter(char::is_ascii_alphabetic);
    let letters: String = letters.take(3).collect::<String>().to_ascii_uppercase();
    let prefixes = [letters.as_str(), "OWN"].into_iter();
    prefixes
        .filter(|letters| !["", "HNT"].contains(letters))
        .flat_map(|letters| {
            (1..100).map(move |number| {
                [number, number + 100].map(|number| format!("{letters}{number:03}"))
            })
        })
        .find(|codes| codes.iter().all(|code| known.by_code(code).is_none()))
        .context("--new-rule: no code is free. Move some of the rules away.")
}

/// A word for the names of the rule, which no rule of `known` has.
fn word(name: &str, known: &Registry) -> String {
    let text = name.replace('_', "-").to_ascii_lowercase();
    let parts = text.split('-').filter(|part| is_identifier(part));
    let short = parts.collect::<Vec<_>>().join("-");
    let own = format!("own-{short}").trim_end_matches('-').to_owned();
    let is_free = |word: &String| {
        let mut names = ["per-call", "dynamic"].into_iter();
        names.all(|start| known.by_name(&format!("{start}-{word}")).is_none())
    };
    let numbered = (2..).map(|number| format!("{own}{number}"));
    let mut words = [short.clone(), own.clone()].into_iter().chain(numbered);
    words
        .find(|word| !word.is_empty() && is_free(word))
        .unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::example::Examples;
    use crate::rule::registry;

    fn draft(name: &str) -> Draft {
        let known = registry().unwrap();
        Draft::new(factory(name, known).unwrap(), known).unwrap()
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
            "m.Size",
            "m.size",
            "m.area",
            "m.width",
            "m.height",
            "m.Row",
            "m.row",
            "m.record",
            "m.list",
            "m.type",
            "m.SimpleNamespace",
            "marshmallow.Schema.from_dict",
            "m.Size.area",
            "PIL.Image.new",
            "Schema.from_dict",
            "x.pyproject",
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
            ("builtins.dict", "is a builtin"),
            (
                "collections.namedtuple",
                "HNT001 (per-call-namedtuple) finds",
            ),
        ] {
            let error = factory(name, registry().unwrap()).unwrap_err();
            assert!(error.to_string().contains(words), "{name}: {error}");
        }
    }

    #[test]
    fn a_parent_with_a_capital_is_a_class_that_is_imported() {
        let text = draft("marshmallow.Schema.from_dict").text();
        assert!(text.contains("from marshmallow import Schema\n"), "{text}");
        assert!(text.contains(" = Schema.from_dict(\"Size\""), "{text}");
        assert!(text.contains("factories = [\"marshmallow.Schema.from_dict\"]"));
    }

    #[test]
    fn codes_and_names_are_those_of_no_other_rule() {
        let mut known = registry().unwrap().clone();
        for (at, name) in ["a.record", "b.record", "c.record"].into_iter().enumerate() {
            let draft = Draft::new(name.to_owned(), &known).unwrap();
            assert_eq!(
                draft.codes,
                [format!("REC00{}", at + 1), format!("REC10{}", at + 1)]
            );
            let file = (format!("{name}.toml"), draft.text());
            known = known.and([file].into_iter()).unwrap();
        }
        assert_eq!(draft("x.pyproject").file, "pyproject-rule.toml");
    }
}
