//! The words that traces share: places, source text on one line, and how names are bound.

use rustpython_ast::AnyNodeRef;

use crate::check::describe::header_range;
use crate::hoist::Module;
use crate::python::NodeId;
use crate::python::semantic::{BindingId, BindingKind, ScopeId};
use crate::text::{TextRange, TextSize};

/// Characters of source text that are shown at once.
const MAX_TEXT: usize = 80;
/// Items of one list that are shown.
const MAX_ITEMS: usize = 12;

/// The words for the parts of one module.
#[derive(Clone, Copy)]
pub(super) struct Words<'w, 'a> {
    pub(super) module: &'w Module<'a>,
}

impl Words<'_, '_> {
    /// The 1-based row of a byte.
    pub(super) fn row(self, at: TextSize) -> usize {
        self.module.layout.lines().location(at).row
    }

    /// The 1-based row in which the node starts.
    pub(super) fn row_of(self, node: NodeId) -> usize {
        self.row(self.module.nodes.range(node).start())
    }

    /// The 1-based row of a definition's name, below its decorators; of another node its first.
    pub(super) fn row_of_name(self, node: NodeId) -> usize {
        match self.module.nodes.get(node) {
            AnyNodeRef::StmtFunctionDef(function) => self.row(function.name.range.start()),
            AnyNodeRef::StmtClassDef(class) => self.row(class.name.range.start()),
            _ => self.row_of(node),
        }
    }

    /// The place of the node as `row:column`, both 1-based, the column in characters.
    pub(super) fn at(self, node: NodeId) -> String {
        self.place(self.module.nodes.range(node).start())
    }

    /// The place of a byte as `row:column`.
    pub(super) fn place(self, at: TextSize) -> String {
        let place = self.module.layout.lines().location(at);
        format!("{}:{}", place.row, place.column)
    }

    /// The source text at `range` in backticks.
    pub(super) fn text(self, range: TextRange) -> String {
        quoted(self.module.slice(range))
    }

    /// The source text of the node in backticks.
    pub(super) fn code(self, node: NodeId) -> String {
        self.text(self.module.nodes.range(node))
    }

    /// The first words of the statement that is or holds the node, without the suites of a
    /// compound one.
    pub(super) fn header(self, node: NodeId) -> String {
        self.text(header_range(self.module, node))
    }

    /// The row and the first words of the statement.
    pub(super) fn statement(self, node: NodeId) -> String {
        format!("row {}, {}", self.row_of(node), self.header(node))
    }

    /// Where and by what a name is bound, such as "at row 4 by a `def`".
    pub(super) fn bound(self, binding: BindingId) -> String {
        let bound = self.module.model.binding(binding);
        let row = self.row(bound.range.start());
        match bound.kind {
            BindingKind::Parameter => {
                format!("at row {row} as a parameter of {}", self.scope(bound.scope))
            }
            BindingKind::Import(_) | BindingKind::FromImport(_) => {
                let statement = self.code(self.module.nodes.statement(bound.node));
                format!("at row {row} by {statement}")
            }
            ref kind => format!("at row {row} by {}", kind_words(kind)),
        }
    }

    /// Where each of the bindings is, up to a number of them.
    pub(super) fn all_bound(self, bindings: &[BindingId]) -> String {
        listed(bindings.iter().map(|binding| self.bound(*binding)))
    }

    /// What opened the scope, such as "`f`" or "the lambda at row 3".
    pub(super) fn scope(self, scope: ScopeId) -> String {
        self.owner(self.module.model.scope(scope).node)
    }

    /// The function, class, lambda, comprehension or loop by its name or row.
    pub(super) fn owner(self, node: NodeId) -> String {
        let kind = match self.module.nodes.get(node) {
            AnyNodeRef::StmtFunctionDef(function) => return format!("`{}`", function.name),
            AnyNodeRef::StmtClassDef(class) => return format!("`{}`", class.name),
            AnyNodeRef::ModModule(_) => return "the module".to_owned(),
            AnyNodeRef::ExprLambda(_) => "lambda",
            AnyNodeRef::StmtFor(_) | AnyNodeRef::StmtWhile(_) => "loop",
            AnyNodeRef::ExprGenerator(_) => "generator expression",
            AnyNodeRef::ExprListComp(_)
            | AnyNodeRef::ExprSetComp(_)
            | AnyNodeRef::ExprDictComp(_) => "comprehension",
            _ => "scope",
        };
        format!("the {kind} at row {}", self.row_of(node))
    }
}

fn kind_words(kind: &BindingKind) -> &'static str {
    match kind {
        BindingKind::Assignment => "an assignment",
        BindingKind::AugmentedAssignment => "an augmented assignment",
        BindingKind::AnnotatedAssignment => "an annotated assignment",
        BindingKind::Annotation => "an annotation",
        BindingKind::NamedExpression => "`:=`",
        BindingKind::For => "a `for` loop",
        BindingKind::Comprehension => "a comprehension",
        BindingKind::With => "a `with`",
        BindingKind::ExceptHandler => "an `except`",
        BindingKind::Import(_) | BindingKind::FromImport(_) => "an import",
        BindingKind::FunctionDefinition => "a `def`",
        BindingKind::ClassDefinition => "a `class`",
        BindingKind::Parameter => "a parameter",
        BindingKind::MatchCapture => "a `match` pattern",
        BindingKind::Deletion => "a `del`",
        BindingKind::TypeAlias => "a `type` statement",
        BindingKind::TypeParameter => "a type parameter",
    }
}

/// `text` in backticks on one line, cut when it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    let first = lines.next().unwrap_or_default().to_owned();
    let line = lines
        .filter(|line| !line.is_empty())
        .fold(first, |all, line| all + " " + line);
    match line.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("`{}…`", line.get(..end).unwrap_or_default()),
        None => format!("`{line}`"),
    }
}

/// The items with commas between them, and how many more there are than are shown.
pub(super) fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(MAX_ITEMS);
    let mut shown: Vec<String> = items.take(MAX_ITEMS).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    match shown.pop() {
        Some(last) if shown.is_empty() => last,
        Some(last) => format!("{} and {last}", shown.join(", ")),
        None => String::new(),
    }
}

/// `count` things in words, such as "1 use" or "2 uses".
pub(super) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_text_is_quoted_on_one_line_and_cut() {
        assert_eq!(quoted("f(\r\n    'a',\n)"), "`f( 'a', )`");
        let long = "é".repeat(MAX_TEXT + 1);
        assert_eq!(quoted(&long), format!("`{}…`", "é".repeat(MAX_TEXT)));
    }

    #[test]
    fn a_list_says_how_many_more_there_are() {
        let list = |count: usize| listed((0..count).map(|n| n.to_string()));
        assert_eq!(
            [list(0), list(1), list(2)],
            ["".into(), "0".into(), "0 and 1".to_owned()]
        );
        assert!(list(MAX_ITEMS + 3).ends_with(", 11 and 3 more"));
    }
}
