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
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::counters::Spent;
use crate::limits::Clients;
use crate::log::{ClientName, LineFormat, Lines, Log};
use crate::metrics::{Metrics, Operation};
use crate::otlp::Exporter;
use crate::tokens::Who;
use crate::trace::{Trace, hex};
use crate::usage::UsageReader;

/// Longer names are cut: they are foreign text.
const LONGEST_NAME: usize = 200;

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
}

/// What handlers say of a request; in its extensions.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Said>>);

#[derive(Clone, Default)]
struct Said {
    asked: Option<Asked>,
    limit: Option<&'static str>,
    client: Option<String>,
}

impl Notes {
    /// A model is asked.
    pub(crate) fn asked(&self, asked: Asked) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).asked = Some(asked);
    }

    /// A limit refuses it.
    pub(crate) fn limited(&self, limit: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).limit = Some(limit);
    }

    /// Whose it is, where it came by a proxy.
    pub(crate) fn client(&self, client: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).client = Some(client.to_owned());
    }
}

/// The model that a body asks for; nothing else of it is read.
pub(crate) fn model_of(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Model {
        model: String,
    }
    let model = serde_json::from_slice::<Model>(body).map(|body| body.model).unwrap_or_default();
    short(&model)
}

fn short(text: &str) -> String {
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
    let response = next.run(request).await;
    let status = response.status().as_u16();
    if observer.lines.format == LineFormat::Text {
        let (Head { method, path, .. }, head_ms) = (&head, started.elapsed().as_millis());
        observer.log.line(&format!("method={method} path={path} status={status} head_ms={head_ms}"));
    }
    let said = notes.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let reader = (said.asked.is_some() && observer.reads_usage).then(UsageReader::default);
    if said.asked.is_some() {
        observer.metrics.stream_begins();
    }
    let record = Record {
        observer,
        started,
        began,
        head,
        status,
        said,
        bytes: 0,
        first: None,
        reader,
        end: End::Left,
    };
    response.map(|inner| Body::new(Watched { inner, record: Box::new(record) }))
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
    status: u16,
    said: Said,
    bytes: u64,
    first: Option<Duration>,
    reader: Option<UsageReader>,
    end: End,
}

impl Record {
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
        if let Some(limit) = self.said.limit {
            self.observer.metrics.limited(limit);
        }
        let mut usage = None;
        if let Some(asked) = self.said.asked.take() {
            self.observer.metrics.stream_ends();
            usage = self.model_has_ended(&asked, took);
            self.said.asked = Some(asked);
        }
        if self.observer.lines.format == LineFormat::Json {
            self.observer.log.line(&self.line(took, usage));
        }
    }

    /// What an answer of a model leaves behind; gives what it took, as far as that was said.
    fn model_has_ended(&mut self, asked: &Asked, took: Duration) -> Option<Usage> {
        let reader = self.reader.as_mut();
        let (usage, answered_by, events) = reader.map_or((None, None, 0), |reader| {
            reader.end();
            (reader.usage, reader.model.as_deref().map(short), reader.events)
        });
        let error = match (self.status, self.end) {
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
        if let Some(first) = self.first {
            self.observer.metrics.first_byte(&done.upstream, &done.model, first);
        }
        self.observer.metrics.operation(&done);
        done.model.clone_from(&asked.model);
        let exporter = self.observer.exporter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exporter) = exporter.as_ref().filter(|_| self.head.trace.is_recorded) {
            exporter.send(&self.head.trace.span(self.began, &done, answered_by.as_deref()));
        }
        drop(exporter);
        self.spend(asked, usage, events);
        usage
    }

    /// Takes an answer out of its client's quotas. Where nobody said what it took: a token for each four bytes of the request, and for
    /// each event of the answer.
    fn spend(&self, asked: &Asked, usage: Option<Usage>, events: u64) {
        if self.status >= 300 || self.reader.is_none() || !self.observer.clients.has_quotas() {
            return;
        }
        let usage = usage.unwrap_or_else(|| Usage {
            input_tokens: asked.body_bytes / 4,
            output_tokens: events,
            ..Usage::default()
        });
        let price = llm::listed_price(&asked.model, usage.input_tokens);
        let spent = Spent {
            tokens: usage.input_tokens.saturating_add(usage.output_tokens),
            micro_usd: price.map_or(0, |row| row.price.cost_micro_usd(&usage)),
        };
        let (clients, who) = (self.observer.clients.clone(), Arc::clone(&asked.who));
        // Without a runtime nobody is served any more.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { clients.spend(&who, spent).await });
        }
    }

    fn line(&self, took: Duration, usage: Option<Usage>) -> String {
        let mut line = Map::new();
        let mut say = |name: &str, value: Value| line.insert(name.to_owned(), value);
        let millis = |time: Duration| Value::from(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        say("time", humantime::format_rfc3339_millis(self.began).to_string().into());
        say("method", self.head.method.as_str().into());
        say("path", self.head.path.as_str().into());
        say("status", self.status.into());
        say("bytes", self.bytes.into());
        say("duration_ms", millis(took));
        if let Some(client) = self.client() {
            say("client", client.into());
        }
        say("request_id", self.head.request_id.as_str().into());
        say("trace_id", self.head.trace.id.as_str().into());
        if let Some(limit) = self.said.limit {
            say("limit", limit.into());
        }
        if let Some(asked) = &self.said.asked {
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
    fn client(&self) -> Option<String> {
        let client = self.said.client.as_ref().unwrap_or(&self.head.peer);
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
        self.record.finish();
    }
}
