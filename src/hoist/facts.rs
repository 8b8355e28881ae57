//! What is true of a module as a whole, looked up once for all its sites.

mod late;

use std::cell::RefCell;

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{self as ast, AnyNodeRef, Expr};
use rustpython_text_size::Ranged;

pub use self::late::LateFacts;
use super::decorators::are_harmless;
use super::followed::Followed;
use super::import::functions_are_self_contained;
use super::module::Module;
use super::reflection::{Reflection, namespace::finds_module_of};
use super::shipping::{says_of_itself, takes_any_source};
use super::strings::{is_boundary, is_cast, texts_in};
use crate::python::constant::Value;
use crate::python::dotted::last_segment;
use crate::python::semantic::{BindingId, ScopeId, ScopeKind};
use crate::python::tokens::comments;
use crate::python::{NodeId, flow};
use crate::text::TextSize;

/// Callees that reach an attribute by a string.
const BY_STRING: [&str; 10] = [
    "dict",
    "getattr",
    "setattr",
    "hasattr",
    "delattr",
    "attrgetter",
    "methodcaller",
    "patch",
    "object",
    "setitem",
];

/// Facts of one module that many decisions ask for.
#[derive(Debug, Default)]
pub struct Facts<'a> {
    attributes: FxHashMap<&'a str, Vec<NodeId>>,
    /// Attribute names that are spelled as strings or in class patterns.
    attribute_strings: FxHashSet<&'a str>,
    /// The attributes that are assigned to, or set or patched by name.
    replaced_attributes: FxHashSet<&'a str>,
    /// The top-level packages that the module imports anywhere.
    imported_packages: FxHashSet<&'a str>,
    /// The names that some function declares `global`.
    global_names: FxHashSet<&'a str>,
    /// The names that some function declares `nonlocal`.
    nonlocal_names: FxHashSet<&'a str>,
    /// Words in strings that are run as code of the module: `eval("name")`.
    names_in_strings: FxHashSet<&'a str>,
    /// The names that a class body both binds and reads: a global of that name is read instead
    /// while the class has not bound it.
    class_body_names: FxHashSet<&'a str>,
    /// The modules that are replaced in `sys.modules`.
    replaced_modules: FxHashSet<&'a str>,
    /// Whether annotations are kept as text.
    postpones_annotations: bool,
    /// Names in annotations that are kept as text, and those of them that a decorator may evaluate.
    annotation_names: FxHashSet<&'a str>,
    decorated_annotation_names: FxHashSet<&'a str>,
    /// Words in the text of annotations, type comments and `cast("…", x)`, with their places.
    annotation_words: FxHashMap<&'a str, Vec<TextSize>>,
    /// Code that looks at names, classes, functions or annotations as data.
    pub reflection: Reflection,
    /// The arguments of calls of which the callee is not known.
    pub unknown_calls: Vec<NodeId>,
    /// The first node that lists or serves the module's names.
    pub enumerated_at: Option<NodeId>,
    /// All `yield` expressions.
    pub yields: Vec<NodeId>,
    /// Whether the source or the code of some function is taken that is not named there.
    pub takes_any_source: bool,
    /// All functions and lambdas, in source order.
    pub functions: Vec<NodeId>,
    /// Whether three or more functions import all they use and the module nothing.
    pub functions_are_self_contained: bool,
    /// The functions of which the code object is taken, by the last segments of their names.
    code_taken: FxHashSet<&'a str>,
    /// The values of module-level constants found so far.
    pub values: RefCell<FxHashMap<BindingId, Option<Value>>>,
    /// What the expressions are to which some class was followed.
    pub followed: Followed,
}

impl<'a> Facts<'a> {
    /// Reads the facts off all nodes of the module.
    fn collect(module: &Module<'a>) -> Self {
        let mut facts = Self {
            postpones_annotations: module.postpones_annotations(),
            ..Self::default()
        };
        for (id, node) in module.nodes.iter() {
            facts.node(module, id, node);
            if facts.reflection.enumerates_names {
                facts.enumerated_at.get_or_insert(id);
            }
        }
        for (_, reference) in module.model.references() {
            let scope = module.model.scope(reference.scope);
            if scope.kind == ScopeKind::Class
                && !module
                    .model
                    .bindings_of(reference.scope, &reference.name)
                    .is_empty()
            {
                facts.class_body_names.insert(reference.name.as_str());
            }
        }
        facts.type_comments(module);
        facts.reflection.enumerates_names |= defines_getattr(module);
        facts.functions_are_self_contained = functions_are_self_contained(module);
        facts
    }

    fn node(&mut self, module: &Module<'a>, id: NodeId, node: AnyNodeRef<'a>) {
        match node {
            AnyNodeRef::ExprAttribute(attribute) => {
                self.takes_any_source |= takes_any_source(module, id);
                self.attribute(module, id, attribute);
            }
            AnyNodeRef::ExprName(name) if name.ctx.is_load() => {
                self.takes_any_source |= takes_any_source(module, id);
                self.reflection.name(module, id, name);
                if self.postpones_annotations && flow::is_annotation(module.nodes, id) {
                    self.annotation_name(module, id, name.id.as_str());
                }
            }
            AnyNodeRef::ExprStringLiteral(text) => {
                self.reflection.string(module, id, text.value.to_str());
                if flow::is_annotation(module.nodes, id) || is_cast(module, id) {
                    self.annotation(text.start(), text.value.to_str());
                    let words = text.value.to_str().split(is_boundary);
                    words.for_each(|word| self.annotation_name(module, id, word));
                }
            }
            AnyNodeRef::ExprSubscript(subscript) => self.subscript(subscript),
            AnyNodeRef::ExprCall(call) => {
                self.strings(call);
                let stored = call
                    .func
                    .as_attribute_expr()
                    .is_some_and(|method| self.replaced_attributes.contains(method.attr.as_str()));
                if stored || self.followed.is_unknown_callee(module, &call.func) {
                    self.unknown_calls.push(module.nodes.id(&call.arguments));
                }
                self.reflection.call(module, id, call);
            }
            AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_) => self.functions.push(id),
            AnyNodeRef::ExprYield(_) => self.yields.push(id),
            AnyNodeRef::PatternKeyword(keyword) => {
                self.attribute_strings.insert(keyword.attr.as_str());
            }
            AnyNodeRef::StmtImport(import) => {
                let names = import.names.iter().map(|alias| first_segment(&alias.name));
                self.imported_packages.extend(names);
            }
            AnyNodeRef::StmtImportFrom(import) if import.level == 0 => {
                let packages = import.module.iter().map(|name| first_segment(name));
                self.imported_packages.extend(packages);
            }
            AnyNodeRef::StmtGlobal(global) => {
                self.global_names
                    .extend(global.names.iter().map(|name| name.as_str()));
            }
            AnyNodeRef::StmtNonlocal(nonlocal) => {
                self.nonlocal_names
                    .extend(nonlocal.names.iter().map(|name| name.as_str()));
            }
            _ => {}
        }
    }

    /// Takes note of the words in type comments (PEP 484, "Type comments").
    fn type_comments(&mut self, module: &Module<'a>) {
        if memmem::find(module.text.as_bytes(), b"type:").is_none() {
            return;
        }
        for range in comments(module.tokens, module.nodes.range(NodeId::MODULE)) {
            let text = module.slice(range);
            let words = text.trim_start_matches('#').trim_start();
            if words.starts_with("type:") {
                self.annotation(range.start(), text);
            }
        }
    }

    /// `mock.patch.dict("sys.modules", {"name": …})`, also with `sys.modules` itself.
    fn patched_dictionary(&mut self, call: &'a ast::ExprCall) {
        let [dictionary, Expr::Dict(values), ..] = call.arguments.args.as_ref() else {
            return;
        };
        let is_modules = match dictionary {
            Expr::StringLiteral(name) => name.value.to_str() == "sys.modules",
            other => last_segment(other) == Some("modules"),
        };
        let keys = values.items.iter().filter_map(|item| item.key.as_ref());
        let keys = keys
            .filter_map(Expr::as_string_literal_expr)
            .filter(|_| is_modules);
        self.replaced_modules
            .extend(keys.map(|key| key.value.to_str()));
    }

    /// Takes note of a name that is looked up in the module when the annotation's text is evaluated.
    fn annotation_name(&mut self, module: &Module<'a>, id: NodeId, name: &'a str) {
        let function = module
            .nodes
            .ancestors(id)
            .find(|outer| module.nodes.get(*outer).is_statement());
        if let Some(AnyNodeRef::StmtFunctionDef(function)) = function.map(|id| module.nodes.get(id))
            && !are_harmless(function)
        {
            self.decorated_annotation_names.insert(name);
        }
        self.annotation_names.insert(name);
    }

    fn annotation(&mut self, at: TextSize, text: &'a str) {
        for word in text.split(is_boundary).filter(|word| !word.is_empty()) {
            self.annotation_words.entry(word).or_default().push(at);
        }
    }

    fn attribute(&mut self, module: &Module<'a>, id: NodeId, attribute: &'a ast::ExprAttribute) {
        self.attributes
            .entry(attribute.attr.as_str())
            .or_default()
            .push(id);
        if !attribute.ctx.is_load() {
            self.replaced_attributes.insert(attribute.attr.as_str());
        }
        if attribute.attr.as_str() == "__code__" && !says_of_itself(module, id) {
            self.code_taken.extend(last_segment(&attribute.value));
        }
        self.reflection.attribute(module, id, attribute);
    }

    fn subscript(&mut self, subscript: &'a ast::ExprSubscript) {
        self.reflection.enumerates_names |= finds_module_of(subscript);
        if let (Some(key), false) = (
            subscript.slice.as_string_literal_expr(),
            subscript.ctx.is_load(),
        ) {
            if last_segment(&subscript.value) == Some("modules") {
                self.replaced_modules.insert(key.value.to_str());
            }
            // `module.__dict__["name"] = …`
            self.replaced_attributes.insert(key.value.to_str());
        }
    }

    /// The attributes that a call reaches by strings: `setattr(x, "name", …)`,
    /// `patch("package.module.name")`.
    fn strings(&mut self, call: &'a ast::ExprCall) {
        if let Some("eval" | "exec" | "compile") = last_segment(&call.func)
            && let Some(Expr::StringLiteral(code)) = call.arguments.args.first()
        {
            self.names_in_strings
                .extend(code.value.to_str().split(is_boundary));
        }
        let Some(callee) = last_segment(&call.func).filter(|name| BY_STRING.contains(name)) else {
            return;
        };
        if callee == "dict" {
            self.patched_dictionary(call);
            return;
        }
        let only_reads = matches!(
            callee,
            "getattr" | "hasattr" | "attrgetter" | "methodcaller"
        );
        let mut texts = vec![];
        call.arguments
            .args
            .iter()
            .for_each(|argument| texts_in(argument, &mut texts));
        for text in texts {
            for segment in text.split('.') {
                self.attribute_strings.insert(segment);
            }
            if !only_reads && let Some(last) = text.rsplit('.').next() {
                self.replaced_attributes.insert(last);
            }
        }
    }

    /// Whether the code object of a function of that name is taken, other than to read what it says of
    /// itself.
    #[must_use]
    pub fn takes_code_of(&self, function: &str) -> bool {
        self.code_taken.contains(function)
    }

    /// All attribute nodes with that name, in source order.
    #[must_use]
    pub fn attributes(&self, name: &str) -> &[NodeId] {
        self.attributes.get(name).map_or(&[], Vec::as_slice)
    }

    /// All attribute nodes.
    pub fn all_attributes(&self) -> impl Iterator<Item = NodeId> {
        self.attributes.values().flatten().copied()
    }

    /// Whether the attribute may be reached without being written as an attribute: by `getattr` or
    /// a sibling of it, in a class pattern, or through the object's dictionary.
    #[must_use]
    pub fn spells_attribute(&self, name: &str) -> bool {
        self.reflection.reads_any_attribute || self.attribute_strings.contains(name)
    }

    /// Whether some function declares the name `global`.
    #[must_use]
    pub fn is_declared_global(&self, name: &str) -> bool {
        self.global_names.contains(name)
    }

    /// Whether some function declares the name `nonlocal`.
    #[must_use]
    pub fn is_declared_nonlocal(&self, name: &str) -> bool {
        self.nonlocal_names.contains(name)
    }

    /// Whether a string that is read as code or as the name of a global holds the name.
    #[must_use]
    pub fn is_named_in_string(&self, name: &str) -> bool {
        self.names_in_strings.contains(name)
            || self.reflection.names_read.contains(name)
            || self.decorated_annotation_names.contains(name)
            || (self.reflection.reads_annotations && self.annotation_names.contains(name))
    }

    /// Whether the text of an annotation in the code of `scope` spells the name.
    #[must_use]
    pub fn is_spelled_in_annotation(
        &self,
        module: &Module<'_>,
        name: &str,
        scope: ScopeId,
    ) -> bool {
        let range = module.nodes.range(module.model.scope(scope).node);
        let places = self.annotation_words.get(name).into_iter().flatten();
        places.into_iter().any(|place| range.contains(*place))
    }

    /// Whether a class body reads the name and may not have bound it yet.
    #[must_use]
    pub fn is_read_in_class_body(&self, name: &str) -> bool {
        self.class_body_names.contains(name)
    }

    /// Whether the module imports that top-level package anywhere.
    #[must_use]
    pub fn imports_package(&self, package: &str) -> bool {
        self.imported_packages.contains(package)
    }

    /// Whether the module puts something else in the place of the module `name`.
    #[must_use]
    pub fn replaces_module(&self, name: &str) -> bool {
        self.replaced_modules.contains(name)
    }

    /// Whether the module replaces the attribute `name` of something: by assignment, or by a call
    /// that sets or patches it by name.
    #[must_use]
    pub fn replaces_attribute(&self, name: &str) -> bool {
        self.replaced_attributes.contains(name)
    }
}

fn first_segment(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// A module-level `def __getattr__` serves names that a new global would hide (PEP 562).
fn defines_getattr(module: &Module<'_>) -> bool {
    !module
        .model
        .bindings_of(ScopeId::MODULE, "__getattr__")
        .is_empty()
}
