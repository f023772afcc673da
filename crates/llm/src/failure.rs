//! What an error answer means: status, headers and body to a [`Failure`] (D-15).
//!
//! Lists of codes drift, so every rule falls back to the class of the status, and the codes are looked
//! for where any of the known providers puts them.

use protocol::{Failure, FailureKind};
use serde_json::Value;

use crate::wait::wait_asked_for;
use crate::{Headers, TransportError};

/// Classifies an answer that is not 2xx. `now_ms` (since 1970, UTC) turns a date in `retry-after` into
/// a wait.
#[must_use]
pub fn failure_of_response(status: u16, headers: &Headers, body: &[u8], now_ms: i64) -> Failure {
    let text = String::from_utf8_lossy(body);
    let json = serde_json::from_str::<Value>(&text).unwrap_or(Value::Null);
    let said = Said::read(&json);
    let mut kind = kind_of(Some(status), &said);
    // The provider's own word on retrying beats our reading of the status, as in both official SDKs.
    match header(headers, "x-should-retry") {
        Some("true") if matches!(kind, FailureKind::Validation | FailureKind::PermissionDenied) => {
            kind = FailureKind::RetryableNetwork;
        }
        Some("false") => match kind {
            FailureKind::RateLimited => kind = FailureKind::CostLimit,
            FailureKind::RetryableNetwork | FailureKind::Overloaded => kind = FailureKind::Validation,
            _ => {}
        },
        _ => {}
    }
    let detail = if said.message.is_empty() && json.is_null() && !looks_like_html(&text) {
        text.trim().to_owned()
    } else {
        said.message.clone()
    };
    Failure {
        kind,
        message: sentence(kind, Some(status), &detail),
        retry_after_ms: wait_asked_for(status, headers, &json, &said.message, now_ms),
        status: Some(status),
        is_own_limit: false,
    }
}

/// The failure in a chunk of a 200 stream, if it holds one: `{"error":…}`, vLLM's
/// `{"object":"error"}`, Anthropic's `{"type":"error"}`.
#[must_use]
pub fn failure_in_stream(json: &Value, now_ms: i64) -> Option<Failure> {
    let is_error = json.get("error").is_some_and(|error| !error.is_null())
        || ["object", "type"].iter().any(|field| json.get(field).and_then(Value::as_str) == Some("error"))
        || json.get(0).is_some_and(|first| first.get("error").is_some());
    if !is_error {
        return None;
    }
    let said = Said::read(json);
    let kind = kind_of(said.status, &said);
    Some(Failure {
        kind,
        message: sentence(kind, said.status, &said.message),
        retry_after_ms: wait_asked_for(said.status.unwrap_or(200), &Vec::new(), json, &said.message, now_ms),
        status: said.status,
        is_own_limit: false,
    })
}

/// The failure below HTTP. In a browser a refused connection and one forbidden by CORS look the same.
#[must_use]
pub fn failure_of_transport(error: &TransportError) -> Failure {
    let message = match error {
        TransportError::Unreachable(why) => {
            format!(
                "Could not reach the model{}. Check its address and that it is running.",
                in_brackets(why)
            )
        }
        TransportError::Cut(why) => format!("The connection to the model broke off{}.", in_brackets(why)),
    };
    Failure::new(FailureKind::RetryableNetwork, message)
}

/// The start of foreign text, on one line, fit for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut line = text.split_whitespace().map(without_key).collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = line.char_indices().nth(LONGEST) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

/// Providers repeat the key they refuse; some repeat it whole.
fn without_key(word: &str) -> &str {
    let bare = word.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_key = ["sk-", "sk_", "gsk_", "xai-", "AIza", "key-"].iter().any(|start| bare.starts_with(start));
    if is_key { "[key]" } else { word }
}

pub(crate) fn header<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn in_brackets(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(" ({})", excerpt(why)) }
}

fn looks_like_html(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// What an error body says, wherever it says it.
#[derive(Debug, Default, PartialEq)]
struct Said {
    message: String,
    /// Every code, type and status word, in lower case, separated by spaces.
    words: String,
    /// A numeric code in the body, when it is an HTTP error status.
    status: Option<u16>,
}

impl Said {
    fn read(json: &Value) -> Self {
        // Google sends a list of one, FastAPI a `detail`, Ollama a bare text, most an object.
        let json = json.get(0).unwrap_or(json);
        let mut said = Self::default();
        let error = match json.get("error") {
            Some(Value::String(text)) => {
                said.message.clone_from(text);
                json
            }
            Some(error @ Value::Object(_)) => error,
            _ => json,
        };
        for field in ["code", "type", "status"] {
            match error.get(field) {
                Some(Value::String(word)) => {
                    said.words.push_str(&word.to_lowercase());
                    said.words.push(' ');
                    said.status = said.status.or_else(|| error_status(word.parse().ok()?));
                }
                Some(Value::Number(number)) => {
                    said.status = said.status.or_else(|| error_status(number.as_u64()?));
                }
                _ => {}
            }
        }
        if let Some(code) = error.pointer("/details/error_code").and_then(Value::as_str) {
            said.words.push_str(&code.to_lowercase());
        }
        let spoken =
            [error.get("message"), json.get("message"), json.get("detail"), json.pointer("/detail/0/msg")];
        if said.message.is_empty()
            && let Some(text) = spoken.into_iter().flatten().find_map(Value::as_str)
        {
            text.clone_into(&mut said.message);
        }
        // OpenRouter puts what the provider really said here, and "Provider returned error" above.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            said.message = format!("{} {raw}", said.message);
        }
        said
    }
}

fn error_status(number: u64) -> Option<u16> {
    u16::try_from(number).ok().filter(|status| (400..600).contains(status))
}

fn kind_of(status: Option<u16>, said: &Said) -> FailureKind {
    let has = |words: &[&str]| words.iter().any(|word| said.words.contains(word));
    let message = said.message.to_lowercase();
    if has(&["insufficient_quota", "credit", "billing", "spend", "payment", "insufficient_balance"]) {
        return FailureKind::CostLimit;
    }
    let too_long =
        ["maximum context length", "context window", "context length", "context size", "prompt is too long"];
    let about_length = too_long.iter().any(|words| message.contains(words));
    if has(&["context_length", "context_window", "exceed_context", "request_too_large"])
        || (about_length && !matches!(status, Some(401 | 403 | 429)))
    {
        return FailureKind::ContextLimit;
    }
    if has(&["overloaded", "unavailable"]) {
        return FailureKind::Overloaded;
    }
    if has(&["rate_limit", "ratelimit", "resource_exhausted", "slow_down", "too_many_requests"]) {
        return FailureKind::RateLimited;
    }
    match status {
        Some(401 | 403) => FailureKind::PermissionDenied,
        Some(402) => FailureKind::CostLimit,
        Some(413) => FailureKind::ContextLimit,
        Some(429) => FailureKind::RateLimited,
        Some(503 | 529) => FailureKind::Overloaded,
        Some(408 | 409 | 425 | 500..) => FailureKind::RetryableNetwork,
        Some(_) => FailureKind::Validation,
        None if has(&["invalid_api_key", "authentication", "permission"]) => FailureKind::PermissionDenied,
        None if has(&["invalid", "not_found", "badrequest", "bad_request"]) => FailureKind::Validation,
        None => FailureKind::RetryableNetwork,
    }
}

/// One sentence for a person, then what the provider said.
fn sentence(kind: FailureKind, status: Option<u16>, detail: &str) -> String {
    let what = match kind {
        FailureKind::RateLimited => "Too many requests to the model for now.",
        FailureKind::PermissionDenied => "The model's provider refused the key or its rights.",
        FailureKind::Overloaded => "The model is overloaded.",
        FailureKind::ContextLimit => "The conversation has grown too long for this model.",
        FailureKind::CostLimit => "The quota or credit at the model's provider is used up.",
        FailureKind::Validation => match status {
            Some(404) => "The model or its address was not found.",
            Some(300..400) => {
                "The model's address redirects elsewhere, where neither key nor conversation is sent. Check the model's base URL."
            }
            _ => "The model's provider refused the request.",
        },
        FailureKind::RetryableNetwork | FailureKind::ToolNotFound | FailureKind::Cancelled => {
            "The model's server failed."
        }
    };
    let mut sentence = what.to_owned();
    if !detail.is_empty() {
        sentence = format!("{sentence} It said: {}", excerpt(detail));
    } else if let Some(status) = status.filter(|status| !(300..400).contains(status)) {
        sentence = format!("{sentence} (HTTP {status})");
    }
    sentence
}
