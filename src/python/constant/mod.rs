//! Which value an expression always has, found without running it.

mod calls;
mod evaluator;
mod format;
mod fresh;
mod operator;
mod type_names;
mod types;
mod value;

pub use calls::words;
pub use fresh::{is_made_from_constants, reads_only_constants};
pub use type_names::type_since_minor;
pub use types::is_type_value;
pub use value::{Elements, Value};

use evaluator::{Evaluator, Stop};
use rustpython_ast::{self as ast, Expr};
use rustpython_text_size::TextRange;

/// What a name or attribute means in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// It always has this value, here and when the module is imported.
    Value(Value),
    /// It is always the same object, here and when the module is imported, but what it is is not
    /// known: a builtin, `__name__`, a module name bound once. The same spelling must always mean
    /// the same object.
    Opaque,
    /// It may differ from call to call; the clause says why.
    Dynamic(String),
}

/// What names mean where the expression stands.
pub trait Names {
    /// What `name` means.
    fn meaning(&self, name: &ast::ExprName) -> Meaning;

    /// What `attribute` means, such as `Base._fields` of a namedtuple `Base`.
    fn attribute(&self, attribute: &ast::ExprAttribute) -> Meaning;

    /// Whether `name` is the builtin of that name, which the module does not rebind.
    fn is_builtin(&self, name: &ast::ExprName) -> bool;

    /// The qualified name of `expr`, a name or a dotted name, when it is a builtin, as in
    /// `builtins.list`, or what one import at the top level of the module brings.
    fn standard_name(&self, _expr: &Expr) -> Option<String> {
        None
    }
}

/// What evaluating an expression gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluation {
    /// Always this value.
    Constant(Value),
    /// It may differ from call to call.
    Dynamic {
        /// The smallest part that does.
        range: TextRange,
        /// Why, as a clause.
        why: String,
    },
    /// Always an exception; the clause says why.
    Raises(String),
}

/// Evaluates `expr`: literals, operators on them, displays, `str.split`, `str.join`, `len`, `list`,
/// `tuple`, `sorted`, and names as `names` knows them. All else is dynamic.
#[must_use]
pub fn evaluate(expr: &Expr, names: &dyn Names) -> Evaluation {
    finished(Evaluator::new(names).value(expr))
}

/// The same, and type expressions are constants: dotted names, subscripts and unions of standard
/// types. What a type is, is not known.
#[must_use]
pub fn evaluate_type(expr: &Expr, names: &dyn Names) -> Evaluation {
    finished(Evaluator::of_types(names).value(expr))
}

fn finished(value: Result<Value, Stop>) -> Evaluation {
    match value {
        Ok(value) => Evaluation::Constant(value),
        Err(Stop::Dynamic { range, why }) => Evaluation::Dynamic { range, why },
        Err(Stop::Raises(why)) => Evaluation::Raises(why),
    }
}

#[cfg(test)]
mod tests;
