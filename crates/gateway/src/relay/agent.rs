//! The programs' side: one MCP endpoint, whose server is the page's worker.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures::{FutureExt, Stream};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};

use super::pairing::{Cut, Interest, Piece, Waiting};
use super::{Relay, refuse};

/// What a person has to do before there is anybody to ask.
const NO_PAGE: &str = "Satchel is not connected. Open it in the browser, turn on Settings, Other programs, \"Let other \
                       programs work with my to-dos\", and keep that tab open.";

/// Takes a request, has the page answer it, and passes the answer on as it comes.
pub(super) async fn ask(State(relay): State<Arc<Relay>>, request: Request) -> Response {
    let Some(pairing) = relay.current() else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, -32603, NO_PAGE);
    };
    // The right token is always let in: guessing by others is no reason to keep its owner out.
    if !bearer(request.headers()).is_some_and(|token| pairing.token.opens_to(token)) {
        return wrong_token(&relay);
    }
    if ![Method::POST, Method::GET, Method::DELETE].contains(request.method()) {
        let mut response =
            refuse(StatusCode::METHOD_NOT_ALLOWED, -32600, "The endpoint takes POST, GET and DELETE.");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST, GET, DELETE"));
        return response;
    }
    // Before the body, so that many large ones at once are not held either.
    let Some(place) = pairing.place() else {
        let message = format!("Too many requests at the same time: at most {}.", relay.limits.requests);
        return come_back(refuse(StatusCode::TOO_MANY_REQUESTS, -32603, &message), Duration::from_secs(1));
    };
    let deadline = Instant::now() + Duration::from_millis(relay.limits.answer_ms);
    let (head, body) = request.into_parts();
    let announced = head
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let limit = relay.limits.request_bytes;
    let body = match announced {
        Some(length) if length > limit => None,
        _ => timeout_at(deadline, to_bytes(body, limit)).await.ok().and_then(Result::ok),
    };
    let Some(body) = body else {
        let message = format!("The request is larger than {limit} bytes, or did not come in time.");
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, -32600, &message);
    };
    let Ok(body) = std::str::from_utf8(&body) else {
        return refuse(StatusCode::BAD_REQUEST, -32700, "The body is not UTF-8.");
    };
    let passed = json!({ "method": head.method.as_str(), "headers": passed_on(&head.headers), "body": body });
    let Some(Waiting { head, body, interest }) = pairing.pass(place, passed) else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, -32603, NO_PAGE);
    };
    match timeout_at(deadline, head).await {
        Ok(Ok(head)) => {
            let answer = Answer {
                body,
                is_cut: false,
                interest: Some(interest),
                deadline: Box::pin(sleep_until(deadline)),
            };
            let mut response = Response::new(Body::from_stream(answer));
            *response.status_mut() = head.status;
            *response.headers_mut() = head.headers;
            response
        }
        // The page went, or said that it cannot answer.
        Ok(Err(_)) => {
            refuse(StatusCode::SERVICE_UNAVAILABLE, -32603, "Satchel's tab went away before it answered.")
        }
        Err(_) => refuse(StatusCode::GATEWAY_TIMEOUT, -32603, "Satchel's tab did not answer in time."),
    }
}

/// The token that is shown, if one is.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let value = headers.get(header::AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}

fn wrong_token(relay: &Relay) -> Response {
    if let Err(wait) = relay.count_wrong() {
        return come_back(refuse(StatusCode::TOO_MANY_REQUESTS, -32600, "Too many wrong tokens."), wait);
    }
    let message =
        "The token is missing or not the one that Satchel showed last. Each connection has a new one.";
    let mut response = refuse(StatusCode::UNAUTHORIZED, -32600, message);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

fn come_back(mut response: Response, after: Duration) -> Response {
    let seconds = after.as_millis().div_ceil(1_000).max(1);
    if let Ok(value) = HeaderValue::from_str(&seconds.to_string()) {
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    response
}

/// The headers that are the protocol's. No cookie, no authorization, nothing about the program's machine.
fn passed_on(headers: &HeaderMap) -> Value {
    let wanted = |name: &HeaderName| {
        let name = name.as_str();
        matches!(name, "content-type" | "accept" | "last-event-id") || name.starts_with("mcp-")
    };
    let pairs = headers.iter().filter(|(name, _)| wanted(name));
    pairs.filter_map(|(name, value)| Some(json!([name.as_str(), value.to_str().ok()?]))).collect()
}

/// An answer's body: its pieces as they come, until its end, a cut, or the deadline. Given up when it is dropped.
struct Answer {
    body: UnboundedReceiver<Piece>,
    is_cut: bool,
    interest: Option<Interest>,
    deadline: Pin<Box<Sleep>>,
}

impl Stream for Answer {
    type Item = Result<Bytes, Cut>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_cut {
            return Poll::Ready(None);
        }
        // First, so that an answer without end is cut although there is always another piece.
        if self.deadline.poll_unpin(context).is_ready() {
            self.is_cut = true;
            self.interest = None;
            return Poll::Ready(Some(Err(Cut::TooLong)));
        }
        self.body.poll_recv(context).map(|piece| {
            let piece = piece.map(|piece| piece.and_then(|slot| slot.take()));
            if matches!(piece, None | Some(Err(_))) {
                self.is_cut = true;
                self.interest = None;
            }
            piece
        })
    }
}
