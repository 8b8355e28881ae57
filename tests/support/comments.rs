//! The findings about comments, and which bytes go with a fix that says nothing of them.

use hoist_namedtuple::rule::{Diagnostic, Fix};
use hoist_namedtuple::text::{TextRange, TextSize};

use super::Checked;

/// Whether the finding is about a comment, and not about a call.
pub(super) fn is_about_comment(found: &Diagnostic) -> bool {
    found.factory.is_none()
}

impl Checked {
    /// The comments that go although the fix says nothing of it, which is that of a hoist: each with
    /// the blanks before it, and with its line when it is alone on it.
    pub(super) fn removed_with_hoists(&self) -> Vec<TextRange> {
        let text = self.fixture.text.as_str();
        let found = self.result.diagnostics.iter().enumerate();
        let shared = found.filter(|(index, found)| {
            let fix = found.fix.as_deref();
            self.is_fixed(*index)
                && is_about_comment(found)
                && fix.is_some_and(|fix| self.made_by_calls().any(|hoist| std::ptr::eq(hoist, fix)))
        });
        let ranges = shared.map(|(_, found)| {
            let (start, end) = (found.range.start().to_usize(), found.range.end().to_usize());
            let before = text[..start].trim_end_matches([' ', '\t']);
            let after = &text[end..];
            let line = after.len() - after.trim_start_matches(['\r', '\n']).len();
            let is_alone = before.ends_with('\n');
            let end = if is_alone { end + line.min(2) } else { end };
            let offset = |at: usize| TextSize::try_from(at).unwrap();
            TextRange::new(offset(before.len()), offset(end))
        });
        ranges.collect()
    }

    fn made_by_calls(&self) -> impl Iterator<Item = &Fix> {
        let found = self.result.diagnostics.iter();
        found
            .filter(|found| !is_about_comment(found))
            .filter_map(|found| found.fix.as_deref())
    }
}
