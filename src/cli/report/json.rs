//! The `json` format: a list of objects with ruff's field names, and ours.
//!
//! One fix may settle thousands of findings. Its edits are written once, with the first of them in
//! the file; the others have no edits and say in `shared_with` where that one stands. Who makes the
//! edits of every finding thus makes each edit once.

use std::io::{self, Write};
use std::ptr;

use serde::Serialize;

use super::Finding;
use super::emitter::Emitter;
use super::list::JsonList;
use crate::rule::{Applicability, Definition, Fix, Registry};
use crate::text::{Edit, Location, TextSize};

/// One finding; rows and columns count from 1, columns in characters.
#[derive(Serialize)]
struct Object<'a> {
    code: &'a str,
    name: &'a str,
    message: &'a str,
    filename: String,
    location: Place,
    end_location: Place,
    /// The row that takes a `# noqa` comment.
    noqa_row: usize,
    url: Option<&'a str>,
    fix: Option<FixObject<'a>>,
    factory: Option<&'a str>,
    typename: Option<&'a str>,
    fields: Option<&'a [String]>,
    scope: &'a str,
    /// The stable word for why there is no fix.
    skip_reason: Option<&'static str>,
    /// The same as a clause.
    skip_message: Option<&'static str>,
    /// What to do by hand then.
    help: Option<&'static str>,
    definition: Option<DefinitionObject<'a>>,
}

#[derive(Serialize)]
struct Place {
    row: usize,
    column: usize,
}

impl From<Location> for Place {
    fn from(Location { row, column }: Location) -> Self {
        Self { row, column }
    }
}

#[derive(Serialize)]
struct FixObject<'a> {
    applicability: Applicability,
    message: &'a str,
    edits: Vec<EditObject<'a>>,
    /// Where the finding starts that has the edits, when it is an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_with: Option<Place>,
}

#[derive(Serialize)]
struct EditObject<'a> {
    content: &'a str,
    location: Place,
    end_location: Place,
}

#[derive(Serialize)]
struct DefinitionObject<'a> {
    name: &'a str,
    text: &'a str,
    reused: bool,
}

/// Writes an object a finding.
#[derive(Default)]
pub(super) struct Json(JsonList);

impl Emitter for Json {
    fn start(&mut self, out: &mut dyn Write, _: &'static Registry) -> io::Result<()> {
        self.0.start(out)
    }

    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        self.0.item(out, &object(finding))
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.0.finish(out)
    }
}

/// All that is known of `finding`.
pub(super) fn object<'a>(finding: &'a Finding<'_>) -> impl Serialize + 'a {
    let diagnostic = finding.diagnostic;
    Object {
        code: diagnostic.code,
        name: diagnostic.name,
        message: &diagnostic.message,
        filename: finding.path.to_string_lossy().into_owned(),
        location: finding.start().into(),
        end_location: finding.end().into(),
        noqa_row: finding.lines.location(diagnostic.statement.end()).row,
        url: None,
        fix: diagnostic.fix.as_ref().map(|fix| fix_object(fix, finding)),
        factory: diagnostic.factory.as_deref(),
        typename: diagnostic.typename.as_deref(),
        fields: diagnostic.fields.as_deref(),
        scope: &diagnostic.scope,
        skip_reason: diagnostic.skip_reason.map(|reason| reason.code()),
        skip_message: diagnostic.skip_reason.map(|reason| reason.sentence()),
        help: diagnostic.help(),
        definition: diagnostic.definition.as_deref().map(definition_object),
    }
}

fn definition_object(definition: &Definition) -> DefinitionObject<'_> {
    DefinitionObject {
        name: &definition.name,
        text: &definition.text,
        reused: definition.reused,
    }
}

fn fix_object<'a>(fix: &'a Fix, finding: &Finding<'_>) -> FixObject<'a> {
    let place = |offset: TextSize| Place::from(finding.lines.location(offset));
    let edit = |edit: &'a Edit| EditObject {
        content: edit.content(),
        location: place(edit.range().start()),
        end_location: place(edit.range().end()),
    };
    let is_holder = ptr::eq(finding.holder, finding.diagnostic);
    FixObject {
        applicability: fix.applicability(),
        message: fix.message(),
        edits: fix.edits().filter(|_| is_holder).map(edit).collect(),
        shared_with: (!is_holder).then(|| place(finding.holder.range.start())),
    }
}
