//! Broken files through everything that reads a file and through the import of `satchel photos add`, into folders of data: no panic, no
//! hang, no more memory than is allowed, and afterwards every good file is there once and each broken one is named with a reason.
//!
//! The files are those of `crates/vision/tests/support/hostile.rs`, each made of its number alone. Some hundred of them are tried with
//! every test run; 100,000, which take minutes, by
//!
//! ```sh
//! cargo test --release -p cli -- --ignored --nocapture hostile
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

#[path = "../../../vision/tests/support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use photo::photo_id;
use serde_json::json;
use terminal::Todos;
use vision::decode::{DecodeError, Limits, decode};

use super::files::files_in;
use super::look::Looker;
use super::nets::Nets;
use super::{FAILED, bring, called};
use support::Chance;
use support::hostile::{bombs, broken, through, whole};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The most megabytes that all of it may take at a time.
const MOST_MB: f32 = 256.0;

/// The longest that one file may take.
const LONGEST: Duration = Duration::from_secs(20);

/// So many files go into one folder of data, because 20,000 photos are the most that one holds.
const IN_ONE: usize = 10_000;

/// Endings of names, most of them wrong for most files.
const ENDINGS: [&str; 8] = [".jpg", ".JPG", ".png", ".webp", ".heic", ".txt", ".jpg.exe", ""];

/// What came of the files.
#[derive(Debug, Default)]
struct Report {
    files: usize,
    /// Photos that are there afterwards.
    photos: usize,
    /// Files whose bytes came under another name, too.
    known: usize,
    /// Files that are named with a reason for which they were not taken.
    not_taken: usize,
    /// Photos of which it is said why they could not be looked at.
    not_looked_at: usize,
    /// The numbers or names of files at which something panicked.
    panics: Vec<String>,
    /// The longest that one file took, and which.
    slowest: (Duration, String),
    /// The most memory while files are read one by one, in MB, beside what was there before.
    peak_of_reading: f32,
    /// The most memory while they come in, the rows of all photos and their history included, in MB, beside what was there before: a
    /// folder of data is one process's, whose tables stay until it ends.
    peak_of_import: f32,
}

impl Report {
    fn timed<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> Option<T> {
        let begin = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(work));
        if begin.elapsed() > self.slowest.0 {
            self.slowest = (begin.elapsed(), name.to_owned());
        }
        if done.is_err() {
            self.panics.push(name.to_owned());
        }
        done.ok()
    }
}

/// Broken files of these numbers, with good ones, bombs and files that are there twice between them.
fn write_files(folder: &Path, numbers: Range<usize>) {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder).unwrap();
    let good = whole();
    for number in numbers {
        let bytes = broken(&good, &mut Chance(number as u64));
        // By tens of thousands of names one folder is slow on some disks.
        let under = folder.join(format!("{:03}", number / 500));
        fs::create_dir_all(&under).unwrap();
        let name = format!("{number:06}{}", ENDINGS[number % ENDINGS.len()]);
        if number % 50 == 0 {
            fs::write(under.join(format!("again {name}")), &bytes).unwrap();
        }
        fs::write(under.join(name), &bytes).unwrap();
    }
    let named = |number: usize, what: &str, bytes: &[u8]| {
        fs::write(folder.join(format!("{what} {number}.jpg")), bytes).unwrap();
    };
    good.iter().enumerate().for_each(|(number, bytes)| named(number, "good", bytes));
    bombs().iter().enumerate().for_each(|(number, (_, bytes))| named(number, "bomb", bytes));
    named(0, "empty", b"");
}

/// Whether a photo comes in: its pixels can be had, or another program can have them.
fn comes_in(bytes: &[u8]) -> bool {
    match decode(bytes, Limits::default()) {
        Ok(_) | Err(DecodeError::Unsupported(_) | DecodeError::TooLarge { .. }) => true,
        Err(DecodeError::NoPicture | DecodeError::Refused(_) | DecodeError::Damaged { .. }) => false,
    }
}

/// Reads each file by itself, timed, and brings them all in; then holds what is there against what should be.
async fn try_out(place: &Path, numbers: Range<usize>, report: &mut Report) {
    let (folder, data) = (place.join("photos"), place.join("data"));
    drop(fs::remove_dir_all(&data));
    write_files(&folder, numbers);
    let folder = folder.canonicalize().unwrap();
    let files = files_in(&folder).unwrap();
    assert!(files.closed.is_empty());
    let nowhere = place.join("no nets");
    let looker = Looker::new(Nets::find(Some(&nowhere)), Default::default());
    // The photos that should be there, with their files.
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut broken = BTreeSet::new();
    let before = ALLOCATED.current_usage_as_mb();
    ALLOCATED.reset_peak_usage();
    for path in &files.paths {
        let name = super::name_in(&folder, path);
        let bytes = fs::read(path).unwrap();
        report.timed(&name, || drop(through(&bytes)));
        report.timed(&name, || drop(looker.look_at(path)));
        if report.timed(&name, || comes_in(&bytes)) == Some(true) {
            expected.entry(photo_id(&store::content_hash(&bytes))).or_default().push(name);
        } else {
            broken.insert(name);
        }
    }
    drop(looker);
    report.peak_of_reading = report.peak_of_reading.max(ALLOCATED.peak_usage_as_mb() - before);
    ALLOCATED.reset_peak_usage();
    let total = files.paths.len();
    let (count, result) =
        bring(&folder, files, Some(&nowhere), &data, &Arc::default()).await.expect("its data can be opened");
    result.expect("the tools take what is told");
    report.peak_of_import = report.peak_of_import.max(ALLOCATED.peak_usage_as_mb() - before);

    let panicked = count.failed.iter().filter(|(_, why)| why == FAILED);
    report.panics.extend(panicked.map(|(name, _)| name.clone()));
    let failed: BTreeSet<String> = count.failed.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(failed, broken, "what is broken is named");
    assert_eq!(failed.len(), count.failed.len(), "and once");
    let mut reasons = count.failed.iter().chain(&count.unseen);
    assert!(reasons.all(|(_, why)| why.ends_with('.') && why.len() > 10), "{:?}", count.failed);
    assert_eq!((count.done, count.total, count.new), (total, total, expected.len()));
    assert_eq!(count.known, expected.values().map(|names| names.len() - 1).sum::<usize>());

    let tools = Todos::open(&data).await.unwrap();
    let grid = called(&tools, "photo_grid", json!({})).await.unwrap();
    tools.close().await;
    let cells = grid["items"].as_array().unwrap();
    let there: BTreeSet<&str> = cells.iter().map(|cell| cell["id"].as_str().unwrap()).collect();
    assert_eq!(cells.len(), there.len(), "each once");
    assert!(there.iter().copied().eq(expected.keys().map(String::as_str)), "and nothing else");
    for (number, bytes) in whole().iter().enumerate() {
        assert!(there.contains(photo_id(&store::content_hash(bytes)).as_str()), "the good file {number}");
    }
    report.files += total;
    report.photos += cells.len();
    report.known += count.known;
    report.not_taken += failed.len();
    report.not_looked_at += count.unseen.len();
    fs::remove_dir_all(&folder).unwrap();
    fs::remove_dir_all(&data).unwrap();
}

fn run(name: &str, count: usize) -> Report {
    let place = std::env::temp_dir().join(format!("satchel-{name}-{}", std::process::id()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut report = Report::default();
    for from in (0..count).step_by(IN_ONE) {
        let begin = Instant::now();
        let trying = try_out(&place, from..count.min(from + IN_ONE), &mut report);
        tokio::task::LocalSet::new().block_on(&runtime, trying);
        println!("{} files, these in {:.0?}", report.files, begin.elapsed());
    }
    fs::remove_dir_all(&place).unwrap();
    println!("{report:#?}");
    assert!(report.panics.is_empty() && report.slowest.0 < LONGEST, "{report:?}");
    assert!(report.peak_of_reading < MOST_MB && report.peak_of_import < MOST_MB, "{report:?}");
    // Most come in, in part, or are refused: else they are broken too well, or too little, to test anything.
    assert!(report.photos > count / 10 && report.not_taken > count / 10, "{report:?}");
    report
}

#[test]
fn some_hundred_hostile_files_are_brought_in() {
    assert!(run("hostile-few", 300).files > 300);
}

#[test]
#[ignore = "100,000 files take minutes: in release, and by themselves"]
fn a_hundred_thousand_hostile_files_are_brought_in() {
    assert!(run("hostile", 100_000).files > 100_000);
}
