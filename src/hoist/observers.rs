//! Whether anyone can see that calls share one class, by where the class and its instances go.

use super::class_traits::ClassTraits;
use super::escape::Escape;
use super::inquiry::Inquiry;
use super::instance_uses::{InstanceUse, instance_uses};
use super::instances;
use super::site::Site;
use crate::rule::{Applicability, SkipReason};

impl<'a> Inquiry<'_, 'a> {
    /// Whether sharing the class can be seen, and by whom.
    ///
    /// # Errors
    /// Returns how it can be seen, when no fix may be offered for that.
    pub(super) fn observers(
        &self,
        site: &Site<'a>,
        class: &ClassTraits,
        escape: &Escape,
    ) -> Result<Applicability, SkipReason> {
        if let Some(reason) = escape.refusal() {
            return Err(reason);
        }
        let uses = instance_uses((self.module, self.facts), class, site.call, escape);
        let mut uses = uses.iter();
        if uses.any(|seen| matches!(seen.used, InstanceUse::Escapes(_))) {
            return Err(SkipReason::InstanceEscapes);
        }
        let is_followed = class.instances_tell() || class.makes_no_instances();
        if !is_followed && instances::class_is_reached(self.module, self.facts, &escape.instances) {
            return Err(SkipReason::ClassReachedThroughInstance);
        }
        if escape.returned_from.is_empty() {
            Ok(Applicability::Safe)
        } else {
            Ok(Applicability::Unsafe)
        }
    }
}
