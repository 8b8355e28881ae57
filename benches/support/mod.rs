//! What the benchmarks share: what they measure, the stack that it needs, and its inputs.

pub(crate) mod input;

use std::io;
use std::panic;
use std::thread;

use hoist_namedtuple::check::{CheckResult, FileContext, Settings};
use hoist_namedtuple::python::SyntaxError;
use rustpython_parser::parse_module;

/// The stack that `check` asks for, in bytes; only what is used of it takes memory.
const STACK_SIZE: usize = 256 * 1024 * 1024;

/// Runs `work` on a thread with the stack that the parser and `check` need.
///
/// # Errors
/// When the thread cannot be started.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK_SIZE);
        let joined = builder.spawn_scoped(scope, work)?.join();
        Ok(joined.unwrap_or_else(|payload| panic::resume_unwind(payload)))
    })
}

/// The parser alone: makes the tokens and the tree of `text`, and drops them; whether it is valid.
pub(crate) fn parse(text: &str) -> bool {
    parse_module(text).is_ok()
}

/// A check by all rules, with every safe fix made and proven.
///
/// # Errors
/// When `text` is no Python module.
pub(crate) fn check(text: &str) -> Result<CheckResult, SyntaxError> {
    hoist_namedtuple::check::check(text, &FileContext::default(), &Settings::default())
}
