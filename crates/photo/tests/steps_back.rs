//! What the history offers to take back, and what “undo” takes back: the person's own changes.

use crate::common;

use common::{Library, id, known};
use serde_json::{Value, json};

/// Each change of a tool, newest first: whether it can be undone and done again.
fn can(library: &Library, tool: &str) -> Vec<(bool, bool)> {
    let history = library.done("history", json!({ "limit": 100 }));
    let entries = history["entries"].as_array().unwrap().iter().filter(|entry| entry["tool"] == tool);
    entries.map(|entry| (entry["can_undo"] == true, entry["can_redo"] == true)).collect()
}

fn key(library: &Library, tool: &str) -> Value {
    let history = library.done("history", json!({ "limit": 100 }));
    history["entries"].as_array().unwrap().iter().find(|entry| entry["tool"] == tool).unwrap()["key"].clone()
}

/// What was only seen since keeps nobody from taking a change back, and the history says so.
#[test]
fn what_can_be_taken_back_is_offered() {
    let library = Library::new();
    library.done("photo_import", json!({ "items": [known(0), known(1)] }));
    library.done("photo_rate", json!({ "images": [id(0)], "stars": 5 }));
    library.done("photo_twins", json!({ "groups": [[id(0), id(1)]] }));
    library.done("photo_looked", json!({ "items": [{ "id": id(0), "seen": { "faces": 7 } }] }));
    assert_eq!(can(&library, "photo_rate"), [(true, false)]);
    // It was rated since.
    assert_eq!(can(&library, "photo_import"), [(false, false)]);
    let rated = key(&library, "photo_rate");
    library.done("undo", json!({ "call": rated }));
    assert_eq!(can(&library, "photo_rate"), [(false, true)]);
    // What was done and taken back is as if it had not been.
    assert_eq!(can(&library, "photo_import"), [(true, false)]);
    library.done("photo_twins", json!({ "groups": [] }));
    assert_eq!(can(&library, "photo_rate"), [(false, true)]);
    library.done("redo", json!({ "call": rated }));
    library.done("undo", json!({ "call": rated }));
    library.done("undo", json!({ "call": key(&library, "photo_import") }));
    assert_eq!(library.done("photo_grid", json!({}))["items"], json!([]));
}

/// Every entry keeps what it offers: each that can be undone is, and each that cannot be is refused.
#[test]
fn every_entry_says_the_truth() {
    let build = || {
        let library = Library::of_200();
        library.done("photo_people_on", json!({ "on": true }));
        library.done("photo_tag", json!({ "images": [id(3)], "tags": ["x"] }));
        library.done("album_create", json!({ "name": "One", "images": [id(3), id(4)] }));
        library.done("photo_delete", json!({ "images": [id(3)] }));
        library.done("photo_purge", json!({ "images": [id(3)] }));
        library.done("photo_rate", json!({ "images": [id(4)], "stars": 2 }));
        library.done("photo_looked", json!({ "items": [{ "id": id(4), "seen": { "faces": 9 } }] }));
        library.done("photo_people_on", json!({ "on": false }));
        library
    };
    let first = build();
    let entries = first.done("history", json!({ "limit": 100 }))["entries"].as_array().unwrap().clone();
    for entry in &entries {
        let library = build();
        let done = library.call("undo", json!({ "call": entry["key"] }));
        let happened = done
            .as_ref()
            .is_ok_and(|done| done["changes"] != json!([]) || entry["tool"] == "photo_people_on");
        let tool = entry["tool"].as_str().unwrap();
        match tool {
            // Turned off stays off: nothing would come of it.
            "photo_people_on" if entry["rev"] == entries[0]["rev"] => assert_eq!(entry["can_undo"], false),
            "photo_people_on" => {}
            _ => assert_eq!(entry["can_undo"], happened, "{tool}: {done:?}"),
        }
    }
}

/// The bin is emptied by itself after 30 days. That is nothing a person did last.
#[test]
fn undo_passes_over_what_left_the_bin_by_itself() {
    let library = Library::new();
    library.done("photo_import", json!({ "items": [known(0), known(1), known(2)] }));
    library.done("album_create", json!({ "name": "One", "images": [id(0), id(2)] }));
    library.done("photo_delete", json!({ "images": [id(0)] }));
    library.done("photo_rate", json!({ "images": [id(1)], "stars": 3 }));
    library.now_ms.set(library.now_ms.get() + photo::BIN_MS);
    assert_eq!(library.said("photo_expire", json!({})), "Deleted 1 photo for good.");
    assert_eq!(library.said("undo", json!({})), "Undone: Gave 1 photo 3 stars.");
    // And then the deletion: the photo is back.
    library.done("undo", json!({}));
    let back = library.done("photo_grid", json!({ "images": [id(0)] }));
    assert_eq!(back["items"][0].get("in_bin"), None);
    assert_eq!(back["items"][0]["original"], json!(common::hash(0)));
    // What the person empties by hand is their own change.
    library.done("photo_delete", json!({ "images": [id(2)] }));
    library.done("photo_purge", json!({ "images": [id(2)] }));
    assert_eq!(library.said("undo", json!({})), "Undone: Deleted 1 photo for good.");
    assert_eq!(library.done("photo_list", json!({ "bin": true }))["num_images"], 1);
}
