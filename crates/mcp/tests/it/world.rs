//! A server with all that outlives a request, in memory: a clock that is set, ids that are counted, a place that
//! survives a restart.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use async_trait::async_trait;
use futures::FutureExt;
use futures::executor::{LocalPool, LocalSpawner};
use futures::future::LocalBoxFuture;
use futures::task::{LocalSpawnExt, noop_waker};
use mcp::{Body, Events, Headers, HttpIn, HttpOut, RpcError, Runtime, Server, ServerInfo};
use serde_json::{Value, json};

use crate::fixture::{Raw, meta};
use crate::talker::{Desk, Talker};

/// An exchange that is not over after so many looks never ends.
const MOST_POLLS: usize = 1_000;

pub const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The place, the clock and the chance of a server. A handle: a server that starts anew gets the same.
#[derive(Clone, Default)]
pub struct Memory(Rc<Kept>);

#[derive(Default)]
struct Kept {
    now_ms: Cell<i64>,
    count: Cell<u64>,
    bytes: RefCell<BTreeMap<String, Vec<u8>>>,
    spawner: RefCell<Option<LocalSpawner>>,
    /// Every look at the place takes a moment in which others come to turn.
    is_slow: Cell<bool>,
}

impl Memory {
    pub fn pass(&self, ms: i64) {
        self.0.now_ms.set(self.0.now_ms.get() + ms);
    }

    pub fn be_slow(&self) {
        self.0.is_slow.set(true);
    }

    pub fn kept(&self, prefix: &str) -> Vec<String> {
        self.0.bytes.borrow().keys().filter(|name| name.starts_with(prefix)).cloned().collect()
    }

    pub fn kept_bytes(&self, prefix: &str) -> usize {
        let bytes = self.0.bytes.borrow();
        bytes.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, bytes)| bytes.len()).sum()
    }

    async fn moment(&self) {
        if self.0.is_slow.get() {
            yield_once().await;
        }
    }
}

/// Lets others come to turn, once.
pub async fn yield_once() {
    let mut is_first = true;
    futures::future::poll_fn(|context| {
        if std::mem::take(&mut is_first) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

#[async_trait(?Send)]
impl Runtime for Memory {
    fn now_ms(&self) -> i64 {
        self.0.now_ms.get()
    }

    fn timestamp(&self, at_ms: i64) -> String {
        format!("1970-01-01T00:00:00.{at_ms:03}Z")
    }

    fn random(&self) -> String {
        self.0.count.set(self.0.count.get() + 1);
        format!("id-{:032x}", self.0.count.get())
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        if let Some(spawner) = &*self.0.spawner.borrow() {
            // A pool that is gone is a process that is gone.
            let _ = spawner.spawn_local(work);
        }
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        self.moment().await;
        let found = self.0.bytes.borrow().get(name).cloned();
        self.moment().await;
        Ok(found)
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.moment().await;
        self.0.bytes.borrow_mut().insert(name.to_owned(), bytes.to_owned());
        self.moment().await;
        Ok(())
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        self.moment().await;
        Ok(self.kept(prefix))
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.moment().await;
        self.0.bytes.borrow_mut().remove(name);
        Ok(())
    }
}

/// A running server and the place it lives in.
pub struct World {
    pub runtime: Memory,
    pub desk: Rc<Desk>,
    pub server: Server<Talker>,
    pool: RefCell<LocalPool>,
}

/// What came back.
pub struct Reply {
    pub status: u16,
    pub headers: Headers,
    /// Null where there is none, and for a stream.
    pub body: Value,
    pub events: Option<Events>,
}

impl Reply {
    fn read(HttpOut { status, headers, body }: HttpOut) -> Self {
        let (body, events) = match body {
            Body::Empty => (Value::Null, None),
            Body::Full(bytes) => (serde_json::from_slice(&bytes).expect("every body is JSON"), None),
            Body::Events(events) => (Value::Null, Some(events)),
        };
        Self { status, headers, body, events }
    }

    /// The stream that it must be.
    pub fn stream(self) -> Events {
        assert_eq!(self.status, 200, "{}", self.body);
        assert_eq!(self.headers.get("content-type"), Some("text/event-stream"));
        self.events.unwrap_or_else(|| panic!("one object: {}", self.body))
    }

    /// The result that it must be, as one object.
    pub fn result(self) -> Value {
        assert!(self.events.is_none(), "a stream");
        assert!(self.body["result"].is_object(), "{} {}", self.status, self.body);
        assert_eq!(self.status, 200);
        self.body["result"].clone()
    }

    /// The HTTP status and the code of the error that it must be.
    pub fn error(self) -> (u16, i64) {
        assert!(self.events.is_none(), "a stream");
        let code = self.body["error"]["code"].as_i64();
        (self.status, code.unwrap_or_else(|| panic!("no error: {}", self.body)))
    }
}

/// What a look at a stream shows.
#[derive(Debug, PartialEq)]
pub enum Heard {
    Message(Value),
    /// Nothing for now.
    Silence,
    End,
}

impl Heard {
    pub fn message(self) -> Value {
        match self {
            Self::Message(message) => message,
            other => panic!("no message: {other:?}"),
        }
    }
}

/// An exchange under way. Dropping it is how a client that reads no streams goes away.
pub struct Exchange(LocalBoxFuture<'static, HttpOut>);

impl World {
    pub fn new() -> Self {
        Self::over(Memory::default())
    }

    pub fn over(runtime: Memory) -> Self {
        let pool = LocalPool::new();
        runtime.0.spawner.replace(Some(pool.spawner()));
        let desk = Rc::<Desk>::default();
        let info = ServerInfo {
            name: "talker".into(),
            title: "Talker".into(),
            version: "1".into(),
            instructions: "Talk.".into(),
        };
        let server = Server::new(info, Talker::over(Rc::clone(&desk))).with_runtime(runtime.clone());
        Self { runtime, desk, server, pool: RefCell::new(pool) }
    }

    /// Another process over the same place: what is in memory is gone.
    pub fn restart(self) -> Self {
        Self::over(self.runtime)
    }

    /// Runs what was left to itself as far as it goes.
    pub fn run(&self) {
        self.pool.borrow_mut().run_until_stalled();
    }

    pub fn start(&self, request: HttpIn) -> Exchange {
        let server = self.server.clone();
        Exchange(async move { server.handle(request).await }.boxed_local())
    }

    /// One look at an exchange.
    pub fn look(&self, exchange: &mut Exchange) -> Option<HttpOut> {
        let waker = noop_waker();
        match exchange.0.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(out) => Some(out),
            Poll::Pending => {
                self.run();
                None
            }
        }
    }

    /// Looks until there is an answer.
    pub fn finish(&self, mut exchange: Exchange) -> Reply {
        let answered = (0..MOST_POLLS).find_map(|_| self.look(&mut exchange));
        Reply::read(answered.expect("the exchange ends"))
    }

    /// Looks at two exchanges in turn until both have their answers.
    pub fn finish_both(&self, mut one: Exchange, mut other: Exchange) -> [Reply; 2] {
        let mut answers = [None, None];
        for _ in 0..MOST_POLLS {
            for (exchange, answer) in [&mut one, &mut other].into_iter().zip(&mut answers) {
                if answer.is_none() {
                    *answer = self.look(exchange);
                }
            }
        }
        answers.map(|answer| Reply::read(answer.expect("the exchange ends")))
    }

    pub fn send(&self, raw: Raw) -> Reply {
        self.finish(self.start(raw.into_http()))
    }

    /// The next message of a stream.
    pub fn next(&self, events: &mut Events) -> Heard {
        let waker = noop_waker();
        for _ in 0..10 {
            self.run();
            let next = futures::Stream::poll_next(Pin::new(&mut *events), &mut Context::from_waker(&waker));
            match next {
                Poll::Ready(Some(message)) => {
                    return Heard::Message(serde_json::from_str(&message).expect("every message is JSON"));
                }
                Poll::Ready(None) => return Heard::End,
                Poll::Pending => {}
            }
        }
        Heard::Silence
    }

    /// All messages of a stream that ends.
    pub fn rest(&self, events: &mut Events) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            match self.next(events) {
                Heard::Message(message) => messages.push(message),
                Heard::Silence => panic!("silence after {messages:?}"),
                Heard::End => return messages,
            }
        }
    }

    /// A session of the newest revision with a handshake; its id.
    pub fn session(&self, capabilities: Value) -> String {
        let reply = self.send(initialize(capabilities));
        let id = reply.headers.get("mcp-session-id").expect("a session").to_owned();
        assert_eq!(reply.body["result"]["protocolVersion"], "2025-11-25");
        id
    }
}

pub fn initialize(capabilities: Value) -> Raw {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "c", "version": "1"}});
    Raw::legacy(None, "initialize", params)
}

/// A request in a session.
pub fn within(session: &str, method: &str, params: Value) -> Raw {
    Raw::legacy(Some("2025-11-25"), method, params).set("mcp-session-id", session)
}

/// A body in a session: a notification, or the answer to a question.
pub fn post(session: &str, body: &Value) -> Raw {
    Raw::json(body).set("mcp-protocol-version", "2025-11-25").set("mcp-session-id", session)
}

pub fn get(session: &str) -> Raw {
    post(session, &Value::Null).by("GET").without("content-type").set("accept", "text/event-stream")
}

/// A modern client's `_meta` with capabilities.
pub fn able(capabilities: Value) -> Value {
    with_meta("io.modelcontextprotocol/clientCapabilities", capabilities)
}

/// A modern client's `_meta` with one more field.
pub fn with_meta(name: &str, value: Value) -> Value {
    let mut meta = meta();
    meta[name] = value;
    meta
}

pub fn call(tool: &str, arguments: Value) -> Raw {
    Raw::modern("tools/call", json!({"name": tool, "arguments": arguments}))
}

/// A call with anything else in its parameters.
pub fn call_with(tool: &str, meta: Value, more: Value) -> Raw {
    let mut params = json!({"name": tool, "arguments": {}, "_meta": meta});
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    Raw::modern("tools/call", params)
}

/// The text of a result's first content.
pub fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"))
}
