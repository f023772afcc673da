//! `subscriptions/listen`: what is acknowledged, what comes, and how it ends.

use mcp::{Events, Notification};
use serde_json::{Value, json};

use crate::fixture::Raw;
use crate::world::{Heard, World, get};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn listen(filter: Value) -> Raw {
    Raw::modern("subscriptions/listen", json!({"notifications": filter}))
}

fn listen_as(id: Value, filter: Value) -> Raw {
    let raw = listen(filter);
    let mut body: Value = serde_json::from_slice(&raw.body).expect("JSON");
    body["id"] = id;
    Raw { body: body.to_string().into_bytes(), ..raw }
}

/// A stream whose acknowledgement is read.
fn listening(world: &World, filter: Value) -> Events {
    let mut events = world.send(listen(filter)).stream();
    assert_eq!(world.next(&mut events).message()["method"], "notifications/subscriptions/acknowledged");
    events
}

fn updated(uris: &[&str]) -> Notification {
    Notification::Updated(uris.iter().map(|uri| (*uri).to_owned()).collect())
}

#[test]
fn the_acknowledgement_is_first_and_names_what_is_honoured() {
    let rows = [
        (json!({}), json!({})),
        (json!({"toolsListChanged": true}), json!({"toolsListChanged": true})),
        (json!({"toolsListChanged": false, "promptsListChanged": "yes"}), json!({})),
        (
            json!({"promptsListChanged": true, "resourcesListChanged": true, "taskIds": ["t"], "more": true}),
            json!({"promptsListChanged": true, "resourcesListChanged": true}),
        ),
        (
            json!({"resourceSubscriptions": ["note://a", "note://b", "note://a"]}),
            json!({"resourceSubscriptions": ["note://a", "note://b"]}),
        ),
        (json!({"resourceSubscriptions": []}), json!({})),
    ];
    for (asked, honoured) in rows {
        let world = World::new();
        let mut events = world.send(listen(asked)).stream();
        // What happened in between comes after it.
        world.server.publish(&Notification::Anything);
        let first = world.next(&mut events).message();
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(first["params"]["notifications"], honoured);
        assert_eq!(first.get("id"), None);
    }
}

#[test]
fn every_message_carries_the_requests_id_with_its_type() {
    for id in [json!(7), json!("7"), json!(""), json!(-1)] {
        let world = World::new();
        let mut events = world.send(listen_as(id.clone(), json!({"toolsListChanged": true}))).stream();
        world.server.publish(&Notification::Tools);
        world.run();
        let mut messages = vec![world.next(&mut events).message(), world.next(&mut events).message()];
        world.server.end_streams();
        messages.extend(world.rest(&mut events));
        assert_eq!(messages.len(), 3);
        for message in &messages[..2] {
            assert_eq!(message["params"]["_meta"][ID], id, "{message}");
        }
        assert_eq!(messages[2]["result"]["_meta"][ID], id);
        assert_eq!(messages[2]["id"], id);
    }
}

#[test]
fn what_was_not_asked_for_never_comes() {
    let filters = [
        (json!({"toolsListChanged": true}), vec!["notifications/tools/list_changed"]),
        (json!({"promptsListChanged": true}), vec!["notifications/prompts/list_changed"]),
        (json!({"resourcesListChanged": true}), vec!["notifications/resources/list_changed"]),
        (json!({"resourceSubscriptions": ["note://a"]}), vec!["notifications/resources/updated"]),
        (json!({}), vec![]),
    ];
    for (filter, expected) in filters {
        let world = World::new();
        let mut events = listening(&world, filter);
        for news in [
            Notification::Tools,
            Notification::Prompts,
            Notification::Resources,
            updated(&["note://b", "note://a", "note://aa"]),
            Notification::Anything,
        ] {
            world.server.publish(&news);
        }
        let mut came = Vec::new();
        while let Heard::Message(message) = world.next(&mut events) {
            came.push(message["method"].as_str().unwrap().to_owned());
        }
        assert_eq!(came, expected);
    }
}

#[test]
fn a_change_is_news_for_an_address_with_a_query() {
    let world = World::new();
    let mut events = listening(&world, json!({"resourceSubscriptions": ["note://a?done=true", "note://ab"]}));
    world.server.publish(&updated(&["note://a"]));
    assert_eq!(world.next(&mut events).message()["params"]["uri"], "note://a?done=true");
    assert_eq!(world.next(&mut events), Heard::Silence);
}

#[test]
fn a_reader_that_does_not_read_costs_one_message_for_each_thing() {
    let world = World::new();
    let filter = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": ["note://a", "note://b"]});
    let mut events = listening(&world, filter);
    for number in 0..10_000 {
        match number % 5 {
            0 => world.server.publish(&Notification::Tools),
            1 => world.server.publish(&Notification::Prompts),
            2 => world.server.publish(&Notification::Anything),
            3 => world.server.publish(&updated(&["note://a", "note://c"])),
            _ => world.server.publish(&updated(&["note://b"])),
        }
    }
    let mut came = 0;
    while let Heard::Message(_) = world.next(&mut events) {
        came += 1;
    }
    assert_eq!(came, 5);
}

#[test]
fn one_stream_that_is_closed_does_not_end_another() {
    let world = World::new();
    let one = listening(&world, json!({"toolsListChanged": true}));
    let mut other = listening(&world, json!({"toolsListChanged": true}));
    drop(one);
    world.server.publish(&Notification::Tools);
    assert_eq!(world.next(&mut other).message()["method"], "notifications/tools/list_changed");
    assert_eq!(world.next(&mut other), Heard::Silence);
}

#[test]
fn a_server_that_goes_ends_its_streams_with_a_result() {
    let world = World::new();
    let mut events = listening(&world, json!({"toolsListChanged": true}));
    world.server.publish(&Notification::Tools);
    world.server.end_streams();
    world.server.publish(&Notification::Prompts);
    let messages = world.rest(&mut events);
    assert_eq!(messages[0]["method"], "notifications/tools/list_changed", "what it knew before");
    assert_eq!(messages[1]["result"]["resultType"], "complete");
    assert_eq!(messages.len(), 2);
    assert_eq!(world.next(&mut events), Heard::End);
}

/// Each notification is looked at for each stream, and one client may open any number of them.
#[test]
fn so_many_streams_are_open_at_once_and_no_more() {
    let world = World::new();
    let session = world.session(json!({}));
    let mut open: Vec<Events> =
        (0..256).map(|_| listening(&world, json!({"toolsListChanged": true}))).collect();
    let refused = world.send(listen(json!({"toolsListChanged": true})));
    assert!(refused.body["error"]["message"].as_str().unwrap().contains("256 streams are open here"));
    assert_eq!((refused.body["id"].clone(), refused.error()), (json!(1), (503, -32603)));
    assert_eq!(world.send(get(&session)).error(), (503, -32603));
    // Those that are open hear as before, and who goes makes room.
    world.server.publish(&Notification::Tools);
    assert_eq!(world.next(&mut open[255]).message()["method"], "notifications/tools/list_changed");
    open.truncate(255);
    open.push(world.send(get(&session)).stream());
    assert_eq!(world.send(listen(json!({}))).error(), (503, -32603));
}

#[test]
fn who_reads_no_streams_cannot_listen() {
    for raw in [listen(json!({})).set("accept", "application/json"), listen(json!({})).without("accept")] {
        let reply = World::new().send(raw);
        assert_eq!(reply.body["id"], 1);
        assert_eq!(reply.error(), (406, -32602));
    }
}

#[test]
fn a_filter_of_a_wrong_shape_is_an_error() {
    for filter in [
        json!([]),
        json!("tools"),
        json!({"resourceSubscriptions": [1]}),
        json!({"resourceSubscriptions": "note://a"}),
    ] {
        assert_eq!(World::new().send(listen(filter.clone())).error(), (200, -32602), "{filter}");
    }
}

#[test]
fn no_progress_and_no_log_comes_on_a_stream_that_listens() {
    let world = World::new();
    let mut events = listening(&world, json!({"toolsListChanged": true}));
    let meta = crate::world::with_meta("progressToken", json!(1));
    let mut call = world.send(crate::world::call_with("steps", meta, json!({}))).stream();
    world.rest(&mut call);
    assert_eq!(world.next(&mut events), Heard::Silence);
}
