//! What OpenAI's Responses look like from us.

use crate::parts;

use std::sync::Arc;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::openai_responses::{encode, responses_url};
use llm::{Endpoint, Secret, ToolUse, Wire};
use proptest::prelude::*;
use protocol::*;
use serde_json::{Value, json};

fn user(content: &str) -> Message {
    Message::user(content)
}

fn request(messages: Vec<Message>) -> ModelRequest {
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
        model: "gpt-5-nano".into(),
        messages: messages.into_iter().map(Arc::new).collect(),
        tools: vec![tool("todo_create").into()],
        temperature: Some(0.25),
        max_output_tokens: Some(1_000),
    }
}

fn body(request: &ModelRequest) -> Value {
    serde_json::from_slice(&encode(request, &Endpoint::open("https://api.openai.com/v1")).body).unwrap()
}

#[test]
fn a_request_on_the_wire() {
    let call =
        |id: &str, arguments| ToolCall { id: CallId(id.into()), name: "todo_create".into(), arguments };
    let result = |id: &str, is_error| Message::Tool {
        call_id: CallId(id.into()),
        name: "todo_create".into(),
        content: format!("of {id}"),
        is_error,
    };
    let messages = vec![
        Message::System { content: "You are Satchel.".into() },
        user("Add milk and eggs"),
        Message::Assistant {
            content: "Both.".into(),
            thought: "Two to-dos.".into(),
            tool_calls: vec![call("a", json!({"title": "Milk"})), call("b", json!("{\"title\": Eg"))],
        },
        result("a", false),
        result("b", true),
        Message::Assistant { content: String::new(), thought: String::new(), tool_calls: vec![] },
        user("Thanks"),
    ];
    let endpoint = Endpoint {
        base_url: "https://api.openai.com/v1/".into(),
        wire: Wire::OpenAiResponses,
        key: Some(Secret::new(" sk-test\n")),
        headers: vec![("x-title".into(), "Satchel".into())],
        tools: ToolUse::Automatic,
    };
    let http = encode(&request(messages), &endpoint);
    let body: Value = serde_json::from_slice(&http.body).unwrap();
    insta::assert_json_snapshot!(json!({
        "method": http.method, "url": http.url, "headers": http.headers, "body": body,
    }));
    assert!(!format!("{http:?}").contains("sk-test"), "a key in {http:?}");
}

#[test]
fn addresses_are_joined_with_care() {
    for (base, url) in [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/responses"),
        ("http://127.0.0.1:1234/v1/responses/", "http://127.0.0.1:1234/v1/responses"),
        ("api/llm/openai", "api/llm/openai/responses"),
        ("https://x.test/openai?api-version=1", "https://x.test/openai/responses?api-version=1"),
    ] {
        assert_eq!(responses_url(base), url);
    }
}

#[test]
fn a_limit_is_sent_where_there_is_one_and_never_one_that_is_refused() {
    for (asked, sent) in [(None, Value::Null), (Some(1), json!(16)), (Some(500), json!(500))] {
        let request = ModelRequest { max_output_tokens: asked, ..request(vec![user("Hi")]) };
        assert_eq!(body(&request)["max_output_tokens"], sent);
    }
    let bare = ModelRequest { tools: vec![], temperature: None, ..request(vec![user("Hi")]) };
    let names: Vec<String> = body(&bare).as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["input", "max_output_tokens", "model", "store", "stream"]);
}

/// The wrapper is only one where there is no such tool.
#[test]
fn a_tool_that_is_called_like_the_wrapper_is_called() {
    let arguments = json!({"tool_uses": [{"recipient_name": "functions.t", "parameters": {}}]}).to_string();
    let item =
        json!({"type": "function_call", "call_id": "call_a", "name": "parallel", "arguments": arguments});
    let body = json!({"object": "response", "status": "completed", "output": [item]}).to_string();
    let names = |request: &ModelRequest| -> Vec<String> {
        let chunks = iter([Ok(body.clone().into_bytes())]).boxed_local();
        let events: Vec<_> = block_on(Wire::OpenAiResponses.decode(&vec![], chunks, request, 0).collect());
        let name = |event| match event {
            Ok(ModelEvent::ToolCallDelta { name, .. }) => name,
            _ => None,
        };
        events.into_iter().filter_map(name).collect()
    };
    let mut request = request(vec![user("Hi")]);
    assert_eq!(names(&request), ["t"]);
    Arc::make_mut(&mut request.tools[0]).name = "parallel".into();
    assert_eq!(names(&request), ["parallel"]);
}

/// Events as OpenAI would stream them: neighbours of one kind in one item.
fn streamed(events: &[ModelEvent]) -> Vec<u8> {
    let mut body = String::new();
    let mut write = |event: Value| body.push_str(&format!("data: {event}\n\n"));
    write(json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}));
    let mut item: i64 = -1;
    let mut open = "";
    for event in events {
        let (kind, delta) = match event {
            ModelEvent::TextDelta { text } => ("response.output_text.delta", text),
            ModelEvent::ThoughtDelta { text } => ("response.reasoning_text.delta", text),
            ModelEvent::ToolCallDelta { id: Some(id), name, .. } => {
                item += 1;
                open = "response.function_call_arguments.delta";
                let call = json!({"type": "function_call", "call_id": id, "name": name, "arguments": ""});
                write(json!({"type": "response.output_item.added", "output_index": item, "item": call}));
                continue;
            }
            ModelEvent::ToolCallDelta { arguments, .. } => (open, arguments),
            other => panic!("{other:?} is not streamed"),
        };
        if kind != open {
            item += 1;
            open = kind;
        }
        write(json!({"type": kind, "output_index": item, "content_index": 0, "delta": delta}));
    }
    write(json!({"type": "response.completed", "response": {"status": "completed", "output": []}}));
    body.into_bytes()
}

proptest! {
    /// What is streamed is what is read.
    #[test]
    fn a_stream_reads_back((mut events, reason) in parts::answer("call_", "\\PC{1,12}", 20)) {
        let body = iter([Ok(streamed(&events))]).boxed_local();
        let read: Vec<_> = block_on(Wire::OpenAiResponses.decode(&vec![], body, &request(vec![]), 0).collect());
        events.push(ModelEvent::Done { reason });
        prop_assert_eq!(read, events.into_iter().map(Ok).collect::<Vec<_>>());
    }
}
