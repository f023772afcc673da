//! The history and the saved copies, as the app's screens see them.

use serde_json::{Value, json};

use super::bench::Bench;

/// Lines like `4 undo done, can undo, can redo: Undone: Added “B”.`
fn history(bench: &Bench) -> Vec<String> {
    let out = bench.call("history", json!({}));
    let entries = out.structured()["entries"].as_array().unwrap().clone();
    entries
        .iter()
        .map(|entry| {
            let can = |name: &str| {
                if entry[name] == true { format!(", {}", name.replace('_', " ")) } else { String::new() }
            };
            let text = |name: &str| entry[name].as_str().unwrap().to_owned();
            format!(
                "{} {} {}{}{}: {}",
                entry["rev"],
                text("kind"),
                text("state"),
                can("can_undo"),
                can("can_redo"),
                text("summary")
            )
        })
        .collect()
}

#[test]
fn the_history_says_what_can_be_undone_and_redone() {
    let bench = Bench::new();
    assert_eq!(history(&bench), [""; 0]);
    bench.keyed("a", "todo_create", json!({"title": "A"}));
    bench.keyed("b", "todo_create", json!({"title": "B"}));
    bench.keyed("c", "todo_update", bench.with_ids(&json!({"id": "$A", "title": "AA"})));
    bench.keyed("u", "undo", json!({"call": "b"}));
    assert_eq!(
        history(&bench),
        [
            "4 undo done, can undo, can redo: Undone: Added “B”.",
            "3 change done, can undo: Renamed “A” to “AA”.",
            "2 change undone, can redo: Added “B”.",
            // A has changed since.
            "1 change done: Added “A”.",
        ]
    );
    bench.keyed("r", "redo", json!({"call": "b"}));
    assert_eq!(bench.lines(), "[ ] AA\n[ ] B");
    assert_eq!(
        history(&bench)[..2],
        ["5 redo done, can undo: Redone: Added “B”.", "4 undo undone, can redo: Undone: Added “B”."]
    );
    // One entry alone, and one that is not there.
    let one = bench.call("history", json!({"rev": 3})).structured()["entries"][0].clone();
    assert_eq!(
        (&one["key"], &one["title"], &one["at"], &one["total"], &one["changes"][0]["before"]["title"]),
        (&json!("c"), &json!("Change to-dos"), &json!(super::bench::NOW_MS), &json!(1), &json!("A"))
    );
    for (arguments, why) in [
        (json!({"rev": 6}), "There is no change 6 in the history."),
        (json!({"rev": 0}), "There is no change 0 in the history."),
        (json!({"limit": 0}), "limit is 0; it may be 1 to 100."),
        (json!({"cursor": "x"}), "The cursor is not from history."),
    ] {
        let out = bench.call("history", arguments.clone());
        assert!(out.is_error && out.text.contains(why), "{arguments}: {}", out.text);
    }
}

#[test]
fn pages_of_the_history_give_every_change_once_and_a_large_one_in_short() {
    let bench = Bench::new();
    for n in 0..7 {
        bench.call("todo_create", json!({"title": format!("T{n}")}));
    }
    let items: Vec<Value> = (0..30).map(|n| json!({"title": format!("M{n}")})).collect();
    bench.call("todo_create", json!({ "items": items }));
    let mut revs = Vec::new();
    let mut arguments = json!({"limit": 3});
    loop {
        let page = bench.call("history", arguments.clone()).structured();
        revs.extend(page["entries"].as_array().unwrap().iter().map(|entry| entry["rev"].as_u64().unwrap()));
        match page.get("next_cursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(revs, [8, 7, 6, 5, 4, 3, 2, 1]);
    let large = bench.call("history", json!({"limit": 1})).structured()["entries"][0].clone();
    assert_eq!((&large["total"], large["changes"].as_array().unwrap().len()), (&json!(30), 10));
    let whole = bench.call("history", json!({"rev": 8})).structured()["entries"][0].clone();
    assert_eq!(whole["changes"].as_array().unwrap().len(), 30);
}

#[test]
fn the_history_of_one_row_is_told_in_pages_and_has_nothing_of_others() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B");
    let a = bench.with_ids(&json!({"id": "$A"}))["id"].clone();
    for n in 0..5 {
        bench.call("todo_update", json!({"id": a, "notes": format!("N{n}")}));
        bench.call("todo_create", json!({"title": format!("T{n}")}));
    }
    bench.call("todo_complete", bench.with_ids(&json!({"ids": ["$A", "$B"]})));
    let mut arguments = json!({"row": a, "limit": 3});
    let (mut pages, mut told) = (0, Vec::new());
    loop {
        let page = bench.call("history", arguments.clone()).structured();
        for entry in page["entries"].as_array().unwrap() {
            let changes = entry["changes"].as_array().unwrap();
            assert!(changes.len() == 1 && changes[0]["id"] == a, "{entry}");
            told.push((entry["total"].as_u64().unwrap(), changes[0]["after"]["notes"].clone()));
        }
        pages += 1;
        match page.get("next_cursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    // All that were completed with it are counted, and the addition is the first of them.
    let notes: Vec<&Value> = told.iter().map(|(_, notes)| notes).collect();
    assert_eq!(
        notes[..6],
        [&json!("N4"), &json!("N4"), &json!("N3"), &json!("N2"), &json!("N1"), &json!("N0")]
    );
    assert_eq!((told.len(), told[0].0, pages), (7, 2, 3));
    // None that would be empty follows, and who is in no change has none.
    let last = bench.call("history", json!({"row": a, "limit": 7})).structured();
    assert_eq!((last["entries"].as_array().unwrap().len(), last.get("next_cursor")), (7, None));
    assert_eq!(bench.call("history", json!({"row": "todo_x"})).structured()["entries"], json!([]));
}

#[test]
fn a_long_history_is_looked_through_in_stretches() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B");
    for n in 0..2_010 {
        bench.call("todo_update", bench.with_ids(&json!({"id": "$B", "notes": format!("N{n}")})));
    }
    let mut arguments = bench.with_ids(&json!({"row": "$A"}));
    let page = bench.call("history", arguments.clone()).structured();
    assert_eq!(page["entries"], json!([]));
    arguments["cursor"] = page["next_cursor"].clone();
    let page = bench.call("history", arguments).structured();
    assert_eq!((page["entries"].as_array().unwrap().len(), page.get("next_cursor")), (1, None));
}

#[test]
fn the_history_of_a_row_ends_where_it_was_made() {
    let bench = Bench::new();
    bench.fill("[ ] B");
    for n in 0..2_010 {
        bench.call("todo_update", bench.with_ids(&json!({"id": "$B", "notes": format!("N{n}")})));
    }
    bench.call("todo_create", json!({"title": "A"}));
    let id = bench.with_ids(&json!({"id": "$A"}));
    bench.keyed("d", "todo_delete", id.clone());
    assert!(!bench.call("undo", json!({"call": "d"})).is_error);
    // What an undo brings back was made before: there is all of it, and no page is read for the changes of B.
    let page = bench.call("history", json!({"row": id["id"]})).structured();
    let kinds: Vec<&Value> = page["entries"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!((json!(kinds), page.get("next_cursor")), (json!(["undo", "change", "change"]), None));
    // A page that is full goes on, and the one that ends with the addition does not.
    for (limit, more) in [(2, true), (3, false)] {
        let page = bench.call("history", json!({"row": id["id"], "limit": limit})).structured();
        assert_eq!(page.get("next_cursor").is_some(), more, "{limit}");
    }
}

#[test]
fn undo_to_a_revision_and_redo_it() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B\n[ ] C");
    bench.call("undo", json!({}));
    bench.keyed("d", "todo_delete", bench.with_ids(&json!({"id": "$A"})));
    assert_eq!(bench.lines(), "[ ] B");
    let preview = bench.with_meta("undo", json!({"to": 2}), json!({"dev.satchel/preview": true})).unwrap();
    assert_eq!(bench.lines(), "[ ] B");
    let out = bench.keyed("back", "undo", json!({"to": 2}));
    assert_eq!(preview.structured(), out.structured());
    assert_eq!(out.structured()["summary"], "Undid the last 3 changes.");
    assert_eq!(bench.lines(), "[ ] A\n[ ] B");
    // It was one change, and so is its redo.
    let out = bench.call("redo", json!({}));
    assert_eq!(out.structured()["undone"], json!([{"tool": "undo", "key": "back"}]));
    assert_eq!(bench.lines(), "[ ] B");
    for (tool, arguments, why) in [
        ("redo", json!({}), "There is nothing to redo."),
        ("redo", json!({"call": "d"}), "That was not undone."),
        ("redo", json!({"call": "never"}), "There is no change with this key."),
        ("redo", json!({"last": 1, "call": "d"}), "Give either `last` or `call`"),
        ("undo", json!({"to": 7}), "There is nothing to undo."),
        ("undo", json!({"to": 99}), "There is no change 99 yet; the last one is 7."),
        ("undo", json!({"to": 1, "last": 1}), "Give either `last` or `call` or `to`"),
        ("undo", json!({"to": -1}), "to"),
    ] {
        let out = bench.call(tool, arguments.clone());
        assert!(out.is_error && out.text.contains(why), "{arguments}: {}", out.text);
    }
    bench.call("undo", json!({"to": 0}));
    assert_eq!(bench.lines(), "");
}

#[test]
fn a_new_change_leaves_nothing_to_redo() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B\n[ ] C");
    bench.call("undo", json!({}));
    bench.call("undo", json!({}));
    let out = bench.call("redo", json!({"last": 5}));
    assert_eq!(
        (&out.structured()["summary"], bench.lines()),
        (&json!("Redid the last 2 changes."), "[ ] A\n[ ] B\n[ ] C".into())
    );
    bench.keyed("u", "undo", json!({}));
    bench.call("todo_create", json!({"title": "D"}));
    assert!(bench.call("redo", json!({})).text.contains("There is nothing to redo."));
    // By its key it still can be.
    bench.call("redo", json!({"call": "u"}));
    assert_eq!(bench.lines(), "[ ] A\n[ ] B\n[ ] C\n[ ] D");
}

fn snapshots(bench: &Bench) -> Vec<Value> {
    bench.call("data_snapshots", json!({})).structured()["snapshots"].as_array().unwrap().clone()
}

#[test]
fn a_saved_copy_is_restored_as_one_change_that_can_be_undone() {
    let bench = Bench::new();
    bench.fill("[ ] A; due 2026-11-22; #x\n[x] B\n[ ] C");
    let before = bench.export();
    let preview =
        bench.with_meta("data_snapshot", json!({"name": "Mine"}), json!({"dev.satchel/preview": true}));
    assert!(!preview.unwrap().is_error);
    assert_eq!(snapshots(&bench), [json!(null); 0]);
    let taken = bench.keyed("s", "data_snapshot", json!({"name": "Mine"})).structured()["snapshot"].clone();
    assert_eq!(snapshots(&bench), std::slice::from_ref(&taken));
    assert_eq!(
        (&taken["name"], &taken["rev"], &taken["count"], &taken["automatic"]),
        (&json!("Mine"), &json!(4), &json!(3), &json!(false))
    );
    bench.call("todo_delete", bench.with_ids(&json!({"id": "$A"})));
    // The same call again is the same copy, of then.
    assert_eq!(bench.keyed("s", "data_snapshot", json!({"name": "Mine"})).structured()["snapshot"], taken);
    bench.call("todo_update", bench.with_ids(&json!({"id": "$C", "title": "CC"})));
    bench.call("todo_create", json!({"title": "D"}));
    let changed = bench.export();
    let back = json!({"snapshot": taken["id"]});
    let preview =
        bench.with_meta("data_restore", back.clone(), json!({"dev.satchel/preview": true})).unwrap();
    assert_eq!(bench.export(), changed);
    let out = bench.keyed("back", "data_restore", back.clone());
    assert_eq!(preview.structured(), out.structured());
    assert_eq!(
        (&out.structured()["total"], &out.structured()["summary"]),
        (&json!(3), &json!("Restored “Mine”: 3 to-dos changed."))
    );
    assert_eq!(bench.export(), before);
    // What was there before is kept too, and the restore can be undone.
    let saved = snapshots(&bench);
    assert_eq!(
        (saved.len(), &saved[0]["automatic"], &saved[0]["name"]),
        (2, &json!(true), &json!("Before: Restore a saved copy"))
    );
    bench.call("undo", json!({}));
    assert_eq!(bench.export(), changed);
    bench.call("data_restore", back.clone());
    assert_eq!(
        bench.call("data_restore", back).structured()["summary"],
        "Everything is as it is in the saved copy already."
    );
    assert!(bench.call("data_restore", json!({"snapshot": "no"})).text.contains("not there any more"));
    for name in ["", " ", "two\nlines", &"x".repeat(101)] {
        assert!(bench.call("data_snapshot", json!({ "name": name })).is_error, "{name:?}");
    }
}

#[test]
fn a_bulk_change_is_copied_before_and_ten_copies_are_kept() {
    let bench = Bench::new();
    let items: Vec<Value> = (0..11).map(|n| json!({"title": format!("T{n}")})).collect();
    bench.call("todo_create", json!({ "items": items }));
    assert_eq!(snapshots(&bench).len(), 0, "what only adds loses nothing");
    let ids: Vec<Value> = bench.todos().iter().map(|todo| json!(todo.id)).collect();
    bench.call("todo_update", json!({"ids": ids[..10], "priority": "high"}));
    assert_eq!(snapshots(&bench).len(), 0);
    let preview = json!({"dev.satchel/preview": true});
    bench.with_meta("todo_delete", json!({ "ids": ids }), preview).unwrap();
    assert_eq!(snapshots(&bench).len(), 0);
    bench.call("todo_delete", json!({ "ids": ids }));
    let saved = snapshots(&bench);
    assert_eq!((saved.len(), &saved[0]["rev"], &saved[0]["count"]), (1, &json!(2), &json!(11)));
    for n in 0..12 {
        bench.now_ms.set(bench.now_ms.get() + 1);
        bench.call("data_snapshot", json!({"name": format!("copy/{n}")}));
    }
    let saved = snapshots(&bench);
    let names: Vec<&str> = saved.iter().map(|saved| saved["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "copy/11", "copy/10", "copy/9", "copy/8", "copy/7", "copy/6", "copy/5", "copy/4", "copy/3",
            "copy/2", // The ten are the person's own.
            "Before: Delete to-dos"
        ]
    );
}

#[test]
fn the_storage_is_counted() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[x] B");
    bench.call("data_snapshot", json!({"name": "One"}));
    let out = bench.call("data_storage", json!({})).structured();
    assert_eq!(
        [
            &out["rev"], &out["counts"]["todos"], &out["counts"]["open"], &out["counts"]["done"],
            &out["rows"], &out["journal"]["changes"], &out["snapshots"]["count"], &out["notes"]
        ],
        [&json!(3), &json!(2), &json!(1), &json!(1), &json!(2), &json!(3), &json!(1), &json!([])]
    );
    // What was found damaged is said.
    bench.journal.damage(2, "{");
    let other = Bench::over(bench.journal.clone(), "worker_b");
    let out = other.call("data_storage", json!({}));
    let notes = out.structured()["notes"].clone();
    assert_eq!(out.meta["dev.satchel/notes"], "worker_b:1", "every answer says whose notes there are");
    assert!(notes[0].as_str().unwrap().starts_with("Change 2 could not be read"), "{notes}");
}

#[test]
fn a_feed_brings_a_reader_up_to_date() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B");
    bench.call("todo_delete", bench.with_ids(&json!({"id": "$A"})));
    let out = bench.call("data_changes", json!({"since": 1})).structured();
    let told: Vec<(&Value, &Value, &Value)> = out["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            (&change["rev"], &change["rows"][0]["before"]["title"], &change["rows"][0]["after"]["title"])
        })
        .collect();
    assert_eq!(told, [(&json!(2), &json!(null), &json!("B")), (&json!(3), &json!("A"), &json!(null))]);
    assert_eq!((&out["rev"], &out["more"], &out["reread"]), (&json!(3), &json!(false), &json!(false)));
    let out = bench.call("data_changes", json!({"since": 0, "limit": 2})).structured();
    assert_eq!(
        (&out["rev"], &out["more"], out["changes"].as_array().unwrap().len()),
        (&json!(2), &json!(true), 2)
    );
    let out = bench.call("data_changes", json!({"since": 3})).structured();
    assert_eq!((&out["rev"], &out["more"], &out["changes"]), (&json!(3), &json!(false), &json!([])));
    // Another journal than the one that was known.
    assert_eq!(bench.call("data_changes", json!({"since": 4})).structured()["reread"], true);
}

#[test]
fn a_window_shows_the_list_as_the_screen_has_it() {
    let bench = Bench::new();
    // It is 2026-11-21T22:30.
    bench.fill(
        "[ ] later; due 2026-11-23; #x
         [ ] tonight; due 2026-11-21T23:00
         [ ] any time today; due 2026-11-21; high; #x
         [ ] also today; due 2026-11-21; urgent
         [ ] an hour ago; due 2026-11-21T21:30
         [ ] yesterday; due 2026-11-20; #x
         [ ] some day
         [ ] some day soon; high
         [ ] tomorrow at nine; due 2026-11-22T09:00
         [ ] tomorrow; due 2026-11-22",
    );
    for title in ["$some day", "$later"] {
        bench.now_ms.set(bench.now_ms.get() + 1000);
        bench.call("todo_complete", bench.with_ids(&json!({"id": title})));
    }
    const GROUPS: [&str; 5] = ["overdue", "today", "upcoming", "no_date", "done"];
    let screen = |places: &str| {
        let asked = GROUPS.map(|group| format!("&{group}={places}")).concat();
        bench.resource(&format!("todo://window?now=2026-11-21T22:30{asked}"))
    };
    let titles = |screen: &Value| -> Vec<String> {
        let rows =
            screen["windows"].as_array().unwrap().iter().flat_map(|rows| rows["items"].as_array().unwrap());
        rows.map(|todo| todo["title"].as_str().unwrap().to_owned()).collect()
    };
    let all = screen("0-500");
    let order = [
        "yesterday", "an hour ago", "tonight", "also today", "any time today", "tomorrow at nine",
        "tomorrow", "some day soon", "later", "some day",
    ];
    assert_eq!(titles(&all), order);
    assert_eq!(all["counts"], json!({"overdue": 2, "today": 3, "upcoming": 2, "no_date": 1, "done": 2}));
    // Any stretch of it, after changes as well.
    bench.call("todo_update", bench.with_ids(&json!({"id": "$tonight", "due": "2026-11-25", "list": "New"})));
    bench.call("todo_delete", bench.with_ids(&json!({"id": "$yesterday"})));
    let part = screen("1-3");
    assert_eq!(titles(&part), ["any time today", "tomorrow", "tonight", "some day"]);
    assert_eq!(part["windows"][2]["from"], 1);
    assert_eq!(part["counts"], json!({"overdue": 1, "today": 2, "upcoming": 3, "no_date": 1, "done": 2}));
    assert_eq!(titles(&screen("9-12")), [""; 0]);
}

#[test]
fn screens_have_tools_that_a_model_is_not_told_of() {
    use mcp::Host;
    let bench = Bench::new();
    let told: Vec<bool> = bench
        .server
        .tools()
        .iter()
        .map(|tool| tool.is_for_model() != tool.name.starts_with("data_"))
        .collect();
    assert!(told.iter().all(|as_named| *as_named) && told.len() > 12);
}
