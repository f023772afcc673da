//! The server core: one HTTP request in, one HTTP answer out.
//!
//! The order of the checks is the protocol's and decides which error a request with several faults gets:
//! method, origin, content type, size, JSON, JSON-RPC shape, protocol version; then [`modern`] or [`legacy`].

mod calls;
mod kept;
mod legacy;
mod message;
mod modern;
mod others;
mod params;
mod rest;
mod sessions;
mod streams;
mod subscriptions;
mod tasks;

use std::cell::OnceCell;
use std::rc::{Rc, Weak};

use serde_json::{Value, json};

use crate::events::Events;
use crate::host::Host;
use crate::http::{Body, Headers, HttpIn, HttpOut};
use crate::part::Part;
use crate::rpc::{RpcError, code};
use crate::runtime::Runtime;
use crate::version::MODERN_VERSION;
use calls::Fields;
use legacy::In;
use message::{Message, VERSION_KEY};
pub use rest::Rest;
pub use subscriptions::Notification;

/// Bodies above this many bytes are refused with 413.
pub const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// How many tools a page of `tools/list` holds unless told otherwise.
const TOOLS_PER_PAGE: usize = 100;

/// Who the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// Its programmatic name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The program's version.
    pub version: String,
    /// How the tools work together, for the model.
    pub instructions: String,
}

/// An MCP server over a [`Host`]. A handle: clones are the same server.
///
/// Without an [`Runtime`] every request stands for itself: no sessions, no tasks, nothing is asked in mid-call, and a call
/// whose client goes away ends where it is.
pub struct Server<H>(Rc<Parts<H>>);

impl<H> Clone for Server<H> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

/// A server that is not kept for this alone: for what the server itself has.
pub struct WeakServer<H>(Weak<Parts<H>>);

impl<H> WeakServer<H> {
    /// The server, as long as anybody else has it.
    #[must_use]
    pub fn upgrade(&self) -> Option<Server<H>> {
        self.0.upgrade().map(Server)
    }
}

impl<H> Server<H> {
    /// The same server, as long as others have it.
    #[must_use]
    pub fn downgrade(&self) -> WeakServer<H> {
        WeakServer(Rc::downgrade(&self.0))
    }
}

struct Parts<H> {
    info: ServerInfo,
    host: H,
    /// What few requests need.
    rest: Part<Rest<H>>,
    origins: Option<Vec<String>>,
    page_size: usize,
    runtime: Option<Box<dyn Runtime>>,
    /// Each tool as it is listed, once somebody lists them.
    written_tools: OnceCell<Vec<String>>,
    subscriptions: subscriptions::Subscriptions,
    sessions: sessions::Sessions,
    running: streams::Registry,
    tasks: tasks::Tasks,
    /// Where requests wait while one of them looks for the key of sealed states, or makes it.
    sealing: futures::lock::Mutex<()>,
}

impl<H> Parts<H> {
    /// The runtime.
    ///
    /// # Errors
    /// Where there is none.
    fn runtime(&self) -> Result<&dyn Runtime, RpcError> {
        self.runtime
            .as_deref()
            .ok_or_else(|| RpcError::internal("This server keeps nothing between requests"))
    }
}

impl<H: Host + 'static> Server<H> {
    /// A server for this host. It trusts its adapter with the `Origin` header.
    pub fn new(info: ServerInfo, host: H) -> Self {
        Self::in_parts(info, host, Part::here(Rest::here()))
    }

    /// A server that begins with what lists and calls tools in the current revision; everything else of the protocol is in
    /// `rest`, and comes when it is asked for.
    pub fn in_parts(info: ServerInfo, host: H, rest: Part<Rest<H>>) -> Self {
        Self(Rc::new(Parts {
            info,
            host,
            rest,
            origins: None,
            page_size: TOOLS_PER_PAGE,
            runtime: None,
            written_tools: OnceCell::new(),
            subscriptions: subscriptions::Subscriptions::default(),
            sessions: sessions::Sessions::default(),
            running: streams::Registry::default(),
            tasks: tasks::Tasks::default(),
            sealing: futures::lock::Mutex::default(),
        }))
    }

    /// Refuses (403) requests whose `Origin` is none of these. A request without one passes: no browser
    /// page sent it across origins.
    #[must_use]
    pub fn only_from(self, origins: impl IntoIterator<Item = String>) -> Self {
        self.change(|parts| parts.origins = Some(origins.into_iter().collect()))
    }

    /// How many tools a page of `tools/list` holds (at least one).
    #[must_use]
    pub fn with_page_size(self, tools: usize) -> Self {
        self.change(|parts| parts.page_size = tools.max(1))
    }

    /// With what outlives a request.
    #[must_use]
    pub fn with_runtime(self, runtime: impl Runtime + 'static) -> Self {
        self.change(|parts| parts.runtime = Some(Box::new(runtime)))
    }

    /// # Panics
    /// When the server is shared already: it is put together before it is used.
    fn change(mut self, change: impl FnOnce(&mut Parts<H>)) -> Self {
        match Rc::get_mut(&mut self.0) {
            Some(parts) => change(parts),
            None => panic!("a server is put together before it is shared"),
        }
        self
    }

    /// Everything but listing and plainly calling tools.
    async fn rest(&self) -> Result<Rest<H>, Refusal> {
        let rest = match self.0.host.make_ready().await {
            Ok(()) => self.0.rest.get().await,
            Err(missing) => Err(missing),
        };
        rest.map_err(|missing| Refusal::new(503, RpcError::internal(missing.to_string())))
    }

    /// Answers what came in of the older revisions; `id` is the request's.
    async fn older(&self, request: &HttpIn, came: In, id: Option<Value>) -> Result<HttpOut, Refusal> {
        let rest = self.rest().await.map_err(|refusal| refusal.to(id))?;
        (rest.older)(self, request, came).await
    }

    /// The application behind it.
    pub fn host(&self) -> &H {
        &self.0.host
    }

    /// Tells the streams that listen for it (`subscriptions/listen`, or a session's).
    pub fn publish(&self, notifications: &Notification) {
        self.0.subscriptions.publish(notifications, &self.0.sessions);
    }

    /// Ends all streams that listen, as a server does before it goes.
    pub fn end_streams(&self) {
        self.0.subscriptions.end();
    }

    /// Whether anybody listens.
    pub fn is_heard(&self) -> bool {
        self.0.subscriptions.has_listeners()
    }

    /// Forgets what is kept of tasks that are too old to be asked for. For quiet moments.
    ///
    /// # Errors
    /// When the place for it cannot be read or written.
    pub async fn forget_expired(&self) -> Result<(), RpcError> {
        if self.0.runtime.is_none() {
            return Ok(());
        }
        tasks::forget_expired(&self.0).await
    }

    /// Answers one HTTP request. Never fails: what goes wrong is an answer too.
    pub async fn handle(&self, request: HttpIn) -> HttpOut {
        let answer = match self.admit(&request) {
            Ok(()) if request.method != "POST" => self.older(&request, In::NoBody, None).await,
            Ok(()) => match parse(&request.body) {
                Ok(body) => self.dispatch(&request, body).await,
                Err(refusal) => Err(refusal),
            },
            Err(refusal) => Err(refusal),
        };
        answer.unwrap_or_else(Refusal::into_http)
    }

    /// What can be said before the message is looked at.
    fn admit(&self, request: &HttpIn) -> Result<(), Refusal> {
        let has_session = request.headers.get("mcp-session-id").is_some();
        match request.method.as_str() {
            "POST" => {}
            // Of a session of the older protocol versions: its stream, and its end. The modern one has neither.
            "GET" | "DELETE" if has_session && self.0.runtime.is_some() && !is_modern(&request.headers) => {}
            _ => return Err(Refusal::http(405, "The endpoint takes POST only")),
        }
        if let (Some(allowed), Some(origin)) = (&self.0.origins, request.headers.get("origin"))
            && !allowed.iter().any(|known| known == origin)
        {
            return Err(Refusal::http(403, "This origin may not use the server"));
        }
        if request.method != "POST" {
            return Ok(());
        }
        if !request.headers.get("content-type").is_some_and(is_json) {
            return Err(Refusal::http(415, "The content type must be application/json"));
        }
        let tool = request.headers.get("mcp-name").unwrap_or_default();
        let most = self.0.host.max_body_bytes(tool);
        if request.body.len() > most {
            return Err(Refusal::http(413, format!("The body is larger than {} MiB", most / 1024 / 1024)));
        }
        Ok(())
    }

    async fn dispatch(&self, request: &HttpIn, body: Value) -> Result<HttpOut, Refusal> {
        if let Value::Array(items) = body {
            return self.older(request, In::Batch(items), None).await;
        }
        if message::is_response(&body) && legacy::takes_responses(self, &request.headers) {
            return self.older(request, In::Response(body), None).await;
        }
        let message = Message::read(body)?;
        match protocol_version(&message, &request.headers) {
            ProtocolVersion::Modern => modern::answer(self, request, message).await,
            ProtocolVersion::Legacy => {
                let id = message.id.clone();
                self.older(request, In::Message(message), id).await
            }
        }
    }
}

fn parse(body: &[u8]) -> Result<Value, Refusal> {
    let text = std::str::from_utf8(body);
    let read = text
        .map_err(|error| error.to_string())
        .and_then(|text| serde_json::from_str(text).map_err(|error| error.to_string()));
    read.map_err(|error| Refusal::new(400, RpcError::new(code::PARSE, format!("Not JSON: {error}"))))
}

enum ProtocolVersion {
    Modern,
    Legacy,
}

/// Which rules a message is under. The body decides where it can: `_meta` with a version is modern, and
/// `initialize` without one is legacy, whatever the header says (2026-07-28, basic/versioning).
fn protocol_version(message: &Message, headers: &Headers) -> ProtocolVersion {
    let names_version = message.meta().is_some_and(|meta| meta.contains_key(VERSION_KEY));
    if names_version || (is_modern(headers) && message.method != "initialize") {
        ProtocolVersion::Modern
    } else {
        ProtocolVersion::Legacy
    }
}

/// Whether the header names the modern revision or a later one.
fn is_modern(headers: &Headers) -> bool {
    // Revisions are ISO dates, so their order is that of their letters.
    headers.get("mcp-protocol-version").is_some_and(|version| version >= MODERN_VERSION)
}

/// `application/json`, with or without parameters.
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

/// Whether the client reads streams. One that says nothing takes what it always took: one object.
fn takes_events(headers: &Headers) -> bool {
    headers.get("accept").is_some_and(|accept| {
        accept.split(',').any(|one| {
            let essence = one.split(';').next().unwrap_or_default().trim();
            essence.eq_ignore_ascii_case("text/event-stream")
        })
    })
}

/// An answer that is an error.
struct Refusal {
    status: u16,
    /// The request's id. Where it could not be read it is left out: the schema has no null there.
    id: Option<Value>,
    /// In a box: it is seldom there, and everything that may be refused would be as large.
    error: Box<RpcError>,
}

impl Refusal {
    fn new(status: u16, error: RpcError) -> Self {
        Self { status, id: None, error: Box::new(error) }
    }

    /// A refusal by HTTP. It has a JSON-RPC body all the same, since clients look for one.
    fn http(status: u16, message: impl Into<String>) -> Self {
        Self::new(status, RpcError::new(code::INVALID_REQUEST, message))
    }

    /// There is no room for it now, and may be later.
    fn too_many(error: RpcError) -> Self {
        Self::new(503, error)
    }

    fn to(self, id: Option<Value>) -> Self {
        Self { id, ..self }
    }

    fn into_http(self) -> HttpOut {
        let mut out = json_answer(self.status, error_message(self.id, &self.error));
        if self.status == 405 {
            out.headers.add("allow", "POST");
        }
        out
    }
}

/// A JSON-RPC error, as JSON.
fn error_message(id: Option<Value>, error: &RpcError) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "error": error });
    if let Some(id) = id {
        message["id"] = id;
    }
    message.to_string()
}

/// A JSON-RPC result, as JSON.
fn result_message(id: &Value, Fields { map, text }: Fields) -> String {
    let id = id.to_string();
    let is_empty = map.is_empty();
    let fields = Value::Object(map).to_string();
    let more = text.as_ref().map_or(0, |(name, text)| name.len() + text.len() + 4);
    // One text of the right size: what it holds may be long.
    let mut message = String::with_capacity(id.len() + fields.len() + more + 40);
    message.push_str("{\"id\":");
    message.push_str(&id);
    message.push_str(",\"jsonrpc\":\"2.0\",\"result\":");
    message.push_str(&fields);
    if let Some((name, text)) = text {
        message.pop();
        let parts = [if is_empty { "\"" } else { ",\"" }, name, "\":", &text, "}"];
        parts.into_iter().for_each(|part| message.push_str(part));
    }
    message.push('}');
    message
}

fn json_answer(status: u16, message: String) -> HttpOut {
    let headers = Headers::new().with("content-type", "application/json").with("cache-control", "no-store");
    HttpOut { status, headers, body: Body::Full(message.into_bytes()) }
}

fn event_answer(events: Events) -> HttpOut {
    let headers = Headers::new()
        .with("content-type", "text/event-stream")
        .with("cache-control", "no-store")
        .with("x-accel-buffering", "no");
    HttpOut { status: 200, headers, body: Body::Events(events) }
}

/// A notification was taken (or a batch of them): nothing to say.
fn accepted() -> HttpOut {
    HttpOut { status: 202, headers: Headers::new(), body: Body::Empty }
}
