//! Binding a call's arguments to a factory's parameters.

use rustpython_ast::{self as ast, Expr};

use super::parameter::{Parameter, ParameterKind, Role};
use super::rule::{OtherKeywords, Rule};
use super::skip_reason::SkipReason;

/// One argument of a factory call with its parameter.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The parameter.
    pub parameter: &'static Parameter,
    /// The argument.
    pub argument: &'a Expr,
}

/// The arguments of a factory call.
#[derive(Debug, Clone)]
pub struct FactoryArguments<'a> {
    given: Vec<Given<'a>>,
}

impl<'a> FactoryArguments<'a> {
    /// The argument with that role; the first of several.
    #[must_use]
    pub fn get(&self, role: Role) -> Option<Given<'a>> {
        self.iter().find(|given| given.parameter.role == role)
    }

    /// The given arguments, by the order of their roles.
    pub fn iter(&self) -> impl Iterator<Item = Given<'a>> {
        self.given.iter().copied()
    }
}

/// How a call's arguments meet the factory's parameters.
#[derive(Debug, Clone)]
pub enum BoundArguments<'a> {
    /// Each argument has its parameter.
    Bound(FactoryArguments<'a>),
    /// Star arguments: what is passed cannot be seen.
    Invisible,
    /// A form of the call that gets no fix.
    Refused(SkipReason),
    /// Always a `TypeError`; the clause says why.
    Raises(String),
}

/// Binds arguments to parameters as a call does (Language Reference, 6.3.4 "Calls").
#[must_use]
pub fn bind<'a>(arguments: &'a ast::Arguments, rule: &'static Rule) -> BoundArguments<'a> {
    let unpacks = |keyword: &ast::Keyword| keyword.arg.is_none();
    if arguments.args.iter().any(Expr::is_starred_expr) || arguments.keywords.iter().any(unpacks) {
        return BoundArguments::Invisible;
    }
    let positional = rule.positional().count();
    if let Some(extra) = arguments.args.len().checked_sub(positional + 1) {
        return match rule.other_keywords {
            _ if extra < rule.legacy_positional.len() => {
                BoundArguments::Refused(SkipReason::VerboseArgument)
            }
            OtherKeywords::NotUnderstood => {
                BoundArguments::Refused(SkipReason::ArgumentNotUnderstood)
            }
            _ => BoundArguments::Raises("it has too many positional arguments".to_owned()),
        };
    }
    match bind_visible(arguments, rule) {
        Ok(arguments) => BoundArguments::Bound(arguments),
        Err(Unbound::Refused(reason)) => BoundArguments::Refused(reason),
        Err(Unbound::Raises(why)) => BoundArguments::Raises(why),
    }
}

enum Unbound {
    Refused(SkipReason),
    Raises(String),
}

fn bind_visible<'a>(
    arguments: &'a ast::Arguments,
    rule: &'static Rule,
) -> Result<FactoryArguments<'a>, Unbound> {
    let positional = rule.positional().zip(&arguments.args);
    let mut given: Vec<Given<'a>> = positional
        .map(|(parameter, argument)| Given {
            parameter,
            argument,
        })
        .collect();
    let mut refused = None;
    for keyword in &arguments.keywords {
        match bind_keyword(keyword, rule, &given) {
            Ok(bound) => given.push(bound),
            Err(Unbound::Refused(reason)) => refused = Some(reason),
            Err(raises) => return Err(raises),
        }
    }
    // Older Pythons took some positional parameters by name.
    let is_named = |name: &str| {
        let mut keywords = arguments.keywords.iter();
        refused.is_some() && keywords.any(|keyword| keyword.arg.as_deref() == Some(name))
    };
    let is_given = |parameter: &Parameter| {
        is_named(&parameter.name)
            || given
                .iter()
                .any(|given| given.parameter.name == parameter.name)
    };
    let mut required = rule
        .parameters
        .iter()
        .filter(|parameter| parameter.required);
    if !required.all(is_given) {
        return Err(Unbound::Raises("an argument is missing".to_owned()));
    }
    if let Some(reason) = refused {
        return Err(Unbound::Refused(reason));
    }
    given.sort_by_key(|given| given.parameter.role);
    Ok(FactoryArguments { given })
}

fn bind_keyword<'a>(
    keyword: &'a ast::Keyword,
    rule: &'static Rule,
    given: &[Given<'a>],
) -> Result<Given<'a>, Unbound> {
    let name = keyword.arg.as_ref().map_or("", |name| name.as_str());
    let takes = |parameter: &&Parameter| {
        parameter.name == name && parameter.kind != ParameterKind::PositionalOnly
    };
    let Some(parameter) = rule.parameters.iter().find(takes) else {
        return Err(match rule.other_keywords {
            OtherKeywords::Error => Unbound::Raises(format!("there is no parameter `{name}`")),
            OtherKeywords::Fields => Unbound::Refused(SkipReason::KeywordFields),
            OtherKeywords::NotUnderstood => Unbound::Refused(SkipReason::ArgumentNotUnderstood),
        });
    };
    if given.iter().any(|given| given.parameter.name == name) {
        return Err(Unbound::Raises(format!("`{name}` is passed twice")));
    }
    Ok(Given {
        parameter,
        argument: &keyword.value,
    })
}
