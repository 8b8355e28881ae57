//! Fingerprints: by them a service knows a finding again after the lines around it have changed.

use std::collections::BTreeMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::root::Place;
use crate::rule::Diagnostic;

/// Numbers the findings of one file that differ in their lines alone.
#[derive(Debug, Default)]
pub(super) struct Ordinals<'a> {
    counts: BTreeMap<(&'a str, &'a str, Option<&'a str>), usize>,
}

impl<'a> Ordinals<'a> {
    /// The number of `diagnostic` among its equals so far, from 1.
    pub(super) fn next(&mut self, diagnostic: &'a Diagnostic) -> usize {
        let typename = diagnostic.typename.as_deref();
        let key = (diagnostic.code, diagnostic.scope.as_str(), typename);
        let count = self.counts.entry(key).or_default();
        *count += 1;
        *count
    }
}

/// The SHA-256 of `parts` and of the path at `place`, in hexadecimal digits.
///
/// No part may hold a NUL. The path goes in as a URI, in which no two names look alike.
pub(super) fn of(place: &Place, parts: [&str; 4]) -> String {
    let mut hash = Sha256::new();
    hash.update(place.uri());
    for part in parts {
        hash.update("\0");
        hash.update(part);
    }
    let mut out = String::new();
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
