//! Judging what a factory makes of a call's arguments.

mod values;

use rustpython_ast as ast;
use rustpython_text_size::{Ranged, TextRange};

use super::parameter::Role;
use super::registry::Factory;
use super::signature::{BoundArguments, FactoryArguments, bind};
use super::skip_reason::SkipReason;
use crate::python::constant::{Names, Value, reads_only_constants};
use values::Values;

/// What decides whether two calls can share one definition: equal exactly when they can, as far
/// as the arguments go that are not compared by their spelling. The factory is not part of it.
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
    /// The names of the class's further constant attributes.
    pub attributes: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judgement<'_> {
    fn unbound(verdict: Verdict) -> Self {
        Self {
            arguments: None,
            typename: None,
            fields: None,
            attributes: vec![],
            verdict,
        }
    }
}

/// Judges a call of the factory; `names` knows what names mean where it stands.
#[must_use]
pub fn judge<'a>(call: &'a ast::ExprCall, factory: Factory, names: &dyn Names) -> Judgement<'a> {
    let arguments = match bind(&call.arguments, factory.rule) {
        BoundArguments::Bound(arguments) => arguments,
        BoundArguments::Invisible => return Judgement::unbound(Verdict::Invisible),
        BoundArguments::Refused(SkipReason::VerboseArgument) => {
            return Judgement::unbound(Verdict::Refused(SkipReason::VerboseArgument));
        }
        BoundArguments::Refused(reason) => {
            let dynamic = dynamic_argument(&call.arguments, names);
            return Judgement::unbound(dynamic.unwrap_or(Verdict::Refused(reason)));
        }
        BoundArguments::Raises(why) => return Judgement::unbound(Verdict::Raises(why)),
    };
    let values = match Values::of(&arguments, factory, names) {
        Ok(values) => values,
        Err(why) => return Judgement::unbound(Verdict::Raises(why)),
    };
    let typename = values.typename();
    let verdict = match values.first_error(typename.as_deref()) {
        Some(why) => Verdict::Raises(why),
        None => values.verdict(typename.as_deref()),
    };
    Judgement {
        arguments: Some(arguments),
        fields: values.final_fields(),
        attributes: values.attributes,
        typename,
        verdict,
    }
}

/// The first argument that may differ from call to call, in a call whose arguments have no parameters.
fn dynamic_argument(arguments: &ast::Arguments, names: &dyn Names) -> Option<Verdict> {
    let keywords = arguments.keywords.iter().map(|keyword| &keyword.value);
    let mut all = arguments.args.iter().chain(keywords);
    let first = all.find(|argument| !reads_only_constants(argument, names))?;
    Some(Verdict::Dynamic {
        role: Role::Fields,
        range: first.range(),
        why: RUN_TIME.to_owned(),
    })
}

/// Why an argument is dynamic whose parts are not looked at.
const RUN_TIME: &str = "it is known only at run time";

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_factories;
