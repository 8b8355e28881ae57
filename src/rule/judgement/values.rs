//! The evaluated arguments of a call, and what they come to together.

use rustpython_ast::Expr;
use rustpython_text_size::{Ranged, TextRange};

use super::{MergeKey, RUN_TIME, Verdict};
use crate::python::constant::{
    Elements, Evaluation, Names, Value, evaluate, evaluate_type, is_made_from_constants,
    reads_only_constants,
};
use crate::rule::field_list::{FieldList, read_fields};
use crate::rule::field_names::{check_fields, check_name, is_plain_text, renamed, text};
use crate::rule::parameter::{NameRule, Role, ValueKind};
use crate::rule::registry::Factory;
use crate::rule::signature::{FactoryArguments, Given};
use crate::rule::skip_reason::SkipReason;
use crate::rule::value_kind::{
    attributes, check_bases, check_namespace, check_value, made_anew, names_in,
};

/// An argument's value, or where and why it is dynamic.
type Argument = Result<Value, (TextRange, String)>;

/// The evaluated arguments.
pub(super) struct Values<'a> {
    typename: Argument,
    typename_rule: NameRule,
    fields: FieldList,
    field_rule: NameRule,
    rename: Argument,
    defaults: Argument,
    /// Whether `defaults` has no value here, but makes equal ones each time.
    fresh_defaults: bool,
    module: Argument,
    /// All other arguments.
    others: Vec<(Given<'a>, Argument)>,
    /// The class's constant attributes.
    pub(super) attributes: Vec<String>,
    /// The names in its namespace.
    namespace: Vec<String>,
    /// Whether the factory takes fields.
    has_fields: bool,
    /// Why the class cannot be made at module level, whatever is constant.
    refused: Option<SkipReason>,
}

impl<'a> Values<'a> {
    /// Evaluates all arguments; the error is the clause why one of them always raises.
    pub(super) fn of(
        arguments: &FactoryArguments<'a>,
        factory: Factory,
        names: &dyn Names,
    ) -> Result<Self, String> {
        let mut values = Self {
            typename: Ok(Value::None),
            typename_rule: NameRule::default(),
            fields: FieldList::default(),
            field_rule: NameRule::default(),
            rename: Ok(Value::Bool(false)),
            defaults: Ok(Value::None),
            fresh_defaults: false,
            module: Ok(Value::None),
            others: vec![],
            attributes: vec![],
            namespace: vec![],
            has_fields: takes_fields(factory),
            refused: None,
        };
        if arguments.get(Role::Fields).is_none() && values.has_fields {
            values.refuse(SkipReason::ArgumentNotUnderstood);
        }
        for given in arguments.iter() {
            values.add(given, factory, names)?;
        }
        Ok(values)
    }

    fn add(&mut self, given: Given<'a>, factory: Factory, names: &dyn Names) -> Result<(), String> {
        let Given {
            parameter,
            argument,
        } = given;
        match parameter.role {
            Role::Typename => {
                self.typename = value(argument, names)?;
                self.typename_rule = parameter.names;
            }
            Role::Fields => {
                self.field_rule = parameter.names;
                self.fields = read_fields(given, factory, names)?;
            }
            Role::Rename => self.rename = value(argument, names)?,
            Role::Defaults => {
                self.defaults = value(argument, names)?;
                self.fresh_defaults =
                    self.defaults.is_err() && is_made_from_constants(argument, names);
            }
            Role::Module => self.module = value(argument, names)?,
            Role::NotUnderstood => {
                if !reads_only_constants(argument, names) {
                    let dynamic = (argument.range(), RUN_TIME.to_owned());
                    self.others.push((given, Err(dynamic)));
                }
                self.refuse(SkipReason::ArgumentNotUnderstood);
            }
            Role::Type | Role::Bases | Role::Namespace | Role::Option => {
                self.other(given, names)?;
            }
        }
        Ok(())
    }

    /// An argument that only decides what the class is like.
    fn other(&mut self, given: Given<'a>, names: &dyn Names) -> Result<(), String> {
        let Given {
            parameter,
            argument,
        } = given;
        let evaluated = match parameter.values {
            ValueKind::Type | ValueKind::CheckedType => evaluate_type(argument, names),
            _ => evaluate(argument, names),
        };
        let value = argument_of(evaluated)?;
        if let Ok(value) = &value {
            if parameter.role == Role::Namespace {
                self.attributes = attributes(value);
                self.namespace = names_in(value);
            }
            let checked = match parameter.role {
                Role::Bases => check_bases(argument, names),
                Role::Namespace => check_namespace(value, parameter.required),
                _ => check_value(value, parameter.values),
            };
            if let Err(reason) = checked {
                self.refuse(reason);
            }
        } else if let Some(reason) = made_anew(argument, names) {
            self.refuse(match parameter.role {
                Role::Bases => SkipReason::BasesRunCode,
                _ => reason,
            });
            return Ok(());
        }
        self.others.push((given, value));
        Ok(())
    }

    fn refuse(&mut self, reason: SkipReason) {
        self.refused = Some(self.refused.map_or(reason, |known| known.min(reason)));
    }

    pub(super) fn typename(&self) -> Option<String> {
        let value = self.typename.as_ref().ok()?;
        match (self.typename_rule, value) {
            (NameRule::Text | NameRule::Member, Value::Str(text)) => Some(text.clone()),
            (NameRule::Text | NameRule::Member, _) => None,
            _ => text(value),
        }
    }

    /// Whether `rename` holds, when that is known.
    fn renames(&self) -> Option<bool> {
        self.rename.as_ref().ok().and_then(Value::truth)
    }

    /// The names that the class will have, when they are known and valid.
    pub(super) fn final_fields(&self) -> Option<Vec<String>> {
        let names = self.fields.names()?;
        if check_fields(&names, self.field_rule).is_ok() {
            return Some(names);
        }
        (self.renames() == Some(true)).then(|| renamed(&names))
    }

    /// Why the call raises whatever the unknown arguments are.
    pub(super) fn first_error(&self, typename: Option<&str>) -> Option<String> {
        let is_identifier = !matches!(self.typename_rule, NameRule::Text | NameRule::Member);
        if let Some(error) = typename
            .filter(|_| is_identifier)
            .and_then(|typename| check_name(typename).err())
        {
            return Some(error);
        }
        if let (false, Ok(value)) = (is_identifier, &self.typename)
            && is_no_text(value)
        {
            return Some(format!(
                "a typename cannot be of type {}",
                value.type_name()
            ));
        }
        if let FieldList::Invalid(kind) = self.fields {
            return Some(format!("field names cannot be of type {kind}"));
        }
        if let (FieldList::Listed(names), Some(false)) = (&self.fields, self.renames()) {
            let known: Vec<String> = names.iter().flatten().cloned().collect();
            if let Err(error) = check_fields(&known, self.field_rule) {
                return Some(error);
            }
        }
        self.defaults_error()
    }

    fn defaults_error(&self) -> Option<String> {
        let defaults = match &self.defaults {
            Ok(Value::None) | Err(_) => return None,
            Ok(defaults) => defaults,
        };
        match (defaults.elements(), &self.fields) {
            (Elements::NotIterable, _) => Some(format!(
                "default values cannot be of type {}",
                defaults.type_name()
            )),
            (Elements::Known(defaults), FieldList::Listed(names))
                if defaults.len() > names.len() =>
            {
                Some("there are more default values than fields".to_owned())
            }
            _ => None,
        }
    }

    /// The verdict on a call that is not known to raise.
    pub(super) fn verdict(&self, typename: Option<&str>) -> Verdict {
        if let Some(dynamic) = self.dynamic() {
            return dynamic;
        }
        match self.fields {
            FieldList::Unordered => return Verdict::Refused(SkipReason::SetFields),
            FieldList::Refused(reason) => return Verdict::Refused(reason),
            _ => {}
        }
        if self.fresh_defaults {
            return Verdict::Refused(SkipReason::MutableDefault);
        }
        if let Some(reason) = self.refused {
            return Verdict::Refused(reason);
        }
        if !self.is_understood(typename) {
            return Verdict::Refused(SkipReason::ArgumentNotUnderstood);
        }
        match self.key(typename) {
            Ok(key) => Verdict::Valid(key),
            Err(reason) => Verdict::Refused(reason),
        }
    }

    /// Whether it is certain what the arguments come to when they are taken together.
    fn is_understood(&self, typename: Option<&str>) -> bool {
        let fields = self.fields.names().unwrap_or_default();
        let is_field = |name: &String| fields.contains(name) || name == "__slots__";
        let has = |wanted: Role| {
            self.others
                .iter()
                .any(|(given, _)| given.parameter.role == wanted)
        };
        let is_plain = self.typename_rule != NameRule::Text || typename.is_none_or(is_plain_text);
        let is_bare = !has(Role::Option) || !(has(Role::Bases) || has(Role::Namespace));
        is_plain && is_bare && (!self.has_fields || !self.namespace.iter().any(is_field))
    }

    /// The argument that makes the class differ from call to call.
    fn dynamic(&self) -> Option<Verdict> {
        let fields = match &self.fields {
            FieldList::Dynamic { range, why } => Some((Role::Fields, (*range, why.clone()))),
            _ => None,
        };
        let shapes = self.others.iter().filter_map(|(given, argument)| {
            let role = given.parameter.role;
            let fault = argument.as_ref().err().filter(|_| role.is_shape())?;
            Some((role, fault.clone()))
        });
        let named = [
            (Role::Typename, &self.typename),
            (Role::Defaults, &self.defaults),
            (Role::Rename, &self.rename),
            (Role::Module, &self.module),
        ];
        let named = named
            .into_iter()
            .filter(|(role, _)| *role != Role::Defaults || !self.fresh_defaults)
            .filter_map(|(role, argument)| Some((role, argument.as_ref().err()?.clone())));
        let others = self.others.iter().filter_map(|(given, argument)| {
            Some((given.parameter.role, argument.as_ref().err()?.clone()))
        });
        let mut all = fields.into_iter().chain(shapes).chain(named).chain(others);
        let (role, (range, why)) = all.next()?;
        Some(Verdict::Dynamic { role, range, why })
    }

    fn key(&self, typename: Option<&str>) -> Result<MergeKey, SkipReason> {
        let unknown = SkipReason::ArgumentNotConstant;
        let typename = typename.ok_or(unknown)?.to_owned();
        self.final_fields().ok_or(unknown)?;
        let names = self.fields.names().ok_or(unknown)?;
        let module = self.module.clone().map_err(|_| unknown)?;
        let rename = self.rename.clone().map_err(|_| unknown)?;
        let defaults = match self.defaults.as_ref().map_err(|_| unknown)? {
            Value::None => None,
            defaults => match defaults.elements() {
                Elements::Known(elements) => Some(elements),
                _ => return Err(unknown),
            },
        };
        let is_shared = |value: &Value| value.is_fresh_mutable();
        if is_shared(&module) || defaults.iter().flatten().any(is_shared) {
            return Err(SkipReason::MutableDefault);
        }
        Ok(MergeKey {
            typename,
            fields: names,
            rename: rename.truth().map_or(rename, Value::Bool),
            defaults,
            module,
        })
    }
}

fn takes_fields(factory: Factory) -> bool {
    let mut parameters = factory.rule.parameters.iter();
    parameters.any(|parameter| parameter.role == Role::Fields)
}

fn value(argument: &Expr, names: &dyn Names) -> Result<Argument, String> {
    argument_of(evaluate(argument, names))
}

fn argument_of(evaluation: Evaluation) -> Result<Argument, String> {
    match evaluation {
        Evaluation::Constant(value) => Ok(Ok(value)),
        Evaluation::Dynamic { range, why } => Ok(Err((range, why))),
        Evaluation::Raises(why) => Err(why),
    }
}

/// Whether no factory takes the value as a typename; `NewType` takes containers of texts as well.
fn is_no_text(value: &Value) -> bool {
    let is_container = matches!(
        value,
        Value::Tuple(_) | Value::List(_) | Value::Set(_) | Value::Dict(_)
    );
    !is_container && !matches!(value, Value::Str(_) | Value::Opaque(_))
}
