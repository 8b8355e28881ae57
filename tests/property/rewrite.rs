//! Which kinds of rewriting a check has planned, as told by its findings.

use std::collections::{BTreeMap, BTreeSet};

use hoist_namedtuple::check::CheckResult;
use hoist_namedtuple::rule::{Applicability, Definition, Diagnostic, Fix};
use hoist_namedtuple::text::Edit;

/// All kinds.
pub(crate) const REWRITES: [&str; 23] = [
    "drop the binding",
    "drop a binding of module level",
    "replace the expression",
    "unsafe: the class is returned",
    "merged",
    "reuse of an existing definition",
    "attribute writes moved along",
    "literal substituted",
    "another hoisted class read",
    "import brought up",
    "import removed",
    "one name of an import removed",
    "comments moved along",
    "pass left in the suite",
    "definition after what it reads",
    "definition in a shared line",
    "named by class and attribute",
    "named with an underscore",
    "numbered",
    "local of a literal removed",
    "unused comment removed",
    "unused comment removed with a hoist",
    "unused code removed from a comment",
];

/// The kinds that the fixes of `result` show, once a fix.
pub(crate) fn rewrites(text: &str, result: &CheckResult) -> Vec<&'static str> {
    let mut by_fix: BTreeMap<*const Fix, Vec<&Diagnostic>> = BTreeMap::new();
    let (comments, calls): (Vec<_>, Vec<_>) = result
        .diagnostics
        .iter()
        .partition(|found| found.factory.is_none());
    for found in calls {
        if let Some(fix) = &found.fix {
            by_fix
                .entry(std::sync::Arc::as_ptr(fix))
                .or_default()
                .push(found);
        }
    }
    let shown = by_fix.values().flat_map(|sites| kinds(text, result, sites));
    let fixes = comments.iter().filter_map(|found| found.fix.as_ref());
    let removed = fixes.map(|fix| {
        if by_fix.contains_key(&std::sync::Arc::as_ptr(fix)) {
            REWRITES[21]
        } else if fix.message().contains("list") {
            REWRITES[22]
        } else {
            REWRITES[20]
        }
    });
    shown.chain(removed).collect()
}

fn kinds(text: &str, result: &CheckResult, sites: &[&Diagnostic]) -> Vec<&'static str> {
    let (Some(fix), Some(definition)) = (&sites[0].fix, &sites[0].definition) else {
        return vec![];
    };
    let mut kinds = of_sites(sites, fix);
    kinds.extend(of_definition(result, sites, definition));
    kinds.extend(of_literals(text, sites[0], definition, fix));
    kinds.extend(fix.edits().flat_map(|edit| of_edit(text, definition, edit)));
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn of_sites(sites: &[&Diagnostic], fix: &Fix) -> Vec<&'static str> {
    let mut kinds = vec![];
    for site in sites {
        let is_replaced = fix.edits().any(|edit| edit.range() == site.range);
        kinds.push(if is_replaced {
            REWRITES[2]
        } else {
            REWRITES[0]
        });
        if !is_replaced && site.scope.is_empty() {
            kinds.push(REWRITES[1]);
        }
    }
    if fix.applicability() == Applicability::Unsafe {
        kinds.push(REWRITES[3]);
    }
    if sites.len() > 1 {
        kinds.push(REWRITES[4]);
    }
    kinds
}

/// A word of the call that its definition lacks is a name that a literal or another definition took the place of.
fn of_literals(
    text: &str,
    origin: &Diagnostic,
    definition: &Definition,
    fix: &Fix,
) -> Vec<&'static str> {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let known = words(&definition.text);
    let call = words(&text[origin.range]);
    let gone: Vec<&String> = call.difference(&known).collect();
    let reads_class = definition.text.contains("._fields");
    if definition.reused || gone.is_empty() || reads_class {
        return vec![];
    }
    let is_removed = |edit: &Edit| {
        let removed = text[edit.range()].trim_start();
        gone.iter()
            .any(|name| removed.starts_with(&format!("{name} = ")))
    };
    let local = fix.edits().any(is_removed).then_some(REWRITES[19]);
    std::iter::once(REWRITES[7]).chain(local).collect()
}

fn of_definition(
    result: &CheckResult,
    sites: &[&Diagnostic],
    definition: &Definition,
) -> Vec<&'static str> {
    let name = definition.name.as_str();
    let typename = sites[0].typename.as_deref().unwrap_or_default();
    let starts = |prefix: &str| definition.text.lines().any(|line| line.starts_with(prefix));
    let others = result
        .diagnostics
        .iter()
        .filter_map(|found| found.definition.as_ref());
    let mut others = others.filter(|other| other.name != name && !other.reused);
    let private = format!("_{}", typename.trim_start_matches('_'));
    let is_numbered = name
        .strip_prefix(&private)
        .is_some_and(|rest| rest.parse::<u32>().is_ok());
    let shown = [
        (definition.reused, REWRITES[5]),
        (
            !definition.reused && starts(&format!("{name}.")),
            REWRITES[6],
        ),
        (
            others.any(|other| definition.text.contains(&format!("{}._fields", other.name))),
            REWRITES[8],
        ),
        (
            !definition.reused && name != typename && !name.starts_with('_'),
            REWRITES[16],
        ),
        (name == private && name != typename, REWRITES[17]),
        (is_numbered, REWRITES[18]),
    ];
    shown
        .into_iter()
        .filter_map(|(is_shown, kind)| is_shown.then_some(kind))
        .collect()
}

fn of_edit(text: &str, definition: &Definition, edit: &Edit) -> Vec<&'static str> {
    let content = edit.content();
    let removed = &text[edit.range()];
    let mut lines = content.trim_start_matches([';', ' ']).lines();
    let defines = content.contains(&format!("{} = ", definition.name));
    let start = edit.range().start().to_usize();
    let line_before = text[..start].rsplit('\n').next().unwrap_or_default();
    let ends_in_comment = |line: &str| line.rsplit(')').next().is_some_and(|end| end.contains('#'));
    let has_comment = content.lines().any(ends_in_comment);
    let is_import = |text: &str| {
        let text = text.trim_start_matches(['\n', '\r', ' ', '\t', ';']);
        text.starts_with("import ") || text.starts_with("from ")
    };
    let shown = [
        (content.is_empty() && is_import(removed), REWRITES[10]),
        (lines.any(is_import), REWRITES[9]),
        (
            content.is_empty()
                && !is_import(removed)
                && is_import(line_before)
                && !removed.starts_with(';'),
            REWRITES[11],
        ),
        (defines && has_comment, REWRITES[12]),
        (content == "pass", REWRITES[13]),
        (
            defines && (content.starts_with("; ") || content.ends_with("; ")),
            REWRITES[15],
        ),
        (defines && stands_after_function(text, start), REWRITES[14]),
    ];
    shown
        .into_iter()
        .filter_map(|(is_shown, kind)| is_shown.then_some(kind))
        .collect()
}

/// Whether a call of the factory stands before the place: then the definition is not before its first use.
fn stands_after_function(text: &str, at: usize) -> bool {
    let before = &text[..at];
    before
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .is_some_and(|line| {
            (line.contains("import ") || line.contains(" = ")) && before.contains("\ndef late_")
        })
}
