//! A model request as the body of `POST …/chat/completions`.

use protocol::{Message, ModelRequest, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use crate::request::{address, arguments, post_as_bearer};
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
    body.insert("messages".into(), request.messages.iter().map(message).collect());
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
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
        Message::User { content } => json!({ "role": "user", "content": content }),
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
            json!({ "role": "tool", "tool_call_id": call_id, "content": content })
        }
    }
}

fn call(call: &ToolCall) -> Value {
    let arguments = arguments(call).to_string();
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": { "name": tool.name, "description": tool.description, "parameters": tool.input_schema },
    })
}
