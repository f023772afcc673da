//! What goes to providers that are stricter than the wire they speak, and what becomes of a tool that one of them refuses.

use crate::asked;
use crate::still;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::{
    AnswerFormat, Client, Endpoint, HttpRequest, HttpResponse, KnownFormats, Transport, TransportError, Wire,
};
use protocol::{CallId, Hints, Image, Message, ModelEvent, ModelRequest, ToolCall, ToolSpec};
use serde_json::{Value, json};

use asked::request;
use still::NoTime;

fn call(id: &str) -> ToolCall {
    ToolCall { id: CallId(id.into()), name: "todo_list".into(), arguments: json!({}) }
}

fn said(content: &str, thought: &str, tool_calls: Vec<ToolCall>) -> Message {
    Message::Assistant { content: content.into(), thought: thought.into(), tool_calls }
}

fn result(id: &str) -> Message {
    let (call_id, content) = (CallId(id.into()), "Nothing.".into());
    Message::Tool { call_id, name: "todo_list".into(), content, is_error: false }
}

fn sent(url: &str, model: &str, messages: impl IntoIterator<Item = Message>) -> Value {
    let request = ModelRequest { model: model.into(), ..request(messages) };
    serde_json::from_slice(&Endpoint::open(url).encode(&request).body).unwrap()
}

#[test]
fn deepseek_gets_its_thoughts_back_and_nobody_else_any() {
    let conversation = || {
        [
            Message::user("What is open?"),
            said("", "I have to look.", vec![call("a")]),
            result("a"),
            said("", "", vec![call("b")]),
            result("b"),
        ]
    };
    let body = sent("https://api.deepseek.com/v1", "deepseek-v4-pro", conversation());
    assert_eq!(body["messages"][1]["reasoning_content"], "I have to look.");
    // Another model's answer came without a thought, and an empty one is refused.
    assert_eq!(body["messages"][3]["reasoning_content"], "This needs todo_list.");
    for (url, model) in
        [("https://api.groq.com/openai/v1", "deepseek-r1"), ("https://api.openai.com/v1", "gpt-5")]
    {
        let body = sent(url, model, conversation()).to_string();
        assert!(!body.contains("I have to look."), "{url}");
    }
}

#[test]
fn mistral_gets_ids_of_nine_signs_that_still_fit_together() {
    let ids = ["call_2c0d5023a78e957e", "call_1_0", "Xy34567z9"];
    let messages =
        [Message::user("Look."), said("", "", ids.map(call).to_vec())].into_iter().chain(ids.map(result));
    let body = sent("https://api.mistral.ai/v1", "mistral-large-latest", messages);
    let calls = body["messages"][1]["tool_calls"].as_array().unwrap();
    for (at, call) in calls.iter().enumerate() {
        let id = call["id"].as_str().unwrap();
        assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        assert_eq!(body["messages"][2 + at]["tool_call_id"], id);
    }
    assert_ne!(calls[0]["id"], calls[1]["id"]);
    // Its own ids are left alone.
    assert_eq!(calls[2]["id"], "Xy34567z9");
}

#[test]
fn neighbours_are_one_message() {
    let image = || {
        Arc::new(Image {
            media_type: "image/png".into(),
            data: "AA==".into(),
            width: 1,
            height: 1,
            name: String::new(),
        })
    };
    let messages = [
        Message::System { content: "S".into() },
        said("I was cut", "", vec![]),
        said("and went on.", "", vec![]),
        Message::User { content: "One.".into(), images: vec![image()] },
        Message::User { content: "Two.".into(), images: vec![image()] },
    ];
    let body = sent("https://api.openai.com/v1", "gpt-5", messages);
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(messages[2]["content"], "I was cut\n\nand went on.");
    let kinds: Vec<&str> = messages[3]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        (kinds, &messages[3]["content"][0]["text"]),
        (vec!["text", "image_url", "image_url"], &json!("One.\n\nTwo."))
    );
}

/// Gives the next of its answers, and the last one for ever; keeps what was asked.
#[derive(Clone)]
struct Server {
    replies: Rc<RefCell<VecDeque<(u16, String)>>>,
    asked: Rc<RefCell<Vec<Value>>>,
}

#[async_trait(?Send)]
impl Transport for Server {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let body = if request.body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&request.body).unwrap()
        };
        self.asked.borrow_mut().push(body);
        let mut replies = self.replies.borrow_mut();
        let reply = if replies.len() > 1 { replies.pop_front() } else { replies.front().cloned() };
        let (status, body) = reply.expect("an answer");
        let body = iter([Ok(body.into_bytes())]).boxed_local();
        Ok(HttpResponse { status, headers: vec![], body })
    }
}

fn tool(name: &str) -> Arc<ToolSpec> {
    let (title, description, hints) = (name.to_uppercase(), String::new(), Hints::default());
    let input_schema = json!({"type": "object", "properties": {}});
    Arc::new(ToolSpec { name: name.into(), title, description, input_schema, hints })
}

/// What the client keeps and tells.
#[derive(Default)]
struct Kept {
    formats: RefCell<Vec<AnswerFormat>>,
    left_out: RefCell<Vec<String>>,
}

impl KnownFormats for Kept {
    fn get(&self, _: &str, _: &str) -> Option<AnswerFormat> {
        self.formats.borrow().last().copied()
    }
    fn put(&self, _: &str, _: &str, format: AnswerFormat) {
        self.formats.borrow_mut().push(format);
    }
    fn left_out(&self, base_url: &str, model: &str, title: &str) {
        self.left_out.borrow_mut().push(format!("{base_url} {model} {title}"));
    }
}

#[test]
fn a_tool_that_is_refused_is_left_out_and_the_others_stay() {
    let refusals = [
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"}}"#,
        r#"{"error":{"message":"Invalid schema for function 'two': In context=(), array schema missing items.","param":"tools[0].function.parameters"}}"#,
    ];
    let good = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let replies = [(400, refusals[0].to_owned()), (400, refusals[1].to_owned()), (200, good.to_owned())];
    let server = Server { replies: Rc::new(RefCell::new(replies.into())), asked: Rc::default() };
    let kept = Rc::new(Kept::default());
    let client = Client::new(server.clone(), NoTime).with_formats(Rc::clone(&kept) as Rc<dyn KnownFormats>);
    let endpoint = Endpoint { wire: Wire::OpenAiChat, ..Endpoint::open("https://x.test/v1") };
    let mut request = request([Message::user("Hello")]);
    request.tools = ["two", "one", "three"].map(tool).to_vec();
    let events: Vec<_> = block_on(client.stream_with_retries(&endpoint, &request).collect());
    let said: Vec<String> = events
        .iter()
        .map(|event| match event {
            Ok(ModelEvent::Retrying { failure, .. }) => {
                failure.message.split(" It said").next().unwrap().to_owned()
            }
            Ok(ModelEvent::TextDelta { text }) => text.clone(),
            Ok(ModelEvent::Done { .. }) => "done".to_owned(),
            other => panic!("{other:?}"),
        })
        .collect();
    let left_out = |title: &str| {
        format!(
            "“{title}” is left out, because this model’s provider refuses it. The model's provider refused the request."
        )
    };
    assert_eq!(said, [left_out("ONE"), left_out("TWO"), "Hi".into(), "done".into()]);
    let offered = || {
        let names = |body: &Value| -> Vec<String> {
            let tools = body["tools"].as_array().into_iter().flatten();
            tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
        };
        server.asked.borrow().iter().map(names).collect::<Vec<_>>()
    };
    assert_eq!(offered(), [vec!["two", "one", "three"], vec!["two", "three"], vec!["three"]]);
    // The next request knows; the model keeps its tools; another model and another schema are asked anew.
    drop(block_on(client.stream_with_retries(&endpoint, &request).collect::<Vec<_>>()));
    assert_eq!(offered().last().unwrap(), &["three"]);
    let other = ModelRequest { model: "other".into(), ..request.clone() };
    drop(block_on(client.stream_with_retries(&endpoint, &other).collect::<Vec<_>>()));
    assert_eq!(offered().last().unwrap().len(), 3);
    let mended = ToolSpec { input_schema: json!({"type": "object"}), ..ToolSpec::clone(&request.tools[1]) };
    request.tools[1] = Arc::new(mended);
    drop(block_on(client.stream_with_retries(&endpoint, &request).collect::<Vec<_>>()));
    assert_eq!(offered().last().unwrap(), &["one", "three"]);
    assert_eq!(*kept.left_out.borrow(), ["https://x.test/v1 m ONE", "https://x.test/v1 m TWO"]);
    assert!(kept.formats.borrow().is_empty(), "it is not taken for a model without tools");
}

#[test]
fn of_more_tools_than_are_taken_some_are_left_out_by_name() {
    let from = |server: &'static str, count: usize| (0..count).map(move |n| tool(&format!("{server}__{n}")));
    let ours = ["todo_list", "todo_create"].map(tool);
    // The agent puts its own behind all others.
    let all = ours.into_iter().chain(from("big", 200)).chain(from("small", 5)).chain([tool("memory_read")]);
    let mut request = request([
        Message::user("Look."),
        said("", "", vec![ToolCall { name: "big__199".into(), ..call("a") }]),
        result("a"),
    ]);
    request.tools = all.collect();
    let names = |request: &ModelRequest, url: &str, wire: Wire| -> Vec<String> {
        let endpoint = Endpoint { wire, ..Endpoint::open(url) };
        let body: Value = serde_json::from_slice(&endpoint.encode(request).body).unwrap();
        let tools = body["tools"].as_array().unwrap().iter();
        let name =
            |tool: &Value| tool["name"].as_str().or(tool["function"]["name"].as_str()).unwrap().to_owned();
        tools.map(name).collect()
    };
    let openai = "https://api.openai.com/v1";
    for (url, wire) in
        [(openai, Wire::OpenAiChat), (openai, Wire::OpenAiResponses), ("api/llm/far", Wire::OpenAiChat)]
    {
        let names = names(&request, url, wire);
        assert_eq!(names.len(), 128, "{url}");
        // Ours, what was called, all of the small server, and the first of the large one, in the order they were in.
        let (first, last) = (["todo_list", "todo_create", "big__0"], ["small__3", "small__4", "memory_read"]);
        assert_eq!(
            (&names[..3], &names[125..]),
            (&first.map(str::to_owned)[..], &last.map(str::to_owned)[..])
        );
        assert_eq!((&*names[120], &*names[121]), ("big__118", "big__199"));
    }
    for (url, wire) in [
        ("http://127.0.0.1:8080/v1", Wire::OpenAiChat),
        ("https://api.anthropic.com/v1", Wire::AnthropicMessages),
    ] {
        assert_eq!(names(&request, url, wire).len(), request.tools.len(), "{url}");
    }
    let good = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let replies = VecDeque::from([(200, good.to_owned())]);
    let server = Server { replies: Rc::new(RefCell::new(replies)), asked: Rc::default() };
    let client = Client::new(server.clone(), NoTime);
    let events: Vec<_> = block_on(client.stream_with_retries(&Endpoint::open(openai), &request).collect());
    let Some(Ok(ModelEvent::Retrying { attempt: 1, after_ms: 0, failure })) = events.first() else {
        panic!("{events:?}")
    };
    assert!(
        failure
            .message
            .starts_with("This model takes 128 tools at most, so some are left out: big__119, big__120,")
    );
    assert_eq!(failure.message.matches("big__").count(), 80);
    assert_eq!(server.asked.borrow().len(), 1);
    let second = ModelRequest { step: 2, ..request.clone() };
    let events: Vec<_> = block_on(client.stream_with_retries(&Endpoint::open(openai), &second).collect());
    assert!(matches!(events[0], Ok(ModelEvent::TextDelta { .. })), "it is said once in a run: {events:?}");
    // What is called next is among them, and changes nothing about the others.
    let before = names(&request, openai, Wire::OpenAiChat);
    request.messages.push(said("", "", vec![ToolCall { name: "big__7".into(), ..call("b") }]).into());
    assert_eq!(names(&request, openai, Wire::OpenAiChat), before);
    request.tools.truncate(128);
    assert!(Endpoint::open(openai).left_out(&request).is_empty());
}

#[test]
fn ollama_is_asked_how_much_it_takes() {
    let window = |replies: &[(u16, &str)]| {
        let replies = replies.iter().map(|(status, body)| (*status, (*body).to_owned())).collect();
        let server = Server { replies: Rc::new(RefCell::new(replies)), asked: Rc::default() };
        block_on(llm::ollama_window(&server, "http://localhost:11434/v1", "qwen3"))
    };
    let loaded = r#"{"models":[{"name":"m:latest","context_length":1},{"name":"qwen3:latest","model":"qwen3:latest","context_length":32768}]}"#;
    assert_eq!(window(&[(200, loaded)]), Some(32_768));
    // As a gateway asks, which has its own way of sending.
    assert_eq!(
        llm::ollama_loaded_url("http://localhost:11434/v1").as_deref(),
        Some("http://localhost:11434/api/ps")
    );
    assert_eq!(llm::ollama_loaded(loaded.as_bytes(), "qwen3"), Some(32_768));
    assert_eq!(llm::ollama_loaded(loaded.as_bytes(), "other").or(llm::ollama_loaded(b"", "qwen3")), None);
    let none = (200, r#"{"models":[]}"#);
    let set = r#"{"parameters":"stop    \"<end>\"\nnum_ctx                        8192","model_info":{"qwen3.context_length":40960}}"#;
    assert_eq!(window(&[none, (200, set)]), Some(8_192));
    assert_eq!(window(&[none, (200, r#"{"model_info":{"qwen3.context_length":40960}}"#)]), None);
    assert_eq!(window(&[(404, "{}")]), None);
    // Until it says it, the least that it gives is assumed.
    let rows = [
        ("http://127.0.0.1:11434/v1", 4_096),
        ("http://localhost:11434/v1", 4_096),
        ("http://127.0.0.1:1234/v1", 16_000),
        ("https://api.openai.com/v1", llm::PROVIDER_WINDOW),
    ];
    for (url, tokens) in rows {
        assert_eq!(llm::assumed_window(url), tokens, "{url}");
    }
}
