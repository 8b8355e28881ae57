//! Which reads of attributes give a value that was stored on one.

use std::rc::Rc;

use rustpython_ast::{self as ast, AnyNodeRef, Expr};

use super::instance_flow::{Grain, Grain::Within, InstanceFlow};
use super::outside::{is_foreign, is_made_here, is_open_name};
use crate::python::NodeId;

impl InstanceFlow<'_, '_> {
    /// The attribute wherever it is read, and the parameters of a property's setter.
    pub(super) fn attribute(&mut self, attribute: &ast::ExprAttribute, grain: Grain) {
        let name = attribute.attr.as_str();
        self.special_methods(&["__set__", "__setattr__"]);
        self.callee(name);
        if is_foreign(self.module, &attribute.value) {
            self.push_all(self.facts.attributes(name), grain);
            self.leave();
        } else if is_made_here(self.module, &attribute.value) {
            self.push_all(&self.own_attributes(name), grain);
            self.root(&attribute.value);
        } else {
            self.attribute_reads(name, grain);
            if is_open_name(name) {
                self.leave();
            }
        }
    }

    /// The reads of the attributes of that name: `x.name`, `getattr(x, "name")`, `vars(x)`.
    pub(super) fn attribute_reads(&mut self, name: &str, grain: Grain) {
        self.push_all(&self.own_attributes(name), grain);
        let reads = &self.facts.reflection.attribute_reads;
        self.push_all(reads.of(name), grain);
        if !self.is_builtin {
            self.push_all(reads.of_any(), Within);
        }
    }

    /// The attributes of that name but for those of other modules.
    fn own_attributes(&self, name: &str) -> Rc<[NodeId]> {
        self.facts.followed.own_attributes(name, || {
            let attributes = self.facts.attributes(name).iter().copied();
            attributes.filter(|id| self.is_own(*id)).collect()
        })
    }

    fn is_own(&self, attribute: NodeId) -> bool {
        match self.module.nodes.get(attribute) {
            AnyNodeRef::ExprAttribute(attribute) => !is_foreign(self.module, &attribute.value),
            _ => false,
        }
    }

    /// Some attribute of the object gets a value.
    pub(super) fn any_attribute(&mut self, object: &Expr) {
        for id in self.facts.all_attributes() {
            if self.is_own(id) {
                self.push(id, Within);
            }
        }
        self.push_all(self.facts.reflection.attribute_reads.of_any(), Within);
        self.root(object);
    }
}
