//! What is promised over several to-dos at once: what a to-do is a part of is there, and nothing is a part of itself.
//! No order of writes, undos, redos, imports and restores breaks it, and data in which it is broken hangs nothing.

use proptest::prelude::*;
use serde_json::{Value, json};
use store::{CallKey, Change, Durability, Journal, Json, MemoryJournal, Op};

use super::bench::Bench;

fn update(bench: &Bench, key: &str, id: &str, parent: &Value) -> mcp::ToolCallOut {
    bench.keyed(key, "todo_update", bench.with_ids(&json!({"id": id, "parent": parent})))
}

/// Writes a change into the journal as an older version did, which checked nothing.
fn write_as_once(journal: &MemoryJournal, rows: &[Value]) {
    let todo = |row: &Value| {
        let mut todo = json!({
            "notes": "", "status": "open", "priority": "none", "tags": [], "list": "Inbox",
            "created": "2026-11-01T10:00:00Z", "updated": "2026-11-01T10:00:00Z",
        });
        for (field, value) in row.as_object().unwrap() {
            todo[field] = value.clone();
        }
        todo
    };
    let ops = rows.iter().map(|row| Op {
        table: "todos".into(),
        id: row["id"].as_str().unwrap().into(),
        before: None,
        after: Some(Json::from_text(todo(row).to_string()).unwrap()),
    });
    let change = Change {
        rev: 1,
        key: CallKey("once".into()),
        at_ms: super::bench::NOW_MS - 1_000_000,
        tool: "todo_create".into(),
        ops: ops.collect(),
        reply: Json::from_text(json!({"summary": "Added."}).to_string()).unwrap(),
        undoes: Vec::new(),
        redo: false,
        erases: Vec::new(),
        body_hash: None,
        instance: None,
    };
    futures::executor::block_on(journal.append(&[change.into()], Durability::Strict)).unwrap();
}

#[test]
fn an_undo_that_would_make_a_circle_is_refused() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B\n[ ] C");
    update(&bench, "1", "$A", &json!("$B"));
    update(&bench, "2", "$A", &Value::Null);
    update(&bench, "3", "$B", &json!("$A"));
    let out = bench.keyed("4", "undo", json!({"call": "2"}));
    assert!(out.is_error, "{}", out.text);
    assert_eq!(
        out.text,
        "This would make “A” a part of itself: “B” is one of its parts now. Take “B” out of it first."
    );
    assert_eq!(bench.lines(), "[ ] A\n[ ] B; under A\n[ ] C");
    // Nothing hangs, and everything goes on.
    assert!(!update(&bench, "5", "$C", &json!("$A")).is_error);
    // As it says: then it can be undone.
    update(&bench, "6", "$B", &Value::Null);
    let out = bench.keyed("7", "undo", json!({"call": "2"}));
    assert!(!out.is_error, "{}", out.text);
    assert_eq!(bench.lines(), "[ ] A; under B\n[ ] B\n[ ] C; under A");
}

#[test]
fn a_redo_that_would_make_a_circle_is_refused() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B\n[ ] C");
    update(&bench, "1", "$A", &json!("$B"));
    bench.keyed("2", "undo", json!({"call": "1"}));
    update(&bench, "3", "$B", &json!("$A"));
    let out = bench.keyed("4", "redo", json!({"call": "1"}));
    assert!(out.is_error && out.text.contains("would make “A” a part of itself"), "{}", out.text);
    // A preview is refused with the same words: nobody is asked about what cannot be done.
    let meta = json!({"dev.satchel/key": "5", "dev.satchel/preview": true});
    let preview = bench.with_meta("redo", json!({"call": "1"}), meta).unwrap();
    assert_eq!((preview.is_error, preview.text), (true, out.text));
    assert!(!update(&bench, "6", "$C", &json!("$A")).is_error);
    assert_eq!(bench.lines(), "[ ] A\n[ ] B; under A\n[ ] C; under A");
}

#[test]
fn an_undo_that_would_leave_parts_of_nothing_is_refused() {
    let bench = Bench::new();
    let add = |key: &str, title: &str| bench.keyed(key, "todo_create", json!({"title": title}));
    add("a", "A");
    add("b", "B");
    update(&bench, "ab", "$B", &json!("$A"));
    let out = bench.call("undo", json!({"call": "a"}));
    assert_eq!(
        (out.is_error, out.text.as_str()),
        (true, "“B” is a part of “A”, which would be gone. Take “B” out of it first.")
    );
    // A part that comes back finds nothing that it could be a part of.
    bench.keyed("no_b", "todo_delete", bench.with_ids(&json!({"id": "$B"})));
    bench.keyed("no_a", "todo_delete", bench.with_ids(&json!({"id": "$A"})));
    let out = bench.call("undo", json!({"call": "no_b"}));
    assert_eq!(
        (out.is_error, out.text.as_str()),
        (true, "“B” would be a part of “A”, which is not there any more. Bring “A” back first.")
    );
    assert!(!bench.call("undo", json!({"call": "no_a"})).is_error);
    assert!(!bench.call("undo", json!({"call": "no_b"})).is_error);
    assert_eq!(bench.lines(), "[ ] A\n[ ] B; under A");
}

#[test]
fn a_circle_of_an_older_version_hangs_nothing_and_can_be_opened() {
    let journal = MemoryJournal::new();
    let rows = [
        json!({"id": "a", "title": "A", "parent": "b", "order": 1.0}),
        json!({"id": "b", "title": "B", "parent": "a", "order": 2.0}),
        json!({"id": "s", "title": "Self", "parent": "s", "order": 3.0}),
        json!({"id": "n", "title": "Of nothing", "parent": "gone", "order": 4.0}),
        json!({"id": "c", "title": "C", "order": 5.0}),
        json!({"id": "r", "title": "Again", "parent": "gone", "order": 6.0, "due": "2026-11-22", "repeat": "FREQ=DAILY"}),
    ];
    write_as_once(&journal, &rows);
    let bench = Bench::over(journal.clone(), "worker_a");
    // What every screen and every model asks for.
    for (tool, arguments) in
        [("todo_list", json!({})), ("todo_get", json!({"id": "a"})), ("history", json!({}))]
    {
        assert!(!bench.call(tool, arguments).is_error, "{tool}");
    }
    bench.resource("todo://window?now=2026-11-22T10:30&no_date=0-99");
    // Being below the circle is allowed: it is its own fault and not this one's.
    for parent in ["a", "s", "n"] {
        let out = bench.call("todo_update", json!({"id": "c", "parent": parent}));
        assert!(!out.is_error, "{}", out.text);
    }
    // What has the fault already is changed, undone and completed as ever; a circle that comes back is opened.
    for (key, tool, arguments) in [
        ("1", "todo_update", json!({"id": "a", "title": "AA"})),
        ("2", "undo", json!({"call": "1"})),
        ("3", "todo_delete", json!({"id": "n"})),
        ("4", "undo", json!({"call": "3"})),
        ("5", "todo_complete", json!({"id": "r"})),
        ("6", "undo", json!({"call": "5"})),
        ("7", "todo_delete", json!({"ids": ["a", "b"]})),
        ("8", "undo", json!({"call": "7"})),
    ] {
        let out = bench.keyed(key, tool, arguments);
        assert!(!out.is_error, "{tool}: {}", out.text);
    }
    assert_eq!(
        bench.lines(),
        "[ ] A\n[ ] B; under A\n[ ] Self; under Self\n[ ] Of nothing; under nobody\n[ ] C; under Of nothing\n\
         [ ] Again; due 2026-11-22; under nobody; every FREQ=DAILY"
    );
    assert!(!bench.call("todo_update", json!({"id": "s", "parent": null})).is_error);
}

#[test]
fn a_saved_copy_and_a_file_with_a_circle_in_them_are_taken_without_it() {
    let circle = [
        json!({"id": "a", "title": "A", "parent": "b", "order": 1.0}),
        json!({"id": "b", "title": "B", "parent": "a", "order": 2.0}),
        json!({"id": "n", "title": "Of nothing", "parent": "gone", "order": 3.0}),
    ];
    let journal = MemoryJournal::new();
    write_as_once(&journal, &circle);
    let bench = Bench::over(journal, "worker_a");
    let file = bench.call("data_export", json!({"format": "json"})).structured()["text"].clone();
    let copy = bench.call("data_snapshot", json!({"name": "Old"})).structured()["snapshot"]["id"].clone();
    bench.call("todo_delete", json!({"ids": ["a", "b", "n"]}));
    let out = bench.call("data_restore", json!({"snapshot": copy})).structured();
    assert_eq!(
        out["summary"],
        "Restored “Old”: 3 to-dos changed. 2 to-dos stand on their own, because what they are a part of is not there."
    );
    let opened = "[ ] A\n[ ] B; under A\n[ ] Of nothing";
    assert_eq!(bench.lines(), opened);
    bench.call("todo_delete", json!({"ids": ["a", "b", "n"]}));
    let out = bench.call("data_import", json!({"format": "json", "text": file})).structured();
    assert_eq!(out["notes"][0], "2 to-dos stand on their own, because what they are a part of is not there.");
    assert_eq!(bench.lines(), opened);
}

/// Anything that changes to-dos; numbers name to-dos, calls and files by their place, whatever is there.
#[derive(Clone, Debug)]
enum Act {
    Add(Option<usize>),
    Move(Vec<usize>, Option<usize>),
    Complete(usize),
    Delete(usize),
    Clear,
    UndoLast(u32),
    UndoCall(usize),
    UndoTo(u64),
    RedoLast(u32),
    RedoCall(usize),
    SaveCopy,
    Restore(usize),
    Export,
    Import(usize, bool),
    /// A file of two to-dos that says what it likes of them.
    Forge(usize, usize, usize, bool),
}

fn any_act() -> impl Strategy<Value = Act> {
    let place = 0_usize..4;
    let call = 0_usize..24;
    prop_oneof![
        3 => proptest::option::of(place.clone()).prop_map(Act::Add),
        12 => (proptest::collection::vec(place.clone(), 1..3), proptest::option::weighted(0.7, place.clone()))
            .prop_map(|(ids, parent)| Act::Move(ids, parent)),
        1 => place.clone().prop_map(Act::Complete),
        2 => place.clone().prop_map(Act::Delete),
        1 => Just(Act::Clear),
        2 => (1_u32..4).prop_map(Act::UndoLast),
        12 => call.clone().prop_map(Act::UndoCall),
        1 => (0_u64..20).prop_map(Act::UndoTo),
        2 => (1_u32..4).prop_map(Act::RedoLast),
        6 => call.prop_map(Act::RedoCall),
        1 => Just(Act::SaveCopy),
        1 => place.clone().prop_map(Act::Restore),
        1 => Just(Act::Export),
        1 => (place.clone(), any::<bool>()).prop_map(|(file, replace)| Act::Import(file, replace)),
        1 => (place.clone(), place.clone(), place, any::<bool>())
            .prop_map(|(one, two, over, replace)| Act::Forge(one, two, over, replace)),
    ]
}

/// What a run has put aside.
#[derive(Default)]
struct Aside {
    files: Vec<Value>,
    copies: Vec<Value>,
}

/// The call that an act is now; `None` where there is nothing it could name.
fn call_of(act: &Act, bench: &Bench, aside: &Aside) -> Option<(&'static str, Value)> {
    let mut ids: Vec<String> = bench.todos().iter().map(|todo| todo.id.clone()).collect();
    ids.sort();
    let id = |place: usize| ids.get(place % ids.len().max(1)).map(|id| json!(id));
    let mode = |replace: bool| if replace { "replace" } else { "add" };
    let rev = bench.server.db().rev();
    // A call's key is its place among all calls.
    let key = |call: usize| format!("k{}", call as u64 % (rev + 1));
    Some(match act {
        Act::Add(parent) => {
            ("todo_create", json!({"title": format!("T{rev}"), "parent": parent.and_then(id)}))
        }
        Act::Move(which, parent) => {
            let which: Option<Vec<Value>> = which.iter().map(|at| id(*at)).collect();
            ("todo_update", json!({"ids": which?, "parent": parent.and_then(id)}))
        }
        Act::Complete(at) => ("todo_complete", json!({"id": id(*at)?})),
        Act::Delete(at) => ("todo_delete", json!({"id": id(*at)?})),
        Act::Clear => ("todo_clear_completed", json!({})),
        Act::UndoLast(last) => ("undo", json!({"last": last})),
        Act::UndoCall(call) => ("undo", json!({"call": key(*call)})),
        Act::UndoTo(to) => ("undo", json!({"to": to})),
        Act::RedoLast(last) => ("redo", json!({"last": last})),
        Act::RedoCall(call) => ("redo", json!({"call": key(*call)})),
        Act::SaveCopy => ("data_snapshot", json!({"name": "Copy"})),
        Act::Restore(at) => ("data_restore", json!({"snapshot": aside.copies.get(*at)?})),
        Act::Export => ("data_export", json!({"format": "json"})),
        Act::Import(at, replace) => {
            ("data_import", json!({"format": "json", "text": aside.files.get(*at)?, "mode": mode(*replace)}))
        }
        Act::Forge(one, two, over, replace) => {
            let (one, two, over) = (id(*one)?, id(*two)?, id(*over)?);
            let todos = json!({"todos": [
                {"id": one, "title": "F1", "parent": over},
                {"id": two, "title": "F2", "parent": one},
            ]});
            ("data_import", json!({"format": "json", "text": todos.to_string(), "mode": mode(*replace)}))
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn no_order_of_writes_undos_imports_and_restores_breaks_a_family(
        acts in proptest::collection::vec(any_act(), 1..32),
    ) {
        let bench = Bench::new();
        bench.is_checking.set(false);
        let mut aside = Aside::default();
        for title in ["A", "B", "C"] {
            bench.keyed(&format!("k{}", bench.server.db().rev()), "todo_create", json!({"title": title}));
        }
        for (place, act) in acts.iter().enumerate() {
            let Some((tool, arguments)) = call_of(act, &bench, &aside) else { continue };
            bench.now_ms.set(bench.now_ms.get() + 1000);
            let before = (bench.server.db().rev(), bench.export());
            let out = bench.keyed(&format!("k{}", before.0), tool, arguments.clone());
            match tool {
                "data_snapshot" => aside.copies.push(out.structured()["snapshot"]["id"].clone()),
                "data_export" => aside.files.push(out.structured()["text"].clone()),
                _ => {}
            }
            prop_assert!(bench.has_sound_families(), "{place}: {act:?}\n{}\nwas\n{}", bench.lines(), before.1);
            if out.is_error {
                // What is refused is refused as a whole.
                prop_assert_eq!((bench.server.db().rev(), bench.export()), before);
            }
        }
    }
}
