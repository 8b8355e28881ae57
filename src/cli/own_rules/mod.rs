//! `--new-rule` and `--test-rules`: writing a rule of one's own.

mod draft;
mod examples;

use std::path::Path;

use anyhow::Result;

use super::args::Args;
use super::documentation::configuration;
use super::exit::ExitStatus;

/// Does what `args`, given in the folder `cwd`, ask for; the text is for stdout. `None` when they ask
/// for something else.
///
/// # Errors
/// A rule that cannot be written or read, with what to do.
pub(crate) fn wanted(args: &Args, cwd: &Path) -> Result<Option<(String, ExitStatus)>> {
    if let Some(name) = &args.new_rule {
        let known = configuration(args, cwd)?.registry;
        return draft::write(name, cwd, known).map(|text| Some((text, ExitStatus::Clean)));
    }
    let Some(path) = &args.test_rules else {
        return Ok(None);
    };
    examples::test(path, cwd).map(Some)
}
