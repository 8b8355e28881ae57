//! What the names in a call's arguments mean, and whether they mean the same at module level.

mod mutation;
mod standard_name;

pub use standard_name::{has_newer_type, newest_type};

use rustpython_ast::{self as ast, AnyNodeRef, Expr, ExprRef};

use super::factory;
use super::facts::LateFacts;
use super::module::Module;
use crate::python::constant::{Elements, Evaluation, Meaning, Names, Value, evaluate};
use crate::python::semantic::{BindingId, BindingKind, Resolution, ScopeId, ScopeKind};
use crate::python::{NodeId, flow};
use crate::rule::{Factory, Verdict, judge};

/// What a name in a call's arguments stands for.
#[derive(Debug, Clone)]
pub enum Role<'a> {
    /// A builtin that the module does not bind, or `__name__`.
    Builtin,
    /// A module-level name bound once; its value when it is known.
    ModuleConstant(BindingId, Option<Value>),
    /// A local bound once to a literal and never changed.
    LocalLiteral(Value, &'a Expr),
    /// Anything else, and why.
    Dynamic(&'static str),
}

/// The names of one call's arguments.
#[derive(Debug, Clone, Copy)]
pub struct CallNames<'m, 'a> {
    /// The module.
    pub module: &'m Module<'a>,
    /// What is true of it as a whole.
    pub facts: &'m LateFacts<'a>,
    /// The factory that is called; `_fields` of its classes are constants.
    pub factory: Factory,
    /// The factory call.
    pub call: NodeId,
    /// How many definitions deep `_fields` was followed.
    pub depth: usize,
}

/// `B._fields` of a class made from `C._fields` and so on is followed this far.
const MAX_DEPTH: usize = 8;

/// The builtins that some CPython from 3.8 up lacks, or that only `gettext` or Windows has: a
/// definition that reads one would fail the import where the call alone failed.
const NOT_EVERYWHERE: [&str; 9] = [
    "BaseExceptionGroup",
    "EncodingWarning",
    "ExceptionGroup",
    "PythonFinalizationError",
    "WindowsError",
    "_",
    "_IncompleteInputError",
    "aiter",
    "anext",
];

/// Module attributes that are the same object in a function and at module level.
const MODULE_ATTRIBUTES: [&str; 1] = ["__name__"];

impl<'a> CallNames<'_, 'a> {
    /// What `name` stands for.
    #[must_use]
    pub fn role(&self, name: &'a ast::ExprName) -> Role<'a> {
        let module = self.module;
        let Some((scope, bindings)) = module.bindings(name) else {
            return unbound_role(name.id.as_str());
        };
        if scope == ScopeId::MODULE {
            return self.module_role(bindings);
        }
        match (bindings, module.model.scope(scope).kind) {
            ([only], ScopeKind::Function | ScopeKind::Lambda) => self.local_role(*only),
            ([_], _) => Role::Dynamic("is bound in a class or comprehension"),
            _ => Role::Dynamic("is bound more than once"),
        }
    }

    fn module_role(&self, bindings: &[BindingId]) -> Role<'a> {
        let [only] = bindings else {
            return Role::Dynamic("is bound more than once in the module");
        };
        let statement = self.module.binding_statement(*only);
        let bound = self.module.model.binding(*only);
        let at_top = self.module.nodes.parent(statement) == Some(NodeId::MODULE);
        if !at_top || bound.bound_in != ScopeId::MODULE {
            return Role::Dynamic("is not bound at the top level of the module");
        }
        if self.facts.is_named_in_string(&bound.name) {
            return Role::Dynamic("may be bound by code in a string");
        }
        let is_plain = matches!(
            bound.kind,
            BindingKind::Assignment
                | BindingKind::AnnotatedAssignment
                | BindingKind::Import(_)
                | BindingKind::FromImport(_)
                | BindingKind::FunctionDefinition
                | BindingKind::ClassDefinition
        );
        if !is_plain {
            return Role::Dynamic("is not bound by a plain statement");
        }
        Role::ModuleConstant(*only, self.module_value(*only))
    }

    /// The value of a module-level name bound once, unless it can be changed in place.
    fn module_value(&self, binding: BindingId) -> Option<Value> {
        if let Some(known) = self.facts.values.borrow().get(&binding) {
            return known.clone();
        }
        // A name that is defined in terms of itself has no known value.
        self.facts.values.borrow_mut().insert(binding, None);
        let value =
            constant_value(self.module, binding).and_then(|expr| match evaluate(expr, self) {
                Evaluation::Constant(value) if !value.is_fresh_mutable() => Some(value),
                _ => None,
            });
        self.facts
            .values
            .borrow_mut()
            .insert(binding, value.clone());
        value
    }

    fn local_role(&self, binding: BindingId) -> Role<'a> {
        let Some(value) = constant_value(self.module, binding) else {
            return Role::Dynamic("is a parameter or not bound by a plain assignment");
        };
        let statement = self.module.binding_statement(binding);
        if !flow::dominates(self.module.nodes, statement, self.call) {
            return Role::Dynamic("may not be bound yet");
        }
        if names_in(self.module, self.module.nodes.id(value))
            .next()
            .is_some()
        {
            return Role::Dynamic("is bound to a value that reads other names");
        }
        match evaluate(value, self) {
            Evaluation::Constant(known) => {
                let scope = self.module.model.binding(binding).scope;
                let is_seen = || self.facts.reflection.observes_locals(self.module, scope);
                if known.is_fresh_mutable() && (is_seen() || self.may_be_changed(binding)) {
                    return Role::Dynamic("is a list that may be changed");
                }
                Role::LocalLiteral(known, value)
            }
            _ => Role::Dynamic("is bound to a value that is not constant"),
        }
    }

    /// The value of a local whose literal calls builtins, when it holds objects made anew each time,
    /// as `(None, set())` does. Such a value cannot move, but is known.
    fn fresh_elements(&self, name: &'a ast::ExprName) -> Option<Value> {
        let module = self.module;
        let (scope, [only]) = module.bindings(name)? else {
            return None;
        };
        let value = constant_value(module, *only)?;
        let mut read = names_in(module, module.nodes.id(value));
        let is_known = scope != ScopeId::MODULE
            && read.all(|name| module.bindings(name).is_none())
            && flow::dominates(module.nodes, module.binding_statement(*only), self.call);
        let Evaluation::Constant(known) = is_known.then(|| evaluate(value, self))? else {
            return None;
        };
        let holds_fresh = match known.elements() {
            Elements::Known(elements) => elements.iter().any(Value::is_fresh_mutable),
            _ => false,
        };
        (holds_fresh && !self.may_be_changed(*only)).then_some(known)
    }

    /// The field names of the class that `name` stands for, when it is bound once to a call of the
    /// factory with constant fields, at module level or in the same function.
    fn fields_of(&self, name: &'a ast::ExprName) -> Option<Vec<String>> {
        if self.facts.replaces_attribute("_fields") {
            return None;
        }
        let call = self.class_call(name)?;
        let expr = self.module.nodes.get(call).as_expr_ref()?;
        let ExprRef::Call(expr) = expr else {
            return None;
        };
        let names = CallNames {
            call,
            depth: self.depth + 1,
            ..*self
        };
        let found = factory::resolve_any(self.module, &expr.func)?.factory;
        if !found.rule.makes_namedtuples() {
            return None;
        }
        let judgement = judge(expr, found, &names);
        matches!(judgement.verdict, Verdict::Valid(_))
            .then_some(judgement.fields)
            .flatten()
    }

    /// The factory call that `name` is bound to once, where it always runs before this call.
    #[must_use]
    pub fn class_call(&self, name: &'a ast::ExprName) -> Option<NodeId> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        let (scope, bindings) = self.module.bindings(name)?;
        let [only] = bindings else { return None };
        let value = constant_value(self.module, *only)?;
        let call = value.as_call_expr()?;
        let id = self.module.nodes.id(call);
        let found = factory::resolve_any(self.module, &call.func)?;
        let statement = self.module.binding_statement(*only);
        let placed = if scope == ScopeId::MODULE {
            self.module.nodes.parent(statement) == Some(NodeId::MODULE)
        } else {
            flow::dominates(self.module.nodes, statement, self.call)
        };
        (found.certain && placed && id != self.call).then_some(id)
    }
}

impl Names for CallNames<'_, '_> {
    fn is_builtin(&self, name: &ast::ExprName) -> bool {
        self.module.resolution(name) == Resolution::Unresolved && super::name::is_builtin(&name.id)
    }

    fn meaning(&self, name: &ast::ExprName) -> Meaning {
        let AnyNodeRef::ExprName(name) = self.module.nodes.get(self.module.nodes.id(name)) else {
            return Meaning::Dynamic("is not a name of the module".into());
        };
        match self.role(name) {
            Role::Builtin | Role::ModuleConstant(_, None) => Meaning::Opaque,
            Role::ModuleConstant(_, Some(value)) | Role::LocalLiteral(value, _) => {
                Meaning::Value(value)
            }
            // The definition of the other class is hoisted along, and goes before this one.
            Role::Dynamic(_) if self.class_call(name).is_some() => Meaning::Opaque,
            Role::Dynamic(why) => match self.fresh_elements(name) {
                Some(value) => Meaning::Value(value),
                None => Meaning::Dynamic(format!("`{}` {why}", name.id)),
            },
        }
    }

    fn standard_name(&self, expr: &Expr) -> Option<String> {
        standard_name::standard_name(self.module, expr)
    }

    fn attribute(&self, attribute: &ast::ExprAttribute) -> Meaning {
        let AnyNodeRef::ExprAttribute(attribute) =
            self.module.nodes.get(self.module.nodes.id(attribute))
        else {
            return Meaning::Dynamic("is not an attribute of the module".into());
        };
        let fields = (attribute.attr.as_str() == "_fields")
            .then(|| attribute.value.as_name_expr())
            .flatten()
            .and_then(|name| self.fields_of(name));
        match fields {
            Some(fields) => {
                Meaning::Value(Value::Tuple(fields.into_iter().map(Value::Str).collect()))
            }
            None => Meaning::Dynamic(format!("`{}` is read from an object", attribute.attr)),
        }
    }
}

fn unbound_role<'a>(name: &str) -> Role<'a> {
    if NOT_EVERYWHERE.contains(&name) {
        Role::Dynamic("is no builtin of every Python 3")
    } else if super::name::is_builtin(name) || MODULE_ATTRIBUTES.contains(&name) {
        Role::Builtin
    } else {
        Role::Dynamic("is not bound in the module")
    }
}

/// The value of a plain or annotated `name = value`, when that is what the binding is.
fn constant_value<'a>(module: &Module<'a>, binding: BindingId) -> Option<&'a Expr> {
    let bound = module.model.binding(binding);
    match (&bound.kind, module.parent(bound.node).1) {
        (BindingKind::AnnotatedAssignment, AnyNodeRef::StmtAnnAssign(assign)) => {
            assign.value.as_deref()
        }
        _ => factory::assigned_value(module, binding),
    }
}

/// The `Name` nodes at or below `node`.
pub fn names_in<'a>(
    module: &Module<'a>,
    node: NodeId,
) -> impl Iterator<Item = &'a ast::ExprName> + use<'a> {
    let nodes = module.nodes;
    nodes.subtree(node).filter_map(|id| match nodes.get(id) {
        AnyNodeRef::ExprName(name) => Some(name),
        _ => None,
    })
}
