//! Room 3: what to look for, and what to say about it.

pub mod code;
pub mod diagnostic;
pub mod example;
mod field_list;
pub mod field_names;
pub mod fix;
pub mod judgement;
pub mod message;
pub mod parameter;
pub mod registry;
#[expect(clippy::module_inception)]
pub mod rule;
mod rule_file;
pub mod screen;
pub mod signature;
pub mod skip_reason;
pub mod suppression;
mod value_kind;

pub use code::Code;
pub use diagnostic::{Definition, Diagnostic, FindingKey};
pub use example::{Invalid, Valid};
pub use fix::{Applicability, Fix};
pub use judgement::{Judgement, MergeKey, Verdict, judge};
pub use message::MessageWords;
pub use parameter::{FieldForm, NameRule, Parameter, ParameterKind, Role, ValueKind};
pub use registry::{Factory, Registry, registry};
pub use rule::{Cost, Instances, OtherKeywords, Rule};
pub use rule_file::RuleFault;
pub use screen::Screen;
pub use signature::{BoundArguments, FactoryArguments, Given, bind};
pub use skip_reason::SkipReason;
pub use suppression::{OwnComment, Suppressions};
