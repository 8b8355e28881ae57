//! One module's text with its tree, tokens and names, each made once for all who look at it.

use rustpython_ast::Stmt;
use rustpython_ast::token::Tokens;

use super::nodes::{NodeId, Nodes};
use super::parse::{SyntaxError, compile, parse_grammar};
use super::semantic::{Reference, SemanticModel};
use crate::text::TextRange;
use crate::text::lines::slice;

/// A text that is a Python module, and what was read from it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The text, without a byte order mark.
    pub text: &'a str,
    /// All its tokens.
    pub tokens: &'a Tokens,
    /// All its nodes.
    pub nodes: &'a Nodes<'a>,
    /// What its names mean.
    pub model: &'a SemanticModel,
}

impl<'a> Source<'a> {
    /// The statements of the module's body.
    #[must_use]
    pub fn body(&self) -> &'a [Stmt] {
        &self.nodes.module().body
    }

    /// The references inside the range, in source order.
    pub fn references_in(&self, range: TextRange) -> impl Iterator<Item = &'a Reference> + use<'a> {
        self.model.references_in(range)
    }

    /// The source text of the node.
    #[must_use]
    pub fn source(&self, id: NodeId) -> &'a str {
        slice(self.text, self.nodes.range(id))
    }
}

/// Reads `text` and hands it to `work`; all that was read is dropped after that.
///
/// # Errors
/// Returns the first fault when `text` is no valid module, as [`parse`](super::parse::parse) does.
pub fn read<T>(text: &str, work: impl FnOnce(&Source<'_>) -> T) -> Result<T, SyntaxError> {
    let parsed = parse_grammar(text)?;
    let mut nodes = Nodes::build(parsed.syntax());
    let model = SemanticModel::build(&nodes);
    compile(text, &nodes, &model)?;
    nodes.forget_suspects();
    Ok(work(&Source {
        text,
        tokens: parsed.tokens(),
        nodes: &nodes,
        model: &model,
    }))
}
