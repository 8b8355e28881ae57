//! One parsed module as the hoist room sees it.

use rustpython_ast::token::Tokens;
use rustpython_ast::{self as ast, AnyNodeRef, Expr, Stmt};

use super::layout::Layout;
use crate::python::semantic::{
    BindingId, BindingKind, QualifiedName, ReferenceContext, Resolution, ScopeId,
};
use crate::python::{NodeId, Nodes, SemanticModel};
use crate::rule::Registry;
use crate::text::{TextRange, lines::slice};

/// The syntax, names and text of one module.
#[derive(Debug, Clone, Copy)]
pub struct Module<'a> {
    /// The decoded source without a byte order mark.
    pub text: &'a str,
    /// All its tokens.
    pub tokens: &'a Tokens,
    /// All its nodes.
    pub nodes: &'a Nodes<'a>,
    /// What its names mean.
    pub model: &'a SemanticModel,
    /// Its text as edits see it.
    pub layout: &'a Layout<'a>,
    /// The rules whose factories are looked for in it.
    pub registry: &'static Registry,
    /// The dotted name of its package; empty when it is in none.
    pub package: &'a str,
}

impl<'a> Module<'a> {
    /// The source text at `range`.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &'a str {
        slice(self.text, range)
    }

    /// Whether annotations are kept as text and not evaluated (PEP 563).
    #[must_use]
    pub fn postpones_annotations(&self) -> bool {
        let mut imports = self
            .nodes
            .module()
            .body
            .iter()
            .filter_map(Stmt::as_import_from_stmt);
        imports.any(|import| {
            let mut names = import.names.iter();
            import.module.as_deref() == Some("__future__")
                && names.any(|alias| alias.name.as_str() == "annotations")
        })
    }

    /// What the `Name` node refers to; unresolved when it is no reference.
    #[must_use]
    pub fn resolution(&self, name: &ast::ExprName) -> Resolution {
        let id = self.nodes.id(name);
        self.model
            .reference_at(id)
            .map_or(Resolution::Unresolved, |reference| {
                self.model.reference(reference).resolution
            })
    }

    /// The name as the model stores it: NFKC-normalised and mangled.
    #[must_use]
    pub fn model_name(&self, name: &'a ast::ExprName) -> &'a str
    where
        Self: 'a,
    {
        let id = self.nodes.id(name);
        if let Some(reference) = self.model.reference_at(id) {
            return self.model.reference(reference).name.as_str();
        }
        match self.model.binding_at(id) {
            Some(binding) => self.model.binding(binding).name.as_str(),
            None => name.id.as_str(),
        }
    }

    /// The scope and bindings that the `Name` node refers to, when the module binds it.
    #[must_use]
    pub fn bindings(&self, name: &'a ast::ExprName) -> Option<(ScopeId, &'a [BindingId])> {
        let reference = self.model.reference_at(self.nodes.id(name))?;
        match self.model.reference(reference).resolution {
            Resolution::Scope(scope) => Some((scope, self.model.bindings_behind(reference))),
            Resolution::Unresolved => None,
        }
    }

    /// The bindings of the `Name` node, when the module binds the name.
    #[must_use]
    pub fn bindings_at(&self, id: NodeId) -> Option<(ScopeId, &'a [BindingId])> {
        match self.nodes.get(id) {
            AnyNodeRef::ExprName(name) => self.bindings(name),
            _ => None,
        }
    }

    /// The builtin that `expr` names: a name that the module does not bind, one that it imports from
    /// `builtins`, or an attribute of that module.
    #[must_use]
    pub fn builtin<'e>(&self, expr: &'e Expr) -> Option<&'e str>
    where
        'a: 'e,
    {
        match expr {
            Expr::Name(name) => self.builtin_name(name),
            Expr::Attribute(attribute) => self.builtin_attribute(attribute),
            _ => None,
        }
    }

    /// The builtin that the name means.
    #[must_use]
    pub fn builtin_name<'e>(&self, name: &'e ast::ExprName) -> Option<&'e str>
    where
        'a: 'e,
    {
        let Some((_, bindings)) = self.bindings_at(self.nodes.id(name)) else {
            return Some(name.id.as_str());
        };
        let imported = |id: &BindingId| match &self.model.binding(*id).kind {
            BindingKind::FromImport(name) => name.as_str().strip_prefix("builtins."),
            _ => None,
        };
        let (first, others) = bindings.split_first()?;
        let name = imported(first)?;
        let is_same = |id: &BindingId| imported(id) == Some(name);
        others.iter().all(is_same).then_some(name)
    }

    /// The builtin that the attribute is, of the module `builtins`.
    #[must_use]
    pub fn builtin_attribute<'e>(&self, attribute: &'e ast::ExprAttribute) -> Option<&'e str> {
        let root = attribute.value.as_name_expr()?;
        let (_, bindings) = self.bindings_at(self.nodes.id(root))?;
        let is_builtins = |id: &BindingId| {
            matches!(
                &self.model.binding(*id).kind,
                BindingKind::Import(name) if name.as_str() == "builtins"
            )
        };
        bindings
            .iter()
            .all(is_builtins)
            .then_some(attribute.attr.as_str())
    }

    /// The imported name from the root of the import system: a relative one starts from the package
    /// (Language Reference, 5.7 "Package Relative Imports"), and stays as it is where that is not known.
    #[must_use]
    pub fn absolute(&self, name: &QualifiedName) -> QualifiedName {
        let text = name.as_str();
        let rest = text.trim_start_matches('.');
        let Some(up) = (text.len() - rest.len()).checked_sub(1) else {
            return name.clone();
        };
        let packages: Vec<&str> = self.package.split('.').collect();
        match packages
            .len()
            .checked_sub(up)
            .and_then(|left| packages.get(..left))
        {
            Some(kept) if !kept.is_empty() && !self.package.is_empty() => {
                QualifiedName::module(&kept.join(".")).attribute(rest)
            }
            _ => name.clone(),
        }
    }

    /// The parent node, or the module.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> (NodeId, AnyNodeRef<'a>) {
        let parent = self.nodes.parent(id).unwrap_or(NodeId::MODULE);
        (parent, self.nodes.get(parent))
    }

    /// The `Name` nodes that refer to what the node binds; none when it binds nothing.
    pub fn references_to_binding(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        let model = self.model;
        let binding = model.binding_at(node).map(|id| model.binding(id));
        let references = binding.map(|bound| model.references_to(bound.scope, &bound.name));
        let references = references.into_iter().flatten();
        references.map(|id| model.reference(*id).node)
    }

    /// The same, without those that delete the name.
    pub fn loads_of_binding(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        let model = self.model;
        let is_load = move |node: &NodeId| {
            let reference = model.reference_at(*node).map(|id| model.reference(id));
            reference.is_none_or(|reference| reference.context != ReferenceContext::Delete)
        };
        self.references_to_binding(node).filter(is_load)
    }

    /// The statement that binds, for a binding made by a whole statement.
    #[must_use]
    pub fn binding_statement(&self, binding: BindingId) -> NodeId {
        self.nodes.statement(self.model.binding(binding).node)
    }

    /// The index of the top-level statement that holds the node, in the module's body.
    #[must_use]
    pub fn top_level_index(&self, id: NodeId) -> Option<usize> {
        let statement = self.nodes.top_level_statement(id)?;
        self.nodes
            .module()
            .body
            .binary_search_by_key(&statement, |statement| self.nodes.id(statement))
            .ok()
    }
}
