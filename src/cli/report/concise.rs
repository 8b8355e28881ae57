//! The `concise` format: `path:row:col: CODE message`.

use std::io::{self, Write};

use super::Finding;
use super::emitter::Emitter;
use crate::cli::paths::shown;

/// Writes a line a finding.
pub(super) struct Concise;

impl Emitter for Concise {
    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let start = finding.start();
        writeln!(
            out,
            "{}:{}:{}: {} {}",
            shown(finding.path),
            start.row,
            start.column,
            finding.diagnostic.code,
            finding.message_and_outcome()
        )
    }
}
