//! What happens to an expression that evaluates to the class.

use rustpython_ast::{self as ast, AnyNodeRef, CmpOp, Expr, ExprContext, UnaryOp};

use super::decorators::are_harmless;
use super::defaults::shared_dictionary;
use super::factory::{imports_only, resolves_to};
use super::module::Module;
use crate::python::{NodeId, flow};

/// Attributes of a class of unknown factory whose reading lets nothing escape: the fields of a namedtuple,
/// and the names and layout that all equal classes share.
const HARMLESS_ATTRIBUTES: [&str; 7] = [
    "_fields",
    "__name__",
    "__qualname__",
    "__module__",
    "__slots__",
    "__match_args__",
    "__doc__",
];

/// Builtins that read the class and keep nothing, whatever argument it is.
pub(super) const HARMLESS_READERS: [&str; 7] =
    ["print", "len", "repr", "str", "bool", "hasattr", "callable"];

/// Methods of a namedtuple: a bound one holds the class, the others are functions that it has alone.
const METHODS: [&str; 3] = ["_make", "_asdict", "_replace"];

/// One use of an expression that evaluates to the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It is called: an instance is made.
    Called,
    /// It is read in a way that lets nothing escape.
    Harmless,
    /// It is part of an annotation that nothing is known to read.
    Annotation,
    /// It is deleted as a name.
    Deleted,
    /// An attribute of it is written or deleted; the node is the writing statement.
    Written(NodeId),
    /// It is compared, or tested against.
    Compared,
    /// It is a base of a class statement.
    Subclassed,
    /// It is an argument of a call that may keep it.
    Passed,
    /// It is returned or yielded.
    Returned,
    /// It is bound to a name; the node is the `Name`.
    BoundTo(NodeId),
    /// It is stored on an attribute; the node is the `Attribute`.
    StoredOn(NodeId),
    /// It is bound to several targets at once; the node is the assignment.
    Chained(NodeId),
    /// It is bound by `:=` and its value used further; the node is the named expression.
    Named(NodeId),
    /// It is the value of the expression around it.
    Flows(NodeId),
    /// An attribute of it is read that two equal classes do not share.
    Inspected,
    /// A member of it is looked up; the node is the expression that gives the member.
    Member(NodeId),
    /// Its members are gone through; the node is the target that they are bound to.
    Iterated(NodeId),
    /// It is the type of a field of another class; the node is the call that makes that one.
    TypeOf(NodeId),
    /// It goes where it cannot be followed.
    Stored,
}

/// What happens to the expression `node`, which evaluates to the class.
#[must_use]
pub fn classify(module: &Module<'_>, node: NodeId) -> Use {
    if is_type_in_annotation(module, node) {
        return annotation(module, node);
    }
    let (parent_id, parent) = module.parent(node);
    match parent {
        AnyNodeRef::ExprCall(_) => Use::Called,
        AnyNodeRef::Arguments(_) => argument(module, node, parent_id),
        AnyNodeRef::Keyword(_) => keyword(module, parent_id),
        AnyNodeRef::ExprAttribute(attribute) => attribute_of(module, parent_id, attribute),
        AnyNodeRef::ExprCompare(compare) => comparison(module, node, compare),
        AnyNodeRef::StmtReturn(_) | AnyNodeRef::ExprYield(_) | AnyNodeRef::ExprLambda(_) => {
            Use::Returned
        }
        AnyNodeRef::StmtAssign(assign) => assigned(module, node, assign),
        AnyNodeRef::StmtAnnAssign(assign) => target(module, &assign.target),
        AnyNodeRef::ExprNamed(_) => Use::Named(parent_id),
        AnyNodeRef::ExprTuple(_) => match choice(module, parent_id) {
            Use::Compared => Use::Compared,
            _ => tuple_element(module, node, parent_id),
        },
        AnyNodeRef::ExprList(_) | AnyNodeRef::ExprSet(_) | AnyNodeRef::ExprBinOp(_) => {
            choice(module, parent_id)
        }
        AnyNodeRef::ExceptHandlerExceptHandler(_) | AnyNodeRef::PatternMatchClass(_) => {
            Use::Compared
        }
        AnyNodeRef::StmtExpr(_)
        | AnyNodeRef::StmtIf(_)
        | AnyNodeRef::ElifElseClause(_)
        | AnyNodeRef::StmtWhile(_) => Use::Harmless,
        // The message of an assertion is part of the exception.
        AnyNodeRef::StmtAssert(assert) if module.nodes.id(assert.test.as_ref()) != node => {
            Use::Passed
        }
        AnyNodeRef::StmtAssert(_) => Use::Harmless,
        AnyNodeRef::InterpolatedElement(_) if in_template(module, node) => Use::Stored,
        AnyNodeRef::InterpolatedElement(_) => Use::Harmless,
        AnyNodeRef::ExprUnaryOp(operation) if operation.op == UnaryOp::Not => Use::Harmless,
        AnyNodeRef::ParameterWithDefault(with) => Use::BoundTo(module.nodes.id(&with.parameter)),
        AnyNodeRef::ExprBoolOp(_) => Use::Flows(parent_id),
        AnyNodeRef::ExprIf(branch) if module.nodes.id(branch.test.as_ref()) == node => {
            Use::Harmless
        }
        AnyNodeRef::ExprIf(_) => Use::Flows(parent_id),
        AnyNodeRef::StmtDelete(_) => Use::Deleted,
        AnyNodeRef::StmtAugAssign(_) => Use::Written(parent_id),
        _ => Use::Stored,
    }
}

/// Whether the node is a field of a t-string, which keeps its values (PEP 750).
#[must_use]
pub fn in_template(module: &Module<'_>, node: NodeId) -> bool {
    let ancestors = module.nodes.ancestors(node).map(|id| module.nodes.get(id));
    let mut strings = ancestors.take_while(|node| !node.is_statement());
    strings.any(|node| matches!(node, AnyNodeRef::TString(_) | AnyNodeRef::ExprTString(_)))
}

/// Whether the node is an annotation, or a part of one as types are: in subscripts, lists and `|`. What
/// stands in a call, a `:=` or a `lambda` there is used as anywhere.
fn is_type_in_annotation(module: &Module<'_>, node: NodeId) -> bool {
    let mut around = module.nodes.ancestors(node).map(|id| module.nodes.get(id));
    let outer = around.find(|node| {
        !matches!(
            node,
            AnyNodeRef::ExprSubscript(_)
                | AnyNodeRef::ExprTuple(_)
                | AnyNodeRef::ExprList(_)
                | AnyNodeRef::ExprBinOp(_)
                | AnyNodeRef::ExprStarred(_)
        )
    });
    let holds_annotations = matches!(
        outer,
        Some(
            AnyNodeRef::Parameter(_)
                | AnyNodeRef::StmtFunctionDef(_)
                | AnyNodeRef::StmtAnnAssign(_)
        )
    );
    holds_annotations && flow::is_annotation(module.nodes, node)
}

/// An annotation keeps the class where only `__annotations__` finds it; a decorator that is not
/// known may read them there, as `functools.singledispatch` does.
fn annotation(module: &Module<'_>, node: NodeId) -> Use {
    let definition = module
        .nodes
        .ancestors(node)
        .find(|id| module.nodes.get(*id).is_statement());
    match definition.map(|id| module.nodes.get(id)) {
        Some(AnyNodeRef::StmtFunctionDef(function)) if !are_harmless(function) => Use::Passed,
        _ => Use::Annotation,
    }
}

fn argument(module: &Module<'_>, node: NodeId, arguments: NodeId) -> Use {
    let (_, owner) = module.parent(arguments);
    let AnyNodeRef::ExprCall(call) = owner else {
        return Use::Subclassed;
    };
    let first = call.arguments.args.first();
    let is_first = first.is_some_and(|first| module.nodes.id(first) == node);
    let callee = call.func.as_ref();
    match (module.builtin(callee), is_first) {
        (Some("map"), true) => Use::Harmless,
        (Some(name), _) if HARMLESS_READERS.contains(&name) => Use::Harmless,
        (Some("isinstance" | "issubclass"), _) => Use::Compared,
        (Some("setattr" | "delattr"), true) => Use::Written(module.nodes.statement(node)),
        _ if is_first && is_harmless_import(module, callee) => Use::Harmless,
        _ => Use::Passed,
    }
}

/// Whether the callee is `itertools.starmap` or `typing.cast`, which keep nothing of their first
/// argument.
fn is_harmless_import(module: &Module<'_>, callee: &Expr) -> bool {
    let harmless = [("itertools", "starmap"), ("typing", "cast")];
    is_import_of(module, callee, &harmless)
}

/// Whether the callee is one of the functions, each given as its module and its name.
#[must_use]
pub fn is_import_of(module: &Module<'_>, callee: &Expr, functions: &[(&str, &str)]) -> bool {
    let (root, attribute) = match callee {
        Expr::Name(_) => (callee, None),
        Expr::Attribute(attribute) => (attribute.value.as_ref(), Some(attribute.attr.as_str())),
        _ => return false,
    };
    let AnyNodeRef::ExprName(root) = module.nodes.get(module.nodes.id(root)) else {
        return false;
    };
    functions.iter().any(|(package, name)| match attribute {
        None => imports_only(module, root, |imported| {
            imported.rsplit_once('.') == Some((package, name))
        }),
        Some(attribute) => attribute == *name && resolves_to(module, root, package),
    })
}

fn keyword(module: &Module<'_>, keyword: NodeId) -> Use {
    let (arguments, _) = module.parent(keyword);
    match module.parent(arguments).1 {
        AnyNodeRef::StmtClassDef(_) => Use::Subclassed,
        _ => Use::Passed,
    }
}

fn attribute_of(module: &Module<'_>, id: NodeId, attribute: &ast::ExprAttribute) -> Use {
    if let Some(statement) = written_through(module, id) {
        return Use::Written(statement);
    }
    let name = attribute.attr.as_str();
    if METHODS.contains(&name) {
        return method(module, id);
    }
    if HARMLESS_ATTRIBUTES.contains(&name) {
        return Use::Harmless;
    }
    if name == "_field_defaults" {
        return shared_dictionary(module, id);
    }
    Use::Inspected
}

/// What happens to the class by its method: what keeps that, or hands it back, does so with the class.
fn method(module: &Module<'_>, method: NodeId) -> Use {
    match classify(module, method) {
        Use::Called | Use::Harmless | Use::Passed | Use::Deleted | Use::Inspected => Use::Harmless,
        _ => Use::Flows(method),
    }
}

/// The statement that stores to or deletes from the attribute or subscript chain above `id`.
pub(super) fn written_through(module: &Module<'_>, id: NodeId) -> Option<NodeId> {
    let mut node = id;
    loop {
        let context = match module.nodes.get(node) {
            AnyNodeRef::ExprAttribute(attribute) => attribute.ctx,
            AnyNodeRef::ExprSubscript(subscript) => subscript.ctx,
            _ => return None,
        };
        if matches!(context, ExprContext::Store | ExprContext::Del) {
            return Some(module.nodes.statement(node));
        }
        let (parent, parent_node) = module.parent(node);
        let is_value = match parent_node {
            AnyNodeRef::ExprAttribute(_) => true,
            AnyNodeRef::ExprSubscript(outer) => module.nodes.id(outer.value.as_ref()) == node,
            _ => false,
        };
        if !is_value {
            return None;
        }
        node = parent;
    }
}

fn comparison(module: &Module<'_>, node: NodeId, compare: &ast::ExprCompare) -> Use {
    let is_test = compare
        .ops
        .iter()
        .all(|op| matches!(op, CmpOp::Is | CmpOp::IsNot));
    let others_none = std::iter::once(compare.left.as_ref())
        .chain(compare.comparators.iter())
        .all(|side| module.nodes.id(side) == node || side.is_none_literal_expr());
    if is_test && others_none {
        Use::Harmless
    } else {
        Use::Compared
    }
}

fn assigned(module: &Module<'_>, node: NodeId, assign: &ast::StmtAssign) -> Use {
    if module.nodes.id(assign.value.as_ref()) != node {
        return Use::Stored;
    }
    match assign.targets.as_slice() {
        [only] => target(module, only),
        _ => Use::Chained(module.nodes.id(assign)),
    }
}

/// What happens to one of several classes that are tested against at once, as in
/// `isinstance(x, (A, B))`, `x in {A, B}` or `isinstance(x, A | B)`; `several` is all of them.
fn choice(module: &Module<'_>, several: NodeId) -> Use {
    let (parent, parent_node) = module.parent(several);
    match parent_node {
        AnyNodeRef::ExprTuple(_) | AnyNodeRef::ExprBinOp(_) => choice(module, parent),
        AnyNodeRef::ExprCompare(_) | AnyNodeRef::ExceptHandlerExceptHandler(_) => Use::Compared,
        AnyNodeRef::Arguments(_) => match argument(module, several, parent) {
            Use::Compared => Use::Compared,
            _ => Use::Stored,
        },
        _ => Use::Stored,
    }
}

/// An element of a tuple that is unpacked on the spot into as many names and attributes.
fn tuple_element(module: &Module<'_>, node: NodeId, tuple: NodeId) -> Use {
    let AnyNodeRef::ExprTuple(values) = module.nodes.get(tuple) else {
        return Use::Stored;
    };
    let AnyNodeRef::StmtAssign(assign) = module.parent(tuple).1 else {
        return Use::Stored;
    };
    let ([Expr::Tuple(targets)], true) = (
        assign.targets.as_slice(),
        module.nodes.id(assign.value.as_ref()) == tuple,
    ) else {
        return Use::Stored;
    };
    let mut all = targets.elts.iter();
    let plain = all.all(|target| target.is_name_expr() || target.is_attribute_expr())
        && !values.elts.iter().any(Expr::is_starred_expr);
    if !plain || targets.elts.len() != values.elts.len() {
        return Use::Stored;
    }
    let position = values
        .elts
        .iter()
        .position(|value| module.nodes.id(value) == node);
    position
        .and_then(|at| targets.elts.get(at))
        .map_or(Use::Stored, |to| target(module, to))
}

/// What storing the class to `target` does with it.
#[must_use]
pub fn target(module: &Module<'_>, target: &Expr) -> Use {
    match target {
        Expr::Name(name) => Use::BoundTo(module.nodes.id(name)),
        Expr::Attribute(attribute) => Use::StoredOn(module.nodes.id(attribute)),
        _ => Use::Stored,
    }
}
