//! Which exceptions the handlers around a place catch.

use rustpython_ast::{ExceptHandler, Expr};

use super::module::Module;
use crate::python::{NodeId, flow};

/// The builtin exceptions that are no base of those which a factory call or its import raises
/// (Library Reference, "Exception hierarchy").
const OTHERS: [&str; 30] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "ConnectionError",
    "EOFError",
    "EnvironmentError",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "GeneratorExit",
    "IOError",
    "IndexError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "StopIteration",
    "SystemExit",
    "TimeoutError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "ValueError",
    "ZeroDivisionError",
];

/// What a factory call or its import raises.
const OWN: [&str; 5] = [
    "ImportError",
    "ModuleNotFoundError",
    "NameError",
    "TypeError",
    "UnboundLocalError",
];

/// Whether a handler around the node, within its function, may catch one of the exceptions `raised`.
/// One that is not known may catch any.
#[must_use]
pub fn reaches(module: &Module<'_>, node: NodeId, raised: &[&str]) -> bool {
    flow::reachable_handlers(module.nodes, node)
        .into_iter()
        .any(|ExceptHandler::ExceptHandler(handler)| {
            let caught = handler.type_.as_deref();
            caught.is_none_or(|caught| may_catch(module, caught, raised))
        })
}

fn may_catch(module: &Module<'_>, caught: &Expr, raised: &[&str]) -> bool {
    if let Expr::Tuple(tuple) = caught {
        let mut all = tuple.elts.iter();
        return all.any(|caught| may_catch(module, caught, raised));
    }
    match module.builtin(caught) {
        Some(name) if OWN.contains(&name) => raised.contains(&name),
        Some(name) => !OTHERS.contains(&name),
        None => true,
    }
}
