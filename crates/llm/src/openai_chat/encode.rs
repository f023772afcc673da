//! A model request as the body of `POST …/chat/completions`.

use protocol::{CallId, Message, ModelRequest, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use crate::request::{address, arguments, call_id, name, post_as_bearer};
use crate::{Endpoint, HttpRequest};

/// What comes behind the base URL.
const PATH: &str = "/chat/completions";

/// Encodes a request for an endpoint, streaming, usage included.
#[must_use]
pub fn encode(request: &ModelRequest, endpoint: &Endpoint) -> HttpRequest {
    post_as_bearer(endpoint, PATH, &body(request, &endpoint.base_url))
}

/// The address of chat completions under a base URL. A query string (Azure's `?api-version=`) stays at the end, and a
/// base that was pasted with the path already on it is taken as it is.
#[must_use]
pub fn chat_url(base: &str) -> String {
    address(base, PATH)
}

fn body(request: &ModelRequest, base_url: &str) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    let mut messages: Vec<Value> = request.messages.iter().map(|one| message(one)).collect();
    if is_gemini_3(&request.model, base_url) {
        messages.iter_mut().for_each(without_signature);
    }
    body.insert("messages".into(), Value::Array(messages));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(|spec| tool(spec)).collect());
    }
    if let Some(temperature) = request.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(limit) = request.max_output_tokens {
        // OpenAI's newer models refuse the old name; most compatible servers know only that one.
        let name = if base_url.contains("api.openai.com") { "max_completion_tokens" } else { "max_tokens" };
        body.insert(name.into(), json!(limit));
    }
    body.insert("stream".into(), json!(true));
    body.insert("stream_options".into(), json!({ "include_usage": true }));
    Value::Object(body)
}

fn message(message: &Message) -> Value {
    match message {
        Message::System { content } => json!({ "role": "system", "content": content }),
        Message::User { content, images } if images.is_empty() => {
            json!({ "role": "user", "content": content })
        }
        Message::User { content, images } => {
            let text = (!content.is_empty()).then(|| json!({ "type": "text", "text": content }));
            let images = images
                .iter()
                .map(|image| json!({ "type": "image_url", "image_url": { "url": image.data_url() } }));
            json!({ "role": "user", "content": text.into_iter().chain(images).collect::<Vec<_>>() })
        }
        Message::Assistant { content, thought: _, tool_calls } if tool_calls.is_empty() => {
            json!({ "role": "assistant", "content": content })
        }
        Message::Assistant { content, thought: _, tool_calls } => {
            // Several servers refuse an empty text beside tool calls; null is accepted by all.
            let content = if content.is_empty() { Value::Null } else { json!(content) };
            let calls: Vec<Value> = tool_calls.iter().map(call).collect();
            json!({ "role": "assistant", "content": content, "tool_calls": calls })
        }
        Message::Tool { call_id, name: _, content, is_error: _ } => {
            json!({ "role": "tool", "tool_call_id": wire_id(call_id), "content": content })
        }
    }
}

/// Whether it is a Gemini that asks for the signature of its thoughts back with every call of the history.
fn is_gemini_3(model: &str, base_url: &str) -> bool {
    let model = model.strip_prefix("models/").unwrap_or(model);
    model.starts_with("gemini-") && (base_url.contains("googleapis.com") || model.starts_with("gemini-3"))
}

/// The signature would be worth nothing to another model, and our history is for any: the word that Google gives those
/// who have none stands in its place, on the first call of each answer. Without it the request is refused ("Function call
/// is missing a thought_signature").
fn without_signature(message: &mut Value) {
    if let Some(call) = message.pointer_mut("/tool_calls/0") {
        call["extra_content"] =
            json!({ "google": { "thought_signature": "skip_thought_signature_validator" } });
    }
}

fn call(call: &ToolCall) -> Value {
    let arguments = arguments(call).to_string();
    json!({ "id": wire_id(&call.id), "type": "function", "function": { "name": name(call), "arguments": arguments } })
}

/// The longest id that OpenAI takes here; servers that speak like it made up longer ones.
const LONGEST_ID: usize = 40;

fn wire_id(id: &CallId) -> String {
    call_id(id, LONGEST_ID, |byte| byte.is_ascii_graphic())
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": { "name": tool.name, "description": tool.description, "parameters": tool.input_schema },
    })
}
