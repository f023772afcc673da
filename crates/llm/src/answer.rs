//! What the decoders of all wires share: how an answer ends, what is known of it so far, and ids for its calls.
//!
//! A decoder only reads the events of its wire. When the answer is over, whether it was whole, and what a cut means is
//! the same for every wire, and is written here once.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use protocol::{CallId, Failure, FailureKind, Message, ModelEvent, ModelRequest, StopReason, Usage};
use serde_json::Value;

use crate::failure::{excerpt, failure_in_stream};

/// What one input made: events, ended by at most one failure.
pub(crate) type Decoded = Vec<Result<ModelEvent, Failure>>;

/// Turns the `data` of server-sent events into [`ModelEvent`]s. A value without I/O: push what comes, say when it
/// ends.
pub(crate) trait Decode {
    /// What is known of the answer.
    fn answer(&mut self) -> &mut Answer;

    /// The names of the calls so far, in their order; empty where it is not known yet.
    fn call_names(&self) -> Vec<&str>;

    /// Reads the JSON of one event.
    fn json(&mut self, event: Value, now_ms: i64) -> Decoded;

    /// Reads an event without its JSON, where the wire has a quick way for such a one.
    fn quick(&mut self, _data: &str) -> Option<Decoded> {
        None
    }
}

impl dyn Decode + '_ {
    /// Nothing more is to come, or nothing more matters.
    pub(crate) fn is_done(&mut self) -> bool {
        self.answer().done
    }

    /// Takes the `data` of one server-sent event.
    pub(crate) fn push(&mut self, data: &str, now_ms: i64) -> Decoded {
        let data = data.trim();
        if self.is_done() || data.is_empty() {
            return Vec::new();
        }
        // Only chat completions end like this, but proxies in front of other wires add it too.
        if data == "[DONE]" {
            return self.end();
        }
        let mut decoded = self.quick(data).unwrap_or_else(|| self.by_json(data, now_ms));
        if self.answer().is_over {
            decoded.extend(self.end());
        }
        decoded
    }

    /// Reads one event, which is neither empty nor the end, without the quick way.
    pub(crate) fn by_json(&mut self, data: &str, now_ms: i64) -> Decoded {
        match json_of(data, now_ms) {
            Ok(event) => self.json(event, now_ms),
            Err(failure) => self.answer().fail(failure),
        }
    }

    /// Takes a whole JSON body: the answer of a server that does not stream.
    pub(crate) fn whole(&mut self, body: &[u8], now_ms: i64) -> Decoded {
        let text = String::from_utf8_lossy(body);
        // Some send the events of a stream as one JSON list, some one answer.
        let mut decoded = match serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Array(events)) => {
                let mut decoded = Vec::new();
                for event in events {
                    decoded.extend(self.push(&event.to_string(), now_ms));
                }
                decoded
            }
            Ok(json) => self.push(&json.to_string(), now_ms),
            Err(_) => self.push(&text, now_ms),
        };
        decoded.extend(self.end());
        decoded
    }

    /// The stream ended, by saying so or by closing.
    pub(crate) fn end(&mut self) -> Decoded {
        self.cut(Failure::new(
            FailureKind::RetryableNetwork,
            "The model's answer broke off: the stream ended before the model said that it had finished.",
        ))
    }

    /// The stream broke. A response whose end was already announced is complete all the same.
    pub(crate) fn cut(&mut self, failure: Failure) -> Decoded {
        if self.is_done() {
            return Vec::new();
        }
        let Some(reason) = self.answer().finish else { return self.answer().fail(failure) };
        let names = self.call_names();
        let (has_calls, has_nameless) = (!names.is_empty(), names.contains(&""));
        if has_nameless {
            return self.answer().fail(Failure::new(
                FailureKind::RetryableNetwork,
                "The model asked for a tool without saying which.",
            ));
        }
        self.answer().done = true;
        // Several servers say "stop" after tool calls, and the Responses API has no other word.
        let reason = match reason {
            StopReason::Stop | StopReason::ToolCalls if has_calls => StopReason::ToolCalls,
            StopReason::Stop | StopReason::ToolCalls => StopReason::Stop,
            StopReason::Length | StopReason::ContentFilter => reason,
        };
        vec![Ok(ModelEvent::Done { reason })]
    }
}

/// What is known of an answer, whatever its wire.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Why the model stopped, once it said so.
    pub finish: Option<StopReason>,
    /// The server said that nothing more comes.
    pub is_over: bool,
    usage: Option<Usage>,
    done: bool,
    /// Ids already used in the conversation and in this response: an id that comes again (some servers
    /// count from zero in each response) is replaced, or its call would be taken for the earlier one.
    used_ids: BTreeSet<String>,
    /// The start of made-up ids, unique per run and step.
    id_prefix: String,
}

impl Answer {
    /// Of the answer to a request, nothing is known yet.
    pub(crate) fn to(request: &ModelRequest) -> Self {
        let mut used_ids = BTreeSet::new();
        for message in &request.messages {
            if let Message::Assistant { tool_calls, .. } = &**message {
                used_ids.extend(tool_calls.iter().map(|call| call.id.0.clone()));
            }
        }
        let mut hasher = DefaultHasher::new();
        request.run_id.0.hash(&mut hasher);
        let id_prefix = format!("call_{:012x}_{}", hasher.finish() >> 16, request.step);
        Self { finish: None, is_over: false, usage: None, done: false, used_ids, id_prefix }
    }

    /// The answer is over, and worthless.
    pub(crate) fn fail(&mut self, failure: Failure) -> Decoded {
        self.done = true;
        vec![Err(failure)]
    }

    /// The server began the answer anew: what it said of the one before is void. Ids stay used.
    pub(crate) fn begin_anew(&mut self) {
        (self.finish, self.usage) = (None, None);
    }

    /// Takes counts; those that were known already are no event.
    pub(crate) fn usage(&mut self, usage: Usage) -> Option<ModelEvent> {
        (self.usage.replace(usage) != Some(usage)).then_some(ModelEvent::Usage { usage })
    }

    /// The id of the call at a place: the server's own, when it gave one that is new.
    pub(crate) fn unused_id(&mut self, wire_id: &str, place: usize) -> CallId {
        let id = if wire_id.is_empty() || self.used_ids.contains(wire_id) {
            format!("{}_{place}", self.id_prefix)
        } else {
            wire_id.to_owned()
        };
        self.used_ids.insert(id.clone());
        CallId(id)
    }
}

/// The number of a call, by its place among the calls of the answer.
pub(crate) fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// More of the arguments of the call at a place; nothing when there is no more.
pub(crate) fn more_arguments(place: usize, arguments: String) -> Option<ModelEvent> {
    let index = index(place);
    (!arguments.is_empty()).then_some(ModelEvent::ToolCallDelta { index, id: None, name: None, arguments })
}

/// Reads the JSON of an event; what is none, or tells of an error, is a failure.
fn json_of(data: &str, now_ms: i64) -> Result<Value, Failure> {
    let Ok(json) = serde_json::from_str::<Value>(data) else {
        return Err(Failure::new(
            FailureKind::RetryableNetwork,
            format!("The model's stream broke: it held \"{}\", which is no JSON.", excerpt(data)),
        ));
    };
    match failure_in_stream(&json, now_ms) {
        Some(failure) => Err(failure),
        None => Ok(json),
    }
}

/// What came is none of the wire's events, which all say their type.
pub(crate) fn other_wire() -> Failure {
    Failure::new(
        FailureKind::Validation,
        "The address answered in another format than was expected. Check which API it speaks.",
    )
}
