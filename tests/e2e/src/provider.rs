//! A model provider that plays recorded streams over real HTTP, faults included.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::{any, get};
use axum::serve::ListenerExt;
use futures::{Stream, StreamExt};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::app::bound;

/// One answer the provider will give.
#[derive(Clone)]
pub struct Reply {
    status: u16,
    content_type: &'static str,
    headers: Vec<(&'static str, String)>,
    /// Pieces of the body as they leave the socket, each after its pause.
    chunks: Vec<(Duration, Bytes)>,
    end: End,
}

/// How long what was written has to arrive before the connection breaks.
const BREAK_AFTER: Duration = Duration::from_millis(200);

/// What comes after the last piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The body ends as it should.
    Whole,
    /// The connection breaks.
    Cut,
    /// Nothing, until the provider breaks its connections.
    Held,
}

impl Reply {
    /// A complete event stream, in pieces of `piece` bytes that fall where they fall.
    pub fn stream(body: &str, piece: usize) -> Self {
        let chunks =
            body.as_bytes().chunks(piece).map(|c| (Duration::ZERO, Bytes::copy_from_slice(c))).collect();
        Self { status: 200, content_type: "text/event-stream", headers: vec![], chunks, end: End::Whole }
    }

    /// An answer of these words, whole.
    pub fn says(text: &str) -> Self {
        Self::stream(&sse::text(text), 60)
    }

    /// A request for one call of a tool.
    pub fn calls(id: &str, tool: &str, arguments: Value) -> Self {
        Self::stream(&sse::calls(&[(id, tool, arguments)]), 60)
    }

    /// An answer that is no stream: an error, or something else than JSON.
    pub fn plain(status: u16, content_type: &'static str, body: &str) -> Self {
        Self {
            status,
            content_type,
            headers: vec![],
            chunks: vec![(Duration::ZERO, Bytes::copy_from_slice(body.as_bytes()))],
            end: End::Whole,
        }
    }

    /// The same with another header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The same with a pause before every piece.
    #[must_use]
    pub fn slow(mut self, pause_ms: u64) -> Self {
        self.chunks.iter_mut().for_each(|(pause, _)| *pause = Duration::from_millis(pause_ms));
        self
    }

    /// The same, but the connection breaks after `bytes` bytes.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Self {
        self.ended_after(bytes, End::Cut)
    }

    /// The same, but nothing comes after `bytes` bytes, until [`Provider::cut`] breaks the connection.
    #[must_use]
    pub fn held_after(self, bytes: usize) -> Self {
        self.ended_after(bytes, End::Held)
    }

    fn ended_after(mut self, bytes: usize, end: End) -> Self {
        let mut left = bytes;
        self.chunks.retain_mut(|(_, chunk)| {
            let keep = chunk.len().min(left);
            left -= keep;
            chunk.truncate(keep);
            keep > 0
        });
        self.end = end;
        self
    }
}

/// Event streams in the OpenAI chat-completions format, as llm-wire.md §4.1 records them.
pub mod sse {
    use super::{Value, json};

    fn line(delta: &Value, finish: Option<&str>) -> String {
        let chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_770_933_892, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": null});
        format!("data: {chunk}\n\n")
    }

    /// A text answer, word by word.
    pub fn text(text: &str) -> String {
        let mut out = String::from(": PROCESSING\n\n");
        for word in text.split_inclusive(' ') {
            out += &line(&json!({"content": word}), None);
        }
        out + line(&json!({}), Some("stop")).as_str() + usage().as_str() + "data: [DONE]\n\n"
    }

    /// Tool calls, all in one response, arguments in fragments of three characters.
    pub fn calls(calls: &[(&str, &str, Value)]) -> String {
        let mut out = String::new();
        for (index, (id, name, arguments)) in calls.iter().enumerate() {
            out += &line(
                &json!({"role": "assistant", "content": null, "tool_calls": [{"index": index, "id": id, "type": "function",
                    "function": {"name": name, "arguments": ""}}]}),
                None,
            );
            let characters: Vec<char> = arguments.to_string().chars().collect();
            for piece in characters.chunks(3) {
                let piece: String = piece.iter().collect();
                out +=
                    &line(&json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}), None);
            }
        }
        out + line(&json!({}), Some("tool_calls")).as_str() + usage().as_str() + "data: [DONE]\n\n"
    }

    fn usage() -> String {
        let chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [],
            "usage": {"prompt_tokens": 16, "completion_tokens": 30, "total_tokens": 46}});
        format!("data: {chunk}\n\n")
    }
}

/// The running provider.
pub struct Provider {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    by_step: Mutex<Vec<Reply>>,
    by_request: Mutex<Option<(Reply, Reply)>>,
    replies: Mutex<VecDeque<Reply>>,
    requests: Mutex<Vec<Value>>,
    authorizations: Mutex<Vec<Option<String>>>,
    /// How often all connections were broken.
    cuts: watch::Sender<u32>,
}

impl Provider {
    /// Starts a provider that gives these answers in turn, and 500 when they run out.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::start_at(0, replies).await
    }

    /// The same on this port.
    pub async fn start_at(port: u16, replies: impl IntoIterator<Item = Reply>) -> Self {
        let shared = Arc::new(Shared {
            by_step: Mutex::default(),
            by_request: Mutex::default(),
            replies: Mutex::new(replies.into_iter().collect()),
            requests: Mutex::new(vec![]),
            authorizations: Mutex::default(),
            cuts: watch::Sender::new(0),
        });
        let listener = tokio::net::TcpListener::from_std(bound(port)).expect("a socket");
        let port = listener.local_addr().expect("a bound port").port();
        let router = Router::new()
            .route(
                "/v1/models",
                get(|| async {
                    cors(Response::new(Body::from(
                        r#"{"object":"list","data":[{"id":"m","object":"model"}]}"#,
                    )))
                }),
            )
            .route("/v1/chat/completions", any(answer))
            .with_state(shared.clone());
        // Small pieces stay small.
        let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, shared }
    }

    /// The base URL, as a person would type it into the settings.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Adds answers to those still to give.
    pub fn push(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// From now on answers by what is asked: the first reply to a conversation that ends with the
    /// person's words, the second to one that ends with tool results.
    pub fn answer_by_request(&self, to_user: &Reply, to_results: &Reply) {
        *self.shared.by_request.lock().unwrap() = Some((to_user.clone(), to_results.clone()));
    }

    /// From now on answers by how far a run is: the first reply to a conversation that ends with the person's
    /// words, the second after one round of tool results, and so on. Asked again it answers the same.
    pub fn answer_by_step(&self, steps: impl IntoIterator<Item = Reply>) {
        *self.shared.by_step.lock().unwrap() = steps.into_iter().collect();
    }

    /// Breaks every connection over which an answer is under way, as a server does that goes down.
    pub fn cut(&self) {
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Takes back the answers not yet given.
    pub fn clear(&self) {
        self.shared.replies.lock().unwrap().clear();
    }

    /// The authorization headers of all requests for a completion so far.
    pub fn authorizations(&self) -> Vec<Option<String>> {
        self.shared.authorizations.lock().unwrap().clone()
    }

    /// The bodies of all requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.shared.requests.lock().unwrap().clone()
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if method == Method::OPTIONS {
        return cors(Response::new(Body::empty()));
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let ends_with_result =
        request["messages"].as_array().and_then(|m| m.last()).is_some_and(|m| m["role"] == "tool");
    let by_step = shared.by_step.lock().unwrap().get(rounds(&request)).cloned();
    shared.requests.lock().unwrap().push(request);
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    shared.authorizations.lock().unwrap().push(authorization.map(str::to_owned));
    let by_request = shared.by_request.lock().unwrap().clone();
    let reply = by_step
        .or_else(|| {
            by_request.map(|(to_user, to_results)| if ends_with_result { to_results } else { to_user })
        })
        .or_else(|| shared.replies.lock().unwrap().pop_front())
        .unwrap_or_else(|| {
            Reply::plain(
                500,
                "application/json",
                r#"{"error":{"message":"no more replies","type":"server_error"}}"#,
            )
        });
    let mut response = Response::new(Body::from_stream(body_of(&reply, shared.cuts.subscribe())));
    *response.status_mut() = StatusCode::from_u16(reply.status).expect("a status");
    response.headers_mut().insert(header::CONTENT_TYPE, reply.content_type.parse().expect("a type"));
    for (name, value) in reply.headers {
        response.headers_mut().insert(name, value.parse().expect("a header value"));
    }
    cors(response)
}

/// The pieces of a body; an error among them breaks the connection.
fn body_of(
    reply: &Reply,
    mut cuts: watch::Receiver<u32>,
) -> impl Stream<Item = std::io::Result<Bytes>> + use<> {
    let pieces = futures::stream::iter(reply.chunks.clone()).then(|(pause, chunk)| async move {
        match pause {
            // Enough for what was written before to leave on its own. A timer would take a millisecond or two for each
            // byte, and on a busy machine longer than anybody waits.
            Duration::ZERO => tokio::task::yield_now().await,
            pause => tokio::time::sleep(pause).await,
        }
        Ok(chunk)
    });
    let cut = || Err(std::io::Error::other("cut"));
    let end = match reply.end {
        End::Whole => futures::stream::empty().boxed(),
        // A little later: what is written when a connection breaks may be lost on the way, and then nothing was said.
        End::Cut => futures::stream::once(async move {
            tokio::time::sleep(BREAK_AFTER).await;
            cut()
        })
        .boxed(),
        End::Held => futures::stream::pending().boxed(),
    };
    let broken = futures::stream::once(async move {
        let _ = cuts.changed().await;
        Some(cut())
    });
    // A body that came to its end does not wait for the break.
    let whole = pieces.chain(end).map(Some).chain(futures::stream::iter([None]));
    let until_the_end = |piece: &Option<_>| std::future::ready(piece.is_some());
    futures::stream::select(whole, broken).take_while(until_the_end).filter_map(std::future::ready)
}

/// How many times the model asked for tools since the person's last words.
fn rounds(request: &Value) -> usize {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let since = messages.iter().rev().take_while(|message| message["role"] != "user");
    since.filter(|message| message["tool_calls"].is_array()).count()
}

fn cors(mut response: Response) -> Response {
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-headers", "*, authorization"),
        ("access-control-allow-methods", "*"),
        ("access-control-expose-headers", "*"),
    ] {
        response.headers_mut().insert(name, value.parse().expect("a header value"));
    }
    response
}
