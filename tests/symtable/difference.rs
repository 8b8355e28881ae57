//! The kinds of difference between CPython's symbol table and the semantic model, each explained.

use std::collections::{BTreeMap, BTreeSet};

use hoist_namedtuple::python::nodes::{NodeId, Nodes};
use rustpython_ast::AnyNodeRef;

use crate::table::Table;

/// Why the two may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A comprehension gets its first iterable as a parameter `.0`, which no source names.
    ComprehensionParameter,
    /// CPython 3.12 inlines comprehensions into the code around them (PEP 709); the model keeps
    /// their scopes, as their names stay invisible around them.
    InlinedComprehension,
    /// CPython gives methods that say `super` or `__class__` an implicit cell of their class; the
    /// model binds no name that no source binds.
    ClassCell,
    /// CPython 3.10 and newer do not look into annotations under `from __future__ import
    /// annotations`; the model does, as tools and type checkers do.
    FutureAnnotations,
    /// Type parameter scopes use helper names such as `.type_params` and `__classdict__`, which no
    /// source names.
    TypeParameterHelper,
    /// A type parameter scope reads a name of the class around it through a helper, so CPython
    /// calls it global; the model says that it is the class's.
    ClassNameInTypeParameters,
    /// CPython 3.12 mangles too much after a generic class; the model does as 3.13.
    MangledAfterGenericClass,
}

impl Difference {
    pub const ALL: [Self; 7] = [
        Self::ComprehensionParameter,
        Self::InlinedComprehension,
        Self::ClassCell,
        Self::FutureAnnotations,
        Self::TypeParameterHelper,
        Self::ClassNameInTypeParameters,
        Self::MangledAfterGenericClass,
    ];

    /// The file in `fixtures/symtable` that shows it.
    pub fn fixture(self) -> &'static str {
        match self {
            Self::ComprehensionParameter => "comprehension_parameter.py",
            Self::InlinedComprehension => "inlined_comprehension.py",
            Self::ClassCell => "class_cell.py",
            Self::FutureAnnotations => "future_annotations.py",
            Self::TypeParameterHelper => "type_parameter_helper.py",
            Self::ClassNameInTypeParameters => "class_name_in_type_parameters.py",
            Self::MangledAfterGenericClass => "mangled_after_generic_class.py",
        }
    }

    /// The minor versions of CPython 3 that show it.
    pub fn shown_by(self, minor: u32) -> bool {
        match self {
            Self::ComprehensionParameter | Self::ClassCell => true,
            Self::FutureAnnotations => minor >= 10,
            Self::InlinedComprehension
            | Self::TypeParameterHelper
            | Self::ClassNameInTypeParameters => minor >= 12,
            Self::MangledAfterGenericClass => minor == 12,
        }
    }
}

/// How often each kind was met.
pub type Counts = BTreeMap<Difference, usize>;

/// The nodes that CPython does not look at because of a `__future__` import.
pub fn hidden_annotations(nodes: &Nodes<'_>, minor: u32) -> BTreeSet<NodeId> {
    if !Difference::FutureAnnotations.shown_by(minor) || !has_future_annotations(nodes) {
        return BTreeSet::new();
    }
    nodes
        .ids()
        .filter(|id| is_annotation(nodes, *id))
        .flat_map(|id| nodes.subtree(id))
        .collect()
}

fn has_future_annotations(nodes: &Nodes<'_>) -> bool {
    nodes.module().body.iter().any(|statement| {
        statement.as_import_from_stmt().is_some_and(|from| {
            let is_future = from.module.as_deref() == Some("__future__");
            is_future && from.names.iter().any(|alias| &alias.name == "annotations")
        })
    })
}

fn is_annotation(nodes: &Nodes<'_>, id: NodeId) -> bool {
    let Some(parent) = nodes.parent(id) else {
        return false;
    };
    let is_expression = nodes.get(id).is_expression();
    match nodes.get(parent) {
        AnyNodeRef::Parameter(_) | AnyNodeRef::StmtFunctionDef(_) => is_expression,
        AnyNodeRef::StmtAnnAssign(assign) => id == nodes.id(&*assign.annotation),
        _ => false,
    }
}

/// Takes the explained differences out of CPython's table.
pub fn explain_theirs(theirs: &mut Table, counts: &mut Counts) {
    theirs.for_each(&mut |table| {
        table.symbols.retain(|name, _| {
            let helpers = ["__classdict__", "__type_params__"];
            let kind = match name.as_str() {
                ".0" => Difference::ComprehensionParameter,
                name if name.starts_with('.') || helpers.contains(&name) => {
                    Difference::TypeParameterHelper
                }
                _ => return true,
            };
            *counts.entry(kind).or_default() += 1;
            false
        });
    });
}

/// Takes `__class__` out of what stands in classes, and of functions that read `super`.
pub fn explain_class_cell(table: &mut Table, in_class: bool, counts: &mut Counts) {
    let reads_super = table
        .symbols
        .get("super")
        .is_some_and(|fact| fact.uses.contains(&'r'));
    let has_cell = in_class || (reads_super && table.kind == "function");
    if has_cell && table.symbols.remove("__class__").is_some() {
        *counts.entry(Difference::ClassCell).or_default() += 1;
    }
    let in_class = in_class || table.kind == "class";
    for child in &mut table.children {
        explain_class_cell(child, in_class, counts);
    }
}

/// Does to the model's table what PEP 709 does (CPython, `symtable.c`, `inline_comprehension`).
pub fn inline_comprehensions(table: &mut Table, counts: &mut Counts) {
    let mut children = Vec::new();
    for mut child in std::mem::take(&mut table.children) {
        inline_comprehensions(&mut child, counts);
        if !child.is_comprehension || table.sees_class {
            children.push(child);
            continue;
        }
        *counts.entry(Difference::InlinedComprehension).or_default() += 1;
        for (name, mut fact) in child.symbols {
            let known = table.symbols.get(&name);
            if known.is_none_or(|known| known.passing) {
                fact.merged = true;
                table.symbols.insert(name, fact);
            }
        }
        children.append(&mut child.children);
    }
    table.children = children;
}

/// Undoes mangling everywhere, for comparing with 3.12 in spite of its fault.
pub fn unmangle(table: &mut Table) {
    table.for_each(&mut |table| {
        table.symbols = std::mem::take(&mut table.symbols)
            .into_iter()
            .map(|(name, fact)| {
                let private = name
                    .strip_prefix('_')
                    .and_then(|rest| rest.split_once("__"));
                let plain = private.map(|(_, private)| format!("__{private}"));
                (plain.unwrap_or(name), fact)
            })
            .collect();
    });
}
