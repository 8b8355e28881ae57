//! Symbol tables in one shape, from CPython and from the semantic model.

use std::collections::{BTreeMap, BTreeSet};

use hoist_namedtuple::python::nodes::{NodeId, Nodes};
use hoist_namedtuple::python::semantic::{
    BindingKind, Declaration, ReferenceContext, Resolution, ScopeId, ScopeKind, SemanticModel,
};
use hoist_namedtuple::text::Lines;
use rustpython_ast::AnyNodeRef;
use rustpython_text_size::{Ranged, TextSize};

use crate::interpreters::RawTable;

/// What one scope says of one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// `L` local, `G` global, `E` declared global, `F` free.
    pub scope: char,
    /// `p` parameter, `i` import, `a` assigned, `r` read.
    pub uses: BTreeSet<char>,
    /// The scope's own code does not name it: it only hands it to a scope inside.
    pub passing: bool,
    /// It came out of an inlined comprehension.
    pub merged: bool,
}

/// One scope with those inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table {
    pub kind: String,
    pub name: String,
    pub line: u32,
    pub symbols: BTreeMap<String, Fact>,
    pub children: Vec<Table>,
    /// Where CPython enters it: a comprehension after its first iterable.
    pub entered: TextSize,
    /// Whether it is a comprehension and no generator expression.
    pub is_comprehension: bool,
    /// Whether it is a type parameter scope that sees the class around it.
    pub sees_class: bool,
}

impl Table {
    /// The number of names in this scope and all inside it.
    pub fn names(&self) -> usize {
        self.symbols.len() + self.children.iter().map(Self::names).sum::<usize>()
    }

    /// Calls `change` with this table and all inside it, each after those inside it.
    pub fn for_each(&mut self, change: &mut impl FnMut(&mut Table)) {
        for child in &mut self.children {
            child.for_each(change);
        }
        change(self);
    }
}

impl From<RawTable> for Table {
    fn from(RawTable(kind, name, line, symbols, children): RawTable) -> Self {
        let symbols = symbols.into_iter().map(|(name, text)| {
            let mut letters = text.chars();
            let fact = Fact {
                scope: letters.next().unwrap(),
                uses: letters.collect(),
                passing: false,
                merged: false,
            };
            (name, fact)
        });
        Self {
            kind,
            name,
            line,
            symbols: symbols.collect(),
            children: children.into_iter().map(Self::from).collect(),
            entered: TextSize::default(),
            is_comprehension: false,
            sees_class: false,
        }
    }
}

/// The model of one module, to be told as CPython tells its own.
pub struct Teller<'m, 'a> {
    pub nodes: &'m Nodes<'a>,
    pub model: &'m SemanticModel,
    pub lines: &'m Lines<'a>,
    /// Nodes that CPython's symbol table does not look at.
    pub hidden: BTreeSet<NodeId>,
    /// The names that a type parameter scope reads from its class, for counting.
    pub class_reads: usize,
    symbols: BTreeMap<ScopeId, BTreeMap<String, Fact>>,
}

impl<'m, 'a> Teller<'m, 'a> {
    pub fn new(
        nodes: &'m Nodes<'a>,
        model: &'m SemanticModel,
        lines: &'m Lines<'a>,
        hidden: BTreeSet<NodeId>,
    ) -> Self {
        Self {
            nodes,
            model,
            lines,
            hidden,
            class_reads: 0,
            symbols: BTreeMap::new(),
        }
    }

    /// The module's table.
    pub fn table(&mut self) -> Table {
        self.collect();
        self.pass_through();
        let mut children: BTreeMap<ScopeId, Vec<ScopeId>> = BTreeMap::new();
        for (id, scope) in self.model.scopes() {
            if let Some(parent) = scope.parent.filter(|_| !self.is_hidden(id)) {
                children.entry(parent).or_default().push(id);
            }
        }
        self.assemble(ScopeId::MODULE, &children)
    }

    fn is_hidden(&self, scope: ScopeId) -> bool {
        self.model
            .enclosing_scopes(scope)
            .any(|scope| self.hidden.contains(&self.model.scope(scope).node))
    }

    fn collect(&mut self) {
        let model = self.model;
        for (_, reference) in model.references() {
            if reference.context == ReferenceContext::Load && !self.hidden.contains(&reference.node)
            {
                self.note(reference.scope, &reference.name, Some('r'));
            }
        }
        for (_, binding) in model.bindings() {
            if self.hidden.contains(&binding.node) {
                continue;
            }
            let usage = match binding.kind {
                BindingKind::Parameter => 'p',
                BindingKind::Import(_) | BindingKind::FromImport(_) => 'i',
                _ => 'a',
            };
            self.note(binding.bound_in, &binding.name, Some(usage));
            let is_walrus = binding.kind == BindingKind::NamedExpression;
            if is_walrus && model.scope(binding.bound_in).kind == ScopeKind::Comprehension {
                self.note_walrus(binding.bound_in, &binding.name);
            }
        }
        self.collect_declarations();
    }

    /// A `global` declaration in any scope makes the name a declared one of the module too.
    fn collect_declarations(&mut self) {
        let model = self.model;
        for (id, _) in model.scopes() {
            for (name, declaration) in model.declarations(id) {
                self.note(id, name, None);
                if declaration == Declaration::Global {
                    self.note(ScopeId::MODULE, name, None);
                    self.declare_global(ScopeId::MODULE, name);
                }
            }
        }
    }

    fn declare_global(&mut self, scope: ScopeId, name: &str) {
        let symbols = self.symbols.get_mut(&scope).unwrap();
        symbols.get_mut(name).unwrap().scope = 'E';
    }

    /// PEP 572: CPython declares the name in the comprehension and in the scope that gets it.
    fn note_walrus(&mut self, comprehension: ScopeId, name: &str) {
        let target = self
            .model
            .enclosing_scopes(comprehension)
            .find(|scope| self.model.scope(*scope).kind != ScopeKind::Comprehension)
            .unwrap();
        let is_global = target == ScopeId::MODULE || self.model.is_declared_global(target, name);
        self.note(target, name, (target != ScopeId::MODULE).then_some('a'));
        if is_global {
            self.declare_global(comprehension, name);
            self.declare_global(target, name);
            self.note(ScopeId::MODULE, name, None);
            self.declare_global(ScopeId::MODULE, name);
        }
    }

    fn note(&mut self, scope: ScopeId, name: &str, usage: Option<char>) {
        let letter = self.letter(scope, name);
        let symbols = self.symbols.entry(scope).or_default();
        let fact = symbols.entry(name.to_owned()).or_insert(Fact {
            scope: letter,
            uses: BTreeSet::new(),
            passing: false,
            merged: false,
        });
        fact.uses.extend(usage);
    }

    fn letter(&mut self, scope: ScopeId, name: &str) -> char {
        if self.model.is_declared_global(scope, name) {
            return 'E';
        }
        match self.model.resolve(scope, name) {
            Resolution::Scope(owner) if owner == scope => 'L',
            Resolution::Scope(ScopeId::MODULE) | Resolution::Unresolved => 'G',
            Resolution::Scope(owner) if self.model.scope(owner).kind == ScopeKind::Class => {
                self.class_reads += 1;
                'G'
            }
            Resolution::Scope(_) => 'F',
        }
    }

    /// A name that is free in a scope is so in all scopes from there to its owner.
    fn pass_through(&mut self) {
        let mut passing = Vec::new();
        for (scope, symbols) in &self.symbols {
            if self.is_hidden(*scope) {
                continue;
            }
            for (name, _) in symbols.iter().filter(|(_, fact)| fact.scope == 'F') {
                let Resolution::Scope(owner) = self.model.resolve(*scope, name) else {
                    continue;
                };
                let between = self.model.enclosing_scopes(*scope).skip(1);
                for scope in between.take_while(|scope| *scope != owner) {
                    passing.push((scope, name.clone()));
                }
            }
        }
        for (scope, name) in passing {
            let symbols = self.symbols.entry(scope).or_default();
            symbols.entry(name).or_insert(Fact {
                scope: 'F',
                uses: BTreeSet::new(),
                passing: true,
                merged: false,
            });
        }
    }

    fn assemble(&self, id: ScopeId, children: &BTreeMap<ScopeId, Vec<ScopeId>>) -> Table {
        let scope = self.model.scope(id);
        let (kind, name, start) = self.describe(id);
        let inside = children.get(&id).into_iter().flatten();
        let mut inside: Vec<_> = inside.map(|id| self.assemble(*id, children)).collect();
        inside.sort_by_key(|table| table.entered);
        let is_parameters =
            |scope: ScopeId| self.model.scope(scope).kind == ScopeKind::TypeParameters;
        let sees_class = is_parameters(id)
            && self
                .model
                .enclosing_scopes(id)
                .find(|scope| !is_parameters(*scope))
                .is_some_and(|scope| self.model.scope(scope).kind == ScopeKind::Class);
        let line = if scope.parent.is_none() {
            0
        } else {
            u32::try_from(self.lines.location(start).row).unwrap()
        };
        Table {
            kind: kind.to_owned(),
            name,
            line,
            symbols: self.symbols.get(&id).cloned().unwrap_or_default(),
            children: inside,
            entered: self.entered(id),
            is_comprehension: matches!(
                self.nodes.get(scope.node),
                AnyNodeRef::ExprListComp(_)
                    | AnyNodeRef::ExprSetComp(_)
                    | AnyNodeRef::ExprDictComp(_)
            ),
            sees_class,
        }
    }

    fn entered(&self, id: ScopeId) -> TextSize {
        let node = self.nodes.get(self.model.scope(id).node);
        let generators = match node {
            AnyNodeRef::ExprListComp(comprehension) => &comprehension.generators,
            AnyNodeRef::ExprSetComp(comprehension) => &comprehension.generators,
            AnyNodeRef::ExprDictComp(comprehension) => &comprehension.generators,
            AnyNodeRef::ExprGenerator(comprehension) => &comprehension.generators,
            _ => return node.start(),
        };
        generators.first().unwrap().iter.end()
    }

    /// The kind and name that CPython gives the scope, and where its line is counted.
    fn describe(&self, id: ScopeId) -> (&'static str, String, TextSize) {
        let scope = self.model.scope(id);
        let node = self.nodes.get(scope.node);
        let parameters = scope.kind == ScopeKind::TypeParameters;
        let definition = match node {
            AnyNodeRef::TypeParams(_) => self.nodes.get(self.nodes.parent(scope.node).unwrap()),
            node => node,
        };
        let (kind, name, start) = match definition {
            AnyNodeRef::StmtFunctionDef(def) => ("function", def.name.as_str(), def.name.start()),
            AnyNodeRef::StmtClassDef(class) => ("class", class.name.as_str(), class.name.start()),
            AnyNodeRef::StmtTypeAlias(alias) => {
                let name = alias.name.as_name_expr().map_or("?", |name| &name.id);
                ("type parameters", name, alias.start())
            }
            AnyNodeRef::TypeParamTypeVar(one) => {
                ("type parameters", one.name.as_str(), one.start())
            }
            AnyNodeRef::TypeParamTypeVarTuple(one) => {
                ("type parameters", one.name.as_str(), one.start())
            }
            AnyNodeRef::TypeParamParamSpec(one) => {
                ("type parameters", one.name.as_str(), one.start())
            }
            AnyNodeRef::ExprListComp(_) => ("function", "listcomp", node.start()),
            AnyNodeRef::ExprSetComp(_) => ("function", "setcomp", node.start()),
            AnyNodeRef::ExprDictComp(_) => ("function", "dictcomp", node.start()),
            AnyNodeRef::ExprGenerator(_) => ("function", "genexpr", node.start()),
            AnyNodeRef::ExprLambda(_) => ("function", "lambda", node.start()),
            _ => ("module", "top", node.start()),
        };
        let kind = if parameters { "type parameters" } else { kind };
        (kind, name.to_owned(), start)
    }
}
