//! What a class lets be read without telling itself from an equal one.

use crate::rule::{Factory, Instances, Judgement, ValueKind};

/// Attributes of every class that equal classes share: its names and its docstring.
const NAMES: [&str; 4] = ["__name__", "__qualname__", "__module__", "__doc__"];

/// What is known of a class from its factory and the call that makes it.
#[derive(Debug, Clone)]
pub struct ClassTraits {
    /// The factory.
    pub factory: Factory,
    /// The fields or members; empty when they are not known.
    fields: Vec<String>,
    /// The further attributes, which are constants.
    attributes: Vec<String>,
}

impl ClassTraits {
    /// The traits of the class that a judged call of the factory makes.
    #[must_use]
    pub fn new(factory: Factory, judgement: &Judgement<'_>) -> Self {
        Self {
            factory,
            fields: judgement.fields.clone().unwrap_or_default(),
            attributes: judgement.attributes.clone(),
        }
    }

    /// Whether nothing but its factory tells what may be read of it.
    #[must_use]
    pub fn is_like_all(&self) -> bool {
        !self.has_members() && self.attributes.is_empty()
    }

    /// Whether reading the attribute of the class gives what equal classes share.
    #[must_use]
    pub fn shares(&self, attribute: &str) -> bool {
        let harmless = &self.factory.rule.harmless_attributes;
        NAMES.contains(&attribute)
            || harmless.iter().any(|name| name == attribute)
            || self.is_further(attribute)
    }

    /// Whether the attribute of the class is a member of it.
    #[must_use]
    pub fn is_member(&self, attribute: &str) -> bool {
        self.has_members() && self.is_field(attribute)
    }

    /// Whether the name is a field or a member; those that a class body would mangle are left out.
    #[must_use]
    pub fn is_field(&self, name: &str) -> bool {
        !name.starts_with("__")
            && !self.is_further(name)
            && self.fields.iter().any(|field| field == name)
    }

    fn is_further(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute == name)
    }

    /// Whether the class has members that exist once.
    #[must_use]
    pub fn has_members(&self) -> bool {
        self.factory.rule.instances == Instances::MembersByIdentity
    }

    /// Whether an instance or a member that leaves the call tells one class from another.
    #[must_use]
    pub fn instances_tell(&self) -> bool {
        self.has_members() || self.factory.rule.instances == Instances::ByClass
    }

    /// Whether what a call of the class gives is no instance of it.
    #[must_use]
    pub fn makes_no_instances(&self) -> bool {
        self.factory.rule.instances == Instances::Plain
    }

    /// Whether its members can be combined, so that a lookup by value may add members to the class.
    #[must_use]
    pub fn combines_members(&self) -> bool {
        let values = self.factory.rule.member_values.get(self.factory.name);
        values == Some(&ValueKind::Bit)
    }
}
