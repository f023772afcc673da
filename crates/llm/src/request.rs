//! What the requests of all wires have in common: where they go, what stands at their head, and how a call's
//! arguments go back to the model.

use protocol::ToolCall;
use serde_json::{Value, json};

use crate::{Endpoint, HttpRequest};

/// A request for a stream of events. `auth` are the headers that show the key; the endpoint's own headers come last.
pub(crate) fn post(endpoint: &Endpoint, path: &str, auth: &[(&str, &str)], body: &Value) -> HttpRequest {
    let own = [("content-type", "application/json"), ("accept", "text/event-stream")];
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    HttpRequest {
        method: "POST".to_owned(),
        url: address(&endpoint.base_url, path),
        headers: own.iter().chain(auth).map(owned).chain(endpoint.headers.iter().cloned()).collect(),
        body: body.to_string().into_bytes(),
    }
}

/// The same with the key as a bearer token, as everybody but Anthropic wants it.
pub(crate) fn post_as_bearer(endpoint: &Endpoint, path: &str, body: &Value) -> HttpRequest {
    match key(endpoint) {
        Some(key) => post(endpoint, path, &[("authorization", &format!("Bearer {key}"))], body),
        None => post(endpoint, path, &[], body),
    }
}

/// The key, when there is one.
pub(crate) fn key(endpoint: &Endpoint) -> Option<&str> {
    endpoint.key.as_ref().filter(|key| !key.is_empty()).map(|key| key.expose())
}

/// The address of `path` (`/messages`, say) under a base URL. A query string (Azure's `?api-version=`) stays at the
/// end, and a base that was pasted with the path already on it is taken as it is.
pub(crate) fn address(base: &str, path: &str) -> String {
    let (base, query) = match base.split_once('?') {
        Some((base, query)) => (base, format!("?{query}")),
        None => (base, String::new()),
    };
    let base = base.trim_end_matches('/');
    let base = base.strip_suffix(path).unwrap_or(base);
    format!("{base}{path}{query}")
}

/// The arguments of a call of the history, as an object. When the model wrote no valid JSON, servers that parse the
/// history again (Anthropic, llama.cpp, vLLM) would refuse the whole conversation for it, so its text goes back inside
/// one.
pub(crate) fn arguments(call: &ToolCall) -> Value {
    match &call.arguments {
        Value::Object(_) => call.arguments.clone(),
        Value::String(text) => json!({ "invalid_json": text }),
        other => json!({ "invalid_json": other.to_string() }),
    }
}
