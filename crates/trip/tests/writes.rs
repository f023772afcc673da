//! Every tool that writes answers whether the itinerary or what is known of its travellers changed and which of its segments did, and that is what changed (S4-15, S4-16).

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use common::Desk;
use serde_json::{Value, json};

/// All rows, by their kinds and ids.
fn rows(desk: &Desk) -> BTreeMap<(String, String), Value> {
    let file = desk.done("data_export", json!({ "format": "json" }));
    let file: Value = serde_json::from_str(file["text"].as_str().unwrap()).unwrap();
    let rows = file["itineraries"].as_array().cloned().unwrap_or_default();
    rows.iter()
        .flat_map(|row| row.as_object().unwrap())
        .map(|(kind, row)| ((kind.clone(), row["id"].as_str().unwrap().to_owned()), row.clone()))
        .collect()
}

const CALENDAR: &str = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Opera\nDTSTART;TZID=Europe/Paris:20260618T200000\nEND:VEVENT\n\
                        END:VCALENDAR\n";

/// What each is called with on a week in Paris, and how many segments change by it. The same once more where that changes nothing.
fn calls() -> Vec<(&'static str, Value, usize, bool)> {
    let pace = json!({ "pace": { "value": "relaxed", "said": "slow" } });
    vec![
        ("itinerary_create", json!({ "title": "Rome" }), 0, false),
        ("add_flight", json!({ "from": "Paris", "to": "Berlin", "start": "2026-06-22T12:00" }), 1, false),
        (
            "add_hotel",
            json!({ "place": "Inn", "start": "2026-06-15", "end": "2026-06-16", "idea": true }),
            1,
            false,
        ),
        ("add_activity", json!({ "title": "Walk" }), 1, false),
        ("add_transfer", json!({ "from": "Louvre", "to": "CDG", "mode": "taxi" }), 1, false),
        ("add_meeting", json!({ "title": "Paul", "start": "2026-06-17T19:00" }), 1, false),
        ("update_segment", json!({ "segment": "Louvre", "note": "Bring water" }), 1, true),
        // What hangs on the flight is moved along.
        ("update_segment", json!({ "segment": "Berlin to Paris", "end": "2026-06-15T11:50" }), 2, true),
        ("delete_segment", json!({ "segment": "Louvre" }), 1, false),
        // Nothing hangs any more on what is gone.
        ("delete_segment", json!({ "segment": "Berlin to Paris" }), 3, false),
        ("move_segment", json!({ "segment": "Berlin to Paris", "by_days": 1 }), 3, false),
        (
            "reorder_segments",
            json!({ "day": "2026-06-15", "order": ["Hotel Fabric", "Berlin to Paris"] }),
            3,
            true,
        ),
        ("update_itinerary", json!({ "note": "At last" }), 0, true),
        ("update_itinerary", json!({ "move_days": 1 }), 4, false),
        ("update_preferences", pace, 0, true),
        (
            "update_preferences",
            json!({ "budget": { "value": { "amount": 9, "currency": "EUR" }, "said": "9 €" } }),
            0,
            true,
        ),
        ("add_traveler", json!({ "name": "Ada" }), 0, false),
        ("itinerary_import", json!({ "text": CALENDAR }), 1, true),
        ("itinerary_duplicate", json!({ "title": "Again" }), 4, false),
        ("itinerary_archive", json!({ "itinerary": "Paris in June" }), 0, true),
        ("itinerary_delete", json!({ "itinerary": "Paris in June" }), 4, false),
    ]
}

#[test]
fn every_write_says_what_it_changed() {
    let tools = trip::tools(&trip::atlas::Blank);
    let writing = tools.definitions().iter().filter(|tool| !tool.annotations.read_only);
    let writing: BTreeSet<String> = writing.map(|tool| tool.name.to_string()).collect();
    let called: BTreeSet<String> = calls().into_iter().map(|(tool, ..)| tool.to_owned()).collect();
    assert_eq!(called, writing, "each tool that writes is called");

    for (tool, arguments, segments, is_same_again) in calls() {
        let desk = Desk::in_paris();
        for is_first in [true, false] {
            if !is_first && !is_same_again {
                continue;
            }
            let before = rows(&desk);
            let answer = desk.done(tool, arguments.clone());
            let after = rows(&desk);
            let changed: BTreeSet<&(String, String)> =
                before.keys().chain(after.keys()).filter(|key| before.get(*key) != after.get(*key)).collect();
            let of = |kind: &str| -> BTreeSet<&str> {
                changed.iter().filter(|(of, _)| of == kind).map(|(_, id)| &**id).collect()
            };
            let told = answer["segmentsModified"].as_array().unwrap_or_else(|| panic!("{tool}: {answer}"));
            let once: BTreeSet<&str> = told.iter().map(|id| id.as_str().unwrap()).collect();
            assert_eq!((once.len(), &once), (told.len(), &of("segment")), "{tool} {arguments}");
            // What is known of the travellers is shown beside the trip, so that whoever shows it reads it again.
            assert_eq!(answer["itineraryUpdated"], !changed.is_empty(), "{tool} {arguments}: {changed:?}");
            assert_eq!(answer["total"], changed.len(), "{tool} {arguments}");
            match is_first {
                true => assert_eq!(told.len(), segments, "{tool} {arguments}: {answer}"),
                false => assert!(changed.is_empty(), "{tool} {arguments} again: {answer}"),
            }
        }
    }
}
