//! BoundArguments a call's arguments to a factory's parameters.

use rustpython_ast::{self as ast, Expr};

use super::rule::{Parameter, Role, Rule};

/// The arguments of a factory call by role.
#[derive(Debug, Clone, Copy)]
pub struct FactoryArguments<'a> {
    /// The class's name.
    pub typename: &'a Expr,
    /// The names of its fields.
    pub fields: &'a Expr,
    /// The default values.
    pub defaults: Option<&'a Expr>,
    /// Whether unusable field names are replaced.
    pub rename: Option<&'a Expr>,
    /// The class's `__module__`.
    pub module: Option<&'a Expr>,
}

impl<'a> FactoryArguments<'a> {
    /// The given arguments with their roles; typename and fields first.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &'a Expr)> + use<'a> {
        [
            (Role::Typename, Some(self.typename)),
            (Role::Fields, Some(self.fields)),
            (Role::Rename, self.rename),
            (Role::Defaults, self.defaults),
            (Role::Module, self.module),
        ]
        .into_iter()
        .filter_map(|(role, argument)| argument.map(|argument| (role, argument)))
    }
}

/// How a call's arguments meet the factory's parameters.
#[derive(Debug, Clone)]
pub enum BoundArguments<'a> {
    /// Each argument has its parameter.
    Bound(FactoryArguments<'a>),
    /// Star arguments: what is passed cannot be seen.
    Invisible,
    /// More positional arguments than today's Python takes, as an older one did.
    Legacy,
    /// Always a `TypeError`; the clause says why.
    Raises(String),
}

/// Binds arguments to parameters as a call does (Language Reference, 6.3.4 "Calls").
#[must_use]
pub fn bind<'a>(arguments: &'a ast::Arguments, rule: &Rule) -> BoundArguments<'a> {
    let unpacks = |keyword: &ast::Keyword| keyword.arg.is_none();
    if arguments.args.iter().any(Expr::is_starred_expr) || arguments.keywords.iter().any(unpacks) {
        return BoundArguments::Invisible;
    }
    let positional = rule.positional().count();
    if let Some(extra) = arguments.args.len().checked_sub(positional + 1) {
        return if extra < rule.legacy_positional.len() {
            BoundArguments::Legacy
        } else {
            BoundArguments::Raises("it has too many positional arguments".to_owned())
        };
    }
    match bind_visible(arguments, rule) {
        Ok(arguments) => BoundArguments::Bound(arguments),
        Err(why) => BoundArguments::Raises(why),
    }
}

fn bind_visible<'a>(
    arguments: &'a ast::Arguments,
    rule: &Rule,
) -> Result<FactoryArguments<'a>, String> {
    let mut bound: Vec<(&Parameter, &Expr)> = rule.positional().zip(&arguments.args).collect();
    for keyword in &arguments.keywords {
        bound.push(bind_keyword(keyword, rule, &bound)?);
    }
    let given = |role| {
        bound
            .iter()
            .find(|(parameter, _)| parameter.role == role)
            .map(|(_, argument)| *argument)
    };
    let (Some(typename), Some(fields)) = (given(Role::Typename), given(Role::Fields)) else {
        return Err("an argument is missing".to_owned());
    };
    Ok(FactoryArguments {
        typename,
        fields,
        defaults: given(Role::Defaults),
        rename: given(Role::Rename),
        module: given(Role::Module),
    })
}

fn bind_keyword<'r, 'a>(
    keyword: &'a ast::Keyword,
    rule: &'r Rule,
    bound: &[(&Parameter, &Expr)],
) -> Result<(&'r Parameter, &'a Expr), String> {
    let name = keyword.arg.as_ref().map_or("", |name| name.as_str());
    let parameter = rule
        .parameters
        .iter()
        .find(|parameter| parameter.name == name)
        .ok_or_else(|| format!("there is no parameter `{name}`"))?;
    if bound.iter().any(|(taken, _)| taken.name == parameter.name) {
        return Err(format!("`{name}` is passed twice"));
    }
    Ok((parameter, &keyword.value))
}
