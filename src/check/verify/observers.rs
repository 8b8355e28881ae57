//! Proof 5: no load of a definition lets the class be told apart from a fresh one.

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{AnyNodeRef, CmpOp, Expr, ExprCall, ExprContext, UnaryOp};
use rustpython_text_size::Ranged;

use super::evidence::{Evidence, Located};
use super::instances;
use super::kept::{Keeping, Kept};
use super::made::{self, Made};
use super::merged::qualified;
use super::types::is_type;
use super::visible;
use super::{ProofName, VerificationFailure};
use crate::python::NodeId;
use crate::python::semantic::{ReferenceContext, ScopeId};
use crate::rule::Applicability;
use crate::text::{TextRange, TextSize};

type Verdict = Result<(), VerificationFailure>;

/// Builtins that look at a class without keeping or comparing it.
const HARMLESS_BUILTINS: [&str; 7] = ["print", "len", "repr", "str", "bool", "hasattr", "callable"];

/// Follows every load of each definition, through the names and attributes that keep it.
///
/// # Errors
/// Returns the first load through which the class escapes, or by which a name can be seen that
/// went or came.
pub(super) fn prove(evidence: &Evidence<'_>) -> Verdict {
    let watched = visible::watched_scopes(&evidence.original);
    visible::dropped_names(evidence, &watched)?;
    visible::new_names(evidence)?;
    made::prove(evidence)?;
    let keeping = Keeping::new(&evidence.patched);
    let returned = returned_names(evidence);
    let mut harmless = HarmlessLoads::default();
    for (number, located) in evidence.located.iter().enumerate() {
        let Some(located) = located else { continue };
        let Some(definition) = evidence.promise.definitions.get(number) else {
            continue;
        };
        let made = Made::new(&evidence.patched, definition.factory, located);
        instances::prove(evidence, number, (&made, &watched))?;
        let may_be_returned = returned.contains(definition.name.as_str()) && !made.instances_tell();
        let mut watch = Watch {
            evidence,
            keeping: &keeping,
            may_be_returned,
            seen: harmless.of(&made, may_be_returned),
            made,
            pending: loads(evidence, number, located)?,
        };
        watch.run()?;
    }
    Ok(())
}

/// The names of the definitions that an unsafe fix uses; several entries of the promise may share
/// one that was there before.
fn returned_names<'e>(evidence: &'e Evidence<'_>) -> FxHashSet<&'e str> {
    let promise = evidence.promise;
    let sites = promise
        .sites
        .iter()
        .filter(|site| site.applicability == Applicability::Unsafe);
    let definitions = sites.filter_map(|site| promise.definitions.get(site.definition));
    definitions
        .map(|definition| definition.name.as_str())
        .collect()
}

pub(super) fn fail(message: String, offset: TextSize) -> VerificationFailure {
    VerificationFailure {
        check: ProofName::Observers,
        message,
        offset,
    }
}

/// The loads of the definition outside its own attribute writes.
fn loads(
    evidence: &Evidence<'_>,
    number: usize,
    located: &Located<'_>,
) -> Result<Vec<NodeId>, VerificationFailure> {
    let Some(definition) = evidence.promise.definitions.get(number) else {
        return Ok(Vec::new());
    };
    let model = &evidence.patched.model;
    let last = evidence.patched.body().get(located.at + located.writes);
    let end = last.map_or(located.statement.end(), Ranged::end);
    let own = TextRange::new(located.statement.start(), end);
    let mut found = Vec::new();
    for id in model.references_to(ScopeId::MODULE, &definition.name) {
        let reference = model.reference(*id);
        if reference.context != ReferenceContext::Load {
            let message = format!("`{}` is deleted or rebound here", reference.name);
            return Err(fail(message, reference.range.start()));
        }
        if !own.contains_range(reference.range) {
            found.push(reference.node);
        }
    }
    Ok(found)
}

/// The loads that were followed to their ends, by all that a verdict on them goes by; a load that is
/// harmless for one class is so for every class that is like it.
#[derive(Default)]
struct HarmlessLoads(FxHashMap<(&'static str, Vec<String>, bool), FxHashSet<NodeId>>);

impl HarmlessLoads {
    fn of(&mut self, made: &Made, may_be_returned: bool) -> &mut FxHashSet<NodeId> {
        let key = (made.factory.name, made.attributes.clone(), may_be_returned);
        self.0.entry(key).or_default()
    }
}

/// Follows the loads of one definition.
struct Watch<'e, 'a> {
    evidence: &'e Evidence<'a>,
    keeping: &'e Keeping<'e, 'a>,
    made: Made,
    may_be_returned: bool,
    seen: &'e mut FxHashSet<NodeId>,
    pending: Vec<NodeId>,
}

impl<'a> Watch<'_, 'a> {
    fn run(&mut self) -> Verdict {
        while let Some(load) = self.pending.pop() {
            if self.seen.insert(load) {
                self.observe(load)?;
            }
        }
        Ok(())
    }

    fn get(&self, id: NodeId) -> AnyNodeRef<'a> {
        self.evidence.patched.nodes.get(id)
    }

    fn escape(&self, load: NodeId, how: &str) -> Verdict {
        let side = &self.evidence.patched;
        let message = format!("the class escapes through `{}`: {how}", side.source(load));
        Err(fail(message, side.nodes.range(load).start()))
    }

    /// Judges one expression whose value is the class, by what stands around it.
    fn observe(&mut self, load: NodeId) -> Verdict {
        let range = self.get(load).range();
        let Some(parent) = self.evidence.patched.nodes.parent(load) else {
            return Ok(());
        };
        let is_here = |expr: &Expr| expr.range() == range;
        if is_type(self.evidence, load) {
            return Ok(());
        }
        let harmless = match self.get(parent) {
            AnyNodeRef::StmtExpr(_)
            | AnyNodeRef::StmtIf(_)
            | AnyNodeRef::ElifElseClause(_)
            | AnyNodeRef::StmtWhile(_) => true,
            AnyNodeRef::StmtAssert(assert) => is_here(&assert.test),
            AnyNodeRef::InterpolatedElement(_) => !self.is_in_template(load),
            AnyNodeRef::ExprUnaryOp(operation) => operation.op == UnaryOp::Not,
            AnyNodeRef::ExprIf(branch) if is_here(&branch.test) => true,
            AnyNodeRef::ExprCall(call) => is_here(&call.func),
            AnyNodeRef::Arguments(_) => self.is_harmless_argument(load, parent),
            AnyNodeRef::ExprAttribute(attribute) => {
                let name = attribute.attr.as_str();
                let is_member = self.made.has_members() && !name.starts_with('_');
                attribute.ctx == ExprContext::Load && (is_member || self.made.shows_nothing(name))
            }
            AnyNodeRef::ExprSubscript(item) => {
                let looks_up = item.ctx == ExprContext::Load && is_here(&item.value);
                looks_up && self.made.has_members()
            }
            AnyNodeRef::StmtFor(statement) => {
                self.made.has_members() && is_here(&statement.iter) && !statement.is_async
            }
            AnyNodeRef::Comprehension(clause) => {
                self.made.has_members() && is_here(&clause.iter) && !clause.is_async
            }
            AnyNodeRef::ExprCompare(compare) => {
                let mut sides = std::iter::once(&*compare.left).chain(&*compare.comparators);
                let mut tests = compare.ops.iter();
                sides.all(|side| is_here(side) || side.is_none_literal_expr())
                    && tests.all(|test| matches!(test, CmpOp::Is | CmpOp::IsNot))
            }
            AnyNodeRef::StmtReturn(_) | AnyNodeRef::ExprYield(_) | AnyNodeRef::ExprLambda(_) => {
                if !self.may_be_returned {
                    return self.escape(load, "it is returned by a safe fix");
                }
                true
            }
            AnyNodeRef::ExprIf(_) | AnyNodeRef::ExprBoolOp(_) => {
                self.pending.push(parent);
                true
            }
            _ => return self.observe_binding(load, parent),
        };
        if harmless || self.is_annotation(load) {
            return Ok(());
        }
        self.escape(load, "this use is not known to be harmless")
    }

    /// Judges a load that a name or an attribute keeps; any other one is an escape.
    fn observe_binding(&mut self, load: NodeId, parent: NodeId) -> Verdict {
        let range = self.get(load).range();
        match self.get(parent) {
            AnyNodeRef::StmtAssign(assign) if assign.value.range() == range => {
                for target in &assign.targets {
                    self.keep(load, target)?;
                }
                Ok(())
            }
            AnyNodeRef::StmtAnnAssign(assign)
                if assign
                    .value
                    .as_ref()
                    .is_some_and(|value| value.range() == range) =>
            {
                self.keep(load, &assign.target)
            }
            AnyNodeRef::ExprNamed(named) if named.value.range() == range => {
                self.pending.push(parent);
                self.keep(load, &named.target)
            }
            AnyNodeRef::ExprTuple(tuple) => {
                let at = tuple
                    .elts
                    .iter()
                    .position(|element| element.range() == range);
                self.keep_element(load, parent, at)
            }
            AnyNodeRef::ParameterWithDefault(parameter) => {
                let node = self.evidence.patched.nodes.id(&parameter.parameter);
                self.pending.extend(self.keeping.loads_of(node, None));
                Ok(())
            }
            _ if self.is_annotation(load) => Ok(()),
            _ => self.escape(load, "this use is not known to be harmless"),
        }
    }

    /// Judges an element of a tuple that is unpacked at once.
    fn keep_element(&mut self, load: NodeId, tuple: NodeId, at: Option<usize>) -> Verdict {
        if self.is_annotation(load) {
            return Ok(());
        }
        let nodes = &self.evidence.patched.nodes;
        let statement = nodes.parent(tuple).map(|parent| nodes.get(parent));
        if let (Some(at), Some(AnyNodeRef::StmtAssign(assign))) = (at, statement) {
            let width = assign.value.as_tuple_expr().map(|tuple| tuple.elts.len());
            for target in &assign.targets {
                let elements = match target {
                    Expr::Tuple(tuple) => tuple.elts.as_slice(),
                    Expr::List(list) => list.elts.as_slice(),
                    _ => return self.escape(load, "a tuple keeps it"),
                };
                let starred = elements.iter().any(Expr::is_starred_expr);
                match elements.get(at) {
                    Some(element) if !starred && Some(elements.len()) == width => {
                        self.keep(load, element)?;
                    }
                    _ => return self.escape(load, "a tuple keeps it"),
                }
            }
            return Ok(());
        }
        self.escape(load, "a tuple keeps it")
    }

    /// Goes on to the loads of the target that keeps the class.
    fn keep(&mut self, load: NodeId, target: &Expr) -> Verdict {
        let nodes = &self.evidence.patched.nodes;
        match target {
            Expr::Name(name) => {
                let kept = self
                    .keeping
                    .loads_of(nodes.id(name), Some(nodes.statement(load)));
                self.pending.extend(kept);
                if let Some(attribute) = self.keeping.class_attribute(nodes.id(name)) {
                    return self.keep_attribute(load, attribute);
                }
                Ok(())
            }
            Expr::Attribute(attribute) if self.keeping.is_own(&attribute.value) => {
                self.keep_attribute(load, attribute.attr.as_str())
            }
            _ => self.escape(load, "it is stored where its uses can't be followed"),
        }
    }

    fn keep_attribute(&mut self, load: NodeId, attribute: &str) -> Verdict {
        match self.keeping.loads_of_attribute(attribute) {
            Kept::Loads(loads) => {
                self.pending.extend(loads);
                Ok(())
            }
            Kept::ByName => self.escape(load, "its attribute is reached by `getattr` or `setattr`"),
        }
    }

    /// Whether the argument goes to a call that neither keeps nor compares the class.
    fn is_harmless_argument(&self, load: NodeId, arguments: NodeId) -> bool {
        let nodes = &self.evidence.patched.nodes;
        let call = nodes.parent(arguments).map(|call| nodes.get(call));
        let Some(AnyNodeRef::ExprCall(call)) = call else {
            return false;
        };
        let range = self.get(load).range();
        let is_first = call
            .arguments
            .args
            .first()
            .is_some_and(|first| first.range() == range);
        match visible::builtin(&self.evidence.patched, call).as_deref() {
            Some("map") => is_first,
            Some("hasattr") => is_first,
            Some(name) => HARMLESS_BUILTINS.contains(&name),
            None => is_first && self.is_harmless_import(call),
        }
    }

    fn is_harmless_import(&self, call: &ExprCall) -> bool {
        let name = qualified(&self.evidence.patched, &call.func);
        matches!(name.as_deref(), Some("itertools.starmap" | "typing.cast"))
    }

    /// Whether a t-string keeps the class.
    fn is_in_template(&self, load: NodeId) -> bool {
        let mut around = self.evidence.patched.nodes.ancestors(load);
        around.any(|id| self.get(id).is_t_string() || self.get(id).is_expr_t_string())
    }

    /// Whether the load is part of an annotation.
    fn is_annotation(&self, load: NodeId) -> bool {
        let nodes = &self.evidence.patched.nodes;
        let outer = nodes
            .ancestors(load)
            .find(|id| !nodes.get(*id).is_expression());
        match outer.map(|outer| nodes.get(outer)) {
            Some(AnyNodeRef::Parameter(_) | AnyNodeRef::StmtFunctionDef(_)) => true,
            Some(AnyNodeRef::StmtAnnAssign(assign)) => {
                assign.annotation.range().contains_range(nodes.range(load))
            }
            _ => false,
        }
    }
}
