//! The events of a streamed message as ours. A message is a list of blocks; each is begun, added to and closed, and
//! at the end it is said why the model stopped. Every oddity a known server has is met here, and has a
//! recorded-style fixture in `fixtures/anthropic`.

use protocol::{Failure, FailureKind, ModelEvent, ModelRequest, StopReason, Usage};
use serde_json::Value;

use crate::answer::{Answer, Decode, Decoded, index, more_arguments, other_wire};

/// Reads the answer to one request.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    answer: Answer,
    /// The message's id, by which a start that is sent twice is told from the start of another message.
    message_id: Option<String>,
    /// Whether anything of the message was handed on.
    has_spoken: bool,
    /// How often the server has begun anew.
    restarts: u32,
    calls: Vec<Call>,
    usage: Usage,
    /// Tokens of the request that the cache had no part in, that were written to it, that were read from it. Their
    /// sum is what we call the input.
    inputs: [u64; 3],
}

/// One tool call of the message, at its place in [`Decoder::calls`].
#[derive(Clone, Debug)]
struct Call {
    /// The index of its block.
    block: u64,
    name: String,
    /// Arguments that came with the start of the block, until it is known that no others follow.
    whole: String,
}

impl Decode for Decoder {
    fn answer(&mut self) -> &mut Answer {
        &mut self.answer
    }

    fn call_names(&self) -> Vec<&str> {
        self.calls.iter().map(|call| call.name.as_str()).collect()
    }

    fn json(&mut self, event: Value, _now_ms: i64) -> Decoded {
        let mut decoded = Vec::new();
        let block = event["index"].as_u64().unwrap_or_default();
        match event["type"].as_str() {
            Some("message_start") => self.begin(&event["message"], &mut decoded),
            // The answer of a server that does not stream.
            Some("message") => self.begin(&event, &mut decoded),
            Some("content_block_start") => self.open(block, &event["content_block"], &mut decoded),
            Some("content_block_delta") => decoded.extend(self.delta(block, &event["delta"]).map(Ok)),
            Some("content_block_stop") => decoded.extend(self.close(Some(block))),
            Some("message_delta") => {
                self.stop(&event["delta"], &mut decoded);
                decoded.extend(self.count(&event["usage"]).map(Ok));
            }
            Some("message_stop") => self.answer.is_over = true,
            // A ping, or what a later version brings.
            Some(_) => {}
            None => return self.answer.fail(other_wire()),
        }
        self.has_spoken |= decoded.iter().any(has_words);
        decoded
    }
}

impl Decoder {
    /// A decoder for the response to a request.
    pub(crate) fn new(request: &ModelRequest) -> Self {
        Self {
            answer: Answer::to(request),
            message_id: None,
            has_spoken: false,
            restarts: 0,
            calls: Vec::new(),
            usage: Usage::default(),
            inputs: [0; 3],
        }
    }

    /// A message begins. Some proxies send the start twice; and some begin the whole message anew when what stands
    /// behind them broke, in the middle of the stream: then nothing of the half one may be taken for said, least of
    /// all a call.
    fn begin(&mut self, message: &Value, decoded: &mut Decoded) {
        let id = message["id"].as_str();
        if id.is_some() && id == self.message_id.as_deref() {
            return;
        }
        if self.has_spoken {
            self.restarts += 1;
            decoded.push(Ok(ModelEvent::Retrying {
                attempt: self.restarts + 1,
                after_ms: 0,
                failure: Failure::new(
                    FailureKind::RetryableNetwork,
                    "The model's server broke off its answer and began anew.",
                ),
            }));
        }
        self.message_id = id.map(str::to_owned);
        self.has_spoken = false;
        self.calls.clear();
        (self.usage, self.inputs) = (Usage::default(), [0; 3]);
        self.answer.begin_anew();
        // Nearly always there are no blocks yet; in an answer without streaming there are all.
        for (at, block) in (0..).zip(message["content"].as_array().into_iter().flatten()) {
            self.open(at, block, decoded);
            decoded.extend(self.close(Some(at)));
        }
        self.stop(message, decoded);
        decoded.extend(self.count(&message["usage"]).map(Ok));
    }

    fn open(&mut self, at: u64, block: &Value, decoded: &mut Decoded) {
        let event = match block["type"].as_str() {
            Some("text") => text(&block["text"]),
            Some("thinking") => thought(&block["thinking"]),
            Some("tool_use") => self.call(at, block),
            // Reasoning that only the provider can read, and tools that run there.
            _ => None,
        };
        decoded.extend(event.map(Ok));
    }

    fn call(&mut self, at: u64, block: &Value) -> Option<ModelEvent> {
        let name = block["name"].as_str().unwrap_or_default().to_owned();
        let whole = match &block["input"] {
            Value::Object(input) if !input.is_empty() => block["input"].to_string(),
            _ => String::new(),
        };
        let place = self.calls.len();
        self.calls.push(Call { block: at, name: name.clone(), whole });
        if name.is_empty() {
            return None;
        }
        let id = Some(self.answer.unused_id(block["id"].as_str().unwrap_or_default(), place));
        Some(ModelEvent::ToolCallDelta {
            index: index(place),
            id,
            name: Some(name),
            arguments: String::new(),
        })
    }

    fn delta(&mut self, block: u64, delta: &Value) -> Option<ModelEvent> {
        match delta["type"].as_str()? {
            "text_delta" => text(&delta["text"]),
            "thinking_delta" => thought(&delta["thinking"]),
            "input_json_delta" => {
                let arguments = words(&delta["partial_json"])?;
                let place = self.calls.iter().rposition(|call| call.block == block)?;
                let call = self.calls.get_mut(place)?;
                call.whole.clear();
                // What is called is not known, so nothing was handed on that this could belong to.
                if call.name.is_empty() { None } else { more_arguments(place, arguments) }
            }
            // A signature, a citation, or what a later version brings.
            _ => None,
        }
    }

    /// A block is closed, or with `None` all are: arguments that came whole at the start were the arguments.
    fn close(&mut self, block: Option<u64>) -> Decoded {
        let mut decoded = Vec::new();
        for (place, call) in self.calls.iter_mut().enumerate() {
            if block.is_none_or(|block| block == call.block) && !call.name.is_empty() {
                decoded.extend(more_arguments(place, std::mem::take(&mut call.whole)).map(Ok));
            }
        }
        decoded
    }

    /// Takes the reason why the model stopped, when there is one.
    fn stop(&mut self, message: &Value, decoded: &mut Decoded) {
        let Some(reason) = message["stop_reason"].as_str() else { return };
        decoded.extend(self.close(None));
        // Why it refuses is said beside the message, which is often empty then.
        if !self.has_spoken && decoded.is_empty() {
            decoded.extend(text(&message["stop_details"]["explanation"]).map(Ok));
        }
        self.answer.finish = Some(match reason {
            // A pause is the limit of the provider's own tools.
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => StopReason::Length,
            "tool_use" => StopReason::ToolCalls,
            "refusal" => StopReason::ContentFilter,
            _ => StopReason::Stop,
        });
    }

    /// Takes counts. Each is a total, a later one replaces the earlier; what is not named stays.
    fn count(&mut self, usage: &Value) -> Option<ModelEvent> {
        usage.as_object()?;
        let take = |count: &mut u64, value: &Value| *count = value.as_u64().unwrap_or(*count);
        let names = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        for (count, name) in self.inputs.iter_mut().zip(names) {
            take(count, &usage[name]);
        }
        self.usage.input_tokens = self.inputs.into_iter().fold(0, u64::saturating_add);
        self.usage.cached_input_tokens = self.inputs[2];
        take(&mut self.usage.output_tokens, &usage["output_tokens"]);
        take(&mut self.usage.reasoning_tokens, &usage["output_tokens_details"]["thinking_tokens"]);
        self.answer.usage(self.usage)
    }
}

/// Whether an event is part of what the model says.
fn has_words(event: &Result<ModelEvent, Failure>) -> bool {
    matches!(
        event,
        Ok(ModelEvent::TextDelta { .. } | ModelEvent::ThoughtDelta { .. } | ModelEvent::ToolCallDelta { .. })
    )
}

/// A text that is there and not empty.
fn words(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn text(value: &Value) -> Option<ModelEvent> {
    words(value).map(|text| ModelEvent::TextDelta { text })
}

fn thought(value: &Value) -> Option<ModelEvent> {
    words(value).map(|text| ModelEvent::ThoughtDelta { text })
}
