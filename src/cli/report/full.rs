//! The `full` format: the message, the source under it, and what can be done.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet,
};

use super::emitter::Emitter;
use super::{Finding, outcome};
use crate::cli::paths::{shown, single_line};
use crate::rule::Diagnostic;
use crate::text::single_line::tamed;
use crate::text::{Lines, TextSize};

/// Lines of one call that are shown.
const MAX_LINES: usize = 12;
/// Characters of one line that are shown.
const MAX_WIDTH: usize = 160;
/// Characters of one message that are shown.
const MAX_TEXT: usize = 1000;
/// Characters shown before the call in a line that is cut.
const LEAD: usize = 40;

/// Writes a paragraph a finding.
pub(super) struct Full {
    /// Whether it may use colours.
    pub(super) color: bool,
}

impl Emitter for Full {
    fn finding(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let renderer = if self.color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let excerpt = Excerpt::of(finding);
        let rendered = renderer
            .term_width(MAX_WIDTH + 40)
            .render(&[group(finding, excerpt)]);
        writeln!(out, "{rendered}\n")
    }
}

fn group<'a>(finding: &Finding<'_>, excerpt: Excerpt) -> Group<'a> {
    let diagnostic = finding.diagnostic;
    let start = finding.start();
    let snippet: Snippet<'a, Annotation<'a>> = Snippet::source(excerpt.source)
        .line_start(start.row)
        .fold(false)
        .annotation(AnnotationKind::Primary.span(excerpt.call));
    let title = Level::WARNING
        .primary_title(cut(&diagnostic.message))
        .id(diagnostic.code);
    // The renderer counts the column in what is shown, which a cut line starts too late for.
    let group = if excerpt.is_moved {
        let origin = Origin::path(shown(finding.path));
        title
            .element(origin.line(start.row).char_column(start.column))
            .element(snippet)
    } else {
        title.element(snippet.path(shown(finding.path)))
    };
    group.elements(notes(diagnostic))
}

/// What the fix does and which option makes it, or why there is none and what to do by hand.
fn notes<'a>(diagnostic: &Diagnostic) -> Vec<Message<'a>> {
    let mut notes = Vec::new();
    let outcome = outcome(diagnostic);
    match (&diagnostic.fix, outcome) {
        (Some(fix), Some(outcome)) => {
            let text = format!("{} ({outcome})", cut(fix.message()));
            notes.push(Level::HELP.message(text));
        }
        (_, outcome) => notes.extend(outcome.map(|text| Level::NOTE.message(text))),
    }
    notes.extend(diagnostic.help().map(|text| Level::HELP.message(text)));
    notes
}

fn cut(text: &str) -> String {
    let text = single_line(text);
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The lines of a call, small enough to show: lines that are too long are cut around it.
struct Excerpt {
    source: String,
    /// The bytes of the call in `source`.
    call: Range<usize>,
    /// Whether the line that the call starts in is cut before it.
    is_moved: bool,
}

impl Excerpt {
    fn of(finding: &Finding<'_>) -> Self {
        let range = finding.diagnostic.range;
        let lines = finding.lines;
        let first = lines.line_of(range.start());
        let last = lines.line_of(range.end()).min(first + MAX_LINES - 1);
        let mut source = String::new();
        let mut call = 0..0;
        let mut is_moved = false;
        for line in first..=last {
            let window = Window::of(lines, line, range.start());
            if line == first {
                call.start = source.len() + window.offset_of(range.start());
                is_moved = window.lead > 0;
            }
            call.end = source.len() + window.offset_of(range.end());
            source.push_str(&window.text);
            source.push('\n');
        }
        call.end = call.end.max(call.start);
        Self {
            source,
            call,
            is_moved,
        }
    }
}

/// The part of a line that is shown.
struct Window {
    /// With `…` for what is cut off.
    text: String,
    /// The bytes of the whole text that are shown unchanged.
    kept: Range<usize>,
    /// The length of the `…` before them.
    lead: usize,
}

impl Window {
    /// Cuts `line` so that `focus` is in sight when it lies in it.
    fn of(lines: &Lines<'_>, line: usize, focus: TextSize) -> Self {
        let whole = lines.line(line);
        let base = lines.start(line).to_usize();
        let focus = focus.to_usize().saturating_sub(base);
        let is_long = whole.chars().nth(MAX_WIDTH).is_some();
        let before = whole.get(..focus).filter(|_| is_long);
        let start = before.map_or(0, start_of_lead);
        let shown = whole.get(start..).unwrap_or_default();
        let end = start + byte_of(shown, MAX_WIDTH);
        let mark = |is_cut: bool| if is_cut { "…" } else { "" };
        let (lead, tail) = (mark(start > 0), mark(end < whole.len()));
        let shown = whole.get(start..end).unwrap_or_default();
        let shown = with_stand_ins(shown);
        Self {
            text: format!("{lead}{shown}{tail}"),
            kept: base + start..base + end,
            lead: lead.len(),
        }
    }

    /// Where the byte `at` of the whole text stands in this line, or the nearer end of it.
    fn offset_of(&self, at: TextSize) -> usize {
        let at = at.to_usize().clamp(self.kept.start, self.kept.end);
        self.lead + at - self.kept.start
    }
}

/// `text` without what a terminal or a CI service may obey. The renderer shows ASCII's control characters
/// as symbols; the stand-ins of others are as long in UTF-8, so that places stay.
fn with_stand_ins(text: &str) -> String {
    tamed(text, &[], &|letter| {
        let stand_in = match letter {
            '[' => "(",
            _ if letter.is_ascii() => return letter.to_string(),
            _ if letter.len_utf8() == 2 => "\u{a4}",
            _ => "\u{fffd}",
        };
        stand_in.to_owned()
    })
}

/// The byte from which on `before`, which stands before a call in its line, is shown. It may be long, and
/// hold many calls, so that its start is not looked at.
fn start_of_lead(before: &str) -> usize {
    let first = before.char_indices().nth_back(LEAD - 1);
    first.map_or(0, |(at, _)| at)
}

/// The byte at which the character number `count` of `text` starts, or its end.
fn byte_of(text: &str, count: usize) -> usize {
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at)
}
