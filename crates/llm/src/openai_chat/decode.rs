//! The chunks of a streamed chat completion as events. Every oddity a known server has is met here,
//! and has a recorded-style fixture in `fixtures/`.

use protocol::{Failure, FailureKind, ModelEvent, ModelRequest, StopReason, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::plain::{Kind, Piece, Plain};
use crate::answer::{Answer, Decode, Decoded, index, more_arguments};

/// Reads the answer to one request.
#[derive(Clone, Debug)]
pub struct Decoder {
    answer: Answer,
    calls: Vec<Call>,
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

impl Decode for Decoder {
    fn answer(&mut self) -> &mut Answer {
        &mut self.answer
    }

    fn call_names(&self) -> Vec<&str> {
        self.calls.iter().map(|call| call.name.as_str()).collect()
    }

    fn json(&mut self, event: Value, _now_ms: i64) -> Decoded {
        match serde_json::from_value::<Chunk>(event) {
            Ok(chunk) => self.chunk(chunk),
            Err(error) => self.answer.fail(Failure::new(
                FailureKind::RetryableNetwork,
                format!("The model's stream broke: a chunk has an unknown shape ({error})."),
            )),
        }
    }

    fn quick(&mut self, data: &str) -> Option<Decoded> {
        let piece = self.plain.read(data)?;
        Some(self.piece(piece).map(Ok).into_iter().collect())
    }
}

impl Decoder {
    /// A decoder for the response to a request.
    #[must_use]
    pub fn new(request: &ModelRequest) -> Self {
        Self { answer: Answer::to(request), calls: Vec::new(), plain: Plain::default() }
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
                    decoded.extend(self.answer.fail(Failure::new(
                        FailureKind::RetryableNetwork,
                        "The model's provider broke off the answer with an error.",
                    )));
                    return decoded;
                }
                Some(reason) => self.answer.finish = Some(stop_reason(reason)),
            }
        }
        decoded.extend(usage.and_then(|usage| self.answer.usage(usage)).map(Ok));
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
        let call = self.calls.get_mut(place)?;
        if call.wire_id.is_empty() {
            call.wire_id.clone_from(&id);
        }
        if !call.name.is_empty() {
            // Mistral repeats the name as "", others repeat it whole: the first one stays.
            return more_arguments(place, arguments);
        }
        call.held_back.push_str(&arguments);
        if name.is_empty() {
            return None;
        }
        call.name.clone_from(&name);
        let arguments = std::mem::take(&mut call.held_back);
        let wire_id = call.wire_id.clone();
        let id = Some(self.answer.unused_id(&wire_id, place));
        Some(ModelEvent::ToolCallDelta { index: index(place), id, name: Some(name), arguments })
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
            ..Usage::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::ModelRequest;

    use super::{Decode, Decoder, Plain};

    /// Every chunk of every recorded stream, in its order: what the quick way reads is what the whole decoder
    /// reads.
    #[test]
    fn the_quick_way_says_the_same() {
        let request: ModelRequest =
            serde_json::from_str(r#"{"run_id":"r","step":1,"model":"m","messages":[]}"#).unwrap();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/openai_chat");
        let mut plain_chunks = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let body = std::fs::read(entry.unwrap().path()).unwrap();
            let (mut quick, mut whole) = (Decoder::new(&request), Decoder::new(&request));
            let (quick, whole): (&mut dyn Decode, &mut dyn Decode) = (&mut quick, &mut whole);
            for line in String::from_utf8_lossy(&body).lines() {
                let Some(chunk) = line.strip_prefix("data:").map(str::trim) else { continue };
                if chunk == "[DONE]" || quick.is_done() {
                    continue;
                }
                plain_chunks += usize::from(Plain::default().read(chunk).is_some());
                assert_eq!(quick.push(chunk, 0), whole.by_json(chunk, 0), "{chunk}");
            }
        }
        assert!(plain_chunks > 20, "only {plain_chunks} chunks of the recordings are plain");
    }
}
