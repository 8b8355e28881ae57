//! Private name mangling (Language Reference, 6.2.1).

use rustpython_ast::name::Name;

/// The class whose name mangles the private names of a scope.
#[derive(Debug, Clone)]
pub(super) struct PrivateClass {
    /// The class name without its leading underscores; empty when nothing is mangled.
    stripped: Name,
    /// When present, only these names are mangled: the type parameters of a class are, other names
    /// in its type parameter scope are not (CPython, `_Py_MaybeMangle`).
    only: Option<Vec<Name>>,
}

impl PrivateClass {
    /// The body of the class called `name`.
    pub(super) fn body(name: &str) -> Self {
        Self {
            stripped: Name::new(name.trim_start_matches('_')),
            only: None,
        }
    }

    /// The type parameter scope of the class called `name`, with the names of its parameters.
    pub(super) fn type_parameters(name: &str, parameters: Vec<Name>) -> Self {
        Self {
            only: Some(parameters),
            ..Self::body(name)
        }
    }

    /// The name as the symbol table stores it.
    fn mangle(&self, name: &Name) -> Name {
        if self.stripped.is_empty() || !is_private(name) {
            return name.clone();
        }
        if self.only.as_ref().is_some_and(|only| !only.contains(name)) {
            return name.clone();
        }
        Name::from(format!("_{}{name}", self.stripped))
    }
}

/// `name` as it is stored in code whose innermost class is `class`.
pub(super) fn mangle(class: Option<&PrivateClass>, name: &Name) -> Name {
    class.map_or_else(|| name.clone(), |class| class.mangle(name))
}

/// Whether the name starts with two underscores, does not end so, and holds no dot.
pub(super) fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__") && !name.contains('.')
}
