//! What somebody who runs the gateway sees of it: its line for each request, its metrics, its spans, its health, and who is taken for
//! the client behind a proxy.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Bytes;
use bench::{KEY, QUESTION, answer, provider, scripted, soon, start, upstreams};
use gateway::{ClientName, LineFormat, Lines, Quotas};
use serde_json::Value;

const ANSWER: &str = "data: {\"model\":\"m-2026\",\"choices\":[{\"delta\":{\"content\":\"private answer\"}}]}\n\n\
                      data: {\"model\":\"m-2026\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n";
const STREAM: &[(&str, &str)] = &[("content-type", "text/event-stream")];
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn loopback() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// Waits until something is there.
async fn until<T>(mut there: impl AsyncFnMut() -> Option<T>) -> T {
    soon(async {
        loop {
            if let Some(there) = there().await {
                return there;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
}

#[tokio::test]
async fn a_line_of_json_says_how_a_request_ended_and_nothing_secret() {
    let provider = provider(|| answer(200, STREAM, ANSWER)).await;
    let bench = start("json-lines", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.lines = Lines { format: LineFormat::Json, client: ClientName::Hash };
    })
    .await;
    let body = QUESTION.replace("Hello", "my private words");
    let request = bench.ask_at("test/chat/completions?key=in-the-query", body);
    let request = request.header("authorization", "Bearer the-pages-own").header("traceparent", PARENT);
    let text = request.header("x-request-id", "from-the-proxy-1").send().await.unwrap().text().await.unwrap();
    bench.get("/index.html?token=in-the-query").await;
    let lines: Vec<Value> = until(async || {
        let lines: Vec<_> = bench.logged().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (lines.len() == 2).then_some(lines)
    })
    .await;
    let line = lines.iter().find(|line| line["method"] == "POST").unwrap();
    let told = |name: &str| line[name].as_str().unwrap().to_owned();
    assert_eq!(told("path"), "/api/llm/test/chat/completions");
    assert_eq!((&line["status"], &line["bytes"]), (&200.into(), &text.len().into()));
    assert_eq!((&line["input_tokens"], &line["output_tokens"]), (&7.into(), &3.into()));
    assert_eq!((told("upstream"), told("model"), told("end")), ("test".into(), "m".into(), "whole".into()));
    assert_eq!((told("request_id"), told("trace_id")), ("from-the-proxy-1".into(), PARENT[3..35].to_owned()));
    assert!(line["duration_ms"].is_u64() && line["first_byte_ms"].is_u64(), "{line}");
    assert!(told("time").starts_with("20") && told("time").ends_with('Z') && told("client").len() == 12);
    let logged = bench.logged();
    for secret in [KEY, "the-pages-own", "private", "in-the-query", "127.0.0.1"] {
        assert!(!logged.contains(secret), "{secret} in:\n{logged}");
    }
}

#[tokio::test]
async fn what_was_not_waited_for_and_what_broke_is_told_apart() {
    let (provider, sender) = scripted().await;
    let bench = start("json-ends", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.lines = Lines { format: LineFormat::Json, client: ClientName::Off };
    })
    .await;
    sender.unbounded_send(Ok(Bytes::from("data: {}\n\n"))).unwrap();
    let answer = bench.ask("test", QUESTION).send().await.unwrap();
    assert!(bench.logged().is_empty(), "a stream has its line when it has ended");
    sender.unbounded_send(Err(std::io::Error::other("the provider died"))).unwrap();
    assert!(answer.bytes().await.is_err());
    let line = until(async || bench.logged().lines().next().map(str::to_owned)).await;
    assert!(line.contains(r#""end":"cut""#) && !line.contains("client"), "{line}");
}

#[tokio::test]
async fn metrics_are_at_an_address_of_their_own() {
    let provider = provider(|| answer(200, STREAM, ANSWER)).await;
    let bench = start("metrics", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.limits.requests_per_minute = 2;
        config.metrics_address = Some(loopback());
    })
    .await;
    let address = bench.gateway.as_ref().unwrap().metrics_addr().unwrap();
    for status in [200, 200, 429] {
        let answer = bench.ask("test", QUESTION.replace("\"m\"", "\"m-nobody-knows\"")).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status);
        answer.bytes().await.unwrap();
    }
    let url = format!("http://{address}/metrics");
    let text = until(async || {
        let text = bench.http.get(&url).send().await.unwrap().text().await.unwrap();
        text.contains("satchel_gateway_limited_total{limit=\"requests\"} 1").then_some(text)
    })
    .await;
    let model = r#"gen_ai_operation_name="chat",gen_ai_provider_name="test",gen_ai_request_model="other""#;
    for row in [
        format!("gen_ai_client_operation_duration_seconds_count{{{model}}} 2"),
        format!("gen_ai_client_operation_time_to_first_chunk_seconds_count{{{model}}} 2"),
        format!("gen_ai_client_token_usage_sum{{{model},gen_ai_token_type=\"input\"}} 14.0"),
        format!("gen_ai_client_token_usage_sum{{{model},gen_ai_token_type=\"output\"}} 6.0"),
        r#"http_server_request_duration_seconds_count{http_request_method="POST",http_route="/api/llm/{upstream}/chat/completions",http_response_status_code="429"} 1"#.to_owned(),
        "satchel_gateway_streams 0".to_owned(),
        "satchel_gateway_upstream_left_alone{upstream=\"test\"} 0".to_owned(),
        "satchel_gateway_counts_shared 0".to_owned(),
        "satchel_gateway_counts_away 0".to_owned(),
    ] {
        assert!(text.lines().any(|line| line == row), "{row} in\n{text}");
    }
    // As a reader takes it: each row is a comment or a name, labels and a number; the end is said.
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, number) = line.rsplit_once(' ').unwrap();
        assert!(number.parse::<f64>().is_ok() && !name.contains("nobody"), "{line}");
    }
    assert!(text.ends_with("# EOF\n"));
    // Not where the app is.
    assert_eq!(bench.get("/metrics").await.status().as_u16(), 404);
}

/// What the gateway itself answers comes at once, and would make a broken upstream look quick.
#[tokio::test]
async fn refusals_of_our_own_are_no_first_chunk_of_a_model() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let bench = start("first-chunk", |config| {
        config.upstreams = upstreams(&format!("http://{nobody}/v1"));
        config.metrics_address = Some(loopback());
    })
    .await;
    for status in [502, 502, 502, 502, 502, 503] {
        let answer = bench.ask("test", QUESTION).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status);
        answer.bytes().await.unwrap();
    }
    let url = format!("http://{}/metrics", bench.gateway.as_ref().unwrap().metrics_addr().unwrap());
    let text = until(async || {
        let text = bench.http.get(&url).send().await.unwrap().text().await.unwrap();
        text.contains("error_type=\"503\"").then_some(text)
    })
    .await;
    assert!(!text.contains("gen_ai_client_operation_time_to_first_chunk_seconds_count"), "{text}");
}

#[tokio::test]
async fn a_request_to_a_model_is_a_span_under_whoever_asked() {
    let collector = provider(|| answer(200, &[], "{}")).await;
    let provider = provider(|| answer(200, STREAM, ANSWER)).await;
    let mut bench = start("spans", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.traces_endpoint = Some(collector.base_url.replace("/v1", ""));
    })
    .await;
    let unsampled = PARENT.replace("-01", "-00");
    for parent in [PARENT, &unsampled] {
        let body = QUESTION.replace("Hello", "my private words");
        let answer = bench.ask("test", body).header("traceparent", parent).send().await.unwrap();
        answer.bytes().await.unwrap();
    }
    // A stop sends what is left.
    soon(bench.gateway.take().unwrap().shutdown()).await;
    let asked = collector.asked.lock().unwrap();
    assert_eq!((asked.len(), asked[0].uri.path()), (1, "/v1/traces"));
    let text = std::str::from_utf8(&asked[0].body).unwrap();
    let json: Value = serde_json::from_str(text).unwrap();
    let spans = json["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let span = &spans[0];
    assert_eq!((spans.len(), &span["name"], &span["kind"]), (1, &"chat m".into(), &3.into()));
    assert_eq!((&span["traceId"], &span["parentSpanId"]), (&PARENT[3..35].into(), &PARENT[36..52].into()));
    let attribute = |name: &str| {
        let attributes = span["attributes"].as_array().unwrap();
        let value = &attributes.iter().find(|attribute| attribute["key"] == name).unwrap()["value"];
        value["stringValue"].as_str().or(value["intValue"].as_str()).unwrap().to_owned()
    };
    assert_eq!(attribute("gen_ai.response.model"), "m-2026");
    assert_eq!(attribute("gen_ai.usage.input_tokens"), "7");
    assert_eq!(attribute("gen_ai.usage.output_tokens"), "3");
    for secret in [KEY, "private", &provider.base_url] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[tokio::test]
async fn readiness_ends_before_anything_else_does() {
    let (provider, sender) = scripted().await;
    let mut bench = start("ready", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.pause_ms = 2_000;
    })
    .await;
    assert_eq!(bench.get("/readyz").await.status().as_u16(), 200);
    sender.unbounded_send(Ok(Bytes::from("data: {}\n\n"))).unwrap();
    let streams = bench.ask("test", QUESTION).send().await.unwrap();
    let stopping = tokio::spawn(bench.gateway.take().unwrap().shutdown());
    until(async || (bench.get("/readyz").await.status().as_u16() == 503).then_some(())).await;
    // Who has not heard of it yet is still served.
    assert_eq!(bench.get("/healthz").await.status().as_u16(), 200);
    assert!(bench.ask("pocket", QUESTION).send().await.unwrap().status().is_success());
    let fresh = || async { reqwest::Client::new().get(format!("{}/healthz", bench.url)).send().await };
    until(async || fresh().await.is_err().then_some(())).await;
    assert!(!stopping.is_finished(), "it waits for the stream");
    drop(sender);
    assert_eq!(streams.bytes().await.unwrap(), "data: {}\n\n");
    soon(stopping).await.unwrap();
}

#[tokio::test]
async fn behind_a_proxy_each_client_has_its_own_limits_and_quota() {
    let provider = provider(|| answer(200, STREAM, ANSWER)).await;
    let bench = start("proxy", |config| {
        config.upstreams = upstreams(&provider.base_url);
        config.trusted_proxies = vec![gateway::TrustedProxy::try_from("127.0.0.1".to_owned()).unwrap()];
        config.quotas = Quotas { tokens_per_day: Some(20), ..Quotas::default() };
    })
    .await;
    let ask = async |client: &str| {
        let answer = bench.ask("test", QUESTION).header("x-forwarded-for", client).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let count = until(async || {
        // What an answer took counts a moment after it has ended.
        let (status, text) = ask("192.0.2.1").await;
        (status == 429 && text.contains("20 tokens a day")).then(|| provider.asked.lock().unwrap().len())
    })
    .await;
    assert!((2..=4).contains(&count), "10 tokens each: {count}");
    assert_eq!(ask("192.0.2.2").await.0, 200);
    assert_eq!(ask("6.6.6.6, 192.0.2.1").await.0, 429, "what a client writes itself does not count");
}
