//! Syntax errors that CPython's compiler reports beyond its grammar.
//!
//! The parser crate's checker decides; this tells it what it asks about the place of each node.
//! Only what every CPython from 3.8 on rejects, if it parses it at all, is an error.

use std::cell::{Cell, RefCell};

use rustpython_ast::{AnyNodeRef, PythonVersion, Stmt};
use rustpython_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxChecker, SemanticSyntaxContext, SemanticSyntaxError,
    SemanticSyntaxErrorKind, WriteToDebugKind,
};
use rustpython_text_size::{Ranged, TextRange};

use super::{BindingKind, Scope, ScopeId, ScopeKind, SemanticModel, name_errors};
use crate::python::nodes::{NodeId, Nodes, Suspect};
use crate::python::parse::SyntaxError;

/// The first error in the module, if any.
pub(in crate::python) fn first_error(
    text: &str,
    nodes: &Nodes<'_>,
    model: &SemanticModel,
) -> Option<SyntaxError> {
    if let Some(error) = too_many_type_parameters(nodes) {
        return Some(error);
    }
    let mut checker = SemanticSyntaxChecker::new();
    let context = Context {
        text,
        nodes,
        model,
        node: Cell::new(NodeId::MODULE),
        errors: RefCell::default(),
    };
    for suspect in nodes.suspects() {
        match suspect {
            Suspect::Stmt(stmt) => {
                context.node.set(nodes.id(*stmt));
                checker.visit_stmt(stmt, &context);
            }
            Suspect::Expr(expr) => {
                context.node.set(nodes.id(*expr));
                checker.visit_expr(expr, &context);
            }
        }
    }
    context.global_names();
    let found = context.errors.into_inner();
    found
        .into_iter()
        .map(|error| SyntaxError {
            message: error.to_string(),
            offset: error.range.start(),
        })
        .chain(name_errors::errors(model, nodes))
        .min_by_key(|error| error.offset)
}

/// The checker compares each type parameter with all before it, which takes minutes for a line of some
/// megabytes. Nobody writes so many.
const MOST_TYPE_PARAMETERS: usize = 5_000;

fn too_many_type_parameters(nodes: &Nodes<'_>) -> Option<SyntaxError> {
    let lists = nodes.suspects().iter().filter_map(|suspect| match suspect {
        Suspect::Stmt(Stmt::FunctionDef(function)) => function.type_params.as_deref(),
        Suspect::Stmt(Stmt::ClassDef(class)) => class.type_params.as_deref(),
        Suspect::Stmt(Stmt::TypeAlias(alias)) => alias.type_params.as_deref(),
        _ => None,
    });
    let mut long = lists.filter(|list| list.len() > MOST_TYPE_PARAMETERS);
    long.next().map(|list| SyntaxError {
        message: format!("there are more than {MOST_TYPE_PARAMETERS} type parameters"),
        offset: list.start(),
    })
}

/// What the checker asks about the node that it looks at.
struct Context<'m, 'a> {
    text: &'m str,
    nodes: &'m Nodes<'a>,
    model: &'m SemanticModel,
    node: Cell<NodeId>,
    errors: RefCell<Vec<SemanticSyntaxError>>,
}

impl Context<'_, '_> {
    /// Looks at the names that their scope declares `global` further down, as the checker would if it
    /// were shown every name.
    fn global_names(&self) {
        if !self.model.scopes().any(|(_, scope)| scope.declares) {
            return;
        }
        for (id, node) in self.nodes.iter() {
            let AnyNodeRef::ExprName(name) = node else {
                continue;
            };
            self.node.set(id);
            let declared = self.global(&name.id).map(TextRange::start);
            if let Some(start) = declared.filter(|start| name.range.start() < *start) {
                self.report_semantic_error(SemanticSyntaxError {
                    kind: SemanticSyntaxErrorKind::LoadBeforeGlobalDeclaration {
                        name: name.id.to_string(),
                        start,
                    },
                    range: name.range,
                    python_version: self.python_version(),
                });
            }
        }
    }

    fn scope_id(&self) -> ScopeId {
        self.model.scope_of(self.node.get())
    }

    fn scope(&self) -> &Scope {
        self.model.scope(self.scope_id())
    }

    /// The scopes from the node's own up to the module.
    fn scopes(&self) -> impl Iterator<Item = &Scope> {
        self.model
            .enclosing_scopes(self.scope_id())
            .map(|scope| self.model.scope(scope))
    }

    /// The nearest scope that is a function, lambda, class or module.
    fn nearest_block(&self) -> Option<&Scope> {
        self.scopes().find(|scope| {
            !matches!(
                scope.kind,
                ScopeKind::Comprehension | ScopeKind::TypeParameters
            )
        })
    }
}

impl SemanticSyntaxContext for Context<'_, '_> {
    // CPython 3.8 and 3.9 look into annotations whatever the `__future__` says.
    fn future_annotations_or_stub(&self) -> bool {
        false
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        None
    }

    fn python_version(&self) -> PythonVersion {
        PythonVersion::PY313
    }

    fn source(&self) -> &str {
        self.text
    }

    fn global(&self, name: &str) -> Option<TextRange> {
        let scope = self.scope_id();
        if !self.model.scope(scope).declares {
            return None;
        }
        let name = self.model.mangled(scope, name);
        self.model
            .is_declared_global(scope, &name)
            .then(|| self.model.declared_by(scope, &name))?
            .map(|statement| self.nodes.range(statement))
    }

    fn has_nonlocal_binding(&self, name: &str) -> bool {
        let scope = self.scope_id();
        let name = self.model.mangled(scope, name);
        name == "__class__" || self.model.nonlocal_owner(scope, &name).is_some()
    }

    fn in_async_context(&self) -> bool {
        self.nearest_block()
            .is_some_and(|scope| match self.nodes.get(scope.node) {
                AnyNodeRef::StmtFunctionDef(def) => def.is_async,
                _ => false,
            })
    }

    fn in_await_allowed_context(&self) -> bool {
        self.nearest_block()
            .is_some_and(|scope| matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda))
    }

    fn in_yield_allowed_context(&self) -> bool {
        self.scopes()
            .find(|scope| scope.kind != ScopeKind::TypeParameters)
            .is_some_and(|scope| matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda))
    }

    // Asked only for versions before 3.11.
    fn in_sync_comprehension(&self) -> bool {
        false
    }

    fn in_module_scope(&self) -> bool {
        self.scope().kind == ScopeKind::Module
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.scope().kind, ScopeKind::Function | ScopeKind::Lambda)
    }

    fn in_generator_context(&self) -> bool {
        self.scopes()
            .any(|scope| matches!(self.nodes.get(scope.node), AnyNodeRef::ExprGenerator(_)))
    }

    fn in_notebook(&self) -> bool {
        false
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        let is_ours_to_tell = match error.kind {
            // CPython 3.8 lets `__debug__` be deleted.
            SemanticSyntaxErrorKind::WriteToDebug(WriteToDebugKind::Delete(_)) => false,
            // The checker does not see that a lambda has its own names; `name_errors` does.
            SemanticSyntaxErrorKind::ReboundComprehensionVariable => false,
            _ => true,
        };
        if is_ours_to_tell {
            self.errors.borrow_mut().push(error);
        }
    }

    fn in_loop_context(&self) -> bool {
        let mut child = self.node.get();
        for ancestor in self.nodes.ancestors(child) {
            let orelse = match self.nodes.get(ancestor) {
                AnyNodeRef::StmtFor(statement) => Some(&statement.orelse),
                AnyNodeRef::StmtWhile(statement) => Some(&statement.orelse),
                AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::StmtClassDef(_) => return false,
                _ => None,
            };
            let start = self.nodes.range(child).start();
            if orelse.is_some_and(|body| body.first().is_none_or(|first| start < first.start())) {
                return true;
            }
            child = ancestor;
        }
        false
    }

    fn is_bound_parameter(&self, name: &str) -> bool {
        let scope = self.scope_id();
        let name = self.model.mangled(scope, name);
        let bindings = self.model.bindings_of(ScopeId::MODULE, &name);
        bindings.iter().any(|binding| {
            let binding = self.model.binding(*binding);
            binding.kind == BindingKind::Parameter && binding.bound_in == scope
        })
    }
}
