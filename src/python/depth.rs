//! Nesting limits, checked on tokens before anything but the parser recurses over the text.
//!
//! CPython's tokenizer refuses more than 200 open brackets and more than 99 indentations
//! (`Parser/tokenizer.c`, `MAXLEVEL` and `MAXINDENT`). Its compiler refuses operators nested more
//! deeply than some thousands; the newest (3.13) takes 9,996.

use rustpython_ast::token::{Token, TokenKind, Tokens};
use rustpython_parser::Mode;
use rustpython_parser::lexer::lex;
use rustpython_text_size::TextSize;

use super::parse::SyntaxError;
use crate::text::lines::offset;

/// The largest number of brackets that may be open at once.
const MAX_BRACKETS: usize = 200;
/// The largest number of indentations that a line may stand under.
const MAX_INDENTATIONS: usize = 99;
/// The largest number of f-strings that may be open at once (`MAXFSTRINGLEVEL`).
const MAX_STRINGS: usize = 149;
/// The largest nesting of operators; counted generously, so that no program that some CPython
/// compiles is refused.
const MAX_OPERATORS: usize = 20_000;

/// The stack that the parser takes at most for each byte that opens a bracket or stands for a prefix
/// operator (measured: 2,280), and for each byte at all (measured, for rows of `yield`: 300).
const STACK_OF_OPENING: usize = 2_500;
const STACK_OF_BYTE: usize = 350;
/// Half of the stack that parsing is promised.
const STACK: usize = 128 << 20;

/// Whether the parser cannot overflow its stack on the text, however that nests: it takes a few bytes
/// of text to make it recurse once more.
pub(super) fn fits_stack(text: &str) -> bool {
    let opens = |byte: &u8| matches!(byte, b'(' | b'[' | b'{' | b'-' | b'+' | b'~');
    let bytes = text.len().saturating_mul(STACK_OF_BYTE);
    bytes <= STACK && {
        // Chunks whose count fits a byte are counted many bytes at a time.
        let chunks = text.as_bytes().chunks(usize::from(u8::MAX));
        let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(opens(byte))).sum::<u8>();
        let openings: usize = chunks.map(|chunk| usize::from(in_chunk(chunk))).sum();
        bytes + openings * STACK_OF_OPENING <= STACK
    }
}

/// Refuses a NUL byte.
///
/// # Errors
/// Returns the first one.
pub(super) fn check_bytes(text: &str) -> Result<(), SyntaxError> {
    match text.find('\0') {
        None => Ok(()),
        Some(at) => Err(SyntaxError {
            message: "source code cannot contain null bytes".to_owned(),
            offset: offset(at),
        }),
    }
}

/// Refuses a text whose nesting no CPython accepts; it takes linear time and does not recurse.
///
/// # Errors
/// Returns the first limit that is passed.
pub(super) fn check(text: &str) -> Result<(), SyntaxError> {
    scan(text).map_err(|limit| limit.at(place(text)))
}

/// The same, told from the tokens of a text that parses.
///
/// # Errors
/// Returns the first limit that is passed.
pub(super) fn check_tokens(text: &str, tokens: &Tokens) -> Result<(), SyntaxError> {
    scan_kinds(tokens.iter().map(Token::kind)).map_err(|limit| limit.at(place(text)))
}

/// A limit that a text passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Brackets,
    Indentations,
    Strings,
    Operators,
}

impl Limit {
    fn message(self) -> &'static str {
        match self {
            Self::Brackets => "too many nested parentheses",
            Self::Indentations => "too many levels of indentation",
            Self::Strings => "too many nested f-strings",
            Self::Operators => "expression nested too deeply",
        }
    }

    fn at(self, offset: TextSize) -> SyntaxError {
        SyntaxError {
            message: self.message().to_owned(),
            offset,
        }
    }
}

/// The offset of the token that passes the limit. The lexer tells no offsets, so this looks for
/// the shortest beginning of the text that passes it.
fn place(text: &str) -> TextSize {
    let (mut within, mut beyond) = (0, text.len());
    while beyond - within > 1 {
        let middle = usize::midpoint(within, beyond);
        let middle = (middle..beyond)
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(beyond);
        let passes = text
            .get(..middle)
            .is_some_and(|beginning| middle < beyond && scan(beginning).is_err());
        if passes {
            beyond = middle;
        } else if middle == beyond {
            break;
        } else {
            within = middle;
        }
    }
    offset(within)
}

/// The operators that nest between two commas of one bracket.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// Binary, prefix and conditional operators: each may hold all before or after it.
    operators: usize,
    /// Attributes, calls and subscripts of the current operand.
    postfix: usize,
    /// The longest row of those.
    longest_postfix: usize,
    /// Lambdas whose colon is still to come: a comma belongs to their parameters.
    open_lambdas: usize,
}

impl Level {
    fn depth(self) -> usize {
        self.operators + self.longest_postfix
    }

    fn operator(&mut self) {
        self.operators += 1;
        self.postfix = 0;
    }

    fn postfix(&mut self) {
        self.postfix += 1;
        self.longest_postfix = self.longest_postfix.max(self.postfix);
    }
}

/// What is open at one token.
#[derive(Debug, Default)]
struct Nesting {
    /// The levels outside the innermost bracket.
    outer: Vec<Level>,
    /// The sum of their depths.
    outer_depth: usize,
    current: Level,
    indentations: usize,
    strings: usize,
}

fn scan(text: &str) -> Result<(), Limit> {
    let mut lexer = lex(text, Mode::Module);
    scan_kinds(std::iter::from_fn(|| {
        let kind = lexer.next_token();
        (kind != TokenKind::EndOfFile).then_some(kind)
    }))
}

fn scan_kinds(kinds: impl Iterator<Item = TokenKind>) -> Result<(), Limit> {
    let mut nesting = Nesting::default();
    for kind in kinds {
        if nesting.take(kind) {
            nesting.check()?;
        }
    }
    Ok(())
}

impl Nesting {
    /// Counts the token; whether something nests more deeply by it.
    fn take(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Indent => self.indentations += 1,
            TokenKind::FStringStart | TokenKind::TStringStart => self.strings += 1,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => self.open(),
            TokenKind::Dot => self.current.postfix(),
            TokenKind::Lambda => {
                self.current.open_lambdas += 1;
                self.current.operator();
            }
            kind if nests(kind) => self.current.operator(),
            _ => {
                self.leave(kind);
                return false;
            }
        }
        true
    }

    fn leave(&mut self, kind: TokenKind) {
        match kind {
            TokenKind::Dedent => self.indentations = self.indentations.saturating_sub(1),
            TokenKind::FStringEnd | TokenKind::TStringEnd => {
                self.strings = self.strings.saturating_sub(1);
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => self.close(),
            TokenKind::Newline | TokenKind::Semi => self.current = Level::default(),
            TokenKind::Comma if self.current.open_lambdas == 0 => self.current = Level::default(),
            TokenKind::Colon => {
                self.current.open_lambdas = self.current.open_lambdas.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn open(&mut self) {
        self.current.postfix();
        self.outer.push(self.current);
        self.outer_depth += self.current.depth();
        self.current = Level::default();
    }

    fn close(&mut self) {
        if let Some(level) = self.outer.pop() {
            self.outer_depth -= level.depth();
            self.current = level;
        }
    }

    fn check(&self) -> Result<(), Limit> {
        if self.outer.len() > MAX_BRACKETS {
            Err(Limit::Brackets)
        } else if self.indentations > MAX_INDENTATIONS {
            Err(Limit::Indentations)
        } else if self.strings > MAX_STRINGS {
            Err(Limit::Strings)
        } else if self.outer_depth + self.current.depth() > MAX_OPERATORS {
            Err(Limit::Operators)
        } else {
            Ok(())
        }
    }
}

/// Whether a row of these makes a deep tree; rows of comparisons, `and` and `or` make a flat one.
fn nests(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::DoubleStar
            | TokenKind::Slash
            | TokenKind::DoubleSlash
            | TokenKind::Percent
            | TokenKind::At
            | TokenKind::LeftShift
            | TokenKind::RightShift
            | TokenKind::Amper
            | TokenKind::Vbar
            | TokenKind::CircumFlex
            | TokenKind::Tilde
            | TokenKind::Not
            | TokenKind::Await
            | TokenKind::Yield
            | TokenKind::Else
            | TokenKind::ColonEqual
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse;

    /// Parses on a stack of the size that checks run on.
    fn parsed(text: String) -> Result<(), SyntaxError> {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn(move || parse(&text).map(drop))
            .unwrap()
            .join()
            .unwrap()
    }

    fn indented(levels: usize) -> String {
        let heads: String = (0..levels)
            .map(|level| format!("{}if 1:\n", " ".repeat(level)))
            .collect();
        format!("{heads}{}pass\n", " ".repeat(levels))
    }

    fn refusal(text: String) -> (String, u32) {
        let error = parsed(text).unwrap_err();
        (error.message, error.offset.to_u32())
    }

    #[test]
    fn a_hundred_and_forty_nine_f_strings_are_the_limit() {
        let strings = |count| format!("x = {}1{}\n", "f'{".repeat(count), "}'".repeat(count));
        assert_eq!(parsed(strings(149)), Ok(()));
        let message = "too many nested f-strings".to_owned();
        assert_eq!(refusal(strings(150)).0, message);
    }

    #[test]
    fn two_hundred_brackets_are_the_limit() {
        let brackets = |count| format!("x = {}1{}\n", "[".repeat(count), "]".repeat(count));
        assert_eq!(parsed(brackets(200)), Ok(()));
        let message = "too many nested parentheses".to_owned();
        assert_eq!(refusal(brackets(201)), (message, 4 + 200));
    }

    #[test]
    fn braces_of_f_strings_count_as_brackets() {
        let nested = |count| format!("f'{{{}1{}}}'\n", "(".repeat(count), ")".repeat(count));
        assert_eq!(parsed(nested(199)), Ok(()));
        assert_eq!(refusal(nested(200)).0, "too many nested parentheses");
    }

    #[test]
    fn brackets_side_by_side_do_not_nest() {
        assert_eq!(parsed("x = [[1], (2)]\n".repeat(300)), Ok(()));
        assert_eq!(
            parsed(format!("x = [{}]\n", "f(-1), ".repeat(30_000))),
            Ok(())
        );
    }

    #[test]
    fn ninety_nine_indentations_are_the_limit() {
        assert_eq!(parsed(indented(99)), Ok(()));
        assert_eq!(refusal(indented(100)).0, "too many levels of indentation");
    }

    #[test]
    fn nul_bytes_are_refused_where_they_stand() {
        let message = "source code cannot contain null bytes".to_owned();
        assert_eq!(refusal("é = '\0'".to_owned()), (message, 6));
    }

    #[test]
    fn long_chains_that_cpython_compiles_are_parsed() {
        let elifs = format!("if a: pass\n{}", "elif a: pass\n".repeat(5_900));
        let chains = [
            format!("a{}\n", " + a".repeat(9_996)),
            format!("a{}\n", " + self.a(b)[c]".repeat(9_996)),
            format!("a{}\n", ".b".repeat(9_996)),
            format!("a{}\n", "()".repeat(9_996)),
            format!("{}a\n", "not ".repeat(5_969)),
            format!("{}a\n", "a if b else ".repeat(5_969)),
            format!("{}a\n", "lambda a, b=1: ".repeat(2_984)),
            format!("a{}\n", " ** a".repeat(2_984)),
            format!("a{}\n", " or not a".repeat(9_000)),
            elifs,
        ];
        for chain in chains {
            let head: String = chain.chars().take(20).collect();
            assert_eq!(parsed(chain), Ok(()), "{head}");
        }
    }

    #[test]
    fn deeper_nesting_than_any_cpython_compiles_is_refused() {
        let chains = [
            format!("{}a\n", "-".repeat(1_000_000)),
            format!("{}a\n", "lambda a, b: ".repeat(1_000_000)),
            format!("{}a\n", "a if b else ".repeat(1_000_000)),
            format!("a{}\n", " + a".repeat(1_000_000)),
            format!("a{}\n", "().b".repeat(1_000_000)),
        ];
        for chain in chains {
            assert_eq!(refusal(chain).0, "expression nested too deeply");
        }
    }

    #[test]
    fn the_deepest_nesting_within_the_limits_fits_the_stack() {
        for part in ["-", "not ", "lambda: ", "a if b else ", "a ** "] {
            let chain = format!("{}a\n", part.repeat(MAX_OPERATORS - 10));
            assert_eq!(parsed(chain), Ok(()), "{part}");
        }
        let unclosed = format!("(\n{}", indented(2_000));
        assert!(parsed(unclosed).is_err());
    }
}
