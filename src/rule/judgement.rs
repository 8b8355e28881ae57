//! Judging what a factory makes of a call's arguments.

use rustpython_ast::{self as ast, Expr};
use rustpython_text_size::TextRange;

use super::field_names::{check_fields, check_name, renamed, text};
use super::rule::{Role, Rule};
use super::signature::{BoundArguments, FactoryArguments, bind};
use super::skip_reason::SkipReason;
use crate::python::constant::{
    Elements, Evaluation, Names, Value, evaluate, is_made_from_constants, words,
};

/// What decides whether two calls can share one definition: equal exactly when they can, as far
/// as the arguments go. The factory itself is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MergeKey {
    typename: String,
    fields: Vec<String>,
    rename: Value,
    defaults: Option<Vec<Value>>,
    module: Value,
}

/// What a factory makes of a call's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Always an equal class.
    Valid(MergeKey),
    /// Always an exception; the clause says why.
    Raises(String),
    /// A class that may differ from call to call.
    Dynamic {
        /// The argument that decides. `Fields` goes before `Typename`, and both before the others.
        role: Role,
        /// Its smallest part that is not constant.
        range: TextRange,
        /// Why, as a clause.
        why: String,
    },
    /// Star arguments: what is passed cannot be seen.
    Invisible,
    /// An equal class each time, or an error, but not one to be made at module level.
    Refused(SkipReason),
}

/// A verdict, and what is known of the class besides.
#[derive(Debug, Clone)]
pub struct Judgement<'a> {
    /// The arguments, when they can be bound.
    pub arguments: Option<FactoryArguments<'a>>,
    /// The typename, when it is constant.
    pub typename: Option<String>,
    /// The field names as the class will have them, when they are constant and valid.
    pub fields: Option<Vec<String>>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judgement<'_> {
    fn unbound(verdict: Verdict) -> Self {
        Self {
            arguments: None,
            typename: None,
            fields: None,
            verdict,
        }
    }
}

/// Judges a call of the rule's factory; `names` knows what names mean where it stands.
#[must_use]
pub fn judge<'a>(call: &'a ast::ExprCall, rule: &Rule, names: &dyn Names) -> Judgement<'a> {
    let arguments = match bind(&call.arguments, rule) {
        BoundArguments::Bound(arguments) => arguments,
        BoundArguments::Invisible => return Judgement::unbound(Verdict::Invisible),
        BoundArguments::Legacy => {
            return Judgement::unbound(Verdict::Refused(SkipReason::VerboseArgument));
        }
        BoundArguments::Raises(why) => return Judgement::unbound(Verdict::Raises(why)),
    };
    let values = match Values::of(&arguments, names) {
        Ok(values) => values,
        Err(why) => return Judgement::unbound(Verdict::Raises(why)),
    };
    let typename = values.typename();
    let fields = values.fields();
    let verdict = match values.first_error(typename.as_deref(), &fields) {
        Some(why) => Verdict::Raises(why),
        None => values.verdict(typename.as_deref(), &fields),
    };
    Judgement {
        arguments: Some(arguments),
        fields: values.final_fields(&fields),
        typename,
        verdict,
    }
}

/// An argument's value, or where and why it is dynamic.
type Argument = Result<Value, (TextRange, String)>;

/// The field names as they are passed, each `None` when it is constant but unknown.
enum Fields {
    /// Known in number and order.
    Listed(Vec<Option<String>>),
    /// Constant, but in an order that differs between runs.
    Unordered,
    /// Constant, but unknown.
    Unknown,
    /// Dynamic.
    Dynamic,
    /// No iterable.
    Invalid(&'static str),
}

impl Fields {
    /// All names, when each is known.
    fn names(&self) -> Option<Vec<String>> {
        match self {
            Fields::Listed(names) => names.iter().cloned().collect(),
            _ => None,
        }
    }
}

/// The evaluated arguments.
struct Values {
    typename: Argument,
    fields: Argument,
    rename: Argument,
    defaults: Argument,
    /// Whether `defaults` has no value here, but makes equal ones each time.
    fresh_defaults: bool,
    module: Argument,
}

impl Values {
    /// Evaluates all arguments; the error is the clause why one of them always raises.
    fn of(arguments: &FactoryArguments<'_>, names: &dyn Names) -> Result<Self, String> {
        let value = |argument: &Expr| match evaluate(argument, names) {
            Evaluation::Constant(value) => Ok(Ok(value)),
            Evaluation::Dynamic { range, why } => Ok(Err((range, why))),
            Evaluation::Raises(why) => Err(why),
        };
        let or_absent = |argument: Option<&Expr>, absent| argument.map_or(Ok(Ok(absent)), value);
        let defaults = or_absent(arguments.defaults, Value::None)?;
        let is_fresh = |defaults: &Expr| is_made_from_constants(defaults, names);
        Ok(Self {
            typename: value(arguments.typename)?,
            fields: value(arguments.fields)?,
            rename: or_absent(arguments.rename, Value::Bool(false))?,
            fresh_defaults: defaults.is_err() && arguments.defaults.is_some_and(is_fresh),
            defaults,
            module: or_absent(arguments.module, Value::None)?,
        })
    }

    fn typename(&self) -> Option<String> {
        self.typename.as_ref().ok().and_then(text)
    }

    /// `field_names` split at commas and white space when it is a string, else its elements as strings.
    fn fields(&self) -> Fields {
        match &self.fields {
            Err(_) => Fields::Dynamic,
            Ok(Value::Str(text)) => Fields::Listed(
                words(&text.replace(',', " "))
                    .map(|name| Some(name.to_owned()))
                    .collect(),
            ),
            Ok(Value::Set(_)) => Fields::Unordered,
            Ok(value) => match value.elements() {
                Elements::Known(elements) => Fields::Listed(elements.iter().map(text).collect()),
                Elements::Unordered => Fields::Unordered,
                Elements::Unknown => Fields::Unknown,
                Elements::NotIterable => Fields::Invalid(value.type_name()),
            },
        }
    }

    /// Whether `rename` holds, when that is known.
    fn renames(&self) -> Option<bool> {
        self.rename.as_ref().ok().and_then(Value::truth)
    }

    /// The names that the class will have, when they are known and valid.
    fn final_fields(&self, fields: &Fields) -> Option<Vec<String>> {
        let names = fields.names()?;
        if check_fields(&names).is_ok() {
            return Some(names);
        }
        (self.renames() == Some(true)).then(|| renamed(&names))
    }

    /// Why the call raises whatever the unknown arguments are.
    fn first_error(&self, typename: Option<&str>, fields: &Fields) -> Option<String> {
        if let Some(error) = typename.and_then(|typename| check_name(typename).err()) {
            return Some(error);
        }
        if let Fields::Invalid(kind) = fields {
            return Some(format!("field names cannot be of type {kind}"));
        }
        if let (Fields::Listed(names), Some(false)) = (fields, self.renames()) {
            let known: Vec<String> = names.iter().flatten().cloned().collect();
            if let Err(error) = check_fields(&known) {
                return Some(error);
            }
        }
        self.defaults_error(fields)
    }

    fn defaults_error(&self, fields: &Fields) -> Option<String> {
        let defaults = match &self.defaults {
            Ok(Value::None) | Err(_) => return None,
            Ok(defaults) => defaults,
        };
        match (defaults.elements(), fields) {
            (Elements::NotIterable, _) => Some(format!(
                "default values cannot be of type {}",
                defaults.type_name()
            )),
            (Elements::Known(defaults), Fields::Listed(names)) if defaults.len() > names.len() => {
                Some("there are more default values than fields".to_owned())
            }
            _ => None,
        }
    }

    /// The verdict on a call that is not known to raise.
    fn verdict(&self, typename: Option<&str>, fields: &Fields) -> Verdict {
        if let Some(dynamic) = self.dynamic() {
            return dynamic;
        }
        if matches!(fields, Fields::Unordered) {
            return Verdict::Refused(SkipReason::SetFields);
        }
        if self.fresh_defaults {
            return Verdict::Refused(SkipReason::MutableDefault);
        }
        match self.key(typename, fields) {
            Ok(key) => Verdict::Valid(key),
            Err(reason) => Verdict::Refused(reason),
        }
    }

    /// The argument that makes the class differ from call to call.
    fn dynamic(&self) -> Option<Verdict> {
        [
            (Role::Fields, &self.fields),
            (Role::Typename, &self.typename),
            (Role::Defaults, &self.defaults),
            (Role::Rename, &self.rename),
            (Role::Module, &self.module),
        ]
        .into_iter()
        .filter(|(role, _)| *role != Role::Defaults || !self.fresh_defaults)
        .find_map(|(role, argument)| {
            let (range, why) = argument.as_ref().err()?;
            Some(Verdict::Dynamic {
                role,
                range: *range,
                why: why.clone(),
            })
        })
    }

    fn key(&self, typename: Option<&str>, fields: &Fields) -> Result<MergeKey, SkipReason> {
        let unknown = SkipReason::ArgumentNotConstant;
        let typename = typename.ok_or(unknown)?.to_owned();
        self.final_fields(fields).ok_or(unknown)?;
        let names = fields.names().ok_or(unknown)?;
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

#[cfg(test)]
mod tests;
