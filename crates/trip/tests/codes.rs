//! Trips of which airports' letters are typed, from end to end: letters become airports with their clocks, and what is found of a plan is
//! what is wrong with it (S4-06, issue 16).

use crate::common;

use common::Desk;
use serde_json::json;

fn trip() -> Desk {
    let desk = Desk::new();
    desk.done("itinerary_create", json!({ "title": "New York", "start": "2026-06-15", "end": "2026-06-20" }));
    desk
}

#[test]
fn letters_are_airports_with_their_clocks() {
    let desk = trip();
    let added = desk.done(
        "add_flight",
        json!({ "from": "BER", "to": "JFK", "start": "2026-06-15T10:00", "end": "2026-06-15T13:10" }),
    );
    // Nine hours in the air are three on the wall: no fault is found of it.
    assert_eq!(added["findings"], json!([]));
    let flight = desk.segment("BER to JFK");
    assert_eq!(flight["start"], json!({ "at": "2026-06-15T10:00", "zone": "Europe/Berlin" }));
    assert_eq!(flight["end"], json!({ "at": "2026-06-15T13:10", "zone": "America/New_York" }));
    assert_eq!((&flight["to"]["city"], &flight["to"]["country"]), (&json!("New York"), &json!("US")));
    // Two airports of one city are two places, which are an hour apart.
    let late = desk.done(
        "add_flight",
        json!({ "from": "LGA", "to": "BOS", "start": "2026-06-15T15:00", "end": "2026-06-15T16:15" }),
    );
    assert_eq!(late["findings"][0]["rule"], "short-connection");
    let zone =
        desk.refused("update_segment", json!({ "segment": "BER to JFK", "end_zone": "America/Nowhere" }));
    assert_eq!(zone, "There is no time zone “America/Nowhere”: write it like Europe/Paris.");
    let nowhere = desk.done("add_flight", json!({ "from": "QQQ", "to": "BER", "start": "2026-06-19T10:00" }));
    assert_eq!(nowhere["success"], true);
}

#[test]
fn a_sight_is_placed_by_its_whole_name_where_the_trip_goes() {
    let desk = Desk::in_paris();
    for (title, place, zone) in [
        ("Museum", json!(null), "Europe/Paris"),
        ("Colosseum", json!(null), "Europe/Paris"),
        ("Eiffel Tower", json!("Eiffel Tower"), "Europe/Paris"),
    ] {
        desk.done("add_activity", json!({ "title": title, "start": "2026-06-18T10:00" }));
        let row = desk.segment(title);
        assert_eq!((&row["place"]["name"], &row["start"]["zone"]), (&place, &json!(zone)), "{title}");
    }
    // Where nobody said where it goes, a whole name is enough.
    let desk = trip();
    desk.done("add_activity", json!({ "title": "Colosseum" }));
    assert_eq!(desk.segment("Colosseum")["place"]["country"], "IT");
}

/// What is accepted in the call that brings it about is what comes of it, and not all that may ever be.
#[test]
fn what_is_accepted_with_a_change_is_what_comes_of_it() {
    let desk = Desk::in_paris();
    let add = |title: &str, day: u32| {
        let at = |time: &str| format!("2026-06-{day}T{time}");
        desk.done("add_activity", json!({ "title": title, "start": at("11:00"), "end": at("11:30") }))
    };
    let rules = |answer: &serde_json::Value| answer["findings"].to_string();
    add("Call", 17);
    let accept = json!({ "rule": "overlap", "why": "I call from there." });
    let moved = json!({ "segment": "Call", "start": "2026-06-16T11:00", "end": "2026-06-16T11:30", "accept": accept });
    assert!(!rules(&desk.done("update_segment", moved)).contains("overlap"));
    assert_eq!(desk.segment("Call")["accepted"][0]["of"], json!([desk.segment("Louvre")["id"]]));
    let budget = json!({ "budget": 1_000, "accept": { "rule": "over-budget", "why": "It is worth it." } });
    assert!(!rules(&desk.done("update_itinerary", budget)).contains("over-budget"));
    let more = desk.done("update_segment", json!({ "segment": "Louvre", "cost": 900 }));
    assert!(rules(&more).contains("over-budget"), "{more}");
}

/// Only what the catalogue gave is of it: words of a search elsewhere would else pass as nobody's (D-17).
#[test]
fn nobody_says_demo_but_the_catalogue() {
    let desk = trip();
    for source in ["demo", "Demo", " DEMO "] {
        let why = desk.refused("add_activity", json!({ "title": "Opera", "source": source }));
        assert!(why.contains("from_search"), "{why}");
    }
    desk.done("add_activity", json!({ "title": "Opera", "source": "Stays" }));
    assert_eq!(desk.segment("Opera")["untrusted"], "import");
}

/// S4-10: whoever is told of one of the catalogue's is told that it is invented.
#[test]
fn what_is_invented_says_so_wherever_it_is_told() {
    let desk = trip();
    let found =
        desk.done("search_hotels", json!({ "place": "Paris", "check_in": "2026-06-15", "nights": 7 }));
    let id = found["found"][0]["id"].clone();
    let invented = ", from the demo catalogue (invented)";
    let hotel = json!({ "from_search": id, "start": "2026-06-15", "end": "2026-06-22", "title": "Inn" });
    let added = desk.done("add_hotel", hotel)["summary"].as_str().unwrap().to_owned();
    assert!(added.contains(&format!("“Inn” for 7 nights from Mon 15 Jun 2026{invented} to ")), "{added}");
    let shown = desk.done("get_segment", json!({ "segment": "Inn" }))["summary"].as_str().unwrap().to_owned();
    assert!(shown.contains(&format!("2026{invented}.")), "{shown}");
    let told = desk.context()["blocks"][0]["text"].as_str().unwrap().to_owned();
    assert!(told.contains(&format!("2026{invented}")), "{told}");
    desk.done("add_activity", json!({ "title": "Walk", "start": "2026-06-16" }));
    assert!(!desk.said("get_segment", json!({ "segment": "Walk" })).contains("invented"));
}

/// What is accepted is what was told: another overlap, or a larger sum, is told again.
#[test]
fn what_is_accepted_is_what_was_found() {
    let desk = Desk::in_paris();
    let add = |title: &str, start: &str, end: &str| {
        let at = |time: &str| format!("2026-06-16T{time}");
        desk.done("add_activity", json!({ "title": title, "start": at(start), "end": at(end) }))
    };
    let rules = |answer: &serde_json::Value| -> Vec<String> {
        let found = answer["findings"].as_array().unwrap();
        found.iter().map(|found| found["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(rules(&add("Call", "11:00", "11:30")), ["overlap"]);
    let accept = json!({ "segment": "Louvre", "accept": { "rule": "overlap", "why": "I call from there." } });
    assert_eq!(rules(&desk.done("update_segment", accept.clone())), [""; 0]);
    assert_eq!(rules(&add("Lesson", "12:00", "12:30")), ["overlap"], "another one");
    assert_eq!(rules(&desk.done("update_segment", accept)), [""; 0]);
    assert_eq!(desk.segment("Louvre")["accepted"][0]["of"].as_array().unwrap().len(), 2);

    let cost = |sum: u32| desk.done("update_segment", json!({ "segment": "Hotel Fabric", "cost": sum }));
    let over = |desk: &Desk| {
        let findings = desk.done("check_itinerary", json!({}))["findings"].to_string();
        findings.contains("over-budget")
    };
    cost(5_000);
    assert!(over(&desk));
    let why = json!({ "accept": { "rule": "over-budget", "why": "It is worth it." } });
    desk.done("update_itinerary", why);
    assert!(!over(&desk));
    cost(4_900);
    assert!(!over(&desk), "less than what was accepted");
    cost(6_000);
    assert!(over(&desk), "more than what was accepted");
    // The copy of what is accepted beside something is so beside its copy.
    let lapses = |desk: &Desk, of: &str| {
        let found = desk.done("check_itinerary", json!({ "itinerary": of }));
        found["findings"].to_string().contains("overlap")
    };
    desk.done("itinerary_duplicate", json!({ "title": "Again" }));
    assert!(!lapses(&desk, "Paris in June") && !lapses(&desk, "Again"));
}
