//! Room 4: the transform from per-call factory calls to a plan of edits; pure.

pub mod alias_removal;
pub mod definition;
pub mod insertion;
pub mod layout;
pub mod promise;
pub mod removal;
pub mod replacement;

pub use promise::{
    MovedStatement, Promise, PromisedDefinition, PromisedImport, PromisedSite, Rewrite,
};
