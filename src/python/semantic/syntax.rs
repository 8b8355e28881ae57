//! Syntax errors that CPython's compiler reports beyond its grammar.
//!
//! The parser crate's checker decides; this tells it what it asks about the place of each node.
//! Only what every CPython from 3.8 on rejects, if it parses it at all, is an error.

use std::cell::{Cell, RefCell};

use rustpython_ast::visitor::source_order::{SourceOrderVisitor, walk_body, walk_expr, walk_stmt};
use rustpython_ast::{AnyNodeRef, Expr, PythonVersion, Stmt};
use rustpython_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxChecker, SemanticSyntaxContext, SemanticSyntaxError,
    SemanticSyntaxErrorKind, WriteToDebugKind,
};
use rustpython_text_size::{Ranged, TextRange};

use super::{BindingKind, Scope, ScopeId, ScopeKind, SemanticModel, name_errors};
use crate::python::nodes::{NodeId, Nodes};
use crate::python::parse::SyntaxError;

/// The first error in the module, if any.
pub(in crate::python) fn first_error(
    text: &str,
    nodes: &Nodes<'_>,
    model: &SemanticModel,
) -> Option<SyntaxError> {
    let mut visitor = Visitor {
        checker: SemanticSyntaxChecker::new(),
        context: Context {
            text,
            nodes,
            model,
            node: Cell::new(NodeId::MODULE),
            errors: RefCell::default(),
        },
    };
    walk_body(&mut visitor, &nodes.module().body);
    let found = visitor.context.errors.into_inner();
    found
        .into_iter()
        .map(|error| SyntaxError {
            message: error.to_string(),
            offset: error.range.start(),
        })
        .chain(name_errors::errors(model, nodes))
        .min_by_key(|error| error.offset)
}

struct Visitor<'m, 'a> {
    checker: SemanticSyntaxChecker,
    context: Context<'m, 'a>,
}

impl<'m, 'a> SourceOrderVisitor<'a> for Visitor<'m, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.context.node.set(self.context.nodes.id(stmt));
        self.checker.visit_stmt(stmt, &self.context);
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.context.node.set(self.context.nodes.id(expr));
        self.checker.visit_expr(expr, &self.context);
        walk_expr(self, expr);
    }
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
