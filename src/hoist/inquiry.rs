//! What every decision about a module is made from.

use super::facts::Facts;
use super::module::Module;
use super::name::Surroundings;

/// The module, what is true of it, and what is around it.
#[derive(Debug, Clone, Copy)]
pub struct Inquiry<'m, 'a> {
    /// The module.
    pub module: &'m Module<'a>,
    /// What is true of it as a whole.
    pub facts: &'m Facts<'a>,
    /// What is around it.
    pub surroundings: Surroundings<'m>,
}
