//! The `concise` format: `path:row:col: CODE message`.

use std::io::{self, Write};

use super::Finding;
use crate::cli::paths::shown;

pub(super) fn write(out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
    let Finding {
        path, diagnostic, ..
    } = finding;
    let start = finding.start();
    writeln!(
        out,
        "{}:{}:{}: {} {}",
        shown(path),
        start.row,
        start.column,
        diagnostic.code,
        finding.message_and_outcome()
    )
}
