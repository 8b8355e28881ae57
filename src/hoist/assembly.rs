//! The edits that carry out some groups of a plan, and what they promise.

mod definitions;
mod locals;

use rustc_hash::FxHashMap;

use super::alias_removal::{AliasRemoval, remove_aliases};
use super::eligibility::{Candidate, Shape};
use super::group::Group;
use super::import::is_unused_without;
use super::inquiry::Inquiry;
use super::layout::NotEditable;
use super::module::Module;
use super::plan::{Decision, Plan};
use super::promise::{Promise, PromisedSite, Rewrite};
use super::removal::{Removed, remove_statements};
use super::replacement::replace_expression;
use crate::python::NodeId;
use crate::python::semantic::BindingId;
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
pub fn assemble<'a>(
    inquiry: &Inquiry<'_, 'a>,
    plan: &Plan<'a>,
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

    /// Removes dropped bindings, their attribute writes, and the imports and locals that nothing
    /// uses any more.
    fn remove(&mut self) -> Result<Vec<Removed>, NotEditable> {
        let mut statements = vec![];
        for member in self.members() {
            if let (Shape::Drop { statement, .. }, true) = (&member.candidate.shape, member.drops) {
                statements.push(*statement);
                statements.extend_from_slice(&member.candidate.writes);
            }
        }
        statements.extend(self.remove_imports()?);
        statements.extend(self.remove_locals());
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
        let mut lifted: Vec<BindingId> = self
            .members()
            .filter_map(|member| Some(member.candidate.lift.as_ref()?.binding))
            .collect();
        lifted.sort_unstable();
        lifted.dedup();
        let mut aliases: Vec<(NodeId, NodeId)> = lifted
            .into_iter()
            .filter(|binding| is_unused_without(self.inquiry, *binding, &gone))
            .map(|binding| {
                let alias = self.module.model.binding(binding).node;
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
                // A string below it would become the docstring.
                AliasRemoval::Statement
                    if remove_statements(self.module.layout, &[*statement]).is_err() =>
                {
                    continue;
                }
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
}
