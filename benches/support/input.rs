//! The inputs of the benchmarks: one that is shipped, and generated ones of any size.

use clap::ValueEnum;

/// A file modelled on the one that this program was first written for; it has two calls to hoist.
const MODEL_PATCHER: &str = include_str!("../../fixtures/model_patcher/hoist_model_patcher.py");

/// The field names of its calls.
const FIELDS: &str = r#"["weight", "inplace_update"]"#;

const IMPORT: &str = "from collections import namedtuple\n\n\n";

/// Ordinary code, 20 lines of it; `@` stands for a number.
const ORDINARY: &str = r#"class Shelf@(Base):
    """Keeps boxes by their labels."""

    limit = @

    def __init__(self, boxes, owner=None):
        self.boxes = {box.label: box for box in boxes if box}
        self.owner = owner or "nobody"

    def place(self, box, *, force=False):
        # A full shelf takes no box unless it must.
        if len(self.boxes) >= self.limit and not force:
            raise ValueError(f"shelf {self.owner!r} is full: {len(self.boxes)}")
        self.boxes[box.label] = box
        return [label.strip().lower() for label in sorted(self.boxes)][-1]

    def total(self):
        return sum(box.width * box.height for box in self.boxes.values())


"#;

/// A call to hoist, 4 lines of it.
const SITE: &str = "\
def site@(a, b):
    return namedtuple('Point@', 'x y z@')(a, b, @).x


";

/// What an input consists of.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Input {
    /// The shipped model patcher, whatever the size.
    ModelPatcher,
    /// The same with fields that are known at run time only, so that nothing is fixed.
    ModelPatcherLeft,
    /// As many calls to hoist, each with a class of its own.
    Sites,
    /// The same with fields that are known at run time only, so that nothing is fixed.
    SitesLeft,
    /// About as many lines of ordinary code, and one call to hoist.
    OneSite,
    /// About as many lines of ordinary code that makes its namedtuple once.
    Clean,
    /// One sum of as many names, and a call to hoist.
    Sum,
    /// One chain of as many attributes, and a call to hoist.
    Attributes,
    /// As many parentheses in one another.
    Parentheses,
    /// As many blocks in one another.
    Blocks,
}

impl Input {
    /// The Python module of that size.
    pub(crate) fn text(self, size: usize) -> String {
        let site = numbered(SITE, 1);
        match self {
            Self::ModelPatcher => MODEL_PATCHER.to_owned(),
            Self::ModelPatcherLeft => MODEL_PATCHER.replace(FIELDS, "list(vars(self))"),
            Self::Sites => format!("{IMPORT}{}", numbered(SITE, size)),
            Self::SitesLeft => {
                let site = SITE.replace("'x y z@'", "b.names");
                format!("{IMPORT}{}", numbered(&site, size))
            }
            Self::OneSite => format!("{IMPORT}{}{site}", ordinary(size)),
            Self::Clean => format!(
                "{IMPORT}Point = namedtuple('Point', 'x y')\n\n\n{}",
                ordinary(size)
            ),
            Self::Sum => format!("{IMPORT}{site}a = 1\nb = a{}\n", " + a".repeat(size)),
            Self::Attributes => format!("{IMPORT}{site}def f(a):\n    a{}\n", ".b".repeat(size)),
            Self::Parentheses => format!(
                "{IMPORT}{site}a = {}1{}\n",
                "(".repeat(size),
                ")".repeat(size)
            ),
            Self::Blocks => format!("{IMPORT}{site}{}", blocks(size)),
        }
    }
}

/// `pattern` with each number below `count` in turn.
fn numbered(pattern: &str, count: usize) -> String {
    (0..count)
        .map(|number| pattern.replace('@', &number.to_string()))
        .collect()
}

fn ordinary(lines: usize) -> String {
    numbered(ORDINARY, lines / ORDINARY.lines().count())
}

fn blocks(count: usize) -> String {
    let mut text: String = (0..count)
        .map(|depth| format!("{}if a:\n", " ".repeat(depth)))
        .collect();
    text.push_str(&format!("{}a\n", " ".repeat(count)));
    text
}
