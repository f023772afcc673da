//! Requests that mean no good, or that nobody meant: each gets an answer that says what is wrong, and the server goes on.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use api::{Limits, ModelChoice};
use serde_json::{Value, json};

use crate::client::{Client, Reply, last};
use crate::server::{ANNA, Server, options, unhurried};

fn is(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status, reply.code()), (status, code), "{reply:?}");
    assert_eq!(reply.body["type"], format!("urn:satchel:{code}"));
    assert!(!reply.body["detail"].as_str().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_good_token_there_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let session = server.anna().session().await;
    for token in ["", "wrong-0123456789abcdef", &ANNA[..20], &format!("{ANNA}x"), &format!("anna:{ANNA}")] {
        let stranger = Client::new(&server.base, token);
        for (operation, body) in [
            ("listSessions", None),
            ("createSession", Some(json!({}))),
            ("getSession", None),
            ("deleteSession", None),
            ("sendMessage", Some(json!({"text": "hello"}))),
            ("retryMessage", None),
            ("getEvents", None),
            ("answerQuestions", Some(json!({"callId": "c"}))),
        ] {
            let parameters = [("session", session.as_str()), ("Idempotency-Key", "k")];
            let reply = stranger.call(operation, &parameters, body).await;
            is(&reply, 401, "unauthorized");
            assert_eq!(reply.headers["www-authenticate"], "Bearer");
        }
    }
    // The description is everybody's.
    assert_eq!(Client::new(&server.base, "").call("getDescription", &[], None).await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_ones_session_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let made = server.anna().call("createSession", &[], Some(json!({"title": "Secret"}))).await.body;
    server.anna().say(made["id"].as_str().unwrap(), "k", "add milk").await;
    let bert = server.bert();
    for name in [made["id"].as_str().unwrap(), "Secret"] {
        for (operation, body) in [
            ("getSession", None),
            ("deleteSession", None),
            ("sendMessage", Some(json!({"text": "hello"}))),
            ("retryMessage", None),
            ("getEvents", None),
            ("answerQuestions", Some(json!({"callId": "c"}))),
        ] {
            let parameters = [("session", name), ("Idempotency-Key", "k")];
            is(&bert.call(operation, &parameters, body).await, 404, "session_not_found");
        }
    }
    assert_eq!(bert.call("listSessions", &[], None).await.body, json!({"sessions": []}));
    assert_eq!(server.anna().call("getSession", &[("session", "Secret")], None).await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_too_large_or_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        Server::start(api::Options { limits: unhurried(), ..options(folder.path(), ModelChoice::BuiltIn) })
            .await;
    let anna = server.anna();
    let session = anna.session().await;
    let parameters = [("session", session.as_str()), ("Idempotency-Key", "k")];
    let url = format!("{}/v1/sessions/{session}/messages", server.base);
    // What the description does not allow, which this client knows.
    for (length, status, code) in [(5_000_000, 413, "body_too_large"), (4_001, 422, "invalid_fields")] {
        let request = anna.http.post(&url).bearer_auth(ANNA).header("idempotency-key", "k");
        let response = request.json(&json!({"text": "ä".repeat(length)})).send().await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.json::<Value>().await.unwrap()["code"], code);
    }
    for (longest, status) in [
        (json!({"title": "x".repeat(200)}), 201),
        // It is read, and means none.
        (json!({"title": "x".repeat(200), "itinerary": "y".repeat(200)}), 404),
    ] {
        assert_eq!(anna.call("createSession", &[], Some(longest)).await.status, status);
    }
    let deep = format!("{{\"text\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for (kind, body, status, code) in [
        ("application/json", "{", 400, "invalid_request"),
        ("application/json", "", 422, "invalid_fields"),
        ("application/json", "null", 422, "invalid_fields"),
        ("application/json", "[]", 422, "invalid_fields"),
        ("application/json", "{\"text\":1}", 422, "invalid_fields"),
        ("application/json", "{\"text\":\"  \\n\"}", 422, "invalid_fields"),
        ("application/json", "{\"text\":\"a\",\"more\":1}", 422, "invalid_fields"),
        ("application/json", "{\"text\":\"\\ud800\"}", 400, "invalid_request"),
        ("application/json", "[\"hello\"]", 422, "invalid_fields"),
        ("application/json", "\"hello\"", 422, "invalid_fields"),
        ("application/json", &deep, 422, "invalid_fields"),
        ("text/plain", "{\"text\":\"a\"}", 415, "unsupported_media_type"),
        ("application/x-www-form-urlencoded", "text=a", 415, "unsupported_media_type"),
    ] {
        let request = anna.http.post(&url).bearer_auth(ANNA).header("content-type", kind);
        let response = request.header("idempotency-key", "k").body(body.to_owned()).send().await.unwrap();
        let head: String = body.chars().take(40).collect();
        assert_eq!(response.status().as_u16(), status, "{head}");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        assert_eq!(response.json::<Value>().await.unwrap()["code"], code, "{head}");
    }
    let deep =
        format!("{{\"callId\":\"c\",\"answers\":{{\"a\":{}1{}}}}}", "[".repeat(100_000), "]".repeat(100_000));
    let request = anna.http.post(url.replace("/messages", "/answers")).bearer_auth(ANNA);
    let response = request.header("content-type", "application/json").body(deep).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 400);
    for keys in [vec![], vec![""], vec!["a", "b"], vec!["ä"], vec![&*"k".repeat(256)]] {
        let mut request = anna.http.post(&url).bearer_auth(ANNA).json(&json!({"text": "hello"}));
        for key in &keys {
            request = request.header("idempotency-key", key.as_bytes());
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), 400, "{keys:?}");
        assert_eq!(response.json::<Value>().await.unwrap()["code"], "invalid_idempotency_key");
    }
    let long = anna.http.post(format!("{}/v1/sessions", server.base)).bearer_auth(ANNA);
    let long = long.json(&json!({"title": "x".repeat(201)})).send().await.unwrap();
    assert_eq!(long.status().as_u16(), 422);
    let listed = anna.call("getSession", &parameters[..1], None).await.body;
    assert_eq!(listed["messages"], 0, "nothing of it was taken: {listed}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_and_methods_that_there_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let send = async |method: &str, path: &str| {
        let url = format!("{}{path}", server.base);
        let response =
            anna.http.request(method.parse().unwrap(), url).bearer_auth(ANNA).send().await.unwrap();
        let status = response.status().as_u16();
        let body: Value = response.json().await.unwrap();
        (status, body["code"].as_str().unwrap().to_owned())
    };
    for (method, path, status, code) in [
        ("GET", "/", 404, "not_found"),
        ("GET", "/v1", 404, "not_found"),
        ("GET", "/v1/sessions/", 404, "not_found"),
        ("PUT", "/v1/sessions", 405, "method_not_allowed"),
        ("TRACE", "/v1/openapi.json", 405, "method_not_allowed"),
        ("GET", "/v1/sessions/%FF", 400, "invalid_request"),
        ("GET", "/v1/sessions/..%2F..%2Fbert", 404, "session_not_found"),
        ("GET", "/v1/sessions/%00", 404, "session_not_found"),
        ("DELETE", "/v1/sessions/sessions", 404, "session_not_found"),
    ] {
        assert_eq!(send(method, path).await, (status, code.to_owned()), "{method} {path}");
    }
    let session = anna.session().await;
    for id in ["x", "1", "-1.0", "1.0.5-zz", "\u{e4}", "99999999999999999999999.0"] {
        let reply = anna.call("getEvents", &[("session", &session), ("Last-Event-ID", id)], None).await;
        is(&reply, 400, "invalid_request");
    }
    // One of the future is none that was sent; there is nothing after it.
    let id = "18446744073709551615.4294967295.18446744073709551615-0000000000000000";
    let reply = anna.call("getEvents", &[("session", &session), ("Last-Event-ID", id)], None).await;
    assert_eq!(reply.status, 204);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_hosts_and_origins_are_not_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let mut with = options(folder.path(), ModelChoice::BuiltIn);
    with.origins = vec!["https://good.example".to_owned()];
    with.hosts = vec!["api.example".to_owned()];
    let server = Server::start(with).await;
    let send = async |name: &str, value: &str| {
        let request = server.anna().request("listSessions", &[], None).header(name, value);
        let response = request.send().await.unwrap();
        let allowed = response.headers().get("access-control-allow-origin").cloned();
        (response.status().as_u16(), allowed.map(|value| value.to_str().unwrap().to_owned()))
    };
    assert_eq!(send("host", "evil.example").await, (403, None));
    assert_eq!(send("host", "api.example").await, (200, None));
    assert_eq!(send("origin", "http://evil.example").await, (403, None));
    assert_eq!(send("origin", "null").await, (403, None));
    assert_eq!(send("origin", &server.base).await, (403, None));
    assert_eq!(send("origin", "https://good.example").await, (200, Some("https://good.example".to_owned())));
    server.stop().await;
}

/// A request by hand: what the server answers before it or we close. Nothing where it closes without a word.
fn raw(base: &str, head: &str, mut body: impl FnMut() -> Option<Vec<u8>>) -> String {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    while let Some(piece) = body() {
        // Whoever closes has said why.
        if stream.write_all(&piece).is_err() {
            break;
        }
    }
    drop(stream.shutdown(Shutdown::Write));
    let mut text = Vec::new();
    drop(stream.read_to_end(&mut text));
    String::from_utf8(text).unwrap()
}

/// The same, and our side stays open: whoever ends it is the server.
fn raw_open(base: &str, head: &str) -> String {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut text = Vec::new();
    let mut piece = [0; 4_096];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => text.extend_from_slice(&piece[..read]),
            // Closed with something of ours unread.
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("it was not closed: {error}"),
        }
    }
    String::from_utf8(text).unwrap()
}

fn head(path: &str, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ANNA}\r\nContent-Type: application/json\r\nIdempotency-Key: k\r\n{more}\r\n\r\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_without_an_end_and_heads_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { patience: Duration::from_millis(700), ..unhurried() };
    let server = Server::start(api::Options { limits, ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let session = server.anna().session().await;
    let path = format!("/v1/sessions/{session}/messages");
    let base = server.base.clone();
    tokio::task::spawn_blocking(move || {
        let chunked = head(&path, "Transfer-Encoding: chunked");
        let chunk = |length: usize| {
            [format!("{length:x}\r\n").into_bytes(), vec![b'x'; length], b"\r\n".to_vec()].concat()
        };
        // As much as there is.
        let said = raw(&base, &chunked, || Some(chunk(100_000)));
        assert!(said.starts_with("HTTP/1.1 413 ") && said.contains("body_too_large"), "{said}");
        // A byte now and then.
        let (began, mut sent) = (Instant::now(), 0);
        let said = raw(&base, &chunked, || {
            std::thread::sleep(Duration::from_millis(100));
            sent += 1;
            (sent < 40).then(|| chunk(1))
        });
        assert!(said.starts_with("HTTP/1.1 408 ") && said.contains("request_timeout"), "{said}");
        assert!(began.elapsed() < Duration::from_secs(20));
        // A length that is not kept.
        let said = raw(&base, &head(&path, "Content-Length: 5000000"), || None);
        assert!(said.starts_with("HTTP/1.1 413 ") && said.contains("body_too_large"), "{said}");
        let mut is_first = true;
        let said = raw(&base, &head(&path, "Content-Length: 100"), || {
            std::mem::take(&mut is_first).then(|| b"{".to_vec())
        });
        assert!(said.starts_with("HTTP/1.1 400 ") && said.contains("invalid_request"), "{said}");
        // A head that does not end.
        let mut sent = 0;
        let said = raw(&base, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n"), || {
            std::thread::sleep(Duration::from_millis(100));
            sent += 1;
            (sent < 40).then(|| b"X-More: y\r\n".to_vec())
        });
        assert!(said.is_empty() && sent < 40, "it is cut off without a word: {said}");
        // And one that does not begin.
        let began = Instant::now();
        assert!(raw_open(&base, "").is_empty());
        assert!(began.elapsed() < Duration::from_secs(20), "it is cut off");
        // One that is too long, and what is no HTTP at all.
        for (bad, status) in [
            (format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "y".repeat(20_000)), 431),
            ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(), 400),
        ] {
            let said = raw_open(&base, &bad);
            assert!(said.starts_with(&format!("HTTP/1.1 {status} ")), "{said}");
        }
    })
    .await
    .unwrap();
    // It still answers.
    let after = server.anna().say(&session, "k", "hello").await;
    assert_eq!(after.last().unwrap().name, "done");
    server.stop().await;
}

/// Whoever asks and does not read, without a token, holds a connection for a while and no longer.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { connections: 4, write_patience: Duration::from_millis(500), ..unhurried() };
    let server = Server::start(api::Options { limits, ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let (address, base) = (server.base.strip_prefix("http://").unwrap().to_owned(), server.base.clone());
    let held = tokio::task::spawn_blocking(move || {
        let ask = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
        let ask_for = |address: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
            // Until the server takes no more of it, since its answers are not read.
            while stream.write_all(ask.as_bytes()).is_ok() {}
            stream
        };
        (0..4).map(|_| ask_for(&address)).collect::<Vec<_>>()
    });
    let held = held.await.unwrap();
    let reader = Client::new(&base, ANNA);
    let answered = tokio::time::timeout(Duration::from_secs(20), reader.session()).await;
    assert!(answered.is_ok(), "all places are held by those who do not read");
    drop(held);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_has_so_many_streams() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { streams: 1, ..unhurried() };
    let server = Server::start(api::Options { limits, ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let anna = server.anna();
    let session = anna.session().await;
    let named = [("session", session.as_str())];
    anna.say(&session, "a", "add milk").await;
    let (stream, _) = anna.delete(&session, "b", "milk").await;
    let Err(second) = anna.stream("getEvents", &named, None).await else { panic!("a second stream") };
    is(&second, 429, "too_many_streams");
    // Nothing of it was taken.
    let other = anna.session().await;
    is(&anna.refused(&other, "k", "add bread").await, 429, "too_many_streams");
    assert_eq!(anna.call("getSession", &[("session", &other)], None).await.body["messages"], 0);
    // Another's are another's, and whoever stops reading has it back.
    let bert = server.bert();
    bert.say(&bert.session().await, "k", "hello").await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(last(&anna.say(&other, "k", "add bread").await).name, "done");
    server.stop().await;
}
