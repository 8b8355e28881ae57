//! Whether anyone can see that calls share one class, by where the class and its instances go.

use super::class_traits::ClassTraits;
use super::escape::Tracker;
use super::inquiry::Inquiry;
use super::instance_uses::{InstanceUse, instance_uses};
use super::instances;
use super::site::Site;
use crate::python::NodeId;
use crate::rule::{Applicability, SkipReason};

impl<'a> Inquiry<'_, 'a> {
    /// Whether sharing the class can be seen, and by whom; the statements in `moved` are writes that
    /// travel with the definition.
    ///
    /// # Errors
    /// Returns how it can be seen, when no fix may be offered for that.
    pub(super) fn observers(
        &self,
        site: &Site<'a>,
        class: &ClassTraits,
        moved: &[NodeId],
    ) -> Result<Applicability, SkipReason> {
        let place = (self.module, self.facts);
        let fate = Tracker::fate(place, class, site.call, moved);
        if let Some(reason) = fate.refusal() {
            return Err(reason);
        }
        if class.instances_tell() {
            let escape = Tracker::follow(place, class, site.call, moved);
            let uses = instance_uses((self.module, self.facts), class, site.call, &escape);
            let mut uses = uses.iter();
            if uses.any(|seen| matches!(seen.used, InstanceUse::Escapes(_))) {
                return Err(SkipReason::InstanceEscapes);
            }
        } else if !class.makes_no_instances()
            && !instances::telling(self.module, self.facts).is_empty()
        {
            let escape = Tracker::follow(place, class, site.call, moved);
            if instances::class_is_reached(self.module, self.facts, &escape.instances) {
                return Err(SkipReason::ClassReachedThroughInstance);
            }
        }
        if fate.is_returned {
            Ok(Applicability::Unsafe)
        } else {
            Ok(Applicability::Safe)
        }
    }
}
