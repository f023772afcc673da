//! Spans sent to a collector, by OTLP over HTTP as JSON. A collector that does not answer stops nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use thiserror::Error;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

/// Headers for the collector, as OpenTelemetry has them: `name=value,name=value`, where a value may have `%20` for a space and the like.
pub const OTLP_HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// How many bodies wait for a collector. What is more is dropped, and counted.
const WAITING: usize = 1_000;

/// The most bodies of one request.
const TOGETHER: usize = 100;

const ATTEMPTS: u32 = 3;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Why spans cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The collector's address is none of HTTP.
    #[error("the collector's address has to begin with https:// or http://")]
    Address,
    /// The headers are no list. They are not shown: one may be a key.
    #[error("{OTLP_HEADERS} has to be a list of name=value")]
    Headers,
    /// No client could be made.
    #[error("no HTTP client: {0}")]
    Client(String),
}

/// A queue of spans in front of a collector. It is made inside a tokio runtime.
pub struct Exporter {
    waiting: Sender<String>,
    work: JoinHandle<Sent>,
    dropped: AtomicU64,
}

/// What came of it.
#[derive(Default)]
struct Sent {
    lost: u64,
    why: Option<String>,
}

impl Exporter {
    /// An exporter to a collector. An address without a path is given the usual one; headers are as in [`OTLP_HEADERS`].
    ///
    /// # Errors
    /// When it is no address of HTTP, or the headers are none.
    pub fn new(address: &str, header_list: &str, user_agent: &str) -> Result<Self, ExportError> {
        let mut url = Url::parse(address).map_err(|_no_address| ExportError::Address)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ExportError::Address);
        }
        if url.path() == "/" {
            url.set_path("/v1/traces");
        }
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder()
            .user_agent(user_agent)
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(headers(header_list).ok_or(ExportError::Headers)?)
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| ExportError::Client(error.to_string()))?;
        let (waiting, requests) = channel(WAITING);
        Ok(Self { waiting, work: tokio::spawn(send_all(client, url, requests)), dropped: AtomicU64::new(0) })
    }

    /// Sends a body (`{"resourceSpans":[…]}`), soon; one that is empty is nothing.
    pub fn send(&self, body: &str) {
        if !body.is_empty() && self.waiting.try_send(body.to_owned()).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends the rest, for as long as is said. How many bodies did not come to the collector, or more, and why; `None` where all did.
    pub async fn end(self, patience: Duration) -> Option<(u64, String)> {
        drop(self.waiting);
        let sent = match tokio::time::timeout(patience, self.work).await {
            Ok(sent) => sent.unwrap_or_default(),
            Err(_late) => Sent { lost: 1, why: Some("it takes too long".to_owned()) },
        };
        let lost = sent.lost + self.dropped.into_inner();
        (lost > 0).then(|| (lost, sent.why.unwrap_or_else(|| "it is too slow".to_owned())))
    }
}

fn headers(text: &str) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=')?;
        let value: Vec<u8> = percent_decode_str(value.trim()).collect();
        let mut value = HeaderValue::from_bytes(&value).ok()?;
        value.set_sensitive(true);
        headers.insert(HeaderName::try_from(name.trim()).ok()?, value);
    }
    Some(headers)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_headers_are_decoded() {
        let read = headers("authorization=Bearer%20a%2Cb%3D, x-team = blue ,,").unwrap();
        assert_eq!(read["authorization"], "Bearer a,b=");
        assert_eq!((read["x-team"].as_bytes(), read.len()), (&b"blue"[..], 2));
        for wrong in ["no value", "a b=c", "a=%0A"] {
            assert!(headers(wrong).is_none(), "{wrong}");
        }
    }
}
