//! What every decision about a module is made from.

use super::factory::FactoryUse;
use super::facts::LateFacts;
use super::guards::Guards;
use super::module::Module;
use super::name::Surroundings;
use crate::python::NodeId;

/// The module, what is true of it, and what is around it.
#[derive(Debug, Clone, Copy)]
pub struct Inquiry<'m, 'a> {
    /// The module.
    pub module: &'m Module<'a>,
    /// Its calls of a factory that run more than once, in source order, each with what it reaches.
    pub calls: &'m [(NodeId, FactoryUse)],
    /// Its `if` statements that leave their suite.
    pub guards: &'m Guards,
    /// What is true of it as a whole.
    pub facts: &'m LateFacts<'a>,
    /// What is around it.
    pub surroundings: Surroundings<'m>,
}
