//! The edits that carry out some groups of a plan, and what they promise.

use rustc_hash::FxHashMap;

use super::alias_removal::{AliasRemoval, remove_aliases};
use super::definition::{Piece, definition_lines};
use super::eligibility::{Candidate, Inquiry, Shape};
use super::group::{DefinitionSource, Group};
use super::import::{Lift, is_unused_without};
use super::insertion;
use super::layout::NotEditable;
use super::module::Module;
use super::place::Place;
use super::plan::{Decision, Plan};
use super::promise::{
    MovedStatement, Promise, PromisedDefinition, PromisedImport, PromisedSite, Rewrite,
};
use super::removal::{Removed, remove_statements};
use super::replacement::replace_expression;
use crate::python::NodeId;
use crate::text::{Edit, Edits, TextRange};

/// The edits of some groups of a plan.
#[derive(Debug, Clone)]
pub struct Assembly {
    /// The edits, sorted and disjoint.
    pub edits: Edits,
    /// What they promise.
    pub promise: Promise,
    /// The module-level text of each group's new definition, by the group's index.
    pub texts: FxHashMap<usize, String>,
}

/// The edits that carry out `groups` of `plan`, given with all they depend on.
///
/// # Errors
/// When text around a change cannot be edited without touching bytes that must stay.
pub fn assemble(
    inquiry: &Inquiry<'_, '_>,
    plan: &Plan<'_>,
    groups: &[usize],
) -> Result<Assembly, NotEditable> {
    // A promise lists its definitions as they will stand.
    let mut groups = groups.to_vec();
    groups.sort_by_key(|group| (plan.groups.get(*group).map(Group::order), *group));
    let mut assembler = Assembler {
        inquiry,
        module: inquiry.module,
        plan,
        groups: &groups,
        edits: vec![],
        promise: Promise::default(),
    };
    let removed = assembler.remove()?;
    assembler.rewrite();
    let texts = assembler.define(&removed)?;
    let edits = Edits::new(assembler.edits).map_err(|conflict| NotEditable {
        at: conflict.second.start(),
    })?;
    assembler
        .promise
        .sites
        .sort_by_key(|site| site.call.start());
    Ok(Assembly {
        edits,
        promise: assembler.promise,
        texts,
    })
}

struct Assembler<'m, 'a> {
    inquiry: &'m Inquiry<'m, 'a>,
    module: &'m Module<'a>,
    plan: &'m Plan<'a>,
    groups: &'m [usize],
    edits: Vec<Edit>,
    promise: Promise,
}

/// One site of the groups at hand.
#[derive(Clone, Copy)]
struct Member<'m, 'a> {
    decision: &'m Decision<'a>,
    candidate: &'m Candidate,
    group: &'m Group,
    /// The index of its definition in the promise.
    definition: usize,
    drops: bool,
}

fn member<'m, 'a>(
    plan: &'m Plan<'a>,
    group: &'m Group,
    index: usize,
    definition: usize,
) -> Option<Member<'m, 'a>> {
    let decision = plan.decisions.get(index)?;
    let candidate = decision.candidate.as_ref()?;
    let drops = group.dropped.binary_search(&index).is_ok();
    Some(Member {
        decision,
        candidate,
        group,
        definition,
        drops,
    })
}

impl<'m, 'a> Assembler<'m, 'a> {
    /// All sites of the groups, group by group.
    fn members(&self) -> impl Iterator<Item = Member<'m, 'a>> + use<'m, 'a> {
        let plan = self.plan;
        let groups = self.groups.iter().enumerate();
        groups.flat_map(move |(definition, at)| {
            let group = plan.groups.get(*at);
            group.into_iter().flat_map(move |group| {
                group
                    .sites
                    .iter()
                    .filter_map(move |index| member(plan, group, *index, definition))
            })
        })
    }

    /// Removes dropped bindings, their attribute writes, and imports that nothing uses any more.
    fn remove(&mut self) -> Result<Vec<Removed>, NotEditable> {
        let mut statements = vec![];
        for member in self.members() {
            if let (Shape::Drop { statement, .. }, true) = (&member.candidate.shape, member.drops) {
                statements.push(*statement);
                statements.extend_from_slice(&member.candidate.writes);
            }
        }
        statements.extend(self.remove_imports()?);
        let (edits, removed) = remove_statements(self.module.layout, &statements)?;
        self.edits.extend(edits);
        Ok(removed)
    }

    /// Drops function-level import names that only the rewritten calls used; returns the
    /// statements that are left without names.
    fn remove_imports(&mut self) -> Result<Vec<NodeId>, NotEditable> {
        let mut gone: Vec<NodeId> = self
            .members()
            .map(|member| member.decision.site.factory.root)
            .collect();
        gone.sort_unstable();
        let mut aliases: Vec<(NodeId, NodeId)> = self
            .members()
            .filter_map(|member| member.candidate.lift.as_ref())
            .filter(|lift| is_unused_without(self.inquiry, lift.binding, &gone))
            .map(|lift| {
                let alias = self.module.model.binding(lift.binding).node;
                (self.module.nodes.statement(alias), alias)
            })
            .collect();
        aliases.sort_unstable();
        aliases.dedup();
        let mut statements = vec![];
        for of_statement in aliases.chunk_by(|one, other| one.0 == other.0) {
            let Some((statement, _)) = of_statement.first() else {
                continue;
            };
            let names: Vec<NodeId> = of_statement.iter().map(|(_, alias)| *alias).collect();
            match remove_aliases(self.module.layout, *statement, &names)? {
                AliasRemoval::Statement => statements.push(*statement),
                AliasRemoval::Names(edits) => self.edits.extend(edits),
                AliasRemoval::Kept => continue,
            }
            let ranges = names.iter().map(|alias| self.module.nodes.range(*alias));
            self.promise.removed_aliases.extend(ranges);
        }
        Ok(statements)
    }

    /// Replaces the calls that stay in place, and renames the references of dropped bindings.
    fn rewrite(&mut self) {
        let mut covered: Vec<TextRange> = self
            .members()
            .map(|member| self.module.nodes.range(member.decision.site.call))
            .collect();
        covered.sort_unstable_by_key(|range| range.start());
        for member in self.members() {
            let call = self.module.nodes.range(member.decision.site.call);
            let rewrite = match &member.candidate.shape {
                Shape::Drop {
                    statement,
                    uses,
                    target,
                    ..
                } if member.drops => {
                    let uses = self.rename(uses, &member.group.name, &covered);
                    Rewrite::DropBinding {
                        statement: self.module.nodes.range(*statement),
                        target: target.clone(),
                        uses,
                        writes: self.ranges(&member.candidate.writes),
                    }
                }
                _ => {
                    let site = member.decision.site.call;
                    self.edits.push(replace_expression(
                        self.module.layout,
                        site,
                        &member.group.name,
                    ));
                    Rewrite::ReplaceExpression
                }
            };
            self.promise.sites.push(PromisedSite {
                definition: member.definition,
                call,
                rewrite,
                applicability: member.group.applicability,
            });
        }
    }

    /// Renames the uses that stay, and returns their ranges; those inside a moved call are
    /// substituted in its text.
    fn rename(&mut self, uses: &[NodeId], name: &str, covered: &[TextRange]) -> Vec<TextRange> {
        let mut ranges = vec![];
        for node in uses {
            let range = self.module.nodes.range(*node);
            let at = covered.partition_point(|call| call.start() <= range.start());
            let inside = at.checked_sub(1).and_then(|at| covered.get(at));
            if inside.is_some_and(|call| call.contains_range(range)) {
                continue;
            }
            self.edits
                .push(replace_expression(self.module.layout, *node, name));
            ranges.push(range);
        }
        ranges
    }

    fn ranges(&self, nodes: &[NodeId]) -> Vec<TextRange> {
        nodes
            .iter()
            .map(|node| self.module.nodes.range(*node))
            .collect()
    }

    /// Puts in the definitions and the imports that they need.
    fn define(&mut self, removed: &[Removed]) -> Result<FxHashMap<usize, String>, NotEditable> {
        let mut texts = FxHashMap::default();
        let mut insertions = vec![];
        for (definition, at) in self.groups.iter().enumerate() {
            let first = self.plan.groups.get(*at).and_then(|group| {
                member(self.plan, group, group.sites.first().copied()?, definition)
            });
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
            .collect();
        let moved = |write: &NodeId| MovedStatement {
            statement: self.module.nodes.range(*write),
        };
        PromisedDefinition {
            name: first.group.name.clone(),
            reused: None,
            origin: self.module.nodes.range(first.decision.site.call),
            writes: first.candidate.writes.iter().map(moved).collect(),
            substitutions,
        }
    }

    /// What is put in place of a local's name or of another hoisted class in the moved call.
    fn substitutions(&self, candidate: &Candidate) -> Vec<(TextRange, String)> {
        let literals = candidate
            .literals
            .iter()
            .map(|literal| (literal.name, self.module.slice(literal.range).to_owned()));
        let classes = candidate.classes.iter().filter_map(|(name, call)| {
            let group = self.plan.groups.get(self.plan.group_of(*call)?)?;
            Some((self.module.nodes.range(*name), group.name.clone()))
        });
        let mut all: Vec<_> = literals.chain(classes).collect();
        all.sort_by_key(|(range, _)| range.start());
        all
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
            substitutions,
            removed: of(*statement).map(with_further),
        };
        let writes = first.candidate.writes.iter().map(|write| Piece {
            node: *write,
            name: name.clone(),
            substitutions: self.renamed_in(*write, first.candidate, &name),
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
    ) -> Vec<(TextRange, String)> {
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
            .map(|node| (self.module.nodes.range(node), name.to_owned()))
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
