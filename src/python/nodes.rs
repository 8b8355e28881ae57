//! The nodes of one syntax tree in source order, with their parents.

use rustpython_ast::token::Tokens;
use rustpython_ast::visitor::source_order::{
    SourceOrderVisitor, TraversalSignal, walk_body, walk_expr, walk_stmt,
};
use rustpython_ast::{AnyNodeRef, Expr, HasNodeIndex, Identifier, ModModule, NodeIndex, Stmt};
use rustpython_text_size::{Ranged, TextRange};

/// The position of a node in the preorder of its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The module itself.
    pub const MODULE: NodeId = NodeId(0);

    /// The position as an index into a table with one entry a node.
    pub(in crate::python) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry<'a> {
    node: AnyNodeRef<'a>,
    /// The module is its own.
    parent: NodeId,
    /// One past the last node below this one.
    end: u32,
}

/// A node that a compiler may find fault with beyond its grammar.
#[derive(Debug, Clone, Copy)]
pub(in crate::python) enum Suspect<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
}

/// Every node of one module in preorder; the module is [`NodeId::MODULE`].
///
/// Identifiers, such as the name of an attribute, are none: they are a quarter of all, and whoever
/// asks for one has its parent.
///
/// Building numbers the nodes of the tree (their `node_index`), so one tree belongs to one
/// `Nodes` at a time.
#[derive(Debug)]
pub struct Nodes<'a> {
    entries: Vec<Entry<'a>>,
    suspects: Vec<Suspect<'a>>,
    module: &'a ModModule,
}

impl<'a> Nodes<'a> {
    /// Numbers all nodes of `module`.
    #[must_use]
    pub fn build(module: &'a ModModule) -> Self {
        let mut builder = Builder {
            entries: Vec::new(),
            open: NodeId::MODULE,
            suspects: Vec::new(),
        };
        builder.enter_node(module.into());
        walk_body(&mut builder, &module.body);
        builder.leave_node(module.into());
        builder.entries.shrink_to_fit();
        builder.suspects.shrink_to_fit();
        Self {
            entries: builder.entries,
            suspects: builder.suspects,
            module,
        }
    }

    /// The module whose nodes these are.
    #[must_use]
    pub fn module(&self) -> &'a ModModule {
        self.module
    }

    /// All statements, and the expressions that a compiler may reject where they stand, in source order;
    /// names only where they say `__debug__`.
    pub(in crate::python) fn suspects(&self) -> &[Suspect<'a>] {
        &self.suspects
    }

    /// Drops what [`suspects`](Self::suspects) tells, which nobody asks for twice.
    pub(in crate::python) fn forget_suspects(&mut self) {
        self.suspects = Vec::new();
    }

    /// The id of `node`, which must belong to this tree; a foreign or unnumbered node gives [`NodeId::MODULE`].
    #[must_use]
    pub fn id(&self, node: impl HasNodeIndex) -> NodeId {
        NodeId(node.node_index().load().as_u32().unwrap_or(0))
    }

    /// The node numbered `id`.
    #[must_use]
    pub fn get(&self, id: NodeId) -> AnyNodeRef<'a> {
        self.entries
            .get(id.index())
            .map_or(AnyNodeRef::from(self.module), |entry| entry.node)
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no node; never true, as the module is one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All ids in source order.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// All nodes with their ids, in source order.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, AnyNodeRef<'a>)> {
        let entries = (0..).map(NodeId).zip(&self.entries);
        entries.map(|(id, entry)| (id, entry.node))
    }

    /// The parent of the node, or `None` for the module.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let entry = self.entries.get(id.index());
        entry
            .filter(|_| id != NodeId::MODULE)
            .map(|entry| entry.parent)
    }

    /// The parents of the node, nearest first, up to the module; without the node itself.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// The ids of the node and all below it, in source order.
    pub fn subtree(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (id.0..self.entries.get(id.index()).map_or(id.0, |entry| entry.end)).map(NodeId)
    }

    /// The direct children of the node, in source order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.entries.get(id.index()).map_or(id.0, |entry| entry.end);
        let first = Some(id.0 + 1).filter(|next| *next < end).map(NodeId);
        std::iter::successors(first, move |child| {
            let next = self.entries.get(child.index())?.end;
            (next < end).then_some(NodeId(next))
        })
    }

    /// Whether `inner` is `outer` or lies below it.
    #[must_use]
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner
            && self
                .entries
                .get(outer.index())
                .is_some_and(|entry| inner.0 < entry.end)
    }

    /// Whether one of the statements of `suite`, which follow one another, is `inner` or holds it.
    #[must_use]
    pub fn suite_contains(&self, suite: &[Stmt], inner: NodeId) -> bool {
        let (Some(first), Some(last)) = (suite.first(), suite.last()) else {
            return false;
        };
        let last = self.id(last);
        self.id(first) <= inner && (inner < last || self.contains(last, inner))
    }

    /// The innermost statement that is the node or holds it; the module when there is none.
    #[must_use]
    pub fn statement(&self, id: NodeId) -> NodeId {
        std::iter::once(id)
            .chain(self.ancestors(id))
            .find(|id| self.get(*id).is_statement())
            .unwrap_or(NodeId::MODULE)
    }

    /// The statement of the module's own body that holds the node, or `None` for the module.
    #[must_use]
    pub fn top_level_statement(&self, id: NodeId) -> Option<NodeId> {
        std::iter::once(id)
            .chain(self.ancestors(id))
            .find(|id| self.parent(*id) == Some(NodeId::MODULE))
    }

    /// The byte range of the node, without parentheses around it.
    #[must_use]
    pub fn range(&self, id: NodeId) -> TextRange {
        self.get(id).range()
    }

    /// The byte range of the expression with all parentheses around it that do not belong to the
    /// syntax of its parent (a call's own parentheses do).
    #[must_use]
    pub fn parenthesized_range(&self, id: NodeId, tokens: &Tokens) -> TextRange {
        let node = self.get(id);
        let parent = self.parent(id).map(|parent| self.get(parent));
        match (node.as_expr_ref(), parent) {
            (Some(expr), Some(parent)) => {
                rustpython_ast::token::parenthesized_range(expr, parent, tokens)
                    .unwrap_or_else(|| node.range())
            }
            _ => node.range(),
        }
    }
}

struct Builder<'a> {
    entries: Vec<Entry<'a>>,
    /// The innermost node that is entered and not left.
    open: NodeId,
    suspects: Vec<Suspect<'a>>,
}

impl<'a> SourceOrderVisitor<'a> for Builder<'a> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        let index = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        node.node_index().set(NodeIndex::from(index));
        self.entries.push(Entry {
            node,
            parent: self.open,
            end: index + 1,
        });
        self.open = NodeId(index);
        TraversalSignal::Traverse
    }

    fn leave_node(&mut self, _node: AnyNodeRef<'a>) {
        let end = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        if let Some(entry) = self.entries.get_mut(self.open.index()) {
            entry.end = end;
            self.open = entry.parent;
        }
    }

    fn visit_identifier(&mut self, _identifier: &'a Identifier) {}

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.suspects.push(Suspect::Stmt(stmt));
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if is_suspect(expr) {
            self.suspects.push(Suspect::Expr(expr));
        }
        walk_expr(self, expr);
    }
}

/// Whether the parser crate's checker has a question about expressions of that kind.
fn is_suspect(expr: &Expr) -> bool {
    match expr {
        Expr::Name(name) => name.id.as_str() == "__debug__",
        Expr::ListComp(_)
        | Expr::SetComp(_)
        | Expr::DictComp(_)
        | Expr::Generator(_)
        | Expr::Yield(_)
        | Expr::YieldFrom(_)
        | Expr::Await(_)
        | Expr::Tuple(_)
        | Expr::List(_)
        | Expr::Lambda(_) => true,
        _ => false,
    }
}
