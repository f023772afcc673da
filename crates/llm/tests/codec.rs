//! What goes over the wire from us, as a stranger sees it, and what comes back.

use std::sync::Arc;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::openai_chat::{Decoder, decode, encode};
use llm::{Endpoint, Secret, ToolUse, Wire};
use proptest::prelude::*;
use protocol::*;
use serde_json::{Value, json};

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
fn a_request_on_the_wire() {
    let endpoint = Endpoint {
        base_url: "https://api.openai.com/v1/".into(),
        wire: Wire::OpenAiChat,
        key: Some(Secret::new(" sk-test-123\n")),
        headers: vec![("x-title".into(), "Satchel".into())],
        tools: ToolUse::Automatic,
    };
    let http = encode(&request(), &endpoint);
    let body: Value = serde_json::from_slice(&http.body).unwrap();
    insta::assert_json_snapshot!(json!({
        "method": http.method, "url": http.url, "headers": http.headers, "body": body,
    }));
    for shown in [format!("{http:?}"), format!("{endpoint:?}")] {
        assert!(!shown.contains("sk-test"), "a key in {shown}");
    }
}

#[test]
fn addresses_are_joined_with_care() {
    for (base, url) in [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com/v1//", "https://api.openai.com/v1/chat/completions"),
        ("http://127.0.0.1:11434/v1/chat/completions", "http://127.0.0.1:11434/v1/chat/completions"),
        ("api/llm/pocket", "api/llm/pocket/chat/completions"),
        (
            "https://x.test/openai/deployments/d?api-version=1",
            "https://x.test/openai/deployments/d/chat/completions?api-version=1",
        ),
    ] {
        assert_eq!(encode(&request(), &Endpoint::open(base)).url, url);
    }
}

#[test]
fn only_openai_itself_gets_the_new_name_of_the_limit() {
    let fields = |base: &str| {
        let http = encode(&request(), &Endpoint::open(base));
        let body: Value = serde_json::from_slice(&http.body).unwrap();
        (body.get("max_tokens").is_some(), body.get("max_completion_tokens").is_some())
    };
    assert_eq!(fields("https://api.openai.com/v1"), (false, true));
    assert_eq!(fields("http://127.0.0.1:8080/v1"), (true, false));
}

/// S4-04: a model that searches the web itself is named by a suffix (`:online` at OpenRouter), which goes out as it was written.
#[test]
fn a_model_that_searches_is_named_as_it_is() {
    let name = "anthropic/claude-3.5-sonnet:online";
    let request = ModelRequest { model: name.into(), ..request() };
    for base in ["https://openrouter.ai/api/v1", "api/llm/openrouter"] {
        let http = encode(&request, &Endpoint::open(base));
        let body: Value = serde_json::from_slice(&http.body).unwrap();
        assert_eq!(body["model"], name, "{base}");
        assert!(body["tools"].is_array(), "its own tools are told to it as to any other");
    }
}

#[test]
fn a_gemini_that_wants_signatures_back_is_told_that_there_are_none() {
    let signed = |model: &str, base: &str| {
        let request = ModelRequest { model: model.into(), ..request() };
        let body: Value = serde_json::from_slice(&encode(&request, &Endpoint::open(base)).body).unwrap();
        let calls = body["messages"][2]["tool_calls"].as_array().unwrap().clone();
        calls
            .iter()
            .map(|call| call.pointer("/extra_content/google/thought_signature").is_some())
            .collect::<Vec<_>>()
    };
    let google = "https://generativelanguage.googleapis.com/v1beta/openai";
    // On the first of the calls of an answer, and for nobody who did not ask.
    for (model, base, expected) in [
        ("gemini-3-pro-preview", google, [true, false]),
        ("models/gemini-flash-latest", google, [true, false]),
        ("gemini-3-flash", "api/llm/google", [true, false]),
        ("gemini-2.5-flash", "api/llm/google", [false, false]),
        ("google/gemini-3-pro", "https://openrouter.ai/api/v1", [false, false]),
        ("gemma-3-27b-it", google, [false, false]),
        ("gpt-x", "https://api.openai.com/v1", [false, false]),
    ] {
        assert_eq!(signed(model, base), expected, "{model} at {base}");
    }
}

proptest! {
    /// No bytes make the decoder panic or end without a word.
    #[test]
    fn hostile_bytes_end_in_a_failure_or_an_answer(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6),
        frame in "\\PC{0,60}",
    ) {
        for body in [chunks.concat(), format!("data: {frame}\n\n").into_bytes()] {
            let decoder = Decoder::new(&request());
            let events = block_on(decode(&vec![], iter([Ok(body)]).boxed_local(), decoder, 0).collect::<Vec<_>>());
            let last = events.last();
            let ended = matches!(last, Some(Err(_) | Ok(ModelEvent::Done { .. })));
            prop_assert!(ended, "ended with {last:?}");
        }
    }
}
