//! Whether the class is reached through its instances: `type(x)`, `x.__class__` (hazard 86).

use rustc_hash::FxHashSet;
use rustpython_ast::{AnyNodeRef, Expr, ExprCall, Operator};

use super::facts::Facts;
use super::fixed_class::{is_fixed_class, is_own_instance};
use super::instance_flow::InstanceFlow;
use super::module::Module;
use super::reflection::ClassRead;
use super::usage::{self, Use};
use crate::python::NodeId;
use crate::python::dotted::last_segment;

/// Attributes of a class that only tell what it is called.
const NAME_ATTRIBUTES: [&str; 4] = ["__name__", "__qualname__", "__module__", "__doc__"];

/// Whether an instance that comes from one of the expressions `made` may meet an expression that
/// reaches its class other than to read its name.
#[must_use]
pub fn class_is_reached(module: &Module<'_>, facts: &Facts<'_>, made: &[NodeId]) -> bool {
    if made.is_empty() || telling(module, facts).is_empty() {
        return false;
    }
    // What has left may come back at the same places, whatever it is.
    let is_reached_outside = facts.followed.is_reached_outside(|| {
        let values = InstanceFlow::follow_outside(module, facts);
        first_telling(module, facts, &values).is_some()
    });
    let values = if is_reached_outside {
        InstanceFlow::follow_inside(module, facts, made)
    } else {
        Some(InstanceFlow::follow(module, facts, made))
    };
    values.is_none_or(|values| first_telling(module, facts, &values).is_some())
}

/// The expressions that reach the class of an instance other than to read its name.
pub(super) fn telling<'f>(module: &Module<'_>, facts: &'f Facts<'_>) -> &'f [ClassRead] {
    facts.followed.telling(|| {
        let reads = facts.reflection.class_reads.iter();
        let hands_on_maker = hands_on_maker(module, facts);
        reads
            .filter(|read| hands_on_maker || !reads_bound_object(module, read.node))
            .filter(|read| is_telling(module, read))
            .copied()
            .collect()
    })
}

/// The first such expression: the `type` or the attribute `__class__` that reaches the class.
#[must_use]
pub fn class_reached_at(module: &Module<'_>, facts: &Facts<'_>, made: &[NodeId]) -> Option<NodeId> {
    if made.is_empty() || telling(module, facts).is_empty() {
        return None;
    }
    let values = InstanceFlow::follow(module, facts, made);
    first_telling(module, facts, &values)
}

/// The first expression that reaches the class of an instance which is one of `values`.
fn first_telling(
    module: &Module<'_>,
    facts: &Facts<'_>,
    values: &FxHashSet<NodeId>,
) -> Option<NodeId> {
    let is_one = |operand: NodeId| values.contains(&operand);
    let holds_one = |arguments: NodeId| module.nodes.subtree(arguments).any(is_one);
    let reached = telling(module, facts)
        .iter()
        .find(|read| match read.operand {
            Some(operand) if read.is_class => {
                is_one(operand) && compared_reads(module, read.node).into_iter().all(is_one)
            }
            Some(operand) => holds_one(operand),
            None => {
                arguments_around(module, read.node).any(holds_one)
                    || calls_of(module, facts, read.node)
                        .into_iter()
                        .any(holds_one)
            }
        });
    reached.map(|read| read.node)
}

/// Whether the class's own constructor `_make` goes anywhere as a value: its `__self__` is the class.
fn hands_on_maker(module: &Module<'_>, facts: &Facts<'_>) -> bool {
    let mut makers = facts.attributes("_make").iter();
    facts.spells_attribute("_make")
        || facts.reflection.reads_any_attribute
        || makers.any(|id| !matches!(module.parent(*id).1, AnyNodeRef::ExprCall(_)))
}

/// `x.__self__`, which an instance has not.
fn reads_bound_object(module: &Module<'_>, read: NodeId) -> bool {
    match module.nodes.get(read) {
        AnyNodeRef::ExprAttribute(attribute) => attribute.attr.as_str() == "__self__",
        _ => false,
    }
}

/// The operands of the other class reads that the class read `class` is compared with, or the
/// value that is tested for it: to tell one class from another, instances must come to both.
fn compared_reads(module: &Module<'_>, class: NodeId) -> Vec<NodeId> {
    let (parent, parent_node) = module.parent(class);
    let sides: Vec<&Expr> = match (parent_node, module.parent(parent).1) {
        (AnyNodeRef::ExprCompare(compare), _) => std::iter::once(compare.left.as_ref())
            .chain(&compare.comparators)
            .collect(),
        (AnyNodeRef::Arguments(_), AnyNodeRef::ExprCall(call)) if is_assertion(call) => {
            call.arguments.args.iter().collect()
        }
        (AnyNodeRef::Arguments(_), AnyNodeRef::ExprCall(call))
            if module.builtin(&call.func) == Some("isinstance") =>
        {
            let tested = call.arguments.args.first();
            return tested
                .map(|value| module.nodes.id(value))
                .into_iter()
                .collect();
        }
        _ => vec![],
    };
    let operands = sides.into_iter().filter_map(|side| match side {
        Expr::Attribute(attribute) if attribute.attr.as_str() == "__class__" => {
            Some(attribute.value.as_ref())
        }
        Expr::Call(call) if module.builtin(&call.func) == Some("type") => {
            call.arguments.args.first()
        }
        _ => None,
    });
    operands.map(|operand| module.nodes.id(operand)).collect()
}

/// Whether the use of a class read could tell one equal class from another.
fn is_telling(module: &Module<'_>, read: &ClassRead) -> bool {
    if read
        .operand
        .is_some_and(|operand| is_own_instance(module, operand))
    {
        return false;
    }
    if !read.is_class {
        return true;
    }
    if let (parent, AnyNodeRef::ExprAttribute(attribute)) = module.parent(read.node)
        && NAME_ATTRIBUTES.contains(&attribute.attr.as_str())
    {
        return !attribute.ctx.is_load()
            || matches!(usage::classify(module, parent), Use::Written(_));
    }
    match usage::classify(module, read.node) {
        Use::BoundTo(name) => module
            .references_to_binding(name)
            .any(|load| class_is_told(module, load)),
        _ => class_is_told(module, read.node),
    }
}

/// Methods of loggers that format their arguments.
pub(super) const LOGGING: [&str; 8] = [
    "debug",
    "info",
    "warning",
    "warn",
    "error",
    "exception",
    "critical",
    "log",
];

/// Whether the class is only made part of a text, which shows its name: `"%s" % type(x)`,
/// `"{}".format(type(x))`, `logger.error("%s", type(x))`.
fn is_formatted(module: &Module<'_>, class: NodeId) -> bool {
    let (mut parent, mut parent_node) = module.parent(class);
    if let AnyNodeRef::ExprTuple(_) = parent_node {
        (parent, parent_node) = module.parent(parent);
    }
    match (parent_node, module.parent(parent).1) {
        (AnyNodeRef::ExprBinOp(operation), _) => {
            operation.op == Operator::Mod && operation.left.is_string_literal_expr()
        }
        (AnyNodeRef::Arguments(_), AnyNodeRef::ExprCall(call)) => match call.func.as_ref() {
            Expr::Attribute(method) if method.attr.as_str() == "format" => {
                method.value.is_string_literal_expr()
            }
            Expr::Attribute(method) => LOGGING.contains(&method.attr.as_str()),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the use of an expression that gives a class could tell it from another.
fn class_is_told(module: &Module<'_>, class: NodeId) -> bool {
    if is_formatted(module, class) {
        return false;
    }
    match usage::classify(module, class) {
        Use::Called | Use::Harmless | Use::Deleted => false,
        Use::Compared => {
            !compared_to_named_class(module, class) && !tested_for_named_class(module, class)
        }
        Use::Passed => !asserted_to_be_named_class(module, class),
        Use::Inspected => !reads_added_attribute(module, class),
        _ => true,
    }
}

/// `type(x).name`, which no record's class has unless it is written, but for its fields: their
/// descriptors tell classes apart only where they are compared or kept.
fn reads_added_attribute(module: &Module<'_>, class: NodeId) -> bool {
    let (read, AnyNodeRef::ExprAttribute(attribute)) = module.parent(class) else {
        return false;
    };
    let is_used_up = match module.parent(read).1 {
        AnyNodeRef::ExprCall(_) | AnyNodeRef::ExprAttribute(_) => true,
        AnyNodeRef::StmtReturn(_) | AnyNodeRef::ExprTuple(_) => true,
        AnyNodeRef::ExprSubscript(item) => module.nodes.id(item.value.as_ref()) == read,
        _ => false,
    };
    // The list of its bases starts with the class itself.
    is_used_up && !attribute.attr.starts_with('_') && attribute.attr.as_str() != "mro"
}

/// The arguments of the calls to which `type`, handed on at `node`, may come as the callee.
fn calls_of(module: &Module<'_>, facts: &Facts<'_>, node: NodeId) -> Vec<NodeId> {
    let holders = InstanceFlow::follow_builtin(module, facts, &[node]);
    let is_callee = |arguments: &NodeId| match module.parent(*arguments).1 {
        AnyNodeRef::ExprCall(call) => {
            let callee = module.nodes.id(call.func.as_ref());
            module
                .nodes
                .subtree(callee)
                .any(|inner| holders.contains(&inner))
        }
        _ => false,
    };
    facts
        .unknown_calls
        .iter()
        .copied()
        .filter(is_callee)
        .collect()
}

/// The arguments of all calls around the node.
fn arguments_around(module: &Module<'_>, node: NodeId) -> impl Iterator<Item = NodeId> {
    let is_arguments = |id: &NodeId| matches!(module.nodes.get(*id), AnyNodeRef::Arguments(_));
    module.nodes.ancestors(node).filter(is_arguments)
}

/// `type(x) is tuple`: the other side is a class that is not made per call.
fn compared_to_named_class(module: &Module<'_>, read: NodeId) -> bool {
    let AnyNodeRef::ExprCompare(compare) = module.parent(read).1 else {
        return false;
    };
    std::iter::once(compare.left.as_ref())
        .chain(compare.comparators.iter())
        .all(|side| module.nodes.id(side) == read || is_fixed_class(module, side))
}

/// `self.assertIs(type(x), tuple)`, which compares as an operator does.
fn asserted_to_be_named_class(module: &Module<'_>, read: NodeId) -> bool {
    let arguments = module.parent(read).0;
    let AnyNodeRef::ExprCall(call) = module.parent(arguments).1 else {
        return false;
    };
    let mut sides = call.arguments.args.iter().take(2);
    is_assertion(call)
        && sides.all(|side| module.nodes.id(side) == read || is_fixed_class(module, side))
}

/// `issubclass(type(x), Mapping)`.
fn tested_for_named_class(module: &Module<'_>, read: NodeId) -> bool {
    let arguments = module.parent(read).0;
    match module.parent(arguments).1 {
        AnyNodeRef::ExprCall(call) => {
            let mut sides = call.arguments.args.iter();
            sides.all(|side| module.nodes.id(side) == read || is_fixed_class(module, side))
        }
        _ => false,
    }
}

fn is_assertion(call: &ExprCall) -> bool {
    last_segment(&call.func).is_some_and(|name| name.starts_with("assert"))
}
