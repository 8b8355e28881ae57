//! `--test-rules`: the examples of rule files, held against what a check makes of them.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::check::example::{Difference, Examples};
use crate::cli::config::rule_paths::{self, Registries};
use crate::cli::disk::diff;
use crate::cli::exit::ExitStatus;
use crate::cli::guard::guarded;
use crate::cli::paths::single_line;
use crate::cli::summary::counted;
use crate::cli::workers;
use crate::rule::{Invalid, Registry, Rule, Valid, registry};
use crate::text::single_line::{escape, tamed};

/// The name of an example in its diff.
const SHOWN: &str = "example.py";

/// One example of a rule.
struct Example {
    rule: &'static Rule,
    /// Its key in the file, such as `invalid[0]`.
    key: String,
    kind: Kind,
}

enum Kind {
    Valid(&'static Valid),
    Invalid(&'static Invalid),
}

impl Example {
    fn title(&self) -> &'static str {
        match self.kind {
            Kind::Valid(example) => &example.title,
            Kind::Invalid(example) => &example.title,
        }
    }

    /// What differs, in words and a diff; `None` when nothing does.
    fn report(&self, registry: &'static Registry) -> Option<String> {
        let run = || {
            let examples = Examples::new(registry, Some(self.rule));
            match self.kind {
                Kind::Valid(example) => examples.valid(example),
                Kind::Invalid(example) => examples.invalid(example),
            }
        };
        let (sentence, diff) = match guarded(run) {
            Ok(None) => return None,
            Ok(Some(Difference::Told(sentence))) => (single_line(&sentence), String::new()),
            Ok(Some(Difference::Fixed { expected, found })) => {
                let diff = diff::unified(expected.as_bytes(), found.as_bytes(), Path::new(SHOWN));
                let sentence = "`--fix` makes another text of it (`+`) than it shows (`-`). Correct one of them.";
                (
                    sentence.to_owned(),
                    String::from_utf8_lossy(&diff).into_owned(),
                )
            }
            Err(sentence) => (sentence, String::new()),
        };
        let (file, key, title) = (&self.rule.file, &self.key, self.title());
        let text = format!("{file}: `{key}` ({title}): {sentence}\n{diff}");
        Some(tamed(&text.replace("\r\n", "\n"), &['\n', '\t'], &escape))
    }
}

/// Runs the examples of the rules at `path`, a folder or a file as seen from the folder `cwd`.
///
/// # Errors
/// A fault in a rule file, or that there is none.
pub(super) fn test(path: &Path, cwd: &Path) -> Result<(String, ExitStatus)> {
    let files =
        rule_paths::files(&cwd.join(path)).map_err(|message| anyhow!("--test-rules: {message}"))?;
    let rules = Registries::new(cwd)
        .of(&files)
        .map_err(|problem| anyhow!("{}", problem.sentence()))?;
    let built_in = registry()?;
    let own = rules.rules();
    let own: Vec<&'static Rule> = own
        .filter(|rule| built_in.by_code(&rule.constant.code).is_none())
        .collect();
    let examples: Vec<Example> = own.iter().flat_map(|rule| of_rule(rule)).collect();
    let (mut text, mut differing) = (String::new(), 0);
    workers::in_order(
        &examples,
        |example| example.report(rules),
        |report| {
            if let Some(report) = report {
                text.push_str(&report);
                differing += 1;
            }
        },
    )
    .context("No thread could be started. Raise the limits on memory and processes.")?;
    let of_rules = format!(
        "{} of {}",
        counted(examples.len(), "example"),
        counted(own.len(), "rule")
    );
    text.push_str(&match (differing, examples.len()) {
        (0, 1) => format!("{of_rules} passes.\n"),
        (0, _) => format!("{of_rules} pass.\n"),
        (1, _) => format!("1 of {of_rules} differs.\n"),
        (_, _) => format!("{differing} of {of_rules} differ.\n"),
    });
    let status = match differing {
        0 => ExitStatus::Clean,
        _ => ExitStatus::Findings,
    };
    Ok((text, status))
}

fn of_rule(rule: &'static Rule) -> impl Iterator<Item = Example> {
    let example = move |key: String, kind| Example { rule, key, kind };
    let valid = rule.valid.iter().enumerate();
    let valid = valid.map(move |(at, valid)| example(format!("valid[{at}]"), Kind::Valid(valid)));
    let invalid = rule.invalid.iter().enumerate();
    let invalid =
        invalid.map(move |(at, invalid)| example(format!("invalid[{at}]"), Kind::Invalid(invalid)));
    valid.chain(invalid)
}
