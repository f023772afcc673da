//! The server's half of chat completions against the client's: what one writes the other reads.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

#[path = "../../llm/tests/parts/mod.rs"]
mod parts;

use std::sync::Arc;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use gateway::chat::{ChunkWriter, completion, parse_request};
use llm::Endpoint;
use llm::openai_chat::{Decoder, decode, encode};
use proptest::prelude::*;
use protocol::*;
use serde_json::json;

fn request() -> ModelRequest {
    let call =
        |id: &str, arguments| ToolCall { id: CallId(id.into()), name: "todo_create".into(), arguments };
    let result = |id: &str, content: &str| Message::Tool {
        call_id: CallId(id.into()),
        name: "todo_create".into(),
        content: content.into(),
        is_error: false,
    };
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 2,
        model: "gpt-x".into(),
        messages: [
            Message::System { content: "You are Satchel.".into() },
            Message::user("Add milk and eggs"),
            Message::Assistant {
                content: String::new(),
                thought: "Two to-dos.".into(),
                tool_calls: vec![call("a", json!({"title": "Milk"})), call("b", json!("{\"title\": Eg"))],
            },
            result("a", "{\"ok\":true}"),
            result("b", "The arguments are no valid JSON."),
        ]
        .map(Arc::new)
        .to_vec(),
        tools: vec![Arc::new(ToolSpec {
            name: "todo_create".into(),
            title: "Add a to-do".into(),
            description: "Adds to-dos.".into(),
            input_schema: json!({"type": "object", "properties": {"title": {"type": "string"}}}),
            hints: Hints::default(),
        })],
        temperature: Some(0.2),
        max_output_tokens: Some(1_000),
    }
}

#[test]
fn what_the_client_sends_the_server_reads() {
    let sent = request();
    let http = encode(&sent, &Endpoint::open("api/llm/pocket"));
    let served = parse_request(&http.body, RunId("served".into())).unwrap();
    let mut expected = ModelRequest { run_id: RunId("served".into()), ..sent };
    // What the wire cannot carry: thoughts, titles, hints; and broken arguments travel in an object.
    let Some(Message::Assistant { thought, tool_calls, .. }) =
        expected.messages.get_mut(2).map(Arc::make_mut)
    else {
        panic!()
    };
    thought.clear();
    tool_calls[1].arguments = json!({"invalid_json": "{\"title\": Eg"});
    Arc::make_mut(&mut expected.tools[0]).title = "todo_create".into();
    assert_eq!(served.request, expected);
    assert!(served.stream && served.include_usage);
}

#[test]
fn wrong_requests_are_refused_in_the_providers_words() {
    let user = json!([{ "role": "user", "content": "Hi" }]);
    let rows = [
        b"{".to_vec(),
        b"[]".to_vec(),
        json!({ "messages": user }).to_string().into_bytes(),
        json!({ "model": "m" }).to_string().into_bytes(),
        json!({ "model": "m", "messages": [] }).to_string().into_bytes(),
        json!({ "model": "m", "messages": "Hi" }).to_string().into_bytes(),
        json!({ "model": "m", "messages": [{ "role": "wizard", "content": "Hi" }] }).to_string().into_bytes(),
        json!({ "model": "m", "messages": [{ "role": "user", "content": 7 }] }).to_string().into_bytes(),
        json!({ "model": "m", "messages": [{ "role": "tool", "content": "x" }] }).to_string().into_bytes(),
        json!({ "model": "m", "messages": [{ "role": "tool", "tool_call_id": "no", "content": "x" }] })
            .to_string()
            .into_bytes(),
        json!({ "model": "m", "messages": user, "tools": [{ "type": "web", "function": { "name": "x" } }] })
            .to_string()
            .into_bytes(),
        json!({ "model": "m", "messages": user, "temperature": "hot" }).to_string().into_bytes(),
    ];
    let refused: Vec<_> = rows
        .iter()
        .map(|body| {
            let error = parse_request(body, RunId("r".into())).unwrap_err();
            assert_eq!(error.status, 400);
            json!({ "sent": String::from_utf8_lossy(body), "answer": error.to_json() })
        })
        .collect();
    insta::assert_json_snapshot!(refused);
}

#[test]
fn other_ways_to_say_the_same_request() {
    let body = json!({
        "model": "m",
        "messages": [
            { "role": "developer", "content": [{ "type": "text", "text": "Be " }, { "type": "text", "text": "short." }] },
            { "role": "user", "content": "Hi" },
            { "role": "assistant", "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "t", "arguments": "" } }] },
            { "role": "tool", "tool_call_id": "a", "content": "ok" },
        ],
        "max_completion_tokens": 5, "seed": 7, "user": "ignored",
    });
    let served = parse_request(body.to_string().as_bytes(), RunId("r".into())).unwrap();
    assert!(!served.stream && !served.include_usage);
    let messages = served.request.messages;
    assert_eq!(*messages[0], Message::System { content: "Be short.".into() });
    assert!(
        matches!(&*messages[2], Message::Assistant { tool_calls, .. } if tool_calls[0].arguments == json!({}))
    );
    assert!(matches!(&*messages[3], Message::Tool { name, .. } if name == "t"));
    assert_eq!((served.request.step, served.request.max_output_tokens), (2, Some(5)));
}

fn events() -> Vec<ModelEvent> {
    vec![
        ModelEvent::ThoughtDelta { text: "Hm.".into() },
        ModelEvent::TextDelta { text: "Grüße\n\ndata: [DONE]".into() },
        ModelEvent::ToolCallDelta {
            index: 0,
            id: Some(CallId("a".into())),
            name: Some("todo_create".into()),
            arguments: "{".into(),
        },
        ModelEvent::ToolCallDelta { index: 0, id: None, name: None, arguments: "}".into() },
        ModelEvent::Usage {
            usage: Usage {
                input_tokens: 1,
                output_tokens: 2,
                cached_input_tokens: 3,
                reasoning_tokens: 4,
                ..Usage::default()
            },
        },
        ModelEvent::Done { reason: StopReason::ToolCalls },
    ]
}

fn written(events: &[ModelEvent]) -> String {
    let mut writer = ChunkWriter::new("chatcmpl-1", "pocket", 1_700_000_000, true);
    events.iter().map(|event| writer.write(event)).collect()
}

fn read(body: Vec<u8>) -> Vec<ModelEvent> {
    let decoder = Decoder::new(&request());
    let events = decode(&vec![], iter([Ok(body)]).boxed_local(), decoder, 0);
    block_on(events.collect::<Vec<_>>()).into_iter().map(Result::unwrap).collect()
}

#[test]
fn a_response_on_the_wire() {
    insta::assert_snapshot!("stream", written(&events()));
    insta::assert_json_snapshot!("whole", completion("chatcmpl-1", "pocket", 1_700_000_000, &events()));
}

#[test]
fn a_whole_answer_reads_back_too() {
    // Ids of the request are taken, so the response's must be new for the same events to come back.
    let events: Vec<_> = events()
        .into_iter()
        .map(|event| match event {
            ModelEvent::ToolCallDelta { index, id: Some(_), name, arguments } => {
                ModelEvent::ToolCallDelta { index, id: Some(CallId("new".into())), name, arguments }
            }
            other => other,
        })
        .collect();
    let body = completion("c", "pocket", 0, &events).to_string().into_bytes();
    let mut expected = events;
    expected.remove(3);
    if let ModelEvent::ToolCallDelta { arguments, .. } = &mut expected[2] {
        *arguments = "{}".into();
    }
    assert_eq!(read(body), expected);
}

proptest! {
    /// Whatever a model says, the server's half writes it so that the client's half reads the same.
    #[test]
    fn what_the_server_writes_the_client_reads(
        (events, reason) in parts::answer("new_", "\\PC{1,12}|[\n\r\u{2028}\"\\\\ü🛰]{1,4}", 12),
        usage in any::<(u32, u32, u32, u32)>(),
    ) {
        let (input, output, cached, reasoning) = usage;
        let mut sent = events.clone();
        sent.push(ModelEvent::Usage { usage: Usage {
            input_tokens: input.into(), output_tokens: output.into(),
            cached_input_tokens: cached.into(), reasoning_tokens: reasoning.into(), ..Usage::default()
        } });
        sent.push(ModelEvent::Done { reason });
        prop_assert_eq!(read(written(&sent).into_bytes()), sent);
    }
}
