//! Finds Python class factories that run on every call and hoists them to module level, with proof.
//!
//! The rooms, in order; each imports only from those above it:
//!
//! 1. [`text`]: source text, its lines, and edits to it; knows no Python.
//! 2. [`python`]: syntax, tokens, scopes, names and constants of one module; knows no rules.

pub mod python;
pub mod text;
