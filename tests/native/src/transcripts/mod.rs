//! Plays every folder of `tests/transcripts` through the real driver and machine, over virtual time.
//!
//! `script.rs` is the folder's format, `world.rs` the scripted ports and the clock, `player.rs` plays one script,
//! with or without crashes. The format is described in `tests/transcripts/README.md`.

mod player;
mod script;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use player::{Crash, play};
use script::Script;

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../transcripts");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("script.json").is_file())
        .collect();
    folders.sort();
    folders
}

/// Runs a check on every folder and names all that fail, not just the first.
fn every_folder(check: impl Fn(&Path, &Script)) {
    let folders = folders();
    assert!(folders.len() >= 45, "only {} transcripts found", folders.len());
    let failed: Vec<String> = folders
        .iter()
        .filter(|folder| {
            catch_unwind(AssertUnwindSafe(|| {
                let text = std::fs::read_to_string(folder.join("script.json")).unwrap();
                let script =
                    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
                check(folder, &script);
            }))
            .is_err()
        })
        .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(failed.is_empty(), "{} of {} transcripts fail: {failed:?}", failed.len(), folders.len());
}

#[test]
fn every_transcript_goes_as_written() {
    every_folder(|folder, script| {
        let played = play(script, None);
        played.check(script);
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
    every_folder(|folder, script| {
        // The n-th save is another one after a crash, so a log that fails at a number cannot be compared.
        if script.log_fails_at.is_some() {
            return;
        }
        let straight = play(script, None);
        let name = folder.file_name().unwrap().to_string_lossy();
        let points = (1..=straight.saves()).flat_map(|at| [Crash::Before(at), Crash::After(at)]);
        for crash in points.chain([Crash::AfterEach]) {
            let resumed = play(script, Some(crash));
            assert_eq!(resumed.messages(), straight.messages(), "{name}: {crash:?}");
            assert_eq!(resumed.endings(), straight.endings(), "{name}: {crash:?}");
            assert_eq!(resumed.executed(), straight.executed(), "{name}: {crash:?}");
            assert_eq!(resumed.todos(), straight.todos(), "{name}: {crash:?}");
        }
    });
}
