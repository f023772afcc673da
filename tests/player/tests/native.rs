//! Every transcript on this machine: as written, as in its snapshot, and through a crash at every save.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use player::{Crash, Script, assert_survives, play, played_as_written};

/// The folders, or those whose names hold what `TRANSCRIPT` says.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../transcripts");
    let mut folders: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("script.json").is_file())
        .collect();
    folders.sort();
    assert!(folders.len() >= 200, "only {} transcripts found", folders.len());
    let wanted = env::var("TRANSCRIPT").unwrap_or_default();
    folders.retain(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().contains(&wanted)));
    folders
}

/// Runs a check on every folder, on all cores, and names all that fail, not just the first.
fn every_folder(check: impl Fn(&Path, &Script) + Sync) {
    let folders = folders();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let work = || {
        while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let text = fs::read_to_string(folder.join("script.json")).unwrap();
                check(folder, &serde_json::from_str(&text).unwrap());
            }));
            if outcome.is_err() {
                let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                println!("that was {name}");
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(name);
            }
        }
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(work)));
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} of {} transcripts fail: {failed:?}", failed.len(), folders.len());
}

#[test]
fn every_transcript_goes_as_written() {
    every_folder(|folder, script| {
        let played = played_as_written(script);
        // Shown where it fails: what the browser prints beside it says where the two part.
        println!("{}", played.events());
        insta::with_settings!({
            snapshot_path => folder,
            prepend_module_to_snapshot => false,
            omit_expression => true,
            sort_maps => true,
            description => script.about.as_str(),
        }, {
            insta::assert_json_snapshot!("expected", played.record());
        });
    });
}

#[test]
fn a_crash_at_any_save_changes_nothing_in_the_end() {
    every_folder(|_, script| {
        if !script.is_the_same_after_a_crash() {
            return;
        }
        let straight = play(script, None);
        let points = (1..=straight.saves()).flat_map(|at| [Crash::Before(at), Crash::After(at)]);
        points.chain([Crash::AfterEach]).for_each(|crash| assert_survives(script, &straight, crash));
    });
}
