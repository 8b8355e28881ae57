//! Syntax errors about names that CPython's symbol table finds (`symtable.c`) and about handlers
//! that its compiler finds, where the parser crate's checker is silent or wrong.

use rustpython_ast::{AnyNodeRef, ExceptHandler, Expr, Stmt, StmtTry};
use rustpython_text_size::{Ranged, TextSize};

use super::{Binding, BindingKind, Reference, ReferenceContext, ScopeId, ScopeKind, SemanticModel};
use crate::python::nodes::{NodeId, Nodes, Suspect};
use crate::python::parse::SyntaxError;

/// All such errors, in no particular order.
pub(super) fn errors(model: &SemanticModel, nodes: &Nodes<'_>) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    for (_, binding) in model.bindings() {
        if model.scope(binding.bound_in).declares {
            errors.extend(declared_too_late(model, nodes, binding));
            errors.extend(declared_otherwise(model, nodes, binding));
        }
        errors.extend(named_expression(model, binding));
    }
    let in_declaring = |reference: &&Reference| model.scope(reference.scope).declares;
    let references = model.references().map(|(_, reference)| reference);
    for reference in references.filter(in_declaring) {
        let place = (reference.scope, reference.range.start());
        if reference.context == ReferenceContext::Load
            && declared_after(model, nodes, &reference.name, place)
        {
            errors.push(error(
                format!("name '{}' is used prior to its declaration", reference.name),
                reference.range.start(),
            ));
        }
    }
    for suspect in nodes.suspects() {
        match suspect {
            Suspect::Stmt(Stmt::Try(statement)) => {
                errors.extend(bare_handler_before_others(statement));
                errors.extend(handler_of_python_2(statement, model, nodes));
            }
            Suspect::Stmt(statement @ (Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_)))
                if leaves_group_handler(nodes, nodes.id(*statement)) =>
            {
                errors.push(error(
                    "'break', 'continue' and 'return' cannot appear in an except* block".to_owned(),
                    statement.start(),
                ));
            }
            _ => {}
        }
    }
    errors
}

fn error(message: String, offset: TextSize) -> SyntaxError {
    SyntaxError { message, offset }
}

/// Whether the scope's code declares the name after the offset.
fn declared_after(
    model: &SemanticModel,
    nodes: &Nodes<'_>,
    name: &str,
    (scope, offset): (ScopeId, TextSize),
) -> bool {
    model
        .declared_by(scope, name)
        .is_some_and(|statement| offset < nodes.range(statement).start())
}

fn declared_too_late(
    model: &SemanticModel,
    nodes: &Nodes<'_>,
    binding: &Binding,
) -> Option<SyntaxError> {
    // CPython lets an import come first.
    let is_import = matches!(
        binding.kind,
        BindingKind::Import(_) | BindingKind::FromImport(_)
    );
    let place = (binding.bound_in, binding.range.start());
    let is_late = !is_import && declared_after(model, nodes, &binding.name, place);
    is_late.then(|| {
        let message = format!("name '{}' is bound prior to its declaration", binding.name);
        error(message, binding.range.start())
    })
}

/// An annotated name that is declared nonlocal.
fn declared_otherwise(
    model: &SemanticModel,
    nodes: &Nodes<'_>,
    binding: &Binding,
) -> Option<SyntaxError> {
    let annotated = match binding.kind {
        BindingKind::Annotation => true,
        BindingKind::AnnotatedAssignment => {
            let parent = nodes.parent(binding.node).map(|parent| nodes.get(parent));
            matches!(parent, Some(AnyNodeRef::StmtAnnAssign(assign)) if assign.simple)
        }
        _ => false,
    };
    let declared = model.is_declared_nonlocal(binding.bound_in, &binding.name);
    (annotated && declared).then(|| {
        let message = format!("annotated name '{}' can't be nonlocal", binding.name);
        error(message, binding.range.start())
    })
}

/// PEP 572: `:=` in a comprehension can bind neither an iteration variable nor a class's name.
fn named_expression(model: &SemanticModel, binding: &Binding) -> Option<SyntaxError> {
    if binding.kind != BindingKind::NamedExpression {
        return None;
    }
    let offset = binding.range.start();
    let mut scopes = model.enclosing_scopes(binding.bound_in);
    let around = scopes.by_ref().find(|scope| {
        model.scope(*scope).kind != ScopeKind::Comprehension || iterates(model, *scope, binding)
    })?;
    match model.scope(around).kind {
        ScopeKind::Comprehension => Some(error(
            format!(
                "assignment expression cannot rebind comprehension variable '{}'",
                binding.name
            ),
            offset,
        )),
        ScopeKind::Class if around != binding.bound_in => Some(error(
            "assignment expression within a comprehension cannot be used in a class body"
                .to_owned(),
            offset,
        )),
        _ => None,
    }
}

/// Whether the comprehension's own variables include the name.
fn iterates(model: &SemanticModel, comprehension: ScopeId, binding: &Binding) -> bool {
    let bindings = model.bindings_of(comprehension, &binding.name);
    bindings
        .iter()
        .any(|id| model.binding(*id).kind == BindingKind::Comprehension)
}

fn bare_handler_before_others(statement: &StmtTry) -> Option<SyntaxError> {
    let (_, before_last) = statement.handlers.split_last()?;
    before_last.iter().find_map(|handler| {
        let ExceptHandler::ExceptHandler(handler) = handler;
        let is_bare = handler.type_.is_none();
        is_bare.then(|| error("default 'except:' must be last".to_owned(), handler.start()))
    })
}

/// `except Error, e:` names the exception in Python 2, and catches two from 3.14 on (PEP 758). No
/// exception is called as variables are and bound by nothing in the module.
fn handler_of_python_2(
    statement: &StmtTry,
    model: &SemanticModel,
    nodes: &Nodes<'_>,
) -> Option<SyntaxError> {
    statement.handlers.iter().find_map(|handler| {
        let ExceptHandler::ExceptHandler(handler) = handler;
        let Some(Expr::Tuple(types)) = handler.type_.as_deref() else {
            return None;
        };
        let [_, Expr::Name(name)] = types.elts.as_slice() else {
            return None;
        };
        let is_variable = name.id.starts_with(|letter: char| letter.is_lowercase());
        let reference = model.reference_at(nodes.id(name))?;
        let is_unbound =
            model.bindings_behind(reference).is_empty() && model.star_imports().is_empty();
        (!types.parenthesized && is_variable && is_unbound).then(|| {
            let message = "multiple exception types must be parenthesized".to_owned();
            error(message, types.start())
        })
    })
}

/// Whether the statement would leave the handler of an `except*` (PEP 654).
fn leaves_group_handler(nodes: &Nodes<'_>, statement: NodeId) -> bool {
    let is_return = nodes.get(statement).is_stmt_return();
    let mut in_handler = false;
    for ancestor in nodes.ancestors(statement) {
        match nodes.get(ancestor) {
            AnyNodeRef::ExceptHandlerExceptHandler(_) => in_handler = true,
            AnyNodeRef::StmtTry(statement) if in_handler && statement.is_star => return true,
            AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::StmtClassDef(_) => return false,
            AnyNodeRef::StmtFor(_) | AnyNodeRef::StmtWhile(_) if !is_return => return false,
            AnyNodeRef::StmtTry(_) => in_handler = false,
            _ => {}
        }
    }
    false
}
