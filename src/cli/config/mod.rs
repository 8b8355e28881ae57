//! Configuration: from files and options to the settings that hold for each file.

mod argument;
mod bounds;
mod configuration;
pub(crate) mod exclude;
mod fault;
mod file;
mod finder;
mod forced;
mod layer;
mod parse;
pub(crate) mod patterns;
mod per_file;
pub(crate) mod rule_paths;
#[cfg(test)]
mod schema;
pub(crate) mod selection;
mod table;

pub(crate) use configuration::{Configuration, RunSettings};
pub(crate) use file::FILES;
pub(crate) use finder::{Configurations, Request};
pub(crate) use forced::is_excluded;
pub(crate) use table::{Table, text, texts};
