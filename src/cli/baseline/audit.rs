//! What a run says about a baseline: which of its entries no longer occur, and what it should hold.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::{Baseline, Counts, document};
use crate::cli::file::Outcome;
use crate::rule::{FindingKey, Registry};

/// The findings of the files of a run, held against a baseline.
#[derive(Debug)]
pub(crate) struct Audit<'a> {
    baseline: &'a Baseline,
    /// The files that were checked, by name.
    checked: BTreeMap<String, Checked>,
    /// The files that could not be checked, by name.
    failed: BTreeSet<String>,
}

#[derive(Debug)]
struct Checked {
    /// What is left in the file, accepted or not.
    left: Counts,
    /// The codes that were looked for.
    codes: BTreeSet<&'static str>,
    /// All rules that there are for the file.
    registry: &'static Registry,
}

/// An entry of a baseline that occurs less often than it is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stale {
    /// The name of the file.
    pub(crate) file: String,
    /// What was accepted.
    pub(crate) key: FindingKey,
    /// How often it is accepted.
    pub(crate) allowed: usize,
    /// How often it is left.
    pub(crate) left: usize,
}

/// A baseline that was made anew.
#[derive(Debug)]
pub(crate) struct Rewritten {
    /// The whole of its file.
    pub(crate) text: String,
    /// How many findings it accepts.
    pub(crate) accepted: usize,
    /// How many of them the old one did not accept.
    pub(crate) new: usize,
    /// How many that the old one accepted it does not.
    pub(crate) gone: usize,
}

impl<'a> Audit<'a> {
    /// An audit of `baseline`.
    pub(crate) fn new(baseline: &'a Baseline) -> Self {
        Self {
            baseline,
            checked: BTreeMap::new(),
            failed: BTreeSet::new(),
        }
    }

    /// Takes note of what became of one file, in which `codes` were looked for.
    pub(crate) fn add(&mut self, outcome: &Outcome, codes: &BTreeSet<&'static str>) {
        let name = self.baseline.name(&outcome.path);
        if outcome.problem.is_some() {
            self.failed.insert(name);
            return;
        }
        let mut left = super::count(&outcome.diagnostics);
        for (key, count) in &outcome.accepted {
            *left.entry(key.clone()).or_default() += count;
        }
        if !left.is_empty() || self.baseline.files.contains_key(&name) {
            let checked = Checked {
                left,
                codes: codes.clone(),
                registry: outcome.registry,
            };
            self.checked.insert(name, checked);
        }
    }

    /// The entries that occur less often than they are accepted, as far as the run can tell.
    pub(crate) fn stale(&self) -> Vec<Stale> {
        let files = self.baseline.files.iter();
        let entries =
            files.flat_map(|(file, counts)| counts.iter().map(move |entry| (file, entry)));
        entries
            .filter(|(file, (key, _))| self.judges(file, key))
            .map(|(file, (key, allowed))| Stale {
                file: file.clone(),
                key: key.clone(),
                allowed: *allowed,
                left: self.left(file, key),
            })
            .filter(|stale| stale.left < stale.allowed)
            .collect()
    }

    /// The baseline that accepts what is left; what the run cannot tell stays as it is in `current`, the
    /// baseline as its file has it now.
    ///
    /// # Errors
    /// As writing JSON does.
    pub(crate) fn rewritten(&self, current: &Baseline) -> Result<Rewritten> {
        let mut files: BTreeMap<String, Counts> = BTreeMap::new();
        for (file, counts) in &current.files {
            for (key, allowed) in counts.iter().filter(|(key, _)| !self.judges(file, key)) {
                let kept = files.entry(file.clone()).or_default();
                kept.insert(key.clone(), *allowed);
            }
        }
        for (file, checked) in &self.checked {
            let kept = files.entry(file.clone()).or_default();
            kept.extend(
                checked
                    .left
                    .iter()
                    .map(|(key, count)| (key.clone(), *count)),
            );
        }
        files.retain(|_, counts| !counts.is_empty());
        Ok(Rewritten {
            text: document::text(&files)?,
            accepted: files.values().flat_map(Counts::values).sum(),
            new: surplus(&files, &current.files),
            gone: surplus(&current.files, &files),
        })
    }

    fn left(&self, file: &str, key: &FindingKey) -> usize {
        let counts = self.checked.get(file).map(|checked| &checked.left);
        counts.and_then(|left| left.get(key)).copied().unwrap_or(0)
    }

    /// Whether the run can tell how often `key` occurs in `file`: the file was checked for it, or is
    /// gone.
    fn judges(&self, file: &str, key: &FindingKey) -> bool {
        if let Some(checked) = self.checked.get(file) {
            let is_known = checked.registry.by_code(&key.code).is_some();
            return checked.codes.contains(key.code.as_str()) || !is_known;
        }
        !self.failed.contains(file) && !self.baseline.has_file(file)
    }
}

/// How many findings `left` counts beyond those of `right`.
fn surplus(left: &BTreeMap<String, Counts>, right: &BTreeMap<String, Counts>) -> usize {
    let entries = left
        .iter()
        .flat_map(|(file, counts)| counts.iter().map(move |entry| (file, entry)));
    entries
        .map(|(file, (key, count))| {
            let other = right.get(file).and_then(|counts| counts.get(key));
            count.saturating_sub(other.copied().unwrap_or(0))
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::problem::Problem;
    use crate::cli::report::tests::diagnostics;
    use std::path::Path;

    const CODES: [&str; 2] = ["HNT001", "HNT101"];

    /// A folder with the given files, and a baseline that accepts two findings of one kind in each.
    fn known(files: &[&str]) -> (tempfile::TempDir, Baseline) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        let mut baseline = Baseline::empty(&path).unwrap();
        for file in files {
            std::fs::write(folder.path().join(file), "").unwrap();
            let counts = crate::cli::baseline::count(&found(2));
            baseline.files.insert((*file).to_owned(), counts);
        }
        (folder, baseline)
    }

    /// So many findings of one kind.
    fn found(count: usize) -> Vec<crate::rule::Diagnostic> {
        let first = || diagnostics("namedtuple()\n").remove(0);
        std::iter::repeat_with(first).take(count).collect()
    }

    fn checked(folder: &Path, file: &str, left: usize) -> Outcome {
        Outcome {
            path: folder.join(file),
            diagnostics: found(left),
            registry: crate::rule::registry().unwrap(),
            ..Outcome::default()
        }
    }

    /// The stale entries as `file: left`.
    fn stale(audit: &Audit<'_>) -> Vec<String> {
        let all = audit.stale();
        all.iter()
            .map(|stale| format!("{}: {}", stale.file, stale.left))
            .collect()
    }

    #[test]
    fn what_occurs_less_often_is_stale_and_leaves_the_file() {
        let (folder, baseline) = known(&["a.py", "b.py", "c.py"]);
        let mut audit = Audit::new(&baseline);
        for (file, left) in [("a.py", 2), ("b.py", 1), ("c.py", 0)] {
            audit.add(&checked(folder.path(), file, left), &CODES.into());
        }
        assert_eq!(stale(&audit), ["b.py: 1", "c.py: 0"]);
        let rewritten = audit.rewritten(&baseline).unwrap();
        let counts = (rewritten.accepted, rewritten.new, rewritten.gone);
        assert_eq!(counts, (3, 0, 3));
        let text = rewritten.text;
        assert!(
            text.contains(r#""a.py""#) && !text.contains(r#""c.py""#),
            "{text}"
        );
    }

    #[test]
    fn what_another_process_accepted_meanwhile_stays() {
        let (folder, baseline) = known(&["a.py"]);
        let mut audit = Audit::new(&baseline);
        audit.add(&checked(folder.path(), "a.py", 3), &CODES.into());
        std::fs::write(folder.path().join("b.py"), "").unwrap();
        let mut current = baseline.read_again().unwrap();
        current.files = ["a.py", "b.py"]
            .map(|file| (file.to_owned(), crate::cli::baseline::count(&found(2))))
            .into();
        let rewritten = audit.rewritten(&current).unwrap();
        let counts = (rewritten.accepted, rewritten.new, rewritten.gone);
        assert_eq!(counts, (5, 1, 0));
    }

    #[test]
    fn a_run_over_some_files_says_nothing_of_the_others() {
        let (folder, baseline) = known(&["a.py", "b.py"]);
        let mut audit = Audit::new(&baseline);
        audit.add(&checked(folder.path(), "a.py", 2), &CODES.into());
        assert_eq!(stale(&audit), Vec::<String>::new());
        assert_eq!(audit.rewritten(&baseline).unwrap().accepted, 4);
    }

    #[test]
    fn a_file_that_is_gone_is_stale() {
        let (folder, baseline) = known(&["a.py", "b.py"]);
        std::fs::remove_file(folder.path().join("a.py")).unwrap();
        assert_eq!(stale(&Audit::new(&baseline)), ["a.py: 0"]);
    }

    #[test]
    fn what_was_not_looked_for_is_not_missed() {
        let (folder, baseline) = known(&["a.py", "b.py"]);
        let mut audit = Audit::new(&baseline);
        audit.add(&checked(folder.path(), "a.py", 0), &["HNT101"].into());
        audit.add(
            &Outcome {
                problem: Some(Problem::new("b.py", "It is broken.")),
                ..checked(folder.path(), "b.py", 0)
            },
            &CODES.into(),
        );
        assert_eq!(stale(&audit), Vec::<String>::new());
        assert_eq!(audit.rewritten(&baseline).unwrap().accepted, 4);
    }

    #[test]
    fn accepted_findings_are_left() {
        let (folder, baseline) = known(&["a.py"]);
        let mut audit = Audit::new(&baseline);
        let mut outcome = checked(folder.path(), "a.py", 0);
        outcome.accepted = crate::cli::baseline::count(&found(2));
        audit.add(&outcome, &CODES.into());
        assert_eq!(stale(&audit), Vec::<String>::new());
    }
}
