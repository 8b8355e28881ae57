//! Sites that share one definition, and the name and place that it gets.

use rustc_hash::FxHashMap;
use rustpython_ast::{AnyNodeRef, Expr};

use super::eligibility::{Candidate, Shape};
use super::existing::Existing;
use super::inquiry::Inquiry;
use super::module::Module;
use super::name::{Namer, Naming, Places, Tried, context_name};
use super::place::{self, Place};
use super::removal::{Removed, remove_statements};
use super::site::Site;
use super::spelling::Spelling;
use crate::python::NodeId;
use crate::python::semantic::{BindingId, ScopeId};
use crate::python::tokens::comments;
use crate::rule::{Applicability, MergeKey, SkipReason};

/// A site that can be hoisted, with what that takes.
#[derive(Debug)]
pub struct Eligible<'p, 'a> {
    /// The index of the site among all sites.
    pub index: usize,
    /// The site.
    pub site: &'p Site<'a>,
    /// What tells its class from others.
    pub key: &'p MergeKey,
    /// Its typename.
    pub typename: &'p str,
    /// How it can be rewritten.
    pub candidate: &'p Candidate,
}

impl Eligible<'_, '_> {
    fn spelling(&self, module: &Module<'_>) -> Vec<String> {
        let arguments = self.site.judgement.arguments.as_ref();
        let literals = &self.candidate.literals;
        Spelling {
            factory: &self.site.factory,
            arguments,
            literals,
        }
        .words(module)
    }
}

/// Sites that share one definition.
#[derive(Debug)]
pub struct Group {
    /// The indices of the sites, in source order.
    pub sites: Vec<usize>,
    /// The index of the site whose call becomes the definition.
    pub origin: usize,
    /// The grade of the fix.
    pub applicability: Applicability,
    /// The definition's name.
    pub name: String,
    /// The names tried before, and why they were not usable.
    pub tried: Vec<Tried>,
    /// Where the definition goes, or the statement of the equal one that is used.
    pub source: DefinitionSource,
    /// The sites whose binding is dropped; the others are replaced.
    pub dropped: Vec<usize>,
}

impl Group {
    /// Where the definition stands among others, as a number that grows along the module.
    #[must_use]
    pub fn order(&self) -> usize {
        match self.source {
            DefinitionSource::New(place) => place.order(),
            DefinitionSource::Reused(_) => 0,
        }
    }
}

/// Where a definition comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionSource {
    /// It is put in there.
    New(Place),
    /// The equal definition made by this top-level statement is used.
    Reused(NodeId),
}

type Key<'p> = (&'static str, &'p MergeKey, Applicability, Vec<String>);

/// Puts sites that can share a definition together, in the order of their first site.
///
/// A later site with comments inside its call, with attribute writes, or that reads another hoisted
/// class keeps a definition of its own, as its text would be lost.
#[must_use]
pub fn merge<'p, 'a>(module: &Module<'a>, eligible: &[Eligible<'p, 'a>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![];
    let mut known: FxHashMap<Key<'p>, usize> = FxHashMap::default();
    for (at, entry) in eligible.iter().enumerate() {
        let key = (
            entry.site.factory.factory.name,
            entry.key,
            entry.candidate.applicability,
            entry.spelling(module),
        );
        let apart = !entry.site.rule().shares_definitions
            || !entry.candidate.writes.is_empty()
            || !entry.candidate.classes.is_empty();
        match known.get(&key) {
            Some(group) if !apart && !has_inner_comments(module, entry) => {
                if let Some(group) = groups.get_mut(*group) {
                    group.push(at);
                }
            }
            Some(_) => groups.push(vec![at]),
            None => {
                if !apart {
                    known.insert(key, groups.len());
                }
                groups.push(vec![at]);
            }
        }
    }
    groups
}

/// Whether comments stand inside the call, whose text a shared definition does not keep.
fn has_inner_comments(module: &Module<'_>, entry: &Eligible<'_, '_>) -> bool {
    !comments(module.tokens, module.nodes.range(entry.site.call)).is_empty()
}

/// Whether comments would travel with the statement of a dropped binding.
fn has_attached_comments(module: &Module<'_>, entry: &Eligible<'_, '_>) -> bool {
    let Shape::Drop { statement, .. } = &entry.candidate.shape else {
        return false;
    };
    let attached = |removed: &Removed| {
        !removed.comments_above.is_empty() || removed.trailing_comment.is_some()
    };
    remove_statements(module.layout, &[*statement])
        .is_ok_and(|(_, removed)| removed.iter().any(attached))
}

/// Gives each group its name and place.
#[derive(Debug)]
pub struct Definer<'m, 'a> {
    inquiry: Inquiry<'m, 'a>,
    namer: Namer<'m, 'a>,
    existing: Vec<Existing<'a>>,
    /// How many definitions each typename has so far.
    counts: FxHashMap<String, usize>,
}

impl<'m, 'a> Definer<'m, 'a> {
    /// A definer for one plan; `lifted` are the names of imports that may come up.
    #[must_use]
    pub fn new(
        inquiry: Inquiry<'m, 'a>,
        existing: Vec<Existing<'a>>,
        lifted: impl Iterator<Item = String>,
    ) -> Self {
        let mut namer = Namer::new(inquiry.module, inquiry.facts, inquiry.surroundings);
        lifted.for_each(|name| namer.take(&name));
        Self {
            inquiry,
            namer,
            existing,
            counts: FxHashMap::default(),
        }
    }

    /// The group of `members`, which share a definition.
    ///
    /// # Errors
    /// Returns why there can be no definition.
    pub fn define(&mut self, members: &[&Eligible<'_, 'a>]) -> Result<Group, SkipReason> {
        let module = self.inquiry.module;
        let Some(first) = members.first() else {
            return Err(SkipReason::NoFreeName);
        };
        let first_use = first_use(module, members).ok_or(SkipReason::LayoutNotEditable)?;
        if let Some(group) = self.reuse(members, first_use) {
            return Ok(group);
        }
        let reads: Vec<_> = members
            .iter()
            .take(1)
            .flat_map(|member| member.candidate.reads.clone())
            .collect();
        let place = place::find((module, self.inquiry.facts), first_use, &reads)?;
        // Where what a call reads is bound too late, the call raises, and must go on raising.
        for member in members {
            self.own_place(member)?;
        }
        let typename = first.typename;
        let context = self.context(first);
        let count = self.counts.entry(typename.to_owned()).or_default();
        *count += 1;
        let (uses, dropped) = (uses(members), dropped_bindings(members));
        let places = Places {
            uses: &uses,
            dropped: &dropped,
        };
        let (name, tried) = self.namer.choose(context, typename, *count, places);
        let name = name.ok_or(SkipReason::NoFreeName)?;
        Ok(Group {
            sites: members.iter().map(|member| member.index).collect(),
            origin: first.index,
            applicability: first.candidate.applicability,
            dropped: dropped_sites(module, members, &name),
            name,
            tried,
            source: DefinitionSource::New(place),
        })
    }

    /// Adds the member to a group whose new definition runs before the member's first use and can be
    /// read there; tells whether it did.
    pub fn join(&self, group: &mut Group, member: &Eligible<'_, 'a>) -> bool {
        let module = self.inquiry.module;
        let members = [member];
        let (uses, dropped) = (uses(&members), dropped_bindings(&members));
        let places = Places {
            uses: &uses,
            dropped: &dropped,
        };
        let is_in_time = first_use(module, &members)
            .is_some_and(|first_use| group.order() <= Place::Before(first_use).order());
        let joins = matches!(group.source, DefinitionSource::New(_))
            && is_in_time
            && self.own_place(member).is_ok()
            && group.applicability == member.candidate.applicability
            && !has_inner_comments(module, member)
            && !self.namer.is_captured(&group.name, places);
        if joins {
            group.sites.push(member.index);
            group.sites.sort_unstable();
            group
                .dropped
                .extend(dropped_sites(module, &members, &group.name));
            group.dropped.sort_unstable();
        }
        joins
    }

    /// Where the definition of the member alone would go.
    fn own_place(&self, member: &Eligible<'_, '_>) -> Result<Place, SkipReason> {
        let Inquiry { module, facts, .. } = self.inquiry;
        let first_use = first_use(module, &[member]).ok_or(SkipReason::LayoutNotEditable)?;
        place::find((module, facts), first_use, &member.candidate.reads)
    }

    /// The class and attribute on which the first site stores its instance.
    fn context(&self, first: &Eligible<'_, 'a>) -> Option<String> {
        if self.inquiry.surroundings.naming == Naming::Typename {
            return None;
        }
        let module = self.inquiry.module;
        let attribute = stored_attribute(module, first.site.call)?;
        let class =
            module
                .nodes
                .ancestors(first.site.call)
                .find_map(|id| match module.nodes.get(id) {
                    AnyNodeRef::StmtClassDef(class) => Some(class.name.as_str()),
                    _ => None,
                })?;
        context_name(class, attribute, first.typename)
    }

    /// Uses an equal definition that runs before the first use and whose name can be read there.
    fn reuse(&mut self, members: &[&Eligible<'_, 'a>], first_use: usize) -> Option<Group> {
        let module = self.inquiry.module;
        let first = members.first()?;
        let plain = members.iter().all(|member| {
            member.site.rule().shares_definitions
                && member.candidate.writes.is_empty()
                && member.candidate.classes.is_empty()
                && !has_inner_comments(module, member)
                && !has_attached_comments(module, member)
        });
        if !plain {
            return None;
        }
        // Where the factory is bound later, the call raises, and must go on raising.
        let reads = &first.candidate.reads;
        let found = place::find((module, self.inquiry.facts), first_use, reads);
        if !matches!(found, Ok(Place::Before(_))) {
            return None;
        }
        let (uses, dropped) = (uses(members), dropped_bindings(members));
        let spelled = first.spelling(module);
        let found = self.existing.iter().find(|existing| {
            existing.key == *first.key
                && existing.spelling == spelled
                && existing.factory == first.site.factory.factory
                && module
                    .top_level_index(existing.statement)
                    .is_some_and(|at| at < first_use)
                && !self.namer.is_captured(
                    existing.name,
                    Places {
                        uses: &uses,
                        dropped: &dropped,
                    },
                )
        })?;
        Some(Group {
            sites: members.iter().map(|member| member.index).collect(),
            origin: first.index,
            applicability: first.candidate.applicability,
            name: found.name.to_owned(),
            tried: vec![],
            source: DefinitionSource::Reused(found.statement),
            dropped: dropped_sites(module, members, found.name),
        })
    }
}

/// The top-level statement in which the definition is first read.
fn first_use(module: &Module<'_>, members: &[&Eligible<'_, '_>]) -> Option<usize> {
    members
        .iter()
        .filter_map(|member| module.top_level_index(member.site.call))
        .min()
}

fn uses(members: &[&Eligible<'_, '_>]) -> Vec<NodeId> {
    let of = |member: &&Eligible<'_, '_>| match &member.candidate.shape {
        // The binding may stay after all, and the call then reads the name.
        Shape::Drop { uses, .. } => [uses.as_slice(), &[member.site.call]].concat(),
        Shape::Replace => vec![member.site.call],
    };
    members.iter().flat_map(of).collect()
}

fn dropped_bindings(members: &[&Eligible<'_, '_>]) -> Vec<BindingId> {
    let of = |member: &&Eligible<'_, '_>| match &member.candidate.shape {
        Shape::Drop { binding, .. } => Some(*binding),
        Shape::Replace => None,
    };
    members.iter().filter_map(of).collect()
}

/// The sites whose binding goes: one at module level, or that the text of an annotation spells, only
/// when its name stays the same.
fn dropped_sites(module: &Module<'_>, members: &[&Eligible<'_, '_>], name: &str) -> Vec<usize> {
    let goes = |member: &&&Eligible<'_, '_>| match &member.candidate.shape {
        Shape::Drop {
            binding,
            target,
            is_spelled,
            ..
        } => {
            let at_module_level = module.model.binding(*binding).scope == ScopeId::MODULE;
            target == name || !(at_module_level || *is_spelled)
        }
        Shape::Replace => false,
    };
    members
        .iter()
        .filter(goes)
        .map(|member| member.index)
        .collect()
}

/// The attribute of `self` or `cls` on which an instance made on the spot is stored, or an item of
/// which it becomes.
fn stored_attribute<'a>(module: &Module<'a>, call: NodeId) -> Option<&'a str> {
    let (made, AnyNodeRef::ExprCall(_)) = module.parent(call) else {
        return None;
    };
    let AnyNodeRef::StmtAssign(assign) = module.parent(made).1 else {
        return None;
    };
    let [target] = assign.targets.as_slice() else {
        return None;
    };
    let target = match target {
        Expr::Subscript(subscript) => subscript.value.as_ref(),
        other => other,
    };
    let attribute = target.as_attribute_expr()?;
    let base = attribute.value.as_name_expr()?;
    matches!(base.id.as_str(), "self" | "cls").then_some(attribute.attr.as_str())
}
