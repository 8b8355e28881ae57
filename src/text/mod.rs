//! Room 1: source text, its lines, edits to it, and words that are like others.

pub mod edit;
pub mod lines;
pub mod suggest;

pub use edit::{Edit, EditConflict, Edits};
pub use lines::{Lines, Location};
pub use rustpython_text_size::{TextLen, TextRange, TextSize};
