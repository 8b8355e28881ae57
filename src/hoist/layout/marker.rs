//! Comments that mark lines for a tool, and so have to stay where they are.

/// Whether the comment opens or closes a region of lines for a tool, or speaks to one about the
/// whole block that it stands in.
#[must_use]
pub(crate) fn is_region_marker(comment: &str) -> bool {
    const MARKERS: [&str; 9] = [
        "fmt: off",
        "fmt: on",
        "yapf: disable",
        "yapf: enable",
        "isort: off",
        "isort: on",
        "autopep8: off",
        "autopep8: on",
        "endregion",
    ];
    const FOR_THE_BLOCK: [&str; 2] = ["pylint: disable=", "pylint: enable="];
    let words = words(comment);
    let is_marker = |marker: &str| {
        words
            .strip_prefix(marker)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    comment.starts_with("#region")
        || is_signature(words)
        || MARKERS.iter().any(|marker| is_marker(marker))
        || FOR_THE_BLOCK.iter().any(|marker| words.starts_with(marker))
}

/// Whether the comment is the signature of the function whose body it opens (PEP 484, "Suggested
/// syntax for Python 2.7 and straddling code").
fn is_signature(words: &str) -> bool {
    let signature = words.strip_prefix("type:").map(str::trim_start);
    signature.is_some_and(|signature| signature.starts_with('(') && signature.contains("->"))
}

/// Whether the comment starts a cell of a notebook that is kept as a script: the percent format,
/// `nbconvert`'s, Databricks', and Jupytext's light format.
#[must_use]
pub(crate) fn is_cell_marker(comment: &str) -> bool {
    let words = words(comment);
    words.starts_with("%%")
        || words.starts_with("In[")
        || words.starts_with("COMMAND ----------")
        || matches!(words.trim_end(), "+" | "-")
        || words.starts_with("+ [")
}

fn words(comment: &str) -> &str {
    comment.trim_start_matches('#').trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_every_notebook_format_are_known() {
        for marker in [
            "# %% [markdown]",
            "#%%",
            "# In[2]:",
            "# COMMAND ----------",
            "# +",
            "# -",
        ] {
            assert!(is_cell_marker(marker), "{marker}");
        }
        for comment in ["# 20 %% of it", "# + one", "# In the end", "#"] {
            assert!(!is_cell_marker(comment), "{comment}");
        }
    }

    #[test]
    fn pragmas_for_the_next_line_are_no_region() {
        assert!(is_region_marker("# fmt: off"));
        assert!(is_region_marker("# pylint: disable=invalid-name"));
        assert!(!is_region_marker("# pylint: disable-next=invalid-name"));
        assert!(!is_region_marker("# fmt: offset"));
    }
}
