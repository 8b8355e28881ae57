//! From TOML to a table of settings.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error, ValueDeserializer};

use super::fault::{Fault, quoted};
use super::table::{KEYS, Table};
use crate::text::suggest::{choice, did_you_mean};

/// Reads a text whose top level holds our keys.
///
/// # Errors
/// The first fault in it.
pub(super) fn top_level(text: &str) -> Result<Table, Fault> {
    let root = DeTable::parse(text).map_err(|error| no_toml(&error))?;
    let span = root.span();
    if let Some((key, _)) = root.get_ref().get_key_value("tool") {
        return Err(Fault::at(
            key.span(),
            "the keys stand at the top level of this file. Leave `[tool.hoist-namedtuple]` out; \
             only a pyproject.toml needs it.",
        ));
    }
    table(text, Spanned::new(span, root.into_inner()))
}

/// Reads the table `[tool.hoist-namedtuple]` of a `pyproject.toml`; `None` when it has none.
///
/// # Errors
/// The first fault in that table, or of a text that is no TOML although it has that table's header.
pub(super) fn pyproject(text: &str) -> Result<Option<Table>, Fault> {
    let root = match DeTable::parse(text) {
        Ok(root) => root,
        Err(error) if has_header(text) => return Err(no_toml(&error)),
        Err(_) => return Ok(None),
    };
    let tool = root.get_ref().get("tool").map(Spanned::get_ref);
    let Some(ours) = tool
        .and_then(DeValue::as_table)
        .and_then(|tool| tool.get("hoist-namedtuple"))
    else {
        return Ok(None);
    };
    match ours.get_ref() {
        DeValue::Table(items) => table(text, Spanned::new(ours.span(), items.clone())).map(Some),
        _ => Err(Fault::at(
            ours.span(),
            "`tool.hoist-namedtuple` must be a table. Write its keys under `[tool.hoist-namedtuple]`.",
        )),
    }
}

/// Whether a line of `text` looks like the header of our table, or sets a key of it.
pub(super) fn has_header(text: &str) -> bool {
    text.lines().any(|line| {
        let is_plain = |letter: &char| !matches!(letter, ' ' | '\t' | '"' | '\'');
        let plain: String = line.chars().filter(is_plain).collect();
        let is_key = |key: &str| {
            let rest = plain.strip_prefix(key);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([']', '.', '=', '#']))
        };
        is_key("[tool.hoist-namedtuple")
            || is_key("tool.hoist-namedtuple")
            || (plain.starts_with("hoist-namedtuple={") || plain.starts_with("hoist-namedtuple."))
    })
}

/// `items` as settings; their spans are places in `text`.
fn table(text: &str, items: Spanned<DeTable<'_>>) -> Result<Table, Fault> {
    let mut keys: Vec<(Range<usize>, String)> = items
        .get_ref()
        .keys()
        .map(|key| (key.span(), key.get_ref().to_string()))
        .collect();
    keys.sort_by_key(|(span, _)| span.start);
    for (span, key) in &keys {
        known(key).map_err(|message| Fault::at(span.clone(), message))?;
    }
    let span = items.span();
    let value = Spanned::new(span, DeValue::Table(items.into_inner()));
    Table::deserialize(ValueDeserializer::from(value))
        .map_err(|error| wrong_type(&error, &keys, text))
}

fn known(key: &str) -> Result<(), String> {
    let names = KEYS.map(|(name, _)| name);
    if names.contains(&key) {
        return Ok(());
    }
    let key = quoted(key);
    let hint = did_you_mean(&key, names);
    Err(format!(
        "there is no key `{key}`.{hint} Use {}.",
        choice(&names)
    ))
}

fn no_toml(error: &Error) -> Fault {
    Fault {
        span: error.span(),
        ..Fault::new(format!(
            "it is no valid TOML ({}). Correct it.",
            error.message().trim().replace('\n', ", ")
        ))
    }
}

fn wrong_type(error: &Error, keys: &[(Range<usize>, String)], text: &str) -> Fault {
    let span = error.span().unwrap_or_default();
    // The value of a sub-table is not one piece of text, so what holds the fault is told by order.
    let holder = keys.iter().rfind(|(key, _)| key.start <= span.start);
    let known = holder.and_then(|(_, name)| KEYS.iter().find(|(key, _)| key == name));
    let Some((key, wanted)) = known else {
        return Fault::at(span, format!("{}. Correct it.", error.message()));
    };
    let value = text.get(span.clone()).unwrap_or_default();
    let shown = quoted(value);
    Fault::at(
        span,
        format!("`{shown}` is wrong here. It must be {wanted}."),
    )
    .in_key(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (Option<Range<usize>>, String) {
        let fault = top_level(text).unwrap_err();
        (fault.span, fault.message)
    }

    #[test]
    fn every_key_is_read() {
        let text = r#"
            select = ["HNT"]
            ignore = ["HNT101"]
            rule-paths = ["rules"]
            exclude = ["a"]
            extend-exclude = ["b"]
            force-exclude = true
            respect-gitignore = false
            naming = "typename"
            unsafe-fixes = true
            max-file-size = "1M"
            output-format = "json"
            [per-file-ignores]
            "tests/*" = ["ALL"]
        "#;
        let table = toml::to_string(&top_level(text).unwrap()).unwrap();
        for (key, _) in KEYS {
            assert!(table.contains(key), "{key}: {table}");
        }
    }

    #[test]
    fn an_unknown_key_is_named_with_its_place_and_what_may_be_meant() {
        let (span, message) = fault("select = []\nexlude = []\n");
        assert_eq!(span, Some(12..18));
        assert!(
            message.starts_with("there is no key `exlude`. Did you mean `exclude`? Use `select`")
        );
        let (_, message) = fault("line-length = 3\n");
        assert!(!message.contains("Did you mean"), "{message}");
    }

    #[test]
    fn a_wrong_type_tells_what_the_key_must_be() {
        for (text, start, words) in [
            ("exclude = 3", 10, ["`3` is wrong", "a list of patterns"]),
            (
                "exclude = ['a', 3]",
                16,
                ["`3` is wrong", "a list of patterns"],
            ),
            (
                "select = 'HNT001'",
                9,
                ["`'HNT001'`", "such as [\"HNT001\"]"],
            ),
            ("unsafe-fixes = 'yes'", 15, ["`'yes'`", "`true` or `false`"]),
            ("naming = true", 9, ["`true`", "a string"]),
            ("[per-file-ignores]\n'x' = 1", 25, ["`1`", "lists of rules"]),
            (
                "per-file-ignores = ['x']",
                19,
                ["`['x']`", "lists of rules"],
            ),
        ] {
            let (span, message) = fault(text);
            assert_eq!(
                span.map(|span| span.start),
                Some(start),
                "{text}: {message}"
            );
            for word in words {
                assert!(message.contains(word), "{text}: {message}");
            }
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_no_toml() {
        let (span, message) = fault("naming = 'context'\nnaming = 'context'\n");
        assert_eq!(span.map(|span| span.start), Some(19));
        assert!(
            message.starts_with("it is no valid TOML (duplicate key"),
            "{message}"
        );
    }

    #[test]
    fn the_header_of_a_pyproject_has_no_place_in_our_own_file() {
        let (span, message) = fault("[tool.hoist-namedtuple]\nselect = []\n");
        assert_eq!(span.map(|span| span.start), Some(1));
        assert!(message.contains("top level"), "{message}");
    }

    #[test]
    fn a_pyproject_counts_when_it_has_our_table() {
        for text in [
            "[project]\ndependencies = ['hoist-namedtuple']\n",
            "tool = 'hoist-namedtuple'\n",
            "[tool.ruff]\n# hoist-namedtuple\n",
            "[tool\nhoist-namedtuple",
            "[tool.hoist-namedtuple-extra]\n= broken",
        ] {
            assert!(pyproject(text).unwrap().is_none(), "{text}");
        }
        for text in [
            "[tool.hoist-namedtuple]\n",
            "[tool]\nhoist-namedtuple.naming = 'context'\n",
            "[tool.hoist-namedtuple.per-file-ignores]\n",
        ] {
            assert!(pyproject(text).unwrap().is_some(), "{text}");
        }
        for text in [
            "[tool.hoist-namedtuple]\n= broken",
            "[ tool . \"hoist-namedtuple\" ]\n= broken",
            "[tool]\nhoist-namedtuple = 1\n",
            "[[tool.hoist-namedtuple]]\n",
        ] {
            assert!(pyproject(text).is_err(), "{text}");
        }
    }
}
