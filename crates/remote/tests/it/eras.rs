//! Servers with a handshake, and what only they do: sessions, streams that are taken up again, requests of their own,
//! batches (2025-11-25 and older, basic/transports).

use std::cell::Cell;

use remote::RemoteError;
use serde_json::{Value, json};

use crate::world::peer::{
    Do, EVENTS, JSON, Peer, broken_stream, head, http, legacy, legacy_of, result, stream, text, tool,
};
use crate::world::{Fills, call, client, run, sentence};

/// A server whose first answer to a call breaks off after an event that can be gone on from.
async fn cut_with_id(resumed: impl Fn(&str, usize) -> Vec<Do> + 'static) -> Peer {
    let times = Cell::new(0);
    legacy(move |asked| match asked.what() {
        "tools/call" => broken_stream("id: 7\nretry: 20\ndata:\n\n"),
        "GET" => {
            times.set(times.get() + 1);
            resumed(asked.header("last-event-id").unwrap_or_default(), times.get())
        }
        _ => http(202, &[], ""),
    })
    .await
}

/// What answers the first call of a session: its second request of that kind has the id 3.
fn third(words: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 3, "result": { "content": [{ "type": "text", "text": words }] } })
}

#[test]
fn a_stream_that_broke_off_goes_on_where_it_was() {
    run(async {
        let peer = cut_with_id(|from, _| match from {
            "7" => stream(&[third("here")]),
            _ => http(400, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        assert_eq!(call(&server, "echo").await.map(|said| said.text), Ok("here".to_owned()));
        let asked = &peer.asked("GET")[0];
        assert_eq!(asked.header("accept"), Some("text/event-stream"));
        assert_eq!(asked.header("mcp-session-id"), Some("session-1"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2025-11-25"));
        assert_eq!((peer.count("GET"), peer.count("tools/call")), (1, 1));
    });
}

#[test]
fn a_stream_that_breaks_off_again_before_it_says_anything_goes_on_from_the_same_place() {
    run(async {
        let peer = cut_with_id(|from, times| match (from, times) {
            ("7", 1) => broken_stream(": nothing yet\n\n"),
            ("7", 2) => stream(&[third("here")]),
            _ => http(400, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        assert_eq!(call(&server, "echo").await.map(|said| said.text), Ok("here".to_owned()));
        assert_eq!((peer.count("GET"), peer.count("tools/call")), (2, 1));
    });
}

#[test]
fn a_stream_that_always_breaks_off_is_given_up() {
    run(async {
        let peer = cut_with_id(|_, times| broken_stream(&format!("id: {times}\nretry: 1\ndata:\n\n"))).await;
        let (server, _) = client(&peer.url);
        assert_eq!(sentence(call(&server, "echo").await), "The server's answer broke off");
        // Three times by the bound, and the call itself only once.
        assert_eq!((peer.count("GET"), peer.count("tools/call")), (3, 1));
    });
}

#[test]
fn a_call_whose_stream_cannot_be_taken_up_again_is_not_made_again() {
    run(async {
        // 404 is what a server says to a session it does not know; to a call it would mean that nothing was done.
        for status in [400, 404, 405, 500] {
            let peer = cut_with_id(move |_, _| http(status, &[], "")).await;
            let (server, _) = client(&peer.url);
            assert_eq!(sentence(call(&server, "echo").await), "The server's answer broke off", "{status}");
            assert_eq!((peer.count("tools/call"), peer.count("initialize")), (1, 1), "{status}");
        }
    });
}

#[test]
fn a_place_that_no_header_can_hold_is_not_gone_back_to() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "tools/call" => broken_stream("id: a\u{1}b\nretry: 1\ndata:\n\n"),
            _ => http(500, &[], ""),
        })
        .await;
        let (server, wire) = client(&peer.url);
        assert_eq!(sentence(call(&server, "echo").await), "The server's answer broke off");
        assert_eq!(wire.sent("GET").len(), 0);
    });
}

#[test]
fn a_server_that_never_knows_its_session_is_greeted_once_more_and_no_oftener() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "tools/call" => http(404, &[], ""),
            _ => http(202, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        assert_eq!(call(&server, "echo").await, Err(RemoteError::Status(404)));
        assert_eq!((peer.count("initialize"), peer.count("tools/call")), (2, 2));
    });
}

#[test]
fn a_question_that_the_server_forgot_does_not_make_the_call_again() {
    run(async {
        let question = json!({ "jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
            "params": { "message": "Sure?", "requestedSchema": { "type": "object", "properties": {} } } });
        let peer = legacy(move |asked| match asked.what() {
            "tools/call" => [stream(std::slice::from_ref(&question)), vec![Do::Hold]].concat(),
            _ => http(404, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        let server = server.with_person(Fills::with(json!({})));
        let outcome = call(&server, "echo").await;
        assert_eq!(
            sentence(outcome),
            "What the server answered is not MCP: it does not take what it asked for"
        );
        assert_eq!((peer.count("tools/call"), peer.count("initialize"), peer.count("POST")), (1, 1, 1));
    });
}

#[test]
fn requests_of_the_server_are_answered_beside_the_call() {
    run(async {
        let requests = [
            json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" }),
            json!({ "jsonrpc": "2.0", "id": 5, "method": "sampling/createMessage", "params": {} }),
            json!({ "jsonrpc": "2.0", "id": "u", "method": "elicitation/create",
                "params": { "mode": "url", "message": "Go there", "url": "https://evil.example/" } }),
            // Neither of these wants an answer.
            json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }),
            json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": "x" } }),
        ];
        let peer = legacy(move |asked| match asked.what() {
            "tools/call" => stream(&[requests.as_slice(), &[text(asked, "done")]].concat()),
            _ => http(202, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        let person = Fills::with(json!({}));
        let said = call(&server.with_person(person.clone()), "echo").await;
        assert_eq!(said.map(|said| said.text), Ok("done".to_owned()));
        let answers: Vec<Value> = peer.asked("POST").into_iter().map(|asked| asked.body).collect();
        assert_eq!(answers[0], json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
        let refused: Vec<(&Value, &Value)> =
            answers[1..].iter().map(|answer| (&answer["id"], &answer["error"]["code"])).collect();
        assert_eq!(refused, [(&json!(5), &json!(-32601)), (&json!("u"), &json!(-32601))]);
        assert!(person.asked.borrow().is_empty());
    });
}

#[test]
fn a_batch_is_as_good_as_its_messages() {
    run(async {
        for as_stream in [false, true] {
            let peer = legacy_of("2025-03-26", move |asked| {
                let news = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": {} });
                let listed = result(asked, json!({ "tools": [tool("echo")] }));
                // Of two answers the first counts here as well.
                let batch = json!([news, listed, result(asked, json!({ "tools": [] }))]);
                if as_stream { stream(&[batch]) } else { http(200, &[JSON], batch.to_string()) }
            })
            .await;
            let (server, _) = client(&peer.url);
            assert_eq!(server.connect().await.unwrap().revision, "2025-03-26");
            assert_eq!(server.tools().await.unwrap().tools.len(), 1, "{as_stream}");
        }
    });
}

#[test]
fn the_end_of_a_session_is_not_waited_for() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "DELETE" => vec![head(200, &[EVENTS]), Do::Hold],
            _ => http(202, &[], ""),
        })
        .await;
        let (server, _) = client(&peer.url);
        server.connect().await.unwrap();
        crate::world::soon(server.close()).await;
        peer.is_hung_up().await;
        assert_eq!(peer.asked("DELETE")[0].header("mcp-session-id"), Some("session-1"));
    });
}
