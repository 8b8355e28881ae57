//! Constant attribute writes that belong to a definition: `X.__doc__ = "…"` directly after it.

use rustpython_ast::{self as ast, AnyNodeRef, Expr, Stmt};

use super::constants::{CallNames, Role, names_in};
use super::eligibility::Literal;
use super::factory;
use super::inquiry::Inquiry;
use super::module::Module;
use super::place::Read;
use super::site::Site;
use crate::python::constant::{Evaluation, Meaning, Names, Value, evaluate};
use crate::python::semantic::{Binding, ReferenceId, Resolution, ScopeId};
use crate::python::{NodeId, flow};

/// The writes that directly follow the assignment of the site's class to a plain name, in order.
#[must_use]
pub fn following<'a>(inquiry: &Inquiry<'_, 'a>, site: &Site<'a>) -> Vec<NodeId> {
    let module = inquiry.module;
    if !site.rule().makes_namedtuples() {
        return vec![];
    }
    let AnyNodeRef::StmtAssign(assign) = module.parent(site.call).1 else {
        return vec![];
    };
    let [Expr::Name(target)] = assign.targets.as_slice() else {
        return vec![];
    };
    if !is_ever_written(inquiry, target) {
        return vec![];
    }
    let Some((suite, at)) = flow::suite_of(module.nodes, module.nodes.id(assign)) else {
        return vec![];
    };
    let writer = Writer {
        names: &call_names(inquiry, site),
        target,
        fields: site.judgement.fields.as_deref().unwrap_or_default(),
    };
    suite
        .iter()
        .skip(at + 1)
        .take_while(|statement| writer.is_write(statement) || writer.is_apart(statement))
        .filter(|statement| writer.is_write(statement))
        .map(|statement| module.nodes.id(statement))
        .collect()
}

/// Whether an attribute of what the name is bound to is written anywhere. Most classes are never
/// written to, and a row of them is not looked through for each.
fn is_ever_written<'a>(inquiry: &Inquiry<'_, 'a>, target: &'a ast::ExprName) -> bool {
    let Module { nodes, model, .. } = *inquiry.module;
    let Some(binding) = model.binding_at(nodes.id(target)) else {
        return false;
    };
    let Binding { scope, name, .. } = model.binding(binding);
    let is_written = |reference: &ReferenceId| {
        let mut above = nodes
            .ancestors(model.reference(*reference).node)
            .map(|id| nodes.get(id));
        let written = above.find_map(|node| match node {
            AnyNodeRef::ExprAttribute(attribute) if attribute.ctx.is_load() => None,
            AnyNodeRef::ExprAttribute(_) => Some(true),
            _ => Some(false),
        });
        written == Some(true)
    };
    let of_all = model.bindings_of(*scope, name).first();
    let look = || model.references_to(*scope, name).iter().any(is_written);
    let followed = &inquiry.facts.followed;
    followed.is_written(*of_all.unwrap_or(&binding), look)
}

/// What the names in the moved writes become at module level, besides the class itself: locals that
/// are replaced by their literals, and module names that are read.
#[must_use]
pub fn names<'a>(
    inquiry: &Inquiry<'_, 'a>,
    site: &Site<'a>,
    writes: &[NodeId],
) -> (Vec<Literal>, Vec<Read>) {
    let names = call_names(inquiry, site);
    let (mut literals, mut reads) = (vec![], vec![]);
    for name in writes
        .iter()
        .flat_map(|write| names_in(inquiry.module, *write))
    {
        match names.role(name) {
            Role::LocalLiteral(_, value) => literals.push(inquiry.literal(name, value)),
            Role::ModuleConstant(binding, _) => reads.push(Read::Constant(binding)),
            Role::Builtin | Role::Dynamic(_) => {}
        }
    }
    (literals, reads)
}

fn call_names<'m, 'a>(inquiry: &Inquiry<'m, 'a>, site: &Site<'a>) -> CallNames<'m, 'a> {
    CallNames {
        module: inquiry.module,
        facts: inquiry.facts,
        factory: site.factory.factory,
        call: site.call,
        depth: 0,
    }
}

/// The class that is written to, and the names around it.
struct Writer<'n, 'm, 'a> {
    names: &'n CallNames<'m, 'a>,
    /// The name that the class is assigned to.
    target: &'n ast::ExprName,
    /// The names of its fields.
    fields: &'n [String],
}

impl Writer<'_, '_, '_> {
    /// Whether the statement writes what can be written, so that it cannot raise at module level.
    fn is_write(&self, statement: &Stmt) -> bool {
        let (target, value) = match statement {
            Stmt::Assign(assign) => match assign.targets.as_slice() {
                [Expr::Attribute(target)] => (target, assign.value.as_ref()),
                _ => return false,
            },
            Stmt::AugAssign(assign) if assign.op.is_add() => match assign.target.as_ref() {
                Expr::Attribute(target) if target.attr.as_str() == "__doc__" => {
                    (target, assign.value.as_ref())
                }
                _ => return false,
            },
            _ => return false,
        };
        match self.written_path(target).as_deref() {
            Some(["__doc__"]) => value.is_string_literal_expr() || self.adds_to_doc(value),
            Some([field, "__doc__"]) => {
                self.fields.iter().any(|name| name == field) && value.is_string_literal_expr()
            }
            Some(["__new__", "__defaults__"]) => self.is_constant_tuple(value),
            _ => false,
        }
    }

    /// Whether the statement binds another name to a literal or to a call of the factory, which has
    /// nothing to do with the class; it may itself go.
    fn is_apart(&self, statement: &Stmt) -> bool {
        let Stmt::Assign(assign) = statement else {
            return false;
        };
        let target = match assign.targets.as_slice() {
            [Expr::Name(target)] => target,
            [Expr::Attribute(written)] => return self.writes_another(written, &assign.value),
            _ => return false,
        };
        let module = self.names.module;
        let reads_class = names_in(module, module.nodes.id(assign.value.as_ref()))
            .any(|name| name.id == self.target.id);
        let AnyNodeRef::StmtAssign(assign) = module.nodes.get(module.nodes.id(statement)) else {
            return false;
        };
        let is_factory_call = assign.value.as_call_expr().is_some_and(|call| {
            factory::resolve(module, &call.func, self.names.factory.rule).is_some()
        });
        target.id != self.target.id
            && !reads_class
            && (is_factory_call || matches!(evaluate(&assign.value, self), Evaluation::Constant(_)))
    }

    /// Whether a docstring or the defaults of another class are written, without a look at this one.
    fn writes_another(&self, target: &ast::ExprAttribute, value: &Expr) -> bool {
        let module = self.names.module;
        let mut base = target.value.as_ref();
        while let Expr::Attribute(attribute) = base {
            base = &attribute.value;
        }
        let mut read = names_in(module, module.nodes.id(value));
        matches!(target.attr.as_str(), "__doc__" | "__defaults__")
            && base.is_name_expr()
            && !self.is_class(base)
            && read.all(|name| name.id != self.target.id)
            && matches!(evaluate(value, self), Evaluation::Constant(_))
    }

    /// `X.__doc__ + "…"`; the docstring of a namedtuple is a string that its arguments decide
    /// (Library Reference, `collections.namedtuple`).
    fn adds_to_doc(&self, value: &Expr) -> bool {
        let Expr::BinOp(sum) = value else {
            return false;
        };
        let Expr::Attribute(doc) = sum.left.as_ref() else {
            return false;
        };
        sum.op.is_add()
            && doc.attr.as_str() == "__doc__"
            && self.is_class(&doc.value)
            && sum.right.is_string_literal_expr()
    }

    /// The attributes between the class's name and the written one, in source order.
    fn written_path<'t>(&self, target: &'t ast::ExprAttribute) -> Option<Vec<&'t str>> {
        let mut path = vec![target.attr.as_str()];
        let mut base = target.value.as_ref();
        while let Expr::Attribute(attribute) = base {
            path.push(attribute.attr.as_str());
            base = &attribute.value;
        }
        path.reverse();
        self.is_class(base).then_some(path)
    }

    fn is_class(&self, expr: &Expr) -> bool {
        expr.as_name_expr()
            .is_some_and(|name| name.id == self.target.id)
    }

    /// `None` or a tuple of constants without fresh mutable elements: all that `__defaults__`
    /// takes, in any number (CPython, `func_set_defaults`).
    ///
    /// Each name in it is the class, a builtin, or one that [`names`] lists.
    fn is_constant_tuple(&self, value: &Expr) -> bool {
        let module = self.names.module;
        let mut read = names_in(module, module.nodes.id(value));
        let all_known = read.all(|name| {
            name.id == self.target.id || !matches!(self.names.role(name), Role::Dynamic(_))
        });
        all_known
            && match evaluate(value, self) {
                Evaluation::Constant(known @ (Value::Tuple(_) | Value::None)) => {
                    !known.is_fresh_mutable()
                }
                _ => false,
            }
    }
}

impl Names for Writer<'_, '_, '_> {
    fn meaning(&self, name: &ast::ExprName) -> Meaning {
        self.names.meaning(name)
    }

    /// The class's own fields, or those of a class that the module binds.
    fn attribute(&self, attribute: &ast::ExprAttribute) -> Meaning {
        if self.is_class(&attribute.value) && attribute.attr.as_str() == "_fields" {
            let fields = self.fields.iter().cloned().map(Value::Str);
            return Meaning::Value(Value::Tuple(fields.collect()));
        }
        let root = attribute.value.as_name_expr();
        match root.map(|name| self.names.module.resolution(name)) {
            Some(Resolution::Scope(ScopeId::MODULE)) => self.names.attribute(attribute),
            _ => Meaning::Dynamic("it is an attribute of a local".to_owned()),
        }
    }

    fn is_builtin(&self, name: &ast::ExprName) -> bool {
        self.names.is_builtin(name)
    }
}
