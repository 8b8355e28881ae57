//! How a program's lines are laid out: indentation, line endings, comments, blank lines, semicolons.

use crate::chance::Chance;

/// The text with a layout of its own; `text` is indented by four blanks a level.
pub(crate) fn lay_out(chance: &mut Chance, text: &str) -> String {
    let mut lines: Vec<String> = vec![];
    let mut open = Open::default();
    let busy = chance.percent(50);
    for line in text.lines() {
        let starts_statement = open.is_closed();
        open.read(line);
        let is_whole = starts_statement && open.is_closed();
        if starts_statement && busy && chance.percent(4) {
            lines.push(String::new());
        }
        lines.push(if is_whole && busy {
            decorated(chance, line)
        } else {
            line.to_owned()
        });
    }
    let mut text = indented(chance, &lines).join("\n");
    if !chance.percent(4) {
        text.push('\n');
    }
    if chance.percent(5) {
        text = text.replace('\n', "\r\n");
    }
    text
}

/// A line that is a statement of its own, with a comment or another statement beside it.
fn decorated(chance: &mut Chance, line: &str) -> String {
    let body = line.trim_start();
    let space = &line[..line.len() - body.len()];
    let is_assignment = body.split_once(" = ").is_some_and(|(target, _)| {
        target
            .chars()
            .all(|char| char.is_alphanumeric() || char == '_')
    });
    if body.is_empty() || body.contains('#') {
        return line.to_owned();
    }
    match chance.below(100) {
        0..3 => format!("{line}  # note"),
        3..5 => format!("{space}# about it\n{line}"),
        5 if is_assignment => format!("{line};"),
        6 if is_assignment => format!("{line}; pass"),
        7 if is_assignment && !space.is_empty() => format!("{space}pass; {body}"),
        8 if is_assignment => format!("{line}  # type: ignore"),
        9 => format!("{line}  {}", suppression(chance)),
        10 => format!("{space}{}\n{line}", suppression(chance)),
        11 => format!("{space}# noqa\n{space}{}\n{line}", suppression(chance)),
        _ => line.to_owned(),
    }
}

/// A comment of the tool's own, perhaps among pragmas of others.
fn suppression(chance: &mut Chance) -> String {
    let directive = chance.one(&[
        "ignore",
        "ignore why",
        "ignore[HNT001]",
        "ignore[HNT101]",
        "ignore[HNT101, HNT001] why",
        "ignore[HNT001,HNT01,HNT101]: why",
        "ignore[HNT0, HNT1]",
        "ignore[HNT001",
        "ignored",
        "ignore-file why",
    ]);
    let own = format!("# hoist-namedtuple: {directive}");
    match chance.below(8) {
        0 => format!("# noqa: E501  {own}"),
        1 => format!("{own}  # type: ignore"),
        2 => format!("{own} # hoist-namedtuple: ignore[HNT101] # noqa: E501"),
        3 => format!("{own} pylint: disable=unused-variable"),
        _ => own,
    }
}

fn indented(chance: &mut Chance, lines: &[String]) -> Vec<String> {
    let unit = match chance.below(12) {
        0 => "\t",
        1 => "  ",
        _ => return lines.to_vec(),
    };
    let indent = |line: &String| {
        line.lines()
            .map(|line| {
                let body = line.trim_start_matches(' ');
                let levels = (line.len() - body.len()) / 4;
                let rest = " ".repeat((line.len() - body.len()) % 4);
                format!("{}{rest}{body}", unit.repeat(levels))
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    lines.iter().map(indent).collect()
}

/// Whether brackets, strings or backslashes hold a line and the next together.
#[derive(Debug, Default)]
struct Open {
    brackets: i32,
    in_docstring: bool,
    backslash: bool,
}

impl Open {
    fn is_closed(&self) -> bool {
        self.brackets == 0 && !self.in_docstring && !self.backslash
    }

    fn read(&mut self, line: &str) {
        if line.matches("\"\"\"").count() % 2 == 1 {
            self.in_docstring = !self.in_docstring;
        }
        let count = |chars: &[char]| line.matches(chars).count() as i32;
        self.brackets += count(&['(', '[', '{']) - count(&[')', ']', '}']);
        self.backslash = line.ends_with('\\');
    }
}
