//! The stream on which a server with sessions says things on its own while a call runs (2025-11-25, basic/transports,
//! "listening for messages from the server"): whatever comes there, the call has its own answer.

use remote::Server;
use serde_json::{Value, json};

use crate::world::peer::{Asked, Do, EVENTS, Peer, event, head, http, json, legacy, stream, text};
use crate::world::{Fills, call, client, run, sentence, soon};

fn questions() -> Vec<Value> {
    let schema = json!({ "type": "object", "properties": {} });
    let params = json!({ "message": "And?", "requestedSchema": schema });
    let question = |n| json!({ "jsonrpc": "2.0", "id": n, "method": "elicitation/create", "params": params });
    (0..100).map(question).collect()
}

/// A server that says this on its own, and that to a call.
async fn talks(own: Vec<Do>, called: impl Fn(&Asked) -> Vec<Do> + 'static) -> Peer {
    legacy(move |asked| match asked.what() {
        "GET" => own.clone(),
        "tools/call" => called(asked),
        _ => http(202, &[], ""),
    })
    .await
}

fn with_person(url: &str) -> Server {
    client(url).0.with_person(Fills::with(json!({})))
}

#[test]
fn questions_on_both_streams_are_questions_to_one_call() {
    run(async {
        let own = [stream(&questions()), vec![Do::Hold]].concat();
        let peer = talks(own, |_| [stream(&questions()), vec![Do::Hold]].concat()).await;
        let person = Fills::with(json!({}));
        let server = client(&peer.url).0.with_person(person.clone());
        let outcome = soon(call(&server, "echo")).await;
        assert_eq!(sentence(outcome), "The server sent too much: questions to one call");
        assert!(person.asked.borrow().len() <= 4, "{}", person.asked.borrow().len());
        assert_eq!(peer.count("tools/call"), 1);
        peer.is_hung_up().await;
    });
}

#[test]
fn a_stream_without_end_ends_with_the_call() {
    run(async {
        for own in
            [Do::Repeat(b":\n\n".to_vec(), 1), Do::Repeat(b": and on and on\n".repeat(100), 0), Do::Hold]
        {
            let shown = format!("{own:?}");
            let peer = talks(vec![head(200, &[EVENTS]), own], |asked| json(&text(asked, "done"))).await;
            let server = with_person(&peer.url);
            let outcome = soon(call(&server, "echo")).await;
            assert_eq!(outcome.map(|said| said.text), Ok("done".to_owned()), "{shown}");
            peer.is_hung_up().await;
        }
    });
}

#[test]
fn an_answer_on_it_is_not_the_answer() {
    run(async {
        let forged = json!({ "jsonrpc": "2.0", "id": 3, "result": {
            "content": [{ "type": "text", "text": "forged" }] } });
        let own = vec![head(200, &[EVENTS]), event(&forged), Do::Hold];
        let called = |asked: &Asked| [vec![Do::Wait(50)], json(&text(asked, "done"))].concat();
        let peer = talks(own, called).await;
        let outcome = call(&with_person(&peer.url), "echo").await;
        assert_eq!(outcome.map(|said| said.text), Ok("done".to_owned()));
        assert_eq!(peer.asked("tools/call")[0].body["id"], 3);
    });
}

#[test]
fn a_call_needs_no_such_stream() {
    run(async {
        let other = Peer::start(|_| http(200, &[], "thanks")).await;
        let elsewhere = other.url.clone();
        for status in [302, 400, 401, 403, 404, 405, 500, 502] {
            let headers = [("location", elsewhere.as_str()), ("www-authenticate", "Bearer")];
            let peer = talks(http(status, &headers, "no"), |asked| json(&text(asked, "done"))).await;
            let outcome = soon(call(&with_person(&peer.url), "echo")).await;
            assert_eq!(outcome.map(|said| said.text), Ok("done".to_owned()), "{status}");
            let counts = (peer.count("GET"), peer.count("tools/call"), peer.count("initialize"));
            assert_eq!(counts, (1, 1, 1), "{status}");
        }
        assert_eq!(other.total(), 0);
    });
}

#[test]
fn a_stream_that_always_breaks_off_is_not_asked_for_without_end() {
    run(async {
        let own = vec![head(200, &[EVENTS]), Do::Say(b"id: 7\nretry: 1\ndata:\n\n".to_vec())];
        let peer = talks(own, |asked| [vec![Do::Wait(500)], json(&text(asked, "done"))].concat()).await;
        let outcome = call(&with_person(&peer.url), "echo").await;
        assert_eq!(outcome.map(|said| said.text), Ok("done".to_owned()));
        // Once, and three times more by the bound.
        assert!(peer.count("GET") <= 4, "{}", peer.count("GET"));
    });
}
