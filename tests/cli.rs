//! The program as a process: exit codes, streams, bad input, and what it leaves on disk.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, as tests do"
)]

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/baseline.rs"]
mod baseline;
#[path = "cli/broken_rules.rs"]
mod broken_rules;
#[path = "cli/bytes.rs"]
mod bytes;
#[path = "cli/command_line.rs"]
mod command_line;
#[path = "cli/config/mod.rs"]
mod config;
#[path = "cli/deep.rs"]
mod deep;
#[cfg(target_os = "linux")]
#[path = "cli/faults.rs"]
mod faults;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/formats/mod.rs"]
mod formats;
#[cfg(unix)]
#[path = "cli/generated.rs"]
mod generated;
#[path = "cli/hooks.rs"]
mod hooks;
#[path = "cli/hostile/mod.rs"]
mod hostile;
#[cfg(unix)]
#[path = "cli/interrupt.rs"]
mod interrupt;
#[path = "cli/model_patcher.rs"]
mod model_patcher;
#[path = "cli/own_factories.rs"]
mod own_factories;
#[path = "cli/own_rules.rs"]
mod own_rules;
#[cfg(unix)]
#[path = "cli/paths/mod.rs"]
mod paths;
#[path = "cli/progress.rs"]
mod progress;
#[path = "cli/project.rs"]
mod project;
#[path = "cli/reports.rs"]
mod reports;
#[path = "cli/rules.rs"]
mod rules;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/trace.rs"]
mod trace;
#[cfg(unix)]
#[path = "cli/untrusted/mod.rs"]
mod untrusted;
