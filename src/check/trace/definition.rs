//! The definition: its name, what it reads, where it goes, and how the site is rewritten.

use super::words::{listed, quoted};
use super::{Label, Lines, Tracer, uses};
use crate::hoist::PromisedImport;
use crate::hoist::eligibility::{Candidate, Kept, Shape};
use crate::hoist::group::{DefinitionSource, Group};
use crate::hoist::place::{self, Place, Read};
use crate::hoist::site::Site;
use crate::python::semantic::BindingId;
use crate::python::{NodeId, flow};
use crate::rule::{Applicability, SkipReason};

/// One site with what is known about its rewrite.
#[derive(Clone, Copy)]
pub(super) struct Member<'m, 'a> {
    /// The index of the site among all sites.
    pub(super) index: usize,
    pub(super) site: &'m Site<'a>,
    pub(super) candidate: &'m Candidate,
}

impl<'a> Tracer<'_, 'a> {
    /// Says how the definition of the group is named, where it goes, and who shares it.
    pub(super) fn definition(&self, member: Member<'_, 'a>, group: &Group, lines: &mut Lines) {
        self.name(group, lines);
        self.reads(member.candidate, lines);
        self.place(member, group, lines);
        self.import(member.candidate, group, lines);
        self.rewrite(member, group, lines);
        self.shared(member, group, lines);
    }

    /// Says what is known of a definition that was refused before it had a name and a place.
    pub(super) fn refused(&self, member: Member<'_, 'a>, reason: SkipReason, lines: &mut Lines) {
        self.reads(member.candidate, lines);
        let words = self.words();
        if reason == SkipReason::NoFreeName {
            self.no_free_name(member.site, lines);
        }
        if reason == SkipReason::ClassWritten {
            self.stranded(
                &member.candidate.writes,
                "the binding stays, as it is a module-level name of its own",
                lines,
            );
        }
        self.classes(member.candidate, lines);
        let Some(first) = words.module.top_level_index(member.site.call) else {
            return;
        };
        if let Some(statement) = words.module.nodes.top_level_statement(member.site.call) {
            lines.say(
                Label::Place,
                format!("its first use is in {}.", words.statement(statement)),
            );
        }
        if let Some(blocker) = place::blocker(words.module, first, &member.candidate.reads) {
            lines.say(
                Label::Place,
                format!("{} may run it before.", words.statement(blocker)),
            );
        }
    }

    /// The module-level names that the definition reads.
    fn reads(&self, candidate: &Candidate, lines: &mut Lines) {
        let words = self.words();
        for read in &candidate.reads {
            let bindings = match read {
                Read::Factory(bindings) => bindings.as_slice(),
                Read::Constant(binding) => std::slice::from_ref(binding),
                Read::Statement(star) => {
                    let statement = words.statement(*star);
                    lines.say(Label::Reads, format!("the definition needs {statement}."));
                    continue;
                }
            };
            let Some(first) = bindings.first() else {
                continue;
            };
            let name = &words.module.model.binding(*first).name;
            lines.say(
                Label::Reads,
                format!(
                    "the definition reads `{name}`, bound {}.",
                    words.all_bound(bindings)
                ),
            );
        }
    }

    fn place(&self, member: Member<'_, 'a>, group: &Group, lines: &mut Lines) {
        let words = self.words();
        let body = &words.module.nodes.module().body;
        let statement = |at: usize| {
            let statement = body.get(at)?;
            Some(words.statement(words.module.nodes.id(statement)))
        };
        let sentence = match group.source {
            DefinitionSource::Reused(reused) => {
                format!(
                    "the definition stands already: {}.",
                    words.statement(reused)
                )
            }
            DefinitionSource::New(Place::Before(at)) => format!(
                "the definition goes before {}, which uses it first.",
                statement(at).unwrap_or_default()
            ),
            DefinitionSource::New(Place::After(at)) => format!(
                "the definition goes after {}, which binds what it reads; nothing runs it before.",
                statement(at).unwrap_or_default()
            ),
        };
        lines.say(Label::Place, sentence);
        for write in &member.candidate.writes {
            lines.say(
                Label::Place,
                format!("{} moves along.", words.statement(*write)),
            );
        }
        self.classes(member.candidate, lines);
    }

    /// The classes of other calls that the definition reads.
    fn classes(&self, candidate: &Candidate, lines: &mut Lines) {
        let words = self.words();
        for (name, call) in &candidate.classes {
            let group = self.plan.group_of(*call);
            let name = words.code(*name);
            let sentence = match group.and_then(|at| self.plan.groups.get(at)) {
                Some(other) => {
                    format!(
                        "{name} in it becomes `{}`, which stands before it.",
                        other.name
                    )
                }
                None => format!(
                    "{name} in it is the class of the call at {}, which is not hoisted.",
                    words.at(*call)
                ),
            };
            lines.say(Label::Place, sentence);
        }
    }

    fn import(&self, candidate: &Candidate, group: &Group, lines: &mut Lines) {
        let Some(lift) = &candidate.lift else { return };
        if matches!(group.source, DefinitionSource::New(_)) {
            let sentence = match &lift.import {
                Some(import) => format!(
                    "{} comes up from row {} to module level.",
                    import_text(import),
                    self.row_of_binding(lift.binding)
                ),
                None => format!(
                    "the module has the import of row {} itself, {}.",
                    self.row_of_binding(lift.binding),
                    self.words().all_bound(&lift.bound)
                ),
            };
            lines.say(Label::Import, sentence);
        }
        let row = self.row_of_binding(lift.binding);
        let alias = self.words().module.model.binding(lift.binding).node;
        let alias = self.words().module.nodes.range(alias);
        let sentence = if self.removed.contains(&alias) {
            format!("the import in row {row} goes, as nothing else reads it.")
        } else {
            format!(
                "the import in row {row} stays, as other code reads it or a comment speaks of it."
            )
        };
        lines.say(Label::Import, sentence);
    }

    fn row_of_binding(&self, binding: BindingId) -> usize {
        let words = self.words();
        words.row(words.module.model.binding(binding).range.start())
    }

    fn rewrite(&self, member: Member<'_, 'a>, group: &Group, lines: &mut Lines) {
        let words = self.words();
        let Member {
            index,
            site,
            candidate,
        } = member;
        let is_dropped = group.dropped.binary_search(&index).is_ok();
        let sentence = match &candidate.shape {
            Shape::Drop {
                statement,
                uses,
                target,
                ..
            } if is_dropped => {
                let places = listed(uses.iter().map(|node| words.at(*node)));
                let row = words.row_of(*statement);
                let name = &group.name;
                match uses.len() {
                    0 => format!(
                        "the binding of `{target}` in row {row} is dropped; nothing uses it."
                    ),
                    1 => format!(
                        "the binding of `{target}` in row {row} is dropped, and its use at {places} becomes `{name}`."
                    ),
                    count => format!(
                        "the binding of `{target}` in row {row} is dropped, and its {count} uses at {places} become `{name}`."
                    ),
                }
            }
            Shape::Drop {
                target, is_spelled, ..
            } => {
                let why = if *is_spelled {
                    "the text of an annotation spells it"
                } else {
                    "it is a module-level name of its own"
                };
                format!(
                    "only the call is replaced by `{}`; the binding of `{target}` stays, as {why}.",
                    group.name
                )
            }
            Shape::Replace => {
                let kept = self.inquiry.why_kept(site, &candidate.writes);
                let why = kept.map(|kept| self.kept(kept)).unwrap_or_default();
                format!("only the call is replaced by `{}`; {why}.", group.name)
            }
        };
        lines.say(Label::Site, sentence);
        for literal in &candidate.literals {
            let statement = words.module.nodes.statement(literal.value);
            if self.removed.contains(&words.module.nodes.range(statement)) {
                let statement = words.statement(statement);
                lines.say(
                    Label::Site,
                    format!("{statement} goes, as nothing else reads it."),
                );
            }
        }
    }

    /// Why the binding stays.
    pub(super) fn kept(&self, kept: Kept) -> String {
        let words = self.words();
        match kept {
            Kept::NoBinding => "no plain assignment binds it".to_owned(),
            Kept::Targets => {
                "the binding stays, as it is no plain assignment to one name".to_owned()
            }
            Kept::OtherScope => {
                "the binding stays, as the name belongs to another scope".to_owned()
            }
            Kept::ClassAttribute => {
                "the binding stays, as the name is an attribute of a class".to_owned()
            }
            Kept::Nonlocal => {
                "the binding stays, as a function declares the name `nonlocal`".to_owned()
            }
            Kept::Rebound(other) => format!(
                "the binding stays, as the name is also bound {}",
                words.bound(other)
            ),
            Kept::LocalsObserved => {
                "the binding stays, as code reads the function's locals as data".to_owned()
            }
            Kept::Text(at) => format!(
                "the binding stays, as the text at {} would mean something else without it",
                words.place(at)
            ),
            Kept::Use(node) => {
                let why = if flow::in_visible_source(words.module.nodes, node) {
                    "shows its text"
                } else {
                    "may run before it, or deletes it"
                };
                format!("the binding stays, as its use at {} {why}", words.at(node))
            }
        }
    }

    /// The grade of the fix, and what it rests on.
    pub(super) fn grade(&self, member: Member<'_, 'a>, group: &Group, lines: &mut Lines) {
        if group.applicability == Applicability::Unsafe {
            return uses::unsafe_grade(self.inquiry, member.site, lines);
        }
        let needed = self.groups.get(&member.index);
        let needed = needed.map(|at| self.plan.with_dependencies(*at));
        let groups = needed.unwrap_or_default();
        let groups = groups.iter().filter_map(|at| self.plan.groups.get(*at));
        let other = groups
            .into_iter()
            .find(|group| group.applicability == Applicability::Unsafe);
        let sentence = match other {
            Some(other) => {
                format!("unsafe: it needs `{}`, whose fix is unsafe.", other.name)
            }
            None => "safe: nothing can tell the one class from a fresh one.".to_owned(),
        };
        lines.say(Label::Grade, sentence);
    }

    fn shared(&self, member: Member<'_, 'a>, group: &Group, lines: &mut Lines) {
        let words = self.words();
        let others: Vec<NodeId> = group
            .sites
            .iter()
            .filter(|at| **at != member.index)
            .filter_map(|at| Some(self.plan.decisions.get(*at)?.site.call))
            .collect();
        let places = listed(others.iter().map(|call| words.at(*call)));
        let sentence = match others.len() {
            0 => "no other call shares the definition.".to_owned(),
            1 => format!("the call at {places} shares the definition."),
            _ => format!("the calls at {places} share the definition."),
        };
        lines.say(Label::Shared, sentence);
    }
}

fn import_text(import: &PromisedImport) -> String {
    let alias = import
        .alias
        .as_ref()
        .map(|alias| format!(" as {alias}"))
        .unwrap_or_default();
    quoted(&match &import.name {
        Some(name) => format!("from {} import {name}{alias}", import.module),
        None => format!("import {}{alias}", import.module),
    })
}
