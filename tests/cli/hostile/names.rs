//! Names that are spelled in several ways: Python takes a name for its NFKC form (Language Reference,
//! 2.3 "Identifiers and keywords"), and letters that only look alike for different ones.

use super::*;

/// Files with a call that is fixed, and a piece of what the fix makes of them.
const FIXED: [(&str, &str, &str); 17] = [
    (
        "import",
        "from collections import ｎamedtuple\nf = lambda a: namedtuple('P', 'x')(a)\nprint(f(1))\n",
        "P = namedtuple('P', 'x')",
    ),
    (
        "module",
        "import ｃollections\nf = lambda a: collections.namedtuple('P', 'x')(a)\nprint(f(1))\n",
        "P = collections.namedtuple('P', 'x')",
    ),
    (
        "taken",
        "from collections import namedtuple\n𝐏oint = 1\nf = lambda a: namedtuple('Point', 'x')(a)\nprint(f(1), Point)\n",
        "lambda a: _Point(a)",
    ),
    (
        "import_as",
        "from collections import namedtuple\nimport os as 𝐏\nf = lambda a: namedtuple('P', 'x')(a)\nprint(f(1), P.sep)\n",
        "lambda a: _P(a)",
    ),
    (
        "parameter",
        "from collections import namedtuple\ndef f(𝐏):\n    return namedtuple('P', 'x')(𝐏), P\nprint(f(1))\n",
        "return _P(𝐏), P",
    ),
    (
        "ordinal",
        "from collections import namedtuple\ndef f(ª):\n    return namedtuple('a', 'x')(a)\nprint(f(1))\n",
        "return _a(a)",
    ),
    (
        "used",
        "from collections import namedtuple\ndef f(a):\n    Point = namedtuple('Point', 'x')\n    return 𝐏oint(a)\nprint(f(1))\n",
        "return Point(a)",
    ),
    (
        "bound",
        "from collections import namedtuple\ndef f(a):\n    𝐏oint = namedtuple('Point', 'x')\n    return Point(a)\nprint(f(1))\n",
        "\nPoint = namedtuple",
    ),
    (
        "ligature",
        "from collections import namedtuple\ndef f(a):\n    ﬁeld = namedtuple('field', 'x')\n    return ﬁeld(a)\nprint(f(1))\n",
        "return field(a)",
    ),
    (
        "attribute",
        "from collections import namedtuple\nclass C:\n    def f(self, a):\n        self.𝐏 = namedtuple('P', 'x')\n        return self.P(a)\nprint(C().f(1))\n",
        "self.𝐏 = P\n",
    ),
    (
        "deleted",
        "from collections import namedtuple\ndef f(a):\n    P = namedtuple('P', 'x')\n    p = P(a)\n    del 𝐏\n    return p\nprint(f(1))\n",
        "P = _P\n",
    ),
    (
        "shown",
        "from collections import namedtuple\ndef f(a):\n    P = namedtuple('P', 'x')\n    return f'{𝐏(a)=}'\nprint(f(1))\n",
        "{𝐏(a)=}",
    ),
    (
        "locals",
        "from collections import namedtuple\ndef f(a):\n    P = namedtuple('P', 'x')\n    return sorted(𝐥ocals())\nprint(f(1))\n",
        "P = _P\n",
    ),
    (
        "keyword",
        "from collections import namedtuple\ndef f(a):\n    return namedtuple('P', 'x class', 𝐫ename=True)(a, a)\nprint(f(1))\n",
        "P = namedtuple('P', 'x class', 𝐫ename=True)",
    ),
    (
        "mangled",
        "from collections import namedtuple\nclass C:\n    def f(self, a):\n        _＿p = namedtuple('P', 'x')\n        return __p(a)\nprint(C().f(1))\n",
        "return P(a)",
    ),
    (
        "class",
        "from collections import namedtuple\nclass 𝐌:\n    def f(self, a):\n        self.backup = namedtuple('Dim', 'x')(a)\n        return self.backup\nprint(M().f(1))\n",
        "MBackup = namedtuple('Dim', 'x')",
    ),
    // A Greek letter is another one.
    (
        "greek",
        "from collections import namedtuple\nΡ = 1\nf = lambda a: namedtuple('P', 'x')(a)\nprint(f(1), Ρ)\n",
        "lambda a: P(a)",
    ),
];

/// Files whose call stays, and why.
const LEFT: [(&str, &str, &str); 5] = [
    (
        "typename",
        "from collections import namedtuple\nf = lambda a: namedtuple('ﬁeld', 'x')(a)\nprint(f(1))\n",
        "no-free-name",
    ),
    (
        "global",
        "from collections import namedtuple\ndef f(a):\n    global 𝐏\n    P = namedtuple('P', 'x')\n    return P(a)\nprint(f(1))\n",
        "global-declared",
    ),
    (
        "written",
        "from collections import namedtuple\nclass C:\n    def f(self, a):\n        self.P = namedtuple('P', 'x')\n        self.𝐏.y = a\n        return self.P(a)\nprint(C().f(1))\n",
        "class-written",
    ),
    (
        "compared",
        "from collections import namedtuple\ndef f(a):\n    P = namedtuple('P', 'x')\n    return 𝐢𝐬𝐢𝐧𝐬𝐭𝐚𝐧𝐜𝐞(P(a), 𝐏)\nprint(f(1))\n",
        "class-compared",
    ),
    (
        "getattr",
        "from collections import namedtuple\ndef __𝐠etattr__(n): return 1\nf = lambda a: namedtuple('P', 'x')(a)\nprint(f(1))\n",
        "module-enumerates-names",
    ),
];

#[test]
fn every_spelling_of_a_name_is_that_name() {
    let project = Project::with(&[]);
    for (name, text, _) in FIXED.iter().chain(&LEFT) {
        project.put(&format!("{name}.py"), text.as_bytes());
    }
    let before = project.printed();
    let ran = project.run(&["--fix", "--output-format", "concise", "."]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(project.printed(), before);
    for (name, _, piece) in FIXED {
        let text = fs::read_to_string(project.path(&format!("{name}.py"))).unwrap();
        assert!(text.contains(piece), "{name}: {text}");
    }
    for (name, text, reason) in LEFT {
        let path = format!("{name}.py");
        assert_eq!(
            fs::read_to_string(project.path(&path)).unwrap(),
            text,
            "{name}"
        );
        let mut lines = ran.stdout.lines();
        let is_told = lines.any(|line| line.starts_with(&path) && line.contains(reason));
        assert!(is_told, "{name}: {ran:?}");
    }
    assert_eq!(ran.stdout.lines().count(), LEFT.len(), "{ran:?}");
}

#[test]
fn fields_that_are_one_name_make_no_class() {
    passed_by(
        "from collections import namedtuple\nf = lambda a: namedtuple('P', ['ﬁ', 'fi'])(a, a)\n"
            .as_bytes(),
    );
}
