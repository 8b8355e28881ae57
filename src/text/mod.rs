//! Room 1: source text, its lines, and edits to it.

pub mod edit;
pub mod lines;

pub use edit::{Edit, EditConflict, Edits};
pub use lines::{Lines, Location};
pub use rustpython_text_size::{TextLen, TextRange, TextSize};
