//! A model request as the body of `POST …/responses`.
//!
//! The conversation is a list of items: what was said is one, each call is one, each result is one. Ids of items are
//! left out, since they would be looked for in a store that we do not use; a result finds its call by `call_id`.

use protocol::{CallId, Message, ModelRequest, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use crate::dialect::{Dialect, Schemas};
use crate::fitting::fitted;
use crate::request::{address, arguments, call_id, name, post_as_bearer};
use crate::{Endpoint, HttpRequest};

/// What comes behind the base URL.
const PATH: &str = "/responses";

/// Less is refused.
const LEAST_OUTPUT_TOKENS: u32 = 16;

/// Encodes a request for an endpoint, streaming.
#[must_use]
pub fn encode(request: &ModelRequest, endpoint: &Endpoint) -> HttpRequest {
    post_as_bearer(endpoint, PATH, &body(request, Dialect::of(&endpoint.base_url, &request.model)))
}

/// The address of responses under a base URL (`https://api.openai.com/v1`); see
/// [`chat_url`](crate::openai_chat::chat_url) for what is done with a query string.
#[must_use]
pub fn responses_url(base: &str) -> String {
    address(base, PATH)
}

fn body(request: &ModelRequest, dialect: Dialect) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("input".into(), request.messages.iter().flat_map(|message| items(message)).collect());
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(|spec| tool(spec, dialect.schemas)).collect());
    }
    if let Some(temperature) = request.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(limit) = request.max_output_tokens {
        body.insert("max_output_tokens".into(), json!(limit.max(LEAST_OUTPUT_TOKENS)));
    }
    body.insert("store".into(), json!(false));
    body.insert("stream".into(), json!(true));
    Value::Object(body)
}

/// The items of a message; none when there is nothing in it.
fn items(message: &Message) -> Vec<Value> {
    match message {
        Message::System { content } => said("system", content).into_iter().collect(),
        Message::User { content, images } if images.is_empty() => said("user", content).into_iter().collect(),
        Message::User { content, images } => {
            let text = (!content.is_empty()).then(|| json!({ "type": "input_text", "text": content }));
            let images =
                images.iter().map(|image| json!({ "type": "input_image", "image_url": image.data_url() }));
            vec![json!({ "role": "user", "content": text.into_iter().chain(images).collect::<Vec<_>>() })]
        }
        Message::Assistant { content, thought: _, tool_calls } => {
            said("assistant", content).into_iter().chain(tool_calls.iter().map(call)).collect()
        }
        Message::Tool { call_id, name: _, content, is_error: _ } => {
            vec![json!({ "type": "function_call_output", "call_id": wire_id(call_id), "output": content })]
        }
    }
}

fn said(role: &str, content: &str) -> Option<Value> {
    (!content.is_empty()).then(|| json!({ "role": role, "content": content }))
}

fn call(call: &ToolCall) -> Value {
    let arguments = arguments(call).to_string();
    json!({ "type": "function_call", "call_id": wire_id(&call.id), "name": name(call), "arguments": arguments })
}

/// The longest id that is taken.
const LONGEST_ID: usize = 64;

fn wire_id(id: &CallId) -> String {
    call_id(id, LONGEST_ID, |byte| byte.is_ascii_graphic())
}

fn tool(tool: &ToolSpec, taken: Schemas) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": fitted(&tool.input_schema, taken),
        // Strict is what is assumed here, and then every argument that may be left out would have to be given.
        "strict": false,
    })
}
