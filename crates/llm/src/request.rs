//! What the requests of all wires have in common: where they go, what stands at their head, and how a call's
//! arguments go back to the model.

use std::borrow::Cow;
use std::fmt::Write as _;

use protocol::{CallId, ToolCall};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

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

/// The longest name that every provider takes.
const LONGEST_NAME: usize = 64;

/// What every provider takes in a name: letters, digits, `_` and `-`.
pub(crate) fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The name of a call of the history. A model may have called what no tool can be named, and the whole conversation would be
/// refused for it from then on.
pub(crate) fn name(call: &ToolCall) -> String {
    let plain =
        |symbol: char| u8::try_from(symbol).ok().filter(|byte| is_plain(*byte)).map_or('_', char::from);
    let name: String = call.name.chars().map(plain).take(LONGEST_NAME).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

/// The id of a call of the history, which may have been another provider's: longer than `most`, or with bytes that are not
/// taken here. What is different stays different.
pub(crate) fn call_id(id: &CallId, most: usize, is_taken: impl Fn(u8) -> bool) -> String {
    if id.0.len() <= most && id.0.bytes().all(is_taken) {
        return id.0.clone();
    }
    Sha256::digest(&id.0).iter().take(12).fold("call_".to_owned(), |mut other, byte| {
        // Writing to a String cannot fail.
        let _ = write!(other, "{byte:02x}");
        other
    })
}

/// The same for models that take ids of nine letters and digits and no others.
pub(crate) fn short_id(id: &CallId) -> String {
    const LENGTH: usize = 9;
    const SIGNS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if id.0.len() == LENGTH && id.0.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return id.0.clone();
    }
    let sign = |byte: u8| char::from(SIGNS[usize::from(byte) % SIGNS.len()]);
    Sha256::digest(&id.0).iter().take(LENGTH).map(|byte| sign(*byte)).collect()
}

/// What the person is taken to have said before an answer that now comes first.
pub(crate) const LEFT_OUT: &str = "(What was said before this is left out.)";

/// The thought behind what was said. Another model's answer may have come without one, and an empty one is refused; one that
/// is the same for each answer is what the model repeats in the end instead of an answer.
pub(crate) fn thought_of<'a>(thought: &'a str, calls: &[ToolCall]) -> Cow<'a, str> {
    if !thought.trim().is_empty() {
        return Cow::Borrowed(thought);
    }
    let names: Vec<String> = calls.iter().map(name).collect();
    if names.is_empty() {
        Cow::Borrowed(" ")
    } else {
        Cow::Owned(format!("This needs {}.", names.join(", ")))
    }
}
