//! Chat completions as a server speaks them: an OpenAI request read as a [`ModelRequest`], events written as chunks. The
//! client's half is `llm::openai_chat`; what one half writes the other reads back unchanged.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{
    CallId, Hints, Message, ModelEvent, ModelRequest, RunId, StopReason, ToolCall, ToolSpec, Usage,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The line that ends a stream.
pub const DONE_LINE: &str = "data: [DONE]\n\n";

/// An error in the provider's format, to be sent with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderError {
    /// The HTTP status.
    pub status: u16,
    /// OpenAI's `type`: `invalid_request_error`, `rate_limit_exceeded`, ….
    pub kind: &'static str,
    /// What went wrong, for a person.
    pub message: String,
    /// The field that is wrong, when one is.
    pub param: Option<String>,
}

impl ProviderError {
    /// A request that cannot be understood.
    #[must_use]
    pub fn invalid(message: impl Into<String>, param: Option<&str>) -> Self {
        let param = param.map(str::to_owned);
        Self { status: 400, kind: "invalid_request_error", message: message.into(), param }
    }

    /// The body: `{"error":{message,type,param,code}}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({ "error": { "message": self.message, "type": self.kind, "param": self.param, "code": self.kind } })
    }
}

/// What a client asked our server for.
#[derive(Clone, Debug, PartialEq)]
pub struct ServedRequest {
    /// The request, as any model of ours reads it.
    pub request: ModelRequest,
    /// Whether the answer streams.
    pub stream: bool,
    /// Whether the stream ends with a chunk of usage.
    pub include_usage: bool,
}

/// Reads the body of `POST …/chat/completions`. The wire has no run, so the caller names it; the step
/// is counted from the conversation.
///
/// # Errors
/// A body of the wrong shape, as the provider would say it: which field, what was expected.
pub fn parse_request(body: &[u8], run_id: RunId) -> Result<ServedRequest, ProviderError> {
    let json: Value = serde_json::from_slice(body)
        .map_err(|error| ProviderError::invalid(format!("The body is not valid JSON: {error}."), None))?;
    let wire: Request = serde_json::from_value(json)
        .map_err(|error| ProviderError::invalid(format!("The request has a wrong shape: {error}."), None))?;
    if wire.messages.is_empty() {
        return Err(ProviderError::invalid("`messages` must hold at least one message.", Some("messages")));
    }
    let mut names = BTreeMap::new();
    let mut messages = Vec::new();
    for (index, message) in wire.messages.into_iter().enumerate() {
        messages.push(read_message(message, index, &mut names)?);
    }
    let mut tools = Vec::new();
    for (index, tool) in wire.tools.unwrap_or_default().into_iter().enumerate() {
        tools.push(Arc::new(read_tool(tool, index)?));
    }
    let request = ModelRequest {
        run_id,
        step: step_of(&messages),
        model: wire.model,
        messages: messages.into_iter().map(Arc::new).collect(),
        tools,
        temperature: wire.temperature,
        max_output_tokens: wire.max_completion_tokens.or(wire.max_tokens),
    };
    let include_usage = wire.stream_options.is_some_and(|options| options.include_usage);
    Ok(ServedRequest { request, stream: wire.stream.unwrap_or(false), include_usage })
}

/// Steps are model calls since the person last spoke.
fn step_of(messages: &[Message]) -> u32 {
    let since = messages.iter().rev().take_while(|message| !matches!(message, Message::User { .. }));
    let asked = since.filter(|message| matches!(message, Message::Assistant { .. })).count();
    u32::try_from(asked).unwrap_or(u32::MAX).saturating_add(1)
}

fn read_message(
    wire: WireMessage,
    index: usize,
    names: &mut BTreeMap<String, String>,
) -> Result<Message, ProviderError> {
    let content = wire.content.map(Content::into_text).unwrap_or_default();
    match wire.role.as_str() {
        "system" | "developer" => Ok(Message::System { content }),
        "user" => Ok(Message::user(content)),
        "assistant" => {
            let mut tool_calls = Vec::new();
            for call in wire.tool_calls.unwrap_or_default() {
                names.insert(call.id.clone(), call.function.name.clone());
                let arguments = call.function.arguments;
                let arguments = match serde_json::from_str(&arguments) {
                    Ok(value) => value,
                    Err(_) if arguments.trim().is_empty() => Value::Object(Map::new()),
                    Err(_) => Value::String(arguments),
                };
                tool_calls.push(ToolCall { id: CallId(call.id), name: call.function.name, arguments });
            }
            Ok(Message::Assistant { content, thought: String::new(), tool_calls })
        }
        "tool" => {
            let param = format!("messages[{index}].tool_call_id");
            let Some(id) = wire.tool_call_id else {
                return Err(ProviderError::invalid("A tool message needs a `tool_call_id`.", Some(&param)));
            };
            let Some(name) = names.get(&id) else {
                let message = format!("No earlier assistant message has a tool call with the id \"{id}\".");
                return Err(ProviderError::invalid(message, Some(&param)));
            };
            Ok(Message::Tool { name: name.clone(), call_id: CallId(id), content, is_error: false })
        }
        role => Err(ProviderError::invalid(
            format!("Unknown role \"{role}\": expected system, developer, user, assistant or tool."),
            Some(&format!("messages[{index}].role")),
        )),
    }
}

fn read_tool(wire: WireTool, index: usize) -> Result<ToolSpec, ProviderError> {
    if wire.kind != "function" {
        let param = format!("tools[{index}].type");
        return Err(ProviderError::invalid("Only tools of type \"function\" are known.", Some(&param)));
    }
    let WireFunction { name, description, parameters } = wire.function;
    // The wire has neither title nor hints.
    Ok(ToolSpec {
        title: name.clone(),
        name,
        description: description.unwrap_or_default(),
        input_schema: parameters.unwrap_or_else(|| json!({ "type": "object" })),
        hints: Hints::default(),
    })
}

/// Writes the events of one response as server-sent events.
#[derive(Clone, Debug)]
pub struct ChunkWriter {
    id: String,
    model: String,
    created_s: i64,
    include_usage: bool,
    usage: Usage,
    started: bool,
}

impl ChunkWriter {
    /// A writer for one response. `created_s` is in seconds since 1970, UTC.
    #[must_use]
    pub fn new(id: impl Into<String>, model: impl Into<String>, created_s: i64, include_usage: bool) -> Self {
        let (id, model) = (id.into(), model.into());
        Self { id, model, created_s, include_usage, usage: Usage::default(), started: false }
    }

    /// The bytes of one event; empty for what the wire has no word for. `Done` writes the end too.
    #[must_use]
    pub fn write(&mut self, event: &ModelEvent) -> String {
        match event {
            ModelEvent::TextDelta { text } => self.delta(json!({ "content": text })),
            ModelEvent::ThoughtDelta { text } => self.delta(json!({ "reasoning_content": text })),
            ModelEvent::ToolCallDelta { index, id, name, arguments } => {
                let mut function = Map::new();
                if let Some(name) = name {
                    function.insert("name".into(), json!(name));
                }
                function.insert("arguments".into(), json!(arguments));
                let mut call = Map::new();
                call.insert("index".into(), json!(index));
                if let Some(id) = id {
                    call.insert("id".into(), json!(id));
                    call.insert("type".into(), json!("function"));
                }
                call.insert("function".into(), Value::Object(function));
                self.delta(json!({ "tool_calls": [call] }))
            }
            ModelEvent::Usage { usage } => {
                self.usage = *usage;
                String::new()
            }
            // A model that is served has nothing to try again.
            ModelEvent::Confidence { .. } | ModelEvent::Retrying { .. } => String::new(),
            ModelEvent::Done { reason } => {
                let last = json!([{ "index": 0, "delta": {}, "finish_reason": finish_reason(*reason) }]);
                let mut text = self.chunk(last, Value::Null);
                if self.include_usage {
                    text.push_str(&self.chunk(json!([]), wire_usage(&self.usage)));
                }
                text.push_str(DONE_LINE);
                text
            }
        }
    }

    fn delta(&mut self, mut delta: Value) -> String {
        if !self.started {
            self.started = true;
            delta["role"] = json!("assistant");
        }
        self.chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]), Value::Null)
    }

    fn chunk(&self, choices: Value, usage: Value) -> String {
        let mut chunk = json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created_s, "model": self.model,
            "choices": choices,
        });
        if self.include_usage {
            chunk["usage"] = usage;
        }
        format!("data: {chunk}\n\n")
    }
}

/// All events of a response as one answer that does not stream.
#[must_use]
pub fn completion(id: &str, model: &str, created_s: i64, events: &[ModelEvent]) -> Value {
    let (mut text, mut thought, mut usage, mut reason) =
        (String::new(), String::new(), Usage::default(), StopReason::Stop);
    let mut calls: BTreeMap<u32, (String, String, String)> = BTreeMap::new();
    for event in events {
        match event {
            ModelEvent::TextDelta { text: more } => text.push_str(more),
            ModelEvent::ThoughtDelta { text: more } => thought.push_str(more),
            ModelEvent::ToolCallDelta { index, id, name, arguments } => {
                let call = calls.entry(*index).or_default();
                call.0.push_str(id.as_ref().map_or("", |id| &id.0));
                call.1.push_str(name.as_deref().unwrap_or_default());
                call.2.push_str(arguments);
            }
            ModelEvent::Usage { usage: said } => usage = *said,
            ModelEvent::Confidence { .. } | ModelEvent::Retrying { .. } => {}
            ModelEvent::Done { reason: said } => reason = *said,
        }
    }
    let mut message = json!({ "role": "assistant", "content": text });
    if !thought.is_empty() {
        message["reasoning_content"] = json!(thought);
    }
    if !calls.is_empty() {
        let calls = calls.into_values().map(|(id, name, arguments)| {
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        });
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": id, "object": "chat.completion", "created": created_s, "model": model,
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(reason) }],
        "usage": wire_usage(&usage),
    })
}

fn finish_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ToolCalls => "tool_calls",
        StopReason::ContentFilter => "content_filter",
    }
}

fn wire_usage(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens.saturating_add(usage.output_tokens),
        "prompt_tokens_details": { "cached_tokens": usage.cached_input_tokens },
        "completion_tokens_details": { "reasoning_tokens": usage.reasoning_tokens },
    })
}

// The wire, as far as we read it. Unknown fields are ignored.

#[derive(Deserialize)]
#[serde(expecting = "a JSON object")]
struct Request {
    model: String,
    messages: Vec<WireMessage>,
    #[serde(default)]
    tools: Option<Vec<WireTool>>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    #[serde(default)]
    temperature: Option<f64>,
    #[serde(default)]
    max_tokens: Option<u32>,
    #[serde(default)]
    max_completion_tokens: Option<u32>,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
struct WireMessage {
    role: String,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    tool_calls: Option<Vec<WireCall>>,
    #[serde(default)]
    tool_call_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected `content` to be text or a list of text parts")]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Deserialize)]
struct ContentPart {
    #[serde(default)]
    text: String,
}

impl Content {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().map(|part| part.text).collect(),
        }
    }
}

#[derive(Deserialize)]
struct WireCall {
    id: String,
    function: CalledFunction,
}

#[derive(Deserialize)]
struct CalledFunction {
    name: String,
    #[serde(default)]
    arguments: String,
}

#[derive(Deserialize)]
struct WireTool {
    #[serde(rename = "type")]
    kind: String,
    function: WireFunction,
}

#[derive(Deserialize)]
struct WireFunction {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    parameters: Option<Value>,
}
