//! Whether instances that compare by their class, or members of an Enum, stay where no comparison can
//! tell one making of the class from another.
//!
//! Unlike the class itself, an instance is followed strictly: what is not known to be harmless is an
//! escape.

mod comparison;
mod holder;

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, Expr, ExprAttribute, ExprCall, Operator, UnaryOp};

use super::class_traits::ClassTraits;
use super::escape::{Escape, Seen};
use super::facts::Facts;
use super::module::Module;
use super::usage::{Use, in_template, is_import_of};
use crate::python::NodeId;

/// Builtins that read their only argument and keep nothing of it.
const READERS: [&str; 4] = ["print", "repr", "str", "bool"];

/// Functions that take an instance apart and keep nothing of it.
const TAKERS: [(&str, &str); 6] = [
    ("dataclasses", "asdict"),
    ("dataclasses", "astuple"),
    ("attr", "asdict"),
    ("attr", "astuple"),
    ("attrs", "asdict"),
    ("attrs", "astuple"),
];

/// What happens to an instance or a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstanceUse {
    /// It is read in a way that shows only its values.
    Read,
    /// It is compared with what is known to be another member, or a constant.
    Compared,
    /// It is bound to a local name, the `Name` node, all of whose reads are looked at.
    BoundTo(NodeId),
    /// It is the value of the expression around it, the node.
    Flows(NodeId),
    /// It could be told from one of another making of the class; the clause says how.
    Escapes(&'static str),
}

/// One use that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenInstance {
    /// The expression that gives the instance, the member, or the class itself.
    pub node: NodeId,
    /// What happens to it.
    pub used: InstanceUse,
}

/// Every use of the instances or members of a class that the call `site` makes, as far as they can be
/// told apart by it; none where its instances compare by their values.
#[must_use]
pub fn instance_uses<'m, 'a>(
    (module, facts): (&'m Module<'a>, &'m Facts<'a>),
    class: &'m ClassTraits,
    site: NodeId,
    escape: &Escape,
) -> Vec<SeenInstance> {
    if !class.instances_tell() {
        return vec![];
    }
    let mut uses = InstanceUses {
        module,
        facts,
        class,
        site,
        values: FxHashSet::default(),
        names: FxHashSet::default(),
        open: vec![],
        seen: vec![],
    };
    escape.seen.iter().for_each(|seen| uses.class_use(seen));
    uses.run();
    uses.seen
}

struct InstanceUses<'m, 'a> {
    module: &'m Module<'a>,
    facts: &'m Facts<'a>,
    class: &'m ClassTraits,
    /// The call that makes the class.
    site: NodeId,
    /// The expressions that may give an instance.
    values: FxHashSet<NodeId>,
    /// The `Name` nodes of the bindings followed already.
    names: FxHashSet<NodeId>,
    open: Vec<NodeId>,
    seen: Vec<SeenInstance>,
}

impl<'a> InstanceUses<'_, 'a> {
    fn run(&mut self) {
        let mut compared = vec![];
        while let Some(node) = self.open.pop() {
            if !self.values.insert(node) {
                continue;
            }
            match self.module.parent(node).1 {
                AnyNodeRef::ExprCompare(_) => compared.push(node),
                _ => {
                    let used = self.classify(node);
                    self.follow(node, used);
                }
            }
        }
        compared.sort_unstable();
        for node in compared {
            let used = self.comparison(node);
            self.seen.push(SeenInstance { node, used });
        }
    }

    fn follow(&mut self, node: NodeId, used: InstanceUse) {
        self.seen.push(SeenInstance { node, used });
        match used {
            InstanceUse::BoundTo(name) => self.bound(node, name),
            InstanceUse::Flows(parent) => self.open.push(parent),
            _ => {}
        }
    }

    fn escapes(&mut self, node: NodeId, how: &'static str) {
        let used = InstanceUse::Escapes(how);
        self.seen.push(SeenInstance { node, used });
    }

    /// What a use of the class does: make an instance, look up a member, or carry the class where it
    /// cannot be said which making of it a member is from.
    fn class_use(&mut self, seen: &Seen) {
        let (parent, parent_node) = self.module.parent(seen.node);
        match seen.used {
            Use::Called => match parent_node {
                AnyNodeRef::ExprCall(call) if self.class.has_members() => {
                    if self.class.combines_members() || !takes_one(call) {
                        self.escapes(seen.node, "is called in a way that may add a member to it");
                    }
                    self.open.push(parent);
                }
                _ => self.open.push(parent),
            },
            Use::Member(member) => self.open.push(member),
            Use::Iterated(target) => self.iterated(seen.node, target),
            Use::BoundTo(name) if !self.holds_class(name) => {
                self.escapes(seen.node, "is kept under a name that other code may read");
            }
            Use::Harmless if self.makes_instances(seen.node) => {
                self.escapes(seen.node, "makes instances that are not followed");
            }
            Use::Returned => self.escapes(seen.node, "is handed out, and its instances with it"),
            Use::StoredOn(_) | Use::Chained(_) | Use::Named(_) | Use::Flows(_) => {
                self.escapes(seen.node, "is kept where its instances are not followed");
            }
            _ => {}
        }
    }

    /// Whether the use of the class as an argument makes instances, as `map(X, …)` does.
    fn makes_instances(&self, class: NodeId) -> bool {
        let (arguments, AnyNodeRef::Arguments(_)) = self.module.parent(class) else {
            return false;
        };
        match self.module.parent(arguments).1 {
            AnyNodeRef::ExprCall(call) => {
                let name = self.module.builtin(&call.func);
                name == Some("map") || name.is_none()
            }
            _ => true,
        }
    }

    fn iterated(&mut self, class: NodeId, target: NodeId) {
        match self.module.nodes.get(target) {
            AnyNodeRef::ExprName(_) => self.bound(class, target),
            _ => self.escapes(class, "is taken apart into its members"),
        }
    }

    /// Follows the reads of the local name that holds an instance.
    fn bound(&mut self, node: NodeId, name: NodeId) {
        if !self.names.insert(name) {
            return;
        }
        if !self.is_local(name) {
            return self.escapes(node, "is kept under a name that other code may read");
        }
        self.open.extend(self.module.loads_of_binding(name));
    }

    /// What happens to the instance that the expression `node` gives; comparisons apart.
    fn classify(&self, node: NodeId) -> InstanceUse {
        let (parent, parent_node) = self.module.parent(node);
        let is = |expr: &Expr| self.module.nodes.id(expr) == node;
        let read_if = |is_read: bool, how: &'static str| match is_read {
            true => InstanceUse::Read,
            false => InstanceUse::Escapes(how),
        };
        match parent_node {
            AnyNodeRef::ExprAttribute(attribute) => read_if(
                self.shows_value(attribute),
                "has an attribute read that may hold it",
            ),
            AnyNodeRef::Arguments(_) => read_if(
                self.is_read_by_call(node, parent),
                "is passed to a call that may keep or compare it",
            ),
            AnyNodeRef::InterpolatedElement(_) => {
                read_if(!in_template(self.module, node), "is kept by a t-string")
            }
            AnyNodeRef::ExprTuple(_) => read_if(
                self.is_formatted(parent, &|_| true),
                "is put into a container",
            ),
            AnyNodeRef::ExprBinOp(_) => {
                read_if(self.is_formatted(node, &is), "is an operand of an operator")
            }
            AnyNodeRef::ExprUnaryOp(operation) => {
                read_if(operation.op == UnaryOp::Not, "is an operand of an operator")
            }
            AnyNodeRef::StmtExpr(_)
            | AnyNodeRef::StmtIf(_)
            | AnyNodeRef::ElifElseClause(_)
            | AnyNodeRef::StmtWhile(_) => InstanceUse::Read,
            AnyNodeRef::StmtAssert(assert) => read_if(is(&assert.test), "is raised"),
            AnyNodeRef::Comprehension(clause) => {
                read_if(clause.ifs.iter().any(is), "is taken apart")
            }
            AnyNodeRef::ExprIf(branch) if is(&branch.test) => InstanceUse::Read,
            AnyNodeRef::ExprIf(_) | AnyNodeRef::ExprBoolOp(_) => InstanceUse::Flows(parent),
            _ => self.classify_kept(node),
        }
    }

    /// What keeps the instance that the expression `node` gives, when nothing just reads it.
    fn classify_kept(&self, node: NodeId) -> InstanceUse {
        let is = |expr: &Expr| self.module.nodes.id(expr) == node;
        let target = match self.module.parent(node).1 {
            AnyNodeRef::StmtAssign(assign) => match assign.targets.as_slice() {
                [only] if is(&assign.value) => Some(only),
                _ => None,
            },
            AnyNodeRef::StmtAnnAssign(assign) => {
                let is_value = assign.value.as_deref().is_some_and(is);
                is_value.then_some(assign.target.as_ref())
            }
            AnyNodeRef::StmtReturn(_)
            | AnyNodeRef::ExprYield(_)
            | AnyNodeRef::ExprYieldFrom(_)
            | AnyNodeRef::ExprLambda(_) => {
                return InstanceUse::Escapes("is returned or yielded");
            }
            AnyNodeRef::StmtRaise(_) => return InstanceUse::Escapes("is raised"),
            AnyNodeRef::ExprCall(_) => return InstanceUse::Escapes("is called"),
            _ => None,
        };
        match target {
            Some(Expr::Name(name)) => InstanceUse::BoundTo(self.module.nodes.id(name)),
            _ => InstanceUse::Escapes("goes where it is not followed"),
        }
    }

    /// Whether the attribute shows a value of the instance, or sets one.
    fn shows_value(&self, attribute: &ExprAttribute) -> bool {
        let name = attribute.attr.as_str();
        if self.class.has_members() {
            let is_shown = matches!(name, "name" | "value") && !self.class.is_field(name);
            return is_shown && attribute.ctx.is_load();
        }
        self.class.is_field(name)
    }

    /// Whether the call reads the argument and keeps nothing of it.
    fn is_read_by_call(&self, node: NodeId, arguments: NodeId) -> bool {
        let AnyNodeRef::ExprCall(call) = self.module.parent(arguments).1 else {
            return false;
        };
        let mut positional = call.arguments.args.iter();
        if !positional.any(|argument| self.module.nodes.id(argument) == node) {
            return false;
        }
        match self.module.builtin(&call.func) {
            Some("print") => true,
            Some("int") => self.class.has_members() && takes_one(call),
            Some(name) => READERS.contains(&name) && takes_one(call),
            None if is_format(call) => true,
            None => {
                !self.class.has_members()
                    && takes_one(call)
                    && is_import_of(self.module, &call.func, &TAKERS)
            }
        }
    }

    /// Whether the expression is the right side of `"…" % …`, a literal text.
    fn is_formatted(&self, node: NodeId, is: &dyn Fn(&Expr) -> bool) -> bool {
        match self.module.parent(node).1 {
            AnyNodeRef::ExprBinOp(operation) => {
                operation.op == Operator::Mod
                    && operation.left.is_string_literal_expr()
                    && self.module.nodes.id(operation.right.as_ref()) == node
                    && is(&operation.right)
            }
            _ => false,
        }
    }
}

/// Whether the call has one argument, given by position.
fn takes_one(call: &ExprCall) -> bool {
    let is_plain = |argument: &Expr| !argument.is_starred_expr();
    call.arguments.keywords.is_empty()
        && matches!(call.arguments.args.as_ref(), [only] if is_plain(only))
}

/// `"…".format(…)`, of a literal text.
fn is_format(call: &ExprCall) -> bool {
    match call.func.as_ref() {
        Expr::Attribute(method) => {
            method.attr.as_str() == "format" && method.value.is_string_literal_expr()
        }
        _ => false,
    }
}
