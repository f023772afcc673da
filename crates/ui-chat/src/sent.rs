//! What was sent to models, exactly: kept for as long as the page lives, and never written down.
//!
//! A request is known by its run and step, the way the log and the transcript know a step. The key is in a header, and of the
//! headers nothing is kept.

use async_trait::async_trait;
use leptos::prelude::*;
use llm::{HttpRequest, HttpResponse, Transport, TransportError};
use protocol::RunId;

use crate::clock;

/// So many requests are kept; the oldest go first.
const KEPT: usize = 60;

/// Less where they are long: each has all of its conversation's pictures in it.
const KEPT_BYTES: usize = 16 << 20;

/// One request as it went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When, in Unix milliseconds.
    pub at_ms: i64,
    /// Where to, without what stands after a question mark: some put a key there.
    pub address: String,
    /// The body, to the last character.
    pub body: String,
}

/// All of them. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Requests {
    kept: RwSignal<Vec<(String, Sent)>>,
    /// The step whose requests are looked at, by its key; none while nobody looks.
    pub looked_at: RwSignal<Option<String>>,
}

impl Requests {
    /// Nothing was sent yet.
    #[must_use]
    pub fn start() -> Self {
        Self { kept: RwSignal::new(Vec::new()), looked_at: RwSignal::new(None) }
    }

    /// What was sent for a step, first to last: a request that failed was made again.
    #[must_use]
    pub fn of(self, key: &str) -> Vec<Sent> {
        self.kept.with(|kept| kept.iter().filter(|(of, _)| of == key).map(|(_, sent)| sent.clone()).collect())
    }

    /// Whether anything was sent for a step.
    #[must_use]
    pub fn has(self, key: &str) -> bool {
        self.kept.with(|kept| kept.iter().any(|(of, _)| of == key))
    }

    fn keep(self, key: String, request: &HttpRequest) {
        let address = request.url.split(['?', '#']).next().unwrap_or_default().to_owned();
        let body = String::from_utf8_lossy(&request.body).into_owned();
        let sent = Sent { at_ms: clock::now_ms(), address, body };
        self.kept.update(|kept| {
            kept.push((key, sent));
            let bytes = |kept: &[(String, Sent)]| kept.iter().map(|(_, sent)| sent.body.len()).sum::<usize>();
            while kept.len() > 1 && bytes(kept) > KEPT_BYTES {
                kept.remove(0);
            }
            let over = kept.len().saturating_sub(KEPT);
            kept.drain(..over);
        });
    }
}

/// The key of a step: the one its answer has in the transcript.
#[must_use]
pub fn step_key(run: &RunId, step: u32) -> String {
    format!("{run}/{step}")
}

/// A transport that keeps what it sends for one step.
pub struct Noting<T> {
    inner: T,
    requests: Requests,
    key: String,
}

impl<T> Noting<T> {
    /// Keeps in `requests`, under this key, what goes over `inner`.
    #[must_use]
    pub fn new(inner: T, requests: Requests, key: String) -> Self {
        Self { inner, requests, key }
    }
}

#[async_trait(?Send)]
impl<T: Transport> Transport for Noting<T> {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        self.requests.keep(self.key.clone(), &request);
        self.inner.send(request).await
    }
}
