//! "Did you mean …?": the known word that a mistyped one is closest to.

use strsim::damerau_levenshtein;

/// ` Did you mean `word`?` with the closest of `known`, or nothing when none is close.
///
/// Close is one slip, or one for every four letters of a longer word; case and the choice between
/// `-` and `_` are no slips.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let plain = |word: &str| word.to_lowercase().replace('_', "-");
    let slips = |candidate: &&str| damerau_levenshtein(&plain(word), &plain(candidate));
    let closest = known.into_iter().min_by_key(slips);
    let most = (word.chars().count() / 4).max(1);
    closest
        .filter(|closest| !word.is_empty() && slips(closest) <= most)
        .map(|closest| format!(" Did you mean `{closest}`?"))
        .unwrap_or_default()
}

/// The words as a choice in a sentence: `` `a`, `b` or `c` ``.
#[must_use]
pub fn choice(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["exclude", "extend-exclude", "unsafe-fixes", "naming"];

    #[test]
    fn a_slip_is_seen_and_another_word_is_not() {
        for (word, expected) in [
            ("exlude", "exclude"),
            ("namign", "naming"),
            ("extend_exclude", "extend-exclude"),
            ("unsafe-fix", "unsafe-fixes"),
            ("Naming", "naming"),
        ] {
            assert_eq!(
                did_you_mean(word, KEYS),
                format!(" Did you mean `{expected}`?")
            );
        }
        for word in ["include", "line-length", "x", ""] {
            assert_eq!(did_you_mean(word, KEYS), "", "{word}");
        }
    }

    #[test]
    fn a_choice_reads_as_a_sentence() {
        assert_eq!(choice(&["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(choice(&["a"]), "`a`");
    }
}
