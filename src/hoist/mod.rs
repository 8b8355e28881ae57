//! Room 4: the transform from per-call factory calls to a plan of edits; pure.

pub mod alias_removal;
pub mod assembly;
pub mod attribute_reads;
pub mod callee;
pub mod class_traits;
pub mod constants;
pub mod decorators;
mod defaults;
pub mod definition;
pub mod eligibility;
pub mod escape;
pub mod existing;
pub mod factory;
pub mod facts;
pub mod fixed_class;
pub mod followed;
pub mod gates;
pub mod group;
pub mod guards;
pub mod handlers;
pub mod import;
pub mod inquiry;
pub mod insertion;
mod instance_attributes;
mod instance_calls;
pub mod instance_flow;
mod instance_holders;
pub mod instance_uses;
pub mod instances;
pub mod layout;
pub mod lazy;
pub mod method;
pub mod module;
pub mod name;
mod observers;
pub mod outside;
pub mod place;
pub mod plan;
pub mod promise;
pub mod rebinding;
pub mod reflection;
pub mod removal;
pub mod replacement;
pub mod shipping;
pub mod site;
pub mod special_methods;
pub mod spelling;
pub mod strings;
pub mod type_argument;
pub mod usage;
pub mod writes;

pub use module::Module;
pub use name::{Naming, Surroundings};
pub use promise::{
    MovedStatement, Promise, PromisedDefinition, PromisedImport, PromisedSite, Rewrite,
};
