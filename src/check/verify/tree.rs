//! Proof 2: both trees are the same but for the promised insertions, deletions and names.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{Expr, ExprCall, ExprRef, Stmt, StmtAssign, StmtRef};
use rustpython_text_size::Ranged;

use super::evidence::{Evidence, assignment_to, is_attribute_write, is_import, is_plain_target};
use super::merged::make_equal_classes;
use super::parts::tokens_at;
use super::step::{Allowance, Difference, Step, is_string_statement};
use super::{ProofName, VerificationFailure};
use crate::hoist::{PromisedDefinition, PromisedSite, Rewrite};
use crate::python::NodeId;
use crate::text::TextRange;
use crate::text::lines::slice;

type Verdict = Result<(), Difference>;

/// Walks both trees in step, and compares each definition with the calls that it stands for.
///
/// # Errors
/// Returns the first difference that was not promised, or a promise that was not kept.
pub(super) fn prove(evidence: &Evidence<'_>) -> Result<(), VerificationFailure> {
    let names: Vec<_> = evidence
        .promise
        .definitions
        .iter()
        .map(|definition| definition.name.as_str())
        .collect();
    promises_are_sound(evidence)
        .and_then(|()| Module::new(evidence, &names).compare())
        .map_err(|difference| VerificationFailure {
            check: ProofName::Tree,
            message: difference.message,
            offset: difference.at.start(),
        })
}

fn differs(message: &str, at: TextRange) -> Difference {
    Difference {
        message: message.to_owned(),
        at,
    }
}

/// Checks in the original that what goes at each site is what its definition stands for.
fn promises_are_sound(evidence: &Evidence<'_>) -> Verdict {
    let nowhere = TextRange::default();
    for site in &evidence.promise.sites {
        let definition = evidence.promise.definitions.get(site.definition);
        let call = evidence.call(site.call);
        let (Some(definition), Some(call)) = (definition, call) else {
            return Err(differs("a promised site is no call", nowhere));
        };
        let rule = definition.factory.rule;
        let equal = match (definition.reused, evidence.call(definition.origin)) {
            (Some(reused), _) => reused_call(evidence, reused, &definition.name)
                .is_some_and(|reused| make_equal_classes(evidence, rule, reused, call)),
            (None, Some(origin)) => {
                origin.range() == call.range() || make_equal_classes(evidence, rule, origin, call)
            }
            (None, None) => false,
        };
        if !equal {
            let message = format!("`{}` is not what a site makes", definition.name);
            return Err(differs(&message, nowhere));
        }
        dropped_binding_is_sound(evidence, site, definition)?;
    }
    let mut locals = evidence.promise.removed_locals.iter().peekable();
    if locals.peek().is_none() {
        return Ok(());
    }
    let literals = literals(evidence);
    if locals.all(|statement| is_moved_literal(evidence, *statement, &literals)) {
        Ok(())
    } else {
        Err(differs("a removed local is no moved literal", nowhere))
    }
}

/// The expressions that definitions hold in place of a name, by that name in NFKC: their tokens.
type Literals<'a> = FxHashMap<&'a str, FxHashSet<Rc<[String]>>>;

fn literals<'a>(evidence: &Evidence<'a>) -> Literals<'a> {
    let mut literals = Literals::default();
    let definitions = evidence.promise.definitions.iter();
    for (range, text) in definitions.flat_map(|definition| &definition.substitutions) {
        let Some(ExprRef::Name(name)) = evidence.substituted(*range) else {
            continue;
        };
        let of_name = literals.entry(name.id.as_str()).or_default();
        of_name.extend(evidence.spellings.of_value(text));
    }
    literals
}

/// Whether the statement is `name = literal` or `name: type = literal`, where a definition holds
/// that literal in its place.
fn is_moved_literal(
    evidence: &Evidence<'_>,
    statement: TextRange,
    literals: &Literals<'_>,
) -> bool {
    let (target, value) = match evidence.statement(statement) {
        Some(StmtRef::Assign(assign)) => match assign.targets.as_slice() {
            [target] => (target, Some(&assign.value)),
            _ => return false,
        },
        Some(StmtRef::AnnAssign(assign)) => (assign.target.as_ref(), assign.value.as_ref()),
        _ => return false,
    };
    let (Expr::Name(target), Some(value)) = (target, value) else {
        return false;
    };
    let side = &evidence.original;
    let value = value.range();
    let reads_nothing = side.references_in(value).next().is_none();
    let of_name = literals.get(target.id.as_str());
    reads_nothing && of_name.is_some_and(|texts| texts.contains(&tokens_at(side, value)))
}

/// The call of the definition that the original holds already.
fn reused_call<'a>(
    evidence: &Evidence<'a>,
    statement: TextRange,
    name: &str,
) -> Option<&'a ExprCall> {
    let StmtRef::Assign(assign) = evidence.statement(statement)? else {
        return None;
    };
    let nodes = &evidence.original.nodes;
    let top_level = nodes.parent(nodes.id(assign)) == Some(NodeId::MODULE);
    let call = assign.value.as_call_expr()?;
    (top_level && is_plain_target(assign, name)).then_some(call)
}

/// Checks that a dropped statement is `target = <call>`, and that the writes dropped with it say
/// what those of the definition say.
fn dropped_binding_is_sound(
    evidence: &Evidence<'_>,
    site: &PromisedSite,
    definition: &PromisedDefinition,
) -> Verdict {
    let nowhere = TextRange::default();
    let Rewrite::DropBinding {
        statement,
        target,
        writes,
        ..
    } = &site.rewrite
    else {
        let message = "a kept name's attribute writes would be repeated";
        let sound = definition.writes.is_empty();
        return sound.then_some(()).ok_or_else(|| differs(message, nowhere));
    };
    let dropped = match evidence.statement(*statement) {
        Some(StmtRef::Assign(assign)) => Some(assign),
        _ => None,
    };
    let plain = dropped
        .is_some_and(|assign| is_plain_target(assign, target) && assign.value.range() == site.call);
    if !plain {
        return Err(differs(
            "a dropped statement is no plain assignment",
            nowhere,
        ));
    }
    if writes.len() != definition.writes.len() {
        return Err(differs("a site's attribute writes differ", nowhere));
    }
    for (write, moved) in writes.iter().zip(&definition.writes) {
        let (Some(write), Some(moved)) = (
            evidence.statement(*write),
            evidence.statement(moved.statement),
        ) else {
            return Err(differs("a moved attribute write is no statement", nowhere));
        };
        let step = Step {
            left: &evidence.original,
            right: &evidence.original,
            allowance: Allowance::Rename {
                from: target,
                to: origin_target(evidence, definition).unwrap_or(target),
                substitutions: &FxHashMap::default(),
            },
            spellings: &evidence.spellings,
        };
        step.compare(write, moved)
            .map_err(|_| differs("a site's attribute writes differ", nowhere))?;
    }
    Ok(())
}

/// The local name at the site whose call moved.
fn origin_target<'a>(evidence: &Evidence<'a>, definition: &PromisedDefinition) -> Option<&'a str> {
    match &evidence.site(definition.origin)?.rewrite {
        Rewrite::DropBinding { target, .. } => Some(target),
        Rewrite::ReplaceExpression => None,
    }
}

/// The bodies of both modules, compared statement by statement.
struct Module<'e, 'a> {
    evidence: &'e Evidence<'a>,
    step: Step<'e, 'a>,
    /// The definitions that are still to come.
    definitions: Vec<&'a PromisedDefinition>,
    /// Which of the promised imports were seen.
    imports: Vec<bool>,
}

impl<'e, 'a> Module<'e, 'a> {
    fn new(evidence: &'e Evidence<'a>, names: &'e [&'a str]) -> Self {
        let promised = evidence.promise.definitions.iter();
        let mut definitions: Vec<_> = promised
            .filter(|definition| definition.reused.is_none())
            .collect();
        definitions.reverse();
        Self {
            evidence,
            step: Step {
                left: &evidence.original,
                right: &evidence.patched,
                allowance: Allowance::Promise {
                    index: &evidence.index,
                    names,
                },
                spellings: &evidence.spellings,
            },
            definitions,
            imports: vec![false; evidence.promise.imports.len()],
        }
    }

    fn compare(mut self) -> Verdict {
        let evidence = self.evidence;
        self.docstring_stays_first()?;
        let kept = evidence.original.body().iter().filter(|stmt| {
            let id = evidence.original.nodes.id(*stmt);
            !self.step.goes(id, &evidence.index)
        });
        let kept: Vec<_> = kept.collect();
        let mut kept = kept.into_iter().peekable();
        let mut rest = evidence.patched.body();
        while let Some((stmt, after)) = rest.split_first() {
            rest = after;
            if let Some(original) = kept.next_if(|original| self.same_text(original, stmt)) {
                self.step.compare(original, stmt)?;
            } else if let Some(after) = self.inserted(stmt, rest)? {
                rest = after;
            } else if let Some(original) = kept.next() {
                self.step.compare(original, stmt)?;
            } else {
                return Err(differs("this was not promised", stmt.range()));
            }
        }
        if kept.next().is_some() {
            return Err(differs(
                "a statement of the original is gone",
                TextRange::default(),
            ));
        }
        if let Some(missing) = self.definitions.last() {
            let message = format!("the definition of `{}` is missing", missing.name);
            return Err(differs(&message, TextRange::default()));
        }
        if self.imports.contains(&false) {
            return Err(differs(
                "a promised import is missing",
                TextRange::default(),
            ));
        }
        Ok(())
    }

    fn same_text(&self, original: &Stmt, patched: &Stmt) -> bool {
        slice(self.evidence.original.text, original.range())
            == slice(self.evidence.patched.text, patched.range())
    }

    /// Checks that the docstring is the first statement of both modules, or of neither.
    fn docstring_stays_first(&self) -> Verdict {
        let (before, after) = (self.evidence.original.body(), self.evidence.patched.body());
        let docstring = |body: &'a [Stmt]| {
            let first = body.first()?;
            is_string_statement(first.into()).then_some(first)
        };
        let same = match (docstring(before), docstring(after)) {
            (Some(before), Some(after)) => self.same_text(before, after),
            (None, None) => true,
            _ => false,
        };
        same.then_some(())
            .ok_or_else(|| differs("the module's docstring changed", TextRange::default()))
    }

    /// Takes `stmt`, and the attribute writes after it, as an insertion; returns the statements
    /// after it, or `None` when no insertion looks like it.
    fn inserted(
        &mut self,
        stmt: &'a Stmt,
        rest: &'a [Stmt],
    ) -> Result<Option<&'a [Stmt]>, Difference> {
        let imports = self.evidence.promise.imports.iter().zip(&mut self.imports);
        for (import, seen) in imports {
            if !*seen && is_import(stmt, import) {
                *seen = true;
                return Ok(Some(rest));
            }
        }
        let next = self.definitions.last().copied();
        let Some((definition, assign)) =
            next.and_then(|next| Some((next, assignment_to(stmt, &next.name)?)))
        else {
            return Ok(None);
        };
        self.definitions.pop();
        self.definition_agrees(definition, assign)?;
        self.writes_agree(definition, rest).map(Some)
    }

    fn definition_agrees(&self, definition: &PromisedDefinition, assign: &StmtAssign) -> Verdict {
        let calls = (
            self.evidence.call(definition.origin),
            assign.value.as_call_expr(),
        );
        let (Some(origin), Some(call)) = calls else {
            return Err(differs("the definition is no call", assign.range()));
        };
        let step = Step {
            left: &self.evidence.original,
            right: &self.evidence.patched,
            allowance: Allowance::Substitutions(&self.evidence.index.substitutions),
            spellings: &self.evidence.spellings,
        };
        step.compare(origin, call)
    }

    /// Compares the moved attribute writes; returns the statements after them.
    fn writes_agree(
        &self,
        definition: &PromisedDefinition,
        rest: &'a [Stmt],
    ) -> Result<&'a [Stmt], Difference> {
        if definition.writes.is_empty() {
            return Ok(rest);
        }
        let mut rest = rest;
        let target = origin_target(self.evidence, definition).unwrap_or(&definition.name);
        for moved in &definition.writes {
            let missing = || differs("a moved attribute write is missing", TextRange::default());
            let (write, after) = rest.split_first().ok_or_else(missing)?;
            let original = self.evidence.statement(moved.statement);
            let original = original.ok_or_else(missing)?;
            if !is_attribute_write(write, &definition.name) {
                return Err(missing());
            }
            let step = Step {
                left: &self.evidence.original,
                right: &self.evidence.patched,
                allowance: Allowance::Rename {
                    from: target,
                    to: &definition.name,
                    substitutions: &self.evidence.index.substitutions,
                },
                spellings: &self.evidence.spellings,
            };
            step.compare(original, write)?;
            rest = after;
        }
        Ok(rest)
    }
}
