//! Exactly once: keys, second dispatches, other writers, previews, failures.

use futures::executor::block_on;
use futures::future::join_all;
use mcp::{Caller, Host, Stop, ToolCallIn, code};
use serde_json::{Map, Value, json};
use store::{Durability, MemoryJournal, StoreError};

use super::bench::Bench;

#[test]
fn the_same_key_gets_the_same_answer_and_does_nothing_more() {
    let bench = Bench::new();
    let first = bench.keyed("run_1:call_1", "todo_create", json!({"title": "Milk"}));
    let again = bench.keyed("run_1:call_1", "todo_create", json!({"title": "Milk"}));
    assert_eq!(again.structured(), first.structured());
    assert_eq!(
        Value::Object(first.meta.clone()),
        json!({"dev.satchel/rev": 1, "dev.satchel/key": "run_1:call_1"})
    );
    assert_eq!(
        Value::Object(again.meta.clone()),
        json!({"dev.satchel/rev": 1, "dev.satchel/key": "run_1:call_1", "dev.satchel/replayed": true})
    );
    assert_eq!(bench.lines(), "[ ] Milk");
    assert_eq!(*bench.announced.borrow(), [("todo_create".to_owned(), 1)]);
    // Also at a worker that was not there then.
    let other = Bench::over(bench.journal.clone(), "worker_b");
    let again = other.keyed("run_1:call_1", "todo_create", json!({"title": "Milk"}));
    assert_eq!(again.structured(), first.structured());
    assert_eq!(other.lines(), "[ ] Milk");
}

#[test]
fn a_key_of_another_call_is_an_error() {
    let bench = Bench::new();
    bench.keyed("k", "todo_create", json!({"title": "Milk"}));
    for (tool, arguments) in [
        ("todo_create", json!({"title": "Eggs"})),
        ("todo_create", json!({"title": "Milk", "due": "2026-11-22"})),
        ("todo_clear_completed", json!({})),
    ] {
        let error = bench.with_meta(tool, arguments, json!({"dev.satchel/key": "k"})).unwrap_err();
        assert_eq!(error.code, code::INVALID_PARAMS);
        assert!(error.message.contains("was used before for another call"), "{}", error.message);
    }
    assert_eq!(bench.lines(), "[ ] Milk");
}

#[test]
fn a_meta_of_a_wrong_shape_is_an_error() {
    let bench = Bench::new();
    for (meta, why) in [
        (json!({"dev.satchel/key": 7}), "a string of 1 to 128 characters"),
        (json!({"dev.satchel/key": ""}), "a string of 1 to 128 characters"),
        (json!({"dev.satchel/key": "x".repeat(129)}), "a string of 1 to 128 characters"),
        (json!({"dev.satchel/preview": "yes"}), "true or false"),
        (json!({"dev.satchel/zone": 1}), "an IANA time zone"),
    ] {
        let error = bench.with_meta("todo_create", json!({"title": "A"}), meta).unwrap_err();
        assert_eq!(error.code, code::INVALID_PARAMS);
        assert!(error.message.contains(why), "{}", error.message);
    }
    assert_eq!(bench.lines(), "");
}

#[test]
fn a_foreign_clients_second_dispatch_gets_the_first_answer() {
    let send = |bench: &Bench, body: &str| {
        block_on(bench.send("todo_create", json!({"title": "Milk"}), json!({}), body)).unwrap()
    };
    let old = Bench::behind_a_browser(MemoryJournal::new(), "worker_a");
    let first = send(&old, "body_1");
    let new = Bench::behind_a_browser(old.journal.clone(), "worker_b");
    new.now_ms.set(old.now_ms.get() + 9_999);
    let again = send(&new, "body_1");
    assert_eq!(again.structured(), first.structured());
    assert_eq!(again.meta["dev.satchel/replayed"], true);
    assert_eq!(again.meta["dev.satchel/key"], first.meta["dev.satchel/key"]);
    assert_eq!(new.lines(), "[ ] Milk");
    // Another body, the same instance, or later than that: a call of its own.
    assert_eq!(send(&new, "body_2").meta.get("dev.satchel/replayed"), None);
    assert_eq!(send(&old, "body_1").meta.get("dev.satchel/replayed"), None);
    new.now_ms.set(old.now_ms.get() + 10_001);
    assert_eq!(send(&new, "body_1").meta.get("dev.satchel/replayed"), None);
    assert_eq!(block_on(new.server.db().refresh()), Ok(4));
}

#[test]
fn what_was_taken_back_is_no_second_dispatch() {
    let old = Bench::behind_a_browser(MemoryJournal::new(), "worker_a");
    let new = Bench::behind_a_browser(old.journal.clone(), "worker_b");
    let send = |bench: &Bench, tool: &str, arguments: Value| {
        block_on(bench.send(tool, arguments, json!({}), &format!("body {tool}"))).unwrap()
    };
    send(&old, "todo_create", json!({"title": "Milk"}));
    send(&old, "undo", json!({}));
    let again = send(&new, "todo_create", json!({"title": "Milk"}));
    assert_eq!(again.meta.get("dev.satchel/replayed"), None);
    assert_eq!(new.lines(), "[ ] Milk");
}

#[test]
fn without_a_browser_two_equal_requests_are_two() {
    // Two programs on one folder: their ids begin at 1, so that the same call is the same bytes.
    let send = |bench: &Bench, tool: &str, arguments: Value| {
        block_on(bench.send(tool, arguments, json!({}), &format!("body {tool}"))).unwrap()
    };
    let one = Bench::new();
    one.fill("[ ] A\n[ ] B\n[ ] C");
    let other = Bench::over(one.journal.clone(), "process_b");
    for (bench, left) in [(&one, "[ ] A\n[ ] B"), (&other, "[ ] A")] {
        let out = send(bench, "undo", json!({}));
        assert_eq!((out.is_error, out.meta.get("dev.satchel/replayed")), (false, None));
        assert_eq!(bench.lines(), left);
    }
    for bench in [&one, &other] {
        send(bench, "todo_create", json!({"title": "Milk"}));
    }
    assert_eq!(other.lines(), "[ ] A\n[ ] Milk\n[ ] Milk");
}

#[test]
fn a_foreign_clients_read_is_never_mistaken_for_a_second_dispatch() {
    let old = Bench::behind_a_browser(MemoryJournal::new(), "worker_a");
    old.fill("[ ] A");
    let new = Bench::behind_a_browser(old.journal.clone(), "worker_b");
    let out = block_on(new.send("todo_list", json!({}), json!({}), "body")).unwrap();
    assert_eq!(Value::Object(out.meta), json!({"dev.satchel/rev": 1}));
}

#[test]
fn a_preview_shows_and_does_nothing() {
    let bench = Bench::new();
    bench.fill("[ ] A\n[x] B");
    let before = (bench.export(), bench.server.db().rev());
    for (tool, arguments) in [
        ("todo_create", json!({"title": "C"})),
        ("todo_delete", json!({"id": "$A"})),
        ("todo_clear_completed", json!({})),
        ("undo", json!({"last": 2})),
    ] {
        let meta = json!({"dev.satchel/key": "p", "dev.satchel/preview": true});
        let out = bench.with_meta(tool, bench.with_ids(&arguments), meta).unwrap();
        assert_eq!(
            Value::Object(out.meta.clone()),
            json!({"dev.satchel/rev": before.1, "dev.satchel/key": "p", "dev.satchel/preview": true})
        );
        assert!(!out.structured()["changes"].as_array().unwrap().is_empty(), "{tool}");
        assert_eq!((bench.export(), bench.server.db().rev()), before, "{tool}");
    }
    // The key is free for the real call, which makes what the preview showed.
    let preview = json!({"dev.satchel/key": "q", "dev.satchel/preview": true});
    let shown = bench.with_meta("todo_create", json!({"title": "C"}), preview).unwrap();
    let made = bench.keyed("q", "todo_create", json!({"title": "C"}));
    assert_eq!(shown.structured(), made.structured());
}

#[test]
fn another_writer_makes_the_tool_run_again_on_what_is_there_then() {
    let here = Bench::new();
    let there = Bench::over(here.journal.clone(), "worker_b");
    // `here` has not seen this yet when it stages its own.
    there.call("todo_create", json!({"title": "Theirs"}));
    here.call("todo_create", json!({"title": "Ours"}));
    assert_eq!(here.lines(), "[ ] Theirs\n[ ] Ours");
    let orders: Vec<f64> = here.todos().iter().map(|todo| todo.order).collect();
    assert_eq!(orders, [1.0, 2.0]);
    // A reader sees what others wrote.
    let seen = there.call("todo_list", json!({}));
    assert_eq!(seen.structured()["total"], 2);
}

#[test]
fn a_server_that_wrongly_believes_itself_alone_does_nothing_twice() {
    let there = Bench::new();
    let here = Bench::alone_over(there.journal.clone(), "worker_b");
    let theirs = there.keyed("k", "todo_create", json!({"title": "Theirs"}));
    // The same call again, which it has never heard of: answered from the journal, not done again.
    let again = here.keyed("k", "todo_create", json!({"title": "Theirs"}));
    assert_eq!(
        (&again.structured(), &again.meta["dev.satchel/replayed"]),
        (&theirs.structured(), &json!(true))
    );
    // A call that would be refused now was not refused then.
    let id = theirs.structured()["changes"][0]["after"]["id"].clone();
    let deleted = there.keyed("d", "todo_delete", json!({ "id": id }));
    here.call("todo_create", json!({"title": "Ours"}));
    let again = here.keyed("d", "todo_delete", json!({ "id": id }));
    assert_eq!(
        (&again.structured(), &again.meta["dev.satchel/replayed"]),
        (&deleted.structured(), &json!(true))
    );
    // And what it writes goes on top of what is there, whatever it knew.
    there.call("todo_create", json!({"title": "Later"}));
    here.call("todo_create", json!({"title": "Last"}));
    for bench in [&here, &Bench::over(there.journal.clone(), "worker_c")] {
        assert_eq!(bench.lines(), "[ ] Ours\n[ ] Later\n[ ] Last");
    }
}

#[test]
fn an_injected_conflict_is_tried_again_and_a_lasting_one_is_said() {
    let bench = Bench::new();
    bench.journal.fail_next_append(StoreError::Conflict);
    bench.call("todo_create", json!({"title": "A"}));
    assert_eq!(bench.lines(), "[ ] A");
    for _ in 0..1000 {
        bench.journal.fail_next_append(StoreError::Conflict);
    }
    let error = bench.with_meta("todo_create", json!({"title": "B"}), json!({})).unwrap_err();
    assert_eq!(error.data, Some(json!({"kind": "conflict"})));
    assert!(error.message.contains("nothing was saved"), "{}", error.message);
    assert_eq!(bench.lines(), "[ ] A");
}

#[test]
fn a_lost_answer_is_found_again_under_its_key() {
    let bench = Bench::new();
    bench.journal.lose_next_answer(StoreError::Aborted("the worker died".into()));
    let meta = || json!({"dev.satchel/key": "k"});
    let lost = bench.with_meta("todo_create", json!({"title": "A"}), meta());
    assert_eq!(lost.unwrap_err().data, Some(json!({"kind": "aborted"})));
    let again = bench.with_meta("todo_create", json!({"title": "A"}), meta()).unwrap();
    assert_eq!(again.meta["dev.satchel/replayed"], true);
    assert_eq!(bench.lines(), "[ ] A");
}

#[test]
fn a_failing_store_is_said_in_words_a_person_can_use() {
    for (error, kind, words) in [
        (StoreError::Quota, "quota", "Storage is full"),
        (StoreError::Blocked, "blocked", "Close the other tabs"),
        (StoreError::Aborted("x".into()), "aborted", "nothing was stored"),
        (StoreError::Unavailable("x".into()), "unavailable", "not available"),
        (StoreError::TooNew { known: 1, found: 2 }, "too_new", "Reload to update"),
    ] {
        let bench = Bench::new();
        bench.journal.fail_next_append(error);
        let failed = bench.with_meta("todo_create", json!({"title": "A"}), json!({})).unwrap_err();
        assert_eq!((failed.code, failed.data), (code::INTERNAL, Some(json!({ "kind": kind }))));
        assert!(failed.message.contains(words), "{}", failed.message);
        assert_eq!(bench.lines(), "");
        assert!(bench.announced.borrow().is_empty());
        // And it works again when the store does.
        bench.call("todo_create", json!({"title": "A"}));
        assert_eq!(bench.lines(), "[ ] A");
    }
}

#[test]
fn calls_in_flight_together_are_all_done_once_and_strictly() {
    let bench = Bench::new();
    let call = |n: usize| {
        let key = format!("k{}", n % 20);
        let title = format!("T{}", n % 20);
        let bench = &bench;
        async move {
            bench
                .send("todo_create", json!({ "title": title }), json!({ "dev.satchel/key": key }), "b")
                .await
                .unwrap()
        }
    };
    // Each key twice at once.
    let outs = block_on(join_all((0..40).map(call)));
    assert_eq!(bench.todos().len(), 20);
    for n in 0..20 {
        assert_eq!(outs[n].structured(), outs[n + 20].structured());
    }
    let replayed = outs.iter().filter(|out| out.meta.contains_key("dev.satchel/replayed")).count();
    assert_eq!(replayed, 20);
    let mut orders: Vec<f64> = bench.todos().iter().map(|todo| todo.order).collect();
    orders.dedup();
    assert_eq!(orders.len(), 20, "two got the same place");
    assert!(bench.journal.appends().iter().all(|(_, durability)| *durability == Durability::Strict));
}

#[test]
fn a_key_is_one_call_whatever_happens_around_it() {
    // Two different calls with one key in one batch: one is done, the other is told so.
    let bench = Bench::new();
    let send = |tool: &'static str, arguments: Value| {
        let bench = &bench;
        async move { bench.send(tool, arguments, json!({"dev.satchel/key": "k"}), "b").await }
    };
    let (one, other) = block_on(futures::future::join(
        send("todo_create", json!({"title": "A"})),
        send("todo_create", json!({"title": "B"})),
    ));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(bench.todos().len(), 1);
    // After what it did was undone, and after that was redone.
    let bench = Bench::new();
    let create = || bench.keyed("k", "todo_create", json!({"title": "A"}));
    let first = create();
    let is_replay = |lines: &str| {
        let again = create();
        assert_eq!(
            (&again.structured(), &again.meta["dev.satchel/replayed"]),
            (&first.structured(), &json!(true))
        );
        assert_eq!(bench.lines(), lines);
    };
    bench.call("undo", json!({}));
    is_replay("");
    bench.call("redo", json!({}));
    is_replay("[ ] A");
    // After an import has replaced everything, and a saved copy was restored.
    bench.keyed("copy", "data_snapshot", json!({"name": "Copy"}));
    let import = json!({"format": "csv", "text": "title\nB\n", "mode": "replace"});
    let imported = bench.keyed("import", "data_import", import.clone());
    is_replay("[ ] B");
    let saved = bench.call("data_snapshots", json!({})).structured()["snapshots"].clone();
    let copy = saved.as_array().unwrap().iter().find(|saved| saved["name"] == "Copy").unwrap()["id"].clone();
    let back = || bench.keyed("back", "data_restore", json!({ "snapshot": copy }));
    let restored = back();
    is_replay("[ ] A");
    bench.call("todo_delete", bench.with_ids(&json!({"id": "$A"})));
    assert_eq!(back().structured(), restored.structured());
    assert_eq!(bench.keyed("import", "data_import", import).structured(), imported.structured());
    is_replay("");
    // And at another worker, after a restart.
    let other = Bench::over(bench.journal.clone(), "worker_b");
    assert_eq!(other.keyed("k", "todo_create", json!({"title": "A"})).structured(), first.structured());
    assert_eq!(other.lines(), "");
    // Another tool never gets its answer.
    let refused = other.with_meta("redo", json!({}), json!({"dev.satchel/key": "k"}));
    assert!(refused.unwrap_err().message.contains("was used before for another call"));
}

#[test]
fn through_the_protocol() {
    let server = Bench::over(MemoryJournal::new(), "worker_a").server.into_server(crate::info(
        "satchel",
        "Satchel",
        "1.2.3",
        super::bench::DOMAINS,
    ));
    let client = mcp::client::Client::new("test", "1");
    let send = |out: mcp::client::Outgoing| {
        let request =
            mcp::HttpIn { method: "POST".into(), headers: out.headers, body: out.body.into_bytes() };
        let answer = block_on(server.handle(request));
        let body = match answer.body {
            mcp::Body::Full(bytes) => String::from_utf8(bytes).unwrap(),
            mcp::Body::Empty => String::new(),
            mcp::Body::Events(_) => panic!("nobody asked for a stream"),
        };
        (answer.status, body)
    };
    let (status, body) = send(client.list_tools(1, None));
    let names: Vec<String> =
        mcp::client::tools(status, &body).unwrap().tools.into_iter().map(|tool| tool.name).collect();
    assert_eq!(
        names,
        [
            "todo_create", "todo_list", "todo_get", "todo_update", "todo_complete", "todo_reopen",
            "todo_delete", "todo_clear_completed", "user_memory_save", "user_memory_search",
            "user_memory_update", "user_memory_forget", "undo", "redo", "history", "data_export",
            "data_import", "data_snapshots", "data_snapshot", "data_restore", "data_erase", "data_storage",
            "data_changes", "data_context"
        ]
    );
    let mut meta = Map::new();
    meta.insert("dev.satchel/key".into(), json!("k"));
    let (status, body) = send(client.call_tool(2, "todo_create", json!({"title": "Milk"}), meta));
    let result = mcp::client::call_result(status, &body).unwrap();
    assert_eq!(result.structured.unwrap()["summary"], "Added “Milk”.");
    assert_eq!(result.meta["dev.satchel/rev"], 1);
    let (status, body) = send(client.read_resource(3, "todo://list"));
    assert!(mcp::client::contents(status, &body).unwrap()[0].text.contains("Milk"));
}

#[test]
fn an_unknown_tool_is_our_failure_and_not_the_models() {
    use mcp::Host;
    let bench = Bench::new();
    let request = ToolCallIn {
        name: "nope".into(),
        arguments: Map::new(),
        meta: Map::new(),
        body_hash: String::new(),
        task: None,
        caller: Caller::default(),
    };
    let Err(Stop::Error(error)) = block_on(bench.server.call_tool(request)) else { panic!("an error") };
    assert_eq!(error.code, code::INTERNAL);
}

#[test]
fn a_tool_answers_to_the_name_it_had_before_and_is_not_listed_under_it() {
    let bench = Bench::new();
    bench.fill("[ ] A");
    assert!(bench.server.tools().iter().all(|tool| !tool.name.starts_with("todo_undo")));
    bench.is_checking.set(false);
    // A page of before the renaming asks, and asks again of a worker that knows the new name.
    let undone = bench.keyed("k", "todo_undo", json!({}));
    assert_eq!(undone.structured()["undone"].as_array().unwrap().len(), 1);
    let again = bench.keyed("k", "todo_undo", json!({}));
    assert_eq!((&again.text, &again.meta["dev.satchel/replayed"]), (&undone.text, &json!(true)));
    let history = bench.call("todo_history", json!({})).structured();
    assert_eq!(
        (&history["entries"][0]["tool"], &history["entries"][0]["title"]),
        (&json!("undo"), &json!("Undo"))
    );
    assert!(bench.todos().is_empty());
    assert!(!bench.call("todo_redo", json!({})).is_error);
    assert_eq!(bench.todos().len(), 1);
}
