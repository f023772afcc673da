//! The to-do tools, a row each: what there is, what is called, what it says, what there is then.

use serde_json::{Value, json};

use super::bench::{Bench, tidy};

/// What there is before, the call, what the summary or the rejection says, and what there is after
/// (`SAME`: nothing changed).
struct Row {
    before: &'static str,
    tool: &'static str,
    arguments: Value,
    says: &'static str,
    after: &'static str,
}

const SAME: &str = "=";
const NOTHING: &str = "";

fn row(
    before: &'static str,
    tool: &'static str,
    arguments: Value,
    says: &'static str,
    after: &'static str,
) -> Row {
    Row { before, tool, arguments, says, after }
}

/// Runs rows; a rejection is a row whose saying starts with `!`.
fn check(rows: Vec<Row>) {
    for Row { before, tool, arguments, says, after } in rows {
        let bench = Bench::new();
        bench.fill(before);
        let state = bench.export();
        let rev = bench.server.db().rev();
        let out = bench.call(tool, bench.with_ids(&arguments));
        let what = format!("{tool} {arguments} on\n{}\ngave {}", tidy(before), out.text);
        match says.strip_prefix('!') {
            Some(part) => {
                assert!(out.is_error, "{what}");
                assert!(out.text.contains(part), "{what}\ninstead of {part}");
                assert!(!out.text.contains("todo_0"), "an id in words: {what}");
                assert_eq!(after, SAME);
            }
            None => {
                assert!(!out.is_error, "{what}");
                assert_eq!(out.structured()["summary"], says, "{what}");
            }
        }
        if after == SAME {
            assert_eq!(bench.export(), state, "{what}");
            assert_eq!(bench.server.db().rev(), rev, "nothing to write, and written: {what}");
            if !out.is_error {
                assert_eq!(out.structured()["changes"], json!([]), "{what}");
            }
            continue;
        }
        assert_eq!(bench.lines(), tidy(after), "{what}");
        assert_eq!(bench.server.db().rev(), rev + 1, "not one change: {what}");
        // What the answer says has changed is what has changed, and undoing it gives back every byte.
        let undone = bench.call("undo", json!({}));
        assert!(!undone.is_error, "{}", undone.text);
        assert_eq!(
            undone.structured()["changes"].as_array().map(Vec::len),
            out.structured()["changes"].as_array().map(Vec::len),
            "{what}"
        );
        assert_eq!(bench.export(), state, "undo: {what}");
    }
}

#[test]
fn create() {
    check(vec![
        row(NOTHING, "todo_create", json!({"title": "Buy milk"}), "Added “Buy milk”.", "[ ] Buy milk"),
        row(
            NOTHING,
            "todo_create",
            json!({"title": "  Buy\n milk ", "notes": " 2 l ", "due": "2026-11-22", "priority": "high",
                   "tags": ["#Home", "home", "shop"], "list": " Groceries "}),
            "Added “Buy milk”, due 2026-11-22.",
            "[ ] Buy milk; due 2026-11-22; high; #Home #shop; in Groceries; notes 2 l",
        ),
        row(
            NOTHING,
            "todo_create",
            json!({"title": "Call", "due": "2026-11-22T15:00"}),
            "Added “Call”, due 2026-11-22T15:00.",
            "[ ] Call; due 2026-11-22T15:00",
        ),
        row(
            "[ ] First",
            "todo_create",
            json!({"items": [{"title": "A"}, {"title": "B", "tags": ["x"]}]}),
            "Added 2 to-dos.",
            "[ ] First\n[ ] A\n[ ] B; #x",
        ),
        row(NOTHING, "todo_create", json!({"items": [{"title": "A"}]}), "Added “A”.", "[ ] A"),
        row(
            "[ ] Eggs; in Groceries",
            "todo_create",
            json!({"title": "Milk", "list": "GROCERIES"}),
            "Added “Milk”.",
            "[ ] Eggs; in Groceries\n[ ] Milk; in Groceries",
        ),
        row(NOTHING, "todo_create", json!({"title": "A", "list": "inbox"}), "Added “A”.", "[ ] A"),
        row(
            "[ ] Party",
            "todo_create",
            json!({"title": "Cake", "parent": "$Party"}),
            "Added “Cake”.",
            "[ ] Party\n[ ] Cake; under Party",
        ),
        row(
            NOTHING,
            "todo_create",
            json!({"title": "Plants", "due": "2026-11-24", "repeat": "freq=weekly"}),
            "Added “Plants”, due 2026-11-24.",
            "[ ] Plants; due 2026-11-24; every FREQ=WEEKLY",
        ),
        row(
            NOTHING,
            "todo_create",
            json!({"title": "Plants", "repeat": "FREQ=WEEKLY;BYDAY=TU"}),
            "Added “Plants”, due 2026-11-24.",
            "[ ] Plants; due 2026-11-24; every FREQ=WEEKLY;BYDAY=TU",
        ),
        row(
            NOTHING,
            "todo_create",
            json!({"title": "<script>alert(1)</script> **x**"}),
            "Added “<script>alert(1)</script> **x**”.",
            "[ ] <script>alert(1)</script> **x**",
        ),
        row(
            NOTHING,
            "todo_create",
            json!({"title": null, "items": [{"title": "A", "due": null}]}),
            "Added “A”.",
            "[ ] A",
        ),
    ]);
}

#[test]
fn create_is_refused() {
    let create = |arguments: Value, says| row("[ ] There", "todo_create", arguments, says, SAME);
    let long = |count: usize| "x".repeat(count);
    check(vec![
        create(json!({}), "!Say what to add"),
        create(json!({"items": []}), "!Say what to add"),
        create(json!({"title": "  "}), "!The title is empty"),
        create(json!({"title": long(501)}), "!has 501 characters; at most 500"),
        create(json!({"title": long(100_000)}), "!has 100000 characters; at most 500"),
        create(json!({"title": "A", "notes": long(20_001)}), "!has 20001 characters; at most 20000"),
        create(json!({"title": "A", "due": "tomorrow"}), "!\"tomorrow\" is no date: write 2026-11-22"),
        create(json!({"title": "A", "due": "2026-11-22T15:00Z"}), "!no Z, no offset"),
        create(json!({"title": "A", "tags": ["two words"]}), "!\"two words\" is no tag"),
        create(json!({"title": "A", "list": " "}), "!list's name is empty"),
        create(
            json!({"title": "A", "parent": "todo_no"}),
            "!No to-do has the id \"todo_no\"; call todo_list",
        ),
        create(json!({"title": "A", "repeat": "weekly"}), "!\"weekly\" is no repeat rule"),
        create(
            json!({"title": "A", "repeat": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}),
            "!never comes to a date",
        ),
        create(json!({"title": "A", "priority": "huge"}), "!priority"),
        create(json!({"title": 7}), "!title"),
        create(json!({"titel": "A"}), "!titel"),
        create(json!({"title": "A", "items": [{"title": "B"}]}), "!not both"),
        create(json!({"items": [{"title": "B"}], "list": "X"}), "!put every other field into the items"),
        create(json!({"items": [{"title": "A"}, {"title": ""}]}), "!items[1]: The title is empty"),
        create(json!({"items": [{"title": "A"}, {"due": "2026-11-22"}]}), "!items[1]"),
        create(
            json!({"items": vec![json!({"title": "A"}); 101]}),
            "!These are 101 to-dos; one call takes at most 100",
        ),
    ]);
}

#[test]
fn update() {
    let milk = "[ ] Milk; due 2026-11-22T15:00; low; #home #shop; in Groceries; notes 2 l";
    let update = |arguments: Value, says, after| row(milk, "todo_update", arguments, says, after);
    check(vec![
        update(
            json!({"id": "$Milk", "title": "Oat milk"}),
            "Renamed “Milk” to “Oat milk”.",
            "[ ] Oat milk; due 2026-11-22T15:00; low; #home #shop; in Groceries; notes 2 l",
        ),
        update(
            json!({"id": "$Milk", "due": "2026-11-23"}),
            "Changed “Milk”.",
            "[ ] Milk; due 2026-11-23; low; #home #shop; in Groceries; notes 2 l",
        ),
        update(
            json!({"id": "$Milk", "due": null, "notes": "", "priority": "none", "tags": [], "list": "Inbox"}),
            "Changed “Milk”.",
            "[ ] Milk",
        ),
        update(
            json!({"id": "$Milk", "add_tags": ["HOME", "now"], "remove_tags": ["Shop"]}),
            "Changed “Milk”.",
            "[ ] Milk; due 2026-11-22T15:00; low; #home #now; in Groceries; notes 2 l",
        ),
        // A tag and a list get other capitals, where all that is named is in them.
        update(
            json!({"id": "$Milk", "add_tags": ["HOME"], "remove_tags": ["home"]}),
            "Changed “Milk”.",
            "[ ] Milk; due 2026-11-22T15:00; low; #shop #HOME; in Groceries; notes 2 l",
        ),
        update(
            json!({"id": "$Milk", "list": "GROCERIES"}),
            "Changed “Milk”.",
            "[ ] Milk; due 2026-11-22T15:00; low; #home #shop; in GROCERIES; notes 2 l",
        ),
        update(
            json!({"id": "$Milk", "tags": ["a"], "add_tags": ["b"]}),
            "Changed “Milk”.",
            "[ ] Milk; due 2026-11-22T15:00; low; #a #b; in Groceries; notes 2 l",
        ),
        update(
            json!({"id": "$Milk", "repeat": "FREQ=DAILY"}),
            "Changed “Milk”.",
            "[ ] Milk; due 2026-11-22T15:00; low; #home #shop; in Groceries; every FREQ=DAILY; notes 2 l",
        ),
        update(
            json!({"id": "$Milk", "title": "Milk", "due": "2026-11-22T15:00"}),
            "“Milk” was like that already.",
            SAME,
        ),
        update(json!({"id": "$Milk"}), "“Milk” was like that already.", SAME),
        row(
            "[ ] A\n[ ] B\n[ ] C",
            "todo_update",
            json!({"ids": ["$A", "$C", "$A"], "list": "Work", "priority": "urgent"}),
            "Changed 2 to-dos.",
            "[ ] A; urgent; in Work\n[ ] B\n[ ] C; urgent; in Work",
        ),
        row("[ ] A\n[ ] B", "todo_update", json!({"id": "$B", "order": 0.5}), "Changed “B”.", "[ ] B\n[ ] A"),
        row(
            "[ ] A\n[ ] B\n[ ] C",
            "todo_update",
            json!({"id": "$A", "after": "$B"}),
            "Changed “A”.",
            "[ ] B\n[ ] A\n[ ] C",
        ),
        row(
            "[ ] A\n[ ] B; due 2026-11-24\n[ ] C; due 2026-11-24",
            "todo_update",
            json!({"id": "$A", "due": "2026-11-24", "after": "$B"}),
            "Changed “A”.",
            "[ ] B; due 2026-11-24\n[ ] A; due 2026-11-24\n[ ] C; due 2026-11-24",
        ),
        row(
            "[ ] A; due 2026-11-24; every FREQ=WEEKLY",
            "todo_update",
            json!({"id": "$A", "repeat": null}),
            "Changed “A”.",
            "[ ] A; due 2026-11-24",
        ),
        row(
            "[ ] A; due 2026-11-24; every FREQ=WEEKLY",
            "todo_update",
            json!({"id": "$A", "due": null}),
            "Changed “A”. It repeats no more.",
            "[ ] A",
        ),
        row(
            "[ ] A",
            "todo_update",
            json!({"id": "$A", "repeat": "FREQ=MONTHLY;BYMONTHDAY=1"}),
            "Changed “A”.",
            "[ ] A; due 2026-12-01; every FREQ=MONTHLY;BYMONTHDAY=1",
        ),
        row(
            "[ ] A\n[ ] B",
            "todo_update",
            json!({"id": "$B", "parent": "$A"}),
            "Changed “B”.",
            "[ ] A\n[ ] B; under A",
        ),
        row(
            "[ ] A\n[ ] B; under A",
            "todo_update",
            json!({"id": "$B", "parent": null}),
            "Changed “B”.",
            "[ ] A\n[ ] B",
        ),
        row("[x] A", "todo_update", json!({"id": "$A", "notes": "n"}), "Changed “A”.", "[x] A; notes n"),
    ]);
}

#[test]
fn update_is_refused() {
    let family = "[ ] A\n[ ] B; under A\n[ ] C; under B";
    let update = |arguments: Value, says| row(family, "todo_update", arguments, says, SAME);
    check(vec![
        update(json!({"title": "X"}), "!give `id` or `ids`"),
        update(json!({"ids": [], "title": "X"}), "!give `id` or `ids`"),
        update(json!({"id": "nope", "title": "X"}), "!No to-do has the id \"nope\"; call todo_list"),
        update(json!({"ids": ["$A", "nope"], "priority": "low"}), "!No to-do has the id \"nope\""),
        update(json!({"ids": ["$A", "$B"], "title": "X"}), "!A title goes to a single to-do"),
        update(json!({"ids": ["$A", "$B"], "after": "$C"}), "!One to-do goes behind another"),
        update(json!({"id": "$A", "after": "$B", "order": 1.0}), "!One to-do goes behind another"),
        update(json!({"id": "$A", "after": "nope"}), "!No to-do has the id \"nope\""),
        update(
            json!({"id": "$A", "priority": "low", "after": "$B"}),
            "!“A” stands by its date and priority first",
        ),
        update(json!({"id": "$A", "title": "\u{7}"}), "!The title is empty"),
        update(json!({"id": "$A", "title": null, "due": "soon"}), "!\"soon\" is no date"),
        update(json!({"id": "$A", "parent": "$A"}), "!“A” cannot become a part of itself"),
        update(
            json!({"id": "$A", "parent": "$C"}),
            "!“A” cannot become a part of itself or of its own parts",
        ),
        update(json!({"ids": ["$A", "$B"], "parent": "$C"}), "!cannot become a part"),
        update(json!({"id": "$A", "parent": "nope"}), "!No to-do has the id"),
        update(json!({"id": "$A", "repeat": "FREQ=SECONDLY"}), "!FREQ=SECONDLY is not DAILY"),
        update(json!({"id": "$A", "order": "first"}), "!order"),
        update(json!({"id": "$A", "status": "done"}), "!status"),
        update(json!({"ids": vec!["x"; 101]}), "!These are 101 to-dos"),
    ]);
}

#[test]
fn complete_and_reopen() {
    check(vec![
        row("[ ] A", "todo_complete", json!({"id": "$A"}), "Completed “A”.", "[x] A"),
        row(
            "[ ] A\n[ ] B\n[x] C",
            "todo_complete",
            json!({"ids": ["$A", "$B", "$C"]}),
            "Completed 2 to-dos.",
            "[x] A\n[x] B\n[x] C",
        ),
        row("[x] A", "todo_complete", json!({"id": "$A"}), "“A” was done already.", SAME),
        row(
            "[x] A\n[x] B",
            "todo_complete",
            json!({"ids": ["$A", "$B"]}),
            "They were all done already.",
            SAME,
        ),
        row(
            "[ ] A\n[ ] B; under A",
            "todo_complete",
            json!({"id": "$A"}),
            "Completed “A”.",
            "[x] A\n[ ] B; under A",
        ),
        row(
            "[ ] Plants; due 2026-11-24; high; #home; every FREQ=WEEKLY;BYDAY=TU",
            "todo_complete",
            json!({"id": "$Plants"}),
            "Completed “Plants”; the next one is due 2026-12-01.",
            "[x] Plants; due 2026-11-24; high; #home
             [ ] Plants; due 2026-12-01; high; #home; every FREQ=WEEKLY;BYDAY=TU",
        ),
        row(
            "[ ] Late; due 2026-11-01T09:00; every FREQ=DAILY",
            "todo_complete",
            json!({"id": "$Late"}),
            "Completed “Late”; the next one is due 2026-11-21T09:00.",
            "[x] Late; due 2026-11-01T09:00\n[ ] Late; due 2026-11-21T09:00; every FREQ=DAILY",
        ),
        row(
            "[ ] Pills; due 2026-11-21; every FREQ=DAILY;COUNT=2\n[ ] A",
            "todo_complete",
            json!({"ids": ["$Pills", "$A"]}),
            "Completed 2 to-dos; 1 will come back.",
            "[x] Pills; due 2026-11-21\n[ ] Pills; due 2026-11-22; every FREQ=DAILY;COUNT=1\n[x] A",
        ),
        row(
            "[ ] Pills; due 2026-11-21; every FREQ=DAILY;COUNT=1",
            "todo_complete",
            json!({"id": "$Pills"}),
            "Completed “Pills”.",
            "[x] Pills; due 2026-11-21; every FREQ=DAILY;COUNT=1",
        ),
        row("[ ] A", "todo_complete", json!({"id": "nope"}), "!No to-do has the id", SAME),
        row("[ ] A", "todo_complete", json!({"ids": ["$A", "nope"]}), "!No to-do has the id", SAME),
        row("[ ] A", "todo_complete", json!({}), "!give `id` or `ids`", SAME),
        row("[x] A", "todo_reopen", json!({"id": "$A"}), "Reopened “A”.", "[ ] A"),
        row(
            "[x] A\n[x] B\n[ ] C",
            "todo_reopen",
            json!({"ids": ["$A", "$B", "$C"]}),
            "Reopened 2 to-dos.",
            "[ ] A\n[ ] B\n[ ] C",
        ),
        row("[ ] A", "todo_reopen", json!({"id": "$A"}), "“A” is open already.", SAME),
        row("[ ] A\n[ ] B", "todo_reopen", json!({"ids": ["$A", "$B"]}), "They are all open already.", SAME),
        row("[ ] A", "todo_reopen", json!({"id": "nope"}), "!No to-do has the id", SAME),
    ]);
}

#[test]
fn reminders() {
    const DENTIST: &str = "[ ] Dentist; due 2026-11-24T15:00; remind -PT1H";
    check(vec![
        row(
            NOTHING,
            "todo_create",
            json!({"title": "Dentist", "due": "2026-11-24T15:00", "remind": "-PT60M"}),
            "Added “Dentist”, due 2026-11-24T15:00.",
            DENTIST,
        ),
        row(
            NOTHING,
            "todo_create",
            json!({"items": [{"title": "Oven", "remind": "2026-11-21T23:00"}, {"title": "Bins", "due": "2026-11-22", "remind": "PT0S"}]}),
            "Added 2 to-dos.",
            "[ ] Oven; remind 2026-11-21T23:00\n[ ] Bins; due 2026-11-22; remind PT0S",
        ),
        // A repetition gives it a date to be before.
        row(
            NOTHING,
            "todo_create",
            json!({"title": "Bins", "repeat": "FREQ=DAILY", "remind": "PT0S"}),
            "Added “Bins”, due 2026-11-21.",
            "[ ] Bins; due 2026-11-21; every FREQ=DAILY; remind PT0S",
        ),
        row(NOTHING, "todo_create", json!({"title": "A", "remind": "-PT1H"}), "!needs `due`", SAME),
        row(NOTHING, "todo_create", json!({"title": "A", "remind": "soon"}), "!is no reminder", SAME),
        row(
            NOTHING,
            "todo_create",
            json!({"remind": "PT0S", "items": [{"title": "A"}]}),
            "!put every other field into the items",
            SAME,
        ),
        row(
            DENTIST,
            "todo_update",
            json!({"id": "$Dentist", "remind": null}),
            "Changed “Dentist”.",
            "[ ] Dentist; due 2026-11-24T15:00",
        ),
        row(
            DENTIST,
            "todo_update",
            json!({"id": "$Dentist", "due": "2026-11-25"}),
            "Changed “Dentist”.",
            "[ ] Dentist; due 2026-11-25; remind -PT1H",
        ),
        // What is before a date goes with it; a time of its own stays.
        row(
            DENTIST,
            "todo_update",
            json!({"id": "$Dentist", "due": null}),
            "Changed “Dentist”.",
            "[ ] Dentist",
        ),
        row(
            "[ ] Oven; due 2026-11-22; remind 2026-11-21T23:00",
            "todo_update",
            json!({"id": "$Oven", "due": null}),
            "Changed “Oven”.",
            "[ ] Oven; remind 2026-11-21T23:00",
        ),
        row("[ ] Oven", "todo_update", json!({"id": "$Oven", "remind": "-PT5M"}), "!needs `due`", SAME),
        row(
            DENTIST,
            "todo_update",
            json!({"id": "$Dentist", "due": null, "remind": "PT0S"}),
            "!needs `due`",
            SAME,
        ),
        // The next turn has it as well, and one at a time moves with its day.
        row(
            "[ ] Bins; due 2026-11-22; every FREQ=WEEKLY; remind 2026-11-21T20:00",
            "todo_complete",
            json!({"id": "$Bins"}),
            "Completed “Bins”; the next one is due 2026-11-29.",
            "[x] Bins; due 2026-11-22; remind 2026-11-21T20:00\n[ ] Bins; due 2026-11-29; every FREQ=WEEKLY; remind 2026-11-28T20:00",
        ),
    ]);
}

#[test]
fn delete_and_clear() {
    check(vec![
        row("[ ] A\n[x] B", "todo_delete", json!({"id": "$B"}), "Deleted “B”.", "[ ] A"),
        row("[ ] A\n[ ] B\n[ ] C", "todo_delete", json!({"ids": ["$A", "$C"]}), "Deleted 2 to-dos.", "[ ] B"),
        row(
            "[ ] A\n[ ] B; under A\n[x] C; under A",
            "todo_delete",
            json!({"id": "$A"}),
            "Deleted “A”.",
            "[ ] B\n[x] C",
        ),
        row(
            "[ ] A\n[ ] B; under A",
            "todo_delete",
            json!({"ids": ["$A", "$B"]}),
            "Deleted 2 to-dos.",
            NOTHING,
        ),
        row("[ ] A", "todo_delete", json!({"ids": ["$A", "nope"]}), "!No to-do has the id", SAME),
        row("[ ] A", "todo_delete", json!({}), "!give `id` or `ids`", SAME),
        row(
            "[ ] A\n[x] B\n[x] C; in Work",
            "todo_clear_completed",
            json!({}),
            "Cleared 2 completed to-dos.",
            "[ ] A",
        ),
        row(
            "[x] B\n[x] C; in Work",
            "todo_clear_completed",
            json!({"list": "work"}),
            "Cleared 1 completed to-do.",
            "[x] B",
        ),
        row(
            "[x] A\n[ ] B; under A",
            "todo_clear_completed",
            json!({}),
            "Cleared 1 completed to-do.",
            "[ ] B",
        ),
        row("[ ] A", "todo_clear_completed", json!({}), "There was nothing completed to clear.", SAME),
        row(
            "[x] A",
            "todo_clear_completed",
            json!({"list": "Nowhere"}),
            "There was nothing completed to clear.",
            SAME,
        ),
        row("[x] A", "todo_clear_completed", json!({"lists": "X"}), "!lists", SAME),
    ]);
}

#[test]
fn long_titles_are_cut_in_sentences_only() {
    let bench = Bench::new();
    let title = "ä".repeat(500);
    let out = bench.call("todo_create", json!({ "title": title }));
    assert_eq!(out.structured()["summary"], format!("Added “{}…”.", "ä".repeat(80)));
    assert_eq!(out.structured()["changes"][0]["after"]["title"], title);
}

#[test]
fn a_due_time_keeps_the_zone_it_was_said_in() {
    let bench = Bench::new();
    let meta = json!({"dev.satchel/key": "k", "dev.satchel/zone": "Asia/Tokyo"});
    let out = bench.with_meta("todo_create", json!({"title": "A", "due": "2026-11-22T15:00"}), meta).unwrap();
    let todo = &out.structured()["changes"][0]["after"];
    assert_eq!((&todo["due"], &todo["zone"]), (&json!("2026-11-22T15:00"), &json!("Asia/Tokyo")));
    // A day has none, and neither has what was cleared.
    let out = bench.call("todo_update", json!({"id": todo["id"], "due": "2026-11-22"}));
    assert_eq!(out.structured()["changes"][0]["after"].get("zone"), None);
}

#[test]
fn completing_again_after_reopening_starts_no_second_series() {
    let bench = Bench::new();
    bench.fill("[ ] Plants; due 2026-11-24; every FREQ=WEEKLY");
    let id = bench.todos()[0].id.clone();
    for tool in ["todo_complete", "todo_reopen", "todo_complete"] {
        assert!(!bench.call(tool, json!({ "id": id })).is_error);
    }
    assert_eq!(bench.lines(), "[x] Plants; due 2026-11-24\n[ ] Plants; due 2026-12-01; every FREQ=WEEKLY");
}

/// Two that change places for ever always do, and each step is one change that one undo takes back, also where others make room.
#[test]
fn a_place_is_always_found_and_taken_back() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B\n[ ] C\n[ ] D");
    let titles = || bench.todos().iter().map(|todo| todo.title.clone()).collect::<Vec<_>>().concat();
    let mut made_room = 0;
    for step in 0..120 {
        let before = bench.todos();
        let (first, second) = if step % 2 == 0 { ("A", "B") } else { ("B", "A") };
        let (key, arguments) =
            (format!("move {step}"), json!({"id": format!("${first}"), "after": format!("${second}")}));
        let out = bench.keyed(&key, "todo_update", bench.with_ids(&arguments));
        assert_eq!(titles(), format!("{second}{first}CD"), "{step}: {}", out.text);
        let changed = out.structured()["changes"].as_array().unwrap().len();
        made_room += usize::from(changed > 1);
        if changed > 1 {
            bench.keyed(&format!("undo {step}"), "undo", json!({ "call": key }));
            assert_eq!(bench.todos(), before, "{step}");
            bench.keyed(&format!("again {step}"), "todo_update", bench.with_ids(&arguments));
        }
    }
    assert!((1..=6).contains(&made_room), "{made_room}");
}
