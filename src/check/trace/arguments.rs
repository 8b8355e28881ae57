//! Whether each argument of a call is constant, and why.

use rustpython_ast::{self as ast, Expr};

use super::words::{Words, listed};
use super::{Label, Lines};
use crate::hoist::constants::{CallNames, Role as NameRole, names_in};
use crate::hoist::factory::assigned_value;
use crate::hoist::inquiry::Inquiry;
use crate::hoist::site::Site;
use crate::python::NodeId;
use crate::python::constant::{Evaluation, Value, evaluate};
use crate::python::semantic::{BindingId, BindingKind};
use crate::python::tokens::comments;
use crate::rule::{Parameter, Role};

/// Says of each argument whether it is constant and why.
pub(super) fn arguments<'a>(inquiry: Inquiry<'_, 'a>, site: &Site<'a>, lines: &mut Lines) {
    let arguments = Arguments {
        words: Words {
            module: inquiry.module,
        },
        names: CallNames {
            module: inquiry.module,
            facts: inquiry.facts,
            factory: site.factory.factory,
            call: site.call,
            depth: 0,
        },
    };
    match &site.judgement.arguments {
        Some(bound) => {
            for given in bound.iter() {
                let role = given.parameter.role;
                let words = role_words(given.parameter);
                arguments.argument(&words, given.argument, lines);
                if let (Role::Fields, Some(fields)) = (role, &site.judgement.fields) {
                    lines.say(Label::Argument, named(fields));
                }
            }
        }
        None => {
            let given = &site.expr.arguments;
            for expr in &given.args {
                arguments.argument("a positional argument", expr, lines);
            }
            for keyword in &given.keywords {
                arguments.argument("a keyword argument", &keyword.value, lines);
            }
        }
    }
}

/// The field names that the class will have.
fn named(fields: &[String]) -> String {
    let names = listed(fields.iter().map(|field| format!("`{field}`")));
    match fields.len() {
        0 => "the class has no fields.".to_owned(),
        1 => format!("the class has the field {names}."),
        _ => format!("the class has the fields {names}."),
    }
}

fn role_words(parameter: &Parameter) -> String {
    match parameter.role {
        Role::Typename => "the typename".to_owned(),
        Role::Fields => "the field names".to_owned(),
        Role::Defaults => "the defaults".to_owned(),
        _ => format!("`{}`", parameter.name),
    }
}

struct Arguments<'t, 'a> {
    words: Words<'t, 'a>,
    names: CallNames<'t, 'a>,
}

impl<'a> Arguments<'_, 'a> {
    fn argument(&self, given: &str, expr: &'a Expr, lines: &mut Lines) {
        let module = self.words.module;
        let id = module.nodes.id(expr);
        let code = self.words.code(id);
        let is_name = |name: &ast::ExprName| module.nodes.id(name) == id;
        let why = match evaluate(expr, &self.names) {
            Evaluation::Constant(value) => {
                let name = names_in(module, id).find(|name| is_name(name));
                let why = match name {
                    Some(name) => format!("{code} {}", self.name(name)),
                    None => constant(expr, &value).to_owned(),
                };
                let kind = match value {
                    Value::Opaque(_) => "the same object in every call",
                    _ => "constant",
                };
                format!("{kind}: {why}{}", sharing(&value))
            }
            Evaluation::Dynamic { range, why } => {
                let name = names_in(module, id)
                    .find(|name| module.nodes.range(module.nodes.id(*name)) == range);
                let part = self.words.text(range);
                match name {
                    Some(name) => format!("known at run time only: {part} {}", self.name(name)),
                    None => format!("known at run time only: in {part}, {why}"),
                }
            }
            Evaluation::Raises(why) => format!("an error: {why}"),
        };
        let verb = if given.ends_with('s') { "are" } else { "is" };
        lines.say(Label::Argument, format!("{given} {code} {verb} {why}."));
        for name in names_in(module, id).filter(|name| !is_name(name)) {
            let code = self.words.code(module.nodes.id(name));
            lines.say(
                Label::Argument,
                format!("in {given}, {code} {}.", self.name(name)),
            );
        }
    }

    /// What a name in an argument stands for, as a clause behind the name.
    fn name(&self, name: &'a ast::ExprName) -> String {
        let module = self.words.module;
        if let Some(call) = self.names.class_call(name) {
            return format!(
                "is the class that the call at {} makes",
                self.words.at(call)
            );
        }
        match self.names.role(name) {
            NameRole::Builtin if name.id.as_str() == "__name__" => {
                "is the module's own, which nothing binds anew".to_owned()
            }
            NameRole::Builtin => "is the builtin, which the module does not bind".to_owned(),
            NameRole::ModuleConstant(binding, value) => {
                let unknown = match value {
                    None => self.unknown(binding),
                    Some(_) => "",
                };
                let bound = self.words.bound(binding);
                format!("is a module constant bound once, {bound}{unknown}")
            }
            NameRole::LocalLiteral(_, value) => self.literal(module.nodes.id(value)),
            NameRole::Dynamic(why) => self.dynamic(module.nodes.id(name), why),
        }
    }

    /// Where a local is bound to the literal `value`, and whether that can be copied.
    fn literal(&self, value: NodeId) -> String {
        let module = self.words.module;
        let range = module.nodes.parenthesized_range(value, module.tokens);
        let outcome = if comments(module.tokens, range).is_empty() {
            "which is put in its place"
        } else {
            "which cannot be put in its place, as comments stand in it"
        };
        let row = self.words.row_of(module.nodes.statement(value));
        let code = self.words.code(value);
        format!("is a local bound once, at row {row}, to {code}, {outcome}")
    }

    /// Why the value of a module constant is not known.
    fn unknown(&self, binding: BindingId) -> &'static str {
        let value = assigned_value(self.words.module, binding);
        match value.map(|value| evaluate(value, &self.names)) {
            Some(Evaluation::Constant(_)) => ", to a value that may be changed in place",
            Some(_) => ", to a value that is known at run time only",
            None => ", whatever it is",
        }
    }

    fn dynamic(&self, name: NodeId, why: &str) -> String {
        let module = self.words.module;
        let Some((_, bindings)) = module.bindings_at(name) else {
            return why.to_owned();
        };
        let binding = bindings.first().map(|id| module.model.binding(*id));
        match (bindings, binding.map(|binding| &binding.kind)) {
            ([_], Some(BindingKind::Parameter)) => {
                format!("is bound {}", self.words.all_bound(bindings))
            }
            _ => format!("{why}: it is bound {}", self.words.all_bound(bindings)),
        }
    }
}

/// What kind of constant it is.
fn constant(expr: &Expr, value: &Value) -> &'static str {
    match value {
        Value::Set(_) => "a set, whose order differs between runs",
        Value::Opaque(_) => "its value is not known",
        _ if is_literal(expr) => "a literal",
        _ => "a constant expression",
    }
}

/// Whether an element would be shared that each call makes anew now.
fn sharing(value: &Value) -> &'static str {
    let (Value::Tuple(elements) | Value::List(elements)) = value else {
        return "";
    };
    if elements.iter().any(Value::is_fresh_mutable) {
        ", with an element that each call makes anew"
    } else {
        ""
    }
}

/// A literal, or a display of literals.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_literal),
        Expr::List(list) => list.elts.iter().all(is_literal),
        _ => expr.is_literal_expr(),
    }
}
