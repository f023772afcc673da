//! Requests for owners that another process has: passed to it, once, and their answers passed back as they come. A stream whose
//! process dies is gone on with where its reader was, at whoever has the owner then.

mod frames;

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use self::frames::Frames;
use crate::gates::{Gates, Way};
use crate::http::{IDEMPOTENCY_KEY, LAST_EVENT_ID};
use crate::problem::{Code, Refusal, STOPPING};

/// Says in a request which process passed it here: it is not passed again. In an answer it says which process gave it, where that is another.
const PASSED: HeaderName = HeaderName::from_static("satchel-passed");

/// How long somebody may take to take over an owner that nobody has.
const TAKEOVER: Duration = Duration::from_secs(10);

/// Within which a request that may be made again is made again.
const TRYING: Duration = Duration::from_secs(15);

/// How long it is until the next try.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a connection to another process may take to come about.
const CONNECTING: Duration = Duration::from_secs(2);

/// How long a connection to another process is kept that nobody uses, and how many are: it closes those that say nothing for
/// [`Limits::patience`](crate::Limits::patience), and has only so many.
const IDLE: Duration = Duration::from_secs(5);
const MOST_IDLE: usize = 64;

/// How often a stream is gone on with that says nothing.
const SILENT: u32 = 20;

/// Frames that wait for whoever reads them.
const FRAMES: usize = 16;

/// Headers of one connection, and what the process in front has looked at already.
const OURS: [HeaderName; 9] = [
    header::HOST,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::ORIGIN,
    header::EXPECT,
    header::TE,
    header::TRAILER,
    header::UPGRADE,
];

/// A way to the other processes.
pub(crate) struct Passing {
    pub gates: Arc<Gates>,
    client: Client<HttpConnector, Body>,
    stopping: watch::Receiver<bool>,
}

/// A request that can be made again.
#[derive(Clone)]
pub(crate) struct Asked {
    pub parts: Parts,
    pub body: Bytes,
    /// Whose it is, by their place.
    pub owner: usize,
}

impl Asked {
    fn request(&self) -> Request {
        Request::from_parts(self.parts.clone(), Body::from(self.body.clone()))
    }

    /// Whether made twice it does the same as once.
    fn is_idempotent(&self) -> bool {
        self.parts.method == Method::GET || self.parts.headers.contains_key(IDEMPOTENCY_KEY)
    }
}

/// What a try came to.
enum Tried {
    Answered(Response, Way),
    /// Something else may answer. Begun: whether it was carried out is not known.
    Failed {
        is_begun: bool,
    },
}

impl Passing {
    pub(crate) fn new(gates: Arc<Gates>, stopping: watch::Receiver<bool>) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECTING));
        connector.set_nodelay(true);
        let mut client = Client::builder(TokioExecutor::new());
        client.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).pool_max_idle_per_host(MOST_IDLE);
        Self { gates, client: client.build(connector), stopping }
    }

    /// Answers a request here or elsewhere.
    pub(crate) async fn answer(self: &Arc<Self>, asked: Asked, next: Next) -> Response {
        if asked.parts.headers.contains_key(PASSED) {
            return self.answer_passed(asked, next).await;
        }
        match self.find(&asked, &next).await {
            Ok((response, way)) if is_stream(&response) => {
                let (parts, body) = response.into_parts();
                let (frames, receiver) = mpsc::channel(FRAMES);
                let relay = Relay { passing: Arc::clone(self), asked, next, frames };
                tokio::spawn(relay.run(body, way));
                let frames = stream::unfold(receiver, |mut receiver| async {
                    receiver.recv().await.map(|frame| (Ok::<_, std::convert::Infallible>(frame), receiver))
                });
                Response::from_parts(parts, Body::from_stream(frames))
            }
            Ok((response, _)) => response,
            Err(refusal) => refusal.into_response(),
        }
    }

    /// One that another process has passed: it is answered here or not at all.
    async fn answer_passed(&self, asked: Asked, next: Next) -> Response {
        match timeout(TAKEOVER, self.gates.way(asked.owner)).await {
            Ok(Way::Here(_)) => next.run(asked.request()).await,
            _ => {
                let mut response = nobody().into_response();
                response.headers_mut().insert(STOPPING, HeaderValue::from_static(BEFORE));
                response
            }
        }
    }

    /// An answer of whoever has the owner.
    async fn find(&self, asked: &Asked, next: &Next) -> Result<(Response, Way), Refusal> {
        let until = Instant::now() + TRYING;
        loop {
            let way = timeout_at(until.min(Instant::now() + TAKEOVER), self.gates.way(asked.owner));
            let way = way.await.map_err(|_late| nobody())?;
            let tried = match &way {
                Way::Here(_) => self.here(asked, next, &way).await,
                Way::There { address, .. } => {
                    tokio::select! {
                        tried = self.there(asked, address, &way) => tried,
                        // It sleeps, or is gone without a word.
                        () = self.gates.moved(asked.owner, &way) => Tried::Failed { is_begun: true },
                    }
                }
            };
            match tried {
                Tried::Answered(response, way) => return Ok((response, way)),
                Tried::Failed { is_begun } if is_begun && !asked.is_idempotent() => return Err(broken()),
                Tried::Failed { .. } if Instant::now() + PAUSE >= until => return Err(nobody()),
                Tried::Failed { .. } => sleep(PAUSE).await,
            }
        }
    }

    async fn here(&self, asked: &Asked, next: &Next, way: &Way) -> Tried {
        let response = next.clone().run(asked.request()).await;
        if response.headers().contains_key(STOPPING) && !*self.stopping.borrow() {
            return Tried::Failed { is_begun: true };
        }
        // What failed since somebody else has the owner is theirs to answer.
        if response.status().is_server_error() && !self.gates.is_still(asked.owner, way) {
            return Tried::Failed { is_begun: true };
        }
        Tried::Answered(response, way.clone())
    }

    async fn there(&self, asked: &Asked, address: &str, way: &Way) -> Tried {
        let path = asked.parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let Ok(uri) = format!("{address}{path}").parse::<Uri>() else {
            return Tried::Failed { is_begun: false };
        };
        let mut request = Request::new(Body::from(asked.body.clone()));
        *request.method_mut() = asked.parts.method.clone();
        *request.uri_mut() = uri;
        for (name, value) in asked.parts.headers.iter().filter(|(name, _)| !OURS.contains(name)) {
            request.headers_mut().append(name, value.clone());
        }
        if let Ok(id) = HeaderValue::from_str(self.gates.cluster.id()) {
            request.headers_mut().insert(PASSED, id);
        }
        match self.client.request(request).await {
            Ok(response) => {
                if let Some(word) = response.headers().get(STOPPING) {
                    return Tried::Failed { is_begun: word != BEFORE };
                }
                let (mut parts, body) = response.into_parts();
                OURS.iter().for_each(|name| drop(parts.headers.remove(name)));
                if let Way::There { id, .. } = way
                    && let Ok(id) = HeaderValue::from_str(id)
                {
                    parts.headers.insert(PASSED, id);
                }
                Tried::Answered(Response::from_parts(parts, Body::new(body)), way.clone())
            }
            Err(error) => Tried::Failed { is_begun: !error.is_connect() },
        }
    }
}

/// What [`STOPPING`] says where nothing of the request was done.
const BEFORE: &str = "before";

/// A stream of events on its way through this process.
struct Relay {
    passing: Arc<Passing>,
    asked: Asked,
    next: Next,
    frames: mpsc::Sender<Bytes>,
}

/// How a part of a stream ended.
enum End {
    Over,
    /// Without the end of what was asked for. True where it had said something.
    Broke(bool),
}

impl Relay {
    async fn run(mut self, mut body: Body, mut way: Way) {
        let mut silent = 0;
        loop {
            match self.part(body, &way).await {
                End::Over => return,
                End::Broke(true) => silent = 0,
                End::Broke(false) => silent += 1,
            }
            if silent == SILENT {
                return;
            }
            if silent > 0 {
                sleep(PAUSE).await;
            }
            // Asked again with the last id it goes on behind that: a message by its key, events by their place.
            match self.passing.find(&self.asked, &self.next).await {
                Ok((response, there)) if is_stream(&response) => {
                    (body, way) = (response.into_body(), there);
                }
                // Whoever reads finds out by themselves: all they lose is this connection.
                _ => return,
            }
        }
    }

    /// Passes on what one process says.
    async fn part(&mut self, body: Body, way: &Way) -> End {
        let (mut pieces, mut frames) = (body.into_data_stream(), Frames::default());
        let (mut is_over, mut has_said) = (false, false);
        let (gates, owner) = (Arc::clone(&self.passing.gates), self.asked.owner);
        let mut stopping = self.passing.stopping.clone();
        loop {
            let piece = tokio::select! {
                () = self.frames.closed() => return End::Over,
                _ = stopping.wait_for(|stops| *stops) => return End::Over,
                () = gates.moved(owner, way) => return End::Broke(has_said),
                piece = pieces.next() => piece,
            };
            let Some(Ok(piece)) = piece else {
                return if is_over { End::Over } else { End::Broke(has_said) };
            };
            for frame in frames.feed(&piece) {
                // An error that is in no log may be that of one who has lost the owner: the next one goes on.
                if frame.is_unlogged_error() && !gates.is_still(owner, way) {
                    return End::Broke(has_said);
                }
                if let Some(id) = frame.id().and_then(|id| HeaderValue::from_str(id).ok()) {
                    self.asked.parts.headers.insert(LAST_EVENT_ID, id);
                    has_said = true;
                }
                is_over = frame.is_end();
                if self.frames.send(frame.into_bytes()).await.is_err() {
                    return End::Over;
                }
            }
        }
    }
}

fn is_stream(response: &Response) -> bool {
    response.status() == StatusCode::OK
        && response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream")
}

fn nobody() -> Refusal {
    Refusal::new(Code::Stopping, "Another server is taking this over. Try again in a moment.").after(1)
}

fn broken() -> Refusal {
    let detail = "The server that did this is gone, and whether it was done is not known. Look, or send an Idempotency-Key the next time.";
    Refusal::new(Code::Stopping, detail).after(1)
}
