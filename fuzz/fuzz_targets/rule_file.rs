//! Any text as a rule file: a fault is at a place in it, and the examples of a rule can be run.

#![no_main]

use hoist_namedtuple::check::example::Examples;
use hoist_namedtuple::rule::{Registry, registry};
use hoist_namedtuple_fuzz::on_large_stack;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let built_in = registry().expect("the built-in rules are rules");
    let file = ("own.toml".to_owned(), text.to_owned());
    match built_in.and([file].into_iter()) {
        Ok(registry) => run_examples(registry),
        Err(fault) => {
            let rows: Vec<&str> = text.split('\n').collect();
            let row = fault.row.checked_sub(1).and_then(|row| rows.get(row));
            let row = row.unwrap_or_else(|| panic!("there is no row for {fault}"));
            let columns = 1..=row.chars().count() + 1;
            assert!(
                columns.contains(&fault.column),
                "there is no column for {fault}"
            );
            assert!(
                !fault.to_string().contains(char::is_control),
                "{fault:?} has control characters"
            );
        }
    }
});

fn run_examples(registry: Registry) {
    let kept: &'static mut Registry = Box::leak(Box::new(registry));
    let address: *mut Registry = kept;
    let registry: &'static Registry = kept;
    let own = registry.rules().filter(|rule| rule.file == "own.toml");
    on_large_stack(|| {
        for rule in own {
            let examples = Examples::new(registry, Some(rule));
            for example in &rule.valid {
                let _ = examples.valid(example);
            }
            for example in &rule.invalid {
                let _ = examples.invalid(example);
            }
        }
    });
    // SAFETY: it was leaked above, and all that refers to it is gone.
    drop(unsafe { Box::from_raw(address) });
}
