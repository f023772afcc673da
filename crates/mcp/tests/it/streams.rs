//! Calls that are a stream or one object, what comes on a stream, and what a client that goes away means.

use serde_json::{Value, json};

use crate::fixture::Raw;
use crate::world::{Heard, Reply, World, call, call_with, post, text, with_meta, within};

const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

fn token(token: Value) -> Value {
    with_meta("progressToken", token)
}

fn methods(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["method"].as_str().unwrap_or("answer")).collect()
}

/// All progress and the answer of a modern `steps`.
fn steps(meta: Value) -> Vec<Value> {
    let world = World::new();
    let mut events = world.send(call_with("steps", meta, json!({}))).stream();
    world.rest(&mut events)
}

#[test]
fn a_call_is_a_stream_where_the_client_reads_streams_and_wants_news() {
    let rows = [
        ("nothing wanted", call("steps", json!({})), false),
        ("a token", call_with("steps", token(json!("t")), json!({})), true),
        ("a level", call_with("steps", with_meta(LOG_LEVEL, json!("debug")), json!({})), true),
        ("a token of a wrong type", call_with("steps", token(json!(1.5)), json!({})), false),
        (
            "only JSON is read",
            call_with("steps", token(json!(1)), json!({})).set("accept", "application/json"),
            false,
        ),
        (
            "only streams are read",
            call_with("steps", token(json!(1)), json!({})).set("accept", "Text/Event-Stream;q=0.9"),
            true,
        ),
        ("anything is read", call_with("steps", token(json!(1)), json!({})).set("accept", "*/*"), false),
        ("nothing is said", call_with("steps", token(json!(1)), json!({})).without("accept"), false),
        ("answered at once", call_with("no_job", token(json!(1)), json!({})), false),
    ];
    for (row, raw, is_stream) in rows {
        let Reply { status, events, body, headers } = World::new().send(raw);
        assert_eq!((status, events.is_some()), (200, is_stream), "{row}: {body}");
        let buffering = headers.get("x-accel-buffering");
        assert_eq!(buffering, is_stream.then_some("no"), "{row}");
    }
}

#[test]
fn a_session_streams_what_may_talk_and_what_wants_news() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let raw = |tool: &str, meta: Value| {
        within(&id, "tools/call", json!({"name": tool, "arguments": {}, "_meta": meta}))
    };
    assert!(world.send(raw("wait", json!({}))).events.is_some(), "it may talk");
    assert!(world.send(raw("steps", json!({}))).events.is_none(), "nothing is wanted");
    assert!(world.send(raw("steps", json!({"progressToken": 1}))).events.is_some(), "a token");
    assert!(world.send(raw("name", json!({})).set("accept", "application/json")).events.is_none());
    world.send(within(&id, "logging/setLevel", json!({"level": "debug"}))).result();
    assert!(world.send(raw("steps", json!({}))).events.is_some(), "a level");
}

#[test]
fn an_error_that_is_known_at_once_keeps_its_status() {
    let refused = World::new().send(call_with("name", token(json!(1)), json!({})));
    assert_eq!(refused.error(), (400, -32021));
}

#[test]
fn news_comes_before_the_answer_and_nothing_after() {
    let messages = steps(token(json!("t")));
    assert_eq!(methods(&messages), ["notifications/progress", "notifications/progress", "answer"]);
    assert_eq!(messages[2]["result"]["content"][0]["text"], "stepped");
    assert_eq!(messages[2]["id"], 1);
}

#[test]
fn what_is_said_after_the_answer_is_not_sent() {
    let world = World::new();
    let mut events = world.send(call_with("steps", token(json!("t")), json!({}))).stream();
    let mut last = Value::Null;
    while last.get("result").is_none() {
        last = world.next(&mut events).message();
    }
    let caller = world.desk.caller.borrow().clone();
    caller.progress(99.0, None, None);
    assert_eq!(world.next(&mut events), Heard::End);
    assert_eq!(world.next(&mut events), Heard::End);
}

#[test]
fn progress_grows_and_carries_its_token() {
    for given in [json!("t"), json!(7), json!("7"), json!(u64::MAX)] {
        let messages = steps(token(given.clone()));
        let params: Vec<_> = messages.iter().filter_map(|message| message.get("params")).collect();
        assert!(params.iter().all(|params| params["progressToken"] == given), "{params:?}");
        assert_eq!(params[0], &json!({"progressToken": given, "progress": 1, "total": 3, "message": "one"}));
        assert_eq!(params[1], &json!({"progressToken": given, "progress": 2.5}));
        assert_eq!(params.len(), 2);
    }
}

#[test]
fn logs_come_from_the_level_that_the_request_names() {
    for (level, expected) in [("debug", vec!["debug", "warning"]), ("warning", vec!["warning"])] {
        let messages = steps(with_meta(LOG_LEVEL, json!(level)));
        let logs: Vec<_> =
            messages.iter().filter_map(|message| message["params"]["level"].as_str()).collect();
        assert_eq!(logs, expected);
    }
    let world = World::new();
    let raw = call_with("steps", with_meta(LOG_LEVEL, json!("error")), json!({}));
    let messages = world.rest(&mut world.send(raw).stream());
    assert_eq!(methods(&messages), ["answer"], "a stream with nothing to say");
}

#[test]
fn a_modern_client_that_goes_away_cancels_its_call() {
    let world = World::new();
    let mut events = world.send(call_with("wait", token(json!(1)), json!({}))).stream();
    assert_eq!(methods(&[world.next(&mut events).message()]), ["notifications/progress"]);
    assert!(!world.desk.caller.borrow().is_cancelled());
    drop(events);
    assert!(world.desk.caller.borrow().is_cancelled());
    world.desk.open();
    world.run();
    assert_eq!(world.desk.done(), Vec::<String>::new(), "it ran on, and saw it");
}

#[test]
fn in_a_session_a_client_that_goes_away_does_not_cancel() {
    let world = World::new();
    let id = world.session(json!({}));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "wait"}))).stream();
    assert_eq!(world.next(&mut events), Heard::Silence);
    drop(events);
    assert!(!world.desk.caller.borrow().is_cancelled());
    world.run();
    world.desk.open();
    world.run();
    assert_eq!(world.desk.done(), ["wait"]);
}

#[test]
fn a_cancelled_call_of_a_session_has_no_answer() {
    let world = World::new();
    let id = world.session(json!({}));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "wait"}))).stream();
    assert_eq!(world.next(&mut events), Heard::Silence);
    let cancel = |request: Value| {
        let params = json!({"requestId": request, "reason": "enough"});
        post(&id, &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
    };
    assert_eq!(world.send(cancel(json!("b"))).status, 202, "of another request");
    assert!(!world.desk.caller.borrow().is_cancelled());
    assert_eq!(world.send(cancel(json!("a"))).status, 202);
    assert!(world.desk.caller.borrow().is_cancelled());
    world.desk.open();
    assert_eq!(world.next(&mut events), Heard::End);
    assert_eq!(world.desk.done(), Vec::<String>::new());
}

#[test]
fn a_session_cannot_cancel_the_call_of_another() {
    let world = World::new();
    let (one, other) = (world.session(json!({})), world.session(json!({})));
    let mut events = world.send(within(&one, "tools/call", json!({"name": "wait"}))).stream();
    let params = json!({"requestId": "a"});
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    world.send(post(&other, &cancelled));
    world.desk.open();
    let messages = world.rest(&mut events);
    assert_eq!(text(&messages[0]["result"]), "waited");
}

#[test]
fn a_modern_cancellation_by_message_is_taken_and_does_nothing() {
    let world = World::new();
    let mut events = world.send(call_with("wait", token(json!(1)), json!({}))).stream();
    let body = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let raw = Raw::json(&body)
        .set("mcp-protocol-version", "2026-07-28")
        .set("mcp-method", "notifications/cancelled");
    assert_eq!(world.send(raw).status, 202);
    assert!(!world.desk.caller.borrow().is_cancelled());
    world.desk.open();
    assert_eq!(methods(&world.rest(&mut events)).last(), Some(&"answer"));
}

#[test]
fn a_call_that_nobody_waits_for_any_longer_is_forgotten() {
    let world = World::new();
    let id = world.session(json!({}));
    let raw = within(&id, "tools/call", json!({"name": "wait"})).set("accept", "application/json");
    let mut exchange = world.start(raw.clone().into_http());
    assert!(world.look(&mut exchange).is_none());
    drop(exchange);
    let gone = world.desk.caller.borrow().clone();
    let mut exchange = world.start(raw.into_http());
    assert!(world.look(&mut exchange).is_none());
    let params = json!({"requestId": "a"});
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    world.send(post(&id, &cancelled));
    assert!(world.desk.caller.borrow().is_cancelled(), "the call that runs, not the one before it");
    assert!(!gone.is_cancelled());
}

#[test]
fn an_adapter_without_streams_takes_the_last_message() {
    let world = World::new();
    let events = world.send(call_with("steps", token(json!(1)), json!({}))).stream();
    let bytes = futures::executor::block_on(mcp::Body::Events(events).into_bytes());
    let answer: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(text(&answer["result"]), "stepped");
}
