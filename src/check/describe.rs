//! What is said about each decision: the findings, with their fixes and their reasons.

use std::sync::Arc;

use rustpython_ast::token::TokenKind;
use rustpython_ast::{AnyNodeRef, Stmt};
use rustpython_text_size::Ranged;

use super::comment_refusal::{change, held_statements};
use super::mypy;
use super::subject::Subject;
use crate::hoist::Module;
use crate::hoist::assembly::assemble;
use crate::hoist::group::{DefinitionSource, Group};
use crate::hoist::plan::{Decision, Outcome, Plan};
use crate::hoist::site::Site;
use crate::python::{NodeId, tokens};
use crate::rule::{Applicability, Definition, Diagnostic, Fix, MessageWords, SkipReason, Verdict};
use crate::text::{Edits, TextRange, TextSize};

/// What becomes of each group; `None` for one that was refused.
pub(super) type Fixes = Vec<Option<Described>>;

/// The fix and definition of a group.
#[derive(Clone)]
pub(super) struct Described {
    fix: Arc<Fix>,
    definition: Arc<Definition>,
    /// What mypy says of it, as a clause.
    complaint: Option<&'static str>,
}

/// The fix of each group on its own, with what it depends on. Groups whose text cannot be edited,
/// or whose fix changes a statement at which a comment is not understood, are refused in the plan.
pub(super) fn fixes<'a>(subject: &Subject<'_, 'a>, plan: &mut Plan<'a>) -> Fixes {
    let inquiry = &subject.inquiry;
    let held = held_statements(subject);
    let mut fixes = vec![];
    for at in 0..plan.groups.len() {
        let needed = plan.with_dependencies(at);
        match assemble(inquiry, plan, &needed) {
            Ok(assembly) if change(&assembly.edits, inquiry.module.text, &held) => {
                plan.refuse_group(at, SkipReason::CommentNotUnderstood);
                fixes.push(None);
            }
            Ok(assembly) => {
                let definition = plan.groups.get(at).map(|group| {
                    let text = assembly.texts.get(&at).cloned();
                    definition(inquiry.module, group, text)
                });
                let grade = grade(plan, &needed);
                fixes.push(definition.map(|definition| {
                    let fix = fix(&definition, grade, assembly.edits);
                    Described {
                        fix: Arc::new(fix),
                        complaint: complaint(plan, at, &definition),
                        definition: Arc::new(definition),
                    }
                }));
            }
            Err(_) => {
                plan.refuse_group(at, SkipReason::LayoutNotEditable);
                fixes.push(None);
            }
        }
    }
    fixes
}

/// The grade of a fix that makes all of `groups`: a definition may need one that is unsafe.
pub(super) fn grade(plan: &Plan<'_>, groups: &[usize]) -> Applicability {
    let mut groups = groups.iter().filter_map(|at| plan.groups.get(*at));
    if groups.any(|group| group.applicability == Applicability::Unsafe) {
        Applicability::Unsafe
    } else {
        Applicability::Safe
    }
}

fn definition(module: &Module<'_>, group: &Group, text: Option<String>) -> Definition {
    let reused = match group.source {
        DefinitionSource::Reused(statement) => Some(module.slice(module.nodes.range(statement))),
        DefinitionSource::New(_) => None,
    };
    Definition {
        name: group.name.clone(),
        text: text
            .or_else(|| reused.map(str::to_owned))
            .unwrap_or_default(),
        reused: reused.is_some(),
    }
}

/// What mypy says of the definition that the group puts in.
fn complaint(plan: &Plan<'_>, group: usize, definition: &Definition) -> Option<&'static str> {
    let origin = plan.groups.get(group)?.origin;
    let Decision {
        site, candidate, ..
    } = plan.decisions.get(origin)?;
    if definition.reused || site.factory.factory.name != "collections.namedtuple" {
        return None;
    }
    let candidate = candidate.as_ref()?;
    if candidate.literals.is_empty() && candidate.classes.is_empty() {
        mypy::complaint_of_call(site.expr)
    } else {
        mypy::complaint(&definition.text)
    }
}

fn fix(definition: &Definition, grade: Applicability, edits: Edits) -> Fix {
    let name = &definition.name;
    let message = if definition.reused {
        format!("Use the equal definition `{name}`.")
    } else {
        format!("Define `{name}` once at module level.")
    };
    match grade {
        Applicability::Safe => Fix::safe(message, edits),
        Applicability::Unsafe => Fix::unsafe_(message, edits),
    }
}

/// The findings of the plan, in source order, without their traces.
pub(super) fn diagnostics(module: &Module<'_>, plan: &Plan<'_>, fixes: &Fixes) -> Vec<Diagnostic> {
    plan.decisions
        .iter()
        .map(|decision| diagnostic(module, fixes, decision))
        .collect()
}

fn diagnostic(module: &Module<'_>, fixes: &Fixes, decision: &Decision<'_>) -> Diagnostic {
    let site = &decision.site;
    let group = match decision.outcome {
        Outcome::Hoisted(at) => Some(at),
        _ => None,
    };
    let described = group.and_then(|at| fixes.get(at)?.as_ref());
    let code = site.code();
    Diagnostic {
        code: &code.code,
        name: &code.name,
        message: message(module, site, described),
        range: module.nodes.range(site.call),
        statement: header_range(module, site.call),
        factory: Some(site.factory.factory.name.to_owned()),
        typename: site.judgement.typename.clone(),
        fields: site.judgement.fields.clone(),
        scope: scope_path(module, site.call),
        skip_reason: match decision.outcome {
            Outcome::Refused(reason) => Some(reason),
            _ => None,
        },
        trace: vec![],
        fix: described.map(|described| Arc::clone(&described.fix)),
        definition: described.map(|described| Arc::clone(&described.definition)),
    }
}

fn message(module: &Module<'_>, site: &Site<'_>, described: Option<&Described>) -> String {
    let callee = module.slice(module.nodes.range(module.nodes.id(site.expr.func.as_ref())));
    let typename = typename_text(module, site);
    let argument = match &site.judgement.verdict {
        Verdict::Dynamic { role, .. } => role.words(),
        _ => "",
    };
    let words = MessageWords {
        callee: &callee.split_whitespace().collect::<String>(),
        typename: &typename,
        when: &site.when,
        argument,
        ..MessageWords::default()
    };
    let mut message = site.code().message.fill(&words);
    let Some(described) = described.filter(|described| !described.definition.reused) else {
        return message;
    };
    let definition = &described.definition;
    let renamed = (definition.name != typename).then(|| {
        let name = &definition.name;
        format!("as `{name}`, which mypy reports as name-match and pickle does not find")
    });
    let complaint = described.complaint.map(str::to_owned);
    let notes: Vec<_> = renamed.into_iter().chain(complaint).collect();
    if !notes.is_empty() {
        message.push_str(&format!(" ({})", notes.join("; ")));
    }
    message
}

/// The typename, or the source of the argument that gives it.
fn typename_text(module: &Module<'_>, site: &Site<'_>) -> String {
    match &site.judgement.typename {
        Some(typename) => typename.clone(),
        None => site
            .expr
            .arguments
            .args
            .first()
            .map(|first| match first.as_string_literal_expr() {
                Some(text) => text.value.to_str().to_owned(),
                None => module
                    .slice(module.nodes.range(module.nodes.id(first)))
                    .to_owned(),
            })
            .unwrap_or_default(),
    }
}

/// The dotted path of the functions and classes around the node; empty at module level.
pub(super) fn scope_path(module: &Module<'_>, node: NodeId) -> String {
    let names = module
        .nodes
        .ancestors(node)
        .filter_map(|id| match module.nodes.get(id) {
            AnyNodeRef::StmtFunctionDef(function) => Some(function.name.as_str()),
            AnyNodeRef::StmtClassDef(class) => Some(class.name.as_str()),
            AnyNodeRef::ExprLambda(_) => Some("<lambda>"),
            _ => None,
        });
    let mut path: Vec<&str> = names.collect();
    path.reverse();
    path.join(".")
}

/// The functions and classes of a module by their lines.
pub(super) struct Paths<'m> {
    module: &'m Module<'m>,
    /// In source order: the first and last line, the name, and the number of the one around it.
    scopes: Vec<(usize, usize, &'m str, Option<usize>)>,
}

impl<'m> Paths<'m> {
    pub(super) fn new(module: &'m Module<'m>) -> Self {
        let lines = module.layout.lines();
        let mut scopes: Vec<(usize, usize, &str, Option<usize>)> = vec![];
        let mut open: Vec<(usize, NodeId)> = vec![];
        for id in module.nodes.ids() {
            let (range, name) = match module.nodes.get(id) {
                AnyNodeRef::StmtFunctionDef(function) => (function.range, &function.name),
                AnyNodeRef::StmtClassDef(class) => (class.range, &class.name),
                _ => continue,
            };
            while let Some((_, outer)) = open.last()
                && !module.nodes.contains(*outer, id)
            {
                open.pop();
            }
            let (first, last) = (lines.line_of(range.start()), lines.line_of(range.end()));
            let around = open.last().map(|(number, _)| *number);
            open.push((scopes.len(), id));
            scopes.push((first, last, name.as_str(), around));
        }
        Self { module, scopes }
    }

    /// The dotted path of those whose lines hold the byte `at`; empty at module level.
    ///
    /// No two that share a line stand side by side, as each starts a logical line.
    pub(super) fn at(&self, at: TextSize) -> String {
        let line = self.module.layout.lines().line_of(at);
        let after = self.scopes.partition_point(|(first, ..)| *first <= line);
        let mut path = vec![];
        let mut next = after.checked_sub(1);
        while let Some((_, last, name, around)) = next.and_then(|at| self.scopes.get(at)) {
            if line <= *last {
                path.push(*name);
            }
            next = *around;
        }
        path.reverse();
        path.join(".")
    }
}

/// The range of the statement or clause that holds the node; of a compound one, its header up to
/// the colon.
pub(super) fn header_range(module: &Module<'_>, node: NodeId) -> TextRange {
    let mut around = std::iter::once(node).chain(module.nodes.ancestors(node));
    let holder = around
        .find(|id| is_statement_or_clause(module.nodes.get(*id)))
        .unwrap_or(NodeId::MODULE);
    let range = module.nodes.range(holder);
    let Some(below) = first_below(module.nodes.get(holder)) else {
        return range;
    };
    let colon = tokens::before(module.tokens, below)
        .iter()
        .rfind(|token| token.kind() == TokenKind::Colon && token.start() >= range.start());
    let end = colon.map_or(range.end(), Ranged::end);
    TextRange::new(range.start(), end)
}

/// Whether the node's lines take comments.
pub(super) fn is_statement_or_clause(node: AnyNodeRef<'_>) -> bool {
    let is_clause = matches!(
        node,
        AnyNodeRef::ElifElseClause(_)
            | AnyNodeRef::ExceptHandlerExceptHandler(_)
            | AnyNodeRef::MatchCase(_)
    );
    is_clause || node.is_statement()
}

/// Where the first statement or clause below the header of a compound statement or clause starts.
fn first_below(node: AnyNodeRef<'_>) -> Option<TextSize> {
    let body: &[Stmt] = match node {
        AnyNodeRef::StmtFunctionDef(function) => &function.body,
        AnyNodeRef::StmtClassDef(class) => &class.body,
        AnyNodeRef::StmtFor(statement) => &statement.body,
        AnyNodeRef::StmtWhile(statement) => &statement.body,
        AnyNodeRef::StmtIf(statement) => &statement.body,
        AnyNodeRef::StmtWith(statement) => &statement.body,
        AnyNodeRef::StmtTry(statement) => &statement.body,
        AnyNodeRef::ElifElseClause(clause) => &clause.body,
        AnyNodeRef::ExceptHandlerExceptHandler(handler) => &handler.body,
        AnyNodeRef::MatchCase(case) => &case.body,
        AnyNodeRef::StmtMatch(statement) => return statement.cases.first().map(Ranged::start),
        _ => return None,
    };
    body.first().map(Ranged::start)
}
