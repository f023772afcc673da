//! What each provider refuses, as far as it can be said of a request alone: the rules of its documentation and of its error
//! messages, on the JSON that its codec writes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use llm::{Endpoint, Wire};
use protocol::{ModelRequest, ToolSpec};
use serde_json::{Value, json};

thread_local! {
    /// The lists of tools that were looked at.
    static TOOLS: RefCell<BTreeSet<Vec<String>>> = const { RefCell::new(BTreeSet::new()) };
}

/// Encodes a request in every wire and holds it against the rules of each.
///
/// Tools are written out once for each list of them: they are most of a request, and always the same.
pub fn assert_sendable(request: &ModelRequest) {
    let names = request.tools.iter().map(|tool| tool.name.clone()).collect();
    let is_new = TOOLS.with_borrow_mut(|known| known.insert(names));
    let bare = |tool: &Arc<ToolSpec>| {
        let input_schema = json!({"type": "object"});
        Arc::new(ToolSpec { description: String::new(), input_schema, ..ToolSpec::clone(tool) })
    };
    let tools = if is_new { request.tools.clone() } else { request.tools.iter().map(bare).collect() };
    let sent = ModelRequest { tools, ..request.clone() };
    for wire in Wire::ALL {
        let endpoint = Endpoint { wire, ..Endpoint::open("https://example.com/v1") };
        let body: Value = serde_json::from_slice(&endpoint.encode(&sent).body).unwrap();
        let refused = match wire {
            Wire::OpenAiChat => chat(&body),
            Wire::AnthropicMessages => anthropic(&body),
            Wire::OpenAiResponses => responses(&body),
        };
        if let Err(why) = refused {
            panic!("{} refuses it: {why}\n{body:#}", wire.name());
        }
    }
}

type Outcome = Result<(), String>;

fn rule(holds: bool, what: &str) -> Outcome {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_plain(name: &str, most: usize) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.len() <= most && name.bytes().all(plain)
}

fn is_object(json: &Value) -> bool {
    serde_json::from_str::<Value>(text(json)).is_ok_and(|value| value.is_object())
}

/// What is offered has plain names, each once, and takes an object.
fn tools<'a>(offered: impl Iterator<Item = (&'a Value, &'a Value)>, longest: usize) -> Outcome {
    let mut names = BTreeSet::new();
    for (name, schema) in offered {
        rule(is_plain(text(name), longest), "a tool with a plain name")?;
        rule(names.insert(text(name)), "a tool twice")?;
        rule(schema["type"] == "object", "a tool takes an object")?;
    }
    Ok(())
}

/// OpenAI's chat completions: every call answered before anybody speaks again; ids of at most 40 characters, names of at most 64
/// plain ones.
fn chat(body: &Value) -> Outcome {
    let offered = list(&body["tools"]).iter().map(|tool| &tool["function"]);
    tools(offered.map(|tool| (&tool["name"], &tool["parameters"])), 64)?;
    let messages = list(&body["messages"]);
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        let role = text(&message["role"]);
        rule((role == "system") == (at == 0), "one system message, the first")?;
        if role == "tool" {
            rule(open.remove(text(&message["tool_call_id"])), "a result without its call")?;
            rule(message["content"].is_string(), "a result is a text")?;
            continue;
        }
        rule(open.is_empty(), "a call without its result")?;
        let calls = list(&message["tool_calls"]);
        rule(!text(&message["content"]).is_empty() || !calls.is_empty(), "a message with nothing in it")?;
        rule(calls.is_empty() || role == "assistant", "only the assistant calls")?;
        for call in calls {
            let id = text(&call["id"]);
            rule(!id.is_empty() && id.len() <= 40, "an id of 1 to 40 characters")?;
            rule(seen.insert(id) && open.insert(id), "an id twice")?;
            rule(is_plain(text(&call["function"]["name"]), 64), "a plain name of 1 to 64 characters")?;
            rule(is_object(&call["function"]["arguments"]), "arguments are an object, as a text")?;
        }
    }
    rule(open.is_empty(), "a call without its result")?;
    let last = messages.last().map(|message| text(&message["role"]));
    rule(matches!(last, Some("user" | "tool")), "it is the model's turn")
}

/// Anthropic's Messages: sides in turn, the person first; results at the head of the message after their calls.
fn anthropic(body: &Value) -> Outcome {
    tools(list(&body["tools"]).iter().map(|tool| (&tool["name"], &tool["input_schema"])), 128)?;
    let messages = list(&body["messages"]);
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        rule(text(&message["role"]) == role, "sides in turn, the person first")?;
        let blocks = list(&message["content"]);
        rule(!blocks.is_empty(), "a message with nothing in it")?;
        let mut is_head = true;
        for block in blocks {
            match text(&block["type"]) {
                "tool_result" => {
                    rule(role == "user" && is_head, "results come first")?;
                    rule(open.remove(text(&block["tool_use_id"])), "a result without its call")?;
                }
                "text" => {
                    is_head = false;
                    rule(!text(&block["text"]).trim().is_empty(), "a text with nothing in it")?;
                }
                "tool_use" => {
                    let id = text(&block["id"]);
                    rule(role == "assistant", "only the assistant calls")?;
                    rule(is_plain(id, usize::MAX), "a plain id")?;
                    rule(seen.insert(id) && open.insert(id), "an id twice")?;
                    rule(is_plain(text(&block["name"]), 128), "a plain name of 1 to 128 characters")?;
                    rule(block["input"].is_object(), "arguments are an object")?;
                }
                other => return Err(format!("a block of an unknown kind: {other}")),
            }
        }
        rule(role == "assistant" || open.is_empty(), "a call without its result")?;
    }
    rule(messages.len() % 2 == 1, "it is the model's turn")?;
    let marks = body.to_string().matches("\"cache_control\"").count();
    rule(marks <= 4, "at most four marks")
}

/// OpenAI's Responses: every call has its output before anybody speaks again; ids of at most 64 characters.
fn responses(body: &Value) -> Outcome {
    tools(list(&body["tools"]).iter().map(|tool| (&tool["name"], &tool["parameters"])), 64)?;
    let items = list(&body["input"]);
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut is_ours = false;
    for item in items {
        let id = text(&item["call_id"]);
        match item["type"].as_str() {
            Some("function_call") => {
                rule(is_ours || open.is_empty(), "a call after some of the results")?;
                rule(!id.is_empty() && id.len() <= 64, "an id of 1 to 64 characters")?;
                rule(seen.insert(id) && open.insert(id), "an id twice")?;
                rule(is_plain(text(&item["name"]), 64), "a plain name of 1 to 64 characters")?;
                rule(is_object(&item["arguments"]), "arguments are an object, as a text")?;
                is_ours = true;
            }
            Some("function_call_output") => {
                rule(open.remove(id), "an output without its call")?;
                rule(item["output"].is_string(), "an output is a text")?;
                is_ours = false;
            }
            None => {
                rule(open.is_empty(), "a call without its output")?;
                rule(matches!(text(&item["role"]), "system" | "user" | "assistant"), "a known role")?;
                rule(!text(&item["content"]).is_empty(), "a message with nothing in it")?;
                is_ours = text(&item["role"]) == "assistant";
            }
            Some(other) => return Err(format!("an item of an unknown kind: {other}")),
        }
    }
    rule(open.is_empty(), "a call without its output")?;
    let last = items.last().map(|item| text(&item["role"]));
    rule(last.is_some_and(|role| role != "assistant") && !is_ours, "it is the model's turn")
}
