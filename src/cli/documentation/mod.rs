//! `--explain`, `--list-rules` and `--generate`: what is printed in place of a check.

mod manual;
mod page;
mod styled;
mod table;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::args::Args;
use super::config::selection;
use super::config::{Configuration, Configurations};
use super::generate;
use super::options;
use crate::rule::{Registry, registry};
use crate::text::single_line::{escape, tamed};

pub(crate) use manual::rules_md;
pub(crate) use page::page;

/// The documentation that `args`, given in the folder `cwd`, ask for, or `None` when they ask for
/// something else; `is_styled` is whether stdout shows colours.
///
/// Rules of the user's own are those that a check in `cwd` would know.
///
/// # Errors
/// A rule that is not known, a fault in the configuration or in a rule file.
pub(crate) fn wanted(args: &Args, cwd: &Path, is_styled: bool) -> Result<Option<String>> {
    if let Some(what) = args.generate {
        return generate::text(what, registry()?).map(Some);
    }
    if args.list_rules {
        let registry = configuration(args, cwd)?.registry;
        return Ok(Some(shown(&table::aligned(&table::rows(registry)))));
    }
    let Some(rule) = &args.explain else {
        return Ok(None);
    };
    let page = shown(&explained(rule, configuration(args, cwd)?.registry)?);
    Ok(Some(if is_styled {
        styled::styled(&page)
    } else {
        page
    }))
}

/// What a check in `cwd` would go by.
///
/// # Errors
/// A fault in the configuration or in a rule file.
pub(crate) fn configuration(args: &Args, cwd: &Path) -> Result<Arc<Configuration>> {
    let configurations = Configurations::new(cwd, &options::request(args))?;
    configurations.of_run(configurations.real_cwd())
}

/// `text`, some of which rule files give, as a terminal and a CI service may read it.
fn shown(text: &str) -> String {
    tamed(&text.replace("\r\n", "\n"), &['\n', '\t'], &escape)
}

fn explained(rule: &str, registry: &Registry) -> Result<String> {
    let found = registry.by_code(rule).or_else(|| registry.by_name(rule));
    let (_, code) = found.with_context(|| {
        format!(
            "--explain: {} Use one of {}.",
            selection::unknown(rule, registry),
            selection::known(registry)
        )
    })?;
    Ok(page(code, registry))
}
