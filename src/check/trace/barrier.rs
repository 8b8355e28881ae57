//! What stands in the way of a site that is refused, where that has a place.

use rustpython_ast::{AnyNodeRef, ExceptHandler};

use super::{Label, Lines, Tracer};
use crate::hoist::site::Site;
use crate::hoist::writes;
use crate::python::semantic::ScopeId;
use crate::python::{NodeId, flow};
use crate::rule::{Rule, SkipReason};

impl<'a> Tracer<'_, 'a> {
    /// Says what stands in the way of a site that was refused before its rewrite was settled.
    pub(super) fn barrier(&self, site: &Site<'a>, reason: SkipReason, lines: &mut Lines) {
        let words = self.words();
        match reason {
            SkipReason::InsideTry => {
                let handlers = flow::reachable_handlers(words.module.nodes, site.call);
                if handlers.is_empty() {
                    lines.say(Label::When, "the block around it expects it to raise.");
                }
                for handler in handlers {
                    let ExceptHandler::ExceptHandler(handler) = handler;
                    let row = words.row(handler.range.start());
                    lines.say(
                        Label::When,
                        format!("what it raises may be caught by the handler in row {row}."),
                    );
                }
            }
            SkipReason::ModuleEnumeratesNames => {
                if let Some(node) = self.inquiry.facts.enumerated_at {
                    let (place, by) = (words.at(node), words.header(node));
                    lines.say(
                        Label::Name,
                        format!("at {place} the module's names are listed or served, in {by}."),
                    );
                }
            }
            SkipReason::ArgumentNotConstant => {
                for binding in words.module.model.bindings_of(ScopeId::MODULE, "__name__") {
                    let bound = words.bound(*binding);
                    lines.say(
                        Label::Argument,
                        format!("the class is named after the module's `__name__`, bound {bound}."),
                    );
                }
            }
            SkipReason::SourceShipped => self.decorators(site, lines),
            SkipReason::FactoryPatched => self.replacements(site, lines),
            SkipReason::ClassWritten => {
                let writes = writes::following(&self.inquiry, site);
                if let Some(kept) = self.inquiry.why_kept(site, &writes) {
                    self.stranded(&writes, &self.kept(kept), lines);
                }
            }
            _ => {}
        }
    }

    /// Says which decorators the functions around the site have.
    fn decorators(&self, site: &Site<'a>, lines: &mut Lines) {
        let words = self.words();
        let nodes = words.module.nodes;
        for id in nodes.ancestors(site.call) {
            let AnyNodeRef::StmtFunctionDef(function) = nodes.get(id) else {
                continue;
            };
            for decorator in &function.decorator_list {
                let node = nodes.id(decorator);
                let (row, code) = (words.row_of(node), words.code(node));
                lines.say(
                    Label::When,
                    format!("`{}` has the decorator {code} at row {row}.", function.name),
                );
            }
        }
    }

    /// Says where the factory's attribute is written.
    fn replacements(&self, site: &Site<'a>, lines: &mut Lines) {
        let words = self.words();
        let (_, attribute) = Rule::module_and_name(site.factory.factory.name);
        for id in self.inquiry.facts.attributes(attribute) {
            if let AnyNodeRef::ExprAttribute(written) = words.module.nodes.get(*id)
                && !written.ctx.is_load()
            {
                lines.say(
                    Label::Call,
                    format!("at {} {} is replaced.", words.at(*id), words.code(*id)),
                );
            }
        }
    }

    /// Says of each write that it would move along if the binding went, and why it does not.
    pub(super) fn stranded(&self, writes: &[NodeId], why: &str, lines: &mut Lines) {
        for write in writes {
            let write = self.words().statement(*write);
            lines.say(Label::Site, format!("{write} cannot move along: {why}."));
        }
    }
}
