//! Lines, blocks and calls of all fixtures, as material for mutated programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Material for mutated programs.
#[derive(Debug, Default)]
pub struct Bank {
    /// Lines with their indentation, without their ends.
    pub lines: Vec<String>,
    /// Statements of a module with all that is indented below them, in lines.
    pub blocks: Vec<Vec<String>>,
}

/// Calls of factories, and statements around them.
pub const CALLS: [&str; 24] = [
    "namedtuple('P', 'x y')",
    "namedtuple('P', 'x')(1)",
    "namedtuple('P', ['x', 'y'], defaults=(1,))",
    "namedtuple('P', 'x y')._make",
    "collections.namedtuple('Q', 'x')",
    "namedtuple(\"P\",\n        \"x y\")",
    "namedtuple('class', 'x', rename=True)",
    "NamedTuple('P', [('x', int)])",
    "Enum('Color', 'RED GREEN')",
    "make_dataclass('D', ['x'])",
    "type('T', (), {})",
    "P = namedtuple('P', 'x')",
    "return namedtuple('P', 'x')(1)",
    "def f(): return namedtuple('P', 'x y')(1, 2)",
    "class C(namedtuple('P', 'x')): pass",
    "from collections import namedtuple",
    "import collections as c, enum, typing",
    "for i in y: P = namedtuple('P', 'x'); yield P(i)",
    "lambda: namedtuple('P', 'x')(1)",
    "[namedtuple('P', 'x')(i) for i in y]",
    "f\"{namedtuple('P', 'x')(1)!r:>{w}}\"",
    "def g(a: namedtuple('P', 'x') = 1): pass",
    "# hoist-namedtuple: ignore[HNT001]",
    "global P",
];

static BANK: LazyLock<Bank> = LazyLock::new(|| {
    let mut bank = Bank::default();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut paths = vec![];
    python_below(&fixtures, &mut paths);
    paths.sort();
    for text in paths
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok())
    {
        bank.add(&text);
    }
    bank
});

/// The material of the fixtures; empty where there are none.
#[must_use]
pub fn bank() -> &'static Bank {
    &BANK
}

impl Bank {
    fn add(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        let mut block: Vec<String> = vec![];
        for line in lines {
            let starts = !line.is_empty() && !line.starts_with([' ', '\t', ')', ']', '}', '#']);
            if starts && !block.is_empty() {
                self.blocks.push(std::mem::take(&mut block));
            }
            block.push(line.to_owned());
            if !line.trim().is_empty() {
                self.lines.push(line.to_owned());
            }
        }
        self.blocks.push(block);
    }
}

fn python_below(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            python_below(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            paths.push(path);
        }
    }
}
