//! What is seen of each request from its head to its answer's last byte: its line in the log, its part of the metrics, its span, and
//! what it took of a quota. Bodies pass; of a model's answer only counts of tokens are read, and only where somebody wants them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant, SystemTime};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use protocol::Usage;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::counters::Spent;
use crate::limits::Clients;
use crate::log::{ClientName, LineFormat, Lines, Log};
use crate::metrics::{Metrics, Operation};
use crate::otlp::Exporter;
use crate::tokens::Who;
use crate::trace::{Trace, hex};
use crate::usage::{BYTES_OF_A_TOKEN, UsageReader};

/// Longer names are cut: they are foreign text.
const LONGEST_NAME: usize = 200;

/// The status of a request whose client left before an answer began, as nginx has it: none was sent.
const LEFT_EARLY: u16 = 499;

/// Who sees.
pub(crate) struct Observer {
    pub(crate) log: Log,
    pub(crate) lines: Lines,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) exporter: Mutex<Option<Exporter>>,
    pub(crate) clients: Clients,
    /// The models of each upstream that the metrics name; what else is asked for is `other` there.
    pub(crate) models: BTreeMap<String, Vec<String>>,
    /// Whether anybody wants to know what answers took.
    pub(crate) reads_usage: bool,
    /// What makes hashes of clients those of this start.
    pub(crate) salt: String,
}

/// What a handler says of the request to a model that it passes on. The model is empty where nobody wants to know it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) who: Arc<Who>,
    pub(crate) upstream: String,
    pub(crate) model: String,
    pub(crate) body_bytes: u64,
    /// Whether it is the built-in model, which costs nothing.
    pub(crate) is_built_in: bool,
}

/// What handlers say of a request; in its extensions.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Said>>);

#[derive(Clone, Default)]
struct Said {
    asked: Option<Asked>,
    /// Whether the answer is the model's: ours to the same request are refusals.
    is_answered: bool,
    limit: Option<&'static str>,
    client: Option<String>,
}

impl Notes {
    /// A model is asked.
    pub(crate) fn asked(&self, asked: Asked) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).asked = Some(asked);
    }

    /// The model answers, be it with an error.
    pub(crate) fn answered(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_answered = true;
    }

    /// A limit refuses it.
    pub(crate) fn limited(&self, limit: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).limit = Some(limit);
    }

    fn said(&self) -> Said {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whose it is, where it came by a proxy.
    pub(crate) fn client(&self, client: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).client = Some(client.to_owned());
    }
}

/// The model that a body asks for; nothing else of it is read. Of several the last one counts, as with those who read it after us.
/// `None` where none is named, or where it may be another one: some servers read a name whatever its case, or a list of `models`.
pub(crate) fn model_of(body: &[u8]) -> Option<String> {
    struct Model(Option<String>);

    impl<'de> Deserialize<'de> for Model {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Fields)
        }
    }

    struct Fields;

    impl<'de> Visitor<'de> for Fields {
        type Value = Model;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a JSON object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Model, A::Error> {
            let (mut model, mut is_doubtful) = (None, false);
            while let Some(name) = fields.next_key::<String>()? {
                if name == "model" {
                    model = fields.next_value::<Value>()?.as_str().map(str::to_owned);
                } else {
                    is_doubtful |= ["model", "models"].iter().any(|known| name.eq_ignore_ascii_case(known));
                    // A body may be large: what is not asked for takes no memory.
                    fields.next_value::<IgnoredAny>()?;
                }
            }
            Ok(Model(model.filter(|_| !is_doubtful)))
        }
    }

    serde_json::from_slice::<Model>(body).ok().and_then(|body| body.0)
}

/// A foreign text as it may be named: on one line, and not too long.
pub(crate) fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

/// Sees a request and its answer.
pub(crate) async fn requests(
    State(observer): State<Arc<Observer>>,
    mut request: Request,
    next: Next,
) -> Response {
    let (started, began) = (Instant::now(), SystemTime::now());
    let notes = Notes::default();
    request.extensions_mut().insert(notes.clone());
    let route = request.extensions().get::<MatchedPath>();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let head = Head {
        method: request.method().to_string(),
        // A path is foreign text: one line, no control characters, not too long.
        path: short(request.uri().path()),
        route: route.map_or("files", MatchedPath::as_str).to_owned(),
        peer: peer.map(|peer| peer.ip().to_canonical().to_string()).unwrap_or_default(),
        request_id: request_id(request.headers()),
        trace: Trace::of(request.headers()),
    };
    // Before the answer: a client that leaves without waiting for its head is seen too.
    let mut record = Box::new(Record {
        observer,
        started,
        began,
        head,
        notes,
        status: LEFT_EARLY,
        said: None,
        bytes: 0,
        first: None,
        reader: None,
        end: End::Left,
    });
    let response = next.run(request).await;
    record.begins(&response);
    response.map(|inner| Body::new(Watched { inner, record }))
}

/// A method as the metrics name it: any text can be one.
fn known_method(method: &str) -> &str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];
    if KNOWN.contains(&method) { method } else { "_OTHER" }
}

/// An id that a proxy gave it, if it is a plain one; else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let told = headers.get("x-request-id").and_then(|id| id.to_str().ok()).filter(|id| {
        (1..=64).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    });
    told.map_or_else(|| hex(16), str::to_owned)
}

struct Head {
    method: String,
    path: String,
    route: String,
    peer: String,
    request_id: String,
    trace: Trace,
}

/// How an answer ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    /// The upstream broke off, or we stop.
    Cut,
    /// Whoever asked did not wait for it.
    Left,
}

/// A request until its answer has ended; dropped then.
struct Record {
    observer: Arc<Observer>,
    started: Instant,
    began: SystemTime,
    head: Head,
    notes: Notes,
    status: u16,
    /// What was said of it; `None` before an answer has begun.
    said: Option<Said>,
    bytes: u64,
    first: Option<Duration>,
    reader: Option<UsageReader>,
    end: End,
}

impl Record {
    /// An answer has its head.
    fn begins(&mut self, response: &Response) {
        self.status = response.status().as_u16();
        self.line_of_text();
        let said = self.notes.said();
        if said.asked.is_some() {
            self.observer.metrics.stream_begins();
            self.reader = self.observer.reads_usage.then(|| UsageReader::of(response.headers()));
        }
        self.said = Some(said);
    }

    fn passes(&mut self, bytes: &Bytes) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.first.is_none() {
            self.first = Some(self.started.elapsed());
        }
        if let Some(reader) = &mut self.reader {
            reader.read(bytes);
        }
    }

    fn finish(&mut self) {
        let took = self.started.elapsed();
        let Head { method, route, .. } = &self.head;
        self.observer.metrics.request(known_method(method), route, self.status, took, self.bytes);
        let began = self.said.is_some();
        if !began {
            self.line_of_text();
        }
        let said = self.said.take().unwrap_or_else(|| self.notes.said());
        if let Some(limit) = said.limit {
            self.observer.metrics.limited(limit);
        }
        let mut usage = None;
        if let Some(asked) = &said.asked {
            if began {
                self.observer.metrics.stream_ends();
            }
            usage = self.model_has_ended(asked, said.is_answered, took);
        }
        if self.observer.lines.format == LineFormat::Json {
            self.observer.log.line(&self.line(&said, took, usage));
        }
    }

    /// Writes the line that is no JSON: it tells of the head alone.
    fn line_of_text(&self) {
        if self.observer.lines.format == LineFormat::Text {
            let (Head { method, path, .. }, status) = (&self.head, self.status);
            let head_ms = self.started.elapsed().as_millis();
            self.observer.log.line(&format!("method={method} path={path} status={status} head_ms={head_ms}"));
        }
    }

    /// What an answer of a model leaves behind; gives what it took, as far as that was said.
    fn model_has_ended(&mut self, asked: &Asked, is_answered: bool, took: Duration) -> Option<Usage> {
        let reader = self.reader.as_mut();
        let (usage, answered_by, estimated_output) = reader.map_or((None, None, 0), |reader| {
            reader.end();
            (reader.usage, reader.model.as_deref().map(short), reader.estimated_output())
        });
        let error = match (self.status, self.end) {
            (LEFT_EARLY, End::Left) if !is_answered => Some("left".to_owned()),
            (200..=299, End::Whole) => None,
            (200..=299, End::Cut) => Some("cut".to_owned()),
            (200..=299, End::Left) => Some("left".to_owned()),
            (status, _) => Some(status.to_string()),
        };
        let known = self.observer.models.get(&asked.upstream);
        let is_known = known.is_some_and(|models| models.contains(&asked.model));
        let mut done = Operation {
            upstream: asked.upstream.clone(),
            model: if is_known { asked.model.clone() } else { "other".to_owned() },
            error,
            took,
            input_tokens: usage.map(|usage| usage.input_tokens),
            output_tokens: usage.map(|usage| usage.output_tokens),
        };
        if let Some(first) = self.first.filter(|_| is_answered) {
            self.observer.metrics.first_byte(&done.upstream, &done.model, first);
        }
        self.observer.metrics.operation(&done);
        done.model.clone_from(&asked.model);
        let exporter = self.observer.exporter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exporter) = exporter.as_ref().filter(|_| self.head.trace.is_recorded) {
            exporter.send(&self.head.trace.span(self.began, &done, answered_by.as_deref()));
        }
        drop(exporter);
        if (200..300).contains(&self.status) || (self.status == LEFT_EARLY && !is_answered) {
            self.spend(asked, usage, estimated_output, answered_by.as_deref());
        }
        usage
    }

    /// Takes an answer out of its client's quotas. Where nobody said what it took the request is estimated by its bytes; so is one whose
    /// client left before the answer began: the upstream was asked.
    fn spend(&self, asked: &Asked, usage: Option<Usage>, estimated_output: u64, answered_by: Option<&str>) {
        if !self.observer.clients.has_quotas() {
            return;
        }
        let mut usage = usage.unwrap_or_else(|| Usage {
            input_tokens: asked.body_bytes / BYTES_OF_A_TOKEN,
            output_tokens: estimated_output,
            ..Usage::default()
        });
        if self.end != End::Whole {
            // What it took is said at the end: before, an upstream says what it began with.
            usage.output_tokens = usage.output_tokens.max(estimated_output);
        }
        let cost = |model: &str| {
            let listed = llm::listed_price(model, usage.input_tokens);
            listed.map_or(0, |row| row.price.cost_micro_usd(&usage))
        };
        // An upstream may take a name for that of another model.
        let micro_usd = cost(&asked.model).max(answered_by.map_or(0, cost));
        let spent = Spent {
            tokens: usage.input_tokens.saturating_add(usage.output_tokens),
            micro_usd: if asked.is_built_in { 0 } else { micro_usd },
        };
        self.observer.clients.spend_soon(Arc::clone(&asked.who), spent);
    }

    fn line(&self, said: &Said, took: Duration, usage: Option<Usage>) -> String {
        let mut line = Map::new();
        let mut say = |name: &str, value: Value| line.insert(name.to_owned(), value);
        let millis = |time: Duration| Value::from(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        say("time", humantime::format_rfc3339_millis(self.began).to_string().into());
        say("method", self.head.method.as_str().into());
        say("path", self.head.path.as_str().into());
        say("status", self.status.into());
        say("bytes", self.bytes.into());
        say("duration_ms", millis(took));
        if let Some(client) = self.client(said) {
            say("client", client.into());
        }
        say("request_id", self.head.request_id.as_str().into());
        say("trace_id", self.head.trace.id.as_str().into());
        if let Some(limit) = said.limit {
            say("limit", limit.into());
        }
        if let Some(asked) = &said.asked {
            say("upstream", asked.upstream.as_str().into());
            say("model", asked.model.as_str().into());
            if let Some(first) = self.first {
                say("first_byte_ms", millis(first));
            }
            let end = match self.end {
                End::Whole => "whole",
                End::Cut => "cut",
                End::Left => "left",
            };
            say("end", end.into());
        }
        if let Some(usage) = usage {
            say("input_tokens", usage.input_tokens.into());
            say("output_tokens", usage.output_tokens.into());
        }
        Value::Object(line).to_string()
    }

    /// The client as it may be named.
    fn client(&self, said: &Said) -> Option<String> {
        let client = said.client.as_ref().unwrap_or(&self.head.peer);
        match self.observer.lines.client {
            ClientName::Off => None,
            ClientName::Address => Some(client.clone()),
            ClientName::Hash => {
                let hash = Sha256::digest(format!("{} {client}", self.observer.salt));
                Some(hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect())
            }
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.finish();
    }
}

/// An answer's body that is seen as it passes.
struct Watched {
    inner: Body,
    record: Box<Record>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(bytes) = frame.data_ref() {
                    self.record.passes(bytes);
                }
            }
            Poll::Ready(Some(Err(_))) => self.record.end = End::Cut,
            Poll::Ready(None) if self.record.end == End::Left => self.record.end = End::Whole,
            Poll::Ready(None) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // A body whose length is known is not asked for its end.
        if self.record.end == End::Left && self.inner.is_end_stream() {
            self.record.end = End::Whole;
        }
    }
}
