//! Directed snippets: the templates of `situations/` and how one is written out with varied names and spellings.

use std::collections::BTreeMap;

use crate::call::{self, Wanted};
use crate::chance::Chance;

/// One template.
#[derive(Debug)]
pub(crate) struct Situation {
    /// What it shows.
    pub(crate) name: String,
    /// The words of its `!` lines.
    directives: Vec<String>,
    body: String,
}

/// A snippet as it is written out.
#[derive(Debug, Default)]
pub(crate) struct Snippet {
    /// Lines for the top of the module, after its imports.
    pub(crate) head: Vec<String>,
    /// Its own lines.
    pub(crate) lines: Vec<String>,
    /// Lines for the end of the module.
    pub(crate) tail: Vec<String>,
    /// What an importer of the module asks.
    pub(crate) probes: Vec<Probe>,
}

/// An expression that is evaluated in the module after it ran.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) code: String,
    /// Whether only the safe fix must give the same answer.
    pub(crate) only_safe: bool,
}

impl Situation {
    /// The templates of a file: each starts at a line `== name`.
    pub(crate) fn read_all(text: &str) -> Vec<Self> {
        let parts = text.split("\n== ").skip(1);
        parts.map(Self::read).collect()
    }

    fn read(text: &str) -> Self {
        let (name, body) = text.split_once('\n').unwrap();
        let (directives, body): (Vec<&str>, Vec<&str>) = body
            .trim_end()
            .lines()
            .partition(|line| line.starts_with("! "));
        let words = directives
            .iter()
            .flat_map(|line| line[2..].split_whitespace());
        Self {
            name: name.to_owned(),
            directives: words.map(str::to_owned).collect(),
            body: body.join("\n"),
        }
    }

    pub(crate) fn has(&self, directive: &str) -> bool {
        self.directives.iter().any(|word| word == directive)
    }

    /// The value of the directive `key=value`.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        let mut values = self
            .directives
            .iter()
            .filter_map(|word| word.split_once('='));
        values
            .find(|(found, _)| *found == key)
            .map(|(_, value)| value)
    }

    pub(crate) fn weight(&self) -> u32 {
        self.value("weight")
            .map_or(4, |weight| weight.parse().unwrap())
    }

    /// Writes the template out as the `number`th unit of a module that reaches the factory by `factories`.
    pub(crate) fn write(
        &self,
        chance: &mut Chance,
        number: usize,
        factories: &[String],
    ) -> (Snippet, Names) {
        let mut writer = Writer {
            chance,
            number,
            factories,
            names: Names::default(),
        };
        let text = writer.expand(&self.body);
        let names = writer.names;
        let mut snippet = Snippet::default();
        for line in text.lines() {
            match line.get(..3) {
                Some(">> ") => snippet.probe(&line[3..], false),
                Some(">! ") => snippet.probe(&line[3..], true),
                Some("^^ ") => snippet.head.push(line[3..].to_owned()),
                Some("vv ") => snippet.tail.push(line[3..].to_owned()),
                _ => snippet.lines.push(line.to_owned()),
            }
        }
        (snippet, names)
    }
}

impl Snippet {
    pub(crate) fn probe(&mut self, code: &str, only_safe: bool) {
        let code = code.to_owned();
        self.probes.push(Probe { code, only_safe });
    }
}

/// The names that were given out for one snippet, by placeholder.
pub(crate) type Names = BTreeMap<String, String>;

const TYPENAMES: [&str; 7] = ["Point", "Row", "Item", "Pair", "Point", "Dim", "Row"];
const VARIABLES: [&str; 10] = [
    "Point", "Row", "Item", "Pair", "cls", "kind", "X", "record", "Dim", "R",
];
const FUNCTIONS: [&str; 5] = ["load", "parse", "make", "build", "read"];
const CLASSES: [&str; 4] = ["Loader", "Store", "Patcher", "Reader"];

struct Writer<'w> {
    chance: &'w mut Chance,
    number: usize,
    factories: &'w [String],
    names: Names,
}

impl Writer<'_> {
    fn expand(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(inside) = bracketed(rest, '(', ')') {
                let choices = alternatives(inside);
                let choice = choices[self.chance.below(choices.len())];
                out.push_str(&self.expand(choice));
                rest = &rest[inside.len() + 2..];
            } else if let Some(inside) = bracketed(rest, '[', ']') {
                if self.chance.percent(50) {
                    out.push_str(&self.expand(inside));
                }
                rest = &rest[inside.len() + 2..];
            } else {
                let end = rest
                    .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                let indentation = indentation_of_last_line(&out);
                let word = self.placeholder(&rest[..end]).replace("@@", &indentation);
                out.push_str(&word);
                rest = &rest[end..];
            }
        }
        out.push_str(rest);
        out
    }

    fn placeholder(&mut self, word: &str) -> String {
        match word {
            "nt" => self.factory(),
            "call" => self.call(&["a", "b"], false),
            "call1" => self.call(&["a"], false),
            "call3" => self.call(&["a", "b", "c"], false),
            "plain" => self.call(&["a", "b"], true),
            "plain1" => self.call(&["a"], true),
            "other" => {
                let typename = self.name("U");
                let factory = self.factory();
                let fields: &[&str] = &["a", "b"];
                call::any(
                    self.chance,
                    Wanted {
                        factory: &factory,
                        typename: &typename,
                        fields,
                    },
                )
            }
            "args" => (*self
                .chance
                .one(&["1, 2", "x, 2", "1, b=2", "a=1, b=2", "*[1, 2]", "x, 'y'"]))
            .to_owned(),
            "arg" => (*self.chance.one(&["1", "x", "a=1", "*[1]", "(1, 2)"])).to_owned(),
            _ => self.name(word),
        }
    }

    fn factory(&mut self) -> String {
        let factory = &self.factories[self.chance.below(self.factories.len())];
        factory.clone()
    }

    fn call(&mut self, fields: &[&str], is_plain: bool) -> String {
        let typename = self.name("T");
        let factory = self.factory();
        let wanted = Wanted {
            factory: &factory,
            typename: &typename,
            fields,
        };
        if is_plain {
            call::plain(self.chance, wanted)
        } else {
            call::any(self.chance, wanted)
        }
    }

    /// The name that the placeholder stands for throughout the snippet.
    fn name(&mut self, word: &str) -> String {
        if let Some(name) = self.names.get(word) {
            return name.clone();
        }
        let number = self.number;
        let name = match word {
            "T" | "U" => self.unlike(&TYPENAMES, &["T", "U"]),
            "X" | "Y" | "Z" => self.unlike(&VARIABLES, &["X", "Y", "Z"]),
            "f" | "g" | "h" => format!("{}_{word}{number}", self.chance.one(&FUNCTIONS)),
            "C" | "D" => format!("{}{word}{number}", self.chance.one(&CLASSES)),
            _ => format!("{}{number}", word.trim_start_matches('_')),
        };
        self.names.insert(word.to_owned(), name.clone());
        name
    }

    /// One of the names that none of the placeholders `others` stands for.
    fn unlike(&mut self, of: &[&str], others: &[&str]) -> String {
        loop {
            let name = self.chance.one(of);
            let taken = others.iter().filter_map(|other| self.names.get(*other));
            if !taken.into_iter().any(|taken| taken == name) {
                return (*name).to_owned();
            }
        }
    }
}

/// The text between an opening bracket, with which `text` starts, and the one that closes it.
fn bracketed(text: &str, open: char, close: char) -> Option<&str> {
    if !text.starts_with(open) {
        return None;
    }
    let mut depth = 0;
    for (at, char) in text.char_indices() {
        if char == open {
            depth += 1;
        } else if char == close {
            depth -= 1;
            if depth == 0 {
                return Some(&text[1..at]);
            }
        }
    }
    panic!("a bracket in a template is not closed: {text}");
}

/// The parts of `text` between the bars outside brackets.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (vec![], 0, 0);
    for (at, char) in text.char_indices() {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '|' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn indentation_of_last_line(text: &str) -> String {
    let line = text.rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|c| *c == ' ').collect()
}
