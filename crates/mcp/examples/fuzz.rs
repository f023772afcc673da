//! Millions of bent exchanges against one server, and what memory they leave behind.
//!
//! `cargo run --release -p satchel-mcp --example fuzz -- --runs 10000000 --minutes 30 --seed 1`: ends with whichever comes
//! first. A failed check prints the exchange; the same seed comes to it again.

#![allow(clippy::expect_used)] // Checks, as in a test.
#![allow(dead_code)] // The tests use more of these.

#[path = "../tests/it/chance.rs"]
mod chance;
#[path = "../tests/it/corpus.rs"]
mod corpus;
#[path = "../tests/it/fixture.rs"]
mod fixture;
#[path = "../tests/it/fuzzer.rs"]
mod fuzzer;
#[path = "../tests/it/talker.rs"]
mod talker;
#[path = "../tests/it/world.rs"]
mod world;

use std::time::{Duration, Instant};

use fuzzer::Fuzzer;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What is kept is measured this often, once all that can end has ended.
const MEASURE_EVERY: u64 = 1_000_000;

/// The first measure is taken here: by then every list has the size it needs.
const WARM_AFTER: u64 = 500_000;

/// Growth after the first measure that is no leak: lists that found a new longest moment.
const MOST_GROWTH_BYTES: usize = 64 * 1024;

fn option(name: &str, otherwise: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
    let given = arguments.next().map(|value| value.parse().expect("a whole number"));
    given.unwrap_or(otherwise)
}

fn main() {
    let (runs, minutes, seed) = (option("--runs", 10_000_000), option("--minutes", 30), option("--seed", 1));
    let (start, most) = (Instant::now(), Duration::from_secs(minutes * 60));
    let mut fuzzer = Fuzzer::new(seed);
    let mut first_bytes = None;
    let mut run = 0;
    while run < runs && (run % 1_000 != 0 || start.elapsed() < most) {
        run += 1;
        fuzzer.run();
        if run == WARM_AFTER || run % MEASURE_EVERY == 0 {
            measure(&mut fuzzer, run, &mut first_bytes);
        }
    }
    measure(&mut fuzzer, run, &mut first_bytes);
    let seconds = start.elapsed().as_secs_f64();
    println!("seed {seed}: {run} runs in {seconds:.1} s, {:.0} exchanges/s", run as f64 / seconds);
    println!("at most {:.1} MiB allocated at one time", PeakAlloc.peak_usage_as_mb());
    for ((status, code), count) in &fuzzer.seen {
        println!("HTTP {status} {}: {count}", if *code == 0 { "-".to_owned() } else { code.to_string() });
    }
}

fn measure(fuzzer: &mut Fuzzer, run: u64, first: &mut Option<usize>) {
    fuzzer.settle();
    let bytes = ALLOCATED.current_usage();
    let first = *first.get_or_insert(bytes);
    println!("{run} runs: {bytes} bytes kept, {:+} since the first measure", bytes as i64 - first as i64);
    assert!(bytes <= first + MOST_GROWTH_BYTES, "a leak");
}
