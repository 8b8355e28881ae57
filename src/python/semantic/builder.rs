//! The walk over the nodes that opens scopes and collects declarations, bindings and references.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use rustpython_ast::name::Name;
use rustpython_ast::{Alias, AnyNodeRef, ExprContext, ExprName, Identifier, TypeParams};
use rustpython_text_size::{Ranged, TextRange, TextSize};

use super::binding::{Binding, BindingKind};
use super::evaluation::Opened;
use super::imports::QualifiedName;
use super::mangling::{PrivateClass, is_private, mangle};
use super::reference::{Reference, ReferenceContext, Resolution};
use super::scope::{Declaration, Scope, ScopeId, ScopeKind};
use super::symbol::{NameId, Names, Symbols};
use super::target::binding_kind;
use crate::python::nodes::{NodeId, Nodes};

/// There is room for no more names before they are found.
const MOST_EXPECTED_NAMES: usize = 4_096;

/// What the walk has found so far.
#[derive(Debug)]
pub(super) struct Builder<'n, 'a> {
    pub(super) nodes: &'n Nodes<'a>,
    pub(super) scopes: Vec<Scope>,
    pub(super) names: Names,
    pub(super) symbols: Symbols,
    /// The evaluation scope of each node, by the node's index.
    pub(super) node_scopes: Vec<ScopeId>,
    pub(super) opened: FxHashMap<NodeId, Opened>,
    /// The scope that each belongs to is not known yet.
    pub(super) bindings: Vec<Binding>,
    /// None of them is resolved yet.
    pub(super) references: Vec<Reference>,
    /// The name of each reference.
    pub(super) read_names: Vec<NameId>,
    pub(super) star_imports: Vec<NodeId>,
}

impl<'n, 'a> Builder<'n, 'a> {
    /// Walks all nodes; parents come before their children, so no recursion is needed.
    pub(super) fn walk(nodes: &'n Nodes<'a>) -> Self {
        let mut builder = Self {
            nodes,
            scopes: vec![Scope::new(ScopeKind::Module, None, NodeId::MODULE)],
            // About one node in sixteen brings a new name; in a large module less.
            names: Names::new((nodes.len() / 16).min(MOST_EXPECTED_NAMES)),
            symbols: Symbols::default(),
            node_scopes: Vec::with_capacity(nodes.len()),
            opened: FxHashMap::default(),
            bindings: Vec::new(),
            references: Vec::new(),
            read_names: Vec::new(),
            star_imports: Vec::new(),
        };
        for (id, node) in nodes.iter() {
            let scope = match nodes.parent(id) {
                Some(parent) => builder.evaluation_scope((id, node), parent),
                None => ScopeId::MODULE,
            };
            builder.node_scopes.push(scope);
            builder.open_scopes((id, node), scope);
            builder.collect((id, node), scope);
        }
        builder
    }

    /// The evaluation scope of a node that the walk has passed.
    pub(super) fn scope_of(&self, id: NodeId) -> ScopeId {
        self.node_scopes
            .get(id.index())
            .copied()
            .unwrap_or(ScopeId::MODULE)
    }

    /// The scopes that a node the walk has passed opened.
    pub(super) fn opened(&self, id: NodeId) -> Opened {
        let around = self.scope_of(id);
        self.opened.get(&id).copied().unwrap_or(Opened {
            around,
            header: around,
            body: around,
        })
    }

    /// Opens a scope; it mangles as its parent does.
    pub(super) fn open(&mut self, kind: ScopeKind, parent: ScopeId, node: NodeId) -> ScopeId {
        let id = ScopeId::new(self.scopes.len());
        let mut scope = Scope::new(kind, Some(parent), node);
        scope.private = self
            .scopes
            .get(parent.index())
            .and_then(|scope| scope.private.clone());
        self.scopes.push(scope);
        id
    }

    fn open_scopes(&mut self, (id, node): (NodeId, AnyNodeRef<'a>), around: ScopeId) {
        match node {
            AnyNodeRef::StmtFunctionDef(def) => {
                let header = self.open_type_parameters(def.type_params.as_deref(), around);
                self.open_body(ScopeKind::Function, (around, header), id);
            }
            AnyNodeRef::StmtClassDef(class) => {
                let parameters = class.type_params.as_deref();
                let header = self.open_type_parameters(parameters, around);
                if let (Some(parameters), Some(scope)) =
                    (parameters, self.scopes.get_mut(header.index()))
                {
                    let names = parameters.iter().map(|one| one.name().id.clone()).collect();
                    let private = PrivateClass::type_parameters(&class.name, names);
                    scope.private = Some(Arc::new(private));
                }
                let body = self.open_body(ScopeKind::Class, (around, header), id);
                if let Some(scope) = self.scopes.get_mut(body.index()) {
                    scope.private = Some(Arc::new(PrivateClass::body(&class.name)));
                }
            }
            AnyNodeRef::StmtTypeAlias(alias) => {
                let header = self.open_type_parameters(alias.type_params.as_deref(), around);
                self.open_body(ScopeKind::TypeParameters, (around, header), id);
            }
            AnyNodeRef::ExprLambda(_) => {
                self.open_body(ScopeKind::Lambda, (around, around), id);
            }
            AnyNodeRef::ExprListComp(_)
            | AnyNodeRef::ExprSetComp(_)
            | AnyNodeRef::ExprDictComp(_)
            | AnyNodeRef::ExprGenerator(_) => {
                self.open_body(ScopeKind::Comprehension, (around, around), id);
            }
            _ => {}
        }
    }

    fn open_type_parameters(&mut self, params: Option<&TypeParams>, around: ScopeId) -> ScopeId {
        params.map_or(around, |params| {
            let node = self.nodes.id(params);
            self.open(ScopeKind::TypeParameters, around, node)
        })
    }

    fn open_body(
        &mut self,
        kind: ScopeKind,
        (around, header): (ScopeId, ScopeId),
        node: NodeId,
    ) -> ScopeId {
        let body = self.open(kind, header, node);
        self.opened.insert(
            node,
            Opened {
                around,
                header,
                body,
            },
        );
        body
    }

    fn collect(&mut self, (id, node): (NodeId, AnyNodeRef<'a>), scope: ScopeId) {
        match node {
            AnyNodeRef::ExprName(name) => self.collect_name(name, id, scope),
            AnyNodeRef::Alias(alias) => self.collect_alias(alias, id, scope),
            AnyNodeRef::Parameter(parameter) => {
                self.bind(&parameter.name, BindingKind::Parameter, (id, scope));
            }
            AnyNodeRef::StmtFunctionDef(def) => {
                self.bind(&def.name, BindingKind::FunctionDefinition, (id, scope));
            }
            AnyNodeRef::StmtClassDef(class) => {
                self.bind(&class.name, BindingKind::ClassDefinition, (id, scope));
            }
            AnyNodeRef::ExceptHandlerExceptHandler(handler) => {
                self.bind_optional(
                    handler.name.as_ref(),
                    BindingKind::ExceptHandler,
                    (id, scope),
                );
            }
            AnyNodeRef::PatternMatchAs(pattern) => {
                self.bind_optional(
                    pattern.name.as_ref(),
                    BindingKind::MatchCapture,
                    (id, scope),
                );
            }
            AnyNodeRef::PatternMatchStar(pattern) => {
                self.bind_optional(
                    pattern.name.as_ref(),
                    BindingKind::MatchCapture,
                    (id, scope),
                );
            }
            AnyNodeRef::PatternMatchMapping(pattern) => {
                self.bind_optional(
                    pattern.rest.as_ref(),
                    BindingKind::MatchCapture,
                    (id, scope),
                );
            }
            AnyNodeRef::TypeParamTypeVar(param) => {
                self.bind(&param.name, BindingKind::TypeParameter, (id, scope));
            }
            AnyNodeRef::TypeParamTypeVarTuple(param) => {
                self.bind(&param.name, BindingKind::TypeParameter, (id, scope));
            }
            AnyNodeRef::TypeParamParamSpec(param) => {
                self.bind(&param.name, BindingKind::TypeParameter, (id, scope));
            }
            AnyNodeRef::StmtGlobal(global) => {
                self.declare(&global.names, Declaration::Global, (id, scope));
            }
            AnyNodeRef::StmtNonlocal(nonlocal) => {
                self.declare(&nonlocal.names, Declaration::Nonlocal, (id, scope));
            }
            _ => {}
        }
    }

    fn collect_name(&mut self, name: &ExprName, id: NodeId, scope: ScopeId) {
        if matches!(name.ctx, ExprContext::Load | ExprContext::Invalid) {
            self.refer(name, ReferenceContext::Load, (id, scope));
            return;
        }
        let Some(kind) = binding_kind(self.nodes, id) else {
            return;
        };
        match kind {
            BindingKind::AugmentedAssignment => {
                self.refer(name, ReferenceContext::AugmentedLoad, (id, scope));
            }
            BindingKind::Deletion => self.refer(name, ReferenceContext::Delete, (id, scope)),
            _ => {}
        }
        self.bind_name(&name.id, name.range, kind, (id, scope));
    }

    fn collect_alias(&mut self, alias: &Alias, id: NodeId, scope: ScopeId) {
        let statement = self.nodes.parent(id).map(|parent| self.nodes.get(parent));
        let dotted = alias.name.as_str();
        if let Some(AnyNodeRef::StmtImportFrom(from)) = statement {
            if dotted == "*" {
                if let Some(scope) = self.scopes.get_mut(scope.index()) {
                    scope.has_star_import = true;
                }
                self.star_imports.extend(self.nodes.parent(id));
                return;
            }
            let dots = ".".repeat(usize::try_from(from.level).unwrap_or(0));
            let module = from.module.as_ref().map_or("", |module| module.as_str());
            let source = QualifiedName::module(&format!("{dots}{module}")).attribute(dotted);
            let bound = alias.asname.as_ref().unwrap_or(&alias.name);
            self.bind(bound, BindingKind::FromImport(source), (id, scope));
        } else if let Some(bound) = &alias.asname {
            let source = QualifiedName::module(dotted);
            self.bind(bound, BindingKind::Import(source), (id, scope));
        } else {
            let first = dotted.split('.').next().unwrap_or(dotted);
            let length = TextSize::try_from(first.len()).unwrap_or_default();
            // A name that NFKC shortens may be longer in the source; then the whole name is meant.
            let range = if dotted.is_ascii() {
                TextRange::at(alias.name.start(), length)
            } else {
                alias.name.range
            };
            let source = BindingKind::Import(QualifiedName::module(first));
            self.bind_name(&Name::new(first), range, source, (id, scope));
        }
    }

    fn bind_optional(
        &mut self,
        name: Option<&Identifier>,
        kind: BindingKind,
        place: (NodeId, ScopeId),
    ) {
        if let Some(name) = name {
            self.bind(name, kind, place);
        }
    }

    fn bind(&mut self, name: &Identifier, kind: BindingKind, place: (NodeId, ScopeId)) {
        self.bind_name(&name.id, name.range, kind, place);
    }

    fn bind_name(
        &mut self,
        name: &Name,
        range: TextRange,
        kind: BindingKind,
        (node, bound_in): (NodeId, ScopeId),
    ) {
        let number = self.number(name, bound_in);
        self.bindings.push(Binding {
            name: Rc::clone(self.names.get(number)),
            number,
            kind,
            scope: ScopeId::OUTSIDE,
            bound_in,
            node,
            range,
        });
    }

    fn refer(
        &mut self,
        name: &ExprName,
        context: ReferenceContext,
        (node, scope): (NodeId, ScopeId),
    ) {
        let number = self.number(&name.id, scope);
        self.read_names.push(number);
        self.references.push(Reference {
            name: Rc::clone(self.names.get(number)),
            context,
            scope,
            node,
            range: name.range,
            resolution: Resolution::Unresolved,
        });
    }

    fn declare(
        &mut self,
        names: &[Identifier],
        declaration: Declaration,
        (statement, scope): (NodeId, ScopeId),
    ) {
        for name in names {
            let name = self.number(&name.id, scope);
            let (_, symbol) = self.symbols.entry((scope, name), &mut self.scopes);
            symbol.declaration = Some(declaration);
            symbol.declared_by.get_or_insert(statement);
        }
        if let Some(scope) = self.scopes.get_mut(scope.index()) {
            scope.declares = true;
        }
    }

    /// The number of the name as the code of `scope` stores it.
    fn number(&mut self, name: &Name, scope: ScopeId) -> NameId {
        match self.private(scope) {
            Some(private) if is_private(name) => {
                let mangled = mangle(Some(private), name);
                self.names.number(&mangled)
            }
            _ => self.names.number(name),
        }
    }

    fn private(&self, scope: ScopeId) -> Option<&PrivateClass> {
        self.scopes.get(scope.index())?.private.as_deref()
    }
}
