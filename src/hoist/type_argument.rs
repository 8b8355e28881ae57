//! Classes that are what another class says of a field, as in `NewType("AdminId", UserId)`.

use rustpython_ast::{AnyNodeRef, ExprCall, Operator};

use super::class_traits::ClassTraits;
use super::constants::CallNames;
use super::factory::{self, FactoryUse};
use super::facts::LateFacts;
use super::module::Module;
use crate::python::NodeId;
use crate::rule::{
    BoundArguments, Parameter, Role, Rule, ValueKind, Verdict, bind, judge, registry,
};

/// A class that has another one as the type of a field.
#[derive(Debug)]
pub struct Typed {
    /// What is known of it.
    pub class: ClassTraits,
    /// The call that makes it.
    pub call: NodeId,
}

/// The class that has the class which the expression `node` gives as the type of a field, or stands
/// for it as a `NewType` does; `None` when it is not certain that the factory does no more with it.
#[must_use]
pub fn class_with_type<'a>(
    module: &Module<'a>,
    facts: &LateFacts<'a>,
    node: NodeId,
) -> Option<Typed> {
    let (id, call, argument) = call_around(module, node)?;
    let found = factory::resolve_any(module, &call.func)?;
    if !is_certain(&found) || !takes_types(call, found.factory.rule, module, argument) {
        return None;
    }
    let names = CallNames {
        module,
        facts,
        factory: found.factory,
        call: id,
        depth: 0,
    };
    let judgement = judge(call, found.factory, &names);
    matches!(judgement.verdict, Verdict::Valid(_)).then(|| Typed {
        class: ClassTraits::new(found.factory, &judgement),
        call: id,
    })
}

/// The proof of the patch knows the built-in factories, by their imports.
fn is_certain(found: &FactoryUse) -> bool {
    let is_built_in = |built_in: &'static crate::rule::Registry| {
        let mut factories = built_in.factories();
        factories.any(|factory| factory.name == found.factory.name)
    };
    found.certain && found.scope.is_some() && registry().is_ok_and(is_built_in)
}

/// The call of which `node` is part of an argument, through type expressions and displays alone, and
/// that argument.
fn call_around<'a>(module: &Module<'a>, node: NodeId) -> Option<(NodeId, &'a ExprCall, NodeId)> {
    let mut argument = node;
    loop {
        let (parent, parent_node) = module.parent(argument);
        match parent_node {
            AnyNodeRef::ExprTuple(_) | AnyNodeRef::ExprList(_) | AnyNodeRef::ExprDict(_) => {
                argument = parent;
            }
            AnyNodeRef::ExprSubscript(subscript)
                if module.nodes.id(subscript.slice.as_ref()) == argument =>
            {
                argument = parent;
            }
            AnyNodeRef::ExprBinOp(operation) if operation.op == Operator::BitOr => {
                argument = parent;
            }
            AnyNodeRef::Arguments(_) | AnyNodeRef::Keyword(_) => break,
            _ => return None,
        }
    }
    let mut around = module.nodes.ancestors(argument);
    let call = around.find(|id| *id != argument && module.nodes.get(*id).is_expression())?;
    let AnyNodeRef::ExprCall(expr) = module.nodes.get(call) else {
        return None;
    };
    Some((call, expr, argument))
}

fn takes_types(
    call: &ExprCall,
    rule: &'static Rule,
    module: &Module<'_>,
    argument: NodeId,
) -> bool {
    let BoundArguments::Bound(arguments) = bind(&call.arguments, rule) else {
        return false;
    };
    let mut given = arguments.iter();
    given.any(|given| module.nodes.id(given.argument) == argument && is_of_types(given.parameter))
}

fn is_of_types(parameter: &Parameter) -> bool {
    let is_type = matches!(parameter.values, ValueKind::Type | ValueKind::CheckedType);
    matches!(parameter.role, Role::Type | Role::Fields) && is_type
}
