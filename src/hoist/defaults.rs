//! What is done with `_field_defaults`, the dictionary that a namedtuple has of its own.

use rustpython_ast::{AnyNodeRef, CmpOp, Expr, UnaryOp};

use super::module::Module;
use super::outside::defines;
use super::usage::{HARMLESS_READERS, Use, written_through};
use crate::python::NodeId;

/// Methods that change a dictionary.
const DICTIONARY_WRITERS: [&str; 7] = [
    "update",
    "pop",
    "popitem",
    "setdefault",
    "clear",
    "__setitem__",
    "__delitem__",
];

/// Methods that read a dictionary and keep nothing of it but its keys and values.
const DICTIONARY_READERS: [&str; 5] = ["get", "items", "keys", "values", "copy"];

/// The methods of `unittest.TestCase` that look into a dictionary.
const ASSERTIONS: [&str; 8] = [
    "assertEqual",
    "assertNotEqual",
    "assertDictEqual",
    "assertCountEqual",
    "assertIn",
    "assertNotIn",
    "assertTrue",
    "assertFalse",
];

/// Builtins that take what is in a dictionary and not the dictionary.
const COPYING: [&str; 11] = [
    "dict",
    "list",
    "tuple",
    "set",
    "frozenset",
    "sorted",
    "enumerate",
    "min",
    "max",
    "any",
    "all",
];

/// What happens to the dictionary that the expression gives, which all users of the class share: it is
/// read on the spot, or somebody may change it.
pub(super) fn shared_dictionary(module: &Module<'_>, dictionary: NodeId) -> Use {
    let is = |part: &Expr| module.nodes.id(part) == dictionary;
    let (parent, parent_node) = module.parent(dictionary);
    let is_read = match parent_node {
        AnyNodeRef::ExprAttribute(method) if DICTIONARY_WRITERS.contains(&method.attr.as_str()) => {
            return Use::Written(module.nodes.statement(dictionary));
        }
        AnyNodeRef::ExprAttribute(method) => {
            let is_called = matches!(module.parent(parent).1, AnyNodeRef::ExprCall(_));
            is_called && DICTIONARY_READERS.contains(&method.attr.as_str())
        }
        AnyNodeRef::ExprSubscript(item) => item.ctx.is_load(),
        AnyNodeRef::ExprCompare(compare) => compare
            .ops
            .iter()
            .all(|op| !matches!(op, CmpOp::Is | CmpOp::IsNot)),
        AnyNodeRef::Arguments(_) => match module.parent(parent).1 {
            AnyNodeRef::ExprCall(call) => reads_argument(module, &call.func),
            _ => false,
        },
        AnyNodeRef::Keyword(keyword) => keyword.arg.is_none(),
        AnyNodeRef::ExprDict(dict) => {
            let mut items = dict.items.iter();
            items.any(|item| item.key.is_none() && is(&item.value))
        }
        AnyNodeRef::StmtFor(each) => is(&each.iter),
        AnyNodeRef::Comprehension(clause) => is(&clause.iter),
        AnyNodeRef::ExprIf(choice) => is(&choice.test),
        AnyNodeRef::ExprUnaryOp(operation) => operation.op == UnaryOp::Not,
        AnyNodeRef::StmtIf(_)
        | AnyNodeRef::ElifElseClause(_)
        | AnyNodeRef::StmtWhile(_)
        | AnyNodeRef::StmtAssert(_)
        | AnyNodeRef::StmtExpr(_)
        | AnyNodeRef::ExprStarred(_)
        | AnyNodeRef::ExprBinOp(_)
        | AnyNodeRef::InterpolatedElement(_) => true,
        _ => false,
    };
    if is_read {
        Use::Harmless
    } else {
        Use::Inspected
    }
}

/// Whether the callee is a builtin or a method of `unittest.TestCase` that keeps no dictionary.
fn reads_argument(module: &Module<'_>, callee: &Expr) -> bool {
    if let Expr::Attribute(method) = callee {
        let name = method.attr.as_str();
        return ASSERTIONS.contains(&name) && !defines(module, name);
    }
    let builtin = module.builtin(callee);
    builtin.is_some_and(|name| HARMLESS_READERS.contains(&name) || COPYING.contains(&name))
}

/// Whether the dictionary that the expression gives is changed on the spot, or kept.
#[must_use]
pub(super) fn changes_dictionary(module: &Module<'_>, dictionary: NodeId) -> bool {
    written_through(module, dictionary).is_some()
        || shared_dictionary(module, dictionary) != Use::Harmless
}
