//! Room 1: source text, its lines, edits to it, how it is shown, and words that are like others.

pub mod edit;
pub mod lines;
pub mod single_line;
pub mod suggest;

pub use edit::{Edit, EditConflict, Edits};
pub use lines::{Lines, Location};
pub use rustpython_text_size::{TextLen, TextRange, TextSize};
pub use single_line::single_line;
