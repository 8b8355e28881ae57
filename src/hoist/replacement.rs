//! Replacing an expression by a name where it stands.

use super::layout::Layout;
use crate::python::NodeId;
use crate::text::{Edit, TextRange};

/// The edit that puts `name` in the place of the expression; parentheses around it stay.
///
/// A blank is put in where the name would run into its neighbour, as in `return(a).b()`.
#[must_use]
pub fn replace_expression(layout: &Layout<'_>, expression: NodeId, name: &str) -> Edit {
    let range = layout.range(expression);
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = layout
        .slice(TextRange::up_to(range.start()))
        .chars()
        .next_back();
    let after = layout
        .slice(TextRange::new(range.end(), layout.end()))
        .chars()
        .next();
    let mut content = String::with_capacity(name.len());
    if before.is_some_and(is_word) {
        content.push(' ');
    }
    content.push_str(name);
    if after.is_some_and(is_word) {
        content.push(' ');
    }
    Edit::replacement(content, range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hoist::layout::testing::{call, patched, with_layout};

    #[track_caller]
    fn check(before: &str, marker: &str, after: &str) {
        with_layout(before, |layout| {
            let edit = replace_expression(layout, call(layout, marker), "P");
            assert_eq!(patched(layout, vec![edit]), after);
        });
    }

    #[test]
    fn only_the_call_is_replaced() {
        check(
            "x = [nt('P',\n 'a')(1,\n    2)]  # c\n",
            "nt('P',\n 'a')",
            "x = [P(1,\n    2)]  # c\n",
        );
        check("x = (c\n .nt('P'))(1)\n", "c\n .nt", "x = (P)(1)\n");
        check("f'{nt(\"P\")!r:>2}'\n", "nt(", "f'{P!r:>2}'\n");
    }

    #[test]
    fn the_name_never_runs_into_a_keyword() {
        check("x = a if(c).nt()else b\n", "(c)", "x = a if P else b\n");
    }
}
