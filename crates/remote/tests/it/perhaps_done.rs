//! A call whose answer is lost or of no use: whether it may have been carried out, and that it is made once (ADR 0022).

use remote::RemoteError;
use serde_json::json;

use crate::world::peer::{
    Asked, Do, EVENTS, JSON, broken_stream, head, http, json, legacy, modern, result, stream, text,
};
use crate::world::{call, client, run, soon};

const PAGE: (&str, &str) = ("content-type", "text/html");

#[test]
fn what_comes_after_the_call_was_sent_leaves_open_whether_it_was_done() {
    type Say = fn(&Asked) -> Vec<Do>;
    let said_no = |asked: &Asked| {
        let error = json!({"code": -32602, "message": "No"});
        json(&json!({"jsonrpc": "2.0", "id": asked.body["id"], "error": error}))
    };
    let rows: [(&str, Say, bool); 18] = [
        // A proxy in front of a tool that is slow.
        ("a proxy that gave up", |_| http(504, &[PAGE], "<h1>504 Gateway Time-out</h1>"), true),
        ("a proxy that lost it", |_| http(502, &[PAGE], "<h1>502 Bad Gateway</h1>"), true),
        ("a server that fell over", |_| http(500, &[("content-type", "text/plain")], "panic"), true),
        ("one of its own", |_| http(599, &[], ""), true),
        ("a request that took too long", |_| http(408, &[], ""), true),
        ("an answer that is too long", |asked| json(&text(asked, &"x".repeat(1024 * 1024))), true),
        (
            "a question in the middle",
            |asked| {
                let wants = json!({"k": {"method": "sampling/createMessage", "params": {}}});
                json(&result(asked, json!({"resultType": "input_required", "inputRequests": wants})))
            },
            true,
        ),
        ("a result of another kind", |asked| json(&result(asked, json!({"resultType": "task"}))), true),
        ("an answer that broke off", |_| broken_stream("data: {\"jsonrpc\""), true),
        ("a page", |_| http(200, &[PAGE], "<!doctype html>"), true),
        ("nothing", |_| http(200, &[JSON], ""), true),
        ("a stream without it", |_| vec![head(200, &[EVENTS])], true),
        ("no", said_no, false),
        ("a token first", |_| http(401, &[("www-authenticate", "Bearer")], ""), false),
        ("not with this token", |_| http(403, &[], ""), false),
        ("nothing there", |_| http(404, &[PAGE], ""), false),
        ("not like that", |_| http(405, &[], ""), false),
        ("too many", |_| http(429, &[("retry-after", "1")], ""), false),
    ];
    run(async {
        for (what, say, may_be_done) in rows {
            let peer = modern(say).await;
            let error = soon(call(&client(&peer.url).0, "echo")).await.unwrap_err();
            assert_eq!(error.may_be_done(), may_be_done, "{what}: {error:?}");
            assert_eq!(peer.count("tools/call"), 1, "{what}: nothing is called again");
        }
    });
}

#[test]
fn a_stream_that_is_not_given_back_without_another_token_says_nothing_about_the_call() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "tools/call" => vec![head(200, &[EVENTS]), Do::Say(b"id: 1\nretry: 1\ndata:\n\n".to_vec())],
            _ => http(401, &[("www-authenticate", "Bearer")], ""),
        })
        .await;
        let error = soon(call(&client(&peer.url).0, "echo")).await.unwrap_err();
        assert!(!matches!(error, RemoteError::Unauthorized(_)), "{error:?}");
        assert!(error.may_be_done(), "{error:?}");
        assert_eq!(peer.count("tools/call"), 1);
    });
}

#[test]
fn arguments_that_are_none_are_not_sent() {
    run(async {
        let peer = modern(|asked| stream(&[text(asked, "done")])).await;
        let (server, _) = client(&peer.url);
        let called = server.call("echo", json!([1]), serde_json::Map::new(), None).await;
        assert!(!called.unwrap_err().may_be_done());
        assert_eq!(peer.count("tools/call"), 0);
    });
}
