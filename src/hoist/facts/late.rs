//! The facts of a module, not looked for before somebody asks.

use std::cell::OnceCell;
use std::ops::Deref;

use super::Facts;
use crate::hoist::module::Module;

/// The facts of a module, which are looked for when somebody asks first: where no call could be
/// hoisted by its arguments, nobody does.
#[derive(Debug)]
pub struct LateFacts<'a> {
    module: Module<'a>,
    found: OnceCell<Facts<'a>>,
}

impl<'a> LateFacts<'a> {
    /// The facts of `module`.
    #[must_use]
    pub fn of(module: Module<'a>) -> Self {
        Self {
            module,
            found: OnceCell::new(),
        }
    }
}

impl<'a> Deref for LateFacts<'a> {
    type Target = Facts<'a>;

    fn deref(&self) -> &Facts<'a> {
        self.found.get_or_init(|| Facts::collect(&self.module))
    }
}
