//! Seeded choices.

/// A source of choices; the same seed gives the same choices everywhere.
#[derive(Debug)]
pub(crate) struct Chance(fastrand::Rng);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Whether something that happens that many times in a hundred happens.
    pub(crate) fn percent(&mut self, of_hundred: u32) -> bool {
        self.0.u32(0..100) < of_hundred
    }

    /// A number from 0 up to `end`, which is left out.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.usize(0..end)
    }

    /// One of the choices.
    pub(crate) fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// One of the choices, by weight.
    pub(crate) fn weighted<T>(&mut self, of: &[T], weight: impl Fn(&T) -> u32) -> usize {
        let total: u32 = of.iter().map(&weight).sum();
        let mut left = self.0.u32(0..total);
        for (at, choice) in of.iter().enumerate() {
            let weight = weight(choice);
            if left < weight {
                return at;
            }
            left -= weight;
        }
        0
    }
}
