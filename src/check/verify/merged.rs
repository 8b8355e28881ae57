//! Whether two factory calls make equal classes, spelling of the fields apart.

use rustc_hash::FxHashMap;
use rustpython_ast::comparable::ComparableExpr;
use rustpython_ast::{Expr, ExprCall};
use rustpython_text_size::Ranged;

use super::evidence::{Evidence, Side};
use crate::python::parse::parse;
use crate::python::semantic::{BindingKind, Resolution};
use crate::rule::{FieldForm, Parameter, Role, Rule};
use crate::text::TextRange;

/// One argument in the form in which equal ones compare equal.
#[derive(Debug, PartialEq, Eq)]
enum Argument {
    /// Strings: a typename, or the names of the fields.
    Strings(Vec<String>),
    /// The elements of a tuple or list, each as the debug text of its comparable form.
    Elements(Vec<String>),
    /// Anything else, as the debug text of its comparable form.
    Other(String),
}

/// Whether the two calls of the original have the same factory, of that rule, and the same typename,
/// fields and options.
pub(super) fn make_equal_classes(
    evidence: &Evidence<'_>,
    rule: &'static Rule,
    first: &ExprCall,
    second: &ExprCall,
) -> bool {
    let normal = Normal {
        rule,
        substitutions: &evidence.index.substitutions,
    };
    same_factory(&evidence.original, &first.func, &second.func)
        && match (normal.arguments(first), normal.arguments(second)) {
            (Some(first), Some(second)) => first == second,
            _ => false,
        }
}

fn same_factory(side: &Side<'_>, first: &Expr, second: &Expr) -> bool {
    ComparableExpr::from(first) == ComparableExpr::from(second)
        || qualified(side, first).is_some_and(|name| Some(name) == qualified(side, second))
}

/// The dotted name from the root of the import system that the expression stands for, when it is a
/// name, or attributes of one, that only imports of one thing bind.
pub(super) fn qualified(side: &Side<'_>, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Attribute(attribute) => {
            let base = qualified(side, &attribute.value)?;
            Some(format!("{base}.{}", attribute.attr))
        }
        Expr::Name(name) => {
            let reference = side.model.reference_at(side.nodes.id(name))?;
            let reference = side.model.reference(reference);
            let Resolution::Scope(scope) = reference.resolution else {
                return None;
            };
            let mut all = side.model.bindings_of(scope, &reference.name).iter();
            let first = imported(&side.model.binding(*all.next()?).kind)?;
            all.all(|id| imported(&side.model.binding(*id).kind) == Some(first))
                .then(|| first.to_owned())
        }
        _ => None,
    }
}

/// What an import binds; `None` for any other binding.
pub(super) fn imported(kind: &BindingKind) -> Option<&str> {
    match kind {
        BindingKind::Import(name) | BindingKind::FromImport(name) => Some(name.as_str()),
        _ => None,
    }
}

/// The form of a factory's arguments in which equal ones compare equal.
#[derive(Clone, Copy)]
struct Normal<'e> {
    rule: &'static Rule,
    substitutions: &'e FxHashMap<TextRange, &'e str>,
}

impl Normal<'_> {
    /// The arguments by parameter, sorted, without those equal to their default; `None` with star arguments.
    fn arguments(self, call: &ExprCall) -> Option<Vec<(String, Argument)>> {
        let mut found = Vec::new();
        let mut positional = self.rule.positional();
        for (at, argument) in call.arguments.args.iter().enumerate() {
            if argument.is_starred_expr() {
                return None;
            }
            let name = positional.next().map(|parameter| parameter.name.clone());
            found.push((name.unwrap_or_else(|| at.to_string()), argument));
        }
        for keyword in &call.arguments.keywords {
            found.push((keyword.arg.as_ref()?.to_string(), &keyword.value));
        }
        let mut normal: Vec<_> = found
            .into_iter()
            .filter(|(name, value)| !is_default(self.parameter(name), value))
            .map(|(name, value)| {
                let value = self.normalised(&name, value);
                (name, value)
            })
            .collect();
        normal.sort_by(|(first, _), (second, _)| first.cmp(second));
        Some(normal)
    }

    fn parameter(self, name: &str) -> Option<&'static Parameter> {
        let mut parameters = self.rule.parameters.iter();
        parameters.find(|parameter| parameter.name == name)
    }

    /// Whether the parameter takes field names and nothing beside them, in a string or a sequence.
    fn takes_names(self, name: &str) -> bool {
        self.parameter(name).is_some_and(|parameter| {
            let mut forms = parameter.forms.iter();
            parameter.role == Role::Fields
                && forms.all(|form| matches!(form, FieldForm::Text | FieldForm::Names))
        })
    }

    /// The argument in normal form, with its promised text in place of its own.
    fn normalised(self, name: &str, value: &Expr) -> Argument {
        if let Some(text) = self.substitutions.get(&value.range())
            && let Ok(parsed) = parse(text.trim())
            && let [rustpython_ast::Stmt::Expr(only)] = parsed.syntax().body.as_slice()
        {
            let inner = Normal {
                rule: self.rule,
                substitutions: &FxHashMap::default(),
            };
            return inner.normalised(name, &only.value);
        }
        if self.takes_names(name)
            && let Some(fields) = field_names(value)
        {
            return Argument::Strings(fields);
        }
        match value {
            Expr::StringLiteral(text) => Argument::Strings(vec![text.value.to_str().to_owned()]),
            Expr::Tuple(tuple) => Argument::Elements(tuple.elts.iter().map(comparable).collect()),
            Expr::List(list) => Argument::Elements(list.elts.iter().map(comparable).collect()),
            other => Argument::Other(comparable(other)),
        }
    }
}

fn comparable(expr: &Expr) -> String {
    format!("{:?}", ComparableExpr::from(expr))
}

/// The names in `"a b"`, `"a, b"`, `"a b".split()`, `["a", "b"]` or `("a", "b")`, as `namedtuple` splits them.
fn field_names(value: &Expr) -> Option<Vec<String>> {
    let elements = match value {
        Expr::StringLiteral(text) => {
            let text = text.value.to_str().replace(',', " ");
            return Some(text.split_whitespace().map(str::to_owned).collect());
        }
        Expr::Call(call) => return split_call(call),
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        _ => return None,
    };
    let text = |element: &Expr| {
        let literal = element.as_string_literal_expr()?;
        Some(literal.value.to_str().to_owned())
    };
    elements.iter().map(text).collect()
}

fn split_call(call: &ExprCall) -> Option<Vec<String>> {
    let method = call.func.as_attribute_expr()?;
    let text = method.value.as_string_literal_expr()?;
    let plain = method.attr.as_str() == "split" && call.arguments.is_empty();
    let words = text.value.to_str().split_whitespace();
    plain.then(|| words.map(str::to_owned).collect())
}

/// Whether leaving the argument out would mean the same, as it does for `collections.namedtuple`.
fn is_default(parameter: Option<&Parameter>, value: &Expr) -> bool {
    match parameter.map(|parameter| parameter.role) {
        Some(Role::Rename) => matches!(value, Expr::BooleanLiteral(literal) if !literal.value),
        Some(Role::Defaults) => match value {
            Expr::Tuple(tuple) => tuple.elts.is_empty(),
            Expr::List(list) => list.elts.is_empty(),
            other => other.is_none_literal_expr(),
        },
        Some(Role::Module) => value.is_none_literal_expr(),
        _ => false,
    }
}
