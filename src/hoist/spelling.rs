//! How a call is spelled, as far as one spelling cannot stand for another without computing.

use rustpython_ast::{AnyNodeRef, Expr};
use rustpython_text_size::Ranged;

use super::eligibility::Literal;
use super::factory::FactoryUse;
use super::module::Module;
use crate::python::tokens::starting_in;
use crate::rule::{FactoryArguments, Role};

/// What the spelling of a call consists of.
#[derive(Debug, Clone, Copy)]
pub struct Spelling<'s, 'a> {
    /// How the callee reaches its factory.
    pub factory: &'s FactoryUse,
    /// The arguments, when they can be bound.
    pub arguments: Option<&'s FactoryArguments<'a>>,
    /// The names in the arguments that are replaced by their literals.
    pub literals: &'s [Literal],
}

impl Spelling<'_, '_> {
    /// The words of it that must be equal for two calls to share a definition.
    ///
    /// A literal typename and literal field names are left out, as their values tell. All else
    /// counts token by token, and so does a name of the factory that more than one import makes.
    #[must_use]
    pub fn words(&self, module: &Module<'_>) -> Vec<String> {
        let factory = (!self.factory.is_single_import(module))
            .then(|| module.slice(module.nodes.range(self.factory.root)));
        let arguments = self.arguments.into_iter().flat_map(FactoryArguments::iter);
        let computed = arguments.filter(|given| match given.parameter.role {
            Role::Typename => !given.argument.is_string_literal_expr(),
            Role::Fields => !self.is_literal_list(module, given.argument),
            _ => true,
        });
        let tokens = computed.flat_map(|given| {
            let range = module.nodes.range(module.nodes.id(given.argument));
            let tokens = starting_in(module.tokens, range).iter();
            tokens.filter(|token| !token.kind().is_trivia())
        });
        let tokens = tokens.map(|token| module.slice(token.range()));
        factory
            .into_iter()
            .chain(tokens)
            .map(str::to_owned)
            .collect()
    }

    /// A string, a list or tuple of strings, or a name that always is one.
    fn is_literal_list(&self, module: &Module<'_>, fields: &Expr) -> bool {
        let elements = match fields {
            Expr::List(list) => &list.elts,
            Expr::Tuple(tuple) => &tuple.elts,
            Expr::Name(name) => {
                let mut literals = self.literals.iter();
                let literal = literals.find(|literal| literal.name == name.range);
                return literal.is_some_and(|literal| match module.nodes.get(literal.value) {
                    AnyNodeRef::ExprList(list) => all_strings(&list.elts),
                    AnyNodeRef::ExprTuple(tuple) => all_strings(&tuple.elts),
                    AnyNodeRef::ExprStringLiteral(_) => true,
                    _ => false,
                });
            }
            _ => return fields.is_string_literal_expr(),
        };
        all_strings(elements)
    }
}

fn all_strings(elements: &[Expr]) -> bool {
    elements.iter().all(Expr::is_string_literal_expr)
}
