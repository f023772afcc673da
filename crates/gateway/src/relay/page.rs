//! The page's side: its stream of requests, and its answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use super::pairing::{Head, Line, Pairing, Taken};
use super::secret::Hashed;
use super::{Relay, refuse};

/// The header in which the page shows that it is the one that was paired.
const SECRET: &str = "satchel-relay-secret";

/// What a program hears of an answer's head.
const HEADERS: [&str; 5] = ["content-type", "cache-control", "mcp-session-id", "x-accel-buffering", "allow"];

/// Whether a page is paired; that it is answered at all says that there is a relay.
pub(super) async fn state(State(relay): State<Arc<Relay>>) -> Response {
    let is_paired = relay.current().is_some();
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "paired": is_paired }))).into_response()
}

/// Ends the pairing when the page stops listening, whatever made it.
struct Listening {
    relay: Arc<Relay>,
    pairing: Arc<Pairing>,
    lines: UnboundedReceiver<Line>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.relay.leave(&self.pairing);
    }
}

/// Pairs this page, in the place of one that was.
pub(super) async fn pair(State(relay): State<Arc<Relay>>) -> Response {
    let (Some((token, token_hash)), Some((secret, secret_hash))) = (Hashed::new(), Hashed::new()) else {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, -32603, "There is no randomness for a token.");
    };
    let (pairing, lines) = Pairing::new(token_hash, secret_hash, relay.limits);
    if let Some(before) = relay.replace(Some(Arc::clone(&pairing))) {
        before.say_ended("replaced");
        before.end();
    }
    let alive = Duration::from_millis(relay.limits.alive_ms);
    let first = frame(&json!({ "token": token, "secret": secret }).to_string());
    let listening = Listening { relay, pairing, lines };
    let events = stream::iter([Ok::<_, Infallible>(first)]).chain(events(listening, alive));
    let head = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (head, Body::from_stream(events)).into_response()
}

/// What the page is told, as events; a comment where there is nothing to tell for a while.
fn events(listening: Listening, alive: Duration) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    stream::unfold(listening, move |mut listening| async move {
        let event = match timeout(alive, listening.lines.recv()).await {
            Ok(Some(line)) => frame(&line.json),
            Ok(None) => return None,
            Err(_) => Bytes::from_static(b":\n\n"),
        };
        Some((Ok(event), listening))
    })
}

fn frame(json: &str) -> Bytes {
    Bytes::from(format!("data: {json}\n\n"))
}

/// An answer's head as the page writes it.
#[derive(Deserialize)]
struct PostedHead {
    status: u16,
    #[serde(default)]
    headers: Vec<(String, String)>,
}

/// A part of an answer: its `head`, a `piece`, its `end`, or that it is `cut`. The id stands in the path, so that a
/// piece that is too large to be read can be told whose it is.
pub(super) async fn answer(
    State(relay): State<Arc<Relay>>,
    Path((id, part)): Path<(String, String)>,
    request: Request,
) -> Response {
    let shown = request.headers().get(SECRET).map(HeaderValue::as_bytes).unwrap_or_default();
    let Some(pairing) = relay.current().filter(|pairing| pairing.secret.opens_to(shown)) else {
        return refuse(StatusCode::FORBIDDEN, -32600, "This page is not paired.");
    };
    let Ok(id) = id.parse() else { return said(&Taken::Unknown) };
    let Ok(body) = to_bytes(request.into_body(), relay.limits.piece_bytes).await else {
        pairing.cut(id, super::pairing::Cut::TooLarge);
        return said(&Taken::TooLarge);
    };
    let taken = match part.as_str() {
        "head" => match serde_json::from_slice::<PostedHead>(&body) {
            Ok(head) => pairing.head(id, read(head)),
            Err(_) => return refuse(StatusCode::BAD_REQUEST, -32600, "A head is {status, headers}."),
        },
        "piece" => pairing.piece(id, body),
        "end" => pairing.end_answer(id),
        "cut" => pairing.break_off(id),
        _ => Taken::Unknown,
    };
    said(&taken)
}

fn said(taken: &Taken) -> Response {
    match taken {
        Taken::Passed => StatusCode::NO_CONTENT.into_response(),
        Taken::Unknown => refuse(StatusCode::NOT_FOUND, -32600, "Nothing waits for this answer."),
        Taken::OutOfTurn => {
            refuse(StatusCode::CONFLICT, -32600, "An answer has one head, and it comes first.")
        }
        Taken::TooLarge => refuse(StatusCode::PAYLOAD_TOO_LARGE, -32600, "The answer is too large."),
    }
}

/// What of the head goes on. A status that is none is the page's fault, and the program hears of it as such.
fn read(head: PostedHead) -> Head {
    let status = StatusCode::from_u16(head.status).ok().filter(|status| !status.is_informational());
    let mut headers = HeaderMap::new();
    for (name, value) in head.headers {
        let name = name.to_ascii_lowercase();
        if let (Some(name), Ok(value)) =
            (HEADERS.into_iter().find(|known| *known == name), HeaderValue::try_from(value))
        {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    Head { status: status.unwrap_or(StatusCode::BAD_GATEWAY), headers }
}
