//! Whether a site may share one class, and how its text would be rewritten.

use rustpython_ast::{AnyNodeRef, Expr, ExprName};

use super::class_namespace;
use super::class_traits::ClassTraits;
use super::constants::{CallNames, Role, has_newer_type, names_in};
use super::factory;
use super::gates::{self, behind_version_test};
use super::handlers;
use super::import::{self, Lift};
use super::inquiry::Inquiry;
use super::place::Read;
use super::removal::remove_statements;
use super::shipping::source_may_be_shipped;
use super::site::Site;
use super::usage::{self, Use};
use super::writes;
use crate::python::semantic::{
    BindingId, BindingKind, Reference, ReferenceContext, ScopeId, ScopeKind,
};
use crate::python::{NodeId, flow};
use crate::rule::{Applicability, Rule, SkipReason};
use crate::text::{TextRange, TextSize};

/// How a site can be rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// The binding can go; every reference to it would name the definition.
    Drop {
        /// The assignment.
        statement: NodeId,
        /// Its target's binding.
        binding: BindingId,
        /// Its target as written, before mangling.
        target: String,
        /// Whether the text of an annotation spells the target, where a type checker looks it up.
        is_spelled: bool,
        /// The references to it outside the moved writes: `Name` nodes.
        uses: Vec<NodeId>,
    },
    /// Only the call can be replaced.
    Replace,
}

/// Why a binding stays, so that only the call can be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The call is no value of an assignment.
    NoBinding,
    /// The assignment has several targets, or one that is no plain name.
    Targets,
    /// The name belongs to another scope than the one that binds it.
    OtherScope,
    /// The name is an attribute of a class.
    ClassAttribute,
    /// A function declares the name `nonlocal`.
    Nonlocal,
    /// The name has another binding.
    Rebound(BindingId),
    /// Code reads the names of the function as data.
    LocalsObserved,
    /// The `Name` node is a use that the definition's name cannot stand for: it deletes the name, may
    /// run before the assignment, or is part of a visible source text.
    Use(NodeId),
    /// The text there would change its meaning, such as a string that would become a docstring.
    Text(TextSize),
}

/// A name in a call that is replaced by the literal that it always has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal {
    /// The range of the name.
    pub name: TextRange,
    /// The literal's expression.
    pub value: NodeId,
    /// The range of the literal with the parentheses around it.
    pub range: TextRange,
}

/// A site that may be hoisted.
#[derive(Debug)]
pub struct Candidate {
    /// The grade of the fix.
    pub applicability: Applicability,
    /// How it is rewritten.
    pub shape: Shape,
    /// Constant attribute writes directly after the binding that move along.
    pub writes: Vec<NodeId>,
    /// Expressions in the call that are replaced by the literal they always have.
    pub literals: Vec<Literal>,
    /// `Name` nodes in the call that stand for the class of another site, and that site's call.
    pub classes: Vec<(NodeId, NodeId)>,
    /// The module-level names that the definition reads.
    pub reads: Vec<Read>,
    /// The import that must come up.
    pub lift: Option<Lift>,
}

impl<'a> Inquiry<'_, 'a> {
    /// Whether and how the site may be hoisted.
    ///
    /// # Errors
    /// Returns why not.
    pub fn decide(&self, site: &Site<'a>) -> Result<Candidate, SkipReason> {
        self.factory(site)?;
        self.place(site)?;
        let (mut literals, classes, mut reads) = self.arguments(site)?;
        let lift = import::lift(self, site)?;
        reads.extend(import::factory_read(
            self.module,
            &site.factory,
            lift.as_ref(),
        ));
        let writes = writes::following(self, site);
        let (written_literals, written_reads) = writes::names(self, site, &writes);
        if !written_reads.is_empty() && self.reaches_handler(site, &["NameError"]) {
            return Err(SkipReason::InsideTry);
        }
        literals.extend(written_literals);
        reads.extend(written_reads);
        let class = ClassTraits::new(site.factory.factory, &site.judgement);
        let applicability = self.observers(site, &class, &writes)?;
        let shape = self.shape(site, &writes);
        if shape == Shape::Replace && !writes.is_empty() {
            return Err(SkipReason::ClassWritten);
        }
        Ok(Candidate {
            applicability,
            shape,
            writes,
            literals,
            classes,
            reads,
            lift,
        })
    }

    /// Whether the callee is the factory for certain, whenever the definition runs.
    fn factory(&self, site: &Site<'a>) -> Result<(), SkipReason> {
        let bindings = &site.factory.bindings;
        if factory::type_checking_only(self.module, bindings) {
            return Err(SkipReason::FactoryTypeCheckingOnly);
        }
        if !site.factory.certain
            || import::may_be_half_imported(self, site)
            || class_namespace::may_be_prepared(self.module, site.call)
        {
            return Err(SkipReason::FactoryNotCertain);
        }
        let (package, attribute) = Rule::module_and_name(site.factory.factory.name);
        // These replace `collections.namedtuple`, by which all namedtuples are made.
        let patchers = ["pyspark", "apache_beam"];
        let is_patched = site.rule().makes_namedtuples()
            && patchers
                .iter()
                .any(|package| self.facts.imports_package(package));
        let is_builtin = package.is_empty();
        let is_replaced = !is_builtin
            && (self.facts.replaces_attribute(attribute) || self.facts.replaces_module(package));
        if is_replaced || is_patched {
            return Err(SkipReason::FactoryPatched);
        }
        Ok(())
    }

    /// Whether the place of the call allows its text to change.
    fn place(&self, site: &Site<'a>) -> Result<(), SkipReason> {
        let Inquiry { module, facts, .. } = *self;
        // A class takes its `__module__` from the global `__name__` when it is made.
        if !module
            .model
            .bindings_of(ScopeId::MODULE, "__name__")
            .is_empty()
        {
            return Err(SkipReason::ArgumentNotConstant);
        }
        if facts.reflection.enumerates_names {
            return Err(SkipReason::ModuleEnumeratesNames);
        }
        if import::functions_run_elsewhere(facts, self.surroundings) {
            return Err(SkipReason::FunctionsRunElsewhere);
        }
        if flow::in_visible_source(module.nodes, site.call) {
            return Err(SkipReason::SourceVisible);
        }
        if source_may_be_shipped(module, facts, site.call) {
            return Err(SkipReason::SourceShipped);
        }
        if let AnyNodeRef::Arguments(_) = module.parent(site.call).1
            && usage::classify(module, site.call) == Use::Subclassed
        {
            return Err(SkipReason::BaseOfLocalClass);
        }
        if let AnyNodeRef::StmtExpr(_) = module.parent(site.call).1 {
            return Err(SkipReason::ClassUnused);
        }
        let raised = self.raised(site);
        if !raised.is_empty() && self.reaches_handler(site, &raised) {
            return Err(SkipReason::InsideTry);
        }
        if gates::may_be_missing(module, facts, site)
            || has_newer_parameter(site) && behind_version_test(module, self.guards, site.call)
        {
            return Err(SkipReason::VersionGated);
        }
        Ok(())
    }

    /// What the call can raise. A validated one with literal arguments raises nothing; `defaults`,
    /// `module` and `rename` are errors on old Pythons, and so are some types; a name may be missing.
    fn raised(&self, site: &Site<'a>) -> Vec<&'static str> {
        let id = self.module.nodes.id(&site.expr.arguments);
        let mut raised = vec![];
        if has_newer_parameter(site) || has_newer_type(self.module, id) {
            raised.push("TypeError");
        }
        if names_in(self.module, id).next().is_some() {
            raised.extend(["NameError", "UnboundLocalError"]);
        }
        raised
    }

    fn reaches_handler(&self, site: &Site<'a>, raised: &[&str]) -> bool {
        handlers::reaches(self.module, site.call, raised)
            || flow::expected_to_raise(self.module.nodes, site.call)
    }

    /// What the names in the arguments become at module level.
    #[expect(
        clippy::type_complexity,
        reason = "three lists that only `decide` takes apart"
    )]
    fn arguments(
        &self,
        site: &Site<'a>,
    ) -> Result<(Vec<Literal>, Vec<(NodeId, NodeId)>, Vec<Read>), SkipReason> {
        let Inquiry { module, facts, .. } = *self;
        let names = CallNames {
            module,
            facts,
            factory: site.factory.factory,
            call: site.call,
            depth: 0,
        };
        let (mut literals, mut classes, mut reads) = (vec![], vec![], vec![]);
        for name in names_in(module, module.nodes.id(&site.expr.arguments)) {
            if let Some(class) = names.class_call(name)
                && module
                    .bindings(name)
                    .is_some_and(|(scope, _)| scope != ScopeId::MODULE)
            {
                classes.push((module.nodes.id(name), class));
                continue;
            }
            match names.role(name) {
                Role::Builtin => {}
                Role::ModuleConstant(binding, _) => reads.push(Read::Constant(binding)),
                Role::LocalLiteral(_, value) => literals.push(self.literal(name, value)),
                Role::Dynamic(_) => return Err(SkipReason::ArgumentNotConstant),
            }
        }
        Ok((literals, classes, reads))
    }

    /// The name with the literal that takes its place.
    pub(super) fn literal(&self, name: &ExprName, value: &Expr) -> Literal {
        let nodes = self.module.nodes;
        let id = nodes.id(value);
        Literal {
            name: nodes.range(nodes.id(name)),
            value: id,
            range: nodes.parenthesized_range(id, self.module.tokens),
        }
    }

    /// The binding is dropped when it is the only one, plain, dominates all uses, and unseen.
    fn shape(&self, site: &Site<'a>, writes: &[NodeId]) -> Shape {
        self.droppable(site, writes).unwrap_or(Shape::Replace)
    }

    /// Whether nothing but references to it by name can tell that the binding is gone: it is the
    /// only one of its name, stands in its own scope, and is no attribute of a class.
    #[must_use]
    pub fn may_go(&self, id: BindingId) -> bool {
        self.binding_kept(id).is_none()
    }

    /// Why the binding of the site's class stays; `None` when it can be dropped.
    #[must_use]
    pub fn why_kept(&self, site: &Site<'a>, writes: &[NodeId]) -> Option<Kept> {
        self.droppable(site, writes).err()
    }

    fn droppable(&self, site: &Site<'a>, writes: &[NodeId]) -> Result<Shape, Kept> {
        let Inquiry { module, facts, .. } = *self;
        let (parent, node) = module.parent(site.call);
        let AnyNodeRef::StmtAssign(assign) = node else {
            return Err(match usage::classify(module, site.call) {
                Use::BoundTo(_) | Use::StoredOn(_) | Use::Named(_) => Kept::Targets,
                _ => Kept::NoBinding,
            });
        };
        let [Expr::Name(target)] = assign.targets.as_slice() else {
            return Err(Kept::Targets);
        };
        let id = module.model.binding_at(module.nodes.id(target));
        let id = id.ok_or(Kept::NoBinding)?;
        if let Some(kept) = self.binding_kept(id) {
            return Err(kept);
        }
        let binding = module.model.binding(id);
        let references = module.model.references_to(binding.scope, &binding.name);
        let references = references.iter().map(|id| module.model.reference(*id));
        let unusable = |reference: &&Reference| {
            reference.context != ReferenceContext::Load
                || !flow::dominates(module.nodes, parent, reference.node)
                || flow::in_visible_source(module.nodes, reference.node)
        };
        if let Some(reference) = references.clone().find(unusable) {
            return Err(Kept::Use(reference.node));
        }
        let removed = [&[parent], writes].concat();
        // A string that would become the docstring keeps the binding above it.
        remove_statements(module.layout, &removed).map_err(|refusal| Kept::Text(refusal.at))?;
        let moved = |node: NodeId| {
            writes
                .iter()
                .any(|write| module.nodes.contains(*write, node))
        };
        let uses = references.map(|reference| reference.node);
        let uses = uses.filter(|node| !moved(*node)).collect();
        Ok(Shape::Drop {
            statement: parent,
            binding: id,
            target: target.id.to_string(),
            is_spelled: facts.is_spelled_in_annotation(module, &target.id, binding.bound_in),
            uses,
        })
    }

    /// Why the binding stays whatever reads it.
    fn binding_kept(&self, id: BindingId) -> Option<Kept> {
        let Inquiry { module, facts, .. } = *self;
        let binding = module.model.binding(id);
        let scope = module.model.scope(binding.scope);
        if binding.bound_in != binding.scope {
            return Some(Kept::OtherScope);
        }
        if scope.kind == ScopeKind::Class {
            return Some(Kept::ClassAttribute);
        }
        if !matches!(
            binding.kind,
            BindingKind::Assignment | BindingKind::AnnotatedAssignment
        ) {
            return Some(Kept::Targets);
        }
        if facts.is_declared_nonlocal(&binding.name) {
            return Some(Kept::Nonlocal);
        }
        let mut bindings = module
            .model
            .bindings_of(binding.scope, &binding.name)
            .iter();
        if let Some(other) = bindings.find(|other| **other != id) {
            return Some(Kept::Rebound(*other));
        }
        let is_observed = binding.scope != ScopeId::MODULE
            && facts.reflection.observes_locals(module, binding.scope);
        is_observed.then_some(Kept::LocalsObserved)
    }
}

/// Whether the call passes more than the factory has always taken: `defaults`, `module`, `rename`.
fn has_newer_parameter(site: &Site<'_>) -> bool {
    site.expr.arguments.keywords.iter().any(|keyword| {
        keyword
            .arg
            .as_ref()
            .is_some_and(|name| !site.rule().is_required(name.as_str()))
    })
}
