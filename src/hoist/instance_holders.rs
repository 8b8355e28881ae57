//! Objects of the module's classes that hold followed values, as their own methods see them.

use rustpython_ast::{AnyNodeRef, Expr};

use super::instance_flow::Grain::Within;
use super::instance_flow::InstanceFlow;
use super::outside::is_foreign;
use super::special_methods::CLASS_MAKING;
use crate::python::NodeId;
use crate::python::dotted::last_segment;
use crate::python::semantic::ScopeId;

impl InstanceFlow<'_, '_> {
    /// A special method gives the value, so operators, loops and calls on objects of its class do.
    pub(super) fn special_result(&mut self, method: NodeId) {
        let class = self.class_around(method);
        class.into_iter().for_each(|class| self.objects(class));
    }

    /// `self` gets a value: it is an object of the class around the method.
    pub(super) fn own_object(&mut self, method: ScopeId) {
        let function = self.module.model.scope(method).node;
        let nodes = self.module.nodes;
        if let AnyNodeRef::StmtFunctionDef(_) = nodes.get(function)
            && let Some(class) = self.class_around(function)
        {
            self.own_names(class);
        }
    }

    /// The class statement in whose body the function stands.
    fn class_around(&self, function: NodeId) -> Option<NodeId> {
        let mut around = self.module.nodes.ancestors(function);
        let is_scope = |id: &NodeId| {
            let node = self.module.nodes.get(*id);
            matches!(
                node,
                AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::StmtClassDef(_)
            )
        };
        let nearest = around.find(is_scope)?;
        matches!(self.module.nodes.get(nearest), AnyNodeRef::StmtClassDef(_)).then_some(nearest)
    }

    /// The class by name, which makes the objects, and `self` in its methods.
    fn objects(&mut self, class: NodeId) {
        if !self.is_builtin && self.holders.insert(class) {
            self.binding(class, Within);
            self.own_names(class);
        }
    }

    /// The first parameters of the methods of the class.
    fn own_names(&mut self, class: NodeId) {
        if self.is_builtin {
            return;
        }
        let AnyNodeRef::StmtClassDef(statement) = self.module.nodes.get(class) else {
            return;
        };
        for method in statement
            .body
            .iter()
            .filter_map(|inner| inner.as_function_def_stmt())
        {
            if let Some(first) = method.parameters.iter_non_variadic_params().next() {
                self.binding(self.module.nodes.id(&first.parameter), Within);
            }
        }
    }

    /// The classes that a class inherits its methods from, or whose methods make its objects; a
    /// base of another module keeps what its objects are made of, as `list` does.
    pub(super) fn bases(&mut self, class: NodeId) {
        let AnyNodeRef::StmtClassDef(statement) = self.module.nodes.get(class) else {
            return;
        };
        let Some(arguments) = statement.arguments.as_deref() else {
            return;
        };
        let keywords = arguments.keywords.iter().map(|keyword| &keyword.value);
        for base in arguments.args.iter().chain(keywords) {
            if let Some(name) = last_segment(base) {
                self.callee(name);
            }
        }
        let keeps = |base: &Expr| {
            let is_plain = self.module.builtin(base) == Some("object");
            !is_plain && (is_foreign(self.module, base) || last_segment(base).is_none())
        };
        if arguments.args.iter().any(keeps) {
            self.own_names(class);
        }
    }

    /// A value in the head of a class statement: of a keyword, or a base whose objects hold one.
    pub(super) fn class_head(&mut self, node: NodeId, arguments: NodeId) {
        if let (class, AnyNodeRef::StmtClassDef(_)) = self.module.parent(arguments) {
            if let AnyNodeRef::Keyword(_) = self.module.nodes.get(node) {
                self.special_methods(&CLASS_MAKING);
            }
            self.objects(class);
        }
    }
}
