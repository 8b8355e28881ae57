//! The definitions and imports that an assembly puts in, and what is said of them in its promise.

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::token::TokenKind;
use rustpython_ast::{AnyNodeRef, ExprRef};

use super::{Assembler, Member, member};
use crate::hoist::definition::{Content, Piece, definition_lines};
use crate::hoist::eligibility::{Candidate, Literal, Shape};
use crate::hoist::group::DefinitionSource;
use crate::hoist::import::Lift;
use crate::hoist::insertion;
use crate::hoist::layout::NotEditable;
use crate::hoist::module::Module;
use crate::hoist::place::Place;
use crate::hoist::promise::{MovedStatement, PromisedDefinition, PromisedImport};
use crate::hoist::removal::Removed;
use crate::python::{NodeId, tokens};
use crate::text::TextRange;

impl<'a> Assembler<'_, 'a> {
    /// Puts in the definitions and the imports that they need.
    pub(super) fn define(
        &mut self,
        removed: &[Removed],
    ) -> Result<FxHashMap<usize, String>, NotEditable> {
        let mut texts = FxHashMap::default();
        let mut insertions = vec![];
        for (definition, at) in self.groups.iter().enumerate() {
            let first = self
                .plan
                .groups
                .get(*at)
                .and_then(|group| member(self.plan, group, group.origin, definition));
            let Some(first) = first else { continue };
            let mut promised = self.promised(definition, &first);
            match first.group.source {
                DefinitionSource::Reused(statement) => {
                    promised.reused = Some(self.module.nodes.range(statement));
                }
                DefinitionSource::New(place) => {
                    let pieces = self.pieces(&first, removed);
                    let lines = pieces
                        .iter()
                        .map(|piece| definition_lines(self.module.layout, piece, "\n"));
                    texts.insert(*at, lines.collect::<Vec<_>>().join("\n"));
                    insertions.push(insertion::Group {
                        place: self.insertion_place(place),
                        pieces,
                    });
                }
            }
            self.promise.definitions.push(promised);
        }
        self.promise.imports = self.imports();
        let imports: Vec<String> = self.promise.imports.iter().map(import_line).collect();
        self.edits.extend(insertion::insertions(
            self.module.layout,
            &imports,
            &insertions,
        )?);
        Ok(texts)
    }

    fn promised(&self, definition: usize, first: &Member<'_, 'a>) -> PromisedDefinition {
        let sites = first.group.sites.iter();
        let members = sites.filter_map(|index| member(self.plan, first.group, *index, definition));
        let substitutions = members
            .flat_map(|member| self.substitutions(member.candidate))
            .map(|(range, content)| (range, self.promised_text(content)))
            .collect();
        let moved = |write: &NodeId| MovedStatement {
            statement: self.module.nodes.range(*write),
        };
        PromisedDefinition {
            name: first.group.name.clone(),
            factory: first.decision.site.factory.factory,
            reused: None,
            origin: self.module.nodes.range(first.decision.site.call),
            writes: first.candidate.writes.iter().map(moved).collect(),
            substitutions,
        }
    }

    /// The tokens of the content; how its lines are laid out is not promised.
    fn promised_text(&self, content: Content) -> String {
        match content {
            Content::Text(text) => text,
            Content::Expression {
                range,
                parenthesized,
                ..
            } => {
                let text = self.module.slice(range);
                if parenthesized {
                    format!("({text})")
                } else {
                    text.to_owned()
                }
            }
        }
    }

    /// What is put in place of a local's name or of another hoisted class in the moved texts.
    ///
    /// The comments of a literal whose local goes come along where it is first put in.
    fn substitutions(&self, candidate: &Candidate) -> Vec<(TextRange, Content)> {
        let mut commented = FxHashSet::default();
        let literals = candidate.literals.iter().map(|literal| {
            let statement = self.module.nodes.statement(literal.value);
            // They are in source order.
            let removed = &self.promise.removed_locals;
            let range = self.module.nodes.range(statement);
            let at = removed.partition_point(|removed| removed.start() < range.start());
            let goes = removed.get(at) == Some(&range);
            let content = Content::Expression {
                range: literal.range,
                parenthesized: self.needs_parentheses(literal),
                with_comments: goes && commented.insert(literal.value),
            };
            (literal.name, content)
        });
        let classes = candidate.classes.iter().filter_map(|(name, call)| {
            let group = self.plan.groups.get(self.plan.group_of(*call)?)?;
            let range = self.module.nodes.range(*name);
            Some((range, Content::Text(group.name.clone())))
        });
        let mut all: Vec<_> = literals.chain(classes).collect();
        all.sort_by_key(|(range, _)| range.start());
        all
    }

    /// Whether the literal would fall apart where the name stands: a tuple without parentheses, or
    /// an operation that is no whole argument or element.
    fn needs_parentheses(&self, literal: &Literal) -> bool {
        let Module { nodes, tokens, .. } = *self.module;
        let value = nodes.get(literal.value);
        if let AnyNodeRef::ExprTuple(tuple) = value {
            return !tuple.parenthesized;
        }
        let is_bare = nodes.range(literal.value) == literal.range;
        let before = tokens::kind_before(tokens, literal.name.start());
        let after = tokens::kind_after(tokens, literal.name.end());
        let is_whole = matches!(
            before,
            Some(TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Comma | TokenKind::Equal)
        ) && matches!(
            after,
            Some(TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Comma)
        );
        is_bare && !is_whole && !value.as_expr_ref().is_some_and(is_atom)
    }

    /// The statements of a definition: the assignment, and the attribute writes moved along.
    fn pieces(&self, first: &Member<'_, 'a>, removed: &[Removed]) -> Vec<Piece> {
        let of = |node: NodeId| {
            let at = removed
                .binary_search_by_key(&node, |removed| removed.statement)
                .ok()?;
            removed.get(at).cloned()
        };
        let name = first.group.name.clone();
        let substitutions = self.substitutions(first.candidate);
        let further = self.further_comments(first, removed);
        let (Shape::Drop { statement, .. }, true) = (&first.candidate.shape, first.drops) else {
            let node = first.decision.site.call;
            let removed = (!further.is_empty()).then_some(Removed {
                statement: node,
                comments_above: further,
                trailing_comment: None,
            });
            return vec![Piece {
                node,
                name,
                substitutions,
                removed,
            }];
        };
        let with_further = |mut removed: Removed| {
            removed.comments_above.extend_from_slice(&further);
            removed
        };
        let assignment = Piece {
            node: *statement,
            name: name.clone(),
            substitutions: substitutions.clone(),
            removed: of(*statement).map(with_further),
        };
        let writes = first.candidate.writes.iter().map(|write| Piece {
            node: *write,
            name: name.clone(),
            substitutions: self
                .renamed_in(*write, first.candidate, &name)
                .into_iter()
                .chain(substitutions.iter().cloned())
                .collect(),
            removed: of(*write),
        });
        std::iter::once(assignment).chain(writes).collect()
    }

    /// The comments of the other sites' dropped statements, which go above the shared definition.
    fn further_comments(&self, first: &Member<'_, 'a>, removed: &[Removed]) -> Vec<TextRange> {
        let others = first.group.dropped.iter().filter_map(|index| {
            let decision = self.plan.decisions.get(*index)?;
            let Shape::Drop { statement, .. } = &decision.candidate.as_ref()?.shape else {
                return None;
            };
            let is_other = decision.site.call != first.decision.site.call;
            let at = removed
                .binary_search_by_key(statement, |removed| removed.statement)
                .ok()?;
            removed.get(at).filter(|_| is_other)
        });
        let comments = others.flat_map(|removed| {
            removed
                .comments_above
                .iter()
                .copied()
                .chain(removed.trailing_comment)
        });
        comments.collect()
    }

    /// The references to the dropped binding inside one of its attribute writes.
    fn renamed_in(
        &self,
        write: NodeId,
        candidate: &Candidate,
        name: &str,
    ) -> Vec<(TextRange, Content)> {
        let Shape::Drop { binding, .. } = &candidate.shape else {
            return vec![];
        };
        let bound = self.module.model.binding(*binding);
        let references = self
            .module
            .model
            .references_to(bound.scope, &bound.name)
            .iter();
        references
            .map(|reference| self.module.model.reference(*reference).node)
            .filter(|node| self.module.nodes.contains(write, *node))
            .map(|node| {
                (
                    self.module.nodes.range(node),
                    Content::Text(name.to_owned()),
                )
            })
            .collect()
    }

    /// The imports to put in, each once, in source order of the first that needs it.
    fn imports(&self) -> Vec<PromisedImport> {
        let mut imports: Vec<PromisedImport> = vec![];
        for member in self.members() {
            if let Some(Lift {
                import: Some(import),
                ..
            }) = &member.candidate.lift
                && !imports.contains(import)
            {
                imports.push(import.clone());
            }
        }
        imports
    }

    fn insertion_place(&self, place: Place) -> insertion::Place {
        let body = &self.module.nodes.module().body;
        let id = |at: usize| {
            body.get(at)
                .map_or(NodeId::MODULE, |statement| self.module.nodes.id(statement))
        };
        match place {
            Place::Before(at) => insertion::Place::Before(id(at)),
            Place::After(at) => insertion::Place::After(id(at)),
        }
    }
}

/// Whether no operator beside it can take the expression apart.
fn is_atom(expr: ExprRef<'_>) -> bool {
    matches!(
        expr,
        ExprRef::List(_) | ExprRef::Set(_) | ExprRef::Dict(_) | ExprRef::Call(_)
    ) || expr.is_literal_expr()
}

fn import_line(import: &PromisedImport) -> String {
    let alias = import
        .alias
        .as_ref()
        .map(|alias| format!(" as {alias}"))
        .unwrap_or_default();
    match &import.name {
        Some(name) => format!("from {} import {name}{alias}", import.module),
        None => format!("import {}{alias}", import.module),
    }
}
