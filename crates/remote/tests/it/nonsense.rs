//! Answers that are no MCP, in every way a web server has of answering something else.

use remote::RemoteError;
use serde_json::{Value, json};

use crate::world::peer::{Asked, Do, EVENTS, JSON, Peer, broken_stream, head, http, json, modern, result};
use crate::world::{call, client, run, sentence};

const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");
const PAGE: &str = "<!doctype html><title>Welcome</title>";
const NO_JSON: &str = "What the server answered is not MCP: the answer is not JSON";
const NO_ANSWER: &str = "What the server answered is not MCP: it ended without an answer";
const CUT: &str = "The server's answer broke off";
const GONE: &str = "The server cannot be reached";

/// What can come back, and the sentence for it.
fn rows() -> Vec<(&'static str, Vec<Do>, &'static str)> {
    let events = |text: &[u8]| vec![head(200, &[EVENTS]), Do::Say(text.to_vec())];
    let short = vec![head(200, &[JSON, ("content-length", "500")]), Do::Say(b"{\"jsonrpc\":".to_vec())];
    vec![
        ("a page", http(200, &[HTML], PAGE), NO_JSON),
        ("a page that is not found", http(404, &[HTML], PAGE), "The server answered with HTTP 404"),
        ("a gateway", http(502, &[HTML], PAGE), "The server answered with HTTP 502"),
        ("a fault", http(500, &[], ""), "The server answered with HTTP 500"),
        ("too many", http(429, &[("retry-after", "1")], "slow down"), "The server answered with HTTP 429"),
        ("nothing", http(200, &[JSON], ""), NO_ANSWER),
        ("no content", http(204, &[], ""), NO_ANSWER),
        ("taken note of", http(202, &[], ""), NO_ANSWER),
        ("plain text", http(200, &[("content-type", "text/plain")], "ok"), NO_JSON),
        ("JSON, but not the protocol", http(200, &[JSON], "{\"ok\":true}"), NO_ANSWER),
        ("no UTF-8", http(200, &[JSON], b"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"\xff\xfe\"}"), NO_JSON),
        ("half of it", http(200, &[JSON], "{\"jsonrpc\":\"2.0\",\"id\":2,\"resu"), NO_JSON),
        ("cut in the middle", short, CUT),
        ("an event that is no JSON", events(b"data: {\"jsonrpc\":\n\n"), NO_JSON),
        ("an event that is no UTF-8", events(b"data: \"\xff\"\n\n"), NO_JSON),
        ("an event without its end", events(b"data: {}\n"), NO_ANSWER),
        ("a stream that is no stream", events(PAGE.as_bytes()), NO_ANSWER),
        ("a stream without events", events(b""), NO_ANSWER),
        ("a stream that breaks off", broken_stream("id: 1\ndata:\n\n"), CUT),
        ("no HTTP", vec![Do::Say(b"SSH-2.0-OpenSSH_9.7\r\n".to_vec())], GONE),
        ("hung up", Vec::new(), GONE),
        ("a head cut in the middle", vec![Do::Say(b"HTTP/1.1 200 OK\r\ncontent-ty".to_vec())], GONE),
    ]
}

#[test]
fn a_call_says_what_is_wrong_and_is_made_once() {
    run(async {
        for (what, answer, words) in rows() {
            let peer = modern(move |_| answer.clone()).await;
            let (server, _) = client(&peer.url);
            assert_eq!(sentence(call(&server, "echo").await), words, "{what}");
            assert_eq!((peer.count("tools/call"), peer.total()), (1, 2), "{what}");
        }
    });
}

#[test]
fn a_greeting_says_what_is_wrong() {
    run(async {
        for (what, answer, words) in rows() {
            let peer = Peer::start(move |_| answer.clone()).await;
            let (server, _) = client(&peer.url);
            assert_eq!(sentence(server.connect().await), words, "{what}");
            assert!(peer.total() <= 2, "{what}");
        }
    });
}

#[test]
fn a_list_says_what_is_wrong() {
    run(async {
        for (what, answer, words) in rows() {
            let peer = modern(move |_| answer.clone()).await;
            let (server, _) = client(&peer.url);
            assert_eq!(sentence(server.tools().await), words, "{what}");
        }
    });
}

/// A server that says this to `server/discover`, and that to `initialize`; `notifications/initialized` is taken.
async fn greets(discovered: Option<Value>, initialized: Option<Value>) -> Peer {
    Peer::start(move |asked: &Asked| match asked.what() {
        "server/discover" => match &discovered {
            Some(discovered) => json(&result(asked, discovered.clone())),
            None => http(400, &[], ""),
        },
        "initialize" => match &initialized {
            Some(initialized) => json(&result(asked, initialized.clone())),
            None => http(400, &[], ""),
        },
        _ => http(202, &[], ""),
    })
    .await
}

#[test]
fn what_is_spoken_must_be_said() {
    let silent = "What the server answered is not MCP: it does not say what it speaks";
    let odd = |revision: &str| format!("The server asks for what Satchel does not do: to speak {revision:?}");
    let lost = "The server answered with HTTP 400".to_owned();
    let rows = [
        (Some(json!({})), None, silent.to_owned()),
        (Some(json!({ "supportedVersions": "2026-07-28" })), None, silent.to_owned()),
        (Some(json!({ "supportedVersions": [] })), None, silent.to_owned()),
        (Some(json!({ "supportedVersions": ["2099-01-01", 7, null] })), None, silent.to_owned()),
        (Some(json!([])), None, silent.to_owned()),
        (None, Some(json!({ "protocolVersion": "2024-11-05" })), odd("2024-11-05")),
        (None, Some(json!({ "protocolVersion": "2026-07-28" })), odd("2026-07-28")),
        (None, Some(json!({ "protocolVersion": "x\r\nx-evil: 1" })), odd("x  x-evil: 1")),
        (None, Some(json!({ "protocolVersion": 7 })), lost.clone()),
        (None, Some(json!({})), lost.clone()),
        (None, None, lost),
    ];
    run(async {
        for (discovered, initialized, words) in rows {
            let shown = format!("{discovered:?} {initialized:?}");
            let peer = greets(discovered, initialized).await;
            let outcome = client(&peer.url).0.connect().await;
            assert_eq!(sentence(outcome), words, "{shown}");
            assert_eq!(peer.count("notifications/initialized"), 0, "{shown}");
        }
    });
}

#[test]
fn a_server_that_is_in_trouble_is_not_taken_for_an_old_one() {
    run(async {
        let peer = Peer::start(|asked: &Asked| {
            let (code, message) = match asked.what() {
                "server/discover" => (-32603, "The database is down"),
                _ => (-32601, "Method not found"),
            };
            let error = json!({ "code": code, "message": message });
            json(&json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": error }))
        })
        .await;
        assert_eq!(sentence(client(&peer.url).0.connect().await), "The database is down");
        assert_eq!((peer.count("server/discover"), peer.count("initialize"), peer.total()), (1, 1, 2));
    });
}

#[test]
fn a_server_that_refuses_the_version_it_names_is_asked_twice_and_no_oftener() {
    // What it says it serves, and how often it is asked in which way.
    let rows = [
        (json!(["2026-07-28"]), 2, 0),
        (json!(["2099-01-01"]), 1, 0),
        (json!([]), 1, 0),
        (json!("2025-11-25"), 1, 0),
        (json!(["2025-11-25"]), 1, 1),
    ];
    run(async {
        for (supported, discovered, initialized) in rows {
            let shown = supported.to_string();
            let peer = Peer::start(move |asked: &Asked| {
                let error =
                    json!({ "code": -32022, "message": "Not this one", "data": { "supported": supported } });
                let body = json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": error });
                http(400, &[JSON], body.to_string())
            })
            .await;
            assert_eq!(sentence(client(&peer.url).0.connect().await), "Not this one", "{shown}");
            assert_eq!(peer.count("server/discover"), discovered, "{shown}");
            assert_eq!(
                (peer.count("initialize"), peer.total()),
                (initialized, discovered + initialized),
                "{shown}"
            );
        }
    });
}

#[test]
fn a_long_revision_is_not_repeated_whole() {
    run(async {
        let peer = greets(None, Some(json!({ "protocolVersion": "9".repeat(50_000) }))).await;
        let shown = sentence(client(&peer.url).0.connect().await);
        assert!(shown.len() < 600, "{} bytes", shown.len());
    });
}

#[test]
fn a_name_is_short_and_on_one_line() {
    run(async {
        let rows =
            [(json!("A\nB\u{1b}C"), "A B C"), (json!(7), ""), (json!({ "a": 1 }), ""), (json!("  "), "")];
        for (name, expected) in rows {
            let info = json!({ "title": name });
            let peer =
                greets(None, Some(json!({ "protocolVersion": "2025-06-18", "serverInfo": info }))).await;
            assert_eq!(client(&peer.url).0.connect().await.unwrap().name, expected);
        }
    });
}

#[test]
fn a_session_that_could_be_anything_else_is_none() {
    run(async {
        let rows = [
            ("plain-1", Some("plain-1")),
            ("", None),
            ("two words", None),
            ("tab\there", None),
            ("caf\u{e9}", None),
        ];
        for (session, expected) in rows {
            let peer = Peer::start(move |asked: &Asked| match asked.what() {
                "server/discover" => http(400, &[], ""),
                "initialize" => {
                    let answer = result(asked, json!({ "protocolVersion": "2025-11-25" }));
                    http(200, &[JSON, ("mcp-session-id", session)], answer.to_string())
                }
                _ => http(202, &[], ""),
            })
            .await;
            client(&peer.url).0.connect().await.unwrap();
            assert_eq!(peer.asked("notifications/initialized")[0].header("mcp-session-id"), expected);
        }
    });
}

#[test]
fn a_result_without_content_is_none() {
    run(async {
        for nothing in [json!({}), json!({ "content": "text" }), json!([]), json!(7), json!("x")] {
            let peer = modern(move |asked| json(&result(asked, nothing.clone()))).await;
            let outcome = call(&client(&peer.url).0, "echo").await;
            let fault = "the result of the tool has no content".to_owned();
            assert_eq!(outcome, Err(RemoteError::NotMcp(fault)));
        }
    });
}

#[test]
fn a_list_must_be_one() {
    run(async {
        for nothing in
            [json!({}), json!({ "tools": {} }), json!({ "tools": null }), json!([]), json!("tools")]
        {
            let peer = modern(move |asked| json(&result(asked, nothing.clone()))).await;
            let words = "What the server answered is not MCP: the list of tools is none";
            assert_eq!(sentence(client(&peer.url).0.tools().await), words);
        }
    });
}
