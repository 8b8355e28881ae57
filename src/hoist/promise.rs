//! What a plan promises in public: all that verification is told about it.

use crate::rule::{Applicability, Factory};
use crate::text::TextRange;

/// What a plan says its patch does; every range is in the original text.
///
/// Everything outside what is listed here must be the same in both texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Promise {
    /// The definitions, in the order in which they stand in the patched text.
    pub definitions: Vec<PromisedDefinition>,
    /// The rewritten calls in source order.
    pub sites: Vec<PromisedSite>,
    /// Imports put in at module level.
    pub imports: Vec<PromisedImport>,
    /// Function-level import aliases that go (the `Alias` nodes); a statement goes when all its aliases do.
    pub removed_aliases: Vec<TextRange>,
    /// Assignments of a local to a literal that go, as the definition holds the literal and nothing
    /// else reads the local.
    pub removed_locals: Vec<TextRange>,
}

/// One module-level definition: `name = <call>` and the constant attribute writes moved along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromisedDefinition {
    /// The module-level name.
    pub name: String,
    /// The factory that makes its class.
    pub factory: Factory,
    /// The range of the statement in the original when an equal definition that is already there
    /// is used; `None` when the patch puts one in.
    pub reused: Option<TextRange>,
    /// The call whose text was moved: the range of the first site's factory call.
    pub origin: TextRange,
    /// The attribute writes moved along, in order.
    pub writes: Vec<MovedStatement>,
    /// Arguments of the rewritten calls that are replaced in the moved text: a local's literal, or
    /// a name whose own definition was hoisted too. Range of the expression in the original, in
    /// the origin call or another site's, and its new text.
    pub substitutions: Vec<(TextRange, String)>,
}

/// An attribute write such as `X.__doc__ = "…"` that moves with its definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedStatement {
    /// The statement in the original.
    pub statement: TextRange,
}

/// One rewritten factory call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromisedSite {
    /// The index of its definition in [`Promise::definitions`].
    pub definition: usize,
    /// The range of the factory call in the original.
    pub call: TextRange,
    /// How it is rewritten.
    pub rewrite: Rewrite,
    /// The grade of the fix that rewrites it.
    pub applicability: Applicability,
}

/// The two rewrites of a call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    /// The assignment goes, and every reference to its target names the definition.
    DropBinding {
        /// The assignment statement.
        statement: TextRange,
        /// The dropped target's name.
        target: String,
        /// The `Name` nodes that are renamed.
        uses: Vec<TextRange>,
        /// The attribute writes that go with it (equal to those of the definition).
        writes: Vec<TextRange>,
    },
    /// The call alone is replaced by the definition's name.
    ReplaceExpression,
}

/// An import put in at module level: `from module import name` or `import module`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromisedImport {
    /// The absolute module.
    pub module: String,
    /// The imported name, or `None` for `import module`.
    pub name: Option<String>,
    /// The name after `as`.
    pub alias: Option<String>,
}
