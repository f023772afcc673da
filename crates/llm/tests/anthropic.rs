//! What Anthropic's Messages look like from us, and that they keep the order Anthropic asks for.

use crate::parts;

use std::sync::Arc;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::anthropic::{encode, messages_url};
use llm::{Endpoint, Secret, ToolUse, Wire};
use proptest::prelude::*;
use protocol::*;
use serde_json::{Value, json};

fn user(content: &str) -> Message {
    Message::user(content)
}

fn assistant(content: &str, ids: &[&str]) -> Message {
    let call =
        |id: &&str| ToolCall { id: CallId((*id).into()), name: "todo_create".into(), arguments: json!({}) };
    Message::Assistant {
        content: content.into(),
        thought: "Hm.".into(),
        tool_calls: ids.iter().map(call).collect(),
    }
}

fn result(id: &str, is_error: bool) -> Message {
    Message::Tool {
        call_id: CallId(id.into()),
        name: "todo_create".into(),
        content: format!("of {id}"),
        is_error,
    }
}

fn asking(messages: Vec<Message>) -> ModelRequest {
    let tool = |name: &str| ToolSpec {
        name: name.into(),
        title: "A tool".into(),
        description: "It does.".into(),
        input_schema: json!({"type": "object", "properties": {"title": {"type": "string"}}}),
        hints: Hints::default(),
    };
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 2,
        model: "claude-haiku-4-5".into(),
        messages: messages.into_iter().map(Arc::new).collect(),
        tools: vec![tool("todo_list").into(), tool("todo_create").into()],
        temperature: Some(0.25),
        max_output_tokens: Some(1_000),
    }
}

fn body(request: &ModelRequest) -> Value {
    let http = encode(request, &Endpoint::open("https://api.anthropic.com/v1"));
    serde_json::from_slice(&http.body).unwrap()
}

/// The roles and blocks of a conversation on the wire, in short.
fn short(messages: Vec<Message>) -> String {
    let body = body(&asking(messages));
    let block = |block: &Value| {
        let said = ["text", "id", "tool_use_id"].iter().find_map(|name| block[*name].as_str());
        format!("{}({})", block["type"].as_str().unwrap(), said.unwrap())
    };
    let turn = |turn: &Value| {
        let blocks: Vec<_> = turn["content"].as_array().unwrap().iter().map(block).collect();
        format!("{}: {}", turn["role"].as_str().unwrap(), blocks.join(" "))
    };
    body["messages"].as_array().unwrap().iter().map(turn).collect::<Vec<_>>().join(" | ")
}

#[test]
fn a_request_on_the_wire() {
    let mut broken = assistant("", &["a", "b"]);
    if let Message::Assistant { tool_calls, .. } = &mut broken {
        tool_calls[0].arguments = json!({"title": "Milk"});
        tool_calls[1].arguments = json!("{\"title\": Eg");
    }
    let system = Message::System { content: "You are Satchel.".into() };
    let messages = vec![
        system,
        user("Add milk and eggs"),
        broken,
        result("a", false),
        result("b", true),
        user("Thanks"),
    ];
    let endpoint = Endpoint {
        base_url: "https://api.anthropic.com/v1/".into(),
        wire: Wire::AnthropicMessages,
        key: Some(Secret::new(" sk-ant-test\n")),
        headers: vec![("x-title".into(), "Satchel".into())],
        tools: ToolUse::Automatic,
    };
    let http = encode(&asking(messages), &endpoint);
    let body: Value = serde_json::from_slice(&http.body).unwrap();
    insta::assert_json_snapshot!(json!({
        "method": http.method, "url": http.url, "headers": http.headers, "body": body,
    }));
    assert!(!format!("{http:?}").contains("sk-ant"), "a key in {http:?}");
}

#[test]
fn without_a_key_no_header_is_sent_that_a_local_server_might_refuse() {
    let http = encode(&asking(vec![user("Hi")]), &Endpoint::open("http://127.0.0.1:11434/v1"));
    let names: Vec<&str> = http.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["content-type", "accept"]);
}

#[test]
fn addresses_are_joined_with_care() {
    for (base, url) in [
        ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1//", "https://api.anthropic.com/v1/messages"),
        ("http://127.0.0.1:11434/v1/messages", "http://127.0.0.1:11434/v1/messages"),
        ("api/llm/claude", "api/llm/claude/messages"),
        ("https://x.test/anthropic?v=1", "https://x.test/anthropic/messages?v=1"),
    ] {
        assert_eq!(messages_url(base), url);
    }
}

#[test]
fn the_limit_is_always_said_and_the_temperature_stays_in_range() {
    let limit = |max_output_tokens| {
        body(&ModelRequest { max_output_tokens, ..asking(vec![user("Hi")]) })["max_tokens"].clone()
    };
    assert_eq!((limit(Some(7)), limit(None)), (json!(7), json!(16_000)));
    for (asked, sent) in [(Some(0.5), json!(0.5)), (Some(1.7), json!(1.0)), (None, Value::Null)] {
        let request = ModelRequest { temperature: asked, ..asking(vec![user("Hi")]) };
        assert_eq!(body(&request)["temperature"], sent, "{asked:?}");
    }
}

#[test]
fn the_order_is_the_one_anthropic_asks_for() {
    let rows: Vec<(&str, Vec<Message>, &str)> = vec![
        (
            "results of one answer are one turn, what the person adds comes after them",
            vec![user("Hi"), assistant("", &["a", "b"]), result("a", false), result("b", true), user("And?")],
            "user: text(Hi) | assistant: tool_use(a) tool_use(b) | \
             user: tool_result(a) tool_result(b) text(And?)",
        ),
        (
            "results first, even when the person spoke before they came",
            vec![
                user("Hi"),
                assistant("", &["a", "b"]),
                result("a", false),
                user("And?"),
                result("b", false),
            ],
            "user: text(Hi) | assistant: tool_use(a) tool_use(b) | \
             user: tool_result(a) tool_result(b) text(And?)",
        ),
        (
            "text before calls",
            vec![user("Hi"), assistant("I look.", &["a"]), result("a", false)],
            "user: text(Hi) | assistant: text(I look.) tool_use(a) | user: tool_result(a)",
        ),
        (
            "the same role twice is one turn",
            vec![user("Hi"), user("Hello?"), assistant("Yes", &[]), assistant("Well", &[]), user("Go on")],
            "user: text(Hi) text(Hello?) | assistant: text(Yes) text(Well) | user: text(Go on)",
        ),
        (
            "nothing is said with nothing in it",
            vec![user("Hi"), assistant(" \n", &[]), user("Go on"), assistant("", &["a"]), result("a", false)],
            "user: text(Hi) text(Go on) | assistant: tool_use(a) | user: tool_result(a)",
        ),
        (
            "the person begins",
            vec![assistant("Welcome", &[]), user("Hi")],
            "user: text((What was said before this is left out.)) | assistant: text(Welcome) | user: text(Hi)",
        ),
        (
            "ids of other models",
            vec![
                user("Hi"),
                assistant("", &["functions.x:0", "a_b"]),
                result("functions.x:0", false),
                result("a_b", false),
            ],
            "user: text(Hi) | assistant: tool_use(call_448624f5d5d78247549321bd) tool_use(a_b) | \
             user: tool_result(call_448624f5d5d78247549321bd) tool_result(a_b)",
        ),
    ];
    for (what, messages, expected) in rows {
        assert_eq!(short(messages), expected, "{what}");
    }
}

/// Where `cache_control` stands, as paths into the body.
fn marks(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "cache_control" {
                    assert_eq!(*value, json!({"type": "ephemeral"}));
                    found.push(path.to_owned());
                }
                marks(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                marks(item, &format!("{path}/{place}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn what_comes_again_is_marked_for_the_cache() {
    let system = || Message::System { content: "You are Satchel.".into() };
    let rows: Vec<(Vec<Message>, &[&str])> = vec![
        (vec![system(), user("Hi")], &["/tools/1", "/system/0", "/messages/0/content/0"]),
        (
            vec![system(), user("Hi"), assistant("", &["a", "b"]), result("a", false), result("b", false)],
            &["/tools/1", "/system/0", "/messages/2/content/1"],
        ),
        (vec![user("Hi")], &["/tools/1", "/messages/0/content/0"]),
    ];
    for (messages, expected) in rows {
        let mut found = Vec::new();
        marks(&body(&asking(messages)), "", &mut found);
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
    let bare = ModelRequest { tools: vec![], ..asking(vec![]) };
    let sent = body(&bare);
    assert!(sent.get("tools").is_none() && sent.get("system").is_none(), "{sent}");
}

/// A conversation as the agent keeps it (D-05): each call has its result, in order, after the message that asked.
fn conversation() -> impl Strategy<Value = Vec<Message>> {
    let text = prop_oneof![Just(String::new()), Just(" ".to_owned()), "[a-z]{1,8}"];
    let step = (0..3_u8, text, 0..4_usize);
    prop::collection::vec(step, 0..12).prop_map(|steps| {
        let mut messages = Vec::new();
        for (place, (kind, text, calls)) in steps.into_iter().enumerate() {
            match kind {
                0 => messages.push(user(&text)),
                1 => messages.push(assistant(&text, &[])),
                _ => {
                    let ids: Vec<String> = (0..calls).map(|call| format!("call.{place}_{call}")).collect();
                    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                    messages.push(assistant(&text, &ids));
                    messages.extend(ids.iter().map(|id| result(id, false)));
                }
            }
        }
        messages
    })
}

/// Events as Anthropic would stream them: neighbours of one kind in one block.
fn streamed(events: &[ModelEvent]) -> Vec<u8> {
    let mut body = String::new();
    let mut write = |event: Value| body.push_str(&format!("event: {}\ndata: {event}\n\n", event["type"]));
    write(json!({"type": "message_start", "message": {"id": "msg_1", "content": [], "stop_reason": null}}));
    let mut open: Option<(&str, usize)> = None;
    let mut blocks = 0;
    for event in events {
        let (kind, delta, start) = match event {
            ModelEvent::TextDelta { text } => {
                ("text", json!({"type": "text_delta", "text": text}), json!({"type": "text", "text": ""}))
            }
            ModelEvent::ThoughtDelta { text } => (
                "thinking",
                json!({"type": "thinking_delta", "thinking": text}),
                json!({"type": "thinking", "thinking": "", "signature": ""}),
            ),
            ModelEvent::ToolCallDelta { id, name, arguments, .. } => (
                "tool_use",
                json!({"type": "input_json_delta", "partial_json": arguments}),
                json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
            ),
            other => panic!("{other:?} is not streamed"),
        };
        let begins = matches!(event, ModelEvent::ToolCallDelta { id: Some(_), .. });
        if begins || open.is_none_or(|(before, _)| before != kind) {
            if let Some((_, index)) = open {
                write(json!({"type": "content_block_stop", "index": index}));
            }
            write(json!({"type": "content_block_start", "index": blocks, "content_block": start}));
            open = Some((kind, blocks));
            blocks += 1;
        }
        write(json!({"type": "content_block_delta", "index": blocks - 1, "delta": delta}));
    }
    write(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": null}));
    write(json!({"type": "message_stop"}));
    body.into_bytes()
}

proptest! {
    /// What is streamed is what is read.
    #[test]
    fn a_stream_reads_back((mut events, reason) in parts::answer("toolu_", "\\PC{1,12}", 20)) {
        let body = iter([Ok(streamed(&events))]).boxed_local();
        let request = asking(vec![]);
        let read: Vec<_> =
            block_on(Wire::AnthropicMessages.decode(&vec![], body, &request, 0).collect());
        events.push(ModelEvent::Done { reason });
        prop_assert_eq!(read, events.into_iter().map(Ok).collect::<Vec<_>>());
    }

    /// Whatever the conversation, Anthropic's rules hold.
    #[test]
    fn every_conversation_is_one_that_is_taken(messages in conversation()) {
        let sent = body(&asking(messages.clone()));
        let turns = sent["messages"].as_array().unwrap();
        let of_type = |turn: &Value, kind: &str, id: &str| -> Vec<String> {
            let blocks = turn["content"].as_array().unwrap().iter().filter(|block| block["type"] == kind);
            blocks.map(|block| block[id].as_str().unwrap().to_owned()).collect()
        };
        let mut asked = Vec::new();
        for (place, turn) in turns.iter().enumerate() {
            let role = if place % 2 == 0 { "user" } else { "assistant" };
            prop_assert_eq!(turn["role"].as_str(), Some(role), "roles take turns, and the user begins");
            let blocks = turn["content"].as_array().unwrap();
            prop_assert!(!blocks.is_empty());
            for text in of_type(turn, "text", "text") {
                prop_assert!(!text.trim().is_empty());
            }
            let results = of_type(turn, "tool_result", "tool_use_id");
            prop_assert_eq!(&results, &asked, "each call of the turn before has its result, in order");
            let first = blocks.iter().take(results.len());
            prop_assert!(first.into_iter().all(|block| block["type"] == "tool_result"), "results first");
            asked = of_type(turn, "tool_use", "id");
        }
        prop_assert!(asked.is_empty(), "no call is left open");
        // Nothing that was said is lost.
        let said = |message: &Message| match message {
            Message::User { content, .. } | Message::Assistant { content, .. } => content.trim().to_owned(),
            _ => String::new(),
        };
        let texts = turns.iter().flat_map(|turn| of_type(turn, "text", "text"));
        let said_on_the_wire: Vec<_> = texts.filter(|text| !text.starts_with('(')).collect();
        let said: Vec<_> = messages.iter().map(said).filter(|text| !text.is_empty()).collect();
        prop_assert_eq!(said_on_the_wire, said);
    }
}
