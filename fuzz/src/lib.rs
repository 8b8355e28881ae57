//! What the fuzz targets share: a large stack, a mutator of Python, and what must hold for every patch.

pub mod bank;
pub mod diff;
pub mod mutate;
pub mod patch;

use std::panic;
use std::thread;

/// Runs `work` with the stack that a check needs.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(256 << 20);
        let thread = builder.spawn_scoped(scope, work).expect("a thread starts");
        thread
            .join()
            .unwrap_or_else(|fault| panic::resume_unwind(fault))
    })
}

/// A number that depends on each byte of `data`, by which a target varies what it asks for.
#[must_use]
pub fn choice(data: &[u8], choices: usize) -> usize {
    let mixed = data.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (mixed >> 32) as usize % choices.max(1)
}
