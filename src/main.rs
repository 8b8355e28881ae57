//! The `hoist-namedtuple` command: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    hoist_namedtuple::cli::main()
}
