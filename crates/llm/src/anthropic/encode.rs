//! A model request as the body of `POST …/messages`.
//!
//! Anthropic is strict about the order: the conversation begins with the user, the roles take turns, and the results
//! of all calls of an answer come first in the one user turn after it. Our messages are finer, so neighbours of one
//! role are put together.

use protocol::{CallId, Message, ModelRequest, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use crate::dialect::{Dialect, Schemas};
use crate::fitting::fitted;
use crate::request::{LEFT_OUT, address, arguments, call_id, is_plain, key, name, post, thought_of};
use crate::{Endpoint, HttpRequest};

/// What comes behind the base URL.
const PATH: &str = "/messages";

/// The version of the wire.
pub(crate) const VERSION: &str = "2023-06-01";

/// Anthropic wants a limit with every request. Every model of today takes this one, and no answer of an agent with
/// tools should be longer.
pub(crate) const MAX_TOKENS: u32 = 16_000;

/// Encodes a request for an endpoint, streaming. The headers that Anthropic itself asks for go with the key: where no
/// key is needed, a gateway adds them, and a server on this machine might not let a page send them (CORS).
#[must_use]
pub fn encode(request: &ModelRequest, endpoint: &Endpoint) -> HttpRequest {
    let body = body(request, Dialect::of(&endpoint.base_url, &request.model));
    match key(endpoint) {
        None => post(endpoint, PATH, &[], &body),
        Some(key) => {
            let auth = [
                ("x-api-key", key),
                ("anthropic-version", VERSION),
                // The key is the person's own and stays in their browser, which is what this header asks about.
                ("anthropic-dangerous-direct-browser-access", "true"),
            ];
            post(endpoint, PATH, &auth, &body)
        }
    }
}

/// The address of messages under a base URL (`https://api.anthropic.com/v1`); see
/// [`chat_url`](crate::openai_chat::chat_url) for what is done with a query string.
#[must_use]
pub fn messages_url(base: &str) -> String {
    address(base, PATH)
}

fn body(request: &ModelRequest, dialect: Dialect) -> Value {
    let mut system = Vec::new();
    let mut turns = Turns::default();
    for message in &request.messages {
        match &**message {
            Message::System { content } => system.extend(text(content)),
            Message::User { content, images } => {
                // Pictures before the words about them, as is advised.
                let images = images.iter().map(|image| {
                    let (media_type, data) = (&image.media_type, &image.data);
                    let source = json!({ "type": "base64", "media_type": media_type, "data": data });
                    json!({ "type": "image", "source": source })
                });
                turns.of("user").blocks.extend(images.chain(text(content)));
            }
            Message::Assistant { content, thought, tool_calls } => {
                let turn = turns.of("assistant");
                // Anthropic's own thoughts are signed, and nothing is taken back without its signature. DeepSeek's endpoint of
                // this wire signs nothing and wants them all.
                if dialect.thoughts {
                    let thought = thought_of(thought, tool_calls);
                    turn.blocks.push(json!({ "type": "thinking", "thinking": thought, "signature": "" }));
                }
                turn.blocks.extend(text(content));
                turn.blocks.extend(tool_calls.iter().map(tool_use));
            }
            Message::Tool { call_id, name: _, content, is_error } => {
                turns.of("user").result(tool_result(call_id, content, *is_error));
            }
        }
    }
    let mut turns = turns.finished();
    let mut tools: Vec<Value> = request.tools.iter().map(|spec| tool(spec, dialect.schemas)).collect();
    // What is asked again with the next step: the tools in every run, the system's words in this one (they name the
    // run), and the conversation up to here.
    mark(tools.last_mut());
    mark(system.last_mut());
    mark(turns.last_mut().and_then(|turn| turn.blocks.last_mut()));

    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("max_tokens".into(), json!(request.max_output_tokens.unwrap_or(MAX_TOKENS)));
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
    }
    let message = |turn: Turn| json!({ "role": turn.role, "content": turn.blocks });
    body.insert("messages".into(), turns.into_iter().map(message).collect());
    if let Some(temperature) = request.temperature {
        // Others go up to 2; here more than 1 is refused.
        body.insert("temperature".into(), json!(temperature.clamp(0.0, 1.0)));
    }
    body.insert("stream".into(), json!(true));
    Value::Object(body)
}

/// Everything one side says before the other speaks again.
struct Turn {
    role: &'static str,
    blocks: Vec<Value>,
    /// How many of the blocks are results; they come first.
    results: usize,
}

impl Turn {
    fn result(&mut self, block: Value) {
        self.blocks.insert(self.results, block);
        self.results += 1;
    }
}

/// The conversation so far.
#[derive(Default)]
struct Turns(Vec<Turn>);

impl Turns {
    /// The turn of this role that is being written: the last one, or a new one.
    fn of(&mut self, role: &'static str) -> &mut Turn {
        // A turn that was left empty is none, so that its neighbours meet.
        self.0.pop_if(|turn| turn.blocks.is_empty());
        let place = match self.0.last() {
            Some(turn) if turn.role == role => self.0.len() - 1,
            _ => {
                self.0.push(Turn { role, blocks: Vec::new(), results: 0 });
                self.0.len() - 1
            }
        };
        &mut self.0[place]
    }

    fn finished(mut self) -> Vec<Turn> {
        self.0.pop_if(|turn| turn.blocks.is_empty());
        if self.0.first().is_some_and(|turn| turn.role != "user") {
            let blocks = text(LEFT_OUT).into_iter().collect();
            self.0.insert(0, Turn { role: "user", blocks, results: 0 });
        }
        self.0
    }
}

/// A text with nothing in it is refused.
fn text(content: &str) -> Option<Value> {
    (!content.trim().is_empty()).then(|| json!({ "type": "text", "text": content }))
}

fn tool_use(call: &ToolCall) -> Value {
    json!({ "type": "tool_use", "id": wire_id(&call.id), "name": name(call), "input": arguments(call) })
}

fn tool_result(call_id: &CallId, content: &str, is_error: bool) -> Value {
    let mut result = json!({ "type": "tool_result", "tool_use_id": wire_id(call_id), "content": content });
    if is_error {
        result["is_error"] = json!(true);
    }
    result
}

fn tool(tool: &ToolSpec, taken: Schemas) -> Value {
    let mut schema = fitted(&tool.input_schema, taken);
    let is_required =
        |list: &Value, name: &str| list.as_array().is_some_and(|all| all.iter().any(|it| it == name));
    let required = schema["required"].clone();
    if let Some(properties) = schema["properties"].as_object_mut() {
        // A field that may be left out is left out where its name is refused.
        properties.retain(|name, _| is_field(name) || is_required(&required, name));
    }
    json!({ "name": tool.name, "description": tool.description, "input_schema": schema })
}

/// A name that a field may have: it is refused with any other.
fn is_field(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| is_plain(byte) || byte == b'.')
}

/// The longest id that is sent.
const LONGEST_ID: usize = 64;

/// Only plain ids are taken.
fn wire_id(id: &CallId) -> String {
    call_id(id, LONGEST_ID, is_plain)
}

/// Marks where a stretch ends that is worth keeping for the next request. At most four such marks are allowed.
fn mark(block: Option<&mut Value>) {
    if let Some(Value::Object(block)) = block {
        block.insert("cache_control".into(), json!({ "type": "ephemeral" }));
    }
}
