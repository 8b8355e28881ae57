//! Putting imports and definitions between top-level statements.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use rustpython_ast::{AnyNodeRef, Expr, Stmt};
use rustpython_text_size::Ranged;

use super::definition::{Piece, definition_lines, push_statement};
use super::layout::gap::{Gap, Neighbour, separation};
use super::layout::suite::{is_compound, is_import, is_string, position, starts_line};
use super::layout::{Layout, NotEditable};
use crate::python::NodeId;
use crate::python::tokens::line_tail;
use crate::text::{Edit, TextRange, TextSize};

/// Where definitions go; the statement is one of the module's own body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Directly before the statement, its decorators and the comments that touch it, and before
    /// the overloads that it belongs to.
    Before(NodeId),
    /// Directly after the statement.
    After(NodeId),
}

/// Definitions that go to one place, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The place.
    pub place: Place,
    /// The definitions and the attribute writes that follow them.
    pub pieces: Vec<Piece>,
}

/// The edits that put `imports` (whole statements) into the module's import block and each group
/// at its place. Groups that come out at one place keep their order and follow the imports.
///
/// Imports go below the last one of the standard library in the import block at the top of the
/// module, else to the block's end. Where the block has but `__future__` imports, those further down
/// count, above the first group; without any, imports go below docstring and header comments.
///
/// # Errors
/// When a place is no top-level statement, or shares its line and comments would have to go there.
pub fn insertions(
    layout: &Layout<'_>,
    imports: &[String],
    groups: &[Group],
) -> Result<Vec<Edit>, NotEditable> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut by_place: FxHashMap<_, usize> = FxHashMap::default();
    if !imports.is_empty()
        && let Some(spot) = import_spot(layout, groups)
    {
        by_place.insert(spot.place(), blocks.len());
        blocks.push(Block {
            spot,
            imports,
            pieces: Vec::new(),
        });
    }
    for group in groups {
        let spot = spot(layout, group.place)?;
        let at = *by_place.entry(spot.place()).or_insert(blocks.len());
        if at == blocks.len() {
            blocks.push(Block {
                spot,
                imports: &[],
                pieces: Vec::new(),
            });
        }
        if let Some(block) = blocks.get_mut(at) {
            block.pieces.extend(&group.pieces);
        }
    }
    let separation = separation(layout);
    blocks
        .iter()
        .map(|block| block.edit(layout, separation))
        .collect()
}

/// A place in the text.
#[derive(Debug, Clone, Copy)]
enum Spot {
    /// Lines of their own.
    Lines(Gap),
    /// In a line, before the statement that starts there.
    InlineBefore(TextSize),
    /// In a line, after the statement that ends there.
    InlineAfter(TextSize),
}

impl Spot {
    /// What spots at one place have in common, and no others.
    fn place(&self) -> (std::mem::Discriminant<Self>, usize) {
        let at = match self {
            Self::Lines(gap) => gap.first,
            Self::InlineBefore(at) | Self::InlineAfter(at) => at.to_usize(),
        };
        (std::mem::discriminant(self), at)
    }
}

fn spot(layout: &Layout<'_>, place: Place) -> Result<Spot, NotEditable> {
    let (Place::Before(id) | Place::After(id)) = place;
    let refusal = NotEditable {
        at: layout.range(id).start(),
    };
    let found = position(layout, id)?;
    if !found.owner.is_mod_module() {
        return Err(refusal);
    }
    let spot = match place {
        Place::Before(_) => spot_before(layout, found.index),
        Place::After(_) => spot_after(layout, found.index),
    };
    spot.ok_or(refusal)
}

fn spot_before(layout: &Layout<'_>, index: usize) -> Option<Spot> {
    let start = layout.nodes().module().body.get(index)?.start();
    if starts_line(layout, start) {
        Gap::above(layout, index).map(Spot::Lines)
    } else {
        Some(Spot::InlineBefore(start))
    }
}

fn spot_after(layout: &Layout<'_>, index: usize) -> Option<Spot> {
    let statement = layout.nodes().module().body.get(index)?;
    let tail = line_tail(layout.tokens(), statement.end(), layout.end());
    if tail.another_statement && !is_compound(statement) {
        Some(Spot::InlineAfter(statement.end()))
    } else {
        Gap::below(layout, index).map(Spot::Lines)
    }
}

/// Where imports go; `None` for a module without statements.
fn import_spot(layout: &Layout<'_>, groups: &[Group]) -> Option<Spot> {
    let body = &layout.nodes().module().body;
    let is_header = |(index, statement): &(usize, &Stmt)| {
        is_import(statement) || (*index == 0 && is_string(statement))
    };
    let header: Vec<_> = body.iter().enumerate().take_while(is_header).collect();
    let first_group = groups.iter().map(|group| {
        let (Place::Before(id) | Place::After(id)) = group.place;
        layout.range(id).start()
    });
    let end = first_group.min().unwrap_or(layout.end());
    let above = |holds| {
        let imports = layout.imports().iter();
        let imports = imports.filter_map(|index| Some((*index, body.get(*index)?)));
        let above: Vec<_> = imports
            .take_while(|(_, statement)| statement.start() < end)
            .collect();
        last(&above, holds)
    };
    let chosen = last(&header, imports_library)
        .or_else(|| last(&header, imports_other))
        .or_else(|| above(imports_library))
        .or_else(|| above(imports_other))
        .or(header.last().map(|(index, _)| *index));
    match chosen {
        Some(index) => spot_after(layout, index),
        None => spot_before(layout, 0),
    }
}

/// The index of the last statement that `holds`.
fn last(statements: &[(usize, &Stmt)], holds: fn(&Stmt) -> bool) -> Option<usize> {
    let found = statements
        .iter()
        .rev()
        .find(|(_, statement)| holds(statement));
    found.map(|(index, _)| *index)
}

/// Whether the statement imports something that is no `__future__` feature.
fn imports_other(statement: &Stmt) -> bool {
    let future = statement
        .as_import_from_stmt()
        .and_then(|import| import.module.as_deref());
    is_import(statement) && future != Some("__future__")
}

/// The public modules of the standard library of CPython 3.10 to 3.13 (`sys.stdlib_module_names`).
static LIBRARY: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("stdlib.txt").lines().collect());

/// Whether the statement imports from the standard library alone.
fn imports_library(statement: &Stmt) -> bool {
    let in_library = |name: &str| {
        let package = name.split('.').next();
        package.is_some_and(|package| LIBRARY.contains(package))
    };
    match statement {
        Stmt::Import(import) => import.names.iter().all(|alias| in_library(&alias.name)),
        Stmt::ImportFrom(import) => {
            import.level == 0 && import.module.as_deref().is_some_and(in_library)
        }
        _ => false,
    }
}

/// All that is put in at one spot.
struct Block<'p> {
    spot: Spot,
    imports: &'p [String],
    pieces: Vec<&'p Piece>,
}

impl Block<'_> {
    fn edit(&self, layout: &Layout<'_>, separation: usize) -> Result<Edit, NotEditable> {
        match self.spot {
            Spot::Lines(gap) => Ok(self.lines(layout, &gap, separation)),
            Spot::InlineBefore(at) => {
                let text = self.inline(layout, at, ["", "; "])?;
                Ok(Edit::insertion(text, at))
            }
            Spot::InlineAfter(at) => {
                let text = self.inline(layout, at, ["; ", ""])?;
                Ok(Edit::insertion(text, at))
            }
        }
    }

    /// The statements, each between `around`, for a line that others share, which has no place for
    /// comments.
    fn inline(
        &self,
        layout: &Layout<'_>,
        at: TextSize,
        around: [&str; 2],
    ) -> Result<String, NotEditable> {
        let [before, after] = around;
        let newline = layout.newline_at(at);
        let start = layout.line_start(layout.lines().line_of(at));
        let mut line = layout.slice(TextRange::new(start, at)).to_owned();
        let length = line.len();
        for import in self.imports {
            line.extend([before, import, after]);
        }
        for piece in &self.pieces {
            if piece.has_own_comments() {
                return Err(NotEditable { at });
            }
            line.push_str(before);
            push_statement(&mut line, layout, piece, newline);
            line.push_str(after);
        }
        Ok(line.split_off(length))
    }

    /// The lines, set off by blank lines as the file does it; the gap's own blank lines are used
    /// for that first.
    fn lines(&self, layout: &Layout<'_>, gap: &Gap, separation: usize) -> Edit {
        let above = self.blanks_above(gap, separation);
        let kept = gap.blanks.min(above);
        let at = layout.line_start(gap.first + kept);
        let newline = layout.newline_at(at);
        let text = layout.text();
        let unended = at == layout.end() && at > layout.start() && !text.ends_with(['\n', '\r']);

        let mut out = newline.repeat(above - kept);
        for import in self.imports {
            out.push_str(import);
            out.push_str(newline);
        }
        for (nth, piece) in self.pieces.iter().enumerate() {
            let follows_imports = nth == 0 && !self.imports.is_empty();
            let opens = nth > 0 && piece.has_comments_above() && !is_write(layout, piece);
            if follows_imports || opens {
                out.push_str(newline);
            }
            out.push_str(&definition_lines(layout, piece, newline));
            out.push_str(newline);
        }
        let below = self.blanks_below(gap, separation);
        out.push_str(&newline.repeat(below.saturating_sub(gap.blanks - kept)));
        if unended {
            let ended = out.strip_suffix(newline).unwrap_or(&out);
            out = format!("{newline}{ended}");
        }
        Edit::insertion(out, at)
    }

    fn blanks_above(&self, gap: &Gap, separation: usize) -> usize {
        match gap.before {
            Neighbour::Nothing => 0,
            Neighbour::Import if !self.imports.is_empty() => 0,
            Neighbour::Comment if !self.imports.is_empty() => gap.blanks.min(1),
            Neighbour::Definition => separation,
            Neighbour::Other if gap.after != Neighbour::Definition => gap.blanks.min(1),
            Neighbour::Import | Neighbour::Comment | Neighbour::Docstring | Neighbour::Other => 1,
        }
    }

    fn blanks_below(&self, gap: &Gap, separation: usize) -> usize {
        let touches_other = gap.blanks == 0
            && match gap.before {
                Neighbour::Import => self.pieces.is_empty(),
                before => before == Neighbour::Other,
            };
        match gap.after {
            Neighbour::Nothing => 0,
            Neighbour::Definition => separation,
            _ if touches_other => 0,
            Neighbour::Import if self.pieces.is_empty() => 0,
            _ => 1,
        }
    }
}

/// Whether the piece is an attribute write, which belongs to the definition above it.
fn is_write(layout: &Layout<'_>, piece: &Piece) -> bool {
    match layout.nodes().get(piece.node) {
        AnyNodeRef::StmtAssign(assign) => assign.targets.iter().any(Expr::is_attribute_expr),
        AnyNodeRef::StmtAugAssign(assign) => assign.target.is_attribute_expr(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
