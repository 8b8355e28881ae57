//! The top of a module: its imports, the ways to reach the factory, and what calls may read.

use crate::chance::Chance;

/// How a module begins.
#[derive(Debug)]
pub(crate) struct Head {
    /// The lines above everything else, such as a docstring.
    pub(crate) first: Vec<String>,
    /// The lines that bring the factory; they may come late.
    pub(crate) imports: Vec<String>,
    /// Constants and definitions that calls read.
    pub(crate) constants: Vec<String>,
    /// The expressions that reach the factory.
    pub(crate) factories: Vec<String>,
}

const IMPORTS: [(&str, &[&str]); 15] = [
    ("from collections import namedtuple", &["namedtuple"]),
    ("from collections import namedtuple", &["namedtuple"]),
    ("import collections", &["collections.namedtuple"]),
    ("import collections", &["collections.namedtuple"]),
    ("import collections as c", &["c.namedtuple"]),
    ("from collections import namedtuple as nt", &["nt"]),
    ("from collections import *", &["namedtuple"]),
    (
        "import collections; from collections import namedtuple",
        &["namedtuple", "collections.namedtuple"],
    ),
    (
        "from collections import (\n    OrderedDict,  # kept\n    namedtuple,\n)",
        &["namedtuple"],
    ),
    (
        "try:\n    from collections import namedtuple\nexcept ImportError:\n    from compat import namedtuple",
        &["namedtuple"],
    ),
    (
        "try:\n    from fast_records import namedtuple\nexcept ImportError:\n    from collections import namedtuple",
        &["namedtuple"],
    ),
    (
        "if True:\n    from collections import namedtuple\nelse:\n    from collections import namedtuple",
        &["namedtuple"],
    ),
    (
        "import collections\nmake_class = collections.namedtuple",
        &["make_class", "collections.namedtuple"],
    ),
    (
        "import collections.abc, collections",
        &["collections.namedtuple"],
    ),
    (
        "from collections import deque, namedtuple as nt, OrderedDict",
        &["nt"],
    ),
];

impl Head {
    /// A head; without the factory at module level when `has_factory` is false.
    pub(crate) fn new(chance: &mut Chance, has_factory: bool) -> Self {
        let mut head = Self {
            first: vec![],
            imports: vec![],
            constants: vec![],
            factories: vec![],
        };
        head.opening(chance);
        if has_factory {
            let (lines, factories) = IMPORTS[chance.below(IMPORTS.len())];
            head.imports.extend(lines.lines().map(str::to_owned));
            head.factories = factories.iter().map(|name| (*name).to_owned()).collect();
        }
        head.constants(chance);
        head
    }

    fn opening(&mut self, chance: &mut Chance) {
        let mut say = |line: &str| self.first.push(line.to_owned());
        if chance.percent(4) {
            say("#!/usr/bin/env python3");
        }
        if chance.percent(4) {
            say("# -*- coding: utf-8 -*-");
        }
        if chance.percent(15) {
            say(chance.one(&[
                "\"\"\"About the module.\"\"\"",
                "\"\"\"About the module.\n\nIn lines.\n\"\"\"",
                "# A comment.",
                "'about'; WIDE = 1",
            ]));
        }
        if chance.percent(8) {
            say("from __future__ import annotations");
        }
        say(chance.one(&[
            "import sys",
            "import sys, os",
            "import sys\nimport os",
            "import sys  # kept",
        ]));
    }

    fn constants(&mut self, chance: &mut Chance) {
        let mut say = |line: &str| self.constants.push(line.to_owned());
        if chance.percent(5) {
            say("from starry import *");
        }
        say("PAIR = (\"a\", \"b\")");
        say("NAMES = \"a b\"");
        if chance.percent(50) {
            say("");
        }
        say(chance.one(&[
            "LIMIT = 7; MISSING = object()",
            "LIMIT = 7\nMISSING = object()",
        ]));
        self.base(chance);
    }

    /// The class whose fields some calls take over.
    fn base(&mut self, chance: &mut Chance) {
        let factory = self.factories.first().cloned();
        let line = match factory {
            Some(factory) if chance.percent(60) => format!("Base = {factory}(\"Base\", \"a b\")"),
            _ => "Base = type(\"Base\", (), {\"_fields\": (\"a\", \"b\")})".to_owned(),
        };
        self.constants.push(line);
        self.constants.push("WORDS = NAMES".to_owned());
    }
}
