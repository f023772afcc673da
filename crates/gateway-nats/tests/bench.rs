//! What the tests share: gateways over one NATS, and an upstream that does what it is told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use gateway::{Cluster, Config, Log, Running, Upstream, serve_with};
use gateway_nats::{NatsCounters, Options};
use llm::Wire;

pub const QUESTION: &str = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello"}]}"#;

/// An upstream that answers each request at once, with the status it is told, and counts them.
pub struct Provider {
    pub base_url: String,
    pub status: Arc<AtomicU16>,
    pub asked: Arc<AtomicUsize>,
}

pub async fn provider() -> Provider {
    let (status, asked) = (Arc::new(AtomicU16::new(200)), Arc::new(AtomicUsize::new(0)));
    let state = (Arc::clone(&status), Arc::clone(&asked));
    let app = Router::new().fallback(move || {
        state.1.fetch_add(1, Ordering::Relaxed);
        let status = StatusCode::from_u16(state.0.load(Ordering::Relaxed)).unwrap();
        let text = "data: {\"model\":\"m\",\"usage\":{\"prompt_tokens\":60,\"completion_tokens\":40}}\n\ndata: [DONE]\n\n";
        async move { (status, [("content-type", "text/event-stream")], text) }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    Provider { base_url, status, asked }
}

/// A gateway that counts with others.
pub struct Bench {
    pub gateway: Running,
    pub counters: Arc<NatsCounters>,
    pub url: String,
    pub http: reqwest::Client,
}

/// A gateway at a NATS, with one upstream, changed by `change`.
pub async fn gateway(nats: &str, provider: &Provider, change: impl FnOnce(&mut Config)) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<!doctype html>").unwrap();
    let cluster = Cluster::at(nats);
    let counters = Arc::new(NatsCounters::open(Options::of(&cluster)).await.unwrap());
    let mut config = Config::new(folder.path()).in_cluster(cluster);
    config.log = Log::silent();
    config.pause_ms = 0;
    config.limits.concurrent_streams = 1_000;
    let upstream = Upstream {
        base_url: provider.base_url.clone(),
        wire: Wire::OpenAiChat,
        key: None,
        models: Vec::new(),
    };
    config.upstreams = BTreeMap::from([("test".to_owned(), upstream)]);
    change(&mut config);
    let shared: Arc<NatsCounters> = Arc::clone(&counters);
    let gateway = serve_with(config, shared).await.unwrap();
    let url = format!("http://{}", gateway.local_addr());
    Bench { gateway, counters, url, http: reqwest::Client::new() }
}

impl Bench {
    /// Asks the upstream; the status, and the wait that was said.
    pub async fn ask(&self) -> (u16, Option<u64>) {
        let request = self.http.post(format!("{}/api/llm/test/chat/completions", self.url));
        let response =
            request.header("content-type", "application/json").body(QUESTION).send().await.unwrap();
        let wait = response.headers().get("retry-after").map(|wait| wait.to_str().unwrap().parse().unwrap());
        let status = response.status().as_u16();
        response.bytes().await.unwrap();
        (status, wait)
    }

    /// The status of a path.
    pub async fn get(&self, path: &str) -> u16 {
        self.http.get(format!("{}{path}", self.url)).send().await.unwrap().status().as_u16()
    }
}

/// Waits until something is so, for as long as a slow machine may need.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !is_so().await {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
