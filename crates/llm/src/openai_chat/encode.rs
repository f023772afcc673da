//! A model request as the body of `POST …/chat/completions`.

use std::borrow::Cow;
use std::sync::Arc;

use protocol::{CallId, Message, ModelRequest, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use crate::dialect::{Dialect, Schemas};
use crate::fitting::fitted;
use crate::request::{LEFT_OUT, address, arguments, call_id, name, post_as_bearer, short_id, thought_of};
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
    let dialect = Dialect::of(base_url, &request.model);
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    let mut messages: Vec<Value> = Vec::with_capacity(request.messages.len());
    for turn in turns(&request.messages, dialect) {
        messages.push(message(&turn, dialect));
    }
    if is_gemini_3(&request.model, base_url) {
        messages.iter_mut().for_each(without_signature);
    }
    body.insert("messages".into(), Value::Array(messages));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(|spec| tool(spec, dialect.schemas)).collect());
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

/// The messages with the sides in turn, the person first: a run that failed before it said anything leaves two messages of
/// the person behind each other, and the templates of many models refuse that for the rest of the conversation.
fn turns(messages: &[Arc<Message>], dialect: Dialect) -> Vec<Cow<'_, Message>> {
    let mut turns: Vec<Cow<'_, Message>> = Vec::with_capacity(messages.len());
    for message in messages {
        match (turns.last().map(|last| &**last), &**message) {
            (Some(Message::User { .. }), Message::User { content, images }) => {
                if let Some(Message::User { content: said, images: shown }) =
                    turns.last_mut().map(Cow::to_mut)
                {
                    add(said, content);
                    shown.extend(images.iter().cloned());
                }
                continue;
            }
            (
                Some(Message::Assistant { tool_calls: before, .. }),
                Message::Assistant { content, thought, tool_calls },
            ) if before.is_empty() => {
                if let Some(Message::Assistant { content: said, thought: thoughts, tool_calls: calls }) =
                    turns.last_mut().map(Cow::to_mut)
                {
                    add(said, content);
                    add(thoughts, thought);
                    calls.clone_from(tool_calls);
                }
                continue;
            }
            (None | Some(Message::System { .. }), Message::Assistant { .. }) => {
                turns.push(Cow::Owned(Message::user(LEFT_OUT)));
            }
            (Some(Message::Tool { .. }), Message::User { .. }) if dialect.answers_results => {
                let content = NOT_ANSWERED.to_owned();
                let answer = Message::Assistant { content, thought: String::new(), tool_calls: vec![] };
                turns.push(Cow::Owned(answer));
            }
            _ => {}
        }
        turns.push(Cow::Borrowed(&**message));
    }
    turns
}

/// What the assistant says where it did not come to say anything.
const NOT_ANSWERED: &str = "(I did not get to answer.)";

/// Puts more behind a text, a blank line between.
fn add(said: &mut String, more: &str) {
    if !said.is_empty() && !more.is_empty() {
        said.push_str("\n\n");
    }
    said.push_str(more);
}

fn message(message: &Message, dialect: Dialect) -> Value {
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
        Message::Assistant { content, thought, tool_calls } => {
            // Several servers refuse an empty text beside tool calls; null is accepted by all.
            let is_silent = content.is_empty() && !tool_calls.is_empty();
            let content = if is_silent { Value::Null } else { json!(content) };
            let mut said = json!({ "role": "assistant", "content": content });
            if dialect.thoughts {
                said["reasoning_content"] = json!(thought_of(thought, tool_calls));
            }
            if !tool_calls.is_empty() {
                said["tool_calls"] = tool_calls.iter().map(|one| call(one, dialect)).collect();
            }
            said
        }
        Message::Tool { call_id, name: _, content, is_error: _ } => {
            json!({ "role": "tool", "tool_call_id": wire_id(call_id, dialect), "content": content })
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

fn call(call: &ToolCall, dialect: Dialect) -> Value {
    let arguments = arguments(call).to_string();
    let function = json!({ "name": name(call), "arguments": arguments });
    json!({ "id": wire_id(&call.id, dialect), "type": "function", "function": function })
}

/// The longest id that OpenAI takes here; servers that speak like it made up longer ones.
const LONGEST_ID: usize = 40;

fn wire_id(id: &CallId, dialect: Dialect) -> String {
    if dialect.short_ids { short_id(id) } else { call_id(id, LONGEST_ID, |byte| byte.is_ascii_graphic()) }
}

fn tool(tool: &ToolSpec, taken: Schemas) -> Value {
    let mut function = json!({ "name": tool.name, "description": tool.description });
    let parameters = fitted(&tool.input_schema, taken);
    // Gemini refuses an object without a field; without parameters there is none.
    let has_none = parameters["properties"].as_object().is_none_or(Map::is_empty);
    if taken != Schemas::OpenApi || !has_none {
        function["parameters"] = parameters;
    }
    json!({ "type": "function", "function": function })
}
