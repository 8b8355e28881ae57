//! Whether code may run more than once, told from the tokens alone.

use std::ops::Range;

use rustpython_ast::token::TokenKind;
use rustpython_parser::Mode;
use rustpython_parser::lexer::lex;

/// What stands for a marked word. The lexer tells kinds and no places, so the words are made tokens of
/// a kind that is hardly met otherwise; one that is met counts as marked.
const MARK: &[u8] = b"^=";
const MARK_KIND: TokenKind = TokenKind::CircumflexEqual;

/// Whether one of the `words` of `text`, at least two bytes long each, may be code that runs more than
/// once per run of the module: below a function or a loop, or in a line with a function, a lambda,
/// a loop or a comprehension. It holds of every text that has no tokens.
///
/// Words in strings and comments are no code. It takes linear time and does not recurse.
#[must_use]
pub fn may_repeat(text: &str, words: &[Range<usize>]) -> bool {
    let Some(marked) = marked(text, words) else {
        return true;
    };
    let mut lexer = lex(&marked, Mode::Module);
    let mut lines = LogicalLines::default();
    loop {
        let kind = lexer.next_token();
        if lines.take(kind) {
            return true;
        }
        if kind == TokenKind::EndOfFile {
            return !lexer.finish().is_empty();
        }
    }
}

/// `text` with each of `words` replaced; `None` when one is too short or not in it.
fn marked(text: &str, words: &[Range<usize>]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for word in words {
        let (mark, rest) = bytes
            .get_mut(word.clone())?
            .split_at_mut_checked(MARK.len())?;
        mark.copy_from_slice(MARK);
        rest.fill(b' ');
    }
    String::from_utf8(bytes).ok()
}

/// The logical lines and blocks around the current token.
#[derive(Debug, Default)]
struct LogicalLines {
    /// For each open block, whether its code may run more than once.
    blocks: Vec<bool>,
    /// Whether the current line has a keyword that repeats code, and a marked word.
    repeats: bool,
    is_marked: bool,
    /// Whether the last line has such a keyword; the block behind it is its own.
    last_repeats: bool,
}

impl LogicalLines {
    /// Takes one token; `true` when a marked word may run more than once.
    fn take(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Indent => {
                let outer = self.blocks.last().copied().unwrap_or_default();
                self.blocks.push(outer || self.last_repeats);
            }
            TokenKind::Dedent => drop(self.blocks.pop()),
            TokenKind::Def
            | TokenKind::Lambda
            | TokenKind::For
            | TokenKind::While
            | TokenKind::Async => self.repeats = true,
            MARK_KIND => self.is_marked = true,
            TokenKind::Newline | TokenKind::EndOfFile => return self.end_line(),
            TokenKind::Unknown => return true,
            _ => {}
        }
        false
    }

    fn end_line(&mut self) -> bool {
        let in_block = self.blocks.last().copied().unwrap_or_default();
        let found = self.is_marked && (self.repeats || in_block);
        self.last_repeats = self.repeats;
        self.repeats = false;
        self.is_marked = false;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether one of the `nt` in `text` may run more than once.
    fn repeats(text: &str) -> bool {
        let words: Vec<_> = text.match_indices("nt").map(|(at, _)| at..at + 2).collect();
        may_repeat(text, &words)
    }

    #[test]
    fn code_of_the_module_and_of_its_classes_runs_once() {
        for text in [
            "x = nt()\n",
            "x = nt()",
            "class A(nt()): x = nt()\n",
            "class A:\n    if y:\n        x = nt()\n    else:\n        x = nt()\n",
            "try:\n  x = nt()\nexcept A:\n  x = nt()\n",
            "def f(): pass\nx = nt()\n",
            "def f():\n  pass\nx = nt()\n",
            "for x in y:\n  pass\nelse:\n  nt()\n",
            "match x:\n  case 1:\n    nt()\n",
            "# nt()\ndef f():\n  'nt()'\n  # nt()\n  f'nt()'\n  \"\"\"\nnt()\n\"\"\"\n",
        ] {
            assert!(!repeats(text), "{text}");
        }
    }

    #[test]
    fn code_of_functions_loops_and_comprehensions_may_run_more_than_once() {
        for text in [
            "def f():\n  nt()\n",
            "def f(): nt()",
            "async def f():\n  if x:\n    nt()\n",
            "class A:\n  def f(self):\n    return nt()\n",
            "def f():\n  class A:\n    x = nt()\n",
            "def f():\n  x = (\nnt())\n",
            "def f():\n  x = '''\n'''; nt()\n",
            "def f():\n  x = \\\nnt()\n",
            "def f():\n  f'{nt()}'\n",
            "for x in y: nt()\n",
            "while nt(): pass\n",
            "x = lambda: nt()\n",
            "x = [nt() for x in y]\n",
            "x = (nt()\n  for x in y)\n",
            "x = f'{[nt() for x in y]}'\n",
        ] {
            assert!(repeats(text), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_told_may_run_more_than_once() {
        for text in ["nt() ? x\n", "x = 'nt()\n", "nt()\n  y = $\n"] {
            assert!(repeats(text), "{text}");
        }
        for outside in [0..1, 0..9] {
            assert!(may_repeat("x\n", &[outside]));
        }
    }
}
