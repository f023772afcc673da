//! One model request to an upstream and its answer back, byte for byte.

use crate::chat::ProviderError;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::Upstream;
use crate::limits::Place;
use crate::stream::{Deadline, body};

/// Sends the body with the upstream's key. Nothing else of the page's request goes along: no cookie,
/// no authorization, no address.
pub(crate) async fn pass(
    http: &reqwest::Client,
    name: &str,
    upstream: &Upstream,
    request_body: Bytes,
    place: Place,
    deadline: Deadline,
) -> Result<Response, ProviderError> {
    let request = http
        .post(upstream.wire.url(&upstream.base_url))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "text/event-stream, application/json")
        .body(request_body);
    let answer = with_key(request, upstream).send().await.map_err(|error| unreachable(name, &error))?;
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
    let headers = forwarded(answer.headers());
    let mut response = Response::new(body(answer.bytes_stream(), place, deadline));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

/// A request to an upstream with its key, and what else its wire wants at the head.
pub(crate) fn with_key(request: reqwest::RequestBuilder, upstream: &Upstream) -> reqwest::RequestBuilder {
    let headers = upstream.wire.headers(upstream.key.as_ref());
    headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
}

/// What the page needs to know of the answer's head: its kind, when to come back, and the ids to name
/// when asking for help.
fn forwarded(answer: &HeaderMap) -> HeaderMap {
    let wanted = |name: &HeaderName| {
        let name = name.as_str();
        ["content-type", "retry-after", "retry-after-ms", "x-should-retry", "x-request-id", "request-id"]
            .contains(&name)
            || name.contains("ratelimit-")
    };
    let mut headers = HeaderMap::new();
    for (name, value) in answer.iter().filter(|(name, _)| wanted(name)) {
        headers.append(name.clone(), value.clone());
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy in front of us must not collect the stream either.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    headers
}

/// An address may tell more than a page should know, so the error names the upstream only.
fn unreachable(name: &str, error: &reqwest::Error) -> ProviderError {
    let (status, what) =
        if error.is_timeout() { (504, "did not answer in time") } else { (502, "cannot be reached") };
    ProviderError {
        status,
        kind: "upstream_unreachable",
        message: format!("The upstream \"{name}\" {what}. Is it running, and is its base_url right?"),
        param: None,
    }
}
