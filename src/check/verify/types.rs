//! Loads of a class that say what another class's field is, as in `NewType("AdminId", UserId)`.

use rustpython_ast::{AnyNodeRef, ExprCall, Operator};
use rustpython_text_size::Ranged;

use super::evidence::Evidence;
use super::made::factory_called;
use crate::python::NodeId;
use crate::rule::{BoundArguments, Given, Role, Rule, ValueKind, bind};
use crate::text::TextRange;

/// Whether the load in the patched text is a type in a call of a factory that takes types.
pub(super) fn is_type(evidence: &Evidence<'_>, load: NodeId) -> bool {
    let nodes = &evidence.patched.nodes;
    let mut argument = load;
    for outer in nodes.ancestors(load) {
        match nodes.get(outer) {
            AnyNodeRef::ExprTuple(_) | AnyNodeRef::ExprList(_) | AnyNodeRef::ExprDict(_) => {}
            AnyNodeRef::ExprSubscript(item) if item.slice.range() == nodes.range(argument) => {}
            AnyNodeRef::ExprBinOp(operation) if operation.op == Operator::BitOr => {}
            AnyNodeRef::Arguments(_) | AnyNodeRef::Keyword(_) => continue,
            AnyNodeRef::ExprCall(call) if call.func.range() == nodes.range(argument) => {
                return false;
            }
            AnyNodeRef::ExprCall(call) => {
                let rule = rule_of(evidence, call);
                return rule.is_some_and(|rule| takes_type(call, rule, nodes.range(argument)));
            }
            _ => return false,
        }
        argument = outer;
    }
    false
}

/// The rule of the factory that the call calls: that of a promised definition, or a built-in one.
fn rule_of(evidence: &Evidence<'_>, call: &ExprCall) -> Option<&'static Rule> {
    match evidence.definition_at(call.range) {
        Some(definition) => Some(definition.factory.rule),
        None => factory_called(&evidence.patched, call).map(|factory| factory.rule),
    }
}

fn takes_type(call: &ExprCall, rule: &'static Rule, argument: TextRange) -> bool {
    let BoundArguments::Bound(arguments) = bind(&call.arguments, rule) else {
        return false;
    };
    let is_typed = |given: &Given<'_>| {
        matches!(given.parameter.role, Role::Type | Role::Fields)
            && matches!(
                given.parameter.values,
                ValueKind::Type | ValueKind::CheckedType
            )
    };
    arguments
        .iter()
        .any(|given| given.argument.range() == argument && is_typed(&given))
}
