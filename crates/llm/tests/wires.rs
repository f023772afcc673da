//! The client speaks the wire of its endpoint: where it asks, how it shows the key, what it reads.

use crate::still;

use std::cell::RefCell;
use std::rc::Rc;

use async_trait::async_trait;
use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::{
    Client, Endpoint, HttpRequest, HttpResponse, Secret, Transport, TransportError, Wire, anthropic,
    openai_chat, openai_responses,
};
use protocol::{Failure, FailureKind, Message, ModelEvent, ModelRequest, RunId, StopReason};

use still::NoTime;

/// Answers every request the same way, and keeps what was asked.
#[derive(Clone)]
struct Server {
    status: u16,
    body: &'static str,
    asked: Rc<RefCell<Vec<HttpRequest>>>,
}

#[async_trait(?Send)]
impl Transport for Server {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        self.asked.borrow_mut().push(request);
        let body = iter([Ok(self.body.as_bytes().to_vec())]).boxed_local();
        Ok(HttpResponse { status: self.status, headers: vec![("retry-after".into(), "7".into())], body })
    }
}

fn request() -> ModelRequest {
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 1,
        model: "m".into(),
        messages: vec![Message::user("Hello").into()],
        tools: vec![],
        temperature: None,
        max_output_tokens: None,
    }
}

/// What comes of asking: the request, and the first events, as many as are expected.
fn ask(
    endpoint: &Endpoint,
    status: u16,
    body: &'static str,
    events: usize,
) -> (HttpRequest, Vec<Result<ModelEvent, Failure>>) {
    let server = Server { status, body, asked: Rc::default() };
    let client = Client::new(server.clone(), NoTime);
    let events = block_on(client.stream_with_retries(endpoint, &request()).take(events).collect());
    let asked = server.asked.borrow_mut().remove(0);
    (asked, events)
}

const CHAT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n";
const MESSAGES: &str = "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n\
     data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n";
const RESPONSES: &str = "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Hi\"}\n\n\
     data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n";

#[test]
fn an_endpoint_speaks_chat_unless_it_is_said() {
    assert_eq!(Endpoint::open("x").wire, Wire::OpenAiChat);
}

#[test]
fn a_wire_is_its_name_and_back() {
    for (wire, name) in Wire::ALL.into_iter().zip(["openai-chat", "anthropic", "openai-responses"]) {
        assert_eq!((wire.name(), Wire::named(name)), (name, Some(wire)));
        assert_eq!(serde_json::to_value(wire).unwrap(), name);
        assert_eq!(serde_json::from_value::<Wire>(name.into()).unwrap(), wire);
    }
    let error = serde_json::from_value::<Wire>("smoke".into()).unwrap_err().to_string();
    assert!(error.contains("openai-chat, anthropic, openai-responses"), "{error}");
}

#[test]
fn each_wire_asks_and_reads_in_its_own_way() {
    let rows: [(Wire, &'static str, &str, &[&str]); 3] = [
        (Wire::OpenAiChat, CHAT, "https://x.test/v1/chat/completions", &["authorization: Bearer sk-1"]),
        (
            Wire::AnthropicMessages,
            MESSAGES,
            "https://x.test/v1/messages",
            &[
                "x-api-key: sk-1",
                "anthropic-version: 2023-06-01",
                "anthropic-dangerous-direct-browser-access: true",
            ],
        ),
        (Wire::OpenAiResponses, RESPONSES, "https://x.test/v1/responses", &["authorization: Bearer sk-1"]),
    ];
    for (wire, body, url, auth) in rows {
        let key = Some(Secret::new("sk-1"));
        let endpoint = Endpoint { wire, key, ..Endpoint::open("https://x.test/v1") };
        let (asked, events) = ask(&endpoint, 200, body, 9);
        assert_eq!((asked.url.as_str(), wire.url("https://x.test/v1").as_str()), (url, url));
        let shown = |(name, value): &(String, String)| format!("{name}: {value}");
        let headers: Vec<String> = asked.headers.iter().map(shown).collect();
        assert_eq!(headers[2..], auth.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..]);
        let encoded = match wire {
            Wire::OpenAiChat => openai_chat::encode(&request(), &endpoint),
            Wire::AnthropicMessages => anthropic::encode(&request(), &endpoint),
            Wire::OpenAiResponses => openai_responses::encode(&request(), &endpoint),
        };
        assert_eq!(asked.body, encoded.body, "{wire:?}");
        let expected =
            [ModelEvent::TextDelta { text: "Hi".into() }, ModelEvent::Done { reason: StopReason::Stop }];
        assert_eq!(events, expected.map(Ok), "{wire:?}");
    }
}

#[test]
fn another_wire_than_expected_is_said_and_not_tried_again() {
    for (wire, body) in [(Wire::AnthropicMessages, CHAT), (Wire::OpenAiResponses, CHAT)] {
        let (_, events) = ask(&Endpoint { wire, ..Endpoint::open("x") }, 200, body, 9);
        let kinds: Vec<_> =
            events.iter().map(|event| event.as_ref().map_err(|failure| failure.kind)).collect();
        assert_eq!(kinds, [Err(FailureKind::Validation)], "{wire:?}");
    }
}

#[test]
fn refusals_mean_the_same_over_every_wire() {
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let limited = r#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}"#;
    let invalid = r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages: roles must alternate"}}"#;
    let quota = r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"Used up."}}"#;
    let rows = [
        (Wire::AnthropicMessages, 529, overloaded, FailureKind::Overloaded, true),
        (Wire::AnthropicMessages, 429, limited, FailureKind::RateLimited, true),
        (Wire::AnthropicMessages, 400, invalid, FailureKind::Validation, false),
        (Wire::OpenAiResponses, 429, quota, FailureKind::CostLimit, false),
        (Wire::OpenAiResponses, 500, "", FailureKind::RetryableNetwork, true),
    ];
    for (wire, status, body, kind, again) in rows {
        let (_, events) = ask(&Endpoint { wire, ..Endpoint::open("x") }, status, body, 1);
        let failure = match &events[0] {
            Ok(ModelEvent::Retrying { failure, after_ms: 7_000, .. }) if again => failure,
            Err(failure) if !again => failure,
            other => panic!("{wire:?} {status}: {other:?}"),
        };
        assert_eq!((failure.kind, failure.status), (kind, Some(status)), "{wire:?} {status}");
    }
}
