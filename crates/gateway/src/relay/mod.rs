//! The relay: a program on this machine works on the data in the browser, because the person let it.
//!
//! The data is in the page's worker, where no other program can reach it. So the page, once the person says so, holds
//! one stream open (`POST /api/relay`) on which it hears what a program asks at `/mcp`, and posts the answers back
//! (`POST /api/relay/answer/{id}/…`). The gateway only passes on: it reads no message, keeps nothing on disk, and
//! forgets the pairing with the stream. What may be done is decided in the page, where the person is.
//!
//! Neither side is trusted. A program has to show the pairing's token; what it sends and what the page answers is
//! limited in size, number and time; what exceeds is cut, and the other side hears of it.

mod agent;
mod page;
mod pairing;
mod secret;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use serde_json::json;

use crate::SlidingWindow;
use pairing::Pairing;

/// How much the relay takes of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayLimits {
    /// The largest request of a program, in bytes.
    pub request_bytes: usize,
    /// Requests under way at the same time.
    pub requests: usize,
    /// The largest answer, in bytes.
    pub answer_bytes: usize,
    /// The largest piece of an answer that is posted at once, in bytes.
    pub piece_bytes: usize,
    /// Bytes of all answers together that programs have not taken yet.
    pub waiting_bytes: usize,
    /// How long a request may take from its first byte to its answer's last, in milliseconds.
    pub answer_ms: u64,
    /// How often the page is told that the stream is alive, in milliseconds.
    pub alive_ms: u64,
    /// Wrong tokens in any minute before there is no answer to the next one.
    pub wrong_per_minute: u32,
}

impl Default for RelayLimits {
    fn default() -> Self {
        Self {
            request_bytes: 4 << 20,
            requests: 32,
            answer_bytes: 16 << 20,
            piece_bytes: 1 << 20,
            waiting_bytes: 64 << 20,
            answer_ms: 600_000,
            alive_ms: 15_000,
            wrong_per_minute: 20,
        }
    }
}

/// The one pairing there may be, and who knocked with a wrong token of late.
pub(crate) struct Relay {
    limits: RelayLimits,
    current: Mutex<Option<Arc<Pairing>>>,
    wrong: Mutex<SlidingWindow>,
    started: Instant,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Relay")
    }
}

impl Relay {
    /// A relay without a pairing.
    pub(crate) fn new(limits: RelayLimits) -> Self {
        Self { limits, current: Mutex::default(), wrong: Mutex::default(), started: Instant::now() }
    }

    /// Ends the pairing, as a gateway does that stops.
    pub(crate) fn end(&self) {
        if let Some(pairing) = self.replace(None) {
            pairing.end();
        }
    }

    fn current(&self) -> Option<Arc<Pairing>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another pairing, or none, in the place of the one that was.
    fn replace(&self, pairing: Option<Arc<Pairing>>) -> Option<Arc<Pairing>> {
        std::mem::replace(&mut *self.current.lock().unwrap_or_else(PoisonError::into_inner), pairing)
    }

    /// Ends this pairing; a later one stays.
    fn leave(&self, pairing: &Arc<Pairing>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, pairing)) {
            *current = None;
        }
        drop(current);
        pairing.end();
    }

    /// Counts a wrong token; an error when there were too many, with the wait.
    fn count_wrong(&self) -> Result<(), Duration> {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        let a_minute = self.limits.wrong_per_minute;
        wrong.admit(self.started.elapsed(), a_minute, a_minute.saturating_mul(60))
    }
}

/// The page's side, under `/api/`, and the programs' side, at `/mcp`.
pub(crate) fn router(relay: Arc<Relay>) -> Router {
    Router::new()
        .route("/api/relay", get(page::state).post(page::pair))
        .route("/api/relay/answer/{id}/{part}", post(page::answer))
        .route("/mcp", any(agent::ask))
        .with_state(relay)
}

/// An error that a client of the protocol can read: without an id, since no request has been looked at.
fn refuse(status: StatusCode, code: i32, message: &str) -> Response {
    let body = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": message } }).to_string();
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
