//! A server with all that outlives a request, in memory: a clock that is set, ids that are counted, a place that
//! survives a restart, and a host whose tools wait, talk, ask and become tasks.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use async_trait::async_trait;
use futures::FutureExt;
use futures::channel::oneshot;
use futures::executor::{LocalPool, LocalSpawner};
use futures::future::LocalBoxFuture;
use futures::task::{LocalSpawnExt, noop_waker};
use mcp::{
    Ask, Body, Caller, Completions, Edge, Events, Filled, Headers, Hints, Host, HttpIn, HttpOut, LogLevel,
    Prompt, PromptArgument, PromptIn, PromptOut, Resource, ResourceContents, ResourcePage, ResourceTemplate,
    RpcError, Server, ServerInfo, Stop, TaskUse, ToolCallIn, ToolCallOut, ToolDef,
};
use serde_json::{Map, Value, json};

use crate::fixture::{Raw, meta};

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
impl Edge for Memory {
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

/// What the tools did and wait for.
#[derive(Default)]
pub struct Desk {
    /// What has had an effect, in order.
    pub done: RefCell<Vec<String>>,
    /// Runs of tools, by task or by name.
    pub runs: RefCell<Vec<String>>,
    /// The caller of the last call.
    pub caller: RefCell<Caller>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl Desk {
    /// Lets everything go on that waits.
    pub fn open(&self) {
        for waiting in self.waiting.take() {
            // Who waits no longer needs no news.
            let _ = waiting.send(());
        }
    }

    pub fn done(&self) -> Vec<String> {
        self.done.borrow().clone()
    }

    fn effect(&self, what: impl Into<String>) {
        self.done.borrow_mut().push(what.into());
    }

    async fn wait(&self) {
        let (open, opened) = oneshot::channel();
        self.waiting.borrow_mut().push(open);
        // A desk that is gone opens as well.
        let _ = opened.await;
    }
}

/// The host.
pub struct Talker {
    desk: Rc<Desk>,
    tools: Vec<ToolDef>,
    prompts: Vec<Prompt>,
    templates: Vec<ResourceTemplate>,
}

fn tool(name: &str, required: &[&str], properties: Value) -> ToolDef {
    ToolDef {
        name: name.into(),
        title: name.to_uppercase(),
        description: format!("Does {name}"),
        input_schema: json!({"type": "object", "properties": properties, "required": required}),
        output_schema: Value::Null,
        annotations: Hints::READ,
        meta: Value::Null,
    }
}

fn tools() -> Vec<ToolDef> {
    let id = || json!({"id": {"type": "string"}});
    let headers =
        json!({"value": {"type": "string"}, "count": {"type": "number"}, "flag": {"type": "boolean"}});
    vec![
        tool("echo", &["text"], json!({"text": {"type": "string"}, "times": {"type": "integer"}})),
        tool("steps", &[], json!({})),
        tool("wait", &[], json!({})),
        tool("name", &[], json!({})),
        tool("delete", &["id"], id()),
        tool("delete_all", &["ids"], json!({"ids": {"type": "array", "items": {"type": "string"}}})),
        tool("rounds", &[], json!({})),
        tool("model", &[], json!({})),
        tool("many", &[], json!({})),
        tool("headers", &[], headers),
        tool("job", &[], id()),
        tool("must_job", &[], json!({})),
        tool("two", &[], json!({})),
        tool("bad_job", &[], json!({})),
        tool("no_job", &[], json!({})),
    ]
}

fn form(field: &str, kind: &str) -> Ask {
    let properties = json!({field: {"type": kind}});
    Ask::form(format!("{field}?"), json!({"type": "object", "properties": properties, "required": [field]}))
}

fn sampling() -> Ask {
    Ask::sampling(json!({"messages": [], "maxTokens": 10}))
}

fn says(text: impl Into<String>) -> ToolCallOut {
    ToolCallOut::blocks(vec![json!({"type": "text", "text": text.into()})])
}

fn filled(answer: &Value, field: &str) -> Option<Value> {
    match Filled::read(answer) {
        Filled::Accepted(content) => content.get(field).cloned(),
        Filled::Declined | Filled::Dismissed => None,
    }
}

impl Talker {
    pub fn over(desk: Rc<Desk>) -> Self {
        let argument = PromptArgument { name: "city".into(), description: None, required: true };
        let prompt = |name: &str, arguments| Prompt {
            name: name.into(),
            title: Some(name.to_uppercase()),
            description: None,
            arguments,
        };
        let templates = vec![ResourceTemplate {
            uri_template: "note://{name}".into(),
            name: "note".into(),
            title: None,
            description: None,
            mime_type: None,
        }];
        let prompts = vec![prompt("plan", vec![argument]), prompt("asking", vec![])];
        Self { desk, tools: tools(), prompts, templates }
    }

    async fn delete(&self, call: &ToolCallIn, what: String) -> Result<ToolCallOut, Stop> {
        let asks = vec![("sure", form("ok", "boolean"))];
        let answers = call.caller.ask(asks, Some(json!({"what": what}))).await?;
        if filled(&answers["sure"], "ok") != Some(json!(true)) {
            return Ok(ToolCallOut::rejected("The person said no"));
        }
        self.desk.effect(format!("deleted {what}"));
        Ok(says(format!("deleted {what}")))
    }

    async fn rounds(&self, caller: &Caller) -> Result<ToolCallOut, Stop> {
        let name = match caller.state().and_then(|state| state["name"].as_str()) {
            Some(name) => name.to_owned(),
            None => {
                let asks = vec![("first", form("name", "string"))];
                let answers = caller.ask(asks, Some(json!({"round": 1}))).await?;
                match filled(&answers["first"], "name").and_then(|name| Some(name.as_str()?.to_owned())) {
                    Some(name) => name,
                    None => return Ok(says("no name")),
                }
            }
        };
        let asks = vec![("second", form("color", "string"))];
        let answers = caller.ask(asks, Some(json!({"round": 2, "name": name}))).await?;
        Ok(says(format!("{name} likes {}", filled(&answers["second"], "color").unwrap_or_default())))
    }
}

#[async_trait(?Send)]
impl Host for Talker {
    fn tools(&self) -> &[ToolDef] {
        &self.tools
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let caller = &call.caller;
        self.desk.caller.replace(caller.clone());
        self.desk.runs.borrow_mut().push(call.task.clone().unwrap_or_else(|| call.name.clone()));
        let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).map(str::to_owned);
        match call.name.as_str() {
            "echo" => match text("text") {
                Some(text) => Ok(ToolCallOut::output(json!({"text": text}).to_string())),
                None => Ok(ToolCallOut::rejected("`text` must be a string")),
            },
            "steps" => {
                caller.progress(1.0, Some(3.0), Some("one"));
                caller.progress(1.0, Some(3.0), Some("one again"));
                caller.progress(0.5, Some(3.0), Some("back"));
                caller.log(LogLevel::Debug, json!("small"));
                caller.log(LogLevel::Warning, json!("large"));
                yield_once().await;
                caller.progress(2.5, None, None);
                Ok(says("stepped"))
            }
            "wait" | "job" | "must_job" => {
                caller.progress(1.0, None, None);
                self.desk.wait().await;
                caller.progress(2.0, None, None);
                if caller.is_cancelled() {
                    return Err(RpcError::cancelled().into());
                }
                self.desk.effect(call.name.clone());
                Ok(says("waited"))
            }
            "name" => {
                let answers = caller.ask(vec![("who", form("name", "string"))], None).await?;
                Ok(says(match filled(&answers["who"], "name") {
                    Some(name) => format!("Hello, {}", name.as_str().unwrap_or_default()),
                    None => "no name".into(),
                }))
            }
            "delete" => self.delete(&call, text("id").unwrap_or_default()).await,
            "delete_all" => self.delete(&call, call.arguments["ids"].to_string()).await,
            "rounds" => self.rounds(caller).await,
            "model" => {
                let answers = caller.ask(vec![("said", sampling())], None).await?;
                Ok(says(answers["said"]["content"].to_string()))
            }
            "many" => {
                let asks =
                    vec![("who", form("name", "string")), ("said", sampling()), ("roots", Ask::roots())];
                let answers = caller.ask(asks, Some(json!({}))).await?;
                Ok(says(format!("{} answers", answers.len())))
            }
            "two" => {
                let asks = vec![("who", form("name", "string")), ("sure", form("ok", "boolean"))];
                let answers = caller.ask(asks, None).await?;
                Ok(says(format!(
                    "{} {}",
                    answers["who"]["content"]["name"], answers["sure"]["content"]["ok"]
                )))
            }
            "bad_job" => Err(RpcError::internal("broken").into()),
            "no_job" => Ok(ToolCallOut::rejected("not possible")),
            _ => Ok(says(call.name.clone())),
        }
    }

    fn logs(&self) -> bool {
        true
    }

    fn may_talk(&self, tool: &str) -> bool {
        matches!(tool, "wait" | "name" | "delete" | "delete_all" | "rounds" | "model" | "many" | "two")
    }

    fn task_use(&self, call: &ToolCallIn) -> TaskUse {
        match call.name.as_str() {
            "job" | "two" | "bad_job" | "no_job" => TaskUse::Allowed,
            "must_job" => TaskUse::Required,
            _ => TaskUse::Never,
        }
    }

    fn param_headers(&self, tool: &str) -> Vec<(String, String)> {
        let named = |name: &str| (name.to_lowercase(), name.to_owned());
        if tool == "headers" { vec![named("Value"), named("Count"), named("Flag")] } else { Vec::new() }
    }

    fn extensions(&self) -> Map<String, Value> {
        Map::from_iter([(TASKS.to_owned(), json!({}))])
    }

    fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    async fn get_prompt(&self, request: PromptIn) -> Result<PromptOut, Stop> {
        let text = match request.name.as_str() {
            "plan" => request.arguments["city"].to_string(),
            _ => {
                let answers = request.caller.ask(vec![("who", form("name", "string"))], None).await?;
                filled(&answers["who"], "name").unwrap_or_default().to_string()
            }
        };
        let message = json!({"role": "user", "content": {"type": "text", "text": text}});
        Ok(PromptOut { description: None, messages: vec![message] })
    }

    async fn complete(&self, request: mcp::CompleteIn) -> Result<Completions, RpcError> {
        let values = (0..200).map(|number| format!("{}{number}", request.value)).collect();
        Ok(Completions { values, total: None })
    }

    fn resource_templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        if cursor.is_some() {
            return Err(RpcError::invalid_params("Invalid cursor"));
        }
        let resource = Resource {
            uri: "note://a".into(),
            name: "a".into(),
            title: None,
            description: None,
            mime_type: None,
            meta: Map::new(),
        };
        Ok(ResourcePage { resources: vec![resource], next_cursor: None })
    }

    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        if uri != "note://a" {
            return Err(RpcError::resource_not_found(uri));
        }
        let text = "milk".into();
        Ok(ResourceContents { uri: uri.into(), mime_type: None, text, blob: None, meta: Map::new() })
    }
}

/// A running server and the place it lives in.
pub struct World {
    pub edge: Memory,
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

    pub fn over(edge: Memory) -> Self {
        let pool = LocalPool::new();
        edge.0.spawner.replace(Some(pool.spawner()));
        let desk = Rc::<Desk>::default();
        let info = ServerInfo {
            name: "talker".into(),
            title: "Talker".into(),
            version: "1".into(),
            instructions: "Talk.".into(),
        };
        let server = Server::new(info, Talker::over(Rc::clone(&desk))).with_edge(edge.clone());
        Self { edge, desk, server, pool: RefCell::new(pool) }
    }

    /// Another process over the same place: what is in memory is gone.
    pub fn restart(self) -> Self {
        Self::over(self.edge)
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
