//! Modules that reach a factory and call it in every way of writing that Python has.

use fastrand::Rng;

/// How the factory is reached.
pub const KINDS: [&str; 6] = ["name", "alias", "attribute", "module", "assigned", "star"];

/// A module with one call of a factory in code that runs more than once.
pub struct Spelling {
    pub kind: &'static str,
    pub text: String,
}

impl Spelling {
    /// The spelling of that number.
    pub fn new(seed: u64) -> Self {
        let mut writer = Writer(Rng::with_seed(seed));
        let kind = KINDS[writer.0.usize(..KINDS.len())];
        let (head, callee) = writer.reach(kind);
        let call = writer.call(&callee);
        let body = writer.repeated(&call);
        let mut text = format!("{head}{body}");
        if writer.0.bool() {
            text = text.replace('\n', "\r\n");
        }
        Self { kind, text }
    }
}

/// Factories, with arguments of which each makes a finding.
const FACTORIES: [(&str, &str, &[&str]); 6] = [
    ("collections", "namedtuple", &["'A'", "'x y'"]),
    ("typing", "NamedTuple", &["'A'", "[('x', int)]"]),
    ("typing", "TypedDict", &["'A'", "{'x': int}"]),
    ("enum", "Enum", &["'A'", "'x y'"]),
    ("enum", "IntFlag", &["'A'", "'x y'"]),
    ("dataclasses", "make_dataclass", &["'A'", "['x']"]),
];

struct Writer(Rng);

impl Writer {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.0.usize(..of.len())]
    }

    /// What may stand between two tokens of a line.
    fn gap(&mut self) -> &'static str {
        self.one(&["", " ", "  ", "\t", "\x0c", " \\\n", "\\\n  ", " \\\n \\\n"])
    }

    /// The same where one blank is needed.
    fn space(&mut self) -> &'static str {
        self.one(&[" ", "\t", " \\\n", "\\\n\t", "\x0c "])
    }

    /// What may stand between two tokens in brackets.
    fn inner(&mut self) -> &'static str {
        self.one(&["", " ", "\n", "\n\n    ", " # (a), b = c\n", "#\n", " \\\n"])
    }

    /// The lines that bring the factory, and the expression that reaches it.
    fn reach(&mut self, kind: &str) -> (String, String) {
        let (module, name, _) = FACTORIES[self.factory()];
        let (a, b, c) = (self.space(), self.space(), self.space());
        let (gap, dot) = (self.gap(), self.gap());
        match kind {
            "name" => (
                format!("from{a}{module}{b}import{c}{name}\n"),
                name.to_owned(),
            ),
            "alias" => {
                let (open, close, inner) = match self.0.bool() {
                    true => ("(", ")", self.inner()),
                    false => ("", "", " "),
                };
                let blank = if inner.is_empty() { " " } else { inner };
                let head = format!("from{a}{module}{b}import {open}{name}{blank}as{c}nt{close}\n");
                (head, "nt".to_owned())
            }
            "attribute" => (
                format!("import{a}{module}\n"),
                format!("{module}{gap}.{dot}{name}"),
            ),
            "module" => (
                format!("import {module}{a}as{b}m\n"),
                format!("m{gap}.{dot}{name}"),
            ),
            "star" => (format!("from {module} import{gap}*\n"), name.to_owned()),
            _ => {
                let value = self.one(&[
                    "NAME",
                    "(NAME)",
                    "((NAME))",
                    "m.NAME",
                    "m . NAME",
                    "(m\n.NAME)",
                ]);
                let value = value
                    .replace("NAME", name)
                    .replace("(m", &format!("({}m", self.inner()));
                let import = format!("import {module} as m; from {module} import {name}\n");
                let end = self.one(&["\n", " # E\n", ";\n", " \n", "; x = 1\n"]);
                (
                    format!("{import}nt{gap}={dot}{value}{end}"),
                    "nt".to_owned(),
                )
            }
        }
    }

    fn factory(&mut self) -> usize {
        self.0.usize(..FACTORIES.len())
    }

    /// A call of the callee, whose arguments are those of its own or another factory.
    fn call(&mut self, callee: &str) -> String {
        let last = callee
            .rsplit(['.', '\n', ' '])
            .next()
            .unwrap_or(callee)
            .trim();
        let own = FACTORIES.iter().find(|(_, name, _)| *name == last);
        let arguments = own.map_or(FACTORIES[0].2, |(_, _, arguments)| arguments);
        let (open, close) = self.parentheses();
        let gap = self.gap();
        let parts: Vec<String> = arguments
            .iter()
            .map(|argument| format!("{}{argument}{}", self.inner(), self.inner()))
            .collect();
        let comma = self.one(&["", ","]);
        format!("{open}{callee}{close}{gap}({}{comma})", parts.join(","))
    }

    fn parentheses(&mut self) -> (&'static str, &'static str) {
        match self.0.u8(..4) {
            0 => ("(", ")"),
            1 => ("((", "\n) # )\n)"),
            _ => ("", ""),
        }
    }

    /// Code that runs the call more than once.
    fn repeated(&mut self, call: &str) -> String {
        let code = self.one(&[
            "def f():\n    return (CALL)\n",
            "def f(): return (CALL)\n",
            "class C:\n\tdef f(self):\n\t\tX = (CALL)\n\t\treturn X\n",
            "async def f():\n  if x:\n    return (CALL)\n",
            "f = lambda: (CALL)\n",
            "xs = [(CALL) for x in y]\n",
            "xs = {1: (CALL) for x in y}\n",
            "for x in y: z = (CALL)\n",
            "for x in y:\n  z = f'{(1)}', (CALL)\n",
            "while x:\n    z = (CALL)\n",
            "def f():\n    x = '''\n'''; return (CALL)\n",
            "def f():\n    return (\n(CALL))\n",
            "if x:\n  pass\nelse:\n  def f():\n    # é\n    return (CALL)\n",
        ]);
        code.replace("CALL", call)
    }
}
