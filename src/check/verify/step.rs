//! Walks two trees in step and finds the first place at which they differ unpromised.

use rustc_hash::FxHashMap;
use rustpython_ast::{AnyNodeRef, Expr, HasNodeIndex, NodeKind};
use rustpython_text_size::Ranged;

use super::evidence::{Index, Side};
use super::parts::{Part, Spellings, parts};
use crate::python::NodeId;
use crate::text::TextRange;

/// A place in the right tree, and what is wrong there.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) message: String,
    pub(super) at: TextRange,
}

/// What may differ between the two trees.
#[derive(Clone, Copy)]
pub(super) enum Allowance<'a> {
    /// The promised changes; the names are those of the definitions by number.
    Promise {
        index: &'a Index<'a>,
        names: &'a [&'a str],
    },
    /// The substitutions of a call that moved.
    Substitutions(&'a FxHashMap<TextRange, &'a str>),
    /// The name of the definition in place of the target's, and the substitutions, in attribute
    /// writes that moved.
    Rename {
        from: &'a str,
        to: &'a str,
        substitutions: &'a FxHashMap<TextRange, &'a str>,
    },
}

/// A walk through two trees in step.
pub(super) struct Step<'e, 'a> {
    pub(super) left: &'e Side<'a>,
    pub(super) right: &'e Side<'a>,
    pub(super) allowance: Allowance<'e>,
    pub(super) spellings: &'e Spellings,
}

type Pairs = Vec<(NodeId, NodeId)>;

impl<'e, 'a> Step<'e, 'a> {
    /// Compares the trees below the two nodes.
    ///
    /// # Errors
    /// Returns the first difference that is not allowed.
    pub(super) fn compare(
        &self,
        left: impl HasNodeIndex,
        right: impl HasNodeIndex,
    ) -> Result<(), Difference> {
        let mut pending = vec![(self.left.nodes.id(left), self.right.nodes.id(right))];
        while let Some((left, right)) = pending.pop() {
            self.compare_nodes(left, right, &mut pending)?;
        }
        Ok(())
    }

    fn compare_nodes(
        &self,
        left: NodeId,
        right: NodeId,
        pending: &mut Pairs,
    ) -> Result<(), Difference> {
        if let Some(result) = self.allowed_change(left, right) {
            return result;
        }
        let (before, after) = (self.left.nodes.get(left), self.right.nodes.get(right));
        if before.kind() != after.kind() {
            return Err(self.difference(right, "the syntax differs from the original"));
        }
        let same_text = self.left.source(left) == self.right.source(right);
        if same_text && !self.may_change(before.range()) {
            return Ok(());
        }
        if shows_its_source(before) && !same_text {
            return Err(self.difference(right, "the source text shown at run time changed"));
        }
        if let Some(result) = self.compare_import(before, after) {
            return result.map_err(|message| self.difference(right, message));
        }
        self.compare_parts(left, right, pending)
    }

    fn may_change(&self, range: TextRange) -> bool {
        match self.allowance {
            Allowance::Promise { index, .. } => index.changed.touches(range),
            Allowance::Substitutions(by_range) => !by_range.is_empty(),
            Allowance::Rename { .. } => true,
        }
    }

    fn difference(&self, right: NodeId, message: &str) -> Difference {
        Difference {
            message: message.to_owned(),
            at: self.right.nodes.range(right),
        }
    }

    /// The verdict on a pair that the allowance speaks of; `None` for any other.
    fn allowed_change(&self, left: NodeId, right: NodeId) -> Option<Result<(), Difference>> {
        let before = self.left.nodes.get(left);
        let wanted = match self.allowance {
            Allowance::Promise { index, names } => {
                let is_renamed = before.is_expr_call() || before.is_expr_name();
                let definition = index.renamed.get(&before.range()).filter(|_| is_renamed)?;
                names.get(*definition).copied().unwrap_or_default()
            }
            Allowance::Rename { from, to, .. } => {
                before.as_expr_name().filter(|name| name.id == from)?;
                to
            }
            Allowance::Substitutions(_) => return None,
        };
        let after = self.right.nodes.get(right);
        Some(match after.as_expr_name() {
            Some(name) if name.id == wanted => Ok(()),
            _ => Err(self.difference(right, "a promised name is missing here")),
        })
    }

    fn compare_parts(
        &self,
        left: NodeId,
        right: NodeId,
        pending: &mut Pairs,
    ) -> Result<(), Difference> {
        let before = self.without_deleted(left)?;
        let after = parts(self.right, right);
        let mut rest = after.as_slice();
        for part in before {
            if let Part::Child(child) = part
                && let Some(text) = self.substitution(child)
            {
                rest = self.compare_substitution(text, rest)?;
                continue;
            }
            let Some((next, after_next)) = rest.split_first() else {
                return Err(self.difference(right, "a part of the original is gone"));
            };
            rest = after_next;
            match (part, *next) {
                (Part::Token(before), Part::Token(after)) if before == after => {}
                (Part::Child(before), Part::Child(after)) => pending.push((before, after)),
                (Part::Emptied, Part::Child(after))
                    if self.right.nodes.get(after).is_stmt_pass() => {}
                (_, Part::Child(after)) => {
                    return Err(self.difference(after, "the syntax differs from the original"));
                }
                _ => return Err(self.difference(right, "the tokens differ from the original")),
            }
        }
        match rest.first() {
            None => Ok(()),
            Some(Part::Child(extra)) => Err(self.difference(*extra, "this was not promised")),
            Some(_) => Err(self.difference(right, "the tokens differ from the original")),
        }
    }

    /// The parts of the left node that stay.
    fn without_deleted(&self, left: NodeId) -> Result<Vec<Part<'a>>, Difference> {
        let all = parts(self.left, left);
        let Allowance::Promise { index, .. } = self.allowance else {
            return Ok(all);
        };
        let mut kept = Vec::with_capacity(all.len());
        let mut suite = Suite::default();
        for part in all {
            let statement = match part {
                Part::Child(child) => self.left.nodes.get(child).as_stmt_ref().map(|_| child),
                _ => None,
            };
            let Some(child) = statement else {
                kept.extend(suite.end());
                kept.push(part);
                continue;
            };
            if self.goes(child, index) {
                suite.deleted += 1;
                continue;
            }
            if suite.deleted > 0 && suite.kept == 0 && self.would_be_docstring(left, child) {
                return Err(Difference {
                    message: "a string became the docstring".to_owned(),
                    at: TextRange::default(),
                });
            }
            suite.kept += 1;
            kept.push(part);
        }
        kept.extend(suite.end());
        Ok(kept)
    }

    /// Whether the statement is promised to go: itself, or every name it imports.
    pub(super) fn goes(&self, statement: NodeId, index: &Index<'_>) -> bool {
        let node = self.left.nodes.get(statement);
        let names = match node {
            AnyNodeRef::StmtImport(import) => &import.names,
            AnyNodeRef::StmtImportFrom(import) => &import.names,
            _ => return index.deleted.contains(&node.range()),
        };
        let mut names = names.iter();
        names.all(|alias| index.aliases.contains(&alias.range()))
    }

    fn would_be_docstring(&self, owner: NodeId, statement: NodeId) -> bool {
        use NodeKind::{ModModule, StmtClassDef, StmtFunctionDef};
        let owner = self.left.nodes.get(owner).kind();
        matches!(owner, ModModule | StmtClassDef | StmtFunctionDef)
            && is_string_statement(self.left.nodes.get(statement))
    }

    /// Compares two import statements of which names go; `None` for any other statement.
    fn compare_import(
        &self,
        before: AnyNodeRef<'a>,
        after: AnyNodeRef<'a>,
    ) -> Option<Result<(), &'static str>> {
        let Allowance::Promise { index, .. } = self.allowance else {
            return None;
        };
        let (names, after_names) = match (before, after) {
            (AnyNodeRef::StmtImport(before), AnyNodeRef::StmtImport(after)) => {
                (&before.names, &after.names)
            }
            (AnyNodeRef::StmtImportFrom(before), AnyNodeRef::StmtImportFrom(after)) => {
                let module = |name: &Option<rustpython_ast::Identifier>| {
                    name.as_ref().map(|name| name.id.clone())
                };
                if before.level != after.level || module(&before.module) != module(&after.module) {
                    return Some(Err("the import is of another module"));
                }
                (&before.names, &after.names)
            }
            _ => return None,
        };
        let kept = names
            .iter()
            .filter(|alias| !index.aliases.contains(&alias.range()));
        let names = |alias: &rustpython_ast::Alias| {
            let asname = alias.asname.as_ref().map(|asname| asname.id.clone());
            (alias.name.id.clone(), asname)
        };
        Some(if kept.map(names).eq(after_names.iter().map(names)) {
            Ok(())
        } else {
            Err("the import is of other names")
        })
    }

    fn substitution(&self, left: NodeId) -> Option<&'e str> {
        let (Allowance::Substitutions(by_range)
        | Allowance::Rename {
            substitutions: by_range,
            ..
        }) = self.allowance
        else {
            return None;
        };
        let node = self.left.nodes.get(left);
        node.as_expr_ref()?;
        by_range.get(&node.range()).copied()
    }

    /// Compares the promised text with the first parts of the right node; returns the parts after it.
    fn compare_substitution<'p>(
        &self,
        text: &str,
        rest: &'p [Part<'a>],
    ) -> Result<&'p [Part<'a>], Difference> {
        let opening = rest
            .iter()
            .take_while(|part| matches!(part, Part::Token("(")))
            .count();
        let (child, after) = match rest.get(opening..).and_then(<[_]>::split_first) {
            Some((Part::Child(child), after)) => (*child, after),
            _ => {
                return Err(Difference {
                    message: "a substituted argument is missing".to_owned(),
                    at: TextRange::default(),
                });
            }
        };
        let range = self.right.nodes.range(child);
        let same = self.spellings.is_expression(self.right, range, text);
        let closing = after.get(..opening).filter(|parts| {
            let mut parts = parts.iter();
            parts.all(|part| matches!(part, Part::Token(")")))
        });
        match (same, closing) {
            (true, Some(_)) => Ok(after.get(opening..).unwrap_or_default()),
            _ => Err(self.difference(child, "this is not the substituted argument")),
        }
    }
}

/// Counts the statements of one suite.
#[derive(Default)]
struct Suite {
    kept: usize,
    deleted: usize,
}

impl Suite {
    /// Ends the suite; a part when nothing of it is left.
    fn end<'a>(&mut self) -> Option<Part<'a>> {
        let suite = std::mem::take(self);
        (suite.deleted > 0 && suite.kept == 0).then_some(Part::Emptied)
    }
}

/// Whether the statement is a plain string, which as the first of a body is a docstring.
pub(super) fn is_string_statement(node: AnyNodeRef<'_>) -> bool {
    let value = node.as_stmt_expr().map(|stmt| stmt.value.as_ref());
    matches!(value, Some(Expr::StringLiteral(_)))
}

/// Whether the program can see the node's own source text: `f"{…=}"`, and anything in a t-string (PEP 750).
fn shows_its_source(node: AnyNodeRef<'_>) -> bool {
    match node {
        AnyNodeRef::InterpolatedElement(element) => element.debug_text.is_some(),
        AnyNodeRef::ExprTString(_) => true,
        _ => false,
    }
}
