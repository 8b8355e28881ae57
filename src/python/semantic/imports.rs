//! Qualified names: what an imported name stands for.

use std::fmt;

/// A dotted name from the root of the import system, such as `collections.namedtuple`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QualifiedName(Box<str>);

impl QualifiedName {
    /// The name of a module, with its leading dots when it is relative.
    #[must_use]
    pub fn module(dotted: &str) -> Self {
        Self(dotted.into())
    }

    /// The attribute `name` of this.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Self {
        if self.0.ends_with('.') {
            return Self(format!("{}{name}", self.0).into());
        }
        Self(format!("{}.{name}", self.0).into())
    }

    /// The dotted text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    #[must_use]
    pub fn last(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
