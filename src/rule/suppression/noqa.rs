//! `# noqa` comments, which flake8 and others read too.

use super::Silence;

/// Reads `# noqa` and `# noqa: CODE, CODE`, anywhere in the comment and in any case, as flake8 does
/// (`flake8.defaults.NOQA_INLINE_REGEX`): what is no list of codes counts as none.
pub(super) fn noqa(comment: &str) -> Option<Silence> {
    let after = comment.match_indices('#').find_map(|(at, _)| {
        let body = comment.get(at + 1..)?.trim_start();
        let (word, after) = body.split_at_checked("noqa".len())?;
        let ends = !after.starts_with(|char: char| char.is_alphanumeric() || char == '_');
        (word.eq_ignore_ascii_case("noqa") && ends).then_some(after)
    })?;
    let codes = match after.trim_start().strip_prefix(':') {
        Some(list) => leading_codes(list),
        None => vec![],
    };
    Some(if codes.is_empty() {
        Silence::All
    } else {
        Silence::Codes(codes)
    })
}

/// The entries of `list` up to the first that does not look like a code.
fn leading_codes(list: &str) -> Vec<String> {
    let entries = list.split(|char: char| char == ',' || char.is_whitespace());
    entries
        .filter(|entry| !entry.is_empty())
        .take_while(|entry| {
            let digits = entry.trim_start_matches(|char: char| char.is_ascii_alphabetic());
            let has_letters = digits.len() < entry.len();
            let is_upper = !entry.chars().any(|char| char.is_ascii_lowercase());
            has_letters
                && digits.chars().all(|char| char.is_ascii_digit())
                && (!digits.is_empty() || is_upper)
        })
        .map(str::to_owned)
        .collect()
}
