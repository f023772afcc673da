//! Sessions of the older protocol versions: what begins and ends them, and what they remember.

use mcp::Notification;
use serde_json::{Value, json};

use crate::fixture::Raw;
use crate::world::{Heard, World, get, initialize, post, within};

fn is_there(world: &World, id: &str) -> bool {
    match world.send(within(id, "ping", json!({}))).status {
        200 => true,
        404 => false,
        other => panic!("{other}"),
    }
}

#[test]
fn a_handshake_begins_a_session_that_nobody_can_guess() {
    let world = World::new();
    let (one, other) = (world.session(json!({})), world.session(json!({})));
    assert_ne!(one, other);
    assert!(one.bytes().all(|byte| byte.is_ascii_graphic()), "{one}");
    assert!(is_there(&world, &one) && is_there(&world, &other));
}

#[test]
fn a_handshake_that_fails_begins_nothing() {
    let world = World::new();
    let reply = world.send(initialize(json!([])));
    assert_eq!(reply.headers.get("mcp-session-id"), None);
    assert_eq!(reply.error(), (200, -32602));
    assert_eq!(world.runtime.kept("mcp-session-"), Vec::<String>::new());
}

#[test]
fn a_session_that_is_not_known_is_not_found() {
    let world = World::new();
    for id in ["never", "id-1", "a, b", "../id", "é", "", &"x".repeat(5_000)] {
        let reply = world.send(within(id, "ping", json!({})));
        assert_eq!(reply.body["id"], "a", "the request's own id");
        assert_eq!(reply.error(), (404, -32600), "{id}");
    }
    let answer = post("never", &json!({"jsonrpc": "2.0", "id": "satchel-1", "result": {}}));
    assert_eq!(world.send(answer).status, 404);
    assert_eq!(world.send(get("never")).status, 404);
    assert_eq!(world.send(get("never").by("DELETE")).status, 404);
    let told = post("never", &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(world.send(told).status, 404);
}

#[test]
fn a_session_outlives_the_process() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    world.send(within(&id, "resources/subscribe", json!({"uri": "note://a"}))).result();
    let world = world.restart();
    let mut stream = world.send(get(&id)).stream();
    world.server.publish(&Notification::Updated(vec!["note://a".into()]));
    assert_eq!(world.next(&mut stream).message()["params"], json!({"uri": "note://a"}));
    // It still knows what the client can do.
    let mut asked = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    assert_eq!(world.next(&mut asked).message()["method"], "elicitation/create");
}

#[test]
fn a_session_ends_when_it_is_deleted() {
    let world = World::new();
    let (one, other) = (world.session(json!({})), world.session(json!({})));
    let mut stream = world.send(get(&one)).stream();
    let mut others = world.send(get(&other)).stream();
    let ended = world.send(get(&one).by("DELETE"));
    assert_eq!((ended.status, ended.body), (204, Value::Null));
    assert_eq!(world.next(&mut stream), Heard::End);
    assert_eq!(world.next(&mut others), Heard::Silence);
    assert!(!is_there(&world, &one));
    assert!(!is_there(&world.restart(), &one), "on disk as well");
}

/// A script that shakes hands for each command must not end the session of an editor that is at work.
#[test]
fn the_session_that_was_used_longest_ago_goes_when_there_are_too_many() {
    let world = World::new();
    world.runtime.pass(1_000_000);
    let begin = |world: &World, count: usize| -> Vec<String> {
        let begin = |_| {
            world.runtime.pass(1_000);
            world.session(json!({}))
        };
        (0..count).map(begin).collect()
    };
    let (editor, listener, idle) =
        (world.session(json!({})), world.session(json!({})), world.session(json!({})));
    let mut stream = world.send(get(&listener)).stream();
    let scripts = begin(&world, 61);
    assert!(is_there(&world, &editor), "it is used");
    let later = begin(&world, 10);
    assert_eq!(world.runtime.kept("mcp-session-").len(), 64);
    assert!(is_there(&world, &editor));
    assert_eq!(world.next(&mut stream), Heard::Silence, "who listens is there");
    assert!(!is_there(&world, &idle) && !is_there(&world, &scripts[8]) && is_there(&world, &scripts[9]));
    assert!(later.iter().all(|id| is_there(&world, id)));
    // What is used is known after a restart as well.
    let world = world.restart();
    world.runtime.pass(10 * 60 * 1_000);
    assert!(is_there(&world, &editor));
    let world = world.restart();
    let _ = begin(&world, 63);
    assert!(is_there(&world, &editor) && !is_there(&world, &later[0]));
}

#[test]
fn a_clock_that_was_set_back_ends_no_session_that_is_used() {
    let world = World::new();
    world.runtime.pass(1_000_000_000);
    for _ in 0..64 {
        world.session(json!({}));
    }
    let world = world.restart();
    world.runtime.pass(-900_000_000);
    let (one, other) = (world.session(json!({})), world.session(json!({})));
    for _ in 0..20 {
        world.runtime.pass(1_000);
        let id = world.session(json!({}));
        assert!(is_there(&world, &one) && is_there(&world, &other) && is_there(&world, &id));
    }
}

/// Several processes keep their sessions in one place.
#[test]
fn a_session_that_another_process_ended_is_over_here_too() {
    let world = World::new();
    let id = world.session(json!({}));
    let other = World::over(world.runtime.clone());
    assert!(is_there(&other, &id) && is_there(&world, &id));
    let mut stream = world.send(get(&id)).stream();
    assert_eq!(other.send(get(&id).by("DELETE")).status, 204);
    world.runtime.pass(60_000);
    assert!(!is_there(&world, &id));
    assert_eq!(world.next(&mut stream), Heard::End);
}

#[test]
fn what_waits_for_an_answer_hears_that_its_session_has_ended() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let mut asked = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    assert_eq!(world.next(&mut asked).message()["method"], "elicitation/create");
    assert_eq!(world.send(get(&id).by("DELETE")).status, 204);
    let told = world.next(&mut asked).message();
    assert!(told["error"]["message"].as_str().unwrap().contains("gone"), "{told}");
}

/// Of a batch too what is said without asking is heard, and answers reach who asked (2025-03-26).
#[test]
fn answers_and_cancellations_may_come_in_a_batch() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let batch = |items: Value| post(&id, &items).set("mcp-protocol-version", "2025-03-26");
    let mut asked = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    let question = world.next(&mut asked).message();
    let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "Ada"}}});
    let reply = world.send(batch(json!([ping, answer])));
    assert_eq!((reply.status, reply.body.as_array().map(Vec::len)), (200, Some(1)), "{:?}", reply.body);
    let done = world.next(&mut asked).message();
    assert!(done["result"].to_string().contains("Ada"), "{done}");

    let mut asked = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    world.next(&mut asked);
    let given_up =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}});
    assert_eq!(world.send(batch(json!([given_up]))).status, 202);
    assert!(world.desk.caller.borrow().is_cancelled());
}

#[test]
fn a_session_is_told_exactly_nothing_when_it_sets_something() {
    let world = World::new();
    let id = world.session(json!({}));
    let rows = [
        ("ping", json!({})),
        ("logging/setLevel", json!({"level": "warning"})),
        ("resources/subscribe", json!({"uri": "note://a"})),
        ("resources/subscribe", json!({"uri": "note://a"})),
        ("resources/unsubscribe", json!({"uri": "note://a"})),
        ("resources/unsubscribe", json!({"uri": "note://never"})),
    ];
    for (method, params) in rows {
        assert_eq!(world.send(within(&id, method, params)).result(), json!({}), "{method}");
    }
}

#[test]
fn what_cannot_be_set_is_an_error() {
    let world = World::new();
    let id = world.session(json!({}));
    let rows = [
        ("logging/setLevel", json!({"level": "loud"})),
        ("logging/setLevel", json!({})),
        ("resources/subscribe", json!({})),
        ("resources/subscribe", json!({"uri": 7})),
    ];
    for (method, params) in rows {
        assert_eq!(world.send(within(&id, method, params)).error(), (200, -32602), "{method}");
    }
    let without = Raw::legacy(Some("2025-11-25"), "resources/subscribe", json!({"uri": "note://a"}));
    assert_eq!(world.send(without).error(), (200, -32600), "nobody to tell");
}

#[test]
fn two_subscriptions_at_the_same_time_are_both_kept() {
    let world = World::new();
    let id = world.session(json!({}));
    world.runtime.be_slow();
    let subscribe =
        |uri: &str| world.start(within(&id, "resources/subscribe", json!({"uri": uri})).into_http());
    for answer in world.finish_both(subscribe("note://a"), subscribe("note://b")) {
        assert_eq!(answer.result(), json!({}));
    }
    let mut stream = world.send(get(&id)).stream();
    world.server.publish(&Notification::Updated(vec!["note://a".into(), "note://b".into()]));
    let told = [world.next(&mut stream).message(), world.next(&mut stream).message()];
    assert_eq!(told.map(|message| message["params"]["uri"].clone()), [json!("note://a"), json!("note://b")]);
}

#[test]
fn a_session_that_ends_while_it_changes_stays_ended() {
    let world = World::new();
    let id = world.session(json!({}));
    world.runtime.be_slow();
    let subscribe = within(&id, "resources/subscribe", json!({"uri": "note://a"}));
    let change = world.start(subscribe.into_http());
    let end = world.start(get(&id).by("DELETE").into_http());
    let [_, ended] = world.finish_both(change, end);
    assert_eq!(ended.status, 204);
    assert!(!is_there(&world, &id));
    assert!(!is_there(&world.restart(), &id));
}

#[test]
fn a_sessions_stream_says_what_it_subscribed_to() {
    let world = World::new();
    let id = world.session(json!({}));
    world.send(within(&id, "resources/subscribe", json!({"uri": "note://a"}))).result();
    let mut stream = world.send(get(&id)).stream();
    assert_eq!(world.next(&mut stream), Heard::Silence);
    world.server.publish(&Notification::Updated(vec!["note://a".into(), "note://b".into()]));
    let expected =
        json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "note://a"}});
    assert_eq!(world.next(&mut stream), Heard::Message(expected));
    assert_eq!(world.next(&mut stream), Heard::Silence);
    world.send(within(&id, "resources/unsubscribe", json!({"uri": "note://a"}))).result();
    world.server.publish(&Notification::Updated(vec!["note://a".into()]));
    assert_eq!(world.next(&mut stream), Heard::Silence);
    world.server.publish(&Notification::Tools);
    assert_eq!(world.next(&mut stream).message()["method"], "notifications/tools/list_changed");
}

#[test]
fn a_second_stream_of_a_session_ends_the_first() {
    let world = World::new();
    let id = world.session(json!({}));
    let mut first = world.send(get(&id)).stream();
    let mut second = world.send(get(&id)).stream();
    assert_eq!(world.next(&mut first), Heard::End);
    world.server.publish(&Notification::Prompts);
    assert_eq!(world.next(&mut second).message()["method"], "notifications/prompts/list_changed");
}

#[test]
fn a_stream_needs_a_session_and_a_client_that_reads_it() {
    let world = World::new();
    let id = world.session(json!({}));
    assert_eq!(world.send(get(&id).without("mcp-session-id")).error(), (405, -32600));
    assert_eq!(world.send(get(&id).set("accept", "application/json")).error(), (406, -32600));
    let put = world.send(get(&id).by("PUT"));
    assert_eq!(put.headers.get("allow"), Some("POST"));
    assert_eq!(put.error(), (405, -32600));
}

#[test]
fn the_revision_of_a_session_is_the_one_agreed_on() {
    let world = World::new();
    let params = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let begun = world.send(Raw::legacy(None, "initialize", params));
    let id = begun.headers.get("mcp-session-id").unwrap().to_owned();
    let structured = |raw: Raw| world.send(raw).result().get("structuredContent").is_some();
    let echo = within(&id, "tools/call", json!({"name": "echo", "arguments": {"text": "a"}}));
    assert!(!structured(echo.clone().without("mcp-protocol-version")));
    assert!(structured(echo), "a header says otherwise");
}

#[test]
fn a_session_has_a_thousand_subscriptions_at_most() {
    let world = World::new();
    let id = world.session(json!({}));
    let subscribe = |number: usize| {
        world.send(within(&id, "resources/subscribe", json!({"uri": format!("note://{number}")})))
    };
    for number in 0..1_000 {
        subscribe(number).result();
    }
    assert_eq!(subscribe(1_000).error(), (200, -32602));
    subscribe(999).result();
}

#[test]
fn a_session_keeps_only_so_much() {
    let world = World::new();
    let long = |bytes: usize| json!({"uri": "x".repeat(bytes)});
    let id = world.session(json!({}));
    assert_eq!(world.send(within(&id, "resources/subscribe", long(2_048))).result(), json!({}));
    assert_eq!(world.send(within(&id, "resources/subscribe", long(2_049))).error(), (200, -32602));
    let able = json!({"experimental": {"words": "x".repeat(64 * 1_024)}});
    assert_eq!(world.send(initialize(able)).error(), (200, -32602));
    assert_eq!(world.runtime.kept("mcp-session-"), [format!("mcp-session-{id}")]);
}
