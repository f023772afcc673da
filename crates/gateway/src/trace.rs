//! One span for each request to a model, with the names of OpenTelemetry's GenAI conventions, under whoever asked (W3C `traceparent`).
//! Never a word of a conversation, and no key.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::HeaderMap;
use serde_json::{Value, json};

use crate::metrics::Operation;

/// A request's place in a trace.
pub(crate) struct Trace {
    /// 32 hexadecimal digits.
    pub(crate) id: String,
    /// 16 hexadecimal digits.
    span: String,
    parent: Option<String>,
    /// Whoever asked may have decided that nobody records it.
    pub(crate) is_recorded: bool,
}

impl Trace {
    /// As whoever asked says, or a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let span = hex(8);
        let told = headers.get("traceparent").and_then(|value| parent(value.to_str().ok()?));
        match told {
            Some((id, parent, is_recorded)) => Self { id, span, parent: Some(parent), is_recorded },
            None => Self { id: hex(16), span, parent: None, is_recorded: true },
        }
    }

    /// The span as a body for a collector.
    pub(crate) fn span(&self, began: SystemTime, done: &Operation, answered_by: Option<&str>) -> String {
        let text = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
        let count = |key: &str, value: u64| json!({ "key": key, "value": { "intValue": value.to_string() } });
        let mut attributes = vec![
            text("gen_ai.operation.name", "chat"),
            text("gen_ai.provider.name", &done.upstream),
            text("gen_ai.request.model", &done.model),
        ];
        attributes.extend(answered_by.map(|model| text("gen_ai.response.model", model)));
        attributes.extend(done.input_tokens.map(|tokens| count("gen_ai.usage.input_tokens", tokens)));
        attributes.extend(done.output_tokens.map(|tokens| count("gen_ai.usage.output_tokens", tokens)));
        attributes.extend(done.error.as_deref().map(|error| text("error.type", error)));
        // 3 is a client's span; 2 is a status of error.
        let mut span = json!({
            "traceId": self.id, "spanId": self.span, "name": format!("chat {}", done.model), "kind": 3,
            "startTimeUnixNano": nanos(began), "endTimeUnixNano": nanos(began + done.took),
            "attributes": attributes,
            "status": if done.error.is_some() { json!({ "code": 2 }) } else { json!({}) },
        });
        if let (Some(parent), Some(span)) = (&self.parent, span.as_object_mut()) {
            span.insert("parentSpanId".into(), Value::String(parent.clone()));
        }
        let resource =
            [text("service.name", "satchel-gateway"), text("service.version", env!("CARGO_PKG_VERSION"))];
        let scope = json!({ "scope": { "name": "satchel-gateway" }, "spans": [span] });
        // As a text, since the exporter joins bodies by how they begin.
        let one = json!({ "resource": { "attributes": resource }, "scopeSpans": [scope] });
        format!(r#"{{"resourceSpans":[{one}]}}"#)
    }
}

/// `00-<trace>-<parent>-<flags>`; whatever else is none.
fn parent(text: &str) -> Option<(String, String, bool)> {
    let mut parts = text.split('-');
    let (version, id, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is = |text: &str, length| {
        text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_set = |text: &str| text.bytes().any(|byte| byte != b'0');
    // Later versions may have more behind what this one has.
    let fits = is(version, 2) && version != "ff" && (version != "00" || parts.next().is_none());
    if !(fits && is(id, 32) && is(span, 16) && is(flags, 2) && is_set(id) && is_set(span)) {
        return None;
    }
    let is_recorded = u8::from_str_radix(flags, 16).is_ok_and(|flags| flags & 1 == 1);
    Some((id.to_owned(), span.to_owned(), is_recorded))
}

/// So many bytes of chance as text. Without chance all are 1, which says no less than none would.
pub(crate) fn hex(bytes: usize) -> String {
    let mut random = vec![1_u8; bytes];
    // It fails where the system has no randomness; such a trace is not told from others.
    let _no_randomness = getrandom::fill(&mut random);
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Nanoseconds since 1970, as text: JSON's numbers end before.
fn nanos(moment: SystemTime) -> String {
    moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_nanos().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_traceparent_is_one() {
        let (id, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
        for (text, expected) in [
            (format!("00-{id}-{span}-01"), Some(true)),
            (format!("00-{id}-{span}-00"), Some(false)),
            (format!("01-{id}-{span}-03-more"), Some(true)),
            (format!("00-{id}-{span}-01-more"), None),
            (format!("ff-{id}-{span}-01"), None),
            (format!("00-{}-{span}-01", id.to_uppercase()), None),
            (format!("00-{}-{span}-01", "0".repeat(32)), None),
            (format!("00-{id}-{span}"), None),
            (String::new(), None),
        ] {
            assert_eq!(parent(&text).map(|(_, _, is_recorded)| is_recorded), expected, "{text}");
        }
        assert_ne!(hex(16), hex(16));
    }
}
