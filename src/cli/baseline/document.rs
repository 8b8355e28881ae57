//! A baseline as text: JSON with a line for each kind of finding, sorted, so that a merge is easy to read.

use std::collections::BTreeMap;
use std::num::NonZero;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::{Counts, words};
use crate::rule::FindingKey;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    filename: String,
    code: String,
    scope: String,
    typename: Option<String>,
    count: NonZero<usize>,
}

/// Reads the counts by file.
///
/// # Errors
/// Bytes that are no JSON of this shape and version, or that lists one kind of finding twice.
pub(super) fn parse(bytes: &[u8]) -> Result<BTreeMap<String, Counts>> {
    let document: Document = serde_json::from_slice(bytes)?;
    ensure!(
        document.version == VERSION,
        "its version is {}, and {VERSION} is the one that is known",
        document.version
    );
    let mut files: BTreeMap<String, Counts> = BTreeMap::new();
    for entry in document.findings {
        let key = FindingKey {
            code: entry.code,
            scope: entry.scope,
            typename: entry.typename,
        };
        let place = (words(&key), entry.filename.clone());
        let counts = files.entry(entry.filename).or_default();
        let is_new = counts.insert(key, entry.count.get()).is_none();
        ensure!(is_new, "{} of {} is listed twice", place.0, place.1);
    }
    Ok(files)
}

/// The text of the counts by file.
///
/// # Errors
/// None that is known; writing JSON can fail in general.
pub(super) fn text(files: &BTreeMap<String, Counts>) -> Result<String> {
    let mut lines = Vec::new();
    for (filename, counts) in files {
        for (key, count) in counts {
            let Some(count) = NonZero::new(*count) else {
                continue;
            };
            let entry = Entry {
                filename: filename.clone(),
                code: key.code.clone(),
                scope: key.scope.clone(),
                typename: key.typename.clone(),
                count,
            };
            lines.push(serde_json::to_string(&entry).context("The baseline cannot be written.")?);
        }
    }
    let lines: String = lines
        .iter()
        .enumerate()
        .map(|(at, line)| format!("{}\n    {line}", if at == 0 { "" } else { "," }))
        .collect();
    let end = if lines.is_empty() { "" } else { "\n  " };
    Ok(format!(
        "{{\n  \"version\": {VERSION},\n  \"findings\": [{lines}{end}]\n}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(entries: &[(&str, &str, Option<&str>, usize)]) -> Counts {
        let entries = entries.iter().map(|(code, scope, typename, count)| {
            let key = FindingKey {
                code: (*code).to_owned(),
                scope: (*scope).to_owned(),
                typename: typename.map(str::to_owned),
            };
            (key, *count)
        });
        entries.collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let files: BTreeMap<String, Counts> = [
            (
                "b \"é\".py".to_owned(),
                counts(&[("HNT001", "f.<lambda>", Some("Row"), 2)]),
            ),
            (
                "a.py".to_owned(),
                counts(&[("HNT101", "", None, 1), ("HNT001", "C.f", Some("Row"), 3)]),
            ),
        ]
        .into();
        let text = text(&files).unwrap();
        assert_eq!(
            text,
            r#"{
  "version": 1,
  "findings": [
    {"filename":"a.py","code":"HNT001","scope":"C.f","typename":"Row","count":3},
    {"filename":"a.py","code":"HNT101","scope":"","typename":null,"count":1},
    {"filename":"b \"é\".py","code":"HNT001","scope":"f.<lambda>","typename":"Row","count":2}
  ]
}
"#
        );
        assert_eq!(parse(text.as_bytes()).unwrap(), files);
    }

    #[test]
    fn an_empty_baseline_is_a_document() {
        let text = text(&BTreeMap::new()).unwrap();
        assert_eq!(text, "{\n  \"version\": 1,\n  \"findings\": []\n}\n");
        assert!(parse(text.as_bytes()).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        let entry = r#"{"filename":"a.py","code":"HNT001","scope":"f","typename":null,"count":1}"#;
        let document = |list: &str| format!("{{\"version\": 1, \"findings\": [{list}]}}");
        assert!(parse(document(entry).as_bytes()).is_ok());
        for wrong in [
            String::new(),
            "[]".to_owned(),
            document(&format!("{entry},{entry}")),
            document(&entry.replace("\"count\":1", "\"count\":0")),
            document(&entry.replace("count", "number")),
            document(entry).replace("\"version\": 1", "\"version\": 2"),
        ] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
