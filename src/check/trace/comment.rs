//! How it was found that an own comment silences nothing.

use super::words::{Words, quoted};
use super::{Label, Lines};
use crate::hoist::Module;
use crate::rule::suppression::Position;
use crate::rule::suppression::own::Directive;
use crate::rule::suppression::usage::{Part, Unused};
use crate::rule::{Fix, OwnComment, SkipReason};

/// The trace of a finding about a comment: the comment, what it names, and what it silences.
pub(in crate::check) fn unused_comment(
    module: &Module<'_>,
    (comment, unused): (&OwnComment, &Unused),
    (fix, skip_reason): (Option<&Fix>, Option<SkipReason>),
) -> Vec<String> {
    let words = Words { module };
    let mut lines = Lines::default();
    let (text, place) = (
        words.text(comment.range),
        words.place(comment.range.start()),
    );
    let position = match comment.position {
        Position::Trailing => "behind code",
        Position::AloneInside => "alone on its line, inside a statement",
        Position::Alone => "alone on its line",
    };
    lines.say(Label::Comment, format!("{text} at {place}, {position}."));
    lines.say(Label::Names, format!("{}.", named(&comment.directive)));
    lines.say(Label::Silences, format!("{}.", silenced(comment, unused)));
    match (fix, skip_reason) {
        (Some(fix), _) => lines.say(Label::Fix, fix.message()),
        (None, Some(reason)) => {
            let (sentence, code) = (reason.sentence(), reason.code());
            lines.say(Label::NoFix, format!("{sentence} [{code}]"));
        }
        (None, None) => {}
    }
    lines.0
}

fn named(directive: &Directive) -> String {
    match directive {
        Directive::IgnoreAll => "every rule, on the statement".to_owned(),
        Directive::IgnoreFile => "every rule, in the whole file".to_owned(),
        Directive::Malformed(_) => "nothing, as it cannot be read".to_owned(),
        Directive::IgnoreCodes(entries) => {
            let codes: Vec<String> = entries.iter().map(|entry| quoted(&entry.code)).collect();
            codes.join(", ")
        }
    }
}

fn silenced(comment: &OwnComment, unused: &Unused) -> String {
    match (&comment.directive, &unused.part) {
        (Directive::IgnoreCodes(entries), Part::Entries(gone)) => {
            let gone = gone.iter().filter_map(|number| entries.get(*number));
            let gone: Vec<String> = gone.map(|entry| quoted(&entry.code)).collect();
            format!("nothing by {}", gone.join(", "))
        }
        _ => "nothing".to_owned(),
    }
}
