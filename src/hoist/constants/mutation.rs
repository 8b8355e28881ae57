//! Whether a local that holds a list may have been changed when a call reads it.

use rustpython_ast::{self as ast, AnyNodeRef, Expr, Operator};

use super::CallNames;
use crate::hoist::factory;
use crate::hoist::module::Module;
use crate::python::NodeId;
use crate::python::semantic::{BindingId, ReferenceContext};

/// Builtins that read the elements of their first argument and keep nothing.
const READERS: [&str; 15] = [
    "len",
    "tuple",
    "list",
    "sorted",
    "reversed",
    "set",
    "frozenset",
    "enumerate",
    "sum",
    "any",
    "all",
    "bool",
    "str",
    "repr",
    "isinstance",
];

/// Methods of lists and dictionaries that change and keep nothing.
const READING_METHODS: [&str; 7] = ["index", "count", "copy", "keys", "values", "items", "get"];

/// The parameters by which a factory is given its elements; it copies both.
const COPIED_ARGUMENTS: [&str; 2] = ["field_names", "defaults"];

impl CallNames<'_, '_> {
    /// Whether a use of the local, other than to read its elements, may run between its binding
    /// and the call.
    pub(super) fn may_be_changed(&self, binding: BindingId) -> bool {
        let model = self.module.model;
        let bound = model.binding(binding);
        let references = model.references_to(bound.scope, &bound.name).iter();
        let mut references = references.map(|id| model.reference(*id));
        let call_end = self.runs_once_a_binding(binding).then(|| {
            let statement = self.module.nodes.statement(self.call);
            self.module.nodes.range(statement).end()
        });
        references.any(|reference| {
            let is_later = call_end.is_some_and(|end| end <= reference.range.start());
            let is_read = reference.context == ReferenceContext::Load
                && (self.module.nodes.contains(self.call, reference.node)
                    || self.only_reads(reference.node));
            !is_later && !is_read
        })
    }

    /// Whether the call runs at most once for each run of the binding, in the same function, so
    /// that what stands behind its statement runs after it.
    ///
    /// Only a loop runs earlier lines later; the binding in the same loop makes a new list.
    fn runs_once_a_binding(&self, binding: BindingId) -> bool {
        let nodes = self.module.nodes;
        let function = self
            .module
            .model
            .scope(self.module.model.binding(binding).scope);
        let statement = self.module.binding_statement(binding);
        let mut around = nodes.ancestors(self.call);
        around
            .by_ref()
            .take_while(|id| *id != function.node)
            .all(|id| match nodes.get(id) {
                AnyNodeRef::StmtFor(_) | AnyNodeRef::StmtWhile(_) => nodes.contains(id, statement),
                AnyNodeRef::StmtFunctionDef(_)
                | AnyNodeRef::ExprLambda(_)
                | AnyNodeRef::Comprehension(_)
                | AnyNodeRef::ExprGenerator(_)
                | AnyNodeRef::ExprListComp(_)
                | AnyNodeRef::ExprSetComp(_)
                | AnyNodeRef::ExprDictComp(_)
                | AnyNodeRef::ModModule(_) => false,
                _ => true,
            })
    }

    /// Whether the use reads the elements, or makes a new object of them, and lets no other name
    /// have the list itself.
    fn only_reads(&self, node: NodeId) -> bool {
        let module = self.module;
        let is = |expr: &Expr| module.nodes.id(expr) == node;
        let (parent_id, parent) = module.parent(node);
        match parent {
            AnyNodeRef::StmtFor(statement) => is(&statement.iter),
            AnyNodeRef::StmtIf(_)
            | AnyNodeRef::ElifElseClause(_)
            | AnyNodeRef::StmtWhile(_)
            | AnyNodeRef::Comprehension(_)
            | AnyNodeRef::ExprCompare(_)
            | AnyNodeRef::ExprStarred(_)
            | AnyNodeRef::ExprYieldFrom(_) => true,
            AnyNodeRef::StmtAssert(statement) => is(&statement.test),
            AnyNodeRef::ExprIf(choice) if is(&choice.test) => true,
            // Their value may be the list itself.
            AnyNodeRef::ExprIf(_) | AnyNodeRef::ExprBoolOp(_) => self.only_reads(parent_id),
            AnyNodeRef::ExprUnaryOp(operation) => operation.op == ast::UnaryOp::Not,
            AnyNodeRef::StmtAssign(assign) => assign
                .targets
                .iter()
                .all(|target| target.is_tuple_expr() || target.is_list_expr()),
            AnyNodeRef::ExprSubscript(subscript) => subscript.ctx.is_load() && is(&subscript.value),
            AnyNodeRef::ExprBinOp(operation) => makes_new(module, operation, node),
            AnyNodeRef::ExprTuple(_) => match module.parent(parent_id).1 {
                AnyNodeRef::ExprBinOp(format) => fills_text(module, format, parent_id),
                _ => false,
            },
            AnyNodeRef::InterpolatedElement(_) => in_f_string(module, node),
            AnyNodeRef::ExprAttribute(method) => {
                READING_METHODS.contains(&method.attr.as_str())
                    && module.parent(parent_id).1.is_expr_call()
            }
            AnyNodeRef::Arguments(_) => self.only_read_by_call(parent_id, Passed::At(node)),
            AnyNodeRef::Keyword(keyword) => {
                let name = keyword.arg.as_ref().map(|name| name.as_str());
                let arguments = module.parent(parent_id).0;
                name.is_some_and(|name| self.only_read_by_call(arguments, Passed::By(name)))
            }
            _ => false,
        }
    }

    /// Whether the call with these arguments reads the elements of the one that is passed so.
    fn only_read_by_call(&self, arguments: NodeId, passed: Passed<'_>) -> bool {
        let module = self.module;
        let AnyNodeRef::ExprCall(call) = module.parent(arguments).1 else {
            return false;
        };
        if let Expr::Attribute(method) = call.func.as_ref() {
            if is_text(&method.value) {
                return true;
            }
            let makes_dictionary =
                method.attr.as_str() == "fromkeys" && module.builtin(&method.value) == Some("dict");
            if makes_dictionary {
                return passed.position(module, call) == Some(0);
            }
        }
        if let Some(found) = factory::resolve(module, &call.func, self.factory.rule) {
            let is_copied = match passed {
                Passed::At(_) => passed.position(module, call) == Some(1),
                Passed::By(name) => COPIED_ARGUMENTS.contains(&name),
            };
            return found.certain && is_copied;
        }
        match (module.builtin(&call.func), passed.position(module, call)) {
            (Some(name), Some(0)) if READERS.contains(&name) => true,
            // With more arguments they give one of them.
            (Some("max" | "min"), Some(0)) => call.arguments.args.len() == 1,
            (Some("map" | "filter"), Some(at)) => at > 0,
            (Some("zip" | "print"), Some(_)) => true,
            _ => false,
        }
    }
}

/// How a call is given an argument.
#[derive(Clone, Copy)]
enum Passed<'s> {
    /// By position.
    At(NodeId),
    /// By the parameter's name.
    By(&'s str),
}

impl Passed<'_> {
    /// The position; `None` by keyword, or when what stands before it may be any number of arguments.
    fn position(self, module: &Module<'_>, call: &ast::ExprCall) -> Option<usize> {
        let Passed::At(node) = self else { return None };
        let mut arguments = call.arguments.args.iter();
        let at = arguments.position(|argument| module.nodes.id(argument) == node)?;
        let before = call.arguments.args.get(..at)?;
        (!before.iter().any(Expr::is_starred_expr)).then_some(at)
    }
}

/// Whether the operation makes a new list or string of the operand.
fn makes_new(module: &Module<'_>, operation: &ast::ExprBinOp, node: NodeId) -> bool {
    match operation.op {
        Operator::Mult => true,
        Operator::Add => {
            module.nodes.id(operation.left.as_ref()) == node || is_list(module, &operation.left)
        }
        _ => fills_text(module, operation, node),
    }
}

/// Whether the expression is a list, so that its `+` makes a new one.
fn is_list(module: &Module<'_>, expr: &Expr) -> bool {
    match expr {
        Expr::List(_) | Expr::ListComp(_) => true,
        Expr::BinOp(operation) => operation.op == Operator::Add && is_list(module, &operation.left),
        Expr::Call(call) => matches!(module.builtin(&call.func), Some("list" | "sorted")),
        _ => false,
    }
}

/// Whether `node` is what the `%` of a string literal fills in.
fn fills_text(module: &Module<'_>, operation: &ast::ExprBinOp, node: NodeId) -> bool {
    operation.op == Operator::Mod
        && is_text(&operation.left)
        && module.nodes.id(operation.right.as_ref()) == node
}

fn is_text(expr: &Expr) -> bool {
    expr.is_string_literal_expr() || expr.is_f_string_expr()
}

/// Whether the replacement field belongs to an f-string; a t-string keeps the object (PEP 750).
fn in_f_string(module: &Module<'_>, node: NodeId) -> bool {
    let mut around = module.nodes.ancestors(node).map(|id| module.nodes.get(id));
    !around.any(|around| around.is_expr_t_string())
}
