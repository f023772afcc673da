//! Longer than is waited. Each bound is reached alone: the others are many seconds away.

use remote::{Limits, RemoteError, Server};
use serde_json::json;

use crate::world::peer::{
    Do, EVENTS, JSON, Peer, broken_stream, head, http, json, legacy, modern, result, text,
};
use crate::world::{call, client, limits, run, sentence, soon};

const TOO_SLOW: &str = "The server took too long";

/// A client with one bound that is soon reached.
fn hasty(url: &str, change: impl FnOnce(&mut Limits)) -> Server {
    let mut hasty = limits();
    change(&mut hasty);
    client(url).0.with_limits(hasty)
}

#[test]
fn a_server_without_a_word_is_given_up() {
    run(async {
        let peer = Peer::start(|_| vec![Do::Hold]).await;
        let server = hasty(&peer.url, |limits| limits.start_ms = 100);
        assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW);
        peer.is_hung_up().await;
        assert_eq!(peer.total(), 1);
    });
}

#[test]
fn a_head_that_drips_is_not_waited_for() {
    run(async {
        let peer = Peer::start(|_| {
            vec![Do::Say(b"HTTP/1.1 200 OK\r\nx-slow: ".to_vec()), Do::Repeat(b"a".to_vec(), 5)]
        })
        .await;
        let server = hasty(&peer.url, |limits| limits.start_ms = 100);
        assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW);
        peer.is_hung_up().await;
    });
}

#[test]
fn silence_after_the_head_is_given_up() {
    run(async {
        for kind in [JSON, EVENTS] {
            let peer = modern(move |_| vec![head(200, &[kind]), Do::Say(b" ".to_vec()), Do::Hold]).await;
            let server = hasty(&peer.url, |limits| limits.quiet_ms = 100);
            assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW, "{kind:?}");
            peer.is_hung_up().await;
            assert_eq!(peer.count("tools/call"), 1);
        }
    });
}

#[test]
fn an_answer_that_drips_for_ever_is_given_up() {
    run(async {
        for (kind, drop) in [(JSON, " "), (EVENTS, ":\n")] {
            let drip = vec![head(200, &[kind]), Do::Repeat(drop.as_bytes().to_vec(), 5)];
            let drips = drip.clone();
            let peer = modern(move |_| drips.clone()).await;
            let server = hasty(&peer.url, |limits| limits.call_ms = 200);
            assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_SLOW, "{kind:?}");
            peer.is_hung_up().await;
            assert_eq!(peer.count("tools/call"), 1);
            // The same for a list, and for the greeting.
            assert_eq!(sentence(soon(server.tools()).await), TOO_SLOW, "{kind:?}");
            let peer = Peer::start(move |_| drip.clone()).await;
            let server = hasty(&peer.url, |limits| limits.call_ms = 200);
            assert_eq!(sentence(soon(server.connect()).await), TOO_SLOW, "{kind:?}");
            assert_eq!(sentence(soon(server.tools()).await), TOO_SLOW, "{kind:?}");
            peer.is_hung_up().await;
            assert_eq!(peer.count("server/discover"), 2);
        }
    });
}

#[test]
fn pages_that_each_come_late_are_one_list() {
    run(async {
        let peer = modern(|asked| {
            let page = json(&result(asked, json!({ "tools": [], "nextCursor": "on" })));
            [vec![Do::Wait(80)], page].concat()
        })
        .await;
        let server = hasty(&peer.url, |limits| limits.call_ms = 200);
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
        let server = hasty(&peer.url, |limits| limits.start_ms = 300);
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
        let server = hasty(&peer.url, |limits| limits.start_ms = 200);
        server.connect().await.unwrap();
        soon(server.close()).await;
        peer.is_hung_up().await;
    });
}

#[test]
fn a_call_that_nobody_waits_for_any_more_is_hung_up() {
    run(async {
        let peer = modern(|_| vec![head(200, &[EVENTS]), Do::Hold]).await;
        let (server, _) = client(&peer.url);
        let waited = tokio::time::timeout(std::time::Duration::from_millis(200), call(&server, "echo")).await;
        assert!(waited.is_err());
        peer.is_hung_up().await;
    });
}

#[test]
fn a_call_that_takes_its_time_is_waited_for() {
    run(async {
        let peer = modern(|asked| {
            let comment = Do::Say(b":\n\n".to_vec());
            let alive = [Do::Wait(60), comment.clone(), Do::Wait(60), comment, Do::Wait(60)];
            let answer = crate::world::peer::event(&text(asked, "done"));
            [vec![head(200, &[EVENTS])], alive.to_vec(), vec![answer]].concat()
        })
        .await;
        // Never silent for so long, though longer in all.
        let server = hasty(&peer.url, |limits| limits.quiet_ms = 150);
        let outcome: Result<_, RemoteError> = call(&server, "echo").await;
        assert_eq!(outcome.map(|said| said.text), Ok("done".to_owned()));
    });
}
