//! The exit codes, by what they mean.

use std::process::ExitCode;

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// Nothing was found, or all of it was fixed.
    Clean,
    /// Findings remain, or `--diff` shows a change.
    Findings,
    /// Bad usage, or a file could not be read, decoded, parsed or written.
    Error,
}

impl ExitStatus {
    /// The code that the operating system sees: 0, 1 or 2.
    pub(crate) fn code(self) -> u8 {
        match self {
            ExitStatus::Clean => 0,
            ExitStatus::Findings => 1,
            ExitStatus::Error => 2,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        ExitCode::from(status.code())
    }
}
