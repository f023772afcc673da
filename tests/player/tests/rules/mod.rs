//! What each provider refuses, as far as it can be said of a request alone: the rules of its documentation and of its error
//! messages, on the JSON that its codec writes.

mod providers;
mod schemas;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use llm::{Endpoint, Wire};
use protocol::{ModelRequest, ToolSpec};
use serde_json::{Value, json};

use providers::Provider;

thread_local! {
    /// The lists of tools that were looked at.
    static TOOLS: RefCell<BTreeSet<Vec<String>>> = const { RefCell::new(BTreeSet::new()) };
}

static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(providers::all);

/// For how many providers a request is encoded.
const AT_ONCE: usize = 4;

/// Encodes a request for providers and holds it against the rules of its wire and its own.
///
/// Tools are written out once for each list of them, with those of the app and of a server elsewhere: they are most of a
/// request, and always the same.
pub fn assert_sendable(request: &ModelRequest) {
    let names = request.tools.iter().map(|tool| tool.name.clone()).collect();
    let is_new = TOOLS.with_borrow_mut(|known| known.insert(names));
    let bare = |tool: &Arc<ToolSpec>| {
        let input_schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        Arc::new(ToolSpec { description: String::new(), input_schema, ..ToolSpec::clone(tool) })
    };
    let tools = if is_new {
        request.tools.iter().chain(schemas::TOOLS.iter()).cloned().collect()
    } else {
        request.tools.iter().map(bare).collect()
    };
    let mut sent = ModelRequest { tools, ..request.clone() };
    // Some of them for each request, by what is in it, and all of them for new tools: each gets thousands.
    let count = if is_new { PROVIDERS.len() } else { AT_ONCE };
    let first = request.messages.iter().map(|message| format!("{message:?}").len()).sum::<usize>();
    for provider in PROVIDERS.iter().cycle().skip(first % PROVIDERS.len()).take(count) {
        sent.model = provider.model.to_owned();
        let endpoint = Endpoint { wire: provider.wire, ..Endpoint::open(provider.url) };
        let body: Value = serde_json::from_slice(&endpoint.encode(&sent).body).unwrap();
        let of_wire = match provider.wire {
            Wire::OpenAiChat => chat(&body, provider),
            Wire::AnthropicMessages => anthropic(&body, provider),
            Wire::OpenAiResponses => responses(&body, provider),
        };
        if let Err(why) = of_wire.and_then(|()| provider.check(&body)) {
            panic!("{} refuses it: {why}\n{body:#}", provider.url);
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
fn tools<'a>(
    offered: impl Iterator<Item = (&'a Value, &'a Value)>,
    longest: usize,
    provider: &Provider,
) -> Outcome {
    let mut names = BTreeSet::new();
    for (name, schema) in offered {
        rule(provider.most_tools.is_none_or(|most| names.len() < most), "Invalid 'tools': array too long.")?;
        rule(is_plain(text(name), longest), "a tool with a plain name")?;
        rule(names.insert(text(name)), "a tool twice")?;
        (provider.schema)(schema).map_err(|why| format!("{}: {why}", text(name)))?;
    }
    Ok(())
}

/// OpenAI's chat completions: every call answered before anybody speaks again; ids of at most 40 characters, names of at most 64
/// plain ones.
fn chat(body: &Value, provider: &Provider) -> Outcome {
    let offered = list(&body["tools"]).iter().map(|tool| &tool["function"]);
    tools(offered.map(|tool| (&tool["name"], &tool["parameters"])), 64, provider)?;
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
fn anthropic(body: &Value, provider: &Provider) -> Outcome {
    tools(list(&body["tools"]).iter().map(|tool| (&tool["name"], &tool["input_schema"])), 128, provider)?;
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
                "thinking" => rule(role == "assistant", "only the assistant thinks")?,
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
fn responses(body: &Value, provider: &Provider) -> Outcome {
    tools(list(&body["tools"]).iter().map(|tool| (&tool["name"], &tool["parameters"])), 64, provider)?;
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
