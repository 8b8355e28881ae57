//! The `json-lines` format: the objects of `json`, each on a line of its own.

use std::io::{self, Write};

use super::Finding;
use super::emitter::Emitter;
use super::json;

/// Writes an object a finding.
pub(super) struct JsonLines;

impl Emitter for JsonLines {
    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &json::object(finding))?;
        out.write_all(b"\n")
    }
}
