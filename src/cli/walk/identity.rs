//! Which of the paths that were met are the same file.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

/// Stands for a path without links in 128 bits, as a large tree's paths would fill the memory. Two
/// paths of one run share it by chance once in 10³⁸ pairs, whoever chose them: the keys are new each run.
pub(super) type Identity = u128;

/// Gives each path its identity.
#[derive(Debug, Default)]
pub(super) struct Identities {
    keys: [RandomState; 2],
}

impl Identities {
    /// The identity of the file at `real`, a path without links.
    pub(super) fn of(&self, real: &Path) -> Identity {
        let bytes = real.as_os_str().as_encoded_bytes();
        let [high, low] = self
            .keys
            .each_ref()
            .map(|key| Identity::from(key.hash_one(bytes)));
        high << 64 | low
    }

    /// The identity of what `path` leads to, through all links.
    pub(super) fn of_target(&self, path: &Path) -> Identity {
        match path.canonicalize() {
            Ok(real) => self.of(&real),
            Err(_) => self.of(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_identity_in_a_run_and_no_other_path_has_it() {
        let identities = Identities::default();
        let of = |path: &str| identities.of(Path::new(path));
        assert_eq!(of("/a/b.py"), of("/a/b.py"));
        assert_ne!(of("/a/b.py"), of("/a/c.py"));
        let (high, low) = (of("/a/b.py") >> 64, of("/a/b.py") & u128::from(u64::MAX));
        assert_ne!(high, low, "two keys");
    }
}
