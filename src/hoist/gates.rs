//! Whether a call runs only on some versions of Python (hazard 43).

use rustpython_ast::{AnyNodeRef, Expr};

use super::constants::newest_type;
use super::factory::assigned_value;
use super::facts::Facts;
use super::guards::Guards;
use super::module::Module;
use super::site::Site;
use crate::python::semantic::ScopeId;
use crate::python::{NodeId, flow};
use crate::rule::{FactoryArguments, ValueKind};

/// The oldest Python 3 whose import of a module a definition may not fail, by its minor number.
const OLDEST: u8 = 8;

/// Whether the call uses what the oldest Python that may import the module lacks, so that a definition
/// could fail the import.
#[must_use]
pub fn may_be_missing(module: &Module<'_>, facts: &Facts<'_>, site: &Site<'_>) -> bool {
    let needed = needed(module, site);
    let oldest_reader = || facts.followed.oldest_reader(|| oldest_reader(module));
    needed > OLDEST && needed > oldest_reader()
}

/// The minor number of the first Python 3 on which the call raises nothing for what it uses.
fn needed(module: &Module<'_>, site: &Site<'_>) -> u8 {
    let arguments = site.judgement.arguments.iter();
    let given = arguments.flat_map(FactoryArguments::iter);
    let of_arguments = given.map(|given| {
        let types = match given.parameter.values {
            ValueKind::Type | ValueKind::CheckedType => {
                newest_type(module, module.nodes.id(given.argument))
            }
            _ => OLDEST,
        };
        types.max(given.parameter.since_minor.unwrap_or(OLDEST))
    });
    // A name that the module imports at its top level fails the import already.
    let is_imported = site.factory.scope == Some(ScopeId::MODULE) && site.expr.func.is_name_expr();
    let factory = site.rule().since_minor.get(site.factory.factory.name);
    let of_factory = factory.copied().filter(|_| !is_imported);
    of_arguments.max().max(of_factory).unwrap_or(OLDEST)
}

/// The oldest Python 3 that can read the module, as its syntax tells.
fn oldest_reader(module: &Module<'_>) -> u8 {
    let minor = |id| match module.nodes.get(id) {
        AnyNodeRef::StmtTypeAlias(_) | AnyNodeRef::TypeParams(_) => 12,
        AnyNodeRef::StmtTry(block) if block.is_star => 11,
        AnyNodeRef::StmtMatch(_) => 10,
        _ => OLDEST,
    };
    module.nodes.ids().map(minor).max().unwrap_or(OLDEST)
}

/// Names and attributes that tell the version.
const VERSIONS: [&str; 5] = [
    "version_info",
    "hexversion",
    "python_version",
    "python_version_tuple",
    "python_requires",
];

/// Whether a test of the Python version decides if the node runs: in a branch around it, in one
/// before it that leaves the suite, or in a decorator of a function or class around it.
#[must_use]
pub fn behind_version_test(module: &Module<'_>, guards: &Guards, node: NodeId) -> bool {
    let mut inner = node;
    for outer in module.nodes.ancestors(node) {
        let gated = match module.nodes.get(outer) {
            AnyNodeRef::StmtIf(branch) => tests_of(branch)
                .filter(|test| module.nodes.id(*test) < inner)
                .any(|test| asks_version(module, test)),
            AnyNodeRef::ExprIf(branch) => asks_version(module, &branch.test),
            AnyNodeRef::ExprBoolOp(operation) => {
                let before = operation.values.iter();
                let mut before = before.filter(|value| module.nodes.id(*value) < inner);
                before.any(|value| asks_version(module, value))
            }
            AnyNodeRef::StmtFunctionDef(function) => {
                let mut decorators = function.decorator_list.iter();
                decorators.any(|decorator| asks_version(module, &decorator.expression))
            }
            AnyNodeRef::StmtClassDef(class) => {
                let mut decorators = class.decorator_list.iter();
                decorators.any(|decorator| asks_version(module, &decorator.expression))
            }
            _ => false,
        };
        if gated || left_before(module, guards, inner) {
            return true;
        }
        inner = outer;
    }
    false
}

fn tests_of(branch: &rustpython_ast::StmtIf) -> impl Iterator<Item = &Expr> {
    let clauses = branch.elif_else_clauses.iter();
    std::iter::once(branch.test.as_ref()).chain(clauses.filter_map(|clause| clause.test.as_ref()))
}

/// Whether a test of the version before the statement leaves its suite. At module level it ends the
/// import before the definition.
fn left_before(module: &Module<'_>, guards: &Guards, statement: NodeId) -> bool {
    let Some((suite, _)) = flow::suite_of(module.nodes, statement) else {
        return false;
    };
    if module.nodes.parent(statement) == Some(NodeId::MODULE) {
        return false;
    }
    guards
        .before(module, suite, statement)
        .any(|branch| tests_of(branch).any(|test| asks_version(module, test)))
}

/// Whether the expression asks for the version, itself or by a module-level name bound to such a test.
fn asks_version(module: &Module<'_>, test: &Expr) -> bool {
    names_version(module, test)
        || module
            .nodes
            .subtree(module.nodes.id(test))
            .any(|id| is_version_flag(module, id))
}

fn names_version(module: &Module<'_>, expr: &Expr) -> bool {
    let subtree = module.nodes.subtree(module.nodes.id(expr));
    subtree.into_iter().any(|id| match module.nodes.get(id) {
        AnyNodeRef::ExprName(name) => {
            VERSIONS.contains(&name.id.as_str()) || is_flag_name(&name.id)
        }
        AnyNodeRef::ExprAttribute(attribute) => {
            VERSIONS.contains(&attribute.attr.as_str()) || is_flag_name(&attribute.attr)
        }
        _ => false,
    })
}

fn is_version_flag(module: &Module<'_>, id: NodeId) -> bool {
    let bindings = match module.nodes.get(id) {
        AnyNodeRef::ExprName(_) => module.bindings_at(id),
        _ => None,
    };
    let Some((ScopeId::MODULE, [only])) = bindings else {
        return false;
    };
    assigned_value(module, *only).is_some_and(|value| names_version(module, value))
}

/// Names as `PY3`, `IS_PY37` or `PYTHON_3_7` that projects give to a test of the version.
fn is_flag_name(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_ascii_uppercase();
    let name = name.strip_prefix("IS_").unwrap_or(&name);
    let rest = name.strip_prefix("PYTHON").or(name.strip_prefix("PY"));
    let rest = rest.map(|rest| rest.trim_start_matches('_'));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}
