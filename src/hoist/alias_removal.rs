//! Dropping single names from an import statement.

use rustpython_ast::{Alias, AnyNodeRef};
use rustpython_text_size::Ranged;

use super::layout::suite::starts_line;
use super::layout::{Layout, NotEditable};
use crate::python::NodeId;
use crate::python::tokens::{comments, line_tail};
use crate::text::{Edit, TextRange};

/// What becomes of an import statement that loses names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AliasRemoval {
    /// No name is left: the whole statement is for [`remove_statements`](super::removal::remove_statements).
    Statement,
    /// Some names stay.
    Names(Vec<Edit>),
    /// It stays as it is, because its comments would be lost or stand beside the wrong name.
    Kept,
}

/// How `aliases` leave `statement`, an `import` or `from … import`.
///
/// # Errors
/// When `statement` is no import, or an alias is not one of its own.
pub fn remove_aliases(
    layout: &Layout<'_>,
    statement: NodeId,
    aliases: &[NodeId],
) -> Result<AliasRemoval, NotEditable> {
    let range = layout.range(statement);
    let refusal = NotEditable { at: range.start() };
    let names: &[Alias] = match layout.nodes().get(statement) {
        AnyNodeRef::StmtImport(import) => &import.names,
        AnyNodeRef::StmtImportFrom(import) => &import.names,
        _ => return Err(refusal),
    };
    let goes = |alias: &Alias| aliases.contains(&layout.nodes().id(alias));
    if names.iter().filter(|alias| goes(alias)).count() != aliases.len() {
        return Err(refusal);
    }
    if !comments(layout.tokens(), range).is_empty() {
        return Ok(AliasRemoval::Kept);
    }
    if aliases.len() < names.len() {
        return Ok(AliasRemoval::Names(deletions(names, goes)));
    }
    Ok(if loses_comments(layout, range) {
        AliasRemoval::Kept
    } else {
        AliasRemoval::Statement
    })
}

/// Deletes each run of names with the comma that joined it to a name that stays.
fn deletions(names: &[Alias], goes: impl Fn(&Alias) -> bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut kept: Option<&Alias> = None;
    let mut run: Option<&Alias> = None;
    for name in names {
        match (goes(name), run) {
            (true, None) => run = Some(name),
            (false, Some(first)) => {
                let range = TextRange::new(first.start(), name.start());
                edits.push(Edit::deletion(range));
                run = None;
            }
            _ => {}
        }
        if !goes(name) {
            kept = Some(name);
        }
    }
    if let (Some(_), Some(kept), Some(last)) = (run, kept, names.last()) {
        edits.push(Edit::deletion(TextRange::new(kept.end(), last.end())));
    }
    edits
}

/// Whether comments above or behind the statement would go with its line.
fn loses_comments(layout: &Layout<'_>, range: TextRange) -> bool {
    let tail = line_tail(layout.tokens(), range.end(), layout.end());
    if tail.another_statement || !starts_line(layout, range.start()) {
        return false;
    }
    let line = layout.first_line(range);
    let indentation = layout.indentation(layout.lines().line_of(range.start()));
    let floor = layout.line_after_previous(range.start());
    tail.comment.is_some() || layout.comments_above(line, indentation, floor) < line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hoist::layout::testing::{patched, statement, with_layout};

    /// Drops the names at `indices` from the one import of `before`.
    fn remove(before: &str, indices: &[usize]) -> (AliasRemoval, String) {
        with_layout(before, |layout| {
            let marker = if before.contains("from") {
                "from"
            } else {
                "import"
            };
            let import = statement(layout, marker);
            let all: Vec<_> = layout
                .nodes()
                .children(import)
                .filter(|id| layout.nodes().get(*id).is_alias())
                .collect();
            let aliases: Vec<_> = indices.iter().map(|index| all[*index]).collect();
            let removal = remove_aliases(layout, import, &aliases).unwrap();
            let edits = match &removal {
                AliasRemoval::Names(edits) => edits.clone(),
                _ => Vec::new(),
            };
            (removal, patched(layout, edits))
        })
    }

    #[track_caller]
    fn check(before: &str, indices: &[usize], after: &str) {
        let (removal, text) = remove(before, indices);
        assert!(matches!(removal, AliasRemoval::Names(_)), "{removal:?}");
        assert_eq!(text, after);
    }

    #[test]
    fn a_name_goes_with_its_comma() {
        check(
            "from c import a, b as x, d\n",
            &[0],
            "from c import b as x, d\n",
        );
        check("from c import a, b as x, d\n", &[1], "from c import a, d\n");
        check(
            "from c import a, b as x, d  # k\n",
            &[1, 2],
            "from c import a  # k\n",
        );
        check("import a.b, c\n", &[0], "import c\n");
        check(
            "from c import (\n    a,\n    b,\n)\n",
            &[1],
            "from c import (\n    a,\n)\n",
        );
        check(
            "from c import (\n    a,\n    b,\n)\n",
            &[0],
            "from c import (\n    b,\n)\n",
        );
        check("from c import a, \\\n    b\n", &[1], "from c import a\n");
        check(
            "from c import a, b, d, e\n",
            &[0, 2],
            "from c import b, e\n",
        );
    }

    #[test]
    fn the_last_name_takes_the_statement() {
        assert_eq!(
            remove("if a:\n    from c import (\n        b,\n    )\n", &[0]).0,
            AliasRemoval::Statement
        );
        assert_eq!(
            remove("from c import a; b  # k\n", &[0]).0,
            AliasRemoval::Statement
        );
    }

    #[test]
    fn an_import_whose_comments_would_be_lost_stays() {
        for before in [
            "from c import (a,  # x\n b)\n",
            "from c import a  # x\n",
            "# x\nfrom c import a\n",
        ] {
            assert_eq!(remove(before, &[0]).0, AliasRemoval::Kept);
        }
    }

    #[test]
    fn foreign_nodes_are_refused() {
        with_layout("import a\nb\n", |layout| {
            let other = statement(layout, "b");
            assert!(remove_aliases(layout, other, &[]).is_err());
            assert!(remove_aliases(layout, statement(layout, "import"), &[other]).is_err());
        });
    }
}
