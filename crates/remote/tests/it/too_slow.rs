//! Longer than is waited. Each bound is reached alone: the others are many seconds away.

use std::time::Duration;

use remote::{Limits, RemoteError, Server};
use serde_json::json;

use crate::world::peer::{
    Do, EVENTS, JSON, Peer, broken_stream, head, http, json, legacy, modern, result, text,
};
use crate::world::{call, client, limits, run, sentence, soon};

const TOO_SLOW: &str = "The server took too long";

/// How soon the one bound is reached: time enough for what comes before it on a machine with other things to do.
const SOON_MS: u64 = 500;

/// A client that was greeted without haste, and then is hasty in one thing.
async fn hasty(url: &str, change: impl FnOnce(&mut Limits)) -> Server {
    let server = client(url).0;
    server.connect().await.unwrap();
    let mut hasty = limits();
    change(&mut hasty);
    server.with_limits(hasty)
}

#[test]
fn a_server_without_a_word_is_given_up() {
    run(async {
        let peer = modern(|_| vec![Do::Hold]).await;
        let server = hasty(&peer.url, |limits| limits.start_ms = SOON_MS).await;
        assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW);
        peer.is_hung_up().await;
        assert_eq!(peer.count("tools/call"), 1);
    });
}

#[test]
fn a_head_that_drips_is_not_waited_for() {
    run(async {
        let head = b"HTTP/1.1 200 OK\r\nx-slow: ";
        let peer = modern(|_| vec![Do::Say(head.to_vec()), Do::Repeat(b"a".to_vec(), 5)]).await;
        let server = hasty(&peer.url, |limits| limits.start_ms = SOON_MS).await;
        assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW);
        peer.is_hung_up().await;
        assert_eq!(peer.count("tools/call"), 1);
    });
}

#[test]
fn silence_after_the_head_is_given_up() {
    run(async {
        for kind in [JSON, EVENTS] {
            let peer = modern(move |_| vec![head(200, &[kind]), Do::Say(b" ".to_vec()), Do::Hold]).await;
            let server = hasty(&peer.url, |limits| limits.quiet_ms = SOON_MS).await;
            assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW, "{kind:?}");
            peer.is_hung_up().await;
            assert_eq!(peer.count("tools/call"), 1);
        }
    });
}

/// A byte every few milliseconds, for ever.
fn drip(kind: (&str, &str)) -> Vec<Do> {
    let drop = if kind == JSON { " " } else { ":\n" };
    vec![head(200, &[kind]), Do::Repeat(drop.as_bytes().to_vec(), 5)]
}

#[test]
fn an_answer_that_drips_for_ever_is_given_up() {
    run(async {
        for kind in [JSON, EVENTS] {
            let peer = modern(move |_| drip(kind)).await;
            let server = hasty(&peer.url, |limits| limits.call_ms = SOON_MS).await;
            assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW, "{kind:?}");
            peer.is_hung_up().await;
            assert_eq!(peer.count("tools/call"), 1);
        }
    });
}

#[test]
fn a_list_that_drips_for_ever_is_given_up() {
    run(async {
        let peer = modern(|_| drip(EVENTS)).await;
        let server = hasty(&peer.url, |limits| limits.call_ms = SOON_MS).await;
        assert_eq!(sentence(soon(server.tools()).await), TOO_SLOW);
        peer.is_hung_up().await;
        assert_eq!(peer.count("tools/list"), 1);
    });
}

#[test]
fn a_greeting_that_drips_for_ever_is_given_up() {
    run(async {
        let peer = Peer::start(|_| drip(JSON)).await;
        let server = client(&peer.url).0.with_limits(Limits { call_ms: SOON_MS, ..limits() });
        assert_eq!(sentence(soon(server.connect()).await), TOO_SLOW);
        assert_eq!(sentence(soon(server.tools()).await), TOO_SLOW);
        peer.is_hung_up().await;
        assert_eq!((peer.count("server/discover"), peer.total()), (2, 2));
    });
}

#[test]
fn pages_that_each_come_late_are_one_list() {
    run(async {
        let peer = modern(|asked| {
            let page = json(&result(asked, json!({ "tools": [], "nextCursor": "on" })));
            [vec![Do::Wait(200)], page].concat()
        })
        .await;
        let server = hasty(&peer.url, |limits| limits.call_ms = SOON_MS).await;
        assert_eq!(sentence(soon(server.tools()).await), TOO_SLOW);
    });
}

#[test]
fn a_wait_that_the_server_wants_is_bounded() {
    run(async {
        // A week, before the stream may be asked for again.
        let peer = legacy(|asked| match asked.what() {
            "tools/call" => broken_stream("id: 7\nretry: 604800000\ndata:\n\n"),
            _ => http(500, &[], ""),
        })
        .await;
        let server = hasty(&peer.url, |limits| limits.start_ms = SOON_MS).await;
        assert_eq!(sentence(soon(call(&server, "echo")).await), "The server's answer broke off");
        assert_eq!(peer.count("GET"), 1);
    });
}

#[test]
fn a_session_that_does_not_end_is_left() {
    run(async {
        let peer = legacy(|asked| match asked.what() {
            "DELETE" => vec![Do::Hold],
            _ => http(202, &[], ""),
        })
        .await;
        let server = hasty(&peer.url, |limits| limits.start_ms = SOON_MS).await;
        soon(server.close()).await;
        peer.is_hung_up().await;
    });
}

#[test]
fn a_call_that_nobody_waits_for_any_more_is_hung_up() {
    run(async {
        let peer = modern(|_| vec![head(200, &[EVENTS]), Do::Hold]).await;
        let (server, _) = client(&peer.url);
        let is_asked = async {
            while peer.count("tools/call") == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            outcome = call(&server, "echo") => panic!("{outcome:?}"),
            () = is_asked => {}
        }
        peer.is_hung_up().await;
    });
}

#[test]
fn a_call_that_takes_its_time_is_waited_for() {
    run(async {
        let peer = modern(|asked| {
            let comment = Do::Say(b":\n\n".to_vec());
            let alive = vec![[Do::Wait(300), comment]; 5].concat();
            let answer = crate::world::peer::event(&text(asked, "done"));
            [vec![head(200, &[EVENTS])], alive, vec![answer]].concat()
        })
        .await;
        // Never silent for so long, though longer in all.
        let server = hasty(&peer.url, |limits| limits.quiet_ms = 1_200).await;
        let outcome: Result<_, RemoteError> = call(&server, "echo").await;
        assert_eq!(outcome.map(|said| said.text), Ok("done".to_owned()));
    });
}
