//! Undo, and random runs of writes: undo gives back every byte, keys and conflicts never double.

use proptest::prelude::*;
use serde_json::{Value, json};
use store::StoreError;

use super::bench::Bench;

#[test]
fn undo() {
    let bench = Bench::new();
    bench.fill("[ ] A");
    bench.keyed("rename", "todo_update", bench.with_ids(&json!({"id": "$A", "title": "B"})));
    bench.keyed("done", "todo_complete", bench.with_ids(&json!({"id": "$B"})));
    let out = bench.call("undo", json!({}));
    assert_eq!(out.structured()["summary"], "Undone: Completed “B”.");
    assert_eq!(out.structured()["undone"], json!([{"tool": "todo_complete", "key": "done"}]));
    assert_eq!(out.structured()["changes"][0]["after"]["status"], "open");
    assert_eq!(bench.lines(), "[ ] B");
    // An undo is not undone by the next one, which goes on to what is before.
    let out = bench.call("undo", json!({"last": 2}));
    assert_eq!(out.structured()["summary"], "Undid the last 2 changes.");
    assert_eq!(bench.lines(), "");
    for (arguments, why) in [
        (json!({}), "There is nothing to undo."),
        (json!({"last": 0}), "last is 0; it may be 1 to 20."),
        (json!({"last": 21}), "last is 21; it may be 1 to 20."),
        (json!({"last": 1, "call": "rename"}), "Give either `last` or `call`"),
        (json!({"call": "never"}), "There is no change with this key."),
        (json!({"to": u64::MAX}), "There is no change 18446744073709551615 yet; the last one is 5."),
        (json!({"to": 6}), "There is no change 6 yet; the last one is 5."),
        (json!({"to": 5}), "There is nothing to undo."),
        (json!({"call": "rename"}), "That was undone already."),
        (json!({"steps": 2}), "steps"),
    ] {
        let out = bench.call("undo", arguments.clone());
        assert!(out.is_error && out.text.contains(why), "{arguments}: {}", out.text);
    }
}

#[test]
fn undoing_one_call_keeps_what_came_after() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B");
    bench.keyed("delete_a", "todo_delete", bench.with_ids(&json!({"id": "$A"})));
    bench.keyed("rename_b", "todo_update", bench.with_ids(&json!({"id": "$B", "title": "BB"})));
    let out = bench.keyed("u", "undo", json!({"call": "delete_a"}));
    assert_eq!(out.structured()["summary"], "Undone: Deleted “A”.");
    assert_eq!(bench.lines(), "[ ] A\n[ ] BB");
    // Undoing the undo is doing it again.
    bench.call("undo", json!({"call": "u"}));
    assert_eq!(bench.lines(), "[ ] BB");
    // What has changed since is not overwritten.
    bench.keyed("notes", "todo_update", bench.with_ids(&json!({"id": "$BB", "notes": "n"})));
    let out = bench.call("undo", json!({"call": "rename_b"}));
    assert!(out.is_error && out.text.contains("“BB” has changed since"), "{}", out.text);
    // In words: by what, too.
    assert!(!out.text.contains("todo_"), "{}", out.text);
    assert_eq!(bench.lines(), "[ ] BB; notes n");
}

#[test]
fn undoing_an_addition_and_its_deletion_at_once_counts_as_undone() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B");
    bench.call("todo_delete", bench.with_ids(&json!({"id": "$B"})));
    let out = bench.call("undo", json!({"last": 2}));
    assert_eq!((&out.structured()["changes"], &out.meta["dev.satchel/rev"]), (&json!([]), &json!(4)));
    bench.call("undo", json!({}));
    assert_eq!(bench.lines(), "");
}

#[test]
fn an_undo_is_replayed_by_its_key_too() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[ ] B");
    let first = bench.keyed("u", "undo", json!({}));
    let again = bench.keyed("u", "undo", json!({}));
    assert_eq!(
        (first.structured(), again.meta["dev.satchel/replayed"].clone()),
        (again.structured(), json!(true))
    );
    assert_eq!(bench.lines(), "[ ] A");
}

/// A write that may or may not make sense; numbers name to-dos by their place.
#[derive(Clone, Debug)]
enum Write {
    Create(u8, Option<usize>, bool),
    Rename(usize, u8),
    Move(usize, Option<usize>),
    Complete(usize, usize),
    Reopen(usize),
    Delete(usize),
    Clear,
}

fn any_write() -> impl Strategy<Value = Write> {
    let place = 0_usize..6;
    prop_oneof![
        3 => (any::<u8>(), proptest::option::of(place.clone()), any::<bool>())
            .prop_map(|(name, parent, repeats)| Write::Create(name, parent, repeats)),
        1 => (place.clone(), any::<u8>()).prop_map(|(at, name)| Write::Rename(at, name)),
        2 => (place.clone(), proptest::option::of(place.clone())).prop_map(|(at, parent)| Write::Move(at, parent)),
        2 => (place.clone(), place.clone()).prop_map(|(one, two)| Write::Complete(one, two)),
        1 => place.clone().prop_map(Write::Reopen),
        1 => place.prop_map(Write::Delete),
        1 => Just(Write::Clear),
    ]
}

/// The call of a write on what is there now; `None` where there is nothing it could name.
fn call_of(write: &Write, bench: &Bench) -> Option<(&'static str, Value)> {
    let todos = bench.todos();
    let id = |place: usize| todos.get(place % todos.len().max(1)).map(|todo| json!(todo.id));
    Some(match write {
        Write::Create(name, parent, repeats) => {
            let mut arguments = json!({"title": format!("T{name}")});
            if let Some(parent) = parent.and_then(id) {
                arguments["parent"] = parent;
            }
            if *repeats {
                arguments["repeat"] = json!("FREQ=DAILY;COUNT=3");
            }
            ("todo_create", arguments)
        }
        Write::Rename(at, name) => ("todo_update", json!({"id": id(*at)?, "title": format!("R{name}")})),
        Write::Move(at, parent) => ("todo_update", json!({"id": id(*at)?, "parent": parent.and_then(id)})),
        Write::Complete(one, two) => ("todo_complete", json!({"ids": [id(*one)?, id(*two)?]})),
        Write::Reopen(at) => ("todo_reopen", json!({"id": id(*at)?})),
        Write::Delete(at) => ("todo_delete", json!({"id": id(*at)?})),
        Write::Clear => ("todo_clear_completed", json!({})),
    })
}

proptest! {
    // Issue 3, acceptance 2: a thousand random runs.
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_preview_is_what_comes_of_it_and_everything_goes_back_and_forth(
        writes in proptest::collection::vec(any_write(), 1..12), chunk in 1_u64..4, to in 0_u64..12,
    ) {
        let bench = Bench::new();
        bench.fill("[ ] Kept; due 2026-11-22; high; #x");
        bench.is_checking.set(false);
        let exports = |bench: &Bench| {
            // The whole file but for its first line, which says the revision.
            let text = bench.call("data_export", json!({"format": "json"})).structured()["text"].clone();
            text.as_str().unwrap().split_once('\n').unwrap().1.to_owned()
        };
        let mut states = vec![exports(&bench)];
        let start = bench.server.db().rev();
        for write in &writes {
            let Some((tool, arguments)) = call_of(write, &bench) else { continue };
            bench.now_ms.set(bench.now_ms.get() + 1000);
            let rev = bench.server.db().rev();
            let key = format!("k{rev}");
            let meta = json!({"dev.satchel/key": key, "dev.satchel/preview": true});
            let preview = bench.with_meta(tool, arguments.clone(), meta).unwrap();
            prop_assert_eq!(&exports(&bench), states.last().unwrap(), "a preview wrote");
            let done = bench.keyed(&key, tool, arguments);
            prop_assert_eq!(preview.is_error, done.is_error);
            prop_assert_eq!(preview.structured(), done.structured());
            if bench.server.db().rev() > rev {
                states.push(exports(&bench));
            }
        }
        let made = states.len() as u64 - 1;
        let end = states.last().unwrap().clone();
        // Back in steps, and forth again.
        let (mut left, mut undos) = (made, 0);
        while left > 0 {
            let step = chunk.min(left);
            let out = bench.call("undo", json!({"last": step}));
            prop_assert!(!out.is_error, "{}", out.text);
            (left, undos) = (left - step, undos + 1);
            prop_assert_eq!(&exports(&bench), &states[left as usize]);
        }
        for _ in 0..undos {
            let out = bench.call("redo", json!({}));
            prop_assert!(!out.is_error, "{}", out.text);
        }
        prop_assert_eq!(&exports(&bench), &end);
        let out = bench.call("redo", json!({}));
        prop_assert!(out.is_error, "{}", out.text);
        // At once to any place is the same as one by one.
        let to = to.min(made);
        let out = bench.call("undo", json!({"to": start + to}));
        prop_assert!(!out.is_error || end == states[to as usize], "{}", out.text);
        prop_assert_eq!(&exports(&bench), &states[to as usize]);
        if !out.is_error {
            let out = bench.call("redo", json!({}));
            prop_assert!(!out.is_error, "{}", out.text);
            prop_assert_eq!(&exports(&bench), &end);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn undoing_everything_gives_back_every_byte(writes in proptest::collection::vec(any_write(), 1..25), chunk in 1_u64..5) {
        let bench = Bench::new();
        bench.fill("[ ] Kept; due 2026-11-22; high; #x");
        let before = bench.export();
        let start = bench.server.db().rev();
        for write in &writes {
            if let Some((tool, arguments)) = call_of(write, &bench) {
                bench.now_ms.set(bench.now_ms.get() + 1000);
                bench.call(tool, arguments);
                prop_assert!(bench.has_sound_families(), "{write:?}\n{}", bench.lines());
            }
        }
        let mut left = bench.server.db().rev() - start;
        while left > 0 {
            let out = bench.call("undo", json!({"last": chunk.min(left)}));
            prop_assert!(!out.is_error, "{}", out.text);
            left -= chunk.min(left);
        }
        prop_assert_eq!(bench.export(), before);
    }

    #[test]
    fn what_is_kept_sorted_is_what_is_there(writes in proptest::collection::vec(any_write(), 1..25)) {
        let bench = Bench::new();
        bench.fill("[ ] Kept; due 2026-11-22; high; #x");
        let questions = [
            ("todo_list", json!({})),
            ("todo_list", json!({"status": "done"})),
            ("todo_list", json!({"list": "inbox", "limit": 3})),
            ("todo_list", json!({"tag": "x"})),
            ("todo_list", json!({"due_from": "2026-11-22", "due_to": "2026-11-23"})),
            ("todo_list", json!({"overdue": true})),
        ];
        for write in &writes {
            if let Some((tool, arguments)) = call_of(write, &bench) {
                bench.now_ms.set(bench.now_ms.get() + 1000);
                bench.call(tool, arguments);
            }
            // Another server builds it anew from what is stored.
            let anew = Bench::over(bench.journal.clone(), "worker_b");
            anew.now_ms.set(bench.now_ms.get());
            for (tool, arguments) in &questions {
                let (ours, theirs) = (bench.call(tool, arguments.clone()), anew.call(tool, arguments.clone()));
                prop_assert_eq!(ours.structured(), theirs.structured(), "{} {}", tool, arguments);
            }
            let screen = "todo://window?now=2026-11-22T10:30&overdue=0-99&today=0-99&upcoming=0-99&no_date=0-99&done=0-99";
            prop_assert_eq!(bench.resource(screen), anew.resource(screen));
            // And it is what looking at every row finds.
            let mut open: Vec<_> = bench.todos().into_iter().filter(|todo| todo.status == todo::Status::Open).collect();
            open.sort_by(|one, other| {
                let due = |todo: &todo::Todo| todo.due.map_or("~".to_owned(), |due| due.to_string());
                due(one).cmp(&due(other)).then(one.order.total_cmp(&other.order)).then_with(|| one.id.cmp(&other.id))
            });
            let ids: Vec<Value> = open.iter().map(|todo| json!(todo.id)).collect();
            let listed = bench.call("todo_list", json!({})).structured();
            let listed: Vec<Value> = listed["items"].as_array().unwrap().iter().map(|todo| todo["id"].clone()).collect();
            prop_assert_eq!(listed, ids);
        }
    }

    #[test]
    fn repeated_keys_and_injected_conflicts_never_double(
        writes in proptest::collection::vec((any_write(), 1_usize..4, any::<bool>(), any::<bool>()), 1..20),
    ) {
        // The same writes, once each and in peace, are what must come of it.
        let peaceful = Bench::new();
        let bench = Bench::new();
        let other = Bench::over(bench.journal.clone(), "worker_b");
        for (place, (write, times, conflict, restart)) in writes.iter().enumerate() {
            let Some((tool, arguments)) = call_of(write, &peaceful) else { continue };
            let key = format!("k{place}");
            let expected = peaceful.keyed(&key, tool, arguments.clone());
            for _ in 0..*times {
                if *conflict {
                    bench.journal.fail_next_append(StoreError::Conflict);
                }
                let server = if *restart { &other } else { &bench };
                let out = server.keyed(&key, tool, arguments.clone());
                if out.structured() != expected.structured() {
                    // Only a call that had nothing to do, or was refused, may be answered anew.
                    let did_nothing = expected.is_error || expected.structured()["changes"] == json!([]);
                    prop_assert!(did_nothing, "{tool} {arguments}: {}", out.text);
                }
            }
        }
        bench.call("todo_list", json!({}));
        prop_assert_eq!(bench.export(), peaceful.export());
    }
}
