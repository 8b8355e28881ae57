//! `--statistics`: how often each rule was broken, and what can be done about it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::Finding;
use super::emitter::Emitter;
use super::list::JsonList;
use crate::rule::{Applicability, Diagnostic};

/// How the counts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Lines of words.
    Text,
    /// A JSON list.
    Json,
    /// A JSON object a line.
    JsonLines,
}

/// The counts of one rule.
#[derive(Debug, Default, Serialize)]
struct Row {
    code: &'static str,
    name: &'static str,
    count: usize,
    /// Findings that `--fix` settles.
    fixable_safe: usize,
    /// Findings that `--fix --unsafe-fixes` settles, too.
    fixable_unsafe: usize,
    /// The others by why there is no fix.
    skip_reasons: BTreeMap<&'static str, usize>,
}

impl Row {
    fn add(&mut self, diagnostic: &Diagnostic) {
        (self.code, self.name) = (diagnostic.code, diagnostic.name);
        self.count += 1;
        match diagnostic.fix.as_ref().map(|fix| fix.applicability()) {
            Some(Applicability::Safe) => self.fixable_safe += 1,
            Some(Applicability::Unsafe) => self.fixable_unsafe += 1,
            None => {
                if let Some(reason) = diagnostic.skip_reason {
                    *self.skip_reasons.entry(reason.code()).or_default() += 1;
                }
            }
        }
    }

    /// The counts and what they count, without those that are 0.
    fn parts(&self) -> Vec<(usize, String)> {
        let mut parts = vec![
            (self.fixable_safe, "fixable with --fix".to_owned()),
            (
                self.fixable_unsafe,
                "fixable with --fix --unsafe-fixes".to_owned(),
            ),
        ];
        let reasons = self.skip_reasons.iter();
        parts.extend(reasons.map(|(reason, count)| (*count, format!("not fixed: {reason}"))));
        parts.retain(|(count, _)| *count > 0);
        parts
    }
}

/// Counts findings, and writes the counts at the end.
pub(super) struct Statistics {
    style: Style,
    rows: BTreeMap<&'static str, Row>,
}

impl Statistics {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            rows: BTreeMap::new(),
        }
    }

    /// The rows, the largest count first.
    fn sorted(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.values().collect();
        rows.sort_by_key(|row| (Reverse(row.count), row.code));
        rows
    }
}

impl Emitter for Statistics {
    fn finding(&mut self, _out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let row = self.rows.entry(finding.diagnostic.code).or_default();
        row.add(finding.diagnostic);
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.sorted();
        match self.style {
            Style::Text => text(out, &rows),
            Style::Json => json(out, &rows),
            Style::JsonLines => rows.iter().try_for_each(|row| {
                serde_json::to_writer(&mut *out, row)?;
                out.write_all(b"\n")
            }),
        }
    }
}

/// A line a rule, and under it a line for each thing that can be done.
fn text(out: &mut dyn Write, rows: &[&Row]) -> io::Result<()> {
    let width = rows.first().map_or(0, |row| row.count.to_string().len());
    for row in rows {
        writeln!(out, "{:width$} {} {}", row.count, row.code, row.name)?;
        for (count, words) in row.parts() {
            writeln!(out, "  {count:width$} {words}")?;
        }
    }
    Ok(())
}

fn json(out: &mut dyn Write, rows: &[&Row]) -> io::Result<()> {
    let mut list = JsonList::default();
    list.start(out)?;
    for row in rows {
        list.item(out, row)?;
    }
    list.finish(out)
}
