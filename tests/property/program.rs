//! Whole programs: a head, some units of both kinds, and a layout.

use std::sync::LazyLock;

use hoist_namedtuple::check::FileContext;

use crate::chance::Chance;
use crate::free::Free;
use crate::head::Head;
use crate::layout;
use crate::template::{Names, Probe, Situation, Snippet};

/// A generated module and how it is run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    /// The source.
    pub(crate) text: String,
    /// What an importer asks of it.
    pub(crate) probes: Vec<Probe>,
    /// Where it is said to stand.
    pub(crate) context: FileContext,
    /// Whether its functions run without the module's names.
    pub(crate) is_split: bool,
    /// Names that something outside the module adds to the builtins.
    pub(crate) injected: Vec<String>,
}

static SITUATIONS: LazyLock<Vec<Situation>> = LazyLock::new(|| {
    let files = [
        include_str!("situations/arguments.txt"),
        include_str!("situations/classes.txt"),
        include_str!("situations/factories.txt"),
        include_str!("situations/names.txt"),
        include_str!("situations/others.txt"),
        include_str!("situations/places.txt"),
        include_str!("situations/rewrites.txt"),
    ];
    files.into_iter().flat_map(Situation::read_all).collect()
});

/// The program of that seed.
pub(crate) fn program(seed: u64) -> Program {
    let mut chance = Chance::new(seed);
    let first = (!chance.percent(22)).then(|| situation(&mut chance, |_| true));
    let has_factory = !first.is_some_and(|first| first.has("head=none"));
    let mut builder = Builder {
        head: Head::new(&mut chance, has_factory),
        chance: &mut chance,
        program: Program::default(),
        units: vec![],
    };
    builder.units(first, has_factory);
    builder.finish()
}

/// A program of each situation alone that Python 3.8 compiles, with its name.
pub(crate) fn programs_of_situations(seed: u64) -> Vec<(&'static str, Program)> {
    let alone = |situation: &'static Situation| {
        let mut chance = Chance::new(seed);
        let has_factory = !situation.has("head=none");
        let mut builder = Builder {
            head: Head::new(&mut chance, has_factory),
            chance: &mut chance,
            program: Program::default(),
            units: vec![],
        };
        builder.situation(situation);
        (situation.name.as_str(), builder.finish())
    };
    let old = SITUATIONS.iter().filter(|found| !found.has("new-syntax"));
    old.map(alone).collect()
}

/// A directed snippet of the wanted kind.
fn situation(chance: &mut Chance, is_wanted: impl Fn(&Situation) -> bool) -> &'static Situation {
    let wanted: Vec<_> = SITUATIONS.iter().filter(|found| is_wanted(found)).collect();
    let weights: Vec<u32> = wanted.iter().map(|found| found.weight()).collect();
    wanted[chance.weighted(&weights, |weight| *weight)]
}

struct Builder<'c> {
    chance: &'c mut Chance,
    head: Head,
    program: Program,
    units: Vec<Snippet>,
}

impl Builder<'_> {
    fn units(&mut self, first: Option<&Situation>, has_factory: bool) {
        let more = match first {
            Some(first) => {
                self.situation(first);
                if first.has("alone") {
                    0
                } else {
                    self.chance.below(3)
                }
            }
            None => 1 + self.chance.below(2),
        };
        for _ in 0..more {
            if has_factory && self.chance.percent(40) {
                let number = self.units.len();
                let unit = Free::unit(self.chance, number, &self.head.factories);
                self.units.push(unit);
            } else {
                let next = situation(self.chance, |found| {
                    !found.has("alone") && found.has("head=none") != has_factory
                });
                self.situation(next);
            }
        }
        if !first.is_some_and(|first| first.has("alone") || first.has("first")) {
            let turn = self.chance.below(self.units.len());
            self.units.rotate_left(turn);
        }
    }

    fn situation(&mut self, situation: &Situation) {
        let number = self.units.len();
        let (snippet, names) = situation.write(self.chance, number, &self.head.factories);
        self.surroundings(situation, &names);
        self.units.push(snippet);
    }

    /// Takes over where the module must stand for the situation to be seen.
    fn surroundings(&mut self, situation: &Situation, names: &Names) {
        let named = |word: &str| match word.strip_prefix('$') {
            Some(placeholder) => names.get(placeholder).cloned().unwrap_or_default(),
            None => word.to_owned(),
        };
        let program = &mut self.program;
        program.is_split |= situation.has("split");
        program.context.is_package_init |= situation.has("package");
        if let Some(path) = situation.value("path") {
            program.context.path = path.into();
        }
        if let Some(sibling) = situation.value("sibling") {
            program.context.sibling_modules.insert(named(sibling));
        }
        if let Some(name) = situation.value("injected") {
            program.injected.push(named(name));
        }
    }

    fn finish(mut self) -> Program {
        let mut lines: Vec<String> = vec![];
        let Head {
            first,
            imports,
            constants,
            ..
        } = self.head;
        if !self.program.is_split {
            lines.extend(first);
            lines.extend(imports);
            lines.extend(constants);
        }
        for unit in &mut self.units {
            lines.append(&mut unit.head);
        }
        for unit in &mut self.units {
            if self.chance.percent(50) {
                lines.push(String::new());
            }
            lines.append(&mut unit.lines);
            self.program.probes.append(&mut unit.probes);
        }
        for unit in &mut self.units {
            lines.append(&mut unit.tail);
        }
        self.program.text = layout::lay_out(self.chance, &lines.join("\n"));
        self.program
    }
}
