//! One module's text with its tree, tokens and names, each made once for all who look at it.

use rustpython_ast::token::Tokens;
use rustpython_ast::{ModModule, Stmt};

use super::compact::compact;
use super::nodes::{NodeId, Nodes};
use super::parse::{SyntaxError, compile, parse_grammar};
use super::semantic::{Reference, SemanticModel};
use crate::text::TextRange;
use crate::text::lines::slice;

/// From so many bytes on, a tree is worth the time that it takes to compact it.
const LARGE: usize = 256 * 1024;

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
    with_names(text, (parsed.syntax(), parsed.tokens()), work)
}

/// The same, for a text beside which `work` reads another: a large tree takes less room while that
/// is done.
///
/// # Errors
/// Returns the first fault when `text` is no valid module.
pub fn read_first<T>(text: &str, work: impl FnOnce(&Source<'_>) -> T) -> Result<T, SyntaxError> {
    if text.len() < LARGE {
        return read(text, work);
    }
    let (mut syntax, tokens) = parse_grammar(text)?.into_parts();
    compact(&mut syntax);
    with_names(text, (&syntax, &tokens), work)
}

fn with_names<T>(
    text: &str,
    (syntax, tokens): (&ModModule, &Tokens),
    work: impl FnOnce(&Source<'_>) -> T,
) -> Result<T, SyntaxError> {
    let mut nodes = Nodes::build(syntax);
    let model = SemanticModel::build(&nodes);
    compile(text, &nodes, &model)?;
    nodes.forget_suspects();
    Ok(work(&Source {
        text,
        tokens,
        nodes: &nodes,
        model: &model,
    }))
}
