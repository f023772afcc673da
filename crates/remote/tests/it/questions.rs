//! Questions to the person: without end, many at once, about nothing.

use std::cell::Cell;

use remote::RemoteError;
use serde_json::{Map, Value, json};

use crate::world::peer::{Do, EVENTS, event, head, http, json, legacy, modern, result, stream, text};
use crate::world::{Fills, call, client, run, sentence};

const TOO_MANY: &str = "The server sent too much: questions to one call";

fn form(message: &str) -> Value {
    json!({ "method": "elicitation/create", "params": { "message": message,
        "requestedSchema": { "type": "object", "properties": {} } } })
}

/// The answer that wants something first.
fn wants(requests: &Value, state: &str) -> Value {
    json!({ "resultType": "input_required", "inputRequests": requests, "requestState": state })
}

#[test]
fn questions_without_end_are_ended() {
    run(async {
        let peer = modern(|asked| json(&result(asked, wants(&json!({ "again": form("And?") }), "s")))).await;
        let (server, _) = client(&peer.url);
        let person = Fills::with(json!({}));
        let outcome = call(&server.with_person(person.clone()), "echo").await;
        assert_eq!(sentence(outcome), TOO_MANY);
        assert_eq!(person.asked.borrow().len(), 4);
    });
}

#[test]
fn many_questions_at_once_are_as_many_questions() {
    run(async {
        let peer = modern(|asked| {
            let many: Map<String, Value> = (0..100).map(|n| (n.to_string(), form("And?"))).collect();
            json(&result(asked, wants(&Value::Object(many), "s")))
        })
        .await;
        let (server, _) = client(&peer.url);
        let person = Fills::with(json!({}));
        let outcome = call(&server.with_person(person.clone()), "echo").await;
        assert_eq!(sentence(outcome), TOO_MANY);
        assert!(person.asked.borrow().len() <= 4, "{}", person.asked.borrow().len());
        assert_eq!(peer.count("tools/call"), 1);
    });
}

#[test]
fn questions_without_end_on_a_stream_are_ended() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "tools/call" => {
                let asks = (0..100).map(|n| {
                    let mut ask = form("And?");
                    ask["jsonrpc"] = "2.0".into();
                    ask["id"] = n.into();
                    event(&ask)
                });
                std::iter::once(head(200, &[EVENTS])).chain(asks).chain([Do::Hold]).collect()
            }
            _ => http(202, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        let person = Fills::with(json!({}));
        let outcome = call(&server.with_person(person.clone()), "echo").await;
        assert_eq!(sentence(outcome), TOO_MANY);
        assert_eq!((person.asked.borrow().len(), peer.count("POST")), (4, 4));
        peer.is_hung_up().await;
    });
}

#[test]
fn requests_that_nobody_is_asked_about_are_not_answered_without_end() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "tools/call" => {
                let pings = (0..500).map(|n| json!({ "jsonrpc": "2.0", "id": n, "method": "ping" }));
                stream(&pings.collect::<Vec<_>>())
            }
            _ => http(202, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        let outcome = call(&server, "echo").await;
        assert_eq!(sentence(outcome), "The server sent too much: requests of its own");
        assert!(peer.count("POST") <= 64, "{}", peer.count("POST"));
    });
}

#[test]
fn a_state_without_questions_comes_back_so_often_and_no_oftener() {
    run(async {
        let peer = modern(|asked| {
            json(&result(asked, json!({ "resultType": "input_required", "requestState": "busy" })))
        })
        .await;
        let (server, _) = client(&peer.url);
        assert_eq!(sentence(call(&server, "echo").await), TOO_MANY);
        let calls = peer.asked("tools/call");
        assert_eq!(calls.len(), 5);
        assert!(calls[1..].iter().all(|asked| asked.body["params"]["requestState"] == "busy"));
    });
}

#[test]
fn wanting_nothing_is_no_reason_to_call_again() {
    run(async {
        for nothing in [json!({}), json!({ "inputRequests": {} }), json!({ "inputRequests": [1] })] {
            let peer = modern(move |asked| {
                let mut wanting = nothing.clone();
                wanting["resultType"] = "input_required".into();
                json(&result(asked, wanting))
            })
            .await;
            let (server, _) = client(&peer.url);
            let outcome = call(&server, "echo").await;
            let said = "What the server answered is not MCP: it wants input and does not say which";
            assert_eq!(sentence(outcome), said);
            assert_eq!(peer.count("tools/call"), 1);
        }
    });
}

#[test]
fn a_state_is_that_of_the_last_round_only() {
    run(async {
        let round = Cell::new(0);
        let peer = modern(move |asked| {
            round.set(round.get() + 1);
            let ask = json!({ "a": form("And?") });
            json(&match round.get() {
                1 => result(asked, wants(&ask, "one")),
                2 => result(
                    asked,
                    json!({ "resultType": "input_required", "inputRequests": { "b": form("?") } }),
                ),
                _ => text(asked, "done"),
            })
        })
        .await;
        let (server, _) = client(&peer.url);
        call(&server.with_person(Fills::with(json!({}))), "echo").await.unwrap();
        let states: Vec<Value> = peer
            .asked("tools/call")
            .iter()
            .map(|asked| asked.body["params"]["requestState"].clone())
            .collect();
        assert_eq!(states, [Value::Null, json!("one"), Value::Null]);
        let keys: Vec<Vec<String>> = peer
            .asked("tools/call")
            .iter()
            .map(|asked| asked.body["params"]["inputResponses"].as_object().cloned().unwrap_or_default())
            .map(|answers| answers.keys().cloned().collect())
            .collect();
        assert_eq!(keys, [vec![], vec!["a".to_owned()], vec!["b".to_owned()]]);
    });
}

#[test]
fn what_this_client_does_not_do_is_said_and_not_done() {
    run(async {
        let rows = [
            (json!({ "method": "sampling/createMessage", "params": {} }), "sampling/createMessage"),
            (json!({ "method": "roots/list" }), "roots/list"),
            (json!({ "method": "elicitation/create", "params": { "mode": "url" } }), "elicitation/create"),
            (json!({}), "input"),
            (json!(null), "input"),
        ];
        for (request, what) in rows {
            let peer = modern(move |asked| json(&result(asked, wants(&json!({ "k": request }), "s")))).await;
            let (server, _) = client(&peer.url);
            let person = Fills::with(json!({}));
            let outcome = call(&server.with_person(person.clone()), "echo").await;
            assert_eq!(outcome, Err(RemoteError::Unsupported(what.to_owned())));
            assert_eq!((person.asked.borrow().len(), peer.count("tools/call")), (0, 1), "{what}");
        }
        // And without a person no form is shown by anybody.
        let peer = modern(|asked| json(&result(asked, wants(&json!({ "k": form("?") }), "s")))).await;
        let said = "The server asks for what Satchel does not do: elicitation/create";
        assert_eq!(sentence(call(&client(&peer.url).0, "echo").await), said);
    });
}
