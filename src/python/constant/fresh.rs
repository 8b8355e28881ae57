//! Whether an expression makes new objects from constants alone, so that each run gives an equal one.

use rustpython_ast::visitor::{Visitor, walk_expr, walk_parameter};
use rustpython_ast::{Expr, Parameter};

use super::{Meaning, Names};

/// Whether `expr` is built from constants, comprehensions, lambdas and calls of builtins, and
/// reads nothing that may differ from run to run.
///
/// What it gives is not computed; it is only known that it is made anew each time.
#[must_use]
pub fn is_made_from_constants(expr: &Expr, names: &dyn Names) -> bool {
    reads_constants(expr, names, Calls::OfBuiltins)
}

/// Whether `expr` reads nothing that may differ from run to run, whatever it makes of it.
#[must_use]
pub fn reads_only_constants(expr: &Expr, names: &dyn Names) -> bool {
    reads_constants(expr, names, Calls::Any)
}

/// Which calls and attributes an expression may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// Those of builtins and of literals.
    OfBuiltins,
    Any,
}

fn reads_constants(expr: &Expr, names: &dyn Names, calls: Calls) -> bool {
    let mut bound = Bound::default();
    bound.visit_expr(expr);
    let mut reads = Reads {
        names,
        bound: &bound.0,
        calls,
        constant: true,
    };
    reads.visit_expr(expr);
    reads.constant
}

/// The names that the expression binds itself.
#[derive(Default)]
struct Bound<'a>(Vec<&'a str>);

impl<'a> Visitor<'a> for Bound<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && name.ctx.is_store()
        {
            self.0.push(name.id.as_str());
        }
        walk_expr(self, expr);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.0.push(parameter.name.as_str());
        walk_parameter(self, parameter);
    }
}

struct Reads<'n, 'b> {
    names: &'n dyn Names,
    bound: &'b [&'b str],
    calls: Calls,
    constant: bool,
}

impl<'a> Visitor<'a> for Reads<'_, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.constant &= match expr {
            Expr::Name(name) if name.ctx.is_load() && !self.bound.contains(&name.id.as_str()) => {
                !matches!(self.names.meaning(name), Meaning::Dynamic(_))
            }
            Expr::Named(_) | Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) => false,
            _ if self.calls == Calls::Any => true,
            Expr::Call(call) => match call.func.as_ref() {
                Expr::Name(name) => self.names.is_builtin(name),
                Expr::Attribute(method) => method.value.is_literal_expr(),
                _ => false,
            },
            Expr::Attribute(attribute) => attribute.value.is_literal_expr(),
            _ => true,
        };
        walk_expr(self, expr);
    }
}
