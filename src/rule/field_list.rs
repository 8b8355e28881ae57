//! The fields that a call gives its class, as its arguments write them.

use rustpython_ast::Expr;
use rustpython_text_size::TextRange;

use super::field_names::{are_understood, check_fields, text};
use super::parameter::{FieldForm, NameRule, Parameter, ValueKind};
use super::registry::Factory;
use super::signature::Given;
use super::skip_reason::SkipReason;
use super::value_kind::{check_value, made_anew};
use crate::python::constant::{Elements, Evaluation, Names, Value, evaluate, evaluate_type, words};

/// The field names as they are passed, each `None` when it is constant but unknown.
#[derive(Debug)]
pub(super) enum FieldList {
    /// Known in number and order.
    Listed(Vec<Option<String>>),
    /// Constant, but in an order that differs between runs.
    Unordered,
    /// Constant, but unknown.
    Unknown,
    /// Dynamic: the smallest part that is, and why.
    Dynamic { range: TextRange, why: String },
    /// No iterable.
    Invalid(&'static str),
    /// Nothing to be made at module level.
    Refused(SkipReason),
}

impl Default for FieldList {
    fn default() -> Self {
        Self::Listed(vec![])
    }
}

impl FieldList {
    /// All names, when each is known.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        match self {
            Self::Listed(names) => names.iter().cloned().collect(),
            _ => None,
        }
    }
}

/// Reads the fields; the error is the clause why the call always raises.
pub(super) fn read_fields(
    given: Given<'_>,
    factory: Factory,
    names: &dyn Names,
) -> Result<FieldList, String> {
    let Given {
        parameter,
        argument,
    } = given;
    let own = factory.rule.member_values.get(factory.name);
    let form = Form {
        parameter,
        values: own.copied().unwrap_or(parameter.values),
    };
    let list = match form.evaluate(argument, names) {
        Evaluation::Raises(why) => return Err(why),
        Evaluation::Dynamic { range, why } => match made_anew(argument, names) {
            Some(reason) if form.has_values() || is_attribute_table(factory, argument) => {
                FieldList::Refused(reason)
            }
            _ => FieldList::Dynamic { range, why },
        },
        Evaluation::Constant(value) if form.has_values() => form.read(&value),
        Evaluation::Constant(value) => form.names_of(&value),
    };
    Ok(match list {
        FieldList::Listed(listed) if !form.understands(&listed) => {
            FieldList::Refused(SkipReason::ArgumentNotUnderstood)
        }
        list => list,
    })
}

/// Whether the argument writes out a dictionary from names to what the class keeps, in a form of the
/// call that the rule does not describe.
fn is_attribute_table(factory: Factory, argument: &Expr) -> bool {
    !factory.rule.makes_namedtuples() && argument.is_dict_expr()
}

/// How the fields of one parameter can be written.
struct Form {
    parameter: &'static Parameter,
    /// What the value beside a name may be.
    values: ValueKind,
}

impl Form {
    fn takes(&self, form: FieldForm) -> bool {
        self.parameter.forms.contains(&form)
    }

    /// Whether values can stand beside the names, so that the elements are no mere names.
    fn has_values(&self) -> bool {
        self.takes(FieldForm::Pairs) || self.takes(FieldForm::Mapping)
    }

    fn evaluate(&self, argument: &Expr, names: &dyn Names) -> Evaluation {
        match self.values {
            ValueKind::Type | ValueKind::CheckedType => evaluate_type(argument, names),
            _ => evaluate(argument, names),
        }
    }

    /// Names alone: split at commas and white space when they are a string, else the elements as
    /// strings.
    fn names_of(&self, value: &Value) -> FieldList {
        match value {
            Value::Str(text) if self.takes(FieldForm::Text) => split(text),
            Value::Set(_) => FieldList::Unordered,
            // A factory that takes no text checks what it gets by its type.
            value if !self.takes(FieldForm::Text) && !is_sequence(value) => {
                FieldList::Refused(SkipReason::ArgumentNotUnderstood)
            }
            value => match value.elements() {
                Elements::Known(elements) => FieldList::Listed(elements.iter().map(text).collect()),
                Elements::Unordered => FieldList::Unordered,
                Elements::Unknown => FieldList::Unknown,
                Elements::NotIterable => FieldList::Invalid(value.type_name()),
            },
        }
    }

    /// Names, and what stands beside them.
    fn read(&self, value: &Value) -> FieldList {
        let not_understood = FieldList::Refused(SkipReason::ArgumentNotUnderstood);
        let items: Option<Vec<(&str, Option<&Value>)>> = match value {
            Value::Str(text) if self.takes(FieldForm::Text) => return split(text),
            Value::Set(_) => return FieldList::Refused(SkipReason::SetFields),
            Value::List(elements) | Value::Tuple(elements) => {
                elements.iter().map(|element| self.item(element)).collect()
            }
            Value::Dict(items) if self.takes(FieldForm::Mapping) => {
                let items = items.iter().map(|(key, value)| match key {
                    Value::Str(name) => Some((name.as_str(), Some(value))),
                    _ => None,
                });
                items.collect()
            }
            _ => None,
        };
        let Some(items) = items else {
            return not_understood;
        };
        let bare = items.iter().filter(|(_, value)| value.is_none()).count();
        // An Enum goes by the first of its names alone.
        if self.parameter.names == NameRule::Member && bare != 0 && bare != items.len() {
            return not_understood;
        }
        // A function or another descriptor would be a method of the Enum, and no member.
        let may_be_method = |value: &Value| {
            self.parameter.names == NameRule::Member && matches!(value, Value::Opaque(_))
        };
        for value in items.iter().filter_map(|(_, value)| *value) {
            if may_be_method(value) {
                return not_understood;
            }
            if let Err(reason) = check_value(value, self.values) {
                return FieldList::Refused(reason);
            }
        }
        let names = items.iter().map(|(name, _)| Some((*name).to_owned()));
        FieldList::Listed(names.collect())
    }

    /// A name, or a pair of a name and a value.
    fn item<'v>(&self, element: &'v Value) -> Option<(&'v str, Option<&'v Value>)> {
        match element {
            Value::Str(name) if self.takes(FieldForm::Names) => Some((name, None)),
            Value::List(pair) | Value::Tuple(pair) if self.takes(FieldForm::Pairs) => {
                match pair.as_slice() {
                    [Value::Str(name), value] => Some((name, Some(value))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether it is certain what the factory makes of the names, valid or not.
    fn understands(&self, names: &[Option<String>]) -> bool {
        let known: Vec<String> = names.iter().flatten().cloned().collect();
        let rule = self.parameter.names;
        let is_clear = are_understood(&known, rule);
        match rule {
            NameRule::Member | NameRule::Plain => is_clear && known.len() == names.len(),
            _ => is_clear || check_fields(&known, rule).is_err(),
        }
    }
}

fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_))
}

fn split(text: &str) -> FieldList {
    let text = text.replace(',', " ");
    let names = words(&text).map(|name| Some(name.to_owned()));
    FieldList::Listed(names.collect())
}
