//! Comments that silence findings.

mod noqa;
pub mod own;
pub mod usage;

use std::collections::BTreeMap;

use rustpython_ast::token::{TokenKind, Tokens};
use rustpython_text_size::{Ranged, TextRange};

use self::noqa::noqa;
use self::own::{Directive, Piece, pieces};
use crate::text::lines::{Lines, offset, slice};

/// The suppression comments of one module.
#[derive(Debug, Clone)]
pub struct Suppressions<'a> {
    lines: &'a Lines<'a>,
    comments: Vec<Comment>,
    /// The comments with a `noqa` or an own piece, by 0-based line.
    by_line: BTreeMap<usize, Vec<usize>>,
    own: Vec<OwnComment>,
    /// The own comments that silence the whole file.
    of_file: Vec<usize>,
}

/// One comment that silences something, or is one of our own.
#[derive(Debug, Clone)]
struct Comment {
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
    /// Reads the comments among `tokens`; text in strings is none.
    #[must_use]
    pub fn from_tokens(text: &str, tokens: &Tokens, lines: &'a Lines<'a>) -> Self {
        let mut suppressions = Self {
            lines,
            comments: vec![],
            by_line: BTreeMap::new(),
            own: vec![],
            of_file: vec![],
        };
        let (mut depth, mut before) = (0_usize, None);
        for token in tokens.iter() {
            match token.kind() {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Comment => {
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
        for piece in pieces(text) {
            self.add_piece(text, token, (piece, position));
        }
        let comment = Comment {
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
        let start = token.start() + offset(piece.range.start);
        self.own.push(OwnComment {
            token,
            range: TextRange::at(start, offset(body.len())),
            directive,
            position,
        });
    }

    /// The own comments in source order.
    #[must_use]
    pub fn own(&self) -> &[OwnComment] {
        &self.own
    }

    /// Whether a comment silences `code` in `statement`: one for the whole file, one on any line of
    /// the statement, or one alone on the line directly above it. For a compound statement, pass the
    /// range of its header.
    #[must_use]
    pub fn is_suppressed(&self, code: &str, statement: TextRange) -> bool {
        !self.silencers(code, statement).is_empty()
    }

    /// The comments that silence `code` in `statement`.
    #[must_use]
    pub fn silencers(&self, code: &str, statement: TextRange) -> Vec<Silencer> {
        if self.comments.is_empty() {
            return vec![];
        }
        let mut found: Vec<_> = self.of_file.iter().copied().map(Silencer::Own).collect();
        let (above, first, last) = self.rows(statement);
        let on_lines = self.by_line.range(first..=last);
        let above = above.and_then(|line| self.by_line.get(&line));
        let above = above
            .into_iter()
            .flatten()
            .filter_map(|number| self.comments.get(*number))
            .filter(|comment| comment.position == Position::Alone);
        let all = on_lines
            .flat_map(|(_, numbers)| numbers)
            .filter_map(|number| self.comments.get(*number));
        for comment in above.chain(all) {
            found.extend(self.silencers_of(comment, code));
        }
        found
    }

    fn silencers_of(&self, comment: &Comment, code: &str) -> Vec<Silencer> {
        let is_noqa = comment.noqa.as_ref().is_some_and(|noqa| match noqa {
            Silence::All => true,
            Silence::Codes(codes) => codes.iter().any(|entry| is_prefix(entry, code)),
        });
        let mut found: Vec<_> = is_noqa.then_some(Silencer::Noqa).into_iter().collect();
        for &number in &comment.own {
            match self.own.get(number).map(|own| &own.directive) {
                Some(Directive::IgnoreAll) => found.push(Silencer::Own(number)),
                Some(Directive::IgnoreCodes(entries)) => {
                    let silences = |at: &usize| {
                        let entry = entries.get(*at);
                        entry.is_some_and(|entry| is_prefix(&entry.code, code))
                    };
                    let entries = (0..entries.len()).filter(silences);
                    found.extend(entries.map(|entry| Silencer::Entry(number, entry)));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a comment alone on the 0-based `line` would silence one of `codes` in a statement on
    /// the next line.
    #[must_use]
    pub fn silences_below<'c>(&self, line: usize, codes: impl Iterator<Item = &'c str>) -> bool {
        let comments = self.by_line.get(&line).into_iter().flatten();
        let alone: Vec<_> = comments
            .filter_map(|number| self.comments.get(*number))
            .filter(|comment| comment.position == Position::Alone)
            .collect();
        let mut codes = codes;
        !alone.is_empty()
            && codes.any(|code| {
                let mut alone = alone.iter();
                alone.any(|comment| !self.silencers_of(comment, code).is_empty())
            })
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

/// Whether `entry` is `code` or its beginning, as flake8 has it; letters alone must be all of its
/// letters, so that a word of a reason is no prefix.
fn is_prefix(entry: &str, code: &str) -> bool {
    let letters = code.trim_end_matches(|char: char| char.is_ascii_digit());
    let long_enough = entry.len() >= letters.len();
    long_enough
        && code
            .get(..entry.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(entry))
}

#[cfg(test)]
mod tests;
