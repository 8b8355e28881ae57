//! Code of a module that looks at names, classes, functions or annotations as data.

pub mod namespace;

use rustc_hash::FxHashSet;
use rustpython_ast::{self as ast, AnyNodeRef, Expr};

use self::namespace::{attribute_read, lists_nothing, name_read, own_module};
use super::attribute_reads::AttributeReads;
use super::defaults::changes_dictionary;
use super::factory::resolves_to;
use super::method::is_first_parameter;
use super::module::Module;
use crate::python::dotted::last_segment;
use crate::python::semantic::{BindingKind, ScopeId};
use crate::python::{NodeId, flow};

/// Attributes that give the class of an instance, or something that holds it.
const CLASS_ATTRIBUTES: [&str; 4] = ["__class__", "__self__", "__reduce__", "__reduce_ex__"];

/// Names of what reads annotations at run time.
const ANNOTATION_READERS: [&str; 5] = [
    "__annotations__",
    "__annotate__",
    "get_type_hints",
    "get_annotations",
    "annotation",
];

/// An expression that reaches the class of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassRead {
    /// The expression: `type(x)`, `x.__class__`, or a place where `type` itself is handed on.
    pub node: NodeId,
    /// The value; `None` when any value of the program may come there.
    pub operand: Option<NodeId>,
    /// Whether `node` itself evaluates to the class.
    pub is_class: bool,
}

/// The reflection in one module.
#[derive(Debug, Default)]
pub struct Reflection {
    /// Expressions that reach a class through an instance.
    pub class_reads: Vec<ClassRead>,
    /// Whether the module lists or serves its own names.
    pub enumerates_names: bool,
    /// The names that are read from the module's dictionary one by one.
    pub names_read: FxHashSet<String>,
    /// Whether annotations are read at run time.
    pub reads_annotations: bool,
    /// Whether attributes are read by a name that is computed, or as a dictionary.
    pub reads_any_attribute: bool,
    /// Where attributes are read otherwise than as `object.name`.
    pub attribute_reads: AttributeReads,
    /// The scopes whose own code asks for the names around it.
    observing_scopes: Vec<ScopeId>,
    /// Whether the local names of any function may be seen, as through a frame.
    observes_all_locals: bool,
}

impl Reflection {
    /// Whether the local names of `scope` can be seen as a whole by its code or by code inside it.
    #[must_use]
    pub fn observes_locals(&self, module: &Module<'_>, scope: ScopeId) -> bool {
        let within = |inner: &ScopeId| module.model.enclosing_scopes(*inner).any(|at| at == scope);
        self.observes_all_locals || self.observing_scopes.iter().any(within)
    }

    /// Takes note of an attribute.
    pub fn attribute(&mut self, module: &Module<'_>, id: NodeId, attribute: &ast::ExprAttribute) {
        self.attribute_reads.attribute(id, attribute);
        if let Some(builtin) = module.builtin_attribute(attribute) {
            self.handed_on_builtin(module, id, builtin);
        }
        let name = attribute.attr.as_str();
        if CLASS_ATTRIBUTES.contains(&name) {
            let operand = Some(module.nodes.id(attribute.value.as_ref()));
            self.class_reads.push(ClassRead {
                node: id,
                operand,
                is_class: name == "__class__",
            });
        }
        if name == "f_globals"
            || (name == "__globals__" && is_own_function(module, &attribute.value))
        {
            self.namespace(module, id);
        }
        // The dictionary of the class, changed through an instance.
        if name == "_field_defaults" && changes_dictionary(module, id) {
            let operand = Some(module.nodes.id(attribute.value.as_ref()));
            self.class_reads.push(ClassRead {
                node: id,
                operand,
                is_class: false,
            });
        }
        self.observes_all_locals |= name == "f_locals";
        self.reads_any_attribute |= name == "__dict__" && attribute.ctx.is_load();
        self.reads_annotations |= ANNOTATION_READERS.contains(&name)
            || (name == "fields" && imports(module, &attribute.value, "dataclasses"));
    }

    /// Takes note of a name that is read.
    pub fn name(&mut self, module: &Module<'_>, id: NodeId, name: &ast::ExprName) {
        self.reads_annotations |= ANNOTATION_READERS.contains(&name.id.as_str())
            || (name.id.as_str() == "fields" && imports_name(module, id, "dataclasses.fields"));
        if name.id.as_str() == "__name__"
            && let Some(own) = own_module(module, id)
        {
            self.module_object(module, own);
        }
        if let Some(builtin) = module.builtin_name(name) {
            self.handed_on_builtin(module, id, builtin);
        }
    }

    /// Takes note of a builtin that is named and not called on the spot.
    fn handed_on_builtin(&mut self, module: &Module<'_>, id: NodeId, builtin: &str) {
        if !matches!(
            builtin,
            "type" | "eval" | "exec" | "locals" | "vars" | "globals"
        ) {
            return;
        }
        let is_callee = matches!(module.parent(id).1, AnyNodeRef::ExprCall(_));
        if is_callee || flow::is_annotation(module.nodes, id) {
            return;
        }
        match builtin {
            "type" => self.handed_on_type(module, id),
            "globals" => self.enumerates_names = true,
            _ => self.observes_all_locals = true,
        }
    }

    /// Takes note of a call.
    pub fn call(&mut self, module: &Module<'_>, id: NodeId, call: &ast::ExprCall) {
        let builtin = module.builtin(&call.func);
        self.attribute_reads.call(module, (id, call), builtin);
        self.reads_any_attribute |= match last_segment(&call.func) {
            Some("attrgetter") => !call.arguments.args.iter().all(Expr::is_string_literal_expr),
            Some("getmembers") => true,
            _ => false,
        };
        let Some(builtin) = builtin else {
            return;
        };
        let bare = call.arguments.is_empty();
        let scope = module.model.scope_of(id);
        let first = call.arguments.args.first();
        match builtin {
            "globals" => self.namespace(module, id),
            "locals" | "vars" | "dir" if bare => {
                self.observing_scopes.push(scope);
                self.enumerates_names |= scope == ScopeId::MODULE;
            }
            "vars" => self.reads_any_attribute = true,
            "eval" | "exec" => {
                self.observing_scopes.push(scope);
                // Code that is not seen here writes names of the module.
                self.enumerates_names |= builtin == "exec"
                    && scope == ScopeId::MODULE
                    && call.arguments.len() == 1
                    && !first.is_some_and(Expr::is_string_literal_expr);
            }
            "type" if call.arguments.args.len() == 1 => {
                let operand = first.map(|value| module.nodes.id(value));
                self.class_reads.push(ClassRead {
                    node: id,
                    operand,
                    is_class: true,
                });
            }
            "getattr" => self.getattr(module, id, call),
            _ => {}
        }
    }

    /// Takes note of a string: one that spells `__class__` reaches the class of some value.
    pub fn string(&mut self, module: &Module<'_>, id: NodeId, text: &str) {
        if text == "__class__" && !is_read_by_getattr(module, id) {
            self.class_reads.push(ClassRead {
                node: id,
                operand: None,
                is_class: false,
            });
        }
    }

    /// Takes note of an expression that gives the module's names as a dictionary.
    fn namespace(&mut self, module: &Module<'_>, id: NodeId) {
        match name_read(module, id) {
            Some(name) => {
                self.names_read.insert(name.to_owned());
            }
            None => self.enumerates_names |= !lists_nothing(module, id),
        }
    }

    /// Takes note of an expression that gives the module itself.
    fn module_object(&mut self, module: &Module<'_>, id: NodeId) {
        match attribute_read(module, id) {
            Some(name) if name != "__dict__" => {
                self.names_read.insert(name.to_owned());
            }
            _ => self.enumerates_names = true,
        }
    }

    fn getattr(&mut self, module: &Module<'_>, id: NodeId, call: &ast::ExprCall) {
        let [value, name, ..] = call.arguments.args.as_ref() else {
            return;
        };
        match name.as_string_literal_expr() {
            Some(name) if CLASS_ATTRIBUTES.contains(&name.value.to_str()) => {
                let operand = Some(module.nodes.id(value));
                self.class_reads.push(ClassRead {
                    node: id,
                    operand,
                    is_class: true,
                });
            }
            Some(_) => {}
            None => self.reads_any_attribute = true,
        }
    }

    /// `map(type, rows)`, `key=type`, `kind = type`: the class of what comes there is reached.
    fn handed_on_type(&mut self, module: &Module<'_>, id: NodeId) {
        let (parent, parent_node) = module.parent(id);
        let arguments = match parent_node {
            AnyNodeRef::Arguments(_) => parent,
            AnyNodeRef::Keyword(keyword) => {
                if keyword.arg.as_deref() == Some("metaclass") {
                    return;
                }
                module.parent(parent).0
            }
            AnyNodeRef::ExprAttribute(_)
            | AnyNodeRef::ExprCompare(_)
            | AnyNodeRef::ExprSubscript(_) => return,
            // A tuple of classes to test against.
            AnyNodeRef::ExprTuple(_) if is_class_test(module, module.parent(parent).0) => return,
            _ => {
                self.class_reads.push(ClassRead {
                    node: id,
                    operand: None,
                    is_class: false,
                });
                return;
            }
        };
        if is_class_test(module, arguments) {
            return;
        }
        self.class_reads.push(ClassRead {
            node: id,
            operand: Some(arguments),
            is_class: false,
        });
    }
}

/// Whether the expression is a name that imports the qualified name.
fn imports(module: &Module<'_>, expr: &Expr, qualified: &str) -> bool {
    imports_name(module, module.nodes.id(expr), qualified)
}

fn imports_name(module: &Module<'_>, name: NodeId, qualified: &str) -> bool {
    match module.nodes.get(name) {
        AnyNodeRef::ExprName(name) => resolves_to(module, name, qualified),
        _ => false,
    }
}

/// Whether the expression may be a function of this module: one that it defines, or a method.
fn is_own_function(module: &Module<'_>, function: &Expr) -> bool {
    let root = match function {
        Expr::Attribute(attribute) => attribute.value.as_ref(),
        _ => function,
    };
    let Some((scope, bindings)) = module.bindings_at(module.nodes.id(root)) else {
        return false;
    };
    bindings.iter().any(|id| {
        let kind = &module.model.binding(*id).kind;
        matches!(
            kind,
            BindingKind::FunctionDefinition | BindingKind::ClassDefinition
        ) || is_first_parameter(module, scope, *id)
    })
}

/// Whether the string is an argument of `getattr` or `hasattr`, which are looked at by themselves.
fn is_read_by_getattr(module: &Module<'_>, id: NodeId) -> bool {
    let arguments = module.parent(id).0;
    match module.parent(arguments).1 {
        AnyNodeRef::ExprCall(call) => {
            matches!(module.builtin(&call.func), Some("getattr" | "hasattr"))
        }
        _ => false,
    }
}

/// Whether the arguments are those of a class statement or of a call such as `isinstance`.
fn is_class_test(module: &Module<'_>, arguments: NodeId) -> bool {
    match module.parent(arguments).1 {
        AnyNodeRef::StmtClassDef(_) => true,
        AnyNodeRef::ExprCall(call) => last_segment(&call.func).is_some_and(|name| {
            matches!(name, "isinstance" | "issubclass") || name.starts_with("assert")
        }),
        _ => false,
    }
}
