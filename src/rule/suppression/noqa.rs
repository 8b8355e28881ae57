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

/// Whether what follows a `#` and blanks starts as a `noqa` does.
pub(super) fn may_be_noqa(body: &str) -> bool {
    let word = body.get(.."noqa".len());
    word.is_some_and(|word| word.eq_ignore_ascii_case("noqa"))
}

/// The entries of `list` up to the first that does not look like a code; a code that goes on as
/// something else, such as `HNT101:why`, is the last.
fn leading_codes(list: &str) -> Vec<String> {
    let mut codes = vec![];
    let entries = list.split(|char: char| char == ',' || char.is_whitespace());
    for entry in entries.filter(|entry| !entry.is_empty()) {
        let Some(code) = code(entry) else {
            break;
        };
        codes.push(code.to_owned());
        if code.len() < entry.len() {
            break;
        }
    }
    codes
}

/// The code that `entry` starts with: letters and digits, or capitals alone.
fn code(entry: &str) -> Option<&str> {
    let behind_letters = entry.trim_start_matches(|char: char| char.is_ascii_alphabetic());
    let rest = behind_letters.trim_start_matches(|char: char| char.is_ascii_digit());
    let code = entry.strip_suffix(rest)?;
    let has_letters = behind_letters.len() < entry.len();
    let has_digits = rest.len() < behind_letters.len();
    let is_whole = !rest.starts_with(|char: char| char.is_alphanumeric() || char == '_');
    let is_upper = !code.chars().any(|char| char.is_ascii_lowercase());
    let is_code = has_digits || (is_upper && rest.is_empty());
    (has_letters && is_whole && is_code).then_some(code)
}
