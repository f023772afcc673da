//! The tools as a model and a person meet them.

use crate::common;

use common::Desk;
use mcp::Host;
use serde_json::{Value, json};

#[test]
fn the_tools_are_those_of_the_requirements() {
    let desk = Desk::new();
    let names: Vec<String> = desk.server().tools().iter().map(|tool| tool.name.clone()).collect();
    // S4-06, the extras of S4-33, and an itinerary's own files.
    for name in [
        "get_itinerary", "get_segment", "add_flight", "add_hotel", "add_activity", "add_transfer",
        "add_meeting", "update_segment", "delete_segment", "move_segment", "reorder_segments",
        "update_itinerary", "update_preferences", "add_traveler", "get_distance", "geocode_location",
        "show_route", "itinerary_list", "itinerary_create", "itinerary_duplicate", "itinerary_archive",
        "itinerary_delete", "check_itinerary", "search_flights", "search_hotels", "search_transfers",
        "search_web", "itinerary_export", "itinerary_import",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
}

/// S4-02, ADR 0064: where there is nothing a model is offered the tool that begins.
#[test]
fn a_trip_begins_with_the_only_tool_that_is_offered() {
    let desk = Desk::new();
    let idle = desk.context()["idle"].as_array().unwrap().clone();
    assert!(!idle.contains(&json!("itinerary_create")) && idle.contains(&json!("add_flight")));
    assert_eq!(desk.context()["blocks"], json!([]));
    assert_eq!(
        desk.refused("add_flight", json!({ "from": "Berlin", "to": "Paris", "start": "2026-06-15" })),
        "There is no itinerary yet: itinerary_create makes one."
    );
    assert_eq!(
        desk.said(
            "itinerary_create",
            json!({ "title": "Paris", "start": "2026-06-15", "end": "2026-06-22" })
        ),
        "Made the itinerary “Paris”, 15 June 2026 to 22 June 2026."
    );
    assert_eq!(desk.context().get("idle"), None);
    assert!(desk.refused("itinerary_create", json!({ "title": "paris" })).contains("already"));
    for (arguments, why) in [
        (json!({ "title": " " }), "The title is empty"),
        (json!({ "title": "x".repeat(201) }), "201 characters; at most 200"),
        (json!({ "title": "A", "start": "tomorrow" }), "is no day: write it like 2026-06-15."),
        (json!({ "title": "A", "start": "2026-06-15", "end": "2026-06-14" }), "before it begins"),
        (json!({ "title": "A", "budget": 5 }), "Say the currency"),
        (json!({ "title": "A", "budget": -5, "currency": "EUR" }), "A sum may be 0 to"),
        (json!({ "title": "A", "currency": "euros" }), "three letters of ISO 4217"),
    ] {
        let said = desk.refused("itinerary_create", arguments.clone());
        assert!(said.contains(why), "{arguments}: {said}");
    }
}

/// S4-20: a hotel is added and read back; nothing says that it was booked.
#[test]
fn adding_is_never_called_booking() {
    let desk = Desk::in_paris();
    let done = desk.done(
        "add_hotel",
        json!({ "place": "Hotel Providence, Paris", "start": "2026-06-15", "end": "2026-06-22", "cost": 4100, "idea": true }),
    );
    assert_eq!(
        done["summary"],
        "Added the hotel “Hotel Providence, Paris” for 7 nights from Mon 15 Jun 2026 to “Paris in June” as an idea; nothing was booked."
    );
    assert_eq!((&done["success"], &done["itineraryUpdated"]), (&json!(true), &json!(true)));
    assert_eq!(done["segmentsModified"], json!([done["segmentId"]]));
    // Ids are for models, and in no sentence (D-04).
    assert!(!done["summary"].as_str().unwrap().contains(done["segmentId"].as_str().unwrap()));
    assert_eq!(desk.segment("Hotel Fabric")["status"], "planned");
    let booked = desk.done(
        "add_activity",
        json!({ "title": "Seine cruise", "start": "2026-06-17T20:00", "booked_by_you": true, "code": "XY12" }),
    );
    assert_eq!(
        booked["summary"],
        "Added the activity “Seine cruise” on Wed 17 Jun 2026 at 20:00 to “Paris in June”, as booked by you; nothing was booked here."
    );
    assert_eq!(desk.segment("Seine cruise")["status"], "booked");
    assert!(
        desk.said("update_segment", json!({ "segment": "Seine cruise", "booked_by_you": false }))
            .contains("it is planned")
    );
    assert!(
        desk.refused("update_segment", json!({ "segment": "Louvre", "booked_by_you": true, "idea": true }))
            .contains("no idea")
    );
    // A code alone pins, and books nothing.
    desk.done("update_segment", json!({ "segment": "Louvre", "code": "L1" }));
    let louvre = desk.done("get_segment", json!({ "segment": "Louvre" }));
    assert_eq!((&louvre["segment"]["status"], &louvre["pinned"]), (&json!("planned"), &json!(true)));
    let gone = desk.said("delete_segment", json!({ "segment": "Louvre" }));
    assert_eq!(
        gone,
        "Deleted “Louvre” from “Paris in June”. The booking that you made is not cancelled by it."
    );
}

#[test]
fn places_are_found_by_their_names_with_zone_and_coordinates() {
    let desk = Desk::in_paris();
    let flight = desk.segment("Berlin to Paris");
    assert_eq!(
        (
            &flight["from"]["city"], &flight["from"]["country"], &flight["start"]["zone"],
            &flight["end"]["zone"]
        ),
        (&json!("Berlin"), &json!("DE"), &json!("Europe/Berlin"), &json!("Europe/Paris"))
    );
    assert_eq!(flight["cost"], json!({ "minor": 42_000, "currency": "USD" }));
    let louvre = desk.segment("Louvre");
    assert_eq!(
        (&louvre["place"]["city"], &louvre["start"]["zone"]),
        (&json!("Paris"), &json!("Europe/Paris"))
    );
    assert!(louvre["place"]["lat"].as_f64().is_some_and(|lat| (lat - 48.86).abs() < 0.01));
    // Nobody knows where the hotel is: its city is said behind the comma, and no coordinates are made up.
    let hotel = desk.segment("Hotel Fabric");
    assert_eq!(
        (&hotel["place"]["city"], hotel["place"].get("lat"), &hotel["start"]["zone"]),
        (&json!("Paris"), None, &json!("Europe/Paris"))
    );
    // A place that nobody knows has the clock of where the trip is.
    desk.done(
        "add_meeting",
        json!({ "title": "Dinner with Ada", "place": "Ada’s flat", "start": "2026-06-17T19:00" }),
    );
    let dinner = desk.segment("Dinner with Ada");
    assert_eq!(
        (&dinner["place"], &dinner["start"]["zone"]),
        (&json!({ "name": "Ada’s flat" }), &json!("Europe/Paris"))
    );
    // One may say all of it.
    desk.done(
        "add_activity",
        json!({ "title": "Picnic", "start": "2026-06-18", "place": { "name": "The lawn", "lat": 48.855, "lon": 2.298 } }),
    );
    assert_eq!(desk.segment("Picnic")["place"]["city"], "Paris");
    let wrong = json!({ "title": "A", "place": { "name": "B", "lat": 91, "lon": 0 } });
    assert!(desk.refused("add_activity", wrong).contains("latitude from -90 to 90"));
    let wrong = json!({ "title": "A", "start": "2026-06-18T25:00" });
    assert!(desk.refused("add_activity", wrong).contains("cannot be read"));
    let wrong = json!({ "title": "A", "links": ["javascript:alert(1)"] });
    assert!(desk.refused("add_activity", wrong).contains("is no link"));
}

#[test]
fn an_itinerary_is_shown_in_order_with_what_it_costs_and_what_nobody_said() {
    let desk = Desk::in_paris();
    let whole = desk.done("get_itinerary", json!({}));
    let titles: Vec<&str> =
        whole["segments"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Berlin to Paris", "CDG to Hotel Fabric, Paris", "Hotel Fabric", "Louvre"]);
    assert_eq!(whole["costs"], json!([{ "minor": 422_000, "currency": "USD" }]));
    assert_eq!(
        whole["summary"],
        "“Paris in June” (15 June 2026 to 22 June 2026) has 4 segments. All of it costs 4,220 USD so far."
    );
    assert_eq!(whole["unknown"], json!(["travelers", "accommodation", "origin", "interests", "pace"]));
    assert_eq!(whole["assumed"]["before_flight_min"], 90);
    let day = desk.done("get_itinerary", json!({ "day": "2026-06-16" }));
    // The hotel lasts over it.
    assert_eq!(day["segments"].as_array().unwrap().len(), 2);
    assert_eq!(day["summary"].as_str().unwrap().lines().count(), 1);
    let context = desk.context()["blocks"][0].clone();
    let text = context["text"].as_str().unwrap();
    assert!(
        text.starts_with("- “Paris in June”\n- Days: 15 June 2026 to 22 June 2026\n- Goes to Paris\n"),
        "{text}"
    );
    assert!(text.contains("- Nobody said yet: how many travel, where they like to sleep,"), "{text}");
    assert!(!text.contains("seg_") && !text.contains("itin_"), "{text}");
    assert_eq!(context["outside"], false);
}

#[test]
fn a_segment_is_meant_by_its_name_or_asked_about() {
    let desk = Desk::in_paris();
    desk.done("add_activity", json!({ "title": "Louvre at night", "start": "2026-06-19T19:00" }));
    // A whole title before a part of one.
    assert_eq!(desk.segment("louvre")["title"], "Louvre");
    desk.done("add_activity", json!({ "title": "Louvre", "start": "2026-06-20T10:00" }));
    let said = desk.refused("get_segment", json!({ "segment": "Louvre" }));
    assert_eq!(
        said,
        "“Louvre” could be “Louvre” on Tue 16 Jun 2026 at 10:00 or “Louvre” on Sat 20 Jun 2026 at 10:00: give the id that \
         get_itinerary shows."
    );
    assert!(
        desk.refused("get_segment", json!({ "segment": "Orsay" }))
            .contains("There is no “Orsay” on “Paris in June”")
    );
}

#[test]
fn what_hangs_on_a_flight_moves_with_it_and_a_preview_shows_it() {
    let desk = Desk::in_paris();
    let before = desk.bytes();
    let by = json!({ "segment": "Berlin to Paris", "to": "2026-06-16T14:00" });
    let shown = desk.preview("move_segment", by.clone());
    assert_eq!(desk.bytes(), before, "a preview changes nothing");
    let rows = |answer: &Value| -> Vec<(String, String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let changes = answer["changes"].as_array().unwrap().iter();
        let start = |row: &Value, side: &str| text(&row[side]["start"]["at"]);
        changes.map(|row| (text(&row["label"]), start(row, "before"), start(row, "after"))).collect()
    };
    let expected = [
        ("Berlin to Paris", "2026-06-15T09:00", "2026-06-16T14:00"),
        ("Hotel Fabric", "2026-06-15", "2026-06-16"),
        ("CDG to Hotel Fabric, Paris", "2026-06-15T11:30", "2026-06-16T16:30"),
    ]
    .map(|(label, before, after)| (label.to_owned(), before.to_owned(), after.to_owned()));
    assert_eq!(rows(&shown), expected);
    let done = desk.done("move_segment", by.clone());
    assert_eq!(rows(&done), expected);
    let moved = "Moved “Berlin to Paris” from Mon 15 Jun 2026 at 09:00 to Tue 16 Jun 2026 at 14:00. 2 segments that hang on it moved along.";
    assert!(done["summary"].as_str().unwrap().starts_with(moved));
    // What no longer works is told with it: the visit of that morning, in the city one flies to, and the hotel's last night.
    let rules: Vec<&str> =
        done["findings"].as_array().unwrap().iter().map(|found| found["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["outside-trip", "impossible-speed"]);
    assert_eq!(done["segmentsModified"].as_array().unwrap().len(), 3);
    assert_eq!(desk.segment("Hotel Fabric")["end"]["at"], "2026-06-23");
    assert!(desk.said("move_segment", by).contains("is there already"));
    assert!(desk.said("undo", json!({})).starts_with("Undone: Moved “Berlin to Paris”"));
    assert_eq!(desk.bytes(), before);
    assert_eq!(
        desk.said("move_segment", json!({ "segment": "Louvre", "to": "2026-06-18" })),
        "Moved “Louvre” from Tue 16 Jun 2026 at 10:00 to Thu 18 Jun 2026 at 10:00."
    );
    for (arguments, why) in [
        (json!({ "segment": "Louvre" }), "Say where to"),
        (json!({ "segment": "Louvre", "to": "2026-06-18", "by_days": 1 }), "Give either"),
        (json!({ "segment": "Louvre", "to": "soon" }), "The new start “soon” cannot be read"),
        (json!({ "segment": "Louvre", "by_days": 40_001 }), "by_days may be"),
        (json!({ "segment": "Louvre", "by_minutes": i64::MIN }), "by_days may be"),
        (json!({ "segment": "Hotel Fabric", "by_minutes": 30 }), "move it by days"),
        (json!({ "segment": "Hotel Fabric", "to": "2026-06-16T15:00" }), "has a day and no time"),
    ] {
        let said = desk.refused("move_segment", arguments.clone());
        assert!(said.contains(why), "{arguments}: {said}");
    }
}

#[test]
fn what_is_booked_does_not_move_and_is_reported() {
    let desk = Desk::in_paris();
    desk.done("update_segment", json!({ "segment": "Hotel Fabric", "code": "HF-77" }));
    let done = desk.done("move_segment", json!({ "segment": "Berlin to Paris", "by_days": 1 }));
    assert_eq!(done["notMoved"][0]["title"], "Hotel Fabric");
    let summary = done["summary"].as_str().unwrap();
    assert!(summary.contains("1 segment that hangs on it moved along."), "{summary}");
    assert!(
        summary.ends_with("“Hotel Fabric” has the confirmation code HF-77 and was not moved."),
        "{summary}"
    );
    assert_eq!(desk.segment("Hotel Fabric")["start"]["at"], "2026-06-15");
    let itself = json!({ "segment": "Hotel Fabric", "by_days": 1 });
    assert_eq!(
        desk.refused("move_segment", itself),
        "“Hotel Fabric” was not moved, because it has the confirmation code HF-77. Change the booking first, and then say so \
         (booking_changed)."
    );
    desk.done("move_segment", json!({ "segment": "Hotel Fabric", "by_days": 1, "booking_changed": true }));
    assert_eq!(desk.segment("Hotel Fabric")["end"]["at"], "2026-06-23");
    // The whole trip moves, what is booked does not.
    let moved = desk.done("update_itinerary", json!({ "move_days": 1 }));
    assert!(
        moved["summary"]
            .as_str()
            .unwrap()
            .starts_with("Moved “Paris in June” 1 day later: 16 June 2026 to 23 June 2026.")
    );
    assert_eq!(moved["notMoved"].as_array().unwrap().len(), 1);
    assert_eq!(desk.segment("Louvre")["start"]["at"], "2026-06-17T10:00");
}

#[test]
fn nothing_hangs_on_itself() {
    let desk = Desk::in_paris();
    let on = |on: &str| json!([{ "on": on }]);
    let circle = json!({ "segment": "Berlin to Paris", "depends_on": on("CDG to Hotel Fabric, Paris") });
    assert!(desk.refused("update_segment", circle).contains("It would hang on itself"));
    assert!(
        desk.refused("update_segment", json!({ "segment": "Louvre", "depends_on": on("Louvre") }))
            .contains("itself")
    );
    desk.done("update_segment", json!({ "segment": "Louvre", "depends_on": on("Hotel Fabric") }));
    let done = desk.said("delete_segment", json!({ "segment": "Berlin to Paris" }));
    assert_eq!(
        done,
        "Deleted “Berlin to Paris” from “Paris in June”. 2 segments that hung on it stay where they are now."
    );
    assert_eq!(desk.segment("Hotel Fabric").get("depends_on"), None);
    desk.done("undo", json!({}));
    assert_eq!(desk.segment("Hotel Fabric")["depends_on"][0]["how"], "starts_after_end");
    // Taking an addition back frees what was hung on it later.
    desk.done("add_activity", json!({ "title": "Market", "start": "2026-06-18T09:00" }));
    desk.done("update_segment", json!({ "segment": "Louvre", "depends_on": on("Market") }));
    let history = desk.done("history", json!({ "limit": 10 }));
    let added =
        history["entries"].as_array().unwrap().iter().find(|entry| entry["tool"] == "add_activity").unwrap();
    desk.done("undo", json!({ "call": added["key"] }));
    assert_eq!(desk.segment("Louvre").get("depends_on"), None);
}

#[test]
fn a_day_is_ordered_without_touching_times() {
    let desk = Desk::in_paris();
    for title in ["Bakery", "Walk"] {
        desk.done("add_activity", json!({ "title": title, "start": "2026-06-16" }));
    }
    desk.done("add_meeting", json!({ "title": "Lunch", "start": "2026-06-16T13:30" }));
    desk.done(
        "reorder_segments",
        json!({ "day": "2026-06-16", "order": ["Bakery", "Louvre", "Walk", "Lunch"] }),
    );
    let titles = |desk: &Desk| -> Vec<String> {
        let day = desk.done("get_itinerary", json!({ "day": "2026-06-16" }));
        let all = day["segments"].as_array().unwrap().iter();
        all.filter(|one| one["kind"] != "hotel")
            .map(|one| one["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(titles(&desk), ["Bakery", "Louvre", "Walk", "Lunch"]);
    // What is not named keeps its time.
    desk.done("reorder_segments", json!({ "day": "2026-06-16", "order": ["Walk", "Lunch", "Bakery"] }));
    assert_eq!(titles(&desk), ["Walk", "Louvre", "Lunch", "Bakery"]);
    let wrong = json!({ "day": "2026-06-16", "order": ["Lunch", "Louvre"] });
    assert_eq!(
        desk.refused("reorder_segments", wrong),
        "“Louvre” has an earlier time than “Lunch”: change one of the times with move_segment."
    );
    let wrong = json!({ "day": "2026-06-16", "order": ["Berlin to Paris"] });
    assert!(desk.refused("reorder_segments", wrong).contains("is not on Tue 16 Jun 2026"));
}

/// S4-18 with its trap, D-20.
#[test]
fn a_profile_has_what_was_said_and_nothing_else() {
    let desk = Desk::in_paris();
    let guess = json!({ "travelers": { "value": 4, "said": "Plan a week in Paris for my family" } });
    assert_eq!(
        desk.refused("update_preferences", guess),
        "“Plan a week in Paris for my family” does not say that 4 travel: leave `travelers` out and ask how many there are."
    );
    let done = desk.done(
        "update_preferences",
        json!({ "destination": { "value": ["Paris"], "said": "a week in Paris", "confidence": 1 },
            "dates": { "value": { "nights": 7 }, "said": "a week" } }),
    );
    assert_eq!(
        done["summary"],
        "Noted. Not known yet: how many travel, where they like to sleep, where they set out, what they like to do, how much they want in \
         a day."
    );
    assert_eq!((&done["itineraryUpdated"], &done["segmentsModified"]), (&json!(true), &json!([])));
    let guess = json!({ "budget": { "value": { "amount": 3000 }, "said": "not too expensive" } });
    assert!(desk.refused("update_preferences", guess).contains("does not say 3,000 USD"));
    desk.done(
        "update_preferences",
        json!({ "travelers": { "value": 4, "said": "two adults and two kids" }, "accommodation": { "value": "boutique hotel", "said": "boutique" },
            "budget": { "value": { "amount": 5000, "currency": "USD" }, "said": "about $5,000" } }),
    );
    let whole = desk.done("get_itinerary", json!({}));
    assert_eq!(
        whole["profile"]["travelers"],
        json!({ "value": 4, "confidence": 0.9, "said": "two adults and two kids" })
    );
    assert_eq!(whole["profile"]["destination"]["confidence"], 1.0);
    assert_eq!(whole["unknown"], json!(["origin", "interests", "pace"]));
    desk.done("update_preferences", json!({ "travelers": null }));
    assert_eq!(desk.done("get_itinerary", json!({}))["profile"].get("travelers"), None);
    let wrong = json!({ "origin": { "value": "Berlin", "said": "  " } });
    assert!(desk.refused("update_preferences", wrong).contains("text it was taken from is empty"));
    let wrong = json!({ "origin": { "value": "Berlin", "said": "from Berlin", "confidence": 2 } });
    assert!(desk.refused("update_preferences", wrong).contains("0 to 1"));
}

#[test]
fn travellers_are_kept_without_numbers_of_passports() {
    let desk = Desk::in_paris();
    let ada = json!({ "name": "Ada", "kind": "adult", "passport": { "country": "de", "valid_until": "2029-03-31" },
        "visas": [{ "country": "US", "valid_until": "2027-01-01" }] });
    assert_eq!(desk.said("add_traveler", ada), "Added the traveller “Ada” to “Paris in June”.");
    let number = json!({ "name": "Bob", "passport": { "country": "DE", "valid_until": "2029-03-31", "number": "C01X" } });
    assert!(desk.refused("add_traveler", number).contains("number"));
    assert!(desk.refused("add_traveler", json!({ "name": "ada" })).contains("already"));
    desk.done("add_traveler", json!({ "name": "Ada Lovelace", "traveler": "Ada", "born": "1815-12-10" }));
    let travellers = desk.done("get_itinerary", json!({}))["itinerary"]["travellers"].clone();
    assert_eq!(
        (&travellers[0]["name"], &travellers[0]["born"], &travellers[0]["passport"]),
        (
            &json!("Ada Lovelace"),
            &json!("1815-12-10"),
            &json!({ "country": "DE", "valid_until": "2029-03-31" })
        )
    );
    desk.done("add_traveler", json!({ "name": "Bob" }));
    desk.done("update_segment", json!({ "segment": "Louvre", "who": ["Bob"] }));
    let gone = json!({ "remove_travelers": ["Bob"] });
    assert!(desk.refused("update_itinerary", gone.clone()).contains("Nobody else takes part in “Louvre”"));
    desk.done("update_segment", json!({ "segment": "Louvre", "who": [] }));
    desk.done("update_itinerary", gone);
    assert_eq!(desk.done("get_itinerary", json!({}))["itinerary"]["travellers"].as_array().unwrap().len(), 1);
    assert!(
        desk.refused("update_segment", json!({ "segment": "Louvre", "who": ["Bob"] }))
            .contains("is no traveller")
    );
}

#[test]
fn an_itinerary_is_copied_put_away_and_deleted() {
    let desk = Desk::in_paris();
    desk.done("update_segment", json!({ "segment": "Hotel Fabric", "booked_by_you": true, "code": "HF-77" }));
    let copied = desk.done("itinerary_duplicate", json!({ "title": "Paris again", "start": "2027-06-14" }));
    assert_eq!(copied["summary"], "Copied “Paris in June” to “Paris again”. 1 booking of it was not copied.");
    // The copy is the one that was worked on last.
    let copy = desk.done("get_itinerary", json!({}));
    assert_eq!(
        (&copy["itinerary"]["title"], &copy["itinerary"]["end"]),
        (&json!("Paris again"), &json!("2027-06-21"))
    );
    let hotel =
        copy["segments"].as_array().unwrap().iter().find(|one| one["kind"] == "hotel").unwrap().clone();
    assert_eq!(
        (&hotel["status"], hotel.get("code"), &hotel["start"]["at"]),
        (&json!("planned"), None, &json!("2027-06-14"))
    );
    assert_eq!(hotel["depends_on"][0]["on"], copy["segments"][0]["id"]);
    let both = desk.done("itinerary_list", json!({}));
    let titles: Vec<&str> =
        both["itineraries"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(
        (titles, &both["itineraries"][1]["current"]),
        (vec!["Paris in June", "Paris again"], &json!(true))
    );
    desk.done("itinerary_archive", json!({ "itinerary": "Paris again" }));
    assert_eq!(desk.said("itinerary_list", json!({})), "1 itinerary. 1 more is archived.");
    assert_eq!(desk.done("get_itinerary", json!({}))["itinerary"]["title"], "Paris in June");
    let closed = json!({ "itinerary": "Paris again", "title": "A" });
    assert!(desk.refused("add_activity", closed).contains("is archived: bring it back"));
    let before = desk.bytes();
    let gone = desk.done("itinerary_delete", json!({ "itinerary": "Paris in June" }));
    assert_eq!(
        gone["summary"],
        "Deleted the itinerary “Paris in June” with 4 segments. 1 booking that you made is not cancelled by it."
    );
    assert_eq!(gone["segmentsModified"].as_array().unwrap().len(), 4);
    assert!(desk.refused("get_itinerary", json!({})).contains("All itineraries are archived"));
    desk.done("undo", json!({}));
    assert_eq!(desk.bytes(), before);
    // The undo of its making would leave what is on it without an itinerary.
    let history = desk.done("history", json!({ "limit": 50 }));
    let made = history["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["tool"] == "itinerary_create")
        .unwrap();
    assert_eq!(made["can_undo"], false);
}

#[test]
fn distances_places_and_routes_are_told_as_what_they_are() {
    let desk = Desk::in_paris();
    let far = desk.done("get_distance", json!({ "from": "Louvre", "to": "Eiffel Tower" }));
    assert_eq!(
        far["summary"],
        "From “Louvre” to “Eiffel Tower” it is 3.2 km as the crow flies, about 48 min on foot or 4 min by car."
    );
    assert!(
        desk.refused("get_distance", json!({ "from": "Louvre", "to": "Ada’s flat" }))
            .contains("is not known here")
    );
    let paris = desk.done("geocode_location", json!({ "name": "Paris, Texas" }));
    assert_eq!(paris["places"][0]["country"], "US");
    assert_eq!(
        desk.said("geocode_location", json!({ "name": "Ada’s flat" })),
        "Where “Ada’s flat” is is not known here."
    );
    let route = desk.done("show_route", json!({}));
    let names: Vec<&Value> = route["stops"].as_array().unwrap().iter().map(|stop| &stop["name"]).collect();
    assert_eq!(names, ["Berlin", "Paris", "Charles de Gaulle International Airport", "Louvre"]);
    assert_eq!(route["legs"][0]["by"], "flight");
    assert_eq!(route["unplaced"], json!(["Hotel Fabric"]));
    // Distances are asked before there is a trip, too.
    let empty = Desk::new();
    assert!(
        empty
            .said("get_distance", json!({ "from": "Tokyo", "to": "Kyoto" }))
            .contains("km as the crow flies")
    );
}

#[test]
fn what_a_person_accepts_and_reckons_with_is_kept() {
    let desk = Desk::in_paris();
    desk.done(
        "update_segment",
        json!({ "segment": "Louvre", "opening": "Mo,We-Su 09:00-18:00", "accept": { "rule": "closed", "why": "we have a key" } }),
    );
    assert_eq!(desk.segment("Louvre")["accepted"], json!([{ "rule": "closed", "why": "we have a key" }]));
    let wrong = json!({ "segment": "Louvre", "accept": { "rule": "closed", "why": "" } });
    assert!(desk.refused("update_segment", wrong).contains("reason why"));
    desk.done("update_itinerary", json!({ "assumptions": { "walking_kmh": 3 } }));
    assert_eq!(desk.done("check_itinerary", json!({}))["assumed"]["walking_kmh"], 3);
    assert!(
        desk.refused("update_itinerary", json!({ "assumptions": { "walking_kmh": 0 } }))
            .contains("may be 1 to")
    );
    desk.done("update_itinerary", json!({ "assumptions": { "walking_kmh": null } }));
    assert_eq!(desk.done("get_itinerary", json!({}))["itinerary"].get("assumptions"), None);
}

/// S4-33: a key belongs to one call, and the same call again is the first answer.
#[test]
fn the_same_call_again_adds_nothing() {
    let desk = Desk::in_paris();
    let add = json!({ "title": "Food tour", "start": "2026-06-18T18:00" });
    let key = json!({ "dev.satchel/key": "once" });
    let first = desk.call_with("add_activity", add.clone(), key.clone()).unwrap();
    let again = desk.call_with("add_activity", add, key).unwrap();
    assert_eq!(first, again);
    assert_eq!(desk.done("get_itinerary", json!({}))["segments"].as_array().unwrap().len(), 5);
}

#[test]
fn there_is_an_end_to_what_fits() {
    let desk = Desk::quick();
    for number in 0..trip::MAX_ITINERARIES {
        desk.done("itinerary_create", json!({ "title": format!("Trip {number}") }));
    }
    assert!(
        desk.refused("itinerary_create", json!({ "title": "More" })).contains("50 itineraries are there")
    );
    assert!(
        desk.refused("itinerary_duplicate", json!({ "title": "More", "itinerary": "Trip 7" }))
            .contains("50 itineraries are there")
    );
    for number in 0..trip::MAX_SEGMENTS {
        desk.done(
            "add_activity",
            json!({ "title": format!("A {number}"), "is_note": true, "itinerary": "Trip 7" }),
        );
    }
    assert!(
        desk.refused("add_activity", json!({ "title": "More", "itinerary": "Trip 7" }))
            .contains("has 200 segments")
    );
    for number in 0..trip::MAX_TRAVELLERS {
        desk.done("add_traveler", json!({ "name": format!("T {number}"), "itinerary": "Trip 7" }));
    }
    assert!(
        desk.refused("add_traveler", json!({ "name": "More", "itinerary": "Trip 7" }))
            .contains("20 travellers")
    );
}
