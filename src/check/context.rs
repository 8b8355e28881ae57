//! What the core must know of the outside: the file's surroundings and the wanted rules.

use std::collections::BTreeSet;
use std::path::PathBuf;

pub use crate::hoist::Naming;
use crate::rule::{Applicability, FindingKey, Registry, registry};

/// What a check must know about the file beyond its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileContext {
    /// The path as the user will see it.
    pub path: PathBuf,
    /// Whether the file is the `__init__.py` of a package.
    pub is_package_init: bool,
    /// The names of the modules and packages in the same folder, without `.py`.
    pub sibling_modules: BTreeSet<String>,
    /// The dotted name of the package that holds the file, such as `app.models`; empty when it is in
    /// none. Relative imports start from it.
    pub package: String,
    /// The names of all folders above the file: a module of one of these names may be its own project's.
    pub enclosing_folders: BTreeSet<String>,
    /// The findings that are known and accepted: they are left out, and their fixes are not made.
    pub accepted: BTreeSet<FindingKey>,
}

/// Which findings and fixes are wanted.
#[derive(Debug, Clone)]
pub struct Settings {
    /// All rules that there are.
    pub registry: &'static Registry,
    /// The codes to report.
    pub codes: BTreeSet<&'static str>,
    /// How definitions are named.
    pub naming: Naming,
    /// Whether fixes graded unsafe are made too.
    pub unsafe_fixes: bool,
}

impl Default for Settings {
    /// All codes of the built-in rules, named by context, safe fixes only.
    fn default() -> Self {
        // A test proves that the built-in rules can be used.
        let registry = registry().unwrap_or_default();
        let codes = registry.codes().into_iter();
        Self {
            registry,
            codes: codes.map(|(_, code)| code.code.as_str()).collect(),
            naming: Naming::default(),
            unsafe_fixes: false,
        }
    }
}

impl Settings {
    /// Whether a fix of that grade is made.
    #[must_use]
    pub fn applies(&self, applicability: Applicability) -> bool {
        applicability == Applicability::Safe || self.unsafe_fixes
    }
}
