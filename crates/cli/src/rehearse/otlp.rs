//! Spans sent to a collector, by OTLP over HTTP as JSON. A collector that does not answer stops nothing.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

/// Headers for the collector, as OpenTelemetry has them: `name=value,name=value`.
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// How many conversations wait for a collector. What is more is dropped, and said.
const WAITING: usize = 1_000;

/// The most conversations of one request.
const TOGETHER: usize = 100;

const ATTEMPTS: u32 = 3;

const TIMEOUT: Duration = Duration::from_secs(10);

/// How long is waited for a collector at the end.
const LAST: Duration = Duration::from_secs(20);

/// Sends spans.
pub struct Exporter {
    waiting: Sender<String>,
    work: JoinHandle<Sent>,
    dropped: u64,
}

/// What came of it.
#[derive(Default)]
struct Sent {
    lost: u64,
    why: Option<String>,
}

impl Exporter {
    /// An exporter to a collector. An address without a path is given the usual one.
    ///
    /// # Errors
    /// When it is no address of HTTP, or the headers are none.
    pub fn new(address: &str) -> anyhow::Result<Self> {
        let mut url = Url::parse(address).context("--otlp is no address")?;
        anyhow::ensure!(
            matches!(url.scheme(), "http" | "https"),
            "--otlp is an address that begins with https:// or http://"
        );
        if url.path() == "/" {
            url.set_path("/v1/traces");
        }
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder()
            .user_agent(concat!("satchel-rehearse/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(headers(&std::env::var(HEADERS).unwrap_or_default())?)
            .timeout(TIMEOUT)
            .build()
            .context("no HTTP client")?;
        let (waiting, requests) = channel(WAITING);
        Ok(Self { waiting, work: tokio::task::spawn_local(send_all(client, url, requests)), dropped: 0 })
    }

    /// Sends a request's body, soon.
    pub fn send(&mut self, request: &str) {
        if !request.is_empty() && self.waiting.try_send(request.to_owned()).is_err() {
            self.dropped += 1;
        }
    }

    /// Sends the rest. A sentence where not all of it came there.
    pub async fn end(self) -> Option<String> {
        drop(self.waiting);
        let sent = match tokio::time::timeout(LAST, self.work).await {
            Ok(sent) => sent.unwrap_or_default(),
            Err(_late) => Sent { lost: 1, why: Some("it takes too long".to_owned()) },
        };
        let lost = sent.lost + self.dropped;
        let why = sent.why.unwrap_or_else(|| "it is too slow".to_owned());
        (lost > 0)
            .then(|| format!("spans of {lost} or more conversations did not come to the collector: {why}"))
    }
}

fn headers(text: &str) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        // What is wrong with it is not said with it: it may be a key.
        let wrong = || format!("{HEADERS} is a list of name=value");
        let (name, value) = pair.split_once('=').with_context(wrong)?;
        let mut value = HeaderValue::from_str(value.trim()).with_context(wrong)?;
        value.set_sensitive(true);
        headers.insert(HeaderName::try_from(name.trim()).with_context(wrong)?, value);
    }
    Ok(headers)
}

async fn send_all(client: reqwest::Client, url: Url, mut requests: Receiver<String>) -> Sent {
    let mut sent = Sent::default();
    let mut together = Vec::new();
    while requests.recv_many(&mut together, TOGETHER).await > 0 {
        let count = together.len() as u64;
        if let Err(why) = send(&client, &url, joined(&together)).await {
            sent.lost += count;
            sent.why = Some(why);
        }
        together.clear();
    }
    sent
}

/// One request of several: each is `{"resourceSpans":[…]}`.
fn joined(requests: &[String]) -> String {
    let spans = requests.iter().filter_map(|request| {
        request.strip_prefix(r#"{"resourceSpans":["#).and_then(|request| request.strip_suffix("]}"))
    });
    format!(r#"{{"resourceSpans":[{}]}}"#, spans.collect::<Vec<_>>().join(","))
}

async fn send(client: &reqwest::Client, url: &Url, body: String) -> Result<(), String> {
    let mut why = String::new();
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            tokio::time::sleep(Duration::from_millis(250 << attempt)).await;
        }
        let sent = client.post(url.clone()).header("content-type", "application/json").body(body.clone());
        match sent.send().await {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            Ok(answer) => {
                why = format!("it answers with {}", answer.status());
                // Those that the protocol says may be asked again.
                if !matches!(answer.status().as_u16(), 429 | 502..=504) {
                    return Err(why);
                }
            }
            Err(error) => why = error.without_url().to_string(),
        }
    }
    Err(why)
}
