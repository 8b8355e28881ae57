//! Any text: it is no module, or its patch parses, is proven, changes nothing else and leaves nothing to fix.

#![no_main]

use std::sync::atomic::{AtomicU64, Ordering};

use hoist_namedtuple::check::{Naming, Settings};
use hoist_namedtuple_fuzz::{mutate, on_large_stack, patch};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

/// How many texts were checked, were modules, had findings, and were patched.
static COUNTS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// After so many texts the counts are printed.
const PRINTED_EVERY: u64 = 500;

fuzz_target!(|text: &str| -> Corpus {
    let all = Settings {
        unsafe_fixes: true,
        ..Settings::default()
    };
    let careful = Settings {
        naming: Naming::Typename,
        ..Settings::default()
    };
    let reached = on_large_stack(|| match patch::assert_sound(text, &all) {
        Err(_) => 1,
        Ok(result) if result.diagnostics.is_empty() => 2,
        Ok(result) => {
            let _ = patch::assert_sound(text, &careful);
            3 + usize::from(result.patched.is_some())
        }
    });
    COUNTS.iter().take(reached).for_each(|count| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let counts = COUNTS.each_ref().map(|count| count.load(Ordering::Relaxed));
    if counts[0].is_multiple_of(PRINTED_EVERY) {
        let [texts, modules, found, patched] = counts;
        eprintln!("texts {texts}, modules {modules}, with findings {found}, patched {patched}");
    }
    // What is no module is a poor start for further programs.
    if reached > 1 {
        Corpus::Keep
    } else {
        Corpus::Reject
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::python(data, size, max_size, seed)
});
