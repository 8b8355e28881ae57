//! Random Python programs behave the same before and after the fix.
//!
//! `HOIST_NAMEDTUPLE_PROGRAMS` says how many programs, `HOIST_NAMEDTUPLE_FIRST_SEED` where they start, and
//! `HOIST_NAMEDTUPLE_PYTHON` which interpreter runs them; CONTRIBUTING, "Random programs", says more.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod call;
mod chance;
mod free;
mod free_uses;
mod head;
mod interpreter;
mod kind_uses;
mod kinds;
mod layout;
mod mutants;
mod program;
mod reduce;
mod rewrite;
mod tally;
mod template;
mod trial;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use interpreter::Interpreter;
use program::{program, programs_of_situations};
use reduce::reduced;
use tally::Tally;
use trial::{Failure, attempt, run_alone};

/// How many programs `cargo test` runs.
const PROGRAMS: u64 = 1_000;
/// From so many on, each rewrite and refusal must be frequent.
const MANY: u64 = 200_000;
/// How often each must then occur.
const FLOOR: usize = 1_000;
/// So many failures end a run, unless `HOIST_NAMEDTUPLE_FAILURES` says how many.
const FAILURES: u64 = 5;
/// The stack that a check needs.
const STACK: usize = 256 << 20;

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(value) => value
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is no number")),
        Err(_) => default,
    }
}

#[test]
fn random_programs_behave_the_same_after_the_fix() {
    let first = number("HOIST_NAMEDTUPLE_FIRST_SEED", 0);
    let count = number("HOIST_NAMEDTUPLE_PROGRAMS", PROGRAMS);
    let (tally, mut failures) = run(first, count);
    tally.print();
    failures.sort_by_key(|(seed, _)| *seed);
    for (seed, failure) in &failures {
        report(*seed, failure);
    }
    assert!(failures.is_empty(), "{} programs fail", failures.len());
    let floor = match count {
        MANY.. => FLOOR,
        PROGRAMS.. => 1,
        _ => 0,
    };
    let rare = tally.rarer_than(floor);
    assert!(rare.is_empty(), "occur less than {floor} times: {rare:?}");
}

/// Tries the programs of `count` seeds, by two interpreters at a time.
fn run(first: u64, count: u64) -> (Tally, Vec<(u64, Failure)>) {
    let next = AtomicU64::new(first);
    let failed = AtomicU64::new(0);
    let enough = number("HOIST_NAMEDTUPLE_FAILURES", FAILURES);
    let total = Mutex::new((Tally::default(), vec![]));
    let work = || {
        let (mut tally, mut failures) = (Tally::default(), vec![]);
        let mut python = Interpreter::start();
        while failed.load(Ordering::Relaxed) < enough {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                break;
            }
            let program = program(seed);
            let outcome = attempt(&program, &mut python);
            tally.add(&program.text, &outcome);
            if let Some(failure) = outcome.failure {
                failed.fetch_add(1, Ordering::Relaxed);
                failures.push((seed, failure));
            }
        }
        let mut total = total.lock().unwrap();
        total.0.merge(tally);
        total.1.extend(failures);
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .unwrap();
        }
    });
    total.into_inner().unwrap()
}

/// Prints a failure and the program, made small unless `HOIST_NAMEDTUPLE_NO_REDUCTION` is set.
fn report(seed: u64, failure: &Failure) {
    println!(
        "\nseed {seed}: not kept: {}\n{}",
        failure.property, failure.what
    );
    if std::env::var_os("HOIST_NAMEDTUPLE_NO_REDUCTION").is_some() {
        return;
    }
    let (small, failure) = thread::scope(|scope| {
        let work = || {
            let mut python = Interpreter::start();
            let small = reduced(&program(seed), failure.property, &mut python);
            let failure = attempt(&small, &mut python).failure;
            (small, failure)
        };
        thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .unwrap()
            .join()
            .unwrap()
    });
    println!("---- the program, reduced\n{}", small.text);
    for probe in &small.probes {
        println!("# probe: {}", probe.code);
    }
    match failure {
        Some(failure) => {
            let patched = failure.patched.unwrap_or_default();
            println!("---- patched\n{patched}\n---- {}", failure.what);
        }
        None => println!("---- it does not fail alone"),
    }
}

#[test]
fn every_situation_runs_to_the_end() {
    let mut python = Interpreter::start();
    let mut faults = vec![];
    for seed in 0..3 {
        for (name, program) in programs_of_situations(seed) {
            let run = run_alone(&program, &mut python);
            if run.end != "ok" {
                faults.push(format!("{name}: {}\n{}", run.end, program.text));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} fail:\n{}",
        faults.len(),
        faults.join("\n----\n")
    );
}

#[test]
#[ignore = "prints the program of a seed for a person to read"]
fn show_the_program() {
    let program = program(number("HOIST_NAMEDTUPLE_FIRST_SEED", 0));
    println!("{}\n# probes", program.text);
    for probe in &program.probes {
        println!("# {}", probe.code);
    }
}
