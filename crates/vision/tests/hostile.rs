//! Files of people who mean harm, and files of disks that fail: no panic, no hang, no more memory than is allowed.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod support;

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use support::hostile::{bombs, run, through};
use vision::decode::{DecodeError, Limits, needs};
use vision::format::Format;
use vision::size::{is_too_large, promised};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// One test, because the peak is that of the whole program.
#[test]
fn broken_files_and_bombs_cost_little() {
    for (name, bytes) in bombs() {
        ALLOCATED.reset_peak_usage();
        let begin = Instant::now();
        let (_, decoded) = through(&bytes);
        let (took, peak) = (begin.elapsed(), ALLOCATED.peak_usage_as_mb());
        println!("{name}: {} bytes, {took:?}, {peak:.1} MB, {decoded:?}", bytes.len());
        assert!(peak < 256.0 && took < Duration::from_secs(20), "{name}: {took:?}, {peak} MB");
        // What decoders side by side are counted by is what it takes: 8 MB are for the file and for buffers of a row.
        let needed = needs(&bytes, Limits::default()) as f32 / 1e6;
        assert!(needed <= 200.0 && peak <= needed + 8.0, "{name}: {peak} MB, and not {needed}");
        let is_allowed = name.starts_with("allowed");
        assert!(is_allowed != matches!(decoded, Err(DecodeError::TooLarge { .. })), "{name}: {decoded:?}");
        // The browser's own decoders are not asked for more than this.
        let promised = Format::of(&bytes).and_then(|format| promised(&bytes, format)).expect("its size");
        let is_huge = ["4,295", "2^62", "one long row", "large frame"].iter().any(|huge| name.contains(huge));
        assert_eq!(is_too_large(promised), is_huge, "{name}: {promised:?}");
    }
    ALLOCATED.reset_peak_usage();
    let report = run(0, 3000);
    println!("{report:?}, peak {:.1} MB", ALLOCATED.peak_usage_as_mb());
    assert_eq!(report.panics, Vec::<usize>::new());
    assert!(ALLOCATED.peak_usage_as_mb() < 256.0);
    // Most are read in part, or the files are broken too well to test anything.
    assert!(report.decoded > 500 && report.with_metadata > 500, "{report:?}");
}
