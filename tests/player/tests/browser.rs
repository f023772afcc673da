//! Every transcript in a real browser: what comes of it there is what its snapshot says, hash and all.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use player::{Crash, Script, assert_survives, played_as_written};
use serde_json::Value;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);

// A test for each folder, written by `build.rs`.
include!(concat!(env!("OUT_DIR"), "/folders.rs"));

fn goes_as_in_the_snapshot(script: &str, snapshot: &str) {
    let script: Script = serde_json::from_str(script).unwrap();
    let played = played_as_written(&script);
    // The snapshot's head is not JSON; it ends with the second line of dashes.
    let expected: Value = serde_json::from_str(snapshot.splitn(3, "---\n").last().unwrap()).unwrap();
    assert_eq!(played.record(), expected, "{}", played.events());
    if script.is_the_same_after_a_crash() {
        assert_survives(&script, &played, Crash::AfterEach);
    }
}
