//! Any bytes on standard input: what is echoed is equal, and the diff is what the fix writes.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use hoist_namedtuple::cli::{Prepared, Printed};
use hoist_namedtuple_fuzz::{choice, diff, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// The formats; the first three are JSON as a whole.
const FORMATS: [&str; 8] = [
    "json",
    "gitlab",
    "sarif",
    "json-lines",
    "full",
    "concise",
    "github",
    "junit",
];

static FIX: LazyLock<Prepared> = LazyLock::new(|| prepared(&["--fix"]));
static DIFF: LazyLock<Prepared> = LazyLock::new(|| prepared(&["--diff", "--verbose"]));
static REPORTS: LazyLock<Vec<Prepared>> = LazyLock::new(|| {
    let formats = FORMATS.iter();
    formats
        .map(|format| prepared(&["--output-format", format]))
        .collect()
});

fuzz_target!(|bytes: &[u8]| {
    let fixed = run(&FIX, bytes);
    if fixed.code == 2 {
        assert_eq!(fixed.stdout, bytes, "what cannot be checked is changed");
    }
    let shown = run(&DIFF, bytes);
    assert_eq!(
        fixed.code == 2,
        shown.code == 2,
        "only one of --fix and --diff fails"
    );
    let patched = if shown.stdout.is_empty() {
        bytes.to_vec()
    } else {
        diff::apply(bytes, &shown.stdout)
    };
    assert_eq!(patched, fixed.stdout, "the diff is not what the fix writes");
    let format = choice(bytes, FORMATS.len());
    let reported = run(&REPORTS[format], bytes);
    if format < 3 {
        let read: Result<serde_json::Value, _> = serde_json::from_slice(&reported.stdout);
        assert!(read.is_ok(), "it is no JSON: {read:?}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::python(data, size, max_size, seed)
});

fn prepared(arguments: &[&str]) -> Prepared {
    let all = ["--isolated", "--select", "ALL", "--unsafe-fixes", "-"];
    let arguments = [all.as_slice(), arguments].concat();
    Prepared::new(&arguments, Path::new("/")).expect("the arguments are right")
}

fn run(prepared: &Prepared, bytes: &[u8]) -> Printed {
    let printed = prepared.run(bytes);
    let told = String::from_utf8_lossy(&printed.stderr);
    assert!(!told.contains("internal error"), "{told}");
    printed
}
