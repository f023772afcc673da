//! The chunks of a streamed chat completion as events. Every oddity a known server has is met here,
//! and has a recorded-style fixture in `fixtures/`.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use protocol::{CallId, Failure, FailureKind, Message, ModelEvent, ModelRequest, StopReason, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::plain::{Kind, Piece, Plain};
use crate::failure::{excerpt, failure_in_stream};

/// What one input made: events, ended by at most one failure.
pub(super) type Decoded = Vec<Result<ModelEvent, Failure>>;

/// Turns the `data` of server-sent events into [`ModelEvent`]s. A value without I/O: push what comes,
/// say when it ends.
#[derive(Clone, Debug)]
pub struct Decoder {
    calls: Vec<Call>,
    /// Ids already used in the conversation and in this response: an id that comes again (some servers
    /// count from zero in each response) is replaced, or its call would be taken for the earlier one.
    used_ids: BTreeSet<String>,
    /// The start of made-up ids, unique per run and step.
    id_prefix: String,
    finish: Option<StopReason>,
    usage: Option<Usage>,
    done: bool,
    plain: Plain,
}

/// One tool call of the response, at its place in [`Decoder::calls`].
#[derive(Clone, Debug, Default)]
struct Call {
    /// The index the server gave, if it gave one.
    wire_index: Option<u64>,
    /// The id the server gave, or empty.
    wire_id: String,
    /// The name, or empty while it is not known yet.
    name: String,
    /// Fragments that came before the name.
    held_back: String,
}

impl Decoder {
    /// A decoder for the response to a request.
    #[must_use]
    pub fn new(request: &ModelRequest) -> Self {
        let mut used_ids = BTreeSet::new();
        for message in &request.messages {
            if let Message::Assistant { tool_calls, .. } = message {
                used_ids.extend(tool_calls.iter().map(|call| call.id.0.clone()));
            }
        }
        let mut hasher = DefaultHasher::new();
        request.run_id.0.hash(&mut hasher);
        let id_prefix = format!("call_{:012x}_{}", hasher.finish() >> 16, request.step);
        Self {
            calls: Vec::new(),
            used_ids,
            id_prefix,
            finish: None,
            usage: None,
            done: false,
            plain: Plain::default(),
        }
    }

    /// Nothing more is to come, or nothing more matters.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Takes the `data` of one server-sent event.
    pub fn push(&mut self, data: &str, now_ms: i64) -> Decoded {
        let data = data.trim();
        if self.done || data.is_empty() {
            return Vec::new();
        }
        if data == "[DONE]" {
            return self.end();
        }
        if let Some(piece) = self.plain.read(data) {
            return self.piece(piece).map(Ok).into_iter().collect();
        }
        self.chunk_of_any_kind(data, now_ms)
    }

    fn piece(&mut self, Piece { kind, text }: Piece<'_>) -> Option<ModelEvent> {
        match kind {
            Kind::Arguments { index } => {
                let arguments = Some(Value::String(text.into_owned()));
                let function = Some(Function { name: None, arguments });
                self.call(WireCall { index: Some(index), id: None, function })
            }
            _ if text.is_empty() => None,
            Kind::Text => Some(ModelEvent::TextDelta { text: text.into_owned() }),
            Kind::Thought => Some(ModelEvent::ThoughtDelta { text: text.into_owned() }),
        }
    }

    /// Reads a chunk without the quick way.
    pub(super) fn chunk_of_any_kind(&mut self, data: &str, now_ms: i64) -> Decoded {
        let Ok(json) = serde_json::from_str::<Value>(data) else {
            return self.fail(Failure::new(
                FailureKind::RetryableNetwork,
                format!("The model's stream broke: it held \"{}\", which is no JSON.", excerpt(data)),
            ));
        };
        if let Some(failure) = failure_in_stream(&json, now_ms) {
            return self.fail(failure);
        }
        match serde_json::from_value::<Chunk>(json) {
            Ok(chunk) => self.chunk(chunk),
            Err(error) => self.fail(Failure::new(
                FailureKind::RetryableNetwork,
                format!("The model's stream broke: a chunk has an unknown shape ({error})."),
            )),
        }
    }

    /// Takes a whole JSON body: the answer of a server that does not stream.
    pub fn whole(&mut self, body: &[u8], now_ms: i64) -> Decoded {
        let text = String::from_utf8_lossy(body);
        // Some send the chunks of a stream as one JSON list, some one completion.
        let mut decoded = match serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Array(chunks)) => {
                let mut decoded = Vec::new();
                for chunk in chunks {
                    decoded.extend(self.push(&chunk.to_string(), now_ms));
                }
                decoded
            }
            Ok(json) => self.push(&json.to_string(), now_ms),
            Err(_) => self.push(&text, now_ms),
        };
        decoded.extend(self.end());
        decoded
    }

    /// The stream ended, by `[DONE]` or by closing.
    pub fn end(&mut self) -> Decoded {
        self.cut(Failure::new(
            FailureKind::RetryableNetwork,
            "The model's answer broke off: the stream ended before the model said that it had finished.",
        ))
    }

    /// The stream broke. A response whose end was already announced is complete all the same.
    pub fn cut(&mut self, failure: Failure) -> Decoded {
        if self.done {
            return Vec::new();
        }
        let Some(reason) = self.finish else { return self.fail(failure) };
        if self.calls.iter().any(|call| call.name.is_empty()) {
            return self.fail(Failure::new(
                FailureKind::RetryableNetwork,
                "The model asked for a tool without saying which.",
            ));
        }
        self.done = true;
        // Several servers say "stop" after tool calls.
        let reason = match reason {
            StopReason::Stop | StopReason::ToolCalls if self.calls.is_empty() => StopReason::Stop,
            StopReason::Stop | StopReason::ToolCalls => StopReason::ToolCalls,
            StopReason::Length | StopReason::ContentFilter => reason,
        };
        vec![Ok(ModelEvent::Done { reason })]
    }

    fn fail(&mut self, failure: Failure) -> Decoded {
        self.done = true;
        vec![Err(failure)]
    }

    fn chunk(&mut self, chunk: Chunk) -> Decoded {
        let mut decoded = Vec::new();
        let usage = chunk.usage.or(chunk.x_groq.and_then(|groq| groq.usage)).map(WireUsage::into_usage);
        // Only the first answer counts: we never ask for more than one.
        let choice =
            chunk.choices.unwrap_or_default().into_iter().find(|choice| choice.index.unwrap_or(0) == 0);
        if let Some(choice) = choice {
            for part in [choice.delta, choice.message].into_iter().flatten() {
                self.part(part, &mut decoded);
            }
            match choice.finish_reason.as_deref() {
                None | Some("") => {}
                Some("error") => {
                    decoded.extend(self.fail(Failure::new(
                        FailureKind::RetryableNetwork,
                        "The model's provider broke off the answer with an error.",
                    )));
                    return decoded;
                }
                Some(reason) => self.finish = Some(stop_reason(reason)),
            }
        }
        if let Some(usage) = usage.filter(|usage| self.usage.as_ref() != Some(usage)) {
            self.usage = Some(usage);
            decoded.push(Ok(ModelEvent::Usage { usage }));
        }
        decoded
    }

    fn part(&mut self, part: Part, decoded: &mut Decoded) {
        let (mut thought, mut text) = (String::new(), String::new());
        // Both fields hold the same where a server sends both.
        for reasoning in part.reasoning_content.or(part.reasoning).into_iter() {
            thought.push_str(&reasoning);
        }
        match part.content {
            None => {}
            Some(Content::Text(more)) => text.push_str(&more),
            Some(Content::Parts(parts)) => {
                parts.into_iter().for_each(|part| part.read(&mut text, &mut thought))
            }
        }
        text.push_str(part.refusal.as_deref().unwrap_or_default());
        if !thought.is_empty() {
            decoded.push(Ok(ModelEvent::ThoughtDelta { text: thought }));
        }
        if !text.is_empty() {
            decoded.push(Ok(ModelEvent::TextDelta { text }));
        }
        for call in part.tool_calls.unwrap_or_default() {
            decoded.extend(self.call(call).map(Ok));
        }
        if let Some(function) = part.function_call {
            // The legacy form knows one call and no id.
            let call = WireCall { index: Some(0), id: None, function: Some(function) };
            decoded.extend(self.call(call).map(Ok));
        }
    }

    fn call(&mut self, wire: WireCall) -> Option<ModelEvent> {
        let function = wire.function.unwrap_or_default();
        let name = function.name.unwrap_or_default();
        let id = wire.id.unwrap_or_default();
        let arguments = match function.arguments {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(fragment)) => fragment,
            // Ollama's own habit: the arguments as an object.
            Some(object) => object.to_string(),
        };
        let place = self.place(wire.index, &id, &name);
        let index = u32::try_from(place).unwrap_or(u32::MAX);
        let call = self.calls.get_mut(place)?;
        if call.wire_id.is_empty() {
            call.wire_id.clone_from(&id);
        }
        if !call.name.is_empty() {
            // Mistral repeats the name as "", others repeat it whole: the first one stays.
            let delta = ModelEvent::ToolCallDelta { index, id: None, name: None, arguments };
            return (!matches!(&delta, ModelEvent::ToolCallDelta { arguments, .. } if arguments.is_empty()))
                .then_some(delta);
        }
        call.held_back.push_str(&arguments);
        if name.is_empty() {
            return None;
        }
        call.name.clone_from(&name);
        let arguments = std::mem::take(&mut call.held_back);
        let wire_id = call.wire_id.clone();
        let id = Some(self.unused_id(wire_id, place));
        Some(ModelEvent::ToolCallDelta { index, id, name: Some(name), arguments })
    }

    /// Which call a delta belongs to: by index (OpenAI), by id, or the last one (Google sends neither).
    /// A new id and a name under a known index start another call: some proxies number all with 0.
    fn place(&mut self, wire_index: Option<u64>, id: &str, name: &str) -> usize {
        let known = match wire_index {
            Some(_) => self.calls.iter().rposition(|call| call.wire_index == wire_index),
            None if id.is_empty() => self.calls.len().checked_sub(1),
            None => self.calls.iter().rposition(|call| call.wire_id == id),
        };
        let continues = |call: &Call| {
            let other_id = !id.is_empty() && !call.wire_id.is_empty() && call.wire_id != id;
            let starts_without_marks = wire_index.is_none() && id.is_empty();
            name.is_empty() || call.name.is_empty() || !(other_id || starts_without_marks)
        };
        match known {
            Some(place) if self.calls.get(place).is_some_and(continues) => place,
            _ => {
                self.calls.push(Call { wire_index, ..Call::default() });
                self.calls.len() - 1
            }
        }
    }

    fn unused_id(&mut self, wire_id: String, place: usize) -> CallId {
        let id = if wire_id.is_empty() || self.used_ids.contains(&wire_id) {
            format!("{}_{place}", self.id_prefix)
        } else {
            wire_id
        };
        self.used_ids.insert(id.clone());
        CallId(id)
    }
}

/// The reasons of OpenAI, and those other servers let through from what stands behind them.
fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "length" | "max_tokens" | "MAX_TOKENS" | "model_length" => StopReason::Length,
        "tool_calls" | "function_call" | "tool_use" => StopReason::ToolCalls,
        "content_filter" | "SAFETY" | "refusal" => StopReason::ContentFilter,
        _ => StopReason::Stop,
    }
}

// The wire. Every field may be missing or null, unknown ones are ignored.

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<WireUsage>,
    #[serde(default)]
    x_groq: Option<Groq>,
}

#[derive(Deserialize)]
struct Groq {
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    delta: Option<Part>,
    /// Instead of `delta` in a whole answer.
    #[serde(default)]
    message: Option<Part>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<WireCall>>,
    #[serde(default)]
    function_call: Option<Function>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

/// Mistral's reasoning models stream lists of parts.
#[derive(Deserialize)]
struct ContentPart {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    thinking: Option<Vec<ContentPart>>,
}

impl ContentPart {
    fn read(self, text: &mut String, thought: &mut String) {
        text.push_str(self.text.as_deref().unwrap_or_default());
        for part in self.thinking.unwrap_or_default() {
            thought.push_str(part.text.as_deref().unwrap_or_default());
        }
    }
}

#[derive(Deserialize)]
struct WireCall {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<Function>,
}

#[derive(Default, Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
    #[serde(default)]
    prompt_tokens_details: Option<PromptDetails>,
    #[serde(default)]
    completion_tokens_details: Option<CompletionDetails>,
    /// DeepSeek's name for it.
    #[serde(default)]
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct PromptDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct CompletionDetails {
    #[serde(default)]
    reasoning_tokens: Option<u64>,
}

impl WireUsage {
    fn into_usage(self) -> Usage {
        let cached = self.prompt_tokens_details.and_then(|details| details.cached_tokens);
        let reasoning = self.completion_tokens_details.and_then(|details| details.reasoning_tokens);
        Usage {
            input_tokens: self.prompt_tokens.unwrap_or_default(),
            output_tokens: self.completion_tokens.unwrap_or_default(),
            cached_input_tokens: cached.or(self.prompt_cache_hit_tokens).unwrap_or_default(),
            reasoning_tokens: reasoning.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::ModelRequest;

    use super::{Decoder, Plain};

    /// Every chunk of every recorded stream, in its order: what the quick way reads is what the whole decoder
    /// reads.
    #[test]
    fn the_quick_way_says_the_same() {
        let request: ModelRequest =
            serde_json::from_str(r#"{"run_id":"r","step":1,"model":"m","messages":[]}"#).unwrap();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
        let mut plain_chunks = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let body = std::fs::read(entry.unwrap().path()).unwrap();
            let (mut quick, mut whole) = (Decoder::new(&request), Decoder::new(&request));
            for line in String::from_utf8_lossy(&body).lines() {
                let Some(chunk) = line.strip_prefix("data:").map(str::trim) else { continue };
                if chunk == "[DONE]" || quick.is_done() {
                    continue;
                }
                plain_chunks += usize::from(Plain::default().read(chunk).is_some());
                assert_eq!(quick.push(chunk, 0), whole.chunk_of_any_kind(chunk, 0), "{chunk}");
            }
        }
        assert!(plain_chunks > 20, "only {plain_chunks} chunks of the recordings are plain");
    }
}
