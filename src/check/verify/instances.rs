//! Part of proof 5: no instance that compares by its class, and no member, is seen outside one making
//! of the class.
//!
//! It looks at the original, where the places at which the class was made can be told.

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, Expr, ExprCall, Operator, UnaryOp};
use rustpython_text_size::TextSize;

use super::VerificationFailure;
use super::evidence::{Evidence, Side};
use super::made::Made;
use super::members::Making;
use super::merged::qualified;
use super::observers::fail;
use super::visible::builtin;
use crate::python::NodeId;
use crate::python::semantic::{ReferenceContext, ScopeId, ScopeKind};
use crate::rule::ValueKind;

type Verdict = Result<(), VerificationFailure>;

/// Follows the instances of one definition's class from the call that made it; `watched` are the
/// scopes of the original whose names code reads as data.
///
/// # Errors
/// Returns the first use through which an instance could be told from one of another making.
pub(super) fn prove(
    evidence: &Evidence<'_>,
    number: usize,
    (made, watched): (&Made, &FxHashSet<ScopeId>),
) -> Verdict {
    if !made.instances_tell() {
        return Ok(());
    }
    for site in evidence.sites(number) {
        let Some(call) = evidence.call(site.call) else {
            continue;
        };
        let site = evidence.original.nodes.id(call);
        let mut follow = Follow {
            side: &evidence.original,
            made,
            watched,
            site,
            classes: FxHashSet::default(),
            values: FxHashSet::default(),
            open: vec![Held::Class(site)],
        };
        follow.run()?;
        follow.comparisons()?;
    }
    Ok(())
}

/// What an expression gives.
#[derive(Clone, Copy)]
enum Held {
    /// The class.
    Class(NodeId),
    /// An instance, or a member.
    Value(NodeId),
}

struct Follow<'e, 'a> {
    side: &'e Side<'a>,
    made: &'e Made,
    /// The scopes whose names code reads as data.
    watched: &'e FxHashSet<ScopeId>,
    site: NodeId,
    classes: FxHashSet<NodeId>,
    values: FxHashSet<NodeId>,
    open: Vec<Held>,
}

impl<'a> Follow<'_, 'a> {
    fn run(&mut self) -> Verdict {
        while let Some(held) = self.open.pop() {
            match held {
                Held::Class(node) if self.classes.insert(node) => self.class(node)?,
                Held::Value(node) if self.values.insert(node) => self.value(node)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn around(&self, node: NodeId) -> (NodeId, AnyNodeRef<'a>) {
        let parent = self.side.nodes.parent(node).unwrap_or(NodeId::MODULE);
        (parent, self.side.nodes.get(parent))
    }

    fn is(&self, part: &Expr, node: NodeId) -> bool {
        self.side.nodes.id(part) == node
    }

    fn escape(&self, node: NodeId, how: &str) -> Verdict {
        let text = self.side.source(node);
        let message = format!("an instance escapes through `{text}`: {how}");
        Err(fail(message, TextSize::default()))
    }

    /// Finds the instances that a use of the class gives; where the class itself may go is judged by
    /// its loads in the patched text.
    fn class(&mut self, node: NodeId) -> Verdict {
        let (parent, around) = self.around(node);
        let has_members = self.made.has_members();
        match around {
            AnyNodeRef::ExprCall(call) => {
                if has_members && !self.only_looks_up(call) {
                    return self.escape(node, "the call may add a member");
                }
                self.open.push(Held::Value(parent));
            }
            AnyNodeRef::ExprAttribute(attribute) if self.made.shows_nothing(&attribute.attr) => {}
            AnyNodeRef::ExprAttribute(_) | AnyNodeRef::ExprSubscript(_) if has_members => {
                self.open.push(Held::Value(parent));
            }
            AnyNodeRef::StmtFor(statement) if self.is(&statement.iter, node) => {
                return self.bind(node, &statement.target, Held::Value);
            }
            AnyNodeRef::Comprehension(clause) if self.is(&clause.iter, node) => {
                return self.bind(node, &clause.target, Held::Value);
            }
            AnyNodeRef::StmtAssign(assign) => match assign.targets.as_slice() {
                [only] => return self.bind(node, only, Held::Class),
                _ => return self.escape(node, "several targets keep the class"),
            },
            AnyNodeRef::StmtAnnAssign(assign) if !self.is(&assign.annotation, node) => {
                return self.bind(node, &assign.target, Held::Class);
            }
            AnyNodeRef::ExprTuple(_) if self.around(parent).1.is_stmt_assign() => {
                return self.escape(node, "the class is unpacked");
            }
            AnyNodeRef::ExprIf(branch) if self.is(&branch.test, node) => {}
            AnyNodeRef::ExprIf(_)
            | AnyNodeRef::ExprBoolOp(_)
            | AnyNodeRef::ExprNamed(_)
            | AnyNodeRef::ParameterWithDefault(_) => {
                return self.escape(node, "the class is kept elsewhere");
            }
            AnyNodeRef::Arguments(_) if self.makes_many(parent) => {
                return self.escape(node, "instances are made that cannot be followed");
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a call of a class with members finds one by its value, and never adds one.
    fn only_looks_up(&self, call: &ExprCall) -> bool {
        let factory = self.made.factory;
        let values = factory.rule.member_values.get(factory.name);
        values != Some(&ValueKind::Bit) && is_of_one(call)
    }

    /// Whether the arguments are those of `map` or of `itertools.starmap`.
    fn makes_many(&self, arguments: NodeId) -> bool {
        let AnyNodeRef::ExprCall(call) = self.around(arguments).1 else {
            return false;
        };
        let name = qualified(self.side, &call.func);
        builtin(self.side, call).as_deref() == Some("map")
            || matches!(name.as_deref(), Some("itertools.starmap" | "builtins.map"))
    }

    /// Goes on to the loads of a name that only its own function binds and reads.
    fn bind(&mut self, node: NodeId, target: &Expr, held: fn(NodeId) -> Held) -> Verdict {
        let model = &self.side.model;
        let name = target.as_name_expr();
        let binding = name.and_then(|name| model.binding_at(self.side.nodes.id(name)));
        let Some(binding) = binding.map(|id| model.binding(id)) else {
            return self.escape(node, "it is stored where its uses can't be followed");
        };
        let kind = model.scope(binding.scope).kind;
        let all = model.bindings_of(binding.scope, &binding.name);
        let is_own = all
            .iter()
            .all(|id| model.binding(*id).bound_in == binding.scope);
        let is_local = matches!(kind, ScopeKind::Function | ScopeKind::Comprehension);
        if !is_local || !is_own || self.watched.contains(&binding.scope) {
            return self.escape(node, "other code can read the name that keeps it");
        }
        let mut values = all.iter().map(|id| model.binding(*id));
        let is_class = matches!(held(node), Held::Class(_));
        if is_class && values.any(|other| other.node != binding.node && !other.kind.is_empty()) {
            return self.escape(node, "the name that keeps the class is bound again");
        }
        for id in model.references_to(binding.scope, &binding.name) {
            let reference = model.reference(*id);
            if reference.context != ReferenceContext::Delete {
                self.open.push(held(reference.node));
            }
        }
        Ok(())
    }

    /// Judges one use of an instance; comparisons are judged when all instances are known.
    fn value(&mut self, node: NodeId) -> Verdict {
        let (parent, around) = self.around(node);
        let is_harmless = match around {
            AnyNodeRef::ExprCompare(_)
            | AnyNodeRef::StmtExpr(_)
            | AnyNodeRef::StmtIf(_)
            | AnyNodeRef::ElifElseClause(_)
            | AnyNodeRef::StmtWhile(_) => true,
            AnyNodeRef::StmtAssert(statement) => self.is(&statement.test, node),
            AnyNodeRef::ExprUnaryOp(operation) => operation.op == UnaryOp::Not,
            AnyNodeRef::Comprehension(clause) => !self.is(&clause.iter, node),
            AnyNodeRef::ExprIf(branch) if self.is(&branch.test, node) => true,
            AnyNodeRef::ExprIf(_) | AnyNodeRef::ExprBoolOp(_) => {
                self.open.push(Held::Value(parent));
                true
            }
            AnyNodeRef::ExprAttribute(attribute) => {
                let name = attribute.attr.as_str();
                match self.made.has_members() {
                    true => attribute.ctx.is_load() && matches!(name, "name" | "value"),
                    false => self.made.is_field(name),
                }
            }
            AnyNodeRef::Arguments(_) => self.is_shown(node, parent),
            AnyNodeRef::InterpolatedElement(_) => !self.is_in_template(node),
            AnyNodeRef::ExprBinOp(_) => self.is_formatted(node),
            AnyNodeRef::ExprTuple(_) => self.is_formatted(parent),
            AnyNodeRef::StmtAssign(assign) => match assign.targets.as_slice() {
                [only] if self.is(&assign.value, node) => {
                    return self.bind(node, only, Held::Value);
                }
                _ => false,
            },
            AnyNodeRef::StmtAnnAssign(assign) if !self.is(&assign.annotation, node) => {
                return self.bind(node, &assign.target, Held::Value);
            }
            _ => false,
        };
        match is_harmless {
            true => Ok(()),
            false => self.escape(node, "this use is not known to be harmless"),
        }
    }

    /// Whether the call shows the argument's values, and neither keeps nor compares it.
    fn is_shown(&self, node: NodeId, arguments: NodeId) -> bool {
        let AnyNodeRef::ExprCall(call) = self.around(arguments).1 else {
            return false;
        };
        let formats = call.func.as_attribute_expr().is_some_and(|method| {
            method.attr.as_str() == "format" && method.value.is_string_literal_expr()
        });
        if !call.arguments.args.iter().any(|it| self.is(it, node)) {
            return false;
        }
        let name = match builtin(self.side, call) {
            Some(name) => Some(format!("builtins.{name}")),
            None => qualified(self.side, &call.func),
        };
        match name.as_deref() {
            Some("builtins.print") => true,
            Some("builtins.repr" | "builtins.str" | "builtins.bool") => is_of_one(call),
            Some("builtins.int") => self.made.has_members() && is_of_one(call),
            Some(
                "dataclasses.asdict"
                | "dataclasses.astuple"
                | "attr.asdict"
                | "attr.astuple"
                | "attrs.asdict"
                | "attrs.astuple",
            ) => !self.made.has_members() && is_of_one(call),
            _ => formats,
        }
    }

    fn is_formatted(&self, node: NodeId) -> bool {
        match self.around(node).1 {
            AnyNodeRef::ExprBinOp(operation) => {
                operation.op == Operator::Mod
                    && operation.left.is_string_literal_expr()
                    && self.is(&operation.right, node)
            }
            _ => false,
        }
    }

    fn is_in_template(&self, node: NodeId) -> bool {
        let mut around = self.side.nodes.ancestors(node);
        around.any(|id| {
            let outer = self.side.nodes.get(id);
            outer.is_t_string() || outer.is_expr_t_string()
        })
    }

    /// Judges the comparisons of instances.
    fn comparisons(&self) -> Verdict {
        let making = Making {
            side: self.side,
            site: self.site,
            values: &self.values,
        };
        let mut values: Vec<_> = self.values.iter().copied().collect();
        values.sort_unstable();
        for node in values {
            let AnyNodeRef::ExprCompare(compare) = self.around(node).1 else {
                continue;
            };
            let is_known = match self.made.has_members() {
                true => making.compares_its_own(compare),
                false => making.asks_for_none(compare, node),
            };
            if !is_known && !making.asks_for_none(compare, node) {
                return self.escape(node, "it is compared with what may be of another making");
            }
        }
        Ok(())
    }
}

/// Whether the call has one argument, given by position.
fn is_of_one(call: &ExprCall) -> bool {
    let arguments = &call.arguments;
    arguments.len() == 1 && arguments.args.iter().any(|only| !only.is_starred_expr())
}
