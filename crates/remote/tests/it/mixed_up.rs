//! Answers that come again, early, late, for somebody else or for nobody.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use remote::{RemoteError, ToolAnswer};
use serde_json::{Map, Value, json};

use crate::world::peer::{Asked, http, json, modern, stream, text};
use crate::world::{call, client, run};

const NONE: &str = "What the server answered is not MCP: it ended without an answer";

fn id(asked: &Asked) -> u64 {
    asked.body["id"].as_u64().unwrap()
}

/// The same answer with something else in a field.
fn with(mut answer: Value, field: &str, value: Value) -> Value {
    answer[field] = value;
    answer
}

#[test]
fn only_the_answer_to_the_request_counts() {
    type Say = fn(&Asked) -> Vec<Value>;
    let rows: [(&str, Say, Result<&str, &str>); 17] = [
        ("the right one", |asked| vec![text(asked, "right")], Ok("right")),
        ("two for it: the first counts", |asked| vec![text(asked, "one"), text(asked, "two")], Ok("one")),
        ("one for nobody", |asked| vec![with(text(asked, "x"), "id", json!(999))], Err(NONE)),
        (
            "for nobody, then right",
            |asked| vec![with(text(asked, "x"), "id", json!(999)), text(asked, "right")],
            Ok("right"),
        ),
        (
            "of an earlier request",
            |asked| vec![with(text(asked, "x"), "id", json!(id(asked) - 1)), text(asked, "right")],
            Ok("right"),
        ),
        ("of the next request", |asked| vec![with(text(asked, "x"), "id", json!(id(asked) + 1))], Err(NONE)),
        (
            "the id as text",
            |asked| vec![with(text(asked, "x"), "id", json!(id(asked).to_string()))],
            Err(NONE),
        ),
        (
            "the id with a fraction",
            |asked| vec![with(text(asked, "x"), "id", json!(id(asked) as f64 + 0.5))],
            Err(NONE),
        ),
        ("a result without id", |asked| vec![with(text(asked, "x"), "id", Value::Null)], Err(NONE)),
        ("another version", |asked| vec![with(text(asked, "x"), "jsonrpc", json!("1.0"))], Err(NONE)),
        ("no version", |asked| vec![with(text(asked, "x"), "jsonrpc", Value::Null)], Err(NONE)),
        (
            "an error with id null",
            |asked| {
                vec![
                    json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32600, "message": "It says no" } }),
                    text(asked, "late"),
                ]
            },
            Err("It says no"),
        ),
        (
            "an error for somebody else",
            |asked| {
                vec![
                    json!({ "jsonrpc": "2.0", "id": 999, "error": { "code": 1, "message": "It says no" } }),
                    text(asked, "right"),
                ]
            },
            Ok("right"),
        ),
        (
            "both result and error",
            |asked| vec![with(text(asked, "x"), "error", json!({ "code": 1, "message": "It says no" }))],
            Err(NONE),
        ),
        ("neither", |asked| vec![json!({ "jsonrpc": "2.0", "id": asked.body["id"] })], Err(NONE)),
        (
            "a request of its own, which this era has not",
            |asked| {
                vec![
                    json!({ "jsonrpc": "2.0", "id": asked.body["id"], "method": "elicitation/create", "params": {} }),
                    json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }),
                    text(asked, "right"),
                ]
            },
            Ok("right"),
        ),
        ("no message at all", |_| vec![json!(7), json!("x"), json!(null), json!([]), json!([[]])], Err(NONE)),
    ];
    run(async {
        for (what, say, expected) in rows {
            let peer = modern(move |asked| stream(&say(asked))).await;
            let (server, _) = client(&peer.url);
            let outcome =
                call(&server, "echo").await.map(|said| said.text).map_err(|error| error.to_string());
            assert_eq!(outcome.as_deref().map_err(String::as_str), expected, "{what}");
            // Whatever it said, nothing was asked for twice, and nothing was answered.
            assert_eq!((peer.count("tools/call"), peer.total()), (1, 2), "{what}");
        }
    });
}

#[test]
fn a_recorded_answer_played_again_is_not_taken_for_the_next_call() {
    run(async {
        let first: Rc<RefCell<Option<Value>>> = Rc::default();
        let record = Rc::clone(&first);
        let peer = modern(move |asked| {
            let recorded = record.borrow_mut().get_or_insert_with(|| text(asked, "first")).clone();
            json(&recorded)
        })
        .await;
        let (server, _) = client(&peer.url);
        let said = ToolAnswer { text: "first".to_owned(), is_error: false };
        assert_eq!(call(&server, "echo").await, Ok(said));
        let again = call(&server, "echo").await;
        assert_eq!(again, Err(RemoteError::NotMcp("it ended without an answer".to_owned())));
        assert_eq!(peer.count("tools/call"), 2);
    });
}

#[test]
fn answers_to_two_calls_at_once_do_not_change_places() {
    run(async {
        // Each answer comes with the other call's answer before it.
        let peer = modern(|asked| {
            let name = asked.body["params"]["name"].as_str().unwrap_or_default();
            let other = if id(asked) == 2 { 3 } else { 2 };
            stream(&[with(text(asked, "of the other"), "id", json!(other)), text(asked, name)])
        })
        .await;
        let (server, _) = client(&peer.url);
        server.connect().await.unwrap();
        let (one, two) = futures::join!(call(&server, "one"), call(&server, "two"));
        assert_eq!((one.unwrap().text, two.unwrap().text), ("one".to_owned(), "two".to_owned()));
    });
}

#[test]
fn progress_of_somebody_else_is_passed_over() {
    run(async {
        let peer = modern(|asked| {
            let news = |token: Value, done: Value| {
                let params = json!({ "progressToken": token, "progress": done, "message": "m" });
                json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
            };
            let own = asked.body["params"]["_meta"]["progressToken"].clone();
            let as_text = json!(own.to_string());
            let request = with(news(own.clone(), json!(4)), "id", json!(1));
            stream(&[
                news(json!(999), json!(1)),
                news(as_text, json!(2)),
                news(Value::Null, json!(3)),
                request,
                json!({ "jsonrpc": "2.0", "method": "notifications/progress" }),
                news(own, json!(5)),
                text(asked, "done"),
            ])
        })
        .await;
        let (server, _) = client(&peer.url);
        let heard: Rc<RefCell<Vec<f64>>> = Rc::default();
        let log = Rc::clone(&heard);
        let progress = move |_: &str, done, _| log.borrow_mut().push(done);
        server.call("echo", json!({}), Map::new(), Some(&progress)).await.unwrap();
        assert_eq!(*heard.borrow(), [5.0]);
    });
}

#[test]
fn nothing_is_asked_twice_where_no_answer_came() {
    run(async {
        let rows = [
            http(200, &[], ""),
            http(202, &[], ""),
            Vec::new(),
            http(200, &[], "{\"jsonrpc\":\"2.0\",\"id\":2"),
        ];
        for answer in rows {
            let shown = format!("{answer:?}");
            let executed = Rc::new(Cell::new(0));
            let counter = Rc::clone(&executed);
            let peer = modern(move |_| {
                counter.set(counter.get() + 1);
                answer.clone()
            })
            .await;
            let (server, _) = client(&peer.url);
            assert!(call(&server, "echo").await.is_err(), "{shown}");
            assert_eq!(executed.get(), 1, "{shown}");
        }
    });
}
