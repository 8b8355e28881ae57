//! What each promised definition makes: judged anew from its text, and held against the promise.

use rustpython_ast::{self as ast, AnyNodeRef, Expr};
use rustpython_text_size::Ranged;

use super::VerificationFailure;
use super::evidence::{Evidence, Located, Side, is_plain_target};
use super::merged::qualified;
use super::observers::fail;
use crate::python::NodeId;
use crate::python::constant::{Evaluation, Meaning, Names, Value, evaluate};
use crate::python::semantic::{Resolution, ScopeId};
use crate::rule::{Factory, Instances, judge, registry};
use crate::text::TextSize;

/// Names that are defined in terms of each other are followed this far.
const MAX_DEPTH: usize = 8;

/// Attributes of every class that show only what it is called.
const NAMES: [&str; 4] = ["__name__", "__qualname__", "__module__", "__doc__"];

/// The class of one definition.
pub(super) struct Made {
    pub(super) factory: Factory,
    fields: Vec<String>,
    /// The attributes of the class that show nothing of its identity, besides those of its rule.
    pub(super) attributes: Vec<String>,
}

impl Made {
    /// The class that the definition's call in the patched text makes.
    pub(super) fn new(side: &Side<'_>, factory: Factory, located: &Located<'_>) -> Self {
        let literals = Literals { side, depth: 0 };
        let call = located.statement.value.as_call_expr();
        let judgement = call.map(|call| judge(call, factory, &literals));
        let (fields, attributes) = judgement.map_or_else(Default::default, |judgement| {
            (judgement.fields, judgement.attributes)
        });
        Self {
            factory,
            fields: fields.unwrap_or_default(),
            attributes,
        }
    }

    /// Whether the class has members that exist once.
    pub(super) fn has_members(&self) -> bool {
        self.factory.rule.instances == Instances::MembersByIdentity
    }

    /// Whether an instance or member of one class is told from that of another.
    pub(super) fn instances_tell(&self) -> bool {
        self.has_members() || self.factory.rule.instances == Instances::ByClass
    }

    /// Whether reading the attribute of the class shows nothing of its identity.
    pub(super) fn shows_nothing(&self, attribute: &str) -> bool {
        let is = |name: &String| name == attribute;
        NAMES.contains(&attribute)
            || self.factory.rule.harmless_attributes.iter().any(is)
            || self.attributes.iter().any(is)
    }

    /// Whether the attribute of an instance is a field of it.
    pub(super) fn is_field(&self, attribute: &str) -> bool {
        let is = |name: &String| name == attribute;
        self.fields.iter().any(is) && !self.attributes.iter().any(is)
    }
}

/// Checks that each definition calls the factory that the promise names, and that none of a factory
/// whose classes are never shared stands for two calls or for one that was there before.
///
/// # Errors
/// Returns the first definition that does not.
pub(super) fn prove(evidence: &Evidence<'_>) -> Result<(), VerificationFailure> {
    for (number, definition) in evidence.promise.definitions.iter().enumerate() {
        let rule = definition.factory.rule;
        let is_shared = definition.reused.is_some() || evidence.sites(number).count() != 1;
        if is_shared && !rule.shares_definitions {
            let message = format!("`{}` is not the class of one call", definition.name);
            return Err(fail(message, TextSize::default()));
        }
        let Some(located) = evidence.located.get(number).and_then(Option::as_ref) else {
            continue;
        };
        let callee = located.statement.value.as_call_expr();
        let name = callee.and_then(|call| factory_name(&evidence.patched, &call.func));
        if name.is_some_and(|name| !rule.factories.contains(&name)) {
            let message = format!("`{}` calls another factory", definition.name);
            return Err(fail(message, located.statement.start()));
        }
    }
    Ok(())
}

/// The names of a module: what single assignments of constants at its top level say, and no more.
struct Literals<'e, 'a> {
    side: &'e Side<'a>,
    depth: usize,
}

impl<'e> Literals<'e, '_> {
    /// The value of the only assignment to the name, when that stands at the top level.
    fn value(&self, name: &ast::ExprName) -> Option<&'e Expr> {
        let side = self.side;
        let [only] = side.model.bindings_of(ScopeId::MODULE, &name.id) else {
            return None;
        };
        let binding = side.model.binding(*only);
        let statement = side.nodes.statement(binding.node);
        let at_top = side.nodes.parent(statement) == Some(NodeId::MODULE);
        if !at_top || binding.bound_in != ScopeId::MODULE || self.depth > MAX_DEPTH {
            return None;
        }
        match side.nodes.get(statement) {
            AnyNodeRef::StmtAssign(assign) if is_plain_target(assign, &name.id) => {
                Some(&assign.value)
            }
            AnyNodeRef::StmtAnnAssign(assign) => assign.value.as_deref(),
            _ => None,
        }
    }

    fn inner(&self) -> Self {
        Self {
            side: self.side,
            depth: self.depth + 1,
        }
    }

    /// The fields of the namedtuple that the name is bound to.
    fn fields_of(&self, name: &ast::ExprName) -> Option<Value> {
        let call = self.value(name)?.as_call_expr()?;
        let factory = factory_called(self.side, call)?;
        if !factory.rule.makes_namedtuples() {
            return None;
        }
        let fields = judge(call, factory, &self.inner()).fields?;
        Some(Value::Tuple(fields.into_iter().map(Value::Str).collect()))
    }
}

/// The qualified name of the callee as rules spell it: a builtin's without its module; `None` for one
/// that a relative import brings, which the text alone does not tell.
fn factory_name(side: &Side<'_>, callee: &Expr) -> Option<String> {
    let name = qualified(side, callee)?;
    if name.starts_with('.') {
        return None;
    }
    Some(
        name.strip_prefix("builtins.")
            .map_or_else(|| name.clone(), str::to_owned),
    )
}

/// The built-in factory that the call calls, as its imports say.
pub(super) fn factory_called(side: &Side<'_>, call: &ast::ExprCall) -> Option<Factory> {
    let name = factory_name(side, &call.func)?;
    let mut factories = registry().ok()?.factories();
    factories.find(|factory| factory.name == name)
}

impl Names for Literals<'_, '_> {
    fn meaning(&self, name: &ast::ExprName) -> Meaning {
        let value = self.value(name);
        match value.map(|value| evaluate(value, &self.inner())) {
            Some(Evaluation::Constant(value)) => Meaning::Value(value),
            _ => Meaning::Opaque,
        }
    }

    fn attribute(&self, attribute: &ast::ExprAttribute) -> Meaning {
        let fields = match attribute.value.as_ref() {
            Expr::Name(name) if attribute.attr.as_str() == "_fields" => self.fields_of(name),
            _ => None,
        };
        fields.map_or(Meaning::Opaque, Meaning::Value)
    }

    fn is_builtin(&self, name: &ast::ExprName) -> bool {
        self.side.model.resolve(ScopeId::MODULE, &name.id) == Resolution::Unresolved
    }

    fn standard_name(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Name(name) if self.is_builtin(name) => Some(format!("builtins.{}", name.id)),
            _ => qualified(self.side, expr),
        }
    }
}
