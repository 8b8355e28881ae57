//! Room 3: what to look for, and what to say about it.

pub mod diagnostic;
pub mod field_names;
pub mod fix;
pub mod judgement;
pub mod message;
pub mod registry;
#[expect(clippy::module_inception)]
pub mod rule;
pub mod signature;
pub mod skip_reason;
pub mod suppression;

pub use diagnostic::{Definition, Diagnostic, FindingKey};
pub use fix::{Applicability, Fix};
pub use judgement::{Judgement, MergeKey, Verdict, judge};
pub use message::MessageWords;
pub use registry::{Registry, RegistryError, registry};
pub use rule::{Code, Role, Rule};
pub use signature::{BoundArguments, FactoryArguments, bind};
pub use skip_reason::SkipReason;
pub use suppression::{OwnComment, Suppressions};
