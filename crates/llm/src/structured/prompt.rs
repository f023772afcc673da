//! A request in words: the tools, the format of the answer, and a conversation without calls in it.

use std::fmt::Write as _;
use std::sync::Arc;

use protocol::{Message, ModelRequest, ToolCall};
use serde::Serialize;
use serde_json::Value;

use crate::request::arguments;

/// The format of a response, its three rules (S0-15) and the guidelines (S0-38).
const FORMAT: &str = r#"How to answer
Every answer of yours is exactly one JSON object and nothing else: no text before or after it, no code fence.
To use tools:
{"thought": "<why>", "tool_calls": [{"name": "<tool>", "arguments": {<as its schema says>}}], "confidence": <0.0 to 1.0>}
To speak to the person:
{"thought": "<why>", "assistant_message": "<what you say>", "confidence": <0.0 to 1.0>}
Rules:
1. "thought" is always there, short, and never empty.
2. Either "tool_calls" or "assistant_message", never both. Results come back as messages that begin with "Tool result".
3. "confidence" is how sure you are of this answer, from 0.0 to 1.0.
Guidelines:
- Speak to the person as in a conversation.
- Call tools when they are needed, instead of guessing; several at once where none needs another's result.
- Where a result has a reference, use it instead of repeating the data.
- Ask back only when you truly cannot go on without it.
- Be clear, and say what was done or can be done next.
- Always think first, in "thought"."#;

/// What the system message ends with: small models go by what they read last.
const REMINDER: &str = "Answer with one JSON object, as said at the beginning.";

/// Before the results of calls.
const RESULT: &str = "Tool result";

/// The request without tools, calls and `tool` messages. The tools and the format come first, where a server has them
/// ready from the request before.
pub(super) fn rewritten(request: &ModelRequest) -> ModelRequest {
    let mut system = format!("{}\n\n{FORMAT}", tools(request));
    let mut messages: Vec<Message> = Vec::new();
    for message in &request.messages {
        match &**message {
            Message::System { content } => system = format!("{system}\n\n{content}"),
            Message::User { content, images } => {
                say(&mut messages, content.clone());
                if let Some(Message::User { images: shown, .. }) = messages.last_mut() {
                    shown.extend(images.iter().cloned());
                }
            }
            Message::Assistant { content, thought: _, tool_calls } => {
                let content = spoken(content, tool_calls);
                messages.push(Message::Assistant { content, thought: String::new(), tool_calls: vec![] });
            }
            Message::Tool { call_id: _, name, content, is_error } => {
                let kind = if *is_error { " (it failed)" } else { "" };
                say(&mut messages, format!("{RESULT} of {name}{kind}:\n{content}"));
            }
        }
    }
    messages.insert(0, Message::System { content: format!("{system}\n\n{REMINDER}") });
    let messages = messages.into_iter().map(Arc::new).collect();
    ModelRequest { messages, tools: Vec::new(), ..request.clone() }
}

/// What a model is told whose answer was invalid.
pub(super) fn for_repair(said: &str) -> String {
    format!("{said}. Answer the same again, correctly: exactly one JSON object in the format you were given.")
}

fn tools(request: &ModelRequest) -> String {
    let mut text = "Tools you can use".to_owned();
    for tool in &request.tools {
        let _ = write!(
            text,
            "\n- {}: {}\n  arguments, as JSON Schema: {}",
            tool.name, tool.description, tool.input_schema
        );
    }
    text
}

/// Something that is said to the model. Chat templates of small models want the roles to take turns, so neighbours are
/// one message.
fn say(messages: &mut Vec<Message>, more: String) {
    match messages.last_mut() {
        Some(Message::User { content, .. }) => {
            content.push_str("\n\n");
            content.push_str(&more);
        }
        _ => messages.push(Message::user(more)),
    }
}

/// What the model said, as it would have said it in this format. Its own thought is not kept, and an empty one would
/// teach it to leave it out.
#[derive(Serialize)]
#[serde(untagged)]
enum Spoken<'a> {
    Calls { thought: &'a str, tool_calls: Vec<SpokenCall> },
    Message { thought: &'a str, assistant_message: &'a str },
}

#[derive(Serialize)]
struct SpokenCall {
    name: String,
    arguments: Value,
}

fn spoken(content: &str, calls: &[ToolCall]) -> String {
    let spoken = if calls.is_empty() {
        Spoken::Message { thought: "I can answer this.", assistant_message: content }
    } else {
        // What it said beside its calls has no other place here.
        let thought = if content.trim().is_empty() { "This needs a tool." } else { content };
        let call = |call: &ToolCall| SpokenCall { name: call.name.clone(), arguments: arguments(call) };
        Spoken::Calls { thought, tool_calls: calls.iter().map(call).collect() }
    };
    // It holds nothing that JSON cannot say.
    serde_json::to_string(&spoken).unwrap_or_default()
}
