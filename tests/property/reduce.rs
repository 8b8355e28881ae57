//! Makes a failing program small: blocks and lines go as long as the same property fails.

use crate::interpreter::Interpreter;
use crate::program::Program;
use crate::trial::{Property, attempt};

/// The smallest program found that breaks the same property.
pub(crate) fn reduced(program: &Program, property: Property, python: &mut Interpreter) -> Program {
    let mut reducer = Reducer {
        best: program.clone(),
        property,
        python,
        attempts: 0,
    };
    while reducer.probes() | reducer.lines() {}
    reducer.best
}

/// A program that has not become small by then stays as it is.
const MAX_ATTEMPTS: usize = 3000;

struct Reducer<'p> {
    best: Program,
    property: Property,
    python: &'p mut Interpreter,
    attempts: usize,
}

impl Reducer<'_> {
    /// Takes the program when it still fails.
    fn take(&mut self, program: Program) -> bool {
        self.attempts += 1;
        if self.attempts > MAX_ATTEMPTS {
            return false;
        }
        let failure = attempt(&program, self.python).failure;
        let fails = failure.is_some_and(|failure| failure.property == self.property);
        if fails {
            self.best = program;
        }
        fails
    }

    fn probes(&mut self) -> bool {
        let mut changed = false;
        for at in (0..self.best.probes.len()).rev() {
            let mut program = self.best.clone();
            program.probes.remove(at);
            changed |= self.take(program);
        }
        changed
    }

    /// Removes blocks, largest first, puts `pass` in their place, or takes their suite out.
    fn lines(&mut self) -> bool {
        let mut changed = false;
        loop {
            let lines: Vec<String> = self.best.text.split('\n').map(str::to_owned).collect();
            let found = candidates(&lines).into_iter().any(|text| {
                let program = Program {
                    text,
                    ..self.best.clone()
                };
                self.take(program)
            });
            if !found {
                return changed;
            }
            changed = true;
        }
    }
}

/// The texts with one block less, those without most lines first.
fn candidates(lines: &[String]) -> Vec<String> {
    let mut blocks: Vec<(usize, usize)> = vec![];
    for first in 0..lines.len() {
        let end = block_end(lines, first);
        blocks.push((first, end));
        if end > first + 1 {
            blocks.push((first, first + 1));
        }
    }
    blocks.sort_by_key(|(first, end)| std::cmp::Reverse(end - first));
    let without = |first: usize, end: usize, with: Option<String>| {
        let before = lines[..first].iter().cloned();
        let rest = lines[end..].iter().cloned();
        before
            .chain(with)
            .chain(rest)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let removed = blocks
        .iter()
        .map(|(first, end)| without(*first, *end, None));
    let passed = blocks.iter().filter_map(|(first, end)| {
        let line = &lines[*first];
        let body = line.trim_start();
        let is_new = !body.is_empty() && body != "pass";
        is_new.then(|| without(*first, *end, Some(line.replace(body, "pass"))))
    });
    let suites = blocks.iter().filter(|(first, end)| end - first > 1);
    let outdented = suites.map(|(first, end)| {
        let inner = &lines[*first + 1..*end];
        let depth = indentation(&inner[0]).saturating_sub(indentation(&lines[*first]));
        let inner = inner
            .iter()
            .map(|line| line.get(depth..).unwrap_or_default());
        without(*first, *end, Some(inner.collect::<Vec<_>>().join("\n")))
    });
    removed.chain(passed).chain(outdented).collect()
}

/// The end of the block that the line opens: the first line that is not deeper.
fn block_end(lines: &[String], first: usize) -> usize {
    let depth = indentation(&lines[first]);
    let deeper = |line: &&String| line.trim().is_empty() || indentation(line) > depth;
    first + 1 + lines[first + 1..].iter().take_while(deeper).count()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
