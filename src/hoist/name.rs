//! Which module-level name a definition gets.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use unicode_normalization::is_nfkc;

use super::facts::Facts;
use super::module::Module;
use crate::python::NodeId;
use crate::python::semantic::{BindingId, ScopeId};
use crate::rule::field_names::{is_identifier, is_keyword};

/// How definitions are named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Naming {
    /// Class and attribute when the instance is stored on one, else the typename.
    #[default]
    Context,
    /// The typename.
    Typename,
}

/// The names of the `builtins` module of CPython 3.8 to 3.13, those that `site` adds, and `_`,
/// which `gettext` installs.
static BUILTINS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("builtins.txt").lines().collect());

/// Whether `name` is a builtin of some CPython 3.
#[must_use]
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(name)
}

/// What names outside the module must be left alone.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'s> {
    /// How definitions are named.
    pub naming: Naming,
    /// The file's name without its folder.
    pub file_name: &'s str,
    /// Whether the file is the `__init__.py` of a package.
    pub is_package_init: bool,
    /// The modules beside the file.
    pub sibling_modules: &'s BTreeSet<String>,
    /// The names of all folders above the file.
    pub enclosing_folders: &'s BTreeSet<String>,
}

/// Module-level names that unittest and pytest call or read.
const HOOKS: [&str; 11] = [
    "collect_ignore",
    "load_tests",
    "pytestmark",
    "setUpModule",
    "setup",
    "setup_function",
    "setup_module",
    "tearDownModule",
    "teardown",
    "teardown_function",
    "teardown_module",
];

/// Why a name is not free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// No definition may have it, whatever the module holds; the clause says why.
    Unusable(&'static str),
    /// Another definition or a lifted import of the same plan has it.
    Chosen,
    /// A star import may bring it.
    StarImport,
    /// It is a submodule of the package.
    Submodule,
    /// The module binds it.
    Bound(BindingId),
    /// A function declares it `global`.
    Declared,
    /// The `Name` node reads it as a global that the module does not bind.
    ReadAsGlobal(NodeId),
    /// Code in a string reads it.
    ReadInString,
    /// A class body reads it that may not have bound it yet.
    ReadInClassBody,
    /// A scope between the module and a use binds it.
    Captured(BindingId),
}

/// A name that was tried and not usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The name.
    pub name: String,
    /// Why it is not usable.
    pub taken: Taken,
}

/// Where a definition's name will be read, and which bindings go.
#[derive(Debug, Clone, Copy)]
pub struct Places<'p> {
    /// The nodes that will read the name.
    pub uses: &'p [NodeId],
    /// The bindings that the fix removes.
    pub dropped: &'p [BindingId],
}

/// Chooses names for the definitions of one plan.
#[derive(Debug)]
pub struct Namer<'m, 'a> {
    module: &'m Module<'a>,
    facts: &'m Facts<'a>,
    surroundings: Surroundings<'m>,
    has_star_import: bool,
    chosen: FxHashSet<String>,
}

impl<'m, 'a> Namer<'m, 'a> {
    /// A chooser that has given out no name yet.
    #[must_use]
    pub fn new(
        module: &'m Module<'a>,
        facts: &'m Facts<'a>,
        surroundings: Surroundings<'m>,
    ) -> Self {
        let has_star_import = module
            .model
            .scopes()
            .any(|(_, scope)| scope.has_star_import);
        Self {
            module,
            facts,
            surroundings,
            has_star_import,
            chosen: FxHashSet::default(),
        }
    }

    /// Marks `name` as given out.
    pub fn take(&mut self, name: &str) {
        self.chosen.insert(name.to_owned());
    }

    /// The first usable name for the `nth` (1-based) definition of `typename`, and the names
    /// tried before with why they were not usable; `None` when none is.
    pub fn choose(
        &mut self,
        context: Option<String>,
        typename: &str,
        nth: usize,
        places: Places<'_>,
    ) -> (Option<String>, Vec<Tried>) {
        let mut tried = vec![];
        for candidate in candidates(context, typename, nth) {
            match self.why_not(&candidate, places) {
                None => {
                    self.take(&candidate);
                    return (Some(candidate), tried);
                }
                Some(taken) => tried.push(Tried {
                    name: candidate,
                    taken,
                }),
            }
        }
        (None, tried)
    }

    /// Why `name` is not usable; `None` when it is.
    #[must_use]
    pub fn why_not(&self, name: &str, places: Places<'_>) -> Option<Taken> {
        if let Some(why) = unusable_anywhere(name) {
            return Some(why);
        }
        if self.chosen.contains(name) {
            return Some(Taken::Chosen);
        }
        if self.has_star_import && !name.starts_with('_') {
            return Some(Taken::StarImport);
        }
        if self.surroundings.is_package_init && self.surroundings.sibling_modules.contains(name) {
            return Some(Taken::Submodule);
        }
        if let Some(binding) = self.bound(ScopeId::MODULE, name, places.dropped) {
            return Some(Taken::Bound(binding));
        }
        if self.facts.is_declared_global(name) {
            return Some(Taken::Declared);
        }
        if let Some(read) = self.module.model.unresolved_references(name).first() {
            return Some(Taken::ReadAsGlobal(self.module.model.reference(*read).node));
        }
        if self.facts.is_named_in_string(name) {
            return Some(Taken::ReadInString);
        }
        if self.facts.is_read_in_class_body(name) {
            return Some(Taken::ReadInClassBody);
        }
        self.captured_by(name, places).map(Taken::Captured)
    }

    /// The first binding of the name in the scope that stays.
    fn bound(&self, scope: ScopeId, name: &str, dropped: &[BindingId]) -> Option<BindingId> {
        let mut bindings = self.module.model.bindings_of(scope, name).iter();
        bindings.find(|binding| !dropped.contains(binding)).copied()
    }

    /// Whether a scope between the module and a use binds the name.
    #[must_use]
    pub fn is_captured(&self, name: &str, places: Places<'_>) -> bool {
        self.captured_by(name, places).is_some()
    }

    /// The binding of the name in a scope between the module and a use.
    fn captured_by(&self, name: &str, places: Places<'_>) -> Option<BindingId> {
        let mut seen = FxHashSet::default();
        places.uses.iter().find_map(|node| {
            let scope = self.module.model.scope_of(*node);
            let inner = self.module.model.enclosing_scopes(scope);
            inner
                .filter(|scope| *scope != ScopeId::MODULE)
                .filter(|scope| seen.insert(*scope))
                .find_map(|scope| self.bound(scope, name, places.dropped))
        })
    }
}

/// Names that no definition may have, whatever the module holds.
fn unusable_anywhere(name: &str) -> Option<Taken> {
    // CPython compares names in NFKC (PEP 3131); a definition in another form would not be found.
    if !is_nfkc(name) || !is_identifier(name) || is_keyword(name) {
        return Some(Taken::Unusable("is no identifier"));
    }
    if name.starts_with("__") {
        return Some(Taken::Unusable("would be mangled in a class"));
    }
    if name.starts_with("Test") {
        return Some(Taken::Unusable("would be collected by pytest"));
    }
    if HOOKS.contains(&name) || name.starts_with("pytest_") {
        return Some(Taken::Unusable("is a name that test runners call or read"));
    }
    if is_builtin(name) {
        return Some(Taken::Unusable("is a builtin"));
    }
    None
}

/// A few more numbers are tried than there will ever be clashes.
const MAX_NUMBER: usize = 1000;

fn candidates(
    context: Option<String>,
    typename: &str,
    nth: usize,
) -> impl Iterator<Item = String> + use<> {
    let private = format!("_{}", typename.trim_start_matches('_'));
    let plain = (nth == 1).then(|| private.clone());
    context
        .into_iter()
        .chain(std::iter::once(typename.to_owned()))
        .chain(plain)
        .chain((nth.max(2)..nth + MAX_NUMBER).map(move |number| format!("{private}{number}")))
}

/// `ModelPatcher` and `backup` make `ModelPatcherBackup`, unless the typename already says the
/// attribute or the other way round.
#[must_use]
pub fn context_name(class: &str, attribute: &str, typename: &str) -> Option<String> {
    let said = |a: &str, b: &str| a.to_lowercase().contains(&b.to_lowercase());
    let attribute = attribute.trim_matches('_');
    if attribute.is_empty() || said(typename, attribute) || said(attribute, typename) {
        return None;
    }
    Some(format!(
        "{}{}",
        cap_words(class.trim_start_matches('_')),
        cap_words(attribute)
    ))
}

fn cap_words(name: &str) -> String {
    let capitalise = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(chars).collect::<String>()
        })
    };
    name.split('_').map(capitalise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_name_joins_class_and_attribute_in_capwords() {
        assert_eq!(
            context_name("ModelPatcher", "backup", "Dimension").as_deref(),
            Some("ModelPatcherBackup")
        );
        assert_eq!(
            context_name("Pool", "idle_slots", "Row").as_deref(),
            Some("PoolIdleSlots")
        );
        assert_eq!(context_name("Context", "request", "Request"), None);
        assert_eq!(context_name("Context", "requests", "Request"), None);
    }

    #[test]
    fn later_definitions_of_a_typename_are_numbered() {
        let first: Vec<_> = candidates(None, "Point", 1).take(3).collect();
        assert_eq!(first, ["Point", "_Point", "_Point2"]);
        let second: Vec<_> = candidates(None, "Point", 2).take(3).collect();
        assert_eq!(second, ["Point", "_Point2", "_Point3"]);
        assert_eq!(
            candidates(None, "__Corner", 1).nth(1).as_deref(),
            Some("_Corner")
        );
    }

    #[test]
    fn builtins_keywords_and_collected_names_are_unusable() {
        for name in ["filter", "class", "__Row", "TestPair", "2d", ""] {
            assert!(unusable_anywhere(name).is_some(), "{name}");
        }
        for name in ["Row", "_Row", "match", "type_"] {
            assert!(unusable_anywhere(name).is_none(), "{name}");
        }
    }
}
