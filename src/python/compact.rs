//! Gives back what the lists of a large tree have room for and do not hold.

use rustpython_ast::visitor::transformer::{
    Transformer, walk_body, walk_comprehension, walk_except_handler, walk_expr, walk_match_case,
    walk_parameters, walk_stmt,
};
use rustpython_ast::{Comprehension, ExceptHandler, Expr, MatchCase, ModModule, Parameters, Stmt};

/// Gives back the room that the lists of `module` do not use. The parser makes each with room for
/// four, be it for the one target of an assignment, which adds up to a third of the tree.
///
/// It recurses as deeply as the tree.
pub(super) fn compact(module: &mut ModModule) {
    module.body.shrink_to_fit();
    walk_body(&Compactor, &mut module.body);
}

struct Compactor;

impl Transformer for Compactor {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => {
                def.decorator_list.shrink_to_fit();
                def.body.shrink_to_fit();
            }
            Stmt::ClassDef(class) => {
                class.decorator_list.shrink_to_fit();
                class.body.shrink_to_fit();
            }
            Stmt::Assign(assign) => assign.targets.shrink_to_fit(),
            Stmt::For(each) => {
                each.body.shrink_to_fit();
                each.orelse.shrink_to_fit();
            }
            Stmt::While(each) => {
                each.body.shrink_to_fit();
                each.orelse.shrink_to_fit();
            }
            Stmt::If(branch) => {
                branch.body.shrink_to_fit();
                for clause in &mut branch.elif_else_clauses {
                    clause.body.shrink_to_fit();
                }
                branch.elif_else_clauses.shrink_to_fit();
            }
            Stmt::With(with) => {
                with.items.shrink_to_fit();
                with.body.shrink_to_fit();
            }
            Stmt::Match(choice) => choice.cases.shrink_to_fit(),
            Stmt::Try(attempt) => {
                attempt.body.shrink_to_fit();
                attempt.handlers.shrink_to_fit();
                attempt.orelse.shrink_to_fit();
                attempt.finalbody.shrink_to_fit();
            }
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

    fn visit_except_handler(&self, handler: &mut ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        inner.body.shrink_to_fit();
        walk_except_handler(self, handler);
    }

    fn visit_match_case(&self, case: &mut MatchCase) {
        case.body.shrink_to_fit();
        walk_match_case(self, case);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse;

    #[test]
    fn a_tree_is_the_same_without_its_spare_room() {
        let text = "\
import a, b
@a
@b
async def f(a, /, b=[1], *c, d: e = {1, (2, 3)}, **g):
    for h in a and b: x = y = {1: 2, **z}
    else: pass
    while a: break
    with a as b, c: await d
    match a:
        case [1, *b] if c: return [x for x in y if z if w]
        case d: return {x: x for x in y}
class C(D, key=1):
    try: from a import b, c
    except E: pass
    else: x
    finally: y
    if a: f'{b!r:{c}}'
    elif d: lambda: (yield)
    else: {x for x in y}
z = (x for x in y for z in x)
";
        let parsed = parse(text).unwrap();
        let (mut module, _) = parse(text).unwrap().into_parts();
        compact(&mut module);
        assert_eq!(&module, parsed.syntax());
        let room = |module: &ModModule| match module.body.as_slice() {
            [
                _,
                Stmt::FunctionDef(def),
                Stmt::ClassDef(class),
                Stmt::Assign(assign),
            ] => {
                [&def.body, &class.body]
                    .map(Vec::capacity)
                    .into_iter()
                    .sum::<usize>()
                    + def.parameters.args.capacity()
                    + assign.targets.capacity()
            }
            _ => 0,
        };
        assert_eq!(room(&module), 4 + 2 + 1 + 1);
        assert!(room(parsed.syntax()) > room(&module));
    }
}
