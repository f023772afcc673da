//! The relay over real sockets, with peers that mean no good: wrong tokens, replays, answers too large or without end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use std::time::Duration;

use axum::body::Bytes;
use bench::{Bench, soon, start};
use futures::StreamExt;
use futures::stream::BoxStream;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A page, as far as the relay knows one.
struct Page {
    token: String,
    secret: String,
    http: reqwest::Client,
    url: String,
    stream: BoxStream<'static, reqwest::Result<Bytes>>,
    read: String,
}

impl Page {
    async fn pair(bench: &Bench) -> Self {
        let response = bench.http.post(format!("{}/api/relay", bench.url)).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers().get("content-type").unwrap(), "text/event-stream");
        let mut page = Self {
            token: String::new(),
            secret: String::new(),
            http: bench.http.clone(),
            url: bench.url.clone(),
            stream: response.bytes_stream().boxed(),
            read: String::new(),
        };
        let first = page.next().await.unwrap();
        page.token = first["token"].as_str().unwrap().to_owned();
        page.secret = first["secret"].as_str().unwrap().to_owned();
        assert!(page.token.len() == 64 && page.secret.len() == 64 && page.token != page.secret);
        page
    }

    /// The next event; None at the stream's end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((frame, rest)) = self.read.split_once("\n\n") {
                let data = frame.strip_prefix("data: ").map(|data| serde_json::from_str(data).unwrap());
                self.read = rest.to_owned();
                match data {
                    Some(event) => return Some(event),
                    None => continue,
                }
            }
            let piece = soon(self.stream.next()).await?.ok()?;
            self.read.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// The id of the next request that a program has.
    async fn asked(&mut self) -> Value {
        loop {
            let told = self.next().await.unwrap();
            if told["cancel"] != true {
                return told["id"].clone();
            }
        }
    }

    /// Posts a part of an answer and gives the status.
    async fn post(&self, id: &Value, part: &str, body: impl Into<reqwest::Body>) -> u16 {
        let request = self.http.post(format!("{}/api/relay/answer/{id}/{part}", self.url));
        let request = request.header("satchel-relay-secret", &self.secret).body(body);
        request.send().await.unwrap().status().as_u16()
    }

    async fn head(&self, id: &Value) -> u16 {
        let head = json!({"status": 200, "headers": [["content-type", "text/event-stream"]]});
        self.post(id, "head", head.to_string()).await
    }
}

fn ask(bench: &Bench, token: &str, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
    bench
        .http
        .post(format!("{}/mcp", bench.url))
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .body(body)
}

/// Sends a request in the background.
fn asking(request: reqwest::RequestBuilder) -> tokio::task::JoinHandle<reqwest::Result<reqwest::Response>> {
    tokio::spawn(request.send())
}

async fn status(request: reqwest::RequestBuilder) -> u16 {
    soon(request.send()).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_request_goes_there_and_its_answer_back_piece_by_piece() {
    let bench = start("relay-path", |_| {}).await;
    let mut page = Page::pair(&bench).await;
    let request = ask(&bench, &page.token, PING)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .header("mcp-session-id", "s1")
        .header("last-event-id", "7")
        .header("cookie", "a=b")
        .header("x-forwarded-for", "10.0.0.1")
        .header("satchel-version", "1")
        .header("user-agent", "someone");
    let answer = asking(request);
    let event = page.next().await.unwrap();
    let mut headers: Vec<(String, String)> = serde_json::from_value(event["headers"].clone()).unwrap();
    headers.sort();
    let expected = [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("last-event-id", "7"),
        ("mcp-protocol-version", "2025-11-25"),
        ("mcp-session-id", "s1"),
    ];
    assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!((event["method"].as_str(), event["body"].as_str()), (Some("POST"), Some(PING)));

    let id = &event["id"];
    let head = json!({"status": 201, "headers": [
        ["Content-Type", "text/event-stream"], ["mcp-session-id", "s2"], ["x-accel-buffering", "no"],
        ["set-cookie", "a=b"], ["location", "http://127.0.0.1:1/"], ["access-control-allow-origin", "*"], ["mcp-session-id\r\n", "x"],
    ]});
    assert_eq!(page.post(id, "piece", "early").await, 409, "first the head");
    assert_eq!(page.post(id, "end", "").await, 409);
    assert_eq!(page.post(id, "head", "{}").await, 400);
    assert_eq!(page.post(id, "head", head.to_string()).await, 204);
    assert_eq!(page.head(id).await, 409, "and only one");
    let response = soon(answer).await.unwrap().unwrap();
    assert_eq!(response.status().as_u16(), 201);
    let passed = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(passed("content-type").unwrap(), "text/event-stream");
    assert_eq!(
        (passed("mcp-session-id").unwrap(), passed("cache-control").unwrap()),
        ("s2".into(), "no-store".into())
    );
    for name in ["set-cookie", "location", "access-control-allow-origin"] {
        assert_eq!(passed(name), None, "{name} went along");
    }
    let mut body = response.bytes_stream();
    for piece in ["data: {\"progress\":1}\n\n", "drei 🛰"] {
        assert_eq!(page.post(id, "piece", piece).await, 204);
        assert_eq!(soon(body.next()).await.unwrap().unwrap(), piece);
    }
    assert_eq!(page.post(id, "end", "").await, 204);
    assert!(soon(body.next()).await.is_none());
    // Once more is nothing.
    for part in ["head", "piece", "end", "cut"] {
        let body = if part == "head" { head.to_string() } else { "again".into() };
        assert_eq!(page.post(id, part, body).await, 404, "{part}");
    }
    let logged = bench.logged();
    assert!(!logged.contains(&page.token) && !logged.contains(&page.secret), "{logged}");
}

#[tokio::test]
async fn without_the_token_nothing_reaches_the_page() {
    let bench = start("relay-token", |config| config.relay.wrong_per_minute = 6).await;
    assert_eq!(status(ask(&bench, "x", PING)).await, 503, "nobody is paired");
    let mut page = Page::pair(&bench).await;
    let url = format!("{}/mcp", bench.url);
    let wrong = page.token.replace(|c: char| c.is_ascii_digit(), "0");
    for value in ["", "Bearer", "Bearer ", "Basic YTpi", &page.token, &format!("Bearer {wrong}")] {
        let response = bench.http.post(&url).header("authorization", value).body(PING).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 401, "{value}");
        assert_eq!(response.headers().get("www-authenticate").unwrap(), "Bearer");
        let error: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert!(error["error"]["message"].as_str().unwrap().contains("token") && error["jsonrpc"] == "2.0");
    }
    let guess = bench.http.post(&url).header("authorization", "Bearer 0").send().await.unwrap();
    assert_eq!(guess.status().as_u16(), 429);
    assert!(guess.headers().contains_key("retry-after"));
    // The owner of the token is not kept out by it, and the first the page hears is their request.
    let answer = asking(ask(&bench, &page.token, "mine"));
    let event = page.next().await.unwrap();
    assert_eq!(event["body"], "mine");
    page.head(&event["id"]).await;
    page.post(&event["id"], "end", "").await;
    assert_eq!(soon(answer).await.unwrap().unwrap().status().as_u16(), 200);
    // The page's secret opens nothing for programs, nor the token anything for pages.
    assert_eq!(status(ask(&bench, &page.secret, PING)).await, 429);
    for secret in ["", "0", &page.token] {
        let request = bench.http.post(format!("{}/api/relay/answer/1/end", bench.url));
        assert_eq!(status(request.header("satchel-relay-secret", secret)).await, 403);
    }
}

#[tokio::test]
async fn a_second_page_takes_the_place_of_the_first() {
    let bench = start("relay-second", |_| {}).await;
    let state = async || soon(bench.get("/api/relay").await.text()).await.unwrap();
    assert_eq!(state().await, r#"{"paired":false}"#);
    let mut first = Page::pair(&bench).await;
    let answer = asking(ask(&bench, &first.token, PING));
    let id = first.next().await.unwrap()["id"].clone();
    let mut second = Page::pair(&bench).await;
    assert_eq!(soon(answer).await.unwrap().unwrap().status().as_u16(), 503, "what was under way is answered");
    assert_eq!(first.next().await.unwrap(), json!({"ended": "replaced"}));
    assert_eq!(first.next().await, None);
    assert_eq!(first.head(&id).await, 403);
    assert_eq!(status(ask(&bench, &first.token, PING)).await, 401);
    // The first one's going ends nothing.
    drop(first);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(state().await, r#"{"paired":true}"#);
    let answer = asking(ask(&bench, &second.token, PING));
    let id = second.next().await.unwrap()["id"].clone();
    assert_eq!((second.head(&id).await, second.post(&id, "end", "").await), (204, 204));
    assert_eq!(soon(answer).await.unwrap().unwrap().status().as_u16(), 200);
}

#[tokio::test]
async fn when_the_page_goes_all_is_over_at_once() {
    let bench = start("relay-gone", |_| {}).await;
    let mut page = Page::pair(&bench).await;
    let silent = asking(ask(&bench, &page.token, PING));
    page.next().await.unwrap();
    let begun = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    page.head(&id).await;
    page.post(&id, "piece", "half").await;
    let mut half = soon(begun).await.unwrap().unwrap().bytes_stream();
    assert_eq!(soon(half.next()).await.unwrap().unwrap(), "half");
    let token = page.token.clone();
    drop(page);
    assert_eq!(soon(silent).await.unwrap().unwrap().status().as_u16(), 503);
    assert!(soon(half.next()).await.unwrap().is_err(), "half an answer is not taken for a whole one");
    let response = soon(ask(&bench, &token, PING).send()).await.unwrap();
    assert_eq!(response.status().as_u16(), 503);
    assert!(response.text().await.unwrap().contains("Settings"), "it says what to do");
}

#[tokio::test]
async fn what_is_too_large_is_refused_or_cut() {
    let limits = |config: &mut gateway::Config| {
        config.relay.request_bytes = 1_000;
        config.relay.answer_bytes = 10_000;
        config.relay.piece_bytes = 4_000;
    };
    let bench = start("relay-large", limits).await;
    let mut page = Page::pair(&bench).await;
    assert_eq!(status(ask(&bench, &page.token, "x".repeat(1_001))).await, 413);
    // Without a length that could be looked at beforehand.
    let chunks = futures::stream::iter([0, 1]).map(|_| Ok::<_, std::io::Error>("y".repeat(600)));
    assert_eq!(status(ask(&bench, &page.token, reqwest::Body::wrap_stream(chunks))).await, 413);
    assert_eq!(status(ask(&bench, &page.token, vec![0xFF, 0xFE])).await, 400, "no text");

    // An answer that does not end; then a piece that is too large.
    for (piece, pieces) in [(3_000, 3), (4_001, 0)] {
        let answer = asking(ask(&bench, &page.token, PING));
        let id = page.next().await.unwrap()["id"].clone();
        page.head(&id).await;
        let mut body = soon(answer).await.unwrap().unwrap().bytes_stream();
        for _ in 0..pieces {
            assert_eq!(page.post(&id, "piece", "z".repeat(piece)).await, 204);
        }
        assert_eq!(page.post(&id, "piece", "z".repeat(piece)).await, 413);
        assert_eq!(page.next().await.unwrap(), json!({"id": id, "cancel": true}));
        assert_eq!(page.post(&id, "piece", "z").await, 404);
        let mut read = 0;
        let cut = loop {
            match soon(body.next()).await.unwrap() {
                Ok(bytes) => read += bytes.len(),
                Err(error) => break error,
            }
        };
        assert_eq!((read, cut.is_body() || cut.is_decode()), (piece * pieces, true), "{cut:?}");
    }
}

#[tokio::test]
async fn an_answer_takes_its_time_but_not_for_ever() {
    let bench = start("relay-slow", |config| config.relay.answer_ms = 300).await;
    let mut page = Page::pair(&bench).await;
    // Not a word; then a drip that goes on and on.
    assert_eq!(status(ask(&bench, &page.token, PING)).await, 504);
    let id = page.next().await.unwrap()["id"].clone();
    assert_eq!(page.next().await.unwrap(), json!({"id": id, "cancel": true}));
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    page.head(&id).await;
    let mut body = soon(answer).await.unwrap().unwrap().bytes_stream();
    let drip = async {
        while page.post(&id, "piece", ":\n\n").await == 204 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let read = async { while soon(body.next()).await.unwrap().is_ok() {} };
    soon(futures::future::join(drip, read)).await;
    assert_eq!(page.next().await.unwrap(), json!({"id": id, "cancel": true}));
    // A body that never comes to its end takes no place for ever either.
    let never = futures::stream::pending::<Result<Bytes, std::io::Error>>();
    assert_eq!(status(ask(&bench, &page.token, reqwest::Body::wrap_stream(never))).await, 413);
}

#[tokio::test]
async fn what_nobody_reads_is_not_piled_up() {
    let bench = start("relay-pile", |config| config.relay.waiting_bytes = 3 << 20).await;
    let mut page = Page::pair(&bench).await;
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    page.head(&id).await;
    // Has the head, and reads no further.
    let _stalled = soon(answer).await.unwrap().unwrap();
    let mut posted = 0;
    while page.post(&id, "piece", vec![b'x'; 1 << 19]).await == 204 {
        posted += 1;
        assert!(posted < 32, "more than sockets and the limit hold");
    }
    assert_eq!(page.next().await.unwrap()["cancel"], true);
}

#[tokio::test]
async fn who_does_not_read_costs_nobody_else_an_answer() {
    let bench = start("relay-share", |config| config.relay.waiting_bytes = 12 << 20).await;
    let mut page = Page::pair(&bench).await;
    // Two that have their head and read no further, each with more than its half of the room, sockets aside.
    let mut stalled = Vec::new();
    for _ in 0..2 {
        let stalls = asking(ask(&bench, &page.token, PING));
        let id = page.asked().await;
        page.head(&id).await;
        stalled.push(soon(stalls).await.unwrap().unwrap());
        for _ in 0..44 {
            if page.post(&id, "piece", vec![b'x'; 1 << 18]).await != 204 {
                break;
            }
        }
    }
    // Another program's answer goes through whole.
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.asked().await;
    page.head(&id).await;
    let reading = tokio::spawn(async move { soon(answer).await.unwrap().unwrap().bytes().await });
    for _ in 0..8 {
        assert_eq!(page.post(&id, "piece", vec![b'y'; 1 << 18]).await, 204);
    }
    assert_eq!(page.post(&id, "end", "").await, 204);
    assert_eq!(reading.await.unwrap().unwrap().len(), 8 << 18);
}

#[tokio::test]
async fn there_are_so_many_requests_at_once_and_no_more() {
    let bench = start("relay-many", |_| {}).await;
    let mut page = Page::pair(&bench).await;
    let open: Vec<_> = (0..32).map(|_| asking(ask(&bench, &page.token, PING))).collect();
    let mut ids = Vec::new();
    for _ in 0..32 {
        ids.push(page.next().await.unwrap()["id"].clone());
    }
    let response = soon(ask(&bench, &page.token, PING).send()).await.unwrap();
    assert_eq!(response.status().as_u16(), 429);
    assert!(response.headers().contains_key("retry-after"));
    for id in &ids {
        assert_eq!((page.head(id).await, page.post(id, "end", "").await), (204, 204));
    }
    for answer in open {
        assert_eq!(soon(answer).await.unwrap().unwrap().status().as_u16(), 200);
    }
    // There is room again.
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    page.post(&id, "cut", "").await;
    assert_eq!(soon(answer).await.unwrap().unwrap().status().as_u16(), 503);
}

#[tokio::test]
async fn a_program_that_leaves_is_a_request_given_up() {
    let bench = start("relay-cancel", |_| {}).await;
    let mut page = Page::pair(&bench).await;
    // Before the head, and in the middle of the body.
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    answer.abort();
    assert_eq!(page.next().await.unwrap(), json!({"id": id, "cancel": true}));
    assert_eq!(page.head(&id).await, 404);
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    page.head(&id).await;
    drop(soon(answer).await.unwrap().unwrap());
    assert_eq!(page.next().await.unwrap(), json!({"id": id, "cancel": true}));
    assert_eq!(page.post(&id, "piece", "late").await, 404);
    // What the page breaks off is broken off.
    let answer = asking(ask(&bench, &page.token, PING));
    let id = page.next().await.unwrap()["id"].clone();
    page.head(&id).await;
    page.post(&id, "piece", "half").await;
    page.post(&id, "cut", "").await;
    assert!(soon(soon(answer).await.unwrap().unwrap().text()).await.is_err());
}

#[tokio::test]
async fn other_sites_and_names_are_kept_out() {
    let bench = start("relay-foreign", |_| {}).await;
    let mut page = Page::pair(&bench).await;
    let address = bench.url.strip_prefix("http://").unwrap().to_owned();
    for path in ["/mcp", "/api/relay", "/api/relay/answer/1/end"] {
        for (host, more) in [
            ("evil.test", String::new()),
            ("evil.test", "origin: http://evil.test\r\n".into()),
            (&address, "origin: https://evil.test\r\n".into()),
            (&address, "origin: null\r\n".into()),
            (&address, "sec-fetch-site: cross-site\r\n".into()),
        ] {
            let mut socket = tokio::net::TcpStream::connect(&address).await.unwrap();
            let (token, secret) = (&page.token, &page.secret);
            let request = format!(
                "POST {path} HTTP/1.1\r\nhost: {host}\r\n{more}authorization: Bearer {token}\r\nsatchel-relay-secret: {secret}\r\n\
                 content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
            );
            socket.write_all(request.as_bytes()).await.unwrap();
            let mut answer = String::new();
            soon(socket.read_to_string(&mut answer)).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 403"), "{path} {host} {more}: {answer}");
            assert!(!answer.contains("access-control"), "{answer}");
        }
    }
    // The pairing stands, and heard nothing.
    let own = ask(&bench, &page.token, "own").header("origin", &bench.url);
    let answer = asking(own);
    assert_eq!(page.next().await.unwrap()["body"], "own");
    drop(answer);
    for method in ["PUT", "OPTIONS", "PATCH"] {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let request = bench.http.request(method, format!("{}/mcp", bench.url));
        assert_eq!(status(request.header("authorization", format!("Bearer {}", page.token))).await, 405);
    }
}

#[tokio::test]
async fn the_stream_is_kept_alive_and_ends_with_the_gateway() {
    let mut bench = start("relay-alive", |config| config.relay.alive_ms = 50).await;
    let mut page = Page::pair(&bench).await;
    assert_eq!(soon(page.stream.next()).await.unwrap().unwrap(), ":\n\n");
    let gateway = bench.gateway.take().unwrap();
    let stopping = tokio::spawn(gateway.shutdown());
    assert_eq!(page.next().await, None);
    // Not only when the time for streams is over.
    tokio::time::timeout(Duration::from_secs(5), stopping).await.unwrap().unwrap();
}
