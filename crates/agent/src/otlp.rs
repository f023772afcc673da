//! Spans as OTLP/JSON, the form that every trace viewer takes (OTLP 1.x, "JSON Protobuf Encoding"): ids in hex, times in
//! nanoseconds and all 64-bit numbers as text, enumerations as numbers, every attribute's value under the name of its type.
//!
//! What was said, and what tools were told and answered, is not in it: a trace goes to other people's servers more easily
//! than a conversation does.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::Span;

/// `SPAN_KIND_INTERNAL`.
const INTERNAL: u8 = 1;

/// `SPAN_KIND_CLIENT`.
const CLIENT: u8 = 3;

/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;

/// The spans as the body of an export request (`ExportTraceServiceRequest`), indented. `service` and `version` say whose
/// they are.
#[must_use]
pub fn otlp_json(spans: &[Span], service: &str, version: &str) -> String {
    let resource: BTreeMap<String, Value> = order::gather([
        ("service.name".to_owned(), json!(service)),
        ("service.version".to_owned(), json!(version)),
    ]);
    let request = json!({
        "resourceSpans": [{
            "resource": { "attributes": attributes(&resource) },
            "scopeSpans": [{
                "scope": { "name": "agent", "version": env!("CARGO_PKG_VERSION") },
                "spans": spans.iter().map(span).collect::<Vec<Value>>(),
            }],
        }],
    });
    format!("{request:#}")
}

fn span(span: &Span) -> Value {
    let events = span.events.iter().map(|event| {
        json!({
            "timeUnixNano": nanoseconds(event.at_ms),
            "name": event.name(),
            "attributes": attributes(&event.attributes()),
        })
    });
    let mut out = json!({
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name(),
        "kind": if span.is_client() { CLIENT } else { INTERNAL },
        "startTimeUnixNano": nanoseconds(span.start_ms),
        "endTimeUnixNano": nanoseconds(span.end_ms),
        "attributes": attributes(&span.attributes()),
        "events": events.collect::<Vec<Value>>(),
        "status": {},
    });
    if let Some(parent_id) = &span.parent_id {
        out["parentSpanId"] = json!(parent_id);
    }
    if let Some(error) = &span.error {
        // Any sentence about it may be content: what a tool said, what a run had done when it was stopped, what a provider
        // answered and quoted of the request. Its class says nothing of that.
        out["status"] = json!({ "code": ERROR, "message": error.kind });
    }
    out
}

/// As text: JSON's numbers hold 53 bits.
fn nanoseconds(unix_ms: i64) -> String {
    // OTLP has no time before 1970.
    (u128::try_from(unix_ms).unwrap_or_default() * 1_000_000).to_string()
}

fn attributes(attributes: &BTreeMap<String, Value>) -> Vec<Value> {
    attributes.iter().map(|(key, value)| json!({ "key": key, "value": any_value(value) })).collect()
}

fn any_value(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(bool) => json!({ "boolValue": bool }),
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::String(text) => json!({ "stringValue": text }),
        Value::Array(values) => {
            json!({ "arrayValue": { "values": values.iter().map(any_value).collect::<Vec<Value>>() } })
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| json!({ "key": key, "value": any_value(value) }));
            json!({ "kvlistValue": { "values": fields.collect::<Vec<Value>>() } })
        }
    }
}
