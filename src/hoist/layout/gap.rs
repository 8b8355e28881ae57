//! The blank lines between two top-level statements, where new lines go.

use rustpython_ast::{ExceptHandler, Expr, Stmt, StmtFunctionDef};
use rustpython_text_size::Ranged;

use super::Layout;
use super::suite::{is_compound, is_string};
use crate::python::tokens::line_tail;

/// What stands on one side of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Neighbour {
    /// The start or the end of the text.
    Nothing,
    Import,
    /// A function or class.
    Definition,
    Docstring,
    /// A comment that does not touch a statement below it.
    Comment,
    Other,
}

/// A run of blank lines, perhaps empty, between two top-level statements or comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The 0-based line at which the run starts.
    pub first: usize,
    /// The number of blank lines.
    pub blanks: usize,
    /// What stands above.
    pub before: Neighbour,
    /// What stands below; comments that touch a statement count as that statement.
    pub after: Neighbour,
}

impl Gap {
    /// The gap above the top-level statement number `index`, its decorators, the comments that
    /// touch it, and the definitions of the same name that it belongs to.
    pub(crate) fn above(layout: &Layout<'_>, index: usize) -> Option<Self> {
        let index = first_of_same_name(layout, index);
        let body = body(layout);
        let statement = body.get(index)?;
        let top = top_line(layout, statement);
        let floor = floor(layout, statement);
        let mut first = top;
        while first > floor && layout.is_blank(first - 1) {
            first -= 1;
        }
        let own_comment = first > floor && layout.indentation(first - 1).is_empty();
        let before = if own_comment || (index == 0 && first > 0) {
            Neighbour::Comment
        } else {
            kind_above(body, index.checked_sub(1))
        };
        Some(Self {
            first,
            blanks: top - first,
            before,
            after: kind(body, Some(index)),
        })
    }

    /// The gap below the top-level statement number `index` and the comments inside its block.
    pub(crate) fn below(layout: &Layout<'_>, index: usize) -> Option<Self> {
        let body = body(layout);
        let statement = body.get(index)?;
        let mut first =
            layout.line_from(line_tail(layout.tokens(), statement.end(), layout.end()).end);
        let in_block = |line| layout.is_comment(line) && !layout.indentation(line).is_empty();
        while is_compound(statement) && in_block(first) {
            first += 1;
        }
        let count = layout.lines().count();
        let blanks = (first..count)
            .take_while(|line| layout.is_blank(*line))
            .count();
        let after = match body.get(index + 1) {
            Some(next) if top_line(layout, next) == first + blanks => kind(body, Some(index + 1)),
            None if !layout.is_comment(first + blanks) => Neighbour::Nothing,
            _ => Neighbour::Comment,
        };
        Some(Self {
            first,
            blanks,
            before: kind_above(body, Some(index)),
            after,
        })
    }
}

/// The number of blank lines that the file puts between two functions or classes: 1 or 2, by the
/// first such pair; PEP 8's 2 when there is none.
pub(crate) fn separation(layout: &Layout<'_>) -> usize {
    *layout.separation.get_or_init(|| find_separation(layout))
}

fn find_separation(layout: &Layout<'_>) -> usize {
    let body = body(layout);
    (1..body.len())
        // To ask for the gap above every statement of a long line, or above every definition of one
        // name, would take forever.
        .filter(|index| kind(body, Some(*index)) == Neighbour::Definition)
        .filter(|index| !belongs_to_previous(layout, *index))
        .filter_map(|index| Gap::above(layout, index))
        .filter(|gap| gap.before == Neighbour::Definition && gap.after == Neighbour::Definition)
        .map(|gap| gap.blanks)
        .find(|blanks| *blanks > 0)
        .map_or(2, |blanks| blanks.min(2))
}

fn body<'a>(layout: &Layout<'a>) -> &'a [Stmt] {
    &layout.nodes().module().body
}

fn kind(body: &[Stmt], index: Option<usize>) -> Neighbour {
    match index.and_then(|index| body.get(index)) {
        None => Neighbour::Nothing,
        Some(Stmt::Import(_) | Stmt::ImportFrom(_)) => Neighbour::Import,
        Some(Stmt::FunctionDef(_) | Stmt::ClassDef(_)) => Neighbour::Definition,
        Some(statement) if index == Some(0) && is_string(statement) => Neighbour::Docstring,
        Some(_) => Neighbour::Other,
    }
}

/// What the statement is to what stands below it: a block that ends in a function or class counts
/// as one.
fn kind_above(body: &[Stmt], index: Option<usize>) -> Neighbour {
    match index.and_then(|index| body.get(index)) {
        Some(statement) if ends_in_definition(statement) => Neighbour::Definition,
        _ => kind(body, index),
    }
}

fn ends_in_definition(statement: &Stmt) -> bool {
    let body = match statement {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return true,
        Stmt::If(branch) => branch
            .elif_else_clauses
            .last()
            .map_or(&branch.body, |clause| &clause.body),
        Stmt::With(with) => &with.body,
        Stmt::For(each) if each.orelse.is_empty() => &each.body,
        Stmt::While(each) if each.orelse.is_empty() => &each.body,
        Stmt::Try(attempt) => match attempt.handlers.last() {
            _ if !attempt.finalbody.is_empty() => &attempt.finalbody,
            _ if !attempt.orelse.is_empty() => &attempt.orelse,
            Some(ExceptHandler::ExceptHandler(handler)) => &handler.body,
            None => &attempt.body,
        },
        _ => return false,
    };
    body.last().is_some_and(ends_in_definition)
}

/// The first line below the logical line before the statement, and below the file's header.
fn floor(layout: &Layout<'_>, statement: &Stmt) -> usize {
    layout
        .line_after_previous(statement.start())
        .max(header_lines(layout))
        .min(layout.first_line(statement.range()))
}

/// The first line of the statement and the comments that touch it.
fn top_line(layout: &Layout<'_>, statement: &Stmt) -> usize {
    let line = layout.first_line(statement.range());
    layout.comments_above(line, "", floor(layout, statement))
}

/// The first of the definitions of one name that end with statement number `index`: a run without
/// blank lines, or typing's overloads, which must follow each other.
fn first_of_same_name(layout: &Layout<'_>, mut index: usize) -> usize {
    while belongs_to_previous(layout, index) {
        index -= 1;
    }
    index
}

/// Whether statement number `index` is a further definition of the function right above it.
fn belongs_to_previous(layout: &Layout<'_>, index: usize) -> bool {
    let at = |index: usize| body(layout).get(index);
    let (Some(statement), Some(Stmt::FunctionDef(previous))) =
        (at(index), index.checked_sub(1).and_then(at))
    else {
        return false;
    };
    let Stmt::FunctionDef(this) = statement else {
        return false;
    };
    let touches = || top_line(layout, statement) == layout.line_after_previous(statement.start());
    this.name.id == previous.name.id && (is_overload(previous) || touches())
}

/// Whether a decorator's last name is `overload`.
fn is_overload(function: &StmtFunctionDef) -> bool {
    function
        .decorator_list
        .iter()
        .any(|decorator| match &decorator.expression {
            Expr::Name(name) => name.id == "overload",
            Expr::Attribute(attribute) => attribute.attr.id == "overload",
            _ => false,
        })
}

/// The number of lines at the top that must stay there: the `#!` line, the coding line (PEP 263)
/// and comments that set up a tool for the whole file.
fn header_lines(layout: &Layout<'_>) -> usize {
    let mut header = 0;
    for line in 0..layout.lines().count() {
        let comment = layout.body(line);
        if (line == 0 && comment.starts_with("#!")) || (line < 2 && is_coding(comment)) {
            header = line + 1;
        } else if header == line && is_directive(comment) {
            header += 1;
        } else if line > 0 {
            break;
        }
    }
    header
}

/// Whether the comment declares the file's encoding: `coding` and `:` or `=` (PEP 263).
fn is_coding(comment: &str) -> bool {
    comment.starts_with('#')
        && comment
            .split("coding")
            .skip(1)
            .any(|rest| rest.starts_with([':', '=']))
}

/// Whether the comment speaks to a tool about the whole file when it comes first.
fn is_directive(comment: &str) -> bool {
    const TOOLS: [&str; 7] = [
        "type:", "mypy:", "pylint:", "pyright:", "flake8:", "ruff:", "isort:",
    ];
    comment.strip_prefix('#').is_some_and(|words| {
        TOOLS
            .iter()
            .any(|tool| words.trim_start().starts_with(tool))
    })
}
