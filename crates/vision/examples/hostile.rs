//! Broken files through everything that reads files, as many as asked for: `cargo run -p satchel-vision --example hostile -- 100000`.
//! It says how many were still read, the slowest and the peak of memory; a panic is its exit code.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;
use std::time::Instant;

use peak_alloc::PeakAlloc;
use support::hostile::{bombs, run, through};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let begin = Instant::now();
    for (_, bytes) in bombs() {
        let _only_their_cost_is_of_interest = through(&bytes);
    }
    println!("bombs: peak {:.1} MB", ALLOCATED.peak_usage_as_mb());
    ALLOCATED.reset_peak_usage();
    let report = run(0, count);
    println!(
        "{} files in {:.0?}: {} decoded, {} with metadata, {} too large; slowest {:.0?} (number {}); peak {:.1} MB; panics {:?}",
        report.files,
        begin.elapsed(),
        report.decoded,
        report.with_metadata,
        report.too_large,
        report.slowest,
        report.slowest_file,
        ALLOCATED.peak_usage_as_mb(),
        report.panics
    );
    if report.panics.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
