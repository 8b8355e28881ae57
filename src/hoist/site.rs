//! The factory calls that run per call, and which of them are worth saying.

use rustpython_ast::{self as ast, AnyNodeRef};

use super::constants::CallNames;
use super::factory::FactoryUse;
use super::inquiry::Inquiry;
use super::lazy::is_lazy;
use super::method::{is_decorated, is_method};
use super::module::Module;
use super::usage::{self, Use};
use crate::python::flow::PerCall;
use crate::python::semantic::{ReferenceContext, ScopeKind};
use crate::python::{NodeId, flow};
use crate::rule::{Code, Instances, Judgement, Rule, Verdict, judge};

/// One factory call that runs per call.
#[derive(Debug)]
pub struct Site<'a> {
    /// The `Call` node.
    pub call: NodeId,
    /// The call itself.
    pub expr: &'a ast::ExprCall,
    /// The factory, and how the callee reaches it.
    pub factory: FactoryUse,
    /// What its arguments come to.
    pub judgement: Judgement<'a>,
    /// When it runs, such as "on every call of `f`".
    pub when: String,
}

impl Site<'_> {
    /// The code of its finding.
    #[must_use]
    pub fn code(&self) -> &'static Code {
        match self.judgement.verdict {
            Verdict::Dynamic { .. } => &self.rule().dynamic,
            _ => &self.rule().constant,
        }
    }

    /// The rule that it breaks.
    #[must_use]
    pub fn rule(&self) -> &'static Rule {
        self.factory.factory.rule
    }
}

/// All calls of a factory that run per call and are worth a finding, in source order.
#[must_use]
pub fn find<'a>(inquiry: &Inquiry<'_, 'a>) -> Vec<Site<'a>> {
    let calls = inquiry.calls.iter();
    let sites = calls.filter_map(|(call, factory)| site(inquiry, *call, factory));
    sites.collect()
}

fn site<'a>(inquiry: &Inquiry<'_, 'a>, call: NodeId, factory: &FactoryUse) -> Option<Site<'a>> {
    let Inquiry { module, facts, .. } = *inquiry;
    let AnyNodeRef::ExprCall(expr) = module.nodes.get(call) else {
        return None;
    };
    let when = when(module, flow::per_call(module.nodes, call)?);
    if flow::under_type_checking(module.nodes, call)
        || is_never_evaluated(module, call)
        || is_lazy(module, inquiry.guards, call)
    {
        return None;
    }
    let names = CallNames {
        module,
        facts,
        factory: factory.factory,
        call,
        depth: 0,
    };
    let judgement = judge(expr, factory.factory, &names);
    let site = Site {
        call,
        expr,
        factory: factory.clone(),
        judgement,
        when,
    };
    is_worth_saying(module, &site).then_some(site)
}

/// Whether the call stands in an annotation that is not evaluated: of a variable in a function
/// (Language Reference, 7.2.2 "Annotated assignment statements"), or of any under PEP 563.
fn is_never_evaluated(module: &Module<'_>, call: NodeId) -> bool {
    if !flow::is_annotation(module.nodes, call) {
        return false;
    }
    let statement = module.nodes.statement(call);
    let of_variable = module.nodes.get(statement).is_stmt_ann_assign();
    let scope = module.model.scope(module.model.scope_of(statement));
    (of_variable && scope.kind == ScopeKind::Function) || module.postpones_annotations()
}

fn is_worth_saying(module: &Module<'_>, site: &Site<'_>) -> bool {
    match &site.judgement.verdict {
        Verdict::Raises(_) | Verdict::Invisible => false,
        Verdict::Valid(_) | Verdict::Refused(_) => true,
        Verdict::Dynamic { role, .. } => {
            let names_shape = site.rule().takes_fields() && !role.is_shape();
            names_shape || is_thrown_away(module, site.call) || reads_member(module, site)
        }
    }
}

/// Whether a member of the class is looked up, and the class forgotten: `Enum(…)["A"]`, `Enum(…).A`.
fn reads_member(module: &Module<'_>, site: &Site<'_>) -> bool {
    let value = match module.parent(site.call).1 {
        AnyNodeRef::ExprAttribute(attribute) => &attribute.value,
        AnyNodeRef::ExprSubscript(subscript) => &subscript.value,
        _ => return false,
    };
    site.rule().instances == Instances::MembersByIdentity
        && module.nodes.id(value.as_ref()) == site.call
}

/// When the call runs, in words.
fn when(module: &Module<'_>, per_call: PerCall) -> String {
    match per_call {
        PerCall::Function { node } => match module.nodes.get(node) {
            AnyNodeRef::StmtFunctionDef(function) => {
                format!("on every call of `{}`", function.name)
            }
            _ => "on every call of the function".to_owned(),
        },
        PerCall::Lambda => "on every call of the lambda".to_owned(),
        PerCall::Generator | PerCall::Comprehension => "for every element".to_owned(),
        PerCall::Loop => "on every turn of the loop".to_owned(),
        PerCall::WhileTest => "at every test of the loop".to_owned(),
    }
}

/// Whether a class of run-time fields is made for a single use: called at once, bound and used
/// once, made anew by a property, or kept by a cache that is keyed on an instance.
fn is_thrown_away(module: &Module<'_>, call: NodeId) -> bool {
    match usage::classify(module, call) {
        Use::Called => true,
        Use::Harmless => match module.parent(call) {
            // `map(namedtuple(…)._make, rows)` makes many records of the one class.
            (id, AnyNodeRef::ExprAttribute(attribute)) => {
                attribute.attr.as_str() != "_make"
                    || matches!(module.parent(id).1, AnyNodeRef::ExprCall(_))
            }
            _ => false,
        },
        Use::BoundTo(name) => {
            is_used_once(module, call, name) || is_made_by_accessor(module, call, Some(name))
        }
        Use::Returned => is_made_by_accessor(module, call, None),
        _ => false,
    }
}

/// Whether the name is bound once and makes one record, by a call that no further loop repeats; its
/// `_fields` may be read for that.
fn is_used_once(module: &Module<'_>, call: NodeId, name: NodeId) -> bool {
    let Some(binding) = module
        .model
        .binding_at(name)
        .map(|id| module.model.binding(id))
    else {
        return false;
    };
    let bindings = module.model.bindings_of(binding.scope, &binding.name);
    let references = module.model.references_to(binding.scope, &binding.name);
    let loads = references.iter().map(|id| module.model.reference(*id));
    let making: Vec<_> = loads
        .filter(|load| !reads_fields(module, load.node))
        .collect();
    let ([_], [only]) = (bindings, making.as_slice()) else {
        return false;
    };
    let statement = module.nodes.statement(call);
    let suite = module.nodes.parent(statement);
    only.context == ReferenceContext::Load
        && makes_one(module, only.node)
        && !module
            .nodes
            .ancestors(only.node)
            .take_while(|id| Some(*id) != suite)
            .any(|id| may_repeat(module.nodes.get(id)))
}

fn reads_fields(module: &Module<'_>, class: NodeId) -> bool {
    match module.parent(class).1 {
        AnyNodeRef::ExprAttribute(attribute) => attribute.attr.as_str() == "_fields",
        _ => false,
    }
}

/// `X(…)` or `X._make(…)`.
fn makes_one(module: &Module<'_>, class: NodeId) -> bool {
    let (parent, parent_node) = module.parent(class);
    match parent_node {
        AnyNodeRef::ExprCall(_) => true,
        AnyNodeRef::ExprAttribute(attribute) => {
            attribute.attr.as_str() == "_make"
                && matches!(module.parent(parent).1, AnyNodeRef::ExprCall(_))
        }
        _ => false,
    }
}

fn may_repeat(node: AnyNodeRef<'_>) -> bool {
    matches!(
        node,
        AnyNodeRef::StmtFor(_)
            | AnyNodeRef::StmtWhile(_)
            | AnyNodeRef::StmtFunctionDef(_)
            | AnyNodeRef::ExprLambda(_)
            | AnyNodeRef::ExprListComp(_)
            | AnyNodeRef::ExprSetComp(_)
            | AnyNodeRef::ExprDictComp(_)
            | AnyNodeRef::ExprGenerator(_)
    )
}

/// Whether the class is what a property gives, or what a cache on a method keeps.
fn is_made_by_accessor(module: &Module<'_>, call: NodeId, name: Option<NodeId>) -> bool {
    let Some(function) = flow::enclosing_function(module.nodes, call) else {
        return false;
    };
    let returns_it = name.is_none_or(|name| {
        let binding = module
            .model
            .binding_at(name)
            .map(|id| module.model.binding(id));
        binding.is_some_and(|binding| {
            module
                .model
                .references_to(binding.scope, &binding.name)
                .iter()
                .any(|reference| {
                    let node = module.model.reference(*reference).node;
                    usage::classify(module, node) == Use::Returned
                })
        })
    });
    let decorated = |names: &[&str]| is_decorated(module, function, names);
    let cached_method = decorated(&["lru_cache", "cache"])
        && is_method(module, function)
        && !decorated(&["staticmethod", "classmethod"]);
    returns_it && (decorated(&["property"]) || cached_method)
}
