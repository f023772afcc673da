//! Model streams over real sockets: nothing buffered, nothing changed, nothing leaked.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use bench::{KEY, QUESTION, answer, provider, scripted, soon, start, upstreams};
use futures::StreamExt;
use llm::Wire;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn data(text: &str) -> String {
    format!(
        "data: {}\n\n",
        json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]})
    )
}

#[tokio::test]
async fn each_chunk_arrives_before_the_next_is_sent() {
    let (provider, sender) = scripted().await;
    let bench = start("unbuffered", |config| config.upstreams = upstreams(&provider.base_url)).await;
    let response = soon(bench.ask("test", QUESTION).send());
    // The head comes with the first bytes at the latest; the upstream is far from done.
    sender.unbounded_send(Ok(Bytes::from(data("one")))).unwrap();
    let mut body = response.await.unwrap().bytes_stream();
    assert_eq!(soon(body.next()).await.unwrap().unwrap(), data("one"));
    for text in ["two", "drei 🛰"] {
        sender.unbounded_send(Ok(Bytes::from(data(text)))).unwrap();
        assert_eq!(soon(body.next()).await.unwrap().unwrap(), data(text));
    }
    // Even half a character is passed on at once.
    sender.unbounded_send(Ok(Bytes::from_static(&[b'd', 0xF0, 0x9F]))).unwrap();
    assert_eq!(soon(body.next()).await.unwrap().unwrap().as_ref(), [b'd', 0xF0, 0x9F]);
    drop(sender);
    assert!(soon(body.next()).await.is_none());
}

#[tokio::test]
async fn the_key_goes_along_and_nothing_of_the_pages() {
    let provider = provider(|| {
        answer(
            200,
            &[
                ("content-type", "text/event-stream"),
                ("set-cookie", "a=b"),
                ("x-request-id", "req_1"),
                ("server", "x"),
            ],
            data("Hi"),
        )
    })
    .await;
    let bench = start("key", |config| config.upstreams = upstreams(&provider.base_url)).await;
    let request = bench
        .ask("test", QUESTION)
        .header("cookie", "session=1")
        .header("authorization", "Bearer the-pages-own")
        .header("x-forwarded-for", "10.0.0.1")
        .header("referer", "http://127.0.0.1/");
    let response = request.send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    let headers = response.headers().clone();
    assert_eq!(headers.get("x-request-id").unwrap(), "req_1");
    assert!(headers.get("set-cookie").is_none() && headers.get("server").is_none());
    assert_eq!(headers.get("cache-control").unwrap(), "no-store");
    assert_eq!(response.text().await.unwrap(), data("Hi"));
    let asked = provider.asked.lock().unwrap().pop().unwrap();
    assert_eq!(asked.uri.path(), "/v1/chat/completions");
    assert_eq!(asked.body, QUESTION);
    assert_eq!(asked.headers.get_all("authorization").iter().collect::<Vec<_>>(), [&format!("Bearer {KEY}")]);
    for name in ["cookie", "x-forwarded-for", "referer", "origin", "accept-encoding"] {
        assert!(asked.headers.get(name).is_none(), "{name} went along");
    }
}

#[tokio::test]
async fn each_wire_passes_at_its_address_with_its_headers() {
    for (name, wire, path, header, value) in [
        ("wire-chat", Wire::OpenAiChat, "chat/completions", "authorization", format!("Bearer {KEY}")),
        ("wire-messages", Wire::AnthropicMessages, "messages", "x-api-key", KEY.to_owned()),
        ("wire-responses", Wire::OpenAiResponses, "responses", "authorization", format!("Bearer {KEY}")),
    ] {
        let provider = provider(|| answer(200, &[("content-type", "text/event-stream")], data("Hi"))).await;
        let bench = start(name, |config| {
            config.upstreams = upstreams(&provider.base_url);
            config.upstreams.get_mut("test").unwrap().wire = wire;
        })
        .await;
        let paths = ["chat/completions", "messages", "responses"];
        for other in paths.into_iter().filter(|other| *other != path) {
            let response = bench.ask_at(&format!("test/{other}"), QUESTION).send().await.unwrap();
            assert_eq!(response.status().as_u16(), 404, "{name} at {other}");
            assert!(response.text().await.unwrap().contains(&format!("speaks {}", wire.name())));
        }
        let request = bench.ask_at(&format!("test/{path}"), QUESTION).header("x-api-key", "the-pages-own");
        let response = request.send().await.unwrap();
        assert_eq!((response.status().as_u16(), response.text().await.unwrap()), (200, data("Hi")), "{name}");
        let asked = std::mem::take(&mut *provider.asked.lock().unwrap());
        assert_eq!(asked.len(), 1, "{name}: only what is right is passed on");
        assert_eq!(
            (asked[0].uri.path(), asked[0].body.as_ref()),
            (format!("/v1/{path}").as_str(), QUESTION.as_bytes())
        );
        for known in ["authorization", "x-api-key"] {
            let sent: Vec<_> = asked[0].headers.get_all(known).iter().collect();
            let expected = if known == header { vec![value.as_str()] } else { vec![] };
            assert_eq!(sent, expected, "{name} {known}");
        }
        let is_anthropic = wire == Wire::AnthropicMessages;
        assert_eq!(asked[0].headers.get("anthropic-version").is_some(), is_anthropic, "{name}");
        let offer = &bench.get("/api/models").await.json_value().await["models"][1];
        let expected = if wire == Wire::OpenAiChat { Value::Null } else { json!(wire.name()) };
        assert_eq!((&offer["upstream"], &offer["wire"]), (&json!("test"), &expected));
    }
}

#[tokio::test]
async fn errors_pass_through_as_they_are() {
    let limited = r#"{"error":{"message":"slow","code":"rate_limit_exceeded"}}"#;
    for (name, status, headers, body) in [
        (
            "pass-429",
            429,
            vec![
                ("content-type", "application/json"),
                ("retry-after", "7"),
                ("x-ratelimit-reset-requests", "8s"),
                ("anthropic-ratelimit-tokens-remaining", "0"),
            ],
            limited,
        ),
        ("pass-500", 500, vec![("content-type", "text/html; charset=utf-8")], "<html>oops</html>"),
        ("pass-html", 200, vec![("content-type", "text/html")], "<html>Sign in</html>"),
        ("pass-302", 302, vec![("location", "http://127.0.0.1:1/elsewhere")], ""),
        ("pass-401", 401, vec![("x-should-retry", "false"), ("retry-after-ms", "12")], "no"),
    ] {
        let sent = headers.clone();
        let provider = provider(move || answer(status, &sent, body)).await;
        let bench = start(name, |config| config.upstreams = upstreams(&provider.base_url)).await;
        let response = bench.ask("test", QUESTION).send().await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        for (header, value) in headers {
            let passed = response.headers().get(header).map(|value| value.to_str().unwrap());
            // A redirect is not followed, and not repeated either: the page could not follow it.
            assert_eq!(passed, (header != "location").then_some(value), "{name} {header}");
        }
        assert_eq!(response.text().await.unwrap(), body, "{name}");
        assert_eq!(provider.asked.lock().unwrap().len(), 1, "{name}: the gateway asks once");
    }
}

#[tokio::test]
async fn a_cut_stays_a_cut() {
    let (provider, sender) = scripted().await;
    let bench = start("cut", |config| config.upstreams = upstreams(&provider.base_url)).await;
    sender.unbounded_send(Ok(Bytes::from(data("Hal")))).unwrap();
    let mut body = bench.ask("test", QUESTION).send().await.unwrap().bytes_stream();
    assert_eq!(soon(body.next()).await.unwrap().unwrap(), data("Hal"));
    sender.unbounded_send(Err(std::io::Error::other("the provider died"))).unwrap();
    drop(sender);
    // Not a proper end of the body: the page must not take half an answer for a whole one.
    assert!(soon(body.next()).await.unwrap().is_err());
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_named_and_no_more() {
    let bench =
        start("down", |config| config.upstreams = upstreams("http://127.0.0.1:9/v1/hidden-path")).await;
    for (upstream, status, kind) in
        [("test", 502, "upstream_unreachable"), ("nope", 404, "upstream_not_found")]
    {
        let response = bench.ask(upstream, QUESTION).send().await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        let text = response.text().await.unwrap();
        let error: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(error["error"]["code"], kind);
        assert!(text.contains(upstream) && !text.contains("hidden-path") && !text.contains(":9"), "{text}");
    }
}

#[tokio::test]
async fn when_the_page_leaves_the_upstream_is_left_too() {
    let (provider, sender) = scripted().await;
    let bench = start("leave", |config| config.upstreams = upstreams(&provider.base_url)).await;
    sender.unbounded_send(Ok(Bytes::from(data("one")))).unwrap();
    let mut body = bench.ask("test", QUESTION).send().await.unwrap().bytes_stream();
    assert!(soon(body.next()).await.is_some());
    drop(body);
    soon(async {
        while sender.unbounded_send(Ok(Bytes::from(data("more")))).is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_built_in_model_streams_in_real_time() {
    let bench = start("pocket", |_| {}).await;
    let response = bench.ask("pocket", QUESTION).send().await.unwrap();
    assert_eq!(response.headers().get("content-type").unwrap(), "text/event-stream");
    let started = Instant::now();
    let mut body = response.bytes_stream();
    let (mut text, mut chunks) = (String::new(), 0);
    while let Some(chunk) = soon(body.next()).await {
        text.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
        chunks += 1;
    }
    let events = text.matches("data: ").count();
    assert!(text.ends_with("data: [DONE]\n\n") && text.contains("\"finish_reason\":\"stop\""), "{text}");
    assert!(events >= 4 && chunks >= 2, "{events} events in {chunks} chunks");
    assert!(started.elapsed() >= Duration::from_millis(4), "a pause before each");
    // The same without streaming.
    let whole: Value = bench
        .ask("pocket", QUESTION.replace("true,\"stream_o", "false,\"stream_o"))
        .send()
        .await
        .unwrap()
        .json_value()
        .await;
    assert_eq!(
        (&whole["object"], &whole["choices"][0]["finish_reason"]),
        (&json!("chat.completion"), &json!("stop"))
    );
}

#[tokio::test]
async fn wrong_requests_are_answered_in_the_providers_format() {
    let bench = start("wrong", |config| config.limits.body_bytes = 1_000).await;
    let huge = format!("{{\"model\":\"{}\"}}", "x".repeat(2_000));
    for (content_type, body, status, code) in [
        ("application/json", "{", 400, "invalid_request_error"),
        ("application/json", "{}", 400, "invalid_request_error"),
        ("application/json", r#"{"model":"m","messages":[{"role":"wizard"}]}"#, 400, "invalid_request_error"),
        ("application/json; charset=utf-8", "[]", 400, "invalid_request_error"),
        ("application/json", huge.as_str(), 413, "request_too_large"),
        ("text/plain", QUESTION, 415, "unsupported_media_type"),
        ("application/x-www-form-urlencoded", "a=b", 415, "unsupported_media_type"),
    ] {
        let url = format!("{}/api/llm/pocket/chat/completions", bench.url);
        let request = bench.http.post(url).header("content-type", content_type).body(body.to_owned());
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{body}");
        let error = response.json_value().await;
        assert_eq!(error["error"]["code"], code, "{body}");
        assert!(error["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
    // A body that does not say its length is measured all the same.
    let chunks =
        futures::stream::iter(vec![Bytes::from(vec![b' '; 600]); 3].into_iter().map(Ok::<_, std::io::Error>));
    let response = bench.ask("pocket", reqwest::Body::wrap_stream(chunks)).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 413);
}

#[tokio::test]
async fn the_api_is_for_its_own_page() {
    let bench = start("guard", |_| {}).await;
    let own = bench.url.clone();
    for (headers, status) in [
        (vec![], 200),
        (vec![("origin", own.as_str()), ("sec-fetch-site", "same-origin")], 200),
        (vec![("origin", "https://evil.test")], 403),
        (vec![("host", "evil.test")], 403),
        (vec![("sec-fetch-site", "cross-site")], 403),
    ] {
        for (method, path) in [("POST", "/api/llm/pocket/chat/completions"), ("GET", "/api/models")] {
            let mut request = bench.http.request(method.parse().unwrap(), format!("{}{path}", bench.url));
            request = request.header("content-type", "application/json").body(QUESTION);
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status().as_u16(), status, "{path} {headers:?}");
            assert!(response.headers().get("access-control-allow-origin").is_none());
        }
    }
}

#[tokio::test]
async fn tools_are_not_here() {
    let bench = start("mcp", |_| {}).await;
    for path in ["/api/mcp", "/api/mcp/more", "/api/anything"] {
        for (method, status) in [("POST", 503), ("GET", 405), ("HEAD", 405), ("PUT", 405), ("DELETE", 405)] {
            let request = bench.http.request(method.parse().unwrap(), format!("{}{path}", bench.url));
            let response = request.send().await.unwrap();
            assert_eq!(response.status().as_u16(), status, "{method} {path}");
            if method == "POST" {
                let error = response.json_value().await;
                assert_eq!(error["error"]["code"], "worker_not_in_control");
            } else {
                assert_eq!(response.headers().get("allow").unwrap(), "POST");
            }
        }
    }
    assert_eq!(bench.get("/api/llm/pocket/chat/completions").await.status().as_u16(), 405);
}

#[tokio::test]
async fn models_are_listed_configured_or_asked_for() {
    let list = r#"{"object":"list","data":[{"id":"qwen3:8b","object":"model"},{"id":"x","name":"X","context_length":4096},{"id":"y","context_window":131072}]}"#;
    let asked = provider(move || answer(200, &[("content-type", "application/json")], list)).await;
    let bench = start("models", |config| {
        config.upstreams = upstreams("http://127.0.0.1:9/v1");
        for (name, base_url) in [("ollama", asked.base_url.as_str()), ("down", "http://127.0.0.1:9/v1")] {
            let mut upstream = bench::upstream(base_url);
            upstream.models.clear();
            config.upstreams.insert(name.into(), upstream);
        }
    })
    .await;
    for _ in 0..2 {
        insta::assert_json_snapshot!("models", bench.get("/api/models").await.json_value().await);
    }
    assert_eq!(asked.asked.lock().unwrap().len(), 1, "the list is kept for a while");
    assert!(bench.logged().contains("upstream=down models=unavailable"), "{}", bench.logged());
}

#[tokio::test]
async fn limits_are_kept_per_client() {
    let (provider, sender) = scripted().await;
    let bench = start("limits", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.limits.requests_per_minute = 3;
        config.limits.concurrent_streams = 1;
    })
    .await;
    let refused = |response: reqwest::Response| async {
        assert_eq!(response.status().as_u16(), 429);
        let wait: u64 = response.headers().get("retry-after").unwrap().to_str().unwrap().parse().unwrap();
        assert_eq!(response.json_value().await["error"]["code"], "rate_limit_exceeded");
        wait
    };
    sender.unbounded_send(Ok(Bytes::from(data("one")))).unwrap();
    let open = bench.ask("test", QUESTION).send().await.unwrap();
    assert_eq!(refused(bench.ask("pocket", QUESTION).send().await.unwrap()).await, 1, "one stream at a time");
    drop(open);
    // The place is given back when the stream is dropped; then the other limit counts.
    let mut served = 1;
    let wait = soon(async {
        loop {
            let response = bench.ask("pocket", QUESTION).send().await.unwrap();
            if response.status().is_success() {
                served += 1;
                response.text().await.unwrap();
                continue;
            }
            match refused(response).await {
                1 => tokio::time::sleep(Duration::from_millis(20)).await,
                wait => break wait,
            }
        }
    })
    .await;
    assert_eq!(served, 3);
    assert!((50..=60).contains(&wait), "{wait}");
    assert_eq!(bench.get("/api/models").await.status().as_u16(), 200, "only model requests are counted");
}

#[tokio::test]
async fn a_token_has_limits_of_its_own_and_is_not_guessed_for_ever() {
    const TOKEN: &str = "anna-s-token-which-is-long";
    let bench = start("tokens", |config| {
        let (sha256, requests_per_minute) = (Sha256::digest(TOKEN).into(), Some(2));
        let token = gateway::Token { sha256, requests_per_minute, ..gateway::Token::default() };
        config.tokens.insert("anna".into(), token);
        config.limits.requests_per_minute = 4;
    })
    .await;
    let ask = async |token: &str| {
        let request = bench.ask("pocket", QUESTION);
        let request = if token.is_empty() { request } else { request.bearer_auth(token) };
        let response = request.send().await.unwrap();
        let (status, challenge) =
            (response.status().as_u16(), response.headers().contains_key("www-authenticate"));
        assert_eq!(challenge, status == 401);
        response.text().await.unwrap();
        status
    };
    let asked = [ask(TOKEN).await, ask(TOKEN).await, ask(TOKEN).await];
    assert_eq!(asked, [200, 200, 429]);
    // The address has its own four; what is guessed is taken out of them.
    let asked = [ask("").await, ask("a guess").await, ask("").await, ask("another guess").await];
    assert_eq!(asked, [200, 401, 200, 401]);
    let asked = [ask("one more guess").await, ask("").await, ask(TOKEN).await];
    assert_eq!(asked, [429, 429, 429]);
    assert!(!bench.logged().contains(TOKEN), "{}", bench.logged());
}

#[tokio::test]
async fn keys_and_words_stay_out_of_answers_and_logs() {
    let provider = provider(|| answer(200, &[("content-type", "text/event-stream")], data("Hi"))).await;
    let bench = start("leak", |config| {
        assert!(!format!("{config:?}").contains(KEY));
        config.upstreams = upstreams(&provider.base_url);
        config.upstreams.insert("down".into(), bench::upstream("http://127.0.0.1:9/v1"));
        assert!(!format!("{config:?}").contains(KEY), "Debug hides keys");
    })
    .await;
    let mut seen = String::new();
    for path in ["/", "/api/models", "/healthz", "/api/models?key=in-the-query", "/api/mcp"] {
        let response = bench.get(path).await;
        seen.push_str(&format!("{:?}{}", response.headers().clone(), response.text().await.unwrap()));
    }
    for upstream in ["test", "down", "none"] {
        let body = QUESTION.replace("Hello", "my private words");
        let request = bench.ask(upstream, body).header("authorization", "Bearer the-pages-own");
        let response = request.send().await.unwrap();
        seen.push_str(&format!("{:?}{}", response.headers().clone(), response.text().await.unwrap()));
    }
    assert!(!seen.contains(KEY), "{seen}");
    let logged = bench.logged();
    for secret in [KEY, "the-pages-own", "private words", "in-the-query"] {
        assert!(!logged.contains(secret), "{secret} in:\n{logged}");
    }
    // But each request has its line.
    let lines: Vec<&str> = logged.lines().collect();
    assert_eq!(lines.len(), 8, "{logged}");
    assert!(
        lines[5].starts_with("method=POST path=/api/llm/test/chat/completions status=200 head_ms="),
        "{logged}"
    );
}

#[tokio::test]
async fn a_stop_lets_streams_run_to_their_end() {
    let (provider, sender) = scripted().await;
    let mut bench = start("drain", |config| config.upstreams = upstreams(&provider.base_url)).await;
    sender.unbounded_send(Ok(Bytes::from(data("one")))).unwrap();
    let mut body = bench.ask("test", QUESTION).send().await.unwrap().bytes_stream();
    assert!(soon(body.next()).await.is_some());
    let stopping = tokio::spawn(bench.gateway.take().unwrap().shutdown());
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!stopping.is_finished(), "it waits for the stream");
    let fresh = reqwest::Client::new().get(format!("{}/healthz", bench.url)).send().await;
    assert!(fresh.is_err(), "and takes no more connections");
    sender.unbounded_send(Ok(Bytes::from(data("two")))).unwrap();
    drop(sender);
    assert_eq!(soon(body.next()).await.unwrap().unwrap(), data("two"));
    assert!(soon(body.next()).await.is_none(), "a proper end");
    soon(stopping).await.unwrap();
}

#[tokio::test]
async fn a_stop_cuts_what_is_not_done_by_the_deadline() {
    let (provider, sender) = scripted().await;
    let mut bench = start("deadline", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.drain_ms = 100;
    })
    .await;
    sender.unbounded_send(Ok(Bytes::from(data("one")))).unwrap();
    let mut body = bench.ask("test", QUESTION).send().await.unwrap().bytes_stream();
    assert!(soon(body.next()).await.is_some());
    let started = Instant::now();
    soon(bench.gateway.take().unwrap().shutdown()).await;
    assert!(started.elapsed() < Duration::from_secs(3));
    assert!(soon(body.next()).await.unwrap().is_err(), "cut, and seen as cut");
}

/// reqwest's own `json` needs a feature we do not use otherwise.
trait JsonValue {
    async fn json_value(self) -> Value;
}

impl JsonValue for reqwest::Response {
    async fn json_value(self) -> Value {
        let text = self.text().await.unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"))
    }
}

#[tokio::test]
async fn a_large_answer_keeps_its_bytes() {
    let whole: Vec<u8> = (0..2_000_000_u32).map(|number| (number % 251) as u8).collect();
    let sent = whole.clone();
    let provider =
        provider(move || answer(200, &[("content-type", "text/event-stream")], Body::from(sent.clone())))
            .await;
    let bench = start("large", |config| config.upstreams = upstreams(&provider.base_url)).await;
    let body = bench.ask("test", QUESTION).send().await.unwrap().bytes().await.unwrap();
    assert!(body == whole, "{} bytes came of {}", body.len(), whole.len());
}
