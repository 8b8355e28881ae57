//! What is decided about every site of a module, and the edits that carry it out.

use rustc_hash::{FxHashMap, FxHashSet};

use super::eligibility::Candidate;
use super::existing;
use super::group::{self, Definer, Eligible, Group};
use super::inquiry::Inquiry;
use super::promise::PromisedImport;
use super::site::{self, Site};
use crate::python::NodeId;
use crate::rule::{SkipReason, Verdict};

/// What is decided about one site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The class depends on run-time values: no hoist is possible.
    Dynamic,
    /// The class could be made once, but not by this program.
    Refused(SkipReason),
    /// The site belongs to the group of that index.
    Hoisted(usize),
}

/// One site and what is decided about it.
#[derive(Debug)]
pub struct Decision<'a> {
    /// The site.
    pub site: Site<'a>,
    /// What is decided.
    pub outcome: Outcome,
    /// How it would be rewritten; `None` when it was refused before that was looked at.
    pub candidate: Option<Candidate>,
}

/// Why a site that could be hoisted is not, for reasons that the room does not know.
pub type Refusal<'r, 'a> = &'r dyn Fn(&Site<'a>, &Candidate) -> Option<SkipReason>;

/// Everything decided about one module.
#[derive(Debug, Default)]
pub struct Plan<'a> {
    /// The decisions, in source order of the calls.
    pub decisions: Vec<Decision<'a>>,
    /// The definitions to make or use, in the order of their first site.
    pub groups: Vec<Group>,
}

impl<'a> Plan<'a> {
    /// Decides about all calls of factories but those that `is_excluded` names: the
    /// suppressed ones, which it is asked for all before anything is decided. Those that could be
    /// hoisted, and that `refusal` has a reason for, get no fix.
    #[must_use]
    pub fn new(
        inquiry: &Inquiry<'_, 'a>,
        is_excluded: &dyn Fn(&Site<'a>) -> bool,
        refusal: Refusal<'_, 'a>,
    ) -> Self {
        let mut sites = site::find(inquiry);
        sites.retain(|site| !is_excluded(site));
        let mut decisions: Vec<Decision<'a>> = sites
            .into_iter()
            .map(|site| decide(inquiry, site, refusal))
            .collect();
        refuse_orphans(&mut decisions);
        let (groups, refused) = define(inquiry, &decisions);
        let mut plan = Plan { decisions, groups };
        for (at, reason) in refused {
            plan.refuse(at, reason);
        }
        plan.assign();
        refuse_orphans(&mut plan.decisions);
        plan
    }

    /// Tells each site its group.
    fn assign(&mut self) {
        for (at, group) in self.groups.iter().enumerate() {
            for site in &group.sites {
                if let Some(decision) = self.decisions.get_mut(*site) {
                    decision.outcome = Outcome::Hoisted(at);
                }
            }
        }
    }

    fn refuse(&mut self, at: usize, reason: SkipReason) {
        if let Some(decision) = self.decisions.get_mut(at) {
            decision.outcome = Outcome::Refused(reason);
        }
    }

    /// Refuses all sites of a group.
    pub fn refuse_group(&mut self, group: usize, reason: SkipReason) {
        let sites = self
            .groups
            .get(group)
            .map(|group| group.sites.clone())
            .unwrap_or_default();
        sites.into_iter().for_each(|at| self.refuse(at, reason));
        refuse_orphans(&mut self.decisions);
    }

    /// The groups that still stand, with at least one site hoisted.
    pub fn standing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.groups.len()).filter(|group| {
            self.groups.get(*group).is_some_and(|members| {
                members.sites.iter().all(|site| {
                    self.decisions
                        .get(*site)
                        .is_some_and(|decision| decision.outcome == Outcome::Hoisted(*group))
                })
            })
        })
    }

    /// The groups that `group` needs, itself included, each before those that need it.
    #[must_use]
    pub fn with_dependencies(&self, group: usize) -> Vec<usize> {
        let mut found = vec![];
        let mut open = vec![group];
        while let Some(at) = open.pop() {
            if !found.contains(&at) {
                found.push(at);
                open.extend(self.dependencies(at));
            }
        }
        found.sort_unstable();
        found
    }

    fn dependencies(&self, group: usize) -> Vec<usize> {
        let sites = self
            .groups
            .get(group)
            .map(|group| group.sites.as_slice())
            .unwrap_or_default();
        let candidates = sites
            .iter()
            .filter_map(|at| self.decisions.get(*at)?.candidate.as_ref());
        candidates
            .flat_map(|candidate| &candidate.classes)
            .filter_map(|(_, call)| self.group_of(*call))
            .collect()
    }

    /// The group that hoists the call.
    #[must_use]
    pub fn group_of(&self, call: NodeId) -> Option<usize> {
        let at = self
            .decisions
            .binary_search_by_key(&call, |decision| decision.site.call)
            .ok()?;
        match self.decisions.get(at)?.outcome {
            Outcome::Hoisted(group) => Some(group),
            _ => None,
        }
    }
}

fn decide<'a>(inquiry: &Inquiry<'_, 'a>, site: Site<'a>, refusal: Refusal<'_, 'a>) -> Decision<'a> {
    let (outcome, candidate) = match &site.judgement.verdict {
        Verdict::Refused(reason) => (Outcome::Refused(*reason), None),
        Verdict::Valid(_) => match inquiry.decide(&site) {
            Ok(candidate) => match refusal(&site, &candidate) {
                Some(reason) => (Outcome::Refused(reason), None),
                // The group is not known yet.
                None => (Outcome::Hoisted(usize::MAX), Some(candidate)),
            },
            Err(reason) => (Outcome::Refused(reason), None),
        },
        _ => (Outcome::Dynamic, None),
    };
    Decision {
        site,
        outcome,
        candidate,
    }
}

/// The groups of all sites that may be hoisted, and why some may not after all.
fn define<'a>(
    inquiry: &Inquiry<'_, 'a>,
    decisions: &[Decision<'a>],
) -> (Vec<Group>, Vec<(usize, SkipReason)>) {
    let eligible = eligible(decisions);
    let (eligible, mut refused) = without_import_conflicts(eligible);
    if eligible.is_empty() {
        return (vec![], refused);
    }
    let lifted = eligible.iter().filter_map(|entry| lifted_name(entry));
    let existing = existing::existing(inquiry);
    let mut definer = Definer::new(*inquiry, existing, lifted.map(str::to_owned));
    let mut groups = vec![];
    for members in group::merge(inquiry.module, &eligible) {
        let members: Vec<_> = members.iter().filter_map(|at| eligible.get(*at)).collect();
        let (defined, failed) = define_members(&mut definer, &members);
        for group in defined {
            match keeps_writes(group, &members) {
                Ok(group) => groups.push(group),
                Err(reason) => refused.extend(members.iter().map(|member| (member.index, reason))),
            }
        }
        refused.extend(failed);
    }
    (groups, refused)
}

/// The group of all members; or, where there is none, as few groups as hold each member that can
/// have a definition, and the members that cannot.
fn define_members<'a>(
    definer: &mut Definer<'_, 'a>,
    members: &[&Eligible<'_, 'a>],
) -> (Vec<Group>, Vec<(usize, SkipReason)>) {
    let reason = match definer.define(members) {
        Ok(group) => return (vec![group], vec![]),
        Err(reason) => reason,
    };
    if let [only] = members {
        return (vec![], vec![(only.index, reason)]);
    }
    let (mut groups, mut failed): (Vec<Group>, Vec<_>) = (vec![], vec![]);
    for member in members {
        if groups.iter_mut().any(|group| definer.join(group, member)) {
            continue;
        }
        match definer.define(&[member]) {
            Ok(group) => groups.push(group),
            Err(reason) => failed.push((*member, reason)),
        }
    }
    // A definition that a later member brings may serve an earlier one.
    failed.retain(|(member, _)| !groups.iter_mut().any(|group| definer.join(group, member)));
    let failed = failed
        .into_iter()
        .map(|(member, reason)| (member.index, reason));
    (groups, failed.collect())
}

/// The module-level name that the site's import takes when it comes up.
fn lifted_name<'e>(entry: &Eligible<'e, '_>) -> Option<&'e str> {
    let import = entry.candidate.lift.as_ref()?.import.as_ref()?;
    let name = import.alias.as_ref().or(import.name.as_ref());
    Some(name.unwrap_or(&import.module))
}

/// The sites without those whose import would take a name that another import takes already.
fn without_import_conflicts<'p, 'a>(
    eligible: Vec<Eligible<'p, 'a>>,
) -> (Vec<Eligible<'p, 'a>>, Vec<(usize, SkipReason)>) {
    let mut lifted: FxHashMap<&str, &PromisedImport> = FxHashMap::default();
    let (mut kept, mut refused) = (vec![], vec![]);
    for entry in eligible {
        let import = entry
            .candidate
            .lift
            .as_ref()
            .and_then(|lift| lift.import.as_ref());
        let clashes = import
            .zip(lifted_name(&entry))
            .is_some_and(|(import, name)| *lifted.entry(name).or_insert(import) != import);
        if clashes {
            refused.push((entry.index, SkipReason::ImportNameTaken));
        } else {
            kept.push(entry);
        }
    }
    (kept, refused)
}

fn eligible<'p, 'a>(decisions: &'p [Decision<'a>]) -> Vec<Eligible<'p, 'a>> {
    let entries = decisions
        .iter()
        .enumerate()
        .filter_map(|(index, decision)| {
            let judgement = &decision.site.judgement;
            let (Outcome::Hoisted(_), Some(candidate), Verdict::Valid(key), Some(typename)) = (
                decision.outcome,
                &decision.candidate,
                &judgement.verdict,
                &judgement.typename,
            ) else {
                return None;
            };
            Some(Eligible {
                index,
                site: &decision.site,
                key,
                typename,
                candidate,
            })
        });
    entries.collect()
}

/// Attribute writes move only with a dropped binding.
fn keeps_writes(group: Group, members: &[&Eligible<'_, '_>]) -> Result<Group, SkipReason> {
    let stays = |member: &&Eligible<'_, '_>| {
        !member.candidate.writes.is_empty() && !group.dropped.contains(&member.index)
    };
    if members.iter().any(stays) {
        return Err(SkipReason::ClassWritten);
    }
    Ok(group)
}

/// Refuses sites whose arguments read a class that is not hoisted, and those that read theirs.
fn refuse_orphans(decisions: &mut [Decision<'_>]) {
    loop {
        let hoisted: FxHashSet<NodeId> = decisions
            .iter()
            .filter(|decision| matches!(decision.outcome, Outcome::Hoisted(_)))
            .map(|decision| decision.site.call)
            .collect();
        let mut changed = false;
        for decision in &mut *decisions {
            let reads_other = decision.candidate.as_ref().is_some_and(|candidate| {
                candidate
                    .classes
                    .iter()
                    .any(|(_, call)| !hoisted.contains(call))
            });
            if reads_other && matches!(decision.outcome, Outcome::Hoisted(_)) {
                decision.outcome = Outcome::Refused(SkipReason::ArgumentNotConstant);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
