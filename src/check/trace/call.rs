//! What the call resolves to, and why it runs per call.

use rustpython_ast::{AnyNodeRef, Expr};

use super::words::Words;
use super::{Label, Lines};
use crate::hoist::factory::{assigned_value, star_imports};
use crate::hoist::site::Site;
use crate::python::flow;
use crate::python::semantic::{BindingId, BindingKind, ScopeId};

/// Aliases of aliases are followed this far.
const MAX_ALIASES: usize = 4;

/// What the callee is and where its name comes from; an alias is followed to what it stands for.
pub(super) fn resolution(words: Words<'_, '_>, site: &Site<'_>, lines: &mut Lines) {
    let module = words.module;
    let callee = words.code(module.nodes.id(site.expr.func.as_ref()));
    let factory = site.factory.factory.name;
    lines.say(Label::Call, format!("{callee} resolves to `{factory}`."));
    let mut root = site.factory.root;
    for _ in 0..=MAX_ALIASES {
        let Some((scope, bindings)) = module.bindings_at(root) else {
            if let Some(star) = star_imports(module).last() {
                let statement = words.statement(module.nodes.id(star));
                lines.say(
                    Label::Call,
                    format!("{} comes from {statement}.", words.code(root)),
                );
            }
            return;
        };
        for binding in bindings {
            lines.say(
                Label::Call,
                format!(
                    "{} is bound {}{}.",
                    words.code(root),
                    words.bound(*binding),
                    owner(words, scope, *binding)
                ),
            );
        }
        let [only] = bindings else { return };
        match assigned_value(module, *only).and_then(name_at_root) {
            Some(next) => root = module.nodes.id(next),
            None => return,
        }
    }
}

/// The scope of a binding that is not the module's, and what an assignment binds.
fn owner(words: Words<'_, '_>, scope: ScopeId, binding: BindingId) -> String {
    let module = words.module;
    let mut said = match assigned_value(module, binding) {
        Some(value) => format!(" of {}", words.code(module.nodes.id(value))),
        None => String::new(),
    };
    let is_parameter = module.model.binding(binding).kind == BindingKind::Parameter;
    if scope != ScopeId::MODULE && !is_parameter {
        said.push_str(&format!(", in {}", words.scope(scope)));
    }
    said
}

/// The name that an attribute chain starts with.
fn name_at_root(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Name(_) => Some(expr),
        Expr::Attribute(attribute) => name_at_root(&attribute.value),
        _ => None,
    }
}

/// Why the call runs more than once.
pub(super) fn when(words: Words<'_, '_>, site: &Site<'_>, lines: &mut Lines) {
    let nodes = words.module.nodes;
    let Some(repeated_by) = flow::repeated_by(nodes, site.call) else {
        return;
    };
    lines.say(
        Label::When,
        format!(
            "it runs {}: it stands in the {} at row {}.",
            site.when,
            kind(nodes.get(repeated_by)),
            words.row_of_name(repeated_by)
        ),
    );
}

fn kind(node: AnyNodeRef<'_>) -> &'static str {
    match node {
        AnyNodeRef::StmtFunctionDef(_) => "`def`",
        AnyNodeRef::ExprLambda(_) => "`lambda`",
        AnyNodeRef::StmtFor(_) => "`for`",
        AnyNodeRef::StmtWhile(_) => "`while`",
        AnyNodeRef::ExprGenerator(_) => "generator expression",
        _ => "comprehension",
    }
}
