//! What counts towards a quota: answers of every shape, the models that a quota of dollars can hold, and what is under way at a stop.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Bytes;
use bench::{Bench, answer, app, provider, scripted, soon, upstreams};
use gateway::{
    Config, Counters, InOneProcess, LineFormat, Lines, Log, Model, Quotas, Rates, Spent, Standing,
};
use llm::Wire;
use serde_json::Value;

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// Counters that remember what was spent on days, and take their time for it.
#[derive(Clone, Default)]
struct Slow {
    counted: Arc<InOneProcess>,
    spent: Arc<Mutex<Vec<Spent>>>,
}

#[async_trait]
impl Counters for Slow {
    async fn take(&self, client: &str, rates: Rates) -> Result<(), Duration> {
        self.counted.take(client, rates).await
    }

    async fn spent(&self, account: &str) -> Spent {
        self.counted.spent(account).await
    }

    async fn spend(&self, account: &str, more: Spent) {
        tokio::time::sleep(Duration::from_millis(300)).await;
        self.spent.lock().unwrap().push(more);
        self.counted.spend(account, more).await;
    }

    async fn permit(&self, upstream: &str) -> Result<(), Duration> {
        self.counted.permit(upstream).await
    }

    async fn record(&self, upstream: &str, is_well: bool) {
        self.counted.record(upstream, is_well).await;
    }

    fn left_alone(&self) -> Vec<String> {
        self.counted.left_alone()
    }

    fn standing(&self) -> Standing {
        self.counted.standing()
    }
}

/// A gateway with an upstream and a quota of dollars that is far away.
async fn start(name: &str, base_url: &str, change: impl FnOnce(&mut Config)) -> (Bench, Slow) {
    let mut config = Config::new(app(name));
    let (log, lines) = Log::memory();
    config.log = log;
    config.upstreams = upstreams(base_url);
    for upstream in config.upstreams.values_mut() {
        upstream.models.clear();
    }
    config.quotas = Quotas { dollars_per_day: Some(1_000.0), ..Quotas::default() };
    change(&mut config);
    let counters = Slow::default();
    let gateway = gateway::serve_with(config, Arc::new(counters.clone())).await.unwrap();
    let url = format!("http://{}", gateway.local_addr());
    (Bench { gateway: Some(gateway), url, log: lines, http: reqwest::Client::new() }, counters)
}

fn question(model: &str) -> String {
    format!(r#"{{"model":"{model}","messages":[{{"role":"user","content":"Hello"}}]}}"#)
}

/// Stops the gateway, and gives what was spent: nothing is lost although it takes longer than the answer.
async fn spent(mut bench: Bench, counters: &Slow) -> Vec<Spent> {
    soon(bench.gateway.take().unwrap().shutdown()).await;
    counters.spent.lock().unwrap().clone()
}

#[tokio::test]
async fn an_answer_that_does_not_stream_counts_however_it_is_written() {
    let usage = r#""usage":{"prompt_tokens":1000,"completion_tokens":500}"#;
    let long = "x".repeat(2 << 20);
    for (name, text, tokens) in [
        ("quota-one-line", format!("{{\"model\":\"gpt-5-mini\",{usage}}}"), 1_500),
        ("quota-indented", format!("{{\n  \"model\": \"gpt-5-mini\",\n  {usage}\n}}\n"), 1_500),
        ("quota-long", format!("{{\"text\":\"{long}\",{usage}}}"), 1_500),
        // Nobody says what it took: a quarter of the bytes each way.
        ("quota-unsaid", format!("{{{:>398}}}", ""), question("gpt-5-mini").len() as u64 / 4 + 100),
    ] {
        let provider = provider(move || answer(200, JSON, text.clone())).await;
        let (bench, counters) = start(name, &provider.base_url, |_| {}).await;
        let answer = bench.ask("test", question("gpt-5-mini")).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 200, "{name}");
        answer.bytes().await.unwrap();
        let spent = spent(bench, &counters).await;
        assert_eq!(spent.iter().map(|spent| spent.tokens).collect::<Vec<_>>(), [tokens], "{name}");
        assert!(spent[0].micro_usd > 0, "{name}");
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_counts_by_what_came_of_it() {
    let (provider, sender) = scripted().await;
    let (bench, counters) = start("quota-cut", &provider.base_url, |config| {
        config.upstreams.get_mut("test").unwrap().wire = Wire::AnthropicMessages;
    })
    .await;
    let begin = "data: {\"message\":{\"model\":\"claude-sonnet-4-5\",\"usage\":{\"input_tokens\":5,\"cache_read_input_tokens\":995,\"output_tokens\":1}}}\n\n";
    sender.unbounded_send(Ok(Bytes::from(begin))).unwrap();
    let mut answer = bench.ask_at("test/messages", question("claude-sonnet-4-5")).send().await.unwrap();
    let mut left = begin.len();
    for _ in 0..99 {
        sender.unbounded_send(Ok(Bytes::from("data: {\"delta\":1}\n\n"))).unwrap();
        left += "data: {\"delta\":1}\n\n".len();
    }
    while left > 0 {
        left -= soon(answer.chunk()).await.unwrap().unwrap().len();
    }
    drop(answer);
    // Its end is seen when the next word cannot be written.
    let ended = async {
        while counters.spent.lock().unwrap().is_empty() {
            drop(sender.unbounded_send(Ok(Bytes::from(": still here\n\n"))));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    soon(ended).await;
    assert_eq!(spent(bench, &counters).await[0].tokens, 1_000 + 100);
}

#[tokio::test]
async fn a_client_that_leaves_before_an_answer_begins_is_seen() {
    // It takes connections and says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", silent.local_addr().unwrap());
    let (bench, counters) = start("quota-left", &base_url, |config| {
        config.lines = Lines { format: LineFormat::Json, ..Lines::default() };
    })
    .await;
    let body = question("gpt-5-mini");
    let request = bench.ask("test", body.clone()).timeout(Duration::from_millis(300));
    assert!(request.send().await.unwrap_err().is_timeout());
    let line = async {
        loop {
            if let Some(line) = bench.logged().lines().next() {
                return serde_json::from_str::<Value>(line).unwrap();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let line = soon(line).await;
    assert_eq!(
        (&line["status"], &line["end"], &line["model"]),
        (&499.into(), &"left".into(), &"gpt-5-mini".into())
    );
    // The upstream was asked.
    assert_eq!(spent(bench, &counters).await[0].tokens, body.len() as u64 / 4);
}

#[tokio::test]
async fn a_quota_of_dollars_holds_whatever_the_model_is_called() {
    // It answers as a dearer model than it was asked for.
    let text = r#"{"model":"claude-opus-4-1","usage":{"prompt_tokens":1000000,"completion_tokens":0}}"#;
    let provider = provider(move || answer(200, JSON, text)).await;
    let (bench, counters) = start("quota-model", &provider.base_url, |_| {}).await;
    let ask = async |upstream: &str, body: String| {
        let answer = bench.ask(upstream, body).send().await.unwrap();
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap();
        (status, serde_json::from_str::<Value>(&text).unwrap()["error"]["code"].as_str().map(str::to_owned))
    };
    let refused = |status, code: &str| (status, Some(code.to_owned()));
    for (body, expected) in [
        (question("nobody-knows-its-price"), refused(403, "model_without_price")),
        (question(""), refused(400, "invalid_request_error")),
        (question(&format!("{}/gpt-5-mini", "a".repeat(300))), refused(400, "invalid_request_error")),
        (r#"{"messages":[]}"#.to_owned(), refused(400, "invalid_request_error")),
        (r#"{"model":7}"#.to_owned(), refused(400, "invalid_request_error")),
        ("no JSON".to_owned(), refused(400, "invalid_request_error")),
        // Of two the last one counts.
        (r#"{"model":"gpt-5-mini","model":"unknown"}"#.to_owned(), refused(403, "model_without_price")),
        // Some read a name whatever its case, or take the next of a list.
        (r#"{"model":"gpt-5-mini","Model":"gpt-5"}"#.to_owned(), refused(400, "invalid_request_error")),
        (r#"{"model":"gpt-5-mini","models":["gpt-5"]}"#.to_owned(), refused(400, "invalid_request_error")),
    ] {
        assert_eq!(ask("test", body.clone()).await, expected, "{body}");
    }
    assert!(provider.asked.lock().unwrap().is_empty(), "none of them came to the upstream");
    let twice = r#"{"model":"unknown","model":"gpt-5-mini"}"#.to_owned();
    assert_eq!(ask("test", twice).await, (200, None));
    // The built-in one has no price and costs nothing, whatever it is called.
    for model in ["pocket", "claude-opus-4-1"] {
        assert_eq!(ask("pocket", question(model)).await, (200, None));
    }
    let dollars: Vec<u64> = spent(bench, &counters).await.iter().map(|spent| spent.micro_usd).collect();
    let dearer = llm::listed_price("claude-opus-4-1", 1_000_000).unwrap().price.input;
    assert_eq!(dollars, [dearer, 0, 0]);
}

#[tokio::test]
async fn who_has_a_quota_gets_the_models_on_offer_and_who_has_none_any() {
    let provider = provider(|| answer(200, JSON, "{}")).await;
    let m = || vec![Model { id: "m".into(), name: "M".into(), window: None }];
    let tokens = Quotas { tokens_per_day: Some(1_000_000), ..Quotas::default() };
    for (name, quotas, models, expected) in [
        ("offer-quota", tokens, m(), [200, 403]),
        ("offer-unlisted", tokens, Vec::new(), [200, 200]),
        ("offer-free", Quotas::default(), m(), [200, 200]),
    ] {
        let (bench, _) = start(name, &provider.base_url, |config| {
            config.quotas = quotas;
            config.upstreams.get_mut("test").unwrap().models = models;
        })
        .await;
        for (model, status) in ["m", "another"].into_iter().zip(expected) {
            let answer = bench.ask("test", question(model)).send().await.unwrap();
            assert_eq!(answer.status().as_u16(), status, "{name} {model}");
        }
    }
}
