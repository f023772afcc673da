//! The structured mode over every wire: fixtures in `fixtures/structured/`, each the body of an answer in JSON; what is
//! asked; how far it steps down where something is refused; the one repair.

use crate::still;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::structured::{InMemory, check};
use llm::{
    AnswerFormat, Client, Endpoint, HttpRequest, HttpResponse, KnownFormats, ToolUse, Transport,
    TransportError, Wire,
};
use protocol::{CallId, Failure, Hints, Message, ModelEvent, ModelRequest, RunId, ToolCall, ToolSpec};
use serde_json::{Value, json};

use still::NoTime;

type Events = Vec<Result<ModelEvent, Failure>>;

/// An answer: its status and its body in pieces.
type Reply = (u16, Vec<Vec<u8>>);

/// Gives the next of its answers, and the last one for ever; keeps what was asked.
#[derive(Clone, Default)]
struct Server {
    replies: Rc<RefCell<VecDeque<Reply>>>,
    asked: Rc<RefCell<Vec<Vec<u8>>>>,
}

impl Server {
    fn asked(&self) -> Vec<Value> {
        self.asked.borrow().iter().map(|body| serde_json::from_slice(body).unwrap()).collect()
    }
}

#[async_trait(?Send)]
impl Transport for Server {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        self.asked.borrow_mut().push(request.body);
        let mut replies = self.replies.borrow_mut();
        let reply = if replies.len() > 1 { replies.pop_front() } else { replies.front().cloned() };
        let (status, body) = reply.expect("an answer");
        Ok(HttpResponse { status, headers: vec![], body: iter(body.into_iter().map(Ok)).boxed_local() })
    }
}

fn tool(name: &str, input_schema: Value) -> Arc<ToolSpec> {
    let description = format!("Does {name}.");
    let (name, hints) = (name.to_owned(), Hints::default());
    Arc::new(ToolSpec { title: name.clone(), name, description, input_schema, hints })
}

fn request() -> ModelRequest {
    let call =
        |id: &str, name: &str, arguments| ToolCall { id: CallId(id.into()), name: name.into(), arguments };
    let said = |content: &str, tool_calls| Message::Assistant {
        content: content.into(),
        thought: "not sent again".into(),
        tool_calls,
    };
    let result = |id: &str, name: &str, is_error, content: &str| Message::Tool {
        call_id: CallId(id.into()),
        name: name.into(),
        content: content.into(),
        is_error,
    };
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 2,
        model: "m".into(),
        messages: [
            Message::System {
                content: "You are Satchel.\n\nNow: 2026-11-22T22:30 (Sunday), time zone UTC.".into(),
            },
            Message::user("Hello"),
            said("Hello!", vec![]),
            Message::user("Add milk, and do what cannot be done"),
            said(
                "",
                vec![
                    call("a", "todo_create", json!({"title": "Milk"})),
                    call("b", "todo_fly", Value::String("{broken".into())),
                ],
            ),
            result("a", "todo_create", false, "Added."),
            result("b", "todo_fly", true, "Unknown tool."),
            Message::user("And now?"),
        ]
        .map(Arc::new)
        .to_vec(),
        tools: vec![
            tool(
                "todo_create",
                json!({"$schema": "x", "type": "object", "properties": {"title": {"type": "string"}}}),
            ),
            tool(
                "todo_list",
                json!({"type": "object", "properties": {"by": {"$ref": "#/$defs/By"}}, "$defs": {"By": {}}}),
            ),
        ],
        temperature: None,
        max_output_tokens: None,
    }
}

fn ask(server: &Server, endpoint: &Endpoint) -> Events {
    let client = Client::new(server.clone(), NoTime);
    block_on(client.stream_with_retries(endpoint, &request()).collect())
}

fn endpoint(wire: Wire, tools: ToolUse) -> Endpoint {
    Endpoint { wire, tools, ..Endpoint::open("https://x.test/v1") }
}

fn serving(replies: impl IntoIterator<Item = Reply>) -> Server {
    Server { replies: Rc::new(RefCell::new(replies.into_iter().collect())), asked: Rc::default() }
}

fn whole(status: u16, body: &str) -> Reply {
    (status, vec![body.as_bytes().to_vec()])
}

/// Neighbouring texts joined: how they are cut is no part of their meaning.
fn joined(events: Events) -> Events {
    let mut joined: Events = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(Ok(ModelEvent::TextDelta { text })), Ok(ModelEvent::TextDelta { text: more }))
            | (Some(Ok(ModelEvent::ThoughtDelta { text })), Ok(ModelEvent::ThoughtDelta { text: more })) => {
                text.push_str(&more);
            }
            (_, event) => joined.push(event),
        }
    }
    joined
}

fn show(events: &Events) -> String {
    let line = |event: &Result<ModelEvent, Failure>| match event {
        Ok(event) => serde_json::to_string(event).unwrap(),
        Err(failure) => format!("FAILED {}", serde_json::to_string(failure).unwrap()),
    };
    events.iter().map(line).collect::<Vec<_>>().join("\n")
}

const WIRES: [(Wire, &str, usize); 3] = [
    (Wire::OpenAiChat, "openai_chat", 29),
    (Wire::AnthropicMessages, "anthropic", 5),
    (Wire::OpenAiResponses, "openai_responses", 4),
];

fn fixtures() -> Vec<(Wire, String, Vec<u8>)> {
    let mut fixtures = Vec::new();
    for (wire, folder, least) in WIRES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/structured").join(folder);
        let before = fixtures.len();
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{folder}.{}", path.file_name().unwrap().to_str().unwrap());
            fixtures.push((wire, name, std::fs::read(&path).unwrap()));
        }
        assert!(fixtures.len() - before >= least, "the fixtures of {folder} are there");
    }
    fixtures
}

/// What an answer comes to whose body is this, each time it is asked for.
fn decoded(wire: Wire, body: Vec<Vec<u8>>) -> Events {
    let client = Client::new(serving([(200, body)]), NoTime);
    let request = ModelRequest { messages: vec![], tools: vec![tool("t", json!({}))], ..request() };
    joined(block_on(client.stream_with_retries(&endpoint(wire, ToolUse::Json), &request).collect()))
}

#[test]
fn every_fixture_decodes_to_its_snapshot_however_it_is_split() {
    for (wire, name, bytes) in fixtures() {
        let expected = decoded(wire, vec![bytes.clone()]);
        insta::assert_snapshot!(name.as_str(), show(&expected));
        for at in 0..bytes.len() {
            let (one, two) = bytes.split_at(at);
            assert_eq!(decoded(wire, vec![one.to_vec(), two.to_vec()]), expected, "{name} split at {at}");
        }
        let bytewise = bytes.iter().map(|byte| vec![*byte]).collect();
        assert_eq!(decoded(wire, bytewise), expected, "{name} byte by byte");
    }
}

#[test]
fn the_message_streams_while_the_object_grows() {
    let (_, _, body) = fixtures().into_iter().find(|(_, name, _)| name == "openai_chat.message.sse").unwrap();
    let events = ask(&serving([(200, vec![body])]), &endpoint(Wire::OpenAiChat, ToolUse::Json));
    let texts = events.iter().filter(|event| matches!(event, Ok(ModelEvent::TextDelta { .. }))).count();
    assert!(texts > 1, "{events:?}");
}

const HELLO: &str = r#"{"thought":"t","assistant_message":"Hi","confidence":0.9}"#;

fn chat(content: &str) -> Reply {
    let chunk = json!({"choices": [{"delta": {"content": content}, "finish_reason": "stop"}]});
    whole(200, &format!("data: {chunk}\n\n"))
}

fn short(events: &Events) -> String {
    let short = events.iter().map(|event| match event {
        Ok(ModelEvent::ThoughtDelta { text }) => format!("({text})"),
        Ok(ModelEvent::TextDelta { text }) => text.clone(),
        Ok(ModelEvent::ToolCallDelta { name, arguments, .. }) => format!("{name:?}{arguments}"),
        Ok(ModelEvent::Confidence { value }) => value.to_string(),
        Ok(ModelEvent::Retrying { attempt, failure, .. }) => format!("[{attempt}: {}]", failure.message),
        Ok(ModelEvent::Done { .. }) => "done".to_owned(),
        Ok(ModelEvent::Usage { .. }) => "usage".to_owned(),
        Err(failure) => failure.message.clone(),
    });
    short.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_asked_in_words() {
    let server = serving([chat(HELLO)]);
    ask(&server, &endpoint(Wire::OpenAiChat, ToolUse::Json));
    let asked = server.asked()[0].clone();
    let words = asked["messages"].as_array().unwrap().iter().map(|message| {
        assert_eq!(message.as_object().unwrap().len(), 2, "a role and its words: {message}");
        format!("--- {}\n{}", message["role"].as_str().unwrap(), message["content"].as_str().unwrap())
    });
    insta::assert_snapshot!("words", words.collect::<Vec<_>>().join("\n"));
    assert_eq!(asked.get("tools"), None);
    insta::assert_json_snapshot!("response_format", asked["response_format"]);
    let server = serving([whole(400, "{}")]);
    ask(&server, &endpoint(Wire::OpenAiResponses, ToolUse::Json));
    let text = server.asked()[0]["text"].clone();
    assert_eq!(text["format"]["schema"], asked["response_format"]["json_schema"]["schema"]);
    assert_eq!(
        (&text["format"]["type"], &text["format"]["name"]),
        (&json!("json_schema"), &json!("agent_response"))
    );
}

#[test]
fn the_thought_comes_first_on_the_wire() {
    struct Raw(Rc<RefCell<String>>);
    #[async_trait(?Send)]
    impl Transport for Raw {
        async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
            *self.0.borrow_mut() = String::from_utf8(request.body).unwrap();
            Err(TransportError::Cut(String::new()))
        }
    }
    let body: Rc<RefCell<String>> = Rc::default();
    let client = Client::new(Raw(Rc::clone(&body)), NoTime);
    let endpoint = endpoint(Wire::OpenAiChat, ToolUse::Json);
    let _: Events = block_on(client.stream_with_retries(&endpoint, &request()).collect());
    let body = body.borrow();
    let place = |member: &str| body.rfind(&format!("\"{member}\":{{\"type\"")).expect(member);
    let order = ["response_format", "thought", "tool_calls", "name", "assistant_message", "confidence"];
    let places = order.map(place);
    assert!(places.is_sorted(), "{order:?} stand at {places:?}");
}

/// How tools are given, what is served before the good answer, what is seen, and how each request asked.
type Row = (ToolUse, &'static [(u16, &'static str)], &'static str, &'static [&'static str]);

#[test]
fn an_endpoint_that_refuses_is_asked_in_words_and_remembered() {
    const NO_TOOLS: &str =
        r#"{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools"}}"#;
    const NO_JINJA: &str =
        r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#;
    const NO_SCHEMA: &str = r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."}}"#;
    const NO_OBJECT: &str =
        r#"{"error":{"message":"'response_format.type' must be 'json_schema' or 'text'"}}"#;
    const BUSY: &str = r#"{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}"#;
    const GOOD: &str = "(t) Hi 0.9 done";
    let rows: [Row; 8] = [
        (ToolUse::Automatic, &[(400, NO_TOOLS)], GOOD, &["tools", "json_schema"]),
        (ToolUse::Automatic, &[(500, NO_JINJA)], GOOD, &["tools", "json_schema"]),
        (
            ToolUse::Automatic,
            &[(400, NO_TOOLS), (400, NO_SCHEMA), (400, NO_OBJECT)],
            GOOD,
            &["tools", "json_schema", "json_object", "prompt"],
        ),
        (
            ToolUse::Automatic,
            &[(429, BUSY), (400, NO_TOOLS), (429, BUSY), (400, NO_SCHEMA)],
            "[2: Too many requests to the model for now. It said: Slow down] \
             [2: Too many requests to the model for now. It said: Slow down] (t) Hi 0.9 done",
            &["tools", "tools", "json_schema", "json_schema", "json_object"],
        ),
        (ToolUse::Json, &[], GOOD, &["json_schema"]),
        (ToolUse::Json, &[(422, NO_SCHEMA)], GOOD, &["json_schema", "json_object"]),
        (
            ToolUse::Native,
            &[(400, NO_TOOLS)],
            "The model's provider refused the request. It said: registry.ollama.ai/library/gemma3:4b does not support tools",
            &["tools"],
        ),
        (
            ToolUse::Automatic,
            &[(400, r#"{"error":{"message":"messages.2: role is wrong"}}"#)],
            "The model's provider refused the request. It said: messages.2: role is wrong",
            &["tools"],
        ),
    ];
    let manner = |asked: &Value| match asked.get("tools") {
        Some(_) => "tools".to_owned(),
        None => asked["response_format"]["type"].as_str().unwrap_or("prompt").to_owned(),
    };
    for (tools, refusals, seen, manners) in rows {
        let replies = refusals.iter().map(|(status, body)| whole(*status, body));
        let server = serving(replies.chain([chat(HELLO)]));
        let formats = Rc::new(InMemory::default());
        let known = Rc::clone(&formats) as Rc<dyn KnownFormats>;
        let client = Client::new(server.clone(), NoTime).with_formats(known);
        let endpoint = endpoint(Wire::OpenAiChat, tools);
        let events: Events = block_on(client.stream_with_retries(&endpoint, &request()).collect());
        assert_eq!(short(&events), seen, "{refusals:?}");
        let asked = |from: usize| server.asked()[from..].iter().map(manner).collect::<Vec<String>>();
        assert_eq!(asked(0), manners, "{refusals:?}");
        let found = formats.get("https://x.test/v1", "m");
        if seen != GOOD && !seen.ends_with(GOOD) {
            assert_eq!(found, None);
            continue;
        }
        assert_eq!(serde_json::to_value(found).unwrap(), *manners.last().unwrap());
        // The next request asks as the last one did, of this model only.
        let events: Events = block_on(client.stream_with_retries(&endpoint, &request()).collect());
        assert_eq!(
            (short(&events).as_str(), asked(manners.len())),
            (GOOD, vec![(*manners.last().unwrap()).to_owned()])
        );
        assert_eq!(formats.get("https://x.test/v1", "other"), None);
    }
}

#[test]
fn a_request_without_tools_stays_as_it_is() {
    let server = serving([chat("Plain.")]);
    let client = Client::new(server.clone(), NoTime);
    let request = ModelRequest { tools: vec![], ..request() };
    let endpoint = endpoint(Wire::OpenAiChat, ToolUse::Json);
    let events: Events = block_on(client.stream_with_retries(&endpoint, &request).collect());
    assert_eq!(short(&events), "Plain. done");
}

#[test]
fn an_invalid_answer_is_mended_once() {
    let bad = r#"{"assistant_message":"Hi"}"#;
    let server = serving([chat(bad), chat(HELLO)]);
    let events = ask(&server, &endpoint(Wire::OpenAiChat, ToolUse::Json));
    assert_eq!(short(&events), "Hi [2: Invalid structured response: Missing thought.] (t) Hi 0.9 done");
    let asked = server.asked();
    let tail = &asked[1]["messages"].as_array().unwrap()[asked[0]["messages"].as_array().unwrap().len()..];
    assert_eq!(tail[0], json!({"role": "assistant", "content": bad}));
    let told = tail[1]["content"].as_str().unwrap();
    assert!(
        told.starts_with("Invalid structured response: Missing thought. Answer the same again"),
        "{told}"
    );
    assert_eq!(tail.len(), 2);

    // Twice is a failure, which no retry follows.
    let server = serving([chat(bad)]);
    let events = ask(&server, &endpoint(Wire::OpenAiChat, ToolUse::Json));
    let words = "Invalid structured response: Missing thought. The model did not keep to the format, twice. Try again, or \
                 choose another model.";
    assert_eq!(short(&events), format!("Hi [2: Invalid structured response: Missing thought.] Hi {words}"));
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn a_network_that_breaks_is_no_invalid_answer() {
    let half: Reply = (
        200,
        vec![b"data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"thought\\\":\\\"Hm\"}}]}\n\n".to_vec()],
    );
    let server = serving([half.clone(), chat("{}"), half, chat(HELLO)]);
    let events = ask(&server, &endpoint(Wire::OpenAiChat, ToolUse::Json));
    let cut = "The model's answer broke off: the stream ended before the model said that it had finished.";
    let invalid =
        "Invalid structured response: Missing thought; Must have either tool_call or assistant_message.";
    assert_eq!(short(&events), format!("(Hm) [2: {cut}] [3: {invalid}] (Hm) [4: {cut}] (t) Hi 0.9 done"));
}

/// S0-14, word for word, and what is wrong beside it.
#[test]
fn errors_by_rows() {
    let rows: [(&str, &[&str]); 12] = [
        (r#"{"thought":"t","assistant_message":"m"}"#, &[]),
        (r#"{"thought":"t","assistant_message":"m","confidence":0}"#, &[]),
        (r#"{"thought":"t","assistant_message":"m","confidence":1.0}"#, &[]),
        (r#"{"assistant_message":"m"}"#, &["Missing thought"]),
        (r#"{"thought":"","assistant_message":"m"}"#, &["Missing thought"]),
        (
            r#"{"thought":"t","assistant_message":"m","tool_call":{"name":"x"}}"#,
            &["Cannot have both tool_call and assistant_message"],
        ),
        (r#"{"thought":"t"}"#, &["Must have either tool_call or assistant_message"]),
        ("{}", &["Missing thought", "Must have either tool_call or assistant_message"]),
        (r#"{"thought":"t","tool_call":{"name":" "}}"#, &["A tool_call has no name"]),
        (
            r#"{"thought":"t","assistant_message":"m","confidence":1.1}"#,
            &["confidence must be from 0.0 to 1.0"],
        ),
        (
            r#"{"thought":"t","assistant_message":"m","confidence":-0.1}"#,
            &["confidence must be from 0.0 to 1.0"],
        ),
        (r#"{"thought":"t","tool_call":{}}"#, &["Not valid JSON: missing field `name` at line 1 column 29"]),
    ];
    for (json, errors) in rows {
        assert_eq!(check(Some(json)).err().unwrap_or_default(), errors, "{json}");
    }
    assert_eq!(check(None).unwrap_err(), ["No complete JSON object"]);
}

#[test]
fn what_was_learned_is_written_by_name() {
    let names = [AnswerFormat::JsonSchema, AnswerFormat::JsonObject, AnswerFormat::Prompt];
    assert_eq!(serde_json::to_value(names).unwrap(), json!(["json_schema", "json_object", "prompt"]));
    assert_eq!(serde_json::to_value(ToolUse::ALL).unwrap(), json!(["automatic", "native", "json"]));
    for one in ToolUse::ALL {
        assert_eq!(serde_json::to_value(one).unwrap(), one.name());
        assert_eq!(ToolUse::named(one.name()), Some(one));
    }
    assert_eq!(ToolUse::named("smoke"), None);
}
