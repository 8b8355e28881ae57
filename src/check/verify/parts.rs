//! The parts of a syntax node: its children, and its own tokens without those of layout.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustpython_ast::Stmt;
use rustpython_ast::token::{Token, TokenKind, Tokens};
use rustpython_text_size::Ranged;

use super::evidence::Side;
use crate::python::NodeId;
use crate::python::parse::parse;
use crate::text::lines::slice;
use crate::text::{TextRange, TextSize};

/// A part of a node: a token of its own, or a child.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'a> {
    Token(&'a str),
    Child(NodeId),
    /// A suite all of whose statements go.
    Emptied,
}

/// The node's children, and between them its own tokens without those of layout.
pub(super) fn parts<'a>(side: &Side<'a>, id: NodeId) -> Vec<Part<'a>> {
    let range = side.nodes.range(id);
    let tokens: &[Token] = side.tokens;
    let mut at = tokens.partition_point(|token| token.start() < range.start());
    let mut found = Vec::new();
    for child in side.nodes.children(id) {
        let inner = side.nodes.range(child);
        at += push_own(side, (at, inner.start()), &mut found);
        let rest = tokens.get(at..).unwrap_or_default();
        at += rest.partition_point(|token| token.start() < inner.end());
        found.push(Part::Child(child));
    }
    push_own(side, (at, range.end()), &mut found);
    found
}

/// Puts in the tokens from the one numbered `at` that start before `end`; returns their number.
fn push_own<'a>(side: &Side<'a>, (at, end): (usize, TextSize), found: &mut Vec<Part<'a>>) -> usize {
    let tokens = side.tokens.iter().skip(at);
    let own = tokens.take_while(|token| token.start() < end);
    let mut count = 0;
    for token in own {
        if is_significant(token.kind()) {
            found.push(Part::Token(slice(side.text, token.range())));
        }
        count += 1;
    }
    count
}

/// Whether the token is more than layout; the tree's suites say what the layout did.
fn is_significant(kind: TokenKind) -> bool {
    use TokenKind::{Comment, Dedent, EndOfFile, Indent, Newline, NonLogicalNewline, Semi};
    !matches!(
        kind,
        Comment | Dedent | EndOfFile | Indent | Newline | NonLogicalNewline | Semi
    )
}

fn significant<'a>(
    text: &'a str,
    tokens: &'a Tokens,
    range: TextRange,
) -> impl Iterator<Item = &'a str> {
    let tokens: &[Token] = tokens;
    let first = tokens.partition_point(|token| token.start() < range.start());
    tokens
        .iter()
        .skip(first)
        .take_while(move |token| token.start() < range.end())
        .filter(|token| is_significant(token.kind()))
        .map(move |token| slice(text, token.range()))
}

/// The tokens of texts, each read once.
#[derive(Default)]
pub(super) struct Spellings(RefCell<FxHashMap<String, Rc<[String]>>>);

impl Spellings {
    /// Whether the expression at that range is the one that `text` spells.
    pub(super) fn is_expression(&self, side: &Side<'_>, range: TextRange, text: &str) -> bool {
        let wanted = self.of(text);
        significant(side.text, side.tokens, range).eq(wanted.iter().map(String::as_str))
    }

    /// Whether the expression at that range is the one that `text` spells, which may put a tuple in
    /// parentheses.
    pub(super) fn is_value(&self, side: &Side<'_>, range: TextRange, text: &str) -> bool {
        self.is_expression(side, range, text)
            || bare(text).is_some_and(|bare| self.is_expression(side, range, bare))
    }

    /// The tokens that the expression at a range may have for [`Self::is_value`] to hold.
    pub(super) fn of_value(&self, text: &str) -> impl Iterator<Item = Rc<[String]>> {
        let bare = bare(text).map(|bare| self.of(bare));
        let all = std::iter::once(self.of(text)).chain(bare);
        all.filter(|tokens| !tokens.is_empty())
    }

    /// The tokens of `text` as one expression, without parentheses around it; none when it is no
    /// expression.
    fn of(&self, text: &str) -> Rc<[String]> {
        if let Some(known) = self.0.borrow().get(text) {
            return Rc::clone(known);
        }
        let tokens: Rc<[String]> = expression_tokens(text).into();
        let mut known = self.0.borrow_mut();
        known.insert(text.to_owned(), Rc::clone(&tokens));
        tokens
    }
}

/// The own tokens of the expression at that range.
pub(super) fn tokens_at(side: &Side<'_>, range: TextRange) -> Rc<[String]> {
    let tokens = significant(side.text, side.tokens, range);
    tokens.map(str::to_owned).collect()
}

fn bare(text: &str) -> Option<&str> {
    text.strip_prefix('(')?.strip_suffix(')')
}

fn expression_tokens(text: &str) -> Vec<String> {
    let Ok(parsed) = parse(text.trim()) else {
        return Vec::new();
    };
    match parsed.syntax().body.as_slice() {
        [Stmt::Expr(only)] => significant(text.trim(), parsed.tokens(), only.value.range())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}
