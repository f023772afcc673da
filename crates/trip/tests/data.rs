//! Itineraries in files, and in saved copies.

use crate::common;

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
    assert_eq!(done["summary"], "Imported itineraries: 1 new; segments: 4 new; profiles: 1 new.");
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
    assert_eq!(import(&other, &text, json!({}))["unchanged"], 6);
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
        "Imported itineraries: 1 new, 4 not readable; segments: 2 new, 5 not readable; profiles: 2 not readable; rows: 1 not readable."
    );
    let whole = desk.done("get_itinerary", json!({}));
    assert_eq!(whole["itinerary"]["untrusted"], "import");
    assert!(whole["itinerary"].get("colour").is_none() && whole.get("profile").is_none());
    // The circle is cut at one place, and nothing hangs on what is not there.
    let hanging =
        whole["segments"].as_array().unwrap().iter().filter(|one| one.get("depends_on").is_some()).count();
    assert_eq!(hanging, 1);
    assert!(whole["segments"].as_array().unwrap().iter().all(|one| one["id"].as_str().unwrap().len() == 24));
    let refused =
        desk.refused("data_import", json!({ "format": "json", "text": file_of(&rows), "mode": "replace" }));
    assert!(refused.contains("Nothing was changed"), "{refused}");
    let refused =
        desk.refused("data_import", json!({ "format": "json", "text": r#"{"satchel":1,"itineraries":7}"# }));
    assert!(refused.contains("cannot be read"), "{refused}");
}

/// D-17: why a row of a stranger's file does not come in is told without its words; of one's own with them.
#[test]
fn no_word_of_a_row_that_does_not_come_in_is_told() {
    let place = json!({ "name": "Evil ”place“", "country": "Evil" });
    let rows = [
        itinerary("itin_a", json!({})),
        itinerary("itin_b", json!({ "start": "Evil" })),
        itinerary(
            "itin_c",
            json!({ "travellers": [{ "id": "t", "name": "Evil", "passport": { "country": "Evil" } }] }),
        ),
        segment("seg_a", "itin_a", json!({ "place": place, "links": [] })),
        segment("seg_b", "itin_a", json!({ "links": ["Evil"] })),
    ];
    for (is_own, told) in [(false, 0), (true, 4)] {
        let done = import(&Desk::new(), &file_of(&rows), json!({ "is_own": is_own }));
        let reasons: Vec<&str> =
            done["rejected"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
        assert_eq!(reasons.len(), 4);
        assert_eq!(reasons.iter().filter(|why| why.contains("Evil")).count(), told, "{reasons:?}");
    }
}

fn itinerary(id: &str, more: Value) -> Value {
    let mut row = json!({ "id": id, "title": id });
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "itinerary": row })
}

fn segment(id: &str, of: &str, more: Value) -> Value {
    let mut row = json!({ "id": id, "itinerary": of, "kind": "activity", "title": id });
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "segment": row })
}

fn on(ids: impl IntoIterator<Item = String>) -> Value {
    json!({ "depends_on": ids.into_iter().map(|id| json!({ "on": id })).collect::<Vec<_>>() })
}

/// Nothing walks over more rows than an itinerary may hold.
#[test]
fn a_file_of_ten_thousand_segments_that_hang_on_each_other_is_soon_read() {
    let desk = Desk::quick();
    let mut rows = vec![itinerary("itin_a", json!({}))];
    rows.extend((0..10_000).map(|number: usize| {
        let hangs = (number.saturating_sub(30)..number).map(|on| format!("seg_{on}"));
        segment(&format!("seg_{number}"), "itin_a", on(hangs))
    }));
    let before = std::time::Instant::now();
    let done = import(&desk, &file_of(&rows), json!({}));
    assert_eq!(done["summary"], "Imported itineraries: 1 new; segments: 200 new, 9800 left out.");
    // And as many circles as there may be.
    let mut rows = Vec::new();
    for of in 0..40 {
        let of = format!("itin_{of}");
        rows.push(itinerary(&of, json!({})));
        rows.extend((0..200).map(|number: usize| {
            let hangs = (1..31).map(|step| format!("seg_{of}_{}", (number + step) % 200));
            segment(&format!("seg_{of}_{number}"), &of, on(hangs))
        }));
    }
    let done = import(&desk, &file_of(&rows), json!({}));
    assert!(done["summary"].as_str().unwrap().contains("segments: 8000 new"), "{}", done["summary"]);
    // It took minutes once; it takes a few seconds without optimisation.
    assert!(before.elapsed().as_secs() < 60, "{:?}", before.elapsed());
}

/// A row that is there is replaced, which takes no more room.
#[test]
fn a_full_itinerary_is_replaced_by_its_own_file() {
    let desk = Desk::quick();
    desk.done("itinerary_create", json!({ "title": "Full" }));
    for number in 0..trip::MAX_SEGMENTS {
        desk.done("add_activity", json!({ "title": format!("A {number}"), "is_note": true }));
    }
    let text = exported(&desk);
    let first = desk.segment("A 0")["id"].as_str().unwrap().to_owned();
    desk.done("delete_segment", json!({ "segment": first }));
    desk.done("add_activity", json!({ "title": "Another", "is_note": true }));
    let done = import(&desk, &text, json!({ "mode": "replace" }));
    assert_eq!(done["summary"], "Imported segments: 1 new, 1 removed.");
}

/// What a stranger's file says of the travellers is said when it comes in.
#[test]
fn a_profile_that_is_replaced_is_told() {
    let desk = Desk::in_paris();
    desk.done("update_preferences", json!({ "pace": { "value": "relaxed", "said": "take it easy" } }));
    let id = desk.done("get_itinerary", json!({}))["itinerary"]["id"].clone();
    let pace = json!({ "value": "packed", "confidence": 1, "said": "all of it" });
    let done = import(&desk, &file_of(&[json!({ "profile": { "id": id, "pace": pace } })]), json!({}));
    assert_eq!(
        (&done["summary"], &done["changed"], &done["total"], &done["marked"]),
        (&json!("Imported profiles: 1 changed."), &json!(1), &json!(1), &json!(1))
    );
    assert_eq!(done["changes"][0]["before"]["pace"]["value"], "relaxed");
    assert_eq!(done["changes"][0]["after"]["pace"]["value"], "packed");
}

/// One's own exported trip has no hash: it comes in as a stranger's, and changes nothing all the same.
#[test]
fn an_exported_trip_that_comes_back_is_the_same() {
    let desk = Desk::in_paris();
    desk.done(
        "add_traveler",
        json!({ "name": "Ada", "born": "1990-01-01", "passport": { "country": "DE", "valid_until": "2029-03-31" } }),
    );
    desk.done(
        "update_segment",
        json!({ "segment": "Louvre", "who": ["Ada"], "code": "L-1", "booked_by_you": true }),
    );
    desk.done(
        "update_segment",
        json!({ "segment": "Louvre", "opening": "Mo,We-Su 09:00-18:00", "accept": { "rule": "closed", "why": "so" } }),
    );
    desk.done("update_preferences", json!({ "pace": { "value": "relaxed", "said": "take it easy" } }));
    let before = desk.bytes();
    for private in [true, false] {
        let file = desk.done("itinerary_export", json!({ "format": "json", "private": private }));
        let text = file["text"].as_str().unwrap();
        for secret in ["1990-01-01", "2029-03-31", "L-1", "take it easy"] {
            assert_eq!(text.contains(secret), private, "{secret}: {text}");
        }
        let done = import(&desk, text, json!({}));
        assert_eq!(done["summary"], "Imported nothing: everything in the file is here already.", "{private}");
        assert_eq!(desk.bytes(), before);
        // The person vouches for it: what it leaves out is not taken away.
        import(&desk, text, json!({ "is_own": true }));
        assert_eq!(desk.bytes(), before);
    }
}

/// A file of a stranger's books nothing, accepts nothing and says nothing of where it is from.
#[test]
fn a_strangers_file_says_nothing_for_the_person() {
    let rows = [
        itinerary(
            "itin_a",
            json!({ "accepted": [{ "rule": "over-budget", "why": "x" }], "assumptions": { "connection_domestic_min": 0 } }),
        ),
        segment(
            "seg_a",
            "itin_a",
            json!({ "title": "Visit", "status": "booked", "code": "XY12", "source": "demo", "note": "Bring water.",
                "accepted": [{ "rule": "overlap", "why": "x" }] }),
        ),
    ];
    let desk = Desk::new();
    import(&desk, &file_of(&rows), json!({}));
    let whole = desk.done("get_itinerary", json!({}));
    assert_eq!((whole["itinerary"].get("accepted"), whole["itinerary"].get("assumptions")), (None, None));
    let visit = desk.done("get_segment", json!({ "segment": "Visit" }));
    let row = &visit["segment"];
    assert_eq!((&row["status"], &visit["pinned"]), (&json!("planned"), &json!(false)));
    assert_eq!((row.get("code"), row.get("source"), row.get("accepted")), (None, None, None));
    assert_eq!(
        row["note"],
        "Bring water.\nConfirmation code, as the file says: XY12\nFrom the demo catalogue, as the file says."
    );
    // The same again is nothing new.
    assert_eq!(import(&desk, &file_of(&rows), json!({}))["changed"], 0);
    // The person's own is as it says.
    let own = Desk::new();
    import(&own, &file_of(&rows), json!({ "is_own": true }));
    assert_eq!(
        (&own.segment("Visit")["status"], &own.segment("Visit")["code"]),
        (&json!("booked"), &json!("XY12"))
    );
    // Of what is booked here a stranger says nothing else.
    let text = file_of(&rows)
        .replace("booked", "planned")
        .replace("XY12", "ZZ99")
        .replace("Bring water.", "Bring tea.");
    let before = own.bytes();
    import(&own, &text, json!({}));
    assert_eq!(own.segment("Visit")["note"], "Bring water.");
    assert_eq!(own.bytes(), before);
}

/// A stranger's rows change nothing that the person booked, by an equal id or past it, and that is told (S4-12, D-17).
#[test]
fn a_strangers_file_moves_no_booking() {
    let desk = Desk::in_paris();
    desk.done("add_traveler", json!({ "name": "Ada" }));
    desk.done("add_traveler", json!({ "name": "Bob" }));
    desk.done("update_segment", json!({ "segment": "Louvre", "code": "L-1", "who": ["Ada"] }));
    desk.done("update_segment", json!({ "segment": "Berlin to Paris", "booked_by_you": true }));
    let (flight, louvre) = (desk.segment("Berlin to Paris"), desk.segment("Louvre"));
    let mut file: Value = serde_json::from_str(&exported(&desk)).unwrap();
    for row in file["itineraries"].as_array_mut().unwrap() {
        if let Some(segment) = row.get_mut("segment") {
            segment["start"]["at"] = json!("2026-06-17T07:00");
            segment["end"]["at"] = json!("2026-06-17T08:00");
        } else if let Some(itinerary) = row.get_mut("itinerary") {
            itinerary["travellers"] = json!([]);
        }
    }
    let done = import(&desk, &file.to_string(), json!({}));
    assert_eq!((desk.segment("Berlin to Paris"), desk.segment("Louvre")), (flight, louvre), "{done}");
    // What is not booked is as the file has it, and who takes part in what is booked still travels.
    assert_eq!(desk.segment("Hotel Fabric")["start"]["at"], "2026-06-17T07:00");
    let itinerary = desk.done("get_itinerary", json!({}))["itinerary"].clone();
    assert_eq!(itinerary["travellers"].as_array().unwrap().len(), 1);
    assert_eq!(itinerary["travellers"][0]["name"], "Ada");
    let summary = done["summary"].as_str().unwrap();
    assert!(summary.contains("segments: 2 changed, 2 left out"), "{summary}");
    let reasons = done["rejected"].as_array().unwrap();
    assert_eq!(reasons.len(), 2, "{done}");
    for reason in reasons {
        assert_eq!(reason["reason"], "It is booked here: what the file says otherwise of it was not taken.");
    }
    // The person's own file is the person's word.
    import(&desk, &file.to_string(), json!({ "is_own": true }));
    assert_eq!(desk.segment("Berlin to Paris")["start"]["at"], "2026-06-17T07:00");
}

/// Who is not on the itinerary takes part in nothing (ADR 0033).
#[test]
fn who_does_not_travel_takes_no_part() {
    let desk = Desk::new();
    let rows = [
        itinerary("itin_a", json!({ "travellers": [{ "id": "trav_a", "name": "Ada" }] })),
        segment("One", "itin_a", json!({ "who": ["trav_a", "trav_b"] })),
        segment("Two", "itin_a", json!({ "who": ["trav_b"] })),
        segment("Three", "itin_a", json!({ "who": ["trav_b"], "code": "X" })),
    ];
    let done = import(&desk, &file_of(&rows), json!({ "is_own": true }));
    let said = done["notes"].to_string();
    assert!(
        said.contains("3 segments named travellers who are not on the itinerary")
            && said.contains("1 of them is an idea now"),
        "{said}"
    );
    assert_eq!(desk.segment("One")["who"], json!(["trav_a"]));
    let two = desk.segment("Two");
    assert_eq!((two.get("who"), &two["status"]), (None, &json!("idea")));
    assert_eq!(desk.segment("Three")["status"], "planned");
    // A file that takes somebody off the itinerary takes them out of what is here.
    desk.done("update_segment", json!({ "segment": "Two", "who": ["Ada"], "idea": false }));
    let done = import(&desk, &file_of(&[itinerary("itin_a", json!({}))]), json!({ "is_own": true }));
    assert!(done["notes"].to_string().contains("2 segments named travellers"), "{}", done["notes"]);
    assert_eq!(desk.segment("Two").get("who"), None);
}

/// A circle that a file closes over what is here is cut at the file's side.
#[test]
fn a_circle_through_what_is_here_refuses_no_file() {
    let desk = Desk::new();
    let rows = [
        itinerary("itin_a", json!({})),
        segment("seg_a", "itin_a", on(["seg_b".to_owned()])),
        segment("seg_b", "itin_a", json!({})),
    ];
    import(&desk, &file_of(&rows), json!({ "is_own": true }));
    let rows = [
        segment("seg_b", "itin_a", on(["seg_a".to_owned()])),
        segment("seg_c", "itin_a", on(["seg_a".to_owned()])),
    ];
    let done = import(&desk, &file_of(&rows), json!({ "is_own": true }));
    assert_eq!(done["summary"], "Imported segments: 1 new.");
    assert!(
        done["notes"].to_string().contains("1 segment hangs on less than the file says"),
        "{}",
        done["notes"]
    );
    assert_eq!(desk.segment("seg_a")["depends_on"][0]["on"], "seg_b");
    assert_eq!(desk.segment("seg_b").get("depends_on"), None);
    assert_eq!(desk.segment("seg_c")["depends_on"][0]["on"], "seg_a");
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

/// A conversation that is about an itinerary is told of that one, whichever was worked on last (S4-02).
#[test]
fn a_conversation_about_an_itinerary_is_told_of_it() {
    let desk = Desk::in_paris();
    let paris = desk.done("itinerary_list", json!({}))["itineraries"][0]["id"].as_str().unwrap().to_owned();
    desk.done("itinerary_create", json!({ "title": "Rome", "start": "2026-09-01" }));
    desk.done("itinerary_create", json!({ "title": "Rome by train" }));
    let told = |about: &str| desk.done("data_context", json!({ "about": about }));
    for named in [paris.as_str(), "Paris in June", "  PARIS in june", "june"] {
        let told = told(named);
        let subject = json!({ "table": "itineraries", "id": paris, "title": "Paris in June" });
        assert_eq!(told["subjects"], json!([subject]), "{named}");
        let block = &told["blocks"][0];
        assert!(
            block["lead"].as_str().unwrap().starts_with("This conversation is about this itinerary"),
            "{told}"
        );
        let text = block["text"].as_str().unwrap();
        assert!(text.starts_with("- “Paris in June”\n"), "{text}");
        let (_, others) = text.split_once("- Other itineraries: ").unwrap_or_else(|| panic!("{text}"));
        assert!(others.contains("“Rome”") && others.contains("“Rome by train”"), "{text}");
        assert!(!text.contains(&paris), "ids are not told");
    }
    // Where it is not clear, or there is none, it is told as in any conversation.
    for (named, found) in [("rome", 1), ("rom", 2), ("Oslo", 0), ("  ", 0)] {
        let told = told(named);
        assert_eq!(told["subjects"].as_array().map_or(0, Vec::len), found, "{named}");
        let lead = told["blocks"][0]["lead"].as_str().unwrap();
        assert_eq!(lead.starts_with("This conversation is about"), found == 1, "{named}: {lead}");
    }
}
