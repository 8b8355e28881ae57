//! Comments that silence findings.

mod meaning;
mod noqa;
pub mod own;
pub mod usage;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use rustpython_ast::token::{TokenKind, Tokens};
use rustpython_text_size::{Ranged, TextRange};

use self::meaning::{concerns_file, is_prefix, is_understood, means};
use self::noqa::{may_be_noqa, noqa};
use self::own::{Directive, Piece, may_be_own, pieces_with};
use super::{Code, Registry, Rule};
use crate::text::lines::{Lines, offset, slice};

/// The suppression comments of one module.
#[derive(Debug, Clone)]
pub struct Suppressions<'a> {
    lines: &'a Lines<'a>,
    registry: &'a Registry,
    /// What the codes of the rules start with.
    letters: Vec<&'a str>,
    /// All codes, once a comment needed them.
    codes: OnceCell<Vec<(Option<&'a Rule>, &'a Code)>>,
    comments: Vec<Comment>,
    /// The comments with a `noqa` or an own piece, by 0-based line.
    by_line: BTreeMap<usize, Vec<usize>>,
    own: Vec<OwnComment>,
    /// The own comments that silence the whole file.
    of_file: Vec<usize>,
    /// Whether one that is not understood is about the whole file.
    holds_file: bool,
}

/// One comment that silences something, or is one of our own.
#[derive(Debug, Clone)]
struct Comment {
    token: TextRange,
    position: Position,
    noqa: Option<Silence>,
    /// Its pieces among the own comments.
    own: Vec<usize>,
}

/// One own comment: a piece of a comment's token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnComment {
    /// The bytes of the whole token, which may hold other tools' pragmas too.
    pub token: TextRange,
    /// The bytes of the comment itself, without blanks behind it.
    pub range: TextRange,
    /// What it asks for.
    pub directive: Directive,
    /// How it stands in its line.
    pub position: Position,
    /// Whether it is certain what it is to silence.
    pub is_understood: bool,
}

/// How a comment stands in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Behind a part of a statement.
    Trailing,
    /// Alone on its line, inside a statement that goes on below.
    AloneInside,
    /// Alone on its line, between statements.
    Alone,
}

/// What one comment silences.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Silence {
    All,
    Codes(Vec<String>),
}

/// Who silences a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Silencer {
    /// A `# noqa`.
    Noqa,
    /// The own comment of that number.
    Own(usize),
    /// An entry in the list of the own comment of that number.
    Entry(usize, usize),
}

impl<'a> Suppressions<'a> {
    /// Reads the comments among `tokens`; text in strings is none. The registry tells which rules
    /// there are.
    #[must_use]
    pub fn from_tokens(
        text: &str,
        tokens: &Tokens,
        (lines, registry): (&'a Lines<'a>, &'a Registry),
    ) -> Self {
        let mut suppressions = Self {
            lines,
            registry,
            letters: registry.code_letters(),
            codes: OnceCell::new(),
            comments: vec![],
            by_line: BTreeMap::new(),
            own: vec![],
            of_file: vec![],
            holds_file: false,
        };
        if !may_silence_somewhere(text) {
            return suppressions;
        }
        let (mut depth, mut before) = (0_usize, None);
        for token in tokens.iter() {
            match token.kind() {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Comment if may_silence(slice(text, token.range())) => {
                    let position = match before {
                        Some(kind) if !ends_line(kind) => Position::Trailing,
                        _ if depth > 0 => Position::AloneInside,
                        _ => Position::Alone,
                    };
                    suppressions.add(slice(text, token.range()), token.range(), position);
                }
                _ => {}
            }
            before = Some(token.kind());
        }
        suppressions
    }

    fn add(&mut self, text: &str, token: TextRange, position: Position) {
        let first = self.own.len();
        for piece in pieces_with(text, position != Position::Trailing, &self.letters) {
            self.add_piece(text, token, (piece, position));
        }
        let comment = Comment {
            token,
            position,
            noqa: noqa(text),
            own: (first..self.own.len()).collect(),
        };
        if comment.noqa.is_some() || !comment.own.is_empty() {
            let line = self.lines.line_of(token.start());
            let number = self.comments.len();
            self.by_line.entry(line).or_default().push(number);
            self.comments.push(comment);
        }
    }

    fn add_piece(&mut self, text: &str, token: TextRange, (piece, position): (Piece, Position)) {
        let Some(directive) = piece.own else { return };
        let body = text.get(piece.range.clone()).unwrap_or("").trim_end();
        if directive == Directive::IgnoreFile && position != Position::Trailing {
            self.of_file.push(self.own.len());
        }
        let codes = self.codes.get_or_init(|| self.registry.codes());
        let is_understood = is_understood(&directive, position, codes);
        self.holds_file |= !is_understood && concerns_file(&directive);
        let start = token.start() + offset(piece.range.start);
        self.own.push(OwnComment {
            token,
            range: TextRange::at(start, offset(body.len())),
            directive,
            position,
            is_understood,
        });
    }

    /// The own comments in source order.
    #[must_use]
    pub fn own(&self) -> &[OwnComment] {
        &self.own
    }

    /// Whether a comment silences `code` in `statement`: one for the whole file, one on any line of
    /// the statement, or one alone on the line directly above it; one of our own may go on in further
    /// comment lines there. For a compound statement, pass the range of its header.
    #[must_use]
    pub fn is_suppressed(&self, code: &Code, statement: TextRange) -> bool {
        !self.silencers(code, statement).is_empty()
    }

    /// The comments that silence `code` in `statement`.
    #[must_use]
    pub fn silencers(&self, code: &Code, statement: TextRange) -> Vec<Silencer> {
        let of_file = self.of_file.iter().copied().map(Silencer::Own);
        let at = self.silencers_at(code, statement);
        of_file.chain(at.map(|(_, silencer)| silencer)).collect()
    }

    /// The comments at the statement that silence `code` in it, with the bytes of each one's token.
    fn silencers_at(
        &self,
        code: &Code,
        statement: TextRange,
    ) -> impl Iterator<Item = (TextRange, Silencer)> {
        let comments = self.comments_at(statement);
        comments.flat_map(|(comment, has_noqa)| {
            let silencers = self.silencers_of(comment, code).into_iter();
            let silencers =
                silencers.filter(move |silencer| has_noqa || *silencer != Silencer::Noqa);
            silencers.map(|silencer| (comment.token, silencer))
        })
    }

    /// Whether a comment silences `code` in `statement` that does not stand in `moved`.
    #[must_use]
    pub fn is_suppressed_without(
        &self,
        code: &Code,
        statement: TextRange,
        moved: TextRange,
    ) -> bool {
        let mut at = self.silencers_at(code, statement);
        !self.of_file.is_empty() || at.any(|(token, _)| !moved.contains_range(token))
    }

    /// Whether a comment that may silence something stands in `range`.
    #[must_use]
    pub fn has_comment_in(&self, range: TextRange) -> bool {
        let first = self
            .comments
            .partition_point(|comment| comment.token.start() < range.start());
        let first = self.comments.get(first);
        first.is_some_and(|comment| range.contains_range(comment.token))
    }

    /// Whether a comment is to silence something in `statement`, and it is not certain what: one that
    /// is not understood, at a place where it would silence.
    #[must_use]
    pub fn is_held(&self, statement: TextRange) -> bool {
        let mut comments = self.comments_at(statement);
        self.holds_file || comments.any(|(comment, _)| self.holds(comment))
    }

    /// Whether a comment is not understood.
    fn holds(&self, comment: &Comment) -> bool {
        let mut own = comment
            .own
            .iter()
            .filter_map(|number| self.own.get(*number));
        own.any(|own| !own.is_understood)
    }

    /// The comments on any line of the statement, and those alone in the lines of comments directly
    /// above it; with each, whether a `noqa` in it counts, as it does on the nearest line only.
    fn comments_at(&self, statement: TextRange) -> impl Iterator<Item = (&Comment, bool)> {
        let (above, first, last) = self.rows(statement);
        let above = above.into_iter().flat_map(move |nearest| {
            let rows = (0..=nearest).rev();
            let rows = rows.take_while(|row| self.is_comment(*row));
            let comments = rows.flat_map(move |row| {
                let comments = self.on_line(row);
                comments.map(move |comment| (comment, row == nearest))
            });
            comments.filter(|(comment, _)| comment.position == Position::Alone)
        });
        let on_lines = self.by_line.range(first..=last);
        let on_lines = on_lines.flat_map(|(_, numbers)| numbers);
        let on_lines = on_lines.filter_map(|number| self.comments.get(*number));
        above.chain(on_lines.map(|comment| (comment, true)))
    }

    fn on_line(&self, row: usize) -> impl Iterator<Item = &Comment> {
        let numbers = self.by_line.get(&row).into_iter().flatten();
        numbers.filter_map(|number| self.comments.get(*number))
    }

    /// Whether the 0-based line holds a comment and nothing else.
    fn is_comment(&self, row: usize) -> bool {
        let line = self.lines.line(row);
        line.trim_start_matches(BLANKS).starts_with('#')
    }

    fn silencers_of(&self, comment: &Comment, code: &Code) -> Vec<Silencer> {
        let is_noqa = comment.noqa.as_ref().is_some_and(|noqa| match noqa {
            Silence::All => true,
            Silence::Codes(codes) => codes.iter().any(|entry| is_prefix(entry, &code.code)),
        });
        let mut found: Vec<_> = is_noqa.then_some(Silencer::Noqa).into_iter().collect();
        for &number in &comment.own {
            match self.own.get(number).map(|own| &own.directive) {
                Some(Directive::IgnoreAll) => found.push(Silencer::Own(number)),
                Some(Directive::IgnoreCodes(entries)) => {
                    let silences = |at: &usize| {
                        let entry = entries.get(*at);
                        entry.is_some_and(|entry| means(&entry.code, code))
                    };
                    let entries = (0..entries.len()).filter(silences);
                    found.extend(entries.map(|entry| Silencer::Entry(number, entry)));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a `noqa` alone on the 0-based `line` would silence one of `codes` in a statement on the
    /// next line. One of our own reaches further, and silences it already.
    #[must_use]
    pub fn silences_below(&self, line: usize, codes: &[&Code]) -> bool {
        let mut alone = self
            .on_line(line)
            .filter(|comment| comment.position == Position::Alone);
        let silences = |comment: &Comment, code: &Code| {
            let silencers = self.silencers_of(comment, code);
            silencers.contains(&Silencer::Noqa)
        };
        alone.any(|comment| codes.iter().any(|code| silences(comment, code)))
    }

    /// The line directly above the statement, its first line and its last, 0-based. Lines that hold
    /// only a backslash belong to the statement below them.
    fn rows(&self, statement: TextRange) -> (Option<usize>, usize, usize) {
        let mut first = self.lines.line_of(statement.start());
        let last = self.lines.line_of(statement.end());
        let before = TextRange::new(self.lines.start(first), statement.start());
        if is_blank(slice(self.lines.text(), before)) {
            while let Some(above) = first.checked_sub(1)
                && self.lines.line(above).trim_matches(BLANKS) == "\\"
            {
                first = above;
            }
        }
        (first.checked_sub(1), first, last)
    }
}

/// Whether any comment of the text may hold a `noqa` or one of our own, told by letters that are rare.
fn may_silence_somewhere(text: &str) -> bool {
    let words = ["noqa", "hoist-namedtuple"];
    memchr::memchr3_iter(b'q', b'Q', b'-', text.as_bytes()).any(|at| {
        words.iter().any(|word| {
            let Some(before) = word.find(['q', '-']).and_then(|part| at.checked_sub(part)) else {
                return false;
            };
            let found = text.as_bytes().get(before..before + word.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        })
    })
}

/// Whether the comment may hold a `noqa` or one of our own: most hold neither, and are not looked at
/// any closer.
fn may_silence(comment: &str) -> bool {
    let mut behind_hashes = comment.split('#').map(str::trim_start);
    behind_hashes.any(|body| may_be_noqa(body) || may_be_own(body))
}

/// What Python takes for blanks in a line.
const BLANKS: [char; 3] = [' ', '\t', '\x0c'];

fn is_blank(text: &str) -> bool {
    text.trim_matches(BLANKS).is_empty()
}

/// Whether a token of that kind stands before what starts a line.
fn ends_line(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Newline | TokenKind::NonLogicalNewline | TokenKind::Indent | TokenKind::Dedent
    )
}

#[cfg(test)]
mod tests;
