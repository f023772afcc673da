//! Calendars that come again, and what a file that goes out has of what is private (D-17, issue 16).

use crate::common;

use common::Desk;
use serde_json::{Value, json};

/// A calendar of events, each of its lines.
fn calendar(events: &[String]) -> String {
    let events: String = events
        .iter()
        .enumerate()
        .map(|(number, lines)| format!("BEGIN:VEVENT\nUID:{number}@else\n{lines}\nEND:VEVENT\n"))
        .collect();
    format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n")
}

fn import(desk: &Desk, text: &str) -> String {
    desk.said("itinerary_import", json!({ "text": text }))
}

fn empty() -> Desk {
    let desk = Desk::new();
    desk.done("itinerary_create", json!({ "title": "Away", "start": "2026-06-15", "end": "2026-06-22" }));
    desk
}

/// What is guessed of an event goes by what the trip has: an event that nobody changed is none that was changed.
#[test]
fn an_event_that_nobody_changed_is_here_already() {
    let desk = empty();
    let walk = |hour: u32, stamp: u32| {
        calendar(&[
            format!("SUMMARY:Walk\nDTSTAMP:202605{stamp}T100000Z\nDTSTART:20260616T{hour}0000"),
            "SUMMARY:Tour\nGEO:48.85;2.35\nDTSTART:20260617T100000".to_owned(),
            "SUMMARY:Course\nDTSTART:20260407T180000\nRRULE:FREQ=WEEKLY;BYDAY=TU".to_owned(),
        ])
    };
    let came = import(&desk, &walk(10, 11));
    assert!(came.starts_with("Added 3 events"), "{came}");
    assert_eq!(desk.segment("Walk")["start"], json!({ "at": "2026-06-16T10:00" }));
    // By now it is known that the trip is in Paris, whose clocks the walk would be on.
    let before = desk.bytes();
    for stamp in [11, 12] {
        let again = import(&desk, &walk(10, stamp));
        assert_eq!(again, "Nothing was added to “Away”. 3 events are here already.");
        assert_eq!(desk.bytes(), before, "written out later it is still the same");
    }
    // On other days of the trip the course would have another turn, which nobody asked for.
    desk.done("update_itinerary", json!({ "end": "2026-06-30" }));
    desk.done("update_itinerary", json!({ "start": "2026-06-20" }));
    let before = desk.bytes();
    import(&desk, &walk(10, 13));
    assert_eq!(desk.bytes(), before);
    // What was changed there is taken.
    desk.done("undo", json!({}));
    let changed = import(&desk, &walk(11, 14));
    assert!(changed.starts_with("Changed 1 event of “Away” as the file has them now. 2 events"), "{changed}");
    assert_eq!(desk.segment("Walk")["start"]["at"], "2026-06-16T11:00");
    // What a person changed here stays, and is told where the file changed it as well.
    desk.done("update_segment", json!({ "segment": "Walk", "title": "Long walk" }));
    let same = import(&desk, &walk(11, 15));
    assert_eq!(same, "Nothing was added to “Away”. 3 events are here already.");
    assert!(import(&desk, &walk(12, 16)).contains("was changed here: what is here stays"));
}

/// Names are looked up of what comes, and not once more of what is here: there is an end to how many are.
#[test]
fn what_is_here_uses_up_no_searches() {
    let desk = empty();
    let mut events: Vec<String> = (0..121)
        .map(|number| format!("SUMMARY:Visit {number}\nLOCATION:Nowhere {number}\nDTSTART:20260616T100000"))
        .collect();
    let full = import(&desk, &calendar(&events));
    assert!(full.contains("more places than are looked up"), "{full}");
    // All of them are an hour later now, and one is new.
    for event in &mut events {
        *event = event.replace("T100000", "T110000");
    }
    events.push("SUMMARY:Last\nLOCATION:Lyon\nDTSTART:20260617T100000".to_owned());
    let more = import(&desk, &calendar(&events));
    assert!(more.starts_with("Added 1 event to “Away”") && more.contains("Changed 121 events"), "{more}");
    assert!(!more.contains("more places than are looked up"), "{more}");
    assert_eq!(desk.segment("Last")["place"]["city"], "Lyon");
}

/// What the file changed and cannot be taken is told, and no reason to take nothing (S4-33).
#[test]
fn a_change_that_cannot_be_taken_is_told() {
    let desk = empty();
    let event = |title: &str, end: u32| {
        format!(
            "SUMMARY:{title}\nDTSTART;TZID=Europe/Paris:20260616T100000\nDTEND;TZID=Europe/Paris:20260616T{end:02}0000"
        )
    };
    import(&desk, &calendar(&[event("Tour", 12), event("Lunch", 14)]));
    let before = desk.segment("Tour");
    let changed = import(&desk, &calendar(&[event("Tour", 9), event("Late lunch", 14)]));
    assert!(changed.starts_with("Changed 1 event of “Away”"), "{changed}");
    let told =
        "1 event is here already. Of 1 event (line 2): Its times there cannot be meant: what is here stays.";
    assert!(changed.contains(told), "{changed}");
    assert_eq!(desk.segment("Tour"), before);
    assert_eq!(desk.segment("Late lunch")["end"]["at"], "2026-06-16T14:00");

    let own = |more: Value| {
        let mut own = json!({ "id": "b", "itinerary": "else", "kind": "activity", "title": "Opera",
            "start": { "at": "2026-06-18T20:00" } });
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let own = own.to_string().replace(',', "\\,");
        calendar(&[format!("SUMMARY:Opera\nDTSTART:20260618T200000\nX-SATCHEL-SEGMENT:{own}")])
    };
    let desk = empty();
    import(&desk, &own(json!({})));
    let changed = import(&desk, &own(json!({ "carrier": "x".repeat(500) })));
    let told = "Of 1 event (line 2): It has something now that a segment cannot have: what is here stays.";
    assert!(changed.contains("1 event is here already.") && changed.contains(told), "{changed}");
}

/// A row that was wrong before is not kept from all that a calendar says of it.
#[test]
fn what_was_wrong_before_stops_no_change() {
    let desk = Desk::new();
    let rows = json!({ "satchel": 1, "itineraries": [
        { "itinerary": { "id": "itin_a", "title": "Away", "start": "2026-06-15", "end": "2026-06-22" } },
        { "segment": { "id": "seg_a", "itinerary": "itin_a", "kind": "activity", "title": "Tour",
            "start": { "at": "2026-06-17T10:00", "zone": "Europe/Paris" }, "end": { "at": "2026-06-17T09:00", "zone": "Europe/Paris" } } },
    ] });
    desk.done("data_import", json!({ "format": "json", "text": rows.to_string(), "is_own": true }));
    let file = desk.done("itinerary_export", json!({ "format": "ics" }))["text"].as_str().unwrap().to_owned();
    let said = import(&desk, &file.replace("SUMMARY:Tour", "SUMMARY:The tour"));
    assert!(said.starts_with("Changed 1 event of “Away”"), "{said}");
    assert_eq!(desk.segment("The tour")["id"], "seg_a");
}

/// Of rows that hang on each other in a circle one link is cut, and the others stay.
#[test]
fn of_a_circle_one_link_is_cut() {
    let desk = empty();
    let event = |id: &str, on: &[&str]| {
        let on: Vec<Value> = on.iter().map(|on| json!({ "on": on })).collect();
        let own = json!({ "id": id, "itinerary": "else", "kind": "activity", "title": id, "depends_on": on });
        let own = own.to_string().replace(',', "\\,");
        format!(
            "BEGIN:VEVENT\nUID:{id}@satchel\nSUMMARY:{id}\nDTSTART:20260616T100000\nX-SATCHEL-SEGMENT:{own}\nEND:VEVENT\n"
        )
    };
    let events =
        [event("Alpha", &["Gamma", "Beta"]), event("Beta", &["Alpha", "Gamma"]), event("Gamma", &[])];
    import(&desk, &format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", events.concat()));
    let hangs = |title: &str| -> Vec<Value> {
        let on = desk.segment(title)["depends_on"].clone();
        on.as_array().into_iter().flatten().map(|on| on["on"].clone()).collect()
    };
    let id = |title: &str| desk.segment(title)["id"].clone();
    assert_eq!(hangs("Alpha"), [id("Gamma"), id("Beta")]);
    assert_eq!(hangs("Beta"), [id("Gamma")]);
}

/// A confirmation code is as good as the booking: no file has it that the person did not ask for (README, “Rules”).
#[test]
fn codes_leave_only_where_they_are_asked_for() {
    let desk = Desk::in_paris();
    desk.done("update_segment", json!({ "segment": "Louvre", "code": "LV-9" }));
    desk.done(
        "update_segment",
        json!({ "segment": "Berlin to Paris", "note": "Window\nConfirmation code: QX7RTB" }),
    );
    let taken_over = "Confirmation code, as the file says: ZZ99";
    desk.done("update_segment", json!({ "segment": "Hotel Fabric", "note": taken_over }));
    let before = desk.bytes();
    for format in ["ics", "text", "json"] {
        for private in [None, Some(false), Some(true)] {
            let mut arguments = json!({ "format": format });
            if let Some(private) = private {
                arguments["private"] = json!(private);
            }
            let file =
                desk.done("itinerary_export", arguments)["text"].as_str().unwrap().replace("\r\n ", "");
            assert_eq!(file.contains("LV-9"), private == Some(true), "{format}: {file}");
            // A text for people has no notes.
            let has_notes = private == Some(true) && format != "text";
            for code in ["QX7RTB", "ZZ99"] {
                assert_eq!(file.contains(code), has_notes, "{format}: {file}");
            }
            // It takes nothing away when it comes back, not even where somebody wrote below it.
            match format {
                "ics" => {
                    import(&desk, &file);
                    assert_eq!(desk.bytes(), before, "{private:?}");
                    import(&desk, &file.replace("\\nWindow", "\\nWindow seat"));
                    let note = desk.segment("Berlin to Paris")["note"].clone();
                    let kept = note.as_str().unwrap();
                    assert!(
                        kept.starts_with("Window seat") && kept.ends_with("Confirmation code: QX7RTB"),
                        "{kept}"
                    );
                    desk.done("undo", json!({}));
                }
                "json" => {
                    desk.done("data_import", json!({ "format": "json", "text": file }));
                }
                _ => {}
            }
            assert_eq!(desk.bytes(), before, "{format} {private:?}");
        }
    }
}

/// S4-12: what hangs on two events that both moved moves with them once, and not by each.
#[test]
fn what_hangs_on_two_events_moves_once() {
    let at = |day: u32| {
        calendar(&[
            format!("SUMMARY:Fair\nDTSTART;TZID=Europe/Paris:202606{day}T090000"),
            format!("SUMMARY:Opera\nDTSTART;TZID=Europe/Paris:202606{day}T190000"),
        ])
    };
    let desk = empty();
    import(&desk, &at(16));
    desk.done(
        "add_transfer",
        json!({ "from": "Fair", "to": "Opera", "title": "Ride", "start": "2026-06-16T18:00", "depends_on": [{ "on": "Fair" }, { "on": "Opera" }] }),
    );
    desk.done(
        "add_activity",
        json!({ "title": "Drinks", "start": "2026-06-16T22:00", "booked_by_you": true, "depends_on": [{ "on": "Opera" }] }),
    );
    let moved = desk.done("itinerary_import", json!({ "text": at(17) }));
    assert_eq!(desk.segment("Ride")["start"]["at"], "2026-06-17T18:00");
    assert_eq!(desk.segment("Opera")["start"]["at"], "2026-06-17T19:00");
    assert_eq!(moved["notMoved"].as_array().unwrap().len(), 1, "{moved}");
    assert_eq!(desk.segment("Drinks")["start"]["at"], "2026-06-16T22:00");
}
