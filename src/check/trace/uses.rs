//! Where the class goes: each use of it, and whether that is an escape.

use rustpython_ast::AnyNodeRef;

use super::words::{Words, counted, listed};
use super::{Label, Lines};
use crate::hoist::class_traits::ClassTraits;
use crate::hoist::escape::{Escape, Seen, Tracker};
use crate::hoist::inquiry::Inquiry;
use crate::hoist::instance_uses::{InstanceUse, SeenInstance, instance_uses};
use crate::hoist::instances::class_reached_at;
use crate::hoist::site::Site;
use crate::hoist::usage::{self, Use};
use crate::hoist::writes;
use crate::python::{NodeId, flow};
use crate::rule::SkipReason;

/// Uses of one class that are shown.
const MAX_USES: usize = 60;

/// Says of each use of the class what it is and whether it is an escape.
pub(super) fn uses<'a>(inquiry: Inquiry<'_, 'a>, site: &Site<'a>, lines: &mut Lines) {
    let writes = writes::following(&inquiry, site);
    let class = ClassTraits::new(site.factory.factory, &site.judgement);
    let escape = Tracker::follow((inquiry.module, inquiry.facts), &class, site.call, &writes);
    let uses = Uses {
        words: Words {
            module: inquiry.module,
        },
        call: site.call,
        moved: &writes,
        escape: &escape,
    };
    let mut seen: Vec<&Seen> = escape.seen.iter().collect();
    let more = seen.len().saturating_sub(MAX_USES);
    seen.truncate(MAX_USES);
    for seen in seen {
        lines.say(Label::Use, uses.sentence(seen));
    }
    if more > 0 {
        let rest = escape.seen.get(MAX_USES..).unwrap_or_default();
        let escapes = rest.iter().filter(|seen| seen.escapes.is_some()).count();
        let uses = counted(more, "more use");
        lines.say(
            Label::Use,
            format!("there are {uses}, of which {escapes} are escapes."),
        );
    }
    if escape.refusal().is_some() {
        return;
    }
    if class.instances_tell() {
        let found = instance_uses((inquiry.module, inquiry.facts), &class, site.call, &escape);
        instance_lines(uses.words, &found, lines);
    } else if class.makes_no_instances() {
        let sentence = "what the calls of the class give is no instance of it.";
        lines.say(Label::Instances, sentence.to_owned());
    } else {
        lines.say(Label::Instances, uses.instances(inquiry));
    }
}

/// Says of each use of an instance or a member what it is and whether it is an escape.
fn instance_lines(words: Words<'_, '_>, found: &[SeenInstance], lines: &mut Lines) {
    if found.is_empty() {
        lines.say(Label::Instances, "none is made.".to_owned());
    }
    for SeenInstance { node, used } in found.iter().take(MAX_USES) {
        let clause = match used {
            InstanceUse::Read => "shows its values alone: no escape".to_owned(),
            InstanceUse::Compared => {
                "is compared with constants and its own kind: no escape".to_owned()
            }
            InstanceUse::BoundTo(name) => {
                format!("is bound to {}, and is followed", words.code(*name))
            }
            InstanceUse::Flows(parent) => format!(
                "may be the value of {}, and is followed",
                words.code(*parent)
            ),
            InstanceUse::Escapes(how) => {
                format!("{how}: an escape [{}]", SkipReason::InstanceEscapes.code())
            }
        };
        let (place, code) = (words.at(*node), words.code(*node));
        lines.say(Label::Instances, format!("at {place} {code} {clause}."));
    }
    if let Some(rest) = found.get(MAX_USES..).filter(|rest| !rest.is_empty()) {
        let escapes = |seen: &&SeenInstance| matches!(seen.used, InstanceUse::Escapes(_));
        let sentence = format!(
            "there are {}, of which {} are escapes.",
            counted(rest.len(), "more use"),
            rest.iter().filter(escapes).count()
        );
        lines.say(Label::Instances, sentence);
    }
}

/// Says only what happens to the value of the call: a class of run-time fields is not followed.
pub(super) fn first_use(words: Words<'_, '_>, site: &Site<'_>, lines: &mut Lines) {
    let uses = Uses {
        words,
        call: site.call,
        moved: &[],
        escape: &Escape::default(),
    };
    let used = usage::classify(words.module, site.call);
    let clause = uses.clause(site.call, used);
    lines.say(
        Label::Use,
        format!("at {} the class {clause}.", words.at(site.call)),
    );
}

/// Says which functions hand the class out, which makes a fix unsafe.
pub(super) fn unsafe_grade<'a>(inquiry: Inquiry<'_, 'a>, site: &Site<'a>, lines: &mut Lines) {
    let words = Words {
        module: inquiry.module,
    };
    let writes = writes::following(&inquiry, site);
    let class = ClassTraits::new(site.factory.factory, &site.judgement);
    let escape = Tracker::follow((inquiry.module, inquiry.facts), &class, site.call, &writes);
    let from = escape.returned_from.iter().map(|function| {
        format!(
            "{} (row {})",
            words.owner(*function),
            words.row_of_name(*function)
        )
    });
    lines.say(
        Label::Grade,
        format!(
            "unsafe: the class is returned or yielded by {}, whose callers elsewhere may tell that it is the same one.",
            listed(from)
        ),
    );
}

struct Uses<'u, 'a> {
    words: Words<'u, 'a>,
    call: NodeId,
    /// Statements whose writes travel with the definition.
    moved: &'u [NodeId],
    escape: &'u Escape,
}

impl Uses<'_, '_> {
    fn sentence(&self, seen: &Seen) -> String {
        let subject = if seen.node == self.call {
            "the class".to_owned()
        } else {
            self.words.code(seen.node)
        };
        let clause = self.clause(seen.node, seen.used);
        let outcome = match seen.escapes {
            Some(reason) => format!(": an escape [{}]", self.reason(reason).code()),
            None if seen.used == Use::Returned => {
                ", and what the module does with it is followed".to_owned()
            }
            None if is_followed(seen.used) => ", and is followed".to_owned(),
            None => ": no escape".to_owned(),
        };
        let place = self.words.at(seen.node);
        format!("at {place} {subject} {clause}{outcome}.")
    }

    /// A class that is never called and whose attributes are written is a bag of values.
    fn reason(&self, reason: SkipReason) -> SkipReason {
        match self.escape.refusal() {
            Some(SkipReason::ClassAsNamespace) if reason == SkipReason::ClassWritten => {
                SkipReason::ClassAsNamespace
            }
            _ => reason,
        }
    }

    /// What happens to the expression, as a clause behind it.
    fn clause(&self, node: NodeId, used: Use) -> String {
        let words = self.words;
        match used {
            Use::Called => "is called, which makes an instance".to_owned(),
            Use::Harmless => self.harmless(node),
            Use::Annotation => "is part of an annotation".to_owned(),
            Use::Deleted => "is deleted as a name".to_owned(),
            Use::Written(statement) if self.moved.contains(&statement) => {
                "is written to by a statement that could move along".to_owned()
            }
            Use::Written(statement) => format!("is written to by {}", words.code(statement)),
            Use::Compared => "is compared or tested against".to_owned(),
            Use::Subclassed => "is a base of a class statement".to_owned(),
            Use::Passed => match self.callee(node) {
                Some(callee) => format!("is passed to {callee}"),
                None if flow::is_annotation(words.module.nodes, node) => {
                    "is part of an annotation that a decorator may read".to_owned()
                }
                None => "is passed on".to_owned(),
            },
            Use::Returned => "is returned or yielded".to_owned(),
            Use::BoundTo(name) => format!("is bound to {}", words.code(name)),
            Use::StoredOn(attribute) => format!("is stored on {}", words.code(attribute)),
            Use::Chained(assign) => {
                format!("is bound to several targets by {}", words.code(assign))
            }
            Use::Named(named) => format!("is bound by {}", words.code(named)),
            Use::Flows(parent) => format!("may be the value of {}", words.code(parent)),
            Use::Inspected => match words.module.parent(node).1 {
                AnyNodeRef::ExprAttribute(attribute) => {
                    format!("has its attribute `{}` read", attribute.attr)
                }
                _ => "is looked into".to_owned(),
            },
            Use::Member(member) => format!("has a member looked up by {}", words.code(member)),
            Use::Iterated(target) => {
                format!("has its members bound to {} one by one", words.code(target))
            }
            Use::TypeOf(_) => "is the type of a field of another class".to_owned(),
            Use::Stored => match self.statement(node) {
                Some(statement) => format!("goes where it cannot be followed, in {statement}"),
                None => "goes where it cannot be followed".to_owned(),
            },
        }
    }

    fn harmless(&self, node: NodeId) -> String {
        match self.words.module.parent(node).1 {
            AnyNodeRef::ExprAttribute(attribute) => {
                format!("has its attribute `{}` read", attribute.attr)
            }
            AnyNodeRef::Arguments(_) => match self.callee(node) {
                Some(callee) => format!("is passed to {callee}, which keeps nothing"),
                None => "is passed on".to_owned(),
            },
            AnyNodeRef::ExprCompare(_) => "is compared with None".to_owned(),
            AnyNodeRef::StmtExpr(_) => "is a statement of its own".to_owned(),
            AnyNodeRef::InterpolatedElement(_) => "is part of a formatted string".to_owned(),
            _ => "is tested for its truth".to_owned(),
        }
    }

    /// The callee of the call that the expression is an argument of.
    fn callee(&self, node: NodeId) -> Option<String> {
        let nodes = self.words.module.nodes;
        nodes
            .ancestors(node)
            .take(3)
            .find_map(|id| match nodes.get(id) {
                AnyNodeRef::ExprCall(call) => Some(self.words.code(nodes.id(call.func.as_ref()))),
                _ => None,
            })
    }

    fn statement(&self, node: NodeId) -> Option<String> {
        let nodes = self.words.module.nodes;
        let statement = nodes.statement(node);
        let is_simple = !matches!(
            nodes.get(statement),
            AnyNodeRef::ModModule(_) | AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::StmtClassDef(_)
        );
        is_simple.then(|| self.words.statement(statement))
    }

    /// Whether the class is reached through an instance, and where.
    fn instances(&self, inquiry: Inquiry<'_, '_>) -> String {
        let made = &self.escape.instances;
        match class_reached_at(inquiry.module, inquiry.facts, made) {
            Some(read) => {
                let (parent, node) = inquiry.module.parent(read);
                let whole = match node {
                    AnyNodeRef::ExprCall(_) => parent,
                    _ => read,
                };
                format!(
                    "at {} {} may meet an instance, and reaches its class: an escape [{}].",
                    self.words.at(whole),
                    self.words.code(whole),
                    SkipReason::ClassReachedThroughInstance.code()
                )
            }
            None if made.is_empty() => "none is made.".to_owned(),
            None => format!(
                "they are made at {}, and nothing reaches the class through one.",
                listed(made.iter().map(|call| self.words.at(*call)))
            ),
        }
    }
}

/// Whether what becomes of the class is told by further uses.
fn is_followed(used: Use) -> bool {
    matches!(
        used,
        Use::BoundTo(_) | Use::StoredOn(_) | Use::Chained(_) | Use::Named(_) | Use::Flows(_)
    )
}
