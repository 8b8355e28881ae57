//! The free grammar: functions, classes and loops around calls, put together at random.

use std::collections::BTreeMap;

use crate::call::{self, Wanted};
use crate::chance::Chance;
use crate::free_uses;
use crate::kind_uses;
use crate::kinds::{self, Kind};
use crate::template::Snippet;

/// A name or expression for a class, and how many fields it has.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) fields: usize,
    /// Which factory makes it.
    pub(crate) kind: Kind,
}

/// One unit of the free grammar as it is written.
#[derive(Debug)]
pub(crate) struct Free<'c> {
    pub(crate) chance: &'c mut Chance,
    number: usize,
    factories: Vec<String>,
    /// The expressions that reach the other factories.
    others: BTreeMap<Kind, String>,
    /// The deepest that functions and classes lie in one another.
    depth: usize,
    in_method: bool,
    snippet: Snippet,
}

const TYPENAMES: [&str; 6] = ["Point", "Row", "Item", "Pair", "Point", "Dim"];
const VARIABLES: [&str; 9] = ["Point", "Row", "X", "cls", "Item", "r", "kind", "Pair", "K"];

impl<'c> Free<'c> {
    /// The `number`th unit of a module that reaches the factory by `factories`.
    pub(crate) fn unit(chance: &'c mut Chance, number: usize, factories: &[String]) -> Snippet {
        let mut unit = Self {
            chance,
            number,
            factories: factories.to_vec(),
            others: BTreeMap::new(),
            depth: 0,
            in_method: false,
            snippet: Snippet::default(),
        };
        unit.top();
        unit.snippet
    }

    /// Writes `line` at the indentation of `level`.
    pub(crate) fn say(&mut self, level: usize, line: &str) {
        let space = "    ".repeat(level);
        let line = line.replace("@@", &space);
        self.snippet.lines.push(format!("{space}{line}"));
    }

    /// The list in which the unit keeps what it made.
    pub(crate) fn kept(&self) -> String {
        format!("kept{}", self.number)
    }

    fn top(&mut self) {
        let kept = self.kept();
        self.say(0, &format!("{kept} = []"));
        if self.chance.percent(12) {
            self.clash();
        }
        match self.chance.below(20) {
            0..9 => self.function(0),
            9..14 => self.class(),
            14 => self.lambda(),
            15..18 => self.looped(),
            _ => self.guarded(),
        }
    }

    /// Something else at module level that takes a typename.
    fn clash(&mut self) {
        let line = self.chance.one(&[
            "Point = 1",
            "class Row: pass",
            "def Item(): return 1",
            "for Pair in range(2): pass",
            "import os as Dim",
            "if (Point := 1): pass",
            "with open(os.devnull) as Row: pass",
            "Row: int",
            "Item, Pair = 1, 2",
            "def set_row():\n    global Row\n    Row = 4",
            "Dim = 1\ndel Dim",
        ]);
        let line = line.replace("os.devnull", "__import__(\"os\").devnull");
        self.snippet.lines.extend(line.lines().map(str::to_owned));
    }

    fn function(&mut self, level: usize) {
        let name = format!("work{}", self.number);
        let is_async = self.chance.percent(6);
        if level == 0 && self.chance.percent(8) {
            self.say(level, self.decorator());
        }
        let parameters = self.parameters("");
        let prefix = if is_async { "async " } else { "" };
        self.say(level, &format!("{prefix}def {name}({parameters}):"));
        self.body(level + 1);
        if self.chance.percent(25) && !is_async {
            self.say(level, "try:");
            let argument = self.chance.below(2);
            self.say(
                level,
                &format!("    print(\"in the module\", {name}({argument}))"),
            );
            self.say(level, "except Exception as error:");
            self.say(level, "    print(type(error).__name__)");
        }
        for argument in ["1", "0", "1"] {
            self.snippet.probe(&format!("{name}({argument})"), false);
        }
        self.snippet.probe(&format!("{name}(1) == {name}(1)"), true);
    }

    fn decorator(&self) -> &'static str {
        "@__import__(\"functools\").lru_cache(None)"
    }

    fn parameters(&mut self, first: &str) -> String {
        let more = self.chance.one(&[
            "x=1",
            "x=1",
            "x=1",
            "x=1",
            "x=1, *Row",
            "x=1, Point=1",
            "x=1, **Item",
            "x=1, *, Pair=2",
        ]);
        format!("{first}{more}")
    }

    fn class(&mut self) {
        let name = format!("Class{}", self.number);
        self.say(0, &format!("class {name}:"));
        self.say(1, "items = {}");
        if self.chance.percent(15) {
            let attribute = self.chance.one(&["Point", "row", "cls"]);
            self.say(1, &format!("{attribute} = None"));
        }
        if self.chance.percent(10) {
            self.say(1, "for x in range(2):");
            self.binding_and_uses(2);
        }
        for method in 0..1 + self.chance.below(2) {
            let decorator =
                self.chance
                    .one(&["", "", "", "@classmethod", "@staticmethod", "@property"]);
            if !decorator.is_empty() {
                self.say(1, decorator);
            }
            let own = match decorator {
                "@staticmethod" => "",
                "@classmethod" => "cls, ",
                _ => "self, ",
            };
            let parameters = self.parameters(own);
            self.say(1, &format!("def method{method}({parameters}):"));
            self.in_method = own == "self, ";
            self.body(2);
            self.in_method = false;
            let call = if decorator == "@property" { "" } else { "(1)" };
            let call = format!("{name}().method{method}{call}");
            self.snippet.probe(&call, false);
            self.snippet.probe(&call, false);
            self.snippet.probe(&format!("{call} == {call}"), true);
        }
    }

    fn lambda(&mut self) {
        let name = format!("work{}", self.number);
        let call = self.call().on_one_line();
        let made = self.instance(&call);
        self.say(0, &format!("{name} = lambda x=1: {made}"));
        self.snippet.probe(&format!("{name}(1)"), false);
        self.snippet.probe(&format!("{name}(1)"), false);
        self.snippet.probe(&format!("{name}(1) == {name}(1)"), true);
    }

    fn looped(&mut self) {
        match self.chance.below(4) {
            0 => {
                self.say(0, "x = 0");
                self.say(0, "while x < 2:");
                self.say(1, "x += 1");
            }
            1 => self.say(0, "for x in ():"),
            _ => self.say(0, "for x in range(1, 3):"),
        }
        self.binding_and_uses(1);
        if self.chance.percent(20) {
            self.say(0, "else:");
            self.say(1, "print(\"done\")");
        }
    }

    fn guarded(&mut self) {
        let header = self
            .chance
            .one(&["if sys:", "if __name__:", "try:", "for turn in range(2):"]);
        self.say(0, header);
        self.function(1);
        if header == "try:" {
            self.say(0, "except ZeroDivisionError:");
            self.say(1, "raise");
        }
    }

    /// The body of a function with a parameter `x`.
    fn body(&mut self, level: usize) {
        if self.chance.percent(10) {
            self.say(level, "\"\"\"What it does.\"\"\"");
        }
        if self.chance.percent(3) {
            let name = self.chance.one(&["Point", "Row"]);
            self.say(level, &format!("global {name}"));
        }
        let (factories, others) = (self.factories.clone(), self.others.clone());
        if self.chance.percent(8) {
            self.local_import(level);
        }
        if self.chance.percent(8) {
            let literal = self.chance.one(&[
                "[\"a\", \"b\"]",
                "\"a b\"",
                "(\"a\", \"b\")",
                "[\"a\", \"b\"]  # why",
            ]);
            self.say(level, &format!("NAMES = {literal}"));
            if self.chance.percent(20) {
                self.say(level, "NAMES += ()");
            }
        }
        let mut last = None;
        for _ in 0..1 + self.chance.below(3) {
            last = self.binding_and_uses(level).or(last);
            if self.depth < 2 && self.chance.percent(14) {
                self.nested(level);
            }
        }
        self.end(level, last);
        self.factories = factories;
        self.others = others;
    }

    fn local_import(&mut self, level: usize) {
        if self.chance.percent(50) {
            let kind = Kind::any(self.chance);
            let (import, factory) = kind.reached(self.chance, self.number);
            if let Some(import) = import {
                self.say(level, &import);
            }
            self.others.insert(kind, factory);
            return;
        }
        let (import, factory) = match self.chance.below(5) {
            0 => ("import collections", "collections.namedtuple"),
            1 => (
                "from collections import namedtuple, OrderedDict",
                "namedtuple",
            ),
            2 => ("import collections as tools, os", "tools.namedtuple"),
            3 => ("from collections import namedtuple as record", "record"),
            _ => ("from collections import namedtuple", "namedtuple"),
        };
        self.say(level, import);
        self.factories = vec![factory.to_owned()];
    }

    fn nested(&mut self, level: usize) {
        self.depth += 1;
        if self.chance.percent(70) {
            let parameters = self.parameters("");
            self.say(level, &format!("def nested({parameters}):"));
            let in_method = std::mem::take(&mut self.in_method);
            self.body(level + 1);
            self.in_method = in_method;
            self.say(level, "print(nested(x))");
        } else {
            self.say(level, "class Inner:");
            self.binding_and_uses(level + 1);
            self.say(level + 1, "def method(self, x=1):");
            let in_method = std::mem::replace(&mut self.in_method, true);
            self.body(level + 2);
            self.in_method = in_method;
            self.say(level, "print(Inner().method())");
        }
        self.depth -= 1;
    }

    /// How a body ends.
    fn end(&mut self, level: usize, last: Option<Class>) {
        match (self.chance.below(10), last) {
            (0..4, Some(class)) => {
                let made = self.instance(&class);
                self.say(level, &format!("return {made}"));
            }
            (4, Some(class)) => self.say(level, &format!("return {}", class.name)),
            (5 | 6, Some(class)) if !class.kind.is_tuple() => {
                let made = self.instance(&class);
                let read = kind_uses::harmless(self, &class, &made);
                self.say(level, &format!("return {read}"));
            }
            (5, Some(class)) if self.depth == 0 => {
                let made = self.instance(&class);
                self.say(level, &format!("yield {made}"));
            }
            _ => self.say(level, "return x"),
        }
    }

    fn binding_and_uses(&mut self, level: usize) -> Option<Class> {
        let class = self.binding(level);
        for _ in 0..self.chance.below(3) {
            if let Some(class) = &class {
                self.statements_with(level, class);
            }
        }
        class
    }

    fn statements_with(&mut self, level: usize, class: &Class) {
        let own = if class.kind.is_tuple() { 20 } else { 90 };
        if class.kind != Kind::Tuple && self.chance.percent(own) {
            kind_uses::statements_with(self, level, class);
        } else {
            free_uses::statements_with(self, level, class);
        }
    }

    /// Whether a plain method is being written.
    pub(crate) fn is_in_method(&self) -> bool {
        self.in_method
    }

    /// Adds a line to the top of the module, once.
    pub(crate) fn head(&mut self, line: &str) {
        if !self.snippet.head.iter().any(|known| known == line) {
            self.snippet.head.push(line.to_owned());
        }
    }

    /// A call of some factory in any spelling, which stands for the class that it makes.
    pub(crate) fn call(&mut self) -> Class {
        let fields: &[&str] = if self.chance.percent(60) {
            &["a", "b"]
        } else {
            &["a"]
        };
        let typename = self.chance.one(&TYPENAMES).to_owned();
        let kind = if self.chance.percent(50) {
            Kind::any(self.chance)
        } else {
            Kind::Tuple
        };
        let name = if kind == Kind::Tuple {
            let factory = self.factories[self.chance.below(self.factories.len())].clone();
            let wanted = Wanted {
                factory: &factory,
                typename: &typename,
                fields,
            };
            call::any(self.chance, wanted)
        } else {
            let factory = self.reached(kind);
            kinds::call(self.chance, kind, &factory, (&typename, fields))
        };
        Class {
            name,
            fields: fields.len(),
            kind,
        }
    }

    /// The expression that reaches the factory of that kind, which the top of the module brings.
    fn reached(&mut self, kind: Kind) -> String {
        if let Some(factory) = self.others.get(&kind) {
            return factory.clone();
        }
        let (import, factory) = kind.reached(self.chance, self.number);
        if let Some(import) = import {
            self.head(&import);
        }
        self.others.insert(kind, factory.clone());
        factory
    }

    /// An expression that makes an instance of the class.
    pub(crate) fn instance(&mut self, class: &Class) -> String {
        if class.kind != Kind::Tuple {
            return kind_uses::instance(self, class);
        }
        let name = &class.name;
        let choices: &[&str] = if class.fields == 1 {
            &["(x)", "(1)", "(a=x)", "._make([x])", "(*[1])", "(\"a\")"]
        } else {
            &[
                "(x, 1)",
                "(1, 2)",
                "(a=1, b=x)",
                "._make([1, 2])",
                "(*[1, x])",
                "(x, b=\"y\")",
            ]
        };
        format!("{name}{}", self.chance.one(choices))
    }

    /// A statement that binds a class, or makes an instance on the spot.
    fn binding(&mut self, level: usize) -> Option<Class> {
        let name = (*self.chance.one(&VARIABLES)).to_owned();
        let made = self.call();
        let class = Class {
            name: name.clone(),
            ..made.clone()
        };
        let call = &made.name;
        if self.chance.percent(8) {
            self.say(level, "# why it is here");
        }
        match self.chance.below(40) {
            0..17 => self.say(level, &format!("{name} = {call}")),
            17 => {
                self.say(level, &format!("if x: {name} = {call}"));
                let other = self.chance.one(&["None", "list"]);
                self.say(level, &format!("else: {name} = {other}"));
            }
            18 => self.say(level, &format!("{name} = second = {call}")),
            19 => self.say(level, &format!("{name}, rest = {call}, 1")),
            20 => self.say(level, &format!("{name}: object = {call}")),
            21 => self.say(level, &format!("print(({name} := {call})._fields)")),
            22..28 => {
                let made = self.instance(&made);
                self.say(level, &format!("print({made})"));
                return None;
            }
            28 => {
                self.say(level, "for turn in range(2):");
                self.say(level + 1, &format!("{name} = {call}"));
                let made = self.instance(&class);
                self.say(level + 1, &format!("print({made})"));
            }
            29 => {
                self.say(level, "try:");
                self.say(level + 1, &format!("{name} = {call}"));
                let what = self.chance.one(&["Exception", "TypeError", "NameError"]);
                self.say(level, &format!("except {what}:"));
                self.say(level + 1, &format!("{name} = None"));
            }
            30..32 => {
                let made = self.instance(&made.on_one_line());
                let made = made.replace("(x", "(i").replace("=x", "=i");
                self.say(level, &format!("print([{made} for i in (1, 2)])"));
                return None;
            }
            32..34 if self.in_method => {
                let attribute = self.chance.one(&["row", "cls", "Point", "_kind"]);
                self.say(level, &format!("self.{attribute} = {call}"));
                return Some(Class {
                    name: format!("self.{attribute}"),
                    ..class
                });
            }
            34..37 if self.in_method => {
                let made = self.instance(&made);
                let target = self
                    .chance
                    .one(&["self.items[x]", "self.last", "self.items[x, 1]"]);
                self.say(level, &format!("{target} = {made}"));
                return None;
            }
            37 => {
                self.say(
                    level,
                    &format!("if True:\n@@    {name} = {call}")
                        .replace("@@", &"    ".repeat(level)),
                );
            }
            38 => {
                self.say(level, &format!("def inner({name}={call}):"));
                let made = self.instance(&class).replace('x', "1");
                self.say(level + 1, &format!("return {made}"));
                self.say(level, "print(inner())");
                return None;
            }
            _ => self.say(level, &format!("{name} = {call}")),
        }
        Some(class)
    }
}

impl Class {
    /// The call without line breaks and comments.
    fn on_one_line(&self) -> Self {
        let name = self.name.replace("  # the name", "").replace("\\\n", "");
        Self {
            name: name.replace('\n', "").replace("@@", ""),
            ..*self
        }
    }
}
