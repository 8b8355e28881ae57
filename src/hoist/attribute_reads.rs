//! Where attributes are read otherwise than as `object.name`: by a string, or all at once.

use rustc_hash::FxHashMap;
use rustpython_ast::{self as ast, Expr};

use super::module::Module;
use super::outside::is_foreign;
use crate::python::NodeId;
use crate::python::dotted::last_segment;

/// The expressions that read attributes by a string or all at once.
#[derive(Debug, Default)]
pub struct AttributeReads {
    named: FxHashMap<String, Vec<NodeId>>,
    /// `getattr(x, name)`, `vars(x)` and the like, which may read any attribute.
    computed: Vec<NodeId>,
}

impl AttributeReads {
    /// The expressions that read the attribute `name` by that string.
    #[must_use]
    pub fn of(&self, name: &str) -> &[NodeId] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// The expressions that may read any attribute.
    #[must_use]
    pub fn of_any(&self) -> &[NodeId] {
        &self.computed
    }

    /// Takes note of an attribute.
    pub fn attribute(&mut self, id: NodeId, attribute: &ast::ExprAttribute) {
        if attribute.attr.as_str() == "__dict__" {
            self.computed.push(id);
        }
    }

    /// Takes note of a call; `builtin` is the builtin that is called.
    pub fn call(
        &mut self,
        module: &Module<'_>,
        (id, call): (NodeId, &ast::ExprCall),
        builtin: Option<&str>,
    ) {
        let arguments = call.arguments.args.as_ref();
        let names = match (builtin, last_segment(&call.func)) {
            (Some("getattr"), _) => arguments.get(1..2),
            (Some("vars"), _) => None,
            (_, Some("attrgetter")) => Some(arguments),
            _ => return,
        };
        let object = arguments.first();
        if object.is_none_or(|object| is_foreign(module, object)) {
            return;
        }
        if builtin == Some("vars") {
            self.computed.push(id);
        }
        for name in names.into_iter().flatten() {
            match name {
                Expr::StringLiteral(text) => {
                    for segment in text.value.to_str().split('.') {
                        self.named.entry(segment.to_owned()).or_default().push(id);
                    }
                }
                _ => self.computed.push(id),
            }
        }
    }
}
