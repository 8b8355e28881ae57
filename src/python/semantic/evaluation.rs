//! Evaluation scopes: which scope's code each node of the tree belongs to.

use rustpython_ast::{AnyNodeRef, Comprehension, StmtTypeAlias};

use super::builder::Builder;
use super::scope::{ScopeId, ScopeKind};
use crate::python::nodes::NodeId;

/// The scopes that one definition, lambda or comprehension opens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opened {
    /// The scope around it, where decorators and defaults are evaluated.
    pub(super) around: ScopeId,
    /// Its type parameters, where annotations and bases are evaluated; `around` without any.
    pub(super) header: ScopeId,
    /// Its own body.
    pub(super) body: ScopeId,
}

impl<'a> Builder<'_, 'a> {
    /// The scope in which the node `id`, a child of `parent`, is evaluated.
    pub(super) fn evaluation_scope(
        &mut self,
        (id, node): (NodeId, AnyNodeRef<'a>),
        parent: NodeId,
    ) -> ScopeId {
        let inherited = self.scope_of(parent);
        match self.nodes.get(parent) {
            AnyNodeRef::StmtFunctionDef(_) => match node {
                node if node.is_statement() => self.opened(parent).body,
                node if node.is_expression() => self.opened(parent).header,
                AnyNodeRef::TypeParams(_) => self.opened(parent).header,
                _ => inherited,
            },
            AnyNodeRef::StmtClassDef(_) => match node {
                node if node.is_statement() => self.opened(parent).body,
                AnyNodeRef::TypeParams(_) | AnyNodeRef::Arguments(_) => self.opened(parent).header,
                _ => inherited,
            },
            AnyNodeRef::StmtTypeAlias(alias) => self.scope_in_type_alias(id, parent, alias),
            AnyNodeRef::ExprLambda(_) if node.is_expression() => self.opened(parent).body,
            AnyNodeRef::Parameters(_) => self.opened_by_function_of(parent).body,
            AnyNodeRef::ParameterWithDefault(_) if node.is_expression() => {
                self.opened_by_function_of(parent).around
            }
            AnyNodeRef::Parameter(_) if node.is_expression() => {
                self.opened_by_function_of(parent).header
            }
            AnyNodeRef::TypeParamTypeVar(_)
            | AnyNodeRef::TypeParamTypeVarTuple(_)
            | AnyNodeRef::TypeParamParamSpec(_)
                if node.is_expression() =>
            {
                self.open(ScopeKind::TypeParameters, inherited, parent)
            }
            AnyNodeRef::ExprListComp(_)
            | AnyNodeRef::ExprSetComp(_)
            | AnyNodeRef::ExprDictComp(_)
            | AnyNodeRef::ExprGenerator(_) => self.opened(parent).body,
            AnyNodeRef::Comprehension(generator) => self.scope_in_generator(id, parent, generator),
            _ => inherited,
        }
    }

    fn scope_in_type_alias(&self, id: NodeId, parent: NodeId, alias: &StmtTypeAlias) -> ScopeId {
        if id == self.nodes.id(&*alias.name) {
            self.scope_of(parent)
        } else if id == self.nodes.id(&*alias.value) {
            self.opened(parent).body
        } else {
            self.opened(parent).header
        }
    }

    /// The first iterable is evaluated around the comprehension (Language Reference, 6.2.4).
    fn scope_in_generator(&self, id: NodeId, parent: NodeId, generator: &Comprehension) -> ScopeId {
        let inside = self.scope_of(parent);
        if id != self.nodes.id(&generator.iter) {
            return inside;
        }
        let Some(comprehension) = self.nodes.parent(parent) else {
            return inside;
        };
        let generators = match self.nodes.get(comprehension) {
            AnyNodeRef::ExprListComp(list) => &list.generators,
            AnyNodeRef::ExprSetComp(set) => &set.generators,
            AnyNodeRef::ExprDictComp(dict) => &dict.generators,
            AnyNodeRef::ExprGenerator(generator) => &generator.generators,
            _ => return inside,
        };
        let is_first = generators
            .first()
            .is_some_and(|first| self.nodes.id(first) == parent);
        if is_first {
            self.scope_of(comprehension)
        } else {
            inside
        }
    }

    /// What the function or lambda around a node of its parameter list opens.
    fn opened_by_function_of(&self, id: NodeId) -> Opened {
        let function = self.nodes.ancestors(id).find(|ancestor| {
            matches!(
                self.nodes.get(*ancestor),
                AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_)
            )
        });
        self.opened(function.unwrap_or(NodeId::MODULE))
    }
}
