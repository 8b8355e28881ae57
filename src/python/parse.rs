//! Parsing one module; the only place that calls the parser crate's parse functions.

use rustpython_ast::ModModule;
use rustpython_ast::token::Tokens;
use rustpython_parser::{LexicalErrorType, ParseErrorType, Parsed, parse_module};
use rustpython_text_size::{Ranged, TextSize};
use thiserror::Error;

use super::depth;
use super::indentation;
use super::nodes::Nodes;
use super::semantic::{SemanticModel, syntax};
use crate::text::single_line::is_control;

/// Why a text is no Python module.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// What is wrong, as a sentence without a place.
    pub message: String,
    /// The byte offset of the fault.
    pub offset: TextSize,
}

/// A text that is a Python module: its tree and its tokens.
#[derive(Debug)]
pub struct ParsedModule {
    parsed: Parsed<ModModule>,
}

impl ParsedModule {
    /// The syntax tree.
    #[must_use]
    pub fn syntax(&self) -> &ModModule {
        self.parsed.syntax()
    }

    /// All tokens, with comments and non-logical newlines.
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        self.parsed.tokens()
    }

    /// The syntax tree and all tokens.
    pub(super) fn into_parts(self) -> (ModModule, Tokens) {
        // The parser hands out its tokens no other way.
        let tokens = self.parsed.tokens().clone();
        (self.parsed.into_syntax(), tokens)
    }
}

/// Parses `text`, without a byte order mark, as a module of the newest Python that the parser knows.
///
/// It recurses as deeply as the text nests, which is limited: call it on a thread with a stack of
/// 256 MiB.
///
/// # Errors
/// Returns the first fault when the text is no valid module: nested more deeply than CPython takes,
/// against the grammar, or rejected by CPython's compiler (every version's, so that no valid file
/// is refused).
pub fn parse(text: &str) -> Result<ParsedModule, SyntaxError> {
    let parsed = parse_grammar(text)?;
    let nodes = Nodes::build(parsed.syntax());
    let model = SemanticModel::build(&nodes);
    compile(text, &nodes, &model)?;
    Ok(parsed)
}

/// The first half of [`parse`]: takes what [`compile`] refuses, too.
///
/// # Errors
/// Returns the first fault when the text is nested more deeply than CPython takes or against the
/// grammar.
pub fn parse_grammar(text: &str) -> Result<ParsedModule, SyntaxError> {
    depth::check_bytes(text)?;
    let module = if depth::fits_stack(text) {
        parse_first(text)?
    } else {
        lex_first(text)?
    };
    indentation::check(text, module.tokens())?;
    Ok(module)
}

/// Tells the nesting of a valid text from the tokens that the parser made anyway.
fn parse_first(text: &str) -> Result<ParsedModule, SyntaxError> {
    match parse_unbounded(text) {
        Ok(module) => depth::check_tokens(text, module.tokens()).map(|()| module),
        // Its tokens may not be all that there are.
        Err(error) => Err(depth::check(text).err().unwrap_or(error)),
    }
}

/// Parses only what does not nest too deeply.
fn lex_first(text: &str) -> Result<ParsedModule, SyntaxError> {
    depth::check(text)?;
    parse_unbounded(text)
}

fn parse_unbounded(text: &str) -> Result<ParsedModule, SyntaxError> {
    let parsed = parse_module(text).map_err(|error| SyntaxError {
        message: message(&error.error),
        offset: error.start(),
    })?;
    Ok(ParsedModule { parsed })
}

/// What the parser says, but for a character that nobody sees, which is named by its code point.
fn message(error: &ParseErrorType) -> String {
    let is_hidden = |character: char| {
        let is_format = matches!(
            character,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        );
        is_format || is_control(character) || character.is_whitespace()
    };
    match error {
        ParseErrorType::Lexical(LexicalErrorType::UnrecognizedToken { tok }) if is_hidden(*tok) => {
            format!("invalid non-printable character U+{:04X}", u32::from(*tok))
        }
        error => error.to_string(),
    }
}

/// The second half of [`parse`], for callers that need the nodes and the names, too: `nodes` and
/// `model` are those of the tree that [`parse_grammar`] made of `text`.
///
/// # Errors
/// Returns the first fault in the text for which every CPython's compiler rejects it.
pub fn compile(text: &str, nodes: &Nodes<'_>, model: &SemanticModel) -> Result<(), SyntaxError> {
    syntax::first_error(text, nodes, model).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_every_cpython_rejects_are_errors() {
        let programs = [
            "print 1\n",
            "try: pass\nexcept A, e: pass\n",
            "x = (1\n",
            "return\n",
            "class C:\n return\n",
            "x = yield\n",
            "[(yield) for x in y]\n",
            "await x\n",
            "def f(): await x\n",
            "def f(): [x async for x in y]\n",
            "async def f(): lambda: await x\n",
            "async def f(): yield from x\n",
            "async def f():\n yield\n return 1\n",
            "while 1:\n def f(): break\n",
            "while 1:\n class C: continue\n",
            "for x in y: pass\nelse: break\n",
            "x = 1\nfrom __future__ import annotations\n",
            "from __future__ import braces\n",
            "def f():\n from a import *\n",
            "def f(a, a): pass\n",
            "def f(a):\n global a\n",
            "def f():\n x\n global x\n",
            "def f():\n x = 1\n global x\n",
            "def f():\n def x(): pass\n global x\n",
            "def f():\n global x\n x: int\n",
            "x: int\nglobal x\n",
            "nonlocal x\n",
            "def f():\n nonlocal x\n",
            "def f(x):\n def g():\n  x = 1\n  nonlocal x\n",
            "def f(x):\n def g():\n  x\n  nonlocal x\n",
            "def f(x):\n def g():\n  nonlocal x\n  x: int\n",
            "[x := 1 for x in y]\n",
            "[[x := 1 for z in y] for x in y]\n",
            "class C: [y := 1 for x in z]\n",
            "*a = b\n",
            "*a, *b = c\n",
            "x = *a\n",
            "__debug__ = 1\n",
            "try: pass\nexcept: pass\nexcept A: pass\n",
            "for x in y:\n try: pass\n except* A:\n  break\n",
            "def f():\n try: pass\n except* A:\n  for x in y: return\n",
            "match x:\n case a: pass\n case b: pass\n",
            "match x:\n case [a, a]: pass\n",
            "match x:\n case a|1: pass\n",
            "x = 1\n\u{1a}",
            "x = 1 \\\n",
        ];
        for program in programs {
            assert!(parse(program).is_err(), "{program}");
        }
    }

    #[test]
    fn programs_that_some_cpython_compiles_are_parsed() {
        let programs = [
            "",
            "x = 1",
            "x = 1\ry = 2\r",
            "if 1:\r    x = 1\r",
            "x = 1 + \\\r 2\r",
            "x = 1 + \\\r\n 2\r\n",
            "'a\\\rb'\n",
            "x = 1\u{c}\ny = 2\n",
            "if 1:\n  \u{c}  x = 1\n  y = 2\n",
            "del __debug__\n",
            "def f():\n import x\n global x\n",
            "def f():\n def g(): x\n global x\n",
            "global x\nglobal x\n",
            "class A:\n def f(self):\n  nonlocal __class__\n",
            "class A:\n def f(self, __x):\n  def g():\n   nonlocal __x\n   __x = 1\n",
            "[(lambda: (x := 1)) for x in y]\n",
            "lambda: (yield)\n",
            "def f(): (x async for x in y)\n",
            "async def f(): [x async for x in [y for y in await z]]\n",
            "async def f():\n def g(x: (await y)): pass\n",
            "try: pass\nexcept* A:\n while 1: break\n",
            "while 1:\n try: pass\n except* A:\n  def f(): return\n",
            "try: pass\nexcept A, B: pass\n",
            "e = A\ntry: pass\nexcept A, e: pass\n",
            "from a import *\ntry: pass\nexcept A, e: pass\n",
            "try: pass\nexcept (A, e): pass\n",
            "def f[T = int](): pass\n",
            "f'{f\"{1}\"}'\n",
        ];
        for program in programs {
            assert_eq!(parse(program).map(drop), Ok(()), "{program}");
        }
    }

    #[test]
    fn names_before_their_global_statement_are_told_of_in_every_place() {
        let programs = [
            ("def f():\n x\n global x\n", 10),
            ("def f():\n x = 1\n global x\n", 10),
            ("def f():\n del x\n global x\n", 14),
            ("class C:\n def f(self):\n  __x\n  global __x\n", 25),
            ("def f():\n (x, y)\n global x\n", 11),
        ];
        for (program, offset) in programs {
            let error = parse(program).map(drop).unwrap_err();
            assert!(
                error
                    .message
                    .ends_with("is used prior to global declaration"),
                "{error}"
            );
            assert_eq!(error.offset, offset.into(), "{program}");
        }
        assert_eq!(
            parse("def f():\n global x\n def g(): x\n x\n").map(drop),
            Ok(())
        );
    }

    #[test]
    fn it_is_the_same_whether_nesting_is_looked_at_first_or_last() {
        let nested = |part: &str, count: usize| format!("x = {}1\n", part.repeat(count));
        let indented: String = (0..120)
            .map(|level| format!("{}if 1:\n", " ".repeat(level)))
            .collect();
        let texts = [
            "x = 1\nmatch y:\n case [a, {1: b}]: type z = f'{x!r:{y}}'\n".to_owned(),
            "x = (1\n".to_owned(),
            nested("(", 300),
            format!("x = {}1{}\n", "(".repeat(300), ")".repeat(300)),
            format!(
                "x = {}1{}\n",
                "[a for a in (".repeat(101),
                ",)]".repeat(101)
            ),
            format!("{indented}{}pass\n", " ".repeat(120)),
            format!("{}f(\n{indented}", nested("-", 3)),
            nested("not ", 20_100),
            nested("f'{", 250),
            format!(
                "{}{}",
                nested("a.b() + ", 7_000),
                nested("lambda: ", 20_001)
            ),
        ];
        let both = move || {
            for text in texts {
                let first = parse_first(&text).map(drop);
                assert_eq!(first, lex_first(&text).map(drop), "{text:.60}");
            }
        };
        let thread = std::thread::Builder::new().stack_size(256 << 20);
        thread.spawn(both).unwrap().join().unwrap();
    }

    #[test]
    fn what_is_parsed_first_fits_the_stack_however_it_nests() {
        let parse_all = || {
            for part in [
                "(",
                "[",
                "{",
                "{(",
                "-",
                "f'{",
                "not ",
                "yield ",
                "async ",
                "[a for a in [",
            ] {
                let mut text = part.repeat(60_000);
                while !depth::fits_stack(&text) {
                    let shorter = text.len() * 9 / 10 / part.len() * part.len();
                    text.truncate(shorter);
                }
                assert!(parse_first(&text).is_err(), "{part}");
            }
        };
        let thread = std::thread::Builder::new().stack_size(256 << 20);
        thread.spawn(parse_all).unwrap().join().unwrap();
    }

    #[test]
    fn the_first_fault_is_told_with_its_place() {
        let error = parse("def f():\n return\nreturn\nyield\n").map(drop);
        assert_eq!(
            error,
            Err(SyntaxError {
                message: "`return` statement outside of a function".to_owned(),
                offset: 17.into(),
            })
        );
    }
}
