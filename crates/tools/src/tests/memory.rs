//! What is remembered about a person, through the whole server: saved once, found, corrected, forgotten, and with it all
//! that the to-dos have: undo, preview, exactly-once, history, files, saved copies.

use serde_json::{Value, json};

use super::bench::Bench;

/// The sentences that are remembered, in the order in which they are told.
fn texts(bench: &Bench) -> Vec<String> {
    let found = bench.call("user_memory_search", json!({})).structured();
    found["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

/// Saves a sentence a second after the last one; its id.
fn save(bench: &Bench, text: &str) -> String {
    bench.now_ms.set(bench.now_ms.get() + 1000);
    let out = bench.call("user_memory_save", json!({ "text": text }));
    assert!(!out.is_error, "{}", out.text);
    out.structured()["changes"][0]["after"]["id"].as_str().unwrap().to_owned()
}

fn summary(out: &Value) -> &str {
    out["summary"].as_str().unwrap()
}

#[test]
fn what_is_saved_is_found_corrected_and_forgotten() {
    let bench = Bench::new();
    let diet = save(&bench, "  I'm\nvegetarian");
    bench.now_ms.set(bench.now_ms.get() + 1000);
    let style = bench.keyed(
        "run_1:call_1",
        "user_memory_save",
        json!({"text": "I prefer short answers", "kind": "preference"}),
    );
    let style = style.structured();
    assert_eq!(summary(&style), "Remembered “I prefer short answers”.");
    let saved = &style["changes"][0]["after"];
    assert_eq!((&saved["kind"], &saved["saved_by"]), (&json!("preference"), &json!("run_1:call_1")));
    assert_eq!(texts(&bench), ["I prefer short answers", "I'm vegetarian"], "what is new comes first");

    for (arguments, expected) in [
        (json!({"text": "VEGETARIAN i'm"}), 1),
        (json!({"kind": "preference"}), 1),
        (json!({"text": "vegan"}), 0),
        (json!({"limit": 1}), 2),
    ] {
        let found = bench.call("user_memory_search", arguments.clone()).structured();
        assert_eq!(found["total"], expected, "{arguments}");
    }

    let pinned = bench.call("user_memory_update", json!({"id": diet, "pinned": true})).structured();
    assert_eq!(summary(&pinned), "Pinned “I'm vegetarian”.");
    assert_eq!(texts(&bench), ["I'm vegetarian", "I prefer short answers"], "what is pinned comes first");
    let vegan = bench.call("user_memory_update", json!({"id": diet, "text": "I'm vegan"})).structured();
    assert_eq!(summary(&vegan), "Remembered “I'm vegan” in place of “I'm vegetarian”.");
    assert_eq!(vegan["changes"][0]["before"]["text"], "I'm vegetarian");

    let forgot = bench.call("user_memory_forget", json!({ "id": diet })).structured();
    assert_eq!(summary(&forgot), "Forgot “I'm vegan”.");
    assert_eq!(texts(&bench), ["I prefer short answers"]);
    let undone = bench.call("todo_undo", json!({})).structured();
    assert_eq!(summary(&undone), "Undone: Forgot “I'm vegan”.");
    assert_eq!(undone["changes"][0]["after"]["text"], "I'm vegan");
    assert_eq!(texts(&bench), ["I'm vegan", "I prefer short answers"]);

    let all = bench.call("user_memory_forget", json!({"all": true})).structured();
    assert_eq!((summary(&all), all["changes"].as_array().unwrap().len()), ("Forgot 2 memories.", 2));
    assert_eq!(texts(&bench), Vec::<String>::new());
    let again = bench.call("user_memory_forget", json!({"all": true})).structured();
    assert_eq!(summary(&again), "There was nothing to forget.");
}

#[test]
fn the_same_is_remembered_once() {
    let bench = Bench::new();
    save(&bench, "I'm vegetarian");
    let rev = bench.server.db().rev();
    let again = bench.call("user_memory_save", json!({"text": "i’m Vegetarian."})).structured();
    assert_eq!(again, json!({"summary": "Remembered already: “I'm vegetarian”.", "changes": []}));
    assert_eq!(bench.server.db().rev(), rev, "nothing is written");
    // Said as a preference this time: that is new about it.
    let kind = bench.call("user_memory_save", json!({"text": "I'm vegetarian", "kind": "preference"}));
    assert_eq!(kind.structured()["changes"][0]["after"]["kind"], "preference");
    assert_eq!(texts(&bench).len(), 1);
    // The same call again, as after an answer that was lost, is the same call.
    let first = bench.keyed("hand_1", "user_memory_save", json!({"text": "I live in Bonn"}));
    let second = bench.keyed("hand_1", "user_memory_save", json!({"text": "I live in Bonn"}));
    assert_eq!(first.text, second.text);
    assert_eq!(texts(&bench).len(), 2);
}

#[test]
fn a_look_changes_nothing_and_what_is_wrong_is_said() {
    let bench = Bench::new();
    let id = save(&bench, "I live in Bonn");
    let other = save(&bench, "I like tea");
    let before = bench.server.db().rev();
    let look = bench
        .with_meta("user_memory_forget", json!({"all": true}), json!({"dev.satchel/preview": true}))
        .unwrap();
    assert_eq!(look.structured()["changes"].as_array().unwrap().len(), 2);
    for (tool, arguments, why) in [
        ("user_memory_save", json!({"text": " "}), "The text is empty"),
        ("user_memory_save", json!({"text": "x".repeat(301)}), "301 characters; at most 300"),
        ("user_memory_save", json!({"text": "x", "kind": "secret"}), "kind"),
        ("user_memory_update", json!({"id": "nope", "text": "x"}), "No memory has the id \"nope\""),
        (
            "user_memory_update",
            json!({"id": id, "text": "I like TEA!"}),
            "“I like tea” is remembered already",
        ),
        ("user_memory_forget", json!({}), "Say which"),
        ("user_memory_forget", json!({"id": other, "all": true}), "Say which"),
        ("user_memory_forget", json!({"ids": [other, "nope"]}), "No memory has the id"),
        ("user_memory_search", json!({"limit": 0}), "limit is 0"),
    ] {
        let out = bench.call(tool, arguments.clone());
        assert!(out.is_error && out.text.contains(why), "{tool} {arguments}: {}", out.text);
    }
    assert_eq!(bench.server.db().rev(), before);
    for n in 2..memory::MAX_MEMORIES {
        save(&bench, &format!("Number {n}"));
    }
    let full = bench.call("user_memory_save", json!({"text": "One more"}));
    assert!(full.is_error && full.text.contains("200 memories are kept already"), "{}", full.text);
}

#[test]
fn the_history_tells_it_beside_the_to_dos() {
    let bench = Bench::new();
    bench.fill("[ ] Buy milk");
    save(&bench, "I'm vegetarian");
    let history = bench.call("todo_history", json!({})).structured();
    let told: Vec<(&str, &str)> = history["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (summary(entry), entry["title"].as_str().unwrap()))
        .collect();
    assert_eq!(told[0], ("Remembered “I'm vegetarian”.", "Remember"));
    let entry = &history["entries"][0];
    assert_eq!((&entry["total"], &entry["can_undo"]), (&json!(1), &json!(true)));
    assert_eq!(entry["changes"][0]["after"]["text"], "I'm vegetarian");
    // Back to before both: one change, with a row of each kind.
    let back = bench.call("todo_undo", json!({"to": 0})).structured();
    assert_eq!(back["changes"].as_array().unwrap().len(), 2);
    assert!(texts(&bench).is_empty() && bench.todos().is_empty());
    let redone = bench.call("todo_redo", json!({})).structured();
    assert_eq!(redone["changes"].as_array().unwrap().len(), 2);
    assert_eq!((texts(&bench).len(), bench.todos().len()), (1, 1));
}

#[test]
fn a_file_of_ours_has_it_and_a_file_that_does_not_leaves_it_alone() {
    let bench = Bench::new();
    bench.fill("[ ] Buy milk");
    save(&bench, "I'm vegetarian");
    let id = save(&bench, "I like tea");
    bench.call("user_memory_update", json!({"id": id, "pinned": true}));
    let export = |format: &str| {
        let file = bench.call("data_export", json!({ "format": format })).structured();
        file["text"].as_str().unwrap().to_owned()
    };
    let (json, csv) = (export("json"), export("csv"));
    let import = |bench: &Bench, format: &str, text: &str, mode: &str| {
        let out = bench.call("data_import", json!({"format": format, "text": text, "mode": mode}));
        assert!(!out.is_error, "{}", out.text);
        out.structured()
    };
    // Into nothing: everything, as one change.
    let other = Bench::new();
    let imported = import(&other, "json", &json, "add");
    assert_eq!(summary(&imported), "Imported to-dos: 1 new. Memories: 2 new.");
    assert_eq!((&imported["total"], other.server.db().rev()), (&json!(3), 1));
    let told = |bench: &Bench| bench.call("user_memory_search", json!({})).structured();
    assert_eq!(told(&other), told(&bench), "to the last field");
    // The same once more is nothing new.
    assert_eq!(import(&other, "json", &json, "replace")["total"], 0);
    // What came since goes with replace, and a file that says nothing of memories takes none away.
    save(&other, "I live in Bonn");
    import(&other, "csv", &csv, "replace");
    assert_eq!(texts(&other).len(), 3);
    let replaced = import(&other, "json", &json, "replace");
    assert_eq!(summary(&replaced), "Imported memories: 1 removed.");
    assert_eq!(texts(&other), ["I like tea", "I'm vegetarian"]);
    // What no tool would have kept is not let in by a file either.
    let bad = json.replace("I'm vegetarian", &"x".repeat(400));
    let refused = other.call("data_import", json!({"format": "json", "text": bad, "mode": "replace"}));
    assert!(
        refused.is_error && refused.text.contains("1 memories of the file cannot be read"),
        "{}",
        refused.text
    );
}

#[test]
fn a_saved_copy_brings_it_back() {
    let bench = Bench::new();
    bench.fill("[ ] Buy milk");
    save(&bench, "I'm vegetarian");
    let taken = bench.call("data_snapshot", json!({"name": "Friday"})).structured();
    bench.call("user_memory_forget", json!({"all": true}));
    let id = taken["snapshot"]["id"].clone();
    let restored = bench.call("data_restore", json!({ "snapshot": id })).structured();
    assert_eq!(summary(&restored), "Restored “Friday”: 1 memory changed.");
    assert_eq!(texts(&bench), ["I'm vegetarian"]);
    // Another start reads the same.
    assert_eq!(texts(&Bench::over(bench.journal.clone(), "worker_b")), ["I'm vegetarian"]);
}

#[test]
fn who_listens_to_the_to_dos_hears_nothing_of_it() {
    let bench = Bench::new();
    save(&bench, "I'm vegetarian");
    let change = futures::executor::block_on(bench.server.db().changes(1)).unwrap().remove(0);
    assert!(crate::news_of(&change).is_empty());
}
