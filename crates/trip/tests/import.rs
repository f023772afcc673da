//! One itinerary out as a file, and calendars in: `itinerary_export`, `itinerary_import` (D-17, issue 16).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod common;

use common::Desk;
use serde_json::{Value, json};

const GOOGLE: &str = include_str!("calendars/google.ics");

fn export(desk: &Desk, format: &str) -> Value {
    desk.done("itinerary_export", json!({ "format": format }))
}

fn rows(desk: &Desk) -> Vec<Value> {
    desk.done("get_itinerary", json!({}))["segments"].as_array().unwrap().clone()
}

fn empty(days: Option<(&str, &str)>) -> Desk {
    let desk = Desk::new();
    let mut arguments = json!({ "title": "Paris, again" });
    if let Some((start, end)) = days {
        arguments["start"] = json!(start);
        arguments["end"] = json!(end);
    }
    desk.done("itinerary_create", arguments);
    desk
}

#[test]
fn what_goes_out_comes_in_on_another_device_and_once() {
    let desk = Desk::in_paris();
    let file = export(&desk, "ics");
    assert_eq!((&file["name"], &file["mime"]), (&json!("paris-in-june.ics"), &json!("text/calendar")));
    assert_eq!(file["summary"], "“Paris in June” with 4 segments, as ics.");
    let other = empty(Some(("2026-06-15", "2026-06-22")));
    let arguments = json!({ "text": file["text"] });
    let would = other.preview("itinerary_import", arguments.clone());
    assert!(would.to_string().contains("Hotel Fabric"), "{would}");
    assert!(rows(&other).is_empty(), "a preview adds nothing");
    let came = other.done("itinerary_import", arguments.clone());
    assert_eq!(came["segmentsModified"].as_array().unwrap().len(), 4);
    let summary = came["summary"].as_str().unwrap();
    assert!(summary.starts_with("Added 4 events to “Paris, again”; nothing was booked."), "{summary}");
    for row in rows(&other) {
        assert_eq!(row["untrusted"], "import", "{row}");
    }
    let (ours, theirs) = (desk.segment("Hotel Fabric"), other.segment("Hotel Fabric"));
    for field in ["kind", "start", "end", "place", "cost", "source", "title"] {
        assert_eq!(ours[field], theirs[field], "{field}");
    }
    // What hangs on the flight hangs on it here.
    assert_eq!(theirs["depends_on"][0]["on"], other.segment("Berlin to Paris")["id"]);
    // The same again, and the other one's own export, add nothing.
    let before = other.bytes();
    let again = other.done("itinerary_import", arguments);
    assert!(again["summary"].as_str().unwrap().contains("4 events are here already."), "{again}");
    let own = export(&other, "ics");
    assert_eq!(own["untrusted"], "import");
    other.done("itinerary_import", json!({ "text": own["text"] }));
    assert_eq!(other.bytes(), before);
    // And here nothing is doubled either.
    let before = desk.bytes();
    desk.done("itinerary_import", json!({ "text": file["text"] }));
    assert_eq!(desk.bytes(), before);
}

#[test]
fn a_calendar_of_google_is_told_on_the_clocks_of_its_places() {
    let desk = empty(Some(("2026-06-15", "2026-06-22")));
    let came = desk.done("itinerary_import", json!({ "text": GOOGLE }));
    let summary = came["summary"].as_str().unwrap();
    for part in [
        "Added 3 events",
        "1 event left out (line 69): It is cancelled.",
        "Of 1 event (line 55): It repeats; only its first time was taken.",
    ] {
        assert!(summary.contains(part), "{part} is not in {summary}");
    }
    assert!(!summary.contains("Paul"), "no word of the file is told: {summary}");
    let flight = desk.segment("Flight to Paris (AF 1735)");
    assert_eq!(flight["start"], json!({ "at": "2026-06-15T09:00", "zone": "Europe/Berlin" }));
    assert_eq!(flight["end"], json!({ "at": "2026-06-15T10:50", "zone": "Europe/Paris" }));
    assert_eq!(flight["status"], "planned");
    let hotel = desk.segment("Stay at Hotel Fabric");
    assert_eq!((&hotel["place"]["city"], &hotel["place"]["zone"]), (&json!("Paris"), &json!("Europe/Paris")));
    assert_eq!((&hotel["start"]["at"], &hotel["end"]["at"]), (&json!("2026-06-15"), &json!("2026-06-22")));
    // Undone it is gone.
    desk.done("undo", json!({}));
    assert!(rows(&desk).is_empty());
}

#[test]
fn events_outside_of_the_days_stay_out_unless_asked_for() {
    let desk = empty(Some(("2026-07-01", "2026-07-05")));
    let came = desk.done("itinerary_import", json!({ "text": GOOGLE }));
    let summary = came["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("Nothing was added") && summary.contains("not in the days of the itinerary"),
        "{summary}"
    );
    assert_eq!(came["itineraryUpdated"], false);
    let all = desk.done("itinerary_import", json!({ "text": GOOGLE, "all": true }));
    assert_eq!(all["segmentsModified"].as_array().unwrap().len(), 3);
    let why = desk.refused("itinerary_import", json!({ "text": "title,start" }));
    assert_eq!(
        why,
        "Line 1: this is no iCalendar file; it must begin with BEGIN:VCALENDAR. Nothing was changed."
    );
}

#[test]
fn a_file_of_the_app_is_taken_by_data_import_and_a_text_can_be_read() {
    let desk = Desk::in_paris();
    let file = export(&desk, "json");
    let other = Desk::new();
    let came = other.done("data_import", json!({ "format": "json", "text": file["text"], "mode": "add" }));
    assert!(came["summary"].as_str().unwrap().contains("1 new"), "{came}");
    assert_eq!(rows(&other).len(), 4);
    let text = export(&desk, "text")["text"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with(
            "Paris in June\n15 June 2026 to 22 June 2026\n\nMon 15 Jun 2026\n- 09:00 to 10:50 Berlin to Paris"
        ),
        "{text}"
    );
    assert!(
        text.contains("- Hotel Fabric, until Mon 22 Jun 2026") && text.contains("from the demo catalogue"),
        "{text}"
    );
    assert!(!text.contains("seg_"), "no ids: {text}");
}

/// D-17: a hostile file is read within bounds, and what it says of ids changes nothing that is here.
#[test]
fn a_hostile_file_takes_nothing_over() {
    let desk = Desk::in_paris();
    let flight = desk.segment("Berlin to Paris");
    let mine = flight["id"].as_str().unwrap().to_owned();
    let event = |uid: &str, own: &Value| {
        let own = own.to_string().replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,");
        format!(
            "BEGIN:VEVENT\nUID:{uid}\nSUMMARY:{}\nDTSTART:20260616T070000Z\nDTEND:20260616T060000Z\nX-SATCHEL-SEGMENT:{own}\nEND:VEVENT\n",
            "x".repeat(5_000)
        )
    };
    let own = json!({ "id": mine, "itinerary": "itin_other", "kind": "activity", "title": "t", "depends_on": [{ "on": "seg_none" }],
        "who": ["trav_none"], "source": "demo" });
    let text = format!(
        "BEGIN:VCALENDAR\n{}{}END:VCALENDAR\n",
        event(&format!("{mine}@satchel"), &own),
        event("other", &own)
    );
    let came = desk.done("itinerary_import", json!({ "text": text }));
    assert!(came["summary"].as_str().unwrap().contains("1 event is here already"), "{came}");
    assert_eq!(desk.segment("Berlin to Paris"), flight);
    let added = came["segmentsModified"][0].as_str().unwrap();
    let row = desk.segment(added);
    assert_eq!((&row["untrusted"], row.get("depends_on"), row.get("who")), (&json!("import"), None, None));
    assert!(row["title"].as_str().unwrap().chars().count() <= 200);
}
