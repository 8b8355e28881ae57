//! The `sarif` format: SARIF 2.1.0 with fixes, for code scanning and editors.
//!
//! Section numbers are those of the OASIS standard "Static Analysis Results Interchange Format
//! (SARIF) Version 2.1.0".

mod location;
mod result;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, MultiformatMessageString, Notification, ReportingConfiguration,
    ReportingDescriptor, Tool, ToolComponent,
};

use super::emitter::Emitter;
use super::root::Root;
use super::{Finding, Trouble};
use crate::cli::documentation;
use crate::rule::{Code, Registry};
use location::{ROOT_ID, problem_location};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A whole log (3.13).
#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

/// A run (3.14), whose results are JSON already: one result takes kilobytes as a value.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'a str,
    newline_sequences: [&'a str; 3],
    original_uri_base_ids: BTreeMap<&'a str, ArtifactLocation>,
    results: &'a [Box<RawValue>],
}

/// Collects results and notifications, and writes them at the end.
pub(super) struct Sarif {
    root: String,
    /// The rules that results refer to, and the registry of each, by their place.
    rules: Vec<(&'static Registry, &'static Code)>,
    results: Vec<Box<RawValue>>,
    notifications: Vec<Notification>,
}

impl Sarif {
    /// A log of files below `root`.
    pub(super) fn new(root: &Root) -> Self {
        Self {
            root: root.uri(),
            rules: Vec::new(),
            results: Vec::new(),
            notifications: Vec::new(),
        }
    }

    /// The place of a rule, which is added when no file before had it.
    fn index(&mut self, code: &str, registry: &'static Registry) -> Option<usize> {
        let mut known = self.rules.iter();
        if let Some(index) = known.position(|(_, rule)| rule.code == code) {
            return Some(index);
        }
        let (_, code) = registry.by_code(code)?;
        self.rules.push((registry, code));
        Some(self.rules.len() - 1)
    }

    /// What went on besides results (3.20).
    fn invocation(&mut self) -> Invocation {
        let notifications = std::mem::take(&mut self.notifications);
        Invocation::builder()
            .execution_successful(notifications.is_empty())
            .tool_execution_notifications(notifications)
            .build()
    }
}

impl Emitter for Sarif {
    fn start(&mut self, _out: &mut dyn Write, rules: &'static Registry) -> io::Result<()> {
        let codes = rules.codes().into_iter();
        self.rules = codes.map(|(_, code)| (rules, code)).collect();
        Ok(())
    }

    fn finding(&mut self, _out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let index = self.index(finding.diagnostic.code, finding.registry);
        let result = result::result(finding, index);
        self.results.push(to_raw_value(&result)?);
        Ok(())
    }

    fn trouble(&mut self, _out: &mut dyn Write, trouble: &Trouble<'_>) -> io::Result<()> {
        let notification = Notification::builder()
            .level("error")
            .message(plain(&trouble.message()).as_str())
            .locations(vec![problem_location(trouble)])
            .build();
        self.notifications.push(notification);
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rules = self.rules.iter();
        let rules = rules.map(|(registry, code)| descriptor(code, registry));
        let rules = rules.collect();
        let root = ArtifactLocation::builder().uri(self.root.clone()).build();
        let run = Run {
            tool: tool(rules),
            invocations: [self.invocation()],
            // Characters are Unicode scalar values; a byte order mark is none (3.14.27).
            column_kind: "unicodeCodePoints",
            newline_sequences: ["\r\n", "\n", "\r"],
            original_uri_base_ids: BTreeMap::from([(ROOT_ID, root)]),
            results: &self.results,
        };
        let log = Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [run],
        };
        serde_json::to_writer_pretty(&mut *out, &log)?;
        out.write_all(b"\n")
    }
}

fn tool(rules: Vec<ReportingDescriptor>) -> Tool {
    let driver = ToolComponent::builder()
        .name(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .short_description(string(&format!("{}.", env!("CARGO_PKG_DESCRIPTION"))))
        .rules(rules);
    Tool::builder().driver(driver.build()).build()
}

/// What `code` is about (3.49).
fn descriptor(code: &Code, registry: &Registry) -> ReportingDescriptor {
    let page = documentation::page(code, registry);
    let level = ReportingConfiguration::builder().level("warning").build();
    ReportingDescriptor::builder()
        .id(&code.code)
        .name(&code.name)
        .short_description(string(&format!("{}.", code.summary)))
        .full_description(string(code.documentation.what_it_does.trim()))
        .help(
            MultiformatMessageString::builder()
                .text(page.as_str())
                .markdown(page.as_str())
                .build(),
        )
        .default_configuration(level)
        .build()
}

/// `text` as a message that holds no embedded link (3.11.6): names and strings of the checked code may
/// look like one.
fn plain(text: &str) -> String {
    text.replace("](", "] (")
}

fn string(text: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(text).build()
}
