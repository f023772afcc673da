//! What the tests share: a gateway over a small app, and an upstream that does what it is told.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures::channel::mpsc;
use gateway::{Config, Log, Model, Running, Upstream, serve};
use llm::{Secret, Wire};

pub const KEY: &str = "sk-top-secret-4711";
pub const QUESTION: &str = r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hello"}]}"#;

/// The built app: what a build leaves, in small.
pub fn app(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&dir));
    std::fs::create_dir_all(dir.join("app/icons")).unwrap();
    std::fs::write(dir.join("secret.txt"), "outside").unwrap();
    for (path, text) in [
        ("index.html", "<!doctype html><title>Satchel</title>"),
        ("sw.js", "importScripts('service-worker.js');"),
        ("service-worker.js", "// worker"),
        ("service-worker_bg.wasm", "\0asm worker"),
        ("ui-0123456789abcdef.js", "// page"),
        ("ui-0123456789abcdef.js.br", "BROTLI"),
        ("ui-0123456789abcdef.js.gz", "GZIP"),
        ("ui-0123456789abcdef_bg.wasm", "\0asm page"),
        ("ui-0123456789abcdef_bg.wasm.br", "WASM-BROTLI"),
        ("manifest.webmanifest", "{}"),
        ("styles-a1b2c3d4.css", "body{}"),
        ("icons/icon.svg", "<svg/>"),
        ("icons/icon.png", "png"),
    ] {
        std::fs::write(dir.join("app").join(path), text).unwrap();
    }
    dir.join("app")
}

pub struct Bench {
    pub gateway: Option<Running>,
    pub url: String,
    pub log: Arc<Mutex<Vec<String>>>,
    pub http: reqwest::Client,
}

/// A gateway over a small app, changed by `change`.
pub async fn start(name: &str, change: impl FnOnce(&mut Config)) -> Bench {
    let mut config = Config::new(app(name));
    let (log, lines) = Log::memory();
    config.log = log;
    change(&mut config);
    let gateway = serve(config).await.unwrap();
    let url = format!("http://{}", gateway.local_addr());
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    Bench { gateway: Some(gateway), url, log: lines, http }
}

impl Bench {
    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.http.get(format!("{}{path}", self.url)).send().await.unwrap()
    }

    pub fn ask(&self, upstream: &str, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
        self.ask_at(&format!("{upstream}/chat/completions"), body)
    }

    /// The same at another address under `api/llm/`.
    pub fn ask_at(&self, path: &str, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
        self.http
            .post(format!("{}/api/llm/{path}", self.url))
            .header("content-type", "application/json")
            .body(body)
    }

    pub fn logged(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }
}

pub fn upstream(base_url: &str) -> Upstream {
    Upstream {
        base_url: base_url.to_owned(),
        wire: Wire::OpenAiChat,
        key: Some(Secret::new(KEY)),
        models: vec![Model { id: "m".into(), name: "M".into(), window: Some(8_000) }],
    }
}

pub fn upstreams(base_url: &str) -> BTreeMap<String, Upstream> {
    BTreeMap::from([("test".to_owned(), upstream(base_url))])
}

/// What the upstream was asked.
pub struct Asked {
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: Bytes,
}

type Answer = dyn Fn() -> Response + Send + Sync;
type Shared = (Arc<Answer>, Arc<Mutex<Vec<Asked>>>);

/// An upstream that answers every request the same way.
pub struct Provider {
    pub base_url: String,
    pub asked: Arc<Mutex<Vec<Asked>>>,
}

pub async fn provider(answer: impl Fn() -> Response + Send + Sync + 'static) -> Provider {
    let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
    let state: Shared = (Arc::new(answer), Arc::clone(&asked));
    let app = Router::new()
        .fallback(
            |State((answer, asked)): State<Shared>, uri: Uri, headers: HeaderMap, body: Bytes| async move {
                asked.lock().unwrap().push(Asked { uri, headers, body });
                answer()
            },
        )
        .with_state(state);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    Provider { base_url, asked }
}

pub fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    for (name, value) in headers {
        response.headers_mut().insert(
            axum::http::HeaderName::try_from(*name).unwrap(),
            axum::http::HeaderValue::try_from(*value).unwrap(),
        );
    }
    response
}

pub type Chunk = Result<Bytes, std::io::Error>;

/// An upstream whose one stream is written by the test, chunk by chunk.
pub async fn scripted() -> (Provider, mpsc::UnboundedSender<Chunk>) {
    let (sender, receiver) = mpsc::unbounded::<Chunk>();
    let receiver = Mutex::new(Some(receiver));
    let provider = provider(move || {
        let receiver = receiver.lock().unwrap().take().expect("it streams once");
        answer(200, &[("content-type", "text/event-stream")], Body::from_stream(receiver))
    })
    .await;
    (provider, sender)
}

/// Fails a test that waits for something that does not come.
pub async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("it comes within ten seconds")
}
