//! Reads cases: an original with marked ranges, a patched text, and the promise that the marks spell.
//!
//! A case starts with `### title`; then come lines `define: Name [factory]` (one a definition, in order;
//! `collections.namedtuple` unless it is said) and `import: module [name]`; then `--- original` and `--- patched` with the texts.
//!
//! Marks are `<<kind:text>>` and may nest; the digit is the number of the definition:
//! - `call0`, `call0!`: a factory call, the second by an unsafe fix; the first one is the origin;
//! - `stmt0`: the dropped assignment around a call; `use0`: a renamed use of the last one's target;
//!   `write0`: an attribute write that goes with it;
//! - `same0`: the statement of an equal definition that is reused;
//! - `sub0=text`: an argument with other text in the definition; `alias`: an import alias that goes;
//!   `local`: an assignment of a local to a literal that goes.

use hoist_namedtuple::hoist::{
    MovedStatement, Promise, PromisedDefinition, PromisedImport, PromisedSite, Rewrite,
};
use hoist_namedtuple::rule::{Applicability, Factory, registry};
use hoist_namedtuple::text::lines::slice;
use hoist_namedtuple::text::{TextRange, TextSize};

/// One case.
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) original: String,
    pub(crate) patched: String,
    pub(crate) promise: Promise,
}

/// All cases of a file.
pub(crate) fn read(file: &str) -> Vec<Case> {
    file.split("### ").skip(1).map(read_case).collect()
}

fn read_case(text: &str) -> Case {
    let (head, texts) = text.split_once("--- original\n").expect("an original");
    let (marked, patched) = texts.split_once("--- patched\n").expect("a patched text");
    let mut lines = head.lines();
    let title = lines.next().expect("a title").to_owned();
    let mut promise = Promise::default();
    for line in lines {
        if let Some(definition) = line.strip_prefix("define: ") {
            let mut words = definition.split(' ');
            promise.definitions.push(PromisedDefinition {
                name: words.next().expect("a name").to_owned(),
                factory: factory(words.next().unwrap_or("collections.namedtuple")),
                reused: None,
                origin: TextRange::default(),
                writes: vec![],
                substitutions: vec![],
            });
        } else if let Some(import) = line.strip_prefix("import: ") {
            let mut words = import.split(' ').map(str::to_owned);
            promise.imports.push(PromisedImport {
                module: words.next().expect("a module"),
                name: words.next(),
                alias: None,
            });
        } else {
            assert!(line.is_empty(), "{title}: {line}");
        }
    }
    let (original, marks) = strip_marks(marked);
    for mark in &marks {
        apply(&mut promise, mark, &original);
    }
    let patched = patched
        .strip_suffix("\n\n")
        .map_or(patched.to_owned(), |it| format!("{it}\n"));
    Case {
        title,
        original,
        patched,
        promise,
    }
}

fn factory(name: &str) -> Factory {
    let mut factories = registry().expect("built-in rules").factories();
    let found = factories.find(|factory| factory.name == name);
    found.expect("a built-in factory")
}

struct Mark {
    kind: String,
    range: TextRange,
}

/// The text without its marks, and the marks in the order in which they open.
fn strip_marks(marked: &str) -> (String, Vec<Mark>) {
    let (mut text, mut marks, mut open) = (String::new(), Vec::<Mark>::new(), vec![]);
    let mut rest = marked;
    while !rest.is_empty() {
        let here = TextSize::of(text.as_str());
        if let Some(after) = rest.strip_prefix("<<") {
            let (kind, after) = after.split_once(':').expect("a mark's kind");
            open.push(marks.len());
            marks.push(Mark {
                kind: kind.to_owned(),
                range: TextRange::empty(here),
            });
            rest = after;
        } else if let Some(after) = rest.strip_prefix(">>") {
            let mark = &mut marks[open.pop().expect("an open mark")];
            mark.range = TextRange::new(mark.range.start(), here);
            rest = after;
        } else {
            let mut characters = rest.chars();
            text.extend(characters.next());
            rest = characters.as_str();
        }
    }
    (text, marks)
}

fn apply(promise: &mut Promise, mark: &Mark, text: &str) {
    let (kind, new) = mark.kind.split_once('=').unwrap_or((&mark.kind, ""));
    let is_unsafe = kind.ends_with('!');
    let kind = kind.trim_end_matches('!');
    if kind == "alias" {
        promise.removed_aliases.push(mark.range);
        return;
    }
    if kind == "local" {
        promise.removed_locals.push(mark.range);
        return;
    }
    let (kind, number) = kind.split_at(kind.len() - 1);
    let number: usize = number.parse().expect("a definition's number");
    let definition = &mut promise.definitions[number];
    let last = promise
        .sites
        .iter_mut()
        .rev()
        .find(|site| site.definition == number);
    match kind {
        "stmt" => {
            let target = slice(text, mark.range)
                .split(" =")
                .next()
                .expect("a target")
                .to_owned();
            promise.sites.push(PromisedSite {
                definition: number,
                call: TextRange::default(),
                rewrite: Rewrite::DropBinding {
                    statement: mark.range,
                    target,
                    uses: vec![],
                    writes: vec![],
                },
                applicability: Applicability::Safe,
            });
        }
        "call" => {
            if definition.origin.is_empty() {
                definition.origin = mark.range;
            }
            let applicability = if is_unsafe {
                Applicability::Unsafe
            } else {
                Applicability::Safe
            };
            if let Some(site) = last.filter(|site| site.call.is_empty()) {
                site.call = mark.range;
                site.applicability = applicability;
                return;
            }
            promise.sites.push(PromisedSite {
                definition: number,
                call: mark.range,
                rewrite: Rewrite::ReplaceExpression,
                applicability,
            });
        }
        "use" | "write" => {
            let site = last.expect("a site before its uses");
            let is_origin = site.call == definition.origin;
            let Rewrite::DropBinding { uses, writes, .. } = &mut site.rewrite else {
                panic!("a use of a name that is kept");
            };
            if kind == "use" {
                uses.push(mark.range);
                return;
            }
            writes.push(mark.range);
            if is_origin {
                definition.writes.push(MovedStatement {
                    statement: mark.range,
                });
            }
        }
        "same" => definition.reused = Some(mark.range),
        "sub" => definition.substitutions.push((mark.range, new.to_owned())),
        other => panic!("no such mark: {other}"),
    }
}
