//! A model over real HTTP that says what a script says (chat completions, streamed).

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::Response;
use axum::routing::post;
use futures::StreamExt;
use serde_json::{Value, json};

/// What it does when it is asked.
#[derive(Clone)]
pub enum Step {
    /// It says these pieces, with so many milliseconds before each.
    Say(Vec<String>, u64),
    /// It says something and calls a tool.
    Call(&'static str, &'static str, Value, u64),
    /// It answers with a status, and with the seconds to wait.
    Refuse(u16, Option<u64>),
}

impl Step {
    pub fn say(text: &str) -> Self {
        Self::Say(vec![text.to_owned()], 0)
    }

    /// It says something at once and calls a tool.
    pub fn call(said: &'static str, tool: &'static str, arguments: Value) -> Self {
        Self::Call(said, tool, arguments, 3)
    }

    /// The same, with time between its words and the call.
    pub fn slowly_then_call(said: &'static str, tool: &'static str, arguments: Value) -> Self {
        Self::Call(said, tool, arguments, 80)
    }

    pub fn slowly(text: &str, ms: u64) -> Self {
        Self::Say(text.split_inclusive(' ').map(str::to_owned).collect(), ms)
    }
}

pub struct Scripted {
    pub url: String,
    pub asked: Arc<AtomicUsize>,
}

/// The last message of a request: whose it is and what it says.
pub fn last_message(request: &Value) -> (String, String) {
    let last = request["messages"].as_array().unwrap().last().unwrap();
    let content = match &last["content"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    (last["role"].as_str().unwrap().to_owned(), content)
}

impl Scripted {
    /// A model whose next step is a function of the request and of how many there were before it.
    pub async fn start(script: impl Fn(usize, &Value) -> Step + Send + Sync + 'static) -> Self {
        let asked: Arc<AtomicUsize> = Arc::default();
        let (count, script) = (Arc::clone(&asked), Arc::new(script));
        let answer = move |body: Bytes| {
            let at = count.fetch_add(1, Ordering::SeqCst);
            let request: Value = serde_json::from_slice(&body).unwrap();
            let step = script(at, &request);
            async move { respond(at, step) }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let router = Router::new().route("/v1/chat/completions", post(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, asked }
    }
}

fn respond(at: usize, step: Step) -> Response {
    let chunk = |delta: Value, finish: Value| {
        let choices = json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
        format!("data: {}\n\n", json!({"choices": choices}))
    };
    let end = |finish: &str| {
        let usage = json!({"prompt_tokens": 1_000, "completion_tokens": 500, "total_tokens": 1_500});
        let usage = json!({"choices": [], "usage": usage});
        chunk(json!({}), finish.into()) + &format!("data: {usage}\n\ndata: [DONE]\n\n")
    };
    let (pieces, ms) = match step {
        Step::Refuse(status, after) => {
            let mut response = Response::builder().status(status).header("content-type", "application/json");
            if let Some(after) = after {
                response = response.header("retry-after", after);
            }
            return response.body(Body::from(r#"{"error":{"message":"not now"}}"#)).unwrap();
        }
        Step::Say(pieces, ms) => {
            let said = pieces.into_iter().map(|text| chunk(json!({"content": text}), Value::Null));
            (said.chain([end("stop")]).collect::<Vec<_>>(), ms)
        }
        Step::Call(said, name, arguments, ms) => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            let call =
                json!([{"index": 0, "id": format!("call_{at}"), "type": "function", "function": function}]);
            let mut pieces = Vec::new();
            if !said.is_empty() {
                pieces.push(chunk(json!({"content": said}), Value::Null));
            }
            pieces.push(chunk(json!({"tool_calls": call}), Value::Null));
            pieces.push(end("tool_calls"));
            (pieces, ms)
        }
    };
    let stream = futures::stream::iter(pieces).then(move |piece| async move {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        Ok::<_, Infallible>(Bytes::from(piece))
    });
    Response::builder().header("content-type", "text/event-stream").body(Body::from_stream(stream)).unwrap()
}
