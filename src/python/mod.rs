//! Room 2: syntax, tokens, scopes, names and constants of one Python module; knows no rules.

mod compact;
pub mod constant;
mod depth;
pub mod dotted;
pub mod flow;
mod indentation;
pub mod nodes;
pub mod parse;
pub mod repetition;
pub mod semantic;
pub mod source;
pub mod tokens;

pub use nodes::{NodeId, Nodes};
pub use parse::{ParsedModule, SyntaxError};
pub use semantic::SemanticModel;
pub use source::Source;
