//! The factory calls that run per call, and which of them are worth saying.

use rustpython_ast::{self as ast, AnyNodeRef, CmpOp, Expr};
use rustpython_text_size::Ranged;

use super::constants::CallNames;
use super::factory::{self, FactoryUse};
use super::inquiry::Inquiry;
use super::method::{is_decorated, is_method};
use super::module::Module;
use super::usage::{self, Use};
use crate::python::dotted::last_segment;
use crate::python::flow::PerCall;
use crate::python::semantic::{ReferenceContext, ScopeKind};
use crate::python::{NodeId, flow};
use crate::rule::{Code, Judgement, Registry, Role, Rule, Verdict, judge};

/// One factory call that runs per call.
#[derive(Debug)]
pub struct Site<'a> {
    /// The `Call` node.
    pub call: NodeId,
    /// The call itself.
    pub expr: &'a ast::ExprCall,
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// How the callee reaches the factory.
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
            Verdict::Dynamic { .. } => &self.rule.dynamic,
            _ => &self.rule.constant,
        }
    }
}

/// All calls of a factory that run per call and are worth a finding, in source order.
#[must_use]
pub fn find<'a>(inquiry: &Inquiry<'_, 'a>, registry: &'static Registry) -> Vec<Site<'a>> {
    let module = inquiry.module;
    let sites = module
        .nodes
        .ids()
        .filter_map(|id| match module.nodes.get(id) {
            AnyNodeRef::ExprCall(call) => registry
                .rules()
                .find_map(|rule| site(inquiry, rule, id, call)),
            _ => None,
        });
    sites.collect()
}

fn site<'a>(
    inquiry: &Inquiry<'_, 'a>,
    rule: &'static Rule,
    call: NodeId,
    expr: &'a ast::ExprCall,
) -> Option<Site<'a>> {
    let Inquiry { module, facts, .. } = *inquiry;
    let factory = factory::resolve(module, &expr.func, &rule.factory)?;
    let when = when(module, flow::per_call(module.nodes, call)?);
    if flow::under_type_checking(module.nodes, call)
        || is_never_evaluated(module, call)
        || is_lazy(module, call)
    {
        return None;
    }
    let names = CallNames {
        module,
        facts,
        rule,
        call,
        depth: 0,
    };
    let judgement = judge(expr, rule, &names);
    let site = Site {
        call,
        expr,
        rule,
        factory,
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
        Verdict::Dynamic { role, .. } => *role != Role::Fields || is_thrown_away(module, site.call),
    }
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

/// Whether the call stands behind a guard that lets it run once: `if X is None`, `if not
/// hasattr(…)`, after `if X is not None: return X`, in a function without parameters that is
/// cached, or in the handler of a look-up that missed.
fn is_lazy(module: &Module<'_>, call: NodeId) -> bool {
    let target = stored_target(module, call);
    let mut inner = call;
    for id in module.nodes.ancestors(call) {
        match module.nodes.get(id) {
            AnyNodeRef::StmtIf(branch)
                if in_suite(module, &branch.body, inner) && is_miss(&branch.test, target) =>
            {
                return true;
            }
            AnyNodeRef::ExceptHandlerExceptHandler(handler)
                if catches_miss(handler) && is_looked_up(module, id, call) =>
            {
                return true;
            }
            AnyNodeRef::StmtFunctionDef(function) => {
                return returns_early(module, &function.body, call, target)
                    || is_cached_constant(module, id, function);
            }
            AnyNodeRef::ExprLambda(_) => return false,
            _ => {}
        }
        inner = id;
    }
    false
}

/// `except AttributeError` and `except KeyError`, which a look-up that misses raises.
fn catches_miss(handler: &ast::ExceptHandlerExceptHandler) -> bool {
    let caught = handler.type_.as_deref();
    matches!(
        caught.and_then(last_segment),
        Some("AttributeError" | "KeyError" | "LookupError")
    )
}

/// Whether the `try` of the handler reads the attribute or item that the class is stored to.
fn is_looked_up(module: &Module<'_>, handler: NodeId, call: NodeId) -> bool {
    let AnyNodeRef::StmtTry(attempt) = module.parent(handler).1 else {
        return false;
    };
    let AnyNodeRef::StmtAssign(assign) = module.parent(call).1 else {
        return false;
    };
    let kept = assign
        .targets
        .iter()
        .filter(|target| target.is_attribute_expr() || target.is_subscript_expr());
    let kept: Vec<_> = kept.map(|target| module.slice(target.range())).collect();
    let read = attempt.body.iter().flat_map(|statement| {
        let nodes = module.nodes.subtree(module.nodes.id(statement));
        nodes.filter_map(|id| module.nodes.get(id).as_expr_ref())
    });
    read.into_iter()
        .any(|expr| kept.contains(&module.slice(expr.range())))
}

/// The expression that the class is assigned to.
fn stored_target<'a>(module: &Module<'a>, call: NodeId) -> Option<&'a Expr> {
    match module.parent(call).1 {
        AnyNodeRef::StmtAssign(assign) => assign.targets.first(),
        AnyNodeRef::ExprNamed(named) => Some(&named.target),
        _ => None,
    }
}

fn in_suite(module: &Module<'_>, suite: &[ast::Stmt], node: NodeId) -> bool {
    suite
        .iter()
        .any(|statement| module.nodes.contains(module.nodes.id(statement), node))
}

/// `X is None`, `not X` and `not hasattr(…)`, where the class is stored to `X`; joined by `and` or
/// `or` with other tests as well.
fn is_miss(test: &Expr, target: Option<&Expr>) -> bool {
    match test {
        Expr::BoolOp(operation) => operation.values.iter().any(|value| is_miss(value, target)),
        Expr::UnaryOp(not) if not.op == ast::UnaryOp::Not => match not.operand.as_ref() {
            Expr::Call(call) => calls_hasattr(call),
            operand => is_target(operand, target),
        },
        Expr::Compare(compare) => {
            compare.ops.as_ref() == [CmpOp::Is]
                && compare.comparators.iter().all(Expr::is_none_literal_expr)
                && (is_target(&compare.left, target) || asks_for(&compare.left, target))
        }
        _ => false,
    }
}

/// `getattr(x, "name", None)`, where the class is stored to `x.name`.
fn asks_for(expr: &Expr, target: Option<&Expr>) -> bool {
    let (Expr::Call(call), Some(Expr::Attribute(attribute))) = (expr, target) else {
        return false;
    };
    let [value, Expr::StringLiteral(name), default] = call.arguments.args.as_ref() else {
        return false;
    };
    last_segment(&call.func) == Some("getattr")
        && default.is_none_literal_expr()
        && name.value.to_str() == attribute.attr.as_str()
        && path(value) == path(&attribute.value)
}

fn calls_hasattr(call: &ast::ExprCall) -> bool {
    last_segment(&call.func) == Some("hasattr")
}

fn is_target(expr: &Expr, target: Option<&Expr>) -> bool {
    let (Some(tested), Some(target)) = (path(expr), target.and_then(path)) else {
        return false;
    };
    tested == target
}

/// The dotted path of a name or attribute chain.
fn path(expr: &Expr) -> Option<Vec<&str>> {
    match expr {
        Expr::Name(name) => Some(vec![name.id.as_str()]),
        Expr::Attribute(attribute) => {
            let mut base = path(&attribute.value)?;
            base.push(attribute.attr.as_str());
            Some(base)
        }
        _ => None,
    }
}

/// `if X is not None: return X` before the call, in the same suite.
fn returns_early(
    module: &Module<'_>,
    body: &[ast::Stmt],
    call: NodeId,
    target: Option<&Expr>,
) -> bool {
    let before = body
        .iter()
        .take_while(|statement| !module.nodes.contains(module.nodes.id(*statement), call));
    before.filter_map(ast::Stmt::as_if_stmt).any(|branch| {
        let leaves = branch.body.last().is_some_and(ast::Stmt::is_return_stmt);
        leaves && branch.elif_else_clauses.is_empty() && is_hit(&branch.test, target)
    })
}

fn is_hit(test: &Expr, target: Option<&Expr>) -> bool {
    match test {
        Expr::Compare(compare) => {
            compare.ops.as_ref() == [CmpOp::IsNot]
                && compare.comparators.iter().all(Expr::is_none_literal_expr)
                && is_target(&compare.left, target)
        }
        Expr::Call(call) => calls_hasattr(call),
        _ => is_target(test, target),
    }
}

/// A cached function without parameters at module level, or a static one of a class there, runs its
/// body once.
fn is_cached_constant(module: &Module<'_>, id: NodeId, function: &ast::StmtFunctionDef) -> bool {
    let cached = function.decorator_list.iter().any(|decorator| {
        matches!(
            last_segment(&decorator.expression),
            Some("lru_cache" | "cache")
        )
    });
    let around = match module.parent(id) {
        (class, AnyNodeRef::StmtClassDef(_)) if is_decorated(module, id, &["staticmethod"]) => {
            module.nodes.parent(class)
        }
        (outer, _) => Some(outer),
    };
    cached && function.parameters.is_empty() && around == Some(NodeId::MODULE)
}
