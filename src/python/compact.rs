//! The lists of a syntax tree without the room that they had to grow.

use rustpython_ast::visitor::transformer::{
    Transformer, walk_comprehension, walk_elif_else_clause, walk_except_handler, walk_expr,
    walk_match_case, walk_parameters, walk_stmt,
};
use rustpython_ast::{
    Comprehension, ElifElseClause, ExceptHandler, Expr, MatchCase, ModModule, Parameters, Stmt,
};

/// Gives back the room in the lists of `module` that holds nothing: the parser makes room for four
/// where there is one, and most bodies and targets are shorter.
pub(super) fn compact(module: &mut ModModule) {
    module.body.shrink_to_fit();
    Compact.visit_body(&mut module.body);
}

struct Compact;

impl Transformer for Compact {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => {
                def.body.shrink_to_fit();
                def.decorator_list.shrink_to_fit();
            }
            Stmt::ClassDef(class) => {
                class.body.shrink_to_fit();
                class.decorator_list.shrink_to_fit();
            }
            Stmt::For(stmt) => {
                stmt.body.shrink_to_fit();
                stmt.orelse.shrink_to_fit();
            }
            Stmt::While(stmt) => {
                stmt.body.shrink_to_fit();
                stmt.orelse.shrink_to_fit();
            }
            Stmt::If(stmt) => {
                stmt.body.shrink_to_fit();
                stmt.elif_else_clauses.shrink_to_fit();
            }
            Stmt::With(with) => {
                with.body.shrink_to_fit();
                with.items.shrink_to_fit();
            }
            Stmt::Try(stmt) => {
                stmt.body.shrink_to_fit();
                stmt.handlers.shrink_to_fit();
                stmt.orelse.shrink_to_fit();
                stmt.finalbody.shrink_to_fit();
            }
            Stmt::Match(stmt) => stmt.cases.shrink_to_fit(),
            Stmt::Assign(assign) => assign.targets.shrink_to_fit(),
            Stmt::Delete(delete) => delete.targets.shrink_to_fit(),
            Stmt::Import(import) => import.names.shrink_to_fit(),
            Stmt::ImportFrom(import) => import.names.shrink_to_fit(),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::BoolOp(operation) => operation.values.shrink_to_fit(),
            Expr::Dict(dict) => dict.items.shrink_to_fit(),
            Expr::Set(set) => set.elts.shrink_to_fit(),
            Expr::List(list) => list.elts.shrink_to_fit(),
            Expr::Tuple(tuple) => tuple.elts.shrink_to_fit(),
            Expr::ListComp(list) => list.generators.shrink_to_fit(),
            Expr::SetComp(set) => set.generators.shrink_to_fit(),
            Expr::DictComp(dict) => dict.generators.shrink_to_fit(),
            Expr::Generator(generator) => generator.generators.shrink_to_fit(),
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_comprehension(&self, comprehension: &mut Comprehension) {
        comprehension.ifs.shrink_to_fit();
        walk_comprehension(self, comprehension);
    }

    fn visit_parameters(&self, parameters: &mut Parameters) {
        parameters.posonlyargs.shrink_to_fit();
        parameters.args.shrink_to_fit();
        parameters.kwonlyargs.shrink_to_fit();
        walk_parameters(self, parameters);
    }

    fn visit_elif_else_clause(&self, clause: &mut ElifElseClause) {
        clause.body.shrink_to_fit();
        walk_elif_else_clause(self, clause);
    }

    fn visit_except_handler(&self, handler: &mut ExceptHandler) {
        let ExceptHandler::ExceptHandler(clause) = handler;
        clause.body.shrink_to_fit();
        walk_except_handler(self, handler);
    }

    fn visit_match_case(&self, case: &mut MatchCase) {
        case.body.shrink_to_fit();
        walk_match_case(self, case);
    }
}

#[cfg(test)]
mod tests {
    use rustpython_parser::parse_module;

    use super::*;

    #[test]
    fn a_compact_tree_is_the_same_without_spare_room() {
        let text = "\
import a, b
from a import c
@a
class C:
    @b
    def f(self, x, /, y=1, *, z=2):
        x = y = {z: [x for x in y if x]}
        del x, y
        return x and (y, {z}) or {*x}, [y]
    if a: b
    elif c: d
    else: e
while a:
    with a as b, c:
        for d in e: f
        else: g
else:
    try: a
    except b: c
    else: d
    finally: e
match a:
    case [b]: c
";
        let mut compacted = parse_module(text).unwrap().into_syntax();
        compact(&mut compacted);
        assert_eq!(compacted, *parse_module(text).unwrap().syntax());
        let Some(Stmt::ClassDef(class)) = compacted.body.get(2) else {
            panic!("no class");
        };
        assert_eq!(class.body.capacity(), class.body.len());
        assert_eq!(class.decorator_list.capacity(), 1);
    }
}
