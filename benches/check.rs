//! Benchmarks of the parser alone, of a check that can fix nothing, and of one that fixes and proves.

mod support;

use std::io;

use divan::Bencher;
use support::input::Input;

/// How many calls the files have.
const SITES: [usize; 7] = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

fn main() -> io::Result<()> {
    support::on_large_stack(divan::main)
}

fn bench_parser(bencher: Bencher<'_, '_>, text: &str) {
    bencher.bench_local(|| support::parse(text));
}

fn bench_check(bencher: Bencher<'_, '_>, text: &str) {
    bencher.bench_local(|| support::check(text));
}

mod model_patcher {
    use super::*;

    #[divan::bench]
    fn parser(bencher: Bencher<'_, '_>) {
        bench_parser(bencher, &Input::ModelPatcher.text(1));
    }

    #[divan::bench]
    fn check(bencher: Bencher<'_, '_>) {
        bench_check(bencher, &Input::ModelPatcherLeft.text(1));
    }

    #[divan::bench]
    fn fixes(bencher: Bencher<'_, '_>) {
        bench_check(bencher, &Input::ModelPatcher.text(1));
    }
}

#[divan::bench_group(max_time = 1)]
mod sites {
    use super::*;

    #[divan::bench(args = SITES)]
    fn parser(bencher: Bencher<'_, '_>, count: usize) {
        bench_parser(bencher, &Input::Sites.text(count));
    }

    #[divan::bench(args = SITES)]
    fn check(bencher: Bencher<'_, '_>, count: usize) {
        bench_check(bencher, &Input::SitesLeft.text(count));
    }

    #[divan::bench(args = SITES)]
    fn fixes(bencher: Bencher<'_, '_>, count: usize) {
        bench_check(bencher, &Input::Sites.text(count));
    }
}

#[divan::bench_group(max_time = 1)]
mod one_site_in_500_000_lines {
    use super::*;

    const LINES: usize = 500_000;

    #[divan::bench]
    fn parser(bencher: Bencher<'_, '_>) {
        bench_parser(bencher, &Input::OneSite.text(LINES));
    }

    #[divan::bench]
    fn fixes(bencher: Bencher<'_, '_>) {
        bench_check(bencher, &Input::OneSite.text(LINES));
    }
}
