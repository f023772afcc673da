//! Tokens: asked for, refused, and where they must never go.

use std::cell::Cell;
use std::rc::Rc;

use async_trait::async_trait;
use llm::Secret;
use remote::{Challenge, Fixed, RemoteError, TokenProvider};
use serde_json::json;

use crate::world::peer::{
    Asked, Do, Peer, broken_stream, http, json, legacy, modern, result, stream, text, tool,
};
use crate::world::{call, client, client_with, run, sentence};

const TOKEN: &str = "secret-token-1";

fn bearer(asked: &Asked) -> Option<&str> {
    asked.header("authorization").and_then(|value| value.strip_prefix("Bearer "))
}

/// Has another token each time one is refused, and always hopes.
#[derive(Default)]
struct Hopes {
    refused: Cell<u32>,
}

#[async_trait(?Send)]
impl TokenProvider for Hopes {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        Ok(Some(Secret::new(format!("secret-token-{}", self.refused.get()))))
    }

    async fn refused(&self, _challenge: &Challenge, token: Option<&Secret>) -> Result<bool, RemoteError> {
        let sent = format!("secret-token-{}", self.refused.get());
        assert_eq!(token.map(Secret::expose), Some(sent.as_str()), "it is told which one");
        self.refused.set(self.refused.get() + 1);
        Ok(true)
    }
}

#[test]
fn no_token_or_a_wrong_one_is_said_with_what_the_server_wants() {
    run(async {
        const WANTED: &str =
            "Bearer resource_metadata=\"https://tools.example/.well-known/x\", error=\"expired\"";
        let nobody = "The server wants a token, or another one";
        let narrow = "The server does not allow this with the token it was given";
        let rows = [(401, Some(WANTED), nobody), (401, None, nobody), (403, Some(WANTED), narrow)];
        for (status, wanted, words) in rows {
            for token in [None, Some(Secret::new("wrong"))] {
                let headers: Vec<(&str, &str)> =
                    wanted.iter().map(|value| ("www-authenticate", *value)).collect();
                let answer = http(status, &headers, "no");
                let peer = Peer::start(move |_| answer.clone()).await;
                let (server, _) = client_with(&peer.url, Rc::new(Fixed(token.clone())));
                for outcome in [server.connect().await.map(drop), call(&server, "echo").await.map(drop)] {
                    let header = wanted.map(str::to_owned);
                    let expected = RemoteError::Unauthorized(Challenge { status, header });
                    assert_eq!(outcome, Err(expected), "{status} {token:?}");
                    assert_eq!(sentence(outcome), words);
                }
                // No handshake is tried on a server that wants a token first, and nothing is sent again.
                assert_eq!((peer.count("server/discover"), peer.total()), (2, 2));
                let sent = peer.asked("server/discover");
                assert_eq!(bearer(&sent[0]), token.as_ref().map(Secret::expose));
            }
        }
    });
}

#[test]
fn a_plain_403_is_about_something_else() {
    run(async {
        let peer = Peer::start(|_| http(403, &[], "no")).await;
        let (server, _) = client_with(&peer.url, Rc::new(Fixed(Some(Secret::new(TOKEN)))));
        assert_eq!(call(&server, "echo").await, Err(RemoteError::Status(403)));
    });
}

#[test]
fn a_better_token_is_tried_and_the_call_is_made_with_it_once() {
    run(async {
        let peer = modern(|asked| match bearer(asked) {
            Some("secret-token-1") => json(&text(asked, "done")),
            _ => http(401, &[("www-authenticate", "Bearer")], ""),
        })
        .await;
        let (server, _) = client_with(&peer.url, Rc::new(Hopes::default()));
        assert_eq!(call(&server, "echo").await.map(|said| said.text), Ok("done".to_owned()));
        let tokens: Vec<_> =
            peer.asked("tools/call").iter().map(|asked| bearer(asked).map(str::to_owned)).collect();
        assert_eq!(tokens, [Some("secret-token-0".to_owned()), Some("secret-token-1".to_owned())]);
    });
}

#[test]
fn a_server_that_is_never_content_is_asked_three_times() {
    run(async {
        for status in [401, 403] {
            let answer = http(status, &[("www-authenticate", "Bearer scope=\"more\"")], "");
            let peer = Peer::start(move |_| answer.clone()).await;
            let (server, _) = client_with(&peer.url, Rc::new(Hopes::default()));
            let outcome = call(&server, "echo").await;
            assert!(matches!(outcome, Err(RemoteError::Unauthorized(_))), "{outcome:?}");
            assert_eq!(peer.total(), 3, "{status}");
        }
    });
}

/// Renews as ours does: a token to renew with is good for once, so it looks whether the refused one is still what it has.
#[derive(Default)]
struct Renews {
    token: Cell<u32>,
}

#[async_trait(?Send)]
impl TokenProvider for Renews {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        Ok(Some(Secret::new(format!("secret-token-{}", self.token.get()))))
    }

    async fn refused(&self, _challenge: &Challenge, token: Option<&Secret>) -> Result<bool, RemoteError> {
        let current = format!("secret-token-{}", self.token.get());
        if token.map(Secret::expose) == Some(current.as_str()) {
            self.token.set(self.token.get() + 1);
        }
        Ok(true)
    }
}

/// A model asks for several things at once, all with the token that has just run out.
#[test]
fn a_token_that_several_calls_were_refused_with_is_renewed_once() {
    run(async {
        let peer = modern(|asked| match (asked.what(), bearer(asked)) {
            ("tools/call", Some("secret-token-0")) => http(401, &[("www-authenticate", "Bearer")], ""),
            _ => json(&text(asked, "done")),
        })
        .await;
        let token_provider = Rc::new(Renews::default());
        let (server, _) = client_with(&peer.url, Rc::clone(&token_provider) as Rc<dyn TokenProvider>);
        server.connect().await.unwrap();
        let all = futures::future::join3(call(&server, "echo"), call(&server, "echo"), call(&server, "echo"));
        let (one, two, three) = all.await;
        assert!([one, two, three].into_iter().all(|said| said.unwrap().text == "done"));
        assert_eq!(token_provider.token.get(), 1);
        let mut sent: Vec<_> =
            peer.asked("tools/call").iter().map(|it| bearer(it).map(str::to_owned)).collect();
        sent.sort();
        let (old, new) = (Some("secret-token-0".to_owned()), Some("secret-token-1".to_owned()));
        assert_eq!(sent, [old.clone(), old.clone(), old, new.clone(), new.clone(), new]);
    });
}

#[test]
fn a_token_that_runs_out_in_the_middle_of_a_stream_is_renewed() {
    run(async {
        let peer = legacy(|asked| match (asked.what(), bearer(asked)) {
            ("tools/call", _) => broken_stream("id: 7\nretry: 1\ndata:\n\n"),
            ("GET", Some("secret-token-1")) => {
                let content = json!([{ "type": "text", "text": "done" }]);
                stream(&[json!({ "jsonrpc": "2.0", "id": 3, "result": { "content": content } })])
            }
            ("GET", _) => http(401, &[("www-authenticate", "Bearer")], ""),
            _ => http(202, &[], ""),
        })
        .await;
        let (server, _) = client_with(&peer.url, Rc::new(Hopes::default()));
        assert_eq!(call(&server, "echo").await.map(|said| said.text), Ok("done".to_owned()));
        assert_eq!((peer.count("tools/call"), peer.count("GET")), (1, 2));
    });
}

#[test]
fn a_token_goes_nowhere_else() {
    run(async {
        for status in [301, 302, 303, 307, 308] {
            let other = Peer::start(|_| http(200, &[], "thanks")).await;
            let elsewhere = other.url.clone();
            let peer = Peer::start(move |_| http(status, &[("location", &elsewhere)], "")).await;
            let (server, wire) = client_with(&peer.url, Rc::new(Fixed(Some(Secret::new(TOKEN)))));
            assert_eq!(call(&server, "echo").await, Err(RemoteError::Status(status)), "{status}");
            assert_eq!(other.total(), 0, "{status}");
            // The protocol version is found out, and both ways lead elsewhere.
            assert_eq!((peer.count("server/discover"), peer.count("initialize"), peer.total()), (1, 1, 2));
            for what in ["server/discover", "initialize"] {
                assert!(wire.sent(what).iter().all(|request| request.url == peer.url), "{what}");
            }
        }
    });
}

#[test]
fn every_request_has_the_token_in_its_header_and_nowhere_else() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "tools/list" => json(&result(asked, json!({ "tools": [tool("echo")] }))),
            "tools/call" => broken_stream("id: 7\nretry: 1\ndata:\n\n"),
            _ => http(202, &[], ""),
        })
        .await;
        let (server, wire) = client_with(&peer.url, Rc::new(Fixed(Some(Secret::new(TOKEN)))));
        server.tools().await.unwrap();
        assert_eq!(sentence(call(&server, "echo").await), "The server's answer broke off");
        server.close().await;
        for what in [
            "server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call", "GET",
            "DELETE",
        ] {
            let asked = peer.asked(what);
            assert_eq!(asked.len(), 1, "{what}");
            assert_eq!(bearer(&asked[0]), Some(TOKEN), "{what}");
            assert!(!asked[0].body.to_string().contains(TOKEN), "{what}");
        }
        assert!(!peer.url.contains(TOKEN) && wire.sent("GET").iter().all(|get| get.url == peer.url));
    });
}

#[test]
fn no_error_shows_a_token() {
    run(async {
        let faults: [(&str, Vec<Do>); 6] = [
            ("refused", http(401, &[("www-authenticate", "Bearer error=\"invalid_token\"")], "")),
            ("no head", Vec::new()),
            ("a status", http(500, &[], "")),
            ("no JSON", http(200, &[], "<html>")),
            (
                "an error",
                http(200, &[], "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"),
            ),
            ("broken", broken_stream("data: {\n\n")),
        ];
        // The last cannot be a header at all.
        for token in [TOKEN, "secret-token-1\r\nx-evil: 1"] {
            for (what, answer) in faults.clone() {
                let peer = Peer::start(move |_| answer.clone()).await;
                let (server, _) = client_with(&peer.url, Rc::new(Fixed(Some(Secret::new(token)))));
                let error = call(&server, "echo").await.unwrap_err();
                let shown = format!("{error} {error:?}");
                assert!(!shown.contains("secret-token"), "{what}: {shown}");
                assert!(peer.asked("server/discover").iter().all(|asked| asked.header("x-evil").is_none()));
            }
        }
        // Nobody is there.
        let (server, _) = client_with("http://127.0.0.1:1/", Rc::new(Fixed(Some(Secret::new(TOKEN)))));
        let error = call(&server, "echo").await.unwrap_err();
        assert!(matches!(error, RemoteError::Unreachable(_)) && !format!("{error:?}").contains(TOKEN));
        assert_eq!(error.to_string(), "The server cannot be reached");
    });
}

#[test]
fn without_a_token_none_is_sent() {
    run(async {
        let peer = modern(|asked| json(&text(asked, "done"))).await;
        let (server, _) = client(&peer.url);
        call(&server, "echo").await.unwrap();
        assert!(peer.asked("tools/call").iter().all(|asked| asked.header("authorization").is_none()));
    });
}
