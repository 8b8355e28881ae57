//! What the proofs look at: both texts with their trees and names, and the promise, indexed.

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{Expr, ExprCall, ExprRef, Stmt, StmtAssign, StmtRef};
use rustpython_text_size::Ranged;

use super::parts::Spellings;
use crate::hoist::{Promise, PromisedDefinition, PromisedImport, PromisedSite, Rewrite};
use crate::python::{Nodes, Source};
use crate::text::TextRange;
use crate::text::lines::slice;

/// One of the two texts, with its tree, tokens and names.
pub(super) type Side<'a> = Source<'a>;

/// Byte ranges of one text, sorted and without those that lie inside another.
#[derive(Debug, Default)]
pub(super) struct RangeSet(Vec<TextRange>);

impl RangeSet {
    fn new(mut ranges: Vec<TextRange>) -> Self {
        ranges.sort_by_key(|range| (range.start(), std::cmp::Reverse(range.end())));
        let mut outer: Vec<TextRange> = Vec::with_capacity(ranges.len());
        for range in ranges {
            if outer.last().is_none_or(|last| !last.contains_range(range)) {
                outer.push(range);
            }
        }
        Self(outer)
    }

    /// The range of the set that holds all of `range`.
    pub(super) fn around(&self, range: TextRange) -> Option<TextRange> {
        let after = self.0.partition_point(|held| held.start() <= range.start());
        self.0
            .get(after.checked_sub(1)?)
            .copied()
            .filter(|held| held.contains_range(range))
    }

    /// Whether a range of the set shares a byte with `range`.
    pub(super) fn touches(&self, range: TextRange) -> bool {
        let at = self.0.partition_point(|held| held.end() <= range.start());
        self.0
            .get(at)
            .is_some_and(|held| held.start() < range.end())
    }
}

/// The promise by ranges of the original text.
pub(super) struct Index<'a> {
    /// Factory calls and names that become the name of the definition with that number.
    pub(super) renamed: FxHashMap<TextRange, usize>,
    /// Statements that go.
    pub(super) deleted: FxHashSet<TextRange>,
    /// Import aliases that go.
    pub(super) aliases: FxHashSet<TextRange>,
    /// Expressions of a moved call that have other text in the definition.
    pub(super) substitutions: FxHashMap<TextRange, &'a str>,
    /// Every range at which the patch changes something.
    pub(super) changed: RangeSet,
    /// The names of the definitions that are put in.
    pub(super) new_names: FxHashSet<&'a str>,
    /// Every range whose names are gone from the patched text: calls, statements, aliases.
    pub(super) gone: RangeSet,
}

impl<'a> Index<'a> {
    fn new(promise: &'a Promise) -> Self {
        let mut renamed = FxHashMap::default();
        let mut deleted = FxHashSet::default();
        for site in &promise.sites {
            renamed.insert(site.call, site.definition);
            if let Rewrite::DropBinding {
                statement,
                uses,
                writes,
                ..
            } = &site.rewrite
            {
                renamed.extend(uses.iter().map(|range| (*range, site.definition)));
                deleted.insert(*statement);
                deleted.extend(writes);
            }
        }
        let definitions = &promise.definitions;
        let moved = definitions.iter().flat_map(|definition| &definition.writes);
        deleted.extend(moved.map(|write| write.statement));
        deleted.extend(&promise.removed_locals);
        let aliases: FxHashSet<_> = promise.removed_aliases.iter().copied().collect();
        let calls = promise.sites.iter().map(|site| site.call);
        let gone: Vec<_> = calls.chain(deleted.iter().copied()).collect();
        let mut changed = gone.clone();
        changed.extend(renamed.keys().chain(&aliases));
        Self {
            substitutions: definitions
                .iter()
                .flat_map(|definition| &definition.substitutions)
                .map(|(range, text)| (*range, text.as_str()))
                .collect(),
            new_names: definitions
                .iter()
                .filter(|definition| definition.reused.is_none())
                .map(|definition| definition.name.as_str())
                .collect(),
            changed: RangeSet::new(changed),
            gone: RangeSet::new(gone),
            renamed,
            deleted,
            aliases,
        }
    }
}

/// Where a promised definition stands in the patched text.
#[derive(Debug, Clone)]
pub(super) struct Located<'a> {
    /// Its position in the module's body.
    pub(super) at: usize,
    /// The statement.
    pub(super) statement: &'a StmtAssign,
    /// The number of attribute writes that follow it directly.
    pub(super) writes: usize,
}

/// All that the proofs look at.
pub(super) struct Evidence<'a> {
    pub(super) original: Side<'a>,
    pub(super) patched: Side<'a>,
    pub(super) promise: &'a Promise,
    pub(super) index: Index<'a>,
    found: Found<'a>,
    /// The sites by the number of their definition.
    sites: Vec<Vec<&'a PromisedSite>>,
    /// The sites by the range of their call.
    by_call: FxHashMap<TextRange, &'a PromisedSite>,
    /// The numbers of the definitions by the range of their call in the patched text.
    by_value: FxHashMap<TextRange, usize>,
    /// The tokens of promised texts that were compared with expressions.
    pub(super) spellings: Spellings,
    /// The definitions as found in the patched module's body; it is the tree proof that reports a missing one.
    pub(super) located: Vec<Option<Located<'a>>>,
    /// The ranges in the patched text of what was put in: definitions, attribute writes, imports.
    pub(super) inserted: RangeSet,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(original: Side<'a>, patched: Side<'a>, promise: &'a Promise) -> Self {
        let index = Index::new(promise);
        let found = Found::new(original.nodes, promise, &index);
        let by_name = plain_assignments(&patched);
        let mut located = Vec::with_capacity(promise.definitions.len());
        for definition in &promise.definitions {
            let candidates = by_name.get(definition.name.as_str());
            let origin = found.calls.get(&definition.origin);
            let callee = origin.map(|call| slice(original.text, call.func.range()));
            located.push(candidates.and_then(|all| locate(&patched, definition, callee, all)));
        }
        let mut inserted = Vec::new();
        for (definition, located) in promise.definitions.iter().zip(&located) {
            let Some(located) = located else { continue };
            if definition.reused.is_none() {
                let statements = patched.body().iter().skip(located.at);
                inserted.extend(statements.take(located.writes + 1).map(Ranged::range));
            }
        }
        for import in &promise.imports {
            let mut body = patched.body().iter();
            inserted.extend(body.find(|stmt| is_import(stmt, import)).map(Ranged::range));
        }
        let mut sites = vec![Vec::new(); promise.definitions.len()];
        let mut by_call = FxHashMap::default();
        for site in &promise.sites {
            by_call.entry(site.call).or_insert(site);
            if let Some(sites) = sites.get_mut(site.definition) {
                sites.push(site);
            }
        }
        let mut by_value = FxHashMap::default();
        for (number, located) in located.iter().enumerate() {
            if let Some(Located { statement, .. }) = located {
                by_value.entry(statement.value.range()).or_insert(number);
            }
        }
        Self {
            original,
            patched,
            promise,
            sites,
            by_call,
            by_value,
            spellings: Spellings::default(),
            index,
            found,
            located,
            inserted: RangeSet::new(inserted),
        }
    }

    /// The sites of the definition with that number.
    pub(super) fn sites(&self, definition: usize) -> impl Iterator<Item = &'a PromisedSite> {
        let sites = self.sites.get(definition).map_or(&[][..], Vec::as_slice);
        sites.iter().copied()
    }

    /// The site whose call stands at exactly that range of the original.
    pub(super) fn site(&self, call: TextRange) -> Option<&'a PromisedSite> {
        self.by_call.get(&call).copied()
    }

    /// The definition whose call stands at exactly that range of the patched text.
    pub(super) fn definition_at(&self, value: TextRange) -> Option<&'a PromisedDefinition> {
        self.promise.definitions.get(*self.by_value.get(&value)?)
    }

    /// The call of the original at exactly that range, if a site is promised there.
    pub(super) fn call(&self, range: TextRange) -> Option<&'a ExprCall> {
        self.found.calls.get(&range).copied()
    }

    /// The statement of the original at exactly that range, if the promise names it.
    pub(super) fn statement(&self, range: TextRange) -> Option<StmtRef<'a>> {
        self.found.statements.get(&range).copied()
    }

    /// The expression of the original at exactly that range, if it is substituted.
    pub(super) fn substituted(&self, range: TextRange) -> Option<ExprRef<'a>> {
        self.found.substituted.get(&range).copied()
    }
}

/// The nodes of the original that the promise speaks of.
#[derive(Default)]
struct Found<'a> {
    calls: FxHashMap<TextRange, &'a ExprCall>,
    statements: FxHashMap<TextRange, StmtRef<'a>>,
    substituted: FxHashMap<TextRange, ExprRef<'a>>,
}

impl<'a> Found<'a> {
    fn new(nodes: &Nodes<'a>, promise: &Promise, index: &Index<'_>) -> Self {
        let definitions = promise.definitions.iter();
        let reused: FxHashSet<_> = definitions.filter_map(|it| it.reused).collect();
        let mut found = Self::default();
        for node in nodes.ids().map(|id| nodes.get(id)) {
            let range = node.range();
            if let Some(statement) = node.as_stmt_ref() {
                if index.deleted.contains(&range) || reused.contains(&range) {
                    found.statements.insert(range, statement);
                }
                continue;
            }
            if let Some(call) = node.as_expr_call()
                && index.renamed.contains_key(&range)
            {
                found.calls.insert(range, call);
            }
            if let Some(expr) = node.as_expr_ref()
                && index.substitutions.contains_key(&range)
            {
                found.substituted.entry(range).or_insert(expr);
            }
        }
        found
    }
}

type Assignment<'a> = (usize, &'a StmtAssign);

/// The assignments to one plain name in the module's body, with their positions, by that name.
fn plain_assignments<'a>(side: &Side<'a>) -> FxHashMap<&'a str, Vec<Assignment<'a>>> {
    let mut found: FxHashMap<&str, Vec<_>> = FxHashMap::default();
    for (at, stmt) in side.body().iter().enumerate() {
        if let Stmt::Assign(assign) = stmt
            && let [Expr::Name(target)] = assign.targets.as_slice()
        {
            found
                .entry(target.id.as_str())
                .or_default()
                .push((at, assign));
        }
    }
    found
}

/// The statement that binds the definition: of several assignments to its name the first whose
/// value calls what the origin calls.
fn locate<'a>(
    patched: &Side<'a>,
    definition: &PromisedDefinition,
    callee: Option<&str>,
    candidates: &[Assignment<'a>],
) -> Option<Located<'a>> {
    let calls_the_same = |assign: &StmtAssign| {
        let value = assign.value.as_call_expr();
        value.map(|call| slice(patched.text, call.func.range())) == callee
    };
    let mut all = candidates.iter();
    let (at, statement) = *all
        .find(|(_, assign)| calls_the_same(assign))
        .or(candidates.first())?;
    let following = patched.body().iter().skip(at + 1);
    let writes = following
        .take(definition.writes.len())
        .take_while(|stmt| is_attribute_write(stmt, &definition.name))
        .count();
    Some(Located {
        at,
        statement,
        writes,
    })
}

/// Whether the statement writes to an attribute of `name` or of one of its attributes.
pub(super) fn is_attribute_write(stmt: &Stmt, name: &str) -> bool {
    let target = match stmt {
        Stmt::Assign(assign) => match assign.targets.as_slice() {
            [only] => only,
            _ => return false,
        },
        Stmt::AugAssign(assign) => assign.target.as_ref(),
        _ => return false,
    };
    let mut base = target;
    while let Expr::Attribute(attribute) = base {
        base = attribute.value.as_ref();
    }
    target.is_attribute_expr() && base.as_name_expr().is_some_and(|base| base.id == name)
}

/// The statement as `name = …` with that single plain target.
pub(super) fn assignment_to<'a>(stmt: &'a Stmt, name: &str) -> Option<&'a StmtAssign> {
    let assign = stmt.as_assign_stmt()?;
    is_plain_target(assign, name).then_some(assign)
}

/// Whether `name` is the assignment's only target.
pub(super) fn is_plain_target(assign: &StmtAssign, name: &str) -> bool {
    matches!(assign.targets.as_slice(), [Expr::Name(target)] if target.id == name)
}

/// Whether the statement is that import and nothing more.
pub(super) fn is_import(stmt: &Stmt, import: &PromisedImport) -> bool {
    let (names, name) = match (stmt, &import.name) {
        (Stmt::Import(stmt), None) => (&stmt.names, &import.module),
        (Stmt::ImportFrom(stmt), Some(name)) => {
            let module = stmt.module.as_ref().map(|module| module.as_str());
            if stmt.level != 0 || module != Some(import.module.as_str()) {
                return false;
            }
            (&stmt.names, name)
        }
        _ => return false,
    };
    let alias = |alias: &rustpython_ast::Alias| {
        let asname = alias.asname.as_ref().map(|asname| asname.as_str());
        alias.name.as_str() == name && asname == import.alias.as_deref()
    };
    matches!(names.as_slice(), [only] if alias(only))
}
