//! Finds Python class factories that run on every call and hoists them to module level, with proof.
//!
//! The rooms, in order; each imports only from those above it:
//!
//! 1. [`text`]: source text, its lines, and edits to it; knows no Python.
//! 2. [`python`]: syntax, tokens, scopes, names and constants of one module; knows no rules.
//! 3. [`rule`]: what to look for and what to say about it.
//! 4. [`hoist`]: the transform from findings to a plan of edits; pure.
//! 5. [`check`]: one source in, findings and a proven patch out; pure.
//! 6. [`cli`]: the outside world: arguments, files, diffs, reports, exit codes.

pub mod check;
pub mod cli;
pub mod hoist;
pub mod python;
pub mod rule;
pub mod text;
