//! Calls of builtins and of string methods on known values.

use rustpython_ast::{self as ast, Expr};

use super::evaluator::{Evaluated, Evaluator, Stop, text_value};
use super::value::{Elements, Value};

/// The longest string that is joined.
const LONGEST: usize = 100_000;

impl Evaluator<'_> {
    /// `len`, `list`, `tuple` and `sorted` of a known value, `str.split`, `str.join`, and `list()`,
    /// `set()`, `dict()`, `tuple()` without arguments.
    pub(super) fn call(&self, call: &ast::ExprCall) -> Evaluated {
        let dynamic = || Err(Stop::dynamic(call, "a call is made at run time"));
        let arguments = &*call.arguments.args;
        if !call.arguments.keywords.is_empty() || arguments.iter().any(Expr::is_starred_expr) {
            return dynamic();
        }
        match (&*call.func, arguments) {
            (Expr::Attribute(method), arguments) => match (method.attr.as_str(), arguments) {
                ("split", arguments) => self.split(call, &method.value, arguments),
                ("join", [argument]) => self.join(call, &method.value, argument),
                _ => dynamic(),
            },
            (Expr::Name(name), arguments) if self.names.is_builtin(name) => {
                match (name.id.as_str(), arguments) {
                    ("list", []) => Ok(Value::List(vec![])),
                    ("set", []) => Ok(Value::Set(vec![])),
                    ("dict", []) => Ok(Value::Dict(vec![])),
                    ("tuple", []) => Ok(Value::Tuple(vec![])),
                    ("len", [argument]) => self.length(argument),
                    ("list", [argument]) => self.elements(argument).map(Value::List),
                    ("tuple", [argument]) => self.elements(argument).map(Value::Tuple),
                    ("sorted", [argument]) => self.sorted(argument),
                    _ => dynamic(),
                }
            }
            _ => dynamic(),
        }
    }

    fn length(&self, argument: &Expr) -> Evaluated {
        let value = self.value(argument)?;
        let length = value
            .length()
            .and_then(|length| i128::try_from(length).ok());
        match length {
            Some(length) => Ok(Value::Int(length)),
            None => Err(Stop::dynamic(argument, "its length is not known")),
        }
    }

    /// What iterating over the argument gives.
    fn elements(&self, argument: &Expr) -> Evaluated<Vec<Value>> {
        let value = self.value(argument)?;
        match value.elements() {
            Elements::Known(elements) => Ok(elements),
            Elements::Unordered => Err(Stop::dynamic(argument, "its order is not known")),
            Elements::Unknown => Err(Stop::dynamic(argument, "its elements are not known")),
            Elements::NotIterable => Err(Stop::Raises(format!(
                "a value of type {} has no elements",
                value.type_name()
            ))),
        }
    }

    /// The list of strings in the order of their code points, in which CPython compares them.
    fn sorted(&self, argument: &Expr) -> Evaluated {
        let (elements, is_set) = match self.value(argument)? {
            Value::Set(elements) => (elements, true),
            _ => (self.elements(argument)?, false),
        };
        let text = |value: Value| match value {
            Value::Str(text) => Some(text),
            _ => None,
        };
        let texts: Option<Vec<String>> = elements.into_iter().map(text).collect();
        let Some(mut texts) = texts else {
            return Err(Stop::dynamic(argument, "its order is not known"));
        };
        texts.sort();
        if is_set {
            texts.dedup();
        }
        Ok(Value::List(texts.into_iter().map(Value::Str).collect()))
    }

    /// `str.join` of known strings.
    fn join(&self, call: &ast::ExprCall, receiver: &Expr, argument: &Expr) -> Evaluated {
        let Value::Str(separator) = self.value(receiver)? else {
            return Err(Stop::dynamic(call, "a call is made at run time"));
        };
        let mut joined = String::new();
        for (at, element) in self.elements(argument)?.into_iter().enumerate() {
            match element {
                Value::Str(text) => {
                    if at > 0 {
                        joined.push_str(&separator);
                    }
                    joined.push_str(&text);
                }
                Value::Opaque(_) => {
                    return Err(Stop::dynamic(argument, "its elements are not known"));
                }
                other => {
                    let kind = other.type_name();
                    return Err(Stop::Raises(format!(
                        "a value of type {kind} cannot be joined"
                    )));
                }
            }
            if joined.len() > LONGEST {
                return Err(Stop::dynamic(call, "it is too large to be computed"));
            }
        }
        Ok(Value::Str(joined))
    }

    /// `str.split` with no separator or a constant one.
    fn split(&self, call: &ast::ExprCall, receiver: &Expr, arguments: &[Expr]) -> Evaluated {
        let separator = match arguments {
            [] => Value::None,
            [separator] => self.value(separator)?,
            _ => return Err(Stop::dynamic(call, "a call is made at run time")),
        };
        match (self.value(receiver)?, separator) {
            (Value::Str(text), Value::None) => {
                Ok(Value::List(words(&text).map(text_value).collect()))
            }
            (Value::Str(_), Value::Str(separator)) if separator.is_empty() => {
                Err(Stop::Raises("the separator is empty".to_owned()))
            }
            (Value::Str(text), Value::Str(separator)) => Ok(Value::List(
                text.split(separator.as_str()).map(text_value).collect(),
            )),
            _ => Err(Stop::dynamic(call, "a call is made at run time")),
        }
    }
}

/// The words of `text` as `str.split()` finds them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Whether `str.isspace()` holds: white space, or one of the four separators U+001C to U+001F
/// (CPython, `Objects/unicodetype_db.h`).
fn is_space(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}
