//! Room 2: syntax, tokens, scopes and names of one Python module; knows no rules.

mod depth;
pub mod nodes;
pub mod parse;
pub mod semantic;
pub mod tokens;

pub use nodes::{NodeId, Nodes};
pub use parse::{ParsedModule, SyntaxError};
pub use semantic::SemanticModel;
