//! A mutator that knows lines, indentation and tokens, so that much of what it makes is Python.

use libfuzzer_sys::fuzzer_mutate;

use crate::bank::{CALLS, bank};

/// Names and words that meet each other in programs with factories.
const WORDS: [&str; 36] = [
    "namedtuple",
    "P",
    "x",
    "self",
    "collections",
    "None",
    "f",
    "_P",
    "P.x",
    "type(x)",
    "__name__",
    "isinstance(x, P)",
    "global",
    "nonlocal",
    "await x",
    "yield",
    "*x",
    "**x",
    "(P)",
    "x.P",
    "P(1)",
    "cls",
    "'x y'",
    "('x', 'y')",
    "x := P",
    "lambda: P",
    "# noqa",
    "# type: ignore",
    "@property",
    "del P",
    "\\\n",
    ";",
    "typing.Any",
    "locals()",
    "\u{fb01}",
    "...",
];

/// Mutates `data[..size]` in place to at most `max_size` bytes, and returns the new size.
///
/// One time in four it is libFuzzer's own change, which knows bytes and the dictionary.
pub fn python(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut chance = Chance(u64::from(seed) | 1 << 40);
    let text = data
        .get(..size)
        .and_then(|bytes| std::str::from_utf8(bytes).ok());
    let Some(text) = text.filter(|_| chance.below(4) > 0) else {
        return fuzzer_mutate(data, size, max_size);
    };
    let mut program = Program::of(text);
    for _ in 0..=chance.below(3) {
        program.change(&mut chance);
    }
    let changed = program.text();
    let mut end = changed.len().min(max_size).min(data.len());
    while !changed.is_char_boundary(end) {
        end -= 1;
    }
    data[..end].copy_from_slice(&changed.as_bytes()[..end]);
    end
}

/// A small generator of random numbers.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }

    fn of<'a, T: ?Sized>(&mut self, list: &'a [&'a T]) -> Option<&'a T> {
        let at = self.below(list.len());
        list.get(at).copied()
    }
}

/// A program as lines with their line endings.
struct Program {
    lines: Vec<String>,
}

impl Program {
    fn of(text: &str) -> Self {
        let lines = text.split_inclusive('\n').map(str::to_owned);
        Self {
            lines: lines.collect(),
        }
    }

    fn text(&self) -> String {
        self.lines.concat()
    }

    fn change(&mut self, chance: &mut Chance) {
        match chance.below(16) {
            0 => self.delete(chance),
            1 => self.copy(chance),
            2 => self.swap(chance),
            3 => self.reindent(chance),
            4 | 5 => self.insert_line(chance),
            6 => self.insert_block(chance),
            7..=9 => self.insert_call(chance),
            10..=12 => self.replace_token(chance),
            13 => self.swap_tokens(chance),
            14 => self.wrap(chance),
            _ => self.change_ending(chance),
        }
    }

    fn at(&self, chance: &mut Chance) -> usize {
        chance.below(self.lines.len())
    }

    /// Some lines in a row.
    fn span(&self, chance: &mut Chance) -> std::ops::Range<usize> {
        let start = self.at(chance);
        start..(start + 1 + chance.below(4)).min(self.lines.len())
    }

    fn delete(&mut self, chance: &mut Chance) {
        let span = self.span(chance);
        if !span.is_empty() {
            self.lines.drain(span);
        }
    }

    fn copy(&mut self, chance: &mut Chance) {
        let span = self.span(chance);
        let copied = self.lines.get(span).unwrap_or_default().to_vec();
        let at = self.at(chance);
        self.lines.splice(at..at, copied);
    }

    fn swap(&mut self, chance: &mut Chance) {
        let (left, right) = (self.at(chance), self.at(chance));
        if !self.lines.is_empty() {
            self.lines.swap(left, right);
        }
    }

    /// Moves some lines by one level, to the right or to the left.
    fn reindent(&mut self, chance: &mut Chance) {
        let span = self.span(chance);
        let to_right = chance.below(2) == 0;
        for line in self.lines.get_mut(span).unwrap_or_default() {
            if to_right {
                line.insert_str(0, "    ");
            } else if let Some(rest) = line.strip_prefix("    ") {
                *line = rest.to_owned();
            }
        }
    }

    fn insert(&mut self, at: usize, text: &str, indent: &str) {
        let end = if self
            .lines
            .first()
            .is_some_and(|line| line.ends_with("\r\n"))
        {
            "\r\n"
        } else {
            "\n"
        };
        self.lines
            .insert(at.min(self.lines.len()), format!("{indent}{text}{end}"));
    }

    /// A line of a fixture, mostly as deep as the line that it comes before.
    fn insert_line(&mut self, chance: &mut Chance) {
        let at = self.at(chance);
        let line = bank().lines.get(chance.below(bank().lines.len()));
        let Some(line) = line.cloned() else {
            return;
        };
        if chance.below(4) == 0 {
            self.insert(at, &line, "");
        } else {
            let indent = self.indent(at);
            self.insert(at, line.trim_start(), &indent);
        }
    }

    /// A whole statement of a fixture, in a suite if the place is in one.
    fn insert_block(&mut self, chance: &mut Chance) {
        let at = self.at(chance);
        let indent = self.indent(at);
        let block = bank().blocks.get(chance.below(bank().blocks.len()));
        for (offset, line) in block.into_iter().flatten().enumerate() {
            self.insert(at + offset, line, &indent);
        }
    }

    /// A call in place of a token, or as a line of its own.
    fn insert_call(&mut self, chance: &mut Chance) {
        let Some(call) = chance.of(&CALLS) else {
            return;
        };
        if chance.below(2) == 0 {
            let at = self.at(chance);
            let indent = self.indent(at);
            self.insert(at, call, &indent);
        } else {
            self.put(chance, call);
        }
    }

    fn replace_token(&mut self, chance: &mut Chance) {
        if chance.below(2) == 0 {
            let word = chance.of(&WORDS).unwrap_or_default();
            self.put(chance, word);
            return;
        }
        let line = self.lines.get(self.at(chance)).cloned().unwrap_or_default();
        let tokens = tokens(&line);
        let from = tokens
            .get(chance.below(tokens.len()))
            .cloned()
            .unwrap_or_default();
        let word = line.get(from).unwrap_or_default().to_owned();
        self.put(chance, &word);
    }

    /// Puts `text` in place of a token, or before it.
    fn put(&mut self, chance: &mut Chance, text: &str) {
        let at = self.at(chance);
        let Some(line) = self.lines.get_mut(at) else {
            return;
        };
        let tokens = tokens(line);
        let Some(token) = tokens.get(chance.below(tokens.len())) else {
            return;
        };
        if chance.below(4) == 0 {
            line.insert_str(token.start, text);
        } else {
            line.replace_range(token.clone(), text);
        }
    }

    fn swap_tokens(&mut self, chance: &mut Chance) {
        let at = self.at(chance);
        let Some(line) = self.lines.get_mut(at) else {
            return;
        };
        let tokens = tokens(line);
        let (one, other) = (chance.below(tokens.len()), chance.below(tokens.len()));
        let (Some(left), Some(right)) = (tokens.get(one.min(other)), tokens.get(one.max(other)))
        else {
            return;
        };
        if left.end <= right.start {
            let (first, second) = (
                line[left.clone()].to_owned(),
                line[right.clone()].to_owned(),
            );
            line.replace_range(right.clone(), &first);
            line.replace_range(left.clone(), &second);
        }
    }

    /// Puts some lines into a suite of their own.
    fn wrap(&mut self, chance: &mut Chance) {
        const HEADERS: [&str; 12] = [
            "def f(x, *y):",
            "async def f(x):",
            "class C:",
            "if x:",
            "else:",
            "for x in y:",
            "while x:",
            "try:",
            "except E as x:",
            "with x as y:",
            "match x:",
            "case P(x):",
        ];
        let span = self.span(chance);
        let indent = self.indent(span.start);
        for line in self.lines.get_mut(span.clone()).unwrap_or_default() {
            line.insert_str(0, "    ");
        }
        let header = chance.of(&HEADERS).unwrap_or_default();
        self.insert(span.start, header, &indent);
    }

    fn change_ending(&mut self, chance: &mut Chance) {
        let at = self.at(chance);
        let Some(line) = self.lines.get_mut(at) else {
            return;
        };
        let body = line.trim_end_matches(['\r', '\n']).to_owned();
        *line = match chance.below(6) {
            0 => format!("{body}\r\n"),
            1 => format!("{body}\r"),
            2 => format!("{body};"),
            3 => format!("{body}\\\n"),
            4 => format!("{body}  # {}\n", chance.of(&WORDS).unwrap_or_default()),
            _ => format!("{body}\n\n"),
        };
    }

    fn indent(&self, at: usize) -> String {
        let line = self.lines.get(at).map_or("", String::as_str);
        let body = line.trim_start_matches([' ', '\t']);
        line.get(..line.len() - body.len())
            .unwrap_or_default()
            .to_owned()
    }
}

/// The places of words, strings and signs in a line.
fn tokens(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = vec![];
    let mut quote = None;
    let mut was_word = false;
    for (at, character) in line.char_indices() {
        let end = at + character.len_utf8();
        let is_word = character.is_alphanumeric() || character == '_';
        let goes_on = quote.is_some() || (is_word && was_word);
        match found.last_mut() {
            Some(last) if goes_on => last.end = end,
            _ if character.is_whitespace() => {}
            _ => found.push(at..end),
        }
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            _ => {}
        }
        was_word = is_word && quote.is_none();
    }
    found
}
