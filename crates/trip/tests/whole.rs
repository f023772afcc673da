//! What holds over several rows when something comes past the tools (ADR 0033): an undo is refused by what it would break, a saved copy is
//! mended, and faults that are there already stop nobody.

use crate::common;

use common::Desk;
use serde_json::{Value, json};

/// The key of the last call of a tool.
fn key_of(desk: &Desk, tool: &str) -> Value {
    let history = desk.done("history", json!({ "limit": 50 }));
    let entries = history["entries"].as_array().unwrap();
    entries.iter().find(|entry| entry["tool"] == tool).unwrap()["key"].clone()
}

#[test]
fn nobody_is_taken_off_a_trip_who_takes_part() {
    let desk = Desk::in_paris();
    desk.done("add_traveler", json!({ "name": "Ada" }));
    desk.done("add_traveler", json!({ "name": "Bob" }));
    desk.done("update_segment", json!({ "segment": "Louvre", "who": ["Bob"] }));
    let key = key_of(&desk, "add_traveler");
    let said = desk.refused("undo", json!({ "call": key }));
    assert_eq!(said, "“Bob” takes part in “Louvre” by now: say who takes part there first.");
    // Nor is somebody brought into something who is not on the trip any more.
    desk.done("update_segment", json!({ "segment": "Louvre", "who": ["Ada"] }));
    let key = key_of(&desk, "update_segment");
    desk.done("update_itinerary", json!({ "remove_travelers": ["Bob"] }));
    let said = desk.refused("undo", json!({ "call": key }));
    assert!(
        said.contains("Somebody would take part in “Louvre” who is not on the itinerary any more"),
        "{said}"
    );
}

#[test]
fn what_is_known_of_travellers_is_of_a_trip() {
    let desk = Desk::new();
    desk.done("itinerary_create", json!({ "title": "Rome" }));
    desk.done("update_preferences", json!({ "pace": { "value": "relaxed", "said": "slow" } }));
    desk.done("undo", json!({}));
    desk.done("itinerary_delete", json!({ "itinerary": "Rome" }));
    let undone = desk.done("history", json!({ "limit": 50 }))["entries"].as_array().unwrap().clone();
    let noted = undone.iter().find(|entry| entry["tool"] == "update_preferences").unwrap()["key"].clone();
    let said = desk.refused("redo", json!({ "call": noted }));
    assert!(said.contains("of an itinerary that is not there any more"), "{said}");
}

/// A fault that came in long ago stops no undo of something else.
#[test]
fn an_undo_makes_no_circle() {
    let desk = Desk::in_paris();
    let on = |on: &str| json!([{ "on": on }]);
    desk.done("add_activity", json!({ "title": "A", "start": "2026-06-17T09:00" }));
    desk.done("add_activity", json!({ "title": "B", "start": "2026-06-17T12:00", "depends_on": on("A") }));
    desk.done("update_segment", json!({ "segment": "B", "depends_on": [] }));
    let freed = key_of(&desk, "update_segment");
    desk.done("update_segment", json!({ "segment": "A", "depends_on": on("B") }));
    assert_eq!(
        desk.refused("undo", json!({ "call": freed })),
        "“B” would hang on itself: take out what hangs on it first."
    );
    desk.done("update_segment", json!({ "segment": "A", "depends_on": [] }));
    desk.done("undo", json!({ "call": freed }));
    assert_eq!(desk.segment("B")["depends_on"].as_array().unwrap().len(), 1);
}
