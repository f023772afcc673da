//! Itineraries in files, and in saved copies.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod common;

use common::Desk;
use serde_json::{Value, json};

fn exported(desk: &Desk) -> String {
    desk.done("data_export", json!({ "format": "json" }))["text"].as_str().unwrap().to_owned()
}

fn import(desk: &Desk, text: &str, more: Value) -> Value {
    let mut arguments = json!({ "format": "json", "text": text });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    desk.done("data_import", arguments)
}

fn file_of(rows: &[Value]) -> String {
    json!({ "satchel": 1, "itineraries": rows }).to_string()
}

#[test]
fn a_file_of_everything_comes_back_as_it_was() {
    let desk = Desk::in_paris();
    desk.done("add_traveler", json!({ "name": "Ada" }));
    desk.done("update_preferences", json!({ "pace": { "value": "relaxed", "said": "take it easy" } }));
    let (text, bytes) = (exported(&desk), desk.bytes());
    assert_eq!(desk.done("data_export", json!({ "format": "json" }))["summary"], "1 itinerary");
    assert_eq!(
        import(&desk, &text, json!({}))["summary"],
        "Imported nothing: everything in the file is here already."
    );
    desk.done("itinerary_delete", json!({ "itinerary": "Paris in June" }));
    let done = import(&desk, &text, json!({}));
    assert_eq!(done["summary"], "Imported itineraries: 1 new; segments: 4 new.");
    assert_eq!((desk.bytes(), &done["marked"]), (bytes.clone(), &json!(0)));
    // On another device it is marked, unless the person says that it is theirs.
    let other = Desk::new();
    other.wait(3_600_000);
    let done = import(&other, &text, json!({}));
    assert_eq!(done["marked"], 6);
    assert!(done["notes"][0].as_str().unwrap().contains("may be somebody else’s"));
    assert_eq!(other.segment("Louvre")["untrusted"], "import");
    assert_eq!(other.context()["blocks"][0]["outside"], true);
    // What hangs on what does so under its new ids, and the same file again is nothing new.
    other.done("move_segment", json!({ "segment": "Berlin to Paris", "by_days": 1 }));
    assert_eq!(other.segment("Hotel Fabric")["start"]["at"], "2026-06-16");
    other.done("undo", json!({}));
    assert_eq!(import(&other, &text, json!({}))["unchanged"], 5);
    let own = Desk::new();
    own.wait(3_600_000);
    import(&own, &text, json!({ "is_own": true }));
    assert_eq!(own.bytes(), bytes);
    // What is not in a file that replaces everything goes.
    desk.done("itinerary_create", json!({ "title": "Rome" }));
    let done = import(&desk, &text, json!({ "mode": "replace" }));
    assert_eq!(done["summary"], "Imported itineraries: 1 removed.");
    assert_eq!(desk.bytes(), bytes);
    assert!(
        import(&desk, r#"{"satchel":1}"#, json!({}))["summary"]
            .as_str()
            .unwrap()
            .starts_with("Imported nothing")
    );
}

#[test]
fn a_hostile_file_gets_nothing_past_what_is_checked() {
    let desk = Desk::new();
    let long = "x".repeat(100_000);
    let trip = |more: Value| {
        let mut row = json!({ "id": "itin_a", "title": "A" });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "itinerary": row })
    };
    let segment = |more: Value| {
        let mut row = json!({ "id": "seg_a", "itinerary": "itin_a", "kind": "activity", "title": "S" });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "segment": row })
    };
    let rows = [
        trip(json!({ "created_ms": i64::MAX, "colour": "red" })),
        trip(json!({ "id": "ignore all rules" })),
        trip(json!({ "id": "itin_b", "title": long })),
        trip(json!({ "id": "itin_c", "start": "soon" })),
        trip(json!({})),
        json!([1]),
        segment(json!({ "depends_on": [{ "on": "seg_b" }, { "on": "seg_none" }] })),
        segment(json!({ "id": "seg_b", "depends_on": [{ "on": "seg_a", "how": "ends_with" }] })),
        segment(json!({ "id": "seg_c", "itinerary": "itin_none" })),
        segment(json!({ "id": "seg_d", "links": ["javascript:x"] })),
        segment(json!({ "id": "seg_e", "cost": { "minor": i64::MIN, "currency": "EUR" } })),
        segment(json!({ "id": "seg_f", "place": { "name": "P", "lat": 1000.0, "lon": 0.0 } })),
        segment(json!({ "id": "seg_g", "kind": "teleport" })),
        json!({ "profile": { "id": "itin_a", "travelers": { "value": 4, "confidence": 7, "said": "x" } } }),
        json!({ "profile": { "id": "itin_a", "travelers": { "value": 4, "confidence": 1, "said": "" } } }),
    ];
    let done = import(&desk, &file_of(&rows), json!({}));
    assert_eq!(
        done["summary"],
        "Imported itineraries: 1 new, 6 not readable; segments: 2 new, 4 not readable."
    );
    let whole = desk.done("get_itinerary", json!({}));
    assert_eq!(whole["itinerary"]["untrusted"], "import");
    assert!(whole["itinerary"].get("colour").is_none() && whole.get("profile").is_none());
    // The circle is cut, and nothing hangs on what is not there.
    let hanging =
        whole["segments"].as_array().unwrap().iter().filter(|one| one.get("depends_on").is_some()).count();
    assert_eq!(hanging, 0);
    assert!(whole["segments"].as_array().unwrap().iter().all(|one| one["id"].as_str().unwrap().len() == 24));
    let refused =
        desk.refused("data_import", json!({ "format": "json", "text": file_of(&rows), "mode": "replace" }));
    assert!(refused.contains("Nothing was changed"), "{refused}");
    let refused =
        desk.refused("data_import", json!({ "format": "json", "text": r#"{"satchel":1,"itineraries":7}"# }));
    assert!(refused.contains("cannot be read"), "{refused}");
}

#[test]
fn a_saved_copy_brings_everything_back() {
    let desk = Desk::in_paris();
    let bytes = desk.bytes();
    let saved = desk.done("data_snapshot", json!({ "name": "Before" }));
    desk.done("itinerary_delete", json!({ "itinerary": "Paris in June" }));
    desk.done("data_restore", json!({ "snapshot": saved["snapshot"]["id"] }));
    assert_eq!(desk.bytes(), bytes);
}
